//! [`Solver`]: tries the cheapest argument first and returns what was proved or found. The arguments are in `proof`,
//! where every line is replayed too; the searches for lines are in `search`.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use touchmove_rules::{Color, Move, MoveList, Position, Role, Rules};

use crate::instantiate;
use crate::proof::closure::{Closure, ClosureResult};
use crate::proof::exclusions::Exclusions;
use crate::proof::forced_line::ForcedLine;
use crate::proof::outline;
use crate::proof::structure::{self, ReachSurvey};
use crate::search::atomic_mate_net::MateNets;
use crate::search::best_first::{BestFirstSearch, NO_JITTER};
use crate::search::corner_mates::CornerMate;
use crate::search::explosion_distance::NearestExplosion;
use crate::search::heuristic::DistanceHeuristic;
use crate::search::king_escort::KingEscort;
use crate::search::mate_targets::MateTarget;
use crate::search::promotion_paths::has_free_pawn;
use crate::search::stages::{LAST_STAGE, STAGES, Stage};
use crate::search::win_heuristic::WinHeuristic;
use crate::{Proof, UndecidedReason, Winnability};

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
    /// How many different positions may be visited, about a microsecond each; other work is counted as the positions
    /// that would have taken as long. Each takes up to 128 bytes while the question is being answered.
    pub positions: u64,
    /// How many threads may work on a hard question: 1, or 2 that use different methods.
    pub threads: usize,
}

impl Budget {
    /// A budget of this many positions on one thread.
    #[must_use]
    pub const fn of_positions(positions: u64) -> Budget {
        Budget {
            positions,
            threads: 1,
        }
    }

    /// The same budget on this many threads.
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

/// Answers questions about winning, one after the other, reusing its memory.
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
    probe: BestFirstSearch<R>,
    closure: Closure<R>,
    moves: MoveList,
    visited: u64,
}

impl<R: Rules> Solver<R> {
    /// A solver that has not allocated its memory yet.
    #[must_use]
    pub fn new() -> Solver<R> {
        Solver::default()
    }

    /// Whether `side` can still win.
    #[must_use]
    pub fn winnable(&mut self, position: &Position<R>, side: Color, budget: Budget) -> Winnability {
        self.winnable_until(position, side, budget, || false)
    }

    /// Whether `side` can still win. `interrupted` is called every thousand positions or so; `true` ends the search as
    /// undecided.
    #[must_use]
    pub fn winnable_until(
        &mut self,
        position: &Position<R>,
        side: Color,
        budget: Budget,
        interrupted: impl Fn() -> bool + Sync,
    ) -> Winnability {
        instantiate::ask(self, position, side, budget, &interrupted)
    }

    /// Answers one question; the cost is in `visited`.
    pub(crate) fn answer(
        &mut self,
        position: &Position<R>,
        side: Color,
        budget: Budget,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Winnability {
        let mut line = ForcedLine::from(position, side, &mut self.moves);
        self.visited = line.positions();
        let verdict = match line.verdict.take() {
            Some(verdict) => verdict,
            None => self.with_choice(&SolverQuery {
                position: &line.end,
                side,
                budget,
                interrupted,
            }),
        };
        line.carry_back(verdict)
    }

    /// The result for a position with a choice of moves and undecided material.
    fn with_choice(&mut self, question: &SolverQuery<'_, R>) -> Winnability {
        let SolverQuery { position, side, .. } = *question;
        // Heavy pieces and free pawns are hard to lock up, so search for a line first.
        let board = position.board();
        let is_hard_to_lock_up = (board.by_color(side) & board.rooks_and_queens()).any()
            || !R::CAPTURES_EXPLODE && has_free_pawn(board, side);
        if is_hard_to_lock_up && let Some(line) = self.look(question, NO_JITTER) {
            return Winnability::Winnable(line);
        }
        self.visited += structure::work::<R>();
        let survey = ReachSurvey::new(position);
        let proof = match &survey {
            Some(survey) => survey.prove(side),
            None => structure::prove(position, side),
        };
        if let Some(proof) = proof {
            return Winnability::Unwinnable(proof);
        }
        if !is_hard_to_lock_up && let Some(line) = self.look(question, NO_JITTER) {
            return Winnability::Winnable(line);
        }
        self.in_stages(question, survey.as_ref())
    }

    /// Closures, with searches for lines and tries of outlines between them, or in parallel where the budget allows it.
    fn in_stages(
        &mut self,
        question: &SolverQuery<'_, R>,
        survey: Option<&ReachSurvey>,
    ) -> Winnability {
        for stage in STAGES {
            if stage.is_long() && question.budget.threads > 1 {
                return self.side_by_side(question, survey);
            }
            if let Some(line) = self.look_with(question, stage.seeds.clone()) {
                return Winnability::Winnable(line);
            }
            if let Some(proof) = self.outline(question, stage.outlines) {
                return Winnability::Unwinnable(proof);
            }
            if let Some(verdict) = self.close(question, survey, &stage) {
                return verdict;
            }
            if self.left(question) == 0 {
                break;
            }
        }
        self.undecided(UndecidedReason::OutOfBudget)
    }

    fn undecided(&self, reason: UndecidedReason) -> Winnability {
        Winnability::Undecided {
            visited: self.visited,
            reason,
        }
    }

    /// Runs a closure on this thread, outlines and line searches on another. The first answer stops the other thread.
    fn side_by_side(
        &mut self,
        question: &SolverQuery<'_, R>,
        survey: Option<&ReachSurvey>,
    ) -> Winnability {
        let answered = AtomicBool::new(false);
        let interrupted = || answered.load(Ordering::Relaxed) || (question.interrupted)();
        let question = &SolverQuery {
            interrupted: &interrupted,
            ..*question
        };
        let report = |verdict: Option<Winnability>| {
            answered.fetch_or(verdict.is_some(), Ordering::Relaxed);
            verdict
        };
        let (mine, (other, visited)) = thread::scope(|scope| {
            let other = scope.spawn(|| {
                let mut solver = Solver::new();
                let most = question.budget.positions / 16;
                let proof = solver.outline(question, most).map(Winnability::Unwinnable);
                let verdict = proof.or_else(|| {
                    let lines = (1..).map_while(|round| {
                        let seeds = SEEDS_PER_ROUND * round..SEEDS_PER_ROUND * (round + 1);
                        let may_go_on = solver.left(question) > 0;
                        may_go_on.then(|| solver.look_with(question, seeds))
                    });
                    lines.flatten().next().map(Winnability::Winnable)
                });
                (report(verdict), solver.visited)
            });
            let mine = report(self.close(question, survey, &LAST_STAGE));
            let other = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            (mine, other)
        });
        self.visited += visited;
        mine.or(other)
            .unwrap_or_else(|| self.undecided(UndecidedReason::OutOfBudget))
    }

    /// How many positions may still be visited.
    fn left(&self, question: &SolverQuery<'_, R>) -> u64 {
        if (question.interrupted)() {
            return 0;
        }
        question.budget.positions.saturating_sub(self.visited)
    }

    /// Searches for a line with the jitter of each of these seeds, and after each for a line to one of the nearest mate
    /// targets.
    fn look_with(&mut self, question: &SolverQuery<'_, R>, seeds: Range<u64>) -> Option<Vec<Move>> {
        let first = seeds.start.checked_sub(1)?;
        if R::CAPTURES_EXPLODE && R::HAS_CHECK {
            return self.look_for_nets(question, seeds);
        }
        let mut aims = None;
        seeds.enumerate().find_map(|(count, seed)| {
            if let Some(line) = self.look(question, seed) {
                return Some(line);
            }
            let SolverQuery { position, side, .. } = *question;
            let aims = aims.get_or_insert_with(|| {
                self.visited += TARGET_SEARCH_WORK;
                MateTarget::nearest(position, side, MAX_TARGETS)
            });
            self.probe(question, aims.get(count)?, first, MAX_TARGET_POSITIONS)
        })
    }

    /// The same where captures explode: after each search also one for a line into one of the nearest nets, or one that
    /// leads a king out of its cage. Later rounds repeat them with jitter.
    fn look_for_nets(
        &mut self,
        question: &SolverQuery<'_, R>,
        seeds: Range<u64>,
    ) -> Option<Vec<Move>> {
        let SolverQuery { position, side, .. } = *question;
        let first = seeds.start.checked_sub(1)?;
        let mut aims = None;
        seeds.enumerate().find_map(|(count, seed)| {
            if let Some(line) = self.look(question, seed) {
                return Some(line);
            }
            let left = self.left(question);
            if aims.is_none() && left < MIN_NET_SEARCH_WORK {
                return None;
            }
            let (nets, escorts) = aims.get_or_insert_with(|| {
                let nets = MateNets::nearest(position, side, MAX_NETS, left);
                self.visited += nets.work() + ESCORT_WORK;
                (nets, KingEscort::escape_paths(position, side))
            });
            let all = nets.len() + escorts.len();
            let number = count.checked_rem(all)?;
            let seed = if count < all { first } else { seed };
            match number.checked_sub(nets.len()) {
                None => {
                    self.visited += NET_WORK;
                    self.probe(question, &nets.get(number)?, seed, MAX_TARGET_POSITIONS)
                }
                Some(number) => {
                    self.probe(question, escorts.get(number)?, seed, MAX_TARGET_POSITIONS)
                }
            }
        })
    }

    /// Searches for a line, with the jitter of a seed.
    fn look(&mut self, question: &SolverQuery<'_, R>, seed: u64) -> Option<Vec<Move>> {
        let SolverQuery { position, side, .. } = *question;
        if R::CAPTURES_EXPLODE {
            return self.probe(
                question,
                &NearestExplosion { winner: side },
                seed,
                MAX_SEARCH_POSITIONS,
            );
        }
        let pictures = if has_only_minors(position, side) {
            self.visited += TARGET_SEARCH_WORK;
            CornerMate::nearest(position, side)
        } else {
            Vec::new()
        };
        pictures
            .iter()
            .take(if seed == NO_JITTER {
                MAX_TARGETS
            } else {
                JITTERED_TARGETS
            })
            .find_map(|picture| self.probe(question, picture, seed, MAX_CORNER_MATE_POSITIONS))
            .or_else(|| {
                self.probe(
                    question,
                    &WinHeuristic { winner: side },
                    seed,
                    MAX_SEARCH_POSITIONS,
                )
            })
    }

    fn probe(
        &mut self,
        question: &SolverQuery<'_, R>,
        guide: &impl DistanceHeuristic<R>,
        seed: u64,
        most: u64,
    ) -> Option<Vec<Move>> {
        let most = (most, self.left(question));
        let SolverQuery { position, side, .. } = *question;
        let line = self.probe.search(position, side, guide, seed, most);
        self.visited += self.probe.work();
        line
    }

    /// Tries to prove with outlines that the side cannot win.
    fn outline(&mut self, question: &SolverQuery<'_, R>, most: u64) -> Option<Proof> {
        let SolverQuery { position, side, .. } = *question;
        let most = (most, self.left(question));
        let sketch = outline::sketch(position, side, most, question.interrupted);
        self.visited += sketch.work();
        sketch.proof
    }

    /// Visits reachable positions, and searches from some of them for a line.
    fn close(
        &mut self,
        question: &SolverQuery<'_, R>,
        survey: Option<&ReachSurvey>,
        stage: &Stage,
    ) -> Option<Winnability> {
        let SolverQuery { position, side, .. } = *question;
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
            ClosureResult::Win(line) => Some(Winnability::Winnable(line)),
            ClosureResult::Nothing { positions } => {
                Some(Winnability::Unwinnable(Proof::Visited { positions }))
            }
            ClosureResult::OutOfBudget => None,
            ClosureResult::Unpackable => Some(self.undecided(UndecidedReason::Unpackable)),
        }
    }

    /// The closure of the last question that needed one.
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
                Winnability::Winnable(_) => return Some(false),
                Winnability::Unwinnable(_) => {}
                Winnability::Undecided { .. } => sure = false,
            }
        }
        sure.then_some(true)
    }
}

/// A short search from a position of the closure, each by another method than the one before, and its cost.
fn glance<R: Rules>(
    probe: &mut BestFirstSearch<R>,
    at: &Position<R>,
    side: Color,
    count: u64,
    left: u64,
) -> (Option<Vec<Move>>, u64) {
    let (seed, most) = (count / 4, (MAX_SHORT_SEARCH_POSITIONS, left));
    if R::CAPTURES_EXPLODE {
        let line = probe.search(at, side, &NearestExplosion { winner: side }, seed, most);
        return (line, probe.work());
    }
    let line = if has_only_minors(at, side) {
        let Some(picture) = CornerMate::nearest(at, side).into_iter().next() else {
            return (None, TARGET_SEARCH_WORK);
        };
        probe.search(at, side, &picture, NO_JITTER, most)
    } else if count.is_multiple_of(2) {
        let Some(aim) = MateTarget::nearest(at, side, 1).into_iter().next() else {
            return (None, TARGET_SEARCH_WORK);
        };
        probe.search(at, side, &aim, seed, most)
    } else {
        let line = probe.search(at, side, &WinHeuristic { winner: side }, seed, most);
        return (line, probe.work());
    };
    (line, probe.work() + TARGET_SEARCH_WORK)
}

/// Whether a side has nothing but knights and bishops, so that corner mates help.
fn has_only_minors<R: Rules>(position: &Position<R>, side: Color) -> bool {
    let board = position.board();
    let minors = board.by_role(Role::Knight) | board.by_role(Role::Bishop);
    (board.by_color(side) - minors - board.by_role(Role::King)).is_empty()
}

/// The question, and the limits for answering it.
struct SolverQuery<'a, R: Rules> {
    position: &'a Position<R>,
    side: Color,
    budget: Budget,
    interrupted: &'a (dyn Fn() -> bool + Sync),
}

/// A search of this many positions without a result will hardly find anything.
const MAX_SEARCH_POSITIONS: u64 = 300;

/// The maximum positions of a search towards one corner mate or one target, and the number of targets.
const MAX_CORNER_MATE_POSITIONS: u64 = 200;
const MAX_TARGET_POSITIONS: u64 = 400;
const MAX_TARGETS: usize = 8;
const MAX_NETS: usize = 5;
/// How many corner mates to try once more, with jitter.
const JITTERED_TARGETS: usize = 2;

/// After this many seeds the targets are computed again.
const SEEDS_PER_ROUND: u64 = 8;

/// The maximum positions of a short search from a position of the closure.
const MAX_SHORT_SEARCH_POSITIONS: u64 = 150;

/// The cost of finding targets, in positions.
const TARGET_SEARCH_WORK: u64 = 16;

/// The cost of computing nets and paths out of cages, in positions.
const NET_WORK: u64 = 20;
const ESCORT_WORK: u64 = 32;

/// With less work left no nets are searched.
const MIN_NET_SEARCH_WORK: u64 = 200;

#[cfg(test)]
mod tests {
    use touchmove_rules::{Atomic, Color, Position};

    use super::{Budget, Solver, SolverQuery};
    use crate::{UndecidedReason, Winnability};

    #[test]
    fn what_cannot_be_packed_is_undecided_and_not_proved() {
        let fen = "8/8/8/8/8/3K4/8/4R3 b - - 0 1";
        let position = Position::<Atomic>::from_fen(fen).expect("a position after the game");
        let mut solver = Solver::new();
        for side in Color::ALL {
            // Bypasses the question whether the game is over.
            let verdict = solver.with_choice(&SolverQuery {
                position: &position,
                side,
                budget: Budget::default(),
                interrupted: &|| false,
            });
            let reason = match verdict {
                Winnability::Undecided { reason, .. } => reason,
                other => panic!("{side}: {other:?}"),
            };
            assert_eq!(reason, UndecidedReason::Unpackable);
            // Asked in the normal way, the game is over.
            let verdict = solver.winnable(&position, side, Budget::default());
            assert_eq!(verdict.is_winnable(), side == Color::White);
            assert_eq!(verdict.is_unwinnable(), side == Color::Black);
        }
    }
}
