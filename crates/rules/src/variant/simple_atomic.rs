//! Simple Atomic: exploding captures without check, castling, en passant or promotion.

use crate::variant::sealed::Sealed;
use crate::variant::{CastlingMode, Rules, Variant};

/// Atomic chess without check, castling, en passant and promotion.
///
/// ```
/// use touchmove_rules::{Position, SimpleAtomic};
///
/// // Check need not be answered: nineteen moves and the king's step besides.
/// let position = Position::<SimpleAtomic>::from_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").unwrap();
/// assert!(!position.is_check());
/// ```
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash)]
pub struct SimpleAtomic;

impl Sealed for SimpleAtomic {}

impl Rules for SimpleAtomic {
    const VARIANT: Variant = Variant::SimpleAtomic;
    /// A king may stand and stay under attack; losing it loses the game (002-4, 002-9).
    const HAS_CHECK: bool = false;
    /// As in Atomic, but one's own king may be blown up (and the game lost); only a move that
    /// removes both kings is forbidden (002-16).
    const CAPTURES_EXPLODE: bool = true;
    /// There is no castling (002-5).
    const CASTLING_MODE: CastlingMode = CastlingMode::Never;
    /// There is no capture en passant (002-6).
    const HAS_EN_PASSANT: bool = false;
    /// A pawn on the last rank stays a pawn, and stays there (002-7).
    const HAS_PROMOTION: bool = false;
    const UCI_KING_TAKES_ROOK: bool = false;
}
