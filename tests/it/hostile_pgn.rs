//! Files of games made to fill the memory: endless games, plain and compressed, and endless files. Every reader
//! must use little memory, and report what it has not read.

use std::io::{Read, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// The memory limit of the program, in KiB.
const MAX_MEMORY_KIB: u64 = 400_000;
/// More than the limit of one game, in bytes.
const LONG: usize = 18 * 1024 * 1024;
/// A comment that would exceed the limit by itself.
const LONG_COMMENT: usize = 600 * 1024 * 1024;

/// The result of a run.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
    peak_kib: u64,
}

fn run(arguments: &[&str], file: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_touchmove"))
        .args(arguments)
        .arg(file)
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let stdout = child.stdout.take().expect("a pipe");
    let stderr = child.stderr.take().expect("a pipe");
    let readers = (
        thread::spawn(move || words(stdout)),
        thread::spawn(move || words(stderr)),
    );
    let status = format!("/proc/{}/status", child.id());
    let mut peak_kib = 0;
    let code = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status.code();
        }
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak_kib = peak_kib.max(kibibytes.unwrap_or(0));
        if peak_kib > 3 * MAX_MEMORY_KIB {
            // It may have exited by itself.
            let _ = child.kill();
        }
        thread::sleep(Duration::from_millis(3));
    };
    Run {
        code,
        out: readers.0.join().expect("its words"),
        err: readers.1.join().expect("its words"),
        peak_kib,
    }
}

fn words(mut pipe: impl Read) -> String {
    let mut words = Vec::new();
    pipe.read_to_end(&mut words).expect("a pipe");
    String::from_utf8_lossy(&words).into_owned()
}

/// A file for this test.
fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

/// Every command that reads games, with its exit code and its message about a game that is too long.
const COMMANDS: [(&[&str], i32, &str); 6] = [
    (&["pgn", "check", "--threads", "2"], 1, "game_too_long"),
    (&["pgn", "stats", "--threads", "2"], 0, "more than 16 MiB"),
    (&["pgn", "fmt"], 2, "cannot be rewritten"),
    (&["pgn", "show", "--plain"], 1, "is too long"),
    (&["review", "--nodes", "10"], 1, "is too long"),
    (&["play", "--plain", "--load"], 1, "is too long"),
];

fn assert_little_memory(commands: &[(&[&str], i32, &str)], file: &str) {
    for (arguments, code, words) in commands {
        let arguments = match arguments[1] {
            "fmt" => &["pgn", "fmt", "--output", "/dev/null"][..],
            _ => arguments,
        };
        let ran = run(arguments, file);
        let what = format!(
            "{arguments:?} {file}: {:?}, {} KiB: {:.300} {:.300}",
            ran.code, ran.peak_kib, ran.out, ran.err
        );
        assert!(ran.peak_kib <= MAX_MEMORY_KIB, "{what}");
        assert_eq!(ran.code, Some(*code), "{what}");
        assert!(ran.out.contains(words) || ran.err.contains(words), "{what}");
    }
}

#[test]
fn a_game_without_end_takes_little_memory() {
    for (name, moves, commands) in [
        ("knights", "Nf3 Nf6 Ng1 Ng8\n", &COMMANDS[..]),
        ("queens", "Qh9 ", &COMMANDS[3..]),
        ("nested", "(", &COMMANDS),
    ] {
        let text = moves.repeat(LONG / moves.len());
        let file = file(&format!("{name}.pgn"), text.as_bytes());
        assert_little_memory(commands, &file);
    }
}

#[test]
fn a_small_file_of_a_long_game_takes_little_memory() {
    let text = "Nf3 Nf6 Ng1 Ng8\n".repeat(LONG / 16);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).expect("memory");
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(text.as_bytes()).expect("memory");
    let bombs = [
        (
            "long.pgn.gz",
            gzip.finish().expect("memory"),
            &COMMANDS[..3],
        ),
        // `--load` does not decompress.
        (
            "long.pgn.bz2",
            bzip2.finish().expect("memory"),
            &COMMANDS[3..5],
        ),
    ];
    for (name, bytes, commands) in bombs {
        assert!(bytes.len() < text.len() / 50, "{}", bytes.len());
        assert_little_memory(commands, &file(name, &bytes));
    }
}

#[test]
fn a_small_file_of_a_long_comment_takes_little_memory() {
    let mut zstd = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    zstd.write_all(b"[Event \"x\"]\n\n1. e4 {").expect("memory");
    let part = vec![b'x'; 1 << 20];
    for _ in 0..LONG_COMMENT >> 20 {
        zstd.write_all(&part).expect("memory");
    }
    zstd.write_all(b"} *\n\n[Event \"y\"]\n\n1. d4 d5 *\n")
        .expect("memory");
    let file = file("comment.pgn.zst", &zstd.finish().expect("memory"));
    assert_little_memory(&COMMANDS[..4], &file);
    // The game after it is still read.
    let ran = run(&["pgn", "show", "--plain", "--game", "2"], &file);
    assert!(ran.out.contains("ply 2 of 2"), "{}{}", ran.out, ran.err);
    let ran = run(&["review", "--nodes", "10", "--game", "2"], &file);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn files_without_end_are_refused_with_their_limit() {
    for (arguments, limit) in [
        (&["judge", "--journal"][..], "16 MiB"),
        (&["winnable", "--verify"], "256 MiB"),
        (&["play", "--plain", "--load"], "256 MiB"),
        (&["serve", "--data", "/nowhere", "--config"], "65536 bytes"),
    ] {
        let ran = run(arguments, "/dev/zero");
        let is_named = ran.err.contains("/dev/zero") && ran.err.contains(limit);
        assert!(
            is_named && ran.code == Some(2),
            "{arguments:?}: {}",
            ran.err
        );
    }
}
