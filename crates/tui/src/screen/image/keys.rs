//! Bytes that were typed while the terminal was asked, as keys: letters, and the few keys that somebody in
//! a hurry strikes. Everything else goes by.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The keys of these bytes.
pub(in crate::screen) fn keys(bytes: &[u8]) -> Vec<KeyEvent> {
    let text = String::from_utf8_lossy(bytes);
    let mut rest = text.as_ref();
    let mut keys = Vec::new();
    const NAMED: [(&str, KeyCode); 6] = [
        ("\x1b[A", KeyCode::Up),
        ("\x1b[B", KeyCode::Down),
        ("\x1b[C", KeyCode::Right),
        ("\x1b[D", KeyCode::Left),
        ("\x1b[Z", KeyCode::BackTab),
        ("\x1b", KeyCode::Esc),
    ];
    while let Some(first) = rest.chars().next() {
        let named = NAMED.iter().find(|(bytes, _)| rest.starts_with(bytes));
        let (key, length) = match (named, first) {
            (Some((bytes, code)), _) => (KeyEvent::from(*code), bytes.len()),
            (None, '\r' | '\n') => (KeyEvent::from(KeyCode::Enter), 1),
            (None, '\t') => (KeyEvent::from(KeyCode::Tab), 1),
            (None, '\x7f' | '\x08') => (KeyEvent::from(KeyCode::Backspace), 1),
            (None, '\x01'..='\x1a') => {
                let letter = char::from(b'a' + first as u8 - 1);
                let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
                (key, 1)
            }
            (None, letter) => (KeyEvent::from(KeyCode::Char(letter)), letter.len_utf8()),
        };
        keys.push(key);
        rest = &rest[length..];
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_was_typed_in_a_hurry_is_not_lost() {
        let codes: Vec<KeyCode> = keys(b"e4\r\x1b[A\x7f\xc3\xa9")
            .iter()
            .map(|k| k.code)
            .collect();
        assert_eq!(
            codes,
            [
                KeyCode::Char('e'),
                KeyCode::Char('4'),
                KeyCode::Enter,
                KeyCode::Up,
                KeyCode::Backspace,
                KeyCode::Char('é'),
            ]
        );
        assert_eq!(keys(b"\x04")[0].modifiers, KeyModifiers::CONTROL);
    }
}
