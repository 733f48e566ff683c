//! Lines of play in SAN.

use touchmove_rules::{AnyPosition, Move};

/// Moves with their move numbers, from a position.
///
/// ```
/// use touchmove_coach::line;
/// use touchmove_rules::{AnyPosition, Variant};
///
/// let mut position = AnyPosition::start(Variant::Chess);
/// let e4 = position.read_san("e4").unwrap();
/// let after = position.after(e4);
/// let e5 = after.read_san("e5").unwrap();
/// assert_eq!(line(&position, &[e4, e5]), "1. e4 e5");
/// assert_eq!(line(&after, &[e5]), "1... e5");
/// ```
#[must_use]
pub fn line(position: &AnyPosition, moves: &[Move]) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let number = position.fullmoves();
        let san = position.san(mv);
        words.push(match (position.turn().is_white(), index) {
            (true, _) => format!("{number}. {san}"),
            (false, 0) => format!("{number}... {san}"),
            (false, _) => san.to_string(),
        });
        position.play(mv);
    }
    words.join(" ")
}

/// The same without move numbers.
pub(crate) fn sans(position: &AnyPosition, moves: &[Move]) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for &mv in moves {
        words.push(position.san(mv).to_string());
        position.play(mv);
    }
    words.join(" ")
}

/// The part of a line that is shown: all of a forced win, and a few moves otherwise.
pub(crate) fn shortened(moves: &[Move], wins: Option<u32>) -> &[Move] {
    const MAX_SHOWN_PLIES: usize = 6;
    let most = wins.map_or(MAX_SHOWN_PLIES, |moves| {
        (2 * moves as usize).saturating_sub(1)
    });
    &moves[..moves.len().min(most)]
}

/// The distance of a forced win in words.
///
/// ```
/// assert_eq!(touchmove_coach::mate_words(1), "the next move");
/// assert_eq!(touchmove_coach::mate_words(3), "3 moves");
/// ```
#[must_use]
pub fn mate_words(moves: u32) -> String {
    match moves {
        0 | 1 => "the next move".to_owned(),
        _ => format!("{moves} moves"),
    }
}
