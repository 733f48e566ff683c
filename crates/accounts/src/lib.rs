//! Accounts of a chess server: names that cannot be mistaken for others, passwords, sessions of browsers and
//! tokens of programs. Everything is stored through [`touchmove_store`]; what an account may do with a game is
//! decided elsewhere.
//!
//! - A [`Name`] is printable and bounded; its skeleton is equal for names that look alike.
//! - A [`Secret`] is random, from the operating system, and shown once; only its hash is stored.
//! - [`Accounts`] puts them together: registration, sign-in, and authentication by cookie or token.
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
