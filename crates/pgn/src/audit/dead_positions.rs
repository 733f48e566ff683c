//! Dead positions, and wins of sides that cannot win, by proof. What the material alone decides is noted
//! while the game is replayed, not here.
//!
//! A position is dead if neither side can win by any series of legal moves (FIDE 5.2.2). What follows a dead
//! position is dead too, for a side that could win later could have won before. So one question about the
//! last position settles nearly every game: if a side can win there, no position before it was dead. Only if
//! neither can is it worth looking for the move that made the position dead, by binary search. No kind of
//! move can be excluded from that search: a quiet check can make a position dead as well as a capture, if the
//! only answer is to take the last piece that could have mated.

use std::str::FromStr;

use touchmove_rules::{
    AnyPosition, Atomic, Chess, Chess960, Color, Draw, Outcome, Position, Rules,
};
use touchmove_rules::{SimpleAtomic, material, with_position};
use touchmove_winnability::{Budget, Solver, Winnability};

use crate::diagnostic::{FindingCode, Severity};
use crate::result::GameResult;

use crate::audit::Auditor;

/// Budget of a proof. Of 80,000 questions about the ends of games, one needed more.
const DEAD_POSITION_BUDGET: Budget = Budget::of_positions(20_000);

/// How thoroughly an audit checks whether a side can still win.
///
/// ```
/// use touchmove_pgn::DeadPositions;
/// assert_eq!("exact".parse(), Ok(DeadPositions::Exact));
/// assert_eq!(DeadPositions::Material.as_str(), "material");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DeadPositions {
    /// Not at all.
    Off,
    /// By the lists of material, which in Atomic say more than can be proved. Blocked and forced positions
    /// count as winnable.
    Material,
    /// By proof. Only what would need too long a proof counts as winnable.
    #[default]
    Exact,
}

impl DeadPositions {
    /// All three, from the least to the most thorough.
    pub const ALL: [DeadPositions; 3] = [
        DeadPositions::Off,
        DeadPositions::Material,
        DeadPositions::Exact,
    ];

    /// `off`, `material` or `exact`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            DeadPositions::Off => "off",
            DeadPositions::Material => "material",
            DeadPositions::Exact => "exact",
        }
    }

    /// Whether the material alone ends a game in this position.
    pub(super) fn end_by_material<R: Rules>(self, position: &Position<R>) -> bool {
        match self {
            DeadPositions::Off => false,
            DeadPositions::Material => material::is_insufficient(position),
            DeadPositions::Exact => material::is_dead(position),
        }
    }
}

/// The text is not one of `off`, `material` and `exact`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("write exact, material or off")]
pub struct ParseDeadPositionsError;

impl FromStr for DeadPositions {
    type Err = ParseDeadPositionsError;

    fn from_str(text: &str) -> Result<DeadPositions, ParseDeadPositionsError> {
        let mut all = DeadPositions::ALL.into_iter();
        all.find(|depth| depth.as_str() == text)
            .ok_or(ParseDeadPositionsError)
    }
}

/// A solver for each variant that has occurred; their tables are reused from game to game.
#[derive(Default)]
pub(super) struct Solvers {
    chess: Option<Box<Solver<Chess>>>,
    chess960: Option<Box<Solver<Chess960>>>,
    atomic: Option<Box<Solver<Atomic>>>,
    simple_atomic: Option<Box<Solver<SimpleAtomic>>>,
}

impl Solvers {
    /// Whether the side can win; `None` if the budget does not suffice.
    fn solve_can_win(&mut self, position: &AnyPosition, side: Color) -> Option<bool> {
        macro_rules! ask {
            ($solver:expr, $position:expr) => {
                $solver
                    .get_or_insert_default()
                    .winnable($position, side, DEAD_POSITION_BUDGET)
            };
        }
        let verdict = match position {
            AnyPosition::Chess(position) => ask!(self.chess, position),
            AnyPosition::Chess960(position) => ask!(self.chess960, position),
            AnyPosition::Atomic(position) => ask!(self.atomic, position),
            AnyPosition::SimpleAtomic(position) => ask!(self.simple_atomic, position),
        };
        match verdict {
            Winnability::Winnable(_) => Some(true),
            Winnability::Unwinnable(_) => Some(false),
            Winnability::Undecided { .. } => None,
        }
    }

    /// Whether neither side can win; `None` if the budget does not suffice. The side with more material is
    /// asked first, because a yes settles it.
    fn solve_dead(&mut self, position: &AnyPosition) -> Option<bool> {
        let [white, black] = Color::ALL.map(|side| position.board().by_color(side).len());
        let first = if white >= black {
            Color::White
        } else {
            Color::Black
        };
        match self.solve_can_win(position, first) {
            Some(true) => Some(false),
            verdict => match (verdict, self.solve_can_win(position, !first)) {
                (_, Some(true)) => Some(false),
                (Some(false), Some(false)) => Some(true),
                _ => None,
            },
        }
    }
}

/// What the last position says about winning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Prospects {
    /// The first ply after which neither side could win, by proof.
    pub(super) dead_after: Option<u32>,
    /// Why the winner by the recorded result cannot have won.
    pub(super) hopeless: Option<&'static str>,
}

const NO_MATERIAL_TEXT: &str = "does not have the material to win";
const NO_LINE_TEXT: &str = "cannot win by any series of legal moves";

impl Auditor<'_> {
    /// Decides who could still win when the replayed game ended with this outcome, or with none.
    pub(super) fn prospects(&mut self, result: GameResult, outcome: Option<Outcome>) -> Prospects {
        let mut prospects = Prospects::default();
        let depth = self.report.dead_positions;
        if depth == DeadPositions::Off {
            return prospects;
        }
        let position = self.position;
        if outcome.is_some_and(|outcome| outcome.winner().is_some()) {
            return prospects;
        }
        if let (None, Some(winner)) = (outcome, result.winner()) {
            let has_material =
                with_position!(&position, position => material::can_win(position, winner));
            if !has_material {
                prospects.hopeless = Some(NO_MATERIAL_TEXT);
            } else if depth == DeadPositions::Exact {
                match self.solvers.solve_can_win(&position, winner) {
                    Some(true) => return prospects,
                    Some(false) => prospects.hopeless = Some(NO_LINE_TEXT),
                    None => {}
                }
            }
        }
        if depth == DeadPositions::Exact {
            prospects.dead_after = self.dead_after(&position, outcome);
        }
        prospects
    }

    /// The first ply after which neither side could win, by proof, unless the material says so too. A game
    /// that begins in a dead position is an exercise and is not reported.
    fn dead_after(&mut self, last: &AnyPosition, outcome: Option<Outcome>) -> Option<u32> {
        let asked = match self.history.over {
            Some((Draw::DeadPosition, at)) => at.ply - 1,
            _ if outcome.is_some() => self.plies - 1,
            _ if self.solvers.solve_dead(last) == Some(false) => return None,
            _ => self.plies,
        };
        let mut positions = vec![self.line.start];
        for (mv, _) in &self.line.moves {
            positions.push(positions[positions.len() - 1].after(*mv));
        }
        // If the budget does not suffice here, it may for an earlier position.
        let mut is_dead = |ply: usize| self.solvers.solve_dead(&positions[ply]);
        let mut dead = asked as usize;
        loop {
            match is_dead(dead) {
                _ if dead == 0 => return None,
                Some(true) => break,
                Some(false) => return None,
                None => dead -= 1,
            }
        }
        if is_dead(0) == Some(true) {
            return None;
        }
        let mut alive = 0;
        while dead - alive > 1 {
            let middle = alive.midpoint(dead);
            if is_dead(middle) == Some(true) {
                dead = middle;
            } else {
                alive = middle;
            }
        }
        Some(dead as u32)
    }

    /// Reports the move after a position that only a proof shows to be dead. The players need not have seen
    /// that, so it is not an error; a result other than a draw is one, and is reported separately.
    pub(super) fn mention_dead(&mut self, dead_after: u32) {
        let Some(&(mv, offset)) = self.line.moves.get(dead_after as usize) else {
            return;
        };
        let position = self.line.position_after(dead_after as usize);
        let dots = if position.turn().is_white() {
            "."
        } else {
            "..."
        };
        let (number, san) = (position.fullmoves(), position.san(mv));
        let message = format_args!(
            "{number}{dots} {san} is played in a dead position: neither side can win by any series of \
             legal moves"
        );
        let code = FindingCode::MoveAfterDeadPosition;
        let ply = Some(dead_after + 1);
        self.report_at(code, Severity::Info, offset, ply, message);
    }
}
