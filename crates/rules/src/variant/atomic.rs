//! Atomic chess as the big servers play it: captures explode, and a king next to a capture explodes too.

use crate::variant::sealed::Sealed;
use crate::variant::{CastlingMode, Rules, Variant};

/// Atomic chess with check, as on the big servers.
///
/// ```
/// use touchmove_rules::{Atomic, Color, Outcome, Position};
///
/// let position = Position::<Atomic>::from_fen("4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1").unwrap();
/// let blast = position.read_san("Rxd7").unwrap();
/// let winner = Color::White;
/// assert_eq!(position.after(blast).outcome(), Some(Outcome::KingExploded { winner }));
/// ```
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash)]
pub struct Atomic;

impl Sealed for Atomic {}

impl Rules for Atomic {
    const VARIANT: Variant = Variant::Atomic;
    /// The king may not be left under attack, unless it touches the other king: nothing can take
    /// either of them then without blowing up both, so there is no check (A4).
    const HAS_CHECK: bool = true;
    /// A capture removes the captor, the captive and every piece but pawns on the eight squares
    /// around the square where it happens (A1). One's own king may not be among them (A2); the
    /// other king may, and that wins at once, whatever check there was (A3).
    const CAPTURES_EXPLODE: bool = true;
    /// The servers play Atomic from Chess960 starts too, so rooks may stand anywhere. Squares that
    /// touch the other king are safe to castle over (A6).
    const CASTLING_MODE: CastlingMode = CastlingMode::Anywhere;
    const HAS_EN_PASSANT: bool = true;
    const HAS_PROMOTION: bool = true;
    const UCI_KING_TAKES_ROOK: bool = false;
}
