//! The visitor that keeps everything: it builds a [`Document`] from each game it sees. Diagnostics are
//! for others.

use crate::comment::Comment;
use crate::document::{Document, MoveId, is_stable};
use crate::encoding::decode;
use crate::lexer::MoveText;
use crate::nag::Nag;
use crate::reader::read;
use crate::result::GameResult;
use crate::tag::Tag;
use crate::visitor::{Flow, Visitor};

/// Builds a document from each game and hands it on.
///
/// ```
/// use touchmove_pgn::{DocumentBuilder, read};
/// let mut lengths = Vec::new();
/// read(b"1. e4 (1. d4 d5) e5 *", &mut DocumentBuilder::new(|game| lengths.push(game.len())));
/// assert_eq!(lengths, [4]);
/// ```
pub struct DocumentBuilder<F> {
    hand_on: F,
    document: Document,
    seen: [bool; 7],
    result: Option<GameResult>,
    line: Line,
    outer: Vec<Line>,
}

/// The line that is being read.
#[derive(Default)]
struct Line {
    /// Its last move so far.
    last: Option<MoveId>,
    /// The move that the line replaces.
    instead_of: Option<MoveId>,
    /// Comments before its first move.
    before: Vec<String>,
}

impl<F: FnMut(Document)> DocumentBuilder<F> {
    /// A builder that gives each finished document to `hand_on`.
    pub fn new(hand_on: F) -> DocumentBuilder<F> {
        DocumentBuilder {
            hand_on,
            document: Document::default(),
            seen: [false; 7],
            result: None,
            line: Line::default(),
            outer: Vec::new(),
        }
    }

    fn comment_text(&mut self, text: &str) {
        match self.line.last {
            Some(last) => self.document.add_comment(last, text),
            None if self.outer.is_empty() => self.document.add_intro(text),
            None => self.line.before.push(text.to_owned()),
        }
    }
}

impl<F: FnMut(Document)> Visitor for DocumentBuilder<F> {
    fn begin_game(&mut self, _: u64) {
        self.document = Document::default();
        self.seen = [false; 7];
        self.result = None;
        self.line = Line::default();
        self.outer.clear();
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        self.document
            .tags
            .read(&tag.name(), &tag.value(), &mut self.seen);
    }

    fn ply(&mut self, text: &MoveText<'_>) {
        let san = decode(text.san).into_owned();
        if text.parsed.is_none() && !is_stable(&san) {
            self.comment_text(&san);
            return;
        }
        let id = match (self.line.last, self.line.instead_of) {
            (None, Some(main)) => self.document.push_variation(main, san),
            (last, _) => self.document.push_move(last, san),
        };
        for comment in self.line.before.drain(..) {
            self.document.add_comment_before(id, &comment);
        }
        self.line.last = Some(id);
    }

    fn nag(&mut self, nag: Nag) {
        match self.line.last {
            Some(last) => self.document.add_nag(last, nag),
            // There is no move yet that it could be on.
            None => self.comment_text(&nag.to_string()),
        }
    }

    fn comment(&mut self, comment: &Comment<'_>) {
        self.comment_text(&comment.text());
    }

    fn begin_variation(&mut self) -> Flow {
        if self.line.last.is_none() && self.line.instead_of.is_none() {
            return Flow::Skip;
        }
        let instead_of = self.line.last.or(self.line.instead_of);
        let line = Line {
            instead_of,
            ..Line::default()
        };
        self.outer.push(std::mem::replace(&mut self.line, line));
        Flow::Read
    }

    fn end_variation(&mut self) {
        let Some(outer) = self.outer.pop() else {
            return;
        };
        let inner = std::mem::replace(&mut self.line, outer);
        for comment in inner.before {
            self.comment_text(&comment);
        }
    }

    fn result(&mut self, result: GameResult, _: u64) {
        if self.outer.is_empty() {
            self.result = Some(result);
            return;
        }
        let free = |id: &MoveId| self.document.node(*id).line_result().is_none();
        match self.line.last.filter(free) {
            Some(last) => self.document.set_line_result(last, result),
            None => self.comment_text(result.as_str()),
        }
    }

    fn end_game(&mut self, _: u64) {
        let from_tag = || {
            self.document
                .tags
                .get("Result")
                .and_then(GameResult::from_lenient)
        };
        self.document.result = self.result.or_else(from_tag).unwrap_or_default();
        (self.hand_on)(std::mem::take(&mut self.document));
    }
}

impl Document {
    /// All games of a text.
    #[must_use]
    pub fn read_all(text: &[u8]) -> Vec<Document> {
        let mut documents = Vec::new();
        read(
            text,
            &mut DocumentBuilder::new(|document| documents.push(document)),
        );
        documents
    }
}
