//! [`StructureVisits`]: how often positions of each structure (the same pawns on the same squares and the same other
//! pieces anywhere) have been visited. A search that has spent long in one should try another. It proves nothing.

use std::collections::HashMap;

use touchmove_rules::{Color, Position, Role, Rules};

/// The structures met so far, by number.
#[derive(Debug, Default)]
pub(crate) struct StructureVisits {
    numbers: HashMap<u64, u32>,
    visits: Vec<u32>,
    /// The visits to all of them.
    all: u32,
}

/// After this many visits above the average a structure looks one step worse.
const VISITS_PER_STEP: u32 = 16;

/// The maximum penalty, in steps.
const MAX_STEPS: u32 = 511;

impl StructureVisits {
    /// Removes all of them.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.visits.clear();
        self.all = 0;
    }

    /// The number of the structure of a position. Two with one key are taken for the same, which is harmless because
    /// nothing is proved here.
    pub fn number_of<R: Rules>(&mut self, position: &Position<R>) -> u32 {
        const HASH_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let board = position.board();
        let mut key = 0_u64;
        for color in Color::ALL {
            let men = board.by_color(color);
            let pawns = men & board.by_role(Role::Pawn);
            let count = |role| (men & board.by_role(role)).len() as u64;
            let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(count);
            for part in [
                pawns.0,
                pieces.iter().fold(0, |all, count| all << 8 | count),
            ] {
                key = (key ^ part).wrapping_mul(HASH_FACTOR).rotate_left(29);
            }
        }
        let next = self.visits.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.visits.push(0);
        }
        number
    }

    /// Counts a visit.
    pub fn visit(&mut self, number: u32) {
        self.visits[number as usize] += 1;
        self.all += 1;
    }

    /// By how many steps the positions of a structure look worse now. Zero if there is only one structure.
    pub fn visit_penalty(&self, number: u32) -> usize {
        let average = self.all / self.visits.len().max(1) as u32;
        let more = self.visits[number as usize].saturating_sub(average);
        (more / VISITS_PER_STEP).min(MAX_STEPS) as usize
    }
}
