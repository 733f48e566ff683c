//! How pieces move, step by step as the laws describe it, and what they attack. Deliberately
//! without the tables of the generator: the two check each other.

use crate::{Bitboard, Board, Color, Piece, Role, Square};

/// How a kind of move goes, as the mover sees the board.
///
/// ```
/// use touchmove_rules::{MoveKind, law::{Reach, book}};
///
/// assert_eq!(book::article(MoveKind::BishopRegular).reach, Reach::Diagonal);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reach {
    /// One square straight ahead.
    Ahead,
    /// Two squares straight ahead.
    TwoAhead,
    /// One square diagonally ahead, to either side.
    DiagonallyAhead,
    /// One square diagonally ahead, to the left.
    AheadLeft,
    /// One square diagonally ahead, to the right.
    AheadRight,
    /// Any distance along a rank or file.
    Straight,
    /// Any distance along a diagonal.
    Diagonal,
    /// Any distance along a rank, file or diagonal.
    StraightOrDiagonal,
    /// Two squares along a rank or file and one across.
    Leap,
    /// To a neighbouring square.
    Neighbour,
    /// The king towards one of its rooks, which goes to the king's other side.
    Castling,
}

impl Reach {
    /// Whether a piece of this colour can go from one square to another this way. Never true of
    /// castling, which depends on more than two squares.
    pub(super) fn fits(self, color: Color, from: Square, to: Square) -> bool {
        let (right, ahead) = steps(color, from, to);
        let (across, along) = (right.abs(), ahead.abs());
        if (across, along) == (0, 0) {
            return false;
        }
        match self {
            Reach::Ahead => (right, ahead) == (0, 1),
            Reach::TwoAhead => (right, ahead) == (0, 2),
            Reach::DiagonallyAhead => (across, ahead) == (1, 1),
            Reach::AheadLeft => (right, ahead) == (-1, 1),
            Reach::AheadRight => (right, ahead) == (1, 1),
            Reach::Straight => across == 0 || along == 0,
            Reach::Diagonal => across == along,
            Reach::StraightOrDiagonal => across == 0 || along == 0 || across == along,
            Reach::Leap => (across, along) == (1, 2) || (across, along) == (2, 1),
            Reach::Neighbour => across <= 1 && along <= 1,
            Reach::Castling => false,
        }
    }

    /// How a piece of this role captures, and so what it attacks (FIDE 3.1.2).
    pub(super) const fn of_attack(role: Role) -> Reach {
        match role {
            Role::Pawn => Reach::DiagonallyAhead,
            Role::Knight => Reach::Leap,
            Role::Bishop => Reach::Diagonal,
            Role::Rook => Reach::Straight,
            Role::Queen => Reach::StraightOrDiagonal,
            Role::King => Reach::Neighbour,
        }
    }
}

/// How many files to the right and ranks ahead a move goes, as `color` sees it.
fn steps(color: Color, from: Square, to: Square) -> (i8, i8) {
    let files = to.file().index() as i8 - from.file().index() as i8;
    let ranks = to.rank().index() as i8 - from.rank().index() as i8;
    if color.is_white() {
        (files, ranks)
    } else {
        (-files, -ranks)
    }
}

/// The squares strictly between two squares of one rank, file or diagonal, in the order they are
/// passed; none for other pairs.
pub(super) fn path(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let (files, ranks) = steps(Color::White, from, to);
    let is_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    let step = (files.signum(), ranks.signum());
    let next = move |square: &Square| square.offset(step.0, step.1).filter(|&next| next != to);
    let first = if is_line && from != to {
        next(&from)
    } else {
        None
    };
    std::iter::successors(first, next)
}

/// Whether a piece on a square attacks another: pinned pieces do too (FIDE 3.1.3).
pub(super) fn attacks(board: &Board, piece: Piece, from: Square, target: Square) -> bool {
    Reach::of_attack(piece.role).fits(piece.color, from, target)
        && path(from, target).all(|square| !board.occupied().contains(square))
}

/// The pieces of `color` that attack a square.
pub(super) fn attackers(board: &Board, color: Color, target: Square) -> Bitboard {
    let attack = |&from: &Square| {
        let piece = board.piece_at(from);
        piece.is_some_and(|piece| attacks(board, piece, from, target))
    };
    board.by_color(color).into_iter().filter(attack).collect()
}

/// Whether two squares touch.
pub(super) fn touch(one: Square, other: Square) -> bool {
    Reach::Neighbour.fits(Color::White, one, other)
}
