//! The heartbeat of a WebSocket: pings measure the round trip, and detect dead clients. A pong that was read late,
//! because its address sends too much, counts for neither.

use std::time::{Duration, Instant};

/// How often a player is pinged.
pub(super) const PLAYER_PING_INTERVAL: Duration = Duration::from_secs(5);
/// How often a spectator is pinged.
pub(super) const SPECTATOR_PING_INTERVAL: Duration = Duration::from_secs(30);
/// How often a client of the lobby is pinged.
pub(super) const LOBBY_PING_INTERVAL: Duration = Duration::from_secs(15);

/// What to do when a ping is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PingDue {
    /// Send a ping now.
    Send,
    /// The last pong may be among what was read late.
    Wait,
    /// The last ping was never answered.
    Lost,
}

/// The pings of one client.
#[derive(Debug, Default)]
pub(crate) struct Pings {
    /// The ping that has no answer yet.
    last: Option<Ping>,
}

#[derive(Debug)]
struct Ping {
    sent: Instant,
    /// Whether something was read late since then.
    was_delayed: bool,
    /// Whether something was read late since a ping was due.
    is_excused: bool,
}

impl Pings {
    /// A ping is due.
    pub(crate) fn begin(&mut self, now: Instant) -> PingDue {
        match &mut self.last {
            Some(ping) => match std::mem::take(&mut ping.is_excused) {
                true => PingDue::Wait,
                false => PingDue::Lost,
            },
            None => {
                self.last = Some(Ping {
                    sent: now,
                    was_delayed: false,
                    is_excused: false,
                });
                PingDue::Send
            }
        }
    }

    /// Whether a pong is still to come.
    pub(crate) const fn is_waiting(&self) -> bool {
        self.last.is_some()
    }

    /// Records that something was read late.
    pub(crate) const fn note_delay(&mut self) {
        if let Some(ping) = &mut self.last {
            ping.was_delayed = true;
            ping.is_excused = true;
        }
    }

    /// A pong has come: returns the round trip, if nothing was read late meanwhile.
    pub(crate) fn end(&mut self, now: Instant) -> Option<Duration> {
        let ping = self.last.take()?;
        (!ping.was_delayed).then(|| now.saturating_duration_since(ping.sent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_is_measured_unless_something_was_read_late() {
        let (mut pings, now) = (Pings::default(), Instant::now());
        assert_eq!(pings.end(now), None);
        pings.note_delay();
        let trip = Duration::from_millis(40);
        assert_eq!(pings.begin(now), PingDue::Send);
        assert_eq!(pings.end(now + trip), Some(trip));
        assert_eq!(pings.begin(now), PingDue::Send);
        pings.note_delay();
        assert_eq!(pings.end(now + trip), None);
        assert!(!pings.is_waiting());
    }

    #[test]
    fn who_does_not_answer_is_lost_unless_he_was_not_read() {
        let (mut pings, now) = (Pings::default(), Instant::now());
        assert_eq!(pings.begin(now), PingDue::Send);
        assert_eq!(pings.begin(now), PingDue::Lost);
        pings.end(now);
        assert_eq!(pings.begin(now), PingDue::Send);
        for _ in 0..3 {
            pings.note_delay();
            assert_eq!(pings.begin(now), PingDue::Wait);
        }
        assert_eq!(pings.begin(now), PingDue::Lost);
    }
}
