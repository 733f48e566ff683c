//! `touchmove match` from the outside: matches, their summary, their games, and invalid arguments.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use crate::support::program::{self, run};

fn match_of(more: &[&str]) -> program::Run {
    let mut arguments = vec![
        "match",
        "level:casual",
        "random",
        "--games",
        "2",
        "--threads",
        "1",
    ];
    arguments.extend(more);
    run(&arguments, "")
}

#[test]
fn a_match_is_summed_up_in_words_and_in_json() {
    let plain = match_of(&["--variant", "atomic", "--seed", "3"]);
    assert_eq!(plain.code, 0, "{}", plain.err);
    assert!(
        plain
            .out
            .starts_with("level:casual against random (atomic, 2 games)\n+"),
        "{}",
        plain.out
    );
    assert_eq!(
        plain.err.lines().count(),
        2,
        "a line for each game: {}",
        plain.err
    );
    let json = match_of(&["--variant", "atomic", "--seed", "3", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(answer["games"], 2);
    assert_eq!(answer["forfeits"]["a"], 0);
    let score = answer["score"].as_f64().unwrap();
    assert!(
        plain.out.contains(&format!("{:.1} %", 100.0 * score)),
        "the same match: {}",
        plain.out
    );
}

#[test]
fn a_match_that_is_broken_off_keeps_its_games_and_is_summed_up() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken-off.pgn");
    let path = file.to_str().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_touchmove"))
        .args(["match", "level:casual", "random", "--games", "100000"])
        .args(["--threads", "1", "--pgn", path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    for _ in 0..2 {
        told.read_line(&mut String::new()).unwrap();
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    // Drains the rest of the output, so that the program does not block.
    std::io::copy(&mut told, &mut std::io::sink()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let summary = String::from_utf8(output.stdout).unwrap();
    assert!(
        summary.starts_with("level:casual against random"),
        "{summary}"
    );
    let checked = run(&["pgn", "check", path, "--json"], "");
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    let last: serde_json::Value =
        serde_json::from_str(checked.out.lines().last().unwrap()).unwrap();
    assert!(
        last["games"].as_u64().is_some_and(|games| games >= 2),
        "{last}"
    );
}

#[test]
fn the_games_of_a_match_are_sound() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("arena.pgn");
    let path = file.to_str().unwrap();
    let played = match_of(&["--variant", "simple-atomic", "--pgn", path]);
    assert_eq!(played.code, 0, "{}", played.err);
    let checked = run(&["pgn", "check", path], "");
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
}

#[test]
fn an_engine_plays_itself_over_uci_without_a_fault() {
    let uci = format!("'{}' uci", env!("CARGO_BIN_EXE_touchmove"));
    for variant in ["chess", "chess960", "atomic", "simple-atomic"] {
        let arguments = [
            "match",
            &uci,
            "level:beginner",
            "--games",
            "2",
            "--nodes",
            "200",
            "--variant",
            variant,
            "--a-option",
            "Hash=1",
            "--json",
        ];
        let played = run(&arguments, "");
        let answer: serde_json::Value = serde_json::from_str(&played.out).unwrap();
        assert_eq!(answer["forfeits"]["a"], 0, "{variant}: {}", played.err);
        assert_eq!(answer["games"], 2, "{variant}: {}", played.err);
    }
}

#[test]
fn what_is_no_match_is_refused_with_a_sentence() {
    for (arguments, said) in [
        (
            ["match", "level:champion", "random", "--games", "2"],
            "club-novice",
        ),
        (
            ["match", "no-such-engine-here", "random", "--games", "2"],
            "is it installed",
        ),
        (
            ["match", "engine", "random", "--b-option", "Hash=1"],
            "is built in and has no options",
        ),
        (
            ["match", "engine", "random", "--sprt", "10,0"],
            "the smaller first",
        ),
        (["match", "engine", "random", "--games", "0"], "1..=1000000"),
    ] {
        let refused = run(&arguments, "");
        assert_eq!(refused.code, 2, "{arguments:?}");
        assert!(refused.err.contains(said), "{arguments:?}: {}", refused.err);
    }
}
