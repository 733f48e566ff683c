//! Whether an outline may be a mate: the last part of the argument in the parent module.

use touchmove_rules::{Bitboard, Role, Square, attacks};

use crate::proof::outline::Outlines;
use crate::proof::outline::abstract_position::{Outline, OutlineStep, moved};
use crate::proof::outline::ghost::{GhostSquares, GhostSquaresByColor};

/// The maximum number of the winner's ghosts that are tried on single squares to see whether they can mate.
const MAX_PLACED_GHOSTS: u32 = 2;

/// The facts about an outline that decide whether it may be a mate.
struct MateContext<'a> {
    outline: &'a Outline,
    king: Square,
    occupied: Bitboard,
    /// From where a ghost of the winner may give check.
    check_from: Bitboard,
    /// Where ghosts of the loser may stand.
    fillers: Bitboard,
}

impl Outlines {
    /// Whether the winner may have given mate with the last move.
    pub(super) fn may_be_mate(
        &self,
        outline: &Outline,
        step: OutlineStep,
        haunts: &GhostSquaresByColor,
        veil: Bitboard,
    ) -> bool {
        let (winner, loser) = (self.winner, !self.winner);
        let board = &outline.board;
        let Some(king) = board.king_of(loser) else {
            return true;
        };
        let occupied = board.occupied();
        let haunt = &haunts[winner as usize];
        let is_check = board.attackers(king, winner, occupied).any();
        let mut check_from = haunt.attackers(king, occupied);
        if let OutlineStep::Solid { left } = step {
            let uncovered = |at: &Square| (attacks::between(*at, king) & left).any();
            check_from = check_from.into_iter().filter(uncovered).collect();
        }
        if !is_check && check_from.is_empty() {
            return false;
        }
        let scene = MateContext {
            outline,
            king,
            occupied,
            check_from,
            fillers: haunts[loser as usize].any,
        };
        let open: Bitboard = (attacks::king(king) - board.by_color(loser))
            .into_iter()
            .filter(|&at| board.attackers(at, winner, scene.without_king()).is_empty())
            .collect();
        let ghosts = self.numbers(outline, winner);
        let is_closed =
            if ghosts.count_ones() > MAX_PLACED_GHOSTS || outline.changed[winner as usize] {
                let unguarded = |at: &Square| haunt.attackers(*at, scene.without_king()).is_empty();
                let open = open.into_iter().filter(unguarded).collect();
                self.can_be_filled(&scene, open, Bitboard::EMPTY)
            } else {
                self.can_be_closed(&scene, ghosts, open, Bitboard::EMPTY, is_check)
            };
        is_closed && !self.can_surely_take(&scene, haunt, veil)
    }

    /// Whether a solid piece of the loser can surely capture one of the winner with nothing in its way, and leave its
    /// king where nothing may attack it.
    fn can_surely_take(
        &self,
        scene: &MateContext<'_>,
        haunt: &GhostSquares,
        veil: Bitboard,
    ) -> bool {
        let (winner, loser) = (self.winner, !self.winner);
        let board = &scene.outline.board;
        let victims = board.by_color(winner) - board.by_role(Role::King);
        (board.by_color(loser) - scene.king.set())
            .into_iter()
            .any(|from| {
                let role = board.role_at(from).unwrap_or(Role::King);
                let sight = attacks::of(role, loser, from, scene.occupied | veil);
                (sight & victims).into_iter().any(|to| {
                    let board = moved(*board, from, to);
                    let occupied = board.occupied();
                    board.attackers(scene.king, winner, occupied).is_empty()
                        && haunt.attackers(scene.king, occupied).is_empty()
                })
            })
    }

    /// Whether these ghosts of the winner, each on one free square of its reach, and ghosts of the loser in the way can
    /// close these squares around the king, and give check if it is not yet given.
    fn can_be_closed(
        &self,
        scene: &MateContext<'_>,
        ghosts: u32,
        open: Bitboard,
        taken: Bitboard,
        is_check: bool,
    ) -> bool {
        if is_check && self.can_be_filled(scene, open, taken) {
            return true;
        }
        // What cannot be filled must be guarded by one of them; one that neither gives check nor guards an open square
        // is useless.
        let wanted = (open - (scene.fillers - scene.occupied - taken)).first();
        let sight = |role, from| attacks::of(role, self.winner, from, scene.without_king());
        self.ghosts.iter().enumerate().any(|(number, ghost)| {
            if ghosts >> number & 1 == 0 {
                return false;
            }
            let mut places = ghost.reach - scene.occupied - taken;
            if let Some(at) = wanted {
                places &= sight(ghost.role, at);
            }
            places.into_iter().any(|at| {
                let seen = sight(ghost.role, at);
                let checks = !is_check && scene.check_from.contains(at);
                let others = ghosts & !(1 << number);
                let taken = taken | at.set();
                (checks || (seen & open).any())
                    && self.can_be_closed(scene, others, open - seen, taken, is_check || checks)
            })
        })
    }

    /// Whether different ghosts of the loser may stand on all these squares.
    fn can_be_filled(&self, scene: &MateContext<'_>, squares: Bitboard, taken: Bitboard) -> bool {
        let loser = !self.winner;
        if !squares.is_subset(scene.fillers - scene.occupied - taken) {
            return false;
        }
        let ghosts = self.numbers(scene.outline, loser);
        let mut seated = [None; 32];
        scene.outline.changed[loser as usize]
            || squares
                .into_iter()
                .all(|square| self.seat(square, &mut { ghosts }, &mut seated))
    }

    /// Finds a ghost for a square by an augmenting path, among those of these numbers. A ghost that may stand there and
    /// was tried is not tried again; one that may not can still be tried for another square.
    fn seat(&self, square: Square, ghosts: &mut u32, seated: &mut [Option<Square>; 32]) -> bool {
        for (number, ghost) in self.ghosts.iter().enumerate() {
            if *ghosts >> number & 1 == 0 || !ghost.reach.contains(square) {
                continue;
            }
            *ghosts &= !(1 << number);
            if seated[number].is_none_or(|other| self.seat(other, ghosts, seated)) {
                seated[number] = Some(square);
                return true;
            }
        }
        false
    }
}

impl MateContext<'_> {
    fn without_king(&self) -> Bitboard {
        self.occupied - self.king.set()
    }
}
