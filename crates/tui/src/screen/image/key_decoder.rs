//! Decodes the bytes typed while the terminal was queried into key events, as crossterm would. Other sequences,
//! such as the mouse's, are skipped whole: half of one would be Escape and letters.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Decodes bytes into keys.
pub(in crate::screen) fn keys(bytes: &[u8]) -> Vec<KeyEvent> {
    let text = String::from_utf8_lossy(bytes);
    let mut rest = text.as_ref();
    let mut keys = Vec::new();
    while let Some((key, after)) = first(rest) {
        keys.extend(key);
        rest = after;
    }
    keys
}

/// The first key, or `None` for a sequence that is no key, and the rest of the text.
fn first(text: &str) -> Option<(Option<KeyEvent>, &str)> {
    let Some(body) = text.strip_prefix('\x1b') else {
        let letter = text.chars().next()?;
        return Some((Some(plain(letter)), &text[letter.len_utf8()..]));
    };
    if let Some(sequence) = body.strip_prefix('[') {
        let is_last = |letter: char| ('\x40'..='\x7e').contains(&letter);
        // A sequence without an end is not decoded.
        let (parameters, after) = sequence.split_at(sequence.find(is_last)?);
        let letter = after.chars().next()?;
        return Some((numbered(parameters, letter), &after[1..]));
    }
    if let Some(sequence) = body.strip_prefix('O') {
        let letter = sequence.chars().next()?;
        let key = lettered(letter).map(KeyEvent::from);
        return Some((key, &sequence[letter.len_utf8()..]));
    }
    Some((Some(KeyEvent::from(KeyCode::Esc)), body))
}

/// The key of a single letter or control character.
fn plain(letter: char) -> KeyEvent {
    match letter {
        '\r' | '\n' => KeyEvent::from(KeyCode::Enter),
        '\t' => KeyEvent::from(KeyCode::Tab),
        '\x7f' | '\x08' => KeyEvent::from(KeyCode::Backspace),
        '\x01'..='\x1a' => {
            let letter = char::from(b'a' + letter as u8 - 1);
            KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)
        }
        letter => KeyEvent::from(KeyCode::Char(letter)),
    }
}

/// The key of a sequence that ends with a letter.
fn lettered(letter: char) -> Option<KeyCode> {
    Some(match letter {
        'A' => KeyCode::Up,
        'B' => KeyCode::Down,
        'C' => KeyCode::Right,
        'D' => KeyCode::Left,
        'F' => KeyCode::End,
        'H' => KeyCode::Home,
        'Z' => KeyCode::BackTab,
        'P'..='S' => KeyCode::F(letter as u8 - b'P' + 1),
        _ => return None,
    })
}

/// The key of a sequence with numbers: key code and modifiers.
fn numbered(parameters: &str, last: char) -> Option<KeyEvent> {
    let mut numbers = parameters.split(';').map(str::parse::<u8>);
    let code = match (last, numbers.next()?) {
        ('~', number) => match number.ok()? {
            1 | 7 => KeyCode::Home,
            2 => KeyCode::Insert,
            3 => KeyCode::Delete,
            4 | 8 => KeyCode::End,
            5 => KeyCode::PageUp,
            6 => KeyCode::PageDown,
            number @ 11..=15 => KeyCode::F(number - 10),
            number @ 17..=21 => KeyCode::F(number - 11),
            number @ 23..=24 => KeyCode::F(number - 12),
            _ => return None,
        },
        (letter, Ok(1)) => lettered(letter)?,
        (letter, _) if parameters.is_empty() => lettered(letter)?,
        _ => return None,
    };
    let held = numbers
        .next()
        .and_then(Result::ok)
        .unwrap_or(1)
        .saturating_sub(1);
    let mut modifiers = KeyModifiers::NONE;
    for (bit, modifier) in [
        (1, KeyModifiers::SHIFT),
        (2, KeyModifiers::ALT),
        (4, KeyModifiers::CONTROL),
    ] {
        modifiers.set(modifier, held & bit != 0);
    }
    Some(KeyEvent::new(code, modifiers))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(bytes: &[u8]) -> Vec<KeyCode> {
        keys(bytes).iter().map(|key| key.code).collect()
    }

    #[test]
    fn a_move_that_was_typed_in_a_hurry_is_not_lost() {
        assert_eq!(
            codes(b"e4\r\x1b[A\x7f\xc3\xa9"),
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

    #[test]
    fn a_key_with_a_name_is_that_key_and_not_escape_with_letters() {
        assert_eq!(codes(b"\x1bOQ\x1bOP"), [KeyCode::F(2), KeyCode::F(1)]);
        assert_eq!(codes(b"\x1b[12~\x1b[5~"), [KeyCode::F(2), KeyCode::PageUp]);
        assert_eq!(codes(b"\x1b[H\x1bOF"), [KeyCode::Home, KeyCode::End]);
        let held = keys(b"\x1b[1;5C");
        assert_eq!(held, [KeyEvent::new(KeyCode::Right, KeyModifiers::CONTROL)]);
        assert_eq!(codes(b"\x1b"), [KeyCode::Esc]);
        assert_eq!(codes(b"\x1b\x1b[A"), [KeyCode::Esc, KeyCode::Up]);
    }

    #[test]
    fn what_is_no_key_goes_by_whole() {
        let mouse_and_paste =
            b"\x1b[<0;10;5M\x1b[<0;10;5m\x1b[200~e4\x1b[201~\x1b[99~\x1bOz\x1b[12";
        let letters = [KeyCode::Char('e'), KeyCode::Char('4')];
        assert_eq!(codes(mouse_and_paste), letters);
        let junk = b"\x1b[1;0A\x1b[;;;R\x1b[\xff~\x1bO\xff\x1b[9;";
        assert_eq!(codes(junk), [KeyCode::Up]);
    }
}
