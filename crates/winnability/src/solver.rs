//! [`Solver`]: asks the cheapest argument first, and passes on what was proved or found. The arguments
//! are in `proof`, where every line is replayed too; the searches for lines are in `search`.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use touchmove_rules::{Color, Move, MoveList, Position, Role, Rules};

use crate::instantiate;
use crate::proof::closure::{Closure, Found};
use crate::proof::exclusions::Exclusions;
use crate::proof::forced_line::ForcedLine;
use crate::proof::outline;
use crate::proof::structure::{self, Survey};
use crate::search::atomic_mate_net::Nets;
use crate::search::best_first::{NO_JITTER, Probe};
use crate::search::corner_mates::Picture;
use crate::search::explosion_distance::NearestBlast;
use crate::search::heuristic::Guide;
use crate::search::king_escort::Escort;
use crate::search::mate_targets::Aim;
use crate::search::promotion_paths::has_free_pawn;
use crate::search::stages::{LAST_STAGE, STAGES, Stage};
use crate::search::win_heuristic::Looks;
use crate::{Proof, Reason, Verdict};

/// How much work one question may cost.
///
/// ```
/// use touchmove_winnability::Budget;
///
/// let quick = Budget::of_positions(20_000);
/// assert_eq!((quick.positions, quick.threads), (20_000, 1));
/// assert!(quick.positions < Budget::default().positions);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many different positions may be visited, about a microsecond each; other work is counted as
    /// so many positions as would have taken its time. Each takes up to 128 bytes while the question is
    /// being answered.
    pub positions: u64,
    /// How many threads may work on a question that turns out to be hard: 1, or 2 that go about it
    /// in different ways.
    pub threads: usize,
}

impl Budget {
    /// A budget of so many positions on one thread.
    #[must_use]
    pub const fn of_positions(positions: u64) -> Budget {
        Budget {
            positions,
            threads: 1,
        }
    }

    /// The same on so many threads.
    ///
    /// ```
    /// use touchmove_rules::{AnyPosition, Color, Variant};
    /// use touchmove_winnability::{Budget, winnable};
    ///
    /// let fen = "3k1b2/2p1pBp1/KpP1P1P1/1P6/4B3/8/8/8 w - - 0 1";
    /// let position = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
    /// let budget = Budget::of_positions(1_000_000).on_threads(2);
    /// assert!(winnable(&position, Color::Black, budget).is_unwinnable());
    /// ```
    #[must_use]
    pub const fn on_threads(self, threads: usize) -> Budget {
        Budget { threads, ..self }
    }
}

impl Default for Budget {
    /// A million positions: about a second, and 128 MB at worst.
    fn default() -> Budget {
        Budget::of_positions(1_000_000)
    }
}

/// Answers questions about winning, one after the other, in the same memory.
///
/// ```
/// use touchmove_rules::{Chess, Color, Position};
/// use touchmove_winnability::{Budget, Solver};
///
/// let mut solver = Solver::<Chess>::new();
/// let start = Position::start();
/// for side in Color::ALL {
///     assert!(solver.winnable(&start, side, Budget::default()).is_winnable());
/// }
/// ```
#[derive(Debug, Default)]
pub struct Solver<R: Rules> {
    probe: Probe<R>,
    closure: Closure<R>,
    moves: MoveList,
    visited: u64,
}

impl<R: Rules> Solver<R> {
    /// A solver without a memory yet.
    #[must_use]
    pub fn new() -> Solver<R> {
        Solver::default()
    }

    /// Whether `side` can still win.
    #[must_use]
    pub fn winnable(&mut self, position: &Position<R>, side: Color, budget: Budget) -> Verdict {
        self.winnable_unless(position, side, budget, || false)
    }

    /// Whether `side` can still win, unless somebody interrupts: `interrupted` is asked every
    /// thousand positions or so, and its yes ends the search undecided.
    #[must_use]
    pub fn winnable_unless(
        &mut self,
        position: &Position<R>,
        side: Color,
        budget: Budget,
        interrupted: impl Fn() -> bool + Sync,
    ) -> Verdict {
        instantiate::ask(self, position, side, budget, &interrupted)
    }

    /// The verdict itself.
    pub(crate) fn answer(
        &mut self,
        position: &Position<R>,
        side: Color,
        budget: Budget,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Verdict {
        let mut line = ForcedLine::from(position, side, &mut self.moves);
        self.visited = line.positions();
        let verdict = match line.verdict.take() {
            Some(verdict) => verdict,
            None => self.with_choice(&Question {
                position: &line.end,
                side,
                budget,
                interrupted,
            }),
        };
        line.carry_back(verdict)
    }

    /// The verdict on a position where there is a choice of moves and the material says nothing.
    fn with_choice(&mut self, question: &Question<'_, R>) -> Verdict {
        let Question { position, side, .. } = *question;
        // Heavy pieces and free pawns are hard to lock up, so it is better to try first.
        let board = position.board();
        let is_hard_to_lock_up = (board.of(side) & board.straight_movers()).any()
            || !R::BLAST && has_free_pawn(board, side);
        if is_hard_to_lock_up && let Some(line) = self.look(question, NO_JITTER) {
            return Verdict::Winnable(line);
        }
        self.visited += structure::work::<R>();
        let survey = Survey::new(position);
        let proof = match &survey {
            Some(survey) => survey.prove(side),
            None => structure::prove(position, side),
        };
        if let Some(proof) = proof {
            return Verdict::Unwinnable(proof);
        }
        if !is_hard_to_lock_up && let Some(line) = self.look(question, NO_JITTER) {
            return Verdict::Winnable(line);
        }
        self.in_stages(question, survey.as_ref())
    }

    /// Closures, with looks and tries at outlines between them, or beside them where the budget
    /// allows it.
    fn in_stages(&mut self, question: &Question<'_, R>, survey: Option<&Survey>) -> Verdict {
        for stage in STAGES {
            if stage.is_long() && question.budget.threads > 1 {
                return self.side_by_side(question, survey);
            }
            if let Some(line) = self.look_with(question, stage.seeds.clone()) {
                return Verdict::Winnable(line);
            }
            if let Some(proof) = self.outline(question, stage.outlines) {
                return Verdict::Unwinnable(proof);
            }
            if let Some(verdict) = self.close(question, survey, &stage) {
                return verdict;
            }
            if self.left(question) == 0 {
                break;
            }
        }
        self.undecided(Reason::OutOfBudget)
    }

    fn undecided(&self, reason: Reason) -> Verdict {
        Verdict::Undecided {
            visited: self.visited,
            reason,
        }
    }

    /// A closure on this thread; outlines and looks on another. Whoever has the answer stops the
    /// other.
    fn side_by_side(&mut self, question: &Question<'_, R>, survey: Option<&Survey>) -> Verdict {
        let answered = AtomicBool::new(false);
        let interrupted = || answered.load(Ordering::Relaxed) || (question.interrupted)();
        let question = &Question {
            interrupted: &interrupted,
            ..*question
        };
        let report = |verdict: Option<Verdict>| {
            answered.fetch_or(verdict.is_some(), Ordering::Relaxed);
            verdict
        };
        let (mine, (other, visited)) = thread::scope(|scope| {
            let other = scope.spawn(|| {
                let mut solver = Solver::new();
                let most = question.budget.positions / 16;
                let proof = solver.outline(question, most).map(Verdict::Unwinnable);
                let verdict = proof.or_else(|| {
                    let lines = (1..).map_while(|round| {
                        let seeds = SEEDS_OF_A_ROUND * round..SEEDS_OF_A_ROUND * (round + 1);
                        let may_go_on = solver.left(question) > 0;
                        may_go_on.then(|| solver.look_with(question, seeds))
                    });
                    lines.flatten().next().map(Verdict::Winnable)
                });
                (report(verdict), solver.visited)
            });
            let mine = report(self.close(question, survey, &LAST_STAGE));
            let other = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            (mine, other)
        });
        self.visited += visited;
        mine.or(other)
            .unwrap_or_else(|| self.undecided(Reason::OutOfBudget))
    }

    /// How many positions may still be looked at.
    fn left(&self, question: &Question<'_, R>) -> u64 {
        if (question.interrupted)() {
            return 0;
        }
        question.budget.positions.saturating_sub(self.visited)
    }

    /// Looks for a line with the jitter of each of these seeds, and after each look for a line to one
    /// of the nearest places where there is room for a mate.
    fn look_with(&mut self, question: &Question<'_, R>, seeds: Range<u64>) -> Option<Vec<Move>> {
        let first = seeds.start.checked_sub(1)?;
        if R::BLAST && R::CHECK {
            return self.look_for_nets(question, seeds);
        }
        let mut aims = None;
        seeds.enumerate().find_map(|(count, seed)| {
            if let Some(line) = self.look(question, seed) {
                return Some(line);
            }
            let Question { position, side, .. } = *question;
            let aims = aims.get_or_insert_with(|| {
                self.visited += WORK_OF_AIMING;
                Aim::nearest(position, side, MOST_AIMS)
            });
            self.probe(question, aims.get(count)?, first, LONGEST_AIM)
        })
    }

    /// The same where captures explode: after each look for a line into one of the nearest nets, or for one
    /// that leads a king out of his cage. What was tried already is tried again with jitter.
    fn look_for_nets(
        &mut self,
        question: &Question<'_, R>,
        seeds: Range<u64>,
    ) -> Option<Vec<Move>> {
        let Question { position, side, .. } = *question;
        let first = seeds.start.checked_sub(1)?;
        let mut aims = None;
        seeds.enumerate().find_map(|(count, seed)| {
            if let Some(line) = self.look(question, seed) {
                return Some(line);
            }
            let left = self.left(question);
            if aims.is_none() && left < LEAST_WORK_OF_NETS {
                return None;
            }
            let (nets, escorts) = aims.get_or_insert_with(|| {
                let nets = Nets::nearest(position, side, MOST_NETS, left);
                self.visited += nets.work() + WORK_OF_ESCORTS;
                (nets, Escort::out_of(position, side))
            });
            let all = nets.len() + escorts.len();
            let number = count.checked_rem(all)?;
            let seed = if count < all { first } else { seed };
            match number.checked_sub(nets.len()) {
                None => {
                    self.visited += WORK_OF_A_NET;
                    self.probe(question, &nets.get(number)?, seed, LONGEST_AIM)
                }
                Some(number) => self.probe(question, escorts.get(number)?, seed, LONGEST_AIM),
            }
        })
    }

    /// Looks for a line, with the jitter of a seed.
    fn look(&mut self, question: &Question<'_, R>, seed: u64) -> Option<Vec<Move>> {
        let Question { position, side, .. } = *question;
        if R::BLAST {
            return self.probe(question, &NearestBlast { winner: side }, seed, LONGEST_LOOK);
        }
        let pictures = if has_only_minors(position, side) {
            self.visited += WORK_OF_AIMING;
            Picture::nearest(position, side)
        } else {
            Vec::new()
        };
        pictures
            .iter()
            .take(if seed == NO_JITTER {
                MOST_AIMS
            } else {
                FEW_AIMS
            })
            .find_map(|picture| self.probe(question, picture, seed, LONGEST_PICTURE))
            .or_else(|| self.probe(question, &Looks { winner: side }, seed, LONGEST_LOOK))
    }

    fn probe(
        &mut self,
        question: &Question<'_, R>,
        guide: &impl Guide<R>,
        seed: u64,
        most: u64,
    ) -> Option<Vec<Move>> {
        let most = (most, self.left(question));
        let Question { position, side, .. } = *question;
        let line = self.probe.search(position, side, guide, seed, most);
        self.visited += self.probe.work();
        line
    }

    /// Tries to prove with outlines that the side cannot win.
    fn outline(&mut self, question: &Question<'_, R>, most: u64) -> Option<Proof> {
        let Question { position, side, .. } = *question;
        let most = (most, self.left(question));
        let sketch = outline::sketch(position, side, most, question.interrupted);
        self.visited += sketch.work();
        sketch.proof
    }

    /// Visits positions that come about, and looks at some of them for a line.
    fn close(
        &mut self,
        question: &Question<'_, R>,
        survey: Option<&Survey>,
        stage: &Stage,
    ) -> Option<Verdict> {
        let Question { position, side, .. } = *question;
        if !stage.goes_on {
            let exclusions = Exclusions::new(stage.outlines);
            self.closure.begin(position, exclusions);
            self.visited += self.closure.work();
        }
        let before = self.closure.work();
        let work = before.saturating_add(self.left(question));
        let Solver { closure, probe, .. } = self;
        let mut glances = 0;
        let glance = |at: &Position<R>, left: u64| {
            glances += 1;
            glance(probe, at, side, glances, left)
        };
        let most = (stage.positions, work);
        let found = closure.search(position, side, survey, most, question.interrupted, glance);
        self.visited += self.closure.work() - before;
        match found {
            Found::Win(line) => Some(Verdict::Winnable(line)),
            Found::Nothing { positions } => Some(Verdict::Unwinnable(Proof::Visited { positions })),
            Found::OutOfBudget => None,
            Found::Unpackable => Some(self.undecided(Reason::Unpackable)),
        }
    }

    /// The closure of the last question that took one.
    pub(crate) fn closure(&self) -> &Closure<R> {
        &self.closure
    }

    /// How many positions the last answer cost.
    #[must_use]
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Whether neither side can win. `None` if the budget does not suffice to say.
    #[must_use]
    pub fn dead(&mut self, position: &Position<R>, budget: Budget) -> Option<bool> {
        let mut sure = true;
        for side in Color::ALL {
            match self.winnable(position, side, budget) {
                Verdict::Winnable(_) => return Some(false),
                Verdict::Unwinnable(_) => {}
                Verdict::Undecided { .. } => sure = false,
            }
        }
        sure.then_some(true)
    }
}

/// A quick look at a position that came up, each in another way than the one before, and what it cost.
fn glance<R: Rules>(
    probe: &mut Probe<R>,
    at: &Position<R>,
    side: Color,
    count: u64,
    left: u64,
) -> (Option<Vec<Move>>, u64) {
    let (seed, most) = (count / 4, (LONGEST_GLANCE, left));
    if R::BLAST {
        let line = probe.search(at, side, &NearestBlast { winner: side }, seed, most);
        return (line, probe.work());
    }
    let line = if has_only_minors(at, side) {
        let Some(picture) = Picture::nearest(at, side).into_iter().next() else {
            return (None, WORK_OF_AIMING);
        };
        probe.search(at, side, &picture, NO_JITTER, most)
    } else if count.is_multiple_of(2) {
        let Some(aim) = Aim::nearest(at, side, 1).into_iter().next() else {
            return (None, WORK_OF_AIMING);
        };
        probe.search(at, side, &aim, seed, most)
    } else {
        let line = probe.search(at, side, &Looks { winner: side }, seed, most);
        return (line, probe.work());
    };
    (line, probe.work() + WORK_OF_AIMING)
}

/// Whether a side has nothing but knights and bishops, so that pictures help.
fn has_only_minors<R: Rules>(position: &Position<R>, side: Color) -> bool {
    let board = position.board();
    let minors = board.with_role(Role::Knight) | board.with_role(Role::Bishop);
    (board.of(side) - minors - board.with_role(Role::King)).is_empty()
}

/// What is asked, with the means to answer it.
struct Question<'a, R: Rules> {
    position: &'a Position<R>,
    side: Color,
    budget: Budget,
    interrupted: &'a (dyn Fn() -> bool + Sync),
}

/// A look at so many positions that has found nothing will hardly find anything.
const LONGEST_LOOK: u64 = 300;

/// The longest look that aims at one picture or at one place, and at how many to aim.
const LONGEST_PICTURE: u64 = 200;
const LONGEST_AIM: u64 = 400;
const MOST_AIMS: usize = 8;
const MOST_NETS: usize = 5;
/// At how many pictures to aim once more, with jitter.
const FEW_AIMS: usize = 2;

/// After so many seeds it is time to take aim again.
const SEEDS_OF_A_ROUND: u64 = 8;

/// The longest look at a position that came up in the closure.
const LONGEST_GLANCE: u64 = 150;

/// As many positions as finding something to aim at costs about as much to visit.
const WORK_OF_AIMING: u64 = 16;

/// What it costs to stretch a net, and to find the ways out of cages, in positions.
const WORK_OF_A_NET: u64 = 20;
const WORK_OF_ESCORTS: u64 = 32;

/// With less nobody begins to look for nets.
const LEAST_WORK_OF_NETS: u64 = 200;

#[cfg(test)]
mod tests {
    use touchmove_rules::{Atomic, Color, Position};

    use super::{Budget, Question, Solver};
    use crate::{Reason, Verdict};

    #[test]
    fn what_cannot_be_packed_is_undecided_and_not_proved() {
        let fen = "8/8/8/8/8/3K4/8/4R3 b - - 0 1";
        let position = Position::<Atomic>::from_fen(fen).expect("a position after the game");
        let mut solver = Solver::new();
        for side in Color::ALL {
            // Behind the back of the question whether the game is over.
            let verdict = solver.with_choice(&Question {
                position: &position,
                side,
                budget: Budget::default(),
                interrupted: &|| false,
            });
            let reason = match verdict {
                Verdict::Undecided { reason, .. } => reason,
                other => panic!("{side}: {other:?}"),
            };
            assert_eq!(reason, Reason::Unpackable);
            // Asked as anybody asks, the game is over.
            let verdict = solver.winnable(&position, side, Budget::default());
            assert_eq!(verdict.is_winnable(), side == Color::White);
            assert_eq!(verdict.is_unwinnable(), side == Color::Black);
        }
    }
}
