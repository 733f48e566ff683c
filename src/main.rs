//! The `touchmove` program: arguments in, answers out. The library crates compute the answers.

mod accounts;
mod arg_parsers;
mod backup;
mod batch_input;
mod bench;
mod board;
mod cli;
mod completions;
mod config;
mod data_dir;
mod engine_match;
mod explain;
mod host;
mod join;
mod judge;
mod library;
mod moves;
mod network;
mod output;
mod perft;
mod pgn;
mod play;
mod position;
mod random;
mod review;
mod rules;
mod seats;
mod serve;
mod show;
mod terminal_ui;
mod terms;
mod uci;
mod winnable;

use std::process::ExitCode;

/// mimalloc, because a server with thousands of games allocates and frees memory all the time.
#[global_allocator]
static GLOBAL_ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(output::report_panic));
    cli::run()
}
