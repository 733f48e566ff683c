//! The two chess clocks: the time each player has left, whose clock runs, and when the flag falls. Callers
//! pass the time in; no system clock is read. What a fallen flag means is decided elsewhere.

use serde::{Deserialize, Serialize};
use touchmove_rules::Color;

use crate::{Millis, MoveBonus, Stage, TimeControls, Timestamp};

/// One player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerClock {
    /// The time left when this player's turn last began or ended.
    left: Millis,
    /// The stage of the time control that the player is in.
    stage: usize,
    /// Moves made in this stage.
    moves: u32,
    /// Time given by the opponent and the arbiter so far.
    given: Millis,
    /// Lag compensation granted so far.
    lag: Millis,
}

/// State of the clock of the player on move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum ClockState {
    /// It has not been started yet.
    Stands,
    /// It is running.
    Runs {
        /// When this turn began to count.
        since: Timestamp,
    },
    /// The arbiter holds it.
    Held {
        /// The time already spent in this turn.
        spent: Millis,
    },
}

/// Both players' clocks, of which at most one runs.
///
/// ```
/// use touchmove_game::{Clocks, Millis, Timestamp};
/// use touchmove_rules::Color;
///
/// let blitz = "5+3".parse().unwrap();
/// let mut clocks = Clocks::started(&blitz, Color::White, Timestamp(0));
/// assert_eq!(clocks.deadline(&blitz), Some(Timestamp(300_000)));
///
/// clocks.press(&blitz, Timestamp(10_000), Millis::ZERO, true); // White thought for ten seconds
/// assert_eq!(clocks.left(&blitz, Color::White, Timestamp(12_000)), Millis(293_000));
/// assert_eq!(clocks.left(&blitz, Color::Black, Timestamp(12_000)), Millis(298_000));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clocks {
    white: PlayerClock,
    black: PlayerClock,
    turn: Color,
    hand: ClockState,
}

impl Clocks {
    /// Both clocks set to the first stage; neither runs yet.
    #[must_use]
    pub fn set(times: &TimeControls, turn: Color) -> Clocks {
        let dial = |player| PlayerClock {
            left: times.base(player),
            stage: 0,
            moves: 0,
            given: Millis::ZERO,
            lag: Millis::ZERO,
        };
        Clocks {
            white: dial(Color::White),
            black: dial(Color::Black),
            turn,
            hand: ClockState::Stands,
        }
    }

    /// Both clocks set to the first stage; the clock of `turn` starts at `now`.
    #[must_use]
    pub fn started(times: &TimeControls, turn: Color, now: Timestamp) -> Clocks {
        Clocks {
            hand: ClockState::Runs { since: now },
            ..Clocks::set(times, turn)
        }
    }

    const fn dial(&self, player: Color) -> &PlayerClock {
        match player {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    const fn dial_mut(&mut self, player: Color) -> &mut PlayerClock {
        match player {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }

    /// The player on move. This player's clock runs unless it has not been started or is held.
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Whether a clock runs.
    #[must_use]
    pub const fn run(&self) -> bool {
        matches!(self.hand, ClockState::Runs { .. })
    }

    /// The stage of the player on move.
    fn stage(&self, times: &TimeControls) -> Stage {
        times.stage(self.turn, self.dial(self.turn).stage)
    }

    /// The increment or delay of the player on move in this stage.
    #[must_use]
    pub fn pace(&self, times: &TimeControls) -> MoveBonus {
        self.stage(times).pace
    }

    /// The lag compensation that `player` has been granted so far.
    #[must_use]
    pub const fn lag(&self, player: Color) -> Millis {
        self.dial(player).lag
    }

    /// The time spent in this turn so far.
    #[must_use]
    pub fn spent(&self, now: Timestamp) -> Millis {
        match self.hand {
            ClockState::Stands => Millis::ZERO,
            ClockState::Runs { since } => now.since(since),
            ClockState::Held { spent } => spent,
        }
    }

    /// The time `player` has left at `now`, as the clock shows it: a clock in its delay, stopped or held does
    /// not go down.
    #[must_use]
    pub fn left(&self, times: &TimeControls, player: Color, now: Timestamp) -> Millis {
        match player == self.turn {
            true => self.left_after(times, self.spent(now)),
            false => self.dial(player).left,
        }
    }

    /// The time left to the player on move after a turn of this length.
    fn left_after(&self, times: &TimeControls, spent: Millis) -> Millis {
        let waits = match self.pace(times) {
            MoveBonus::Delay(delay) => delay,
            MoveBonus::Plain
            | MoveBonus::Increment(_)
            | MoveBonus::Bronstein(_)
            | MoveBonus::Afresh => Millis::ZERO,
        };
        self.dial(self.turn)
            .left
            .saturating_sub(spent.saturating_sub(waits))
    }

    /// The moment the running clock's flag falls; `None` if no clock runs.
    ///
    /// A move made at this moment comes too late; one made a millisecond earlier counts.
    #[must_use]
    pub fn deadline(&self, times: &TimeControls) -> Option<Timestamp> {
        let ClockState::Runs { since } = self.hand else {
            return None;
        };
        let left = self.dial(self.turn).left;
        Some(match self.pace(times) {
            MoveBonus::Delay(delay) => since + delay + left,
            MoveBonus::Plain
            | MoveBonus::Increment(_)
            | MoveBonus::Bronstein(_)
            | MoveBonus::Afresh => since + left,
        })
    }

    /// The player on move has moved at `now` and presses the clock. Subtracts the time spent less lag
    /// compensation, then adds the increment and the time of a new stage. The other clock runs if the clocks
    /// have been `started`; before that a move neither costs nor adds time.
    pub fn press(&mut self, times: &TimeControls, now: Timestamp, lag: Millis, started: bool) {
        let spent = self.spent(now).saturating_sub(lag);
        let left = self.left_after(times, spent);
        let (player, stage) = (self.turn, self.stage(times));
        let stood = self.hand == ClockState::Stands;
        let dial = self.dial_mut(player);
        dial.lag += lag;
        dial.left = match stage.pace {
            _ if stood => left,
            MoveBonus::Plain | MoveBonus::Delay(_) => left,
            MoveBonus::Increment(increment) => left + increment,
            MoveBonus::Bronstein(most) => left + most.min(spent),
            MoveBonus::Afresh => stage.base,
        };
        dial.moves += 1;
        if stage.moves == Some(dial.moves) {
            dial.stage += 1;
            dial.moves = 0;
            dial.left += times.stage(player, dial.stage).base;
        }
        self.turn = !player;
        let since = match self.hand {
            ClockState::Runs { since } => now.max(since),
            ClockState::Stands | ClockState::Held { .. } => now,
        };
        self.hand = match started {
            true => ClockState::Runs { since },
            false => ClockState::Stands,
        };
    }

    /// Sets the clock of the player who has just moved to what a record says.
    pub(crate) const fn correct(&mut self, left: Millis) {
        let player = match self.turn {
            Color::White => Color::Black,
            Color::Black => Color::White,
        };
        self.dial_mut(player).left = left;
    }

    /// Starts the clock of the player on move, if it has not been started.
    pub(crate) fn start(&mut self, now: Timestamp) {
        if self.hand == ClockState::Stands {
            self.hand = ClockState::Runs { since: now };
        }
    }

    /// Holds the clocks.
    pub(crate) fn hold(&mut self, now: Timestamp) {
        if self.run() {
            let spent = self.spent(now);
            self.hand = ClockState::Held { spent };
        }
    }

    /// Releases the clocks.
    pub(crate) const fn release(&mut self, now: Timestamp) {
        if let ClockState::Held { spent } = self.hand {
            let since = Timestamp(now.0.saturating_sub(spent.0));
            self.hand = ClockState::Runs { since };
        }
    }

    /// Adds time to a player's clock.
    pub(crate) fn give(&mut self, player: Color, time: Millis) {
        let dial = self.dial_mut(player);
        dial.left += time;
        dial.given += time;
    }

    /// These earlier clocks after a takeback at `now`; `later` are the clocks before the takeback. The turn
    /// begins anew, so nobody pays for the time between. Time given and lag compensation granted since then
    /// are kept.
    #[must_use]
    pub(crate) fn rewind_to(mut self, later: &Clocks, now: Timestamp, started: bool) -> Clocks {
        for player in Color::ALL {
            let PlayerClock { given, lag, .. } = *later.dial(player);
            let dial = self.dial_mut(player);
            dial.left += given.saturating_sub(dial.given);
            dial.given = given;
            dial.lag = lag;
        }
        self.hand = match started {
            true => ClockState::Runs { since: now },
            false => ClockState::Stands,
        };
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    /// Presses the clock at each of these moments, White first.
    fn after(times: &str, presses: &[u64]) -> (TimeControls, Clocks) {
        let control: TimeControls = times.parse().unwrap();
        let mut clocks = Clocks::started(&control, White, Timestamp(0));
        for &moment in presses {
            clocks.press(&control, Timestamp(moment), Millis::ZERO, true);
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
        assert_eq!(clocks.deadline(&control), Some(Timestamp(65_000)));
    }

    #[test]
    fn bronstein_gives_back_at_most_what_was_spent() {
        assert_eq!(left("1b5", &[3_000], White, 3_000), 60_000);
        assert_eq!(left("1b5", &[8_000], White, 8_000), 57_000);
        assert_eq!(left("1b5", &[], White, 3_000), 57_000);
        let (control, clocks) = after("1b5", &[]);
        assert_eq!(clocks.deadline(&control), Some(Timestamp(60_000)));
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
        let deadline = clocks.deadline(&control).unwrap();
        assert_eq!(deadline, Timestamp(70_000));
        assert_eq!(clocks.left(&control, Black, deadline), Millis::ZERO);
        assert_eq!(clocks.left(&control, Black, Timestamp(69_999)), Millis(1));
    }

    #[test]
    fn time_that_runs_backwards_costs_nothing() {
        let (control, mut clocks) = after("1", &[10_000]);
        clocks.press(&control, Timestamp(5_000), Millis::ZERO, true);
        assert_eq!(
            clocks.left(&control, Black, Timestamp(5_000)),
            Millis(60_000)
        );
        assert_eq!(clocks.deadline(&control), Some(Timestamp(60_000)));
    }

    #[test]
    fn each_player_has_his_own_time() {
        assert_eq!(left("5 v 1+1", &[], White, 0), 300_000);
        assert_eq!(left("5 v 1+1", &[0, 10_000], Black, 10_000), 51_000);
        let (times, clocks) = after("5 v 1+1", &[1_000]);
        assert_eq!(clocks.deadline(&times), Some(Timestamp(61_000)));
    }

    #[test]
    fn days_for_each_move_are_not_saved_up() {
        let day = 24 * 3600 * 1000;
        let (times, clocks) = after("3d", &[1, day]);
        assert_eq!(clocks.left(&times, White, Timestamp(day)), Millis(3 * day));
        assert_eq!(clocks.left(&times, Black, Timestamp(day)), Millis(3 * day));
        assert_eq!(clocks.deadline(&times), Some(Timestamp(4 * day)));
    }

    #[test]
    fn a_clock_that_has_not_been_started_costs_and_brings_nothing() {
        let times: TimeControls = "1+5".parse().unwrap();
        let mut clocks = Clocks::set(&times, White);
        assert_eq!(clocks.deadline(&times), None);
        clocks.press(&times, Timestamp(30_000), Millis::ZERO, false);
        clocks.press(&times, Timestamp(90_000), Millis::ZERO, true);
        let at = Timestamp(91_000);
        assert_eq!(clocks.left(&times, White, at), Millis(59_000));
        assert_eq!(clocks.left(&times, Black, at), Millis(60_000));
    }

    #[test]
    fn held_clocks_go_on_where_they_stood_delays_included() {
        let (times, mut clocks) = after("1d5", &[]);
        clocks.hold(Timestamp(3_000));
        assert_eq!(clocks.deadline(&times), None);
        let later = Timestamp(1_000_000);
        assert_eq!(clocks.left(&times, White, later), Millis(60_000));
        clocks.release(later);
        assert_eq!(clocks.deadline(&times), Some(later + Millis(62_000)));
    }

    #[test]
    fn an_allowance_is_taken_off_the_time_spent() {
        let (times, mut clocks) = after("1+1", &[]);
        clocks.press(&times, Timestamp(2_000), Millis(500), true);
        assert_eq!(clocks.left(&times, White, Timestamp(2_000)), Millis(59_500));
        assert_eq!(clocks.lag(White), Millis(500));
    }

    #[test]
    fn what_was_given_outlives_a_takeback() {
        let (times, before) = after("1", &[5_000]);
        let mut later = before;
        later.give(White, Millis(15_000));
        later.press(&times, Timestamp(9_000), Millis::ZERO, true);
        let again = before.rewind_to(&later, Timestamp(20_000), true);
        assert_eq!(again.left(&times, White, Timestamp(20_000)), Millis(70_000));
        assert_eq!(again.left(&times, Black, Timestamp(20_000)), Millis(60_000));
    }
}
