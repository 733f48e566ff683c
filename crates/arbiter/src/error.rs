//! [`Error`]: why a request cannot be answered. "Nothing was proved" is an answer, not an error.

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use touchmove_game::ResumeError;
use touchmove_pgn::StartError;
use touchmove_rules::{ParseFenError, SetupFaults};

use crate::IllegalMoveError;

/// Why a request cannot be answered. Each is the client's to correct: HTTP status 400.
///
/// Serialised as `{"error":"…","code":"…"}`, with the sentence that the command line prints.
///
/// ```
/// use touchmove_arbiter::{RequestKind, Request};
///
/// let trouble = Request::read(RequestKind::Rules, br#"{"variant": 7}"#).unwrap_err();
/// assert_eq!(trouble.code(), "unreadable");
/// assert!(trouble.to_string().contains("chess, chess960, atomic or simple-atomic"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// The request is too long.
    #[error("the request has {bytes} bytes, and {most} are read at most")]
    TooLarge {
        /// Its length.
        bytes: usize,
        /// The maximum.
        most: usize,
    },
    /// The request is not JSON, or has an unknown field or an invalid value.
    #[error("the request cannot be read: {0}")]
    Unreadable(String),
    /// A field is too long.
    #[error("{field} has {bytes} bytes, and {most} are read at most")]
    TooLong {
        /// The field.
        field: &'static str,
        /// Its length.
        bytes: usize,
        /// The maximum.
        most: usize,
    },
    /// There are too many moves.
    #[error("there are {plies} plies, and {most} are followed at most")]
    TooManyPlies {
        /// Their number.
        plies: usize,
        /// The maximum.
        most: usize,
    },
    /// The position is given in more than one way.
    #[error("{0} and {1} cannot be given together: one position is asked about")]
    TwoPositions(&'static str, &'static str),
    /// The FEN cannot be parsed.
    #[error("fen: {0}")]
    Fen(#[from] ParseFenError),
    /// No Chess960 starting position has this number.
    #[error("start: there is no array {0}; they are numbered from 0 to 959")]
    NoSuchStart(u16),
    /// The setup cannot be played.
    #[error("illegal position: {0}")]
    IllegalPosition(#[from] SetupFaults),
    /// A move on the way to the position is illegal.
    #[error("{field}, {illegal}")]
    IllegalMove {
        /// The field with the moves.
        field: &'static str,
        /// The move, and why it is illegal.
        illegal: IllegalMoveError,
    },
    /// The PGN contains no game.
    #[error("pgn: there is no game in it")]
    NoGame,
    /// The game of the PGN starts from an impossible position.
    #[error("pgn: {0}")]
    Start(#[from] StartError),
    /// The game of the PGN names an unknown variant.
    #[error("pgn: {0}")]
    Laws(#[from] ResumeError),
    /// The request has no move.
    #[error("move: which move? Type it as you would at a board, such as Nf3, e2e4 or O-O")]
    NoMove,
}

impl Error {
    /// The error's code, for programs.
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
