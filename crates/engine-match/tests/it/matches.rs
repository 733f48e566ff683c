//! Whole matches: the same for the same seed, fair in colours, and robust against engines that misbehave.

use std::sync::atomic::{AtomicBool, Ordering};

use touchmove_engine_match::{Contender, EngineMatch, FinishedGame, MatchScore, Sprt, run};
use touchmove_rules::{Color, Variant};

fn terms(variant: Variant, games: u32) -> EngineMatch {
    EngineMatch {
        games,
        nodes: 100,
        ..EngineMatch::new(variant)
    }
}

fn contenders(a: &str, b: &str, terms: &EngineMatch) -> [Contender; 2] {
    [a, b].map(|text| Contender::read(text, terms).unwrap())
}

fn play(a: &str, b: &str, terms: &EngineMatch) -> (MatchScore, Vec<FinishedGame>) {
    let mut all = Vec::new();
    let players = contenders(a, b, terms);
    let is_over = AtomicBool::new(false);
    let mut keep = |played: &FinishedGame, _: &MatchScore| all.push(played.clone());
    let tally = run(&players, terms, &is_over, &mut keep).unwrap();
    (tally, all)
}

#[test]
fn a_match_that_is_broken_off_counts_whole_games_only() {
    let terms = terms(Variant::Chess, 100);
    let players = contenders("level:casual", "random", &terms);
    let is_over = AtomicBool::new(false);
    let mut all = Vec::new();
    let tally = run(&players, &terms, &is_over, &mut |played, tally| {
        all.push(played.clone());
        is_over.store(tally.games() == 3, Ordering::Relaxed);
    });
    assert_eq!((tally.unwrap().games(), all.len()), (3, 3));
    for played in &all {
        assert!(!played.pgn.contains("[Result \"*\"]"), "{}", played.pgn);
    }
}

#[test]
fn a_match_is_the_same_however_many_threads_play_it() {
    let alone = terms(Variant::Chess, 6);
    let together = EngineMatch {
        threads: 3,
        ..alone
    };
    let games = [alone, together].map(|terms| {
        let (_, all) = play("level:casual", "level:beginner", &terms);
        let numbers: Vec<u32> = all.iter().map(|played| played.number).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
        all.into_iter().map(|played| played.pgn).collect::<Vec<_>>()
    });
    assert_eq!(games[0], games[1]);
}

#[test]
fn every_variant_is_played_to_an_end_and_the_stronger_wins() {
    for variant in Variant::ALL {
        let (tally, all) = play("engine", "random", &terms(variant, 4));
        assert!(tally.score() > 0.8, "{variant}: {tally:?}");
        for played in &all {
            assert!(played.trouble.is_none());
            assert!(!played.pgn.contains("[Result \"*\"]"), "{}", played.pgn);
        }
    }
}

#[test]
fn both_colours_of_an_opening_are_played() {
    let (_, all) = play("level:first-steps", "random", &terms(Variant::Atomic, 2));
    let tags = |played: &FinishedGame, name: &str| {
        let line = played
            .pgn
            .lines()
            .find(|line| line.starts_with(&format!("[{name} ")));
        line.unwrap_or_default().to_owned()
    };
    assert!(tags(&all[0], "White").contains("first-steps"));
    assert!(tags(&all[1], "Black").contains("first-steps"));
    let opening = |played: &FinishedGame| {
        let moves = played
            .pgn
            .rsplit("\n\n")
            .nth(1)
            .or(played.pgn.split("\n\n").nth(1));
        moves
            .unwrap_or_default()
            .split_whitespace()
            .take(8)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(opening(&all[0]), opening(&all[1]));
}

#[test]
fn a_test_stops_a_match_that_is_decided() {
    let terms = EngineMatch {
        sprt: Some(Sprt {
            even: 0.0,
            better: 200.0,
        }),
        ..terms(Variant::Atomic, 200)
    };
    let (tally, all) = play("level:club", "random", &terms);
    assert!(tally.games() < 60, "{tally:?}");
    assert_eq!(all.len() as u32, tally.games());
}

#[test]
fn who_is_unknown_is_said_so() {
    let terms = terms(Variant::Chess, 2);
    let error = Contender::read("level:world-champion", &terms).unwrap_err();
    assert!(error.to_string().contains("club-novice"), "{error}");
    assert!(Contender::read(" ", &terms).is_err());
}

/// The fake engine that misbehaves, from the tests of the crate `uci-client`.
#[cfg(unix)]
fn fake(how: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../uci-client/tests/fake.sh");
    format!("sh '{script}' {how}")
}

#[test]
#[cfg(unix)]
fn a_program_that_does_not_start_ends_the_match_with_its_reason() {
    let terms = terms(Variant::Chess, 4);
    let players = contenders("random", &fake("gone"), &terms);
    let error = run(&players, &terms, &AtomicBool::new(false), &mut |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("no licence found"), "{error}");
}

#[test]
#[cfg(unix)]
fn a_program_that_fails_forfeits_and_comes_again_for_the_next_game() {
    for how in ["dies", "crashes", "illegal", "no-move", "dies-when-asked"] {
        let terms = terms(Variant::Chess, 4);
        let (tally, all) = play("random", &fake(how), &terms);
        assert_eq!(
            tally,
            MatchScore {
                wins: 4,
                ..MatchScore::default()
            },
            "{how}"
        );
        for played in all {
            let (who, reason) = played.trouble.unwrap();
            let is_second = who
                == if played.number % 2 == 0 {
                    Color::Black
                } else {
                    Color::White
                };
            assert!(is_second && !reason.is_empty(), "{how}");
            assert!(played.words.contains("forfeit"), "{}", played.words);
        }
    }
}

#[test]
#[cfg(unix)]
fn a_program_that_does_not_play_the_variant_forfeits_and_says_so() {
    let (_, all) = play("random", &fake("behaves"), &terms(Variant::Atomic, 2));
    assert!(
        all[0].words.contains("does not play atomic"),
        "{}",
        all[0].words
    );
}
