//! Decodes bytes: UTF-8 where they are valid UTF-8, Windows-1252 where they are not. It never fails and never
//! drops a byte.

use std::borrow::Cow;

/// The characters of Windows-1252 in place of the second set of control characters of Latin-1. The five bytes
/// that it leaves undefined keep their Latin-1 meaning.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes bytes as UTF-8, and those that are not valid UTF-8 as Windows-1252.
///
/// This is decided for each byte, so one Latin-1 name does not garble the UTF-8 comments of the same game,
/// nor one stray byte its whole comment.
///
/// ```
/// assert_eq!(touchmove_pgn::decode("Müller".as_bytes()), "Müller");
/// assert_eq!(touchmove_pgn::decode(b"M\xfcller \x96 \x93x\x94"), "Müller – “x”");
/// assert_eq!(touchmove_pgn::decode(b"caf\xc3\xa9 \xff"), "café ÿ");
/// ```
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(mixed(bytes)),
    }
}

fn mixed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| windows_1252(byte)));
    }
    text
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[byte as usize - 0x80],
        _ => byte as char,
    }
}
