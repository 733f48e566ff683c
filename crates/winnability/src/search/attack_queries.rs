//! Attack queries: attacks from one square on a few, or from the squares that can attack a few, and distances of kings
//! and knights. They order a search and prove nothing.

use touchmove_rules::{Bitboard, Board, Color, Role, Square, attacks};

/// Which of these squares a piece attacks. For a few squares this is cheaper than the whole attack set of a slider.
#[inline(always)]
pub(crate) fn attacked_among(
    role: Role,
    color: Color,
    from: Square,
    squares: Bitboard,
    occupied: Bitboard,
) -> Bitboard {
    let lines = match role {
        Role::Bishop => LINES_OF_SQUARE[1][from.index()],
        Role::Rook => LINES_OF_SQUARE[0][from.index()],
        Role::Queen => LINES_OF_SQUARE[0][from.index()] | LINES_OF_SQUARE[1][from.index()],
        _ => return attacks::of(role, color, from, occupied) & squares,
    };
    let is_seen = |at: &Square| (attacks::between(from, *at) & occupied).is_empty();
    (Bitboard(lines) & squares)
        .into_iter()
        .filter(is_seen)
        .collect()
}

/// From where a piece attacks any of these squares.
#[inline(always)]
pub(crate) fn attackers_of_any(
    role: Role,
    color: Color,
    squares: Bitboard,
    occupied: Bitboard,
) -> Bitboard {
    let (squares, empty) = (squares.0, !occupied.0);
    Bitboard(match role {
        Role::Knight => knights(squares),
        Role::Bishop => diagonals(squares, empty),
        Role::Rook => straights(squares, empty),
        Role::Queen => diagonals(squares, empty) | straights(squares, empty),
        Role::Pawn => beside(Bitboard(squares).forward(!color).0),
        Role::King => around(squares),
    })
}

/// What these pieces of a side attack with this occupancy.
#[inline(always)]
pub(crate) fn attacked(board: &Board, color: Color, men: Bitboard, occupied: Bitboard) -> Bitboard {
    let empty = !occupied.0;
    let of = |role| (men & board.by_role(role)).0;
    let pawns = beside(Bitboard(of(Role::Pawn)).forward(color).0);
    let leapers = pawns | knights(of(Role::Knight)) | around(of(Role::King));
    let straight = (men & board.rooks_and_queens()).0;
    let diagonal = (men & board.bishops_and_queens()).0;
    let sliders = straights(straight, empty) | diagonals(diagonal, empty);
    Bitboard(leapers | sliders)
}

/// How many steps a king on an empty board needs to the nearest of these squares.
#[inline(always)]
pub(crate) fn distance_to(squares: Bitboard, from: Square) -> Option<u32> {
    if squares.is_empty() {
        return None;
    }
    let within = &KING_REACH_BY_STEPS[from.index()];
    let steps = within.iter().position(|near| near & squares.0 != 0);
    steps.map(|steps| steps as u32)
}

/// For each square, those that a king reaches from it in at most 0 to 7 steps.
static KING_REACH_BY_STEPS: [[u64; 8]; 64] = {
    let mut within = [[0; 8]; 64];
    let mut from = 0;
    while from < 64 {
        let mut reached = 1 << from;
        let mut steps = 0;
        while steps < 8 {
            within[from][steps] = reached;
            reached |= around(reached);
            steps += 1;
        }
        from += 1;
    }
    within
};

/// How many moves a knight needs for a distance in files and ranks on a large board.
pub(crate) fn knight_distance(files: u32, ranks: u32) -> u32 {
    u32::from(KNIGHT_DISTANCES[files as usize][ranks as usize])
}

static KNIGHT_DISTANCES: [[u8; 8]; 8] = {
    let mut jumps = [[0; 8]; 8];
    let mut apart: usize = 0;
    while apart < 64 {
        let (files, ranks) = (apart / 8, apart % 8);
        let longer = if files > ranks { files } else { ranks };
        let (straight, both) = (longer.div_ceil(2), (files + ranks).div_ceil(3));
        let least = if straight > both { straight } else { both };
        jumps[files][ranks] = (least + (least + files + ranks) % 2) as u8;
        apart += 1;
    }
    jumps
};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;
const NOT_FIRST: u64 = !0xff;
const NOT_EIGHTH: u64 = !0 >> 8;

/// The squares to the left and to the right of each.
pub(crate) const fn beside(squares: u64) -> u64 {
    (squares << 1 & NOT_A) | (squares >> 1 & NOT_H)
}

/// The squares around each.
pub(crate) const fn around(squares: u64) -> u64 {
    let beside = beside(squares);
    let ranks = squares | beside;
    beside | ranks << 8 | ranks >> 8
}

#[inline(always)]
fn knights(squares: u64) -> u64 {
    let one = beside(squares);
    let two = (squares << 2 & NOT_AB) | (squares >> 2 & NOT_GH);
    one << 16 | one >> 16 | two << 8 | two >> 8
}

#[inline(always)]
fn straights(squares: u64, empty: u64) -> u64 {
    if squares == 0 {
        return 0;
    }
    rays(squares, empty, 8, NOT_FIRST)
        | rays(squares, empty, 56, NOT_EIGHTH)
        | rays(squares, empty, 1, NOT_A)
        | rays(squares, empty, 63, NOT_H)
}

#[inline(always)]
fn diagonals(squares: u64, empty: u64) -> u64 {
    if squares == 0 {
        return 0;
    }
    rays(squares, empty, 9, NOT_A & NOT_FIRST)
        | rays(squares, empty, 7, NOT_H & NOT_FIRST)
        | rays(squares, empty, 57, NOT_A & NOT_EIGHTH)
        | rays(squares, empty, 55, NOT_H & NOT_EIGHTH)
}

/// The attack set of these squares in one direction, up to the first blocker. A step rotates the set, and the mask
/// `inside` removes squares that wrapped around the board.
#[inline(always)]
const fn rays(squares: u64, empty: u64, step: u32, inside: u64) -> u64 {
    let mut seen = squares;
    let mut open = empty & inside;
    seen |= seen.rotate_left(step) & open;
    open &= open.rotate_left(step);
    seen |= seen.rotate_left(2 * step % 64) & open;
    open &= open.rotate_left(2 * step % 64);
    seen |= seen.rotate_left(4 * step % 64) & open;
    seen.rotate_left(step) & inside
}

/// The squares in line with each square: straight, then diagonally.
static LINES_OF_SQUARE: [[u64; 64]; 2] = {
    let mut lines = [[0; 64]; 2];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let files = (a as u8 % 8).abs_diff(b as u8 % 8);
            let ranks = (a as u8 / 8).abs_diff(b as u8 / 8);
            if a != b && (files == 0 || ranks == 0) {
                lines[0][a] |= 1 << b;
            } else if a != b && files == ranks {
                lines[1][a] |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    lines
};

#[cfg(test)]
mod tests {
    use touchmove_rules::{Bitboard, Color, Role, Square, attacks};

    use super::{attacked_among, attackers_of_any, distance_to};
    use crate::fuzz::TestRng;

    #[test]
    fn whoever_sees_one_of_the_squares_stands_on_a_lookout() {
        let mut dice = TestRng(0x5167_6874);
        for _ in 0..200 {
            let mut some = |count: usize| (0..count).map(|_| dice.square()).collect();
            let (squares, occupied): (Bitboard, Bitboard) = (some(4), some(16));
            for (role, color) in Role::ALL.into_iter().zip(Color::ALL.into_iter().cycle()) {
                let expected: Bitboard = Square::all()
                    .filter(|&at| {
                        let sight = attacks::of(role, color, at, occupied) & squares;
                        assert_eq!(sight, attacked_among(role, color, at, squares, occupied));
                        sight.any()
                    })
                    .collect();
                let found = attackers_of_any(role, color, squares, occupied);
                assert_eq!(found, expected, "{role:?}");
            }
            let from = dice.square();
            let distances = squares.into_iter().map(|at| u32::from(at.distance(from)));
            assert_eq!(distance_to(squares, from), distances.min());
        }
    }
}
