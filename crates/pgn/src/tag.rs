//! Parses a tag pair, `[Name "value"]`, in all the ways in which people misspell it. The values are
//! interpreted elsewhere.

use std::borrow::Cow;

use memchr::memchr2;

use crate::bytes::{LOW_BITS, is_line_end, line_end, quote_or_line_end, skip_space};
use crate::encoding::decode;
use crate::layout::is_tag;

/// A tag pair as written in the file.
///
/// ```
/// use touchmove_pgn::Tag;
///
/// let tag = Tag { name: b"White", raw_value: br#"O\"Kelly"#, offset: 0 };
/// assert_eq!((tag.name(), tag.value()), ("White".into(), "O\"Kelly".into()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tag<'a> {
    /// The name, without the bracket.
    pub name: &'a [u8],
    /// The bytes between the quotes, with escapes.
    pub raw_value: &'a [u8],
    /// The offset of the opening bracket.
    pub offset: u64,
}

impl<'a> Tag<'a> {
    /// The name as text.
    #[must_use]
    pub fn name(&self) -> Cow<'a, str> {
        decode(self.name)
    }

    /// The value as text: `\"` and `\\` are unescaped, line breaks become spaces.
    #[must_use]
    pub fn value(&self) -> Cow<'a, str> {
        let text = decode(self.raw_value);
        if memchr::memchr3(b'\\', b'\n', b'\r', text.as_bytes()).is_none() {
            return text;
        }
        let mut plain = String::with_capacity(text.len());
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match (letter, letters.peek()) {
                ('\\', Some(&next @ ('"' | '\\'))) => {
                    plain.push(next);
                    letters.next();
                }
                ('\r', Some('\n')) => {}
                ('\r' | '\n', _) => plain.push(' '),
                _ => plain.push(letter),
            }
        }
        Cow::Owned(plain)
    }
}

/// A fault of a tag that could be read nevertheless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TagFault {
    /// The value has no quotes.
    Unquoted,
    /// The closing bracket is missing.
    NoBracket,
    /// A quote inside the value is not escaped.
    BareQuote,
    /// The value ends in a lone backslash, which would escape its closing quote.
    LoneBackslash,
    /// The value continues on the next line.
    BrokenLine,
    /// The closing quote is missing.
    NoQuote,
    /// The file ends inside the tag.
    Truncated,
}

/// A parsed tag with its end and its fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ParsedTag<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) raw_value: &'a [u8],
    pub(crate) end: usize,
    pub(crate) fault: Option<TagFault>,
}

impl<'a> ParsedTag<'a> {
    /// Whether it is the `Event` tag, in any case. It begins a game.
    pub(crate) fn is_event(&self) -> bool {
        matches!(self.name, [b'E' | b'e', ..]) && self.name.eq_ignore_ascii_case(b"Event")
    }

    /// The name in its usual case, if this crate knows the tag.
    #[inline]
    pub(crate) fn usual_name(&self) -> &'a [u8] {
        match self.name {
            b"Event" | b"Site" | b"Date" | b"Round" | b"White" | b"Black" | b"Result" => self.name,
            _ => self.usual_case(),
        }
    }

    /// The same, if the name is in another case.
    fn usual_case(&self) -> &'a [u8] {
        let known = KNOWN_TAGS.get(self.name.len()).copied().unwrap_or_default();
        known
            .iter()
            .find(|known| known.eq_ignore_ascii_case(self.name))
            .unwrap_or(&self.name)
    }
}

/// The tags that this crate knows, by the length of their names: the roster, and those about the moves.
const KNOWN_TAGS: [&[&[u8]]; 12] = [
    &[],
    &[],
    &[],
    &[b"FEN"],
    &[b"Site", b"Date"],
    &[b"Event", b"Round", b"White", b"Black", b"SetUp"],
    &[b"Result"],
    &[b"Variant"],
    &[b"PlyCount"],
    &[],
    &[],
    &[b"TimeControl", b"Termination"],
];

/// Parses the tag whose bracket is at `at`, if it is one.
#[inline]
pub(crate) fn read_tag(text: &[u8], at: usize) -> Option<ParsedTag<'_>> {
    match plain_tag(text, at) {
        Some(tag) => Some(tag),
        None => is_tag(text, at).then(|| parse_tag(text, at)),
    }
}

/// Fast path: a tag in standard form, with one space, no escapes, alone on its line.
#[inline]
fn plain_tag(text: &[u8], at: usize) -> Option<ParsedTag<'_>> {
    let rest = &text[at + 1..];
    let name_end = name_length(rest)?;
    let (name, rest) = rest.split_at(name_end);
    let value = rest.strip_prefix(b" \"")?;
    let close = quote_or_line_end(value)?;
    let (raw_value, rest) = value.split_at(close);
    let is_plain = name.first().is_some_and(u8::is_ascii_alphabetic)
        && matches!(rest, [b'"', b']', b'\n' | b'\r', ..]);
    let end = at + 1 + name_end + 2 + close + 2;
    is_plain.then_some(ParsedTag {
        name,
        raw_value,
        end,
        fault: None,
    })
}

/// The number of letters and digits that the text begins with; `None` if there is no other byte.
#[inline]
fn name_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(chunk) = text[at..].first_chunk() {
        let letters = letters_in_front(u64::from_le_bytes(*chunk));
        at += letters;
        if letters < 8 {
            break;
        }
    }
    let rest = text[at..].iter();
    rest.take_while(|byte| byte.is_ascii_alphanumeric())
        .count()
        .checked_add(at)
        .filter(|&length| length < text.len())
}

/// The number of bytes, of eight, before the first that is not an ASCII letter.
#[inline(always)]
fn letters_in_front(word: u64) -> usize {
    let small = word | (LOW_BITS * 0x20);
    // A borrow or a carry starts at a byte that is not a letter, and only affects the bytes after it.
    let below = small.wrapping_sub(LOW_BITS * b'a' as u64);
    let above = small.wrapping_add(LOW_BITS * (0x7f - b'z' as u64));
    let others = (below | above | word) & (LOW_BITS * 0x80);
    (others.trailing_zeros() / 8) as usize
}

/// Parses the tag whose bracket is at `at`, in any spelling.
fn parse_tag(text: &[u8], at: usize) -> ParsedTag<'_> {
    let blanks = |from: usize| {
        from + text[from..]
            .iter()
            .take_while(|&&byte| byte == b' ' || byte == b'\t')
            .count()
    };
    let name_start = blanks(at + 1);
    let letters = text[name_start..]
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_');
    let name_end = name_start + letters.count();
    let value = blanks(name_end);
    let name = &text[name_start..name_end];
    if text.get(value) == Some(&b'"') {
        let Close { quote, end, fault } = closing_quote(text, value + 1);
        return ParsedTag {
            name,
            raw_value: &text[value + 1..quote],
            end,
            fault,
        };
    }
    let stop = line_end(text, value);
    let bracket = memchr::memchr(b']', &text[value..stop]).map(|found| value + found);
    let bare = text[value..bracket.unwrap_or(stop)].trim_ascii();
    ParsedTag {
        name,
        raw_value: strip_curly_quotes(bare),
        end: bracket.map_or(stop, |found| found + 1),
        fault: Some(TagFault::Unquoted),
    }
}

/// The end of a quoted value and of its tag.
struct Close {
    quote: usize,
    end: usize,
    fault: Option<TagFault>,
}

/// Finds the closing quote of the value that begins at `from`.
///
/// The closing quote is the first one before a bracket or the line end; quotes before it belong to the text.
/// If the line has none, it is an escaped quote before a bracket (`"C:\"]`), then the last bare quote, then
/// one on the next line; otherwise the value ends with its line.
fn closing_quote(text: &[u8], from: usize) -> Close {
    let stop = line_end(text, from);
    let mut last_bare = None;
    let mut escaped_close = None;
    let mut at = from;
    while let Some(found) = memchr2(b'"', b'\\', &text[at..stop]) {
        at += found;
        if text[at] == b'\\' {
            if text[..stop].get(at + 1) == Some(&b'"') && text[..stop].get(at + 2) == Some(&b']') {
                escaped_close = escaped_close.or(Some(at + 1));
            }
            at = (at + 2).min(stop);
            continue;
        }
        let next = at
            + 1
            + text[at + 1..stop]
                .iter()
                .take_while(|b| b.is_ascii_whitespace())
                .count();
        let fault = last_bare.map(|_| TagFault::BareQuote);
        if next == stop {
            return Close {
                quote: at,
                end: stop,
                fault: fault.or(Some(TagFault::NoBracket)),
            };
        }
        if text[next] == b']' {
            return Close {
                quote: at,
                end: next + 1,
                fault,
            };
        }
        last_bare = Some(at);
        at += 1;
    }
    if let Some(quote) = escaped_close {
        return Close {
            quote,
            end: quote + 2,
            fault: Some(TagFault::LoneBackslash),
        };
    }
    if let Some(quote) = last_bare {
        let bracket = memchr::memchr(b']', &text[quote..stop]).map_or(stop, |b| quote + b + 1);
        return Close {
            quote,
            end: bracket,
            fault: Some(TagFault::BareQuote),
        };
    }
    if let Some(close) = closing_quote_in_next_line(text, stop) {
        return close;
    }
    let quote = if text[..stop].ends_with(b"]") {
        stop - 1
    } else {
        stop
    };
    let fault = if stop == text.len() {
        TagFault::Truncated
    } else {
        TagFault::NoQuote
    };
    Close {
        quote: quote.max(from),
        end: stop,
        fault: Some(fault),
    }
}

/// The end of a value that an editor has broken into two lines.
fn closing_quote_in_next_line(text: &[u8], stop: usize) -> Option<Close> {
    let start = stop
        + if text[stop..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
    let first = text.get(start)?;
    if is_line_end(*first) || *first == b'[' || *first == b'%' {
        return None;
    }
    let line = &text[start..line_end(text, start)];
    let quote = memchr::memmem::find(line, b"\"]")?;
    let end = start + quote + 2;
    (skip_space(line, quote + 2) == line.len()).then_some(Close {
        quote: start + quote,
        end,
        fault: Some(TagFault::BrokenLine),
    })
}

/// Removes typographic quotes around the value.
fn strip_curly_quotes(value: &[u8]) -> &[u8] {
    let opened = [&b"\xe2\x80\x9c"[..], b"\xe2\x80\x9e", b"\x93"];
    let closed = [&b"\xe2\x80\x9d"[..], b"\xe2\x80\x9c", b"\x94"];
    let value = opened
        .iter()
        .find_map(|q| value.strip_prefix(*q))
        .unwrap_or(value);
    closed
        .iter()
        .find_map(|q| value.strip_suffix(*q))
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::ROSTER;

    #[test]
    fn every_tag_that_is_known_stands_under_its_length() {
        for (length, names) in KNOWN_TAGS.iter().enumerate() {
            assert!(names.iter().all(|name| name.len() == length));
        }
        for (name, _) in ROSTER {
            assert!(KNOWN_TAGS[name.len()].contains(&name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn a_name_ends_at_the_first_byte_that_is_no_letter_and_no_digit() {
        let plainly = |text: &[u8]| text.iter().position(|byte| !byte.is_ascii_alphanumeric());
        for length in 0..20 {
            for byte in 0..=u8::MAX {
                for other in [b'Z', b'z', b'@', b'{', b'0', 0, 0x7f, 0xff] {
                    let mut text = vec![b'q'; length];
                    text.extend([byte, other]);
                    assert_eq!(name_length(&text), plainly(&text), "{text:?}");
                    text.extend(b"Aa1 \"Bb2c3d\"]\n");
                    assert_eq!(name_length(&text), plainly(&text), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn a_name_is_known_in_any_case() {
        for name in KNOWN_TAGS.iter().flat_map(|names| names.iter().copied()) {
            for written in [
                name.to_vec(),
                name.to_ascii_lowercase(),
                name.to_ascii_uppercase(),
            ] {
                let tag = ParsedTag {
                    name: &written,
                    raw_value: b"",
                    end: 0,
                    fault: None,
                };
                assert_eq!(tag.usual_name(), name);
                assert_eq!(tag.is_event(), name == b"Event");
            }
        }
    }

    fn read(text: &str) -> (String, Option<TagFault>, &str) {
        let parsed = parse_tag(text.as_bytes(), 0);
        let tag = Tag {
            name: parsed.name,
            raw_value: parsed.raw_value,
            offset: 0,
        };
        (tag.value().into_owned(), parsed.fault, &text[parsed.end..])
    }

    #[test]
    fn every_misspelt_tag_keeps_its_value_and_names_its_fault() {
        let cases = [
            (r#"[White "W"]"#, "W", None, ""),
            (r#"[White "A \"q\" \\ n"] x"#, r#"A "q" \ n"#, None, " x"),
            (r#"[White "a ] [ ; % 1-0"]"#, "a ] [ ; % 1-0", None, ""),
            (
                "[White \"C:\\\"]\n",
                "C:\\",
                Some(TagFault::LoneBackslash),
                "\n",
            ),
            ("[White \"x\"\n", "x", Some(TagFault::NoBracket), "\n"),
            (
                "[White Foo Bar]\n",
                "Foo Bar",
                Some(TagFault::Unquoted),
                "\n",
            ),
            ("[White “Foo”]", "Foo", Some(TagFault::Unquoted), ""),
            (
                r#"[White "The "Big" Open"]"#,
                r#"The "Big" Open"#,
                Some(TagFault::BareQuote),
                "",
            ),
            ("[White \"tru", "tru", Some(TagFault::Truncated), ""),
            (
                "[White \"tru]\n[Black",
                "tru",
                Some(TagFault::NoQuote),
                "\n[Black",
            ),
            (
                "[White \"two\nlines\"]\n",
                "two lines",
                Some(TagFault::BrokenLine),
                "\n",
            ),
            (
                "[White \"two\n[Black \"B\"]\n",
                "two",
                Some(TagFault::NoQuote),
                "\n[Black \"B\"]\n",
            ),
        ];
        for (text, value, fault, rest) in cases {
            assert_eq!(read(text), (value.to_owned(), fault, rest), "{text}");
        }
    }
}
