//! The [`Visitor`] trait: receives the parts of games while they are read. It stores nothing; to keep whole
//! games, see [`Document`](crate::Document).

use std::fmt;

use crate::comment::Comment;
use crate::diagnostic::FindingCode;
use crate::lexer::MoveText;
use crate::nag::Nag;
use crate::result::GameResult;
use crate::tag::Tag;

/// Whether the reader descends into what comes next.
///
/// ```
/// use touchmove_pgn::{VisitControl, MoveText, Visitor, read};
///
/// struct MainLine(u32);
///
/// impl Visitor for MainLine {
///     fn begin_variation(&mut self) -> VisitControl {
///         VisitControl::Skip
///     }
///     fn ply(&mut self, _: &MoveText<'_>) {
///         self.0 += 1;
///     }
/// }
///
/// let mut plies = MainLine(0);
/// read(b"1. e4 (1. d4 d5) 1... e5 *", &mut plies);
/// assert_eq!(plies.0, 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VisitControl {
    /// Read it.
    Read,
    /// Skip it: its end is found, and nothing in it is reported.
    Skip,
}

/// Receives the parts of each game in the order of the file.
///
/// Calls are balanced, whatever the file looks like: every `begin_game` has its `end_game`, and every
/// `begin_variation` that returned [`VisitControl::Read`] has its `end_variation`. All methods do nothing by
/// default.
///
/// ```
/// use touchmove_pgn::{MoveText, Visitor, read};
///
/// #[derive(Default)]
/// struct Plies(usize);
///
/// impl Visitor for Plies {
///     fn ply(&mut self, _: &MoveText<'_>) {
///         self.0 += 1;
///     }
/// }
///
/// let mut plies = Plies::default();
/// read(b"[Event \"x\"]\n\n1. e4 e5 2. Nf3 {best} *\n", &mut plies);
/// assert_eq!(plies.0, 3);
/// ```
pub trait Visitor {
    /// A game begins at this byte.
    fn begin_game(&mut self, offset: u64) {
        let _ = offset;
    }

    /// A tag pair.
    fn tag(&mut self, tag: &Tag<'_>) {
        let _ = tag;
    }

    /// The tags are complete; moves, a result or a comment follow at this byte.
    fn begin_movetext(&mut self, offset: u64) -> VisitControl {
        let _ = offset;
        VisitControl::Read
    }

    /// A move number with this many dots; `None` if it is too large.
    fn number(&mut self, number: Option<u32>, dots: u32, offset: u64) {
        let _ = (number, dots, offset);
    }

    /// A move.
    fn ply(&mut self, text: &MoveText<'_>) {
        let _ = text;
    }

    /// A glyph on the last move.
    fn nag(&mut self, nag: Nag) {
        let _ = nag;
    }

    /// A comment on the last move, or before the first.
    fn comment(&mut self, comment: &Comment<'_>) {
        let _ = comment;
    }

    /// An alternative to the last move begins.
    fn begin_variation(&mut self) -> VisitControl {
        VisitControl::Read
    }

    /// The innermost variation ends.
    fn end_variation(&mut self) {}

    /// A result of the game, or of the variation it is in.
    fn result(&mut self, result: GameResult, offset: u64) {
        let _ = (result, offset);
    }

    /// The game ends at this byte.
    fn end_game(&mut self, offset: u64) {
        let _ = offset;
    }

    /// A problem at this byte.
    fn diagnose(&mut self, code: FindingCode, offset: u64, message: fmt::Arguments<'_>) {
        let _ = (code, offset, message);
    }
}
