//! Whole games through the real program, by pipe: every variant, every kind of ending, every kind of invalid input.
//! The library crates test the laws themselves.

use serde_json::Value;

use crate::support::program::run as touchmove;

/// Plays moves in plain mode; the program must succeed and print all of this, in this order.
fn assert_game(arguments: &[&str], lines: &str, says: &[&str]) {
    let arguments = [&["play", "--plain"], arguments].concat();
    let input = lines.split_whitespace().collect::<Vec<_>>().join("\n");
    let run = touchmove(&arguments, input);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    let mut rest = run.out.as_str();
    for words in says {
        let at = rest
            .find(words)
            .unwrap_or_else(|| panic!("no {words:?} in\n{}", run.out));
        rest = &rest[at..];
    }
    assert!(!run.out.contains('\u{1b}'), "colour in a pipe");
}

#[test]
fn a_game_of_chess_ends_in_mate() {
    assert_game(
        &["--white", "Anna", "--black", "Ben"],
        "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7",
        &[
            "Anna (White) against Ben (Black)",
            "8 |♜|♞|",
            "White played Qxf7#",
            "Game Over",
            "Checkmate",
            "1-0",
            "[White \"Anna\"]",
            "4. Qxf7#",
        ],
    );
}

#[test]
fn a_game_of_chess_ends_in_stalemate() {
    assert_game(
        &[],
        "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6",
        &[
            "White played Qe6",
            "Game Over",
            "Stalemate",
            "Result: 1/2-1/2",
        ],
    );
}

#[test]
fn a_game_of_chess960_ends_by_agreement() {
    assert_game(
        &[
            "--variant",
            "chess960",
            "--fen",
            "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w HBhb - 0 1",
        ],
        "e1h1 e8b8 draw accept",
        &[
            "White played O-O",
            "Black played O-O-O",
            "offers a draw",
            "Game Over",
            "agreed to a draw",
        ],
    );
}

#[test]
fn a_game_of_atomic_ends_in_an_explosion() {
    assert_game(
        &["--variant", "atomic"],
        "e4 d5 Nf3 dxe4 Bb5+ Qxd2",
        &[
            "The blast removes",
            "Qxd2#",
            "Game Over",
            "blown up White's king",
            "Result: 0-1",
            "[Variant \"Atomic\"]",
        ],
    );
}

#[test]
fn a_game_of_simple_atomic_ends_when_somebody_blows_up_his_own_king() {
    assert_game(
        &["--variant", "simple-atomic"],
        "Nc3 e5 Nd5 c6 Ne7 Qxe7",
        &[
            "Game Over",
            "blown up Black's king",
            "Result: 1-0",
            "[Variant \"Simple Atomic\"]",
        ],
    );
}

#[test]
fn a_game_ends_by_the_flag() {
    let requests = "{\"move\":\"e4\",\"at\":500}\n{\"command\":\"state\",\"at\":999999}\n{\"move\":\"e5\",\"at\":1000000}\n";
    let run = touchmove(&["play", "--json", "--time", "0:01"], requests);
    let answers: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((run.code, answers.len()), (0, 3));
    assert_eq!(answers[0]["state"]["clocks"]["white"], 500);
    assert_eq!(
        answers[1]["events"][0]["at"], 1500,
        "a flag falls at its deadline"
    );
    assert_eq!(answers[1]["state"]["status"], "flag_fall");
    assert_eq!(answers[1]["state"]["winner"], "white");
    assert_eq!(answers[2]["accepted"], false);
    assert_eq!(answers[2]["reason"], "game_over");
}

#[test]
fn the_end_of_input_loses_nothing() {
    assert_game(&[], "", &["The game is unfinished.", "[Result \"*\"]"]);
    assert_game(
        &[],
        "e4 e5 Nf3",
        &["The game is unfinished.", "1. e4 e5 2. Nf3 *"],
    );
    assert_game(&[], "e4 quit e5", &["1. e4 *"]);
}

#[test]
fn an_illegal_start_is_game_over() {
    let fen = "4k3/8/8/8/8/8/8/4KK2 w - - 0 1";
    let run = touchmove(&["play", "--plain", "--fen", fen], "");
    assert_eq!(run.code, 1);
    assert_eq!(
        run.out,
        "Game Over: illegal position (White has 2 kings, on e1 and f1).\nResult: *\n"
    );
    let run = touchmove(&["play", "--json", "--fen", fen], "e4\n");
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (run.code, &answer["reason"]),
        (1, &"illegal_position".into())
    );
}

#[test]
fn junk_gets_clear_refusals_and_a_clean_end() {
    let mut junk: Vec<u8> = Vec::new();
    let mut state = 7_u64;
    while junk.len() < 1_000_000 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        junk.extend(state.to_be_bytes());
    }
    let long = [vec![b'e'; 10_000_000], b"\ne4\n".to_vec()].concat();
    for mode in ["--plain", "--json"] {
        for input in [&junk, &long] {
            let run = touchmove(&["play", mode], input);
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{mode}");
        }
        let run = touchmove(&["play", mode], &long);
        assert!(run.out.contains("longer than 4096 bytes"), "{mode}");
        let e4 = if mode == "--plain" { "1. e4" } else { "4P3" };
        assert!(run.out.contains(e4), "{mode}: the game goes on");
    }
}

#[test]
fn wrong_arguments_are_named() {
    for (arguments, says) in [
        (["--time", "5+"], "is not a time control"),
        (["--draws", "never"], "it is auto or claim"),
        (["--flag", "up"], "it is fide or loses"),
        (["--dead", "maybe"], "it is exact or material or off"),
        (["--variant", "bughouse"], "is not a variant"),
    ] {
        let run = touchmove(&[&["play", "--plain"], &arguments[..]].concat(), "");
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.err.contains(says), "{arguments:?}: {}", run.err);
    }
    let run = touchmove(&["play", "--plain", "--moves", "e4 e4"], "");
    assert_eq!(run.code, 1);
    assert!(run.err.contains("--moves, ply 2"), "{}", run.err);
}

fn cases(text: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(text).unwrap();
    data["cases"].as_array().unwrap().clone()
}

fn judge(arguments: &[&str]) -> (i32, Value) {
    let run = touchmove(&[&["judge", "--json"], arguments].concat(), "");
    (
        run.code,
        serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{arguments:?}: {}", run.err)),
    )
}

#[test]
fn a_slice_of_the_endings_comes_out_of_the_program_too() {
    let cases = cases(include_str!("../../crates/game/tests/data/endings.json"));
    for case in cases
        .iter()
        .step_by(4)
        .chain(cases.iter().filter(|case| case["group"] == "flag_fall"))
    {
        let id = case["id"].as_str().unwrap();
        let variant = case["variant"]
            .as_str()
            .unwrap()
            .replace("standard", "chess");
        let fen = case["start_fen"].as_str().unwrap();
        if case["group"] == "flag_fall" {
            let (code, verdict) = judge(&["--fen", fen, "--flagged", "white"]);
            let draw = case["result"] == "draw";
            assert_eq!(
                verdict["result"],
                if draw { "1/2-1/2" } else { "0-1" },
                "{id}"
            );
            assert_eq!(
                verdict["status"],
                if draw { "flag_fall_draw" } else { "flag_fall" },
                "{id}"
            );
            assert_eq!(code, 0);
            continue;
        }
        let moves: Vec<&str> = case["moves"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let (code, verdict) = judge(&[
            "--fen",
            fen,
            "--variant",
            &variant,
            "--moves",
            &moves.join(" "),
            "--draws",
            "claim",
        ]);
        let status = match case["status"].as_str().unwrap() {
            "draw_fivefold_automatic" => "fivefold_repetition",
            "draw_75move_automatic" => "seventyfive_moves",
            "draw_claimable" => "ongoing",
            "stalemate_draw" => "stalemate",
            "black_won" => "king_exploded",
            other => other,
        };
        assert_eq!(
            verdict["status"], status,
            "{id}: {}",
            verdict["explanation"]
        );
        assert_eq!(verdict["winner"], case["winner"], "{id}");
        assert_eq!(code, 0, "{id}");
    }
}

#[test]
fn a_slice_of_the_simple_atomic_games_comes_out_of_the_program_too() {
    let cases = cases(include_str!(
        "../../crates/game/tests/data/simple_atomic_games.json"
    ));
    for case in cases.iter().step_by(9) {
        let id = case["id"].as_str().unwrap();
        let tries = case["moves"].as_array().unwrap();
        let requests: Vec<String> = tries
            .iter()
            .map(|squares| serde_json::json!({ "move": format!("{}{}", squares[0].as_str().unwrap(), squares[1].as_str().unwrap()) }).to_string())
            .collect();
        let run = touchmove(
            &[
                "play",
                "--json",
                "--variant",
                "simple-atomic",
                "--draws",
                "claim",
                "--dead",
                "off",
            ],
            requests.join("\n"),
        );
        let answers: Vec<Value> = run
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(answers.len(), tries.len(), "{id}");
        for (ply, answer) in answers.iter().enumerate() {
            assert_eq!(
                answer["accepted"], case["expect"][ply],
                "{id}: {}",
                requests[ply]
            );
        }
        let fen = answers.last().unwrap()["state"]["fen"].as_str().unwrap();
        assert!(
            fen.starts_with(case["final_placement"].as_str().unwrap()),
            "{id}"
        );
    }
}

#[test]
fn the_judge_says_everything() {
    let (code, verdict) = judge(&["--moves", "f3 e5 g4 Qh4"]);
    let keys: Vec<&String> = verdict.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "variant",
            "fen",
            "valid",
            "faults",
            "turn",
            "check",
            "checkers",
            "legal_moves",
            "repetitions",
            "halfmove_clock",
            "claims",
            "status",
            "winner",
            "result",
            "explanation",
            "proved",
            "warnings"
        ]
    );
    assert_eq!((code, &verdict["winner"]), (0, &"black".into()));

    let (code, verdict) = judge(&["--fen", "4k3/8/8/8/8/8/8/3KK3 w - - 0 1"]);
    assert_eq!((code, &verdict["status"]), (1, &"illegal_position".into()));
    assert_eq!(verdict["valid"], false);
    assert_eq!(verdict["faults"][0], "White has 2 kings, on d1 and e1");

    let (code, verdict) = judge(&["--moves", "e4 Ke7"]);
    assert_eq!((code, &verdict["valid"]), (1, &false.into()));

    let shuffle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4";
    let (_, verdict) = judge(&["--moves", shuffle]);
    assert_eq!(verdict["over_since"]["ply"], 8);
    assert_eq!(verdict["over_since"]["status"], "threefold_repetition");

    let run = touchmove(&["judge", "--moves", "f3 e5 g4 Qh4"], "");
    assert!(run.out.contains("Status          checkmate"), "{}", run.out);
    let run = touchmove(&["judge", "--fen", "nonsense"], "");
    assert_eq!(run.code, 2);
}
