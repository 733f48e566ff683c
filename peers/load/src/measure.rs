//! What was measured, and how it is told.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// How long something took, each time.
#[derive(Clone, Debug, Default)]
pub struct Latencies {
    micros: Vec<u32>,
}

impl Latencies {
    /// One more.
    pub fn push(&mut self, took: Duration) {
        self.micros
            .push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
    }

    /// Those of another time too.
    pub fn extend(&mut self, others: &Latencies) {
        self.micros.extend_from_slice(&others.micros);
    }

    /// What so many of a thousand stay within.
    pub fn within(&self, of_thousand: usize) -> Duration {
        let mut sorted = self.micros.clone();
        sorted.sort_unstable();
        let index = (sorted.len() * of_thousand / 1000).min(sorted.len().saturating_sub(1));
        Duration::from_micros(sorted.get(index).copied().unwrap_or(0).into())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.micros.len()
    }
}

impl fmt::Display for Latencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, of_thousand) in [("p50", 500), ("p90", 900), ("p99", 990), ("max", 1000)] {
            write!(f, "{name} {}  ", millis(self.within(of_thousand)))?;
        }
        write!(f, "({} times)", self.count())
    }
}

/// A time in milliseconds, for people.
pub fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// What all games of a run add up to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// From sending a move to its answer.
    pub answered: Latencies,
    /// From sending a move to the opponent's news of it.
    pub told: Latencies,
    /// Commands that were granted.
    pub granted: u64,
    /// Of these, commands that had been granted before the answer was lost.
    pub repeated: u64,
    /// Refusals by their reason.
    pub refusals: BTreeMap<String, u64>,
    /// Connections that broke.
    pub broken: u64,
    /// Tables that were opened.
    pub tables: u64,
    /// Games that ended.
    pub ended: u64,
    /// Messages to those who watch.
    pub watched: u64,
}
