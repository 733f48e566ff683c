//! Benchmark: prints what each question of labelled files costs, in processor time of the thread, which a busy machine
//! distorts less than wall-clock time. It does not compare the answers with the labels.
//!
//! ```text
//! cargo run --release -p touchmove-winnability --example cost -- FILE…
//! ```
//!
//! `COSTLY=20` also prints the 20 most expensive questions of each file. `UNTIMED=1` reads no clock, for valgrind,
//! which has no clock for threads.

#![allow(clippy::disallowed_methods)] // It reads files and clocks; the library does not.

use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Duration;
use std::{env, fs};

use rustix::time::{ClockId, clock_gettime};
use touchmove_rules::{Chess, Color, Fen, Position};
use touchmove_winnability::{Budget, Solver, Winnability};

/// The budget for one question, as on the command line.
const BUDGET: Budget = Budget::of_positions(16_000_000);
const PATIENCE: Duration = Duration::from_secs(1);

/// A question with its answer and its cost.
struct Asked {
    time: Duration,
    fen: String,
    side: Color,
    positions: u64,
    verdict: Winnability,
}

/// The processor time of this thread so far.
fn time() -> Duration {
    static UNTIMED: LazyLock<bool> = LazyLock::new(|| env::var_os("UNTIMED").is_some());
    if *UNTIMED {
        return Duration::ZERO;
    }
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}

/// Parses a line as `touchmove winnable --file` does: the position and, for each side in the label, whether it can win.
/// Without a label the side not to move cannot win.
fn questions(line: &str) -> Option<(String, Vec<(Color, bool)>)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let first = words.iter().position(|word| word.contains('/'))?;
    let fen = format!("{} 0 1", words.get(first..first + 4)?.join(" "));
    let labels = match &words[..first] {
        [] => vec![(!words[first + 1].parse::<Color>().ok()?, false)],
        ["winnable", side] => vec![(side.parse().ok()?, true)],
        [side @ ("white" | "black")] => vec![(side.parse().ok()?, false)],
        [label] => label
            .chars()
            .zip(Color::ALL)
            .filter(|(letter, _)| *letter != '?')
            .map(|(letter, side)| (side, letter != '-'))
            .collect(),
        _ => return None,
    };
    Some((fen, labels))
}

fn main() -> ExitCode {
    let costly = env::var("COSTLY").map_or(0, |count| count.parse().unwrap_or(0));
    let mut solver = Solver::<Chess>::new();
    let mut is_right = true;
    for path in env::args().skip(1) {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let (mut asked, mut wrong) = (Vec::new(), 0);
        for (fen, labels) in lines.filter_map(questions) {
            let Fen(setup) = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
            let position = Position::from_setup(&setup).expect("a playable position");
            for (side, can_win) in labels {
                let before = time();
                let interrupted = || time() - before > PATIENCE;
                let verdict = solver.winnable_until(&position, side, BUDGET, interrupted);
                let time = time() - before;
                wrong += usize::from(match can_win {
                    true => verdict.is_unwinnable(),
                    false => verdict.is_winnable(),
                });
                asked.push(Asked {
                    time,
                    fen: fen.clone(),
                    side,
                    positions: solver.visited(),
                    verdict,
                });
            }
        }
        is_right &= wrong == 0;
        tell(&path, asked, wrong, costly);
    }
    match is_right {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn tell(path: &str, mut asked: Vec<Asked>, wrong: usize, costly: usize) {
    let is_open = |asked: &&Asked| matches!(asked.verdict, Winnability::Undecided { .. });
    let undecided = asked.iter().filter(is_open).count();
    asked.sort_by_key(|asked| asked.time);
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let within = |part: f64| {
        let index = (asked.len() as f64 * part) as usize;
        asked.get(index).map_or(0.0, |asked| micros(asked.time))
    };
    let mean = |total: f64| total / asked.len().max(1) as f64;
    let total = micros(asked.iter().map(|asked| asked.time).sum());
    let positions: u64 = asked.iter().map(|asked| asked.positions).sum();
    println!(
        "{}: {} asked, {wrong} wrong, {undecided} undecided; {:.1} positions; mean {:.1} µs, 50 % within \
         {:.1}, 90 % {:.1}, 99 % {:.1}, 99.9 % {:.1}, slowest {:.1}",
        path.rsplit('/').next().unwrap_or(path),
        asked.len(),
        mean(positions as f64),
        mean(total),
        within(0.5),
        within(0.9),
        within(0.99),
        within(0.999),
        asked.last().map_or(0.0, |asked| micros(asked.time)),
    );
    for asked in asked.iter().rev().take(costly) {
        println!(
            "  {:10.1} µs, {:7} positions, {} for {}: {}",
            micros(asked.time),
            asked.positions,
            asked.fen,
            asked.side,
            asked.verdict.name()
        );
    }
}
