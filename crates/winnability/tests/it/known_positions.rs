//! Positions with known answers: the files of this repository, and on request public collections. No time is measured.

#![allow(clippy::disallowed_methods)] // Tests read their data; the library does not.

use std::path::{Path, PathBuf};
use std::{env, fs};

use touchmove_rules::{AnyPosition, Chess, Color, Fen, Outcome, Position, Variant};
use touchmove_winnability::{Budget, Solver, Winnability, winnable};

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

/// Asks every `stride`th question of a file; all must be answered, and none wrongly.
fn check(path: &Path, stride: usize, budget: Budget) {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut solver = Solver::<Chess>::new();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for question in lines.step_by(stride).flat_map(questions) {
        let Question {
            fen,
            side,
            winnable,
        } = question;
        let Fen(setup) = fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"));
        let position = Position::from_setup(&setup).expect("a playable position");
        match solver.winnable(&position, side, budget) {
            Winnability::Winnable(line) => {
                assert!(winnable, "{fen}: {side} cannot win, but: {line:?}");
                let mut at = position;
                for mv in line {
                    assert!(at.is_legal(mv), "{fen}: {mv:?}");
                    at.play(mv);
                }
                assert!(at.is_checkmate() && at.turn() != side, "{fen}");
            }
            Winnability::Unwinnable(proof) => {
                assert!(!winnable, "{fen}: {side} can win, but {proof}");
            }
            Winnability::Undecided { .. } => panic!("{fen}: whether {side} can win is undecided"),
        }
    }
}

fn made_here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

#[test]
fn every_mutated_position_is_judged_rightly() {
    check(&made_here("made_here_positions.tsv"), 1, Budget::default());
}

#[test]
fn every_position_that_other_analysers_give_up_wrongly_is_won() {
    check(&made_here("made_here_traps.tsv"), 1, Budget::default());
}

#[test]
fn what_every_arbiter_knows_is_judged_rightly() {
    check(&made_here("made_here_classics.tsv"), 1, QUICK);
}

/// What White and Black can still do under the rules of the variants.
#[test]
fn each_variant_has_its_own_dead_positions() {
    for (variant, fen, label) in [
        // Without castling Chess960 is chess; castling rights do no harm.
        (
            Variant::Chess960,
            "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1",
            "--",
        ),
        (Variant::Chess960, "1k6/8/8/8/8/8/8/RK6 w A - 0 1", "W-"),
        (Variant::Chess960, "bk6/8/1N6/8/8/8/8/KB6 w - - 0 1", "WB"),
        // Nobody is mated by a rook or a minor piece alone where kings may touch.
        (Variant::Atomic, "8/8/8/3k4/8/3K4/8/8 w - - 0 1", "--"),
        (Variant::Atomic, "8/8/8/3k4/8/3K4/8/4R3 w - - 0 1", "--"),
        (Variant::Atomic, "8/8/8/3k4/3K4/8/8/4Q3 w - - 0 1", "W-"),
        (Variant::Atomic, "8/8/8/3k4/8/3K4/8/2BBB3 w - - 0 1", "W-"),
        // Bishops on opposite colours never meet, but two of them can hem in their own king.
        (Variant::Atomic, "8/8/8/3k1b2/8/3K4/8/4B3 w - - 0 1", "--"),
        (Variant::Atomic, "8/8/8/3k1b2/6b1/3K4/8/4B3 w - - 0 1", "W-"),
        // A king on the board can be blown up beside any piece of its own.
        (Variant::Atomic, "8/8/8/3kp3/8/3K4/8/4B3 w - - 0 1", "WB"),
        // Without check a king may walk into a capture.
        (
            Variant::SimpleAtomic,
            "8/8/8/3k4/8/3K4/8/4B3 w - - 0 1",
            "W-",
        ),
        (Variant::SimpleAtomic, "8/8/8/3k4/8/3K4/8/8 w - - 0 1", "--"),
        // A pawn on its last rank is useful only where the other side can blow itself up on it.
        (
            Variant::SimpleAtomic,
            "8/8/6K1/8/k3P3/8/6B1/4p3 w - - 0 1",
            "W-",
        ),
        (
            Variant::SimpleAtomic,
            "8/8/6K1/8/k3P3/8/7B/4p3 w - - 0 1",
            "WB",
        ),
        // A king that is gone has lost.
        (Variant::Atomic, "8/8/8/8/8/3K4/8/4R3 b - - 0 1", "W-"),
        (Variant::SimpleAtomic, "8/8/8/3k4/8/8/8/8 w - - 0 1", "-B"),
    ] {
        let position = AnyPosition::from_fen(fen, variant).unwrap_or_else(|e| panic!("{fen}: {e}"));
        for (letter, side) in label.chars().zip(Color::ALL) {
            let verdict = winnable(&position, side, Budget::default());
            let expected = if letter == '-' {
                "unwinnable"
            } else {
                "winnable"
            };
            assert_eq!(verdict.name(), expected, "{variant}: {fen} for {side}");
            let Winnability::Winnable(line) = verdict else {
                continue;
            };
            let mut at = position;
            for mv in line {
                assert!(at.is_legal(mv), "{variant}: {fen}");
                at.play(mv);
            }
            assert_eq!(at.outcome().and_then(Outcome::winner), Some(side), "{fen}");
        }
    }
}

/// Two threads answer as one does, with a line or with a proof.
#[test]
fn a_hard_position_may_have_two_threads() {
    for (fen, side, can_win) in [
        (
            "6kB/p3p1P1/2p3P1/p5P1/8/4P3/PKP5/8 b - - 0 1",
            Color::Black,
            true,
        ),
        (
            "6k1/2p1p1P1/p5PB/6P1/8/8/PKP1P3/8 w - - 0 1",
            Color::Black,
            false,
        ),
    ] {
        let position = AnyPosition::from_fen(fen, Variant::Chess).expect("a position");
        let verdict = winnable(&position, side, Budget::default().on_threads(2));
        assert_eq!(verdict.is_winnable(), can_win, "{verdict:?}");
        assert_eq!(verdict.is_unwinnable(), !can_win, "{verdict:?}");
    }
}

/// Enough for nearly everything, and a fraction of a second where it is not.
const QUICK: Budget = Budget::of_positions(20_000);

/// The public collections. They are not part of this repository, so these tests run only on request: `cargo test -p
/// touchmove-winnability --test it -- --ignored known_positions::public`.
mod public {
    use super::*;

    /// Checks a file in the folder that `TOUCHMOVE_DATA` names.
    fn check_public(name: &str, stride: usize, budget: Budget) {
        let folder = env::var_os("TOUCHMOVE_DATA")
            .expect("TOUCHMOVE_DATA must name the folder with the public collections");
        let path = Path::new(&folder).join("winnability").join(name);
        check(&path, stride, budget);
    }

    #[test]
    #[ignore = "needs the public collections in TOUCHMOVE_DATA"]
    fn ends_of_real_games_are_judged_rightly() {
        check_public("public_game_ends.txt", 8, QUICK);
    }

    #[test]
    #[ignore = "needs the public collections in TOUCHMOVE_DATA"]
    fn real_flag_falls_are_judged_rightly() {
        check_public("public_unwinnable_for_mover_opponent.txt", 4, QUICK);
    }

    #[test]
    #[ignore = "needs the public collections in TOUCHMOVE_DATA"]
    fn walls_and_blockades_are_dead() {
        check_public("public_dead_walls.txt", 1, QUICK);
        check_public("public_blockades.tsv", 1, Budget::default());
    }

    #[test]
    #[ignore = "needs the public collections in TOUCHMOVE_DATA"]
    fn hard_positions_are_judged_rightly() {
        check_public("public_positions.tsv", 4, Budget::default());
        check_public("public_hard.tsv", 1, Budget::default());
    }

    #[test]
    #[ignore = "takes half a minute, and needs the public collections in TOUCHMOVE_DATA"]
    fn every_position_of_every_file_is_judged_rightly() {
        for name in [
            "public_game_ends.txt",
            "public_unwinnable_for_mover_opponent.txt",
            "public_positions.tsv",
            "public_hard.tsv",
        ] {
            check_public(name, 1, Budget::default());
        }
    }
}
