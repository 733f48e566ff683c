//! Chess960 (FIDE's Laws 2023, Guidelines II): chess from one of 960 starting positions. Only
//! castling differs.

use crate::variant::sealed::Sealed;
use crate::variant::{CastlingMode, Rules, Variant};

/// Chess960: chess with the pieces of the back rank shuffled.
///
/// ```
/// use touchmove_rules::{Chess960, Position, Setup};
///
/// let position = Position::<Chess960>::from_setup(&Setup::chess960(959).unwrap()).unwrap();
/// assert!(position.fen().to_string().starts_with("rkrnnqbb/pppppppp/"));
/// ```
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash)]
pub struct Chess960;

impl Sealed for Chess960 {}

impl Rules for Chess960 {
    const VARIANT: Variant = Variant::Chess960;
    const HAS_CHECK: bool = true;
    const CAPTURES_EXPLODE: bool = false;
    /// Guidelines II.3 of the Laws: king and rooks start on any squares of the back rank with the
    /// king between the rooks; after castling they stand as in chess.
    const CASTLING_MODE: CastlingMode = CastlingMode::Anywhere;
    const HAS_EN_PASSANT: bool = true;
    const HAS_PROMOTION: bool = true;
    /// A king's step and a castling can share their squares, so only this form is unambiguous.
    const UCI_KING_TAKES_ROOK: bool = true;
}
