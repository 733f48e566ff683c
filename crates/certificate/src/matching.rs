//! Whether different pieces can stand on different squares at once: a bipartite matching of squares with pieces.

use touchmove_rules::{Bitboard, Square};

/// Whether each of the squares can have a piece of its own, of pieces that can stand on these sets.
pub(crate) fn can_be_filled(squares: Bitboard, men: &[Bitboard]) -> bool {
    let mut seated = vec![None; men.len()];
    squares
        .into_iter()
        .all(|square| seat(square, men, &mut seated, &mut vec![false; men.len()]))
}

/// Finds a piece for a square, moving others to other squares where needed (an augmenting path). Each piece
/// is tried at most once.
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
