//! `touchmove pgn check`: replays every game and prints what is wrong with it.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde_json::{Map, json};
use touchmove_pgn::{AuditReport, AuditTotals, Finding, FindingCode, Severity, audit_stream};
use touchmove_text::display_path;

use crate::cli::{AnswerStatus, AnswerStatuses};
use crate::output;
use crate::pgn::{DeadPositionArgs, source};

/// Replay every game under the laws and say what is wrong: illegal moves, results that contradict
/// the position, moves after the end, contradictions in the tags, impossible clocks.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove pgn check games.pgn
  touchmove pgn check lichess.pgn.zst --only illegal_move --max-findings 20
  zcat games.pgn.gz | touchmove pgn check - --json

Exit codes: 0 no error was found, 1 errors were found, 2 a file could not be read.")]
pub struct Args {
    /// Files of games, plain or compressed by zstd, gzip or bzip2; - is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print one JSON object for each finding, and one for the summary at the end.
    #[arg(long)]
    json: bool,

    /// Report findings with this code only; may be given several times.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    only: Vec<FindingCode>,

    #[command(flatten)]
    dead: DeadPositionArgs,

    /// Print no more than so many findings; all are counted.
    #[arg(long, value_name = "N")]
    max_findings: Option<usize>,

    /// Use so many threads; otherwise one for each core.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Checks the files one after the other and prints the summary.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let begun = Instant::now();
    let mut template = AuditReport::default().dead_positions(args.dead.depth);
    if !args.only.is_empty() {
        template = template.only(args.only.clone());
    }
    if let Some(most) = args.max_findings {
        template = template.at_most(most);
    }
    let mut printer = Printer {
        out: io::BufWriter::new(output::answer(args.json)),
        is_json: args.json,
        names_files: args.files.len() > 1,
        room: args.max_findings.unwrap_or(usize::MAX),
    };
    let mut totals = AuditTotals::default();
    let mut answers = AnswerStatuses::default();
    for file in &args.files {
        let source = match source::open(file) {
            Ok(source) => source,
            // The other files are still checked.
            Err(error) if args.files.len() > 1 => {
                output::complain(&format!("{error:#}"));
                answers.add(AnswerStatus::Unanswered);
                continue;
            }
            Err(error) => return Err(error),
        };
        let threads = source::threads(args.threads);
        let progress = source.progress.clone();
        audit_stream(source.bytes, threads, &template, |part| {
            totals.merge(&part.totals);
            progress.set_message(format!("{} games", totals.games));
            progress.suspend(|| printer.print(file, &part.findings))
        })
        .with_context(|| format!("cannot read {}", display_path(file)))?;
        progress.finish_and_clear();
    }
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        writeln!(printer.out, "{}", json_summary(&totals, seconds))?;
    } else {
        write!(printer.out, "{}", summary(&totals, seconds))?;
    }
    printer.out.flush()?;
    if totals.count(Severity::Error) > 0 {
        answers.add(AnswerStatus::No);
    }
    Ok(answers.all())
}

struct Printer<W> {
    out: W,
    is_json: bool,
    names_files: bool,
    /// How many findings may still be printed.
    room: usize,
}

impl<W: Write> Printer<W> {
    fn print(&mut self, file: &Path, findings: &[Finding]) -> io::Result<()> {
        let printed = findings.len().min(self.room);
        self.room -= printed;
        for finding in &findings[..printed] {
            if self.is_json {
                writeln!(self.out, "{}", to_json(file, finding))?;
            } else if self.names_files {
                writeln!(self.out, "{}: {finding}", display_path(file))?;
            } else {
                writeln!(self.out, "{finding}")?;
            }
        }
        Ok(())
    }
}

fn to_json(file: &Path, finding: &Finding) -> serde_json::Value {
    json!({
        "file": file.to_string_lossy(),
        "game": finding.game,
        "offset": finding.offset,
        "line": finding.line,
        "ply": finding.ply,
        "code": finding.code.as_str(),
        "severity": finding.severity.as_str(),
        "text": finding.message,
    })
}

fn json_summary(totals: &AuditTotals, seconds: f64) -> serde_json::Value {
    let codes: Map<_, _> = totals
        .codes()
        .into_iter()
        .map(|(code, count)| (code.as_str().to_owned(), count.into()))
        .collect();
    json!({
        "summary": true,
        "games": totals.games,
        "plies": totals.plies,
        "errors": totals.count(Severity::Error),
        "warnings": totals.count(Severity::Warning),
        "infos": totals.count(Severity::Info),
        "codes": codes,
        "seconds": seconds,
    })
}

/// The summary as a table for people.
fn summary(totals: &AuditTotals, seconds: f64) -> String {
    let rows = [
        ("games", totals.games),
        ("plies", totals.plies),
        ("errors", totals.count(Severity::Error)),
        ("warnings", totals.count(Severity::Warning)),
        ("infos", totals.count(Severity::Info)),
    ];
    let mut table = String::new();
    for (name, count) in rows {
        table += &format!("{name:<28} {count:>12}\n");
    }
    for (code, count) in totals.codes() {
        table += &format!("  {code:<26} {count:>12}  {}\n", code.severity());
    }
    table + &format!("{:<28} {seconds:>12.2}\n", "seconds")
}
