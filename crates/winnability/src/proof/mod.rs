//! What a verdict rests on: each argument is proved in the comment over its module, and every line is
//! replayed. In which order to look is decided elsewhere.
//!
//! A mistake in this folder can make a verdict wrong, so this is the part to read with distrust. What
//! it takes from [`search`](crate::search) are numbers by which the closure orders its visits, and
//! nothing of the argument hangs on these.

pub(crate) mod closure;
pub(crate) mod exclusions;
pub(crate) mod explosions;
pub(crate) mod forced_line;
pub(crate) mod material;
pub(crate) mod outline;
mod steps;
pub(crate) mod structure;
