//! Reads lines of input with a limit on their length, and reports what is not text. Knows nothing of what a line
//! means.

use std::io::{self, BufRead};

/// The longest line that is accepted, in bytes.
pub(crate) const MAX_LINE_BYTES: usize = 4096;

/// A line of input without its newline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum InputLine {
    Text(String),
    /// Longer than [`MAX_LINE_BYTES`]; the content was dropped.
    TooLong,
    /// Not UTF-8.
    NotText,
}

impl InputLine {
    /// The text of the line, or the reason why it has none.
    pub(crate) fn text(&self) -> Result<&str, &'static str> {
        match self {
            InputLine::Text(text) => Ok(text),
            InputLine::TooLong => Err("that line is longer than 4096 bytes and was not read"),
            InputLine::NotText => Err("that line is not UTF-8 text and was not read"),
        }
    }
}

/// The next line, or `None` at the end of input. Keeps at most [`MAX_LINE_BYTES`] bytes of a line, however long it
/// is.
pub(crate) fn next(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut kept = Vec::new();
    let mut too_long = false;
    let mut began = false;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            break;
        }
        began = true;
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        let room = MAX_LINE_BYTES - kept.len();
        too_long |= part.len() > room;
        kept.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if !began {
        return Ok(None);
    }
    if kept.last() == Some(&b'\r') {
        kept.pop();
    }
    Ok(Some(if too_long {
        InputLine::TooLong
    } else {
        String::from_utf8(kept).map_or(InputLine::NotText, InputLine::Text)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<InputLine> {
        let mut input = io::BufReader::with_capacity(7, input);
        std::iter::from_fn(|| next(&mut input).unwrap()).collect()
    }

    fn text(text: &str) -> InputLine {
        InputLine::Text(text.to_owned())
    }

    #[test]
    fn lines_end_with_lf_or_crlf_or_with_the_input() {
        assert_eq!(all(b""), []);
        assert_eq!(all(b"\n"), [text("")]);
        assert_eq!(all(b"e4\r\ne5\nNf3"), [text("e4"), text("e5"), text("Nf3")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_one_read() {
        let mut input = vec![b'x'; 10 * 1024 * 1024];
        input.extend(b"\ne4\n");
        assert_eq!(all(&input), [InputLine::TooLong, text("e4")]);
        let longest = "x".repeat(MAX_LINE_BYTES);
        assert_eq!(all(longest.as_bytes()), [text(&longest)]);
    }

    #[test]
    fn bytes_that_are_no_text_are_named_so() {
        assert_eq!(all(b"\xff\xfe\ne4"), [InputLine::NotText, text("e4")]);
    }
}
