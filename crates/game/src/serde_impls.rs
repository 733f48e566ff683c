//! Serde implementations of single values: moves in UCI, draw claims by name, and the version field that
//! every serialised value carries. `docs/JOURNAL.md` describes the format.

use std::borrow::Cow;

use serde::de::{DeserializeOwned, Error};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use touchmove_text::sanitize_line_to;

use crate::bounded;
use crate::{
    Actor, Command, CommandEnvelope, CommandId, Event, EventKind, MAX_NAME_CHARS, Millis, Timestamp,
};

/// The version of everything that is written now.
pub const FORMAT_VERSION: u64 = 1;

/// Deserialises a text that is shown to people, as one sanitised line: its author may be a stranger.
pub(crate) fn line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(harmless(text))
}

/// Deserialises a player's name, cut by [`name_of`].
pub(crate) fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(name_of(text))
}

/// A player's name: one sanitised line of at most [`MAX_NAME_CHARS`](crate::MAX_NAME_CHARS).
pub(crate) fn name_of(text: String) -> String {
    match sanitize_line_to(&text, MAX_NAME_CHARS) {
        Cow::Borrowed(_) => text,
        Cow::Owned(clean) => clean,
    }
}

/// Sanitises a text to one line of any length.
fn harmless(text: String) -> String {
    match sanitize_line_to(&text, usize::MAX) {
        Cow::Borrowed(_) => text,
        Cow::Owned(clean) => clean,
    }
}

/// A move in UCI.
pub(crate) mod uci {
    use super::{Deserialize, Deserializer, Error, Serializer};
    use touchmove_rules::UciMove;

    pub(crate) fn serialize<S: Serializer>(mv: &UciMove, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(mv)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<UciMove, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// A move in UCI, or `null`.
pub(crate) mod maybe_uci {
    use super::{Deserialize, Deserializer, Error, Serializer};
    use touchmove_rules::UciMove;

    pub(crate) fn serialize<S: Serializer>(
        mv: &Option<UciMove>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match mv {
            Some(mv) => serializer.collect_str(mv),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<UciMove>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(D::Error::custom))
            .transpose()
    }
}

/// A list of moves in UCI.
pub(crate) mod line {
    use super::{Deserialize, Deserializer, Error, Serializer};
    use touchmove_rules::UciMove;

    pub(crate) fn serialize<S: Serializer>(
        line: &[UciMove],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(line.iter().map(ToString::to_string))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<UciMove>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        let moves = texts.iter().map(|text| text.parse());
        moves
            .collect::<Result<_, _>>()
            .map_err(|error: touchmove_rules::ParseUciError| D::Error::custom(error))
    }
}

/// A draw claim by its name.
pub(crate) mod claim {
    use super::{Deserialize, Deserializer, Error, Serializer};
    use touchmove_rules::DrawClaim;

    pub(crate) fn serialize<S: Serializer>(
        claim: &DrawClaim,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(claim.status())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<DrawClaim, D::Error> {
        let name = String::deserialize(deserializer)?;
        let mut claims = DrawClaim::ALL.into_iter();
        claims
            .find(|claim| claim.status() == name)
            .ok_or_else(|| D::Error::custom(format!("{name:?} is not a claim")))
    }
}

/// Whether a value is omitted.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub(crate) const fn is_zero(time: &Millis) -> bool {
    time.0 == 0
}

/// Takes a field out of an object.
pub(crate) fn take<T: DeserializeOwned>(
    object: &mut Map<String, Value>,
    name: &str,
) -> Result<T, String> {
    take_if_there(object, name)?.ok_or_else(|| format!("missing field `{name}`"))
}

/// Takes a field out of an object, if it is there.
fn take_if_there<T: DeserializeOwned>(
    object: &mut Map<String, Value>,
    name: &str,
) -> Result<Option<T>, String> {
    let value = object.remove(name).map(serde_json::from_value);
    value
        .transpose()
        .map_err(|error| format!("{name}: {error}"))
}

/// Takes the version out of an object; an error if this program does not know it.
pub(crate) fn check_version(object: &mut Map<String, Value>) -> Result<(), String> {
    match object.remove("v") {
        Some(Value::Number(version)) if version.as_u64() == Some(FORMAT_VERSION) => Ok(()),
        Some(version) => Err(format!(
            "it is written in version {version}, and this program reads version {FORMAT_VERSION}"
        )),
        None => Err("it does not say its version \"v\"".to_owned()),
    }
}

/// Puts the version in front of an object.
pub(crate) fn with_version(
    fields: impl IntoIterator<Item = (String, Value)>,
) -> Map<String, Value> {
    let version = ("v".to_owned(), Value::from(FORMAT_VERSION));
    std::iter::once(version).chain(fields).collect()
}

/// Strict deserialisation of internally tagged enums: a variant without fields accepts no other fields.
macro_rules! strictly {
    ($name:ident, $tag:literal) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let object = bounded::object(deserializer)?;
                let stranger = object.keys().find(|key| *key != $tag).cloned();
                let read = $name::deserialize(Value::Object(object)).map_err(D::Error::custom)?;
                match stranger {
                    Some(key) if !read.has_fields() => {
                        Err(D::Error::custom(format!("unknown field `{key}`")))
                    }
                    _ => Ok(read),
                }
            }
        }
    };
}

strictly!(Command, "command");
strictly!(EventKind, "event");

impl Serialize for CommandEnvelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Vec::new();
        if let Some(id) = &self.id {
            fields.push(("id".to_owned(), Value::from(id.to_string())));
        }
        if let Some(seen) = self.seen {
            fields.push(("seen".to_owned(), Value::from(seen)));
        }
        let command = serde_json::to_value(&self.command).map_err(S::Error::custom)?;
        if let Value::Object(command) = command {
            fields.extend(command);
        }
        with_version(fields).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CommandEnvelope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CommandEnvelope, D::Error> {
        let mut object = bounded::object(deserializer)?;
        check_version(&mut object).map_err(D::Error::custom)?;
        Ok(CommandEnvelope {
            id: take_if_there(&mut object, "id").map_err(D::Error::custom)?,
            seen: take_if_there(&mut object, "seen").map_err(D::Error::custom)?,
            command: serde_json::from_value(Value::Object(object)).map_err(D::Error::custom)?,
        })
    }
}

/// The serialised form of an event.
#[derive(Serialize)]
struct EventEnvelope<'a> {
    v: u64,
    seq: u64,
    at: Timestamp,
    by: Actor,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a CommandId>,
    #[serde(flatten)]
    deed: &'a EventKind,
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Event {
            seq, at, by, deed, ..
        } = self;
        EventEnvelope {
            v: FORMAT_VERSION,
            seq: *seq,
            at: *at,
            by: *by,
            id: self.id.as_ref(),
            deed,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Event, D::Error> {
        let object = bounded::object(deserializer)?;
        event(object).map_err(D::Error::custom)
    }
}

/// Parses an event; the error is a sentence.
pub(crate) fn event(mut object: Map<String, Value>) -> Result<Event, String> {
    check_version(&mut object)?;
    let seq = take(&mut object, "seq")?;
    let at: Timestamp = take(&mut object, "at")?;
    let by: Actor = take(&mut object, "by")?;
    let id: Option<CommandId> = take_if_there(&mut object, "id")?;
    let deed: EventKind =
        serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())?;
    Ok(Event {
        seq,
        at,
        by,
        id,
        deed,
    })
}
