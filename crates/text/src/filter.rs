//! What is shown in place of each character of a text, one after the other.

use unicode_width::UnicodeWidthChar as _;

use crate::class::{Class, class};

/// What stands for characters that are not shown.
pub const REPLACEMENT: char = '\u{fffd}';

/// The longest line that is shown, in characters.
pub const MAX_LINE_CHARS: usize = 2_000;

/// The most combining marks on one letter. Stacked without end, they cover the lines above.
pub const MAX_MARKS: u8 = 8;

/// What becomes of a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    AsItIs,
    Instead(char),
    Nothing,
}

/// How texts are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// One line: what would begin another is a space.
    Line,
    /// Several lines.
    Block,
}

/// What was shown last, as far as joiners and selectors need to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Before {
    /// A letter or sign that is not ASCII, with its marks.
    Letter,
    /// A letter or sign with its selector.
    Selected,
    Other,
}

/// Decides about characters in their order.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    layout: Layout,
    /// What a joiner or a selector would follow.
    before: Before,
    /// Whether the last character was replaced: a run has one replacement.
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

    /// Whether a byte of a text that is ASCII is shown as it is.
    pub(crate) const fn is_plain_byte(&self, byte: u8) -> bool {
        match byte {
            b' '..=b'~' => true,
            b'\n' | b'\t' => matches!(self.layout, Layout::Block),
            _ => false,
        }
    }

    /// Notes that plain ASCII was shown.
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
            // One of each: more say nothing, and could carry a hidden message.
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
