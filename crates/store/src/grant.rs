//! OAuth grants: what a person has allowed a program, from the consent until the code is exchanged for a token.

use crate::{Digest, Moment, PersonId};

/// An OAuth grant: what a person has allowed a program. It is found by the hash of its code, and exchanged
/// once.
///
/// ```
/// use touchmove_store::{Digest, Grant, Moment};
///
/// let grant = Grant {
///     code: Digest([5; 32]),
///     person: "0000Anna".parse()?,
///     client: "my board".to_owned(),
///     redirect: "https://board.example/done".to_owned(),
///     challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".to_owned(),
///     scopes: "board:play".to_owned(),
///     created: Moment(1_000),
///     expires: Moment(121_000),
/// };
/// # let _ = grant;
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    /// The hash of the code.
    pub code: Digest,
    /// Who granted it.
    pub person: PersonId,
    /// The name that the program gives itself.
    pub client: String,
    /// The redirect URI that the code was sent to.
    pub redirect: String,
    /// The PKCE challenge.
    pub challenge: String,
    /// The scopes, in the caller's format.
    pub scopes: String,
    /// When it was granted.
    pub created: Moment,
    /// When the code expires.
    pub expires: Moment,
}

/// The result of presenting a code.
///
/// ```
/// use touchmove_store::{Digest, Redemption};
///
/// assert_ne!(Redemption::Unknown, Redemption::Replayed { token: Digest([1; 32]) });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Redemption {
    /// The code is valid and was presented for the first time; this is its grant.
    First(Grant),
    /// The code was exchanged before, for this token. From now on it counts as replayed.
    Replayed {
        /// The hash of the token that it was exchanged for.
        token: Digest,
    },
    /// There is no such code, or it has expired.
    Unknown,
}
