//! Opponents from outside: any program that speaks UCI, as a process that is started, asked for moves and
//! ended. Nothing that it does or fails to do can stop or spoil the game of the one who asks.
//!
//! - It is started with its arguments in a process group of its own; what it writes to standard error is
//!   drained, and what is not text is read all the same.
//! - It is told only options that it has declared.
//! - Every wait has an end: whoever does not answer is told to stop, and then made to leave.
//! - A move counts if the rules know it as legal; everything else is a [`Trouble`] that says what was said.
//! - When a [`UciEngine`] is dropped its processes are gone and waited for.
//!
//! ```no_run
//! use touchmove_uci_client::{Go, Patience, UciEngine};
//! use touchmove_rules::{AnyPosition, Variant};
//!
//! let mut rival = UciEngine::start(&"stockfish".parse()?, Patience::default())?;
//! rival.set("HashKey", "16")?;
//! rival.new_game(Variant::Chess)?;
//! let start = AnyPosition::start(Variant::Chess);
//! let thought = rival.think(&start, &[], &Go::nodes(10_000))?;
//! println!("{} plays {}", rival.name(), start.uci(thought.best));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command_line;
mod engine;
mod error;
mod option;
mod process;
mod search;

pub use command_line::{CommandLine, CommandLineError};
pub use engine::{UciEngine, UciTimeouts};
pub use error::Error;
pub use option::{UciOption, UciOptionKind};
pub use search::{GoLimits, UciBestMove, UciScore};
