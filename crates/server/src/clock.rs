//! The server clock and outages. Games use the store's time; between two queries to the store it is carried on with
//! the monotonic clock. An outage of the server is charged to no player: it is recorded here, and every table adds it
//! to its game.
//!
//! No client can connect before the listener is open, so an outage before the start lasts until then, the same in
//! every game; no command is handled earlier. No heartbeat is stored before every running game has recorded that
//! outage: a server that stops before that counts as away all the time.
//!
//! In a cluster each node synchronises its clock with the store's again and again, and only the store knows of
//! outages: a node that was away alone caused none.

use std::collections::VecDeque;
use std::sync::Mutex;

use tokio::sync::SetOnce;
use tokio::time::Instant;
use touchmove_game::Timestamp;
use touchmove_store::{Heartbeat, HeartbeatGap, Moment, OUTAGE_THRESHOLD_MILLIS};

use crate::lock_ext::LockExt as _;

/// A longer gap between heartbeats is an outage, in milliseconds.
pub const MAX_HEARTBEAT_GAP_MILLIS: u64 = OUTAGE_THRESHOLD_MILLIS.unsigned_abs();
/// How old a node's latest heartbeat may be when it decides anything, in milliseconds. This is less than the gap that
/// makes an outage, so a node that decides knows of every outage.
const MAX_HEARTBEAT_AGE_MILLIS: u64 = MAX_HEARTBEAT_GAP_MILLIS - 500;
/// How uncertain a node may be about the store's time, in milliseconds.
const MAX_CLOCK_ERROR_MILLIS: u64 = 100;
/// How many of the latest measurements of the store's time are used.
const CLOCK_SAMPLES: usize = 30;

/// A time in which the server could not serve any player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    /// The last heartbeat before it.
    pub from: Timestamp,
    /// The first heartbeat after it.
    pub until: Timestamp,
    /// The reason, as text for players.
    pub reason: &'static str,
}

/// The server did not run: it was stopped, killed, or the machine slept.
const SERVER_AWAY_REASON: &str = "the server was away";
/// The server could not write to the store.
const CANNOT_WRITE_REASON: &str = "the server could not write moves down";

/// The server clock.
#[derive(Debug)]
pub struct ServerClock {
    began: Instant,
    state: Mutex<State>,
    /// Set when the listener accepts connections.
    door: SetOnce<()>,
}

#[derive(Debug)]
struct State {
    /// The store's time when the monotonic clock started.
    base: u64,
    /// The latest heartbeat.
    alive: u64,
    /// Since when writes to the store have failed.
    fails_since: Option<u64>,
    /// The last heartbeat before the start, as long as there may be running games that have not recorded the outage
    /// after it.
    before: Option<Timestamp>,
    outages: Vec<Outage>,
    /// What a node of a cluster knows about the store's time.
    shared: Option<ClusterClock>,
}

#[derive(Debug, Default)]
struct ClusterClock {
    measured: VecDeque<ClockSample>,
    /// When the latest heartbeat that the store answered was sent.
    beaten: Option<u64>,
    /// The number of the latest heartbeat gap that is known.
    silence: u64,
}

/// One measurement of the store's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ClockSample {
    /// The store's time when the monotonic clock started, by this measurement.
    base: u64,
    /// The error of that, either way.
    doubt: u64,
}

impl ClockSample {
    const fn agrees_with(self, other: ClockSample) -> bool {
        self.base.abs_diff(other.base) <= self.doubt + other.doubt
    }
}

impl ServerClock {
    /// A clock that starts with this heartbeat of the store, which was requested at `asked`: a slow disk does not
    /// make the clock late. If the store's clock was set back, time goes on from the last heartbeat: it never runs
    /// backwards.
    #[must_use]
    pub fn from_heartbeat(beat: Heartbeat, asked: Instant) -> ServerClock {
        let (at, before) = (to_timestamp(beat.at), beat.before.map(to_timestamp));
        let base = before.map_or(at, |before| before.max(at));
        ServerClock {
            began: asked,
            state: Mutex::new(State {
                base: base.0,
                alive: base.0,
                fails_since: None,
                before,
                outages: Vec::new(),
                shared: None,
            }),
            door: SetOnce::new(),
        }
    }

    /// The clock of a node that shares a store with others. It is not synchronised until
    /// [`sync_to`](ServerClock::sync_to) is called.
    #[must_use]
    pub fn shared() -> ServerClock {
        ServerClock {
            began: Instant::now(),
            state: Mutex::new(State {
                base: 0,
                alive: 0,
                fails_since: None,
                before: None,
                outages: Vec::new(),
                shared: Some(ClusterClock::default()),
            }),
            door: SetOnce::new(),
        }
    }

    /// The milliseconds since this clock started, monotonic.
    #[must_use]
    pub fn elapsed(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Synchronises a node's clock with the store's time, which was requested between two readings of
    /// [`elapsed`](ServerClock::elapsed). The measurement with the smallest error is used, unless later ones
    /// contradict it because the machine slept or the store's clock was set. Time never runs backwards.
    pub fn sync_to(&self, asked: u64, at: Moment, answered: u64) {
        let mut state = self.state.locked();
        let Some(shared) = &mut state.shared else {
            return;
        };
        let found = ClockSample {
            base: to_timestamp(at).0.saturating_sub(asked.midpoint(answered)),
            doubt: answered.saturating_sub(asked) / 2 + 1,
        };
        shared.measured.retain(|known| known.agrees_with(found));
        shared.measured.truncate(CLOCK_SAMPLES - 1);
        shared.measured.push_front(found);
        let best = shared.measured.iter().min_by_key(|known| known.doubt);
        state.base = best.unwrap_or(&found).base;
    }

    /// Records that the store has answered a heartbeat sent at this reading of [`elapsed`](ServerClock::elapsed),
    /// with the heartbeat gaps after those that were known.
    pub fn record_heartbeat(&self, begun: u64, silences: &[HeartbeatGap]) {
        let mut state = self.state.locked();
        let state = &mut *state;
        let Some(shared) = &mut state.shared else {
            return;
        };
        shared.beaten = shared.beaten.max(Some(begun));
        for silence in silences {
            if silence.number > shared.silence {
                shared.silence = silence.number;
                state.outages.push(Outage {
                    from: to_timestamp(silence.from),
                    until: to_timestamp(silence.until),
                    reason: SERVER_AWAY_REASON,
                });
            }
        }
    }

    /// The latest heartbeat gap of the store that a node knows of.
    #[must_use]
    pub fn last_known_gap(&self) -> u64 {
        let state = self.state.locked();
        state.shared.as_ref().map_or(0, |shared| shared.silence)
    }

    /// Whether the store is shared with other nodes.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.state.locked().shared.is_some()
    }

    /// Whether a node knows of every outage up to now.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        let elapsed = self.elapsed();
        let state = self.state.locked();
        state.shared.as_ref().is_none_or(|shared| {
            let beaten = shared.beaten;
            beaten.is_some_and(|beaten| elapsed.saturating_sub(beaten) < MAX_HEARTBEAT_AGE_MILLIS)
        })
    }

    /// Whether a node's clock is synchronised.
    #[must_use]
    pub fn is_synchronised(&self) -> bool {
        let state = self.state.locked();
        state.shared.as_ref().is_none_or(|shared| {
            let mut measured = shared.measured.iter();
            measured.any(|known| known.doubt <= MAX_CLOCK_ERROR_MILLIS)
        })
    }

    /// The current time. A long time since the last heartbeat is recorded as an outage.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let elapsed = self.elapsed();
        let mut state = self.state.locked();
        let now = state.base.saturating_add(elapsed);
        if state.shared.is_some() {
            state.alive = state.alive.max(now);
            return Timestamp(state.alive);
        }
        if self.is_listening() && now.saturating_sub(state.alive) > MAX_HEARTBEAT_GAP_MILLIS {
            let outage = Outage {
                from: Timestamp(state.alive),
                until: Timestamp(now),
                reason: SERVER_AWAY_REASON,
            };
            tracing::warn!(
                milliseconds = now - state.alive,
                "the server was away: no clock ran meanwhile"
            );
            state.outages.push(outage);
        }
        state.alive = state.alive.max(now);
        Timestamp(now)
    }

    /// The current time as the store counts it.
    #[must_use]
    pub fn to_moment(&self) -> Moment {
        to_moment(self.now())
    }

    /// Records that a write failed at this time.
    pub fn record_write_failure(&self, at: Timestamp) {
        self.state.locked().fails_since.get_or_insert(at.0);
    }

    /// Records that a write succeeded. If writes failed before, that was an outage.
    pub fn record_write_success(&self, at: Timestamp) {
        let mut state = self.state.locked();
        if let Some(since) = state.fails_since.take()
            && state.shared.is_none()
        {
            let outage = Outage {
                from: Timestamp(since),
                until: at,
                reason: CANNOT_WRITE_REASON,
            };
            state.outages.push(outage);
        }
    }

    /// Whether the latest write failed.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.state.locked().fails_since.is_some()
    }

    /// The number of outages since this server was opened, including the one before it.
    #[must_use]
    pub fn count_outages(&self) -> usize {
        self.state.locked().outages.len()
    }

    /// The first outage after those that are `known`.
    #[must_use]
    pub fn outage_after(&self, known: usize) -> Option<Outage> {
        self.state.locked().outages.get(known).copied()
    }

    /// Called when the listener accepts connections. A long heartbeat gap before the start ends now and becomes the
    /// first outage.
    pub fn mark_listening(&self) {
        let now = self.now();
        let mut state = self.state.locked();
        let before = state.before.filter(|_| !self.is_listening());
        if let Some(from) = before {
            if now.since(from).0 > MAX_HEARTBEAT_GAP_MILLIS {
                let outage = Outage {
                    from,
                    until: now,
                    reason: SERVER_AWAY_REASON,
                };
                state.outages.insert(0, outage);
            } else {
                state.before = None;
            }
        }
        // A second call changes nothing.
        let _ = self.door.set(());
    }

    /// Whether the listener accepts connections.
    #[must_use]
    pub fn is_listening(&self) -> bool {
        self.door.initialized()
    }

    /// Waits until the listener accepts connections, where an outage before the start lasts until then.
    pub async fn wait_until_listening(&self) {
        if !self.is_listening() && !self.is_shared() {
            self.door.wait().await;
        }
    }

    /// Records that every running game knows of the outage before the start.
    pub fn mark_outages_recorded(&self) {
        self.state.locked().before = None;
    }

    /// The time that a heartbeat may be stored with: up to there, every running game knows of every outage before the
    /// start.
    #[must_use]
    pub fn next_heartbeat_time(&self) -> Moment {
        let now = self.now();
        to_moment(self.state.locked().before.unwrap_or(now))
    }
}

/// Converts the store's time to the time of games.
#[must_use]
pub fn to_timestamp(moment: Moment) -> Timestamp {
    Timestamp(u64::try_from(moment.0).unwrap_or(0))
}

/// Converts the time of games to the store's time.
#[must_use]
pub fn to_moment(stamp: Timestamp) -> Moment {
    Moment(i64::try_from(stamp.0).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_beat(at: i64, before: Option<i64>) -> ServerClock {
        let beat = Heartbeat {
            at: Moment(at),
            before: before.map(Moment),
        };
        ServerClock::from_heartbeat(beat, Instant::now())
    }

    #[test]
    fn a_first_beat_that_takes_long_makes_nobody_late() {
        let beat = Heartbeat {
            at: Moment(60_000),
            before: None,
        };
        let asked = Instant::now();
        std::thread::sleep(std::time::Duration::from_millis(20));
        let pulse = ServerClock::from_heartbeat(beat, asked);
        assert!(pulse.now() >= Timestamp(60_020));
    }

    #[test]
    fn a_silence_before_the_start_is_an_outage_until_the_door_is_open() {
        let pulse = from_beat(60_000, Some(20_000));
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(pulse.outage_after(0), None);
        pulse.mark_listening();
        let outage = pulse.outage_after(0).unwrap();
        assert_eq!(outage.from, Timestamp(20_000));
        assert!(outage.until >= Timestamp(60_020));
        std::thread::sleep(std::time::Duration::from_millis(3));
        pulse.mark_listening();
        assert_eq!(pulse.outage_after(0), Some(outage));
        assert_eq!(pulse.outage_after(1), None);
        assert!(pulse.now() > outage.until);
    }

    #[test]
    fn no_sign_of_life_is_kept_before_every_game_knows() {
        let pulse = from_beat(60_000, Some(20_000));
        assert_eq!(pulse.next_heartbeat_time(), Moment(20_000));
        pulse.mark_listening();
        assert_eq!(pulse.next_heartbeat_time(), Moment(20_000));
        pulse.mark_outages_recorded();
        assert!(pulse.next_heartbeat_time() >= Moment(60_000));
        let quick = from_beat(60_000, Some(59_000));
        assert_eq!(quick.next_heartbeat_time(), Moment(59_000));
        quick.mark_listening();
        assert!(quick.next_heartbeat_time() >= Moment(60_000));
        assert!(from_beat(60_000, None).next_heartbeat_time() >= Moment(60_000));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_opening_is_part_of_the_silence() {
        let pulse = from_beat(60_000, Some(58_000));
        tokio::time::advance(std::time::Duration::from_secs(2)).await;
        let waits = tokio::time::timeout(
            std::time::Duration::from_secs(2),
            pulse.wait_until_listening(),
        );
        assert!(waits.await.is_err());
        pulse.mark_listening();
        pulse.wait_until_listening().await;
        let outage = pulse.outage_after(0).unwrap();
        assert_eq!(outage.from, Timestamp(58_000));
        assert!(outage.until >= Timestamp(64_000));
        assert_eq!(pulse.count_outages(), 1);
        ServerClock::shared().wait_until_listening().await;
    }

    #[test]
    fn a_short_silence_is_none() {
        for before in [None, Some(59_000)] {
            let pulse = from_beat(60_000, before);
            pulse.mark_listening();
            assert_eq!(pulse.count_outages(), 0);
        }
    }

    #[test]
    fn time_does_not_follow_a_clock_that_is_set_back() {
        let pulse = from_beat(60_000, Some(3_660_000));
        pulse.mark_listening();
        assert_eq!(pulse.count_outages(), 0);
        assert!(pulse.now() >= Timestamp(3_660_000));
    }

    #[test]
    fn the_time_of_failing_writes_is_an_outage() {
        let pulse = from_beat(60_000, None);
        pulse.record_write_failure(Timestamp(61_000));
        pulse.record_write_failure(Timestamp(62_000));
        assert!(pulse.is_failing());
        pulse.record_write_success(Timestamp(65_000));
        pulse.record_write_success(Timestamp(66_000));
        pulse.mark_listening();
        let outage = pulse.outage_after(0).unwrap();
        assert_eq!(outage.until.0 - outage.from.0, 4_000);
        assert_eq!(pulse.outage_after(1), None);
    }

    #[test]
    fn a_node_goes_by_the_measurement_with_the_least_doubt() {
        let pulse = ServerClock::shared();
        assert!(!pulse.is_synchronised() && !pulse.is_fresh());
        pulse.sync_to(0, Moment(60_400), 800);
        assert!(!pulse.is_synchronised());
        pulse.sync_to(1_000, Moment(61_105), 1_010);
        assert!(pulse.is_synchronised());
        let now = pulse.now().0;
        assert!((60_100..60_600).contains(&now), "{now}");
        // A slow answer that agrees changes nothing, and time does not run backwards.
        pulse.sync_to(2_000, Moment(62_200), 2_600);
        assert!(pulse.now().0 >= now);
        // One that contradicts shows that the machine slept.
        pulse.sync_to(3_000, Moment(99_000), 3_010);
        let now = pulse.now().0;
        assert!((95_900..96_500).contains(&now), "{now}");
        pulse.sync_to(4_000, Moment(64_000), 4_002);
        assert!(pulse.now().0 >= now);
    }

    #[test]
    fn a_node_knows_outages_only_from_the_store() {
        let pulse = ServerClock::shared();
        pulse.sync_to(0, Moment(60_000), 2);
        pulse.record_write_failure(Timestamp(60_000));
        assert!(pulse.is_failing());
        pulse.record_write_success(Timestamp(70_000));
        pulse.mark_listening();
        assert_eq!(pulse.outage_after(0), None);
        let silence = HeartbeatGap {
            number: 4,
            from: Moment(50_000),
            until: Moment(59_000),
        };
        pulse.record_heartbeat(pulse.elapsed(), &[silence]);
        pulse.record_heartbeat(pulse.elapsed(), &[silence]);
        assert!(pulse.is_fresh());
        assert_eq!((pulse.count_outages(), pulse.last_known_gap()), (1, 4));
        let outage = pulse.outage_after(0).unwrap();
        assert_eq!(outage.from, Timestamp(50_000));
        assert_eq!(outage.until, Timestamp(59_000));
    }
}
