//! The line protocol as docs/PROTOCOL.md shows it: every example there is played, and must come out
//! to the letter.

use serde_json::Value;
use touchmove_game::{Draws, Game, Players, Terms, Timestamp};
use touchmove_rules::Variant;
use touchmove_tui::protocol::Session;

const DOCUMENT: &str = include_str!("../../../docs/PROTOCOL.md");

/// The examples: blocks fenced as `protocol`, with the arguments of `touchmove play` behind it.
fn examples() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut examples = Vec::new();
    for block in DOCUMENT.split("```protocol").skip(1) {
        let body = block.split("```").next().unwrap();
        let (arguments, lines) = body.split_once('\n').unwrap();
        examples.push((arguments.trim(), lines.lines().collect()));
    }
    examples
}

fn terms(arguments: &str) -> Terms {
    let mut words = arguments.split_whitespace();
    let mut terms = Terms::of(Variant::Chess);
    while let Some(option) = words.next() {
        let value = words.next().unwrap();
        match option {
            "--variant" => terms.start = Terms::of(value.parse().unwrap()).start,
            "--time" => terms.time = Some(value.parse().unwrap()),
            "--draws" => terms.draws = value.parse::<Draws>().unwrap(),
            _ => panic!("{option} is not known to the examples"),
        }
    }
    terms
}

#[test]
fn every_example_of_the_document_comes_out_to_the_letter() {
    let examples = examples();
    assert!(examples.len() >= 6, "{} examples", examples.len());
    for (arguments, lines) in examples {
        let game = Game::begin(terms(arguments), Players::default(), Timestamp(0));
        let mut session = Session::open(game);
        for exchange in lines.chunks(2) {
            let [request, expected] = exchange else {
                panic!("a request without its answer: {exchange:?}");
            };
            let request = request.strip_prefix("> ").unwrap();
            let expected: Value =
                serde_json::from_str(expected.strip_prefix("< ").unwrap()).unwrap();
            let answer = session.line(Timestamp(0), request).unwrap();
            let answer = serde_json::to_value(&answer).unwrap();
            assert_eq!(answer, expected, "{request}\nreally: {answer}");
        }
    }
}

#[test]
fn every_line_but_an_empty_one_has_one_answer_of_one_line() {
    let game = Game::begin(Terms::of(Variant::Atomic), Players::default(), Timestamp(0));
    let mut session = Session::open(game);
    assert_eq!(session.line(Timestamp(0), "   "), None);
    for line in [
        "e4",
        "{}",
        "{\"move\":null}",
        "[",
        "\u{1}",
        "{\"command\":\"pgn\"}",
        "null",
    ] {
        let answer = session.line(Timestamp(0), line).unwrap();
        let text = serde_json::to_string(&answer).unwrap();
        assert!(!text.contains('\n'), "{line}");
        assert_eq!(answer.accepted, answer.denial.is_none(), "{line}");
    }
}
