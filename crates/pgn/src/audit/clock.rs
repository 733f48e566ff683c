//! Clock times in comments and whether they can be true. The result of a game on time is not judged
//! here.

use std::fmt;
use std::time::Duration;

use touchmove_rules::Color;

use crate::comment::{Comment, clock, lone_clock};
use crate::diagnostic::Code;
use crate::encoding::decode;

/// Clocks are written in whole seconds: a gain of less is rounding.
const ROUNDING: Duration = Duration::from_secs(1);

/// A time control of one period: so much for the game, so much for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeControl {
    base: Duration,
    increment: Duration,
}

impl TimeControl {
    /// Reads `300` or `300+3`. Controls of several periods say nothing about single moves.
    pub(super) fn read(value: &str) -> Option<TimeControl> {
        let (base, increment) = value.trim().split_once('+').unwrap_or((value.trim(), "0"));
        let seconds = |text: &str| text.parse().ok().map(Duration::from_secs);
        Some(TimeControl {
            base: seconds(base)?,
            increment: seconds(increment)?,
        })
    }
}

/// What a clock showed that it could not. Only the first of each kind in a game is put into words.
pub(super) enum Anomaly<'a> {
    /// This is not a clock time.
    Unreadable(&'a [u8]),
    /// The clock went up from the one to the other, by more than the increment.
    Gained {
        color: Color,
        before: Duration,
        now: Duration,
        increment: Duration,
    },
    /// The clock shows more than there was at the start.
    AboveControl {
        color: Color,
        now: Duration,
        base: Duration,
    },
    /// The player had no time left and moved on.
    AtZero(Color),
}

impl Anomaly<'_> {
    pub(super) fn code(&self) -> Code {
        match self {
            Anomaly::Unreadable(_) => Code::BadClock,
            Anomaly::Gained { .. } => Code::ClockGained,
            Anomaly::AboveControl { .. } => Code::ClockAboveControl,
            Anomaly::AtZero(_) => Code::ClockAtZero,
        }
    }
}

impl fmt::Display for Anomaly<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Anomaly::Unreadable(value) => {
                let value = decode(value);
                write!(f, "\"{value}\" is not a clock time such as 0:09:58")
            }
            Anomaly::Gained {
                color,
                before,
                now,
                increment,
            } => {
                let [before, now, increment] =
                    [before, now, increment].map(|time| time.as_secs_f64());
                write!(
                    f,
                    "{color}'s clock went up from {before} s to {now} s, but the increment is \
                     {increment} s"
                )
            }
            Anomaly::AboveControl { color, now, base } => {
                let [now, base] = [now, base].map(|time| time.as_secs_f64());
                write!(
                    f,
                    "{color}'s clock shows {now} s, but the game is played with {base} s"
                )
            }
            Anomaly::AtZero(color) => write!(f, "{color} moved on with a clock at zero"),
        }
    }
}

/// Both players' clocks.
#[derive(Default)]
pub(super) struct Clocks {
    last: [Option<Duration>; 2],
}

impl Clocks {
    /// Reads the clock commands of a comment on a move of `color`.
    pub(super) fn read<'a>(
        &mut self,
        comment: &Comment<'a>,
        color: Color,
        control: Option<TimeControl>,
    ) -> Option<Anomaly<'a>> {
        if let Some(time) = lone_clock(comment.raw) {
            return self.set(time, color, control);
        }
        let mut anomaly = None;
        for command in comment.commands() {
            if command.name != b"clk" && command.name != b"emt" {
                continue;
            }
            let Some(time) = clock(command.value) else {
                anomaly = Some(Anomaly::Unreadable(command.value));
                continue;
            };
            if command.name == b"clk" {
                anomaly = self.set(time, color, control).or(anomaly);
            }
        }
        anomaly
    }

    /// Sets a clock and says whether it can have come to this.
    fn set<'a>(
        &mut self,
        now: Duration,
        color: Color,
        control: Option<TimeControl>,
    ) -> Option<Anomaly<'a>> {
        let before = self.last[color as usize].replace(now);
        let TimeControl { base, increment } = control?;
        match before {
            Some(before) if now > allowed(before, increment) => Some(Anomaly::Gained {
                color,
                before,
                now,
                increment,
            }),
            Some(Duration::ZERO) => Some(Anomaly::AtZero(color)),
            None if now > allowed(base, increment) => {
                Some(Anomaly::AboveControl { color, now, base })
            }
            _ => None,
        }
    }
}

/// The most that a clock may show that showed `before` and has had its increment.
fn allowed(before: Duration, increment: Duration) -> Duration {
    before.saturating_add(increment).saturating_add(ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(clocks: &mut Clocks, raw: &str) -> Option<Code> {
        let comment = Comment {
            raw: raw.as_bytes(),
            offset: 0,
            to_line_end: false,
        };
        let control = TimeControl::read("300+2");
        clocks
            .read(&comment, Color::White, control)
            .map(|anomaly| anomaly.code())
    }

    #[test]
    fn a_clock_may_gain_its_increment_and_no_more() {
        let mut clocks = Clocks::default();
        assert_eq!(read(&mut clocks, "[%clk 0:05:00]"), None);
        assert_eq!(read(&mut clocks, "[%clk 0:04:50]"), None);
        assert_eq!(read(&mut clocks, "[%clk 0:04:52]"), None);
        assert_eq!(read(&mut clocks, "[%clk 0:05:20]"), Some(Code::ClockGained));
        assert_eq!(read(&mut clocks, "[%clk 5:xx]"), Some(Code::BadClock));
        assert_eq!(read(&mut clocks, "[%clk 0:00:00]"), None);
        assert_eq!(read(&mut clocks, "[%clk 0:00:01]"), Some(Code::ClockAtZero));
        assert_eq!(
            read(&mut Clocks::default(), "[%clk 0:30:00]"),
            Some(Code::ClockAboveControl)
        );
    }

    #[test]
    fn a_time_control_beyond_all_measure_allows_everything() {
        let control = TimeControl::read("18446744073709551615+18446744073709551615");
        assert!(control.is_some());
        let comment = Comment {
            raw: b"[%clk 1:00:00]",
            offset: 0,
            to_line_end: false,
        };
        let mut clocks = Clocks::default();
        for _ in 0..2 {
            assert!(clocks.read(&comment, Color::White, control).is_none());
        }
    }

    #[test]
    fn controls_of_several_periods_are_not_used() {
        assert_eq!(TimeControl::read("40/7200:3600"), None);
        assert_eq!(TimeControl::read("?"), None);
    }
}
