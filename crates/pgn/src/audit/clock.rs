//! Checks whether clock times in comments are possible. Results on time are not judged here.

use std::fmt;
use std::mem;

use touchmove_rules::Color;

use crate::comment::{Comment, clock};
use crate::diagnostic::FindingCode;
use crate::encoding::decode;
use crate::time::Millis;
use crate::time_control::{MoveBonus, Stage, TimeControl};

/// Clocks are written in whole seconds, so a smaller gain is rounding.
const CLOCK_ROUNDING: Millis = Millis::seconds(1);

/// An impossible clock time. Only the first of each kind in a game gets a message.
pub(super) enum Anomaly<'a> {
    /// Not a clock time.
    Unreadable(&'a [u8]),
    /// The clock went up by more than the time control gives.
    Gained {
        color: Color,
        before: Millis,
        now: Millis,
        granted: Millis,
    },
    /// The first clock time is more than the time control gives.
    AboveControl {
        color: Color,
        now: Millis,
        base: Millis,
    },
    /// The player had no time left and played on.
    AtZero(Color),
}

impl Anomaly<'_> {
    pub(super) fn code(&self) -> FindingCode {
        match self {
            Anomaly::Unreadable(_) => FindingCode::BadClock,
            Anomaly::Gained { .. } => FindingCode::ClockGained,
            Anomaly::AboveControl { .. } => FindingCode::ClockAboveControl,
            Anomaly::AtZero(_) => FindingCode::ClockAtZero,
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
                granted,
            } => {
                let [before, now, granted] = [before, now, granted].map(seconds);
                write!(
                    f,
                    "{color}'s clock went up from {before} s to {now} s, but the time control gives \
                     no more than {granted} s in between"
                )
            }
            Anomaly::AboveControl { color, now, base } => {
                let [now, base] = [now, base].map(seconds);
                write!(
                    f,
                    "{color}'s clock shows {now} s, but the game is played with {base} s"
                )
            }
            Anomaly::AtZero(color) => write!(f, "{color} moved on with a clock at zero"),
        }
    }
}

fn seconds(time: Millis) -> f64 {
    time.0 as f64 / 1000.0
}

/// Both players' clocks under the game's time control.
#[derive(Default)]
pub(super) struct Clocks {
    /// `None` if the control is not known, or if it is not known from which move on it counts.
    control: Option<TimeControl>,
    sides: [Side; 2],
}

/// What is known about one player's clock.
#[derive(Clone, Copy, Default)]
struct Side {
    /// The last clock time; before the first one, the time at the start.
    left: Millis,
    has_shown: bool,
    /// The number of moves the player had made then.
    moves: u32,
    /// The stage of the control, the move number that completes it, and what each move adds.
    stage: usize,
    stage_end: u32,
    increment: Millis,
    /// Time of stages that have begun but that the clock has not shown yet: some clocks add it with the last
    /// move of the stage before, others only when the clock reaches zero.
    unseen: Millis,
}

impl Clocks {
    /// Sets both clocks for a game that begins with this move number. Stages are counted from the first move,
    /// so they are not known for a game that begins later.
    pub(super) fn begin(&mut self, control: Option<TimeControl>, first_move: u32) {
        let known = |control: &TimeControl| first_move == 1 || control.stage(0).moves.is_none();
        self.control = control.filter(known);
        if let Some(control) = &self.control {
            let stage = control.stage(0);
            let side = Side {
                left: stage.base,
                stage_end: stage.moves.unwrap_or(u32::MAX),
                increment: increment(stage),
                ..Side::default()
            };
            self.sides = [side; 2];
        }
    }

    /// Reads the clock commands of a comment on this move of `color`.
    #[inline(always)]
    pub(super) fn read<'a>(
        &mut self,
        comment: &Comment<'a>,
        color: Color,
        moves: u32,
    ) -> Option<Anomaly<'a>> {
        match comment.clock {
            Some(time) => self.set(time, color, moves),
            None => self.read_commands(comment, color, moves),
        }
    }

    /// The same for comments of any form.
    #[inline(never)]
    fn read_commands<'a>(
        &mut self,
        comment: &Comment<'a>,
        color: Color,
        moves: u32,
    ) -> Option<Anomaly<'a>> {
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
                let time = Millis(time.as_secs() * 1000 + u64::from(time.subsec_millis()));
                anomaly = self.set(time, color, moves).or(anomaly);
            }
        }
        anomaly
    }

    /// Sets a clock and reports a time that is not possible.
    #[inline(always)]
    fn set<'a>(&mut self, now: Millis, color: Color, moves: u32) -> Option<Anomaly<'a>> {
        let control = self.control.as_ref()?;
        let side = &mut self.sides[color as usize];
        let before = mem::replace(&mut side.left, now);
        let is_usual = now <= before + side.increment && before > Millis::ZERO;
        if is_usual && side.moves < moves && moves < side.stage_end {
            side.has_shown = true;
            side.moves = moves;
            return None;
        }
        side.judge(control, before, color, moves)
    }
}

impl Side {
    /// Judges a clock that went up, had run out, or is in a new stage.
    #[inline(never)]
    fn judge<'a>(
        &mut self,
        control: &TimeControl,
        before: Millis,
        color: Color,
        moves: u32,
    ) -> Option<Anomaly<'a>> {
        let now = self.left;
        let had_shown = mem::replace(&mut self.has_shown, true);
        let granted = self.advance(control, moves);
        let is_above = |granted: Millis| now > before + granted + CLOCK_ROUNDING;
        if is_above(granted + self.unseen) {
            return Some(if had_shown {
                Anomaly::Gained {
                    color,
                    before,
                    now,
                    granted: granted + self.unseen,
                }
            } else {
                let base = control.stage(0).base;
                Anomaly::AboveControl { color, now, base }
            });
        }
        if is_above(granted) {
            self.unseen = Millis::ZERO;
            return None;
        }
        let ran_out = had_shown && before == Millis::ZERO && self.unseen == Millis::ZERO;
        ran_out.then_some(Anomaly::AtZero(color))
    }

    /// Advances to this number of moves. Returns the time that they have added; the time of new stages is
    /// added to `unseen`.
    fn advance(&mut self, control: &TimeControl, moves: u32) -> Millis {
        let mut granted = Millis::ZERO;
        loop {
            let end = moves.min(self.stage_end);
            let made = u64::from(end.saturating_sub(self.moves));
            granted += Millis(self.increment.0.saturating_mul(made));
            self.moves = end;
            if moves < self.stage_end {
                return granted;
            }
            self.stage += 1;
            let stage = control.stage(self.stage);
            let end = |moves| self.stage_end.saturating_add(moves);
            self.stage_end = stage.moves.map_or(u32::MAX, end);
            self.increment = increment(stage);
            self.unseen += stage.base;
        }
    }
}

/// By how much a clock may go up with a move. Delays and Bronstein never make it go up; a clock that is reset
/// with each move goes up by its base time at most.
fn increment(stage: Stage) -> Millis {
    match stage.pace {
        MoveBonus::Increment(time) => time,
        MoveBonus::Afresh => stage.base,
        MoveBonus::Plain | MoveBonus::Delay(_) | MoveBonus::Bronstein(_) => Millis::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(control: &str) -> Clocks {
        let mut clocks = Clocks::default();
        let control = TimeControl::from_pgn(control).expect("a time control");
        clocks.begin(control, 1);
        clocks
    }

    /// The finding if White's clock shows this after so many moves.
    fn read(clocks: &mut Clocks, moves: u32, shown: &str) -> Option<FindingCode> {
        let raw = format!("[%clk {shown}]");
        let comment = Comment {
            raw: raw.as_bytes(),
            offset: 0,
            to_line_end: false,
            clock: None,
        };
        let anomaly = clocks.read(&comment, Color::White, moves);
        anomaly.map(|anomaly| anomaly.code())
    }

    /// The findings for each of these clock times, after the moves before them.
    fn all(control: &str, shown: &[(u32, &str)]) -> Vec<Option<FindingCode>> {
        let mut clocks = clocks(control);
        let read = |&(moves, shown): &(u32, &str)| read(&mut clocks, moves, shown);
        shown.iter().map(read).collect()
    }

    #[test]
    fn a_clock_may_gain_its_increment_and_no_more() {
        let shown = [
            (1, "0:05:00"),
            (2, "0:04:50"),
            (3, "0:04:52"),
            (4, "0:05:20"),
            (5, "5:xx"),
            (6, "0:00:00"),
            (7, "0:00:01"),
        ];
        let expected = [
            None,
            None,
            None,
            Some(FindingCode::ClockGained),
            Some(FindingCode::BadClock),
            None,
            Some(FindingCode::ClockAtZero),
        ];
        assert_eq!(all("300+2", &shown), expected);
        let shown = [(1, "0:30:00")];
        assert_eq!(all("300+2", &shown), [Some(FindingCode::ClockAboveControl)]);
        let shown = [(1, "0:04:50"), (2, "0:04:52")];
        assert_eq!(all("300d5", &shown), [None, Some(FindingCode::ClockGained)]);
    }

    #[test]
    fn moves_without_a_clock_bring_their_increment_too() {
        let shown = [(1, "0:05:00"), (11, "0:05:20"), (12, "0:05:24")];
        assert_eq!(
            all("300+2", &shown),
            [None, None, Some(FindingCode::ClockGained)]
        );
        assert_eq!(all("300+2", &[(30, "0:06:00")]), [None]);
    }

    #[test]
    fn a_new_stage_brings_its_time_once_at_its_first_move_or_later() {
        let control = "40/7200:3600";
        let early = [(38, "0:10:00"), (39, "1:10:00")];
        assert_eq!(all(control, &early), [None, Some(FindingCode::ClockGained)]);
        let punctual = [(39, "0:10:00"), (40, "1:09:00"), (41, "1:08:00")];
        assert_eq!(all(control, &punctual), [None; 3]);
        let late = [(40, "0:09:00"), (41, "0:00:00"), (42, "0:58:00")];
        assert_eq!(all(control, &late), [None; 3]);
        let twice = [(39, "0:10:00"), (40, "1:09:00"), (41, "2:08:00")];
        assert_eq!(
            all(control, &twice),
            [None, None, Some(FindingCode::ClockGained)]
        );
        let too_much = [(39, "0:10:00"), (40, "1:12:00")];
        assert_eq!(
            all(control, &too_much),
            [None, Some(FindingCode::ClockGained)]
        );
        let again = [(39, "0:10:00"), (40, "2:09:00"), (80, "2:30:00")];
        assert_eq!(all("40/7200", &again), [None; 3]);
    }

    #[test]
    fn each_stage_has_its_own_increment() {
        let control = "2/60+5:60+1";
        let shown = [
            (1, "0:01:05"),
            (2, "0:02:10"),
            (3, "0:02:12"),
            (4, "0:02:16"),
        ];
        assert_eq!(
            all(control, &shown),
            [None, None, None, Some(FindingCode::ClockGained)]
        );
        assert_eq!(all(control, &[(4, "0:02:13")]), [None]);
        assert_eq!(
            all(control, &[(4, "0:02:14")]),
            [Some(FindingCode::ClockAboveControl)]
        );
    }

    #[test]
    fn a_game_that_begins_in_the_middle_tells_nothing_about_stages() {
        let control = |text| TimeControl::from_pgn(text).expect("a time control");
        let mut clocks = Clocks::default();
        clocks.begin(control("40/7200:3600"), 30);
        assert_eq!(read(&mut clocks, 1, "5:00:00"), None);
        clocks.begin(control("300"), 30);
        assert_eq!(
            read(&mut clocks, 1, "5:00:00"),
            Some(FindingCode::ClockAboveControl)
        );
    }
}
