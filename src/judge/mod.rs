//! `touchmove judge`: everything an arbiter can say about a position and the moves that led to it, about the
//! positions of a file, or about the journal of a game.

mod journal;

use std::io::{self, IsTerminal as _, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use touchmove_arbiter::{GrantedBudget, JudgeReport, warnings};
use touchmove_rules::{AnyPosition, Color, Fen, Setup};
use touchmove_tui::plain;

use crate::arg_parsers;
use crate::batch_input;
use crate::batch_input::BatchLine;
use crate::cli::{AnswerStatus, AnswerStatuses};
use crate::output;
use crate::perft::progress;
use crate::position::{PositionArgs, warn};
use crate::terminal_ui;
use crate::terms::LawArgs;
use crate::winnable::Query;

/// Judge a position: is it legal, is it over, who has won, what may be claimed, and why.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove judge --moves \"f3 e5 g4 Qh4\"
  touchmove judge --start 0 --moves \"f3 f6\"
  touchmove judge --fen \"8/8/8/3k4/8/3KQ3/8/8 w - - 0 1\" --flagged white
  touchmove judge --draws claim --moves \"Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8\" --json
  touchmove judge --file positions.txt --budget 5s --threads 2
  touchmove judge --journal game.jsonl     would all of it be decided so today?

Exit codes: 0 judged, 1 the position or a move is illegal, 2 something was not decided in time.")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    laws: LawArgs,

    /// The flag of this player falls now: white or black.
    #[arg(long, value_name = "COLOR")]
    flagged: Option<Color>,

    /// How long to look whether somebody can still win: 500ms, 1s, 2m. For a journal, each look has as
    /// many positions as are usually seen in that time.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = arg_parsers::duration)]
    budget: Duration,

    /// Judge the positions of a file, one on each line as for winnable; - reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "start"])]
    file: Option<PathBuf>,

    /// How many positions of a file to judge at once, and never more than the machine has cores.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,

    /// Judge the journal of a whole game instead (docs/JOURNAL.md); - reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "flagged", "fen", "moves", "start"])]
    journal: Option<PathBuf>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The text before the reason why a game is over.
const GAME_OVER: &str = "Game Over";

/// The most positions that a verdict may keep in memory, as for `winnable`.
const MAX_POSITIONS: u64 = 16_000_000;

/// Judges; the answer is no if the position or one of the moves is illegal, and unanswered if something was not
/// decided.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    if let Some(path) = &args.journal {
        return journal::run(path, args.budget, args.json);
    }
    if let Some(path) = &args.file {
        return judge_file(args, path);
    }
    let setup = args.position.setup()?;
    let report = judge(args, &setup);
    warn(&report.warnings);
    let mut out = output::answer(args.json).allow(plain::RED_GAME_OVER);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        let mut text = report.verdict.report();
        // Printed for interactive users as at the end of a game [004-5].
        let verdict = &report.verdict;
        let is_told = verdict.explanation.starts_with(GAME_OVER);
        if io::stdout().is_terminal() && verdict.result != "*" && !is_told {
            let at = text.len() - verdict.explanation.len() - 1;
            text.insert_str(at, &format!("{GAME_OVER}: "));
        }
        write!(out, "{}", plain::redden(&text, terminal_ui::has_color()))?;
    }
    Ok(answer(&report))
}

fn judge(args: &Args, setup: &Setup) -> JudgeReport {
    let variant = args.position.variant();
    let begin = Instant::now();
    match AnyPosition::from_setup(setup, variant) {
        Ok(start) => JudgeReport::of(
            (GrantedBudget::new(MAX_POSITIONS, args.budget), &|| {
                begin.elapsed()
            }),
            args.laws.terms(start),
            ("--moves", &args.position.words()),
            args.flagged,
            warnings(setup, variant),
        ),
        Err(faults) => JudgeReport::of_illegal(variant, setup, faults),
    }
}

const fn answer(report: &JudgeReport) -> AnswerStatus {
    match (report.verdict.valid, report.verdict.proved) {
        (false, _) => AnswerStatus::No,
        (true, false) => AnswerStatus::Unanswered,
        (true, true) => AnswerStatus::Yes,
    }
}

/// Prints a line for each position of a file: the position and its verdict, or a JSON object.
fn judge_file(args: &Args, path: &Path) -> Result<AnswerStatus> {
    let lines = batch_input::read(path, setup)?;
    let bar = progress(
        lines.len() as u64,
        "{bar:30} {pos}/{len} positions, {eta} left",
    );
    let mut out = io::BufWriter::new(output::answer(args.json));
    let mut answers = AnswerStatuses::default();
    let judged = |line: &BatchLine<Setup>| -> Result<JudgeReport> {
        let setup = line.held.as_ref().map_err(batch_input::repeated)?;
        Ok(judge(args, setup))
    };
    let threads = arg_parsers::threads(args.threads);
    batch_input::answer(&lines, threads, &mut out, judged, |out, line, report| {
        bar.inc(1);
        let report = match report {
            Ok(report) => report,
            Err(error) => {
                let json = args.json.then_some(&mut *out);
                batch_input::print_error(path, line.number, &error, json, &mut answers)?;
                return Ok(());
            }
        };
        answers.add(answer(&report));
        let verdict = &report.verdict;
        if !verdict.valid {
            batch_input::print_warning(path, line.number, &verdict.explanation);
        }
        if args.json {
            writeln!(out, "{}", serde_json::to_string(&report)?)?;
        } else {
            writeln!(out, "{}: {}", verdict.fen, verdict.explanation)?;
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(answers.all())
}

/// The setup of a line without its label; `None` for a comment.
fn setup(line: &str) -> Option<Result<Setup>> {
    let query = Query::read(line)?;
    Some(query.and_then(|query| Ok(Fen::read_short(&query.fen)?.0)))
}
