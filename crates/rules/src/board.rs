//! [`Board`]: which piece stands where, as bitboards. It holds any arrangement of pieces, legal or
//! not, and knows no rules.

use std::fmt;

use crate::{Bitboard, Color, Piece, Role, Square};

/// The 64 squares and the pieces on them.
///
/// Stored as seven bitboards: one for each side, and five for the roles, in which a queen stands in
/// both `diagonals` (with the bishops) and `straights` (with the rooks). That is what a move
/// generator asks for most, and it makes the board small enough to copy with every move.
///
/// ```
/// use touchmove_rules::{Board, Color, Role, Square};
///
/// let mut board = Board::START;
/// assert_eq!(board.piece_at(Square::D8), Some(Role::Queen.of(Color::Black)));
/// board.remove(Square::D8);
/// assert_eq!(board.occupied().len(), 31);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    pub(crate) white: u64,
    pub(crate) black: u64,
    pub(crate) pawns: u64,
    pub(crate) knights: u64,
    pub(crate) diagonals: u64,
    pub(crate) straights: u64,
    pub(crate) kings: u64,
}

impl Board {
    /// The empty board.
    pub const EMPTY: Board = Board {
        white: 0,
        black: 0,
        pawns: 0,
        knights: 0,
        diagonals: 0,
        straights: 0,
        kings: 0,
    };

    /// The starting position of chess.
    pub const START: Board = Board {
        white: 0x0000_0000_0000_ffff,
        black: 0xffff_0000_0000_0000,
        pawns: 0x00ff_0000_0000_ff00,
        knights: 0x4200_0000_0000_0042,
        diagonals: 0x2c00_0000_0000_002c,
        straights: 0x8900_0000_0000_0089,
        kings: 0x1000_0000_0000_0010,
    };

    /// All squares with a piece on them.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.white | self.black)
    }

    /// The pieces of one side.
    #[inline]
    #[must_use]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        Bitboard(match color {
            Color::White => self.white,
            Color::Black => self.black,
        })
    }

    /// The pieces of one role, of both sides.
    #[inline]
    #[must_use]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        Bitboard(match role {
            Role::Pawn => self.pawns,
            Role::Knight => self.knights,
            Role::Bishop => self.diagonals & !self.straights,
            Role::Rook => self.straights & !self.diagonals,
            Role::Queen => self.diagonals & self.straights,
            Role::King => self.kings,
        })
    }

    /// The pieces of one role and side.
    ///
    /// ```
    /// use touchmove_rules::{Board, Color, Role, Square};
    ///
    /// let rooks = Board::START.by_color_and_role(Role::Rook.of(Color::White));
    /// assert_eq!(rooks, Square::A1.set() | Square::H1.set());
    /// ```
    #[inline]
    #[must_use]
    pub const fn by_color_and_role(&self, piece: Piece) -> Bitboard {
        Bitboard(self.by_color(piece.color).0 & self.by_role(piece.role).0)
    }

    /// Bishops and queens of both sides.
    #[inline]
    #[must_use]
    pub const fn bishops_and_queens(&self) -> Bitboard {
        Bitboard(self.diagonals)
    }

    /// Rooks and queens of both sides.
    #[inline]
    #[must_use]
    pub const fn rooks_and_queens(&self) -> Bitboard {
        Bitboard(self.straights)
    }

    /// Where the king of this side stands, if there is just one.
    ///
    /// ```
    /// use touchmove_rules::{Board, Color, Square};
    ///
    /// assert_eq!(Board::START.king_of(Color::Black), Some(Square::E8));
    /// assert_eq!(Board::EMPTY.king_of(Color::Black), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn king_of(&self, color: Color) -> Option<Square> {
        Bitboard(self.kings & self.by_color(color).0).single()
    }

    /// The side whose piece stands on the square.
    #[inline]
    #[must_use]
    pub const fn color_at(&self, square: Square) -> Option<Color> {
        if self.white & square.bit() != 0 {
            Some(Color::White)
        } else if self.black & square.bit() != 0 {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// The role of the piece on the square.
    #[inline]
    #[must_use]
    pub const fn role_at(&self, square: Square) -> Option<Role> {
        let bit = square.bit();
        if (self.white | self.black) & bit == 0 {
            None
        } else {
            Some(self.role_of(bit))
        }
    }

    /// The role of the piece on a square known to be occupied.
    #[inline(always)]
    pub(crate) const fn role_of(&self, bit: u64) -> Role {
        if self.pawns & bit != 0 {
            Role::Pawn
        } else if self.knights & bit != 0 {
            Role::Knight
        } else if self.diagonals & bit != 0 {
            if self.straights & bit != 0 {
                Role::Queen
            } else {
                Role::Bishop
            }
        } else if self.straights & bit != 0 {
            Role::Rook
        } else {
            Role::King
        }
    }

    /// The piece on the square.
    ///
    /// ```
    /// use touchmove_rules::{Board, Piece, Square};
    ///
    /// assert_eq!(Board::START.piece_at(Square::E1), Piece::from_char('K'));
    /// assert_eq!(Board::START.piece_at(Square::E4), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        match (self.color_at(square), self.role_at(square)) {
            (Some(color), Some(role)) => Some(role.of(color)),
            _ => None,
        }
    }

    /// Puts a piece on a square, in place of whatever stood there.
    pub const fn set(&mut self, square: Square, piece: Piece) {
        self.remove(square);
        self.put(square.bit(), piece.color, piece.role);
    }

    /// Puts a piece on a square known to be empty.
    #[inline(always)]
    pub(crate) const fn put(&mut self, bit: u64, color: Color, role: Role) {
        match color {
            Color::White => self.white |= bit,
            Color::Black => self.black |= bit,
        }
        match role {
            Role::Pawn => self.pawns |= bit,
            Role::Knight => self.knights |= bit,
            Role::Bishop => self.diagonals |= bit,
            Role::Rook => self.straights |= bit,
            Role::Queen => {
                self.diagonals |= bit;
                self.straights |= bit;
            }
            Role::King => self.kings |= bit,
        }
    }

    /// Removes the piece on the square, if there is one.
    pub const fn remove(&mut self, square: Square) {
        self.clear(square.bit());
    }

    /// Removes every piece on these squares.
    #[inline(always)]
    pub(crate) const fn clear(&mut self, bits: u64) {
        self.white &= !bits;
        self.black &= !bits;
        self.pawns &= !bits;
        self.knights &= !bits;
        self.diagonals &= !bits;
        self.straights &= !bits;
        self.kings &= !bits;
    }

    /// Every piece with its square, from `a1` to `h8`.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied()
            .into_iter()
            .filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The pieces of `color` that attack `target` with these blockers: pinned pieces attack too,
    /// pawns only diagonally, and the king like any other piece.
    ///
    /// ```
    /// use touchmove_rules::{Board, Color, Square};
    ///
    /// let board = Board::START;
    /// let guards = board.attackers(Square::F3, Color::White, board.occupied());
    /// assert_eq!(guards.into_iter().collect::<Vec<_>>(), [Square::G1, Square::E2, Square::G2]);
    /// ```
    #[inline]
    #[must_use]
    pub fn attackers(&self, target: Square, color: Color, occupied: Bitboard) -> Bitboard {
        use crate::attacks;
        let reached = (attacks::pawn(!color, target) & Bitboard(self.pawns))
            | (attacks::knight(target) & Bitboard(self.knights))
            | (attacks::king(target) & Bitboard(self.kings))
            | (attacks::bishop(target, occupied) & Bitboard(self.diagonals))
            | (attacks::rook(target, occupied) & Bitboard(self.straights));
        reached & self.by_color(color)
    }
}

impl fmt::Debug for Board {
    /// The placement field of FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", crate::fen::Placement(self))
    }
}
