//! Rights that have ended: sessions, tokens and whole accounts, in the order in which they ended. Servers
//! poll this list to close connections that outlive their right.

use crate::{Digest, PersonId};

/// What a revocation is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RevocationTarget {
    /// An account was closed: everything that proves to be this person.
    Person(PersonId),
    /// One session has ended or one token was revoked; this is the hash of its secret.
    Secret(Digest),
}

/// A right that has ended.
///
/// ```
/// use touchmove_store::{Digest, Revocation, RevocationTarget};
///
/// let target = RevocationTarget::Secret(Digest([1; 32]));
/// assert_eq!(Revocation { number: 7, target }.number, 7);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Revocation {
    /// Its number. Numbers grow in the order in which revocations become visible, and are never used again.
    pub number: u64,
    /// What it is about.
    pub target: RevocationTarget,
}
