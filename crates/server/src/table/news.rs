//! What a table tells those who listen. The text for a WebSocket is made once, for everybody.

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use touchmove_game::protocol::State;
use touchmove_game::{Event, Game, Timestamp, VERSION};
use touchmove_rules::Color;
use touchmove_store::Room;

use super::talk::Said;
use super::{Attendance, Core};

/// Bytes that most messages fit in.
const ROOM: usize = 1_024;

/// Where somebody is at a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// In a seat.
    Seat(Color),
    /// Around it.
    Watching,
}

impl Place {
    /// The seat, if it is one.
    #[must_use]
    pub const fn color(self) -> Option<Color> {
        match self {
            Place::Seat(color) => Some(color),
            Place::Watching => None,
        }
    }
}

/// For whom something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Everybody.
    All,
    /// The two players.
    Players,
    /// Those who watch.
    Watching,
}

impl Audience {
    const fn has(self, place: Place) -> bool {
        match self {
            Audience::All => true,
            Audience::Players => matches!(place, Place::Seat(_)),
            Audience::Watching => matches!(place, Place::Watching),
        }
    }
}

impl From<Room> for Audience {
    fn from(room: Room) -> Audience {
        match room {
            Room::Players => Audience::Players,
            Room::Spectators => Audience::Watching,
        }
    }
}

/// Something that a table tells.
#[derive(Clone, Debug)]
pub struct News {
    /// What happened in the game; nothing where it is about something else.
    pub events: Vec<Event>,
    audience: Audience,
    text: Utf8Bytes,
    /// The same for the player on move, who is also told his legal moves.
    on_move: Option<(Color, Utf8Bytes)>,
    said: Option<Said>,
}

/// A message to a client as text: its version and its type, and what the body has, which is an object.
pub(crate) fn message(kind: &'static str, body: impl Serialize) -> String {
    let mut text = Vec::with_capacity(ROOM);
    text.extend_from_slice(format!("{{\"v\":{VERSION},\"type\":\"{kind}\"").as_bytes());
    let end = text.len();
    // Only maps with keys that are no texts cannot be written, and there is none.
    let written = serde_json::to_writer(&mut text, &body);
    debug_assert!(written.is_ok() && text[end] == b'{', "a body is an object");
    // The body goes on where the head ends.
    if text.ends_with(b"{}") && text.len() == end + 2 {
        text.remove(end);
    } else if let Some(brace) = text.get_mut(end) {
        *brace = b',';
    }
    String::from_utf8(text).unwrap_or_default()
}

#[derive(Serialize)]
struct Decided {
    state: State,
}

#[derive(Serialize)]
struct Attending {
    at: Timestamp,
    #[serde(flatten)]
    attendance: Attendance,
}

impl News {
    /// What happened in a game, and how it stands now. The events are also there as the store keeps them.
    #[must_use]
    pub(super) fn decided(core: &Core, now: Timestamp, events: Vec<Event>, written: &str) -> News {
        let (game, state) = (&core.game, core.state(now));
        let (turn, is_over) = (
            state.turn,
            state.winner.is_some() || state.status != "ongoing",
        );
        let mut text = message("decided", Decided { state });
        insert(&mut text, "events", &list(written));
        let on_move = (!is_over).then(|| {
            let mut text = text.clone();
            insert(&mut text, "moves", &moves(game));
            (turn, text.into())
        });
        News {
            audience: Audience::All,
            text: text.into(),
            on_move,
            events,
            said: None,
        }
    }

    /// Who is there now.
    #[must_use]
    pub fn presence(attendance: Attendance, at: Timestamp) -> News {
        News::plain(
            Audience::All,
            message("presence", Attending { at, attendance }),
        )
    }

    /// Something that is not about the game itself.
    #[must_use]
    pub fn plain(audience: Audience, text: String) -> News {
        News {
            events: Vec::new(),
            audience,
            text: text.into(),
            on_move: None,
            said: None,
        }
    }

    /// What somebody says in a room.
    pub(super) fn chat(room: Room, said: Said) -> News {
        News {
            said: Some(said.clone()),
            ..News::plain(Audience::from(room), message("chat", said))
        }
    }

    /// What was said, if it is about that.
    pub(crate) const fn said(&self) -> Option<&Said> {
        self.said.as_ref()
    }

    /// What somebody in this place is told; nothing if it is not for him.
    #[must_use]
    pub fn text_for(&self, place: Place) -> Option<Utf8Bytes> {
        let mover = self.on_move.as_ref();
        match mover.filter(|(color, _)| place == Place::Seat(*color)) {
            Some((_, text)) => Some(text.clone()),
            None => self.audience.has(place).then(|| self.text.clone()),
        }
    }
}

/// Lines of JSON as one list.
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
            let attempt = position.uci(mv);
            for square in [attempt.from, attempt.to] {
                list.push(square.file().char());
                list.push(square.rank().char());
            }
            if let Some(promotion) = attempt.promotion {
                list.push(promotion.char().to_ascii_lowercase());
            }
            list.push('"');
        }
    }
    list.push(']');
    list
}

/// Puts one more field at the end of an object.
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
