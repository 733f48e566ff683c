//! Wins in three moves, proved by trying everything when they were made, that the engine must find with their
//! exact length. The positions are in `data`, one FEN a line.

use touchmove_engine::{Engine, Limits, Score, Table, Unwatched};
use touchmove_rules::{AnyPosition, Variant};

const SETS: [(Variant, &str); 3] = [
    (Variant::Chess, include_str!("data/wins_in_three.chess.txt")),
    (
        Variant::Atomic,
        include_str!("data/wins_in_three.atomic.txt"),
    ),
    (
        Variant::SimpleAtomic,
        include_str!("data/wins_in_three.simple-atomic.txt"),
    ),
];

/// How far the engine may look for a win in three.
const DEEPEST: u32 = 9;

/// Looks at every so-manieth position; how many there were.
fn find(set: &str, variant: Variant, every: usize) -> usize {
    let table = Table::with_megabytes(4);
    let mut engine = Engine::new();
    let limits = Limits {
        depth: Some(DEEPEST),
        mate: Some(3),
        ..Limits::default()
    };
    let fens: Vec<&str> = set.lines().step_by(every).collect();
    for fen in &fens {
        let position = AnyPosition::from_fen(fen, variant).unwrap();
        table.clear();
        engine.forget();
        let found = engine.search_any(&position, &[], &limits, &table, &mut Unwatched);
        assert_eq!(found.lines[0].score, Score::Mate(3), "{variant}: {fen}");
    }
    fens.len()
}

#[test]
fn there_are_three_hundred_of_each_and_no_two_alike() {
    for (variant, set) in SETS {
        let fens: std::collections::BTreeSet<&str> = set.lines().collect();
        assert!(fens.len() >= 300, "{variant}: {}", fens.len());
        assert_eq!(fens.len(), set.lines().count(), "{variant}");
    }
}

#[test]
fn wins_in_three_are_found() {
    for (variant, set) in SETS {
        assert!(find(set, variant, 12) >= 25);
    }
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn all_wins_in_three_are_found() {
    for (variant, set) in SETS {
        assert!(find(set, variant, 1) >= 300);
    }
}
