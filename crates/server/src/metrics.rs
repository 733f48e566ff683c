//! Metrics in the text format of Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::Server;

/// The bucket bounds of the histogram of writes, in milliseconds.
const WRITE_BUCKET_MILLIS: [u64; 9] = [1, 2, 5, 10, 25, 50, 100, 250, 1_000];

/// A counter: a number that only grows.
#[derive(Default, Debug)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds one.
    pub fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A gauge: a number that goes up and down.
#[derive(Default, Debug)]
pub struct Gauge(AtomicU64);

impl Gauge {
    /// Adds one, until the returned guard is dropped.
    #[must_use]
    pub fn increment_guard(&self) -> GaugeGuard<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        GaugeGuard(self)
    }

    fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Holds a gauge up by one.
#[derive(Debug)]
pub struct GaugeGuard<'a>(&'a Gauge);

impl Drop for GaugeGuard<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A histogram of durations.
#[derive(Default, Debug)]
pub struct Histogram {
    classes: [Counter; WRITE_BUCKET_MILLIS.len()],
    count: Counter,
    microseconds: AtomicU64,
}

impl Histogram {
    /// Records a duration.
    pub fn note(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        for (class, bound) in self.classes.iter().zip(WRITE_BUCKET_MILLIS) {
            if micros <= bound * 1_000 {
                class.count();
            }
        }
        self.count.count();
        self.microseconds.fetch_add(micros, Ordering::Relaxed);
    }
}

/// All metrics.
#[derive(Default, Debug)]
pub struct Metrics {
    /// Responses by the first digit of their status.
    answers: [Counter; 5],
    /// Live connections.
    pub live: Gauge,
    /// Decisions that were stored.
    pub decisions: Counter,
    /// Commands that were refused.
    pub refusals: Counter,
    /// Writes that failed.
    pub failures: Counter,
    /// How long it took to store decisions.
    pub writes: Histogram,
}

impl Metrics {
    /// Counts a response.
    pub fn count_response(&self, status: u16) {
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        self.answers[class].count();
    }
}

/// Renders all metrics as text.
#[must_use]
pub fn render(server: &Server) -> String {
    let meters = &server.meters;
    let mut text = String::new();
    let mut family = |name: &str, kind: &str, help: &str, lines: &[(String, u64)]| {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (labels, value) in lines {
            let _ = writeln!(text, "{name}{labels} {value}");
        }
    };
    let classes: Vec<(String, u64)> = (1..)
        .zip(&meters.answers)
        .map(|(class, counter)| (format!("{{class=\"{class}xx\"}}"), counter.value()))
        .collect();
    let one = |value: u64| [(String::new(), value)];
    let size = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    family(
        "touchmove_http_responses_total",
        "counter",
        "HTTP responses by class of status.",
        &classes,
    );
    family(
        "touchmove_live_connections",
        "gauge",
        "WebSockets that are open.",
        &one(meters.live.value()),
    );
    family(
        "touchmove_tables",
        "gauge",
        "Games in memory.",
        &one(size(server.tables.count())),
    );
    family(
        "touchmove_decisions_total",
        "counter",
        "Decisions written down.",
        &one(meters.decisions.value()),
    );
    family(
        "touchmove_refusals_total",
        "counter",
        "Commands refused by the laws or the terms.",
        &one(meters.refusals.value()),
    );
    family(
        "touchmove_write_failures_total",
        "counter",
        "Decisions that could not be written down.",
        &one(meters.failures.value()),
    );
    family(
        "touchmove_outages_total",
        "counter",
        "Outages since the start, the one before it included.",
        &one(size(server.pulse.count_outages())),
    );
    if let Some(is_connected) = server.bus.as_ref().and_then(|bus| bus.nats_is_connected()) {
        family(
            "touchmove_nats_connected",
            "gauge",
            "1 while NATS is connected; without it nodes hear of each other by the database.",
            &one(is_connected.into()),
        );
    }
    let name = "touchmove_write_seconds";
    let _ = writeln!(
        text,
        "# HELP {name} From deciding to being on the disk.\n# TYPE {name} histogram"
    );
    for (class, bound) in meters.writes.classes.iter().zip(WRITE_BUCKET_MILLIS) {
        let seconds = bound as f64 / 1_000.0;
        let _ = writeln!(text, "{name}_bucket{{le=\"{seconds}\"}} {}", class.value());
    }
    let count = meters.writes.count.value();
    let seconds = meters.writes.microseconds.load(Ordering::Relaxed) as f64 / 1e6;
    let _ = writeln!(
        text,
        "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {seconds}\n{name}_count {count}"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_is_cumulative() {
        let histogram = Histogram::default();
        for millis in [0, 3, 40, 5_000] {
            histogram.note(Duration::from_millis(millis));
        }
        let counts: Vec<u64> = histogram.classes.iter().map(Counter::value).collect();
        assert_eq!(counts, [1, 1, 2, 2, 2, 3, 3, 3, 3]);
        assert_eq!(histogram.count.value(), 4);
    }

    #[test]
    fn who_leaves_is_not_counted_any_more() {
        let gauge = Gauge::default();
        let entered = gauge.increment_guard();
        assert_eq!(gauge.value(), 1);
        drop(entered);
        assert_eq!(gauge.value(), 0);
    }
}
