//! Messages of a server, parsed from JSON. Unknown types and keys are ignored.

use serde::Deserialize;
use touchmove_game::{Event, FORMAT_VERSION, Timestamp};
use touchmove_rules::Color;

use crate::Error;
use crate::event::{ChatMessage, PresenceSummary, ReceivedRefusal, RematchState};
use crate::foreign::{self, sentence};

/// A message of a server.
pub(crate) enum ServerMessage {
    State(Box<StateMessage>),
    Decided(DecidedMessage),
    Answer(AnswerMessage),
    Attendance(PresenceSummary),
    Remark(ChatMessage),
    Rematch(RematchState),
    Pong(PongMessage),
    Other,
}

/// A `state` message.
#[derive(Deserialize)]
pub(crate) struct StateMessage {
    pub(crate) you: Option<Color>,
    pub(crate) state: StateBody,
    pub(crate) events: Option<Vec<Event>>,
    #[serde(default)]
    pub(crate) presence: PresenceSummary,
    #[serde(default)]
    pub(crate) chat: Vec<ChatMessage>,
    #[serde(default)]
    pub(crate) rematch: Option<RematchState>,
}

/// The fields of the game's state that are needed: the rest follows from the events.
#[derive(Deserialize)]
pub(crate) struct StateBody {
    pub(crate) seq: u64,
    pub(crate) at: Timestamp,
    #[serde(default, deserialize_with = "foreign::line")]
    pub(crate) explanation: String,
    /// Present only if it is false.
    #[serde(default = "usually")]
    pub(crate) proved: bool,
}

const fn usually() -> bool {
    true
}

/// A `decided` message.
#[derive(Deserialize)]
pub(crate) struct DecidedMessage {
    pub(crate) events: Vec<Event>,
    pub(crate) state: StateBody,
}

/// An `answer` message.
#[derive(Deserialize)]
pub(crate) struct AnswerMessage {
    pub(crate) id: Option<String>,
    pub(crate) accepted: bool,
    /// Parsed separately: with `flatten`, serde would buffer all other fields of the message in memory.
    #[serde(skip)]
    pub(crate) denied: ReceivedRefusal,
}

impl AnswerMessage {
    fn read(text: &str) -> serde_json::Result<AnswerMessage> {
        let answer: AnswerMessage = serde_json::from_str(text)?;
        let denied = serde_json::from_str(text)?;
        Ok(AnswerMessage { denied, ..answer })
    }
}

/// A `pong` message.
#[derive(Deserialize)]
pub(crate) struct PongMessage {
    pub(crate) id: Option<String>,
}

/// The header that every message has.
#[derive(Deserialize)]
struct MessageHeader {
    v: u64,
    #[serde(rename = "type")]
    kind: String,
}

impl ServerMessage {
    /// Parses a message: first only its header, then only the fields of its type. The rest is skipped and takes
    /// no memory.
    pub(crate) fn read(text: &str) -> Result<ServerMessage, Error> {
        let wrong = |error: serde_json::Error| {
            Error::Final(format!(
                "the server says something that this program does not understand: {}",
                sentence(&error.to_string())
            ))
        };
        let head: MessageHeader = serde_json::from_str(text).map_err(wrong)?;
        if head.v != FORMAT_VERSION {
            return Err(Error::Final(format!(
                "the server speaks version {} of the live protocol, this program version {FORMAT_VERSION}: \
                 one of them is too old",
                head.v
            )));
        }
        let read = match head.kind.as_str() {
            "state" => serde_json::from_str(text).map(ServerMessage::State),
            "decided" => serde_json::from_str(text).map(ServerMessage::Decided),
            "answer" => AnswerMessage::read(text).map(ServerMessage::Answer),
            "presence" => serde_json::from_str(text).map(ServerMessage::Attendance),
            "chat" => serde_json::from_str(text).map(ServerMessage::Remark),
            "rematch" => serde_json::from_str(text).map(ServerMessage::Rematch),
            "pong" => serde_json::from_str(text).map(ServerMessage::Pong),
            _ => Ok(ServerMessage::Other),
        };
        read.map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_passed_over_and_another_version_is_told() {
        let other = ServerMessage::read(r#"{"v":1,"type":"weather","sun":true}"#);
        assert!(matches!(other, Ok(ServerMessage::Other)));
        for (text, says) in [
            (r#"{"v":2,"type":"state"}"#, "version 2"),
            (r#"{"type":"state"}"#, "missing field `v`"),
            (
                r#"{"v":1,"type":"decided","events":5}"#,
                "does not understand",
            ),
            ("[1]", "does not understand"),
            ("", "does not understand"),
        ] {
            let Err(trouble) = ServerMessage::read(text) else {
                panic!("{text}");
            };
            assert!(trouble.to_string().contains(says), "{text}: {trouble}");
        }
    }
}
