//! Packed positions: a round trip loses nothing but the counters, in any variant. Speed is not tested here.

use touchmove_rules::{Atomic, Chess, Chess960, Color, Move, Position, Rules, Setup, SimpleAtomic};

/// Plays random games; each position must survive packing and unpacking.
fn check<R: Rules>(start: Position<R>, games: u64) {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        seed = seed
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (seed >> 33) as usize % below
    };
    for _ in 0..games {
        let mut position = start;
        for _ in 0..200 {
            let Some(packed) = position.pack() else {
                assert!(
                    Color::ALL
                        .iter()
                        .any(|&c| position.board().king_of(c).is_none())
                );
                break;
            };
            let back = packed.unpack();
            assert_eq!(back, position, "{}", position.fen());
            assert_eq!(back.passed_square(), position.passed_square());
            assert_eq!(back.key(), position.key());
            assert_eq!(back.pack(), Some(packed));
            let moves: Vec<Move> = position.legal_moves().into_iter().collect();
            if moves.is_empty() {
                break;
            }
            let mv = moves[next(moves.len())];
            let after = position.after(mv);
            assert!(after.pack() != Some(packed), "{mv:?} in {}", position.fen());
            position = after;
        }
    }
}

#[test]
fn every_position_of_random_games_comes_back_from_its_packed_form() {
    check(Position::<Chess>::start(), 60);
    check(Position::<Atomic>::start(), 60);
    check(Position::<SimpleAtomic>::start(), 60);
    for number in [0, 42, 518, 959] {
        let setup = Setup::chess960(number).expect("there are 960 arrays");
        let start = Position::<Chess960>::from_setup(&setup).expect("an array is a position");
        check(start, 15);
    }
}
