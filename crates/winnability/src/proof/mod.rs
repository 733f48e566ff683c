//! The proofs that results rest on: each argument is proved in the comment of its module, and every line is replayed.
//! The order of the search is decided elsewhere.
//!
//! A mistake in this folder can make a result wrong, so review this part most carefully. From [`search`](crate::search)
//! it takes only numbers that order the visits of the closure; no argument depends on them.

pub(crate) mod closure;
pub(crate) mod exclusions;
pub(crate) mod explosions;
pub(crate) mod forced_line;
pub(crate) mod material;
pub(crate) mod outline;
mod steps;
pub(crate) mod structure;
