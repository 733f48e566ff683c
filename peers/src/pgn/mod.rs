//! Files of games, replayed and audited by touchmove and by pgn-reader with shakmaty: the same file in
//! the same run, on one thread. Both must replay the same plies, to the same positions.

mod ends;
mod ours;
mod theirs;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use cpu_time::ThreadTime;
use shakmaty::variant::Atomic as PeerAtomic;
use touchmove_pgn::{AuditReport, DeadPositions, audit_stream};
use touchmove_rules::Variant;

use crate::table::{Align, TextTable, grouped};
use ends::End;

/// What to read, and how often.
#[derive(clap::Args)]
pub struct Arguments {
    /// Files of games; each must hold games of one variant.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Measure so many times in turns and keep the best.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// The variant of the games, which pgn-reader does not look for.
    #[arg(long, default_value_t)]
    variant: Variant,
    /// Compare the plies and the last position of every game instead of measuring
    #[arg(long)]
    compare: bool,
    /// Print the plies and the last position of every game as touchmove replays it, and nothing else
    #[arg(long, conflicts_with = "compare")]
    ends: bool,
    /// Measure the audit of touchmove on one thread and on two as well, by the clock on the wall
    #[arg(long)]
    threads: bool,
    /// How far the audit of touchmove goes to find dead positions: off, material or exact
    #[arg(long, default_value = "material")]
    dead: DeadPositions,
    /// Do this work and no other, once and unmeasured, for a profiler that counts instructions
    #[arg(long, conflicts_with_all = ["compare", "ends", "threads"])]
    only: Option<WorkFilter>,
}

/// One of the works that are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum WorkFilter {
    Replay,
    PeerReplay,
    Audit,
    PeerAudit,
}

/// What a program made of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub games: u64,
    pub plies: u64,
    /// Games with a move that could not be played, or findings of an audit.
    pub findings: u64,
}

type Work<'a> = (&'static str, Box<dyn Fn() -> Tally + 'a>);

/// Measures every file and prints a table for each. The answer is no if the plies differ.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut agree = true;
    for file in &arguments.files {
        let text =
            std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.display().to_string();
        agree &= if let Some(only) = arguments.only {
            let (title, work) = &works(&text, arguments)[only as usize];
            println!("{title}: {:?}", work());
            true
        } else if arguments.ends {
            print_ends(&ends::ours(&text, arguments.variant))
        } else if arguments.compare {
            compare_ends(&text, arguments.variant, &name)
        } else {
            measure(&text, arguments, &name)
        };
        if arguments.threads {
            measure_threads(&text, arguments);
        }
    }
    Ok(ExitCode::from(u8::from(!agree)))
}

fn print_ends(ends: &[End]) -> bool {
    for End { plies, fen } in ends {
        println!("{plies}\t{fen}");
    }
    true
}

/// Compares the ends of all games. Where the peer drops a token and gets stuck, it replays less; the
/// answer is no if it ever replays more, or gets elsewhere.
fn compare_ends(text: &[u8], variant: Variant, name: &str) -> bool {
    let ours = ends::ours(text, variant);
    let theirs = match variant {
        Variant::Atomic => ends::theirs::<PeerAtomic>(text),
        _ => ends::theirs::<shakmaty::Chess>(text),
    };
    let mut shorter = 0;
    let mut differences = ours.len().abs_diff(theirs.len());
    for (number, (our, their)) in (1..).zip(ours.iter().zip(&theirs)) {
        if their.plies < our.plies {
            shorter += 1;
            println!(
                "game {number}: {} of {} plies, then stuck in {}",
                their.plies, our.plies, their.fen
            );
        } else if our != their {
            differences += 1;
            println!("game {number}: touchmove {our:?}, pgn-reader + shakmaty {their:?}");
        }
    }
    let games = grouped(ours.len() as u64);
    println!("{name}: {games} games, {shorter} shorter in pgn-reader, {differences} differences");
    differences == 0
}

/// Prints how much faster two threads are than one.
fn measure_threads(text: &[u8], arguments: &Arguments) {
    let mut best = [Duration::MAX; 2];
    let template = AuditReport::default().dead_positions(arguments.dead);
    for _ in 0..arguments.rounds {
        for (at, threads) in [NonZeroUsize::MIN, NonZeroUsize::MIN.saturating_add(1)]
            .into_iter()
            .enumerate()
        {
            let begun = Instant::now();
            let audited = audit_stream(text, threads, &template, |_| Ok(()));
            audited.expect("memory can be read");
            best[at] = best[at].min(begun.elapsed());
        }
    }
    let [one, two] = best.map(|time| time.as_secs_f64());
    let (one_ms, two_ms) = (one * 1e3, two * 1e3);
    println!(
        "one thread {one_ms:.1} ms, two {two_ms:.1} ms: {:.2} times as fast\n",
        one / two
    );
}

/// Each work of touchmove with the same of the peer behind it.
fn works<'a>(text: &'a [u8], arguments: &Arguments) -> [Work<'a>; 4] {
    let (variant, dead) = (arguments.variant, arguments.dead);
    let peer = move |is_audit: bool| match variant {
        Variant::Atomic => theirs::read::<PeerAtomic>(text, is_audit),
        _ => theirs::read::<shakmaty::Chess>(text, is_audit),
    };
    [
        (
            "replay, touchmove",
            Box::new(move || ours::replay(text, variant)),
        ),
        (
            "replay, pgn-reader + shakmaty",
            Box::new(move || peer(false)),
        ),
        (
            "audit, touchmove",
            Box::new(move || ours::audit_all(text, dead)),
        ),
        ("audit, pgn-reader + shakmaty", Box::new(move || peer(true))),
    ]
}

fn measure(text: &[u8], arguments: &Arguments, name: &str) -> bool {
    let works = works(text, arguments);
    let mut best = [Duration::MAX; 4];
    let mut tallies = [Tally::default(); 4];
    for _ in 0..arguments.rounds {
        for (at, (_, work)) in works.iter().enumerate() {
            let begun = ThreadTime::now();
            tallies[at] = work();
            best[at] = best[at].min(begun.elapsed());
        }
    }
    let right = Align::Right;
    let mut table = TextTable::new([
        (name.to_owned(), Align::Left),
        ("games".into(), right),
        ("plies".into(), right),
        ("findings".into(), right),
        ("ms".into(), right),
        ("MB/s".into(), right),
        ("ns/ply".into(), right),
        ("times as fast".into(), right),
    ]);
    for (at, (title, _)) in works.iter().enumerate() {
        let seconds = best[at].as_secs_f64();
        let peer = best[at | 1].as_secs_f64();
        table.push(vec![
            (*title).into(),
            grouped(tallies[at].games),
            grouped(tallies[at].plies),
            grouped(tallies[at].findings),
            format!("{:.1}", seconds * 1e3),
            format!("{:.1}", text.len() as f64 / 1e6 / seconds),
            format!("{:.1}", seconds * 1e9 / tallies[at].plies.max(1) as f64),
            format!("{:.2}", peer / seconds),
        ]);
    }
    println!("{table}");
    let plies = tallies[0].plies;
    tallies.iter().all(|tally| tally.plies == plies)
}
