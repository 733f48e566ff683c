//! Positions that are dead by material alone: neither side has the men to win, however the game goes
//! on. Blocked positions are beyond it.

use touchmove_rules::{Board, Color, Rank, Role, SquareSet, Variant};

/// Whether no series of moves can decide the game, as far as the material tells.
pub(super) fn is_dead(board: &Board, variant: Variant) -> bool {
    match variant {
        Variant::Chess | Variant::Chess960 => is_dead_in_chess(board),
        Variant::Atomic => is_dead_in_atomic(board),
        Variant::SimpleAtomic => is_dead_in_simple_atomic(board),
    }
}

/// Whether a side has nothing but its king.
pub(super) fn is_bare(board: &Board, color: Color) -> bool {
    !board.of(color).many()
}

/// King against king, one minor piece, or bishops all on one colour.
fn is_dead_in_chess(board: &Board) -> bool {
    if (board.with_role(Role::Pawn) | board.straight_movers()).any() {
        return false;
    }
    let (knights, bishops) = (board.with_role(Role::Knight), board.with_role(Role::Bishop));
    !(knights | bishops).many() || (knights.is_empty() && is_of_one_colour(bishops))
}

fn is_of_one_colour(squares: SquareSet) -> bool {
    squares.is_subset(SquareSet::LIGHT) || squares.is_subset(SquareSet::DARK)
}

/// Bare kings; a bare king against one minor piece, a rook or two knights; or bishops that never meet.
fn is_dead_in_atomic(board: &Board) -> bool {
    let queens = board.with_role(Role::Queen);
    if (board.with_role(Role::Pawn) | queens).any() {
        return false;
    }
    let kings = board.with_role(Role::King);
    let [white, black] = Color::ALL.map(|color| board.of(color) - kings);
    let (knights, bishops) = (board.with_role(Role::Knight), board.with_role(Role::Bishop));
    if white.is_empty() || black.is_empty() {
        let men = white | black;
        if !men.many() || (men.len() == 2 && men.is_subset(knights)) {
            return true;
        }
    }
    let apart = |light: SquareSet, dark: SquareSet| {
        light.is_subset(SquareSet::LIGHT) && dark.is_subset(SquareSet::DARK)
    };
    (white | black).is_subset(bishops) && (apart(white, black) || apart(black, white))
}

/// Kings, and pawns that have arrived and cannot move any more.
fn is_dead_in_simple_atomic(board: &Board) -> bool {
    let kings = board.with_role(Role::King);
    let pawns = board.with_role(Role::Pawn);
    Color::ALL.into_iter().all(|color| {
        let stuck = pawns & SquareSet::from(Rank::Eighth.of(color));
        (board.of(color) - kings).is_subset(stuck)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::Fen;

    fn dead(placement: &str, variant: Variant) -> bool {
        let Fen(setup) = Fen::read_short(&format!("{placement} w - -")).expect("a FEN");
        is_dead(&setup.board, variant)
    }

    #[test]
    fn positions_die_when_nobody_can_win_any_more() {
        let cases = [
            ("4k3/8/8/8/8/8/8/4K3", true, true),
            ("4k3/8/8/8/8/8/8/4KN2", true, true),
            ("4k3/8/8/8/8/8/8/4KNN1", false, true),
            ("4kn2/8/8/8/8/8/8/4KN2", false, false),
            ("4kb2/8/8/8/8/8/8/2B1K3", true, false),
            ("4kb2/8/8/8/8/8/8/4KB2", false, true),
            ("4k3/8/8/8/8/8/8/4KBB1", false, false),
            ("4k3/8/8/8/8/8/8/4KR2", false, true),
            ("4k3/8/8/8/8/8/4P3/4K3", false, false),
            ("4k3/8/8/8/8/8/8/4KQ2", false, false),
        ];
        for (placement, chess, atomic) in cases {
            assert_eq!(
                dead(placement, Variant::Chess),
                chess,
                "{placement} in chess"
            );
            assert_eq!(
                dead(placement, Variant::Atomic),
                atomic,
                "{placement} in atomic"
            );
        }
        assert!(dead("P3k3/8/8/8/8/8/8/4K3", Variant::SimpleAtomic));
        assert!(!dead("4k3/P7/8/8/8/8/8/4K3", Variant::SimpleAtomic));
    }
}
