//! The two seats at the board: open, or taken under a name. Who may take one is decided by the server, not by
//! the game.

use serde::{Deserialize, Serialize};
use touchmove_rules::{ByColor, Color};

use crate::{Players, serde_impls};

/// A seat. Serialised as the name of its player, or `null`.
///
/// ```
/// use touchmove_game::Seat;
/// assert_eq!(serde_json::to_string(&Seat::taken("Anna")).unwrap(), "\"Anna\"");
/// assert_eq!(serde_json::from_str::<Seat>("null").unwrap(), Seat::Open);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "Option<String>", into = "Option<String>")]
pub enum Seat {
    /// Nobody has taken it yet.
    Open,
    /// Taken; the name may be empty if the player gave none.
    Taken(String),
}

impl Seat {
    /// The seat of a player with this name: one harmless line, cut to the longest name. Every name enters a
    /// game here, so that it is the same when its journal is read.
    #[must_use]
    pub fn taken(name: impl Into<String>) -> Seat {
        Seat::Taken(serde_impls::name_of(name.into()))
    }

    /// Whether the seat is open.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self, Seat::Open)
    }

    /// The player's name; empty if the seat is open or the player gave none.
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

/// The seats of two seated players.
#[must_use]
pub(crate) fn all_taken(players: Players) -> Seats {
    players.map(Seat::taken)
}

/// The first open seat, White's before Black's.
pub(crate) fn open_seat(seats: &Seats) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| seats[color].is_open())
}
