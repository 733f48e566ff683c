//! [`Ruleset`]: the constants of [`Rules`] as plain values, for readers of the law book that need
//! not be generic. Nothing is decided here.

use crate::MoveKind;
use crate::variant::{Atomic, CastlingMode, Chess, Chess960, Rules, SimpleAtomic, Variant};

/// The points on which variants differ, as values; see [`Rules`].
///
/// ```
/// use touchmove_rules::{Variant, law::Ruleset};
///
/// let rules = Ruleset::of(Variant::SimpleAtomic);
/// assert!(rules.blast && !rules.check && !rules.promotion);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ruleset {
    /// The variant.
    pub variant: Variant,
    /// Whether a king may not be left under attack.
    pub check: bool,
    /// Whether a capture explodes.
    pub blast: bool,
    /// Which castling there is.
    pub castling: CastlingMode,
    /// Whether pawns capture en passant.
    pub en_passant: bool,
    /// Whether pawns promote.
    pub promotion: bool,
}

impl Ruleset {
    /// The rules that a type stands for.
    #[must_use]
    pub const fn from_rules<R: Rules>() -> Ruleset {
        Ruleset {
            variant: R::VARIANT,
            check: R::HAS_CHECK,
            blast: R::CAPTURES_EXPLODE,
            castling: R::CASTLING_MODE,
            en_passant: R::HAS_EN_PASSANT,
            promotion: R::HAS_PROMOTION,
        }
    }

    /// The rules of a variant.
    ///
    /// ```
    /// use touchmove_rules::{MoveKind, Variant, law::Ruleset};
    ///
    /// assert!(Ruleset::of(Variant::Atomic).has(MoveKind::KingLeftCastling));
    /// assert!(!Ruleset::of(Variant::SimpleAtomic).has(MoveKind::KingLeftCastling));
    /// ```
    #[must_use]
    pub const fn of(variant: Variant) -> Ruleset {
        match variant {
            Variant::Chess => Ruleset::from_rules::<Chess>(),
            Variant::Chess960 => Ruleset::from_rules::<Chess960>(),
            Variant::Atomic => Ruleset::from_rules::<Atomic>(),
            Variant::SimpleAtomic => Ruleset::from_rules::<SimpleAtomic>(),
        }
    }

    /// Whether there is castling.
    #[must_use]
    pub const fn has_castling(&self) -> bool {
        !matches!(self.castling, CastlingMode::Never)
    }

    /// Whether a kind of move exists.
    #[must_use]
    pub const fn has(&self, kind: MoveKind) -> bool {
        match kind {
            _ if kind.is_castling() => self.has_castling(),
            _ if kind.is_en_passant() => self.en_passant,
            _ if kind.is_promotion() => self.promotion,
            _ => true,
        }
    }

    /// Examples of moves that exist, as they may be typed.
    ///
    /// ```
    /// use touchmove_rules::{Variant, law::Ruleset};
    ///
    /// let chess = Ruleset::of(Variant::Chess).examples();
    /// assert_eq!(chess, ["e2e4", "Nf3", "exd5", "O-O", "e8=Q"]);
    /// let simple_atomic = Ruleset::of(Variant::SimpleAtomic).examples();
    /// assert_eq!(simple_atomic, ["e2e4", "Nf3", "exd5"]);
    /// ```
    #[must_use]
    pub fn examples(&self) -> Vec<&'static str> {
        let castling = self.has_castling().then_some("O-O");
        let promotion = self.promotion.then_some("e8=Q");
        let everywhere = ["e2e4", "Nf3", "exd5"].into_iter();
        everywhere.chain(castling).chain(promotion).collect()
    }

    /// Whether a kind of move can be a capture.
    #[must_use]
    pub const fn captures(&self, kind: MoveKind) -> bool {
        match kind {
            MoveKind::PawnRegular | MoveKind::PawnTwoSteps | MoveKind::PawnRegularPromotion => {
                false
            }
            MoveKind::KingRegular => !self.blast,
            _ => !kind.is_castling(),
        }
    }
}
