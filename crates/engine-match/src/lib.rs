//! Matches between engines under one arbiter: the built-in opponent at any of its levels, and any UCI engine, in every
//! variant. Each opening is played with both colours, limits are nodes and not seconds, and the result comes with error
//! bars.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use touchmove_engine_match::{Contender, EngineMatch, run};
//! use touchmove_rules::Variant;
//!
//! let terms = EngineMatch { games: 2, nodes: 50, ..EngineMatch::new(Variant::Atomic) };
//! let players = ["level:casual", "random"].map(|text| Contender::read(text, &terms).unwrap());
//! let mut count = 0;
//! let is_over = AtomicBool::new(false);
//! let tally = run(&players, &terms, &is_over, &mut |_played, _tally| count += 1).unwrap();
//! assert_eq!((count, tally.games()), (2, 2));
//! ```

mod contender;
mod engine_match;
mod greedy;
mod opening;
mod play_game;
mod random;
mod score;

pub use contender::{Contender, MatchPlayer, ParseContenderError, PlayerView};
pub use engine_match::{EngineMatch, run};
pub use greedy::greedy;
pub use opening::opening;
pub use play_game::FinishedGame;
pub use random::SplitMix64;
pub use score::{MatchScore, Sprt, SprtResult};
