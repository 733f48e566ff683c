//! Lists of games, page by page. The cursor of a page is a game, not an offset, so games that begin meanwhile
//! do not shift pages.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{GameId, GamePhase, GameRow, Holder, Moment, PersonId};

/// A filter for games; `None` matches any.
///
/// ```
/// use touchmove_store::{GamePhase, GameQuery};
///
/// let live = GameQuery { phase: Some(GamePhase::Running), public: true, ..GameQuery::default() };
/// assert_eq!(live, GameQuery::live());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameQuery {
    /// Games that this person plays or played.
    pub person: Option<PersonId>,
    /// Games in which this guest or person has a seat.
    pub holder: Option<Holder>,
    /// Games of this variant.
    pub variant: Option<String>,
    /// Games in this phase.
    pub phase: Option<GamePhase>,
    /// Only games that are listed publicly.
    pub public: bool,
}

impl GameQuery {
    /// The public games that are being played.
    #[must_use]
    pub fn live() -> GameQuery {
        GameQuery {
            phase: Some(GamePhase::Running),
            public: true,
            ..GameQuery::default()
        }
    }
}

/// The position of a game in every list: newest first, and by id among games that began in the same
/// millisecond.
///
/// ```
/// use touchmove_store::GameCursor;
///
/// let cursor: GameCursor = "1000-q7LmZx04".parse()?;
/// assert_eq!(cursor.to_string(), "1000-q7LmZx04");
/// # Ok::<(), touchmove_store::ParseCursorError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameCursor {
    /// When the game began.
    pub created: Moment,
    /// The game.
    pub id: GameId,
}

/// The error for a text that is not a cursor.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("this is not a place in a list: it is written as a number, a hyphen and the id of a game")]
pub struct ParseCursorError;

impl FromStr for GameCursor {
    type Err = ParseCursorError;

    fn from_str(text: &str) -> Result<GameCursor, ParseCursorError> {
        let (created, id) = text.rsplit_once('-').ok_or(ParseCursorError)?;
        Ok(GameCursor {
            created: Moment(created.parse().map_err(|_| ParseCursorError)?),
            id: id.parse().map_err(|_| ParseCursorError)?,
        })
    }
}

impl fmt::Display for GameCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.created.0, self.id)
    }
}

/// A page of a list.
///
/// ```
/// use touchmove_store::GamePage;
///
/// let last = GamePage { games: Vec::new(), next: None };
/// assert!(last.games.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePage {
    /// The games, newest first.
    pub games: Vec<GameRow>,
    /// The cursor of the next page; `None` if this is the last page.
    pub next: Option<GameCursor>,
}
