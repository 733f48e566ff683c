//! Messages that a program has written itself. A message without an id gets one, so that its answer is
//! recognised and a repeat is not done twice; the program does not see that id.

use serde_json::{Value, json};
use touchmove_game::CommandId;
use touchmove_game::protocol::ClientMessage;

/// The longest message that a server accepts, in bytes.
const MAX_COMMAND_BYTES: usize = 4096;

/// A message of a program as it is sent.
pub(crate) struct OutgoingMessage {
    pub(crate) text: String,
    /// The id by which its answer refers to it. `None` if the server will refuse the message anyway: then a
    /// repeat does no harm.
    pub(crate) id: Option<String>,
    /// Whether its answer is a `state` message, which has no id.
    pub(crate) asks_for_state: bool,
}

impl OutgoingMessage {
    /// The message with its own id, or else with `spare`.
    pub(crate) fn new(text: String, spare: String) -> OutgoingMessage {
        let asks_for_state = ClientMessage::read(&text).is_ok_and(|asked| asked.is_query());
        let (text, id) = match named(&text, spare) {
            Some((named, id)) => (named, Some(id)),
            None => (text, None),
        };
        OutgoingMessage {
            text,
            id,
            asks_for_state,
        }
    }
}

/// The message with an id, and the id; `None` if it cannot have one.
fn named(text: &str, spare: String) -> Option<(String, String)> {
    let text = text.trim();
    let fits = |text: &String| text.len() <= MAX_COMMAND_BYTES;
    // A server reads everything else as a bare move.
    if !text.starts_with(['{', '[', '"']) {
        let named = json!({ "move": text, "id": spare }).to_string();
        return Some(named).filter(fits).zip(Some(spare));
    }
    let Ok(Value::Object(mut fields)) = serde_json::from_str(text) else {
        return None;
    };
    let has_null = match fields.get("id") {
        Some(Value::String(id)) => {
            let id = CommandId::try_from(id.clone()).ok()?;
            return Some((text.to_owned(), id.into()));
        }
        Some(Value::Null) => true,
        Some(_) => return None,
        None => false,
    };
    // The id is appended at the end, so that positions in error messages about the rest stay right.
    let comma = if fields.is_empty() { "" } else { "," };
    let open = text.strip_suffix('}')?;
    let named = Some(format!("{open}{comma}\"id\":\"{spare}\"}}"));
    let named = named.filter(|text| !has_null && fits(text)).or_else(|| {
        fields.insert("id".to_owned(), json!(spare));
        Some(Value::Object(fields).to_string()).filter(fits)
    });
    named.zip(Some(spare))
}

/// Removes from a message the ids that consist of this prefix and a number, each with its comma. They are cut
/// out of the text, because parsing it could cost much memory: its values may come from a stranger. A quotation
/// mark inside a JSON string is escaped, so a field name begins after a bracket or a comma and nowhere else.
pub(crate) fn without_ids(text: &str, mark: &str) -> String {
    let begin = format!("\"{mark}");
    let mut left = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(&begin) {
        let (before, value) = rest.split_at(at);
        let (kept, after) = cut_id(before, &value[begin.len()..])
            .unwrap_or_else(|| rest.split_at(at + begin.len()));
        left.push_str(kept);
        rest = after;
    }
    left + rest
}

/// What is before and after a field `id`, given the text up to its value and the text from the number in its
/// value.
fn cut_id<'a>(before: &'a str, number: &'a str) -> Option<(&'a str, &'a str)> {
    let name = before.trim_end().strip_suffix(':')?.trim_end();
    let before = name.strip_suffix("\"id\"")?.trim_end();
    let after = number.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let after = after.strip_prefix('"')?;
    match before.strip_suffix(',') {
        Some(before) => Some((before, after)),
        None => {
            let following = after.trim_start().strip_prefix(',');
            before
                .ends_with('{')
                .then(|| (before, following.unwrap_or(after)))
        }
    }
}

/// A message of a server on one line: in JSON, newlines are only between tokens, where a space is equivalent.
pub(crate) fn on_one_line(text: String) -> String {
    match text.contains(['\n', '\r']) {
        true => text.replace(['\n', '\r'], " "),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_keeps_its_id_or_gets_one() {
        for (text, sent, id) in [
            ("e4", r#"{"move":"e4","id":"x-1"}"#, "x-1"),
            (" a\"b ", r#"{"move":"a\"b","id":"x-1"}"#, "x-1"),
            ("7", r#"{"move":"7","id":"x-1"}"#, "x-1"),
            ("{ }", r#"{ "id":"x-1"}"#, "x-1"),
            (
                r#"{"move":"e4","move":"d4"} "#,
                r#"{"move":"e4","move":"d4","id":"x-1"}"#,
                "x-1",
            ),
            (
                r#"{"id":null,"move":"e4"}"#,
                r#"{"id":"x-1","move":"e4"}"#,
                "x-1",
            ),
            (
                r#"{"move":"e4","id":"m1"}"#,
                r#"{"move":"e4","id":"m1"}"#,
                "m1",
            ),
        ] {
            let written = OutgoingMessage::new(text.to_owned(), "x-1".to_owned());
            assert_eq!(
                (written.text.as_str(), written.id.as_deref()),
                (sent, Some(id))
            );
        }
    }

    #[test]
    fn what_no_server_can_grant_is_sent_as_it_is() {
        let long = "x".repeat(MAX_COMMAND_BYTES);
        for text in [
            "{",
            "[1]",
            "\"e4\"",
            r#"{"move":"e4",}"#,
            r#"{"move":"e4","id":7}"#,
            r#"{"move":"e4","id":""}"#,
            r#"{"move":"e4","id":"a b"}"#,
            &long,
            &format!("{{\"move\":\"{}\"}}", &long[11..]),
        ] {
            let written = OutgoingMessage::new(text.to_owned(), "x-1".to_owned());
            assert_eq!((written.text.as_str(), written.id), (text, None));
        }
    }

    #[test]
    fn a_message_that_an_id_makes_too_long_is_written_more_closely() {
        let text = format!("{{\"move\":{}\"e4\"}}", " ".repeat(MAX_COMMAND_BYTES - 13));
        assert_eq!(text.len(), MAX_COMMAND_BYTES);
        let written = OutgoingMessage::new(text, "x-1".to_owned());
        assert_eq!(written.text, r#"{"move":"e4","id":"x-1"}"#);
    }

    #[test]
    fn it_is_known_what_is_answered_by_how_everything_stands() {
        for (text, asks) in [
            (r#"{"command":"state"}"#, true),
            (r#"{"command":"moves","id":"s1"}"#, true),
            (r#"{"command":"ping"}"#, false),
            ("e4", false),
            ("{", false),
        ] {
            let written = OutgoingMessage::new(text.to_owned(), "x-1".to_owned());
            assert_eq!(written.asks_for_state, asks, "{text}");
        }
    }

    #[test]
    fn only_ids_of_the_mark_are_left_out_and_the_rest_stays_in_its_order() {
        let text = r#"{"v":1,"type":"decided","id":"x-1","state":{"seq":2},"events":[{"id":"x-2","by":"white"},{"id":"m1"}],"chat":"x-1"}"#;
        let left = r#"{"v":1,"type":"decided","state":{"seq":2},"events":[{"by":"white"},{"id":"m1"}],"chat":"x-1"}"#;
        assert_eq!(without_ids(text, "x-"), left);
        assert_eq!(without_ids(text, "y-"), text);
        for (text, left) in [
            (r#"{ "id" : "x-1" , "a" : 1 }"#, r#"{ "a" : 1 }"#),
            (r#"{"id":"x-1"}"#, "{}"),
            (r#"{"a":[{"id":"x-1"},{"id":"x-2"}]}"#, r#"{"a":[{},{}]}"#),
        ] {
            assert_eq!(without_ids(text, "x-"), left);
        }
        // Texts that only look like such an id.
        for text in [
            r#"{"id":"x-1a"}"#,
            r#"{"id":"x-1\",\"b"}"#,
            r#"{"text":"\"id\":\"x-1\""}"#,
            r#"{"a\"id":"x-1"}"#,
            r#"{"text":",\"id\":","x-1":2,"y":"x-1"}"#,
            r#"{"ids":"x-1","a":["x-2"]}"#,
        ] {
            assert_eq!(without_ids(text, "x-"), text);
        }
    }
}
