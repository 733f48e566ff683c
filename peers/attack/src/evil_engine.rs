//! An evil engine: this program speaks UCI, badly. `attack evil-engine KIND FILE` is what the program under attack
//! starts; it notes in the file what it is told, so that it is known whether anybody came.

use std::fs::File;
use std::io::{self, BufRead as _, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use touchmove_rules::{AnyPosition, Variant};

use crate::harm::{EVIL, WORD};

/// How the first argument reads that makes this program an engine.
pub const ARGUMENT: &str = "evil-engine";
/// Shown with the name of an engine, and harms nobody.
pub const NAME: &str = "ENGINEWORD";
/// How long a flood goes on before the engine does what it should.
const FLOOD_TIME: Duration = Duration::from_secs(30);
/// How long one goes on where the game is to be played on.
const SHORT_FLOOD_TIME: Duration = Duration::from_secs(2);

/// How an engine is evil: its word, and whether it gets as far as to be asked for a move.
pub const KINDS: &[(&str, bool)] = &[
    ("options", false),
    ("names", false),
    ("line", false),
    ("silent", false),
    ("gone", false),
    ("bytes", true),
    ("escapes", true),
    ("infos", true),
    ("numbers", true),
    ("illegal", true),
    ("exit", true),
    ("still", true),
];

/// Is that engine until it is told to quit, or nobody listens.
pub fn run(kind: &str, heard: &Path) -> anyhow::Result<()> {
    let file = File::options().create(true).append(true).open(heard);
    let mut heard = file.context("the file of the engine")?;
    let mut say = io::BufWriter::new(io::stdout().lock());
    let mut position = AnyPosition::start(Variant::Chess);
    let mut searches = 0;
    for line in io::stdin().lock().lines() {
        let line = line?;
        writeln!(heard, "{line}")?;
        match line.split(' ').next().unwrap_or_default() {
            "uci" => greet(kind, &mut say)?,
            "isready" => writeln!(say, "readyok")?,
            "position" => position = read_position(&line).unwrap_or(position),
            "go" => {
                searches += 1;
                search(kind, &position, searches, &mut say)?;
            }
            "quit" => return Ok(()),
            _ => {}
        }
        say.flush()?;
    }
    Ok(())
}

/// The position that `position` tells.
fn read_position(line: &str) -> Option<AnyPosition> {
    let rest = line.strip_prefix("position ")?;
    let (start, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
    let mut position = match start.strip_prefix("fen ") {
        Some(fen) => AnyPosition::from_fen(fen, Variant::Chess).ok()?,
        None => AnyPosition::start(Variant::Chess),
    };
    for mv in moves.split_whitespace() {
        let mv = position.read_uci(mv).ok()?;
        position.play(mv);
    }
    Some(position)
}

fn greet(kind: &str, say: &mut impl Write) -> io::Result<()> {
    let begun = Instant::now();
    let is_flood = || begun.elapsed() < FLOOD_TIME;
    match kind {
        "options" => {
            // Names and choices are what a reader keeps.
            let (name, mut number) = ("x".repeat(500), 0_u64);
            let choices = " var x".repeat(100);
            while is_flood() {
                number += 1;
                writeln!(
                    say,
                    "option name {name} {number} type combo default x{choices}"
                )?;
            }
        }
        "names" => {
            while is_flood() {
                writeln!(say, "id name {}", "x".repeat(50_000))?;
            }
        }
        "line" => {
            write!(say, "id name ")?;
            while is_flood() {
                say.write_all(&[b'x'; 64 * 1024])?;
            }
            writeln!(say)?;
        }
        "silent" => return Ok(()),
        "gone" => {
            eprintln!("{NAME} {EVIL}");
            std::process::exit(3);
        }
        "bytes" => {
            say.write_all(b"\xff\xfe\x9b31m\0\n")?;
            say.write_all(b"id name ENGINEWORD \xff\x9b31m\xc0\x80\n")?;
            say.write_all(b"option name \xff type check default \xff\n")?;
        }
        "escapes" => {
            let line = EVIL.replace(['\r', '\n'], "");
            writeln!(say, "id name {NAME} {line}\r\nid author {EVIL}")?;
            writeln!(
                say,
                "option name {line} type combo default {line} var {line}"
            )?;
            eprintln!("{EVIL}");
        }
        "numbers" => {
            let huge = "9".repeat(10_000);
            writeln!(say, "id name {NAME}")?;
            writeln!(
                say,
                "option name Hash type spin default {huge} min -{huge} max {huge}"
            )?;
        }
        _ => writeln!(say, "id name {NAME}")?,
    }
    writeln!(say, "uciok")
}

fn search(
    kind: &str,
    position: &AnyPosition,
    searches: u32,
    say: &mut impl Write,
) -> io::Result<()> {
    let legal = position.legal_moves();
    let best = legal.iter().next().map(|&mv| position.uci(mv).to_string());
    let best = best.unwrap_or_else(|| "0000".to_owned());
    match kind {
        // What is wrong with it is told with its name.
        "escapes" | "bytes" if searches > 1 => {
            return writeln!(say, "bestmove {}", EVIL.replace(['\r', '\n'], ""));
        }
        "infos" if searches == 1 => {
            let begun = Instant::now();
            while begun.elapsed() < SHORT_FLOOD_TIME {
                writeln!(say, "info depth 1 score cp 1 pv {}", "e2e4 ".repeat(1_000))?;
                writeln!(say, "info string {}", "x".repeat(60_000))?;
            }
        }
        "escapes" => {
            let line = EVIL.replace(['\r', '\n'], "");
            writeln!(
                say,
                "info string {EVIL}\ninfo depth 1 score cp {line} pv {line}"
            )?;
        }
        "numbers" => {
            let huge = "9".repeat(5_000);
            for score in [
                "cp 9223372036854775807",
                "cp -9223372036854775808",
                "mate -2147483648",
            ] {
                writeln!(say, "info depth {huge} nodes {huge} score {score} pv e2e4")?;
            }
            writeln!(say, "info depth 1 score cp {huge} nps {huge} time -{huge}")?;
            writeln!(say, "info nodes 18446744073709551615 score mate {huge}")?;
        }
        "bytes" => say.write_all(b"info string \xff\x9b31m\ninfo depth \xff score cp \xff\n")?,
        "illegal" => {
            let line = EVIL.replace(['\r', '\n'], "");
            return writeln!(say, "bestmove {WORD}{line} ponder {line}");
        }
        "exit" => {
            write!(say, "info depth 1 score cp 1\nbestmo")?;
            say.flush()?;
            std::process::exit(9);
        }
        "still" => return Ok(()),
        _ => {}
    }
    writeln!(say, "bestmove {best}")
}
