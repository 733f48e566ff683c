//! The paths of pawns to the last rank, and what blocks them. They order a search and prove nothing.

use touchmove_rules::{Bitboard, Board, Color, Role, Square};

/// The pieces of the loser on the path of the winner's pawns to the last rank, if there is no queen and no pawn with a
/// clear path.
pub(crate) fn blockers_of_promotion(board: &Board, winner: Color) -> Bitboard {
    let men = board.by_color(winner);
    if (men & board.by_role(Role::Queen)).any() {
        return Bitboard::EMPTY;
    }
    let mut prey = Bitboard::EMPTY;
    for pawn in men & board.by_role(Role::Pawn) {
        let blocked = ahead(winner, pawn) & board.by_color(!winner);
        if blocked.is_empty() {
            return Bitboard::EMPTY;
        }
        prey |= blocked;
    }
    prey
}

/// How many moves a pawn needs to promote, counting two more for each piece in its way.
pub(crate) fn steps_to_promotion(board: &Board, color: Color, pawn: Square) -> u32 {
    let ahead = ahead(color, pawn);
    ahead.len() as u32 + 2 * (ahead & board.occupied()).len() as u32
}

/// The squares in front of a pawn, up to the last rank.
pub(crate) fn ahead(color: Color, pawn: Square) -> Bitboard {
    let file = Bitboard::from(pawn.file()).0;
    Bitboard(match color {
        Color::White => file & (!1 << pawn.index()),
        Color::Black => file & ((1 << pawn.index()) - 1),
    })
}

/// Whether a side has a pawn with nothing in front of it.
pub(crate) fn has_free_pawn(board: &Board, side: Color) -> bool {
    let is_free = |pawn| (ahead(side, pawn) & board.occupied()).is_empty();
    let pawns = board.by_color(side) & board.by_role(Role::Pawn);
    pawns.into_iter().any(is_free)
}
