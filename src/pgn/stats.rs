//! `touchmove pgn stats`: results, endings, lengths and first moves of many games, as bar charts.

use std::fs;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};
use touchmove_pgn::{
    AuditReport, AuditTotals, FindingCode, MAX_GAME_BYTES, Stats, audit_stream, charts_as_svg,
};
use touchmove_text::display_path;

use crate::cli::AnswerStatus;
use crate::output;
use crate::pgn::{DeadPositionArgs, source};

/// Count results, endings by their true reason, lengths and first moves.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove pgn stats games.pgn
  touchmove pgn stats *.pgn --svg games.svg")]
pub struct Args {
    /// Files of games, plain or compressed; - is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print JSON.
    #[arg(long)]
    json: bool,

    /// Draw the bars into this SVG file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    dead: DeadPositionArgs,

    /// Use so many threads; otherwise one for each core.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Adds up the games of all files.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let template = AuditReport::with_records()
        .at_most(0)
        .dead_positions(args.dead.depth);
    let (mut stats, mut totals) = (Stats::default(), AuditTotals::default());
    for file in &args.files {
        let source = source::open(file)?;
        let progress = source.progress.clone();
        audit_stream(
            source.bytes,
            source::threads(args.threads),
            &template,
            |part| {
                totals.merge(&part.totals);
                part.records.iter().for_each(|record| stats.take(record));
                progress.set_message(format!("{} games", stats.games));
                Ok(())
            },
        )
        .with_context(|| format!("cannot read {}", display_path(file)))?;
        progress.finish_and_clear();
    }
    let codes = totals.codes();
    let too_long = codes
        .iter()
        .find(|(code, _)| *code == FindingCode::GameTooLong);
    if let Some((_, count)) = too_long {
        let limit = MAX_GAME_BYTES >> 20;
        let sentence =
            format!("games of more than {limit} MiB, of which only so much is counted: {count}");
        output::complain(&sentence);
    }
    if let Some(path) = &args.svg {
        let heading = format!("{} games, {} plies", stats.games, stats.plies);
        fs::write(path, charts_as_svg(&heading, &stats.charts()))
            .with_context(|| format!("cannot write {}", display_path(path)))?;
    }
    let mut out = output::answer(args.json);
    if args.json {
        writeln!(out, "{}", to_json(&stats))?;
        return Ok(AnswerStatus::Yes);
    }
    let average = stats.plies as f64 / stats.games.max(1) as f64;
    writeln!(
        out,
        "{} games, {} plies, {average:.1} plies on average, {} in the longest",
        stats.games, stats.plies, stats.longest
    )?;
    for chart in stats.charts() {
        write!(out, "\n{}", chart.text(40))?;
    }
    Ok(AnswerStatus::Yes)
}

fn to_json(stats: &Stats) -> Value {
    let counts = |bars: Vec<(String, u64)>| -> Map<String, Value> {
        bars.into_iter()
            .map(|(name, count)| (name, count.into()))
            .collect()
    };
    let [white, black, draws, unknown] = stats.results;
    let endings = stats
        .endings
        .iter()
        .map(|(&status, &count)| (status.to_owned(), count));
    let variants = stats.variants.iter().map(|(variant, &count)| {
        (
            variant.map_or("unknown", |variant| variant.name()).into(),
            count,
        )
    });
    json!({
        "games": stats.games,
        "plies": stats.plies,
        "longest": stats.longest,
        "results": { "1-0": white, "0-1": black, "1/2-1/2": draws, "*": unknown },
        "endings": counts(endings.collect()),
        "variants": counts(variants.collect()),
        "lengths": counts(stats.length_bars()),
        "first_moves": counts(stats.most_played(usize::MAX)),
        "openings": counts(stats.most_answered(usize::MAX)),
    })
}
