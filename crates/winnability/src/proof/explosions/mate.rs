//! Mates where captures explode, with pieces anywhere in their reach: which can give check, where, and whether
//! the squares around the king can be closed. Wins by an explosion are in the parent module.
//!
//! # New checks
//!
//! Let the losing king be mated on *k*, and let the position that the survey is of be no mate: then a move
//! of the winner has led to the mate. Let the winner have no right to castle.
//!
//! *Claim.* No winning piece attacked *k* already before that move, from the square where it stands now.
//!
//! *Proof.* Suppose one did. The losing king stood on *k* then too, attacked, and it was not its turn. So the
//! kings touched, or its side could not have left it there; nor would the position have been one in which
//! the winner is to move. In a mate they do not touch, so the move was a step of the winning king, from *v*
//! to *w*. Now *v* is empty, for kings do not capture; it is beside *k*, and beside *w*. The losing king steps
//! to *v* and touches the other there, which is no check. So it was no mate. ∎
//!
//! Two things follow from it.
//!
//! - *k* is not attacked by a piece that attacks it for good: by a locked pawn or knight, nor by a locked slider
//!   beside it.
//! - A pawn or a knight that gives check has just moved without capturing, for a capturing piece vanishes: what it
//!   attacks depends on nothing but its square. So the pawn is not on its first square, nor is it a knight
//!   that can never leave its square. Sliders may have been uncovered, and give check from wherever they can stand.

use touchmove_rules::{Bitboard, Color, Position, Role, Rules, Square, attacks};

use crate::proof::explosions::{ExplosionReach, MAX_PIECES, PieceReach, step_as_promoted};
use crate::proof::steps::{pawn_attacks, shift};

/// Whether a mate by `winner` can only come about by a new check: the winner has no right to castle, and the
/// losing king is not in check now.
pub(super) fn needs_new_check<R: Rules>(position: &Position<R>, winner: Color) -> bool {
    let board = position.board();
    let (Some(own), Some(other)) = (board.king_of(winner), board.king_of(!winner)) else {
        return false;
    };
    let attackers = board.attackers(other, winner, board.occupied());
    let castles = position.castling_rights() & board.by_color(winner);
    castles.is_empty() && (attackers.is_empty() || own.distance(other) == 1)
}

impl PieceReach {
    /// The squares to which it may give a new check.
    fn newly_attacked(&self) -> Bitboard {
        Bitboard(match self.role {
            Role::Pawn => {
                let moved = self.reach - self.start;
                pawn_attacks(self.color, moved.0) | step_as_promoted(self.promoted)
            }
            Role::Knight if self.reach == self.start => 0,
            _ => self.attacked().0,
        })
    }
}

impl ExplosionReach {
    /// Whether the losing king may be mated somewhere.
    pub(super) fn may_mate(&self, winner: Color) -> bool {
        let sights = AttackedSquares::of(self.army(winner));
        let may_be_mated = |at: Square| {
            let around = attacks::king(at);
            let guarded = sights.all | sights.through(at);
            // These must be filled wherever the winning king stands; more of them if it is near.
            let least = around - guarded;
            let is_closed = |friend: Square| {
                let open = around - (guarded - attacks::king(friend));
                open == least || self.can_be_filled(open)
            };
            let friends = self.refuge(winner) - around - at.set();
            self.can_be_filled(least) && friends.into_iter().any(is_closed)
        };
        let checked = self.refuge(!winner) & self.checkable_squares(winner, &sights);
        checked.into_iter().any(may_be_mated)
    }

    /// Where a king may be checked in a mate.
    fn checkable_squares(&self, winner: Color, sights: &AttackedSquares) -> Bitboard {
        if !self.new_checks[winner as usize] {
            return sights.all;
        }
        let checks = self.army(winner).map(PieceReach::newly_attacked);
        let checked = checks.fold(Bitboard::EMPTY, |all, more| all | more);
        checked - self.guarded_for_good(winner)
    }

    /// Whether different pieces can stand on all these squares.
    fn can_be_filled(&self, squares: Bitboard) -> bool {
        let mut seated = [Bitboard::EMPTY; MAX_PIECES];
        squares
            .into_iter()
            .all(|square| self.seat(square.set(), &mut seated, &mut 0))
    }

    /// Finds a piece for a square by an augmenting path of a bipartite matching. `asked` is the set of pieces already
    /// tried.
    fn seat(&self, square: Bitboard, seated: &mut [Bitboard; MAX_PIECES], asked: &mut u32) -> bool {
        for index in 0..self.count {
            let man = &self.men[index];
            let suits = man.role != Role::King
                && (man.everywhere() & square).any()
                && *asked & 1 << index == 0;
            if !suits {
                continue;
            }
            *asked |= 1 << index;
            if seated[index].is_empty() || self.seat(seated[index], seated, asked) {
                seated[index] = square;
                return true;
            }
        }
        false
    }
}

/// What the pieces of one side, without the king, can ever attack.
struct AttackedSquares {
    all: Bitboard,
    /// For each direction, the squares that some slider can attack in it.
    lines: [u64; 8],
}

impl AttackedSquares {
    fn of<'a>(men: impl Iterator<Item = &'a PieceReach>) -> AttackedSquares {
        let (mut straight, mut diagonal, mut all) = (0, 0, 0);
        for man in men {
            all |= man.attacked().0;
            match man.role {
                Role::Bishop => diagonal |= man.reach.0,
                Role::Rook => straight |= man.reach.0,
                Role::Queen => {
                    straight |= man.reach.0;
                    diagonal |= man.reach.0;
                }
                _ => {}
            }
            straight |= man.promoted.0;
            diagonal |= man.promoted.0;
        }
        let mut lines = [0; 8];
        for (direction, line) in lines.iter_mut().enumerate() {
            *line = shift(if direction < 4 { straight } else { diagonal }, direction);
        }
        AttackedSquares {
            all: Bitboard(all),
            lines,
        }
    }

    /// The squares behind a king on `at` that a slider attacks through it.
    fn through(&self, at: Square) -> Bitboard {
        let king = at.set().0;
        Bitboard(
            (0..8)
                .filter(|&direction| self.lines[direction] & king != 0)
                .fold(0, |behind, direction| behind | shift(king, direction)),
        )
    }
}
