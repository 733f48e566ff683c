//! The two chess clocks: what each player has left, whose clock runs, and when the flag falls.
//! They are told the time and never read it; what a fallen flag means is not decided here.

use touchmove_rules::{ByColor, Color};

use crate::{Millis, Pace, TimeControl, Timestamp};

/// One player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Dial {
    /// What was left when this player's turn last began or ended.
    left: Millis,
    /// The stage of the time control that the player is in.
    stage: usize,
    /// Moves made in that stage.
    moves: u32,
}

/// Both players' clocks; exactly one of them runs.
///
/// ```
/// use touchmove_game::{Clocks, Millis, Timestamp};
/// use touchmove_rules::Color;
///
/// let blitz = "5+3".parse().unwrap();
/// let mut clocks = Clocks::start(&blitz, Color::White, Timestamp(0));
/// assert_eq!(clocks.deadline(&blitz), Timestamp(300_000));
///
/// clocks.press(&blitz, Timestamp(10_000)); // White thought for ten seconds
/// assert_eq!(clocks.left(&blitz, Color::White, Timestamp(12_000)), Millis(293_000));
/// assert_eq!(clocks.left(&blitz, Color::Black, Timestamp(12_000)), Millis(298_000));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clocks {
    dials: ByColor<Dial>,
    running: Color,
    since: Timestamp,
}

impl Clocks {
    /// Both clocks set to the first stage, and the clock of `running` started at `now`.
    #[must_use]
    pub fn start(control: &TimeControl, running: Color, now: Timestamp) -> Clocks {
        let dial = Dial {
            left: control.stage(0).base,
            stage: 0,
            moves: 0,
        };
        Clocks {
            dials: ByColor {
                white: dial,
                black: dial,
            },
            running,
            since: now,
        }
    }

    /// The player whose clock runs.
    #[must_use]
    pub const fn running(&self) -> Color {
        self.running
    }

    /// What each move of the player whose clock runs brings now.
    #[must_use]
    pub fn pace(&self, control: &TimeControl) -> Pace {
        control.stage(self.dials[self.running].stage).pace
    }

    /// What `player` has left at `now`, as the clock shows it: a clock that waits or stands does
    /// not go down.
    #[must_use]
    pub fn left(&self, control: &TimeControl, player: Color, now: Timestamp) -> Millis {
        let dial = self.dials[player];
        if player == self.running {
            let waits = match control.stage(dial.stage).pace {
                Pace::Delay(delay) => delay,
                Pace::Plain | Pace::Increment(_) | Pace::Bronstein(_) => Millis::ZERO,
            };
            dial.left.less(now.since(self.since).less(waits))
        } else {
            dial.left
        }
    }

    /// The moment at which the running clock's flag falls.
    ///
    /// A move made at this moment comes too late; one made a millisecond earlier counts.
    #[must_use]
    pub fn deadline(&self, control: &TimeControl) -> Timestamp {
        let dial = self.dials[self.running];
        match control.stage(dial.stage).pace {
            Pace::Delay(delay) => self.since + delay + dial.left,
            Pace::Plain | Pace::Increment(_) | Pace::Bronstein(_) => self.since + dial.left,
        }
    }

    /// The player on move has moved at `now` and presses the clock: the time spent is taken, the
    /// move's bonus and a new stage's time are added, and the other clock runs.
    pub fn press(&mut self, control: &TimeControl, now: Timestamp) {
        let left = self.left(control, self.running, now);
        let spent = now.since(self.since);
        let dial = &mut self.dials[self.running];
        let stage = control.stage(dial.stage);
        dial.left = match stage.pace {
            Pace::Plain | Pace::Delay(_) => left,
            Pace::Increment(increment) => left + increment,
            Pace::Bronstein(most) => left + most.min(spent),
        };
        dial.moves += 1;
        if stage.moves == Some(dial.moves) {
            dial.stage += 1;
            dial.moves = 0;
            dial.left += control.stage(dial.stage).base;
        }
        self.running = !self.running;
        self.since = now.max(self.since);
    }

    /// These clocks with the running one started anew at `now`, as after a takeback: nobody pays
    /// for the time between.
    #[must_use]
    pub const fn restarted(mut self, now: Timestamp) -> Clocks {
        self.since = now;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    /// Presses the clock at each of these moments, White first.
    fn after(control: &str, presses: &[u64]) -> (TimeControl, Clocks) {
        let control: TimeControl = control.parse().unwrap();
        let mut clocks = Clocks::start(&control, White, Timestamp(0));
        for &moment in presses {
            clocks.press(&control, Timestamp(moment));
        }
        (control, clocks)
    }

    fn left(control: &str, presses: &[u64], player: Color, now: u64) -> u64 {
        let (control, clocks) = after(control, presses);
        clocks.left(&control, player, Timestamp(now)).0
    }

    #[test]
    fn only_the_mover_s_clock_runs() {
        assert_eq!(left("1", &[], White, 20_000), 40_000);
        assert_eq!(left("1", &[], Black, 20_000), 60_000);
        assert_eq!(left("1", &[20_000], White, 50_000), 40_000);
        assert_eq!(left("1", &[20_000], Black, 50_000), 30_000);
    }

    #[test]
    fn an_increment_is_added_after_the_move_and_may_exceed_what_was_spent() {
        assert_eq!(left("1+5", &[2_000], White, 2_000), 63_000);
        assert_eq!(left("1+5", &[], White, 59_999), 1);
    }

    #[test]
    fn a_simple_delay_is_waited_out_first_and_never_added() {
        assert_eq!(left("1d5", &[], White, 4_999), 60_000);
        assert_eq!(left("1d5", &[], White, 5_001), 59_999);
        assert_eq!(left("1d5", &[3_000], White, 3_000), 60_000);
        assert_eq!(left("1d5", &[8_000], White, 8_000), 57_000);
        let (control, clocks) = after("1d5", &[]);
        assert_eq!(clocks.deadline(&control), Timestamp(65_000));
    }

    #[test]
    fn bronstein_gives_back_at_most_what_was_spent() {
        assert_eq!(left("1b5", &[3_000], White, 3_000), 60_000);
        assert_eq!(left("1b5", &[8_000], White, 8_000), 57_000);
        assert_eq!(left("1b5", &[], White, 3_000), 57_000);
        let (control, clocks) = after("1b5", &[]);
        assert_eq!(clocks.deadline(&control), Timestamp(60_000));
    }

    #[test]
    fn a_new_stage_begins_with_the_last_move_of_the_old_one() {
        let control = "2/1+1,0:30";
        assert_eq!(left(control, &[10_000, 10_000], White, 10_000), 51_000);
        let presses = [10_000, 10_000, 20_000, 20_000];
        assert_eq!(
            left(control, &presses, White, 20_000),
            60_000 - 20_000 + 2_000 + 30_000
        );
        assert_eq!(
            left(control, &presses, Black, 20_000),
            60_000 + 2_000 + 30_000
        );
        let presses = [10_000, 10_000, 20_000, 20_000, 25_000];
        assert_eq!(left(control, &presses, White, 25_000), 67_000);
    }

    #[test]
    fn a_last_stage_with_a_number_of_moves_comes_again() {
        assert_eq!(
            left("1/1", &[10_000, 10_000, 20_000], White, 20_000),
            60_000 * 3 - 20_000
        );
    }

    #[test]
    fn the_flag_falls_when_nothing_is_left() {
        let (control, clocks) = after("1+5", &[10_000]);
        let deadline = clocks.deadline(&control);
        assert_eq!(deadline, Timestamp(70_000));
        assert_eq!(clocks.left(&control, Black, deadline), Millis::ZERO);
        assert_eq!(clocks.left(&control, Black, Timestamp(69_999)), Millis(1));
    }

    #[test]
    fn time_that_runs_backwards_costs_nothing() {
        let (control, mut clocks) = after("1", &[10_000]);
        clocks.press(&control, Timestamp(5_000));
        assert_eq!(
            clocks.left(&control, Black, Timestamp(5_000)),
            Millis(60_000)
        );
        assert_eq!(clocks.deadline(&control), Timestamp(60_000));
    }
}
