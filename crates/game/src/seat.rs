//! The two chairs at the board: taken by somebody with a name, or still open. Who may sit down in one
//! is for the house to say, not for the game.

use serde::{Deserialize, Serialize};
use touchmove_rules::{ByColor, Color};

use crate::{Players, serde_impls};

/// A chair at the board. It is written as the name of whoever sits there, or `null`.
///
/// ```
/// use touchmove_game::Seat;
/// assert_eq!(serde_json::to_string(&Seat::taken("Anna")).unwrap(), "\"Anna\"");
/// assert_eq!(serde_json::from_str::<Seat>("null").unwrap(), Seat::Open);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "Option<String>", into = "Option<String>")]
pub enum Seat {
    /// Nobody has sat down yet.
    Open,
    /// Somebody sits here; the name may be empty where nobody asked for it.
    Taken(String),
}

impl Seat {
    /// The seat of a player with this name: one harmless line, cut to the longest name. Every name enters a
    /// game here, so that it is the same when its journal is read.
    #[must_use]
    pub fn taken(name: impl Into<String>) -> Seat {
        Seat::Taken(serde_impls::name_of(name.into()))
    }

    /// Whether nobody has sat down yet.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self, Seat::Open)
    }

    /// The name of whoever sits here; empty if nobody does or nobody said.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Seat::Open => "",
            Seat::Taken(name) => name,
        }
    }
}

impl From<Option<String>> for Seat {
    fn from(name: Option<String>) -> Seat {
        name.map_or(Seat::Open, Seat::taken)
    }
}

impl From<Seat> for Option<String> {
    fn from(seat: Seat) -> Option<String> {
        match seat {
            Seat::Open => None,
            Seat::Taken(name) => Some(name),
        }
    }
}

/// Both seats.
pub type Seats = ByColor<Seat>;

/// The seats of two players who have sat down.
#[must_use]
pub(crate) fn all_taken(players: Players) -> Seats {
    players.map(Seat::taken)
}

/// The seat that is still open, White's first.
pub(crate) fn open_seat(seats: &Seats) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| seats[color].is_open())
}
