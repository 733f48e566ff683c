//! Drops late replies of the terminal, which over a slow connection come when nobody waits for them any more. To
//! the code that reads keys they look like very fast typing.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The longest time between two characters of one reply; nobody types as fast.
const MAX_KEY_GAP: Duration = Duration::from_millis(20);

/// Drops keys that are characters of a late reply.
#[derive(Default)]
pub(super) struct LateReplyFilter {
    /// When the last character of the current reply came.
    last: Option<Instant>,
}

impl LateReplyFilter {
    /// Whether this key is part of a reply.
    pub(super) fn consumes(&mut self, key: &KeyEvent, now: Instant) -> bool {
        let is_inside = self
            .last
            .take()
            .is_some_and(|last| now.duration_since(last) <= MAX_KEY_GAP);
        let is_alt = key.modifiers.contains(KeyModifiers::ALT);
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            // The start of a reply: kitty graphics, a colour, or the terminal's name.
            KeyCode::Char('_' | ']' | 'P') if is_alt => self.last = Some(now),
            // The end of a reply.
            KeyCode::Char('\\') if is_inside && is_alt => {}
            KeyCode::Char('g') if is_inside && is_control => {}
            KeyCode::Char(_) if is_inside && !is_control => self.last = Some(now),
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn struck(code: char, modifiers: KeyModifiers) -> KeyEvent {
        KeyEvent::new(KeyCode::Char(code), modifiers)
    }

    #[test]
    fn what_is_typed_before_and_after_an_answer_stays() {
        let start = Instant::now();
        let mut straggler = LateReplyFilter::default();
        let mut typed = String::new();
        let alt = KeyModifiers::ALT;
        let keys = [
            ('e', KeyModifiers::NONE),
            ('_', alt),
            ('G', KeyModifiers::SHIFT),
            ('i', KeyModifiers::NONE),
            ('\\', alt),
            ('2', KeyModifiers::NONE),
            (']', alt),
            ('1', KeyModifiers::NONE),
            ('g', KeyModifiers::CONTROL),
            ('e', KeyModifiers::NONE),
            ('4', KeyModifiers::NONE),
        ];
        for (code, modifiers) in keys {
            if !straggler.consumes(&struck(code, modifiers), start) {
                typed.push(code);
            }
        }
        assert_eq!(typed, "e2e4");
    }

    #[test]
    fn who_strikes_such_a_key_loses_nothing_but_that_key() {
        let start = Instant::now();
        let mut straggler = LateReplyFilter::default();
        assert!(straggler.consumes(&struck(']', KeyModifiers::ALT), start));
        let later = start + Duration::from_millis(60);
        assert!(!straggler.consumes(&struck('e', KeyModifiers::NONE), later));
        let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        assert!(!straggler.consumes(&enter, later));
    }
}
