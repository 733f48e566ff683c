//! Where to look first: guesses how near a win is, and quick searches for lines that win. Nothing here
//! proves anything, and no verdict is made here.
//!
//! A mistake in this folder costs time, or leaves a question undecided. It cannot make a verdict wrong:
//! the lines found here are replayed in [`proof::forced`](crate::proof::forced) before anybody sees
//! them, and the closure visits the same positions whatever order it is told to visit them in.

pub(crate) mod aim;
pub(crate) mod atlas;
pub(crate) mod blast;
pub(crate) mod escort;
pub(crate) mod guide;
pub(crate) mod light;
pub(crate) mod looks;
pub(crate) mod net;
pub(crate) mod picture;
pub(crate) mod probe;
pub(crate) mod promotion;
pub(crate) mod sight;
pub(crate) mod stage;
pub(crate) mod structures;
