//! Events that a client receives from a table.

use serde::Deserialize;
use touchmove_game::{Event, Game, Timestamp};
use touchmove_rules::{Bitboard, Color, Square};

use crate::foreign;
use crate::{ClientCommand, TableLink};

/// An event from a table.
#[derive(Clone, PartialEq, Debug)]
pub enum ServerEvent {
    /// Connected: the state of the table. It comes again after each reconnect.
    Arrived(Box<JoinedTable>),
    /// Events of the game.
    Decided {
        /// The new events, in order without a gap.
        events: Vec<Event>,
        /// The server's time.
        at: Timestamp,
    },
    /// The server analysed whether the position is dead, without a result; a sentence about how the game
    /// stands.
    LeftOpen(String),
    /// A command was answered.
    Answered {
        /// The command; `None` if it is not known which.
        said: Option<ClientCommand>,
        /// Why it was refused; `None` if it was accepted.
        denied: Option<ReceivedRefusal>,
    },
    /// Who is connected now.
    Presence(PresenceSummary),
    /// Somebody wrote in the chat.
    Chat(ChatMessage),
    /// A rematch is offered, or has begun.
    Rematch(RematchState),
    /// The text of a message, if only texts are delivered.
    Text(String),
    /// The connection was lost, for this reason. It reconnects by itself.
    Lost(String),
    /// The last event: the connection failed, for this reason.
    Over(String),
    /// The last event: the frontend closed the connection.
    Parted {
        /// How many commands have no answer: none, unless the server did not answer in time.
        unanswered: usize,
    },
}

/// The state of a table after connecting.
#[derive(Clone, PartialEq, Debug)]
pub struct JoinedTable {
    /// The link of the table.
    pub link: TableLink,
    /// The game.
    pub game: Game,
    /// The player's colour; `None` for a spectator.
    pub you: Option<Color>,
    /// The server's time.
    pub at: Timestamp,
    /// Who is connected.
    pub attendance: PresenceSummary,
    /// The latest chat messages.
    pub remarks: Vec<ChatMessage>,
    /// Whether a rematch is offered.
    pub rematch: RematchState,
}

/// Who is connected to the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct PresenceSummary {
    /// Since when White is disconnected; `None` if White is connected.
    pub white_away: Option<Timestamp>,
    /// Since when Black is disconnected; `None` if Black is connected.
    pub black_away: Option<Timestamp>,
    /// The number of spectators.
    pub watching: usize,
}

impl PresenceSummary {
    /// Since when a player is disconnected; `None` if the player is connected.
    #[must_use]
    pub const fn away(&self, player: Color) -> Option<Timestamp> {
        match player {
            Color::White => self.white_away,
            Color::Black => self.black_away,
        }
    }
}

/// A chat message.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct ChatMessage {
    /// Its number in its chat room.
    #[serde(default)]
    pub number: u64,
    /// The name of the sender.
    #[serde(default, deserialize_with = "foreign::line")]
    pub name: String,
    /// The text.
    #[serde(deserialize_with = "foreign::line")]
    pub text: String,
}

/// Whether a rematch is offered or has begun.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RematchState {
    /// Who offers one.
    pub offer: Option<Color>,
    /// The id of the new game, once both players have agreed.
    #[serde(deserialize_with = "foreign::game")]
    pub game: Option<String>,
}

/// Why a command was refused.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ReceivedRefusal {
    /// A stable code, such as `try_again`.
    #[serde(deserialize_with = "foreign::line")]
    pub reason: String,
    /// A sentence for the player.
    #[serde(deserialize_with = "foreign::line")]
    pub text: String,
    /// The squares that the refusal is about.
    #[serde(deserialize_with = "foreign::words")]
    pub squares: Vec<String>,
    /// Moves that the player may have meant.
    #[serde(deserialize_with = "foreign::words")]
    pub did_you_mean: Vec<String>,
}

impl ReceivedRefusal {
    /// The squares that the refusal is about, as a bitboard.
    #[must_use]
    pub fn evidence(&self) -> Bitboard {
        let squares = self.squares.iter();
        squares
            .filter_map(|name| name.parse::<Square>().ok())
            .collect()
    }
}
