//! Measures latency: the processor time of a question with the small budget that a table gives it, for each variant.
//! The answers themselves are tested elsewhere.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use touchmove_rules::{
    AnyPosition, Atomic, Chess, Chess960, Color, Fen, Position, Rules, Setup, SimpleAtomic,
};

use crate::fuzz::{TestRng, caged_kings, castling, explosions, mutate, seeds};
use crate::{Budget, Winnability, winnable};

/// The budget a table uses, and a quarter of it, in positions.
const TABLE_BUDGETS: [u64; 2] = [1_024, 4_096];

/// A question slower than this is asked again, to tell a slow question from an interruption by the machine.
const SLOW_QUESTION: Duration = Duration::from_micros(2_500);
const REPETITIONS: usize = 3;

/// No question may take longer than this every time it is asked.
const MAX_QUESTION_TIME: Duration = Duration::from_millis(5);

/// How long a question took.
struct QuestionTiming {
    /// The first time.
    first: Duration,
    /// The shortest of the repeated times; the first time if there was no repeat.
    best: Duration,
    fen: String,
    side: Color,
}

/// The processor time of this thread so far.
fn time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}

/// The positions of the public collections, if they are present.
fn public() -> Vec<Setup> {
    let Some(folder) = std::env::var_os("TOUCHMOVE_DATA") else {
        return Vec::new();
    };
    let folder = std::path::Path::new(&folder).join("winnability");
    [
        "public_positions.tsv",
        "public_hard.tsv",
        "public_game_ends.txt",
    ]
    .iter()
    .filter_map(|name| std::fs::read_to_string(folder.join(name)).ok())
    .flat_map(|text| text.lines().filter_map(setup_in).collect::<Vec<_>>())
    .collect()
}

fn setup_in(line: &str) -> Option<Setup> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let first = words.iter().position(|word| word.contains('/'))?;
    let fen = words.get(first..first + 4)?.join(" ");
    Fen::read_short(&fen).ok().map(|fen| fen.0)
}

/// Asks about both sides of `wanted` positions from the fuzzer and of those of the collections, each with a new solver,
/// as a game does.
fn wait_for<R: Rules>(wanted: usize, setups: &[Setup], seed: u64)
where
    AnyPosition: From<Position<R>>,
{
    let seeds = seeds();
    let mut dice = TestRng(seed);
    let mut positions: Vec<Position<R>> = Vec::new();
    while positions.len() < wanted {
        let setup = match (R::CAPTURES_EXPLODE, dice.roll(4)) {
            (true, _) => explosions::propose::<R>(&seeds, &mut dice),
            (false, 0) => caged_kings::cage(&mut dice),
            (false, kind) => {
                let mut setup = seeds[dice.roll(seeds.len())];
                mutate(&mut setup, &mut dice);
                match kind {
                    1 => castling::castle::<R>(&setup, &mut dice),
                    _ => setup,
                }
            }
        };
        positions.extend(Position::from_setup(&setup));
    }
    positions.extend(
        seeds
            .iter()
            .chain(setups)
            .filter_map(|setup| Position::<R>::from_setup(setup).ok()),
    );
    for budget in TABLE_BUDGETS {
        let mut waits = Vec::new();
        let mut undecided = 0;
        for position in &positions {
            let any = AnyPosition::from(*position);
            for side in Color::ALL {
                let ask = || {
                    let before = time();
                    let verdict = winnable(&any, side, Budget::of_positions(budget));
                    (time() - before, verdict)
                };
                let (first, verdict) = ask();
                let again = (0..REPETITIONS).map(|_| ask().0);
                let best = match first > SLOW_QUESTION {
                    true => again.min().unwrap_or(first),
                    false => first,
                };
                undecided += usize::from(matches!(verdict, Winnability::Undecided { .. }));
                waits.push(QuestionTiming {
                    first,
                    best,
                    fen: position.fen().to_string(),
                    side,
                });
            }
        }
        tell::<R>(budget, waits, undecided);
    }
}

/// Prints the times, and fails if a question is too slow every time it is asked.
fn tell<R: Rules>(budget: u64, mut waits: Vec<QuestionTiming>, undecided: usize) {
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    waits.sort_by_key(|wait| wait.first);
    let within = |part: f64| micros(waits[(waits.len() as f64 * part) as usize].first);
    println!(
        "{:>13}, {budget} positions: {} asked, {undecided} put off; asked once, 50 % within {:.1} µs, 99 % \
         {:.1}, 99.9 % {:.1}, the worst {:.1}",
        R::VARIANT.to_string(),
        waits.len(),
        within(0.5),
        within(0.99),
        within(0.999),
        waits.last().map_or(0.0, |wait| micros(wait.first)),
    );
    waits.sort_by_key(|wait| wait.best);
    for wait in waits.iter().rev().take(3) {
        println!(
            "{:>13}  {:8.1} µs at best of {REPETITIONS} more times, {:.1} at first: {} for {}",
            "",
            micros(wait.best),
            micros(wait.first),
            wait.fen,
            wait.side
        );
    }
    let slow = waits
        .iter()
        .filter(|wait| wait.best > MAX_QUESTION_TIME)
        .count();
    assert_eq!(slow, 0, "some of {} keep a table waiting", R::VARIANT);
}

/// Run it with `--ignored --nocapture` in a release build. `FRESH` sets the number of positions, `SEED`
/// another seed.
#[test]
#[ignore = "measures time, and takes minutes"]
fn nobody_waits_long_at_the_table() {
    let wanted = std::env::var("FRESH").map_or(4_000, |n| n.parse().expect("a number"));
    let other = std::env::var("SEED").map_or(0, |n| n.parse::<u64>().expect("a number"));
    let setups = public();
    let seed = |usual: u64| usual ^ other << 4;
    wait_for::<Chess>(wanted, &setups, seed(0x2026_1120_0000_0001));
    wait_for::<Chess960>(wanted, &setups, seed(0x2026_1120_0000_0002));
    wait_for::<Atomic>(wanted, &setups, seed(0x2026_1120_0000_0003));
    wait_for::<SimpleAtomic>(wanted, &setups, seed(0x2026_1120_0000_0004));
}
