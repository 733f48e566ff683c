//! `touchmove pgn`: what can be done with files of games. Each subcommand has a file of its own;
//! reading and judging games is the library's work.

mod check;
mod fmt;
mod show;
mod source;
mod stats;

use anyhow::Result;

use crate::cli::Answer;

/// Check, count, rewrite and show games in PGN.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove pgn check games.pgn
  touchmove pgn stats games.pgn.zst
  touchmove pgn fmt games.pgn > clean.pgn
  touchmove pgn show games.pgn --game 2 --ply 20")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Check(check::Args),
    Stats(stats::Args),
    Fmt(fmt::Args),
    Show(show::Args),
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<Answer> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Show(args) => show::run(args),
    }
}
