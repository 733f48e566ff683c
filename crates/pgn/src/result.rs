//! The result of a game in PGN notation. The audit judges whether the moves justify it.

use std::fmt;
use std::str::FromStr;

use touchmove_rules::{Color, Ending};

/// The four values of the `Result` tag and of the end of movetext.
///
/// ```
/// use touchmove_pgn::GameResult;
///
/// assert_eq!("1/2-1/2".parse(), Ok(GameResult::Draw));
/// assert_eq!(GameResult::default().to_string(), "*");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: still going on, abandoned, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// The four results, in the order White, Black, draw, unknown.
    pub const ALL: [GameResult; 4] = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::Unknown,
    ];

    /// The text of the export format.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// The result when this side wins.
    #[must_use]
    pub const fn win_of(winner: Color) -> GameResult {
        match winner {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// The side that has won, if any.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw | GameResult::Unknown => None,
        }
    }

    /// Parses a result in the spelling of the export format or in other usual spellings (`1/2`, `½-½`,
    /// `1–0`).
    ///
    /// ```
    /// use touchmove_pgn::GameResult;
    /// assert_eq!(GameResult::from_lenient("½-½"), Some(GameResult::Draw));
    /// assert_eq!("1-0".parse(), Ok(GameResult::WhiteWins));
    /// assert!("½-½".parse::<GameResult>().is_err());
    /// ```
    #[must_use]
    pub fn from_lenient(text: &str) -> Option<GameResult> {
        if let Ok(result) = text.parse() {
            return Some(result);
        }
        let plain = text
            .replace(['–', '—', '−', '‐', '‑', ':'], "-")
            .replace('½', "1/2");
        match plain.as_str() {
            "1/2" | "0.5-0.5" => Some(GameResult::Draw),
            other => other.parse().ok(),
        }
    }
}

/// ```
/// use touchmove_pgn::GameResult;
/// use touchmove_rules::{Draw, Ending};
/// assert_eq!(GameResult::from(Ending::Draw(Draw::Stalemate)), GameResult::Draw);
/// ```
impl From<Ending> for GameResult {
    fn from(ending: Ending) -> GameResult {
        match ending {
            Ending::Win { winner, .. } => GameResult::win_of(winner),
            Ending::Draw(_) => GameResult::Draw,
            Ending::NoResult(_) => GameResult::Unknown,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not one of `1-0`, `0-1`, `1/2-1/2` and `*`.
///
/// ```
/// use touchmove_pgn::{GameResult, ParseResultError};
///
/// assert_eq!("2-0".parse::<GameResult>(), Err(ParseResultError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a result is 1-0, 0-1, 1/2-1/2 or *")]
pub struct ParseResultError;

impl FromStr for GameResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<GameResult, ParseResultError> {
        GameResult::ALL
            .into_iter()
            .find(|result| result.as_str() == text)
            .ok_or(ParseResultError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::{Draw, NoResult, Victory};

    #[test]
    fn every_ending_has_the_result_that_the_rules_write() {
        let wins = Color::ALL.map(|winner| Ending::Win {
            winner,
            by: Victory::Resignation,
        });
        let others = [
            Ending::Draw(Draw::Agreement),
            Ending::NoResult(NoResult::Aborted),
        ];
        for ending in wins.into_iter().chain(others) {
            let result = GameResult::from(ending);
            assert_eq!(result.as_str(), ending.result());
            assert_eq!(result.winner(), ending.winner());
        }
    }
}
