//! Files of positions with known perft counts: `FEN ;D1 n ;D2 n … # comment`, one position a line.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use rayon::prelude::*;
use serde_json::json;
use touchmove_rules::{AnyPosition, Fen, Variant};

use crate::batch_input;
use crate::batch_input::BatchLine;
use crate::cli::{AnswerStatus, AnswerStatuses};
use crate::output;
use crate::perft::{Args, MAX_DEPTH, progress};
use crate::position::illegal;

/// One line of a file. Published counts cover unreachable positions too, so there are no warnings.
struct PerftLine {
    fen: String,
    position: AnyPosition,
    counts: Vec<(u32, u64)>,
}

/// A count that differs from the file's.
struct Mismatch {
    line: usize,
    fen: String,
    depth: u32,
    expected: u64,
    found: u64,
}

/// Checks every count up to the limit. Lines that cannot be parsed are reported, and the others are checked.
pub fn check(args: &Args, path: &Path) -> Result<AnswerStatus> {
    let lines = batch_input::read(path, |line| entry(line, args))?;
    let counter = args.counter()?;
    let mut answers = AnswerStatuses::default();
    let mut complaints = Vec::new();
    let mut entries = Vec::new();
    for BatchLine { number, held } in lines {
        match held {
            Ok(entry) => entries.push((number, entry)),
            Err(error) => {
                complaints.push(batch_input::complaint(number, &error));
                batch_input::print_error(path, number, &error, NO_JSON_TEXT, &mut answers)?;
            }
        }
    }
    let counts = || entries.iter().flat_map(|(_, entry)| &entry.counts);
    let total: u64 = counts().map(|&(_, n)| n).sum();
    let checked = counts().count();
    let bar = progress(
        total,
        "{bar:30} {percent:>3} % of {len} nodes  {elapsed_precise}, {eta} left",
    );
    let wrong: Vec<Mismatch> = entries
        .par_iter()
        .flat_map_iter(|(line, entry)| {
            entry.counts.iter().filter_map(|&(depth, expected)| {
                let found = counter.count(&entry.position, depth);
                bar.inc(expected);
                let (line, fen) = (*line, entry.fen.clone());
                (found != expected).then_some(Mismatch {
                    line,
                    fen,
                    depth,
                    expected,
                    found,
                })
            })
        })
        .collect();
    bar.finish_and_clear();
    let mut out = output::answer(args.json);
    if args.json {
        let mismatches: Vec<_> = wrong
            .iter()
            .map(|m| {
                json!({
                    "line": m.line, "fen": m.fen, "depth": m.depth,
                    "expected": m.expected, "found": m.found,
                })
            })
            .collect();
        let mut answer =
            json!({ "checked": checked, "wrong": wrong.len(), "mismatches": mismatches });
        if !complaints.is_empty() {
            answer["errors"] = complaints.into();
        }
        writeln!(out, "{answer}")?;
    } else {
        for Mismatch {
            line,
            fen,
            depth,
            expected,
            found,
        } in &wrong
        {
            writeln!(
                out,
                "line {line}: depth {depth}: expected {expected}, found {found}: {fen}"
            )?;
        }
        writeln!(out, "{checked} checked, {} wrong", wrong.len())?;
    }
    if !wrong.is_empty() {
        answers.add(AnswerStatus::No);
    }
    Ok(answers.all())
}

/// Errors are part of the one JSON object that is printed.
const NO_JSON_TEXT: Option<&mut io::Empty> = None;

/// Parses a line; `None` for an empty line or a comment.
fn entry(line: &str, args: &Args) -> Option<Result<PerftLine>> {
    let line = line.split('#').next().unwrap_or_default().trim();
    (!line.is_empty()).then(|| parse(line, args.position.variant(), args.max_nodes))
}

fn parse(text: &str, variant: Variant, max_nodes: u64) -> Result<PerftLine> {
    let mut parts = text.split(';').map(str::trim);
    let fen = parts.next().unwrap_or_default();
    let setup = Fen::read_short(fen)?.0;
    let position = AnyPosition::from_setup(&setup, variant).map_err(illegal)?;
    let mut counts = Vec::new();
    for part in parts {
        let pair = part.strip_prefix('D').and_then(|rest| rest.split_once(' '));
        let Some((depth, nodes)) = pair else {
            bail!("found {part:?}, expected a depth and its count, such as D3 8902");
        };
        let depth: u32 = depth
            .parse()
            .with_context(|| format!("{depth:?} is not a depth"))?;
        if i64::from(depth) > MAX_DEPTH {
            bail!("a depth of {depth} is more than the {MAX_DEPTH} plies that are counted");
        }
        let nodes: u64 = nodes
            .trim()
            .parse()
            .with_context(|| format!("{nodes:?} is not a count"))?;
        if nodes <= max_nodes {
            counts.push((depth, nodes));
        }
    }
    Ok(PerftLine {
        fen: fen.into(),
        position,
        counts,
    })
}
