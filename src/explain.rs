//! `touchmove explain`: the verdict on a move, with the evidence on the board and the checklist of conditions. The
//! law book decides, the arbiter crate asks it; this file prints the answer.

use std::io::{self, Write};

use anyhow::Result;
use touchmove_arbiter::MoveExplanation;
use touchmove_diagram::{Diagram, PieceStyle, TextStyle};
use touchmove_rules::{Explanation, Outcome};

use crate::cli::AnswerStatus;
use crate::output;
use crate::position::PositionArgs;

/// Say why a move is legal or not: what it does, or the law that it breaks and what proves it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove explain e2e5
  touchmove explain O-O --moves \"e4 e5 Nf3 Nc6 Bc4 Bc5\"
  touchmove explain exd6 --moves \"e4 a6 e5 d5 h3 h6\"
  touchmove explain Kxd5 --variant atomic --fen \"4k3/8/8/3p4/3K4/8/8/8 w - - 0 1\" --json

Exit codes: 0 the move is legal, 1 it is not, 2 could not be answered.")]
pub struct Args {
    /// The move as you would type it: e2e4, e2 e4, Nf3, exd5, O-O, e8=Q.
    #[arg(value_name = "MOVE", required = true, num_args = 1.., allow_hyphen_values = false)]
    words: Vec<String>,

    #[command(flatten)]
    position: PositionArgs,

    /// Letters instead of figurines, and no other signs beyond ASCII.
    #[arg(long)]
    ascii: bool,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Prints the verdict; the answer is whether the move is legal.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let report = MoveExplanation::new(args.position.line()?, args.words.join(" "));
    let mut out = output::answer(args.json);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report.report())?)?;
    } else {
        print(&report, &mut out, args.ascii)?;
    }
    Ok(match report.answer {
        Ok(_) => AnswerStatus::Yes,
        Err(_) => AnswerStatus::No,
    })
}

fn print(report: &MoveExplanation, out: &mut impl Write, ascii: bool) -> io::Result<()> {
    writeln!(out, "{}", report.sentence())?;
    print_ending(report, out)?;
    writeln!(out)?;
    let men = match ascii {
        true => PieceStyle::Letters,
        false => PieceStyle::Figurines,
    };
    let style = TextStyle {
        men,
        ..TextStyle::default()
    };
    let mut diagram = Diagram::new(report.line.position.board()).marks(report.evidence());
    if let Some(attempt) = report.attempt() {
        diagram = diagram.last_move(attempt.from, attempt.to);
    }
    writeln!(out, "{}", diagram.text(style))?;
    print_checklist(report, out, ascii)?;
    let rest: Vec<_> = report
        .explanation
        .iter()
        .flat_map(Explanation::broken)
        .skip(1)
        .collect();
    for illegal in rest {
        writeln!(out, "Also, {illegal}.")?;
    }
    let suggestions = report.suggestions();
    if !suggestions.is_empty() {
        writeln!(out, "Did you mean {}?", suggestions.join(" or "))?;
    }
    Ok(())
}

/// Prints that the position has ended the game, in which case no move is legal.
fn print_ending(report: &MoveExplanation, out: &mut impl Write) -> io::Result<()> {
    match report.line.position.outcome() {
        Some(Outcome::Checkmate { winner }) => {
            writeln!(out, "The game is over: {winner} has given checkmate.")
        }
        Some(Outcome::Stalemate) => {
            writeln!(
                out,
                "The game is over: {} is stalemated.",
                report.line.position.turn()
            )
        }
        Some(Outcome::KingExploded { .. }) | None => Ok(()),
    }
}

fn print_checklist(report: &MoveExplanation, out: &mut impl Write, ascii: bool) -> io::Result<()> {
    let checklist = report.checklist();
    if checklist.is_empty() {
        return Ok(());
    }
    let kind = report.explanation.as_ref().and_then(|found| found.kind());
    let title = kind.map_or("Any move".to_owned(), |kind| kind.to_string());
    writeln!(out, "\n{title} needs:")?;
    let first = checklist.iter().position(|check| !check.holds());
    for (index, check) in checklist.iter().enumerate() {
        let sign = match (check.holds(), ascii) {
            (true, false) => "✓",
            (false, false) => "✗",
            (true, true) => "yes",
            (false, true) => "NO ",
        };
        let arrow = match first == Some(index) {
            true => "   <- broken",
            false => "",
        };
        let (text, source) = (check.condition.text(), check.source);
        writeln!(out, "  {sign} {text} ({source}){arrow}")?;
    }
    Ok(())
}
