//! [`DocumentBuilder`]: the visitor that builds a [`Document`] from each game. It ignores diagnostics and
//! cuts games that are too long.

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::batches::{Batch, Batches};
use crate::comment::Comment;
use crate::document::{Document, MoveId, is_stable};
use crate::encoding::decode;
use crate::lexer::MoveText;
use crate::long_game::MAX_GAME_PARTS;
use crate::nag::Nag;
use crate::reader::{read, read_part};
use crate::result::GameResult;
use crate::tag::Tag;
use crate::visitor::{VisitControl, Visitor};

/// Builds a document from each game and passes it on. A game with more than [`MAX_GAME_PARTS`] is cut off:
/// its document [is not whole](Document::is_whole).
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
    line: OpenLine,
    outer: Vec<OpenLine>,
    /// Number of tags, moves, comments, variations and glyphs of the game so far.
    parts: usize,
}

/// The line that is being built.
#[derive(Default)]
struct OpenLine {
    /// Its last move so far.
    last: Option<MoveId>,
    /// The move that the variation replaces.
    instead_of: Option<MoveId>,
    /// Comments before its first move.
    before: Vec<String>,
}

impl<F: FnMut(Document)> DocumentBuilder<F> {
    /// A builder that passes each finished document to `hand_on`.
    pub fn new(hand_on: F) -> DocumentBuilder<F> {
        DocumentBuilder {
            hand_on,
            document: Document::default(),
            seen: [false; 7],
            result: None,
            line: OpenLine::default(),
            outer: Vec::new(),
            parts: 0,
        }
    }

    /// Counts one more part of the game; false if there is no room for it.
    fn has_taken_part(&mut self) -> bool {
        self.parts += 1;
        let fits = self.parts <= MAX_GAME_PARTS;
        if !fits {
            self.document.mark_cut();
        }
        fits
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
        self.line = OpenLine::default();
        self.outer.clear();
        self.parts = 0;
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        if !self.has_taken_part() {
            return;
        }
        self.document
            .tags
            .read(&tag.name(), &tag.value(), &mut self.seen);
    }

    fn ply(&mut self, text: &MoveText<'_>) {
        if !self.has_taken_part() {
            return;
        }
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
        if !self.has_taken_part() {
            return;
        }
        match self.line.last {
            Some(last) => self.document.add_nag(last, nag),
            // There is no move yet that the glyph could belong to.
            None => self.comment_text(&nag.to_string()),
        }
    }

    fn comment(&mut self, comment: &Comment<'_>) {
        if self.has_taken_part() {
            self.comment_text(&comment.text());
        }
    }

    fn begin_variation(&mut self) -> VisitControl {
        if self.line.last.is_none() && self.line.instead_of.is_none() {
            return VisitControl::Skip;
        }
        if !self.has_taken_part() {
            return VisitControl::Skip;
        }
        let instead_of = self.line.last.or(self.line.instead_of);
        let line = OpenLine {
            instead_of,
            ..OpenLine::default()
        };
        self.outer.push(std::mem::replace(&mut self.line, line));
        VisitControl::Read
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
        if !self.has_taken_part() {
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

/// Passes every game of a stream to `hand_on`, in bounded memory, until `hand_on` returns `Break`. A game
/// that is too long is cut off; its document [is not whole](Document::is_whole).
///
/// ```
/// use std::ops::ControlFlow;
/// use touchmove_pgn::read_documents;
///
/// let file = b"[White \"Anna\"]\n\n1. e4 *\n\n[White \"Ben\"]\n\n1. d4 *\n";
/// let mut games = Vec::new();
/// read_documents(&file[..], |game| {
///     games.push(game);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(games[1].tags.get("White"), Some("Ben"));
/// assert!(games.iter().all(|game| game.is_whole()));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// If the source cannot be read.
pub fn read_documents<R: Read>(
    source: R,
    mut hand_on: impl FnMut(Document) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut batches = Batches::new(source);
    let mut batch = Batch::default();
    while batches.next(&mut batch)? {
        let mut flow = ControlFlow::Continue(());
        // Only the last game can have been cut off.
        let mut last: Option<Document> = None;
        let mut builder = DocumentBuilder::new(|game| {
            if let Some(before) = last.replace(game)
                && flow.is_continue()
            {
                flow = hand_on(before);
            }
        });
        read_part(&batch.text, batch.offset, &mut builder);
        if let Some(mut game) = last
            && flow.is_continue()
        {
            if batches.excess().is_some() {
                game.mark_cut();
            }
            flow = hand_on(game);
        }
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

impl Document {
    /// All games of a text; a game with more than [`MAX_GAME_PARTS`] is cut off.
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
