//! Mates in three, proved by brute force when they were made, that the engine must find with their exact length. The
//! positions are in `data`, one FEN a line.

use touchmove_engine::{Engine, Limits, NoObserver, Score, TranspositionTable};
use touchmove_rules::{AnyPosition, Variant};

const SETS: [(Variant, &str); 3] = [
    (
        Variant::Chess,
        include_str!("../data/wins_in_three.chess.txt"),
    ),
    (
        Variant::Atomic,
        include_str!("../data/wins_in_three.atomic.txt"),
    ),
    (
        Variant::SimpleAtomic,
        include_str!("../data/wins_in_three.simple-atomic.txt"),
    ),
];

/// The maximum depth for a mate in three: five plies are the mate itself.
const DEEPEST: u32 = 6;

#[test]
fn there_are_three_hundred_of_each_and_no_two_alike() {
    for (variant, set) in SETS {
        let fens: std::collections::BTreeSet<&str> = set.lines().collect();
        assert!(fens.len() >= 300, "{variant}: {}", fens.len());
        assert_eq!(fens.len(), set.lines().count(), "{variant}");
    }
}

#[test]
fn every_win_in_three_that_is_asked_for_is_found() {
    let limits = Limits {
        depth: Some(DEEPEST),
        mate: Some(3),
        ..Limits::default()
    };
    assert_eq!(missed(&limits), [] as [String; 0]);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn every_win_in_three_is_found_in_play() {
    let limits = Limits {
        nodes: Some(500_000),
        ..Limits::default()
    };
    assert_eq!(missed(&limits), [] as [String; 0]);
}

/// The positions in which no mate in three, or another length, is found.
fn missed(limits: &Limits) -> Vec<String> {
    let table = TranspositionTable::with_megabytes(4);
    let mut engine = Engine::new();
    let mut missed = Vec::new();
    for (variant, set) in SETS {
        for fen in set.lines() {
            let position = AnyPosition::from_fen(fen, variant).unwrap();
            table.clear();
            engine.forget();
            let found = engine.search_any(&position, &[], limits, &table, &mut NoObserver);
            if found.lines[0].score != Score::Mate(3) {
                missed.push(format!("{variant}: {fen}: {:?}", found.lines[0].score));
            }
        }
    }
    missed
}
