//! Castling where king and rook share squares: Chess960, and Atomic with touching kings.

use touchmove_rules::{AnyPosition, Square, UciMove, Variant};

#[test]
fn a_step_from_a_square_to_itself_is_not_castling() {
    let fen = "1r4kr/7p/3q4/8/6K1/N3p3/8/8 b kq - 0 1";
    for variant in [Variant::Chess960, Variant::Atomic] {
        let position = AnyPosition::from_fen(fen, variant).unwrap();
        assert_eq!(
            position.find_uci(UciMove::new(Square::G8, Square::G8)),
            None
        );
        let castling = position
            .find_uci(UciMove::new(Square::G8, Square::H8))
            .unwrap();
        assert_eq!(position.san(castling).to_string(), "O-O");
        assert_eq!(position.uci(castling).to_string(), "g8h8");
    }
}

#[test]
fn the_arrival_is_judged_with_the_rook_moved() {
    // The rook on d8 shields the king on c8 once castled; on its way it touches the white king.
    let shielded =
        AnyPosition::from_fen("r3k2R/4K3/8/8/8/8/8/8 b q - 0 1", Variant::Atomic).unwrap();
    assert!(shielded.read_san("O-O-O").is_ok());
    // The rook that castles leaves its king open to the rook in the corner.
    let opened =
        AnyPosition::from_fen("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", Variant::Chess960).unwrap();
    assert!(opened.read_san("O-O-O").is_err());
}
