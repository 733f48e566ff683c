//! `touchmove judge`: everything an arbiter can say about a position and the moves that led to it.

use std::io::{self, Write as _};

use anyhow::Result;
use touchmove_game::Verdict;
use touchmove_rules::{AnyPosition, Color};

use crate::cli::Answer;
use crate::position::PositionArgs;
use crate::terms::LawArgs;

/// Judge a position: is it legal, is it over, who has won, what may be claimed, and why.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove judge --moves \"f3 e5 g4 Qh4\"
  touchmove judge --fen \"8/8/8/3k4/8/3KQ3/8/8 w - - 0 1\" --flagged white
  touchmove judge --draws claim --moves \"Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8\" --json")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    laws: LawArgs,

    /// The flag of this player falls now: white or black.
    #[arg(long, value_name = "COLOR")]
    flagged: Option<Color>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Judges; the answer is no if the position or one of the moves is illegal.
pub fn run(args: &Args) -> Result<Answer> {
    let setup = args.position.setup()?;
    let variant = args.position.variant;
    let verdict = match AnyPosition::from_setup(&setup, variant) {
        Ok(start) => Verdict::of(args.laws.terms(start), &args.position.words(), args.flagged),
        Err(faults) => Verdict::of_illegal(variant, &setup, &faults),
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&verdict)?)?;
    } else {
        write!(out, "{}", verdict.report())?;
    }
    Ok(if verdict.valid {
        Answer::Yes
    } else {
        Answer::No
    })
}
