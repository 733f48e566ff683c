//! [`Error`]: why a request has no answer. A verdict that nothing was proved is an answer.

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use touchmove_game::ResumeError;
use touchmove_pgn::StartError;
use touchmove_rules::{ParseFenError, SetupFaults};

use crate::IllegalMoveError;

/// Why a request cannot be answered. Each is for the asker to mend: to a client on the network, 400.
///
/// It is written as `{"error":"…","code":"…"}`, with the sentence that the command line would print.
///
/// ```
/// use touchmove_arbiter::{Question, Request};
///
/// let trouble = Request::read(Question::Rules, br#"{"variant": 7}"#).unwrap_err();
/// assert_eq!(trouble.code(), "unreadable");
/// assert!(trouble.to_string().contains("chess, chess960, atomic or simple-atomic"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// More than a request may have.
    #[error("the request has {bytes} bytes, and {most} are read at most")]
    TooLarge {
        /// How many it has.
        bytes: usize,
        /// How many it may have.
        most: usize,
    },
    /// No JSON, a field that does not exist, or a value that a field cannot have.
    #[error("the request cannot be read: {0}")]
    Unreadable(String),
    /// A text that is longer than its field allows.
    #[error("{field} has {bytes} bytes, and {most} are read at most")]
    TooLong {
        /// The field.
        field: &'static str,
        /// How many bytes it has.
        bytes: usize,
        /// How many it may have.
        most: usize,
    },
    /// More moves than are followed.
    #[error("there are {plies} plies, and {most} are followed at most")]
    TooManyPlies {
        /// How many there are.
        plies: usize,
        /// How many there may be.
        most: usize,
    },
    /// A position that is given in more than one way.
    #[error("{0} and {1} cannot be given together: one position is asked about")]
    TwoPositions(&'static str, &'static str),
    /// A text that is no FEN.
    #[error("fen: {0}")]
    Fen(#[from] ParseFenError),
    /// No array of Chess960 has this number.
    #[error("start: there is no array {0}; they are numbered from 0 to 959")]
    NoSuchStart(u16),
    /// A setup that cannot be played.
    #[error("illegal position: {0}")]
    IllegalPosition(#[from] SetupFaults),
    /// A move on the way to the position that is none.
    #[error("{field}, {illegal}")]
    IllegalMove {
        /// Where the moves were given.
        field: &'static str,
        /// Which one, and why not.
        illegal: IllegalMoveError,
    },
    /// There is no game in the PGN.
    #[error("pgn: there is no game in it")]
    NoGame,
    /// The game of the PGN begins from what is no position.
    #[error("pgn: {0}")]
    Start(#[from] StartError),
    /// The game of the PGN names laws that there are not.
    #[error("pgn: {0}")]
    Laws(#[from] ResumeError),
    /// The move in question is not there.
    #[error("move: which move? Type it as you would at a board, such as Nf3, e2e4 or O-O")]
    NoMove,
}

impl Error {
    /// One word for it, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Error::TooLarge { .. } => "too_large",
            Error::Unreadable(_) => "unreadable",
            Error::TooLong { .. } => "too_long",
            Error::TooManyPlies { .. } => "too_many_plies",
            Error::TwoPositions(..) => "two_positions",
            Error::Fen(_) => "bad_fen",
            Error::NoSuchStart(_) => "no_such_start",
            Error::IllegalPosition(_) => "illegal_position",
            Error::IllegalMove { .. } => "illegal_move",
            Error::NoGame => "no_game",
            Error::Start(_) | Error::Laws(_) => "bad_pgn",
            Error::NoMove => "no_move",
        }
    }
}

impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Trouble", 2)?;
        object.serialize_field("error", &self.to_string())?;
        object.serialize_field("code", self.code())?;
        object.end()
    }
}
