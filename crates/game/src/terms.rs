//! The terms that the players agree on before the game: variant, start, draw and flag laws, time. Plain data;
//! [`position_status`](crate::position_status) applies the laws.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use touchmove_rules::{AnyPosition, ByColor, Variant};

use crate::{Millis, TimeControls};

/// A setting whose values are words.
macro_rules! setting {
    ($(#[$doc:meta])* $name:ident, $what:literal, $($(#[$value_doc:meta])* $value:ident = $word:literal),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[derive(Serialize, Deserialize)]
        pub enum $name {
            $($(#[$value_doc])* #[serde(rename = $word)] $value),+
        }

        impl $name {
            /// Every value, the default first.
            pub const ALL: &'static [$name] = &[$($name::$value),+];

            /// The value's word on the command line and in PGN tags.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $($name::$value => $word),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }

        impl FromStr for $name {
            type Err = ParseTermError;

            fn from_str(text: &str) -> Result<$name, ParseTermError> {
                $name::ALL.iter().copied().find(|value| value.word() == text).ok_or_else(|| {
                    ParseTermError {
                        found: text.chars().take(40).collect(),
                        what: $what,
                        words: &[$($word),+],
                    }
                })
            }
        }
    };
}

/// A word that is not a value of the setting.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{found:?} is not a {what}: it is {}", .words.join(" or "))]
pub struct ParseTermError {
    found: String,
    what: &'static str,
    words: &'static [&'static str],
}

setting! {
    /// When repetition and the fifty-move rule end a game.
    ///
    /// ```
    /// use touchmove_game::Draws;
    /// assert_eq!("claim".parse(), Ok(Draws::Claim));
    /// ```
    Draws, "draw rule",
    /// At once: the third occurrence and the fiftieth move end the game.
    #[default]
    Auto = "auto",
    /// FIDE 9.2, 9.3 and 9.6: the player on move may claim at 3 and 50; 5 and 75 end the game.
    Claim = "claim"
}

setting! {
    /// What happens when a player's time runs out.
    FlagLaw, "flag law",
    /// FIDE 6.9: the other player wins, unless no series of legal moves lets that player win.
    #[default]
    Fide = "fide",
    /// The other player always wins.
    Loses = "loses"
}

setting! {
    /// Which positions are dead.
    DeadLaw, "law of dead positions",
    /// FIDE 5.2.2: those in which neither side can win by any series of legal moves.
    #[default]
    Exact = "exact",
    /// Those on the list of material (K v K, K+N v K, bishops of one colour …).
    Material = "material",
    /// None: the game goes on, and the players must see it for themselves.
    Off = "off"
}

setting! {
    /// When the clocks start.
    ///
    /// ```
    /// use touchmove_game::ClockStart;
    /// assert_eq!("both-moved".parse(), Ok(ClockStart::BothMoved));
    /// ```
    ClockStart, "start of the clocks",
    /// With the game: the first move costs time too.
    #[default]
    AtOnce = "at-once",
    /// With the first move of the game, which costs no time.
    FirstMove = "first-move",
    /// With the second move of the game: each side has one move that costs no time.
    BothMoved = "both-moved"
}

impl ClockStart {
    /// The number of plies that cost no time.
    pub(crate) const fn free_plies(self) -> usize {
        match self {
            ClockStart::AtOnce => 0,
            ClockStart::FirstMove => 1,
            ClockStart::BothMoved => 2,
        }
    }
}

/// Lag compensation: the measured time that a move was under way is given back, up to these limits. The
/// default is none.
///
/// ```
/// use touchmove_game::{LagCompensation, Millis};
/// assert_eq!(LagCompensation::NO_COMPENSATION.grant(Millis(80), Millis::ZERO), Millis::ZERO);
/// let usual = LagCompensation { per_move: Millis(500), per_game: Millis(20_000) };
/// assert_eq!(usual.grant(Millis(80), Millis::ZERO), Millis(80));
/// assert_eq!(usual.grant(Millis(900), Millis(19_700)), Millis(300));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LagCompensation {
    /// Maximum for one move.
    pub per_move: Millis,
    /// Maximum for all moves of a player together.
    pub per_game: Millis,
}

impl LagCompensation {
    /// No compensation.
    pub const NO_COMPENSATION: LagCompensation = LagCompensation {
        per_move: Millis::ZERO,
        per_game: Millis::ZERO,
    };

    /// The time to give back for a `measured` lag, if the player has had `granted` so far.
    #[must_use]
    pub fn grant(self, measured: Millis, granted: Millis) -> Millis {
        measured
            .min(self.per_move)
            .min(self.per_game.saturating_sub(granted))
    }
}

/// What the players agree on before the game.
///
/// ```
/// use touchmove_game::{Draws, Terms};
/// use touchmove_rules::Variant;
///
/// let terms = Terms { draws: Draws::Claim, ..Terms::of(Variant::Atomic) };
/// assert!(terms.time.is_none() && terms.takebacks);
/// let written = serde_json::to_string(&terms).unwrap();
/// assert_eq!(serde_json::from_str::<Terms>(&written).unwrap(), terms);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "TermsRepr", into = "TermsRepr")]
pub struct Terms {
    /// The starting position, which also holds the variant.
    pub start: AnyPosition,
    /// When repetition and the fifty-move rule end the game.
    pub draws: Draws,
    /// What a fallen flag means.
    pub flag: FlagLaw,
    /// Which law decides that a position is dead.
    pub dead: DeadLaw,
    /// The time controls; `None` plays without clocks.
    pub time: Option<TimeControls>,
    /// When the clocks start.
    pub clock_start: ClockStart,
    /// Lag compensation.
    pub lag: LagCompensation,
    /// Whether players may ask for takebacks.
    pub takebacks: bool,
    /// Whether players may give each other time.
    pub gifts: bool,
    /// How long a player may keep the other waiting for the first move before the other may claim the game
    /// (FIDE 6.7); `None` is for ever.
    pub no_show: Option<Millis>,
    /// How long a player may be away before the other may claim the game; `None` is for ever.
    pub absence: Option<Millis>,
}

impl Terms {
    /// The default terms of a variant, from its usual starting position.
    #[must_use]
    pub fn of(variant: Variant) -> Terms {
        Terms::from(AnyPosition::start(variant))
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.start.variant()
    }
}

impl From<AnyPosition> for Terms {
    /// The default terms, from this position.
    fn from(start: AnyPosition) -> Terms {
        Terms {
            start,
            draws: Draws::default(),
            flag: FlagLaw::default(),
            dead: DeadLaw::default(),
            time: None,
            clock_start: ClockStart::default(),
            lag: LagCompensation::NO_COMPENSATION,
            takebacks: true,
            gifts: true,
            no_show: None,
            absence: None,
        }
    }
}

/// The serialised form of terms: all fields, in words.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TermsRepr {
    variant: String,
    start: String,
    draws: Draws,
    flag: FlagLaw,
    dead: DeadLaw,
    time: Option<String>,
    clock_start: ClockStart,
    lag: LagCompensation,
    takebacks: bool,
    gifts: bool,
    no_show: Option<Millis>,
    absence: Option<Millis>,
}

impl From<Terms> for TermsRepr {
    fn from(terms: Terms) -> TermsRepr {
        TermsRepr {
            variant: terms.variant().to_string(),
            start: terms.start.fen().to_string(),
            draws: terms.draws,
            flag: terms.flag,
            dead: terms.dead,
            time: terms.time.as_ref().map(ToString::to_string),
            clock_start: terms.clock_start,
            lag: terms.lag,
            takebacks: terms.takebacks,
            gifts: terms.gifts,
            no_show: terms.no_show,
            absence: terms.absence,
        }
    }
}

impl TryFrom<TermsRepr> for Terms {
    type Error = String;

    fn try_from(written: TermsRepr) -> Result<Terms, String> {
        Ok(Terms {
            draws: written.draws,
            flag: written.flag,
            dead: written.dead,
            time: read_times(written.time.as_deref())?,
            clock_start: written.clock_start,
            lag: written.lag,
            takebacks: written.takebacks,
            gifts: written.gifts,
            no_show: written.no_show,
            absence: written.absence,
            ..Terms::from(read_start(&written.variant, &written.start)?)
        })
    }
}

/// Parses the starting position of a game; the error is a sentence.
pub(crate) fn read_start(variant: &str, fen: &str) -> Result<AnyPosition, String> {
    let variant = variant
        .parse()
        .map_err(|error| format!("the variant: {error}"))?;
    AnyPosition::from_fen(fen, variant).map_err(|error| format!("the start: {error}"))
}

/// Parses the time controls of a game; the error is a sentence.
pub(crate) fn read_times(text: Option<&str>) -> Result<Option<TimeControls>, String> {
    let times = text.map(str::parse).transpose();
    times.map_err(|error| format!("the time: {error}"))
}

/// The players' names.
pub type Players = ByColor<String>;
