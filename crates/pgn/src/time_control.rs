//! [`TimeControl`]: how much time the players have, its stages, its notation (`5+3`) and its PGN tag. For
//! running clocks see the `game` crate.

use std::fmt;
use std::str::FromStr;

use crate::Millis;

/// Maximum base time of a stage: a week.
const MAX_BASE_TIME: Millis = Millis::seconds(7 * 24 * 3600);
/// Maximum time added or granted for one move: a day.
const MAX_MOVE_BONUS: Millis = Millis::seconds(24 * 3600);
/// A day of correspondence chess.
const DAY_MILLIS: Millis = Millis::seconds(24 * 3600);
/// Maximum number of days for each move of a correspondence game.
const MAX_DAYS_PER_MOVE: u64 = 30;

/// What each move adds to the base time: an increment, a delay or nothing.
///
/// ```
/// use touchmove_pgn::{Millis, MoveBonus, TimeControl};
///
/// let control: TimeControl = "5d3".parse().unwrap();
/// assert_eq!(control.stage(0).pace, MoveBonus::Delay(Millis::seconds(3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveBonus {
    /// Nothing: the base time is all there is.
    Plain,
    /// Added after each move (Fischer): `5+3`.
    Increment(Millis),
    /// The clock waits this long before it runs (simple or US delay): `5d3`.
    Delay(Millis),
    /// The time spent on the move is given back afterwards, up to this much: `5b3`.
    Bronstein(Millis),
    /// The base time is for each move, and unused time is lost (correspondence): `3d`.
    Afresh,
}

/// A stage of a time control.
///
/// ```
/// use touchmove_pgn::{Millis, TimeControl};
///
/// let control: TimeControl = "40/90+30,30+30".parse().unwrap();
/// let stage = control.stage(1);
/// assert_eq!((stage.moves, stage.base), (None, Millis::seconds(30 * 60)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stage {
    /// The number of moves that each player must make in it; `None` is the rest of the game.
    pub moves: Option<u32>,
    /// The time that is added to the clock when the stage begins.
    pub base: Millis,
    /// What each move adds.
    pub pace: MoveBonus,
}

/// The time control of a player, stage by stage.
///
/// | notation | meaning |
/// | --- | --- |
/// | `5` | five minutes |
/// | `5+3` | five minutes, three seconds added after each move |
/// | `5d3` | five minutes, the clock waits three seconds on each move |
/// | `5b3` | five minutes, up to three seconds of each move given back (Bronstein) |
/// | `0:30` | thirty seconds; `1:30:00` is an hour and a half |
/// | `40/90+30,30+30` | forty moves in ninety minutes, then thirty minutes for the rest |
/// | `40/90` | forty moves in ninety minutes, then the same again and again |
/// | `3d` | three days for each move (correspondence) |
///
/// ```
/// use touchmove_pgn::{Millis, TimeControl};
///
/// let blitz: TimeControl = "5+3".parse().unwrap();
/// assert_eq!(blitz.stage(0).base, Millis::seconds(300));
/// assert_eq!(blitz.to_string(), "5+3");
/// assert!("5+".parse::<TimeControl>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TimeControl {
    first: Stage,
    later: Vec<Stage>,
}

impl TimeControl {
    /// The stage with this number, counted from 0; beyond the last stage, the last one again.
    #[must_use]
    pub fn stage(&self, number: usize) -> Stage {
        match number.checked_sub(1) {
            None => self.first,
            Some(later) => *self
                .later
                .get(later)
                .or(self.later.last())
                .unwrap_or(&self.first),
        }
    }

    /// All stages in order.
    pub fn stages(&self) -> impl Iterator<Item = Stage> + '_ {
        std::iter::once(self.first).chain(self.later.iter().copied())
    }

    /// The value of a PGN `TimeControl` tag, in seconds: `300+3`, `40/5400+30:1800+30`.
    ///
    /// The PGN standard has no delays; they are written with the letter of this notation (`300d3`). Days for
    /// each move are written as in the standard: `1/259200`, one move in so many seconds.
    #[must_use]
    pub fn pgn(&self) -> String {
        match self.first.pace {
            MoveBonus::Afresh => format!("1/{}", seconds_text(self.first.base)),
            _ => self.join(":", seconds_text),
        }
    }

    /// Whether this is correspondence time: days for each move.
    #[must_use]
    pub fn is_correspondence(&self) -> bool {
        self.first.pace == MoveBonus::Afresh
    }

    fn days(days: u64) -> TimeControl {
        TimeControl {
            first: Stage {
                moves: None,
                base: Millis(DAY_MILLIS.0 * days),
                pace: MoveBonus::Afresh,
            },
            later: Vec::new(),
        }
    }

    /// Parses the value of a PGN `TimeControl` tag, as [`pgn`](TimeControl::pgn) writes it; `None` for `-`
    /// and `?`, which say that there is no clock.
    ///
    /// ```
    /// use touchmove_pgn::TimeControl;
    ///
    /// let control = TimeControl::from_pgn("40/5400+30:1800+30").unwrap().unwrap();
    /// assert_eq!(control.to_string(), "40/90+30,30+30");
    /// assert_eq!(TimeControl::from_pgn("-"), Ok(None));
    /// ```
    ///
    /// # Errors
    /// If the value is not a time control.
    pub fn from_pgn(text: &str) -> Result<Option<TimeControl>, ParseTimeControlError> {
        match text.trim() {
            "" | "-" | "?" => Ok(None),
            stages => match days_in_tag(stages) {
                Some(days) => Ok(Some(TimeControl::days(days))),
                None => TimeControl::read(text, stages, ':', |base| decimal(base, 1000)).map(Some),
            },
        }
    }

    fn read(
        text: &str,
        stages: &str,
        comma: char,
        base: fn(&str) -> Option<Millis>,
    ) -> Result<TimeControl, ParseTimeControlError> {
        parse(stages, comma, base).map_err(|fault| ParseTimeControlError::of(text, fault))
    }

    fn join(&self, comma: &str, base_text: fn(Millis) -> String) -> String {
        let stages: Vec<String> = self
            .stages()
            .map(|stage| {
                let moves = stage
                    .moves
                    .map(|moves| format!("{moves}/"))
                    .unwrap_or_default();
                let (sign, bonus) = match stage.pace {
                    MoveBonus::Plain => ("", String::new()),
                    MoveBonus::Increment(time) => ("+", seconds_text(time)),
                    MoveBonus::Delay(time) => ("d", seconds_text(time)),
                    MoveBonus::Bronstein(time) => ("b", seconds_text(time)),
                    MoveBonus::Afresh => return format!("{}d", stage.base.0 / DAY_MILLIS.0),
                };
                format!("{moves}{}{sign}{bonus}", base_text(stage.base))
            })
            .collect();
        stages.join(comma)
    }
}

/// Seconds, with a fraction only if there is one.
fn seconds_text(time: Millis) -> String {
    match (time.0 / 1000, time.0 % 1000) {
        (seconds, 0) => seconds.to_string(),
        (seconds, rest) => format!("{seconds}.{rest:03}")
            .trim_end_matches('0')
            .to_owned(),
    }
}

/// Whole minutes, otherwise `m:ss`.
fn base_text(time: Millis) -> String {
    if time.0.is_multiple_of(60_000) {
        (time.0 / 60_000).to_string()
    } else {
        let seconds = seconds_text(Millis(time.0 % 60_000));
        let pad = if time.0 % 60_000 < 10_000 { "0" } else { "" };
        format!("{}:{pad}{seconds}", time.0 / 60_000)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.join(",", base_text))
    }
}

/// Why a text is not a time control.
///
/// ```
/// use touchmove_pgn::TimeControl;
///
/// let error = "5+".parse::<TimeControl>().unwrap_err();
/// assert!(error.to_string().starts_with("\"5+\" is not a time control"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is not a time control: {fault}; write 5+3, 5d3, 5b3, 0:30, 40/90+30,30+30 or 3d")]
pub struct ParseTimeControlError {
    text: String,
    fault: TimeControlFault,
}

impl ParseTimeControlError {
    fn of(text: &str, fault: TimeControlFault) -> ParseTimeControlError {
        ParseTimeControlError {
            text: text.chars().take(40).collect(),
            fault,
        }
    }
}

/// The kinds of errors.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum TimeControlFault {
    #[error("nothing is written")]
    Empty,
    #[error("stage {stage} is empty")]
    EmptyStage { stage: usize },
    #[error("{found:?} in stage {stage} is not a number of moves")]
    Moves { stage: usize, found: String },
    #[error("{found:?} in stage {stage} is not a number of minutes, nor m:ss")]
    Base { stage: usize, found: String },
    #[error("{found:?} in stage {stage} is not a number of seconds")]
    Bonus { stage: usize, found: String },
    #[error("stage {stage} is longer than a week")]
    TooLong { stage: usize },
    #[error("stage {stage} gives more than a day for each move")]
    TooGenerous { stage: usize },
    #[error("the clocks would start with no time on them")]
    NoTime,
    #[error("{found:?} is not a number of days from 1 to {MAX_DAYS_PER_MOVE}")]
    Days { found: String },
    #[error("days for each move stand alone, without stages")]
    DaysAmongStages,
    #[error("stage {stage} has no number of moves, so the stage after it would never begin")]
    Endless { stage: usize },
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        let stages = text.trim();
        match stages.strip_suffix(['d', 'D']) {
            Some(days) => correspondence(days),
            None => parse(stages, ',', base_time),
        }
        .map_err(|fault| ParseTimeControlError::of(text, fault))
    }
}

/// The days of one move in whole days, `1/259200`, the PGN notation of correspondence chess.
fn days_in_tag(text: &str) -> Option<u64> {
    let days = decimal(text.strip_prefix("1/")?, 1000)?.0;
    let is_whole = days.is_multiple_of(DAY_MILLIS.0)
        && (1..=MAX_DAYS_PER_MOVE).contains(&(days / DAY_MILLIS.0));
    is_whole.then_some(days / DAY_MILLIS.0)
}

fn correspondence(days: &str) -> Result<TimeControl, TimeControlFault> {
    if days.contains([',', '/']) {
        return Err(TimeControlFault::DaysAmongStages);
    }
    match digits(days).filter(|days| (1..=MAX_DAYS_PER_MOVE).contains(days)) {
        Some(days) => Ok(TimeControl::days(days)),
        None => Err(TimeControlFault::Days {
            found: days.chars().take(20).collect(),
        }),
    }
}

fn parse(
    text: &str,
    comma: char,
    base: fn(&str) -> Option<Millis>,
) -> Result<TimeControl, TimeControlFault> {
    if text.is_empty() {
        return Err(TimeControlFault::Empty);
    }
    let mut stages = Vec::new();
    for (index, written) in text.split(comma).enumerate() {
        stages.push(parse_stage(written.trim(), index + 1, base)?);
    }
    let first = stages.remove(0);
    let followed = std::iter::once(&first).chain(&stages).take(stages.len());
    if let Some(index) = followed
        .map(|stage| stage.moves)
        .position(|moves| moves.is_none())
    {
        return Err(TimeControlFault::Endless { stage: index + 1 });
    }
    if first.base == Millis::ZERO && !matches!(first.pace, MoveBonus::Delay(_)) {
        return Err(TimeControlFault::NoTime);
    }
    Ok(TimeControl {
        first,
        later: stages,
    })
}

fn parse_stage(
    text: &str,
    stage: usize,
    base_time: fn(&str) -> Option<Millis>,
) -> Result<Stage, TimeControlFault> {
    if text.is_empty() {
        return Err(TimeControlFault::EmptyStage { stage });
    }
    let found = |text: &str| text.chars().take(20).collect::<String>();
    let (moves, time) = match text.split_once('/') {
        None => (None, text),
        Some((moves, time)) => {
            let number = digits(moves)
                .and_then(|n| u32::try_from(n).ok())
                .filter(|&n| n > 0);
            (
                Some(number.ok_or_else(|| TimeControlFault::Moves {
                    stage,
                    found: found(moves),
                })?),
                time,
            )
        }
    };
    let sign = time.find(['+', 'd', 'D', 'b', 'B']);
    let (base, bonus) = match sign {
        None => (time, None),
        Some(at) => (&time[..at], Some((&time[at..=at], &time[at + 1..]))),
    };
    let base = base_time(base).ok_or_else(|| TimeControlFault::Base {
        stage,
        found: found(base),
    })?;
    if base > MAX_BASE_TIME {
        return Err(TimeControlFault::TooLong { stage });
    }
    let pace = match bonus {
        None => MoveBonus::Plain,
        Some((sign, seconds)) => {
            let time = decimal(seconds, 1000).ok_or_else(|| TimeControlFault::Bonus {
                stage,
                found: found(seconds),
            })?;
            match (sign, time) {
                (_, time) if time > MAX_MOVE_BONUS => {
                    return Err(TimeControlFault::TooGenerous { stage });
                }
                (_, Millis::ZERO) => MoveBonus::Plain,
                ("+", time) => MoveBonus::Increment(time),
                ("d" | "D", time) => MoveBonus::Delay(time),
                (_, time) => MoveBonus::Bronstein(time),
            }
        }
    };
    Ok(Stage { moves, base, pace })
}

/// Minutes (`90`, `1.5`), or `m:ss`, or `h:mm:ss`.
fn base_time(text: &str) -> Option<Millis> {
    let parts: Vec<&str> = text.split(':').collect();
    let (hours, minutes, seconds) = match parts[..] {
        [minutes] => return decimal(minutes, 60_000),
        [minutes, seconds] => ("0", minutes, seconds),
        [hours, minutes, seconds] if minutes.len() == 2 => (hours, minutes, seconds),
        _ => return None,
    };
    let whole_seconds = seconds.split('.').next().unwrap_or_default();
    let seconds = decimal(seconds, 1000).filter(|&s| whole_seconds.len() == 2 && s.0 < 60_000)?;
    let minutes = digits(minutes).filter(|&m| parts.len() == 2 || m < 60)?;
    let whole = digits(hours)?
        .checked_mul(60)?
        .checked_add(minutes)?
        .checked_mul(60_000)?;
    Some(Millis(whole.checked_add(seconds.0)?))
}

/// A number with at most three decimals, in units of this many milliseconds.
fn decimal(text: &str, unit: u64) -> Option<Millis> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.len() > 3 {
        return None;
    }
    let thousandths = digits(fraction)? * 10_u64.pow(3 - fraction.len() as u32);
    let part = thousandths * unit / 1000;
    digits(whole)?
        .checked_mul(unit)?
        .checked_add(part)
        .map(Millis)
}

/// A number of plain digits: no sign, no space, and a limited length.
fn digits(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TimeControl {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn each_form_reads_as_players_know_it() {
        let minute = 60_000;
        for (text, moves, base, pace) in [
            ("5", None, 5 * minute, MoveBonus::Plain),
            ("5+0", None, 5 * minute, MoveBonus::Plain),
            ("5+3", None, 5 * minute, MoveBonus::Increment(Millis(3000))),
            ("5d3", None, 5 * minute, MoveBonus::Delay(Millis(3000))),
            ("5D3", None, 5 * minute, MoveBonus::Delay(Millis(3000))),
            ("5b3", None, 5 * minute, MoveBonus::Bronstein(Millis(3000))),
            ("0:30", None, 30_000, MoveBonus::Plain),
            ("0:30+0.5", None, 30_000, MoveBonus::Increment(Millis(500))),
            ("1.5+1", None, 90_000, MoveBonus::Increment(Millis(1000))),
            ("1:30:00", None, 90 * minute, MoveBonus::Plain),
            ("0d5", None, 0, MoveBonus::Delay(Millis(5000))),
            ("40/90", Some(40), 90 * minute, MoveBonus::Plain),
            (
                " 3+2 ",
                None,
                3 * minute,
                MoveBonus::Increment(Millis(2000)),
            ),
        ] {
            let control = read(text);
            assert_eq!(
                control.stage(0),
                Stage {
                    moves,
                    base: Millis(base),
                    pace
                },
                "{text}"
            );
            assert_eq!(control.stages().count(), 1, "{text}");
        }
    }

    #[test]
    fn stages_follow_each_other_and_the_last_one_stays() {
        let control = read("40/90+30,20/60+30,30+30");
        assert_eq!(control.stages().count(), 3);
        assert_eq!(control.stage(1).moves, Some(20));
        assert_eq!(control.stage(2).moves, None);
        assert_eq!(control.stage(9), control.stage(2));
        assert_eq!(read("40/90").stage(7), read("40/90").stage(0));
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in [
            "5",
            "5+3",
            "5d3",
            "5b3",
            "0:30",
            "0:01.5",
            "1:30",
            "40/90+30,30+30",
            "40/90",
            "0d5",
            "3d",
            "30d",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
        assert_eq!(read("1:30:00+0.25").to_string(), "90+0.25");
    }

    #[test]
    fn the_pgn_tag_counts_in_seconds() {
        assert_eq!(read("5+3").pgn(), "300+3");
        assert_eq!(read("40/90+30,30+30").pgn(), "40/5400+30:1800+30");
        assert_eq!(read("5d3").pgn(), "300d3");
        for days in ["1d", "3d", "14d"] {
            let tag = read(days).pgn();
            assert_eq!(TimeControl::from_pgn(&tag), Ok(Some(read(days))), "{tag}");
        }
        assert_eq!(read("3d").pgn(), "1/259200");
        for tag in ["1/3600", "1/90000"] {
            let stage = TimeControl::from_pgn(tag).unwrap().unwrap();
            assert!(!stage.is_correspondence(), "{tag}");
        }
        TimeControl::from_pgn("1/2678400").expect_err("31 days");
    }

    #[test]
    fn a_wrong_time_control_is_told_what_and_where() {
        for (text, says) in [
            ("", "nothing is written"),
            ("   ", "nothing is written"),
            ("five", "\"five\" in stage 1 is not a number of minutes"),
            ("5+", "\"\" in stage 1 is not a number of seconds"),
            ("5+x", "\"x\" in stage 1 is not a number of seconds"),
            ("5+3+3", "\"3+3\" in stage 1 is not a number of seconds"),
            ("-5", "\"-5\" in stage 1 is not a number of minutes"),
            ("+3", "\"\" in stage 1 is not a number of minutes"),
            ("5 + 3", "is not a number of minutes"),
            ("0", "no time on them"),
            ("0+3", "no time on them"),
            ("0b3", "no time on them"),
            ("5,", "stage 2 is empty"),
            (",5", "stage 1 is empty"),
            ("40/,5", "\"\" in stage 1 is not a number of minutes"),
            ("x/5", "\"x\" in stage 1 is not a number of moves"),
            ("0/5", "\"0\" in stage 1 is not a number of moves"),
            ("90+30,30", "stage 1 has no number of moves"),
            ("40/90,90,5", "stage 2 has no number of moves"),
            ("0:5", "is not a number of minutes, nor m:ss"),
            ("0:60", "is not a number of minutes, nor m:ss"),
            ("1:60:00", "is not a number of minutes, nor m:ss"),
            ("1:2:3:4", "is not a number of minutes, nor m:ss"),
            ("5+1.2345", "is not a number of seconds"),
            ("999999999", "longer than a week"),
            ("99999999999999999999", "is not a number of minutes"),
            ("5+999999", "more than a day for each move"),
            ("５+3", "is not a number of minutes"),
            ("5é3", "is not a number of minutes"),
            ("d", "\"\" is not a number of days from 1 to 30"),
            ("0d", "is not a number of days"),
            ("31d", "is not a number of days"),
            ("1.5d", "is not a number of days"),
            ("40/90,3d", "stand alone"),
        ] {
            let error = text.parse::<TimeControl>().expect_err(text).to_string();
            assert!(error.contains(says), "{text:?}: {error}");
            assert!(error.contains("write 5+3"), "{text:?}: {error}");
        }
    }
}
