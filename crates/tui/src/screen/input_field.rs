//! The input line for moves and commands, and keys that may be either cursor steps or the beginning of a move.
//! Others interpret the text.

/// The typed text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InputField {
    text: String,
    /// Whether the text may turn out to be cursor steps: `h` is both a step to the left and the beginning of `h4`.
    /// The next key decides.
    undecided: bool,
    /// Whether the text was refused: it can be edited, and is replaced by other input.
    refused: bool,
}

/// The longest text: a comment on a game, with room to spare.
const MAX_INPUT_CHARS: usize = 2_000;

impl InputField {
    /// The text, without undecided keys.
    #[must_use]
    pub fn text(&self) -> &str {
        if self.undecided { "" } else { &self.text }
    }

    /// Whether there is no text, apart from undecided keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text().is_empty()
    }

    /// Handles a key of `hjkl` on an empty line: `j` and `l` are always steps, `h` and `k` are steps that may still
    /// become text. Returns whether it is a step at all.
    pub fn step(&mut self, key: char) -> bool {
        if !self.is_empty() || !matches!(key, 'h' | 'j' | 'k' | 'l') {
            return false;
        }
        // Of these keys only `h`, `k` and `kh` can begin a move: h4, kf1, kh1.
        self.text = match (self.text.as_str(), key) {
            ("k", 'h') => "kh".to_owned(),
            (_, 'h' | 'k') => key.to_string(),
            _ => String::new(),
        };
        self.undecided = !self.text.is_empty();
        true
    }

    /// Adds a key that is certainly text, which makes undecided keys text too.
    pub fn push(&mut self, key: char) {
        self.undecided = false;
        self.refused = false;
        if self.text.chars().count() < MAX_INPUT_CHARS && !key.is_control() {
            self.text.push(key);
        }
    }

    /// Replaces the text with a word.
    pub fn begin(&mut self, word: &str) {
        self.clear();
        self.text.push_str(word);
    }

    /// Deletes the last character; a refused text becomes editable.
    pub fn pop(&mut self) {
        self.refused = false;
        if self.undecided {
            self.clear();
        } else {
            self.text.pop();
        }
    }

    /// Forgets undecided keys: they were steps.
    pub fn settle(&mut self) {
        if self.undecided {
            self.clear();
        }
    }

    /// Puts back a text that was refused: it can be edited, and is replaced by other input.
    pub fn refuse(&mut self, text: &str) {
        self.begin(text);
        self.refused = true;
    }

    /// Whether the text was refused and has not been edited since.
    #[must_use]
    pub const fn is_refused(&self) -> bool {
        self.refused
    }

    /// Clears the text if it was refused.
    pub fn make_way(&mut self) {
        if self.refused {
            self.clear();
        }
    }

    /// Clears the line.
    pub fn clear(&mut self) {
        *self = InputField::default();
    }

    /// Clears the line and returns the text.
    pub fn take(&mut self) -> String {
        let text = self.text().to_owned();
        self.clear();
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Types keys as the update does; returns the number of steps and the text.
    fn strike(keys: &str) -> (usize, String) {
        let mut line = InputField::default();
        let mut steps = 0;
        for key in keys.chars() {
            if line.step(key) {
                steps += 1;
            } else {
                line.push(key);
            }
        }
        (steps, line.text().to_owned())
    }

    #[test]
    fn the_next_key_decides_between_a_step_and_a_move() {
        for (keys, text) in [
            ("h4", "h4"),
            ("kf1", "kf1"),
            ("kh1", "kh1"),
            ("hxg5", "hxg5"),
            ("h7h8q", "h7h8q"),
            ("llh4", "h4"),
            ("hh", ""),
            ("jkl", ""),
            ("e4", "e4"),
            ("Kh1", "Kh1"),
            ("takeback", "takeback"),
            ("claim", "claim"),
        ] {
            assert_eq!(strike(keys).1, text, "{keys}");
        }
        assert_eq!(strike("hjkl").0, 4);
    }

    #[test]
    fn a_line_has_an_end() {
        assert_eq!(
            strike(&"a".repeat(2 * MAX_INPUT_CHARS)).1.len(),
            MAX_INPUT_CHARS
        );
    }

    #[test]
    fn a_text_that_was_refused_can_be_edited_and_makes_way() {
        let mut line = InputField::default();
        line.refuse("e5");
        assert!(line.is_refused() && line.text() == "e5");
        line.pop();
        line.push('4');
        line.make_way();
        assert_eq!(line.text(), "e4", "an edited text stays");
        line.refuse("e5");
        line.make_way();
        assert!(line.is_empty());
    }
}
