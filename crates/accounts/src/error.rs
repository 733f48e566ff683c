//! Why somebody is not let in, or something is not done. Every sentence is for whoever asked, and none
//! tells an outsider more than he knew.

use thiserror::Error;

use crate::name::NameError;
use crate::password::PasswordError;
use crate::secret::RandomError;

/// Why something was not done.
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
    /// It is no name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// It is no password.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Somebody has this name, or one that looks like it.
    #[error("the name {name} is taken, or looks like one that is: choose another one")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Nobody has this name.
    #[error("there is nobody with the name {name}")]
    Nobody {
        /// The name as it was asked for, cut off after a few characters.
        name: String,
    },
    /// The name or the password is wrong; which of them is not told.
    #[error("the name or the password is wrong")]
    Wrong,
    /// The account is closed.
    #[error("the account {name} is closed")]
    Disabled {
        /// The name.
        name: String,
    },
    /// The person has as many tokens as anybody may have.
    #[error("{name} has {limit} tokens, and nobody has more: revoke one first")]
    TooManyTokens {
        /// The name.
        name: String,
        /// The most.
        limit: usize,
    },
    /// The label of a token cannot be printed, or is too long.
    #[error("the label of a token has at most {limit} bytes, all of them printable")]
    Label {
        /// The most bytes.
        limit: usize,
    },
    /// No token begins like this, or several do.
    #[error(
        "{found} tokens of {name} begin with {handle:?}: it takes the beginning of one, at least 4 characters"
    )]
    Handle {
        /// The name.
        name: String,
        /// What was asked for, cut off after a few characters.
        handle: String,
        /// How many there are.
        found: usize,
    },
    /// There was no chance to be had.
    #[error(transparent)]
    NoChance(#[from] RandomError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] touchmove_store::Error),
}
