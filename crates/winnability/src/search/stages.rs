//! The stages of a [`Solver`](crate::Solver): how much of what to try before the next, larger stage. It
//! tries nothing itself.

use std::ops::Range;

/// What to try before the next stage.
pub(crate) struct Stage {
    /// Probes with the jitter of these seeds, none of which is [`NO_JITTER`](crate::search::best_first::NO_JITTER).
    pub seeds: Range<u64>,
    /// How many outlines to follow.
    pub outlines: u64,
    /// How many positions the closure may hold.
    pub positions: u64,
    /// Whether to go on with the closure of the stage before.
    pub goes_on: bool,
}

impl Stage {
    /// Whether it may take a noticeable part of a second.
    pub fn is_long(&self) -> bool {
        self.positions > 100_000
    }
}

/// The cheap tries first: most questions that come so far need a few hundred positions.
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

/// As far as the budget goes.
pub(crate) const LAST_STAGE: Stage = Stage {
    seeds: 0..0,
    outlines: 20_000,
    positions: u64::MAX,
    goes_on: true,
};
