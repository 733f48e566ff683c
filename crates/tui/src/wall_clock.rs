//! The clock of the line modes: real time on the time line of a game, and the date. The only place of the line
//! modes that reads a clock.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use touchmove_game::Timestamp;

/// A clock on the time line of a game that continues at `latest`, from this call.
pub(crate) fn game_time(latest: Timestamp) -> impl Fn() -> Timestamp {
    let start = Instant::now();
    move || {
        let passed = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Timestamp(latest.0.saturating_add(passed))
    }
}

/// Today's date in PGN's form.
pub(crate) fn today() -> String {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since_1970.unwrap_or_default().as_secs();
    Timestamp(seconds.saturating_mul(1_000)).date()
}
