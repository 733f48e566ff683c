//! The messages of a server, as they are written. Types and keys that are not known are passed over.

use serde::Deserialize;
use touchmove_game::{Event, Timestamp, VERSION};
use touchmove_rules::Color;

use crate::Trouble;
use crate::event::{Attendance, Denied, Remark, Rematch};
use crate::foreign::{self, sentence};

/// A message.
pub(crate) enum Message {
    State(Box<Standing>),
    Decided(Decided),
    Answer(Answer),
    Attendance(Attendance),
    Remark(Remark),
    Rematch(Rematch),
    Pong(Pong),
    Other,
}

/// What a `state` message has.
#[derive(Deserialize)]
pub(crate) struct Standing {
    pub(crate) you: Option<Color>,
    pub(crate) state: State,
    pub(crate) events: Option<Vec<Event>>,
    #[serde(default)]
    pub(crate) presence: Attendance,
    #[serde(default)]
    pub(crate) chat: Vec<Remark>,
    #[serde(default)]
    pub(crate) rematch: Option<Rematch>,
}

/// What is needed of how a game stands: the rest follows from its events.
#[derive(Deserialize)]
pub(crate) struct State {
    pub(crate) seq: u64,
    pub(crate) at: Timestamp,
    #[serde(default, deserialize_with = "foreign::line")]
    pub(crate) explanation: String,
    /// Only there where it is not so.
    #[serde(default = "usually")]
    pub(crate) proved: bool,
}

const fn usually() -> bool {
    true
}

/// What a `decided` message has.
#[derive(Deserialize)]
pub(crate) struct Decided {
    pub(crate) events: Vec<Event>,
    pub(crate) state: State,
}

/// What an `answer` has.
#[derive(Deserialize)]
pub(crate) struct Answer {
    pub(crate) id: Option<String>,
    pub(crate) accepted: bool,
    /// Read apart: flattened, everything else in the message would be held in memory first.
    #[serde(skip)]
    pub(crate) denied: Denied,
}

impl Answer {
    fn read(text: &str) -> serde_json::Result<Answer> {
        let answer: Answer = serde_json::from_str(text)?;
        let denied = serde_json::from_str(text)?;
        Ok(Answer { denied, ..answer })
    }
}

/// What a `pong` has.
#[derive(Deserialize)]
pub(crate) struct Pong {
    pub(crate) id: Option<String>,
}

/// The head of every message.
#[derive(Deserialize)]
struct Head {
    v: u64,
    #[serde(rename = "type")]
    kind: String,
}

impl Message {
    /// Reads a message: first only its head, then only what a message of its kind has. The rest is passed over and
    /// takes no memory.
    pub(crate) fn read(text: &str) -> Result<Message, Trouble> {
        let wrong = |error: serde_json::Error| {
            Trouble::Final(format!(
                "the server says something that this program does not understand: {}",
                sentence(&error.to_string())
            ))
        };
        let head: Head = serde_json::from_str(text).map_err(wrong)?;
        if head.v != VERSION {
            return Err(Trouble::Final(format!(
                "the server speaks version {} of the live protocol, this program version {VERSION}: \
                 one of them is too old",
                head.v
            )));
        }
        let read = match head.kind.as_str() {
            "state" => serde_json::from_str(text).map(Message::State),
            "decided" => serde_json::from_str(text).map(Message::Decided),
            "answer" => Answer::read(text).map(Message::Answer),
            "presence" => serde_json::from_str(text).map(Message::Attendance),
            "chat" => serde_json::from_str(text).map(Message::Remark),
            "rematch" => serde_json::from_str(text).map(Message::Rematch),
            "pong" => serde_json::from_str(text).map(Message::Pong),
            _ => Ok(Message::Other),
        };
        read.map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_passed_over_and_another_version_is_told() {
        let other = Message::read(r#"{"v":1,"type":"weather","sun":true}"#);
        assert!(matches!(other, Ok(Message::Other)));
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
            let Err(trouble) = Message::read(text) else {
                panic!("{text}");
            };
            assert!(trouble.to_string().contains(says), "{text}: {trouble}");
        }
    }
}
