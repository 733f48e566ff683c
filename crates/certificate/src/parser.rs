//! Parses the lines of a certificate and the words in them. What they mean is decided elsewhere.

use std::borrow::Cow;
use std::fmt;

use touchmove_rules::{Bitboard, Square};

/// Why a certificate is refused: the line, counted from 1, and what is wrong there.
///
/// ```
/// let refusal = touchmove_certificate::verify("touchmove certificate 0").unwrap_err();
/// assert_eq!(refusal.line, 1);
/// assert!(refusal.to_string().starts_with("line 1: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateError {
    /// Which line.
    pub line: usize,
    /// What is wrong, as a clause without its full stop.
    pub what: String,
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for CertificateError {}

/// The lines that are left to parse.
pub(crate) struct LineReader<'a> {
    rest: std::iter::Peekable<std::str::Lines<'a>>,
    /// The number of the last line that was read.
    number: usize,
}

impl<'a> LineReader<'a> {
    pub fn of(text: &'a str) -> LineReader<'a> {
        LineReader {
            rest: text.lines().peekable(),
            number: 0,
        }
    }

    /// An error at the last line that was read.
    pub fn refuse<T>(&self, what: impl Into<String>) -> Result<T, CertificateError> {
        Err(CertificateError {
            line: self.number,
            what: what.into(),
        })
    }

    /// Skips empty lines; whether there is anything left after them.
    pub fn skip_blank_lines(&mut self) -> bool {
        while self.rest.peek().is_some_and(|line| line.trim().is_empty()) {
            self.advance();
        }
        self.rest.peek().is_some()
    }

    fn advance(&mut self) -> Option<&'a str> {
        self.number += 1;
        self.rest.next()
    }

    /// The next line.
    pub fn next(&mut self) -> Result<&'a str, CertificateError> {
        match self.advance() {
            Some(line) => Ok(line),
            None => self.refuse("the certificate ends too early"),
        }
    }

    /// The rest of the next line after the key, with which it must begin.
    pub fn expect(&mut self, key: &str) -> Result<&'a str, CertificateError> {
        let line = self.next()?;
        match after_key(line, key) {
            Some(rest) => Ok(rest),
            None => {
                let found = excerpt(line);
                self.refuse(format!("{key:?} is expected here, and not {found:?}"))
            }
        }
    }

    /// The rest of the next line after the key if it begins with it; otherwise the line stays.
    pub fn expect_maybe(&mut self, key: &str) -> Option<&'a str> {
        let rest = after_key(self.rest.peek()?, key)?;
        self.advance();
        Some(rest)
    }

    /// A set of squares: sixteen hexadecimal digits, the last bit for a1, the first for h8.
    pub fn squares(&self, word: Option<&str>) -> Result<Bitboard, CertificateError> {
        match word.and_then(hexadecimal) {
            Some(squares) => Ok(Bitboard(squares)),
            None => self.refuse("sixteen hexadecimal digits are expected for a set of squares"),
        }
    }

    pub fn square(&self, word: Option<&str>) -> Result<Square, CertificateError> {
        match word.and_then(|word| word.parse().ok()) {
            Some(square) => Ok(square),
            None => self.refuse("a square is expected"),
        }
    }
}

/// How much of foreign text an error message repeats.
const MAX_EXCERPT_CHARS: usize = 80;

/// The beginning of a text, for an error message; `…` stands for the rest.
pub(crate) fn excerpt(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_EXCERPT_CHARS) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

fn after_key<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(key)?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix(' ')
}

/// Parses sixteen hexadecimal digits.
pub(crate) fn hexadecimal(word: &str) -> Option<u64> {
    let is_whole = word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_whole.then(|| u64::from_str_radix(word, 16).ok())?
}

#[cfg(test)]
mod tests {
    use crate::verify;

    #[test]
    fn a_refusal_of_a_long_line_is_short() {
        let refusal = verify(&"é".repeat(1_000_000)).unwrap_err();
        assert!(refusal.to_string().len() < 1_000, "{refusal:.1000}");
    }
}
