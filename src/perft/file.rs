//! Files of positions with known counts: `FEN ;D1 n ;D2 n … # remark`, one position a line.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use rayon::prelude::*;
use serde_json::json;
use touchmove_rules::{AnyPosition, Fen, Variant};

use super::{Args, progress};
use crate::cli::Answer;
use crate::position::illegal;

/// One line of a file. Published counts are about unreachable positions too, so nobody is warned.
struct Entry {
    line: usize,
    fen: String,
    position: AnyPosition,
    counts: Vec<(u32, u64)>,
}

/// A count that is not what the file says.
struct Mismatch {
    line: usize,
    fen: String,
    depth: u32,
    expected: u64,
    found: u64,
}

/// Checks every count up to the limit.
pub fn check(args: &Args, path: &Path) -> Result<Answer> {
    let text = read(path)?;
    let entries = parse(&text, args.position.variant(), args.max_nodes)
        .with_context(|| path.display().to_string())?;
    let counter = args.counter()?;
    let total: u64 = entries
        .iter()
        .flat_map(|entry| &entry.counts)
        .map(|&(_, n)| n)
        .sum();
    let checked: usize = entries.iter().map(|entry| entry.counts.len()).sum();
    let bar = progress(
        total,
        "{bar:30} {percent:>3} % of {len} nodes  {elapsed_precise}, {eta} left",
    );
    let wrong: Vec<Mismatch> = entries
        .par_iter()
        .flat_map_iter(|entry| {
            entry.counts.iter().filter_map(|&(depth, expected)| {
                let found = counter.count(&entry.position, depth);
                bar.inc(expected);
                let (line, fen) = (entry.line, entry.fen.clone());
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
    let mut out = io::stdout().lock();
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
        let answer = json!({ "checked": checked, "wrong": wrong.len(), "mismatches": mismatches });
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
    Ok(if wrong.is_empty() {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn read(path: &Path) -> Result<String> {
    let mut text = String::new();
    if path.as_os_str() == "-" {
        io::stdin()
            .read_to_string(&mut text)
            .context("cannot read standard input")?;
    } else {
        text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(text)
}

fn parse(text: &str, variant: Variant, max_nodes: u64) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for (index, full) in text.lines().enumerate() {
        let line = full.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let number = index + 1;
        entries.push(
            entry(number, line, variant, max_nodes).with_context(|| format!("line {number}"))?,
        );
    }
    ensure!(!entries.is_empty(), "there is no line `FEN ;D1 n …` in it");
    Ok(entries)
}

fn entry(line: usize, text: &str, variant: Variant, max_nodes: u64) -> Result<Entry> {
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
        let nodes: u64 = nodes
            .trim()
            .parse()
            .with_context(|| format!("{nodes:?} is not a count"))?;
        if nodes <= max_nodes {
            counts.push((depth, nodes));
        }
    }
    Ok(Entry {
        line,
        fen: fen.into(),
        position,
        counts,
    })
}
