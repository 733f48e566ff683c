//! Converts a score to a win chance in games of club players, with a draw counted as half. The constants were fitted by
//! `examples/fit.rs` on 1,000 games of each variant.

use touchmove_engine::Score;
use touchmove_rules::{Color, Variant};

/// The scale: hundredths of a pawn that make odds of e to 1.
#[must_use]
pub const fn scale(variant: Variant) -> f64 {
    match variant {
        Variant::Chess | Variant::Chess960 => 310.0,
        Variant::Atomic => 470.0,
        Variant::SimpleAtomic => 490.0,
    }
}

/// The win chance of the side that the score is for, from 0 to 1.
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

/// How good a player's position is, in words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Assessment {
    Losing,
    Worse,
    Even,
    Better,
    Winning,
}

impl Assessment {
    /// The assessment for a win chance.
    ///
    /// ```
    /// use touchmove_coach::Assessment;
    ///
    /// assert_eq!(Assessment::of(0.5), Assessment::Even);
    /// assert_eq!(Assessment::of(0.7), Assessment::Better);
    /// ```
    #[must_use]
    pub fn of(chance: f64) -> Assessment {
        match chance {
            _ if chance >= 0.88 => Assessment::Winning,
            _ if chance >= 0.6 => Assessment::Better,
            _ if chance > 0.4 => Assessment::Even,
            _ if chance > 0.12 => Assessment::Worse,
            _ => Assessment::Losing,
        }
    }

    /// The phrase in the past tense: `stood better`.
    #[must_use]
    pub const fn past(self) -> &'static str {
        match self {
            Assessment::Losing => "was losing",
            Assessment::Worse => "stood worse",
            Assessment::Even => "stood even",
            Assessment::Better => "stood better",
            Assessment::Winning => "was winning",
        }
    }

    /// The phrase about this player in the present tense: `White stands better`.
    #[must_use]
    pub fn of_player(self, player: Color) -> String {
        match self {
            Assessment::Losing => format!("{player} is losing"),
            Assessment::Worse => format!("{player} stands worse"),
            Assessment::Even => "the game is even".to_owned(),
            Assessment::Better => format!("{player} stands better"),
            Assessment::Winning => format!("{player} is winning"),
        }
    }
}
