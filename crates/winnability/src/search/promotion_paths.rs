//! The ways of pawns to the last rank, and who stands in them. For the order of a search; it proves nothing.

use touchmove_rules::{Board, Color, Role, Square, SquareSet};

/// The men of the loser on the way of the winner's pawns to the last rank, if there is no queen and
/// no pawn with a clear way.
pub(crate) fn prey(board: &Board, winner: Color) -> SquareSet {
    let men = board.of(winner);
    if (men & board.with_role(Role::Queen)).any() {
        return SquareSet::EMPTY;
    }
    let mut prey = SquareSet::EMPTY;
    for pawn in men & board.with_role(Role::Pawn) {
        let blocked = ahead(winner, pawn) & board.of(!winner);
        if blocked.is_empty() {
            return SquareSet::EMPTY;
        }
        prey |= blocked;
    }
    prey
}

/// How many moves a pawn needs to promote, each man in its way counted for two more.
pub(crate) fn steps_to_promotion(board: &Board, color: Color, pawn: Square) -> u32 {
    let ahead = ahead(color, pawn);
    ahead.len() as u32 + 2 * (ahead & board.occupied()).len() as u32
}

/// The squares in front of a pawn, up to the last rank.
pub(crate) fn ahead(color: Color, pawn: Square) -> SquareSet {
    let file = SquareSet::from(pawn.file()).0;
    SquareSet(match color {
        Color::White => file & (!1 << pawn.index()),
        Color::Black => file & ((1 << pawn.index()) - 1),
    })
}

/// Whether a side has a pawn that nobody stands before.
pub(crate) fn has_free_pawn(board: &Board, side: Color) -> bool {
    let is_free = |pawn| (ahead(side, pawn) & board.occupied()).is_empty();
    let pawns = board.of(side) & board.with_role(Role::Pawn);
    pawns.into_iter().any(is_free)
}
