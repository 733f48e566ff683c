//! The weights of chess: shapes that players know, not yet fitted to games.

use super::{Tapered, Weights, s};

/// From the edge (0) to the middle (3).
const fn inward(line: i32) -> i32 {
    if line < 4 { line } else { 7 - line }
}

/// The starting shape of the tables: pieces belong into the middle, the king to a wing and, in the
/// endgame, to the middle.
const fn piece_square(material: [Tapered; 6], pawn_ranks: [Tapered; 8]) -> [[Tapered; 64]; 6] {
    const SHELTER: [i32; 8] = [8, 26, 10, -18, -8, -14, 28, 12];
    let mut table = [[s(0, 0); 64]; 6];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square as i32 % 8, square as i32 / 8);
        let centre = inward(file) + inward(rank);
        let is_home = (rank == 0) as i32;
        let is_seventh = (rank == 6) as i32;
        let middle_pawn = if inward(file) == 3 {
            [0, -12, 8, 20, 14, 6, 0, 0][rank as usize]
        } else if inward(file) == 2 {
            [0, -2, 2, 4, 4, 2, 0, 0][rank as usize]
        } else {
            0
        };
        let advance = if rank >= 3 && rank <= 5 { 8 } else { 0 };
        let king_middlegame = match rank {
            0 => SHELTER[file as usize],
            1 => SHELTER[file as usize] / 2 - 22,
            _ => -36 - 10 * rank,
        };
        let shape = [
            s(
                middle_pawn + pawn_ranks[rank as usize].middlegame(),
                pawn_ranks[rank as usize].endgame(),
            ),
            s(-46 + 11 * centre + advance, -34 + 9 * centre),
            s(-12 + 4 * centre - 8 * is_home, -9 + 3 * centre),
            s(-8 + 4 * inward(file) + 14 * is_seventh, 10 * is_seventh),
            s(-5 + 2 * centre, -21 + 7 * centre),
            s(king_middlegame, -48 + 14 * centre - 6 * is_home),
        ];
        let mut role = 0;
        while role < 6 {
            table[role][square] = Tapered(material[role].0 + shape[role].0);
            role += 1;
        }
        square += 1;
    }
    table
}

/// A worth that grows with the square root of the squares reached, from the first to the last value.
const fn reach<const N: usize>(first: Tapered, last: Tapered) -> [Tapered; N] {
    let mut table = [s(0, 0); N];
    let steps = ((N - 1) * 10_000).isqrt() as i32;
    let mut count = 0;
    while count < N {
        let root = (count * 10_000).isqrt() as i32;
        table[count] = s(
            first.middlegame() + (last.middlegame() - first.middlegame()) * root / steps,
            first.endgame() + (last.endgame() - first.endgame()) * root / steps,
        );
        count += 1;
    }
    table
}

pub(super) const CHESS: Weights = Weights {
    piece_square: piece_square(
        [
            s(84, 106),
            s(330, 305),
            s(345, 318),
            s(465, 535),
            s(985, 970),
            s(0, 0),
        ],
        [
            s(0, 0),
            s(0, 0),
            s(0, 0),
            s(4, 5),
            s(10, 14),
            s(20, 30),
            s(44, 50),
            s(0, 0),
        ],
    ),
    knight_reach: reach(s(-40, -50), s(16, 16)),
    bishop_reach: reach(s(-38, -55), s(26, 30)),
    rook_reach: reach(s(-28, -50), s(20, 36)),
    queen_reach: reach(s(-20, -45), s(18, 36)),
    bishop_pair: s(28, 52),
    rook_on_open_file: s(34, 14),
    rook_on_half_open_file: s(14, 8),
    doubled: s(-9, -22),
    isolated: s(-12, -14),
    connected: [
        s(0, 0),
        s(4, 2),
        s(8, 5),
        s(10, 8),
        s(18, 18),
        s(36, 38),
        s(60, 60),
        s(0, 0),
    ],
    passed: [
        s(0, 0),
        s(0, 6),
        s(-2, 12),
        s(0, 30),
        s(18, 55),
        s(42, 95),
        s(70, 135),
        s(0, 0),
    ],
    passed_and_free: [
        s(0, 0),
        s(0, 2),
        s(0, 4),
        s(2, 8),
        s(4, 16),
        s(8, 34),
        s(16, 60),
        s(0, 0),
    ],
    passed_far_from_enemy_king: s(0, 8),
    passed_far_from_own_king: s(0, -5),
    shield: [s(16, -2), s(8, -1)],
    draught: s(-18, 0),
    siege: s(-9, 0),
    attacked_by_pawn: s(52, 44),
    attacked_by_minor: s(34, 26),
    loose: s(28, 22),
    fuse: s(0, 0),
    explosion: s(0, 0),
    near_miss: s(0, 0),
    tempo: s(18, 12),
};
