//! Comments and their commands: `[%clk 0:09:58]`, `[%eval -0.8]`, `[%emt 0:00:02]` and any other `[%...]`.
//! The audit judges whether a clock time is possible.

use std::borrow::Cow;
use std::time::Duration;

use crate::bytes::{LOW_BITS, find_near};
use crate::encoding::decode;
use crate::time::Millis;

/// A comment as written in the file.
///
/// ```
/// use touchmove_pgn::Comment;
///
/// let raw = b" a good\nmove [%clk 0:09:58]";
/// let comment = Comment { raw, offset: 0, to_line_end: false, clock: None };
/// assert_eq!(comment.text(), "a good move [%clk 0:09:58]");
/// assert_eq!(comment.commands().count(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment<'a> {
    /// The bytes between the braces, or from the semicolon to the end of the line.
    pub raw: &'a [u8],
    /// The offset of the brace or semicolon.
    pub offset: u64,
    /// Whether it was written with a semicolon.
    pub to_line_end: bool,
    /// The clock time, if the fast path found it; otherwise read the [commands](Comment::commands).
    pub clock: Option<Millis>,
}

impl<'a> Comment<'a> {
    /// The comment as text: trimmed, with each line break and NUL replaced by a space.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        let text = decode(self.raw);
        let is_edge =
            |letter: char| letter.is_ascii_whitespace() || letter == '\0' || letter == '\x0b';
        let is_flat = !text.contains(['\n', '\r', '\0']);
        if is_flat && !text.starts_with(is_edge) && !text.ends_with(is_edge) {
            return text;
        }
        Cow::Owned(
            text.replace("\r\n", " ")
                .replace(['\n', '\r', '\0'], " ")
                .trim_matches(is_edge)
                .to_owned(),
        )
    }

    /// The `[%...]` commands in the comment.
    pub fn commands(&self) -> impl Iterator<Item = CommentCommand<'a>> + use<'a> {
        commands(self.raw)
    }
}

/// A command `[%name value]`.
///
/// ```
/// use touchmove_pgn::commands;
///
/// let command = commands(b"[%eval -0.8]").next().unwrap();
/// assert_eq!((command.name, command.value), (&b"eval"[..], &b"-0.8"[..]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommentCommand<'a> {
    /// The name after the percent sign.
    pub name: &'a [u8],
    /// What follows the name, trimmed.
    pub value: &'a [u8],
}

/// The commands in a comment's text, in order.
///
/// ```
/// use touchmove_pgn::{clock, commands};
/// let mut found = commands(b"a good move [%clk 0:09:58] [%csl Rh6]");
/// assert_eq!(found.next().and_then(|command| clock(command.value)).unwrap().as_secs(), 598);
/// assert_eq!(found.next().unwrap().name, b"csl");
/// ```
pub fn commands(mut text: &[u8]) -> impl Iterator<Item = CommentCommand<'_>> {
    std::iter::from_fn(move || {
        let inside = loop {
            let open = find_near(b'[', text)?;
            text = &text[open + 1..];
            if let [b'%', inside @ ..] = text {
                break inside;
            }
        };
        let close = find_near(b']', inside)?;
        let (body, rest) = inside.split_at(close);
        text = rest;
        let space = body
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(body.len());
        let (name, value) = body.split_at(space);
        Some(CommentCommand {
            name,
            value: value.trim_ascii(),
        })
    })
}

/// Parses a clock time: `1:29:00`, `29:00`, `0:00:04.5` or plain seconds.
#[must_use]
pub fn clock(value: &[u8]) -> Option<Duration> {
    let mut seconds = 0_u64;
    let (mut part, mut digits, mut colons) = (0_u64, 0, 0);
    let mut rest = value.iter();
    for &byte in rest.by_ref() {
        match byte {
            b'0'..=b'9' if digits < 6 => {
                part = part * 10 + u64::from(byte - b'0');
                digits += 1;
            }
            b':' if digits > 0 && colons < 2 => {
                seconds = (seconds + part) * 60;
                (part, digits) = (0, 0);
                colons += 1;
            }
            b'.' if digits > 0 => break,
            _ => return None,
        }
    }
    let fraction = rest.as_slice();
    if digits == 0 || !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let thousandths = fraction.iter().chain(b"000").take(3);
    let milliseconds = thousandths.fold(0, |all, digit| all * 10 + u64::from(digit - b'0'));
    Some(Duration::new(
        seconds + part,
        milliseconds as u32 * 1_000_000,
    ))
}

/// Maximum length of a comment that [`timed_comment`] parses, braces included.
pub(crate) const MAX_TIMED_COMMENT_BYTES: usize = 34;

/// Fast path for `{ [%clk 0:04:55] }` and `{ [%eval -0.35] [%clk 0:04:55] }`, the bulk of comments in files
/// with clocks. Starts at the opening brace; returns the index of the closing brace and the time. Other
/// comments may contain a clock too.
#[inline(always)]
pub(crate) fn timed_comment(text: &[u8; MAX_TIMED_COMMENT_BYTES]) -> Option<(usize, Millis)> {
    let time = match &text[..8] {
        b"{ [%clk " => 8,
        b"{ [%eval" if text[8] == b' ' => {
            let score = short_score(word(text, 9))?;
            let clock = 9 + score;
            if word(text, clock) != u64::from_le_bytes(*b"] [%clk ") {
                return None;
            }
            clock + 8
        }
        _ => return None,
    };
    if text[time + 8..time + 10] != *b" }" {
        return None;
    }
    Some((time + 9, bracketed_time(word(text, time))?))
}

/// Eight bytes of the text as a word, the first one lowest.
#[inline(always)]
fn word(text: &[u8; MAX_TIMED_COMMENT_BYTES], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&text[at..at + 8]);
    u64::from_le_bytes(bytes)
}

/// The high bit of each of eight bytes.
const HIGH_BITS: u64 = LOW_BITS * 0x80;

/// The index of the first `]` in these eight bytes, if all bytes before it could belong to a number: they are
/// in `#` to `9`.
#[inline(always)]
fn short_score(word: u64) -> Option<usize> {
    let bracket = word ^ (LOW_BITS * b']' as u64);
    let hits = bracket.wrapping_sub(LOW_BITS) & !bracket & HIGH_BITS;
    if hits == 0 {
        return None;
    }
    // A borrow or a carry starts at a byte that is refused itself, and only affects the bytes after it.
    let below = word.wrapping_sub(LOW_BITS * b'#' as u64);
    let above = word.wrapping_add(LOW_BITS * (0x7f - b'9' as u64));
    let before = (hits & hits.wrapping_neg()) - 1;
    let is_number = (below | above | word) & HIGH_BITS & before == 0;
    is_number.then_some((hits.trailing_zeros() / 8) as usize)
}

/// Parses `0:04:55]`.
#[inline(always)]
fn bracketed_time(word: u64) -> Option<Millis> {
    const DIGITS: u64 = 0x00ff_ff00_ffff_00ff;
    let digits = word ^ u64::from_le_bytes(*b"0:00:00]");
    // Adding six to a nibble above 9 carries into the next one; bytes that are not digits must match exactly.
    let odd =
        (digits | digits.wrapping_add(DIGITS & (LOW_BITS * 6))) & !(DIGITS & (LOW_BITS * 0x0f));
    if odd != 0 {
        return None;
    }
    // Every byte holds ten times its digit plus the next digit; two of these bytes are used.
    let pairs = digits * 10 + (digits >> 8);
    let (hours, minutes, seconds) = (digits & 0x0f, pairs >> 16 & 0xff, pairs >> 40 & 0xff);
    Some(Millis::seconds((hours * 60 + minutes) * 60 + seconds))
}

/// An engine's evaluation, from White's side.
///
/// ```
/// use touchmove_pgn::{Eval, eval};
///
/// assert_eq!(eval(b"1.35"), Some(Eval::Centipawns(135)));
/// assert_eq!(eval(b"#4"), Some(Eval::Mate(4)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eval {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative when Black mates.
    Mate(i32),
}

/// Parses the value of `[%eval]`: `0.2`, `-1.35`, `#-3`, with or without a depth (`0.17,20`).
///
/// ```
/// use touchmove_pgn::{Eval, eval};
/// assert_eq!(eval(b"-0.8"), Some(Eval::Centipawns(-80)));
/// assert_eq!(eval(b"#-3,22"), Some(Eval::Mate(-3)));
/// ```
#[must_use]
pub fn eval(value: &[u8]) -> Option<Eval> {
    let text = std::str::from_utf8(value).ok()?;
    let score = text.split(',').next()?.trim();
    if let Some(moves) = score.strip_prefix('#') {
        return moves.parse().ok().map(Eval::Mate);
    }
    let pawns: f64 = score.parse().ok()?;
    (pawns.abs() < 1e6).then(|| Eval::Centipawns((pawns * 100.0).round() as i32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{CommentEnd, comment_end};

    #[test]
    fn clocks_are_read_in_all_their_forms() {
        let seconds = |text: &[u8]| clock(text).map(|time| time.as_secs_f64());
        assert_eq!(seconds(b"1:30:57"), Some(5457.0));
        assert_eq!(seconds(b"0:00:04.5"), Some(4.5));
        assert_eq!(seconds(b"29:00"), Some(1740.0));
        assert_eq!(seconds(b"-1:00"), None);
        assert_eq!(seconds(b"12"), Some(12.0));
        for bad in [
            "", ":", "1:", ":1", "1:2:3:4", "1.x", ".5", "1234567", "1:.5",
        ] {
            assert_eq!(seconds(bad.as_bytes()), None, "{bad}");
        }
    }

    /// The closing brace and the clock of a comment, from the slow path; `None` if the comment has no clock
    /// or another one.
    fn read_plainly(text: &[u8]) -> Option<(usize, Millis)> {
        let CommentEnd::Brace(brace) = comment_end(text, 1, true) else {
            return None;
        };
        let mut clocks = commands(&text[1..brace]).filter(|command| command.name != b"eval");
        let (first, None) = (clocks.next()?, clocks.next()) else {
            return None;
        };
        let time = clock(first.value).filter(|_| first.name == b"clk")?;
        Some((brace, Millis(time.as_millis() as u64)))
    }

    /// Compares the fast path with the slow one. Returns whether the fast path has an answer.
    fn compare(text: &[u8]) -> bool {
        let mut padded = text.to_vec();
        padded.extend_from_slice(b" 12... Nf6 { [%clk 1:11:11] } 13. e5");
        let short = timed_comment(padded.first_chunk().expect("it is long"));
        let shown = decode(text);
        assert!(text[0] == b'{', "{shown}");
        if short.is_some() {
            assert_eq!(short, read_plainly(&padded), "{shown}");
        }
        short.is_some()
    }

    #[test]
    fn a_comment_in_the_usual_shape_is_read_the_short_way() {
        for text in [
            "{ [%clk 0:04:55] }",
            "{ [%clk 9:59:59] }",
            "{ [%clk 0:99:99] }",
            "{ [%eval 0.2] [%clk 0:04:55] }",
            "{ [%eval -12.35] [%clk 0:04:55] }",
            "{ [%eval #-3] [%clk 0:04:55] }",
            "{ [%eval 0.17,20] [%clk 0:04:55] }",
            "{ [%eval ] [%clk 0:04:55] }",
        ] {
            assert!(compare(text.as_bytes()), "{text}");
        }
        for text in [
            "{[%clk 0:04:55]}",
            "{ [%clk 10:04:55] }",
            "{ [%clk 0:04:5x] }",
            "{ [%clk 0:04:55.5] }",
            "{ [%emt 0:04:55] }",
            "{ [%clk 0:04:55] x }",
            "{ [%eval 0.2} ] [%clk 0:04:55] }",
            "{ [%eval [x] [%clk 0:04:55] }",
            "{ [%eval 123456.78] [%clk 0:04:55] }",
        ] {
            assert!(!compare(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn every_byte_at_every_place_is_read_alike_the_short_way_and_the_plain_one() {
        let mut read = 0;
        for text in [
            "{ [%clk 0:04:55] }",
            "{ [%eval 0.2] [%clk 0:04:55] }",
            "{ [%eval #-3] [%clk 0:04:55] }",
            "{ [%eval -123.4] [%clk 0:04:55] }",
        ] {
            for at in 1..text.len() {
                for byte in 0..=u8::MAX {
                    let mut changed = text.as_bytes().to_vec();
                    changed[at] = byte;
                    read += u32::from(compare(&changed));
                    // With a neighbouring byte that carries or borrows.
                    for (beside, other) in [(at - 1, 0xff), (at - 1, 0x00), (at - 1, b']')] {
                        if beside > 0 {
                            let mut changed = changed.clone();
                            changed[beside] = other;
                            read += u32::from(compare(&changed));
                        }
                    }
                }
            }
        }
        assert!(read > 500, "{read}");
    }

    #[test]
    fn every_time_of_seven_letters_is_read_alike_the_short_way_and_the_plain_one() {
        for seconds in 0..36_000 {
            let time = Millis::seconds(seconds).pgn();
            let text = format!("{{ [%clk {time}] }} 12... Nf6 {{ [%clk 1:11:11] }}");
            let short = timed_comment(text.as_bytes().first_chunk().expect("it is long"));
            assert_eq!(short, Some((17, Millis::seconds(seconds))), "{text}");
        }
    }

    #[test]
    fn comment_text_is_trimmed_and_joined() {
        let comment = Comment {
            raw: b" first\r\n\r\nsecond ",
            offset: 0,
            to_line_end: false,
            clock: None,
        };
        assert_eq!(comment.text(), "first  second");
    }

    #[test]
    fn commands_may_be_broken_over_lines_and_unknown_ones_are_kept() {
        let all: Vec<_> = commands(b"[%clk\n1:29:00] [#] [%csl Rh6,Gd2][%cal Ge2e4]").collect();
        assert_eq!(all.len(), 3);
        assert_eq!(
            all[0],
            CommentCommand {
                name: b"clk",
                value: b"1:29:00"
            }
        );
        assert_eq!(all[2].name, b"cal");
    }
}
