//! Deeply nested or endless input, for every parser: on a small stack, so that a recursive parser overflows it and
//! ends these tests.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use touchmove_arbiter::{BudgetCap, Request, RequestKind, answer};
use touchmove_game::protocol::{ClientMessage, LocalMessage};
use touchmove_game::{TimeControl, TimeControls, journal};
use touchmove_pgn::{AuditReport, Batch, Batches, Document, WalkStep, audit};
use touchmove_rules::{AnyPosition, Epd, Fen, San, UciMove, Variant};
use touchmove_server::readers;
use touchmove_tui::config::Config;

use crate::support::program::{run, run_with};

/// The nesting depth of the inputs.
const LEVELS: usize = 1_000_000;
/// The stack of a parser: a quarter of a thread's usual size.
const STACK_BYTES: usize = 512 * 1024;

/// Runs a parser on a small stack.
fn on_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = thread::Builder::new().stack_size(STACK_BYTES);
    thread.spawn(work).unwrap().join().unwrap()
}

/// Inputs for every parser.
fn deep_texts() -> Vec<String> {
    let both = |open: &str, close: &str| open.repeat(LEVELS) + &close.repeat(LEVELS);
    vec![
        both("[", "]"),
        both("{\"a\":", "}"),
        both("(", ")"),
        both("{", "}"),
        both("<", ">"),
        "a.".repeat(LEVELS) + "x=1",
        "k = ".to_owned() + &both("{a=", "}"),
        "/".repeat(LEVELS),
        "8/".repeat(LEVELS),
        "1".repeat(LEVELS),
        "\"".repeat(LEVELS),
        "\\".repeat(LEVELS),
        "e2e4 ".repeat(LEVELS),
        "%".repeat(LEVELS),
        "\n".repeat(LEVELS),
        "𝄞".repeat(LEVELS / 4),
    ]
}

#[test]
fn positions_and_moves_of_any_length_are_read() {
    on_small_stack(|| {
        let start = AnyPosition::start(Variant::Chess);
        for text in deep_texts() {
            assert!(text.parse::<Fen>().is_err());
            assert!(Fen::read_short(&text).is_err());
            assert!(text.parse::<San>().is_err());
            assert!(text.parse::<UciMove>().is_err());
            let _ = text.parse::<Epd>();
            assert!(start.read_input(&text).is_err());
            let _ = text.parse::<TimeControl>();
            let _ = text.parse::<TimeControls>();
        }
        let operations = "c0 \"x\"; ".repeat(100_000);
        let _ = format!("8/8/8/8/8/8/8/8 w - - {operations}").parse::<Epd>();
    });
}

#[test]
fn journals_and_messages_of_any_depth_are_refused() {
    on_small_stack(|| {
        let opening = r#"{"v":1,"event":"started","terms":"#;
        for text in deep_texts() {
            assert!(journal::read(&text).is_err());
            assert!(journal::read(&format!("{opening}{text}}}")).is_err());
            let nested = format!(r#"{{"move":"e4","id":{text}}}"#);
            assert!(ClientMessage::read(&nested).is_err());
            assert!(LocalMessage::read(&nested).is_err());
            for question in RequestKind::ALL {
                assert!(Request::read(question, text.as_bytes()).is_err());
            }
            let _ = Config::read(&text);
            let _ = readers::read_form(&text);
            let _ = readers::read_query(&text);
            let _ = readers::check_json(text.as_bytes());
            let _ = readers::read_socket_message(&text);
            assert!(readers::read_socket_message(&nested).is_err());
            let claim =
                format!("touchmove certificate 1\nvariant chess\nside white\nposition {text}");
            assert!(touchmove_certificate::verify(&claim).is_err());
            assert!(touchmove_certificate::verify(&text).is_err());
        }
        let forced = "touchmove certificate 1\nvariant chess\nside white\n\
                      position 8/8/8/3k4/8/3K4/8/2B5 w - - 0 1\n"
            .to_owned()
            + &"forced a1a2\n".repeat(100_000);
        assert!(touchmove_certificate::verify(&forced).is_err());
    });
}

#[test]
fn settings_with_dotted_keys_inside_tables_inside_keys_are_read() {
    on_small_stack(|| {
        let dotted = "a.".repeat(70) + "b";
        let inline = format!("{{{dotted} = ").repeat(70);
        for text in [
            format!("{} = 1", "a.".repeat(LEVELS) + "b"),
            format!("[{}b]\nc = 1", "a.".repeat(LEVELS)),
            format!("[[{}b]]\nc = 1", "a.".repeat(LEVELS)),
            format!("[{dotted}]\n{dotted} = {inline}1{}", "}".repeat(70)),
        ] {
            let (_, faults) = Config::read(&text);
            assert!(!faults.is_empty());
        }
    });
}

#[test]
fn variations_of_any_depth_are_read_walked_written_compared_and_dropped() {
    on_small_stack(|| {
        // As many as a game may have.
        let levels = LEVELS / 16;
        let text = format!(
            "1. e4 {}*",
            "(1. d4 ".repeat(levels) + &")".repeat(levels) + " "
        );
        let mut games = Document::read_all(text.as_bytes());
        assert_eq!(games.len(), 1);
        let opened = games[0]
            .walk()
            .filter(|step| matches!(step, WalkStep::Open));
        assert_eq!(opened.count(), levels);
        let written = games[0].to_string();
        assert_eq!(Document::read_all(written.as_bytes()), games);
        games[0].normalise();
        drop(games.clone());
        let mut batches = Batches::new(text.as_bytes());
        let (mut batch, mut report) = (Batch::default(), AuditReport::default());
        while batches.next(&mut batch).unwrap() {
            audit(&batch, &mut report);
        }
        assert_eq!(report.totals.games, 1);
        for open in ["(", "(1. e4 ", "{", "[", "<", "$", "; ", "1. "] {
            let _ = Document::read_all(open.repeat(LEVELS).as_bytes());
        }
    });
}

#[test]
fn the_arbiter_reads_a_game_of_any_depth() {
    on_small_stack(|| {
        let clock = || Duration::ZERO;
        let cap = BudgetCap {
            positions: 1_000,
            time: Duration::from_secs(1),
            clock: &clock,
        };
        let pgn = format!("1. e4 {}", "(1. d4 ".repeat(9_000));
        let asked = serde_json::json!({ "position": { "pgn": pgn } }).to_string();
        for question in RequestKind::ALL {
            if let Ok(request) = Request::read(question, asked.as_bytes()) {
                let _ = answer(&request, &cap);
            }
        }
    });
}

/// A file for this test.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn no_command_falls_over_a_deep_file() {
    let levels = LEVELS / 10;
    let nested = format!("1. e4 {}", "(1. d4 ".repeat(levels));
    for command in [
        &["pgn", "check", "-"][..],
        &["pgn", "fmt", "-"],
        &["pgn", "show", "-", "--plain"],
        &["pgn", "stats", "-"],
    ] {
        let done = run(command, &nested);
        assert!(
            (0..=3).contains(&done.code),
            "{command:?}: {} {}",
            done.code,
            done.err
        );
    }
    // Both kings can only go to and fro: without a limit, a perft count would recurse as deep as it is told.
    let forced = "k7/P7/K7/8/8/8/8/8 b - - 0 1 ;D4000000000 1\n";
    let done = run(&["perft", "--file", "-"], forced);
    assert!(
        done.err.contains("64 plies") || done.out.contains("64 plies"),
        "{} {}",
        done.out,
        done.err
    );
    let endless = "x".repeat(3 << 20) + "\nisready\nquit\n";
    let done = run(&["uci"], endless);
    assert!(
        done.out.contains("was not read") && done.out.contains("readyok"),
        "{}",
        done.out
    );
    let messages = "[".repeat(LEVELS) + "\n" + &"{\"a\":".repeat(700) + "\n";
    let done = run(&["play", "--json"], &messages);
    assert!((0..=3).contains(&done.code), "{} {}", done.code, done.err);
}

#[test]
fn a_deep_settings_file_is_named_and_not_fallen_over() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("deep-settings");
    std::fs::create_dir_all(folder.join("touchmove")).unwrap();
    for text in [
        "theme = ".to_owned() + &"[".repeat(LEVELS),
        "a.".repeat(LEVELS) + "b = 1",
    ] {
        std::fs::write(folder.join("touchmove").join("config.toml"), &text).unwrap();
        let home = folder.to_str().unwrap();
        let done = run_with(&["config"], "", &[("XDG_CONFIG_HOME", home)]);
        assert!((0..=3).contains(&done.code), "{} {}", done.code, done.err);
        let server = file("deep-server.toml", &text);
        let server = server.to_str().unwrap();
        let done = run_with(&["serve", "--config", server, "--data", home], "", &[]);
        assert!((1..=3).contains(&done.code), "{} {}", done.code, done.err);
    }
}
