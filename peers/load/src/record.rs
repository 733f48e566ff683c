//! What two players know of their game: what they sent, what they were granted, what they were told. It is
//! held against the server's own journal afterwards.

use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::{SystemTime, UNIX_EPOCH};

/// A side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl Side {
    /// Both.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The other one.
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    /// Its place in a pair.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of a player's command: `w7` is White's seventh.
pub fn id(side: Side, number: u64) -> String {
    format!("{}{number}", &side.name()[..1])
}

/// A command that was granted.
#[derive(Clone, Debug)]
pub struct AcceptedCommand {
    /// Whose it was.
    pub by: Side,
    /// Which of his commands.
    pub number: u64,
    /// The event that it led to.
    pub seq: u64,
    /// The move, if it was one.
    pub uci: Option<String>,
    /// When it was sent first, by the clock on the wall in milliseconds.
    pub sent: u64,
    /// When the answer came.
    pub answered: u64,
}

/// A command that was refused for good.
#[derive(Clone, Debug)]
pub struct RefusedCommand {
    /// Whose it was.
    pub by: Side,
    /// Which of his commands.
    pub number: u64,
}

/// An event that a player was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReceivedEvent {
    /// Its number.
    pub seq: u64,
    /// What it said, shortened.
    pub mark: u64,
}

/// What the players of one game know.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The game.
    pub game: String,
    /// What was granted, in the order of the answers.
    pub granted: Vec<AcceptedCommand>,
    /// What was refused.
    pub refused: Vec<RefusedCommand>,
    /// What each side was told.
    pub told: [Vec<ReceivedEvent>; 2],
    /// What somebody was told who watches.
    pub watched: Vec<ReceivedEvent>,
    /// How many commands each side has sent.
    pub sent: [u64; 2],
    /// Whether the players know that it is over.
    pub has_ended: bool,
    /// Whether a player was told that it is over, or his flag fallen, when he wanted to move.
    pub is_called_over: bool,
    /// What was wrong on the spot.
    pub violations: Vec<String>,
}

impl Record {
    /// Notes something that must not be.
    pub fn violation(&mut self, text: impl fmt::Display) {
        self.violations.push(format!("game {}: {text}", self.game));
    }
}

/// An event, shortened.
pub fn mark(event: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    event.hash(&mut hasher);
    hasher.finish()
}

/// The clock on the wall, in milliseconds since 1970.
pub fn wall() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}
