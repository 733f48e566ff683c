//! [`Solver`]: asks the cheapest argument first, and checks every line before it lets it out. The
//! arguments themselves are in the modules beside it.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use touchmove_rules::{Color, Move, MoveList, Outcome, Position, Role, Rules};

use crate::aim::Aim;
use crate::closure::{Closure, Found};
use crate::exclude::Exclusions;
use crate::fuse::Fuse;
use crate::guide::{Guide, Looks};
use crate::outline;
use crate::picture::Picture;
use crate::probe::Probe;
use crate::structure::Survey;
use crate::turn::{LAST_TURN, TURNS, Turn};
use crate::{Proof, Verdict, material};

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
    /// How many different positions may be visited. Each takes up to 128 bytes while the question
    /// is being answered.
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
        self.visited = 1;
        let mut forced = Vec::new();
        let mut at = *position;
        loop {
            if let Some(verdict) = at_once(&at, side) {
                return after_forced(position, side, forced, verdict);
            }
            at.list_moves(&mut self.moves);
            match self.moves.as_slice() {
                &[mv] if forced.len() < LONGEST_FORCED_LINE => {
                    forced.push(mv);
                    at.play(mv);
                    self.visited += 1;
                }
                _ => break,
            }
        }
        let question = Question {
            position: &at,
            side,
            budget,
            interrupted: &interrupted,
        };
        let verdict = self.with_choice(&question);
        after_forced(position, side, forced, verdict)
    }

    /// The verdict on a position where there is a choice of moves and the material says nothing.
    fn with_choice(&mut self, question: &Question<'_, R>) -> Verdict {
        let Question { position, side, .. } = *question;
        // Heavy pieces are hard to lock up, so it is better to try first.
        let heavy = position.board().of(side) & position.board().straight_movers();
        if heavy.any()
            && let Some(line) = self.look(question, 0)
        {
            return Verdict::Winnable(line);
        }
        let survey = Survey::new(position);
        if let Some(survey) = &survey
            && survey.mate_squares(side).is_empty()
        {
            return Verdict::Unwinnable(Proof::Structure {
                locked: survey.locked_men(),
                refuge: survey.refuge(!side).len(),
            });
        }
        if heavy.is_empty()
            && let Some(line) = self.look(question, 0)
        {
            return Verdict::Winnable(line);
        }
        self.in_turns(question, survey.as_ref())
    }

    /// Closures, with looks and tries at outlines between them, or beside them where the budget
    /// allows it.
    fn in_turns(&mut self, question: &Question<'_, R>, survey: Option<&Survey>) -> Verdict {
        for turn in TURNS {
            if turn.is_long() && question.budget.threads > 1 {
                return self.side_by_side(question, survey);
            }
            if let Some(line) = self.look_after(question, turn.whims.clone()) {
                return Verdict::Winnable(line);
            }
            if let Some(proof) = self.outline(question, turn.outlines) {
                return Verdict::Unwinnable(proof);
            }
            if let Some(verdict) = self.close(question, survey, &turn) {
                return verdict;
            }
            if self.left(question) == 0 {
                break;
            }
        }
        Verdict::Undecided {
            visited: self.visited,
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
                        let whims = WHIMS_OF_A_ROUND * round..WHIMS_OF_A_ROUND * (round + 1);
                        let may_go_on = solver.left(question) > 0;
                        may_go_on.then(|| solver.look_after(question, whims))
                    });
                    lines.flatten().next().map(Verdict::Winnable)
                });
                (report(verdict), solver.visited)
            });
            let mine = report(self.close(question, survey, &LAST_TURN));
            let other = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            (mine, other)
        });
        self.visited += visited;
        mine.or(other).unwrap_or(Verdict::Undecided {
            visited: self.visited,
        })
    }

    /// How many positions may still be looked at.
    fn left(&self, question: &Question<'_, R>) -> u64 {
        if (question.interrupted)() {
            return 0;
        }
        question.budget.positions.saturating_sub(self.visited)
    }

    /// Looks for a line after each of these whims, and for one to each of the nearest places where
    /// there is room for a mate, by turns.
    fn look_after(&mut self, question: &Question<'_, R>, whims: Range<u64>) -> Option<Vec<Move>> {
        let first = whims.start.checked_sub(1)?;
        let mut aims = None;
        whims.enumerate().find_map(|(count, whim)| {
            self.look(question, whim).or_else(|| {
                let Question { position, side, .. } = *question;
                let aims = aims.get_or_insert_with(|| Aim::nearest(position, side, MOST_AIMS));
                self.probe(question, aims.get(count)?, first, LONGEST_AIM)
            })
        })
    }

    /// Looks for a line, after a whim.
    fn look(&mut self, question: &Question<'_, R>, whim: u64) -> Option<Vec<Move>> {
        let Question { position, side, .. } = *question;
        if R::BLAST {
            return self.probe(question, &Fuse { winner: side }, whim, LONGEST_LOOK);
        }
        let pictures = if has_only_minors(position, side) {
            Picture::nearest(position, side)
        } else {
            Vec::new()
        };
        pictures
            .iter()
            .take(if whim == 0 { MOST_AIMS } else { FEW_AIMS })
            .find_map(|picture| self.probe(question, picture, whim, LONGEST_PICTURE))
            .or_else(|| self.probe(question, &Looks { winner: side }, whim, LONGEST_LOOK))
    }

    fn probe(
        &mut self,
        question: &Question<'_, R>,
        guide: &impl Guide<R>,
        whim: u64,
        most: u64,
    ) -> Option<Vec<Move>> {
        let most = self.left(question).min(most) as usize;
        let line = self
            .probe
            .search(question.position, question.side, guide, whim, most);
        self.visited += self.probe.visited();
        line
    }

    /// Tries to prove with outlines that the side cannot win.
    fn outline(&mut self, question: &Question<'_, R>, most: u64) -> Option<Proof> {
        let Question { position, side, .. } = *question;
        let most = self.left(question).min(most);
        let sketch = outline::sketch(position, side, most, question.interrupted);
        self.visited += sketch.drawn;
        sketch.proof
    }

    /// Visits positions that come about, and looks at some of them for a line.
    fn close(
        &mut self,
        question: &Question<'_, R>,
        survey: Option<&Survey>,
        turn: &Turn,
    ) -> Option<Verdict> {
        let Question { position, side, .. } = *question;
        if !turn.goes_on {
            let exclusions = Exclusions::new(turn.outlines);
            self.closure.begin(position, exclusions);
            self.visited += self.closure.visited();
        }
        let before = self.closure.visited();
        let most = turn
            .positions
            .min(before.saturating_add(self.left(question)));
        let Solver { closure, probe, .. } = self;
        let mut glances = 0;
        let glance = |at: &Position<R>| {
            glances += 1;
            glance(probe, at, side, glances)
        };
        let found = closure.search(position, side, survey, most, question.interrupted, glance);
        self.visited += self.closure.visited() - before;
        match found {
            Found::Win(line) => Some(Verdict::Winnable(line)),
            Found::Nothing { positions } => Some(Verdict::Unwinnable(Proof::Visited { positions })),
            Found::OutOfBudget => None,
        }
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

/// A quick look at a position that came up, each in another way than the one before.
fn glance<R: Rules>(
    probe: &mut Probe<R>,
    at: &Position<R>,
    side: Color,
    count: u64,
) -> Option<Vec<Move>> {
    let whim = count / 4;
    if R::BLAST {
        return probe.search(at, side, &Fuse { winner: side }, whim, LONGEST_GLANCE);
    }
    if has_only_minors(at, side) {
        let picture = Picture::nearest(at, side).into_iter().next()?;
        return probe.search(at, side, &picture, 0, LONGEST_GLANCE);
    }
    if count.is_multiple_of(2) {
        let aim = Aim::nearest(at, side, 1).into_iter().next()?;
        return probe.search(at, side, &aim, whim, LONGEST_GLANCE);
    }
    probe.search(at, side, &Looks { winner: side }, whim, LONGEST_GLANCE)
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
/// At how many pictures to aim once more, after a whim.
const FEW_AIMS: usize = 2;

/// After so many whims it is time to take aim again.
const WHIMS_OF_A_ROUND: u64 = 8;

/// The longest look at a position that came up in the closure.
const LONGEST_GLANCE: usize = 150;

/// Two kings can force each other for ever; the closure notices that, the forced line does not.
const LONGEST_FORCED_LINE: usize = 32;

/// What needs no look at the moves: a game that is over, and material. In this order, for a mate
/// that stands on the board counts, with whatever men it was given.
fn at_once<R: Rules>(position: &Position<R>, side: Color) -> Option<Verdict> {
    match position.outcome() {
        Some(outcome) if outcome.winner() == Some(side) => Some(Verdict::Winnable(Vec::new())),
        Some(outcome) => Some(Verdict::Unwinnable(Proof::Over(outcome))),
        None if material::is_lacking(position, side) => Some(Verdict::Unwinnable(Proof::Material)),
        None => None,
    }
}

/// The verdict on the position before a forced line, from the verdict after it.
fn after_forced<R: Rules>(
    position: &Position<R>,
    side: Color,
    forced: Vec<Move>,
    verdict: Verdict,
) -> Verdict {
    match verdict {
        Verdict::Winnable(rest) => {
            let mut line = forced;
            line.extend(rest);
            assert!(
                wins(position, side, &line),
                "a line that does not win was found in {}",
                position.fen()
            );
            Verdict::Winnable(line)
        }
        Verdict::Unwinnable(proof) if !forced.is_empty() => Verdict::Unwinnable(Proof::Forced {
            plies: forced.len(),
            then: Box::new(proof),
        }),
        other => other,
    }
}

/// Whether these are legal moves from the position that end with a win of `side`.
fn wins<R: Rules>(position: &Position<R>, side: Color, line: &[Move]) -> bool {
    let mut at = *position;
    for &mv in line {
        if !at.is_legal(mv) {
            return false;
        }
        at.play(mv);
    }
    at.outcome().and_then(Outcome::winner) == Some(side)
}
