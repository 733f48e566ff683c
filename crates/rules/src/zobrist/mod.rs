//! Zobrist hash keys, with the random numbers of the Polyglot book format. A key stands for a
//! position in hash tables; whether two positions are equal is decided by comparing the positions.

mod random;

use crate::{Board, CastlingSide, Color, File, Role};
use random::RANDOM_KEYS;

const CASTLING_OFFSET: usize = 768;
const EN_PASSANT_OFFSET: usize = 772;

/// The number for White to move.
pub(crate) const WHITE_TO_MOVE: u64 = RANDOM_KEYS[780];

/// Numbers for pieces on squares, by colour, by [`slot`] of the role, then by square.
static PIECE_KEYS: [[[u64; 64]; 8]; 2] = {
    let mut men = [[[0; 64]; 8]; 2];
    let mut color = 0;
    while color < 2 {
        let mut role = 0;
        while role < 6 {
            let mut square = 0;
            while square < 64 {
                // Polyglot counts black pawn, white pawn, black knight …
                men[color][slot(Role::ALL[role])][square] =
                    RANDOM_KEYS[64 * (2 * role + (1 - color)) + square];
                square += 1;
            }
            role += 1;
        }
        color += 1;
    }
    men
};

/// The table index of a role: knights 1, plus 2 for moving diagonally, plus 4 for straight, so that
/// it can be read off a board's bitboards without a branch.
const fn slot(role: Role) -> usize {
    match role {
        Role::Pawn => 0,
        Role::Knight => 1,
        Role::Bishop => 2,
        Role::Rook => 4,
        Role::Queen => 6,
        Role::King => 7,
    }
}

/// The number for a piece on a square.
#[inline(always)]
pub(crate) fn man(color: Color, role: Role, square: usize) -> u64 {
    PIECE_KEYS[color as usize][slot(role)][square & 63]
}

/// The number for the piece on a square where there is one, and not a king.
#[inline(always)]
pub(crate) fn captive(color: Color, board: &Board, square: usize) -> u64 {
    let bit = |set: u64| (set >> square) as usize & 1;
    let slot = bit(board.knights) | bit(board.diagonals) << 1 | bit(board.straights) << 2;
    PIECE_KEYS[color as usize][slot][square & 63]
}

/// The number for a castling right.
pub(crate) fn castling(color: Color, wing: CastlingSide) -> u64 {
    RANDOM_KEYS[CASTLING_OFFSET + 2 * color as usize + wing as usize]
}

/// The number for a capture en passant on this file.
pub(crate) fn en_passant(file: File) -> u64 {
    RANDOM_KEYS[EN_PASSANT_OFFSET + file.index() as usize]
}

/// The key of all pieces of a board, computed from scratch.
pub(crate) fn of_board(board: &Board) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            for square in board.by_color_and_role(role.of(color)) {
                key ^= man(color, role, square.index());
            }
        }
    }
    key
}
