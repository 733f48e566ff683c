//! [`MoveList`]: moves in an array on the stack. Which moves there are is decided by the generator.

use std::fmt;

use crate::Move;
use crate::cpu::{ArrayFiller, ArrayStack};

/// The moves of a position, in an array on the stack.
///
/// ```
/// use touchmove_rules::{Chess, Position};
/// assert_eq!(Position::<Chess>::start().legal_moves().len(), 20);
/// ```
#[derive(Clone)]
pub struct MoveList(ArrayStack<Move, { MoveList::CAPACITY }>);

impl MoveList {
    /// More than any board can have, even one with more pieces than a game: a square is reached by at
    /// most eight sliders and eight knights, which keeps those below 446 moves, pawns promote in
    /// at most 96 ways, and a king has ten moves.
    pub const CAPACITY: usize = 560;

    /// An empty list.
    #[inline]
    #[must_use]
    pub const fn new() -> MoveList {
        MoveList(ArrayStack::new())
    }

    /// Appends a move.
    ///
    /// # Panics
    /// If the list is full, which the moves of a position cannot cause.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }

    /// Clears the list, and returns a filler for the new moves.
    #[inline(always)]
    pub(crate) const fn refill(&mut self) -> ArrayFiller<'_, Move, { MoveList::CAPACITY }> {
        self.0.refill()
    }

    /// Empties the list.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The moves.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Move] {
        self.0.as_slice()
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];
    #[inline]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl std::ops::DerefMut for MoveList {
    fn deref_mut(&mut self) -> &mut [Move] {
        self.0.as_mut_slice()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = MoveListIter;
    fn into_iter(self) -> MoveListIter {
        MoveListIter {
            list: self,
            next: 0,
        }
    }
}

/// The moves of a [`MoveList`], one by one.
///
/// ```
/// use touchmove_rules::{Chess, Position};
///
/// let moves = Position::<Chess>::start().legal_moves().into_iter();
/// assert_eq!(moves.len(), 20);
/// assert_eq!(moves.filter(|mv| mv.role() == touchmove_rules::Role::Knight).count(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct MoveListIter {
    list: MoveList,
    next: usize,
}

impl Iterator for MoveListIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let mv = self.list.get(self.next).copied()?;
        self.next += 1;
        Some(mv)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for MoveListIter {}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}
