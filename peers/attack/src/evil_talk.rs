//! What an evil server says of a table: as the real one does it, so that the program believes it, with an evil text in
//! every place.

use serde_json::{Value, json};
use touchmove_game::{Opening, Players, Terms, Timestamp, journal};
use touchmove_rules::Variant;

use crate::harm::EVIL;

/// Harms nobody, and is said last: who shows it has read everything before it.
pub const LAST: &str = "SAIDLAST";
/// The same in sentences of refusals, and in how everything stands.
pub const REFUSAL: &str = "SAIDNO";
/// The table that the program is led to.
pub const GAME: &str = "Ab3dE6gH";

/// An evil text, and a line of its own.
pub fn evil_text() -> String {
    format!("{EVIL}\r\nFAKE PROMPT$ ")
}

/// The opening of a game between evil names, as the server writes it.
fn opening() -> Opening {
    let players = Players {
        white: evil_text(),
        black: evil_text(),
    };
    Opening::of(Terms::of(Variant::Chess), players, Timestamp(0))
}

/// The journal of that game, which White gives up at once or not.
pub fn evil_journal(is_over: bool) -> String {
    let mut text = journal::write(&opening(), &[]);
    if is_over {
        let end = json!({
            "v": 1, "seq": 1, "at": 1, "by": "white", "event": "ended", "status": "resignation",
            "winner": "black", "result": "0-1", "text": "White has resigned.",
        });
        text += &format!("{end}\n");
    }
    text
}

/// How the game stands, in an object of a message.
fn standing(seq: u64) -> Value {
    json!({
        "v": 1, "seq": seq, "at": seq, "variant": "chess",
        "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "turn": "white", "check": false,
        "plies": 0, "last_move": null, "status": "ongoing", "winner": null, "result": "*",
        "explanation": evil_text(), "players": {"white": evil_text(), "black": evil_text()}, "clocks": null,
        "running": false, "deadline": null, "flag": null, "held": null, "claims": [],
        "offers": {"draw": null, "takeback": null},
    })
}

/// How everything stands at the table with this name, for somebody who plays White.
pub fn state(game: &str, is_over: bool) -> String {
    let line = journal::write(&opening(), &[]);
    let opening: Value = serde_json::from_str(line.trim()).unwrap_or_default();
    json!({
        "v": 1, "type": "state", "game": game, "you": "white", "terms": opening["terms"], "started": 0,
        "history": [], "state": standing(u64::from(is_over)), "moves": ["a2a3", evil_text()],
        "presence": {"at": 0, "white_away": null, "black_away": 0, "watching": u32::MAX},
        "open": {"white": false, "black": false},
        "chat": [{"room": "players", "number": 1, "at": 0, "name": evil_text(), "text": evil_text()}],
        "rematch": {"offer": null, "game": evil_text()},
    })
    .to_string()
}

/// A line of chat.
pub fn chat(name: &str, text: &str) -> String {
    let chat = json!({"v": 1, "type": "chat", "room": "players", "number": 2, "at": 0, "name": name, "text": text});
    chat.to_string()
}

/// Another game has begun.
pub fn rematch(game: &str) -> String {
    json!({"v": 1, "type": "rematch", "offer": null, "game": game}).to_string()
}

/// Everything that is said at a table, evil, and what harms nobody last.
pub fn talk() -> Vec<String> {
    let evil = evil_text();
    let moved = json!({
        "v": 1, "seq": 1, "at": 1, "by": "white", "event": "moved", "move": "e2e4", "san": evil, "id": "m1",
    });
    let messages = [
        json!({"v": 1, "type": evil, "text": evil}),
        json!({"v": 1, "type": "answer", "id": "1", "accepted": false, "reason": evil, "text": evil,
               "squares": [evil], "did_you_mean": [evil]}),
        json!({"v": 1, "type": "answer", "id": null, "accepted": false, "reason": evil, "text": evil,
               "squares": ["e2", evil], "did_you_mean": ["e2e4", evil]}),
        json!({"v": 1, "type": "decided", "events": [moved], "state": standing(1), "moves": []}),
        json!({"v": 1, "type": "decided", "events": [], "state": {
            "seq": 1, "at": 1, "proved": false, "explanation": evil}}),
        json!({"v": 1, "type": "presence", "at": 0, "white_away": null, "black_away": null, "watching": 3}),
        json!({"v": 1, "type": "rematch", "offer": "black", "game": evil}),
        json!({"v": 1, "type": "pong", "id": evil, "at": 0, "trip": null}),
    ];
    let mut said = vec![state(GAME, false), chat(&evil, &evil)];
    said.extend(messages.iter().map(Value::to_string));
    said.push(chat("Eve", LAST));
    said
}
