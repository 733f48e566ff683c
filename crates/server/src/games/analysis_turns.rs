//! The tickets of analyses at a table: one waits at a time, and a more urgent one replaces it.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::games::analysis_queue::AnalysisPriority;
use crate::games::table::Table;

/// The bits of a ticket that say how urgent it is; the others are its number.
const TURN_BITS: u32 = 2;
const TURN_MASK: u64 = (1 << TURN_BITS) - 1;

/// The ticket of the waiting analysis; zero priority bits mean that none waits.
#[derive(Default)]
pub(super) struct Turns(AtomicU64);

impl Turns {
    fn queue(&self, turn: AnalysisPriority) -> Option<u64> {
        let turn = turn as u64;
        let next = |ticket: u64| ((ticket >> TURN_BITS).wrapping_add(1) << TURN_BITS) | turn;
        let more_urgent = |ticket: u64| (ticket & TURN_MASK < turn).then(|| next(ticket));
        let queued = self
            .0
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, more_urgent);
        queued.ok().map(next)
    }

    fn has(&self, ticket: u64) -> bool {
        self.0.load(Ordering::Acquire) == ticket
    }

    fn clear(&self) {
        self.0.fetch_and(!TURN_MASK, Ordering::AcqRel);
    }
}

impl Table {
    /// Issues a ticket for an analysis, unless one waits that is at least as urgent.
    pub(crate) fn queue(&self, turn: AnalysisPriority) -> Option<u64> {
        self.turns.queue(turn)
    }

    /// Whether the analysis with this ticket still waits.
    pub(crate) fn is_queued_by(&self, ticket: u64) -> bool {
        self.turns.has(ticket)
    }

    /// The waiting analysis starts now.
    pub(crate) fn unqueue(&self) {
        self.turns.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_waits_and_a_more_urgent_one_takes_its_place() {
        let turns = Turns::default();
        let later = turns.queue(AnalysisPriority::Later).unwrap();
        assert!(turns.has(later) && turns.queue(AnalysisPriority::Later).is_none());
        let now = turns.queue(AnalysisPriority::Now).unwrap();
        assert!(turns.has(now) && !turns.has(later));
        assert!(turns.queue(AnalysisPriority::Soon).is_none());
        turns.clear();
        assert!(!turns.has(now));
        // The old ticket is not mistaken for the new one.
        let again = turns.queue(AnalysisPriority::Later).unwrap();
        assert!(turns.has(again) && !turns.has(later));
    }
}
