//! Whether an outline may be a mate: the last part of the argument about outlines.

use touchmove_rules::{Bitboard, Role, Square, attacks};

use crate::matching::can_be_filled;
use crate::outline::{Ghost, GhostSquares, Mover, Outline, OutlineChecker, moved};

/// Up to this many ghosts of the winner are placed on single squares to see whether they can mate.
const MAX_PLACED_GHOSTS: usize = 2;

/// The king to be mated, and what stands around it.
struct MateContext {
    king: Square,
    occupied: Bitboard,
    /// The solid pieces without the king.
    others: Bitboard,
    /// From where a ghost may give check.
    check_from: Bitboard,
    /// Where each ghost of the loser may stand; and where any ghost or changeling of the loser may, if there
    /// are changelings.
    fillers: Vec<Bitboard>,
    anywhere: Option<Bitboard>,
}

impl OutlineChecker {
    /// Whether the winner may have given mate with the last move.
    pub fn may_be_mate(
        &self,
        outline: &Outline,
        mover: Mover,
        crowds: &[GhostSquares; 2],
        veil: Bitboard,
    ) -> bool {
        let (winner, loser) = (self.winner, !self.winner);
        let board = outline.board();
        let Some(king) = board.king_of(loser) else {
            return true;
        };
        let occupied = board.occupied();
        let crowd = &crowds[winner as usize];
        let is_check = board.attackers(king, winner, occupied).any();
        let mut check_from = crowd.attackers(king, occupied);
        if let Mover::Solid(left) = mover {
            let is_uncovered = |at: &Square| (attacks::between(*at, king) & left).any();
            check_from = check_from.into_iter().filter(is_uncovered).collect();
        }
        if !is_check && check_from.is_empty() {
            return false;
        }
        let ghosts = self.alive(outline, loser).map(|(_, ghost)| ghost.reach);
        let scene = MateContext {
            king,
            occupied,
            others: occupied - king.set(),
            check_from,
            fillers: ghosts.map(|reach| reach - occupied).collect(),
            anywhere: outline.changed[loser as usize].then_some(crowds[loser as usize].any),
        };
        let is_open = |at: &Square| board.attackers(*at, winner, scene.others).is_empty();
        let open: Bitboard = (attacks::king(king) - board.by_color(loser))
            .into_iter()
            .filter(is_open)
            .collect();
        let hunters: Vec<&Ghost> = self
            .alive(outline, winner)
            .map(|(_, ghost)| ghost)
            .collect();
        let is_closed = if hunters.len() > MAX_PLACED_GHOSTS || outline.changed[winner as usize] {
            let is_free = |at: &Square| crowd.attackers(*at, scene.others).is_empty();
            scene.can_fill(open.into_iter().filter(is_free).collect(), Bitboard::EMPTY)
        } else {
            scene.can_close(&hunters, open, Bitboard::EMPTY, is_check)
        };
        is_closed && !self.can_surely_take(outline, &scene, crowd, veil)
    }

    /// Whether a solid piece of the loser can capture one of the winner with nothing possibly in its way, and
    /// nothing may attack the king after that.
    fn can_surely_take(
        &self,
        outline: &Outline,
        scene: &MateContext,
        crowd: &GhostSquares,
        veil: Bitboard,
    ) -> bool {
        let board = outline.board();
        let victims = board.by_color(self.winner) - board.by_role(Role::King);
        let takers = board.by_color(!self.winner) - scene.king.set();
        takers.into_iter().any(|from| {
            let role = board.role_at(from).unwrap_or(Role::King);
            let sight = attacks::of(role, !self.winner, from, scene.occupied | veil);
            (sight & victims).into_iter().any(|to| {
                let after = moved(board, from, to);
                let occupied = after.occupied();
                after
                    .attackers(scene.king, self.winner, occupied)
                    .is_empty()
                    && crowd.attackers(scene.king, occupied).is_empty()
            })
        })
    }
}

impl MateContext {
    /// Whether different ghosts of the loser may stand on all these squares.
    fn can_fill(&self, squares: Bitboard, taken: Bitboard) -> bool {
        if (squares & (self.occupied | taken)).any() {
            return false;
        }
        match self.anywhere {
            Some(anywhere) => squares.is_subset(anywhere),
            None => can_be_filled(squares, &self.fillers),
        }
    }

    /// Whether each of these ghosts on one square, and ghosts of the loser in the way, can close these
    /// squares around the king, and give check if there is none yet.
    fn can_close(
        &self,
        hunters: &[&Ghost],
        open: Bitboard,
        taken: Bitboard,
        is_check: bool,
    ) -> bool {
        if is_check && self.can_fill(open, taken) {
            return true;
        }
        (0..hunters.len()).any(|index| {
            let hunter = hunters[index];
            let mut others = hunters.to_vec();
            others.remove(index);
            (hunter.reach - self.occupied - taken)
                .into_iter()
                .any(|at| {
                    let seen = attacks::of(hunter.role, hunter.color, at, self.others);
                    let checks = !is_check && self.check_from.contains(at);
                    // A ghost that neither gives check nor guards a square is only in the way.
                    (checks || (seen & open).any())
                        && self.can_close(
                            &others,
                            open - seen,
                            taken | at.set(),
                            is_check || checks,
                        )
                })
        })
    }
}
