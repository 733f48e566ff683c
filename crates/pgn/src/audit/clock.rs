//! Clock times in comments and whether they can be true. The result of a game on time is not judged
//! here.

use std::time::Duration;

use touchmove_rules::Color;

use crate::comment::{Comment, clock};
use crate::diagnostic::Code;

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

/// What a clock showed that it could not.
pub(super) struct Anomaly {
    pub(super) code: Code,
    pub(super) message: String,
}

/// Both players' clocks.
#[derive(Default)]
pub(super) struct Clocks {
    last: [Option<Duration>; 2],
}

impl Clocks {
    /// Reads the clock commands of a comment on a move of `color`.
    pub(super) fn read(
        &mut self,
        comment: &Comment<'_>,
        color: Color,
        control: Option<TimeControl>,
    ) -> Option<Anomaly> {
        let mut anomaly = None;
        for command in comment.commands() {
            if command.name != b"clk" && command.name != b"emt" {
                continue;
            }
            let Some(time) = clock(command.value) else {
                let value = crate::decode(command.value).into_owned();
                let message = format!("\"{value}\" is not a clock time such as 0:09:58");
                anomaly = Some(Anomaly {
                    code: Code::BadClock,
                    message,
                });
                continue;
            };
            if command.name == b"clk" {
                let found = self.check(time, color, control);
                anomaly = found.or(anomaly);
                self.last[color as usize] = Some(time);
            }
        }
        anomaly
    }

    fn check(&self, now: Duration, color: Color, control: Option<TimeControl>) -> Option<Anomaly> {
        let control = control?;
        let before = self.last[color as usize];
        if let Some(before) = before
            && now > allowed(before, control.increment)
        {
            let (before, now) = (before.as_secs_f64(), now.as_secs_f64());
            let message = format!(
                "{color:?}'s clock went up from {before} s to {now} s, but the increment is {} s",
                control.increment.as_secs_f64()
            );
            return Some(Anomaly {
                code: Code::ClockGained,
                message,
            });
        }
        if before.is_none() && now > allowed(control.base, control.increment) {
            let message = format!(
                "{color:?}'s clock shows {} s, but the game is played with {} s",
                now.as_secs_f64(),
                control.base.as_secs_f64()
            );
            return Some(Anomaly {
                code: Code::ClockAboveControl,
                message,
            });
        }
        if before == Some(Duration::ZERO) {
            let message = format!("{color:?} moved on with a clock at zero");
            return Some(Anomaly {
                code: Code::ClockAtZero,
                message,
            });
        }
        None
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
            .map(|anomaly| anomaly.code)
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
