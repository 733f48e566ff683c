//! One step of many pieces at once, as shifts of bitboards. Blockers are not considered.

use touchmove_rules::{Color, Role};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The squares one step on, by direction: north, south, east, west, then the diagonals.
#[inline(always)]
pub(crate) const fn shift(squares: u64, direction: usize) -> u64 {
    match direction {
        0 => squares << 8,
        1 => squares >> 8,
        2 => (squares & NOT_H) << 1,
        3 => (squares & NOT_A) >> 1,
        4 => (squares & NOT_H) << 9,
        5 => (squares & NOT_A) << 7,
        6 => (squares & NOT_H) >> 7,
        _ => (squares & NOT_A) >> 9,
    }
}

#[inline(always)]
const fn straight_steps(squares: u64) -> u64 {
    shift(squares, 0) | shift(squares, 1) | shift(squares, 2) | shift(squares, 3)
}

#[inline(always)]
const fn diagonal_steps(squares: u64) -> u64 {
    shift(squares, 4) | shift(squares, 5) | shift(squares, 6) | shift(squares, 7)
}

/// The squares one step from any of these, for a piece other than a pawn.
#[inline(always)]
pub(crate) const fn one_step(role: Role, squares: u64) -> u64 {
    match role {
        Role::Knight => {
            let east = shift(squares, 2);
            let west = shift(squares, 3);
            let far = shift(east, 2) | shift(west, 3);
            let near = east | west;
            far << 8 | far >> 8 | near << 16 | near >> 16
        }
        Role::Bishop => diagonal_steps(squares),
        Role::Rook => straight_steps(squares),
        _ => straight_steps(squares) | diagonal_steps(squares),
    }
}

/// The squares pawns on any of these attack.
#[inline(always)]
pub(crate) const fn pawn_attacks(color: Color, squares: u64) -> u64 {
    match color {
        Color::White => shift(squares, 4) | shift(squares, 5),
        Color::Black => shift(squares, 6) | shift(squares, 7),
    }
}
