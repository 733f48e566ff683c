//! How fast a client may send over a WebSocket. Nobody plays or types so fast; who sends faster is not refused, but
//! read later, so that the sender waits and not everybody else.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::guard::{Bucket, Client, Guard, Rate};
use crate::live_connections::Connection;

/// How many messages are read at once, and in the long run: pings and whatever else count too.
const MESSAGE_RATE: Rate = Rate {
    burst: 200,
    per_minute: 6_000,
};

/// The messages of one client.
pub(crate) struct SocketPace {
    messages: Bucket,
    client: Client,
}

impl SocketPace {
    /// The messages of a client over a new WebSocket.
    pub(crate) fn new(client: Client) -> SocketPace {
        SocketPace {
            messages: Bucket::full(MESSAGE_RATE, Instant::now()),
            client,
        }
    }

    /// Counts a message, here and among all that comes from its address, and waits if there were too many; not longer
    /// than the right to be here lasts.
    pub(crate) async fn wait_for_turn(&mut self, guard: &Guard, connection: &Connection) {
        let now = Instant::now();
        let wait = self
            .messages
            .reserve(MESSAGE_RATE, 1, now, Duration::MAX)
            .unwrap_or(Duration::MAX)
            .max(guard.message_delay(self.client));
        if !wait.is_zero() {
            tokio::select! {
                () = sleep(wait) => {}
                () = connection.revoked() => {}
            }
        }
    }
}
