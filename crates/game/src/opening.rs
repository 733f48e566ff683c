//! The [`Opening`] of a game: its seats and terms. It is event number 0 of every game.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::seat::all_taken;
use crate::{Players, Seats, Terms, Timestamp, bounded, serde_impls};

/// The start of a game.
///
/// ```
/// use touchmove_game::{Opening, Players, Terms, Timestamp};
/// use touchmove_rules::Variant;
///
/// let opening = Opening::of(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// let line = serde_json::to_string(&opening).unwrap();
/// assert!(line.starts_with(r#"{"v":1,"seq":0,"at":0,"event":"started","white":"""#));
/// assert_eq!(serde_json::from_str::<Opening>(&line).unwrap(), opening);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The moment it began.
    pub at: Timestamp,
    /// The seats.
    pub seats: Seats,
    /// The terms.
    pub terms: Terms,
}

impl Opening {
    /// The opening of a game between two seated players.
    #[must_use]
    pub fn of(terms: Terms, players: Players, at: Timestamp) -> Opening {
        Opening {
            at,
            seats: all_taken(players),
            terms,
        }
    }
}

/// The event's name in the journal.
const STARTED_EVENT_NAME: &str = "started";

impl Serialize for Opening {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::Error;
        let value = |value: Result<Value, serde_json::Error>| value.map_err(S::Error::custom);
        let fields = [
            ("seq", Value::from(0)),
            ("at", Value::from(self.at.0)),
            ("event", Value::from(STARTED_EVENT_NAME)),
            ("white", value(serde_json::to_value(&self.seats.white))?),
            ("black", value(serde_json::to_value(&self.seats.black))?),
            ("terms", value(serde_json::to_value(&self.terms))?),
        ];
        let fields = fields.map(|(name, value)| (name.to_owned(), value));
        serde_impls::with_version(fields).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Opening {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Opening, D::Error> {
        use serde::de::Error;
        let object = bounded::object(deserializer)?;
        read(object).map_err(D::Error::custom)
    }
}

/// Parses an opening; the error is a sentence.
pub(crate) fn read(mut object: Map<String, Value>) -> Result<Opening, String> {
    serde_impls::check_version(&mut object)?;
    let seq: u64 = serde_impls::take(&mut object, "seq")?;
    let event: String = serde_impls::take(&mut object, "event")?;
    if seq != 0 || event != STARTED_EVENT_NAME {
        return Err(format!(
            "a game begins with event 0, {STARTED_EVENT_NAME:?}"
        ));
    }
    let opening = Opening {
        at: serde_impls::take(&mut object, "at")?,
        seats: Seats {
            white: serde_impls::take(&mut object, "white")?,
            black: serde_impls::take(&mut object, "black")?,
        },
        terms: serde_impls::take(&mut object, "terms")?,
    };
    match object.keys().next() {
        None => Ok(opening),
        Some(key) => Err(format!("unknown field `{key}`")),
    }
}
