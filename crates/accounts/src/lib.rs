//! Who plays on a chess server: names that cannot be mistaken for others, passwords, sessions of browsers
//! and tokens of programs. What they may do with a game is not decided here, and where everything is kept
//! is the business of [`touchmove_store`].
//!
//! - A [`Name`] is printable, bounded, and unique by what it looks like.
//! - A [`Secret`] is drawn from the operating system's source of chance and shown once; its hash is kept.
//! - [`Accounts`] puts them together: who signs in, who shows a cookie, who shows a token.
//!
//! ```
//! use touchmove_accounts::{Name, Secret};
//!
//! let anna = Name::account("Anna")?;
//! assert_eq!(anna.skeleton(), Name::guest("АNNА")?.skeleton());
//! assert_eq!(format!("{:?}", Secret::token()?), "Secret(..)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accounts;
mod error;
mod guessable;
mod name;
pub mod password;
mod scope;
mod secret;

pub use accounts::{
    Accounts, SESSION_LIFETIME_MS, SessionUser, TOKEN_LIFETIME, TokenUser, token_handle,
};
pub use error::Error;
pub use name::{Name, NameError};
pub use scope::{ParseScopeError, Scope, Scopes};
pub use secret::{RandomError, Secret, new_id};
