//! `touchmove perft`: counts the move sequences of a length, for one position or for a file of positions with known
//! counts.

mod file;
mod table;

use std::io::{self, IsTerminal as _, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use serde_json::json;
use touchmove_rules::{AnyPosition, Move};

use crate::arg_parsers;
use crate::cli::AnswerStatus;
use crate::output;
use crate::position::PositionArgs;
use table::PerftCounter;

/// The largest depth: each ply is a call on the stack, and where moves are forced a count ends at any depth.
const MAX_DEPTH: i64 = 64;

/// Count the move sequences of a given length.
///
/// The counts are known for many positions, which makes them a proof of a move generator. With
/// --file, checks every line `FEN ;D1 n ;D2 n …` of a file.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove perft 6
  touchmove perft 5 --divide --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  touchmove perft 6 --variant atomic --threads 2
  touchmove perft 9 --hash 1024
  touchmove perft --file positions.perft --max-nodes 1000000")]
pub struct Args {
    /// How many plies deep.
    #[arg(required_unless_present = "file", conflicts_with = "file", value_parser = clap::value_parser!(u32).range(0..=MAX_DEPTH))]
    depth: Option<u32>,

    #[command(flatten)]
    position: PositionArgs,

    /// Show the count below each first move.
    #[arg(long, conflicts_with = "file")]
    divide: bool,

    /// How many threads to use, and never more than the machine has cores.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,

    /// Count positions that several move orders reach only once, with a table of this size.
    #[arg(long, value_name = "MB", default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u32).range(0..=1 << 20))]
    hash: u32,

    /// Check the counts in this file, or in standard input for `-`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "start", "moves"])]
    file: Option<PathBuf>,

    /// With --file: leave out counts larger than this.
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true, requires = "file")]
    max_nodes: u64,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Args {
    fn counter(&self) -> Result<PerftCounter> {
        PerftCounter::new(usize::try_from(self.hash)?)
    }
}

/// Counts, or checks a file: then the answer is no if a count is wrong.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arg_parsers::threads(args.threads).get())
        .build()
        .context("cannot start the threads")?;
    pool.install(|| match (&args.file, args.depth) {
        (Some(file), _) => file::check(args, file),
        (None, depth) => count(args, depth.unwrap_or(0)),
    })
}

fn count(args: &Args, depth: u32) -> Result<AnswerStatus> {
    let line = args.position.line()?;
    let position = line.position;
    let counter = args.counter()?;
    let begun = Instant::now();
    let counts = divide(&position, depth, &counter);
    let elapsed = begun.elapsed();
    let nodes: u64 = if depth == 0 {
        1
    } else {
        counts.iter().map(|&(_, nodes)| nodes).sum()
    };
    let speed = nodes as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
    let mut out = output::answer(args.json);
    if args.json {
        let mut answer = json!({
            "variant": position.variant().name(),
            "fen": position.fen().to_string(),
            "depth": depth,
            "nodes": nodes,
            "seconds": elapsed.as_secs_f64(),
            "mnps": speed,
            "warnings": line.warnings,
        });
        if args.divide {
            answer["divide"] = counts
                .iter()
                .map(|&(mv, nodes)| {
                    json!({
                        "uci": position.uci(mv).to_string(),
                        "san": position.san(mv).to_string(),
                        "nodes": nodes,
                    })
                })
                .collect();
        }
        writeln!(out, "{answer}")?;
        return Ok(AnswerStatus::Yes);
    }
    if args.divide {
        for &(mv, nodes) in &counts {
            writeln!(out, "{:<6} {nodes}", position.uci(mv).to_string())?;
        }
    }
    writeln!(out, "nodes {nodes}")?;
    writeln!(out, "time  {:.3} s", elapsed.as_secs_f64())?;
    writeln!(out, "speed {speed:.1} Mnps")?;
    Ok(AnswerStatus::Yes)
}

/// Every first move with the count below it, in the order of UCI moves; shows a progress bar.
fn divide(position: &AnyPosition, depth: u32, counter: &PerftCounter) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_key(|&mv| position.uci(mv).to_string());
    let bar = progress(
        moves.len() as u64,
        "{bar:30} {pos}/{len} moves  {elapsed_precise}",
    );
    let counts = moves
        .par_iter()
        .map(|&mv| {
            let nodes = counter.count(&position.after(mv), rest);
            bar.inc(1);
            (mv, nodes)
        })
        .collect();
    bar.finish_and_clear();
    counts
}

/// A progress bar on standard error, only on terminals and only for long work.
pub fn progress(length: u64, template: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(8));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
