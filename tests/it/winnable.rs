//! `touchmove winnable` as a shell sees it: verdicts, lines, proofs, labels and exit codes.

use serde_json::Value;
use touchmove_rules::{AnyPosition, Variant};

use crate::support::program::{self, Run, run};

fn winnable_reading(input: &str, arguments: &[&str]) -> Run {
    run(&[&["winnable"], arguments].concat(), input)
}

const WALL: &str = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1";
const KNIGHT: &str = "8/8/8/3kr3/8/3K1N2/8/8 w - - 0 1";
const CROWD: &str = "B2b4/8/4k3/8/1p1p1p1p/1PpP1P1P/K1P4b/RB6 b - - 0 1";

#[test]
fn a_dead_position_is_called_dead_with_its_proof() {
    let run = winnable_reading("", &["--fen", WALL]);
    assert_eq!(run.code, 0);
    assert!(
        run.out
            .contains("White cannot win: 6 men are locked for good"),
        "{}",
        run.out
    );
    assert!(run.out.ends_with("The position is dead\n"), "{}", run.out);
}

#[test]
fn pieces_that_roam_behind_a_wall_need_no_endless_search() {
    let run = winnable_reading("", &["--fen", CROWD, "--budget", "1m", "--threads", "2"]);
    assert!(
        run.out.contains("wherever the roaming men stand"),
        "{}",
        run.out
    );
    assert!(run.out.contains("The position is dead"), "{}", run.out);
}

#[test]
fn a_line_ends_in_mate_when_it_is_replayed() {
    let run = winnable_reading(&format!("{KNIGHT}\n"), &["-", "--json", "--side", "white"]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["white"], "winnable");
    assert_eq!(answer["black"], Value::Null);
    assert_eq!(answer["dead"], false);
    assert!(answer["nodes"].as_u64().unwrap() > 0 && answer["micros"].is_u64());
    let mut position = AnyPosition::from_fen(KNIGHT, Variant::Chess).unwrap();
    for word in answer["line_white"].as_str().unwrap().split(' ') {
        let mv = position.read_uci(word).unwrap();
        position.play(mv);
    }
    assert!(position.is_checkmate());
}

#[test]
fn labels_are_checked_and_a_wrong_one_is_named() {
    let file = format!(
        "# label and FEN\n-- {WALL}\nwinnable\twhite\t{KNIGHT}\n\n?B\t{KNIGHT}\nblack\t{WALL}\n"
    );
    let run = winnable_reading(&file, &["-", "--check", "--stats"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out, "5 checked, 0 wrong, 0 undecided\n");
    assert!(run.err.contains("5 verdicts in"), "{}", run.err);
    let run = winnable_reading(&format!("W- {WALL}\n"), &["-", "--check"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.out,
        format!("wrong: -- {WALL}\n2 checked, 1 wrong, 0 undecided\n")
    );
}

#[test]
fn a_spent_budget_is_said_and_is_no_verdict() {
    let run = winnable_reading("", &["--fen", CROWD, "--budget", "0s", "--side", "white"]);
    assert_eq!(run.code, 2);
    assert!(
        run.out
            .contains("White: undecided, the budget of 0ns is spent"),
        "{}",
        run.out
    );
    assert!(!run.out.contains("dead"));
}

#[test]
fn what_is_no_position_is_refused_with_its_line() {
    for (input, says) in [
        ("WX 8/8/8/3kr3/8/3K1N2/8/8 w - - 0 1\n", "is not a label"),
        (
            &format!("{WALL}\nnonsense\n") as &str,
            "line 2: there is no FEN",
        ),
        ("8/8/8/8/8/8/8/8 w - - 0 1\n", "king"),
    ] {
        let run = winnable_reading(input, &["-"]);
        assert_ne!(run.code, 0, "{input}");
        assert!(run.err.contains(says), "{input}: {}", run.err);
    }
    let run = winnable_reading("", &[]);
    assert!(run.err.contains("which position?"), "{}", run.err);
}

#[test]
fn one_bad_line_does_not_keep_the_others_from_being_done() {
    let file = [
        b"\xef\xbb\xbf".as_slice(),
        format!("-- {WALL}\r\nnonsense\n8/8/8/8/8/8/8/8 w - - 0 1\n").as_bytes(),
        b"\xff\xfe no text\n",
        format!("?B {KNIGHT}\n").as_bytes(),
    ]
    .concat();
    let run = run(&["winnable", "-", "--check"], &file);
    assert_eq!(run.out, "3 checked, 0 wrong, 0 undecided\n");
    for says in [
        "-, line 2: there is no FEN",
        "-, line 3: illegal position: there is no man on the board",
        "-, line 4: it is no text in UTF-8",
    ] {
        assert!(run.err.contains(says), "{says}: {}", run.err);
    }
    assert_eq!(run.code, 1, "one of them is illegal");
    let run = program::run(&["winnable", "-", "--json"], &file);
    let lines: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0]["dead"], true);
    assert_eq!(
        (&lines[1]["line"], &lines[2]["line"]),
        (&2.into(), &3.into())
    );
    assert_eq!(lines[4]["black"], "winnable");
    let unreadable = winnable_reading(&format!("{WALL}\nnonsense\n"), &["-"]);
    assert_eq!(unreadable.code, 2);
    assert!(unreadable.out.starts_with("-- "), "{}", unreadable.out);
    // A contradicted label gives exit code 1, whatever else could not be read.
    let wrong = winnable_reading(&format!("nonsense\nW- {WALL}\n"), &["-", "--check"]);
    assert_eq!(wrong.code, 1);
    let many = winnable_reading(&format!("{WALL}\n"), &["-", "--threads", "99999999999"]);
    assert_eq!(
        (many.code, many.out.len()),
        (0, WALL.len() + 4),
        "{}",
        many.err
    );
    let empty = winnable_reading("\n# nothing\n", &["-"]);
    assert_eq!(empty.code, 2);
    assert!(empty.err.contains("there is no line with a position in it"));
}

#[test]
fn certificates_are_verified_for_programs_too() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wall.certificate");
    let path = file.to_str().unwrap();
    winnable_reading("", &["--fen", WALL, "--certificate", path]);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("\u{feff}{text}")).unwrap();
    let run = winnable_reading("", &["--verify", path, "--json"]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run.code, 0);
    assert_eq!(answer["verified"], true);
    assert_eq!(answer["claims"][0]["fen"], WALL);
    std::fs::write(&file, text.replace("p2p2p1", "p2p2n1")).unwrap();
    let run = winnable_reading("", &["--verify", path, "--json"]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &answer["verified"]), (1, &Value::Bool(false)));
    assert!(
        answer["error"]
            .as_str()
            .is_some_and(|words| !words.is_empty())
    );
}
