//! Ghosts: pieces of which only the reach is known, one by one and together for a side. The parent module computes
//! their reach.

use touchmove_rules::{Bitboard, Role, Square, attacks};

/// A piece of which only the reach is known.
#[derive(Clone, Copy)]
pub(super) struct Ghost {
    pub role: Role,
    pub reach: Bitboard,
}

/// Where the ghosts of one side may stand.
#[derive(Clone, Copy, Default)]
pub(super) struct GhostSquares {
    knights: Bitboard,
    diagonals: Bitboard,
    straights: Bitboard,
    /// Where any of them may stand.
    pub any: Bitboard,
}

/// Where the ghosts of both sides may stand, by colour.
pub(super) type GhostSquaresByColor = [GhostSquares; 2];

impl GhostSquares {
    /// Adds a ghost.
    pub fn add(&mut self, role: Role, reach: Bitboard) {
        self.any |= reach;
        match role {
            Role::Knight => self.knights |= reach,
            Role::Bishop => self.diagonals |= reach,
            Role::Rook => self.straights |= reach,
            _ => {
                self.diagonals |= reach;
                self.straights |= reach;
            }
        }
    }

    /// From where a ghost may attack a square, with these solid pieces in the way.
    pub fn attackers(&self, target: Square, occupied: Bitboard) -> Bitboard {
        let seen = attacks::knight(target) & self.knights
            | attacks::bishop(target, occupied) & self.diagonals
            | attacks::rook(target, occupied) & self.straights;
        seen - occupied
    }
}
