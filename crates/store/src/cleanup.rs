//! Expired rows that a store deletes, and the server keys that it keeps.

use std::fmt;

use crate::Moment;

/// A kind of row that is deleted some time after it has expired.
///
/// ```
/// use touchmove_store::ExpiredKind;
///
/// assert_eq!(ExpiredKind::ALL.len(), 6);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExpiredKind {
    /// Sessions that had expired by the moment.
    Sessions,
    /// OAuth grants that had expired by the moment, used or not.
    Grants,
    /// Offers that were made before the moment, and had expired by it or came to something.
    Offers,
    /// Tokens that were revoked or had expired by the moment.
    Tokens,
    /// Games that were begun before the moment and aborted before both sides had moved, whole.
    AbortedGames,
    /// [Revocations](crate::Revocation) that were written before the moment.
    Revocations,
}

impl ExpiredKind {
    /// All kinds.
    pub const ALL: [ExpiredKind; 6] = [
        ExpiredKind::Sessions,
        ExpiredKind::Grants,
        ExpiredKind::Offers,
        ExpiredKind::Tokens,
        ExpiredKind::AbortedGames,
        ExpiredKind::Revocations,
    ];
}

/// A random key that all nodes of a store share. `Debug` does not show it.
///
/// ```
/// use touchmove_store::{Moment, ServerKey};
///
/// let key = ServerKey { bytes: [7; 32], created: Moment(1_000) };
/// assert_eq!(format!("{key:?}"), "ServerKey(since 1000)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ServerKey {
    /// The key.
    pub bytes: [u8; 32],
    /// When it was made.
    pub created: Moment,
}

impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServerKey(since {})", self.created.0)
    }
}
