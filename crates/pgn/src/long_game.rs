//! Limits on the length of a game: how much of one is read, what is cut off, and where reading goes on after
//! it.

use std::fmt;

use memchr::{memchr, memchr2};

use crate::bytes::{is_line_end, is_space};
use crate::layout::{LOOK_AHEAD, is_quoted_tag};

/// Maximum length of a game in bytes of text: thirty times the longest game that the laws allow, with the
/// clock at each of its moves.
pub const MAX_GAME_BYTES: usize = 16 * 1024 * 1024;

/// Maximum number of tags, moves, comments, variations and glyphs of a game that a
/// [`Document`](crate::Document) keeps when it is read.
pub const MAX_GAME_PARTS: usize = 200_000;

/// The text that is cut off from a game because the game is longer than [`MAX_GAME_BYTES`].
///
/// ```
/// use touchmove_pgn::Excess;
///
/// let excess = Excess { offset: 16_777_216, line: 7, bytes: 12 };
/// assert!(excess.to_string().starts_with("the game has more than 16 MiB: 12 bytes"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Excess {
    /// Its offset in the file.
    pub offset: u64,
    /// The number of its first line, counted from 1.
    pub line: u64,
    /// Its length.
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

/// Maximum length of a word that is left out at the end of a text rather than cut in two.
const LONGEST_WORD: usize = 1024;

/// The start of the last word of a text, which may be incomplete; line ends are not cut in two either.
pub(crate) fn end_of_words(text: &[u8]) -> usize {
    let floor = text.len().saturating_sub(LONGEST_WORD);
    let space = text[floor..].iter().rposition(|&byte| is_space(byte));
    whole_lines(text, space.map_or(text.len(), |space| floor + space + 1))
}

/// The end of the text, or the index before it if a carriage return is last: a line feed may follow.
fn whole_lines(text: &[u8], end: usize) -> usize {
    end - usize::from(end > 1 && text[end - 1] == b'\r')
}

/// In the middle of a game that is too long, finds the next game: a line that opens a tag and is not in a
/// comment. Otherwise returns how much of the text can be skipped. `complete` says that this is the end of
/// the text.
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
                // Everything up to the brace is in a comment.
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
