//! The stages of a [`Solver`](crate::Solver): how much of each method to try before the next, larger stage. Only the
//! limits are here.

use std::ops::Range;

/// The limits of one stage.
pub(crate) struct Stage {
    /// Best-first searches with the jitter of these seeds, none of which is
    /// [`NO_JITTER`](crate::search::best_first::NO_JITTER).
    pub seeds: Range<u64>,
    /// How many outlines to follow.
    pub outlines: u64,
    /// How many positions the closure may hold.
    pub positions: u64,
    /// Whether to continue the closure of the stage before.
    pub goes_on: bool,
}

impl Stage {
    /// Whether it may take a noticeable part of a second.
    pub fn is_long(&self) -> bool {
        self.positions > 100_000
    }
}

/// Cheap tries first: most questions that get here need a few hundred positions.
pub(crate) const STAGES: [Stage; 5] = [
    Stage {
        seeds: 0..0,
        outlines: 0,
        positions: 400,
        goes_on: false,
    },
    Stage {
        seeds: 1..8,
        outlines: 500,
        positions: 10_000,
        goes_on: false,
    },
    Stage {
        seeds: 8..24,
        outlines: 5_000,
        positions: 60_000,
        goes_on: false,
    },
    Stage {
        seeds: 24..40,
        outlines: 0,
        positions: 300_000,
        goes_on: true,
    },
    LAST_STAGE,
];

/// Everything that the budget allows.
pub(crate) const LAST_STAGE: Stage = Stage {
    seeds: 0..0,
    outlines: 20_000,
    positions: u64::MAX,
    goes_on: true,
};
