//! `touchmove pgn` as a shell sees it: findings, summaries, rewritten games, exit codes.

use crate::support::program::{Run, run};

fn pgn(arguments: &[&str], input: &str) -> Run {
    run(&[&["pgn"], arguments].concat(), input)
}

const TAGS: &str = "[Event \"x\"]\n[Site \"?\"]\n[Date \"2026.11.15\"]\n[Round \"1\"]\n[White \"W\"]\n\
    [Black \"B\"]\n";

fn game(result: &str, moves: &str) -> String {
    format!("{TAGS}[Result \"{result}\"]\n\n{moves} {result}\n\n")
}

#[test]
fn a_clean_file_has_no_findings_and_exit_code_0() {
    let run = pgn(&["check", "-"], &game("*", "1. e4 e5 2. Nf3"));
    assert_eq!(run.code, 0);
    let out = run.out;
    assert!(
        out.starts_with("games                                   1\n"),
        "{out}"
    );
    assert!(!out.contains("error["), "{out}");
}

#[test]
fn an_illegal_move_is_found_with_the_reason_of_the_law_book() {
    let input = game("1-0", "1. e4 e5 2. Ra3 Nc6") + &game("*", "1. d4");
    let run = pgn(&["check", "-", "--json"], &input);
    assert_eq!(run.code, 1);
    let out = run.out;
    let lines: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines[0]["code"], "illegal_move");
    assert_eq!(lines[0]["severity"], "error");
    assert_eq!(
        (&lines[0]["game"], &lines[0]["ply"]),
        (&1.into(), &3.into())
    );
    assert_eq!(lines[0]["line"], 9);
    let sentence = lines[0]["text"].as_str().expect("a sentence");
    assert!(
        sentence.contains("the pawn on a2 is in the way"),
        "{sentence}"
    );
    let summary = lines.last().expect("a summary");
    assert_eq!(
        (&summary["games"], &summary["plies"]),
        (&2.into(), &3.into())
    );
    assert_eq!(summary["errors"], 1);
    assert!(summary["seconds"].is_number());
}

#[test]
fn only_and_max_findings_limit_what_is_printed() {
    let input = game("1-0", "1. f3 e5 2. g4 Qh4#").repeat(3);
    let run = pgn(&["check", "-", "--max-findings", "2"], &input);
    let out = run.out;
    assert_eq!(
        out.matches("error[result_contradicts_position]").count(),
        2,
        "{out}"
    );
    assert!(
        out.contains("errors                                  3\n"),
        "{out}"
    );
    let run = pgn(&["check", "-", "--only", "illegal_move"], &input);
    assert_eq!(run.code, 0);
    let run = pgn(&["check", "-", "--only", "no_such_code"], &input);
    assert_eq!(run.code, 2);
}

#[test]
fn dead_positions_are_proved_unless_material_or_nothing_is_asked_for() {
    let wall = format!(
        "{TAGS}[Result \"1-0\"]\n[SetUp \"1\"]\n\
         [FEN \"4k3/8/8/p2p2p1/P2P4/6P1/8/4K3 w - - 0 1\"]\n\n1. g4 Kd7 1-0\n"
    );
    let run = pgn(&["check", "-"], &wall);
    assert_eq!(run.code, 1);
    let out = run.out;
    assert!(
        out.contains("info[move_after_dead_position]: 1... Kd7"),
        "{out}"
    );
    assert!(out.contains("error[result_contradicts_position]"), "{out}");
    for how in ["material", "off"] {
        assert_eq!(pgn(&["check", "-", "--dead", how], &wall).code, 0, "{how}");
    }
    let run = pgn(&["check", "-", "--dead", "maybe"], &wall);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("write exact, material or off"),
        "{}",
        run.err
    );
    let run = pgn(&["stats", "-", "--json"], &wall);
    assert!(run.out.contains("\"dead_position\":1"), "{}", run.out);
}

#[test]
fn a_file_that_is_not_there_is_exit_code_2() {
    let run = pgn(&["check", "no/such/file.pgn"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot open no/such/file.pgn"));
}

#[test]
fn a_file_that_is_not_there_does_not_keep_the_others_from_being_checked() {
    let checked = pgn(
        &["check", "no-such-file.pgn", "-"],
        &game("1-0", "1. e4 e5 2. Ke3 1-0"),
    );
    assert!(checked.err.contains("no-such-file.pgn"), "{}", checked.err);
    assert!(checked.out.contains("illegal_move"), "{}", checked.out);
    assert_eq!(checked.code, 1);
    let clean = pgn(&["check", "no-such-file.pgn", "-"], &game("*", "1. e4 *"));
    assert_eq!(clean.code, 2, "{}{}", clean.out, clean.err);
}

#[test]
fn fmt_names_results_that_contradict_each_other() {
    let written = pgn(&["fmt", "-"], &game("*", "1. e4 1-0"));
    assert!(written.err.contains("result_mismatch"), "{}", written.err);
}

#[test]
fn stats_count_endings_by_their_true_reason() {
    let input = game("0-1", "1. f3 e5 2. g4 Qh4#") + &game("1/2-1/2", "1. e4 e5");
    let run = pgn(&["stats", "-", "--json"], &input);
    assert_eq!(run.code, 0);
    let stats: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((&stats["games"], &stats["plies"]), (&2.into(), &6.into()));
    assert_eq!(stats["endings"]["checkmate"], 1);
    assert_eq!(stats["endings"]["agreement"], 1);
    assert_eq!(stats["first_moves"]["f3"], 1);
    let run = pgn(&["stats", "-"], &input);
    assert!(run.out.contains("0-1      1   50.0%  ████"));
}

#[test]
fn fmt_writes_export_format_and_names_what_it_dropped() {
    let run = pgn(&["fmt"], "1. e2e4 e5 2. ♘f3 tail (2. Bc4 !) 0-0 {x}");
    assert_eq!(run.code, 0);
    let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
        [Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 (2. Bc4 $1) 2... O-O {x} *\n";
    assert_eq!(run.out, expected);
    let named = run.err;
    assert!(named.contains("\"tail\""), "{named}");
    assert!(named.contains("illegal_move"), "{named}");
    let again = pgn(&["fmt"], expected);
    assert_eq!(again.out, expected);
}

#[test]
fn fmt_writes_a_file_in_its_own_place_and_loses_it_never() {
    let folder = std::env::temp_dir().join(format!("touchmove-fmt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("games.pgn");
    let games = game("*", "1. e2e4 e5").repeat(2000);
    std::fs::write(&path, &games).expect("games");
    let name = path.to_str().expect("a name");
    let done = pgn(&["fmt", name, "--output", name], "");
    assert_eq!(done.code, 0, "{}", done.err);
    let written = std::fs::read_to_string(&path).expect("games");
    assert_eq!(written.matches("1. e4 e5 *").count(), 2000);
    // An input that cannot be read leaves the output file as it was, and no temporary file.
    let missing = folder.join("missing.pgn");
    let refused = pgn(
        &["fmt", missing.to_str().expect("a name"), "--output", name],
        "",
    );
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert_eq!(std::fs::read_to_string(&path).expect("games"), written);
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1);
    // A device cannot be replaced like a file.
    let full = pgn(&["fmt", name, "--output", "/dev/full"], "");
    assert_eq!(full.code, 2, "{}", full.err);
    assert!(std::fs::metadata("/dev/full").is_ok());
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn show_prints_the_position_after_a_ply() {
    let input = game("*", "1. e4 e5") + &game("*", "1. d4 d5 2. c4");
    let run = pgn(&["show", "-", "--game", "2", "--ply", "2"], &input);
    let out = run.out;
    assert!(
        out.contains("rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2"),
        "{out}"
    );
    assert!(out.contains("ply 2 of 3: 1... d5"), "{out}");
    let run = pgn(&["show", "-", "--game", "3"], &input);
    assert_eq!(run.code, 1);
}
