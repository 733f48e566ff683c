//! Writes documents as PGN in export format: tags, the seven tag roster first, then movetext in lines of less
//! than 80 columns. It changes no move.

use std::fmt::{self, Write};

use crate::document::{Document, MoveNode, WalkStep};

/// Maximum length of a line of movetext, unless a single word or a comment to the line end is longer.
const MAX_LINE_CHARS: usize = 79;

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.tags, Movetext(self))
    }
}

/// The moves and the result of a document, without its tags.
///
/// ```
/// use touchmove_pgn::{Document, Movetext};
///
/// let games = Document::read_all(b"[White \"Anna\"]\n\n1. e4 e5 *");
/// assert_eq!(Movetext(&games[0]).to_string(), "1. e4 e5 *\n");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Movetext<'a>(pub &'a Document);

impl fmt::Display for Movetext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let document = self.0;
        let mut lines = Lines {
            out: f,
            column: 0,
            prefix: "",
        };
        for comment in document.comments_before_first_move() {
            lines.comment(comment)?;
        }
        let mut counters = Counters::new(document);
        for step in document.walk() {
            match step {
                WalkStep::Move(id) => write_move(&mut lines, document.node(id), &mut counters)?,
                WalkStep::Open => {
                    lines.prefix = "(";
                    counters.open();
                }
                WalkStep::Close => {
                    lines.close()?;
                    counters.close();
                }
            }
        }
        lines.word(document.result.as_str())?;
        lines.out.write_char('\n')
    }
}

fn write_move(lines: &mut Lines<'_, '_>, node: &MoveNode, counters: &mut Counters) -> fmt::Result {
    for comment in node.comments_before() {
        lines.comment(comment)?;
    }
    let number = counters.ply / 2 + 1;
    if counters.ply.is_multiple_of(2) {
        lines.word(&format!("{number}."))?;
    } else if counters.number_needed || lines.column == 0 {
        lines.word(&format!("{number}..."))?;
    }
    counters.number_needed = !node.comments().is_empty();
    counters.ply += 1;
    lines.word(node.san())?;
    for nag in node.nags() {
        lines.word(&nag.to_string())?;
    }
    for comment in node.comments() {
        lines.comment(comment)?;
    }
    if let Some(result) = node.line_result() {
        lines.word(result.as_str())?;
    }
    Ok(())
}

/// Counts plies through the lines and variations of a game.
struct Counters {
    /// Plies before the next move, counted from a first move of White.
    ply: u64,
    /// Whether a move of Black needs its number.
    number_needed: bool,
    /// The ply counts at which the outer lines continue.
    outer: Vec<u64>,
}

impl Counters {
    fn new(document: &Document) -> Counters {
        let fen = document.tags.get("FEN").unwrap_or_default();
        let mut fields = fen.split_ascii_whitespace().skip(1);
        let black = fields.next() == Some("b");
        let number = fields
            .nth(3)
            .and_then(|field| field.parse::<u32>().ok())
            .unwrap_or(1)
            .max(1);
        let ply = (u64::from(number) - 1) * 2 + u64::from(black);
        Counters {
            ply,
            number_needed: true,
            outer: Vec::new(),
        }
    }

    fn open(&mut self) {
        self.outer.push(self.ply);
        self.ply -= 1;
        self.number_needed = true;
    }

    fn close(&mut self) {
        self.ply = self.outer.pop().unwrap_or(self.ply);
        self.number_needed = true;
    }
}

/// Wraps words into lines.
struct Lines<'o, 'f> {
    out: &'o mut fmt::Formatter<'f>,
    column: usize,
    /// Written in front of the next word.
    prefix: &'static str,
}

impl Lines<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let prefix = std::mem::take(&mut self.prefix);
        let length = prefix.len() + word.chars().count();
        if self.column > 0 {
            if self.column + 1 + length > MAX_LINE_CHARS {
                self.line_break()?;
            } else {
                self.out.write_char(' ')?;
                self.column += 1;
            }
        }
        self.column += length;
        self.out.write_str(prefix)?;
        self.out.write_str(word)
    }

    fn line_break(&mut self) -> fmt::Result {
        self.column = 0;
        self.out.write_char('\n')
    }

    fn close(&mut self) -> fmt::Result {
        if self.column >= MAX_LINE_CHARS {
            self.line_break()?;
        }
        self.column += 1;
        self.out.write_char(')')
    }

    /// Writes a comment in braces, or to the line end if it holds a brace itself.
    fn comment(&mut self, text: &str) -> fmt::Result {
        if text.contains('}') {
            self.word(";")?;
            self.out.write_str(text)?;
            return self.line_break();
        }
        let braced = format!("{{{text}}}");
        let mut start = 0;
        for at in break_places(&braced) {
            self.word(&braced[start..at])?;
            start = at + 1;
        }
        self.word(&braced[start..])
    }
}

/// The spaces at which a comment may be wrapped: single ones, unless the next line would begin like a tag or
/// an escape.
fn break_places(text: &str) -> impl Iterator<Item = usize> + '_ {
    let bytes = text.as_bytes();
    (1..bytes.len().saturating_sub(1)).filter(|&at| {
        bytes[at] == b' '
            && !bytes[at - 1].is_ascii_whitespace()
            && bytes[at - 1] != b'{'
            && !bytes[at + 1].is_ascii_whitespace()
            && !matches!(bytes[at + 1], b'[' | b'%' | b'}')
    })
}
