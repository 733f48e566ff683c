//! Finds where comments end and where tags and games begin: the decisions that the reader and the splitter
//! into batches must make in the same way. It parses no moves.

use memchr::{memchr2, memrchr};

use crate::bytes::{BYTE_CLASSES, PUNCTUATION, SPACE, is_line_end, is_space, line_end, line_start};
use crate::bytes::{brace_or_line_end, is_first_column, opens_line, skip_space};
use crate::tag::{ParsedTag, read_tag};

/// How far the closing brace is searched for, after something that looks like a tag inside a comment.
pub(crate) const LOOK_AHEAD: usize = 64 * 1024;

/// Where a brace comment ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CommentEnd {
    /// At this closing brace.
    Brace(usize),
    /// It is never closed; reading goes on here, at the next game's tags or at the end.
    Unclosed(usize),
    /// More text is needed to know.
    Undecided,
}

/// Finds the end of the comment whose text begins at `from`, after its `{`.
///
/// Braces do not nest. A line that looks like a tag may be part of a comment. It is taken for the next game's
/// tag, and the comment for unclosed, only if another `{` or a long stretch without `}` follows. `complete`
/// says that this is the end of the text.
#[inline(always)]
pub(crate) fn comment_end(text: &[u8], from: usize, complete: bool) -> CommentEnd {
    let mut at = from;
    while let Some(found) = brace_or_line_end(text, at) {
        at = found;
        if text[at] == b'}' {
            return CommentEnd::Brace(at);
        }
        at += 1;
        if text.get(at) == Some(&b'[') && is_quoted_tag(text, at) {
            return brace_after_look_alike(text, at, complete);
        }
    }
    if complete {
        CommentEnd::Unclosed(text.len())
    } else {
        CommentEnd::Undecided
    }
}

#[inline(never)]
fn brace_after_look_alike(text: &[u8], tag: usize, complete: bool) -> CommentEnd {
    let window = &text[tag..text.len().min(tag + LOOK_AHEAD)];
    match memchr2(b'{', b'}', window) {
        Some(at) if window[at] == b'}' => CommentEnd::Brace(tag + at),
        Some(_) => CommentEnd::Unclosed(tag),
        None if complete || window.len() == LOOK_AHEAD => CommentEnd::Unclosed(tag),
        None => CommentEnd::Undecided,
    }
}

/// The index after the name of the tag that opens at `at`, if a name follows the bracket.
fn tag_name_end(text: &[u8], at: usize) -> Option<usize> {
    let name = skip_blanks(text, at + 1);
    let letters = text[name..]
        .iter()
        .take_while(|&&b| b.is_ascii_alphanumeric() || b == b'_');
    let end = name + letters.count();
    (end > name && text[name].is_ascii_alphabetic()).then_some(end)
}

/// Whether the bracket at `at` opens `[Name "`, all on one line.
pub(crate) fn is_quoted_tag(text: &[u8], at: usize) -> bool {
    tag_name_end(text, at).is_some_and(|end| text.get(skip_blanks(text, end)) == Some(&b'"'))
}

/// Whether the bracket at `at` opens a tag: a name, then a value on the same line.
pub(crate) fn is_tag(text: &[u8], at: usize) -> bool {
    let Some(end) = tag_name_end(text, at) else {
        return false;
    };
    let value = skip_blanks(text, end);
    match text.get(value) {
        Some(b'"') => true,
        Some(&byte) => value > end && byte != b']' && !is_line_end(byte),
        None => false,
    }
}

/// The index of the first byte at or after `from` that is neither a space nor a tab.
fn skip_blanks(text: &[u8], from: usize) -> usize {
    let blanks = text[from..]
        .iter()
        .take_while(|&&byte| byte == b' ' || byte == b'\t');
    from + blanks.count()
}

/// Whether the bracket at `at` opens a tag at the start of a line, which ends the game before it.
pub(crate) fn is_next_game(text: &[u8], at: usize) -> bool {
    opens_line(text, at) && is_tag(text, at)
}

/// Whether a game certainly begins at the bracket at `at`, whatever text is before it, unless the bracket is
/// in a comment: it opens a tag, and the line before it is movetext.
pub(crate) fn follows_movetext(text: &[u8], at: usize) -> bool {
    if at == 0 || !is_line_end(text[at - 1]) || !is_quoted_tag(text, at) {
        return false;
    }
    let before = text[..at].iter().rposition(|&byte| !is_space(byte));
    before.is_some_and(|last| {
        let start = skip_space(text, line_start(text, 0, last + 1));
        let line = &text[start..=last];
        // A comment may belong to the tags after it, so the text after it counts. A bracket in front may open
        // a tag, and one at the end may close a tag of two lines.
        let behind = memrchr(b'}', line).map_or(start, |brace| skip_space(text, start + brace + 1));
        behind <= last
            && !matches!(text[start], b'[' | b'%')
            && !matches!(text[behind], b'[' | b'{')
            && text[last] != b']'
            && !line.contains(&b';')
            && begins_movetext(text, start)
            && begins_movetext(text, behind)
    })
}

/// Whether the byte at `at` is on a line that `%` in the first column escapes. `floor` is where the last
/// comment ended: a `%` inside a comment is text.
pub(crate) fn is_escaped(text: &[u8], floor: usize, at: usize) -> bool {
    let start = line_start(text, floor, at);
    text[start] == b'%' && is_first_column(text, start)
}

/// A piece of text outside movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Preamble<'t> {
    /// The text ends.
    End,
    /// A line with `%` in the first column, up to this index.
    Escape(usize),
    /// A tag, at this index.
    Tag(usize, ParsedTag<'t>),
    /// A bracket that does not open a tag, up to the line end at this index.
    BadTag(usize, usize),
    /// A comment before a tag: its start and end.
    Comment(usize, usize),
    /// Moves, a result or a comment begin at this index.
    Movetext(usize),
    /// Text that is neither tag nor movetext: its start, and the end of its line.
    Junk(usize, usize),
}

/// Classifies the text at `from`, which is outside movetext. `has_event` says whether the current game
/// already has an `Event` tag, so that another one begins the next game.
#[inline]
pub(crate) fn preamble(text: &[u8], from: usize, has_event: bool) -> Preamble<'_> {
    let at = skip_space(text, from);
    match text.get(at) {
        None => Preamble::End,
        Some(b'%') if is_first_column(text, at) => Preamble::Escape(line_end(text, at)),
        Some(b'[') => match read_tag(text, at) {
            Some(tag) => Preamble::Tag(at, tag),
            None => Preamble::BadTag(at, line_end(text, at)),
        },
        Some(b'{' | b';') => match comment_before_tag(text, at, has_event) {
            Some(end) => Preamble::Comment(at, end),
            None => Preamble::Movetext(at),
        },
        Some(_) if begins_movetext(text, at) => Preamble::Movetext(at),
        Some(_) => Preamble::Junk(at, line_end(text, at)),
    }
}

/// The end of the comment at `at`, if tags of the same game follow it, possibly after more comments.
fn comment_before_tag(text: &[u8], at: usize, has_event: bool) -> Option<usize> {
    let end = past_comment(text, at)?;
    let mut next = skip_space(text, end);
    for _ in 0..8 {
        match text.get(next) {
            Some(b'[') if is_next_game(text, next) => {
                let is_event = read_tag(text, next).is_some_and(|tag| tag.is_event());
                return (!(is_event && has_event)).then_some(end);
            }
            Some(b'{' | b';') => next = skip_space(text, past_comment(text, next)?),
            _ => return None,
        }
    }
    None
}

/// The end of the comment at `at`, if it is closed.
fn past_comment(text: &[u8], at: usize) -> Option<usize> {
    if text[at] == b';' {
        return Some(line_end(text, at));
    }
    match comment_end(text, at + 1, true) {
        CommentEnd::Brace(brace) => Some(brace + 1),
        _ => None,
    }
}

/// Whether the token at `at` can begin movetext: a number, a result, a comment, a NAG or glyph, a variation,
/// or something that looks like a move.
fn begins_movetext(text: &[u8], at: usize) -> bool {
    match text[at] {
        b'{' | b';' | b'(' | b'*' | b'$' => return true,
        _ => {}
    }
    let rest = &text[at..];
    let length = rest
        .iter()
        .position(|&byte| BYTE_CLASSES[byte as usize] & (SPACE | PUNCTUATION) != 0)
        .unwrap_or(rest.len());
    let token = &rest[..length];
    match token {
        [b'0'..=b'9', ..] => begins_with_number(token),
        [b'a'..=b'h' | b'x', ..] => token.iter().any(u8::is_ascii_digit) && length <= 9,
        [b'K' | b'Q' | b'R' | b'B' | b'N' | b'P', ..] => {
            token.iter().any(u8::is_ascii_digit) && length <= 9
        }
        [b'O' | b'o', b'-', ..] => true,
        [0xe2, 0x99, 0x94..=0x9f, ..] => true,
        b"--" | b"..." => true,
        [b'!' | b'?', behind @ ..] => behind.iter().all(|letter| matches!(letter, b'!' | b'?')),
        _ => token.starts_with(b"\xc2\xbd") || token.starts_with(b"\xbd"),
    }
}

/// `1.`, `12...`, `1.e4`, `1-0`, `1/2-1/2`, `0-0` or a bare number, but not `9th` or `10:30`.
fn begins_with_number(token: &[u8]) -> bool {
    let digits = token
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    match token.get(digits) {
        None => true,
        Some(b',' | b':') => token.len() == digits + 1,
        Some(b'.') => !token.get(digits + 1).is_some_and(u8::is_ascii_digit) || token == b"0.5-0.5",
        Some(b'-' | b'/') => token.get(digits + 1).is_some_and(u8::is_ascii_digit),
        Some(&byte) => byte >= 0x80 || matches!(&token[digits..], [b'a'..=b'h', b'1'..=b'8', ..]),
    }
}

/// Whether there is a blank line directly before `at`.
pub(crate) fn follows_blank_line(text: &[u8], at: usize) -> bool {
    let mut ends = 0;
    let mut before = at;
    while before > 0 && is_space(text[before - 1]) {
        before -= 1;
        let crlf = text[before] == b'\n' && before > 0 && text[before - 1] == b'\r';
        if is_line_end(text[before]) {
            ends += 1;
            before -= usize::from(crlf);
        }
    }
    ends >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_look_alike_inside_a_comment_does_not_end_it() {
        let text = b"a\n[Event \"x\"]\n} e5";
        assert_eq!(comment_end(text, 0, true), CommentEnd::Brace(14));
    }

    #[test]
    fn an_unclosed_comment_stops_at_the_next_game() {
        let text = b"a\n\n[Event \"x\"]\n\n1. e4 {b} *";
        assert_eq!(comment_end(text, 0, true), CommentEnd::Unclosed(3));
        let text = b"a\n\n[Event \"x\"]\n\n1. e4 *";
        assert_eq!(comment_end(text, 0, true), CommentEnd::Unclosed(3));
        assert_eq!(comment_end(text, 0, false), CommentEnd::Undecided);
    }

    #[test]
    fn diagram_marks_and_clocks_are_not_tags() {
        assert!(!is_tag(b"[D]", 0));
        assert!(!is_tag(b"[%clk 0:01:00]", 0));
        assert!(!is_quoted_tag(b"[Event\n\"x\"]", 0));
        assert!(is_tag(b"[Event x]", 0));
        assert!(is_tag(b"[Event\"x\"]", 0));
    }

    #[test]
    fn mail_text_is_not_movetext() {
        for text in [
            "From: a@b",
            "Here is it",
            "9th round",
            "10:30 start",
            "Best wishes",
        ] {
            assert!(!begins_movetext(text.as_bytes(), 0), "{text}");
        }
        for text in [
            "1. e4", "1.e4", "1, e4", "e4 e5", "*", "1-0", "{a}", "0-0", "12", "1e4",
        ] {
            assert!(begins_movetext(text.as_bytes(), 0), "{text}");
        }
    }
}
