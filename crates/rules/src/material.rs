//! What material alone says about winning: which sides can never win, and which positions are
//! therefore dead. Blocked positions are not covered: they need a look at the moves.

use crate::{Bitboard, Board, Color, Position, Rank, Role, Rules};

/// Whether `side` has the material to win by some series of legal moves. Where pieces stand is
/// ignored, except for the square colours of bishops and for pawns that can never move again.
///
/// ```
/// use touchmove_rules::{Chess, Color, Position, material};
///
/// let position = Position::<Chess>::from_fen("8/8/8/3kb3/8/3KR3/8/8 w - - 0 1").unwrap();
/// assert!(material::can_win(&position, Color::White));
/// assert!(!material::can_win(&position, Color::Black));
/// ```
#[must_use]
pub fn can_win<R: Rules>(position: &Position<R>, side: Color) -> bool {
    let board = position.board();
    if board.by_color(side).len() <= 1 {
        // A bare king captures nothing and gives no check.
        false
    } else if !R::HAS_CHECK {
        a_king_can_be_taken(board)
    } else if R::CAPTURES_EXPLODE {
        can_blow_up_or_mate(board, side)
    } else {
        can_mate(board, side)
    }
}

/// Whether neither side has the material to win (FIDE 5.2.2, for material that needs no further proof).
///
/// ```
/// use touchmove_rules::{Atomic, Chess, Position, material};
///
/// let fen = "8/3k4/8/8/4R3/4K3/8/8 w - - 0 1";
/// assert!(!material::is_dead(&Position::<Chess>::from_fen(fen).unwrap()));
/// assert!(material::is_dead(&Position::<Atomic>::from_fen(fen).unwrap()));
/// ```
#[must_use]
pub fn is_dead<R: Rules>(position: &Position<R>) -> bool {
    !Color::ALL.into_iter().any(|side| can_win(position, side))
}

/// Whether the material makes a draw by REQUIREMENTS 004-20, and A9 for Atomic. That is
/// [`is_dead`], and in Atomic also what the servers call insufficient material: bishops that never
/// meet, although one of them may mate a king that its own bishops hem in.
/// ```
/// use touchmove_rules::{Atomic, Position, material};
///
/// let fen = "8/8/8/8/8/4B3/b7/kb5K w - - 0 1"; // Bd4 mates
/// let position = Position::<Atomic>::from_fen(fen).unwrap();
/// assert!(material::is_insufficient(&position) && !material::is_dead(&position));
/// ```
#[must_use]
pub fn is_insufficient<R: Rules>(position: &Position<R>) -> bool {
    let bishops_pass_by = R::CAPTURES_EXPLODE && R::HAS_CHECK && never_meet(position.board());
    bishops_pass_by || is_dead(position)
}

/// Chess: a side with anything but a lone knight or bishops of one colour can mate with some help.
///
/// - A lone knight mates only a king that is hemmed in by one of its own pieces other than a queen:
///   a queen beside its king always has an answer (every placement was enumerated).
/// - Bishops of one colour mate only when something can stand on the squares of the other colour
///   beside the king: a pawn, a knight, or a bishop of that colour, of either side.
fn can_mate(board: &Board, side: Color) -> bool {
    let (own, other) = (board.by_color(side), board.by_color(!side));
    let knights = board.by_role(Role::Knight);
    let bishops = board.by_role(Role::Bishop);
    let kings = board.by_role(Role::King);
    if (own - (knights | bishops | kings)).any() {
        true
    } else if (own & knights).any() {
        own.len() > 2 || (other - (kings | board.by_role(Role::Queen))).any()
    } else {
        (knights | board.by_role(Role::Pawn)).any() || !of_one_color(bishops)
    }
}

/// Atomic. While both sides have pieces, one can explode beside its king; only bishops that never
/// meet capture nothing. They still mate a king in a corner whose two neighbours of the other
/// colour hold bishops of its own side, so that the loser needs two or more. Nothing explodes
/// beside a bare king, so that takes a mate, and the winning king guards no square: the other may
/// always step beside it (A9).
fn can_blow_up_or_mate(board: &Board, side: Color) -> bool {
    let other = board.by_color(!side);
    let men = board.occupied() - board.by_role(Role::King);
    let bishops = board.by_role(Role::Bishop);
    if (other & men).any() {
        !never_meet(board) || (other & bishops).more_than_one()
    } else {
        let knights = board.by_role(Role::Knight);
        let one_piece =
            men.len() == 1 && men.is_subset(knights | bishops | (board.by_role(Role::Rook)));
        let two_knights = men.len() == 2 && men.is_subset(knights);
        let bishops_of_one_color = men.is_subset(bishops) && of_one_color(bishops);
        !(one_piece || two_knights || bishops_of_one_color)
    }
}

/// Whether both sides have bishops and nothing else, each side's stand on one colour, and the sides'
/// colours differ.
fn never_meet(board: &Board) -> bool {
    let bishops = board.by_role(Role::Bishop);
    let only_bishops = board
        .occupied()
        .is_subset(bishops | board.by_role(Role::King));
    let of_one_side = |color| of_one_color(bishops & board.by_color(color));
    only_bishops && Color::ALL.into_iter().all(of_one_side) && !of_one_color(bishops)
}

/// Simple Atomic (002 f): a king can be removed when some piece can still capture: an enemy of the
/// king, or, next to it, a piece of its own side. A king never captures, and a pawn on its last
/// rank never moves.
fn a_king_can_be_taken(board: &Board) -> bool {
    let stuck =
        |color| board.by_color_and_role(Role::Pawn.of(color)) & Rank::Eighth.of(color).into();
    let harmless = board.by_role(Role::King) | stuck(Color::White) | stuck(Color::Black);
    !board.occupied().is_subset(harmless)
}

fn of_one_color(squares: Bitboard) -> bool {
    squares.is_subset(Bitboard::LIGHT) || squares.is_subset(Bitboard::DARK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atomic, Chess, SimpleAtomic};

    /// Who can win: `WB`, `W-`, `-B` or `--`.
    fn winners<R: Rules>(placement: &str) -> String {
        let position = Position::<R>::from_fen(&format!("{placement} w - - 0 1"))
            .unwrap_or_else(|error| panic!("{placement}: {error}"));
        let letter = |side, letter| {
            if can_win(&position, side) {
                letter
            } else {
                '-'
            }
        };
        [letter(Color::White, 'W'), letter(Color::Black, 'B')]
            .into_iter()
            .collect()
    }

    #[test]
    fn in_chess_some_armies_cannot_mate() {
        for (placement, expected) in [
            ("8/8/8/3k4/8/3K4/8/8", "--"),
            ("8/8/8/3k4/8/3K4/8/6N1", "--"),
            ("8/8/8/3k4/8/3K4/8/5B2", "--"),
            ("8/8/5b2/3k4/8/3K4/8/2B5", "--"),
            ("8/b7/1b6/2bk4/8/2BK4/1B6/8", "--"),
            ("8/8/3k4/5b2/8/8/3K4/2B5", "WB"),
            ("8/8/3k4/8/8/8/1N1K1N2/8", "W-"),
            ("8/8/3k4/5n2/8/8/1N1K4/8", "WB"),
            ("8/8/3k4/8/8/8/1N1K4/2B5", "W-"),
            ("8/8/8/3kq3/8/3K1N2/8/8", "-B"),
            ("8/8/8/3kr3/8/3K1N2/8/8", "WB"),
            ("8/8/8/3kq3/8/3KB3/8/8", "-B"),
            ("8/8/8/3kr3/8/3KB3/8/8", "-B"),
            ("8/8/8/3kn3/8/3KB3/8/8", "WB"),
            ("8/8/8/3kp3/8/3KB3/8/8", "WB"),
            ("8/8/8/3k4/8/3KP3/8/8", "W-"),
            ("8/8/8/3k4/8/3KR3/8/8", "W-"),
        ] {
            assert_eq!(winners::<Chess>(placement), expected, "{placement}");
        }
    }

    #[test]
    fn in_atomic_a_bare_king_is_hard_to_mate_and_impossible_to_blow_up() {
        for (placement, expected) in [
            ("8/3k4/8/8/8/4K3/8/8", "--"),
            ("8/3k4/8/8/4R3/4K3/8/8", "--"),
            ("8/3k4/8/8/4B3/4K3/8/8", "--"),
            ("8/3k4/8/8/4N3/4K3/8/8", "--"),
            ("8/3k4/8/8/4NN2/4K3/8/8", "--"),
            ("8/3k4/8/8/4B3/4KB2/8/8", "--"),
            ("8/3k4/8/8/4NNN1/4K3/8/8", "W-"),
            ("8/3k4/8/8/4BB2/4K3/8/8", "W-"),
            ("8/3k4/8/8/4Q3/4K3/8/8", "W-"),
            ("8/3k4/8/8/4P3/4K3/8/8", "W-"),
            ("8/3k4/8/8/3NR3/4K3/8/8", "W-"),
            ("7k/4b3/8/8/8/3B4/8/K7", "--"),
            ("7k/4b3/8/8/8/3B4/2B5/K7", "-B"),
            ("7k/4b3/5b2/8/8/3B4/2B5/K7", "WB"),
            ("8/8/8/8/8/4B3/b7/kb5K", "W-"),
            ("7k/3b4/8/8/8/3B4/2B5/K7", "WB"),
            ("8/3k2n1/8/8/4N3/4K3/8/8", "WB"),
        ] {
            assert_eq!(winners::<Atomic>(placement), expected, "{placement}");
        }
    }

    #[test]
    fn the_list_of_the_servers_is_longer_than_the_truth_only_for_bishops_that_never_meet() {
        for (placement, is_insufficient, is_dead) in [
            ("8/3k4/8/8/8/4K3/8/8", true, true),
            ("8/3k4/8/8/4R3/4K3/8/8", true, true),
            ("7k/4b3/8/8/8/3B4/8/K7", true, true),
            ("7k/4b3/8/8/8/3B4/2B5/K7", true, false),
            ("8/8/8/8/8/4B3/b7/kb5K", true, false),
            ("7k/3b4/8/8/8/3B4/2B5/K7", false, false),
            ("7k/4b2p/8/8/8/3B4/2B5/K7", false, false),
            ("8/3k4/8/8/4BB2/4K3/8/8", false, false),
        ] {
            let fen = format!("{placement} w - - 0 1");
            let position = Position::<Atomic>::from_fen(&fen).expect("a position");
            assert_eq!(super::is_insufficient(&position), is_insufficient, "{fen}");
            assert_eq!(super::is_dead(&position), is_dead, "{fen}");
            // In chess, insufficient material is the same as a dead position.
            let position = Position::<Chess>::from_fen(&fen).expect("a position");
            assert_eq!(
                super::is_insufficient(&position),
                super::is_dead(&position),
                "{fen}"
            );
        }
    }

    #[test]
    fn in_simple_atomic_any_man_that_can_capture_is_dangerous_to_some_king() {
        for (placement, expected) in [
            ("8/8/8/3k4/8/3K4/8/8", "--"),
            ("8/8/8/3k4/8/3K4/8/6N1", "W-"),
            ("8/8/8/3p4/3P4/8/8/K6k", "WB"),
            ("Pk6/8/8/8/8/8/8/pK6", "--"),
            ("Pk6/8/8/8/8/8/8/nK6", "WB"),
        ] {
            assert_eq!(winners::<SimpleAtomic>(placement), expected, "{placement}");
        }
    }
}
