//! How long a table may have to wait: what a question costs that may look at few positions, in processor
//! time, for each variant. Whether the answers are right is asked elsewhere.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use touchmove_rules::{
    AnyPosition, Atomic, Chess, Chess960, Color, Fen, Position, Rules, Setup, SimpleAtomic,
};

use super::{Dice, blasts, cages, castles, mutate, seeds};
use crate::{Budget, Verdict, winnable};

/// What a table may look at, and four times as much.
const BUDGETS: [u64; 2] = [1_024, 4_096];

/// The time that this thread has run for.
fn time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}

/// The positions of the public collections, where there are any.
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

/// Asks for both sides about so many positions that the fuzzer proposes, and about those of the
/// collections, each as a game does: with a solver of its own.
fn wait_for<R: Rules>(wanted: usize, setups: &[Setup], seed: u64)
where
    AnyPosition: From<Position<R>>,
{
    let seeds = seeds();
    let mut dice = Dice(seed);
    let mut positions: Vec<Position<R>> = Vec::new();
    while positions.len() < wanted {
        let setup = match (R::BLAST, dice.roll(4)) {
            (true, _) => blasts::propose::<R>(&seeds, &mut dice),
            (false, 0) => cages::cage(&mut dice),
            (false, kind) => {
                let mut setup = seeds[dice.roll(seeds.len())];
                mutate(&mut setup, &mut dice);
                match kind {
                    1 => castles::castle::<R>(&setup, &mut dice),
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
    for budget in BUDGETS {
        let mut times = Vec::new();
        let mut undecided = 0;
        for position in &positions {
            let any = AnyPosition::from(*position);
            for side in Color::ALL {
                let before = time();
                let verdict = winnable(&any, side, Budget::of_positions(budget));
                times.push((time() - before, position.fen().to_string(), side));
                undecided += usize::from(matches!(verdict, Verdict::Undecided { .. }));
            }
        }
        times.sort();
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let within = |part: f64| micros(times[(times.len() as f64 * part) as usize].0);
        println!(
            "{:>13}, {budget} positions: {} asked, {undecided} put off; 50 % within {:.1} µs, 99 % {:.1}, \
             99.9 % {:.1}",
            R::VARIANT.to_string(),
            times.len(),
            within(0.5),
            within(0.99),
            within(0.999),
        );
        for (time, fen, side) in times.iter().rev().take(3) {
            println!("{:>13}  {:8.1} µs: {fen} for {side}", "", micros(*time));
        }
    }
}

/// Run it with `--ignored --nocapture` in a release build.
#[test]
#[ignore = "measures time, and takes minutes"]
fn nobody_waits_long_at_the_table() {
    let wanted = std::env::var("FRESH").map_or(4_000, |n| n.parse().expect("a number"));
    let setups = public();
    wait_for::<Chess>(wanted, &setups, 0x2026_1120_0000_0001);
    wait_for::<Chess960>(wanted, &setups, 0x2026_1120_0000_0002);
    wait_for::<Atomic>(wanted, &setups, 0x2026_1120_0000_0003);
    wait_for::<SimpleAtomic>(wanted, &setups, 0x2026_1120_0000_0004);
}
