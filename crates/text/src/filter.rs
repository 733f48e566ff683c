//! The filter that decides what is shown in place of each character of a text.

use unicode_width::UnicodeWidthChar as _;

use crate::class::{Class, class};

/// Stands for characters that are not shown.
pub const REPLACEMENT: char = '\u{fffd}';

/// The longest line that is shown; the rest is cut.
pub const MAX_LINE_CHARS: usize = 2_000;

/// The most combining marks on one letter: an unlimited stack of them would cover the lines above.
pub const MAX_MARKS: u8 = 8;

/// What is shown in place of a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    AsItIs,
    Instead(char),
    Nothing,
}

/// Whether a text is shown as one line or as several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// One line: line breaks become spaces.
    Line,
    /// Several lines: line breaks are kept.
    Block,
}

/// The kind of the last character shown, for joiners and variation selectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Before {
    /// A letter or sign that is not ASCII, with its marks.
    Letter,
    /// A letter or sign with its selector.
    Selected,
    Other,
}

/// Filters characters one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    layout: Layout,
    /// What a joiner or a variation selector would follow.
    before: Before,
    /// Whether the last character was replaced: a run of such characters gets one replacement.
    follows_replaced: bool,
    marks: u8,
}

impl Filter {
    pub(crate) const fn new(layout: Layout) -> Filter {
        Filter {
            layout,
            before: Before::Other,
            follows_replaced: false,
            marks: 0,
        }
    }

    /// Whether an ASCII byte is shown as it is.
    pub(crate) const fn is_plain_byte(&self, byte: u8) -> bool {
        match byte {
            b' '..=b'~' => true,
            b'\n' | b'\t' => matches!(self.layout, Layout::Block),
            _ => false,
        }
    }

    /// Records that plain ASCII was shown.
    pub(crate) const fn pass_plain(&mut self) {
        *self = Filter::new(self.layout);
    }

    /// What is shown in place of the next character.
    pub(crate) fn next(&mut self, character: char) -> Shown {
        let is_block = self.layout == Layout::Block;
        match class(character) {
            Class::Visible if character.width() == Some(0) => {
                if self.marks == MAX_MARKS {
                    return Shown::Nothing;
                }
                self.marks += 1;
                self.follows_replaced = false;
                Shown::AsItIs
            }
            Class::Visible => {
                self.pass_plain();
                if !character.is_ascii() && character != REPLACEMENT {
                    self.before = Before::Letter;
                }
                Shown::AsItIs
            }
            Class::LineEnd if is_block && character == '\n' => {
                self.pass_plain();
                Shown::AsItIs
            }
            Class::Tab if is_block => {
                self.pass_plain();
                Shown::AsItIs
            }
            Class::LineEnd | Class::Tab => {
                self.pass_plain();
                Shown::Instead(' ')
            }
            // At most one per letter: more have no effect, and could carry a hidden message.
            Class::EmojiSelector if self.before == Before::Letter => {
                self.before = Before::Selected;
                Shown::AsItIs
            }
            Class::Joiner if self.before != Before::Other => {
                self.before = Before::Other;
                Shown::AsItIs
            }
            Class::Joiner | Class::EmojiSelector | Class::Unsafe => {
                self.before = Before::Other;
                match std::mem::replace(&mut self.follows_replaced, true) {
                    true => Shown::Nothing,
                    false => Shown::Instead(REPLACEMENT),
                }
            }
        }
    }
}
