//! [`Variant`] names the variants; the constants of the sealed trait [`Rules`] say how each differs
//! from the others. One file per variant says what and why; the code that obeys the constants is
//! elsewhere and never asks for a variant by name.

mod atomic;
mod chess;
mod chess960;
mod simple_atomic;

use std::fmt;
use std::str::FromStr;

pub use atomic::Atomic;
pub use chess::Chess;
pub use chess960::Chess960;
pub use simple_atomic::SimpleAtomic;

/// Which castling a variant has.
///
/// ```
/// use touchmove_rules::{CastlingMode, Chess960, Rules};
///
/// assert_eq!(Chess960::CASTLING_MODE, CastlingMode::Anywhere);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingMode {
    /// There is none.
    Never,
    /// King on the e-file, rooks in the corners.
    Classic,
    /// King and rooks anywhere on the back rank, the king between them.
    Anywhere,
}

mod sealed {
    pub trait Sealed: crate::dispatch::VariantDispatch {}
}

/// The rules on which variants differ, as constants. Sealed: the generator, the law book, FEN and
/// SAN rely on every implementation being one of the four here.
///
/// ```
/// use touchmove_rules::{Position, Rules, SimpleAtomic, Variant};
///
/// fn first_moves<R: Rules>() -> u32 {
///     Position::<R>::start().legal_move_count()
/// }
///
/// assert_eq!(first_moves::<SimpleAtomic>(), 20);
/// assert_eq!(SimpleAtomic::VARIANT, Variant::SimpleAtomic);
/// ```
pub trait Rules: sealed::Sealed + Copy + Default + fmt::Debug + Send + Sync + 'static {
    /// The name of these rules.
    const VARIANT: Variant;
    /// Whether a king may not be left under attack; without it a king can be captured.
    const HAS_CHECK: bool;
    /// Whether a capture explodes.
    const CAPTURES_EXPLODE: bool;
    /// Which castling there is.
    const CASTLING_MODE: CastlingMode;
    /// Whether pawns capture en passant.
    const HAS_EN_PASSANT: bool;
    /// Whether pawns promote on the last rank.
    const HAS_PROMOTION: bool;
    /// Whether castling is always written as king takes rook in UCI.
    const UCI_KING_TAKES_ROOK: bool;
}

/// The variants that touchmove supports.
///
/// ```
/// use touchmove_rules::Variant;
///
/// assert_eq!("simple-atomic".parse(), Ok(Variant::SimpleAtomic));
/// assert_eq!(Variant::Chess960.to_string(), "chess960");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[allow(missing_docs)]
pub enum Variant {
    #[default]
    Chess,
    Chess960,
    Atomic,
    SimpleAtomic,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 4] = [
        Variant::Chess,
        Variant::Chess960,
        Variant::Atomic,
        Variant::SimpleAtomic,
    ];

    /// The name used on command lines and in files: `simple-atomic`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Chess => "chess",
            Variant::Chess960 => "chess960",
            Variant::Atomic => "atomic",
            Variant::SimpleAtomic => "simple-atomic",
        }
    }

    /// The name for people: `Simple Atomic`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Variant::Chess => "Chess",
            Variant::Chess960 => "Chess960",
            Variant::Atomic => "Atomic",
            Variant::SimpleAtomic => "Simple Atomic",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that does not name a variant.
///
/// ```
/// use touchmove_rules::Variant;
///
/// assert!("bughouse".parse::<Variant>().unwrap_err().to_string().contains("simple-atomic"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a variant: there are chess, chess960, atomic and simple-atomic")]
pub struct ParseVariantError(String);

impl FromStr for Variant {
    type Err = ParseVariantError;

    /// Reads the name, in either case.
    fn from_str(text: &str) -> Result<Variant, ParseVariantError> {
        Variant::ALL
            .into_iter()
            .find(|variant| variant.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseVariantError(crate::excerpt(text)))
    }
}
