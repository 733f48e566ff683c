//! Looking into the server's messages without reading them whole: generator and server share a machine,
//! and what the generator takes the server lacks.

use memchr::memmem;

/// What a message is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageKind {
    /// How everything stands.
    State,
    /// Something happened.
    Decided,
    /// An answer.
    Answer,
    /// Anything else.
    Other,
}

/// The kind of a message.
pub fn kind(text: &[u8]) -> MessageKind {
    let rest = text.strip_prefix(br#"{"v":1,"type":""#).unwrap_or_default();
    match rest {
        _ if rest.starts_with(b"decided\"") => MessageKind::Decided,
        _ if rest.starts_with(b"answer\"") => MessageKind::Answer,
        _ if rest.starts_with(b"state\"") => MessageKind::State,
        _ => MessageKind::Other,
    }
}

/// Whether something stands in it.
pub fn has(text: &[u8], what: &str) -> bool {
    memmem::find(text, what.as_bytes()).is_some()
}

/// The number after the first `key`, which is written as in JSON: `"seq":`.
pub fn number(text: &[u8], key: &str) -> Option<u64> {
    let at = memmem::find(text, key.as_bytes())? + key.len();
    let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit());
    let digits = &text[at..at + digits.count()];
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The text after the first `key`: `"reason":"`.
pub fn word<'a>(text: &'a [u8], key: &str) -> Option<&'a str> {
    let at = memmem::find(text, key.as_bytes())? + key.len();
    let end = memchr::memchr(b'"', &text[at..])?;
    std::str::from_utf8(&text[at..at + end]).ok()
}

/// One of the legal moves, where the message has them.
pub fn pick(text: &[u8], luck: &mut fastrand::Rng) -> Option<String> {
    let key = br#""moves":["#;
    let from = memmem::rfind(text, key)? + key.len();
    let length = memchr::memchr(b']', &text[from..])?;
    let list = std::str::from_utf8(&text[from..from + length]).ok()?;
    // A point in the list: the move that begins after it, or the first one.
    let point = luck.usize(0..=list.len());
    let rest = list.get(point..)?;
    let begins = |rest: &str| -> Option<String> {
        let (_, rest) = rest.split_once(",\"")?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    let first = list.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    begins(rest).or_else(|| Some(first?.0.to_owned()))
}

/// The events in a message, each as it is written.
pub fn events(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let key = br#""events":["#;
    let from = memmem::find(text, key).map_or(text.len(), |at| at + key.len());
    let mut rest = &text[from..];
    std::iter::from_fn(move || {
        let begin = rest.iter().position(|&byte| byte == b'{' || byte == b']')?;
        rest = &rest[begin..];
        if rest[0] == b']' {
            rest = &[];
            return None;
        }
        let length = object(rest)?;
        let event = &rest[..length];
        rest = &rest[length..];
        Some(event)
    })
}

/// The length of the object that the text begins with.
fn object(text: &[u8]) -> Option<usize> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (index, &byte) in text.iter().enumerate() {
        match (in_text, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_text = !in_text,
            (false, b'{') => depth += 1,
            (false, b'}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECIDED: &[u8] = br#"{"v":1,"type":"decided","events":[{"seq":7,"id":"w3","text":"a \"}\" b","x":{"y":1}},{"seq":8}],"state":{"v":1,"seq":8},"moves":["e2e4","e7e8q"]}"#;

    #[test]
    fn a_message_is_looked_into() {
        assert_eq!(kind(DECIDED), MessageKind::Decided);
        assert_eq!(number(DECIDED, "\"seq\":"), Some(7));
        assert_eq!(word(DECIDED, "\"id\":\""), Some("w3"));
        let events: Vec<&[u8]> = events(DECIDED).collect();
        assert_eq!(events.len(), 2);
        assert!(events[0].ends_with(br#""x":{"y":1}}"#));
        assert_eq!(events[1], br#"{"seq":8}"#);
    }

    #[test]
    fn every_move_is_picked_now_and_then() {
        let mut luck = fastrand::Rng::with_seed(1);
        let mut picked: Vec<String> = (0..100).filter_map(|_| pick(DECIDED, &mut luck)).collect();
        picked.sort_unstable();
        picked.dedup();
        assert_eq!(picked, ["e2e4", "e7e8q"]);
        assert_eq!(pick(br#"{"moves":[]}"#, &mut luck), None);
        assert_eq!(pick(b"{}", &mut luck), None);
    }
}
