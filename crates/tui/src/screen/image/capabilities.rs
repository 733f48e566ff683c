//! The capabilities of a terminal: the queries sent to it at once, and its answers, separated from keys that were
//! pressed meanwhile. Does no input or output.

use crate::screen::image::{CellSize, ImageProtocol};
use crate::screen::palette::Rgb;

/// The queries: kitty graphics, background colour, name, cell size; and last the one that every terminal answers,
/// which marks the end. Inside tmux and screen the first one would be taken for a title, and is left out.
#[must_use]
pub const fn query(is_inside: bool) -> &'static str {
    match is_inside {
        false => "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b]11;?\x1b\\\x1b[>q\x1b[16t\x1b[c",
        true => "\x1b]11;?\x1b\\\x1b[>q\x1b[16t\x1b[c",
    }
}

/// The answers of a terminal.
///
/// ```
/// use touchmove_tui::screen::image::{TerminalCapabilities, ImageProtocol};
///
/// let mut answers = TerminalCapabilities::default();
/// let keys = answers.read(b"\x1b_Gi=31;OK\x1b\\\x1b[6;20;10te4\x1b[?62;4c");
/// assert!(answers.is_complete);
/// assert_eq!(answers.protocol(None), Some(ImageProtocol::Kitty));
/// assert_eq!(keys, b"e4", "what was typed meanwhile is not lost");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TerminalCapabilities {
    /// Whether it supports kitty graphics.
    pub kitty: bool,
    /// Whether it supports sixels.
    pub sixel: bool,
    /// Its background colour.
    pub background: Option<Rgb>,
    /// The name it reports.
    pub name: Option<String>,
    /// The size of a cell.
    pub cell: Option<CellSize>,
    /// Whether the last answer has come.
    pub is_complete: bool,
}

impl TerminalCapabilities {
    /// Parses everything received so far, and returns the bytes that are no answer: keys.
    pub fn read(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut keys = Vec::new();
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            match sequence(rest) {
                Some((body, after)) if self.take(body) => rest = after,
                _ => {
                    keys.push(first);
                    rest = &rest[1..];
                }
            }
        }
        keys
    }

    /// Parses one sequence; returns whether it is an answer.
    fn take(&mut self, body: &[u8]) -> bool {
        let text = String::from_utf8_lossy(body);
        let text = text.as_ref();
        if let Some(answer) = text.strip_prefix("_Gi=31;") {
            self.kitty = answer == "OK";
        } else if let Some(color) = text.strip_prefix("]11;rgb:") {
            self.background = read_color(color);
        } else if let Some(name) = text.strip_prefix("P>|") {
            self.name = Some(name.chars().filter(|letter| !letter.is_control()).collect());
        } else if let Some(size) = text.strip_prefix("[6;").and_then(|s| s.strip_suffix('t')) {
            let (height, width) = size.split_once(';').unwrap_or_default();
            self.cell = match (width.parse(), height.parse()) {
                (Ok(width), Ok(height)) => CellSize::new(width, height),
                _ => None,
            };
        } else if let Some(what) = text.strip_prefix("[?").and_then(|s| s.strip_suffix('c')) {
            self.sixel = what.split(';').skip(1).any(|feature| feature == "4");
            self.is_complete = true;
        } else {
            return false;
        }
        true
    }

    /// The best image protocol, if there is one. `program` is the terminal's name in the environment.
    #[must_use]
    pub fn protocol(&self, program: Option<&str>) -> Option<ImageProtocol> {
        let mut names = [self.name.as_deref(), program].into_iter().flatten();
        if self.kitty {
            Some(ImageProtocol::Kitty)
        } else if names.any(|name| name.starts_with("iTerm")) {
            Some(ImageProtocol::Iterm)
        } else {
            self.sixel.then_some(ImageProtocol::Sixel)
        }
    }

    /// Whether the background is light.
    #[must_use]
    pub fn is_light(&self) -> bool {
        self.background.is_some_and(|color| color.luminance() > 0.4)
    }
}

/// The first escape sequence without its introducer and terminator, and the rest. An incomplete sequence is waited
/// for: a terminal never breaks off.
fn sequence(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let body = bytes.strip_prefix(b"\x1b")?;
    match body.first()? {
        b'[' => {
            let end = body[1..]
                .iter()
                .position(|byte| (0x40..=0x7e).contains(byte))?
                + 2;
            Some((&body[..end], &body[end..]))
        }
        b'_' | b'P' | b']' => {
            let end = body.iter().position(|byte| matches!(byte, 0x07 | 0x1b))?;
            let length = match body[end] {
                0x07 => 1,
                _ if body.get(end + 1) == Some(&b'\\') => 2,
                _ => return None,
            };
            Some((&body[..end], &body[end + length..]))
        }
        _ => None,
    }
}

/// A colour as `ffff/8080/0000`, with one to four digits each.
fn read_color(text: &str) -> Option<Rgb> {
    let mut channels = text.split('/').map(|digits| {
        let value = u32::from_str_radix(digits, 16).ok()?;
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)? - 1;
        u8::try_from(value * 255 / most.max(1)).ok()
    });
    let mut next = || channels.next().flatten();
    Some(Rgb(next()?, next()?, next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_keys_however_they_are_mixed() {
        let bytes =
            b"e\x1b[A\x1b]11;rgb:ffff/f0f0/0000\x07\x1bP>|WezTerm 2024\x1b\\4\r\x1b[?65;1;4c\x1b";
        let mut answers = TerminalCapabilities::default();
        assert_eq!(answers.read(bytes), b"e\x1b[A4\r\x1b");
        assert_eq!(answers.name.as_deref(), Some("WezTerm 2024"));
        assert_eq!(answers.background, Some(Rgb(255, 240, 0)));
        assert!(answers.is_complete && answers.is_light());
        assert_eq!(answers.protocol(None), Some(ImageProtocol::Sixel));
        assert_eq!(
            answers.protocol(Some("iTerm.app")),
            Some(ImageProtocol::Iterm)
        );
    }

    #[test]
    fn a_terminal_that_can_nothing_is_taken_at_its_word() {
        let mut answers = TerminalCapabilities::default();
        assert_eq!(answers.read(b"\x1b_Gi=31;ENOTSUP\x1b\\\x1b[?1;2c"), b"");
        assert!(answers.is_complete);
        assert_eq!(answers.protocol(Some("xterm")), None);
    }

    #[test]
    fn whatever_comes_is_an_answer_or_a_key() {
        for bytes in [
            &b"\x1b"[..],
            b"\x1b[",
            b"\x1b]11;rgb:zz/1/1\x07",
            b"\x1b[6;99999;1t",
            b"\x1b[6t",
            b"\x1bP",
            b"\x1b_Gi=31;OK",
            b"\xff\xfe\x1b\x1b\x1b",
        ] {
            let mut answers = TerminalCapabilities::default();
            let keys = answers.read(bytes);
            assert!(keys.len() <= bytes.len());
            assert_eq!(answers.cell, None);
        }
    }
}
