//! Laws of UCI: a text that is read is written back the same; a game of bytes stays a game.

use touchmove_rules::{AnyPosition, Setup, UciMove, Variant};

/// The laws, on one input.
pub fn check(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(attempt) = text.parse::<UciMove>()
    {
        assert_eq!(attempt.to_string(), text);
    }
    let [variant, array, choices @ ..] = data else {
        return;
    };
    let variant = Variant::ALL[usize::from(*variant) % 4];
    let setup = match variant {
        Variant::Chess960 => Setup::chess960(u16::from(*array) * 3).unwrap_or_default(),
        _ => Setup::start(),
    };
    let mut position = AnyPosition::from_setup(&setup, variant).expect("a start is valid");
    for &choice in choices {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else {
            break;
        };
        assert_eq!(position.read_uci(&position.uci(mv).to_string()), Ok(mv));
        position.play(mv);
    }
}
