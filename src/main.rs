//! The `touchmove` program: arguments in, answers out. What the answers are is decided in the
//! library crates.

mod arena;
mod backup;
mod bench;
mod board;
mod cli;
mod config;
mod data;
mod explain;
mod host;
mod join;
mod judge;
mod library;
mod lines;
mod luck;
mod means;
mod moves;
mod network;
mod output;
mod people;
mod perft;
mod pgn;
mod play;
mod position;
mod review;
mod rules;
mod screen;
mod seats;
mod serve;
mod shell;
mod show;
mod terms;
mod uci;
mod winnable;

use std::process::ExitCode;

/// A server that plays thousands of games at once gives its memory back and asks for it anew all the time.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(output::report_panic));
    cli::run()
}
