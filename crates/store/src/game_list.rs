//! Lists of games, page by page. A page begins after a game, not after a count: games that begin
//! meanwhile move nothing.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{GameId, GameRow, Holder, Moment, PersonId, Phase};

/// Which games are looked for; `None` is any.
///
/// ```
/// use touchmove_store::{Phase, Query};
///
/// let live = Query { phase: Some(Phase::Running), public: true, ..Query::default() };
/// assert_eq!(live, Query::live());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// Games that this person plays or played.
    pub person: Option<PersonId>,
    /// Games in which this holder has a seat, a guest or a person.
    pub holder: Option<Holder>,
    /// Games of this variant.
    pub variant: Option<String>,
    /// Games in this phase.
    pub phase: Option<Phase>,
    /// Only games that everybody may see.
    pub public: bool,
}

impl Query {
    /// The games that are played, for everybody.
    #[must_use]
    pub fn live() -> Query {
        Query {
            phase: Some(Phase::Running),
            public: true,
            ..Query::default()
        }
    }
}

/// The place of a game in every list: newest first, and of those that began in the same millisecond,
/// by their ids.
///
/// ```
/// use touchmove_store::Cursor;
///
/// let cursor: Cursor = "1000-q7LmZx04".parse()?;
/// assert_eq!(cursor.to_string(), "1000-q7LmZx04");
/// # Ok::<(), touchmove_store::BadCursor>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cursor {
    /// When the game began.
    pub created: Moment,
    /// The game.
    pub id: GameId,
}

/// Why a text is not a place in a list.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("this is not a place in a list: it is written as a number, a hyphen and the id of a game")]
pub struct BadCursor;

impl FromStr for Cursor {
    type Err = BadCursor;

    fn from_str(text: &str) -> Result<Cursor, BadCursor> {
        let (created, id) = text.rsplit_once('-').ok_or(BadCursor)?;
        Ok(Cursor {
            created: Moment(created.parse().map_err(|_| BadCursor)?),
            id: id.parse().map_err(|_| BadCursor)?,
        })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.created.0, self.id)
    }
}

/// A page of a list.
///
/// ```
/// use touchmove_store::Page;
///
/// let last = Page { games: Vec::new(), next: None };
/// assert!(last.games.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The games, newest first.
    pub games: Vec<GameRow>,
    /// What to ask for the next page with; `None` if this is the last one.
    pub next: Option<Cursor>,
}
