//! The real program, as a shell sees it: what it prints, where, and with which exit code.

mod program;

use program::{Run, run};

fn reading(input: &str, arguments: &[&str]) -> Run {
    run(arguments, input)
}

fn touchmove(arguments: &[&str]) -> Run {
    run(arguments, "")
}

/// A refusal: nothing on standard output, one line on standard error, the right exit code.
fn assert_refused(arguments: &[&str], code: i32, says: &str) {
    let run = touchmove(arguments);
    assert_eq!(run.code, code, "{arguments:?}: {}", run.err);
    assert_eq!(run.out, "", "{arguments:?}");
    assert!(run.err.contains(says), "{arguments:?}: {}", run.err);
    assert!(!run.err.contains("panicked"), "{arguments:?}: {}", run.err);
    if code == 1 || !run.err.contains("Usage") {
        assert!(
            run.err.lines().filter(|line| !line.is_empty()).count() <= 4,
            "{}",
            run.err
        );
    }
}

#[test]
fn show_prints_the_board_of_the_first_document() {
    let run = touchmove(&["show"]);
    assert_eq!(run.code, 0);
    let board = "\
8 |♜|♞|♝|♛|♚|♝|♞|♜|
7 |♟|♟|♟|♟|♟|♟|♟|♟|
6 |_|#|_|#|_|#|_|#|
5 |#|_|#|_|#|_|#|_|
4 |_|#|_|#|_|#|_|#|
3 |#|_|#|_|#|_|#|_|
2 |♙|♙|♙|♙|♙|♙|♙|♙|
1 |♖|♘|♗|♕|♔|♗|♘|♖|
   a b c d e f g h
";
    assert!(run.out.starts_with(board), "{}", run.out);
    assert!(
        run.out
            .contains("FEN         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
    );
}

#[test]
fn show_knows_moves_variants_flipping_and_letters() {
    let run = touchmove(&["show", "--moves", "1. e4 e5 2.Nf3", "--flip", "--ascii"]);
    assert!(run.out.starts_with("1 |R(#)B|K|Q|B|N|R|\n"), "{}", run.out);
    assert!(run.out.contains("turn        Black"));
    let run = touchmove(&[
        "show",
        "--variant",
        "atomic",
        "--moves",
        "Nf3 a6 Ne5 a5 Nxd7",
        "--json",
    ]);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["variant"], "atomic");
    assert_eq!(
        answer["legal_moves"], 0,
        "the knight has blown up the king: {answer}"
    );
}

#[test]
fn show_draws_files() {
    let folder = std::env::temp_dir().join(format!("touchmove-show-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (svg, png) = (folder.join("board.svg"), folder.join("board.png"));
    let run = touchmove(&[
        "show",
        "--svg",
        svg.to_str().unwrap(),
        "--png",
        png.to_str().unwrap(),
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn moves_are_listed_with_their_kinds() {
    let fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1";
    let run = touchmove(&["moves", "--fen", fen]);
    assert_eq!(run.code, 0);
    for line in [
        "exd6     e5d6   Pawn Left En Passant",
        "O-O      e1g1   King Right Castling",
        "O-O-O    e1c1   King Left Castling",
        "Rxa8+    a1a8   Rook Regular",
    ] {
        assert!(run.out.contains(line), "{line} in\n{}", run.out);
    }
    let run = touchmove(&[
        "moves",
        "--json",
        "--variant",
        "chess960",
        "--fen",
        fen,
        "--from",
        "e1",
    ]);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let moves = answer["moves"].as_array().unwrap();
    assert!(
        moves
            .iter()
            .any(|mv| mv["uci"] == "e1h1" && mv["san"] == "O-O"),
        "{answer}"
    );
}

#[test]
fn a_game_goes_on_from_its_record() {
    let file = std::env::temp_dir().join(format!("touchmove-load-{}.pgn", std::process::id()));
    let name = file.to_str().unwrap();
    let pgn = "[White \"Anna\"]\n[TimeControl \"300+3\"]\n[Draws \"claim\"]\n\n\
               1. e4 {[%clk 0:04:50]} e5 {[%clk 0:05:01]} *\n";
    std::fs::write(&file, pgn).unwrap();
    let run = reading(
        "{\"move\":\"g1f3\",\"at\":13000}\n",
        &["play", "--json", "--load", name],
    );
    assert_eq!(run.code, 0, "{}", run.err);
    let answer: serde_json::Value = serde_json::from_str(run.out.lines().next().unwrap()).unwrap();
    assert_eq!(answer["accepted"], true, "{answer}");
    assert_eq!(answer["state"]["plies"], 3);
    assert_eq!(answer["state"]["clocks"]["black"], 301_000, "{answer}");
    let run = reading("pgn\nquit\n", &["play", "--plain", "--load", name]);
    assert!(
        run.out.contains("[White \"Anna\"]") && run.out.contains("[Draws \"claim\"]"),
        "{}",
        run.out
    );
    std::fs::write(&file, "1. e4 e5 2. Ke3 *\n").unwrap();
    assert_refused(&["play", "--load", name], 1, "ply 3");
    std::fs::write(&file, "1. e4 e5 1-0\n").unwrap();
    assert_refused(&["play", "--load", name], 1, "1-0");
    std::fs::write(&file, "").unwrap();
    assert_refused(&["play", "--load", name], 2, "no game");
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn perft_counts_and_divides() {
    let run = touchmove(&["perft", "4"]);
    assert!(run.out.starts_with("nodes 197281\n"), "{}", run.out);
    let run = touchmove(&[
        "perft",
        "3",
        "--variant",
        "simple-atomic",
        "--json",
        "--threads",
        "2",
        "--divide",
    ]);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["nodes"], 8902);
    assert_eq!(answer["divide"].as_array().unwrap().len(), 20);
    assert!(touchmove(&["perft", "0"]).out.starts_with("nodes 1\n"));
}

#[test]
fn perft_checks_files_and_standard_input() {
    let good = "# remark\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D5 4865609 # start\n";
    let run = reading(good, &["perft", "--file", "-", "--max-nodes", "1000"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "2 checked, 0 wrong\n"),
        "{}",
        run.err
    );
    let bad = good.replace("400", "401");
    let run = reading(&bad, &["perft", "--file", "-", "--max-nodes", "1000"]);
    assert_eq!(run.code, 1);
    assert!(
        run.out
            .starts_with("line 2: depth 2: expected 401, found 400: rnbq"),
        "{}",
        run.out
    );
    assert!(run.out.ends_with("2 checked, 1 wrong\n"));
    for (text, says) in [
        ("", "no line"),
        ("8/8 w - -;D1 1", "line 1"),
        ("8/8/8/8/8/8/8/8 w - - ;D1 1", "no man"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ;1 5", "expected a depth"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ;D1 x", "not a count"),
    ] {
        let run = reading(text, &["perft", "--file", "-"]);
        assert_eq!(run.code, 2, "{text:?}");
        assert!(run.err.contains(says), "{text:?}: {}", run.err);
    }
}

#[test]
fn bad_arguments_get_a_sentence_and_the_right_exit_code() {
    assert_refused(&["show", "--fen", "8/8"], 2, "2 ranks");
    assert_refused(
        &[
            "show",
            "--fen",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 x",
        ],
        2,
        "move number",
    );
    assert_refused(
        &["show", "--fen", "8/8/8/8/8/8/8/KK5k w - - 0 1"],
        1,
        "White has 2 kings, on a1 and b1",
    );
    assert_refused(
        &["show", "--fen", "8/8/8/8/8/8/8/Kk6 w - - 0 1"],
        1,
        "touch",
    );
    assert_refused(&["show", "--moves", "e4 e5 Ke3"], 1, "ply 3");
    assert_refused(&["show", "--moves", "e4 e5 banana"], 1, "banana");
    assert_refused(&["show", "--variant", "bughouse"], 2, "simple-atomic");
    assert_refused(&["show", "--png", "/"], 2, "cannot write");
    assert_refused(&["moves", "--from", "z9"], 2, "e4");
    assert_refused(&["perft", "x"], 2, "x");
    assert_refused(&["perft", "-1"], 2, "-1");
    assert_refused(&["perft", "99999999999"], 2, "99999999999");
    assert_refused(&["perft"], 2, "Usage");
    assert_refused(
        &["perft", "--file", "no/such/file"],
        2,
        "cannot read no/such/file",
    );
    assert_refused(&["perft", "3", "--threads", "0"], 2, "0");
    assert_refused(&["castle"], 2, "castle");
}

#[test]
fn every_subcommand_explains_itself_with_examples() {
    let help = touchmove(&["--help"]);
    assert_eq!(help.code, 0);
    assert!(help.out.contains("Examples:"));
    for subcommand in [
        "play",
        "judge",
        "explain",
        "rules",
        "show",
        "moves",
        "perft",
        "winnable",
        "pgn",
        "config",
        "completions",
        "man",
    ] {
        assert!(help.out.contains(subcommand));
        let run = touchmove(&[subcommand, "--help"]);
        assert_eq!(run.code, 0);
        assert!(
            run.out.contains("Examples:") && run.out.contains("touchmove "),
            "{}",
            run.out
        );
    }
}
