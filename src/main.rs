//! The `touchmove` program: arguments in, answers out. What the answers are is decided in the
//! library crates.

mod cli;
mod moves;
mod perft;
mod position;
mod show;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
