//! The one place of the line modes that reads a clock: real time on the time line of a game.

use std::time::Instant;

use touchmove_game::Timestamp;

/// Tells the moment on the time line of a game that goes on, from this call, at `latest`.
pub(crate) fn game_time(latest: Timestamp) -> impl Fn() -> Timestamp {
    let start = Instant::now();
    move || {
        let passed = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Timestamp(latest.0.saturating_add(passed))
    }
}
