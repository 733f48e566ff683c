//! The real program as a shell sees it: standard output, standard error, exit codes.

use crate::support::program::{Run, run};

fn reading(input: &str, arguments: &[&str]) -> Run {
    run(arguments, input)
}

fn touchmove(arguments: &[&str]) -> Run {
    run(arguments, "")
}

/// Asserts a refusal: nothing on standard output, one line on standard error, the right exit code.
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
        ("4k3/8/8/8/8/8/8/4K3 w - - ;1 5", "expected a depth"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ;D1 x", "not a count"),
    ] {
        let run = reading(text, &["perft", "--file", "-"]);
        assert_eq!(run.code, 2, "{text:?}");
        assert!(run.err.contains(says), "{text:?}: {}", run.err);
    }
    let mixed = format!("\u{feff}{good}nonsense\n4k3/8/8/8/8/8/8/4K3 w - - ;D1 5\n");
    let arguments = [
        "perft",
        "--file",
        "-",
        "--max-nodes",
        "1000",
        "--threads",
        "65536",
    ];
    let run = reading(&mixed, &arguments);
    assert_eq!((run.code, run.out.as_str()), (2, "3 checked, 0 wrong\n"));
    assert!(run.err.contains("-, line 3: "), "{}", run.err);
    let run = reading(&mixed, &[&arguments[..], &["--json"]].concat());
    assert_eq!(object(&run)["errors"][0]["line"], 3, "{}", run.out);
    let impossible = "8/8/8/8/8/8/8/8 w - - ;D1 1";
    let run = reading(impossible, &["perft", "--file", "-"]);
    assert_eq!(run.code, 1);
    assert!(
        run.err
            .contains("line 1: illegal position: there is no man on the board"),
        "{}",
        run.err
    );
}

/// The commands about a position, with their further arguments.
const ABOUT_POSITIONS: [&[&str]; 7] = [
    &["judge"],
    &["play"],
    &["perft", "1"],
    &["winnable"],
    &["moves"],
    &["show"],
    &["explain", "Kf1"],
];

fn about(command: &[&str], fen: &str, variant: &str, more: &[&str]) -> Run {
    let position = ["--fen", fen, "--variant", variant];
    touchmove(&[command, &position, more].concat())
}

/// Standard output as one JSON object.
fn object(run: &Run) -> serde_json::Value {
    let answer: serde_json::Value = serde_json::from_str(&run.out)
        .unwrap_or_else(|error| panic!("{error}: {:?} {:?}", run.out, run.err));
    assert!(answer.is_object());
    answer
}

/// [004-6, 004-7]
#[test]
fn every_command_refuses_the_same_impossible_positions_in_the_same_words() {
    for (variant, fen, says) in [
        ("chess", "8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        (
            "chess",
            "8/8/8/8/8/8/8/KK5k w - - 0 1",
            "White has 2 kings, on a1 and b1",
        ),
        (
            "chess",
            "8/8/8/8/8/8/8/Kk6 w - - 0 1",
            "the kings on a1 and b1 touch each other",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/4K2P w - - 0 1",
            "a pawn stands on h1, where no pawn can be",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
            "the king on e8 is in check from e2",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            "a castling right names h1",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/4K3 b - d3 0 1",
            "needs a pawn on d4",
        ),
        (
            "chess960",
            "4k3/8/8/8/8/8/8/4KRR1 w GF - 0 1",
            "two rooks on the same side",
        ),
        ("atomic", "8/8/8/3k4/8/8/8/8 b - - 0 1", "White has no king"),
        (
            "simple-atomic",
            "4k2p/8/8/8/8/8/8/4K3 w - - 0 1",
            "a pawn stands on h8",
        ),
        (
            "chess",
            "4k3/8/8/8/4r3/3n4/2n5/4K3 w - - 0 1",
            "no move can have given check",
        ),
    ] {
        for command in ABOUT_POSITIONS {
            let run = about(command, fen, variant, &[]);
            assert_eq!(run.code, 1, "{command:?} {fen}: {}{}", run.out, run.err);
            let text = run.out + &run.err;
            assert!(
                text.contains("illegal position"),
                "{command:?} {fen}: {text}"
            );
            assert!(text.contains(says), "{command:?} {fen}: {text}");
        }
        // For judge and play the refusal is the answer, on standard output.
        for command in &ABOUT_POSITIONS[2..] {
            let run = about(command, fen, variant, &[]);
            assert_eq!(run.out, "", "{command:?} {fen}");
            let run = about(command, fen, variant, &["--json"]);
            assert_eq!(run.code, 1);
            let error = object(&run)["error"].as_str().unwrap().to_owned();
            assert!(
                error.starts_with("illegal position: ") && error.contains(says),
                "{error}"
            );
        }
        let judged = object(&about(&["judge"], fen, variant, &["--json"]));
        assert!(judged["error"].as_str().unwrap().contains(says), "{judged}");
        assert_eq!(judged["status"], "illegal_position");
    }
}

/// [004-7]
#[test]
fn every_command_takes_unreachable_positions_and_warns() {
    for (variant, fen, says) in [
        (
            "chess",
            "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
            "White has 9 pawns, more than 8",
        ),
        (
            "chess",
            "4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/N3K3 w - - 0 1",
            "White has 18 men, more than 16",
        ),
        (
            "chess",
            "k7/8/8/7b/8/8/4K3/3b4 w - - 0 1",
            "no move can have given check",
        ),
        (
            "atomic",
            "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
            "must be promoted pawns",
        ),
        (
            "simple-atomic",
            "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1",
            "no pawn is promoted here",
        ),
    ] {
        for command in ABOUT_POSITIONS {
            let run = about(command, fen, variant, &[]);
            assert_eq!(run.code, 0, "{command:?} {fen}: {}{}", run.out, run.err);
            let warning = "touchmove: warning: no game can lead to this position: ";
            assert!(
                run.err.starts_with(warning),
                "{command:?} {fen}: {}",
                run.err
            );
            assert!(run.err.contains(says), "{command:?} {fen}: {}", run.err);
            if command != ["play"] {
                let answer = object(&about(command, fen, variant, &["--json"]));
                let warnings = answer["warnings"].as_array().unwrap();
                let names = |warning: &serde_json::Value| warning.as_str().unwrap().contains(says);
                assert!(warnings.iter().any(names), "{command:?} {fen}: {answer}");
                assert_eq!(answer.get("error"), None);
            }
        }
        let arguments = ["play", "--json", "--fen", fen, "--variant", variant];
        let answer = object(&reading("{\"command\":\"state\"}\n", &arguments));
        assert!(answer["warnings"].to_string().contains(says), "{answer}");
    }
    let run = touchmove(&["show", "--json"]);
    assert_eq!(
        (object(&run)["warnings"].to_string(), run.err),
        ("[]".into(), String::new())
    );
}

/// [004-6]
#[test]
fn no_game_begins_without_a_king_but_a_blast_is_judged() {
    for (variant, turn) in [
        ("atomic", "w"),
        ("atomic", "b"),
        ("simple-atomic", "w"),
        ("simple-atomic", "b"),
        ("chess", "w"),
    ] {
        let fen = format!("8/8/8/3k4/8/8/8/8 {turn} - - 0 1");
        let run = about(&["play", "--plain"], &fen, variant, &[]);
        assert_eq!(run.code, 1);
        assert_eq!(
            run.out, "Game Over: illegal position (White has no king).\nResult: *\n",
            "{variant} {turn}"
        );
        let run = about(&["play", "--json"], &fen, variant, &[]);
        assert_eq!(run.code, 1);
        let answer = object(&run);
        assert_eq!(answer["state"]["result"], "*");
        assert_eq!(answer["faults"][0], "White has no king");
    }
    let blown_up = "8/8/8/3k4/8/8/8/8 w - - 0 1";
    for variant in ["atomic", "simple-atomic"] {
        let run = about(&["judge", "--json"], blown_up, variant, &[]);
        let verdict = object(&run);
        assert_eq!(
            (run.code, &verdict["winner"]),
            (0, &"black".into()),
            "{verdict}"
        );
    }
    let run = about(&["judge"], "8/8/8/3k4/8/8/8/8 b - - 0 1", "atomic", &[]);
    assert_eq!(run.code, 1);
    assert!(
        run.out
            .contains("White has just moved, and no capture may blow up the mover's own king"),
        "{}",
        run.out
    );
    let file = std::env::temp_dir().join(format!("touchmove-king-{}.pgn", std::process::id()));
    let pgn = format!("[Variant \"Atomic\"]\n[SetUp \"1\"]\n[FEN \"{blown_up}\"]\n\n*\n");
    std::fs::write(&file, pgn).unwrap();
    let run = touchmove(&["play", "--plain", "--load", file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(
        run.out.starts_with("Game Over: illegal position"),
        "{}",
        run.out
    );
}

#[test]
fn an_impossible_position_is_shown_if_asked_for_with_its_faults_marked() {
    let fen = "8/8/8/8/8/8/8/Kk5P w - - 0 1";
    let run = touchmove(&["show", "--even-if-impossible", "--ascii", "--fen", fen]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\n1 [K|k]#|_|#|_|#[P]\n"), "{}", run.out);
    for fault in [
        "fault       the kings on a1 and b1 touch each other\n",
        "fault       a pawn stands on h1, where no pawn can be\n",
    ] {
        assert!(run.out.contains(fault), "{}", run.out);
    }
    let file = std::env::temp_dir().join(format!("touchmove-faulty-{}.svg", std::process::id()));
    let name = file.to_str().unwrap();
    let arguments = [
        "show",
        "--even-if-impossible",
        "--json",
        "--svg",
        name,
        "--fen",
    ];
    let answer = object(&touchmove(&[&arguments[..], &[fen]].concat()));
    assert_eq!(answer["faults"][0]["reason"], "touching_kings");
    assert_eq!(answer["faults"][1]["evidence"][0], "h1");
    let faulty = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(faulty.starts_with("<svg"));
    let arguments = ["show", "--even-if-impossible", "--json"];
    assert_eq!(object(&touchmove(&arguments))["legal_moves"], 20);
}

#[test]
fn with_json_whatever_goes_wrong_is_one_object_on_standard_output() {
    for (arguments, code, says) in [
        (&["show", "--fen", "8/8"][..], 2, "2 ranks"),
        (&["show", "--png", "/"], 2, "cannot write"),
        (&["show", "--bogus"], 2, "--bogus"),
        (&["moves", "--moves", "e4 e4"], 1, "ply 2"),
        (&["moves", "--from", "z9"], 2, "z9"),
        (&["explain", "e4", "--fen", "x"], 2, "not a FEN"),
        (&["judge", "--fen", "x"], 2, "not a FEN"),
        (&["judge", "--moves", "e4 e4"], 1, "ply 2"),
        (&["perft", "1", "--fen", "x"], 2, "not a FEN"),
        (&["perft", "--file", "no/such/file"], 2, "no/such/file"),
        (&["perft"], 2, "required"),
        (&["winnable"], 2, "which position?"),
        (&["winnable", "--fen", "x"], 2, "not a FEN"),
        (&["winnable", "--file", "no/such/file"], 2, "no/such/file"),
        (&["play", "--fen", "x"], 2, "not a FEN"),
        (&["play", "--moves", "e4 e4"], 1, "ply 2"),
        (&["play", "--load", "no/such/file"], 2, "no/such/file"),
    ] {
        let run = touchmove(&[arguments, &["--json"]].concat());
        assert_eq!(run.code, code, "{arguments:?}: {}", run.err);
        let answer = object(&run);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(says), "{arguments:?}: {answer}");
        if !arguments.contains(&"judge") {
            assert!(run.err.contains(says), "{arguments:?}: {}", run.err);
        }
    }
}

#[test]
fn a_start_of_chess960_is_chosen_by_its_number_everywhere() {
    let rank = "BQRNKRNB w KQkq - 0 1";
    for command in [
        &["show"][..],
        &["moves"],
        &["perft", "1"],
        &["judge"],
        &["explain", "e4"],
    ] {
        let answer = object(&touchmove(
            &[command, &["--start", "579", "--json"]].concat(),
        ));
        let fen = answer["fen"].as_str().unwrap();
        assert!(fen.ends_with(rank), "{command:?}: {fen}");
        assert_eq!(answer["variant"].as_str().unwrap_or("chess960"), "chess960");
    }
    let arguments = ["winnable", "--start", "579", "--json", "--budget", "1ms"];
    let answer = object(&touchmove(&arguments));
    assert!(answer["fen"].as_str().unwrap().ends_with(rank), "{answer}");
    let run = touchmove(&["show", "--start", "579"]);
    assert!(run.out.contains("\nstart       579\n"), "{}", run.out);
    let run = touchmove(&["show", "--start", "579", "--variant", "atomic"]);
    assert_eq!(
        run.code, 0,
        "Atomic is played from these arrays too: {}",
        run.err
    );
    assert_refused(
        &["show", "--start", "579", "--variant", "chess"],
        1,
        "only in Chess960",
    );
    assert_refused(&["show", "--start", "960"], 2, "960");
    assert_refused(
        &["show", "--start", "5", "--fen", "startpos"],
        2,
        "cannot be used",
    );
}

#[test]
fn a_game_of_chess960_begins_by_lot_and_its_record_names_the_number() {
    let played = |arguments: &[&str]| {
        let run = reading("pgn\nquit\n", &[&["play", "--plain"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let number = |text: &str| {
        let (_, rest) = text.split_once("Chess960, start ").unwrap();
        rest.split(':').next().unwrap().parse::<u16>().unwrap()
    };
    let chosen = played(&["--start", "353"]);
    assert_eq!(number(&chosen), 353);
    assert!(chosen.contains("[Chess960Start \"353\"]"), "{chosen}");
    assert!(chosen.contains("[FEN \"bnrbkrqn/"), "{chosen}");
    let seeded = |seed| number(&played(&["--variant", "chess960", "--seed", seed]));
    assert_eq!(seeded("7"), seeded("7"));
    let mut drawn: Vec<u16> = (0..6)
        .map(|_| number(&played(&["--variant", "chess960"])))
        .collect();
    drawn.dedup();
    assert!(drawn.len() > 1, "six lots are not the same: {drawn:?}");
    let moved = played(&["--variant", "chess960", "--moves", "e4 e5 Nf3"]);
    assert_eq!(number(&moved), 518, "who names moves means the usual start");
}

/// A position with too many paths along a wall to be decided without a time budget.
const HARD: &str = "3k1b2/2p1pBp1/KpP1P1P1/1P6/4B3/8/8/8 w - - 0 1";

#[test]
fn what_was_not_decided_is_not_called_decided() {
    for (more, says) in [
        (
            &[][..],
            "Whether the position is dead was not decided in time: the game goes on as long as it is \
             not.",
        ),
        (
            &["--flagged", "white"],
            "White's flag has fallen; whether Black could still win was not decided in time: Black wins \
             as long as it is not.",
        ),
    ] {
        let asked = [&["judge", "--fen", HARD, "--budget", "0s"], more].concat();
        let run = touchmove(&asked);
        assert_eq!(run.code, 2, "{}{}", run.out, run.err);
        assert!(run.out.trim_end().ends_with(says), "{}", run.out);
        let run = touchmove(&[&asked[..], &["--json"]].concat());
        assert_eq!(run.code, 2);
        let answer = object(&run);
        assert_eq!(answer["proved"], false);
        assert_eq!(answer["budget"]["millis"], 0);
        assert_eq!(answer["budget"]["positions"], 16_000_000);
        let run = touchmove(&[&["judge", "--fen", HARD, "--json"], more].concat());
        assert_eq!(run.code, 0, "{}", run.out);
        let answer = object(&run);
        assert_eq!(answer["proved"], true);
        assert_eq!(answer["result"], "1/2-1/2");
        assert!(answer["budget"].is_null());
    }
}

#[test]
fn the_judge_reads_files_like_the_others() {
    let file = format!("\u{feff}{HARD}\nnonsense\n-- 8/8/8/3k4/8/3K4/8/8 w - - 0 1\n");
    let run = reading(&file, &["judge", "--file", "-"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    assert!(
        run.out
            .lines()
            .all(|line| line.contains(": Dead position: "))
    );
    assert!(
        run.err.contains("-, line 2: there is no FEN"),
        "{}",
        run.err
    );
    let run = reading(&file, &["judge", "--file", "-", "--json"]);
    let second = run.out.lines().nth(1).unwrap();
    assert!(second.starts_with("{\"line\":2,\"error\":"), "{second}");
    let many: Vec<&str> = run.out.lines().collect();
    for threads in ["1", "2", "99999999999"] {
        let run = reading(
            &file,
            &["judge", "--file", "-", "--json", "--threads", threads],
        );
        let lines: Vec<&str> = run.out.lines().collect();
        assert_eq!(lines, many, "the same in the same order");
    }
    let illegal = reading(
        "8/8/8/8/8/8/8/4K3 w - - 0 1\nx\n",
        &["judge", "--file", "-"],
    );
    assert_eq!(illegal.code, 1);
}

/// Every answer must arrive, help included.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_of_everything() {
    use std::process::{Command, Stdio};
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["judge", "--help"],
        &["judge"],
        &["rules"],
    ] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_touchmove"))
            .args(arguments)
            .stdout(Stdio::from(full))
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("No space left"), "{arguments:?}: {said}");
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
        "library",
        "config",
        "completions",
        "man",
        "uci",
        "people",
        "backup",
        "bench",
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

#[test]
fn serve_lists_every_route_and_ends() {
    let run = touchmove(&["serve", "--routes"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for route in ["GET /diagram.png", "POST /v1/tables", "POST /oauth"] {
        assert!(run.out.lines().any(|line| line == route), "{}", run.out);
    }
}
