//! Laws of FEN and of positions: what is read is written back the same; in a valid position every
//! listed move is legal, leads to a consistent position, and its SAN and UCI read back to it.

use touchmove_rules::{AnyPosition, Epd, Fen, Variant};

/// The laws, on one input.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(epd) = text.parse::<Epd>() {
        let again: Epd = epd.to_string().parse().expect("a written EPD is an EPD");
        assert_eq!(again.setup, epd.setup);
    }
    let Ok(fen) = Fen::read_short(text) else {
        return;
    };
    let written = fen.to_string();
    assert_eq!(
        written
            .parse::<Fen>()
            .expect("a written FEN is a FEN")
            .to_string(),
        written
    );
    for variant in Variant::ALL {
        let Ok(position) = AnyPosition::from_setup(&fen.0, variant) else {
            continue;
        };
        let moves = position.legal_moves();
        assert_eq!(position.legal_move_count() as usize, moves.len());
        for &mv in &moves {
            assert!(position.is_legal(mv));
            assert_eq!(position.read_uci(&position.uci(mv).to_string()), Ok(mv));
            assert_eq!(position.read_san(&position.san(mv).to_string()), Ok(mv));
        }
        let again = AnyPosition::from_fen(&position.fen().to_string(), variant);
        assert_eq!(again.as_ref(), Ok(&position));
        let strict = AnyPosition::from_setup_strictly(&fen.0, variant);
        assert_eq!(strict.is_ok(), fen.0.faults(variant).is_empty());
    }
}
