//! `touchmove pgn`: tools for files of games. Each subcommand has a file of its own; the pgn crate reads and checks
//! games.

mod check;
mod fmt;
mod show;
pub mod source;
mod stats;

use anyhow::Result;
use touchmove_pgn::DeadPositions;

use crate::cli::AnswerStatus;

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

/// How dead positions are looked for.
#[derive(clap::Args)]
struct DeadPositionArgs {
    /// Look for dead positions, and for wins of sides that cannot win: exact, material or off.
    ///
    /// A game is over when neither side can win any more by any series of legal moves. `exact` proves
    /// that, with one question for each game, so it also finds walls of pawns and forced lines; it is
    /// the default because that is what the Laws ask, and a core still judges ten thousand games of
    /// chess in a second. `material` only counts the men and is three times as fast. `off` does not ask.
    #[arg(long = "dead", value_name = "HOW", default_value = "exact")]
    depth: DeadPositions,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Show(args) => show::run(args),
    }
}
