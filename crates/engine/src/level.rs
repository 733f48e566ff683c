//! [`Level`]: the nine strengths of the built-in opponent. A level is a number of positions and a [`BlunderModel`],
//! never a time, so that it is the same on every machine.

use std::fmt;
use std::str::FromStr;

use touchmove_rules::{AnyPosition, Move, Position, Rules, with_position};

use crate::{BlunderModel, Limits, static_exchange};

/// How strong the built-in opponent plays.
///
/// ```
/// use touchmove_engine::Level;
///
/// assert_eq!("club-novice".parse(), Ok(Level::ClubNovice));
/// assert_eq!("4".parse(), Ok(Level::ClubNovice));
/// assert_eq!(Level::ClubNovice.title(), "Club novice");
/// assert!("grandmaster".parse::<Level>().unwrap_err().to_string().contains("first-steps"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// For players who have just learnt how the pieces move.
    FirstSteps,
    /// Captures what hangs, and misses threats.
    Beginner,
    /// An occasional player.
    Casual,
    /// New at a club.
    ClubNovice,
    /// A club player.
    Club,
    /// A strong club player.
    StrongClub,
    /// Sees nearly every short tactic.
    Expert,
    /// Sees further than most players.
    Master,
    /// Full strength: as many positions as the caller allows.
    Full,
}

/// The parameters of a level.
struct Handicap {
    name: &'static str,
    title: &'static str,
    nodes: Option<u64>,
    overlooks: u32,
    blur: i32,
    misses_mate: bool,
}

const fn handicap(
    name: &'static str,
    title: &'static str,
    nodes: u64,
    overlooks: u32,
    blur: i32,
) -> Handicap {
    Handicap {
        name,
        title,
        nodes: if nodes == 0 { None } else { Some(nodes) },
        overlooks,
        blur,
        misses_mate: false,
    }
}

/// Calibrated so that each level scores about three quarters against the one before; docs/OPPONENTS.md has the tables.
const HANDICAPS: [Handicap; 9] = [
    Handicap {
        misses_mate: true,
        ..handicap("first-steps", "First steps", 12, 75, 450)
    },
    Handicap {
        misses_mate: true,
        ..handicap("beginner", "Beginner", 40, 42, 185)
    },
    handicap("casual", "Casual", 100, 28, 80),
    handicap("club-novice", "Club novice", 350, 16, 45),
    handicap("club", "Club", 1000, 10, 30),
    handicap("strong-club", "Strong club", 2200, 4, 18),
    handicap("expert", "Expert", 4500, 0, 12),
    handicap("master", "Master", 9500, 0, 8),
    handicap("full", "Full strength", 0, 0, 4),
];

/// The error for a text that names no level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseLevelError(String);

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Level::ALL.map(Level::name).join(", ");
        write!(f, "{:?} is no level: they are {names}, or 1 to 9", self.0)
    }
}

impl std::error::Error for ParseLevelError {}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 9] = [
        Level::FirstSteps,
        Level::Beginner,
        Level::Casual,
        Level::ClubNovice,
        Level::Club,
        Level::StrongClub,
        Level::Expert,
        Level::Master,
        Level::Full,
    ];

    fn handicap(self) -> &'static Handicap {
        &HANDICAPS[self as usize]
    }

    /// The name in commands and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.handicap().name
    }

    /// The name shown to users.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.handicap().title
    }

    /// The number of the level, from 1 to 9.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The level with a number from 1 to 9.
    #[must_use]
    pub fn numbered(number: u8) -> Option<Level> {
        let index = usize::from(number).checked_sub(1)?;
        Level::ALL.get(index).copied()
    }

    /// The search limits of the level. The seed varies the play; draw it once for a game. `most` is the number of
    /// positions for the strongest level.
    #[must_use]
    pub fn limits(self, seed: u64, most: u64) -> Limits {
        let handicap = self.handicap();
        Limits {
            nodes: Some(handicap.nodes.unwrap_or(most)),
            blindness: Some(BlunderModel {
                seed,
                overlooks: handicap.overlooks,
                blur: handicap.blur,
                misses_mate: handicap.misses_mate,
            }),
            ..Limits::default()
        }
    }

    /// The same for a position and the move that led to it: a level that overlooks things still recaptures, unless
    /// there is more to win elsewhere.
    #[must_use]
    pub fn limits_after(
        self,
        position: &AnyPosition,
        last: Option<Move>,
        seed: u64,
        most: u64,
    ) -> Limits {
        let mut limits = self.limits(seed, most);
        if let Some(last) = last
            && self.handicap().overlooks > 0
        {
            limits.only = with_position!(position, position => recaptures(position, last));
        }
        limits
    }
}

/// The moves to choose among after a capture that can be recaptured; empty if it cannot. Where captures explode, no
/// piece stands there to be captured.
fn recaptures<R: Rules>(position: &Position<R>, last: Move) -> Vec<Move> {
    let taker = position.board().role_at(last.to());
    let (Some(taker), true, false) = (taker, last.is_capture(), R::CAPTURES_EXPLODE) else {
        return Vec::new();
    };
    let legal = position.legal_moves();
    let takes_back = |mv: &Move| mv.is_capture() && mv.to() == last.to();
    let is_good =
        |mv: &Move| takes_back(mv) && static_exchange::exchange_gains_at_least(position, *mv, 100);
    if !legal.iter().any(is_good) {
        return Vec::new();
    }
    let worth = static_exchange::value(taker);
    let wins_more = |mv: &Move| {
        static_exchange::exchange_gains_at_least(position, *mv, worth)
            || position.after(*mv).is_checkmate()
    };
    legal
        .into_iter()
        .filter(|mv| is_good(mv) || wins_more(mv))
        .collect()
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    /// Parses a name, with words separated by `-`, `_` or a blank, or a number from 1 to 9.
    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        let plain = text.trim().to_ascii_lowercase().replace([' ', '_'], "-");
        let by_number = || Level::numbered(plain.parse().ok()?);
        let by_name = Level::ALL.into_iter().find(|level| level.name() == plain);
        let unknown = || ParseLevelError(text.chars().take(40).collect());
        by_name.or_else(by_number).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_found_by_its_names_and_its_number() {
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
            assert_eq!(level.number().to_string().parse(), Ok(level));
            assert_eq!(Level::numbered(level.number()), Some(level));
        }
        for text in ["", "0", "10", "-1", "fuller", "256"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_higher_level_never_sees_less() {
        for pair in HANDICAPS.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes || pair[1].nodes.is_none());
            assert!(pair[0].overlooks >= pair[1].overlooks && pair[0].blur >= pair[1].blur);
        }
        assert_eq!(HANDICAPS.iter().filter(|it| it.misses_mate).count(), 2);
    }
}
