//! Durations and points in time of a game, in whole milliseconds. The system clock is not read here: the
//! caller says what time it is.

use std::fmt;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// An amount of time in milliseconds.
///
/// Its `Display` is what a chess clock shows: `5:00`, `1:30:00`, and tenths below ten seconds.
///
/// ```
/// use touchmove_pgn::Millis;
///
/// assert_eq!(Millis(300_000).to_string(), "5:00");
/// assert_eq!(Millis(5_400_000).to_string(), "1:30:00");
/// assert_eq!(Millis(9_440).to_string(), "0:09.4");
/// ```
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// Zero.
    pub const ZERO: Millis = Millis(0);

    /// This many whole seconds.
    #[must_use]
    pub const fn seconds(seconds: u64) -> Millis {
        Millis(seconds.saturating_mul(1000))
    }

    /// The time left after `spent` is subtracted, at least zero.
    #[must_use]
    pub const fn saturating_sub(self, spent: Millis) -> Millis {
        Millis(self.0.saturating_sub(spent.0))
    }

    /// The time as `h:mm:ss`, as in a PGN `[%clk]` command.
    ///
    /// ```
    /// assert_eq!(touchmove_pgn::Millis(303_999).pgn(), "0:05:03");
    /// ```
    #[must_use]
    pub fn pgn(self) -> String {
        let seconds = self.0 / 1000;
        format!(
            "{}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        )
    }
}

impl Add for Millis {
    type Output = Millis;
    fn add(self, other: Millis) -> Millis {
        Millis(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Millis {
    fn add_assign(&mut self, other: Millis) {
        *self = *self + other;
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, tenths) = (self.0 / 1000, self.0 / 100 % 10);
        let text = match seconds {
            0..10 => format!("0:0{seconds}.{tenths}"),
            10..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
            _ => format!(
                "{}:{:02}:{:02}",
                seconds / 3600,
                seconds / 60 % 60,
                seconds % 60
            ),
        };
        f.pad(&text)
    }
}

/// A point in time on the game's own time line, in milliseconds from any zero that the caller chooses.
///
/// The caller keeps the time line: a game that is saved and resumed goes on from the time of its last event,
/// so that no clock runs while nobody plays.
///
/// ```
/// use touchmove_pgn::{Millis, Timestamp};
///
/// let moved = Timestamp(1_500) + Millis::seconds(2);
/// assert_eq!(moved.since(Timestamp(500)), Millis(3_000));
/// ```
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// The time since `earlier`; zero if that is later than this.
    #[must_use]
    pub const fn since(self, earlier: Timestamp) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }

    /// The date in PGN notation, if the time is counted from 1970.
    ///
    /// ```
    /// use touchmove_pgn::Timestamp;
    ///
    /// assert_eq!(Timestamp(951_782_400_000).date(), "2000.02.29");
    /// ```
    #[must_use]
    pub fn date(self) -> String {
        // Years are counted from March, so that the leap day is the last of its year.
        let days = self.0 / DAY_MILLIS + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, later) = if month < 10 {
            (month + 3, 0)
        } else {
            (month - 9, 1)
        };
        format!("{:04}.{month:02}.{day:02}", 400 * era + year + later)
    }

    /// The time of day in PGN notation.
    ///
    /// ```
    /// use touchmove_pgn::Timestamp;
    ///
    /// assert_eq!(Timestamp(951_782_400_000 + 3_723_999).time_of_day(), "01:02:03");
    /// ```
    #[must_use]
    pub fn time_of_day(self) -> String {
        let seconds = self.0 % DAY_MILLIS / 1_000;
        let (hour, minute) = (seconds / 3_600, seconds / 60 % 60);
        format!("{hour:02}:{minute:02}:{:02}", seconds % 60)
    }
}

/// A day in milliseconds.
const DAY_MILLIS: u64 = 24 * 60 * 60 * 1_000;

impl Add<Millis> for Timestamp {
    type Output = Timestamp;
    fn add(self, later: Millis) -> Timestamp {
        Timestamp(self.0.saturating_add(later.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_shows_hours_minutes_and_seconds_and_tenths_at_the_end() {
        for (millis, shown) in [
            (0, "0:00.0"),
            (99, "0:00.0"),
            (100, "0:00.1"),
            (9_999, "0:09.9"),
            (10_000, "0:10"),
            (59_999, "0:59"),
            (60_000, "1:00"),
            (3_599_999, "59:59"),
            (3_600_000, "1:00:00"),
            (36_061_000, "10:01:01"),
        ] {
            assert_eq!(Millis(millis).to_string(), shown);
        }
    }

    #[test]
    fn days_become_dates() {
        for (days, shown) in [
            (0, "1970.01.01"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (20_772, "2026.11.15"),
        ] {
            assert_eq!(Timestamp(days * DAY_MILLIS).date(), shown);
            assert_eq!(Timestamp(days * DAY_MILLIS + DAY_MILLIS - 1).date(), shown);
        }
        assert_eq!(Timestamp(DAY_MILLIS - 1).time_of_day(), "23:59:59");
        assert!(!Timestamp(u64::MAX).date().is_empty());
    }

    #[test]
    fn time_never_wraps_around() {
        assert_eq!(Timestamp(5).since(Timestamp(9)), Millis::ZERO);
        assert_eq!(Timestamp(u64::MAX) + Millis(1), Timestamp(u64::MAX));
        assert_eq!(Millis(u64::MAX) + Millis(1), Millis(u64::MAX));
        assert_eq!(Millis(1).saturating_sub(Millis(2)), Millis::ZERO);
    }
}
