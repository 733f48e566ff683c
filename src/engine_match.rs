//! `touchmove match`: a match between two engines or levels, and the significance of its result.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use touchmove_engine_match::{
    Contender, EngineMatch, FinishedGame, MatchScore, Sprt, SprtResult, run as play,
};
use touchmove_rules::Variant;
use touchmove_text::display_path;
use touchmove_tui::on_signal;

use crate::cli::AnswerStatus;
use crate::output;

/// Let two engines or levels play a match, with both colours of every opening.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove match level:club level:casual --games 200
  touchmove match engine stockfish --nodes 100000 --b-nodes 20000 \\
      --b-option UCI_LimitStrength=true --b-option UCI_Elo=2000
  touchmove match engine random --variant simple-atomic --games 20 --pgn games.pgn

A player is `engine` (the built-in one), `level:NAME` (first-steps, beginner, casual, club-novice, club, \
strong-club, expert, master, full), `random` (any legal move), `greedy` (mates and takes where it can, and \
loses no man to the next capture if it can help it), or the command of a program that speaks UCI. The same \
seed gives the same match. Ctrl-C ends it: the games that were finished are written and summed up. Exit code 1: \
A is not better by the test of --sprt.")]
pub struct Args {
    /// Whose score is counted.
    a: String,

    /// The opponent.
    b: String,

    /// Games at most, two for each opening.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,

    /// Positions for each move; levels below full have their own number.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Another number of positions for A.
    #[arg(long)]
    a_nodes: Option<u64>,

    /// Another number of positions for B.
    #[arg(long)]
    b_nodes: Option<u64>,

    /// The variant that is played.
    #[arg(long, default_value = "chess")]
    variant: Variant,

    /// Plies by lot at the beginning of each pair of games.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=60))]
    plies: u16,

    /// What the lots are drawn by.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Games at once; all cores, if it is 0.
    #[arg(long, default_value_t = 0)]
    threads: usize,

    /// Stop when it is clear whether A is better by the second number of Elo rather than the first.
    #[arg(long, value_name = "LOW,HIGH", value_parser = sprt)]
    sprt: Option<Sprt>,

    /// Set an option of A, as Name=Value.
    #[arg(long, value_name = "NAME=VALUE")]
    a_option: Vec<String>,

    /// Set an option of B, as Name=Value.
    #[arg(long, value_name = "NAME=VALUE")]
    b_option: Vec<String>,

    /// Write the games to this file.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Answer in JSON: one object at the end.
    #[arg(long)]
    json: bool,
}

/// Plays the match.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let terms = EngineMatch {
        variant: args.variant,
        games: args.games,
        nodes: args.nodes,
        plies: usize::from(args.plies),
        seed: args.seed,
        threads: if args.threads == 0 {
            cores()
        } else {
            args.threads
        },
        sprt: args.sprt,
    };
    let contenders = [
        contender(&args.a, &terms, args.a_nodes, &args.a_option)?,
        contender(&args.b, &terms, args.b_nodes, &args.b_option)?,
    ];
    let mut file = match &args.pgn {
        Some(path) => Some(
            File::create(path)
                .with_context(|| format!("{} cannot be written", display_path(path)))?,
        ),
        None => None,
    };
    let (sender, signals) = std::sync::mpsc::channel();
    let is_over = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&is_over);
    on_signal(move |signal| {
        // Fails only after the match has ended.
        let _ = sender.send(signal);
        told.store(true, Ordering::Relaxed);
    })?;
    let mut written = Ok(());
    let mut troubles = [0_u32; 2];
    let tally = play(&contenders, &terms, &is_over, &mut |played, tally| {
        if let Some((who, _)) = &played.trouble {
            let is_a = who.is_white() == played.number.is_multiple_of(2);
            troubles[usize::from(!is_a)] += 1;
        }
        let told = print_game(args, played, tally).and_then(|()| match &mut file {
            // Written after each game, so that an interrupted match keeps what was played.
            Some(file) => file.write_all(format!("{}\n", played.pgn).as_bytes()),
            None => Ok(()),
        });
        if written.is_ok() {
            written = told;
        }
    })?;
    written.context("the match was played, but not all of it could be written")?;
    let verdict = terms.sprt.and_then(|test| test.verdict(&tally));
    sum_up(args, &tally, verdict, troubles)?;
    Ok(match (signals.try_recv(), verdict) {
        (Ok(signal), _) => AnswerStatus::Left(signal),
        (Err(_), Some(SprtResult::NotBetter)) => AnswerStatus::No,
        (Err(_), _) => AnswerStatus::Yes,
    })
}

fn contender(
    text: &str,
    terms: &EngineMatch,
    nodes: Option<u64>,
    options: &[String],
) -> Result<Contender> {
    let mut contender = Contender::read(text, terms)?;
    if let Some(nodes) = nodes {
        contender = contender.with_nodes(nodes.max(1));
    }
    for option in options {
        let (name, value) = option
            .split_once('=')
            .with_context(|| format!("{option:?} is no option: it is Name=Value"))?;
        ensure!(
            contender.is_program(),
            "{text} is built in and has no options"
        );
        contender = contender.with_option(name.trim(), value.trim());
    }
    Ok(contender)
}

/// Prints a line for each game on standard error, like all progress.
fn print_game(args: &Args, played: &FinishedGame, tally: &MatchScore) -> io::Result<()> {
    let trouble = match &played.trouble {
        Some((_, reason)) => format!("  {reason}"),
        None => String::new(),
    };
    writeln!(
        output::errors(),
        "{:>4}/{}  {}  {}{trouble}",
        played.number + 1,
        args.games,
        summary(tally),
        played.words
    )
}

fn summary(tally: &MatchScore) -> String {
    let [elo, low, high] = tally.elo().map(difference);
    format!(
        "+{} ={} -{}  {:.1} % ± {:.1}  Elo {elo} ({low} to {high})  LOS {:.1} %",
        tally.wins,
        tally.draws,
        tally.losses,
        100.0 * tally.score(),
        100.0 * tally.error(),
        100.0 * tally.likelihood_of_superiority(),
    )
}

/// A difference in Elo, which may be unbounded.
fn difference(elo: f64) -> String {
    match elo.is_finite() {
        true => format!("{elo:+.0}"),
        false if elo > 0.0 => "+∞".to_owned(),
        false => "-∞".to_owned(),
    }
}

fn sum_up(
    args: &Args,
    tally: &MatchScore,
    verdict: Option<SprtResult>,
    troubles: [u32; 2],
) -> Result<()> {
    let found = verdict.map(|verdict| match verdict {
        SprtResult::Better => "better",
        SprtResult::NotBetter => "not better",
    });
    let mut out = output::answer(args.json);
    if args.json {
        let [elo, low, high] = tally.elo();
        let answer = json!({
            "a": args.a, "b": args.b, "variant": args.variant.to_string(), "games": tally.games(),
            "wins": tally.wins, "draws": tally.draws, "losses": tally.losses,
            "score": tally.score(), "error": tally.error(), "elo": elo, "elo_range": [low, high],
            "superiority": tally.likelihood_of_superiority(), "sprt": found,
            "forfeits": { "a": troubles[0], "b": troubles[1] },
        });
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{} against {} ({}, {} games)",
        args.a,
        args.b,
        args.variant,
        tally.games()
    )?;
    writeln!(out, "{}", summary(tally))?;
    if let (Some(found), Some(test)) = (found, args.sprt) {
        writeln!(
            out,
            "A is {found} by {} rather than {} Elo",
            test.better, test.even
        )?;
    }
    if troubles != [0, 0] {
        writeln!(out, "forfeited: A {}, B {}", troubles[0], troubles[1])?;
    }
    Ok(())
}

/// Parses the two Elo differences of an SPRT.
fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .filter_map(|part| part.trim().parse().ok())
        .collect();
    match numbers[..] {
        [even, better] if even < better => Ok(Sprt { even, better }),
        _ => Err("it is two differences in Elo, the smaller first, such as 0,10".to_owned()),
    }
}
