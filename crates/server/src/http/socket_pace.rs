//! How fast a client may send over a WebSocket. Nobody plays or types so fast; who sends faster is not refused, but
//! read later, so that the sender waits and not everybody else.

use std::time::{Duration, Instant};

use crate::guard::{Bucket, Rate};

/// How many messages are read at once, and in the long run: pings and whatever else count too.
const MESSAGE_RATE: Rate = Rate {
    burst: 200,
    per_minute: 6_000,
};
/// How long a message beyond that waits before it is tried again: the time in which one more may be read.
const MESSAGE_DELAY: Duration = Duration::from_millis(10);

/// The messages of one client.
pub(crate) struct SocketPace(Bucket);

impl Default for SocketPace {
    fn default() -> SocketPace {
        SocketPace(Bucket::full(MESSAGE_RATE, Instant::now()))
    }
}

impl SocketPace {
    /// Counts a message, and waits if there were too many.
    pub(crate) async fn wait_for_turn(&mut self) {
        while !self.0.take(MESSAGE_RATE, Instant::now()) {
            tokio::time::sleep(MESSAGE_DELAY).await;
        }
    }
}
