//! Converts UTF-16 to UTF-8, piece by piece. PGN must not be UTF-16, but some editors save it so; it is
//! recognised by its byte order mark.

use std::char::{REPLACEMENT_CHARACTER, decode_utf16};

/// The whole text as UTF-8; `None` if it is not UTF-16.
pub(crate) fn transcoded(text: &[u8]) -> Option<Vec<u8>> {
    let mut transcoder = Transcoder::of(text)?;
    let mut plain = Vec::with_capacity(text.len() / 2);
    transcoder.push(&text[BOM_BYTES..], &mut plain);
    transcoder.finish(&mut plain);
    Some(plain)
}

/// Length of the byte order mark in bytes.
pub(crate) const BOM_BYTES: usize = 2;

/// A streaming converter from UTF-16 to UTF-8. Invalid units become U+FFFD.
#[derive(Debug)]
pub(crate) struct Transcoder {
    is_big_endian: bool,
    /// The first byte of an incomplete unit.
    byte: Option<u8>,
    /// The first half of an incomplete surrogate pair.
    half: Option<u16>,
}

impl Transcoder {
    /// The converter for a text that begins with these bytes; `None` if it is not UTF-16.
    pub(crate) fn of(text: &[u8]) -> Option<Transcoder> {
        let is_big_endian = match text {
            [0xff, 0xfe, ..] => false,
            [0xfe, 0xff, ..] => true,
            _ => return None,
        };
        Some(Transcoder {
            is_big_endian,
            byte: None,
            half: None,
        })
    }

    /// Converts the next bytes and appends them to the text.
    pub(crate) fn push(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        let is_big_endian = self.is_big_endian;
        let unit = |pair: [u8; 2]| match is_big_endian {
            true => u16::from_be_bytes(pair),
            false => u16::from_le_bytes(pair),
        };
        let (first, bytes) = match (self.byte.take(), bytes) {
            (Some(byte), [next, rest @ ..]) => (Some(unit([byte, *next])), rest),
            (byte, bytes) => {
                self.byte = byte;
                (None, bytes)
            }
        };
        let (pairs, rest) = bytes.as_chunks();
        let mut units: Vec<u16> = self.half.take().into_iter().chain(first).collect();
        units.extend(pairs.iter().map(|&pair| unit(pair)));
        self.byte = self.byte.or(rest.first().copied());
        self.half = units.pop_if(|last| matches!(last, 0xd800..0xdc00));
        write(&units, text);
    }

    /// Ends the text; an incomplete unit becomes U+FFFD.
    pub(crate) fn finish(&mut self, text: &mut Vec<u8>) {
        let half = self.half.take().is_some();
        let byte = self.byte.take().is_some();
        for _ in 0..u8::from(half) + u8::from(byte) {
            write(&[REPLACEMENT_CHARACTER as u16], text);
        }
    }
}

fn write(units: &[u16], text: &mut Vec<u8>) {
    for letter in decode_utf16(units.iter().copied()) {
        let letter = letter.unwrap_or(REPLACEMENT_CHARACTER);
        text.extend(letter.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, is_big_endian: bool) -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        let bytes = |unit: u16| match is_big_endian {
            true => unit.to_be_bytes(),
            false => unit.to_le_bytes(),
        };
        units.flat_map(bytes).collect()
    }

    #[test]
    fn a_text_is_the_same_however_it_is_cut() {
        let text = "[White \"Müller\"]\n\n1. ♘f3 {𝔸 pair} *\n";
        for is_big_endian in [true, false] {
            let bytes = written(text, is_big_endian);
            assert_eq!(transcoded(&bytes).as_deref(), Some(text.as_bytes()));
            for size in 1..9 {
                let mut transcoder = Transcoder::of(&bytes).expect("it has the mark");
                let mut plain = Vec::new();
                for piece in bytes[BOM_BYTES..].chunks(size) {
                    transcoder.push(piece, &mut plain);
                }
                transcoder.finish(&mut plain);
                assert_eq!(plain, text.as_bytes(), "pieces of {size}");
            }
        }
    }

    #[test]
    fn what_is_no_character_is_shown_as_such() {
        for (bytes, plain) in [
            (&b"\xff\xfea"[..], "\u{fffd}"),
            (b"\xff\xfea\0\x00\xd8", "a\u{fffd}"),
            (b"\xff\xfe\x00\xd8b\0", "\u{fffd}b"),
            (b"\xff\xfe\x00\xdcb\0\x00\xd8c", "\u{fffd}b\u{fffd}\u{fffd}"),
            (b"\xfe\xff", ""),
        ] {
            assert_eq!(transcoded(bytes).as_deref(), Some(plain.as_bytes()));
        }
        assert_eq!(transcoded(b"\xef\xbb\xbf1. e4"), None);
        for plain in [&b""[..], b"\xff", b"\xff\xff", b"1. e4"] {
            assert!(Transcoder::of(plain).is_none());
        }
    }
}
