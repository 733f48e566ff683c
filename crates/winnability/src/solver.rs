//! [`Solver`]: asks the cheapest argument first, and checks every line before it lets it out. The
//! arguments themselves are in the modules beside it.

use touchmove_rules::{Color, Move, MoveList, Outcome, Position, Rules};

use crate::closure::{Closure, Found};
use crate::probe::Probe;
use crate::structure::Survey;
use crate::{Proof, Verdict, material};

/// How much work one question may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many different positions may be visited. Each takes up to 128 bytes while the question
    /// is being answered.
    pub positions: u64,
}

impl Budget {
    /// A budget of so many positions.
    #[must_use]
    pub const fn of_positions(positions: u64) -> Budget {
        Budget { positions }
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
        interrupted: impl Fn() -> bool,
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
        let verdict = self.with_moves(&at, side, budget, &interrupted);
        after_forced(position, side, forced, verdict)
    }

    /// The verdict on a position where there is a choice of moves and the material says nothing.
    fn with_moves(
        &mut self,
        position: &Position<R>,
        side: Color,
        budget: Budget,
        interrupted: &impl Fn() -> bool,
    ) -> Verdict {
        // Heavy pieces are hard to lock up, so it is better to try first.
        let heavy = position.board().of(side) & position.board().straight_movers();
        if heavy.any()
            && let Some(line) = self.probe(position, side, budget)
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
            && let Some(line) = self.probe(position, side, budget)
        {
            return Verdict::Winnable(line);
        }
        let left = budget.positions.saturating_sub(self.visited);
        let found = self
            .closure
            .search(position, side, survey.as_ref(), left, interrupted);
        self.visited += self.closure.visited();
        match found {
            Found::Win(line) => Verdict::Winnable(line),
            Found::Nothing { positions } => Verdict::Unwinnable(Proof::Visited { positions }),
            Found::OutOfBudget => Verdict::Undecided {
                visited: self.visited,
            },
        }
    }

    fn probe(&mut self, position: &Position<R>, side: Color, budget: Budget) -> Option<Vec<Move>> {
        let most = budget.positions.min(LONGEST_PROBE) as usize;
        let line = self.probe.search(position, side, most);
        self.visited += self.probe.visited();
        line
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

/// A probe that has looked at so many positions will hardly find anything.
const LONGEST_PROBE: u64 = 300;

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
