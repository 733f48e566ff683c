//! Comments and the commands inside them: `[%clk 0:09:58]`, `[%eval -0.8]`, `[%emt 0:00:02]` and any
//! other `[%...]`. Whether a clock can be true is the audit's business.

use std::borrow::Cow;
use std::time::Duration;

use crate::bytes::find_near;
use crate::encoding::decode;

/// A comment as it stands in the file.
///
/// ```
/// use touchmove_pgn::Comment;
///
/// let comment = Comment { raw: b" a good\nmove [%clk 0:09:58]", offset: 0, to_line_end: false };
/// assert_eq!(comment.text(), "a good move [%clk 0:09:58]");
/// assert_eq!(comment.commands().count(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment<'a> {
    /// The bytes between the braces, or from the semicolon to the end of the line.
    pub raw: &'a [u8],
    /// Where the brace or semicolon stands.
    pub offset: u64,
    /// Whether it was written with a semicolon.
    pub to_line_end: bool,
}

impl<'a> Comment<'a> {
    /// The comment as text: trimmed, each line break (and NUL) turned into one space.
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
    pub fn commands(&self) -> impl Iterator<Item = Command<'a>> + use<'a> {
        commands(self.raw)
    }
}

/// One `[%name value]`.
///
/// ```
/// use touchmove_pgn::commands;
///
/// let command = commands(b"[%eval -0.8]").next().unwrap();
/// assert_eq!((command.name, command.value), (&b"eval"[..], &b"-0.8"[..]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command<'a> {
    /// The name behind the percent sign.
    pub name: &'a [u8],
    /// What follows the name, trimmed.
    pub value: &'a [u8],
}

/// The commands in the text of a comment, in their order.
///
/// ```
/// use touchmove_pgn::{clock, commands};
/// let mut found = commands(b"a good move [%clk 0:09:58] [%csl Rh6]");
/// assert_eq!(found.next().and_then(|command| clock(command.value)).unwrap().as_secs(), 598);
/// assert_eq!(found.next().unwrap().name, b"csl");
/// ```
pub fn commands(mut text: &[u8]) -> impl Iterator<Item = Command<'_>> {
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
        Some(Command {
            name,
            value: value.trim_ascii(),
        })
    })
}

/// Reads a clock time: `1:29:00`, `29:00`, `0:00:04.5` or plain seconds.
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

/// The time in a comment that holds `[%clk 0:04:55]` and nothing else: what files with clocks are full
/// of. Other comments may hold clocks too.
#[inline]
pub(crate) fn lone_clock(raw: &[u8]) -> Option<Duration> {
    let raw = raw.strip_prefix(b" ").unwrap_or(raw);
    let raw = raw.strip_suffix(b" ").unwrap_or(raw);
    let [b'[', b'%', b'c', b'l', b'k', b' ', time @ .., b']'] = raw else {
        return None;
    };
    let [hours, b':', tens, minutes, b':', ten_seconds, seconds] = *time else {
        return None;
    };
    let weights = [
        (hours, 3600),
        (tens, 600),
        (minutes, 60),
        (ten_seconds, 10),
        (seconds, 1),
    ];
    let mut sum = 0;
    for (digit, weight) in weights {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        sum += u64::from(digit) * weight;
    }
    Some(Duration::from_secs(sum))
}

/// An engine's opinion, from White's side.
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

/// Reads the value of `[%eval]`: `0.2`, `-1.35`, `#-3`, with or without a depth (`0.17,20`).
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

    #[test]
    fn a_lone_clock_is_read_as_any_other() {
        for (raw, is_lone) in [
            (" [%clk 1:04:55] ", true),
            ("[%clk 0:04:59]", true),
            ("[%clk 0:00:99]", true),
            ("[%clk 10:04:59]", false),
            ("[%clk 0:04:5x]", false),
            ("[%emt 0:04:55]", false),
            ("[%clk 0:04:55] x", false),
        ] {
            let found = lone_clock(raw.as_bytes());
            assert_eq!(found.is_some(), is_lone, "{raw}");
            if is_lone {
                let command = commands(raw.as_bytes()).next();
                assert_eq!(found, command.and_then(|command| clock(command.value)));
            }
        }
    }

    #[test]
    fn comment_text_is_trimmed_and_joined() {
        let comment = Comment {
            raw: b" first\r\n\r\nsecond ",
            offset: 0,
            to_line_end: false,
        };
        assert_eq!(comment.text(), "first  second");
    }

    #[test]
    fn commands_may_be_broken_over_lines_and_unknown_ones_are_kept() {
        let all: Vec<_> = commands(b"[%clk\n1:29:00] [#] [%csl Rh6,Gd2][%cal Ge2e4]").collect();
        assert_eq!(all.len(), 3);
        assert_eq!(
            all[0],
            Command {
                name: b"clk",
                value: b"1:29:00"
            }
        );
        assert_eq!(all[2].name, b"cal");
    }
}
