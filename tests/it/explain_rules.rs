//! `touchmove explain` and `touchmove rules` as a shell sees them. The law book's own tests cover legality.

use std::process::Command;

use serde_json::Value;

fn touchmove(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_touchmove"))
        .args(arguments)
        .env_remove("TOUCHMOVE_CPU")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), text)
}

fn explained(arguments: &[&str]) -> Value {
    let (code, text) = touchmove(&[&["explain", "--json"], arguments].concat());
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["legal"], code == 0, "{text}");
    answer
}

fn squares(answer: &Value) -> Vec<&str> {
    let evidence = answer["evidence"].as_array().unwrap();
    evidence
        .iter()
        .map(|square| square.as_str().unwrap())
        .collect()
}

#[test]
fn a_legal_move_is_explained_with_its_kind_and_its_checklist() {
    let answer = explained(&["e4"]);
    assert_eq!(answer["kind"], "Pawn Two Steps");
    assert_eq!(
        (&answer["san"], &answer["uci"]),
        (&"e4".into(), &"e2e4".into())
    );
    assert_eq!(answer["reason"], Value::Null);
    let conditions = answer["conditions"].as_array().unwrap();
    assert!(
        conditions
            .iter()
            .all(|condition| condition["holds"] == true)
    );
    assert!(
        conditions
            .iter()
            .any(|condition| condition["source"] == "FIDE 3.7.2")
    );
}

#[test]
fn castling_across_an_attacked_square_names_the_square_and_the_attacker() {
    let answer = explained(&["e1g1", "--fen", "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1"]);
    assert_eq!(answer["reason"], "castling_through_check");
    assert_eq!(squares(&answer), ["f1", "f8"]);
    assert_eq!(answer["kind"], "King Right Castling");
    let text = answer["text"].as_str().unwrap();
    assert!(
        text.contains("f1") && text.contains("the rook on f8"),
        "{text}"
    );
}

#[test]
fn a_pinned_knight_names_pinner_and_king() {
    let answer = explained(&["Nd5", "--moves", "e4 e5 Nc3 Bb4"]);
    assert_eq!(
        answer["legal"], true,
        "the pawn on d2 shields the king: {answer}"
    );
    let answer = explained(&["Nd5", "--moves", "e4 e5 Nc3 Bb4 d3 a6"]);
    assert_eq!(answer["reason"], "pinned");
    assert_eq!(squares(&answer), ["e1", "c3", "b4"]);
}

#[test]
fn en_passant_one_move_late_says_when_it_was_possible() {
    let answer = explained(&["exd6", "--moves", "e4 a6 e5 d5 h3 h6"]);
    assert_eq!(answer["reason"], "en_passant_too_late");
    assert!(answer["text"].as_str().unwrap().contains("only on move 3"));
}

#[test]
fn a_king_never_captures_in_atomic() {
    let fen = "4k3/8/8/3p4/3K4/8/8/8 w - - 0 1";
    let answer = explained(&["Kxd5", "--variant", "atomic", "--fen", fen]);
    assert_eq!(answer["reason"], "king_cannot_capture");
    assert!(
        answer["text"]
            .as_str()
            .unwrap()
            .contains("a king never captures")
    );
}

#[test]
fn an_explosion_of_both_kings_names_both() {
    let fen = "8/8/3k4/3p3R/3K4/8/8/8 w - - 0 1";
    let answer = explained(&["h5d5", "--variant", "simple-atomic", "--fen", fen]);
    assert_eq!(answer["reason"], "both_kings_explode");
    assert_eq!(squares(&answer), ["d4", "d5", "d6"]);
}

#[test]
fn invalid_illegal_ambiguous_and_incomplete_are_different_answers() {
    let reason = |arguments: &[&str]| explained(arguments)["reason"].as_str().unwrap().to_owned();
    assert_eq!(reason(&["castle!"]), "invalid_move");
    assert_eq!(reason(&["e2e5"]), "wrong_way");
    let knights = "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1";
    assert_eq!(reason(&["Nf3", "--fen", knights]), "ambiguous_move");
    let pawn = "7k/4P3/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(reason(&["e8", "--fen", pawn]), "promotion_missing");
}

#[test]
fn the_evidence_and_the_first_broken_law_are_shown() {
    let (code, text) = touchmove(&["explain", "Ra5", "--ascii"]);
    assert_eq!(code, 1);
    assert!(text.starts_with(
        "Ra5 is illegal: the rook on a1 cannot reach a5: the pawn on a2 is in the way.\n"
    ));
    assert!(text.contains("2 [P]"), "{text}");
    assert!(
        text.contains("NO  Sees square: every square on the way is empty (FIDE 3.5)   <- broken")
    );
    assert!(text.is_ascii());
}

#[test]
fn a_near_miss_is_asked_about() {
    let (_, text) = touchmove(&["explain", "Ng3"]);
    assert!(text.ends_with("Did you mean Nf3 or Nh3?\n"), "{text}");
    let answer = explained(&["e2e5"]);
    assert_eq!(answer["suggestions"][0], "e4");
}

#[test]
fn the_page_of_rules_is_what_the_program_prints() {
    let (code, printed) = touchmove(&["rules", "--markdown"]);
    assert_eq!(code, 0);
    let page = include_str!("../../docs/RULES.md");
    assert!(
        page == printed,
        "docs/RULES.md is out of date: cargo run -- rules --markdown > docs/RULES.md"
    );
}

/// [002-4 to 002-7]
#[test]
fn simple_atomic_is_explained_by_its_own_moves_only() {
    let simple = ["--variant", "simple-atomic"];
    let (_, book) = touchmove(&[&["rules"], &simple[..]].concat());
    let mentions: Vec<&str> = book
        .lines()
        .filter(|line| {
            ["O-O", "e8", "checkmate", "in check", "pinned"]
                .iter()
                .any(|word| line.contains(word))
        })
        .collect();
    assert!(mentions.is_empty(), "{mentions:?}");
    assert!(book.contains("One square in any direction, to an empty square."));
    let answer = explained(&[&["xyzzy"], &simple[..]].concat());
    assert_eq!(
        answer["text"],
        "\"xyzzy\" is not a move: type e2e4, Nf3 or exd5."
    );
    let (_, shown) = touchmove(&[&["show"], &simple[..]].concat());
    assert!(
        !shown.contains("castling") && !shown.contains("en passant"),
        "{shown}"
    );
    let stalemate = "8/8/8/8/8/p1p5/PpP5/KB2k3 w - - 0 1";
    let (_, verdict) = touchmove(&[&["judge", "--fen", stalemate], &simple[..]].concat());
    assert!(
        verdict.ends_with("Stalemate: White has no legal move; the game is drawn.\n"),
        "{verdict}"
    );
}

/// [002-15] The checklist of a king in the Atomic variants asks for an empty square, and for nothing else of it.
#[test]
fn a_king_that_takes_nothing_needs_an_empty_square() {
    let fen = "4k3/8/8/3p4/3K4/8/8/8 w - - 0 1";
    for variant in ["atomic", "simple-atomic"] {
        let answer = explained(&["Kxd5", "--variant", variant, "--fen", fen]);
        let conditions = answer["conditions"].as_array().unwrap();
        let broken: Vec<&Value> = conditions
            .iter()
            .filter(|condition| condition["holds"] == false)
            .map(|condition| &condition["name"])
            .collect();
        assert_eq!(broken, ["Square has nothing"], "{answer}");
        let text = answer["conditions"].to_string();
        assert!(!text.contains("opponent's piece"), "{text}");
        let own = explained(&[
            "Ke5",
            "--variant",
            variant,
            "--fen",
            "4k3/8/8/4P3/3K4/8/8/8 w - - 0 1",
        ]);
        assert_eq!(own["reason"], "own_piece_there");
    }
}

#[test]
fn the_rules_can_be_asked_for_by_variant_and_piece() {
    let (_, text) = touchmove(&["rules", "--variant", "simple-atomic"]);
    assert!(!text.contains("Left Castling") && text.contains("A king never captures"));
    let (_, text) = touchmove(&["rules", "--piece", "king", "--variant", "atomic"]);
    assert!(text.contains("Left Castling") && !text.contains("Two Steps"));
    let (code, _) = touchmove(&["rules", "--piece", "wizard"]);
    assert_eq!(code, 2);
}
