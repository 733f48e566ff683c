//! Parsers for arguments about time and threads.

use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

/// Parses a duration: 500ms, 1s, 2m.
pub fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0)];
    units
        .iter()
        .find_map(|(unit, seconds)| {
            let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
            Duration::try_from_secs_f64(number * seconds).ok()
        })
        .ok_or_else(|| "it is a number with ms, s or m behind it, as in 500ms or 1s".into())
}

/// The wanted number of threads, at most as many as the machine runs at once: more would only compete.
pub fn threads(wanted: NonZeroUsize) -> NonZeroUsize {
    wanted.min(cores())
}

/// How many threads the machine runs at once.
pub fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_threads_are_begun_than_the_machine_runs() {
        assert_eq!(threads(NonZeroUsize::MIN), NonZeroUsize::MIN);
        assert_eq!(threads(NonZeroUsize::MAX), cores());
    }

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "5", "-1s", "NaNs", "s", "1e300m"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
