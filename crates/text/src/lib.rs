//! Makes untrusted text safe before it reaches a terminal, a log or a page.
//!
//! Untrusted text is everything that this program did not write itself: names, chat, PGN tags and comments,
//! moves as they stand in a file, messages of a server, output of an engine, file names, arguments that an
//! error repeats. In such text a control character can set the title of a terminal, write to its clipboard or
//! overwrite lines, and an invisible character can reorder letters or hide others.
//!
//! | in the text | in a line | in a block of lines |
//! | --- | --- | --- |
//! | controls (C0, DEL, C1), so every escape sequence | `�` | `�` |
//! | newline; tab | a space | kept |
//! | carriage return, other ends of lines and paragraphs | a space | a space |
//! | direction marks, overrides, isolates; zero-width, ignorable and tag characters; BOM | `�` | `�` |
//! | private use (a terminal may draw pictures there), noncharacters | `�` | `�` |
//! | zero-width joiner and non-joiner after a letter or sign that is not ASCII | kept | kept |
//! | one emoji variation selector after a sign that is not ASCII | kept | kept |
//! | the first [`MAX_MARKS`] combining marks on one letter | kept | kept |
//! | more than [`MAX_LINE_CHARS`] | cut, with `…` | kept |
//!
//! A run of such characters becomes one `�`, so that a reader sees that something was there. Joiners are kept because
//! Persian and Indic words and emoji need them; they steer nothing. (Names of accounts have neither.)
//!
//! ```
//! use touchmove_text::{display_line, sanitize_block, sanitize_line};
//!
//! assert_eq!(sanitize_line("Anna\x1b]0;owned\x07"), "Anna�]0;owned�");
//! assert_eq!(sanitize_line("two\nlines"), "two lines");
//! assert_eq!(sanitize_block("two\nlines\u{202e}"), "two\nlines�");
//! assert_eq!(format!("{:>6}", display_line("é\u{200b}")), "    é�");
//! ```

mod class;
mod filter;
mod line;
mod writer;

pub use class::is_invisible;
pub use filter::{MAX_LINE_CHARS, MAX_MARKS, REPLACEMENT};
pub use line::{
    DisplayLine, display_line, display_path, is_clean_line, sanitize_block, sanitize_line,
    sanitize_line_to,
};
pub use writer::{SafeWriter, TextForm};
