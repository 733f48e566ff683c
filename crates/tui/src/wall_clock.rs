//! The one place of the line modes that reads a clock: real time on the time line of a game, and the day.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use touchmove_game::Timestamp;

/// Tells the moment on the time line of a game that goes on, from this call, at `latest`.
pub(crate) fn game_time(latest: Timestamp) -> impl Fn() -> Timestamp {
    let start = Instant::now();
    move || {
        let passed = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Timestamp(latest.0.saturating_add(passed))
    }
}

/// Today's date as PGN writes it.
pub(crate) fn today() -> String {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since_1970.unwrap_or_default().as_secs();
    Timestamp(seconds.saturating_mul(1_000)).date()
}
