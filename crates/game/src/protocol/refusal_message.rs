//! The wire form of a refusal: a code, a sentence, the squares that prove it, and suggestions.

use serde::Serialize;
use touchmove_rules::{AnyPosition, Bitboard, MoveInputError};

use crate::{AmbiguousOfferError, Refusal, move_text};

/// Why a request was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RefusalMessage {
    /// A stable code.
    pub reason: &'static str,
    /// A sentence.
    pub text: String,
    /// The squares that prove it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
    /// Moves that may have been meant, in SAN.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub did_you_mean: Vec<String>,
}

impl RefusalMessage {
    /// A refusal without squares.
    #[must_use]
    pub fn new(reason: &'static str, text: impl Into<String>) -> RefusalMessage {
        RefusalMessage {
            reason,
            text: text.into(),
            squares: Vec::new(),
            did_you_mean: Vec::new(),
        }
    }

    /// The refusal of a message that could not be parsed.
    #[must_use]
    pub fn unreadable(text: impl Into<String>) -> RefusalMessage {
        RefusalMessage::new("unreadable", text)
    }

    /// The refusal of a text that is not a legal move.
    #[must_use]
    pub fn move_input(
        position: &AnyPosition,
        text: &str,
        misread: &MoveInputError,
    ) -> RefusalMessage {
        let squares = match misread {
            MoveInputError::Illegal { reason, .. } => reason.squares(),
            _ => Bitboard::EMPTY,
        };
        RefusalMessage {
            squares: named(squares),
            did_you_mean: move_text::similar_moves(position, text, misread),
            ..RefusalMessage::new(misread.code(), misread.to_string())
        }
    }
}

fn named(squares: Bitboard) -> Vec<String> {
    squares
        .into_iter()
        .map(|square| square.to_string())
        .collect()
}

impl From<&Refusal> for RefusalMessage {
    fn from(refusal: &Refusal) -> RefusalMessage {
        RefusalMessage {
            squares: named(refusal.squares()),
            ..RefusalMessage::new(refusal.code(), refusal.to_string())
        }
    }
}

impl From<AmbiguousOfferError> for RefusalMessage {
    fn from(two: AmbiguousOfferError) -> RefusalMessage {
        RefusalMessage::new("two_offers", two.to_string())
    }
}
