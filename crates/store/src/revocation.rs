//! Revocations: sessions, tokens and accounts that have ended, in order. Servers poll this list to close
//! connections whose session, token or account is gone.

use crate::{Digest, PersonId};

/// What was revoked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RevocationTarget {
    /// A closed account: every session and token of this person.
    Person(PersonId),
    /// One session that has ended or one token that was revoked, by the hash of its secret.
    Secret(Digest),
}

/// The end of a session, a token or an account.
///
/// ```
/// use touchmove_store::{Digest, Revocation, RevocationTarget};
///
/// let target = RevocationTarget::Secret(Digest([1; 32]));
/// assert_eq!(Revocation { number: 7, target }.number, 7);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Revocation {
    /// Its number. Numbers grow in the order in which revocations become visible, and are never reused.
    pub number: u64,
    /// What was revoked.
    pub target: RevocationTarget,
}
