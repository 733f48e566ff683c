//! The one door between the game and the law book. What is legal is decided behind it.

use touchmove_rules::{AnyPosition, Attempt, Move};

/// A move that the laws do not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} is not a legal move")]
pub struct Illegal(Attempt);

impl Illegal {
    /// The name that programs know the broken law by.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "illegal"
    }
}

/// The move that the laws make of this attempt, or the law that it breaks.
pub(crate) fn judge(position: &AnyPosition, attempt: Attempt) -> Result<Move, Illegal> {
    position.find(attempt).ok_or(Illegal(attempt))
}
