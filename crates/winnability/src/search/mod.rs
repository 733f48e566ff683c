//! The order of the search: heuristics for how near a win is, and quick searches for winning lines. Nothing here proves
//! anything, and no result is decided here.
//!
//! A mistake in this folder costs time, or leaves a question undecided. It cannot make a result wrong: the lines found
//! here are replayed in [`proof::forced_line`](crate::proof::forced_line), and the closure visits the same positions in
//! any order.

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
