//! The line in which moves and words are typed, and the keys that could be steps of the cursor or
//! the beginning of a move. What the text means is for others to say.

/// What is typed so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InputField {
    text: String,
    /// Whether the text may turn out to be steps of the cursor: `h` is both a step to the left and
    /// the beginning of `h4`. The next key decides.
    undecided: bool,
    /// Whether the text was refused: it stays to be edited, and makes way for another.
    refused: bool,
}

/// The longest text that the line takes: a comment on a game, with room to spare.
const MAX_INPUT_CHARS: usize = 2_000;

impl InputField {
    /// The text, as far as it is certainly typed.
    #[must_use]
    pub fn text(&self) -> &str {
        if self.undecided { "" } else { &self.text }
    }

    /// Whether nothing is certainly typed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text().is_empty()
    }

    /// A key of `hjkl` on an empty line: a step for certain with `j` and `l`, a step that may still
    /// become text with `h` and `k`. Returns whether it is a step at all.
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

    /// A key that is certainly text; it takes along what was undecided before it.
    pub fn push(&mut self, key: char) {
        self.undecided = false;
        self.refused = false;
        if self.text.chars().count() < MAX_INPUT_CHARS && !key.is_control() {
            self.text.push(key);
        }
    }

    /// Begins the line anew with a word.
    pub fn begin(&mut self, word: &str) {
        self.clear();
        self.text.push_str(word);
    }

    /// Takes the last character away; a text that was refused is edited in this way.
    pub fn pop(&mut self) {
        self.refused = false;
        if self.undecided {
            self.clear();
        } else {
            self.text.pop();
        }
    }

    /// Steps they were: forgets what was undecided.
    pub fn settle(&mut self) {
        if self.undecided {
            self.clear();
        }
    }

    /// Puts a text back that was refused: it can be edited, and makes way for anything else.
    pub fn refuse(&mut self, text: &str) {
        self.begin(text);
        self.refused = true;
    }

    /// Whether the text was refused and has not been touched since.
    #[must_use]
    pub const fn is_refused(&self) -> bool {
        self.refused
    }

    /// Makes way for something else, if the text was refused.
    pub fn make_way(&mut self) {
        if self.refused {
            self.clear();
        }
    }

    /// Empties the line.
    pub fn clear(&mut self) {
        *self = InputField::default();
    }

    /// Empties the line and returns what was typed.
    pub fn take(&mut self) -> String {
        let text = self.text().to_owned();
        self.clear();
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strikes keys as the update does; returns the steps and the text.
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
