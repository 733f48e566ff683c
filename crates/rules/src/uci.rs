//! UCI moves, as programs write them: `e2e4`, `e7e8q`, castling as `e1g1` or, in Chess960, as king
//! takes rook. What people type is parsed more tolerantly, by
//! [`read_input`](crate::Position::read_input).

use std::str::FromStr;

use crate::variant::Rules;
use crate::{Move, Position, Role, UciMove};

/// Why a text is not a UCI move.
///
/// ```
/// use touchmove_rules::UciMove;
///
/// let error = "e2-e4".parse::<UciMove>().unwrap_err();
/// assert!(error.to_string().contains("such as e2e4 or e7e8q"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is not a UCI move: it is two squares and perhaps a promotion, such as e2e4 or e7e8q"
)]
pub struct ParseUciError(String);

/// Why a text is not a legal move of a position.
///
/// ```
/// use touchmove_rules::{Chess, Position, UciError};
///
/// let start = Position::<Chess>::start();
/// assert!(matches!(start.read_uci("e2e5"), Err(UciError::Illegal(_))));
/// assert!(matches!(start.read_uci("e2"), Err(UciError::Invalid(_))));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UciError {
    /// It is not a UCI move at all.
    #[error(transparent)]
    Invalid(#[from] ParseUciError),
    /// It is not legal here.
    #[error("{0} is not a legal move here")]
    Illegal(UciMove),
}

impl FromStr for UciMove {
    type Err = ParseUciError;

    /// Reads the strict form of UCI: lower case, nothing before or after.
    fn from_str(text: &str) -> Result<UciMove, ParseUciError> {
        let bad = || ParseUciError(crate::excerpt(text));
        if !text.is_ascii() || text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(bad());
        }
        let square = |range| {
            text.get(range)
                .and_then(|name: &str| name.parse().ok())
                .ok_or_else(bad)
        };
        let attempt = UciMove::new(square(0..2)?, square(2..4)?);
        let mut rest = text[4..].chars();
        match (rest.next(), rest.next()) {
            (None, _) => Ok(attempt),
            (Some(letter), None) => match Role::from_char(letter) {
                Some(role) => Ok(attempt.promoting(role)),
                None => Err(bad()),
            },
            _ => Err(bad()),
        }
    }
}

impl<R: Rules> Position<R> {
    /// The UCI form of a move of this position. Castling is king takes rook in Chess960, and
    /// elsewhere too when king or rook are not where they start in chess.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Chess960, Position};
    ///
    /// let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    /// let chess = Position::<Chess>::from_fen(fen).unwrap();
    /// assert_eq!(chess.uci(chess.read_san("O-O").unwrap()).to_string(), "e1g1");
    /// let chess960 = Position::<Chess960>::from_fen(fen).unwrap();
    /// assert_eq!(chess960.uci(chess960.read_san("O-O").unwrap()).to_string(), "e1h1");
    /// ```
    #[must_use]
    pub fn uci(&self, mv: Move) -> UciMove {
        use crate::File;
        let attempt = mv.to_uci();
        match mv.castling_rook() {
            Some(rook)
                if R::UCI_KING_TAKES_ROOK
                    || mv.from().file() != File::E
                    || !matches!(rook.file(), File::A | File::H) =>
            {
                UciMove {
                    to: rook,
                    ..attempt
                }
            }
            _ => attempt,
        }
    }

    /// Reads a legal move of this position in UCI form.
    ///
    /// ```
    /// use touchmove_rules::{Chess, MoveKind, Position};
    ///
    /// let mv = Position::<Chess>::start().read_uci("e2e4").unwrap();
    /// assert_eq!(mv.kind(), MoveKind::PawnTwoSteps);
    /// ```
    ///
    /// # Errors
    /// If the text is not a move, or the move is not legal.
    pub fn read_uci(&self, text: &str) -> Result<Move, UciError> {
        let attempt: UciMove = text.parse()?;
        self.find_uci(attempt).ok_or(UciError::Illegal(attempt))
    }
}
