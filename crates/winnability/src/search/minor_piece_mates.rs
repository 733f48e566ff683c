//! [`MinorPieceMates`]: what a win with minor pieces alone still lacks, for the win heuristic. It orders a search and
//! proves nothing.

use touchmove_rules::{Bitboard, Board, Color, Role, Square};

use crate::search::attack_queries::knight_distance;
use crate::search::promotion_paths::steps_to_promotion;

/// What a win with minor pieces alone takes: a corner of the right colour, a piece of the loser beside its king there,
/// and a knight nearby.
pub(crate) struct MinorPieceMates {
    corners: Bitboard,
    blockers: Bitboard,
    /// How far the pawns of the loser are from promoting, where the loser has no piece.
    promotion: u32,
    knights: Bitboard,
}

impl MinorPieceMates {
    /// Examines a board with the losing king on `other`.
    pub fn new(board: &Board, winner: Color, other: Square) -> MinorPieceMates {
        let men = board.by_color(winner);
        let losers = board.by_color(!winner) - other.set();
        let pawns = losers & board.by_role(Role::Pawn);
        let knights = men & board.by_role(Role::Knight);
        let bishops = men & board.by_role(Role::Bishop);
        let all = Bitboard(0x8100_0000_0000_0081);
        let corners = if knights.any()
            || (bishops & Bitboard::LIGHT).any() && (bishops & Bitboard::DARK).any()
        {
            all
        } else if (bishops & Bitboard::LIGHT).any() {
            all & Bitboard::LIGHT
        } else {
            all & Bitboard::DARK
        };
        let promotion = if (losers - pawns).any() {
            0
        } else {
            let steps = pawns
                .into_iter()
                .map(|pawn| steps_to_promotion(board, !winner, pawn))
                .min();
            steps.map_or(0, |steps| steps + 2)
        };
        MinorPieceMates {
            corners,
            blockers: losers,
            promotion,
            knights,
        }
    }

    /// How many steps are left if the losing king is on `k`.
    pub fn remaining_steps(&self, k: Square) -> u32 {
        let nearest = |squares: Bitboard| {
            squares
                .into_iter()
                .map(|square| u32::from(square.distance(k)))
                .min()
                .unwrap_or(0)
        };
        let jumps = self
            .knights
            .into_iter()
            .map(|knight| {
                let files = knight.file().index().abs_diff(k.file().index());
                let ranks = knight.rank().index().abs_diff(k.rank().index());
                knight_distance(u32::from(files), u32::from(ranks))
            })
            .min()
            .unwrap_or(1);
        nearest(self.corners) + nearest(self.blockers).max(1) + self.promotion + jumps.max(1)
    }
}
