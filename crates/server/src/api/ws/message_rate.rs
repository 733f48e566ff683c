//! The rate limit of WebSocket messages. No player sends that fast; a client that does is not refused: each message
//! is answered when it is read, and the next one is read later, so that only the sender waits.

use std::time::Duration;

use axum::Error;
use axum::extract::ws::{Message, WebSocket};
use tokio::time::{Instant, sleep_until};

use crate::security::{Client, Rate, RateLimits, TokenBucket};

/// The message rate of one client; pings count too.
pub(crate) struct SocketPace {
    rate: Rate,
    messages: TokenBucket,
    client: Client,
    /// When the next message is read, if that is later.
    next: Option<Instant>,
}

impl SocketPace {
    /// The message rate of a new WebSocket.
    pub(crate) fn new(client: Client, rate: Rate) -> SocketPace {
        SocketPace {
            rate,
            messages: TokenBucket::full(rate, Instant::now().into_std()),
            client,
            next: None,
        }
    }

    /// Reads the next message, when its time has come.
    pub(crate) async fn read(&self, socket: &mut WebSocket) -> Option<Result<Message, Error>> {
        if let Some(next) = self.next {
            sleep_until(next).await;
        }
        socket.recv().await
    }

    /// Counts a message, for this connection and for its address. Returns whether there were too many, so that the
    /// next is read later.
    pub(crate) fn count(&mut self, guard: &RateLimits) -> bool {
        let now = Instant::now();
        let wait = self
            .messages
            .reserve(self.rate, 1, now.into_std(), Duration::MAX)
            .unwrap_or_default()
            .max(guard.message_delay(self.client));
        self.next = (!wait.is_zero()).then(|| now + wait);
        !wait.is_zero()
    }
}
