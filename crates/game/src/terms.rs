//! What the players agree on before the game: variant, start, draw and flag laws, time. Plain
//! data; what the terms lead to is decided by the [arbiter](crate::arbiter).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use touchmove_rules::{AnyPosition, ByColor, Variant};

use crate::TimeControl;

/// A setting with a short list of words for its values.
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

            /// The word that names the value on the command line and in records.
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

/// A word that is not one of a setting's values.
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
    /// Those that the list of material names (K v K, K+N v K, bishops of one colour …).
    Material = "material",
    /// None: the players must see for themselves.
    Off = "off"
}

/// What the players agree on before the game.
///
/// ```
/// use touchmove_game::{Draws, Terms};
/// use touchmove_rules::Variant;
///
/// let terms = Terms { draws: Draws::Claim, ..Terms::of(Variant::Atomic) };
/// assert!(terms.time.is_none() && terms.takebacks);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The position that the game begins with, and the variant it is played by.
    pub start: AnyPosition,
    /// When repetition and the fifty-move rule end the game.
    pub draws: Draws,
    /// What a fallen flag means.
    pub flag: FlagLaw,
    /// Which positions are dead.
    pub dead: DeadLaw,
    /// The time each player has; `None` plays without clocks.
    pub time: Option<TimeControl>,
    /// Whether a player may ask to take a move back.
    pub takebacks: bool,
}

impl Terms {
    /// The usual terms of a variant, from its usual starting position.
    #[must_use]
    pub fn of(variant: Variant) -> Terms {
        Terms::from(AnyPosition::start(variant))
    }

    /// The variant that is played.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.start.variant()
    }
}

impl From<AnyPosition> for Terms {
    /// The usual terms, from this position.
    fn from(start: AnyPosition) -> Terms {
        Terms {
            start,
            draws: Draws::default(),
            flag: FlagLaw::default(),
            dead: DeadLaw::default(),
            time: None,
            takebacks: true,
        }
    }
}

/// The players' names.
pub type Players = ByColor<String>;
