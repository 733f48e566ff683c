//! What nodes of one house say to each other. It is all hints: what matters is in the store, and a word that
//! gets lost, comes late or comes twice does no harm. A node does not mind words that it does not know.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use touchmove_game::Timestamp;
use touchmove_rules::Color;
use touchmove_store::{Digest, GameId, Holder};

use crate::lobby::LobbyNotice;

/// Something that one node says to all others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClusterMessage {
    /// A decision is in the store.
    Decided {
        #[serde(with = "plain")]
        game: GameId,
        /// The numbers of its first and its last event.
        first: u64,
        last: u64,
        /// Its events, as the store keeps them.
        text: String,
    },
    /// Somebody said something at a table.
    Chat {
        #[serde(with = "plain")]
        game: GameId,
        is_players: bool,
        number: u64,
        at: Timestamp,
        name: String,
        text: String,
    },
    /// How it stands with playing again.
    Rematch {
        #[serde(with = "plain")]
        game: GameId,
        offer: Option<Color>,
        /// Whether the next game is there.
        is_begun: bool,
    },
    /// Who is at a table, by way of the node that says so.
    There {
        #[serde(with = "plain")]
        game: GameId,
        white: bool,
        black: bool,
        watching: usize,
    },
    /// A node would like to know who is at a table. Through the store, if something depends on the answer: there it
    /// does not get lost.
    Who {
        #[serde(with = "plain")]
        game: GameId,
        #[serde(default)]
        through_store: bool,
    },
    /// Something for somebody.
    Note { to: HolderKey, note: LobbyNotice },
    /// Offers have changed.
    Stir,
    /// Who is in the lobby, by way of the node that says so.
    Here { holders: Vec<HolderKey> },
    /// A node would like to know which of these are in the lobby, through the store.
    AreHere { holders: Vec<HolderKey> },
    /// A token has opened a stream; those that it has elsewhere end.
    Stream { token: HashKey },
    /// The node is there, and hears what is said through the database only.
    Alive,
    /// The node is there. It says so by NATS and through the database, so that whoever hears less by NATS finds out.
    Heartbeat,
    /// Somebody's right has ended: it is in the store.
    Revoked,
}

/// Somebody, as one word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct HolderKey(pub(crate) Holder);

/// The hash of a secret, as one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HashKey(pub(crate) Digest);

/// What stands before the id of a person.
const PERSON_KEY_PREFIX: &str = "person ";

/// A hash in hexadecimal digits.
pub(super) fn hex(Digest(bytes): &Digest) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash that these digits are.
pub(super) fn digest(text: &str) -> Option<Digest> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(Digest(bytes))
}

impl Serialize for HolderKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Holder::Person(person) => {
                serializer.collect_str(&format_args!("{PERSON_KEY_PREFIX}{person}"))
            }
            Holder::Guest(secret) => serializer.serialize_str(&hex(secret)),
        }
    }
}

impl<'de> Deserialize<'de> for HolderKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HolderKey, D::Error> {
        let text = String::deserialize(deserializer)?;
        let holder = match text.strip_prefix(PERSON_KEY_PREFIX) {
            Some(person) => person.parse().ok().map(Holder::Person),
            None => digest(&text).map(Holder::Guest),
        };
        holder
            .map(HolderKey)
            .ok_or_else(|| D::Error::custom("nobody"))
    }
}

impl Serialize for HashKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for HashKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HashKey, D::Error> {
        let text = String::deserialize(deserializer)?;
        digest(&text)
            .map(HashKey)
            .ok_or_else(|| D::Error::custom("no hash"))
    }
}

/// Ids as their texts.
pub(crate) mod plain {
    use super::*;

    pub(crate) fn serialize<T: Display, S: Serializer>(
        id: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(id)
    }

    pub(crate) fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| D::Error::custom("no id"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        let game: GameId = "q7LmZx04".parse().unwrap();
        let person = HolderKey(Holder::Person("0000Anna".parse().unwrap()));
        let guest = HolderKey(Holder::Guest(Digest([0xa7; 32])));
        let declined = LobbyNotice::Declined {
            challenge: "AbCdEfGh".parse().unwrap(),
            reason: "later".to_owned(),
        };
        let words = [
            ClusterMessage::Who {
                game,
                through_store: true,
            },
            ClusterMessage::AreHere {
                holders: vec![guest],
            },
            ClusterMessage::Heartbeat,
            ClusterMessage::Stir,
            ClusterMessage::Here {
                holders: vec![person, guest],
            },
            ClusterMessage::Note {
                to: guest,
                note: LobbyNotice::Over(game),
            },
            ClusterMessage::Note {
                to: person,
                note: declined,
            },
            ClusterMessage::Rematch {
                game,
                offer: Some(Color::Black),
                is_begun: false,
            },
            ClusterMessage::Stream {
                token: HashKey(Digest([1; 32])),
            },
        ];
        for word in words {
            let text = serde_json::to_string(&word).unwrap();
            assert_eq!(
                serde_json::from_str::<ClusterMessage>(&text).unwrap(),
                word,
                "{text}"
            );
        }
    }

    #[test]
    fn nonsense_is_nobody() {
        for text in ["\"\"", "\"person anna\"", "\"zz\"", "7"] {
            assert!(serde_json::from_str::<HolderKey>(text).is_err(), "{text}");
        }
        let strange = format!("\"{}\"", "é".repeat(32));
        assert!(serde_json::from_str::<HolderKey>(&strange).is_err());
        assert!(serde_json::from_str::<ClusterMessage>(r#"{"sing":{}}"#).is_err());
    }
}
