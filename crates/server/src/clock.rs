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
use touchmove_store::{Beat, Moment, SILENCE, Silence};

use crate::lock_ext::Locked as _;

/// A silence longer than this is an outage, in milliseconds.
pub const LONGEST_SILENCE: u64 = SILENCE.unsigned_abs();
/// How old the latest beat of a node may be before it decides anything, in milliseconds. It is less than a
/// silence: so there is no outage that it does not know of.
const FRESH: u64 = LONGEST_SILENCE - 500;
/// How many milliseconds a node may be in doubt about the time of the store.
const DOUBT: u64 = 100;
/// How many of the latest measurements of the store's time count.
const MEASURED: usize = 30;

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
const AWAY: &str = "the server was away";
/// The house could not write.
const CANNOT_WRITE: &str = "the server could not write moves down";

/// The time of the house.
#[derive(Debug)]
pub struct Pulse {
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
    shared: Option<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    measured: VecDeque<Measured>,
    /// When the latest beat was begun that the store has answered.
    beaten: Option<u64>,
    /// The latest silence of the store that is known.
    silence: u64,
}

/// One measurement of the store's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Measured {
    /// What the store's time was when ours began.
    base: u64,
    /// By how much that may be wrong, either way.
    doubt: u64,
}

impl Measured {
    const fn agrees_with(self, other: Measured) -> bool {
        self.base.abs_diff(other.base) <= self.doubt + other.doubt
    }
}

impl Pulse {
    /// A time that begins with this beat of the store, which was asked for at that moment: however long the
    /// disk took to keep it, the time is not late. Where the store's clock was set back, time goes on from the
    /// last sign of life: it never runs backwards.
    #[must_use]
    pub fn from_beat(beat: Beat, asked: Instant) -> Pulse {
        let (at, before) = (stamp(beat.at), beat.before.map(stamp));
        let base = before.map_or(at, |before| before.max(at));
        Pulse {
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
    /// [set](Pulse::is_set_by).
    #[must_use]
    pub fn shared() -> Pulse {
        Pulse {
            began: Instant::now(),
            state: Mutex::new(State {
                base: 0,
                alive: 0,
                fails_since: None,
                before: None,
                outages: Vec::new(),
                shared: Some(Shared::default()),
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
    /// [`elapsed`](Pulse::elapsed). The measurement with the least doubt counts, unless it cannot be true
    /// any more because the machine slept or the store's clock was set. Time never runs backwards.
    pub fn is_set_by(&self, asked: u64, at: Moment, answered: u64) {
        let mut state = self.state.locked();
        let Some(shared) = &mut state.shared else {
            return;
        };
        let found = Measured {
            base: stamp(at).0.saturating_sub(asked.midpoint(answered)),
            doubt: answered.saturating_sub(asked) / 2 + 1,
        };
        shared.measured.retain(|known| known.agrees_with(found));
        shared.measured.truncate(MEASURED - 1);
        shared.measured.push_front(found);
        let best = shared.measured.iter().min_by_key(|known| known.doubt);
        state.base = best.unwrap_or(&found).base;
    }

    /// Notes that the store has answered a beat that was begun at this reading of
    /// [`elapsed`](Pulse::elapsed), and these silences after those that were known.
    pub fn is_beaten(&self, begun: u64, silences: &[Silence]) {
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
                    from: stamp(silence.from),
                    until: stamp(silence.until),
                    reason: AWAY,
                });
            }
        }
    }

    /// The latest silence of the store that a node knows.
    #[must_use]
    pub fn known_silence(&self) -> u64 {
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
            beaten.is_some_and(|beaten| elapsed.saturating_sub(beaten) < FRESH)
        })
    }

    /// Whether a node knows the time.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        let state = self.state.locked();
        state.shared.as_ref().is_none_or(|shared| {
            let mut measured = shared.measured.iter();
            measured.any(|known| known.doubt <= DOUBT)
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
        if self.is_open() && now.saturating_sub(state.alive) > LONGEST_SILENCE {
            let outage = Outage {
                from: Timestamp(state.alive),
                until: Timestamp(now),
                reason: AWAY,
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
    pub fn moment(&self) -> Moment {
        moment(self.now())
    }

    /// Notes that something could not be written at this moment.
    pub fn fails(&self, at: Timestamp) {
        self.state.locked().fails_since.get_or_insert(at.0);
    }

    /// Notes that something could be written. If nothing could before, that was an outage.
    pub fn works(&self, at: Timestamp) {
        let mut state = self.state.locked();
        if let Some(since) = state.fails_since.take()
            && state.shared.is_none()
        {
            let outage = Outage {
                from: Timestamp(since),
                until: at,
                reason: CANNOT_WRITE,
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
    pub fn opens(&self) {
        let now = self.now();
        let mut state = self.state.locked();
        let before = state.before.filter(|_| !self.is_open());
        if let Some(from) = before {
            if now.since(from).0 > LONGEST_SILENCE {
                let outage = Outage {
                    from,
                    until: now,
                    reason: AWAY,
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
    pub fn is_open(&self) -> bool {
        self.door.initialized()
    }

    /// Waits until the door is open, where an outage before the start lasts until then.
    pub async fn opened(&self) {
        if !self.is_open() && !self.is_shared() {
            self.door.wait().await;
        }
    }

    /// Notes that every running game knows of the outage before the start.
    pub fn is_settled(&self) {
        self.state.locked().before = None;
    }

    /// The sign of life that may be kept: up to there, every running game knows of every outage before the
    /// start.
    #[must_use]
    pub fn sign(&self) -> Moment {
        let now = self.now();
        moment(self.state.locked().before.unwrap_or(now))
    }
}

/// A moment of the store on the time line of games.
#[must_use]
pub fn stamp(moment: Moment) -> Timestamp {
    Timestamp(u64::try_from(moment.0).unwrap_or(0))
}

/// A moment of a game on the time line of the store.
#[must_use]
pub fn moment(stamp: Timestamp) -> Moment {
    Moment(i64::try_from(stamp.0).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_beat(at: i64, before: Option<i64>) -> Pulse {
        let beat = Beat {
            at: Moment(at),
            before: before.map(Moment),
        };
        Pulse::from_beat(beat, Instant::now())
    }

    #[test]
    fn a_first_beat_that_takes_long_makes_nobody_late() {
        let beat = Beat {
            at: Moment(60_000),
            before: None,
        };
        let asked = Instant::now();
        std::thread::sleep(std::time::Duration::from_millis(20));
        let pulse = Pulse::from_beat(beat, asked);
        assert!(pulse.now() >= Timestamp(60_020));
    }

    #[test]
    fn a_silence_before_the_start_is_an_outage_until_the_door_is_open() {
        let pulse = from_beat(60_000, Some(20_000));
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(pulse.outage_after(0), None);
        pulse.opens();
        let outage = pulse.outage_after(0).unwrap();
        assert_eq!(outage.from, Timestamp(20_000));
        assert!(outage.until >= Timestamp(60_020));
        std::thread::sleep(std::time::Duration::from_millis(3));
        pulse.opens();
        assert_eq!(pulse.outage_after(0), Some(outage));
        assert_eq!(pulse.outage_after(1), None);
        assert!(pulse.now() > outage.until);
    }

    #[test]
    fn no_sign_of_life_is_kept_before_every_game_knows() {
        let pulse = from_beat(60_000, Some(20_000));
        assert_eq!(pulse.sign(), Moment(20_000));
        pulse.opens();
        assert_eq!(pulse.sign(), Moment(20_000));
        pulse.is_settled();
        assert!(pulse.sign() >= Moment(60_000));
        let quick = from_beat(60_000, Some(59_000));
        assert_eq!(quick.sign(), Moment(59_000));
        quick.opens();
        assert!(quick.sign() >= Moment(60_000));
        assert!(from_beat(60_000, None).sign() >= Moment(60_000));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_opening_is_part_of_the_silence() {
        let pulse = from_beat(60_000, Some(58_000));
        tokio::time::advance(std::time::Duration::from_secs(2)).await;
        let waits = tokio::time::timeout(std::time::Duration::from_secs(2), pulse.opened());
        assert!(waits.await.is_err());
        pulse.opens();
        pulse.opened().await;
        let outage = pulse.outage_after(0).unwrap();
        assert_eq!(outage.from, Timestamp(58_000));
        assert!(outage.until >= Timestamp(64_000));
        assert_eq!(pulse.count_outages(), 1);
        Pulse::shared().opened().await;
    }

    #[test]
    fn a_short_silence_is_none() {
        for before in [None, Some(59_000)] {
            let pulse = from_beat(60_000, before);
            pulse.opens();
            assert_eq!(pulse.count_outages(), 0);
        }
    }

    #[test]
    fn time_does_not_follow_a_clock_that_is_set_back() {
        let pulse = from_beat(60_000, Some(3_660_000));
        pulse.opens();
        assert_eq!(pulse.count_outages(), 0);
        assert!(pulse.now() >= Timestamp(3_660_000));
    }

    #[test]
    fn the_time_of_failing_writes_is_an_outage() {
        let pulse = from_beat(60_000, None);
        pulse.fails(Timestamp(61_000));
        pulse.fails(Timestamp(62_000));
        assert!(pulse.is_failing());
        pulse.works(Timestamp(65_000));
        pulse.works(Timestamp(66_000));
        pulse.opens();
        let outage = pulse.outage_after(0).unwrap();
        assert_eq!(outage.until.0 - outage.from.0, 4_000);
        assert_eq!(pulse.outage_after(1), None);
    }

    #[test]
    fn a_node_goes_by_the_measurement_with_the_least_doubt() {
        let pulse = Pulse::shared();
        assert!(!pulse.is_sure() && !pulse.is_fresh());
        pulse.is_set_by(0, Moment(60_400), 800);
        assert!(!pulse.is_sure());
        pulse.is_set_by(1_000, Moment(61_105), 1_010);
        assert!(pulse.is_sure());
        let now = pulse.now().0;
        assert!((60_100..60_600).contains(&now), "{now}");
        // A slow answer that fits changes nothing; time does not run backwards either.
        pulse.is_set_by(2_000, Moment(62_200), 2_600);
        assert!(pulse.now().0 >= now);
        // One that does not fit shows that the machine slept.
        pulse.is_set_by(3_000, Moment(99_000), 3_010);
        let now = pulse.now().0;
        assert!((95_900..96_500).contains(&now), "{now}");
        pulse.is_set_by(4_000, Moment(64_000), 4_002);
        assert!(pulse.now().0 >= now);
    }

    #[test]
    fn a_node_knows_outages_only_from_the_store() {
        let pulse = Pulse::shared();
        pulse.is_set_by(0, Moment(60_000), 2);
        pulse.fails(Timestamp(60_000));
        assert!(pulse.is_failing());
        pulse.works(Timestamp(70_000));
        pulse.opens();
        assert_eq!(pulse.outage_after(0), None);
        let silence = Silence {
            number: 4,
            from: Moment(50_000),
            until: Moment(59_000),
        };
        pulse.is_beaten(pulse.elapsed(), &[silence]);
        pulse.is_beaten(pulse.elapsed(), &[silence]);
        assert!(pulse.is_fresh());
        assert_eq!((pulse.count_outages(), pulse.known_silence()), (1, 4));
        let outage = pulse.outage_after(0).unwrap();
        assert_eq!(outage.from, Timestamp(50_000));
        assert_eq!(outage.until, Timestamp(59_000));
    }
}
