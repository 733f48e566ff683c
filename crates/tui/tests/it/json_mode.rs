//! The line protocol as docs/PROTOCOL.md documents it: every example there is played, and must match to the letter.

use serde_json::Value;
use touchmove_game::{Budget, Draws, Game, Opening, Players, Terms, Timestamp};
use touchmove_rules::{AnyPosition, Variant};
use touchmove_tui::json_mode::JsonSession;
use touchmove_tui::opponents::ComputerOptions;

const DOCUMENT: &str = include_str!("../../../../docs/PROTOCOL.md");

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
        let mut session = JsonSession::open(game);
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
    let mut session = JsonSession::open(game);
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

/// [000-14] A player who is not on move is told that first, whatever the move is.
#[test]
fn whose_turn_it_is_comes_before_everything_else_that_is_wrong_with_a_move() {
    let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
    let mut session = JsonSession::open(game);
    let mut reason = |request: &str| {
        let answer = session.line(Timestamp(0), request).unwrap();
        answer.denial.map_or("", |denial| denial.reason)
    };
    for wish in ["e7e5", "e5", "e2e4", "e2e5", "xyzzy", "O-O", "e7e7"] {
        let request = format!("{{\"move\":\"{wish}\",\"by\":\"black\"}}");
        assert_eq!(reason(&request), "not_your_turn", "{wish}");
    }
    assert_eq!(reason("e7e5"), "not_your_piece");
    assert_eq!(reason("Ng8f6"), "not_your_piece");
    let terms = Terms {
        draws: Draws::Claim,
        ..Terms::of(Variant::Chess)
    };
    let game = Game::begin(terms, Players::default(), Timestamp(0));
    let mut session = JsonSession::open(game);
    let request = r#"{"command":"claim","move":"xyzzy","by":"black"}"#;
    let answer = session.line(Timestamp(0), request).unwrap();
    assert_eq!(
        answer.denial.map(|denial| denial.reason),
        Some("claim_off_turn")
    );
}

/// [004-7]
#[test]
fn a_start_that_no_game_can_reach_is_warned_of_in_every_answer() {
    let nine_pawns = "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1";
    let start = AnyPosition::from_fen(nine_pawns, Variant::Chess).unwrap();
    let game = Game::begin(Terms::from(start), Players::default(), Timestamp(0));
    let mut session = JsonSession::open(game);
    for request in ["e2e4", "xyzzy", r#"{"command":"state"}"#] {
        let answer = session.line(Timestamp(0), request).unwrap();
        assert_eq!(
            answer.warnings,
            ["White has 9 pawns, more than 8"],
            "{request}"
        );
    }
}

#[test]
fn a_position_that_may_be_dead_is_not_told_as_alive() {
    let fen = "3k1b2/2p1pBp1/KpP1P1P1/1P6/4B3/8/8/8 w - - 0 1";
    let start = AnyPosition::from_fen(fen, Variant::Chess);
    let terms = Terms::from(start.expect("a position"));
    let opening = Opening::of(terms, Players::default(), Timestamp(0));
    let hasty = Budget::of_positions(1);
    let (game, _) = Game::start(opening, hasty);
    let mut session = JsonSession::open(game);
    let now = Timestamp(0);
    let answer = session.line(now, r#"{"move":"e4d5"}"#).expect("an answer");
    assert!(answer.accepted && !answer.state.proved);
    let written = serde_json::to_value(&answer).expect("JSON");
    assert_eq!(written["state"]["status"], "ongoing");
    assert_eq!(written["state"]["proved"], false);
    assert!(written["state"]["grounds"]["undecided"]["positions"].is_u64());
    let explanation = written["state"]["explanation"].as_str().unwrap_or_default();
    assert!(
        explanation.ends_with("was not decided in time: the game goes on as long as it is not."),
        "{explanation}"
    );
}

#[test]
fn a_program_does_not_act_for_the_computer_that_it_plays() {
    let players = Players {
        white: "Anna".to_owned(),
        black: "Computer (Casual)".to_owned(),
    };
    let game = Game::begin(Terms::of(Variant::Chess), players, Timestamp(0));
    let mut session = JsonSession::open(game).with_customs(&ComputerOptions::default(), 7);
    for command in ["resign", "draw", "takeback", "abort"] {
        let request = format!("{{\"command\":\"{command}\",\"by\":\"black\"}}");
        let answer = session.line(Timestamp(0), &request).expect("an answer");
        let denial = answer.denial.expect("a denial");
        assert_eq!(denial.reason, "no_seat", "{command}");
        assert_eq!(denial.text, "you play White, not Black", "{command}");
    }
    let asked = r#"{"command":"state","by":"black"}"#;
    let answer = session.line(Timestamp(0), asked).expect("an answer");
    assert!(answer.accepted, "anybody may look");
    let resigns = r#"{"command":"resign","by":"white"}"#;
    assert!(
        session
            .line(Timestamp(0), resigns)
            .expect("an answer")
            .accepted
    );
}
