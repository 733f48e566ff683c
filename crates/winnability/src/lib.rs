//! Can this side still win, by any series of legal moves? Dead positions (FIDE 5.2.2) and flag falls (FIDE 6.9) depend
//! on it. The answer is exact or [`Winnability::Undecided`].
//!
//! A [`Winnability`] is never a guess. [`Winnability::Winnable`] carries the winning moves, and they are replayed
//! through the rules first. [`Winnability::Unwinnable`] carries its [`Proof`]: a law of material, a forced line, an
//! argument about locked pieces, or a visit of every reachable position. Heuristics decide only the order of the
//! search. If the budget does not suffice, the answer is [`Winnability::Undecided`], with its [`UndecidedReason`].
//!
//! ```
//! use touchmove_rules::{AnyPosition, Color, Variant};
//! use touchmove_winnability::{Budget, Winnability, winnable};
//!
//! // A wall of pawns: nobody gets through.
//! let fen = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1";
//! let wall = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
//! assert!(winnable(&wall, Color::White, Budget::default()).is_unwinnable());
//!
//! // A lone knight can mate, if a rook is there to help.
//! let fen = "8/8/8/3kr3/8/3K1N2/8/8 w - - 0 1";
//! let mut position = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
//! let Winnability::Winnable(line) = winnable(&position, Color::White, Budget::default()) else {
//!     panic!("there is a helpmate");
//! };
//! for mv in line {
//!     position.play(mv);
//! }
//! assert!(position.is_checkmate());
//! ```
//!
//! The fifty-move rule and repetitions are left out, as in the Laws: they end a game, but do not make a mate
//! impossible. This crate knows nothing of games, clocks or players.

mod certificate;
#[cfg(test)]
mod fuzz;
mod instantiate;
mod interruptible_budget;
mod proof;
mod search;
mod solver;
mod winnability;

pub use interruptible_budget::InterruptibleBudget;
pub use solver::{Budget, Solver};
pub use winnability::{Proof, UndecidedReason, Winnability};

use touchmove_rules::{AnyPosition, Color, with_position};

/// Whether `side` can still win, within a [`Budget`] or an [`InterruptibleBudget`]. For many positions in a row, reuse
/// a [`Solver`]: it is cheaper.
#[must_use]
pub fn winnable<'a>(
    position: &AnyPosition,
    side: Color,
    look: impl Into<InterruptibleBudget<'a>>,
) -> Winnability {
    let InterruptibleBudget {
        budget,
        interrupted,
    } = look.into();
    with_position!(position, p => Solver::new().winnable_until(p, side, budget, interrupted))
}

/// Whether the position is dead: neither side can win. `None` if the budget does not suffice to say.
///
/// ```
/// use touchmove_rules::{AnyPosition, Variant};
/// use touchmove_winnability::{Budget, dead};
///
/// // Whatever White plays, the bishop is lost or stays alone.
/// let fen = "kb6/2N5/1K6/8/8/8/8/8 b - - 0 50";
/// let position = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
/// assert_eq!(dead(&position, Budget::default()), Some(true));
/// ```
#[must_use]
pub fn dead(position: &AnyPosition, budget: Budget) -> Option<bool> {
    with_position!(position, p => Solver::new().dead(p, budget))
}
