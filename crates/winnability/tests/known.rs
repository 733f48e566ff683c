//! Positions whose verdicts are known: the files made here, and public collections where
//! `TOUCHMOVE_DATA` names a folder with them. No time is measured.

#![allow(clippy::disallowed_methods)] // Tests read their data; the library does not.

use std::path::{Path, PathBuf};
use std::{env, fs};

use touchmove_rules::{Chess, Color, Fen, Position};
use touchmove_winnability::{Budget, Solver, Verdict};

/// One question with its answer.
struct Question {
    fen: String,
    side: Color,
    winnable: bool,
}

/// Reads a line of any of the files: `WB FEN`, `winnable white FEN`, `white FEN` (unwinnable for
/// White), or a FEN alone (unwinnable for the side not on move).
fn questions(line: &str) -> Vec<Question> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let first = words
        .iter()
        .position(|word| word.matches('/').count() == 7)
        .unwrap_or_else(|| panic!("no FEN: {line}"));
    let fen = format!("{} 0 1", words[first..first + 4].join(" "));
    let ask = |side, winnable| Question {
        fen: fen.clone(),
        side,
        winnable,
    };
    match &words[..first] {
        [] => {
            let turn: Color = words[first + 1].parse().expect("w or b");
            vec![ask(!turn, false)]
        }
        ["winnable", side] => vec![ask(side.parse().expect("a side"), true)],
        [side @ ("white" | "black")] => vec![ask(side.parse().expect("a side"), false)],
        [label] => label
            .chars()
            .zip(Color::ALL)
            .filter(|(letter, _)| *letter != '?')
            .map(|(letter, side)| ask(side, letter != '-'))
            .collect(),
        other => panic!("what does {other:?} mean?"),
    }
}

/// Asks every `stride`th question of a file; none may be answered wrongly, and none without the
/// leave of `undecided`.
fn check(path: &Path, stride: usize, budget: Budget, undecided: usize) {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut solver = Solver::<Chess>::new();
    let mut open = 0;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for question in lines.step_by(stride).flat_map(questions) {
        let Question {
            fen,
            side,
            winnable,
        } = question;
        let Fen(setup) = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
        let position = Position::from_playable_setup(&setup).expect("a playable position");
        match solver.winnable(&position, side, budget) {
            Verdict::Winnable(line) => {
                assert!(winnable, "{fen}: {side} cannot win, but: {line:?}");
                let mut at = position;
                for mv in line {
                    assert!(at.is_legal(mv), "{fen}: {mv:?}");
                    at.play(mv);
                }
                assert!(at.is_checkmate() && at.turn() != side, "{fen}");
            }
            Verdict::Unwinnable(proof) => assert!(!winnable, "{fen}: {side} can win, but {proof}"),
            Verdict::Undecided { .. } => open += 1,
        }
    }
    let name = path.display();
    assert!(open <= undecided, "{name}: {open} questions undecided");
}

fn made_here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// Checks a public file, if it is there.
fn check_public(name: &str, stride: usize, budget: Budget, undecided: usize) {
    let Some(folder) = env::var_os("TOUCHMOVE_DATA") else {
        eprintln!("skipped: TOUCHMOVE_DATA does not say where the public data is");
        return;
    };
    let path = Path::new(&folder).join("winnability").join(name);
    check(&path, stride, budget, undecided);
}

#[test]
fn no_mutated_position_is_judged_wrongly() {
    check(&made_here("made_here_positions.tsv"), 4, QUICK, 80);
}

#[test]
fn every_position_that_other_analysers_give_up_wrongly_is_won() {
    check(&made_here("made_here_traps.tsv"), 1, Budget::default(), 0);
}

#[test]
fn ends_of_real_games_are_judged_rightly() {
    check_public("public_game_ends.txt", 8, QUICK, 10);
}

#[test]
fn real_flag_falls_are_judged_rightly() {
    check_public("public_unwinnable_for_mover_opponent.txt", 4, QUICK, 0);
}

#[test]
fn walls_and_blockades_are_dead() {
    check_public("public_dead_walls.txt", 1, QUICK, 0);
    check_public("public_blockades.tsv", 1, Budget::default(), 0);
}

#[test]
fn hard_positions_are_never_judged_wrongly() {
    check_public("public_positions.tsv", 16, QUICK, 40);
    check_public("public_hard.tsv", 1, QUICK, 20);
}

/// Every question of every file, with a budget of some seconds each. Some minutes.
#[test]
#[ignore = "takes minutes"]
fn no_position_of_any_file_is_judged_wrongly() {
    let patient = Budget::of_positions(4_000_000);
    check(&made_here("made_here_positions.tsv"), 1, patient, 60);
    for name in [
        "public_game_ends.txt",
        "public_unwinnable_for_mover_opponent.txt",
        "public_positions.tsv",
        "public_hard.tsv",
    ] {
        check_public(name, 1, patient, 60);
    }
}

/// Enough for nearly everything, and a fraction of a second where it is not.
const QUICK: Budget = Budget::of_positions(20_000);
