//! The command line of touchmove's peers: how fast and how right touchmove is beside other chess
//! programs. Nothing here ships, and no shipping crate depends on it.

mod diff;
mod faults;
mod mates;
mod micro;
mod native;
mod perft;
mod pgn;
mod stockfish;
mod table;
mod tables;
mod tune;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// touchmove beside other chess programs.
#[derive(Parser)]
#[command(name = "touchmove-peers", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count move trees with every program and print the speeds side by side
    Perft(perft::Arguments),
    /// Time listing, making, reading and writing moves and positions one by one
    Micro(micro::Arguments),
    /// Print every table of speeds, of this build and of one for this machine
    Tables(tables::Arguments),
    /// Compare moves, FEN, SAN, checks and endings with shakmaty over random positions
    Diff(diff::Arguments),
    /// Replay and audit files of games and print the speeds side by side
    Pgn(pgn::Arguments),
    /// Compare which damaged FENs are refused with shakmaty
    Faults(faults::Arguments),
    /// Make positions with a win in three moves, proved by trying everything
    Mates(mates::Arguments),
    /// Fit the weights of the engine's evaluation to results of its games
    Tune(tune::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Micro(arguments) => micro::run(&arguments),
        Command::Tables(arguments) => tables::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Pgn(arguments) => pgn::run(&arguments),
        Command::Faults(arguments) => faults::run(&arguments),
        Command::Mates(arguments) => mates::run(&arguments),
        Command::Tune(arguments) => tune::run(&arguments),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
