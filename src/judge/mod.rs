//! `touchmove judge`: everything an arbiter can say about a position and the moves that led to it, or
//! about the journal of a game.

mod journal;

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::Result;
use touchmove_game::Verdict;
use touchmove_rules::{AnyPosition, Color};

use crate::cli::Answer;
use crate::position::{PositionArgs, illegal, warn};
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
    let (verdict, warnings, error) = match AnyPosition::from_setup(&setup, variant) {
        Ok(start) => {
            let terms = args.laws.terms(start);
            let verdict = Verdict::of(terms, &args.position.words(), args.flagged);
            let error = verdict
                .faults
                .first()
                .map(|fault| format!("--moves, {fault}"));
            (verdict, warn(&setup, variant), error)
        }
        Err(faults) => {
            let verdict = Verdict::of_illegal(variant, &setup, &faults);
            (verdict, Vec::new(), Some(illegal(faults).to_string()))
        }
    };
    let mut out = io::stdout().lock();
    if args.json {
        let mut answer = serde_json::to_value(&verdict)?;
        answer["warnings"] = warnings.into();
        if let Some(error) = error {
            answer["error"] = error.into();
        }
        writeln!(out, "{answer}")?;
    } else {
        write!(out, "{}", verdict.report())?;
    }
    Ok(if verdict.valid {
        Answer::Yes
    } else {
        Answer::No
    })
}
