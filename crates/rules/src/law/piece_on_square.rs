//! [`PieceOnSquare`] and [`PiecesOnSquares`]: the evidence of a verdict, pieces and where they
//! stand. What is wrong with them is in [`Illegal`](crate::law::Illegal).

use std::fmt;

use crate::{Bitboard, Board, Piece, Square};

/// A piece and its square: "the rook on e8".
///
/// ```
/// use touchmove_rules::{Board, Square, law::PieceOnSquare};
///
/// let man = PieceOnSquare::on(&Board::START, Square::A8).unwrap();
/// assert_eq!(man.to_string(), "the rook on a8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub struct PieceOnSquare {
    pub piece: Piece,
    pub square: Square,
}

impl PieceOnSquare {
    /// The piece on a square of a board.
    #[must_use]
    pub fn on(board: &Board, square: Square) -> Option<PieceOnSquare> {
        let piece = board.piece_at(square)?;
        Some(PieceOnSquare { piece, square })
    }
}

impl fmt::Display for PieceOnSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} on {}", self.piece.role, self.square)
    }
}

/// Some pieces and their squares, without allocating: "the rook on e8 and the knight on d3".
///
/// ```
/// use touchmove_rules::{Board, Square, law::PiecesOnSquares};
///
/// let men = PiecesOnSquares::on(&Board::START, Square::A1.set() | Square::B1.set());
/// assert_eq!(men.to_string(), "the rook on a1 and the knight on b1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PiecesOnSquares {
    men: [Option<PieceOnSquare>; PiecesOnSquares::CAPACITY],
}

impl PiecesOnSquares {
    /// As many as can attack one square: along eight lines, and eight knights.
    pub const CAPACITY: usize = 16;

    /// The pieces on these squares of a board, as many as there is room for.
    #[must_use]
    pub fn on(board: &Board, squares: Bitboard) -> PiecesOnSquares {
        let mut men = [None; PiecesOnSquares::CAPACITY];
        for (place, square) in men.iter_mut().zip(squares) {
            *place = PieceOnSquare::on(board, square);
        }
        PiecesOnSquares { men }
    }

    /// Each of them, from `a1` to `h8`.
    pub fn iter(&self) -> impl Iterator<Item = PieceOnSquare> + '_ {
        self.men.iter().flatten().copied()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Their squares.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        self.iter().map(|man| man.square).collect()
    }

    /// The verb for them: one piece "attacks", several "attack".
    pub(super) fn verb(&self, plural: &'static str) -> Verb {
        let is_one = self.iter().nth(1).is_none();
        Verb { plural, is_one }
    }
}

impl fmt::Display for PiecesOnSquares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.iter().count().saturating_sub(1);
        for (index, man) in self.iter().enumerate() {
            let divider = match index {
                0 => "",
                _ if index == last => " and ",
                _ => ", ",
            };
            write!(f, "{divider}{man}")?;
        }
        Ok(())
    }
}

/// A verb in the number of its subject.
pub(super) struct Verb {
    plural: &'static str,
    is_one: bool,
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.plural, if self.is_one { "s" } else { "" })
    }
}
