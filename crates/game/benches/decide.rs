//! Latency of the arbiter: `decide` and `tick` in every position of the winnability data, in processor time
//! so that a busy machine does not matter. Prints the slowest and fails above ten milliseconds.
//!
//! ```text
//! TOUCHMOVE_DATA=DATA cargo bench -p touchmove-game --bench decide
//! ```

#![allow(clippy::disallowed_methods)] // It reads files and clocks; the library does not.

use std::fs;
use std::path::Path;
use std::time::Duration;

use touchmove_game::{Command, Game, Opening, Players, Submission, Terms, Timestamp};
use touchmove_rules::{AnyPosition, Variant};

/// Maximum processor time of one call.
const BOUND: Duration = Duration::from_millis(10);

/// The processor time of this thread.
fn time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}

#[derive(Default)]
struct Worst {
    asked: u64,
    total: Duration,
    worst: Duration,
    fen: String,
}

impl Worst {
    fn take(&mut self, spent: Duration, position: &AnyPosition) {
        self.asked += 1;
        self.total += spent;
        if spent > self.worst {
            self.worst = spent;
            self.fen = position.fen().to_string();
        }
    }
}

fn main() {
    let Some(data) = std::env::var_os("TOUCHMOVE_DATA") else {
        println!("skipped: set TOUCHMOVE_DATA to a folder with winnability/*.tsv and *.txt");
        return;
    };
    let mut slow = false;
    let mut paths: Vec<_> = fs::read_dir(Path::new(&data).join("winnability"))
        .expect("a folder of positions")
        .map(|file| file.expect("a file").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|end| end == "tsv" || end == "txt")
        })
        .collect();
    paths.sort();
    for path in paths {
        let (mut decides, mut ticks) = (Worst::default(), Worst::default());
        for line in fs::read_to_string(&path).expect("text").lines() {
            let Some(position) = position_in(line) else {
                continue;
            };
            measure(&position, &mut decides, &mut ticks);
        }
        for (what, worst) in [("decide", decides), ("tick", ticks)] {
            slow |= worst.worst > BOUND;
            println!(
                "{:45} {what:6} {:7} asked, mean {:8.1} us, worst {:6.2} ms in {}",
                path.file_name().unwrap_or_default().display(),
                worst.asked,
                worst.total.as_secs_f64() * 1e6 / worst.asked.max(1) as f64,
                worst.worst.as_secs_f64() * 1e3,
                worst.fen
            );
        }
    }
    assert!(!slow, "something took longer than {BOUND:?}");
}

/// The FEN in a line between labels and comments.
fn position_in(line: &str) -> Option<AnyPosition> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let board = words
        .iter()
        .position(|word| word.matches('/').count() == 7)?;
    [6, 4].into_iter().find_map(|fields| {
        let mut fen = words.get(board..board + fields)?.join(" ");
        if fields == 4 {
            fen += " 0 1";
        }
        AnyPosition::from_fen(&fen, Variant::Chess).ok()
    })
}

fn measure(position: &AnyPosition, decides: &mut Worst, ticks: &mut Worst) {
    let terms = Terms {
        time: "1".parse().ok(),
        ..Terms::from(*position)
    };
    let game = Game::open(Opening::of(terms, Players::default(), Timestamp(0)));
    // The first, the last and a middle move: each leads to a position that is judged.
    let moves = position.legal_moves();
    let picked = [0, moves.len() / 2, moves.len().saturating_sub(1)];
    for index in picked {
        let Some(&mv) = moves.get(index) else {
            continue;
        };
        let command = Command::from(position.uci(mv));
        let request = Submission::new(Timestamp(5), game.turn(), command);
        let before = time();
        let decided = game.decide(&request);
        decides.take(time() - before, position);
        std::hint::black_box(&decided).as_ref().ok();
    }
    let before = time();
    let fell = game.tick(Timestamp(60_000));
    ticks.take(time() - before, position);
    assert!(!fell.is_empty(), "a flag falls after a minute");
}
