//! [`PositionInput`]: the position that a request is about, as strict data with bounds.

use serde::{Deserialize, Serialize};
use touchmove_pgn::{Document, StartError, Tags, starting_position};
use touchmove_rules::{Fen, Setup, Variant};

use crate::budget::{MAX_FEN_BYTES, MAX_PGN_BYTES, MAX_PLIES, MAX_TEXT_BYTES, bounded};
use crate::{Error, MoveSequence, StartInput, split_moves};

/// A position: a FEN or the start of a variant, and moves from there; or the first game of a PGN, up to its
/// last move. An empty input is the starting position of chess.
///
/// ```
/// use touchmove_arbiter::PositionInput;
///
/// let place: PositionInput = serde_json::from_str(r#"{"start": 0, "moves": "1. f3 f6"}"#).unwrap();
/// assert_eq!(place.line().unwrap().past.len(), 2);
/// let place: PositionInput = serde_json::from_str(r#"{"pgn": "1. e4 c5 *", "fen": "startpos"}"#).unwrap();
/// assert_eq!(place.line().unwrap_err().code(), "two_positions");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "an object with a position")]
pub struct PositionInput {
    /// A FEN of six fields or only the first four, or `startpos`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The number of a Chess960 starting position, 0 to 959.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<u16>,
    /// The variant. The default is chess, or Chess960 if `start` is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
    /// Moves from there, in SAN or UCI, separated by spaces; move numbers are skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<String>,
    /// A PGN instead of all other fields; only its first game is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn: Option<String>,
}

/// A parsed input; its setup and moves are not validated yet.
pub(crate) struct ParsedPosition {
    pub(crate) variant: Variant,
    pub(crate) setup: Setup,
    pub(crate) moves: Vec<String>,
    /// The field that the moves come from.
    pub(crate) field: &'static str,
    /// The game, if the input was a PGN.
    pub(crate) record: Option<Document>,
}

impl PositionInput {
    /// Plays the moves and returns the position with them.
    ///
    /// # Errors
    /// If a field is too long or is not a position, or if a move is illegal.
    pub fn line(&self) -> Result<MoveSequence, Error> {
        let found = self.parse()?;
        let mut line = MoveSequence::begin(&found.setup, found.variant)?;
        let played = line.play_moves(found.moves.iter().map(String::as_str));
        played.map_err(|illegal| Error::IllegalMove {
            field: found.field,
            illegal,
        })?;
        Ok(line)
    }

    /// Parses the fields and checks their lengths. Does not validate the setup or the moves.
    pub(crate) fn parse(&self) -> Result<ParsedPosition, Error> {
        let given = [
            ("pgn", self.pgn.is_some()),
            ("fen", self.fen.is_some()),
            ("start", self.start.is_some()),
            ("variant", self.variant.is_some() && self.pgn.is_some()),
            ("moves", self.moves.is_some() && self.pgn.is_some()),
        ];
        let mut given = given.iter().filter(|(_, is_there)| *is_there);
        if let (Some((first, _)), Some((second, _))) = (given.next(), given.next()) {
            return Err(Error::TwoPositions(first, second));
        }
        let found = match &self.pgn {
            Some(pgn) => find_in_pgn(bounded("pgn", pgn, MAX_PGN_BYTES)?)?,
            None => self.find_by_fields()?,
        };
        for word in &found.moves {
            bounded("a move", word, MAX_TEXT_BYTES)?;
        }
        match found.moves.len() {
            plies if plies > MAX_PLIES => Err(Error::TooManyPlies {
                plies,
                most: MAX_PLIES,
            }),
            _ => Ok(found),
        }
    }

    fn find_by_fields(&self) -> Result<ParsedPosition, Error> {
        let fen = self.fen.as_deref();
        let fen = fen
            .map(|fen| bounded("fen", fen, MAX_FEN_BYTES))
            .transpose()?;
        let source = StartInput {
            fen,
            start: self.start,
            variant: self.variant,
        };
        let setup = match (source.setup()?, self.start) {
            (Some(setup), _) => setup,
            (None, Some(number)) => return Err(Error::NoSuchStart(number)),
            (None, None) => Setup::start(),
        };
        let moves = self.moves.as_deref().unwrap_or_default();
        let moves = bounded("moves", moves, MAX_PGN_BYTES)?;
        Ok(ParsedPosition {
            variant: source.variant(),
            setup,
            moves: split_moves(moves).map(str::to_owned).collect(),
            field: "moves",
            record: None,
        })
    }
}

fn find_in_pgn(pgn: &str) -> Result<ParsedPosition, Error> {
    let games = Document::read_all(pgn.as_bytes());
    // A comment alone is not a game.
    let is_game = |game: &Document| !game.is_empty() || game.tags != Tags::default();
    let first = games.into_iter().next();
    let record = first.filter(is_game).ok_or(Error::NoGame)?;
    let [variant, fen] = ["Variant", "FEN"].map(|tag| record.tags.get(tag));
    let (variant, setup) = match (starting_position(variant, fen), fen) {
        (Ok(start), _) => (start.position.variant(), start.position.setup()),
        // A judge request reports the faults of the setup itself.
        (Err(StartError::Position(_)), Some(fen)) => {
            let variant = variant.and_then(touchmove_pgn::variant_of_tag);
            (variant.unwrap_or_default(), Fen::read_short(fen)?.0)
        }
        (Err(error), _) => return Err(error.into()),
    };
    let moves = record
        .main_line()
        .map(|id| record.node(id).san().to_owned());
    Ok(ParsedPosition {
        variant,
        setup,
        moves: moves.collect(),
        field: "pgn",
        record: Some(record),
    })
}
