//! Authentication: identities from cookies and bearer tokens, guests, sign-in, cookie names, and revocations.
//!
//! [`identity`] answers who sends a request and what they may do; [`guests`] issues guest secrets; `sign_in` checks
//! passwords within their limits; `revocations` closes the connections of sessions and tokens that have ended.
//! Passwords, tokens and sessions themselves are in the crate `accounts`.
//!
//! What never lives here: handlers and JSON (see [`crate::api`]), the OAuth pages of Lichess's API, rate limits that
//! have nothing to do with signing in. This is domain code: it should know neither axum nor [`crate::api`].

pub(crate) mod cookies;
pub mod guests;
pub mod identity;
pub(crate) mod revocations;
pub(crate) mod sign_in;
