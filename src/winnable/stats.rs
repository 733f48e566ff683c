//! [`VerdictStats`]: how many verdicts there were of each kind, and how long they took.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use touchmove_arbiter::TimedVerdict;
use touchmove_winnability::{Proof, Winnability};

use crate::winnable::contradicts;
use crate::winnable::query::Query;

/// The statistics of a run.
#[derive(Default)]
pub struct VerdictStats {
    /// Verdicts that contradict a label.
    pub wrong: u64,
    undecided: u64,
    times: Vec<Duration>,
    kinds: BTreeMap<&'static str, (u64, Duration)>,
}

impl VerdictStats {
    /// Adds the verdicts on one position.
    pub fn add(&mut self, query: &Query, verdicts: &[TimedVerdict]) {
        for costed in verdicts {
            self.wrong += u64::from(contradicts(costed, query));
            self.undecided += u64::from(matches!(costed.verdict, Winnability::Undecided { .. }));
            self.times.push(costed.time);
            let (count, time) = self.kinds.entry(kind(&costed.verdict)).or_default();
            *count += 1;
            *time += costed.time;
        }
    }

    /// The last line of a check.
    pub fn summary(&self) -> String {
        let (checked, wrong, undecided) = (self.times.len(), self.wrong, self.undecided);
        format!("{checked} checked, {wrong} wrong, {undecided} undecided")
    }
}

fn kind(verdict: &Winnability) -> &'static str {
    match verdict {
        Winnability::Winnable(_) => "winnable",
        Winnability::Undecided { .. } => "undecided",
        Winnability::Unwinnable(Proof::Over(_)) => "unwinnable: over",
        Winnability::Unwinnable(Proof::Material) => "unwinnable: material",
        Winnability::Unwinnable(Proof::Forced { .. }) => "unwinnable: forced",
        Winnability::Unwinnable(Proof::Structure { .. }) => "unwinnable: structure",
        Winnability::Unwinnable(Proof::Outlines { .. }) => "unwinnable: outlines",
        Winnability::Unwinnable(Proof::Visited { .. }) => "unwinnable: visited",
    }
}

impl fmt::Display for VerdictStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut times = self.times.clone();
        times.sort_unstable();
        let total: Duration = times.iter().sum();
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let mean = micros(total) / times.len().max(1) as f64;
        writeln!(
            f,
            "{} verdicts in {:.3} s, mean {mean:.1} µs",
            times.len(),
            total.as_secs_f64()
        )?;
        for (name, part) in [
            ("50 %", 0.5),
            ("90 %", 0.9),
            ("99 %", 0.99),
            ("99.9 %", 0.999),
        ] {
            if let Some(&time) = times.get((times.len() as f64 * part) as usize) {
                writeln!(f, "  {name:<7} within {:.1} µs", micros(time))?;
            }
        }
        if let Some(&slowest) = times.last() {
            writeln!(f, "  slowest {:.1} µs", micros(slowest))?;
        }
        for (kind, (count, time)) in &self.kinds {
            let mean = micros(*time) / *count as f64;
            writeln!(f, "  {kind:<22} {count:>7}, mean {mean:.1} µs")?;
        }
        Ok(())
    }
}
