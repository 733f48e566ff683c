//! The alphabet of PGN: which bytes are white space, which end a token, where lines begin. It knows
//! nothing of tags, moves or games.

use memchr::{memchr2, memchr3, memrchr2};

/// The number 1 in each of eight bytes.
pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;

/// White space between tokens, NUL included.
pub(crate) const SPACE: u8 = 1;
/// Ends the token before it, and is a token or opens one: `{ } ( ) [ ] ; $ * "`.
pub(crate) const PUNCTUATION: u8 = 2;
/// A digit.
pub(crate) const DIGIT: u8 = 4;
/// May be the last letter of plain SAN, before a check mark.
pub(crate) const LAST: u8 = 16;
/// Anything that plain SAN does not contain: glyphs, dots, bytes beyond ASCII.
pub(crate) const ODD: u8 = 8;

/// The class of every byte.
pub(crate) static CLASS: [u8; 256] = {
    let mut class = [ODD; 256];
    let mut byte = 0;
    while byte < 128 {
        class[byte] = match byte as u8 {
            0 | b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => SPACE,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'*' | b'"' => PUNCTUATION,
            b'0'..=b'9' => DIGIT | LAST,
            b'K' | b'Q' | b'R' | b'B' | b'N' | b'O' => LAST,
            b'a'..=b'h' | b'x' | b'P' | b'+' | b'#' | b'=' | b'-' => 0,
            _ => ODD,
        };
        byte += 1;
    }
    class
};

/// Whether the byte separates tokens without being one.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    CLASS[byte as usize] & SPACE != 0
}

/// Whether the byte ends a line.
pub(crate) fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// The index of the first line end at or after `from`, or the end of the text.
pub(crate) fn line_end(text: &[u8], from: usize) -> usize {
    memchr2(b'\n', b'\r', &text[from..]).map_or(text.len(), |at| from + at)
}

/// The index of the first such byte, in a text that is most likely short.
#[inline]
pub(crate) fn find_near(byte: u8, text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(chunk) = text[at..].first_chunk() {
        let word = u64::from_le_bytes(*chunk) ^ (ONES * u64::from(byte));
        let hits = word.wrapping_sub(ONES) & !word & (ONES * 0x80);
        if hits != 0 {
            return Some(at + (hits.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    text[at..]
        .iter()
        .position(|&other| other == byte)
        .map(|found| at + found)
}

/// The index of the first closing brace or line end at or after `from`. Comments are short: eight
/// bytes at a time is faster than a call of `memchr`.
#[inline]
pub(crate) fn brace_or_line_end(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(chunk) = text[at..].first_chunk() {
        let word = u64::from_le_bytes(*chunk);
        let brace = word ^ (ONES * b'}' as u64);
        // The high bit of the first closing brace or low control character is set.
        let hits = (brace.wrapping_sub(ONES) & !brace)
            | (word.wrapping_sub(ONES * (b'\r' as u64 + 1)) & !word);
        let hits = hits & (ONES * 0x80);
        if hits == 0 {
            at += 8;
            continue;
        }
        at += (hits.trailing_zeros() / 8) as usize;
        if text[at] == b'}' || is_line_end(text[at]) {
            return Some(at);
        }
        at += 1;
    }
    memchr3(b'}', b'\n', b'\r', &text[at..]).map(|found| at + found)
}

/// The index of the first quote, backslash or line end, in a text where one is most likely near.
#[inline]
pub(crate) fn quote_or_line_end(text: &[u8]) -> Option<usize> {
    let is_end = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
    let mut at = 0;
    while let Some(chunk) = text[at..].first_chunk() {
        let word = u64::from_le_bytes(*chunk);
        let zero_of = |byte: u8| {
            let word = word ^ (ONES * u64::from(byte));
            word.wrapping_sub(ONES) & !word
        };
        // The high bit of the first quote, backslash or low control character is set.
        let control = word.wrapping_sub(ONES * (b'\r' as u64 + 1)) & !word;
        let hits = (zero_of(b'"') | zero_of(b'\\') | control) & (ONES * 0x80);
        if hits == 0 {
            at += 8;
            continue;
        }
        at += (hits.trailing_zeros() / 8) as usize;
        if is_end(&text[at]) {
            return Some(at);
        }
        at += 1;
    }
    text[at..].iter().position(is_end).map(|found| at + found)
}

/// The index of the first byte of the line that holds `at`, looking back no further than `floor`.
pub(crate) fn line_start(text: &[u8], floor: usize, at: usize) -> usize {
    memrchr2(b'\n', b'\r', &text[floor..at]).map_or(floor, |before| floor + before + 1)
}

/// Whether `at` is the first column of a line.
pub(crate) fn is_first_column(text: &[u8], at: usize) -> bool {
    at == 0 || is_line_end(text[at - 1])
}

/// Whether nothing but white space stands before `at` on its line.
pub(crate) fn opens_line(text: &[u8], at: usize) -> bool {
    let mut before = at;
    while before > 0 && !is_line_end(text[before - 1]) {
        before -= 1;
        if !is_space(text[before]) && !BOM.contains(&text[before]) {
            return false;
        }
    }
    true
}

/// The byte order mark of UTF-8, which is white space wherever concatenation has left it.
const BOM: &[u8; 3] = b"\xef\xbb\xbf";

/// Whether the text begins with the byte order mark of UTF-16, which PGN never is.
pub(crate) fn is_utf16(text: &[u8]) -> bool {
    text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff")
}

/// How many bytes of white space beyond ASCII stand at `at`: a byte order mark, a no-break space in
/// UTF-8 or in Latin-1, or one of the wide, thin and invisible spaces of Unicode.
pub(crate) fn wide_space(text: &[u8], at: usize) -> usize {
    match text[at..] {
        [0xef, 0xbb, 0xbf, ..] => 3,
        [0xe2, 0x80, 0x80..=0x8f | 0xa8 | 0xa9 | 0xaf, ..] => 3,
        [0xe2, 0x81, 0x9f | 0xa0, ..] | [0xe3, 0x80, 0x80, ..] => 3,
        [0xc2, 0xa0, ..] => 2,
        [0xa0, ..] => 1,
        _ => 0,
    }
}

/// The index of the first byte at or after `from` that is not white space.
pub(crate) fn skip_space(text: &[u8], mut from: usize) -> usize {
    while let Some(&byte) = text.get(from) {
        if is_space(byte) {
            from += 1;
        } else if byte >= 0x80 && wide_space(text, from) > 0 {
            from += wide_space(text, from);
        } else {
            break;
        }
    }
    from
}

/// How many lines end in this text. CR LF is one line end, a lone CR another.
pub(crate) fn count_line_ends(text: &[u8]) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', text).count();
    let lone_returns = memchr::memchr_iter(b'\r', text)
        .filter(|&at| text.get(at + 1) != Some(&b'\n'))
        .count();
    (feeds + lone_returns) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_counted_once_whatever_their_style() {
        assert_eq!(count_line_ends(b"a\nb\r\nc\rd"), 3);
        assert_eq!(count_line_ends(b""), 0);
    }

    #[test]
    fn the_first_brace_or_line_end_is_found_wherever_it_stands() {
        for length in 0..20 {
            for (byte, is_end) in [(b'}', true), (b'\n', true), (b'\r', true), (b'\t', false)] {
                let mut text = vec![b'a'; length];
                text.extend([byte, b'{', 0xfd, b'}']);
                let expected = if is_end { length } else { length + 3 };
                assert_eq!(brace_or_line_end(&text, 0), Some(expected));
            }
        }
        assert_eq!(brace_or_line_end(b"no end to this", 0), None);
    }

    #[test]
    fn the_first_quote_or_line_end_is_found_wherever_it_stands() {
        for length in 0..20 {
            for byte in 0..=u8::MAX {
                let mut text = vec![b'a'; length];
                text.extend([byte, b'!', 0xa2, b'"']);
                let is_end = matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
                let expected = if is_end { length } else { length + 3 };
                assert_eq!(quote_or_line_end(&text), Some(expected), "{byte}");
            }
        }
        assert_eq!(quote_or_line_end(b"no end to this"), None);
    }

    #[test]
    fn a_byte_is_found_wherever_it_stands() {
        let text = b"abcdefghijklmnopqrstuvwxyz\x80\xff";
        for (at, &byte) in text.iter().enumerate() {
            assert_eq!(find_near(byte, text), Some(at));
        }
        assert_eq!(find_near(b'!', text), None);
    }

    #[test]
    fn a_mark_or_space_before_a_bracket_does_not_move_it_off_the_line_start() {
        assert!(opens_line(b"\xef\xbb\xbf[Event", 3));
        assert!(opens_line(b"x\n  [Event", 4));
        assert!(!opens_line(b"x [Event", 2));
    }
}
