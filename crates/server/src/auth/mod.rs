//! auth

pub(crate) mod cookies;
pub mod guests;
pub mod identity;
pub(crate) mod revocations;
pub(crate) mod sign_in;
