//! What material alone proves: the rules' own test, and the two classes of positions in which Atomic and
//! simple Atomic differ from it. The arguments are in `docs/CERTIFICATES.md`.

use touchmove_rules::{Bitboard, Board, Color, Position, Rank, Role, Rules, material};

/// Whether `side` cannot win with the pieces on the board while the game goes on.
pub(crate) fn lacks_material<R: Rules>(position: &Position<R>, side: Color) -> bool {
    let board = position.board();
    if R::CAPTURES_EXPLODE && !R::HAS_CHECK && has_only_pawns_that_wait(board, side) {
        return true;
    }
    let bishops = board.by_role(Role::Bishop);
    let may_hem_in = R::CAPTURES_EXPLODE
        && R::HAS_CHECK
        && (board.by_color(side) & bishops).any()
        && (board.by_color(!side) & bishops).more_than_one();
    !may_hem_in && !material::can_win(position, side)
}

/// Simple Atomic: whether a side has nothing but pawns on their last rank that nothing can ever capture.
fn has_only_pawns_that_wait(board: &Board, side: Color) -> bool {
    let kings = board.by_role(Role::King);
    let men = board.by_color(side) - kings;
    let pawns = board.by_role(Role::Pawn);
    let wait = men.is_subset(pawns & Bitboard::from(Rank::Eighth.of(side)));
    let takers = board.by_color(!side) - kings - pawns;
    let bishops = takers & board.by_role(Role::Bishop);
    let never_meets = |color: Bitboard| (bishops & color).is_empty() || (men & color).is_empty();
    wait && takers == bishops && never_meets(Bitboard::LIGHT) && never_meets(Bitboard::DARK)
}
