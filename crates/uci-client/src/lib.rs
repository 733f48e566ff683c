//! UCI client: starts any UCI engine as a child process, asks it for moves and ends it. Nothing an engine does or fails
//! to do can block or spoil the caller's game.
//!
//! - It runs with its arguments in a process group of its own; its standard error is drained, and output that is not
//!   valid UTF-8 is read all the same.
//! - It is sent only options that it has declared.
//! - Every wait has a timeout: an engine that does not answer is told to stop, and then killed.
//! - A move counts only if the rules crate says that it is legal; everything else is an [`Error`] that quotes what was
//!   sent.
//! - When a [`UciEngine`] is dropped, its processes have been killed and reaped.
//!
//! ```no_run
//! use touchmove_uci_client::{GoLimits, UciTimeouts, UciEngine};
//! use touchmove_rules::{AnyPosition, Variant};
//!
//! let mut rival = UciEngine::start(&"stockfish".parse()?, UciTimeouts::default())?;
//! rival.set("Hash", "16")?;
//! rival.new_game(Variant::Chess)?;
//! let start = AnyPosition::start(Variant::Chess);
//! let thought = rival.search(&start, &[], &GoLimits::nodes(10_000))?;
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
