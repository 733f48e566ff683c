//! The arbiter crate answers a request with the same JSON that the command line prints.

use std::time::Duration;

use serde_json::{Value, json};
use touchmove_arbiter::{BudgetCap, Request, RequestKind, answer};

use crate::support::program;

/// The arbiter's answer or error as it is sent. The time limit is generous.
fn desk(question: RequestKind, request: &Value) -> String {
    let cap = BudgetCap {
        positions: 1_000_000,
        time: Duration::from_secs(3600),
        clock: &|| Duration::ZERO,
    };
    let request = Request::read(question, request.to_string().as_bytes());
    match request.and_then(|request| answer(&request, &cap)) {
        Ok(report) => serde_json::to_string(&report).unwrap(),
        Err(trouble) => serde_json::to_string(&trouble).unwrap(),
    }
}

/// The text without what may differ: option names (fields are option names without dashes), error codes, and the
/// time taken.
fn comparable(text: &str) -> String {
    let text = text.trim_end().replace("\"--", "\"");
    let Ok(Value::Object(mut object)) = serde_json::from_str(&text) else {
        panic!("{text} is no JSON");
    };
    object.shift_remove("code");
    object.shift_remove("micros");
    Value::Object(object).to_string()
}

#[track_caller]
fn same(question: RequestKind, arguments: &[&str], request: &Value) {
    let run = program::run(&[&[question.name(), "--json"], arguments].concat(), "");
    let desk = desk(question, request);
    let is_trouble = desk.contains("\"code\":");
    assert!(!is_trouble || run.code > 0, "{}", run.err);
    assert_eq!(comparable(&run.out), comparable(&desk), "{arguments:?}");
}

const LONE_KNIGHT: &str = "8/8/8/3kr3/8/3K1N2/8/8 w - - 0 1";
const WALL: &str = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1";
const ONE_KING: &str = "4k3/8/8/8/8/8/8/8 w - - 0 1";
const CASTLING: &str = "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
const TWO_KINGS_NEAR: &str = "8/8/3k4/3p3R/3K4/8/8/8 w - - 0 1";
const UNREACHABLE: &str = "QQQQQQQQ/QQQQQQQQ/8/8/8/8/k7/7K w - - 0 1";
const SHUFFLE: &str = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";

#[test]
fn judge_is_the_same() {
    let same = |arguments: &[&str], request: Value| same(RequestKind::Judge, arguments, &request);
    same(&[], json!({}));
    same(
        &["--moves", "f3 e5 g4 Qh4"],
        json!({"position": {"moves": "f3 e5 g4 Qh4"}}),
    );
    same(
        &["--start", "0", "--moves", "1. f3 f6"],
        json!({"position": {"start": 0, "moves": "1. f3 f6"}}),
    );
    same(&["--fen", ONE_KING], json!({"position": {"fen": ONE_KING}}));
    same(
        &["--fen", ONE_KING, "--variant", "atomic"],
        json!({"position": {"fen": ONE_KING, "variant": "atomic"}}),
    );
    same(
        &["--moves", "e4 Ke5"],
        json!({"position": {"moves": "e4 Ke5"}}),
    );
    same(
        &["--moves", SHUFFLE],
        json!({"position": {"moves": SHUFFLE}}),
    );
    same(
        &["--moves", SHUFFLE, "--draws", "claim"],
        json!({"position": {"moves": SHUFFLE}, "draws": "claim"}),
    );
    for color in ["white", "black"] {
        same(
            &["--fen", LONE_KNIGHT, "--flagged", color],
            json!({"position": {"fen": LONE_KNIGHT}, "flagged": color}),
        );
    }
    same(
        &[
            "--fen",
            "8/8/8/3k4/8/3KQ3/8/8 w - -",
            "--flagged",
            "white",
            "--flag",
            "loses",
        ],
        json!({"position": {"fen": "8/8/8/3k4/8/3KQ3/8/8 w - -"}, "flagged": "white", "flag": "loses"}),
    );
    for law in ["exact", "material", "off"] {
        same(
            &["--fen", WALL, "--dead", law],
            json!({"position": {"fen": WALL}, "dead": law}),
        );
    }
    same(
        &["--fen", UNREACHABLE],
        json!({"position": {"fen": UNREACHABLE}}),
    );
    for variant in ["chess960", "atomic", "simple-atomic"] {
        same(
            &["--variant", variant, "--moves", "e4 d5 exd5"],
            json!({"position": {"variant": variant, "moves": "e4 d5 exd5"}}),
        );
    }
}

#[test]
fn explain_is_the_same() {
    let same = |arguments: &[&str], request: Value| same(RequestKind::Explain, arguments, &request);
    for typed in [
        "e4", "e2 e4", "Ke3", "O-O", "castle!", "d2d4q", "Nf4", "e7e5", "Bc4", "Qh5", "Nc3",
    ] {
        same(&[typed], json!({"move": typed}));
    }
    same(
        &["e1g1", "--fen", CASTLING],
        json!({"move": "e1g1", "position": {"fen": CASTLING}}),
    );
    same(
        &["exd6", "--moves", "e4 a6 e5 d5 h3 h6"],
        json!({"move": "exd6", "position": {"moves": "e4 a6 e5 d5 h3 h6"}}),
    );
    for variant in ["chess", "chess960", "atomic", "simple-atomic"] {
        for typed in ["h5d5", "Kxd5", "Rh8"] {
            same(
                &[typed, "--variant", variant, "--fen", TWO_KINGS_NEAR],
                json!({"move": typed, "position": {"variant": variant, "fen": TWO_KINGS_NEAR}}),
            );
        }
    }
    let knights = "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1";
    same(
        &["Nf3", "--fen", knights],
        json!({"move": "Nf3", "position": {"fen": knights}}),
    );
    let pawn = "7k/4P3/8/8/8/8/8/4K3 w - - 0 1";
    same(
        &["e8", "--fen", pawn],
        json!({"move": "e8", "position": {"fen": pawn}}),
    );
    same(
        &["Qa1", "--fen", UNREACHABLE],
        json!({"move": "Qa1", "position": {"fen": UNREACHABLE}}),
    );
    same(
        &["Ke7", "--fen", ONE_KING],
        json!({"move": "Ke7", "position": {"fen": ONE_KING}}),
    );
    same(
        &["e4", "--moves", "e5"],
        json!({"move": "e4", "position": {"moves": "e5"}}),
    );
}

#[test]
fn winnable_is_the_same() {
    let same = |arguments: &[&str], request: Value| {
        let patient = [arguments, &["--budget", "60m", "--memory", "1"]].concat();
        same(RequestKind::Winnable, &patient, &request);
    };
    for fen in [
        LONE_KNIGHT,
        WALL,
        CASTLING,
        UNREACHABLE,
        "startpos",
        "7k/5Q2/6K1/8/8/8/8/8 b - -",
    ] {
        same(&["--fen", fen], json!({"position": {"fen": fen}}));
    }
    for side in ["white", "black", "both"] {
        same(
            &["--fen", "8/8/8/3k4/8/3K4/8/2B5 w - - 0 1", "--side", side],
            json!({"position": {"fen": "8/8/8/3k4/8/3K4/8/2B5 w - - 0 1"}, "side": side}),
        );
    }
    for variant in ["chess960", "atomic", "simple-atomic"] {
        for fen in ["startpos", TWO_KINGS_NEAR, ONE_KING] {
            same(
                &["--fen", fen, "--variant", variant],
                json!({"position": {"fen": fen, "variant": variant}}),
            );
        }
    }
    same(&["--start", "959"], json!({"position": {"start": 959}}));
    same(&["--fen", ONE_KING], json!({"position": {"fen": ONE_KING}}));
    same(&["--fen", "junk"], json!({"position": {"fen": "junk"}}));
}

#[test]
fn rules_are_the_same() {
    let same = |arguments: &[&str], request: Value| same(RequestKind::Rules, arguments, &request);
    same(&[], json!({}));
    for variant in ["chess", "chess960", "atomic", "simple-atomic"] {
        same(&["--variant", variant], json!({ "variant": variant }));
        same(
            &["--variant", variant, "--piece", "king"],
            json!({"variant": variant, "piece": "king"}),
        );
    }
    same(&["--piece", "pawn"], json!({"piece": "pawn"}));
    for words in ["en passant", "FIDE 9.2", "wizard"] {
        same(&["--search", words], json!({ "search": words }));
    }
    same(
        &["--variant", "atomic", "--search", "castling"],
        json!({"variant": "atomic", "search": "castling"}),
    );
}
