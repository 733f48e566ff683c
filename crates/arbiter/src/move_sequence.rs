//! [`MoveSequence`]: a position and the moves that led to it, as people or programs type them.

use touchmove_rules::{
    AnyPosition, Fen, Move, MoveInputError, ParseFenError, Setup, SetupFaults, Variant,
};

/// The starting position that a request asks for.
///
/// ```
/// use touchmove_arbiter::StartInput;
/// use touchmove_rules::Variant;
///
/// let numbered = StartInput { start: Some(0), ..StartInput::default() };
/// assert_eq!(numbered.variant(), Variant::Chess960);
/// assert_eq!(StartInput::default().setup(), Ok(None), "nothing was said");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StartInput<'a> {
    /// A FEN of six fields or only the first four, or `startpos`.
    pub fen: Option<&'a str>,
    /// The number of a Chess960 starting position.
    pub start: Option<u16>,
    /// The variant.
    pub variant: Option<Variant>,
}

impl StartInput<'_> {
    /// The variant that is asked for: without one chess, or Chess960 if a start number is given.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant.unwrap_or(match self.start {
            Some(_) => Variant::Chess960,
            None => Variant::default(),
        })
    }

    /// The setup that is asked for, if any. `None` as well for a start number above 959.
    ///
    /// # Errors
    /// If the FEN cannot be parsed.
    pub fn setup(&self) -> Result<Option<Setup>, ParseFenError> {
        match (self.fen, self.start) {
            (Some("startpos"), _) => Ok(Some(Setup::start())),
            (Some(fen), _) => Ok(Some(Fen::read_short(fen)?.0)),
            (None, Some(number)) => Ok(Setup::chess960(number)),
            (None, None) => Ok(None),
        }
    }
}

/// A position and the moves that led to it.
///
/// ```
/// use touchmove_arbiter::{MoveSequence, split_moves};
/// use touchmove_rules::{Setup, Variant};
///
/// let mut line = MoveSequence::begin(&Setup::start(), Variant::Chess).unwrap();
/// line.play_moves(split_moves("1. e4 e5 2. Nf3")).unwrap();
/// assert_eq!(line.past.len(), 3);
/// let illegal = line.play_moves(["Ke7", "Ke3"]).unwrap_err();
/// assert_eq!(illegal.ply, 5);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveSequence {
    /// The position.
    pub position: AnyPosition,
    /// The moves played, oldest first.
    pub past: Vec<Move>,
    /// Warnings that no game can reach the starting position.
    pub warnings: Vec<String>,
}

/// A text that is not a legal move of the position it was read in.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("ply {ply}: {reason}")]
pub struct IllegalMoveError {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// Why it is illegal or cannot be read.
    pub reason: MoveInputError,
}

impl MoveSequence {
    /// Starts a sequence without moves. An unreachable setup gives warnings, an impossible one an error.
    ///
    /// # Errors
    /// If the setup is not a position of the variant.
    pub fn begin(setup: &Setup, variant: Variant) -> Result<MoveSequence, SetupFaults> {
        Ok(MoveSequence {
            position: AnyPosition::from_setup(setup, variant)?,
            past: Vec::new(),
            warnings: warnings(setup, variant),
        })
    }

    /// Plays moves until one cannot be played.
    ///
    /// # Errors
    /// If a move is illegal or cannot be read.
    pub fn play_moves<'a>(
        &mut self,
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), IllegalMoveError> {
        for word in words {
            let read = self.position.read_input_after(&self.past, word);
            let mv = read.map_err(|reason| IllegalMoveError {
                ply: self.past.len() + 1,
                reason,
            })?;
            self.position.play(mv);
            self.past.push(mv);
        }
        Ok(())
    }
}

/// Warnings that no game can reach a setup that is accepted all the same.
#[must_use]
pub fn warnings(setup: &Setup, variant: Variant) -> Vec<String> {
    let faults = setup.faults(variant);
    faults.iter().map(ToString::to_string).collect()
}

/// Splits a text into moves and drops move numbers.
///
/// ```
/// let split_moves: Vec<&str> = touchmove_arbiter::split_moves("1. e4 e5 2.Nf3 2... Nc6").collect();
/// assert_eq!(split_moves, ["e4", "e5", "Nf3", "Nc6"]);
/// ```
pub fn split_moves(moves: &str) -> impl Iterator<Item = &str> {
    moves.split_whitespace().filter_map(without_number)
}

/// Strips the number from a move such as `3.Nf3`; `None` for a number alone.
fn without_number(word: &str) -> Option<&str> {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix('.') {
        Some(rest) if rest.len() + 1 < word.len() => {
            Some(rest.trim_start_matches('.')).filter(|rest| !rest.is_empty())
        }
        _ => Some(word),
    }
}
