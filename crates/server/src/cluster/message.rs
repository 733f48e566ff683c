//! Cluster messages: what nodes publish to each other. They are hints: what matters is in the store, and a message
//! that is lost, late or repeated does no harm. Unknown messages are ignored.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use touchmove_game::Timestamp;
use touchmove_rules::Color;
use touchmove_store::{Digest, GameId, Holder};

use crate::lobby::LobbyNotice;

/// A message from one node to all others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClusterMessage {
    /// A decision was stored.
    Decided {
        #[serde(with = "plain")]
        game: GameId,
        /// The numbers of its first and last events.
        first: u64,
        last: u64,
        /// Its events, in the store's format.
        text: String,
    },
    /// A chat line at a table.
    Chat {
        #[serde(with = "plain")]
        game: GameId,
        is_players: bool,
        number: u64,
        at: Timestamp,
        name: String,
        text: String,
    },
    /// The state of a rematch.
    Rematch {
        #[serde(with = "plain")]
        game: GameId,
        offer: Option<Color>,
        /// Whether the rematch has begun.
        is_begun: bool,
    },
    /// Who is present at a table through the sending node.
    There {
        #[serde(with = "plain")]
        game: GameId,
        white: bool,
        black: bool,
        watching: usize,
    },
    /// Asks who is present at a table. It goes through the store if something depends on the answer: there it is not
    /// lost.
    Who {
        #[serde(with = "plain")]
        game: GameId,
        #[serde(default)]
        through_store: bool,
    },
    /// A lobby notice for one account or guest.
    Note { to: HolderKey, note: LobbyNotice },
    /// Offers have changed.
    Stir,
    /// Who is in the lobby through the sending node.
    Here { holders: Vec<HolderKey> },
    /// Asks which of these are in the lobby, through the store.
    AreHere { holders: Vec<HolderKey> },
    /// A token has opened an event stream; its streams on other nodes end.
    Stream { token: HashKey },
    /// The node is alive, and receives messages through the database only.
    Alive,
    /// The node is alive. This is sent by NATS and through the database, so that a node that misses NATS messages
    /// notices.
    Heartbeat,
    /// A revocation was stored.
    Revoked,
}

/// An account or guest as one string.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct HolderKey(pub(crate) Holder);

/// The hash of a secret as one string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HashKey(pub(crate) Digest);

/// The prefix of an account's id.
const PERSON_KEY_PREFIX: &str = "person ";

/// A hash in hexadecimal digits.
pub(super) fn hex(Digest(bytes): &Digest) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Parses a hash from hexadecimal digits.
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

/// Serialises ids as their text.
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
