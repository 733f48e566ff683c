//! The time controls of both players: the same, or time odds. A single [`TimeControl`] is parsed by the `pgn`
//! crate.

use std::fmt;
use std::ops::Index;
use std::str::FromStr;

use touchmove_rules::Color;

use crate::{Millis, ParseTimeControlError, Stage, TimeControl};

/// Separates White's control from Black's, if they differ.
const ODDS_SEPARATOR: &str = " v ";

/// The time controls of both players.
///
/// Written as one control if both have the same, otherwise as two, White's first.
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
    /// Time odds: different controls for White and Black.
    #[must_use]
    pub const fn odds(white: TimeControl, black: TimeControl) -> TimeControls {
        TimeControls { white, black }
    }

    /// The control of both players, if it is the same.
    #[must_use]
    pub fn same(&self) -> Option<&TimeControl> {
        (self.white == self.black).then_some(&self.white)
    }

    /// A stage of a player's control.
    pub(crate) fn stage(&self, player: Color, number: usize) -> Stage {
        self[player].stage(number)
    }

    /// A player's time before the game.
    #[must_use]
    pub fn base(&self, player: Color) -> Millis {
        self.stage(player, 0).base
    }
}

impl From<TimeControl> for TimeControls {
    /// The same control for both.
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
