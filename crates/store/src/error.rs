//! Errors of an open store. A lost race or a taken seat is not an error but a result of its method.

use thiserror::Error;

/// Why a store failed.
///
/// Nothing is ever half written. After [`TooLong`](Error::TooLong), [`TooMany`](Error::TooMany) and the other
/// errors that are [final](Error::is_final), nothing was written. After the others, nothing is visible now; but
/// if the machine crashed, the connection to the database was lost or the store was [closed](Error::Closed) at
/// that moment, the write may turn out to be done. Repeat it with the same write id or id: the result tells.
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
    /// The disk is full. The store goes on by itself when there is space.
    #[error(
        "the disk of the store is full: nothing was written, and writing goes on when there is space again"
    )]
    Full,
    /// The store is read-only.
    #[error(
        "the store cannot be written to, because its file or its disk is read-only: nothing was written"
    )]
    ReadOnly,
    /// Timeout: the store was too busy.
    #[error("the store is busy: try again")]
    Busy,
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
    /// A text is too long for any store.
    #[error("{what} has {length} bytes, and at most {limit} are kept")]
    TooLong {
        /// What the text is.
        what: &'static str,
        /// Its length in bytes.
        length: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// Too many things at once for any store.
    #[error("{count} {what} are too many at once: at most {limit}")]
    TooMany {
        /// What they are.
        what: &'static str,
        /// How many.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// A text has a NUL character, which not every store can keep.
    #[error("{what} has the character U+0000, which cannot be kept")]
    Nul {
        /// What the text is.
        what: &'static str,
    },
    /// The event numbers of a decision are invalid, or a number is too large.
    #[error(
        "events {first} to {last} are no decision: it has 1 to {limit} events, numbered from 1"
    )]
    Numbers {
        /// The number of its first event.
        first: u64,
        /// The number of its last event.
        last: u64,
        /// The limit of events in a decision.
        limit: u64,
    },
    /// The data cannot be read: the store is damaged, or another program has written to it.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The database or the operating system failed.
    #[error("the store failed: {0}")]
    Failed(String),
}

impl Error {
    /// Whether retrying is useless, because no store accepts such a value.
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
