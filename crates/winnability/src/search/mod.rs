//! Where to look first: guesses how near a win is, and quick searches for lines that win. Nothing here
//! proves anything, and no verdict is made here.
//!
//! A mistake in this folder costs time, or leaves a question undecided. It cannot make a verdict wrong:
//! the lines found here are replayed in [`proof::forced`](crate::proof::forced_line) before anybody sees
//! them, and the closure visits the same positions whatever order it is told to visit them in.

pub(crate) mod atomic_mate_net;
pub(crate) mod attack_queries;
pub(crate) mod best_first;
pub(crate) mod corner_mates;
pub(crate) mod explosion_distance;
pub(crate) mod heuristic;
pub(crate) mod king_distances;
pub(crate) mod king_escort;
pub(crate) mod mate_targets;
pub(crate) mod minor_piece_mates;
pub(crate) mod promotion_paths;
pub(crate) mod stages;
pub(crate) mod structure_visits;
pub(crate) mod win_heuristic;
