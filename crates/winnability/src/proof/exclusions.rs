//! [`Exclusions`]: which positions of a closure need no visit because an argument shows that there is no win in them.
//! It decides whether an argument is worth its time, not whether it holds.

use touchmove_rules::{Color, Position, Rules};

use crate::proof::{outline, structure};

/// The arguments tried on positions with a new structure. Each costs as much as several visits, some as thousands;
/// where few of them prove anything, few are tried.
#[derive(Debug)]
pub(crate) struct Exclusions {
    surveys: ArgumentTally,
    sketches: ArgumentTally,
    /// How many outlines may be followed before any position is visited, and how many were.
    allowance: u64,
    outline_count: u64,
    /// The total cost, in visits.
    work: u64,
}

/// How often an argument was offered, tried and successful.
#[derive(Debug, Default)]
struct ArgumentTally {
    offered: u32,
    tried: u32,
    proved: u32,
}

impl ArgumentTally {
    /// Whether the argument succeeds often enough to be tried now. One that fails is still tried now and then.
    fn record_offer(&mut self, trial: u32) -> bool {
        self.offered += 1;
        self.tried < trial || self.proved > self.tried / 16 || self.offered.is_multiple_of(128)
    }

    fn count(&mut self, proved: bool) -> bool {
        self.tried += 1;
        self.proved += u32::from(proved);
        proved
    }
}

impl Exclusions {
    /// No argument tried yet; `allowance` outlines may be followed in advance.
    pub fn new(allowance: u64) -> Exclusions {
        Exclusions {
            surveys: ArgumentTally::default(),
            sketches: ArgumentTally::default(),
            allowance,
            outline_count: 0,
            work: 0,
        }
    }

    /// How many outlines may be followed for one position.
    pub fn allowance(&self) -> u64 {
        self.allowance
    }

    /// How many outlines were followed.
    pub fn outline_count(&self) -> u64 {
        self.outline_count
    }

    /// The total cost, in visits.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether an argument shows that `side` cannot win in a position, after `visits` to others. The cost should stay
    /// near `most`.
    pub fn exclude<R: Rules>(
        &mut self,
        position: &Position<R>,
        side: Color,
        visits: u64,
        most: u64,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        self.survey(position, side) || self.sketch(position, side, visits, most, interrupted)
    }

    fn survey<R: Rules>(&mut self, position: &Position<R>, side: Color) -> bool {
        // Where captures explode an argument costs more.
        let trial = if R::CAPTURES_EXPLODE { 40 } else { 200 };
        if !self.surveys.record_offer(trial) {
            return false;
        }
        self.work += structure::work::<R>();
        self.surveys
            .count(structure::prove(position, side).is_some())
    }

    fn sketch<R: Rules>(
        &mut self,
        position: &Position<R>,
        side: Color,
        visits: u64,
        most: u64,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        const TRIAL_COUNT: u32 = 8;
        let may_draw = self.allowance > 0 && self.outline_count <= visits / 8 + 2 * self.allowance;
        if !may_draw || !self.sketches.record_offer(TRIAL_COUNT) {
            return false;
        }
        let sketch = outline::sketch(position, side, (self.allowance, most), interrupted);
        self.outline_count += sketch.drawn;
        self.work += sketch.work();
        self.sketches.count(sketch.proof.is_some())
    }
}
