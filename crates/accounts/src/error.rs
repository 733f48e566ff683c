//! Errors of accounts. Each message is for the user, and tells an outsider nothing new.

use thiserror::Error;

use crate::name::NameError;
use crate::password::PasswordError;
use crate::secret::RandomError;

/// Why an operation on accounts failed.
///
/// ```
/// use touchmove_accounts::Error;
///
/// let error = Error::NameTaken { name: "Anna".to_owned() };
/// assert_eq!(error.to_string(), "the name Anna is taken, or looks like one that is: choose another one");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The name is invalid.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The password is refused.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// An account has this name, or one that looks like it.
    #[error("the name {name} is taken, or looks like one that is: choose another one")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// No account has this name.
    #[error("there is nobody with the name {name}")]
    Nobody {
        /// The name as it was asked for, truncated.
        name: String,
    },
    /// The name or the password is wrong; the message does not say which.
    #[error("the name or the password is wrong")]
    Wrong,
    /// The account is closed.
    #[error("the account {name} is closed")]
    Disabled {
        /// The name.
        name: String,
    },
    /// The account has the most tokens allowed.
    #[error("{name} has {limit} tokens, and nobody has more: revoke one first")]
    TooManyTokens {
        /// The name.
        name: String,
        /// The limit.
        limit: usize,
    },
    /// The label of a token is not printable, or too long.
    #[error("the label of a token has at most {limit} bytes, all of them printable")]
    Label {
        /// The most bytes.
        limit: usize,
    },
    /// No token has a handle that begins like this, or several do.
    #[error(
        "{found} tokens of {name} begin with {handle:?}: it takes the beginning of one, at least 4 characters"
    )]
    Handle {
        /// The name.
        name: String,
        /// The beginning that was asked for, truncated.
        handle: String,
        /// How many tokens match.
        found: usize,
    },
    /// The operating system gave no random bytes.
    #[error(transparent)]
    NoChance(#[from] RandomError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] touchmove_store::Error),
}
