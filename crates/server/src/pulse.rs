//! The time of the house, and when it stood still. There is one time per game, the store's; between two
//! questions to the store it is counted on a clock that nobody can set. An outage of the house is nobody's
//! time: it is noted here, and every table makes it part of its game.

use std::sync::Mutex;
use std::time::Instant;

use touchmove_game::Timestamp;
use touchmove_store::{Beat, Moment};

use crate::sync::Locked as _;

/// A silence longer than this is an outage, in milliseconds.
pub const LONGEST_SILENCE: u64 = 3_000;

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
}

#[derive(Debug)]
struct State {
    /// What the store's time was when ours began.
    base: u64,
    /// The latest sign of life.
    alive: u64,
    /// Since when the store has refused what should be written.
    fails_since: Option<u64>,
    /// Whether people are let in.
    is_open: bool,
    outages: Vec<Outage>,
}

impl Pulse {
    /// A time that begins with this beat of the store. A silence before it is the first outage. Where the
    /// store's clock was set back, time goes on from the last sign of life: it never runs backwards.
    #[must_use]
    pub fn from_beat(beat: Beat) -> Pulse {
        let (at, before) = (stamp(beat.at), beat.before.map(stamp));
        let base = before.map_or(at, |before| before.max(at));
        let mut pulse = Pulse {
            began: Instant::now(),
            state: Mutex::new(State {
                base: base.0,
                alive: base.0,
                fails_since: None,
                is_open: false,
                outages: Vec::new(),
            }),
        };
        let state = pulse
            .state
            .get_mut()
            .unwrap_or_else(|held| held.into_inner());
        if let Some(before) = before
            && base.0.saturating_sub(before.0) > LONGEST_SILENCE
        {
            state.outages.push(Outage {
                from: before,
                until: base,
                reason: AWAY,
            });
        }
        pulse
    }

    /// The time now. Whoever asks after a long silence finds that the house was away.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let elapsed = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let mut state = self.state.locked();
        let now = state.base.saturating_add(elapsed);
        if now.saturating_sub(state.alive) > LONGEST_SILENCE {
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
        if let Some(since) = state.fails_since.take() {
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

    /// The first outage after those that are `known`. The one before the start lasts until the door opens.
    #[must_use]
    pub fn outage_after(&self, known: usize) -> Option<Outage> {
        let now = self.now();
        let state = self.state.locked();
        let outage = state.outages.get(known).copied();
        match outage {
            Some(outage) if known == 0 && !state.is_open => Some(Outage {
                until: now,
                ..outage
            }),
            outage => outage,
        }
    }

    /// The door is open: an outage before the start is over now at the latest.
    pub fn opens(&self) {
        let now = self.now();
        let mut state = self.state.locked();
        state.is_open = true;
        let base = state.base;
        if let Some(first) = state
            .outages
            .first_mut()
            .filter(|first| first.until.0 == base)
        {
            first.until = now;
        }
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

    fn beat(at: i64, before: Option<i64>) -> Beat {
        Beat {
            at: Moment(at),
            before: before.map(Moment),
        }
    }

    #[test]
    fn a_silence_before_the_start_is_an_outage() {
        let pulse = Pulse::from_beat(beat(60_000, Some(20_000)));
        let outage = pulse.outage_after(0).unwrap();
        assert_eq!(outage.from, Timestamp(20_000));
        assert!(outage.until >= Timestamp(60_000));
        pulse.opens();
        let opened = pulse.outage_after(0).unwrap().until;
        assert!(opened >= outage.until);
        std::thread::sleep(std::time::Duration::from_millis(3));
        assert_eq!(pulse.outage_after(0).unwrap().until, opened);
        assert_eq!(pulse.outage_after(1), None);
        assert!(pulse.now() >= Timestamp(60_000));
    }

    #[test]
    fn a_short_silence_is_none() {
        assert_eq!(Pulse::from_beat(beat(60_000, None)).count_outages(), 0);
        let quick = Pulse::from_beat(beat(60_000, Some(59_000)));
        assert_eq!(quick.count_outages(), 0);
    }

    #[test]
    fn time_does_not_follow_a_clock_that_is_set_back() {
        let pulse = Pulse::from_beat(beat(60_000, Some(3_660_000)));
        assert_eq!(pulse.count_outages(), 0);
        assert!(pulse.now() >= Timestamp(3_660_000));
    }

    #[test]
    fn the_time_of_failing_writes_is_an_outage() {
        let pulse = Pulse::from_beat(beat(60_000, None));
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
}
