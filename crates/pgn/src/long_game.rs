//! Games longer than any that was played: how much of one is read, what is left out, and where reading goes on
//! behind it.

use std::fmt;

use memchr::{memchr, memchr2};

use crate::bytes::{is_line_end, is_space};
use crate::layout::{LOOK_AHEAD, is_quoted_tag};

/// The longest game that is read, in bytes of its text. The longest that the laws allow, with the clock at each of its
/// moves, has a thirtieth of it.
pub const MAX_GAME_BYTES: usize = 16 * 1024 * 1024;

/// The largest number of tags, moves, comments, variations and glyphs of a game that a
/// [`Document`](crate::Document) keeps when it is read.
pub const MAX_GAME_PARTS: usize = 200_000;

/// The text that is left out of a game because the game has more than [`MAX_GAME_BYTES`].
///
/// ```
/// use touchmove_pgn::Excess;
///
/// let excess = Excess { offset: 16_777_216, line: 7, bytes: 12 };
/// assert!(excess.to_string().starts_with("the game has more than 16 MiB: 12 bytes"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Excess {
    /// Where in the file it begins.
    pub offset: u64,
    /// The line in which it begins, counted from 1.
    pub line: u64,
    /// How long it is.
    pub bytes: u64,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = MAX_GAME_BYTES / (1024 * 1024);
        let Excess { bytes, .. } = self;
        write!(
            f,
            "the game has more than {mebibytes} MiB: {bytes} bytes from here on are not read"
        )
    }
}

/// The longest word at the end of a text that is left out rather than cut in two.
const LONGEST_WORD: usize = 1024;

/// Where the last word of a text begins that may go on behind it, and no line end either is cut in two.
pub(crate) fn end_of_words(text: &[u8]) -> usize {
    let floor = text.len().saturating_sub(LONGEST_WORD);
    let space = text[floor..].iter().rposition(|&byte| is_space(byte));
    whole_lines(text, space.map_or(text.len(), |space| floor + space + 1))
}

/// This end of a text, or the one before it if a carriage return stands there: a line feed may follow.
fn whole_lines(text: &[u8], end: usize) -> usize {
    end - usize::from(end > 1 && text[end - 1] == b'\r')
}

/// Where in the middle of a game that is too long the next one begins: at a line that opens a tag and stands in no
/// comment. Otherwise how much of the text can be passed over; `complete` says that nothing comes after it.
pub(crate) fn find_tags(text: &[u8], complete: bool) -> Result<usize, usize> {
    let decided = match complete {
        true => text.len(),
        false => text.len().saturating_sub(LOOK_AHEAD + 1),
    };
    let mut at = 0;
    while let Some(found) = memchr(b'[', &text[at..decided]) {
        at += found;
        if at > 0 && is_line_end(text[at - 1]) && is_quoted_tag(text, at) {
            let window = &text[at..text.len().min(at + LOOK_AHEAD)];
            match memchr2(b'{', b'}', window) {
                // Everything up to it stands in a comment.
                Some(brace) if window[brace] == b'}' => at += brace,
                _ => return Ok(at),
            }
        }
        at += 1;
        if at >= decided {
            break;
        }
    }
    Err(whole_lines(text, decided))
}
