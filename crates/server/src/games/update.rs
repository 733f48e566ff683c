//! What a table broadcasts to its connections. The socket message and the stream line are built once each, for all
//! connections, and only if there is one of that kind.

use std::sync::OnceLock;

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use touchmove_game::protocol::State;
use touchmove_game::{Event, FORMAT_VERSION, Game, Timestamp};
use touchmove_rules::Color;
use touchmove_store::ChatRoom;

use crate::games::chat::ChatMessage;
use crate::games::listeners::{ListenerKind, Listeners};
use crate::games::stream_state::{Standing, push_uci};
use crate::games::table::{LiveGame, PresenceSummary};

/// Most messages fit into this capacity.
const MESSAGE_CAPACITY_BYTES: usize = 1_024;

/// The role of a viewer at a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ViewerRole {
    /// A player.
    Seat(Color),
    /// A spectator.
    Watching,
}

impl ViewerRole {
    /// The player's colour.
    #[must_use]
    pub const fn color(self) -> Option<Color> {
        match self {
            ViewerRole::Seat(color) => Some(color),
            ViewerRole::Watching => None,
        }
    }
}

/// Who receives an update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Everybody.
    All,
    /// The two players.
    Players,
    /// The spectators.
    Watching,
}

impl Audience {
    const fn has(self, place: ViewerRole) -> bool {
        match self {
            Audience::All => true,
            Audience::Players => matches!(place, ViewerRole::Seat(_)),
            Audience::Watching => matches!(place, ViewerRole::Watching),
        }
    }
}

impl From<ChatRoom> for Audience {
    fn from(room: ChatRoom) -> Audience {
        match room {
            ChatRoom::Players => Audience::Players,
            ChatRoom::Spectators => Audience::Watching,
        }
    }
}

/// One update from a table.
#[derive(Clone, Debug)]
pub struct TableUpdate {
    /// The events of the game; empty where it is about something else.
    pub events: Vec<Event>,
    audience: Audience,
    /// The socket message, if sockets listen.
    text: Option<Utf8Bytes>,
    /// The same for the player on move, with their legal moves.
    on_move: Option<(Color, Utf8Bytes)>,
    chat_message: Option<ChatMessage>,
    /// The state of the game, if streams listen.
    standing: Option<Standing>,
    /// The stream line, built by the first stream that needs it.
    line: OnceLock<Bytes>,
    is_reset: bool,
}

/// A message to a client: its version and type, and the fields of the body, which is an object.
pub(crate) fn message(kind: &'static str, body: impl Serialize) -> String {
    let mut text = Vec::with_capacity(MESSAGE_CAPACITY_BYTES);
    text.extend_from_slice(format!("{{\"v\":{FORMAT_VERSION},\"type\":\"{kind}\"").as_bytes());
    let end = text.len();
    // Serialisation fails only for maps with keys that are not strings; there are none.
    let written = serde_json::to_writer(&mut text, &body);
    debug_assert!(written.is_ok() && text[end] == b'{', "a body is an object");
    // The fields of the body follow those of the head.
    if text.ends_with(b"{}") && text.len() == end + 2 {
        text.remove(end);
    } else if let Some(brace) = text.get_mut(end) {
        *brace = b',';
    }
    String::from_utf8(text).unwrap_or_default()
}

#[derive(Serialize)]
struct DecidedMessage {
    state: State,
}

#[derive(Serialize)]
struct PresenceMessage {
    at: Timestamp,
    #[serde(flatten)]
    attendance: PresenceSummary,
}

impl TableUpdate {
    /// Events of a game, and its state after them. The events are also passed in the store's format.
    #[must_use]
    pub(super) fn decided(
        core: &LiveGame,
        now: Timestamp,
        events: Vec<Event>,
        written: &str,
        listeners: &Listeners,
    ) -> TableUpdate {
        let mut news = TableUpdate {
            events,
            audience: Audience::All,
            text: None,
            on_move: None,
            chat_message: None,
            standing: None,
            line: OnceLock::new(),
            is_reset: false,
        };
        if listeners.has(ListenerKind::Socket) {
            news.write_message(core, now, written);
        }
        if listeners.has(ListenerKind::Stream) {
            news.standing = Some(Standing::of(core, now));
        }
        news
    }

    /// Builds the socket message.
    fn write_message(&mut self, core: &LiveGame, now: Timestamp, written: &str) {
        let (game, state) = (&core.game, core.state(now));
        let (turn, is_over) = (
            state.turn,
            state.winner.is_some() || state.status != "ongoing",
        );
        let mut text = message("decided", DecidedMessage { state });
        insert(&mut text, "events", &list(written));
        self.on_move = (!is_over).then(|| {
            let mut text = text.clone();
            insert(&mut text, "moves", &moves(game));
            (turn, text.into())
        });
        self.text = Some(text.into());
    }

    /// The presence has changed.
    #[must_use]
    pub fn presence(attendance: PresenceSummary, at: Timestamp) -> TableUpdate {
        TableUpdate::other(
            Audience::All,
            message("presence", PresenceMessage { at, attendance }),
        )
    }

    /// A message that is not about the game itself.
    #[must_use]
    pub fn other(audience: Audience, text: String) -> TableUpdate {
        TableUpdate {
            events: Vec::new(),
            audience,
            text: Some(text.into()),
            on_move: None,
            chat_message: None,
            standing: None,
            line: OnceLock::new(),
            is_reset: false,
        }
    }

    /// Memory did not agree with the store and the game was loaded anew: all connections need the whole state.
    pub(super) fn reset() -> TableUpdate {
        TableUpdate {
            is_reset: true,
            ..TableUpdate::other(Audience::All, String::new())
        }
    }

    /// Whether the whole state must be sent.
    pub(crate) const fn is_reset(&self) -> bool {
        self.is_reset
    }

    /// A chat line in a room.
    pub(super) fn chat(room: ChatRoom, said: ChatMessage) -> TableUpdate {
        TableUpdate {
            chat_message: Some(said.clone()),
            ..TableUpdate::other(Audience::from(room), message("chat", said))
        }
    }

    /// The chat line, if it is one.
    pub(crate) const fn chat_message(&self) -> Option<&ChatMessage> {
        self.chat_message.as_ref()
    }

    /// The message for a viewer in this role; `None` if they do not receive it.
    #[must_use]
    pub fn text_for(&self, place: ViewerRole) -> Option<Utf8Bytes> {
        let mover = self.on_move.as_ref();
        match mover.filter(|(color, _)| place == ViewerRole::Seat(*color)) {
            Some((_, text)) => Some(text.clone()),
            None => self.text.clone().filter(|_| self.audience.has(place)),
        }
    }

    /// The state of the game with its stream line; `None` if the update is about something else. The first stream
    /// builds the line, and the others send the same bytes.
    pub(crate) fn line(
        &self,
        write: impl FnOnce(&Standing) -> Bytes,
    ) -> Option<(&Standing, Bytes)> {
        let standing = self.standing.as_ref()?;
        let line = self.line.get_or_init(|| write(standing));
        Some((standing, line.clone()))
    }
}

/// Lines of JSON as one JSON list.
fn list(lines: &str) -> String {
    let mut list = String::with_capacity(lines.len() + 2);
    list.push('[');
    for (index, line) in lines.lines().enumerate() {
        if index > 0 {
            list.push(',');
        }
        list.push_str(line);
    }
    list.push(']');
    list
}

/// The legal moves of the player on move in UCI, as a JSON list.
pub(crate) fn moves(game: &Game) -> String {
    let mut list = String::from("[");
    if game.ending().is_none() && game.flag().is_none() {
        let position = game.position();
        let moves = position.legal_moves();
        list.reserve(moves.len() * 8);
        for (index, &mv) in moves.iter().enumerate() {
            list.push_str(if index > 0 { ",\"" } else { "\"" });
            push_uci(&mut list, position.uci(mv));
            list.push('"');
        }
    }
    list.push(']');
    list
}

/// Appends a field to an object.
pub(crate) fn insert(object: &mut String, name: &str, value: &str) {
    object.pop();
    object.reserve(name.len() + value.len() + 5);
    for part in [",\"", name, "\":", value, "}"] {
        object.push_str(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Nothing {}

    #[derive(Serialize)]
    struct Move {
        san: &'static str,
    }

    #[test]
    fn a_message_has_its_head_and_what_its_body_has() {
        assert_eq!(message("pong", Nothing {}), r#"{"v":1,"type":"pong"}"#);
        assert_eq!(
            message("moved", Move { san: "e4" }),
            r#"{"v":1,"type":"moved","san":"e4"}"#
        );
    }
}
