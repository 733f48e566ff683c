//! Terms as clients request them, with defaults for what is left out.

use serde::{Deserialize, Serialize};
use touchmove_game::{
    ClockStart, DeadLaw, Draws, FlagLaw, LagCompensation, Millis, MoveBonus, Terms, TimeControls,
};
use touchmove_rules::{AnyPosition, Color, Setup, Variant};

use crate::random;

/// The most lag compensation for one move.
const MAX_LAG_PER_MOVE: Millis = Millis(500);
/// The most lag compensation of a player in one game, however long it is.
const MAX_LAG_PER_GAME: Millis = Millis(20_000);
/// The most lag compensation as a percentage of a player's time. It is small, because a slow network looks the same
/// as a client that answers late on purpose.
const MAX_LAG_PERCENT: u64 = 2;
/// How many moves' increments count as part of a player's time.
const LAG_INCREMENT_MOVES: u64 = 40;
/// How long a player may be absent before the opponent may claim the game, with a clock.
const DEFAULT_ABSENCE: Millis = Millis::seconds(60);
/// How long a player may keep the opponent waiting for the first move.
const DEFAULT_NO_SHOW: Millis = Millis::seconds(300);

/// The shortest time limit for a no-show or an absence, in seconds.
pub(crate) const MIN_WAIT_SECONDS: u64 = 10;
/// The longest, in seconds: thirty days.
pub(crate) const MAX_WAIT_SECONDS: u64 = 30 * 24 * 60 * 60;
/// The shortest in the lobby: a stranger who takes an offer has seen its clocks, and no more.
pub(crate) const MIN_LOBBY_WAIT: Millis = Millis::seconds(60);

/// Clocks with at least this time are for correspondence.
const CORRESPONDENCE_MIN_TIME: Millis = Millis::seconds(24 * 60 * 60);

/// The side that a player wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideRequest {
    /// White.
    White,
    /// Black.
    Black,
    /// A random side.
    #[default]
    Random,
}

impl SideRequest {
    /// The colour; random if requested.
    #[must_use]
    pub fn color(self) -> Color {
        match self {
            SideRequest::White => Color::White,
            SideRequest::Black => Color::Black,
            SideRequest::Random if random::random_bool() => Color::White,
            SideRequest::Random => Color::Black,
        }
    }
}

/// Whether a player must be present with these clocks: with days for a move they need not be.
fn must_be_there(time: Option<&TimeControls>, player: Color) -> bool {
    time.is_some_and(|times| times.base(player) < CORRESPONDENCE_MIN_TIME)
}

/// The lag compensation: a small share of the time of the player with less, and none where both have days for a move.
fn lag_compensation(time: Option<&TimeControls>) -> LagCompensation {
    let share = |times: &TimeControls, player: Color| {
        let stage = times[player].stage(0);
        let increment = match stage.pace {
            MoveBonus::Increment(time) | MoveBonus::Delay(time) | MoveBonus::Bronstein(time) => {
                time.0
            }
            MoveBonus::Plain | MoveBonus::Afresh => 0,
        };
        let increments = increment.saturating_mul(LAG_INCREMENT_MOVES);
        let all = stage.base.0.saturating_add(increments);
        Millis(all.saturating_mul(MAX_LAG_PERCENT) / 100)
    };
    let hurried = Color::ALL
        .into_iter()
        .filter(|&player| must_be_there(time, player));
    let shares = hurried.filter_map(|player| Some(share(time?, player)));
    let per_game = shares.min().unwrap_or_default().min(MAX_LAG_PER_GAME);
    LagCompensation {
        per_move: per_game.min(MAX_LAG_PER_MOVE),
        per_game,
    }
}

/// Whether both players must be present.
#[must_use]
pub fn is_live(time: Option<&TimeControls>) -> bool {
    Color::ALL.iter().all(|&player| must_be_there(time, player))
}

/// Terms as clients request them. Everything but the variant may be left out.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TermsRequest {
    /// `chess`, `chess960`, `atomic` or `simple-atomic`; chess by default.
    pub variant: Option<String>,
    /// The start position: a FEN, or for Chess960 a number from 0 to 959.
    pub start: Option<StartRequest>,
    /// The clocks, as `5+3`, `40/90:30+30`, `3d`, `5 v 2+1`; without it there are none.
    pub time: Option<String>,
    /// `auto` or `claim`.
    pub draws: Option<Draws>,
    /// `fide` or `loses`.
    pub flag: Option<FlagLaw>,
    /// `exact`, `material` or `off`.
    pub dead: Option<DeadLaw>,
    /// `at-once`, `first-move` or `both-moved`; with the first move by default.
    pub clock_start: Option<ClockStart>,
    /// Whether takebacks are allowed, if the opponent agrees; yes by default.
    pub takebacks: Option<bool>,
    /// Whether a player may give the opponent time; yes by default.
    pub gifts: Option<bool>,
    /// Seconds that a player may keep the other waiting for the first move.
    pub no_show: Option<u64>,
    /// Seconds that a player may be away before the other may claim the game.
    pub absence: Option<u64>,
    /// Always false: there are no ratings here.
    pub rated: bool,
}

/// A start position.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "the start is a FEN, or for Chess960 a number from 0 to 959"
)]
pub enum StartRequest {
    /// The number of a Chess960 start position.
    Number(u16),
    /// A FEN.
    Fen(String),
}

impl TermsRequest {
    /// The requested terms; the error is a sentence.
    ///
    /// # Errors
    /// If they are invalid.
    pub fn terms(&self) -> Result<Terms, String> {
        if self.rated {
            return Err("there are no ratings here: leave out \"rated\" or say false".to_owned());
        }
        let variant: Variant = match &self.variant {
            None => Variant::Chess,
            Some(word) => word
                .parse()
                .map_err(|error| format!("the variant: {error}"))?,
        };
        let time: Option<TimeControls> = match self.time.as_deref().map(str::trim) {
            None | Some("" | "none" | "-") => None,
            Some(text) => Some(text.parse().map_err(|error| format!("the time: {error}"))?),
        };
        let is_live = is_live(time.as_ref());
        Ok(Terms {
            draws: self.draws.unwrap_or_default(),
            flag: self.flag.unwrap_or_default(),
            dead: self.dead.unwrap_or_default(),
            clock_start: self.clock_start.unwrap_or(ClockStart::FirstMove),
            lag: lag_compensation(time.as_ref()),
            takebacks: self.takebacks.unwrap_or(true),
            gifts: self.gifts.unwrap_or(true),
            no_show: patience("no_show", self.no_show)?.or(is_live.then_some(DEFAULT_NO_SHOW)),
            absence: patience("absence", self.absence)?.or(is_live.then_some(DEFAULT_ABSENCE)),
            time,
            ..Terms::from(self.start(variant)?)
        })
    }

    fn start(&self, variant: Variant) -> Result<AnyPosition, String> {
        let told = |error: String| format!("the start: {error}");
        match (&self.start, variant) {
            (Some(StartRequest::Fen(fen)), _) => {
                AnyPosition::from_fen(fen, variant).map_err(|error| told(error.to_string()))
            }
            (Some(StartRequest::Number(number)), Variant::Chess960) => {
                let setup = Setup::chess960(*number);
                let setup =
                    setup.ok_or_else(|| told("Chess960 has the numbers 0 to 959".into()))?;
                AnyPosition::from_setup(&setup, variant).map_err(|error| told(error.to_string()))
            }
            (Some(StartRequest::Number(_)), _) => Err(told("only Chess960 has numbers".into())),
            (None, Variant::Chess960) => {
                Ok(random_chess960_start().unwrap_or_else(|| AnyPosition::start(variant)))
            }
            (None, _) => Ok(AnyPosition::start(variant)),
        }
    }
}

/// A no-show or absence limit; the error is a sentence.
fn patience(what: &str, seconds: Option<u64>) -> Result<Option<Millis>, String> {
    match seconds {
        Some(seconds) if !(MIN_WAIT_SECONDS..=MAX_WAIT_SECONDS).contains(&seconds) => Err(format!(
            "\"{what}\" has {seconds} seconds: it has {MIN_WAIT_SECONDS} at least and {MAX_WAIT_SECONDS} at most"
        )),
        seconds => Ok(seconds.map(Millis::seconds)),
    }
}

/// Refuses terms that would surprise strangers, who take an offer by its clocks; the error is a sentence.
///
/// # Errors
/// If a player could lose because of a moment's absence.
pub fn check_lobby_terms(terms: &Terms) -> Result<(), String> {
    let is_short =
        |patience: Option<Millis>| patience.is_some_and(|patience| patience < MIN_LOBBY_WAIT);
    match is_short(terms.no_show) || is_short(terms.absence) {
        true => Err(
            "strangers do not see \"no_show\" and \"absence\" before they sit down: these have 60 \
             seconds at least, or invite somebody by a link"
                .to_owned(),
        ),
        false => Ok(()),
    }
}

/// A random Chess960 start position.
#[must_use]
pub fn random_chess960_start() -> Option<AnyPosition> {
    let setup = Setup::chess960(random::random_below(960))?;
    AnyPosition::from_setup(&setup, Variant::Chess960).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(json: &str) -> Result<Terms, String> {
        let wanted: TermsRequest = serde_json::from_str(json).map_err(|error| error.to_string())?;
        wanted.terms()
    }

    #[test]
    fn what_is_not_said_is_as_usual() {
        let terms = wanted("{}").unwrap();
        assert_eq!(
            (terms.variant(), terms.time.is_none()),
            (Variant::Chess, true)
        );
        let blitz = wanted(r#"{"variant":"atomic","time":"3+2"}"#).unwrap();
        assert_eq!(
            (blitz.lag.per_game, blitz.absence),
            (Millis(5_200), Some(DEFAULT_ABSENCE))
        );
        for odds in ["3d v 5+3", "5+3 v 3d"] {
            let odds = wanted(&format!(r#"{{"time":"{odds}"}}"#)).unwrap();
            assert_eq!(odds.lag.per_game, Millis(8_400));
            assert_eq!((odds.absence, odds.no_show), (None, None));
        }
        let slow = wanted(r#"{"time":"3d"}"#).unwrap();
        assert_eq!(
            (slow.lag, slow.absence),
            (LagCompensation::NO_COMPENSATION, None)
        );
    }

    #[test]
    fn lag_compensation_is_a_small_share_of_the_shorter_clock() {
        for (time, per_move, per_game) in [
            ("0:15", 300, 300),
            ("1", 500, 1_200),
            ("10 v 1", 500, 1_200),
            ("3+2", 500, 5_200),
            ("90+30", 500, 20_000),
            ("3d", 0, 0),
        ] {
            let terms = wanted(&format!(r#"{{"time":"{time}"}}"#)).unwrap();
            let [per_move, per_game] = [per_move, per_game].map(Millis);
            assert_eq!(terms.lag, LagCompensation { per_move, per_game }, "{time}");
        }
        assert_eq!(wanted("{}").unwrap().lag, LagCompensation::NO_COMPENSATION);
    }

    #[test]
    fn strangers_are_not_surprised() {
        assert_eq!(
            check_lobby_terms(&wanted(r#"{"time":"3+2"}"#).unwrap()),
            Ok(())
        );
        for short in [r#"{"absence":10}"#, r#"{"time":"3+2","no_show":59}"#] {
            let terms = wanted(short).unwrap();
            assert!(check_lobby_terms(&terms).is_err(), "{short}");
        }
    }

    #[test]
    fn chess960_is_drawn_by_lot_or_numbered() {
        let numbered = wanted(r#"{"variant":"chess960","start":518}"#).unwrap();
        assert_eq!(numbered.start.setup().chess960_number(), Some(518));
        let drawn = wanted(r#"{"variant":"chess960"}"#).unwrap();
        assert!(drawn.start.setup().chess960_number().is_some());
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_sentence() {
        for (json, says) in [
            (r#"{"variant":"draughts"}"#, "the variant"),
            (r#"{"time":"fast"}"#, "the time"),
            (r#"{"start":"8/8"}"#, "the start"),
            (r#"{"start":5}"#, "only Chess960"),
            (r#"{"variant":"chess960","start":960}"#, "0 to 959"),
            (r#"{"rated":true}"#, "no ratings"),
            (r#"{"colour":"white"}"#, "unknown field"),
            (r#"{"start":-1}"#, "a number from 0 to 959"),
            (r#"{"no_show":0}"#, "10 at least"),
            (r#"{"absence":9}"#, "10 at least"),
            (r#"{"absence":18446744073709551615}"#, "2592000 at most"),
        ] {
            let error = wanted(json).expect_err(json);
            assert!(error.contains(says), "{json}: {error}");
        }
    }
}
