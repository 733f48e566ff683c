//! What the material proves: the law of the rules, and the two classes in which Atomic and simple Atomic
//! differ from it. The arguments are in `docs/CERTIFICATES.md`.

use touchmove_rules::{Board, Color, Position, Rank, Role, Rules, SquareSet, material};

/// Whether `side` cannot win with the men on the board while the game goes on.
pub(crate) fn is_lacking<R: Rules>(position: &Position<R>, side: Color) -> bool {
    let board = position.board();
    if R::BLAST && !R::CHECK && has_only_pawns_that_wait(board, side) {
        return true;
    }
    let bishops = board.with_role(Role::Bishop);
    let may_hem_in = R::BLAST
        && R::CHECK
        && (board.of(side) & bishops).any()
        && (board.of(!side) & bishops).many();
    !may_hem_in && !material::can_win(position, side)
}

/// Simple Atomic: whether a side has nothing but pawns on their last rank that nobody can ever take.
fn has_only_pawns_that_wait(board: &Board, side: Color) -> bool {
    let kings = board.with_role(Role::King);
    let men = board.of(side) - kings;
    let pawns = board.with_role(Role::Pawn);
    let wait = men.is_subset(pawns & SquareSet::from(Rank::Eighth.of(side)));
    let takers = board.of(!side) - kings - pawns;
    let bishops = takers & board.with_role(Role::Bishop);
    let never_meets = |color: SquareSet| (bishops & color).is_empty() || (men & color).is_empty();
    wait && takers == bishops && never_meets(SquareSet::LIGHT) && never_meets(SquareSet::DARK)
}
