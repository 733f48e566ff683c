//! Ghosts: men of whom only the reach is known, one by one and as the crowd of a side. Where they can
//! get is found out elsewhere.

use touchmove_rules::{Role, Square, SquareSet, attacks};

/// A man of whom only the reach is known.
#[derive(Clone, Copy)]
pub(super) struct Ghost {
    pub role: Role,
    pub reach: SquareSet,
}

/// Where the ghosts of one side may stand.
#[derive(Clone, Copy, Default)]
pub(super) struct Haunt {
    knights: SquareSet,
    diagonals: SquareSet,
    straights: SquareSet,
    /// Where any of them may stand.
    pub any: SquareSet,
}

/// Where the ghosts of both sides may stand, by colour.
pub(super) type Haunts = [Haunt; 2];

impl Haunt {
    /// Adds a ghost.
    pub fn add(&mut self, role: Role, reach: SquareSet) {
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

    /// From where a ghost may attack a square, with these solid men in the way.
    pub fn attackers(&self, target: Square, occupied: SquareSet) -> SquareSet {
        let seen = attacks::knight(target) & self.knights
            | attacks::bishop(target, occupied) & self.diagonals
            | attacks::rook(target, occupied) & self.straights;
        seen - occupied
    }
}
