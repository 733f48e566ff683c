//! What the material alone proves. It is the rule of the rules crate except for two classes of positions: one of
//! Atomic, in which that rule follows the practice of the servers and is not exact, and one of simple Atomic, which it
//! leaves open.

use touchmove_rules::{Bitboard, Board, Color, Position, Rank, Role, Rules, material};

/// Whether `side` cannot win with the pieces on the board, from a position where the game is not over.
///
/// Why the law holds in chess, for the two armies that need a word:
///
/// - *Bishops of one colour* (against rooks, queens and bishops of that colour). Let the mated king
///   stand on *k*, checked by one bishop along a diagonal through the neighbour *d* of *k*. Two
///   bishops cannot give check at once after a legal move: the one that uncovers the other leaves
///   the diagonal at a right angle, and attacks *k* from there only if it attacked *k* before. The
///   squares beside *k* on its rank and file have the other colour, so only the winning king can
///   guard them, and from its distance it guards at most one. Of the two that also touch *d*, one
///   therefore holds a piece of the loser; a rook or queen, for that is all that stands on this colour.
///   It is not pinned, for it stands on no diagonal of *k*, and it takes on *d* or steps between. So
///   it is no mate.
/// - *A lone knight* (against queens). Only the knight can give check, and nothing is ever pinned.
///   Let the mated king stand on (0, 0) and the knight on (2, 1), turned as need be. The squares
///   (1, 0), (1, 1) and (0, 1) are on the board. A queen on one of the first two takes the knight; on
///   (0, 1) she takes it too, unless (1, 1) holds another queen, who does. So all three are empty,
///   and the knight guards none of them. A king that guards both (1, 0) and (0, 1) stands on one of
///   these squares or on (0, 0). So it is no mate.
///
/// In Atomic, bishops that never meet because each side has its own colour can still mate: a king in
/// a corner of their colour, whose two other neighbours hold bishops of its own. So the loser needs
/// two or more.
///
/// In simple Atomic a pawn on the last rank never moves again. A side with nothing else beside its king
/// captures nothing, so the other king can only die by a capture of its own pieces, which must capture one of
/// these pawns; pawns of the other side do not come back to that rank, kings do not take, and bishops
/// stay on their colour.
pub(crate) fn lacks_material<R: Rules>(position: &Position<R>, side: Color) -> bool {
    let board = position.board();
    let bishops = board.by_role(Role::Bishop);
    let can_hem_himself_in =
        R::CAPTURES_EXPLODE && R::HAS_CHECK && (board.by_color(!side) & bishops).more_than_one();
    let has_bishop = (board.by_color(side) & bishops).any();
    let only_waits = !R::HAS_CHECK && only_waits(board, side);
    only_waits || !(material::can_win(position, side) || can_hem_himself_in && has_bishop)
}

/// Simple Atomic: whether a side has nothing but pawns on their last rank that nobody can ever capture.
fn only_waits(board: &Board, side: Color) -> bool {
    let kings = board.by_role(Role::King);
    let men = board.by_color(side) - kings;
    let last = Bitboard::from(Rank::Eighth.of(side));
    let takers = board.by_color(!side) - kings - board.by_role(Role::Pawn);
    let bishops = takers & board.by_role(Role::Bishop);
    let can_meet = [Bitboard::LIGHT, Bitboard::DARK]
        .into_iter()
        .any(|color| (bishops & color).any() && (men & color).any());
    men.is_subset(last & board.by_role(Role::Pawn)) && takers == bishops && !can_meet
}
