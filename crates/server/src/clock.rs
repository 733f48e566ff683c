//! The time of the house, and when it stood still. There is one time per game, the store's; between two
//! questions to the store it is counted on a clock that nobody can set. An outage of the house is nobody's
//! time: it is noted here, and every table makes it part of its game.
//!
//! Nobody can come before the door is open, and so an outage before the start lasts until then, in every game
//! alike; nothing is decided earlier. No sign of life is kept before each running game knows of it: a house
//! that does not get so far was away all the time.
//!
//! Where the house has several nodes, each sets its time by the store's again and again, and only the store
//! knows of outages: a node that was away alone was not missed.

use std::collections::VecDeque;
use std::sync::Mutex;

use tokio::sync::SetOnce;
use tokio::time::Instant;
use touchmove_game::Timestamp;
use touchmove_store::{Heartbeat, HeartbeatGap, Moment, OUTAGE_THRESHOLD_MILLIS};

use crate::lock_ext::LockExt as _;

/// A silence longer than this is an outage, in milliseconds.
pub const MAX_HEARTBEAT_GAP_MILLIS: u64 = OUTAGE_THRESHOLD_MILLIS.unsigned_abs();
/// How old the latest beat of a node may be before it decides anything, in milliseconds. It is less than a
/// silence: so there is no outage that it does not know of.
const MAX_HEARTBEAT_AGE_MILLIS: u64 = MAX_HEARTBEAT_GAP_MILLIS - 500;
/// How many milliseconds a node may be in doubt about the time of the store.
const MAX_CLOCK_ERROR_MILLIS: u64 = 100;
/// How many of the latest measurements of the store's time count.
const CLOCK_SAMPLES: usize = 30;

/// A stretch of time in which the house could not serve anybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    /// The last sign of life before it.
    pub from: Timestamp,
    /// The first one after it.
    pub until: Timestamp,
    /// Why, in words.
    pub reason: &'static str,
}

/// The house was not there: it was stopped, killed, or its machine slept.
const SERVER_AWAY_REASON: &str = "the server was away";
/// The house could not write.
const CANNOT_WRITE_REASON: &str = "the server could not write moves down";

/// The time of the house.
#[derive(Debug)]
pub struct ServerClock {
    began: Instant,
    state: Mutex<State>,
    /// Is set when people are let in.
    door: SetOnce<()>,
}

#[derive(Debug)]
struct State {
    /// What the store's time was when ours began.
    base: u64,
    /// The latest sign of life.
    alive: u64,
    /// Since when the store has refused what should be written.
    fails_since: Option<u64>,
    /// The last sign of life before the start, while there may be games that do not know of the silence
    /// after it.
    before: Option<Timestamp>,
    outages: Vec<Outage>,
    /// What a node knows that shares the store with others.
    shared: Option<ClusterClock>,
}

#[derive(Debug, Default)]
struct ClusterClock {
    measured: VecDeque<ClockSample>,
    /// When the latest beat was begun that the store has answered.
    beaten: Option<u64>,
    /// The latest silence of the store that is known.
    silence: u64,
}

/// One measurement of the store's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ClockSample {
    /// What the store's time was when ours began.
    base: u64,
    /// By how much that may be wrong, either way.
    doubt: u64,
}

impl ClockSample {
    const fn agrees_with(self, other: ClockSample) -> bool {
        self.base.abs_diff(other.base) <= self.doubt + other.doubt
    }
}

impl ServerClock {
    /// A time that begins with this beat of the store, which was asked for at that moment: however long the
    /// disk took to keep it, the time is not late. Where the store's clock was set back, time goes on from the
    /// last sign of life: it never runs backwards.
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

    /// The time of a node that shares a store with others. It is in doubt until it is
    /// [set](ServerClock::sync_to).
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

    /// The milliseconds since this time began, on a clock that nobody can set.
    #[must_use]
    pub fn elapsed(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Sets the time of a node by the store's, which was asked for between two readings of
    /// [`elapsed`](ServerClock::elapsed). The measurement with the least doubt counts, unless it cannot be true
    /// any more because the machine slept or the store's clock was set. Time never runs backwards.
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

    /// Notes that the store has answered a beat that was begun at this reading of
    /// [`elapsed`](ServerClock::elapsed), and these silences after those that were known.
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

    /// The latest silence of the store that a node knows.
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

    /// Whether a node knows every outage up to now.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        let elapsed = self.elapsed();
        let state = self.state.locked();
        state.shared.as_ref().is_none_or(|shared| {
            let beaten = shared.beaten;
            beaten.is_some_and(|beaten| elapsed.saturating_sub(beaten) < MAX_HEARTBEAT_AGE_MILLIS)
        })
    }

    /// Whether a node knows the time.
    #[must_use]
    pub fn is_synchronised(&self) -> bool {
        let state = self.state.locked();
        state.shared.as_ref().is_none_or(|shared| {
            let mut measured = shared.measured.iter();
            measured.any(|known| known.doubt <= MAX_CLOCK_ERROR_MILLIS)
        })
    }

    /// The time now. Whoever asks after a long silence finds that the house was away.
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

    /// The same as the store counts it.
    #[must_use]
    pub fn to_moment(&self) -> Moment {
        to_moment(self.now())
    }

    /// Notes that something could not be written at this moment.
    pub fn record_write_failure(&self, at: Timestamp) {
        self.state.locked().fails_since.get_or_insert(at.0);
    }

    /// Notes that something could be written. If nothing could before, that was an outage.
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

    /// How many outages there were since this house opened, the one before it included.
    #[must_use]
    pub fn count_outages(&self) -> usize {
        self.state.locked().outages.len()
    }

    /// The first outage after those that are `known`.
    #[must_use]
    pub fn outage_after(&self, known: usize) -> Option<Outage> {
        self.state.locked().outages.get(known).copied()
    }

    /// The door is open. A silence before the start is over now, and is the first outage if it was long.
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
        // It may be opened twice; it is open once.
        let _ = self.door.set(());
    }

    /// Whether the door is open.
    #[must_use]
    pub fn is_listening(&self) -> bool {
        self.door.initialized()
    }

    /// Waits until the door is open, where an outage before the start lasts until then.
    pub async fn wait_until_listening(&self) {
        if !self.is_listening() && !self.is_shared() {
            self.door.wait().await;
        }
    }

    /// Notes that every running game knows of the outage before the start.
    pub fn mark_outages_recorded(&self) {
        self.state.locked().before = None;
    }

    /// The sign of life that may be kept: up to there, every running game knows of every outage before the
    /// start.
    #[must_use]
    pub fn next_heartbeat_time(&self) -> Moment {
        let now = self.now();
        to_moment(self.state.locked().before.unwrap_or(now))
    }
}

/// A moment of the store on the time line of games.
#[must_use]
pub fn to_timestamp(moment: Moment) -> Timestamp {
    Timestamp(u64::try_from(moment.0).unwrap_or(0))
}

/// A moment of a game on the time line of the store.
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
        // A slow answer that fits changes nothing; time does not run backwards either.
        pulse.sync_to(2_000, Moment(62_200), 2_600);
        assert!(pulse.now().0 >= now);
        // One that does not fit shows that the machine slept.
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
