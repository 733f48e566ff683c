//! Chess by FIDE's Laws of 2023. The other variants say only where they differ from it.

use crate::variant::sealed::Sealed;
use crate::variant::{CastlingMode, Rules, Variant};

/// Chess, by FIDE's Laws.
///
/// ```
/// use touchmove_rules::{Chess, Position};
///
/// assert_eq!(Position::<Chess>::start().legal_move_count(), 20);
/// ```
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Hash)]
pub struct Chess;

impl Sealed for Chess {}

impl Rules for Chess {
    const VARIANT: Variant = Variant::Chess;
    const HAS_CHECK: bool = true;
    const CAPTURES_EXPLODE: bool = false;
    const CASTLING_MODE: CastlingMode = CastlingMode::Classic;
    const HAS_EN_PASSANT: bool = true;
    const HAS_PROMOTION: bool = true;
    const UCI_KING_TAKES_ROOK: bool = false;
}
