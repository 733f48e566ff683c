//! Why something that was asked for is not granted, for programs: a code, a sentence, the squares that
//! prove it, and what may have been meant.

use serde::Serialize;
use touchmove_rules::{AnyPosition, Misread, SquareSet};

use crate::{Refusal, TwoOffers, move_text};

/// Why not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Denial {
    /// A stable code.
    pub reason: &'static str,
    /// A sentence.
    pub text: String,
    /// The squares that it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
    /// Moves that may have been meant, in SAN.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub did_you_mean: Vec<String>,
}

impl Denial {
    /// A denial that is about no squares.
    #[must_use]
    pub fn new(reason: &'static str, text: impl Into<String>) -> Denial {
        Denial {
            reason,
            text: text.into(),
            squares: Vec::new(),
            did_you_mean: Vec::new(),
        }
    }

    /// A message that could not be read.
    #[must_use]
    pub fn unreadable(text: impl Into<String>) -> Denial {
        Denial::new("unreadable", text)
    }

    /// A text that is not a move of this position.
    #[must_use]
    pub fn misread(position: &AnyPosition, text: &str, misread: &Misread) -> Denial {
        let squares = match misread {
            Misread::Illegal { reason, .. } => reason.squares(),
            _ => SquareSet::EMPTY,
        };
        Denial {
            squares: named(squares),
            did_you_mean: move_text::nearly(position, text, misread),
            ..Denial::new(misread.code(), misread.to_string())
        }
    }
}

fn named(squares: SquareSet) -> Vec<String> {
    squares
        .into_iter()
        .map(|square| square.to_string())
        .collect()
}

impl From<&Refusal> for Denial {
    fn from(refusal: &Refusal) -> Denial {
        Denial {
            squares: named(refusal.squares()),
            ..Denial::new(refusal.code(), refusal.to_string())
        }
    }
}

impl From<TwoOffers> for Denial {
    fn from(two: TwoOffers) -> Denial {
        Denial::new("two_offers", two.to_string())
    }
}
