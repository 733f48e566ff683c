//! Files that are hard to read: deep, wide, long, random, and with texts that would steer a terminal. What is done with
//! them is not known here.

use crate::harm::{EVIL, PASSWORD};

/// A file that is hard to read.
pub struct Evil {
    /// What it is called here; its ending says what it claims to be.
    pub name: &'static str,
    /// What is in it.
    pub content: Vec<u8>,
}

fn pgn(tags: &str, moves: &str) -> Vec<u8> {
    format!("[Event \"{tags}\"]\n[Site \"{tags}\"]\n[White \"{tags}\"]\n[Black \"{tags}\"]\n[Result \"*\"]\n\n{moves} *\n").into_bytes()
}

/// All of them, some of them random.
pub fn evils(random: &mut fastrand::Rng) -> Vec<Evil> {
    let evil = |name, content: Vec<u8>| Evil { name, content };
    let text = |name, content: String| evil(name, content.into_bytes());
    let deep = 100_000;
    vec![
        evil(
            "escapes.pgn",
            pgn(
                EVIL,
                &format!("1. e4 {{{EVIL}}} e5 2. {EVIL} Nf3 ;{EVIL}\n"),
            ),
        ),
        evil(
            "illegal.pgn",
            pgn("a", &format!("1. e4 e5 2. Kxx{EVIL}e9 {EVIL}")),
        ),
        evil(
            "deep.pgn",
            pgn(
                "a",
                &format!("1. e4 {} e5 {}", "(1. d4 ".repeat(deep), ")".repeat(deep)),
            ),
        ),
        evil("open.pgn", pgn("a", &format!("1. e4 {}", "(".repeat(deep)))),
        evil(
            "comments.pgn",
            pgn("a", &format!("1. e4 {}", "{".repeat(deep))),
        ),
        evil("wide.pgn", pgn("a", &"1. e4 ".repeat(deep))),
        evil(
            "tags.pgn",
            format!("[A \"{}\"]\n", "x".repeat(2_000_000)).into_bytes(),
        ),
        evil("many-tags.pgn", "[A \"x\"]\n".repeat(deep / 5).into_bytes()),
        evil(
            "fen-tag.pgn",
            format!(
                "[FEN \"{}\"]\n[SetUp \"1\"]\n\n1. e4 *\n",
                "8/".repeat(deep)
            )
            .into_bytes(),
        ),
        evil("bytes.pgn", (0..200_000).map(|_| random.u8(..)).collect()),
        evil("zeros.pgn", vec![0; 1_000_000]),
        text(
            "escapes.fen",
            format!("{EVIL}\n8/8/8/8/8/8/8/{EVIL} w - - 0 1\n{EVIL};{EVIL}\n"),
        ),
        text("long.fen", "8/".repeat(500_000)),
        text(
            "numbers.fen",
            format!("8/8/8/8/8/8/8/8 w - - {n} {n}\n", n = "9".repeat(10_000)),
        ),
        text(
            "kings.fen",
            format!("{} w KQkq - 0 1\n", ["kkkkkkkk"; 8].join("/")),
        ),
        text(
            "positions.epd",
            format!("8/8/8/8/8/8/8/K6k w - - bm {EVIL}; id \"{EVIL}\";\n"),
        ),
        text(
            "password.toml",
            format!("store = \"postgres://chess:{PASSWORD}@db.example/chess\nnats = 1\n"),
        ),
        text("deep.toml", format!("a = {}", "[".repeat(deep))),
        text("tables.toml", format!("[{}]\n", "a.".repeat(deep) + "a")),
        text("inline.toml", format!("a = {}", "{a=".repeat(deep))),
        text(
            "escapes.toml",
            format!(
                "theme = \"{}\"\n[engines]\n\"{}\" = \"x\"\n",
                "\\u001b]0;ATTACK\\u0007\\u202e", "\\u001b[31mATTACK"
            ),
        ),
        text(
            "deep.jsonl",
            format!("{{\"v\":1,\"seq\":1,\"at\":1,\"by\":{}", "[".repeat(deep)),
        ),
        text("objects.jsonl", "{\"a\":".repeat(deep)),
        text(
            "wide.jsonl",
            format!(
                "{{\"v\":1,\"seq\":0,\"at\":0,\"event\":\"started\",\"x\":[{}0]}}\n",
                "[0],".repeat(20 * deep)
            ),
        ),
        text(
            "journal.jsonl",
            format!(
                "{{\"v\":1,\"seq\":1,\"at\":1,\"event\":\"{}\"}}\n",
                "\\u001b]0;ATTACK\\u0007"
            ),
        ),
        text(
            "huge.jsonl",
            format!(
                "{{\"v\":1,\"seq\":18446744073709551616,\"at\":1e999}}\n{}",
                "{}\n".repeat(deep / 5)
            ),
        ),
        text(
            "counts.perft",
            format!(
                "{EVIL};D1 20\n;D99999999999999999999 {}\n",
                "9".repeat(1_000)
            ),
        ),
        text("proof.certificate", format!("{}{EVIL}", "(".repeat(deep))),
    ]
}
