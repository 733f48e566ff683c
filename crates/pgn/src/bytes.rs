//! Byte classes of PGN: which bytes are white space, which end a token, where lines begin. Knows nothing of
//! tags, moves or games.

use memchr::{memchr2, memchr3, memrchr2};

/// The number 1 in each of eight bytes.
pub(crate) const LOW_BITS: u64 = 0x0101_0101_0101_0101;

/// White space between tokens, NUL included.
pub(crate) const SPACE: u8 = 1;
/// Ends the token before it, and is or begins a token: `{ } ( ) [ ] ; $ * "`.
pub(crate) const PUNCTUATION: u8 = 2;
/// A digit.
pub(crate) const DIGIT: u8 = 4;
/// May be the last letter of plain SAN, before a check mark.
pub(crate) const SAN_END: u8 = 16;
/// Anything that does not occur in plain SAN: glyphs, dots, bytes beyond ASCII.
pub(crate) const NOT_SAN: u8 = 8;

/// The class of every byte.
pub(crate) static BYTE_CLASSES: [u8; 256] = {
    let mut class = [NOT_SAN; 256];
    let mut byte = 0;
    while byte < 128 {
        class[byte] = match byte as u8 {
            0 | b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => SPACE,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'*' | b'"' => PUNCTUATION,
            b'0'..=b'9' => DIGIT | SAN_END,
            b'K' | b'Q' | b'R' | b'B' | b'N' | b'O' => SAN_END,
            b'a'..=b'h' | b'x' | b'P' | b'+' | b'#' | b'=' | b'-' => 0,
            _ => NOT_SAN,
        };
        byte += 1;
    }
    class
};

/// Whether the byte is white space between tokens.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    BYTE_CLASSES[byte as usize] & SPACE != 0
}

/// Whether the byte ends a line.
pub(crate) fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// The index of the first line end at or after `from`, or the end of the text.
pub(crate) fn line_end(text: &[u8], from: usize) -> usize {
    memchr2(b'\n', b'\r', &text[from..]).map_or(text.len(), |at| from + at)
}

/// The index of the first matching byte; optimised for short texts.
#[inline]
pub(crate) fn find_near(byte: u8, text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(chunk) = text[at..].first_chunk() {
        let word = u64::from_le_bytes(*chunk) ^ (LOW_BITS * u64::from(byte));
        let hits = word.wrapping_sub(LOW_BITS) & !word & (LOW_BITS * 0x80);
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

/// The index of the first closing brace or line end at or after `from`. Comments are short, so checking eight
/// bytes at a time is faster than a call of `memchr`.
#[inline]
pub(crate) fn brace_or_line_end(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(chunk) = text[at..].first_chunk() {
        let word = u64::from_le_bytes(*chunk);
        let brace = word ^ (LOW_BITS * b'}' as u64);
        // The high bit of the first closing brace or low control character is set.
        let hits = (brace.wrapping_sub(LOW_BITS) & !brace)
            | (word.wrapping_sub(LOW_BITS * (b'\r' as u64 + 1)) & !word);
        let hits = hits & (LOW_BITS * 0x80);
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

/// The index of the first quote, backslash or line end; optimised for a near hit.
#[inline]
pub(crate) fn quote_or_line_end(text: &[u8]) -> Option<usize> {
    let is_end = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
    let mut at = 0;
    while let Some(chunk) = text[at..].first_chunk() {
        let word = u64::from_le_bytes(*chunk);
        let zero_of = |byte: u8| {
            let word = word ^ (LOW_BITS * u64::from(byte));
            word.wrapping_sub(LOW_BITS) & !word
        };
        // The high bit of the first quote, backslash or low control character is set.
        let control = word.wrapping_sub(LOW_BITS * (b'\r' as u64 + 1)) & !word;
        let hits = (zero_of(b'"') | zero_of(b'\\') | control) & (LOW_BITS * 0x80);
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

/// Whether only white space stands before `at` on its line.
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

/// The byte order mark of UTF-8. It counts as white space anywhere, since concatenating files puts it there.
const BOM: &[u8; 3] = b"\xef\xbb\xbf";

/// The length of non-ASCII white space at `at`: a byte order mark, a no-break space in UTF-8 or in Latin-1,
/// or one of the wide, thin and invisible spaces of Unicode.
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

/// The number of line ends in this text. CR LF is one line end, a lone CR another.
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
        let is_end = |byte: u8| matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
        // Which bytes are skipped at once depends on their values.
        for other in (b' '..=b'~').filter(|&other| !is_end(other)) {
            for length in 0..20 {
                for byte in 0..=u8::MAX {
                    let mut text = vec![other; length];
                    text.extend([byte, b'!', 0xa2, b'"']);
                    let expected = if is_end(byte) { length } else { length + 3 };
                    assert_eq!(quote_or_line_end(&text), Some(expected), "{byte}");
                }
            }
        }
        assert_eq!(quote_or_line_end(b"no end to this"), None);
    }

    /// Texts of every length up to forty, made of bytes close to the searched ones: with the high bit set,
    /// one more, one less, and those that a borrow runs through.
    fn texts() -> impl Iterator<Item = Vec<u8>> {
        let near = b"}{|\xfd\xfc\"!#\xa2\\[]\xdc\n\x0b\t\x8a\r\x0e\x0c\x8d\0\x01\x7f\x80\xff aZ\xef\xbb\xbf\xa0\xc2";
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        (0..20_000).map(move |round| {
            let length = round % 41;
            // Few letters make long runs without a hit, many make hits everywhere.
            let letters = 2 + round % (near.len() - 1);
            let mut text = Vec::with_capacity(length);
            for _ in 0..length {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                let pick = (seed >> 33) as usize;
                text.push(match pick % 3 {
                    0 => near[pick / 3 % letters.min(near.len())],
                    _ => b'a' + (pick % 26) as u8,
                });
            }
            text
        })
    }

    #[test]
    fn every_search_finds_what_a_plain_loop_finds() {
        let from = |text: &[u8], at: usize, is_end: fn(u8) -> bool| {
            (at..text.len()).find(|&at| is_end(text[at]))
        };
        for text in texts() {
            let quote = |byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
            assert_eq!(quote_or_line_end(&text), from(&text, 0, quote), "{text:?}");
            for byte in [b'}', b'"', b'a', b'\r', 0, 0x7f, 0x80, 0xff] {
                let plain = text.iter().position(|&other| other == byte);
                assert_eq!(find_near(byte, &text), plain, "{byte} in {text:?}");
            }
            for at in 0..=text.len() {
                let brace = |byte| matches!(byte, b'}' | b'\n' | b'\r');
                assert_eq!(
                    brace_or_line_end(&text, at),
                    from(&text, at, brace),
                    "{text:?} from {at}"
                );
                let is_line_end = |byte| byte == b'\n' || byte == b'\r';
                let end = from(&text, at, is_line_end).unwrap_or(text.len());
                assert_eq!(line_end(&text, at), end, "{text:?} from {at}");
                let mut start = at;
                while start > 0 && !is_line_end(text[start - 1]) {
                    start -= 1;
                }
                assert_eq!(line_start(&text, 0, at), start, "{text:?} before {at}");
                assert_eq!(line_start(&text, at, at), at);
                assert_eq!(is_first_column(&text, at), start == at, "{text:?} at {at}");
                let blank = b" \t\x0b\x0c\0\xef\xbb\xbf";
                let is_blank = text[start..at].iter().all(|byte| blank.contains(byte));
                assert_eq!(opens_line(&text, at), is_blank, "{text:?} at {at}");
                let mut next = at;
                while next < text.len() {
                    let rest = &text[next..];
                    let wide = [&b"\xef\xbb\xbf"[..], b"\xc2\xa0", b"\xa0"];
                    let found = wide.iter().find(|space| rest.starts_with(space));
                    match (rest[0], found) {
                        (0 | b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, _) => next += 1,
                        (_, Some(space)) => next += space.len(),
                        _ => break,
                    }
                }
                assert_eq!(skip_space(&text, at), next, "{text:?} from {at}");
            }
            let mut lines = 0;
            for (at, &byte) in text.iter().enumerate() {
                let is_pair = byte == b'\r' && text.get(at + 1) == Some(&b'\n');
                lines += u64::from((byte == b'\n' || byte == b'\r') && !is_pair);
            }
            assert_eq!(count_line_ends(&text), lines, "{text:?}");
        }
    }

    #[test]
    fn wide_spaces_are_known_by_their_bytes() {
        for (space, width) in [
            ("\u{feff}", 3),
            ("\u{2000}", 3),
            ("\u{200f}", 3),
            ("\u{2028}", 3),
            ("\u{2029}", 3),
            ("\u{202f}", 3),
            ("\u{205f}", 3),
            ("\u{2060}", 3),
            ("\u{3000}", 3),
            ("\u{a0}", 2),
            ("\u{2010}", 0),
            ("\u{2030}", 0),
            ("\u{2061}", 0),
            ("\u{3001}", 0),
            ("é", 0),
            ("a", 0),
        ] {
            let text = format!("x{space}y");
            assert_eq!(wide_space(text.as_bytes(), 1), width, "{space:?}");
        }
        assert_eq!(wide_space(b"x\xa0y", 1), 1);
        assert_eq!(wide_space(b"x\xef\xbb", 1), 0, "cut short");
    }

    #[test]
    fn every_byte_has_its_class() {
        for byte in 0..=u8::MAX {
            let class = BYTE_CLASSES[byte as usize];
            let is_space = b" \t\n\r\x0b\x0c\0".contains(&byte);
            assert_eq!(class & SPACE != 0, is_space, "{byte}");
            assert_eq!(super::is_space(byte), is_space, "{byte}");
            assert_eq!(
                class & PUNCTUATION != 0,
                b"{}()[];$*\"".contains(&byte),
                "{byte}"
            );
            assert_eq!(class & DIGIT != 0, byte.is_ascii_digit(), "{byte}");
            assert_eq!(
                class & SAN_END != 0,
                b"0123456789KQRBNO".contains(&byte),
                "{byte}"
            );
            let plain = b"0123456789KQRBNOPabcdefghx+#=-".contains(&byte);
            let other = is_space || class & PUNCTUATION != 0;
            assert_eq!(class & NOT_SAN != 0, !plain && !other, "{byte}");
        }
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
