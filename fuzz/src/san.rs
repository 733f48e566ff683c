//! Laws of SAN: what is read is written back the same, and a text that is a move of a position is
//! a legal one.

use touchmove_rules::{AnyPosition, San, Variant};

/// Positions with much to do: castling, promotions, captures en passant, pins and many pieces.
const POSITIONS: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/8/8/2pPp3/8/8/8/R3K2R w KQ e6 0 1",
    "6k1/8/8/1N3N2/8/1N3N2/8/K5Q1 w - - 0 1",
];

/// The laws, on one input.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(san) = text.parse::<San>() {
        assert_eq!(san.to_string().parse::<San>(), Ok(san));
    }
    for fen in POSITIONS {
        for variant in Variant::ALL {
            let Ok(position) = AnyPosition::from_fen(fen, variant) else {
                continue;
            };
            if let Ok(mv) = position.read_san(text) {
                assert!(position.is_legal(mv));
                assert!(position.legal_moves().contains(&mv));
            }
        }
    }
}
