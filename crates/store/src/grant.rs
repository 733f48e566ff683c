//! OAuth grants: what a person has allowed a program, until the program exchanges its code for a token.

use crate::{Digest, Moment, PersonId};

/// What a person has allowed a program. It is found by the hash of a code, and exchanged once.
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
    /// Who has allowed it.
    pub person: PersonId,
    /// What the program calls itself.
    pub client: String,
    /// Where the browser was sent with the code.
    pub redirect: String,
    /// The PKCE challenge.
    pub challenge: String,
    /// What is allowed, in the caller's words.
    pub scopes: String,
    /// Since when.
    pub created: Moment,
    /// Until when the code can be exchanged.
    pub expires: Moment,
}

/// The answer to a code.
///
/// ```
/// use touchmove_store::{Digest, Redemption};
///
/// assert_ne!(Redemption::Unknown, Redemption::Replayed { token: Digest([1; 32]) });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Redemption {
    /// It came for the first time and in time: this is what it stands for.
    First(Grant),
    /// It came before, for this token. From now on the store knows that it was replayed.
    Replayed {
        /// The hash of the token that was given for it.
        token: Digest,
    },
    /// There is no such code, or it came too late.
    Unknown,
}
