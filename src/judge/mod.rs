//! `touchmove judge`: everything an arbiter can say about a position and the moves that led to it, or
//! about the journal of a game.

mod journal;

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::Result;
use touchmove_desk::{JudgeReport, warnings};
use touchmove_game::Budget;
use touchmove_rules::{AnyPosition, Color};

use crate::cli::Answer;
use crate::position::{PositionArgs, warn};
use crate::terms::LawArgs;

/// Judge a position: is it legal, is it over, who has won, what may be claimed, and why.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove judge --moves \"f3 e5 g4 Qh4\"
  touchmove judge --start 0 --moves \"f3 f6\"
  touchmove judge --fen \"8/8/8/3k4/8/3KQ3/8/8 w - - 0 1\" --flagged white
  touchmove judge --draws claim --moves \"Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8\" --json
  touchmove judge --journal game.jsonl     would all of it be decided so today?")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    laws: LawArgs,

    /// The flag of this player falls now: white or black.
    #[arg(long, value_name = "COLOR")]
    flagged: Option<Color>,

    /// Judge the journal of a whole game instead (docs/JOURNAL.md); - reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["flagged", "fen", "moves", "start"])]
    journal: Option<PathBuf>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Judges; the answer is no if the position or one of the moves is illegal.
pub fn run(args: &Args) -> Result<Answer> {
    if let Some(path) = &args.journal {
        return journal::run(path, args.json);
    }
    let setup = args.position.setup()?;
    let variant = args.position.variant();
    let report = match AnyPosition::from_setup(&setup, variant) {
        Ok(start) => JudgeReport::of(
            Budget::default().into(),
            args.laws.terms(start),
            ("--moves", &args.position.words()),
            args.flagged,
            warnings(&setup, variant),
        ),
        Err(faults) => JudgeReport::of_illegal(variant, &setup, faults),
    };
    warn(&report.warnings);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        write!(out, "{}", report.verdict.report())?;
    }
    Ok(if report.verdict.valid {
        Answer::Yes
    } else {
        Answer::No
    })
}
