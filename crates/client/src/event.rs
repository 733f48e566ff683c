//! What somebody at a table is told.

use serde::Deserialize;
use touchmove_game::{Event, Game, Timestamp};
use touchmove_rules::{Bitboard, Color, Square};

use crate::foreign;
use crate::{ClientCommand, TableLink};

/// Something that somebody at a table is told.
#[derive(Clone, PartialEq, Debug)]
pub enum ServerEvent {
    /// How everything stands: on coming, and again when the line is back after a break.
    Arrived(Box<JoinedTable>),
    /// This happened in the game.
    Decided {
        /// What, each event following the one before.
        events: Vec<Event>,
        /// The server's time at which this was said.
        at: Timestamp,
    },
    /// Whether the position is dead was looked into and not found out: how the game stands, in words.
    LeftOpen(String),
    /// What was said is answered.
    Answered {
        /// What was said; nothing if it cannot be told which it was.
        said: Option<ClientCommand>,
        /// Why it was not granted, if it was not.
        denied: Option<ReceivedRefusal>,
    },
    /// Who is there now.
    Presence(PresenceSummary),
    /// Somebody said something.
    Chat(ChatMessage),
    /// Another game is wanted, or has begun.
    Rematch(RematchState),
    /// The text of a message, for who wants nothing else.
    Text(String),
    /// The line broke, for this reason. It comes back by itself.
    Lost(String),
    /// Nothing more will be told, for this reason.
    Over(String),
    /// Nothing more will be told, as was wished.
    Parted {
        /// How much of what was said is not answered: nothing, unless the server was silent for too long.
        unanswered: usize,
    },
}

/// How everything stands.
#[derive(Clone, PartialEq, Debug)]
pub struct JoinedTable {
    /// Where.
    pub link: TableLink,
    /// The game.
    pub game: Game,
    /// The seat, if there is one.
    pub you: Option<Color>,
    /// The server's time.
    pub at: Timestamp,
    /// Who is there.
    pub attendance: PresenceSummary,
    /// What was said lately.
    pub remarks: Vec<ChatMessage>,
    /// Whether another game is wanted.
    pub rematch: RematchState,
}

/// Who is at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct PresenceSummary {
    /// Since when White is away; nothing if White is there.
    pub white_away: Option<Timestamp>,
    /// The same of Black.
    pub black_away: Option<Timestamp>,
    /// How many watch.
    pub watching: usize,
}

impl PresenceSummary {
    /// Since when a player is away, if he is.
    #[must_use]
    pub const fn away(&self, player: Color) -> Option<Timestamp> {
        match player {
            Color::White => self.white_away,
            Color::Black => self.black_away,
        }
    }
}

/// Something that somebody said.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct ChatMessage {
    /// Its number in its room.
    #[serde(default)]
    pub number: u64,
    /// Who said it.
    #[serde(default, deserialize_with = "foreign::line")]
    pub name: String,
    /// What.
    #[serde(deserialize_with = "foreign::line")]
    pub text: String,
}

/// Whether another game is wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RematchState {
    /// Who wants one.
    pub offer: Option<Color>,
    /// The new game, once both do.
    #[serde(deserialize_with = "foreign::game")]
    pub game: Option<String>,
}

/// Why something was not granted.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ReceivedRefusal {
    /// A stable code.
    #[serde(deserialize_with = "foreign::line")]
    pub reason: String,
    /// A sentence.
    #[serde(deserialize_with = "foreign::line")]
    pub text: String,
    /// The squares that it is about.
    #[serde(deserialize_with = "foreign::words")]
    pub squares: Vec<String>,
    /// Moves that may have been meant.
    #[serde(deserialize_with = "foreign::words")]
    pub did_you_mean: Vec<String>,
}

impl ReceivedRefusal {
    /// The squares that it is about, on the board.
    #[must_use]
    pub fn evidence(&self) -> Bitboard {
        let squares = self.squares.iter();
        squares
            .filter_map(|name| name.parse::<Square>().ok())
            .collect()
    }
}
