//! What can go wrong with a store that is open. That a race was lost or a seat is taken is an answer, not
//! an error: it is in the answer of each question.

use thiserror::Error;

/// Why a store could not do what it was asked for.
///
/// Nothing is ever half written. After a refusal of what is too large nothing was written at all. After
/// the others, nothing was that anybody can read now; but where the machine dies in the same moment, the way
/// to a database is cut, or the store was [`CloseOfferResult`](Error::Closed), it may turn out to be there. Repeat the
/// write with the same mark or id: the answer tells.
///
/// ```
/// use touchmove_store::Error;
///
/// let error = Error::TooLong { what: "a line of chat", length: 5_000, limit: 1_000 };
/// assert_eq!(error.to_string(), "a line of chat has 5000 bytes, and at most 1000 are kept");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no space. The store goes on by itself when there is.
    #[error(
        "the disk of the store is full: nothing was written, and writing goes on when there is space again"
    )]
    Full,
    /// The store may be read, not written.
    #[error(
        "the store cannot be written to, because its file or its disk is read-only: nothing was written"
    )]
    ReadOnly,
    /// The store did not get to it in time.
    #[error("the store is busy: try again")]
    Busy,
    /// The store was closed meanwhile.
    #[error("the store is closed")]
    Closed,
    /// A text is longer than any store keeps.
    #[error("{what} has {length} bytes, and at most {limit} are kept")]
    TooLong {
        /// What it is.
        what: &'static str,
        /// Its length in bytes.
        length: usize,
        /// The longest that is kept.
        limit: usize,
    },
    /// More was asked for at once than any store answers.
    #[error("{count} {what} are too many at once: at most {limit}")]
    TooMany {
        /// What it is.
        what: &'static str,
        /// How many.
        count: usize,
        /// The most.
        limit: usize,
    },
    /// A text has a character that not every store can keep.
    #[error("{what} has the character U+0000, which cannot be kept")]
    Nul {
        /// What it is.
        what: &'static str,
    },
    /// The numbers of a decision's events make no sense, or a number is beyond what can be kept.
    #[error(
        "events {first} to {last} are no decision: it has 1 to {limit} events, numbered from 1"
    )]
    Numbers {
        /// The number of its first event.
        first: u64,
        /// The number of its last event.
        last: u64,
        /// The most events of a decision.
        limit: u64,
    },
    /// What is kept cannot be read: the store is damaged, or another program has written to it.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The system below failed.
    #[error("the store failed: {0}")]
    Failed(String),
}

impl Error {
    /// Whether what was asked for cannot be kept by any store, however often it is tried.
    ///
    /// ```
    /// use touchmove_store::Error;
    ///
    /// assert!(Error::Nul { what: "a line of chat" }.is_final());
    /// assert!(!Error::Full.is_final());
    /// ```
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(
            self,
            Error::TooLong { .. }
                | Error::TooMany { .. }
                | Error::Nul { .. }
                | Error::Numbers { .. }
        )
    }
}
