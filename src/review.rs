//! `touchmove review`: the turning points of a game, the accuracy of both players, and the same as annotations in
//! its PGN.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::io::{self, IsTerminal as _, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use touchmove_coach::{MainLine, MoveError, Review, annotate, review};
use touchmove_engine::Score;
use touchmove_pgn::{Document, read_documents};
use touchmove_rules::{AnyPosition, ByColor, Color, Move};
use touchmove_text::{display_line, display_path, sanitize_line};
use touchmove_tui::disk::StagedFile;
use touchmove_tui::opponents::review_text;
use touchmove_tui::{Signal, on_signal};

use crate::cli::{AnswerStatus, NegativeAnswer};
use crate::output;
use crate::pgn::source;

/// Review a game: at most three turning points with what was better, how exactly each side played, and the
/// course of the game.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove review game.pgn
  touchmove review games.pgn --game 3 --nodes 500000
  touchmove review game.pgn --output annotated.pgn     with [%eval], ?! ? ?? and the better lines
  touchmove review game.pgn --json | jq .accuracy

A chance to win is 1 / (1 + e^(-score / s)), where s was fitted to games: 310 in chess, 470 in \
Atomic, 490 in simple Atomic; accuracy is 100 e^(-5 l), where l is the chance that a move gives \
away on average. A game of more than 200000 tags, moves, comments, variations and signs, or 16 MiB, is \
refused. Ctrl-C breaks off, and what was found until then is told.")]
pub struct Args {
    /// A file of games, plain or compressed; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The game, counted from 1; needed where the file has several.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,

    /// Positions looked at for each move; turning points are looked at five times as long.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Write all games of the file here, the reviewed one with its judgements; nothing in them is lost.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Answer in JSON: one object.
    #[arg(long)]
    json: bool,

    /// Letters instead of blocks in the graph.
    #[arg(long)]
    ascii: bool,
}

/// The most bytes of other games that are kept to be written again.
const MAX_WRITTEN_BYTES: usize = 256 * 1024 * 1024;

/// Reviews the game.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let Games {
        before,
        game: mut document,
        after,
        index,
    } = read(args)?;
    let document = &mut document;
    document.normalise();
    let name = display_path(&args.file);
    let line =
        MainLine::of(document).map_err(|error| NegativeAnswer(format!("{name}: {error}")))?;
    if let Some((san, error)) = &line.broken {
        let ply = line.moves.len() + 1;
        writeln!(
            output::errors(),
            "touchmove: ply {ply}, {}: {error}; reviewed up to there",
            display_line(san)
        )?;
    }
    let (found, signal) = run_review(args, &line)?;
    annotate(document, &line, &found);
    let names = ByColor::with(|color| player(document, color));
    if let Some(path) = &args.output {
        write_games(&[before, document.to_string(), after].concat(), path)?;
    }
    let mut out = output::answer(args.json);
    match args.json {
        true => writeln!(out, "{}", written(index, &line, &names, &found))?,
        false => {
            let names = names.map(|name| sanitize_line(&name).into_owned());
            print_review(args, &names, &found, &mut out)?;
        }
    }
    Ok(signal.map_or(AnswerStatus::Yes, AnswerStatus::Left))
}

/// The game to review, and the text of the games before and after it, if they are to be written again.
struct Games {
    before: String,
    game: Document,
    after: String,
    /// Its number, counted from 0.
    index: usize,
}

/// Reads the file up to the game to review, or all of it for `--output`.
fn read(args: &Args) -> Result<Games> {
    let name = display_path(&args.file);
    let source = source::open(&args.file)?;
    let is_written = args.output.is_some();
    let wanted = args.game.unwrap_or(1);
    let (mut count, mut found) = (0, None);
    let (mut before, mut after) = (String::new(), String::new());
    let mut fits = Ok(());
    read_documents(source.bytes, |game| {
        count += 1;
        if count == wanted || is_written {
            fits = source::check_length(&game, count, &args.file);
        }
        match count.cmp(&wanted) {
            Less if is_written => before += &format!("{game}\n"),
            Greater if is_written => after += &format!("\n{game}"),
            Equal => found = Some(game),
            Less | Greater => {}
        }
        if fits.is_ok() && before.len() + after.len() > MAX_WRITTEN_BYTES {
            let limit = MAX_WRITTEN_BYTES >> 20;
            let sentence = format!(
                "{name} has more than {limit} MiB of games: review one of them without --output"
            );
            fits = Err(NegativeAnswer(sentence));
        }
        let is_done = count >= wanted && args.game.is_some() && !is_written;
        match is_done || fits.is_err() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })
    .with_context(|| format!("cannot read {name}"))?;
    source.progress.finish_and_clear();
    fits?;
    check_choice(args, count)?;
    Ok(Games {
        before,
        game: found.with_context(|| format!("there is no game in {name}"))?,
        after,
        index: wanted as usize - 1,
    })
}

/// Whether it is clear which game is meant.
fn check_choice(args: &Args, count: u64) -> Result<(), NegativeAnswer> {
    let name = display_path(&args.file);
    Err(NegativeAnswer(match (args.game, count) {
        (_, 0) => format!("there is no game in {name}"),
        (None, 2..) => format!("{name} has {count} games: say which with --game N"),
        (Some(number), _) if number > count => format!("{name} has {count} games, not {number}"),
        _ => return Ok(()),
    }))
}

/// Reviews all moves, with a progress bar on a terminal, until a signal comes.
fn run_review(args: &Args, line: &MainLine) -> Result<(Review, Option<Signal>)> {
    let (sender, signals) = std::sync::mpsc::channel();
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    on_signal(move |signal| {
        told.store(true, Ordering::Relaxed);
        // Fails only after the review has ended.
        let _ = sender.send(signal);
    })?;
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if !io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar.set_style(ProgressStyle::with_template(
        "{bar:32} {pos}/{len} positions  ETA {eta}  Ctrl-C breaks off",
    )?);
    let mut progress = |done: usize, all: usize| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    };
    let mut watch: &AtomicBool = &stop;
    let found = review(
        &line.start,
        &line.moves,
        args.nodes,
        &mut watch,
        &mut progress,
    );
    bar.finish_and_clear();
    Ok((found, signals.try_recv().ok()))
}

fn player(document: &Document, color: Color) -> String {
    let tag = match color {
        Color::White => "White",
        Color::Black => "Black",
    };
    let name = document.tags.get(tag).unwrap_or_default();
    match name.trim() {
        "" | "?" => color.to_string(),
        name => name.to_owned(),
    }
}

fn write_games(games: &str, path: &Path) -> Result<()> {
    let cannot = || format!("cannot write {}", display_path(path));
    let mut file = StagedFile::begin(path).with_context(cannot)?;
    let written = file.write_all(games.as_bytes());
    written.and_then(|()| file.finish()).with_context(cannot)
}

/// The width of lines.
const LINE_COLUMNS: usize = 78;

fn print_review(
    args: &Args,
    names: &ByColor<String>,
    found: &Review,
    out: &mut impl Write,
) -> io::Result<()> {
    for line in review_text(found, names, LINE_COLUMNS, args.ascii) {
        let mut column = 0;
        // The graph has no blanks to break at, and is not too wide.
        let is_graph = line.chars().count() <= LINE_COLUMNS;
        if is_graph {
            writeln!(out, "{line}")?;
            continue;
        }
        for word in line.split(' ') {
            let width = word.chars().count();
            if column > 0 && column + 1 + width > LINE_COLUMNS {
                write!(out, "\n   ")?;
                column = 3;
            } else if column > 0 {
                write!(out, " ")?;
                column += 1;
            }
            write!(out, "{word}")?;
            column += width;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn score(score: Score) -> Value {
    match score {
        Score::Centipawns(value) => json!({ "centipawns": value }),
        Score::Mate(moves) => json!({ "mate": moves }),
    }
}

/// Moves in SAN, from this position.
fn sans(position: &AnyPosition, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    let write = |&mv: &Move| {
        let san = position.san(mv).to_string();
        position.play(mv);
        san
    };
    moves.iter().map(write).collect()
}

/// The review as JSON; scores and chances are White's.
fn written(index: usize, line: &MainLine, names: &ByColor<String>, found: &Review) -> Value {
    let mut positions = vec![line.start];
    for &mv in &line.moves {
        positions.push(positions[positions.len() - 1].after(mv));
    }
    let plies = found.plies.iter().enumerate().map(|(ply, reviewed)| {
        let before = &positions[ply];
        let judged = found.judged[ply + 1];
        json!({
            "ply": ply + 1,
            "by": reviewed.by,
            "san": before.san(reviewed.mv).to_string(),
            "uci": before.uci(reviewed.mv).to_string(),
            "score": score(judged.score),
            "chance": judged.chance,
            "loss": reviewed.loss,
            "slip": MoveError::of(reviewed.loss).map(MoveError::name),
            "best": sans(before, &reviewed.best),
        })
    });
    let turnings = found.turnings.iter().map(|turning| {
        let before = &positions[turning.ply];
        json!({
            "ply": turning.ply + 1,
            "by": turning.by,
            "san": before.san(line.moves[turning.ply]).to_string(),
            "chances": turning.chances,
            "better": sans(before, &turning.better),
            "text": turning.text,
        })
    });
    let start = found
        .judged
        .first()
        .map(|judged| json!({ "score": score(judged.score), "chance": judged.chance }));
    json!({
        "game": index + 1,
        "variant": line.start.variant().to_string(),
        "players": { "white": names.white, "black": names.black },
        "complete": found.is_complete && line.broken.is_none(),
        "accuracy": { "white": found.accuracy.white, "black": found.accuracy.black },
        "turning_points": turnings.collect::<Vec<_>>(),
        "start": start,
        "plies": plies.collect::<Vec<_>>(),
    })
}
