//! Whether different men can stand on different squares at once: a matching of squares with men.

use touchmove_rules::{Bitboard, Square};

/// Whether each of the squares can have a man of its own, of men who can stand on these sets.
pub(crate) fn can_be_filled(squares: Bitboard, men: &[Bitboard]) -> bool {
    let mut seated = vec![None; men.len()];
    squares
        .into_iter()
        .all(|square| seat(square, men, &mut seated, &mut vec![false; men.len()]))
}

/// Seats a man on a square, and others anew where need be. Nobody is asked twice.
fn seat(
    square: Square,
    men: &[Bitboard],
    seated: &mut [Option<Square>],
    asked: &mut [bool],
) -> bool {
    for man in 0..men.len() {
        if asked[man] || !men[man].contains(square) {
            continue;
        }
        asked[man] = true;
        if seated[man].is_none_or(|other| seat(other, men, seated, asked)) {
            seated[man] = Some(square);
            return true;
        }
    }
    false
}
