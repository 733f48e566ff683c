//! A game as a tree that applications can keep, walk and change: tags, moves, glyphs, comments, nested
//! variations. Moves are text here; they are replayed elsewhere.

use crate::lexer::{Lexer, OddMove, Token};
use crate::nag::Nag;
use crate::result::GameResult;
use crate::tags::Tags;

/// Identifies a move in its [`Document`].
///
/// ```
/// use touchmove_pgn::Document;
///
/// let games = Document::read_all(b"1. e4 e5 *");
/// let first = games[0].first().unwrap();
/// assert_eq!(games[0].node(first).san(), "e4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveId(u32);

/// One move of a document.
///
/// ```
/// use touchmove_pgn::{Document, Nag};
///
/// let games = Document::read_all(b"1. e4! {best by test} *");
/// let node = games[0].node(games[0].first().unwrap());
/// assert_eq!((node.san(), node.nags()), ("e4", &[Nag(1)][..]));
/// assert_eq!(node.comments(), ["best by test"]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveNode {
    san: String,
    nags: Vec<Nag>,
    before: Vec<String>,
    comments: Vec<String>,
    line_result: Option<GameResult>,
    previous: Option<MoveId>,
    next: Option<MoveId>,
    variations: Vec<MoveId>,
}

impl MoveNode {
    /// The move as text: SAN, `--` for a null move, or whatever the file has.
    #[must_use]
    pub fn san(&self) -> &str {
        &self.san
    }

    /// The glyphs on the move.
    #[must_use]
    pub fn nags(&self) -> &[Nag] {
        &self.nags
    }

    /// The comments between the start of the variation and this first move of it.
    #[must_use]
    pub fn comments_before(&self) -> &[String] {
        &self.before
    }

    /// The comments after the move.
    #[must_use]
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// The result after the last move of a variation.
    #[must_use]
    pub fn line_result(&self) -> Option<GameResult> {
        self.line_result
    }

    /// The move before it. For the first move of a variation: the move before the one that it replaces.
    #[must_use]
    pub fn previous(&self) -> Option<MoveId> {
        self.previous
    }

    /// The next move in the same line.
    #[must_use]
    pub fn next(&self) -> Option<MoveId> {
        self.next
    }

    /// The first moves of the variations that replace this move.
    #[must_use]
    pub fn variations(&self) -> &[MoveId] {
        &self.variations
    }
}

/// One game: tags, a tree of moves, a result.
///
/// All moves are in one flat list, so a document of any depth can be built, walked, written and dropped
/// without recursion. Two documents are equal if their content is equal, however they were built.
///
/// ```
/// use touchmove_pgn::{Document, Nag};
/// let mut game = Document::default();
/// let e4 = game.play(None, "e4")?;
/// let e5 = game.play(Some(e4), "e5")?;
/// let c5 = game.add_variation(e5, "c5")?;
/// game.add_nag(c5, Nag(1));
/// game.add_comment(c5, "the Sicilian");
/// assert!(game.to_string().ends_with("1. e4 e5 (1... c5 $1 {the Sicilian}) *\n"));
/// assert_eq!(Document::read_all(game.to_string().as_bytes()), [game]);
/// # Ok::<(), touchmove_pgn::MoveTextError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The tags.
    pub tags: Tags,
    /// The result at the end of the movetext.
    pub result: GameResult,
    comments_before_first_move: Vec<String>,
    first: Option<MoveId>,
    moves: Vec<MoveNode>,
    is_cut: bool,
}

/// The text cannot be read as one move.
///
/// ```
/// use touchmove_pgn::Document;
///
/// let error = Document::default().play(None, "e4 e5").unwrap_err();
/// assert_eq!(error.to_string(), "\"e4 e5\" cannot stand in movetext as one move");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" cannot stand in movetext as one move")]
pub struct MoveTextError(pub String);

/// One step of a walk through a document.
///
/// ```
/// use touchmove_pgn::{Document, WalkStep};
///
/// let games = Document::read_all(b"1. e4 (1. d4) *");
/// let steps: Vec<WalkStep> = games[0].walk().collect();
/// assert!(matches!(steps[..], [WalkStep::Move(_), WalkStep::Open, WalkStep::Move(_), WalkStep::Close]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkStep {
    /// A move.
    Move(MoveId),
    /// A variation that replaces the last move begins.
    Open,
    /// The variation ends.
    Close,
}

impl Document {
    /// The comments before the first move.
    #[must_use]
    pub fn comments_before_first_move(&self) -> &[String] {
        &self.comments_before_first_move
    }

    /// The first move of the main line.
    #[must_use]
    pub fn first(&self) -> Option<MoveId> {
        self.first
    }

    /// The last move of the main line.
    #[must_use]
    pub fn last(&self) -> Option<MoveId> {
        self.main_line().last()
    }

    /// A move.
    ///
    /// # Panics
    ///
    /// If the move belongs to another document.
    #[must_use]
    pub fn node(&self, id: MoveId) -> &MoveNode {
        &self.moves[id.0 as usize]
    }

    fn node_mut(&mut self, id: MoveId) -> &mut MoveNode {
        &mut self.moves[id.0 as usize]
    }

    /// Whether the whole game is here: nothing was cut off because the game is too long.
    ///
    /// ```
    /// use touchmove_pgn::{Document, MAX_GAME_PARTS};
    ///
    /// let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(MAX_GAME_PARTS / 4);
    /// assert!(Document::read_all(moves.as_bytes())[0].is_whole());
    /// let game = &Document::read_all((moves + "e4").as_bytes())[0];
    /// assert!(!game.is_whole() && game.len() == MAX_GAME_PARTS);
    /// ```
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        !self.is_cut
    }

    /// Marks the game as cut off.
    pub(crate) const fn mark_cut(&mut self) {
        self.is_cut = true;
    }

    /// The number of moves, variations included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The moves of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = MoveId> + '_ {
        std::iter::successors(self.first, |&id| self.node(id).next)
    }

    /// Walks through all moves in the order of the file.
    #[must_use]
    pub fn walk(&self) -> Walk<'_> {
        Walk {
            document: self,
            pending: self.first,
            open: Vec::new(),
        }
    }

    /// Adds a move after `after`, or as the first one. If there is already a move, the new one becomes a
    /// variation of it.
    ///
    /// # Errors
    ///
    /// If the text cannot be read as one move.
    pub fn play(&mut self, after: Option<MoveId>, san: &str) -> Result<MoveId, MoveTextError> {
        let san = checked(san)?;
        let present = match after {
            Some(id) => self.node(id).next,
            None => self.first,
        };
        Ok(match present {
            Some(main) => self.push_variation(main, san),
            None => self.push_move(after, san),
        })
    }

    /// Adds a variation that replaces `instead_of`.
    ///
    /// # Errors
    ///
    /// If the text cannot be read as one move.
    pub fn add_variation(
        &mut self,
        instead_of: MoveId,
        san: &str,
    ) -> Result<MoveId, MoveTextError> {
        let san = checked(san)?;
        Ok(self.push_variation(instead_of, san))
    }

    /// Replaces the text of a move.
    ///
    /// # Errors
    ///
    /// If the text cannot be read as one move.
    pub fn set_san(&mut self, id: MoveId, san: &str) -> Result<(), MoveTextError> {
        self.node_mut(id).san = checked(san)?;
        Ok(())
    }

    /// Adds a glyph to a move.
    pub fn add_nag(&mut self, id: MoveId, nag: Nag) {
        self.node_mut(id).nags.push(nag);
    }

    /// Replaces the glyphs of a move.
    ///
    /// ```
    /// use touchmove_pgn::{Document, Nag};
    ///
    /// let mut game = Document::read_all(b"1. e4! {good} *").remove(0);
    /// let e4 = game.first().unwrap();
    /// game.set_nags(e4, &[Nag(2)]);
    /// game.set_comments(e4, &["or not".to_owned()]);
    /// assert!(game.to_string().ends_with("1. e4 $2 {or not} *\n"));
    /// ```
    pub fn set_nags(&mut self, id: MoveId, nags: &[Nag]) {
        self.node_mut(id).nags = nags.to_vec();
    }

    /// Replaces the comments after a move; line breaks in them become spaces.
    pub fn set_comments(&mut self, id: MoveId, texts: &[String]) {
        self.node_mut(id).comments = texts.iter().filter_map(|text| comment_text(text)).collect();
    }

    /// Replaces the comments before the first move.
    pub fn set_intro(&mut self, texts: &[String]) {
        self.comments_before_first_move =
            texts.iter().filter_map(|text| comment_text(text)).collect();
    }

    /// Adds a comment after a move; line breaks in it become spaces.
    pub fn add_comment(&mut self, id: MoveId, text: &str) {
        if let Some(text) = comment_text(text) {
            self.node_mut(id).comments.push(text);
        }
    }

    /// Adds a comment before the first move.
    pub fn add_intro(&mut self, text: &str) {
        self.comments_before_first_move.extend(comment_text(text));
    }

    pub(crate) fn add_comment_before(&mut self, id: MoveId, text: &str) {
        self.node_mut(id).before.extend(comment_text(text));
    }

    pub(crate) fn set_line_result(&mut self, id: MoveId, result: GameResult) {
        self.node_mut(id).line_result = Some(result);
    }

    pub(crate) fn push_move(&mut self, after: Option<MoveId>, san: String) -> MoveId {
        let id = self.push_node(after, san);
        match after {
            Some(after) => self.node_mut(after).next = Some(id),
            None => self.first = Some(id),
        }
        id
    }

    pub(crate) fn push_variation(&mut self, instead_of: MoveId, san: String) -> MoveId {
        let id = self.push_node(self.node(instead_of).previous, san);
        self.node_mut(instead_of).variations.push(id);
        id
    }

    fn push_node(&mut self, previous: Option<MoveId>, san: String) -> MoveId {
        let id = MoveId(self.moves.len() as u32);
        self.moves.push(MoveNode {
            san,
            previous,
            ..MoveNode::default()
        });
        id
    }
}

/// The text, if a reader will read it as exactly one move.
fn checked(san: &str) -> Result<String, MoveTextError> {
    let mut lexer = Lexer::new(san.as_bytes(), 0);
    let is_move = match lexer.next() {
        Token::San => true,
        Token::OddMove => {
            let OddMove { glyphs, unread, .. } = &lexer.odd;
            lexer.odd.san == san && glyphs.is_empty() && unread.is_empty()
        }
        _ => false,
    };
    if is_move && lexer.written().len() == san.len() {
        Ok(san.to_owned())
    } else {
        Err(MoveTextError(san.to_owned()))
    }
}

/// Whether a text read from a file can be written and read again as the same move.
pub(crate) fn is_stable(san: &str) -> bool {
    checked(san).is_ok()
}

/// The comment on one line; `None` if it is empty.
fn comment_text(text: &str) -> Option<String> {
    let raw = text.as_bytes();
    let text = crate::comment::Comment {
        raw,
        offset: 0,
        to_line_end: false,
        clock: None,
    }
    .text()
    .into_owned();
    (!text.is_empty()).then_some(text)
}

impl PartialEq for Document {
    fn eq(&self, other: &Document) -> bool {
        let same_head = self.tags == other.tags
            && self.result == other.result
            && self.comments_before_first_move == other.comments_before_first_move
            && self.moves.len() == other.moves.len();
        let same_move = |a: &MoveNode, b: &MoveNode| {
            a.san == b.san
                && a.nags == b.nags
                && a.before == b.before
                && a.comments == b.comments
                && a.line_result == b.line_result
        };
        same_head
            && self.walk().zip(other.walk()).all(|steps| match steps {
                (WalkStep::Move(a), WalkStep::Move(b)) => same_move(self.node(a), other.node(b)),
                (a, b) => a == b,
            })
    }
}

impl Eq for Document {}

/// An iterator through a document in the order of the file; made by [`Document::walk`].
///
/// ```
/// use touchmove_pgn::{Document, WalkStep};
///
/// let games = Document::read_all(b"1. e4 (1. d4 d5) 1... e5 *");
/// let moves = games[0].walk().filter(|step| matches!(step, WalkStep::Move(_)));
/// assert_eq!(moves.count(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    document: &'a Document,
    pending: Option<MoveId>,
    /// Moves whose variations are being visited, with the number of variations already begun.
    open: Vec<(MoveId, usize)>,
}

impl Iterator for Walk<'_> {
    type Item = WalkStep;

    fn next(&mut self) -> Option<WalkStep> {
        if let Some(id) = self.pending.take() {
            self.open.push((id, 0));
            return Some(WalkStep::Move(id));
        }
        let (id, begun) = self.open.last_mut()?;
        let node = self.document.node(*id);
        if let Some(&variation) = node.variations.get(*begun) {
            *begun += 1;
            self.pending = Some(variation);
            return Some(WalkStep::Open);
        }
        self.open.pop();
        match node.next {
            Some(next) => {
                self.pending = Some(next);
                self.next()
            }
            None => (!self.open.is_empty()).then_some(WalkStep::Close),
        }
    }
}
