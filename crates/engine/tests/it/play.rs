//! The engine as a player: mates it must find, games it must not spoil, and the same answer to the same question. Its
//! strength is measured elsewhere.

use std::sync::atomic::AtomicBool;

use touchmove_engine::{Engine, Limits, NoObserver, Score, SearchResult, TranspositionTable};
use touchmove_rules::{
    AnyPosition, Atomic, Chess, Chess960, Outcome, Position, Rules, SimpleAtomic, Variant,
    with_position,
};

fn search<R: Rules>(position: &Position<R>, limits: &Limits) -> SearchResult {
    let table = TranspositionTable::with_megabytes(1);
    Engine::new().search(position, &[], limits, &table, &mut NoObserver)
}

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn to_nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// Pseudorandom numbers, the same every time.
struct Lots(u64);

impl Lots {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}

/// Positions of games in which both sides play random moves.
fn random_positions<R: Rules>(seed: u64, games: usize, mut visit: impl FnMut(&Position<R>)) {
    let mut lots = Lots(seed);
    for _ in 0..games {
        let mut position = Position::<R>::start();
        for _ in 0..100 {
            if position.outcome().is_some() {
                break;
            }
            visit(&position);
            let moves = position.legal_moves();
            position.play(moves[lots.below(moves.len())]);
        }
    }
}

/// Whether the side on move can force the end in `moves` of its own moves, by brute force.
fn can_win_in<R: Rules>(position: &Position<R>, moves: u32) -> bool {
    let us = position.turn();
    position.legal_moves().into_iter().any(|mv| {
        let after = position.after(mv);
        match after.outcome() {
            Some(outcome) => outcome.winner() == Some(us),
            None if moves == 1 => false,
            None => after.legal_moves().into_iter().all(|reply| {
                let next = after.after(reply);
                match next.outcome() {
                    Some(outcome) => outcome.winner() == Some(us),
                    None => can_win_in(&next, moves - 1),
                }
            }),
        }
    })
}

/// The shortest forced win of at most two moves.
fn shortest_win<R: Rules>(position: &Position<R>) -> Option<u32> {
    (1..=2).find(|&moves| can_win_in(position, moves))
}

/// The engine must find every win of one or two moves that brute force finds in random games, with its exact length.
fn check_short_wins<R: Rules>(seed: u64, games: usize, every: usize) {
    let mut found = [0; 3];
    let mut count = 0;
    random_positions::<R>(seed, games, |position| {
        count += 1;
        if count % every != 0 {
            return;
        }
        let score = search(position, &to_depth(6)).lines[0].score;
        match shortest_win(position) {
            Some(moves) => {
                assert_eq!(score, Score::Mate(moves as i32), "{}", position.fen());
                found[moves as usize] += 1;
            }
            None => assert!(
                !matches!(score, Score::Mate(1 | 2)),
                "{} is no {score}",
                position.fen()
            ),
        }
    });
    assert!(found[1] > 3 && found[2] > 3, "{found:?}");
}

#[test]
fn short_wins_of_chess_are_found() {
    check_short_wins::<Chess>(3, 60, 6);
}

#[test]
fn short_wins_of_atomic_are_found() {
    check_short_wins::<Atomic>(5, 60, 8);
}

#[test]
fn short_wins_of_simple_atomic_are_found() {
    check_short_wins::<SimpleAtomic>(9, 60, 8);
}

/// Positions with the length of their shortest win.
const WINS: &[(Variant, &str, i32)] = &[
    (Variant::Chess, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
    (Variant::Chess, "7k/8/8/8/8/8/1R6/R3K3 w - - 0 1", 2),
    (Variant::Chess, "k7/8/2K5/8/8/8/8/7R w - - 0 1", 2),
    (Variant::Chess, "1k6/8/3K4/8/8/8/8/7R w - - 0 1", 3),
    (Variant::Atomic, "4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1", 1),
    (
        Variant::Atomic,
        "rnbqkb1r/pp2pppp/2p2n2/3p4/3P4/4PN2/PPP2PPP/RNBQKB1R w KQkq - 0 4",
        2,
    ),
    (Variant::SimpleAtomic, "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", 1),
];

#[test]
fn known_wins_are_as_long_as_they_are_said_to_be() {
    for &(variant, fen, moves) in WINS {
        let position = AnyPosition::from_fen(fen, variant).unwrap();
        let shortest = with_position!(&position, position => {
            (1..=3).find(|&moves| can_win_in(position, moves))
        });
        assert_eq!(shortest, Some(moves as u32), "{fen}");
    }
}

#[test]
fn known_wins_are_found_with_a_table_and_nearly_without() {
    for &(variant, fen, moves) in WINS {
        let position = AnyPosition::from_fen(fen, variant).unwrap();
        for megabytes in [1, 16] {
            let table = TranspositionTable::with_megabytes(megabytes);
            let limits = to_depth(12);
            let found = Engine::new().search_any(&position, &[], &limits, &table, &mut NoObserver);
            assert_eq!(found.lines[0].score, Score::Mate(moves), "{fen}");
        }
    }
}

#[test]
fn a_line_is_legal_and_a_mate_ends_it() {
    for &(variant, fen, moves) in WINS {
        let mut position = AnyPosition::from_fen(fen, variant).unwrap();
        let table = TranspositionTable::with_megabytes(1);
        let found =
            Engine::new().search_any(&position, &[], &to_depth(12), &table, &mut NoObserver);
        let us = position.turn();
        for &mv in &found.lines[0].moves {
            assert!(position.is_legal(mv), "{fen}");
            position.play(mv);
        }
        if found.lines[0].moves.len() as i32 == 2 * moves - 1 {
            assert_eq!(
                position.outcome().and_then(Outcome::winner),
                Some(us),
                "{fen}"
            );
        }
    }
}

#[test]
fn every_move_is_legal_in_thousands_of_positions() {
    fn check<R: Rules>(seed: u64) {
        let (mut engine, table) = (Engine::new(), TranspositionTable::with_megabytes(1));
        let limits = to_nodes(150);
        random_positions::<R>(seed, 12, |position| {
            let found = engine.search(position, &[], &limits, &table, &mut NoObserver);
            for line in &found.lines {
                let mut position = *position;
                for &mv in &line.moves {
                    assert!(position.is_legal(mv), "{mv:?} in {}", position.fen());
                    position.play(mv);
                }
            }
            assert!(found.best().is_some());
        });
    }
    check::<Chess>(1);
    check::<Chess960>(2);
    check::<Atomic>(3);
    check::<SimpleAtomic>(4);
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for variant in Variant::ALL {
        let position = AnyPosition::start(variant);
        let answers = [(), ()].map(|()| {
            let table = TranspositionTable::with_megabytes(2);
            let limits = to_nodes(20_000);
            let found = Engine::new().search_any(&position, &[], &limits, &table, &mut NoObserver);
            (found.nodes, found.lines)
        });
        assert_eq!(answers[0], answers[1], "{variant}");
    }
}

#[test]
fn a_limit_of_nodes_is_kept_exactly() {
    for nodes in (1000..3000).step_by(37) {
        let found = search(&Position::<Chess>::start(), &to_nodes(nodes));
        assert_eq!(found.nodes, nodes);
    }
}

#[test]
fn several_lines_begin_with_different_moves_and_the_best_is_first() {
    let limits = Limits {
        lines: 4,
        ..to_depth(5)
    };
    let found = search(&Position::<Chess>::start(), &limits);
    let mut firsts: Vec<_> = found.lines.iter().map(|line| line.moves[0]).collect();
    let scores: Vec<_> = found.lines.iter().map(|line| line.score).collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
    let sorted = scores.windows(2).all(|pair| match pair {
        [Score::Centipawns(a), Score::Centipawns(b)] => a >= b,
        _ => true,
    });
    assert!(sorted, "{scores:?}");
}

#[test]
fn only_the_wanted_moves_are_looked_at() {
    let position = Position::<Chess>::start();
    let wanted = position.read_san("a3").unwrap();
    let limits = Limits {
        only: vec![wanted],
        ..to_depth(4)
    };
    assert_eq!(search(&position, &limits).best(), Some(wanted));
}

#[test]
fn what_the_last_iteration_found_outlives_one_that_is_broken_off() {
    // Rxg8 mates; all these moves are captures, and others win more material at once.
    let fen = "rn1qk1nR/p1pppp2/b7/1p6/8/b5P1/2PPPP2/RNBQKBN1 w Qq - 0 8";
    let position = Position::<Chess>::from_fen(fen).unwrap();
    let wanted = ["Nxa3", "Rxa3", "Bxa3", "Rxg8#"].map(|san| position.read_san(san).unwrap());
    for nodes in 1..300 {
        let limits = Limits {
            only: wanted.to_vec(),
            ..to_nodes(nodes)
        };
        assert_eq!(
            search(&position, &limits).best(),
            Some(wanted[3]),
            "{nodes}"
        );
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let mated = Position::<Chess>::from_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
    assert_eq!(search(&mated, &to_depth(4)).best(), None);
    let gone = Position::<Atomic>::from_fen("8/8/8/3k4/8/8/8/8 w - - 0 1").unwrap();
    assert_eq!(search(&gone, &to_depth(4)).best(), None);
}

#[test]
fn a_stopped_search_has_a_move_all_the_same() {
    let stop = AtomicBool::new(true);
    let table = TranspositionTable::with_megabytes(1);
    let position = Position::<Atomic>::start();
    let found = Engine::new().search(&position, &[], &Limits::default(), &table, &mut &stop);
    assert!(position.is_legal(found.best().unwrap()));
}

#[test]
fn a_repetition_is_a_draw_that_the_winning_side_avoids() {
    // White is a rook up; going back to a2 would repeat a position for the third time.
    let position = Position::<Chess>::from_fen("7k/8/8/8/8/8/8/1R4K1 w - - 4 10").unwrap();
    let back = position.read_san("Ra1").unwrap();
    let key = position.after(back).key();
    let limits = Limits {
        only: vec![back],
        ..to_depth(4)
    };
    let table = TranspositionTable::with_megabytes(1);
    let past = [key, 1, key, 2, 3];
    let mut engine = Engine::new();
    let long_ago = Position::<Chess>::from_fen("7k/8/8/8/8/8/8/1R4K1 w - - 9 10").unwrap();
    let drawn = engine.search(&long_ago, &past, &limits, &table, &mut NoObserver);
    assert_eq!(drawn.lines[0].score, Score::Centipawns(0));
    table.clear();
    let won = engine.search(&position, &[], &limits, &table, &mut NoObserver);
    assert_ne!(won.lines[0].score, Score::Centipawns(0));
}

#[test]
fn fifty_moves_without_progress_are_a_draw() {
    let position = Position::<Chess>::from_fen("7k/8/8/8/8/8/8/1R4K1 w - - 99 80").unwrap();
    assert_eq!(
        search(&position, &to_depth(4)).lines[0].score,
        Score::Centipawns(0)
    );
    let mate = Position::<Chess>::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80").unwrap();
    assert_eq!(search(&mate, &to_depth(4)).lines[0].score, Score::Mate(1));
}
