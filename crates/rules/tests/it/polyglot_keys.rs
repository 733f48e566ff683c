//! The hash keys that the Polyglot book format publishes.

use touchmove_rules::{Chess, Position};

#[test]
fn the_published_keys_are_found() {
    let games = [
        ("", 0x463b_9618_1691_fc9c_u64),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ];
    for (game, key) in games {
        let mut position = Position::<Chess>::start();
        for uci in game.split_whitespace() {
            position.play(position.read_uci(uci).unwrap());
        }
        assert_eq!(position.polyglot_key(), key, "{game:?}");
    }
}

#[test]
fn a_capture_en_passant_that_would_be_illegal_does_not_make_a_position_different() {
    let with = Position::<Chess>::from_fen("4k3/8/8/8/K2pP2r/8/8/8 b - e3 0 1").unwrap();
    let without = Position::<Chess>::from_fen("4k3/8/8/8/K2pP2r/8/8/8 b - - 0 1").unwrap();
    assert_eq!(with.en_passant(), Some(touchmove_rules::Square::E3));
    assert_ne!(with, without);
    let with = Position::<Chess>::from_fen("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1").unwrap();
    let without = Position::<Chess>::from_fen("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1").unwrap();
    assert_eq!(with.en_passant(), None, "taking would open the fourth rank");
    assert_eq!(with, without);
    assert_eq!(with.key(), without.key());
    assert_ne!(with.polyglot_key(), without.polyglot_key());
}
