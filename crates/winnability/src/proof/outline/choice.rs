//! Which pieces of a position to treat as ghosts. Any choice of pieces other than pawns is sound, and with it any of a
//! side's pawns where no enemy pawn can ever make a double step; some choices prove more.

use touchmove_rules::{Bitboard, Color, Position, Rank, Role, Rules, Square, attacks};

/// Which pieces to treat as ghosts, in the order to try: all except kings and pawns, then fewer of them, and last the
/// loser's pieces far from the kings, which may be in a cage of their own. Empty for positions that have no outline.
pub(crate) fn choices<R: Rules>(position: &Position<R>, winner: Color) -> Vec<Bitboard> {
    let board = position.board();
    let pawns = board.by_role(Role::Pawn);
    let pieces = board.occupied() - pawns - board.by_role(Role::King) - position.castling_rights();
    if R::CAPTURES_EXPLODE || pieces.len() > u32::BITS as usize - 1 {
        return Vec::new();
    }
    let mobile: Bitboard = board
        .iter()
        .filter(|&(at, man)| {
            let sight = attacks::of(man.role, man.color, at, board.occupied());
            (sight - board.by_color(man.color)).any()
        })
        .map(|(at, _)| at)
        .collect();
    let bishops = board.by_role(Role::Bishop) & mobile;
    let near: Bitboard = board
        .by_role(Role::King)
        .into_iter()
        .flat_map(|king| Square::all().filter(move |at| at.distance(king) <= NEAR_KING_DISTANCE))
        .collect();
    let far = board.by_color(!winner) - near - position.castling_rights();
    let second = Bitboard::from(Rank::Second.of(winner));
    let can_pass =
        (pawns & board.by_color(winner) & second).any() || position.passed_square().is_some();
    let mut choices = Vec::new();
    for ghosts in [
        pieces,
        pieces & mobile,
        bishops,
        bishops & board.by_color(winner),
        bishops & board.by_color(!winner),
        if can_pass { far & pieces } else { far },
        far & pieces,
    ] {
        if ghosts.any() && !choices.contains(&ghosts) {
            choices.push(ghosts);
        }
    }
    choices
}

/// A piece this near to a king may be part of the cage around it.
const NEAR_KING_DISTANCE: u8 = 2;

#[cfg(test)]
mod tests {
    use touchmove_rules::{Chess, Color, Position, Role};

    use super::choices;

    #[test]
    fn no_pawn_is_a_ghost_where_one_of_the_winner_can_make_two_steps() {
        for (fen, may_be_pawns) in [
            ("4k3/p6p/8/8/8/8/P3B3/4K3 w - - 0 1", false),
            ("4k3/p6p/8/8/8/P7/4B3/4K3 w - - 0 1", true),
        ] {
            let position = Position::<Chess>::from_fen(fen).expect("a position");
            let pawns = position.board().by_role(Role::Pawn);
            let choices = choices(&position, Color::White);
            let has_pawns = choices.iter().any(|ghosts| (*ghosts & pawns).any());
            assert_eq!(has_pawns, may_be_pawns, "{fen}: {choices:?}");
        }
    }
}
