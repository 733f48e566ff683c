//! The time that each player has: the same for both, or odds. What a time control is, and how one is
//! written, stands with PGN.

use std::fmt;
use std::ops::Index;
use std::str::FromStr;

use touchmove_rules::Color;

use crate::{Millis, ParseTimeControlError, Stage, TimeControl};

/// What stands between White's time and Black's where they differ.
const ODDS_SEPARATOR: &str = " v ";

/// The time controls of both players.
///
/// It is written as one control where both have the same, and as two, White's first, where they do
/// not.
///
/// ```
/// use touchmove_game::TimeControls;
/// use touchmove_rules::Color;
///
/// let odds: TimeControls = "5 v 2+1".parse().unwrap();
/// assert_eq!(odds[Color::Black].to_string(), "2+1");
/// assert_eq!(odds.to_string(), "5 v 2+1");
/// assert_eq!("3d".parse::<TimeControls>().unwrap().to_string(), "3d");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TimeControls {
    white: TimeControl,
    black: TimeControl,
}

impl TimeControls {
    /// Different times for the two.
    #[must_use]
    pub const fn odds(white: TimeControl, black: TimeControl) -> TimeControls {
        TimeControls { white, black }
    }

    /// The control of both, if they have the same.
    #[must_use]
    pub fn same(&self) -> Option<&TimeControl> {
        (self.white == self.black).then_some(&self.white)
    }

    /// The stage of a player's control with this number.
    pub(crate) fn stage(&self, player: Color, number: usize) -> Stage {
        self[player].stage(number)
    }

    /// The time on a player's clock before the game.
    #[must_use]
    pub fn base(&self, player: Color) -> Millis {
        self.stage(player, 0).base
    }
}

impl From<TimeControl> for TimeControls {
    /// The same time for both.
    fn from(control: TimeControl) -> TimeControls {
        TimeControls {
            white: control.clone(),
            black: control,
        }
    }
}

impl Index<Color> for TimeControls {
    type Output = TimeControl;

    fn index(&self, player: Color) -> &TimeControl {
        match player {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl fmt::Display for TimeControls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.same() {
            Some(control) => control.fmt(f),
            None => f.pad(&format!("{}{ODDS_SEPARATOR}{}", self.white, self.black)),
        }
    }
}

impl FromStr for TimeControls {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<TimeControls, ParseTimeControlError> {
        match text.split_once(ODDS_SEPARATOR) {
            None => text.parse::<TimeControl>().map(TimeControls::from),
            Some((white, black)) => Ok(TimeControls::odds(white.parse()?, black.parse()?)),
        }
    }
}
