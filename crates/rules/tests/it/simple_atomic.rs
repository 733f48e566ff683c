//! Compares simple Atomic with a slow second implementation.

use proptest::prelude::*;
use touchmove_rules::{Position, SimpleAtomic};

use crate::support::mailbox::Mailbox;

/// Plays a game by choices, and compares both implementations at every step.
fn compare(start: &str, choices: &[u16]) -> Result<(), TestCaseError> {
    let mut position = Position::<SimpleAtomic>::from_fen(start).unwrap();
    let mut mailbox = Mailbox::from_fen(start);
    for &choice in choices {
        let mut moves: Vec<_> = position
            .legal_moves()
            .iter()
            .map(|&mv| position.uci(mv).to_string())
            .collect();
        moves.sort();
        prop_assert_eq!(&moves, &mailbox.moves(), "{}", position.fen());
        prop_assert_eq!(position.legal_move_count() as usize, moves.len());
        if moves.is_empty() {
            break;
        }
        // Captures are rare in random games and matter most here, so every third choice is one.
        let captures: Vec<_> = position
            .captures()
            .iter()
            .map(|&mv| position.uci(mv).to_string())
            .collect();
        let pool = if choice % 3 == 0 && !captures.is_empty() {
            &captures
        } else {
            &moves
        };
        let chosen = &pool[usize::from(choice) % pool.len()];
        position.play(position.read_uci(chosen).unwrap());
        mailbox = mailbox.play(chosen);
        let fen = position.fen().to_string();
        prop_assert!(
            fen.starts_with(&mailbox.fen()),
            "{} against {}",
            fen,
            mailbox.fen()
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_list_the_same_moves_in_random_games(choices in prop::collection::vec(any::<u16>(), 0..120)) {
        compare("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", &choices)?;
    }

    #[test]
    fn both_list_the_same_moves_where_kings_and_pawns_are_close(choices in prop::collection::vec(any::<u16>(), 0..60)) {
        compare("8/P2k1p2/3Kp1n1/1r2P3/2b2R2/1N3Q1q/p5P1/8 w - - 0 1", &choices)?;
    }
}
