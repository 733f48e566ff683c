//! A writer that sanitizes everything written to it: the last step before a terminal or a log.

use std::io::{self, Write};

use crate::filter::{Filter, Layout, REPLACEMENT};
use crate::line::{push, push_json};

/// The format of what is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextForm {
    /// Lines for people: unsafe characters are replaced.
    Lines,
    /// JSON, one value on each line: unsafe characters are written as `\uXXXX`, so that the data stays exact.
    Json,
}

/// Sanitizes text as it is written. Bytes that are not UTF-8 are replaced too.
///
/// ```
/// use std::io::Write as _;
/// use touchmove_text::{SafeWriter, TextForm};
///
/// let mut out = SafeWriter::new(Vec::new(), TextForm::Lines);
/// writeln!(out, "Anna\x1b[2J")?;
/// assert_eq!(out.into_inner(), "Anna�[2J\n".as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct SafeWriter<W> {
    inner: W,
    form: TextForm,
    filter: Filter,
    is_ascii: bool,
    allowed: Option<&'static str>,
    /// The first bytes of a character whose other bytes have not been written yet.
    partial: Vec<u8>,
}

impl<W: Write> SafeWriter<W> {
    /// Wraps a writer, for text in this format.
    pub const fn new(inner: W, form: TextForm) -> SafeWriter<W> {
        SafeWriter {
            inner,
            form,
            filter: Filter::new(Layout::Block),
            is_ascii: false,
            allowed: None,
            partial: Vec::new(),
        }
    }

    /// Writes nothing but ASCII if `is_ascii`, for a terminal that does not read UTF-8: the bytes of other
    /// characters may be controls to it.
    #[must_use]
    pub const fn only_ascii(mut self, is_ascii: bool) -> SafeWriter<W> {
        self.is_ascii = is_ascii;
        self
    }

    /// Lets one text of this program through unchanged, with its escape sequences. Foreign text may repeat
    /// it, so it must leave the state of the terminal as it found it.
    #[must_use]
    pub const fn allow(mut self, text: &'static str) -> SafeWriter<W> {
        self.allowed = Some(text);
        self
    }

    /// Returns the writer inside.
    pub fn into_inner(self) -> W {
        self.inner
    }

    fn push(&mut self, clean: &mut String, text: &str) {
        let start = clean.len();
        match self.form {
            TextForm::Json => return push_json(clean, text, self.is_ascii),
            TextForm::Lines => push(clean, &mut self.filter, text),
        }
        if self.is_ascii && !clean[start..].is_ascii() {
            let ascii = |c: char| if c.is_ascii() { c } else { '?' };
            let replaced: String = clean[start..].chars().map(ascii).collect();
            clean.truncate(start);
            clean.push_str(&replaced);
        }
    }

    /// Decodes bytes, and replaces what is unsafe.
    fn sanitize(&mut self, bytes: &[u8]) -> String {
        let mut joined = std::mem::take(&mut self.partial);
        joined.extend_from_slice(bytes);
        let mut clean = String::with_capacity(joined.len());
        let mut rest = joined.as_slice();
        loop {
            let error = match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.push_allowed(&mut clean, text);
                    return clean;
                }
                Err(error) => error,
            };
            let (valid, after) = rest.split_at(error.valid_up_to());
            self.push_allowed(&mut clean, &String::from_utf8_lossy(valid));
            let Some(wrong) = error.error_len() else {
                self.partial = after.to_vec();
                return clean;
            };
            self.push(&mut clean, REPLACEMENT.encode_utf8(&mut [0; 4]));
            rest = &after[wrong..];
        }
    }

    fn push_allowed(&mut self, clean: &mut String, text: &str) {
        let Some(allowed) = self.allowed else {
            return self.push(clean, text);
        };
        for (at, part) in text.split(allowed).enumerate() {
            if at > 0 {
                clean.push_str(allowed);
            }
            self.push(clean, part);
        }
    }
}

impl<W: Write> Write for SafeWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_plain = |&byte: &u8| self.filter.is_plain_byte(byte);
        if self.partial.is_empty() && bytes.iter().all(is_plain) {
            self.filter.pass_plain();
            self.inner.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let clean = self.sanitize(bytes);
        self.inner.write_all(clean.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(form: TextForm, parts: &[&[u8]]) -> String {
        let mut out = SafeWriter::new(Vec::new(), form);
        for part in parts {
            out.write_all(part).unwrap();
        }
        String::from_utf8(out.into_inner()).unwrap()
    }

    #[test]
    fn characters_in_pieces_arrive_whole_and_bytes_that_are_none_are_replaced() {
        let parts: Vec<&[u8]> = "é♔👑\n".as_bytes().chunks(1).collect();
        assert_eq!(written(TextForm::Lines, &parts), "é♔👑\n");
        assert_eq!(written(TextForm::Lines, &[b"a\x9b31m\xffb\n"]), "a�31m�b\n");
        assert_eq!(written(TextForm::Lines, &[b"\xc2", b"\x9b2J"]), "�2J");
    }

    #[test]
    fn json_means_the_same_and_has_nothing_unsafe_in_it() {
        let text = "{\"name\":\"a\u{9b}2J\u{202e}\u{e0041}\u{7f}é\"}\n";
        let shown = "{\"name\":\"a\\u009b2J\\u202e\\udb40\\udc41\\u007fé\"}\n";
        assert_eq!(written(TextForm::Json, &[text.as_bytes()]), shown);
    }

    #[test]
    fn one_text_of_our_own_is_let_through_and_no_other_sequence() {
        let out = SafeWriter::new(Vec::new(), TextForm::Lines);
        let mut out = out.allow("\x1b[31mover\x1b[0m");
        write!(out, "\x1b[31mover\x1b[0m \x1b[31mtext").unwrap();
        let text = String::from_utf8(out.into_inner()).unwrap();
        assert_eq!(text, "\x1b[31mover\x1b[0m �[31mtext");
    }

    #[test]
    fn a_terminal_without_utf_8_gets_ascii() {
        let mut out = SafeWriter::new(Vec::new(), TextForm::Lines).only_ascii(true);
        writeln!(out, "Ûna ♔ ok").unwrap();
        assert_eq!(String::from_utf8(out.into_inner()).unwrap(), "?na ? ok\n");
    }
}
