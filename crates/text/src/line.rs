//! Sanitizes texts in memory: a line, a block of lines, a line as part of a sentence.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::path::Path;

use crate::filter::{Filter, Layout, MAX_LINE_CHARS, Shown};

/// Sanitizes a text to one line. Nothing is copied if it is safe already.
#[must_use]
pub fn sanitize_line(text: &str) -> Cow<'_, str> {
    sanitize_line_to(text, MAX_LINE_CHARS)
}

/// Sanitizes a text to one line of at most `max_chars` characters; `…` stands for the rest.
#[must_use]
pub fn sanitize_line_to(text: &str, max_chars: usize) -> Cow<'_, str> {
    sanitize(text, Layout::Line, max_chars)
}

/// Sanitizes a text of several lines. Nothing is copied if it is safe already.
#[must_use]
pub fn sanitize_block(text: &str) -> Cow<'_, str> {
    sanitize(text, Layout::Block, usize::MAX)
}

/// Whether a text is one safe line, so that [`sanitize_line`] would not change it.
#[must_use]
pub fn is_clean_line(text: &str) -> bool {
    matches!(sanitize_line(text), Cow::Borrowed(_))
}

/// Displays a text as one safe line, to be part of a sentence. Widths and alignment apply to what is shown.
#[must_use]
pub const fn display_line(text: &str) -> DisplayLine<'_> {
    DisplayLine(Cow::Borrowed(text))
}

/// Displays a path as one safe line.
#[must_use]
pub fn display_path(path: &Path) -> DisplayLine<'_> {
    DisplayLine(path.to_string_lossy())
}

/// A text that is displayed as one safe line; see [`display_line`].
#[derive(Clone, Debug)]
pub struct DisplayLine<'a>(Cow<'a, str>);

impl fmt::Display for DisplayLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&sanitize_line(&self.0))
    }
}

fn sanitize(text: &str, layout: Layout, max_chars: usize) -> Cow<'_, str> {
    let mut filter = Filter::new(layout);
    let is_plain = text.bytes().all(|byte| filter.is_plain_byte(byte));
    // In ASCII, the number of bytes is the number of characters.
    if is_plain && text.len() <= max_chars {
        return Cow::Borrowed(text);
    }
    let mut clean = String::new();
    let mut count = 0;
    let mut has_changed = false;
    for character in text.chars() {
        let shown = match filter.next(character) {
            Shown::AsItIs => character,
            Shown::Instead(other) => {
                has_changed = true;
                other
            }
            Shown::Nothing => {
                has_changed = true;
                continue;
            }
        };
        count += 1;
        if count > max_chars {
            clean.pop();
            clean.push('…');
            return Cow::Owned(clean);
        }
        clean.push(shown);
    }
    match has_changed {
        true => Cow::Owned(clean),
        false => Cow::Borrowed(text),
    }
}

/// Appends a text as the filter shows it.
pub(crate) fn push(clean: &mut String, filter: &mut Filter, text: &str) {
    for character in text.chars() {
        match filter.next(character) {
            Shown::AsItIs => clean.push(character),
            Shown::Instead(other) => clean.push(other),
            Shown::Nothing => {}
        }
    }
}

/// Appends JSON, with every unsafe character as a `\uXXXX` escape, which does not change its meaning.
pub(crate) fn push_json(clean: &mut String, text: &str, is_ascii: bool) {
    for character in text.chars() {
        let is_kept = match character {
            '\n' => true,
            _ => !crate::is_invisible(character) && (!is_ascii || character.is_ascii()),
        };
        if is_kept {
            clean.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(clean, "\\u{unit:04x}");
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::class::{Class, class};
    use crate::filter::MAX_MARKS;

    #[test]
    fn escape_sequences_lose_what_makes_them_sequences() {
        for (text, shown) in [
            ("\x1b]0;title\x07", "�]0;title�"),
            ("\x1b]52;c;YQ==\x1b\\", "�]52;c;YQ==�\\"),
            ("\x1b[31mred\x1b[0m", "�[31mred�[0m"),
            ("\u{9b}31m", "�31m"),
            ("\x1bP1$r\x1b\\", "�P1$r�\\"),
            ("a\0\x08\x7fb", "a�b"),
        ] {
            assert_eq!(sanitize_line(text), shown);
            assert_eq!(sanitize_block(text), shown);
        }
    }

    #[test]
    fn what_turns_text_around_or_is_not_seen_is_replaced() {
        for text in [
            "\u{202e}",
            "\u{2066}",
            "\u{200e}",
            "\u{61c}",
            "\u{200b}",
            "\u{2060}",
            "\u{feff}",
            "\u{ad}",
            "\u{e0041}",
            "\u{e0100}",
            "\u{fe00}",
            "\u{3164}",
            "\u{10eeee}",
            "\u{e000}",
            "\u{ffff}",
        ] {
            assert_eq!(sanitize_line(&format!("a{text}b")), "a�b", "{text:?}");
        }
    }

    #[test]
    fn a_line_stays_one_line() {
        for end in [
            "\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}", "\t",
        ] {
            assert_eq!(sanitize_line(&format!("a{end}b")), "a b", "{end:?}");
        }
        assert_eq!(sanitize_block("a\tb\nc\r\n"), "a\tb\nc \n");
    }

    #[test]
    fn words_and_signs_that_need_joiners_and_marks_keep_them() {
        for text in [
            "نمی\u{200c}خواهم",
            "क्\u{200d}ष",
            "👩\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}\u{200d}🔥",
            "e\u{301}",
            "각",
            "Ångström, Łódź, Ψ, 象棋",
        ] {
            assert!(matches!(sanitize_line(text), Cow::Borrowed(_)), "{text}");
        }
        assert_eq!(sanitize_line("An\u{200d}na"), "An�na");
        assert_eq!(sanitize_line("é\u{200d}\u{200d}\u{200d}"), "é\u{200d}�");
        assert_eq!(sanitize_line("❤\u{fe0f}\u{fe0f}\u{fe0e}"), "❤\u{fe0f}�");
    }

    #[test]
    fn marks_are_not_stacked_without_end_and_long_lines_are_cut() {
        let stacked = format!("a{}", "\u{301}".repeat(100));
        assert_eq!(
            sanitize_line(&stacked).chars().count(),
            1 + usize::from(MAX_MARKS)
        );
        assert_eq!(sanitize_line_to("abcdef", 4), "abc…");
        assert_eq!(sanitize_line_to("abcd", 4), "abcd");
        assert_eq!(
            sanitize_line(&"é".repeat(5_000)).chars().count(),
            MAX_LINE_CHARS
        );
    }

    proptest! {
        #[test]
        fn nothing_unsafe_is_left_and_clean_text_stays_as_it_is(text in any::<String>()) {
            let line = sanitize_line(&text).into_owned();
            let is_left = |c: char| matches!(class(c), Class::Unsafe | Class::LineEnd | Class::Tab);
            prop_assert!(!line.chars().any(is_left), "{line:?}");
            prop_assert!(is_clean_line(&line));
            prop_assert_eq!(sanitize_line(&line).into_owned(), line);
            let block = sanitize_block(&text).into_owned();
            prop_assert!(!block.chars().any(|c| class(c) == Class::Unsafe));
            prop_assert_eq!(sanitize_block(&block).into_owned(), block);
        }
    }
}
