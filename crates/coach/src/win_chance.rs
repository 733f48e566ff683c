//! What a score is worth in games that people might play: the chance to win, half a draw counted in. The
//! constants were found by `examples/fit.rs` in 1,000 games of each variant.

use touchmove_engine::Score;
use touchmove_rules::{Color, Variant};

/// Hundredths of a pawn that make odds of e to 1.
#[must_use]
pub const fn scale(variant: Variant) -> f64 {
    match variant {
        Variant::Chess | Variant::Chess960 => 310.0,
        Variant::Atomic => 470.0,
        Variant::SimpleAtomic => 490.0,
    }
}

/// The chance of the side that the score is for, from 0 to 1.
///
/// ```
/// use touchmove_coach::chance;
/// use touchmove_engine::Score;
/// use touchmove_rules::Variant;
///
/// assert_eq!(chance(Variant::Chess, Score::Centipawns(0)), 0.5);
/// assert_eq!(chance(Variant::Chess, Score::Mate(-2)), 0.0);
/// assert!(chance(Variant::Atomic, Score::Centipawns(300)) > 0.6);
/// ```
#[must_use]
pub fn chance(variant: Variant, score: Score) -> f64 {
    match score {
        Score::Mate(moves) => f64::from(u8::from(moves > 0)),
        Score::Centipawns(value) => 1.0 / (1.0 + (-f64::from(value) / scale(variant)).exp()),
    }
}

/// How a player stands, in words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Standing {
    Losing,
    Worse,
    Even,
    Better,
    Winning,
}

impl Standing {
    /// The standing of whoever has this chance.
    ///
    /// ```
    /// use touchmove_coach::Standing;
    ///
    /// assert_eq!(Standing::of(0.5), Standing::Even);
    /// assert_eq!(Standing::of(0.7), Standing::Better);
    /// ```
    #[must_use]
    pub fn of(chance: f64) -> Standing {
        match chance {
            _ if chance >= 0.88 => Standing::Winning,
            _ if chance >= 0.6 => Standing::Better,
            _ if chance > 0.4 => Standing::Even,
            _ if chance > 0.12 => Standing::Worse,
            _ => Standing::Losing,
        }
    }

    /// What a player does who stands like this: `stood better`.
    #[must_use]
    pub const fn past(self) -> &'static str {
        match self {
            Standing::Losing => "was losing",
            Standing::Worse => "stood worse",
            Standing::Even => "stood even",
            Standing::Better => "stood better",
            Standing::Winning => "was winning",
        }
    }

    /// The same about now, of somebody who has this colour: `White stands better`.
    #[must_use]
    pub fn of_player(self, player: Color) -> String {
        match self {
            Standing::Losing => format!("{player} is losing"),
            Standing::Worse => format!("{player} stands worse"),
            Standing::Even => "the game is even".to_owned(),
            Standing::Better => format!("{player} stands better"),
            Standing::Winning => format!("{player} is winning"),
        }
    }
}
