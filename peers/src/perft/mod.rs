//! The speed tables: move trees counted by touchmove and its peers in turn, in CPU time. Whether
//! the moves are right is checked here only by their number; `diff` compares them one by one.

mod counters;
mod positions;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::ValueEnum;
use cpu_time::ThreadTime;

use crate::native;
use crate::stockfish::Stockfish;
use crate::table::{Align, TextTable, grouped};
use counters::Prepared;
use positions::Tree;

/// What to measure, and how often.
#[derive(clap::Args, Clone)]
pub struct Arguments {
    /// Shallower trees and fewer rounds: a first impression in seconds
    #[arg(long)]
    quick: bool,
    /// Times each tree is counted by each program; the median is shown [default: 5, quick: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Make the moves that lead to the leaves instead of only counting them
    #[arg(long)]
    every_leaf: bool,
    /// Only this game
    #[arg(long, value_enum)]
    variant: Option<Game>,
    /// Leave these programs out
    #[arg(long, value_name = "PROGRAM", value_delimiter = ',')]
    without: Vec<String>,
    /// Machine code for touchmove to use, if this machine has it, instead of the best one
    #[arg(long, value_enum)]
    processor: Option<Processor>,
    /// Build everything for this machine (target-cpu=native, PEXT in the peers) and measure that
    #[arg(long)]
    native: bool,
}

impl Arguments {
    /// Everything with every program, the leaves counted.
    pub fn new(quick: bool, rounds: Option<u32>) -> Arguments {
        Arguments {
            quick,
            rounds,
            every_leaf: false,
            variant: None,
            without: Vec::new(),
            processor: None,
            native: false,
        }
    }

    /// The same, with every leaf made.
    pub fn with_every_leaf(self) -> Arguments {
        Arguments {
            every_leaf: true,
            ..self
        }
    }

    /// The same with touchmove as on a processor without BMI2.
    pub fn without_bmi2(self) -> Arguments {
        Arguments {
            processor: Some(Processor::Popcnt),
            ..self
        }
    }
}

/// The games that other programs can be compared in.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Game {
    Chess,
    Atomic,
}

/// The kinds of machine code that touchmove carries.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Processor {
    Plain,
    Popcnt,
    Pext,
}

impl Processor {
    /// Makes touchmove use this kind.
    fn choose(self) -> anyhow::Result<()> {
        let wanted = match self {
            Processor::Plain => touchmove_rules::Processor::Plain,
            Processor::Popcnt => touchmove_rules::Processor::Popcnt,
            Processor::Pext => touchmove_rules::Processor::Pext,
        };
        let chosen = touchmove_rules::Processor::choose(wanted);
        ensure!(
            chosen == wanted,
            "this machine has {} at best",
            chosen.name()
        );
        Ok(())
    }
}

/// What is done with the moves that lead to the leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// They are counted.
    Counted,
    /// They are made on the board, one by one.
    Made,
}

/// Reads a FEN and prepares the counting of its tree.
type Prepare = fn(&str, u32, Leaves) -> anyhow::Result<Prepared>;

/// A program that counts.
enum Peer {
    /// One that is linked into this one.
    Library(&'static str, Prepare),
    /// Stockfish, by itself.
    Engine(Stockfish),
}

impl Peer {
    fn name(&self) -> &'static str {
        match self {
            Peer::Library(name, _) => name,
            Peer::Engine(_) => "stockfish",
        }
    }

    /// The leaves of the tree, and the CPU time that counting them took.
    fn count(&mut self, fen: &str, depth: u32, leaves: Leaves) -> anyhow::Result<(u64, Duration)> {
        match self {
            Peer::Library(_, prepare) => {
                let mut count = prepare(fen, depth, leaves)?;
                let start = ThreadTime::now();
                let nodes = count();
                Ok((nodes, start.elapsed()))
            }
            Peer::Engine(stockfish) => stockfish.perft(fen, depth),
        }
    }
}

/// The program that ratios refer to.
const BASELINE_PROGRAM: &str = "shakmaty";

/// Measures and prints. The exit code is 1 if any count is wrong.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.native && !native::IS_NATIVE {
        return native::run_again();
    }
    if let Some(processor) = arguments.processor {
        processor.choose()?;
    }
    let mut all_right = true;
    for (game, title, trees) in [
        (Game::Chess, "Chess", &positions::CHESS),
        (Game::Atomic, "Atomic", &positions::ATOMIC),
    ] {
        if arguments.variant.is_none_or(|wanted| wanted == game) {
            all_right &= measure(title, trees, peers(game, arguments), arguments)?;
        }
    }
    Ok(if all_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The programs that play this game, and can do what is asked.
fn peers(game: Game, arguments: &Arguments) -> Vec<Peer> {
    let mut peers = match game {
        Game::Chess => vec![
            Peer::Library("touchmove", counters::touchmove::<touchmove_rules::Chess>),
            Peer::Library("by hand", counters::touchmove_by_hand),
            Peer::Library("shakmaty", counters::shakmaty::<shakmaty::Chess>),
            Peer::Library("cozy-chess", counters::cozy_chess),
            Peer::Library("chess", counters::chess),
            Peer::Library("laura_core", counters::laura_core),
        ],
        Game::Atomic => vec![
            Peer::Library("touchmove", counters::touchmove::<touchmove_rules::Atomic>),
            Peer::Library("shakmaty", counters::shakmaty::<shakmaty::variant::Atomic>),
            Peer::Library("atomic-movegen", counters::atomic_movegen),
        ],
    };
    if game == Game::Chess && !arguments.every_leaf {
        peers.extend(Stockfish::start().map(Peer::Engine));
    }
    if arguments.every_leaf {
        peers.retain(|peer| peer.name() != "by hand");
    }
    peers.retain(|peer| !arguments.without.iter().any(|name| name == peer.name()));
    peers
}

/// Counts every tree with every program, round by round, and prints the table.
fn measure(
    title: &str,
    trees: &[Tree],
    mut peers: Vec<Peer>,
    arguments: &Arguments,
) -> anyhow::Result<bool> {
    let rounds = arguments
        .rounds
        .unwrap_or(if arguments.quick { 3 } else { 5 });
    let leaves = if arguments.every_leaf {
        Leaves::Made
    } else {
        Leaves::Counted
    };
    let mut all_right = true;
    let mut times = vec![vec![Vec::new(); peers.len()]; trees.len()];
    for round in 1..=rounds {
        for (tree, times) in trees.iter().zip(&mut times) {
            let (depth, expected) = tree.size(arguments.quick);
            for (peer, times) in peers.iter_mut().zip(times.iter_mut()) {
                let name = peer.name();
                show_progress(&format!(
                    "{title}, round {round} of {rounds}: {}, {name}",
                    tree.name
                ));
                let (nodes, time) = peer
                    .count(tree.fen, depth, leaves)
                    .with_context(|| format!("{name} cannot count {}", tree.fen))?;
                if nodes != expected {
                    println!(
                        "{name}: {} depth {depth}: {nodes}, not {expected}",
                        tree.fen
                    );
                    all_right = false;
                }
                times.push(time);
            }
        }
    }
    show_progress("");

    println!(
        "{title}: millions of leaves per second of CPU time ({} build, leaves {}, median of \
         {rounds} interleaved rounds, one thread, {}, touchmove on {})",
        if native::IS_NATIVE {
            "native"
        } else {
            "default"
        },
        if leaves == Leaves::Made {
            "made"
        } else {
            "counted"
        },
        processor_name(),
        touchmove_rules::Processor::current().name(),
    );
    println!();
    let speeds: Vec<Vec<f64>> = trees
        .iter()
        .zip(times)
        .map(|(tree, times)| {
            let (_, nodes) = tree.size(arguments.quick);
            times
                .into_iter()
                .map(|times| nodes as f64 / 1e6 / median(times))
                .collect()
        })
        .collect();
    println!("{}", table(trees, &peers, &speeds, arguments.quick));
    Ok(all_right)
}

/// Says on a terminal what is being done, in place of what was said before.
fn show_progress(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r{text}\x1b[K");
    }
}

/// One row per tree, one column per program: speed, and ratio to the yardstick.
fn table(trees: &[Tree], peers: &[Peer], speeds: &[Vec<f64>], quick: bool) -> TextTable {
    let yardstick = peers
        .iter()
        .position(|peer| peer.name() == BASELINE_PROGRAM);
    let cells = |speeds: &[f64]| -> Vec<String> {
        speeds
            .iter()
            .map(|speed| match yardstick {
                Some(index) => format!("{speed:.1} ({:.2}×)", speed / speeds[index]),
                None => format!("{speed:.1}"),
            })
            .collect()
    };
    let names = peers.iter().map(|peer| (peer.name(), Align::Right));
    let columns = [
        ("position", Align::Left),
        ("depth", Align::Right),
        ("leaves", Align::Right),
    ];
    let mut table = TextTable::new(columns.into_iter().chain(names));
    for (tree, speeds) in trees.iter().zip(speeds) {
        let (depth, nodes) = tree.size(quick);
        let mut row = vec![tree.name.to_owned(), depth.to_string(), grouped(nodes)];
        row.extend(cells(speeds));
        table.push(row);
    }
    let means: Vec<f64> = (0..peers.len())
        .map(|peer| {
            let logarithms: f64 = speeds.iter().map(|row| row[peer].ln()).sum();
            (logarithms / speeds.len() as f64).exp()
        })
        .collect();
    let mut row = vec!["geometric mean".to_owned(), String::new(), String::new()];
    row.extend(cells(&means));
    table.push(row);
    table
}

/// The middle one of these times, in seconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    let middle = times.len() / 2;
    let (low, high) = (times[(times.len() - 1) / 2], times[middle]);
    (low + high).as_secs_f64() / 2.0
}

/// The name of the processor, as far as the system tells.
fn processor_name() -> String {
    let description = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    description
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or("an unnamed processor", |rest| {
            rest.trim_start_matches([' ', '\t', ':'])
        })
        .to_owned()
}
