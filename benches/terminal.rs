//! Latency of the full-screen mode, measured in a pseudo-terminal: `cargo bench --bench terminal`. Prints the
//! figures and fails if one exceeds its limit; other tests check what is shown.

#[path = "../tests/it/support/pty.rs"]
#[allow(dead_code)] // The tests use more of it.
mod pty;

use std::time::{Duration, Instant};

use pty::{Home, Window};
use touchmove_rules::{Color, Square};
use touchmove_tui::screen::Layout;

/// A median and a maximum, in milliseconds.
type Limits = (f64, f64);

/// From the start of the program to the first frame.
const FIRST_PAINT: Limits = (10.0, 50.0);
/// From a key press to the frame that it changes.
const KEY: Limits = (2.0, 16.0);
/// From a move to its frame, including the write to disk.
const MOVE: Limits = (16.0, 50.0);
/// From a key press to the frame that it changes, with the board shown as images.
const IMAGES: Limits = (16.0, 50.0);
/// CPU usage while idle, in percent of one processor.
const IDLE: f64 = 1.0;
/// How long CPU usage is measured while idle.
const WATCHED: Duration = Duration::from_secs(10);

fn main() {
    // `cargo test --benches` only checks that the benchmark starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let home = Home::new("timing");
    let first = [
        report(
            "start screen to first paint",
            first_paint(&home, &[], "Play"),
            FIRST_PAINT,
        ),
        report(
            "board with clocks to first paint",
            first_paint(&home, &["play", "--time", "5+3"], "White to move"),
            FIRST_PAINT,
        ),
    ];
    let keys = [
        report("a typed letter to its paint", typed(&home), KEY),
        report("a step of the cursor to its paint", stepped(&home), KEY),
        report("a move, autosaved, to its paint", moved(&home), MOVE),
        report("a man in hand, as real pictures", pictured(&home), IMAGES),
    ];
    let idle = [
        idle(&home, "start screen", &[], "Play"),
        idle(&home, "clocks", &["play", "--time", "5+3"], "White to move"),
        idle(
            &home,
            "clocks with tenths",
            &["play", "--time", "0:25"],
            "0:09.",
        ),
    ];
    let is_quick = first.into_iter().chain(keys).chain(idle).all(|held| held);
    assert!(is_quick, "a limit is passed");
}

/// Prints the median, the 99th percentile and the maximum; returns whether they are within the limits.
fn report(what: &str, mut times: Vec<Duration>, (median, worst): Limits) -> bool {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    println!(
        "{what:<36} median {:6.2} ms   99% {:6.2} ms   worst {:6.2} ms   limits {median} and {worst} ms   ({} times)",
        at(50),
        at(99),
        at(100),
        times.len()
    );
    at(50) <= median && at(100) < worst
}

/// Starts the program repeatedly and measures the time until `text` is on the screen.
fn first_paint(home: &Home, arguments: &[&str], text: &str) -> Vec<Duration> {
    let start = || {
        let began = Instant::now();
        let mut window = Window::open(home, arguments, &[]);
        window.see(text);
        began.elapsed()
    };
    (0..20).map(|_| start()).collect()
}

/// Sends keys and returns the time until the screen fulfils a condition.
fn until(window: &mut Window, keys: &str, holds: impl Fn(&vt100::Screen) -> bool) -> Duration {
    let began = Instant::now();
    window
        .send(keys)
        .wait_until(keys, |output| holds(output.terminal.screen()));
    began.elapsed()
}

fn at_the_board(home: &Home) -> Window {
    let mut window = Window::open(home, &["play", "--time", "90+30"], &[]);
    window.see("White to move");
    window
}

/// Types a letter, which shows its completions, and deletes it again.
fn typed(home: &Home) -> Vec<Duration> {
    let mut window = at_the_board(home);
    let mut times = Vec::new();
    for _ in 0..150 {
        times.push(until(&mut window, "N", |screen| {
            screen.contents().contains("Na3  Nc3  Nf3  Nh3")
        }));
        times.push(until(&mut window, "\x7f", |screen| {
            screen.contents().contains("Type a move")
        }));
    }
    times
}

/// Moves the cursor to the next square and back.
fn stepped(home: &Home) -> Vec<Duration> {
    let mut window = at_the_board(home);
    let layout = Layout::of(window.size.into()).expect("a layout");
    let mut times = Vec::new();
    for _ in 0..150 {
        for (keys, square) in [("\x1b[A", Square::E2), ("\x1b[B", Square::E1)] {
            let cell = layout.board(Color::White).middle(square);
            times.push(until(&mut window, keys, |screen| {
                screen.cursor_position() == (cell.y, cell.x)
            }));
        }
    }
    times
}

/// Selects pieces one after another on a board of images, so that their squares are sent again.
fn pictured(home: &Home) -> Vec<Duration> {
    const KITTY: &str = "\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62c";
    const END: &[u8] = b"\x1b[?2026l";
    let variables = [("COLORTERM", "truecolor")];
    let mut window = Window::answering(KITTY, home, &["play"], &variables);
    let is_put = |bytes: &[u8]| bytes.windows(5).any(|bytes| bytes == b"_Ga=p");
    window.wait_until("pictures", |output| {
        is_put(&output.bytes) && output.bytes.ends_with(END)
    });
    let mut times = Vec::new();
    for _ in 0..100 {
        let before = window.bytes().len();
        let began = Instant::now();
        window
            .send("\t")
            .wait_until("another man in hand", |output| {
                let bytes = output.bytes.get(before..).unwrap_or_default();
                is_put(bytes) && bytes.ends_with(END)
            });
        times.push(began.elapsed());
    }
    times
}

/// Moves knights out and back, in several games because of the draws by repetition.
fn moved(home: &Home) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..12 {
        let mut window = at_the_board(home);
        for (ply, keys) in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]
            .into_iter()
            .enumerate()
        {
            window.send(keys).see("Enter plays it");
            let turn = ["Black to move", "White to move"][ply % 2];
            times.push(until(&mut window, "\r", |screen| {
                screen.contents().contains(turn)
            }));
        }
    }
    times
}

/// Measures the CPU usage of the idle program; returns whether it is within the limit.
fn idle(home: &Home, what: &str, arguments: &[&str], text: &str) -> bool {
    let mut window = Window::open(home, arguments, &[]);
    window.see(text);
    let Some(id) = window.child.process_id() else {
        return true;
    };
    let Some(before) = ticks(id) else {
        println!("{what}: this system does not tell how much a process takes");
        return true;
    };
    let watched = if text.starts_with("0:09") {
        WATCHED / 2
    } else {
        WATCHED
    };
    std::thread::sleep(watched);
    let taken = ticks(id).unwrap_or(before) - before;
    // A tick is 1/100 s on Linux.
    let share = taken as f64 / watched.as_secs_f64();
    let label = format!("idle, {what}");
    println!("{label:<36} {share:6.2} % of a processor   limit {IDLE} %   ({watched:?})");
    share <= IDLE
}

/// The CPU time of a process, in ticks.
fn ticks(id: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(number(11)? + number(12)?)
}
