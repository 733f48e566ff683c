//! [`Outline`] itself and the steps from one to the next. The rules that decide which outlines follow are in the parent
//! module.

use std::hash::{Hash, Hasher};

use touchmove_rules::{Bitboard, Board, CastlingSide, Color, Rank, Role, Square, attacks};

/// Solid pieces, the side to move, and what else is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Outline {
    pub board: Board,
    pub turn: Color,
    /// Whether there may be changelings, by colour.
    pub changed: [bool; 2],
    /// Which ghosts may still be on the board, by number.
    pub alive: u32,
    /// The en passant square, if a pawn could capture there.
    pub passed: Option<Square>,
    /// Squares that the last moves have left empty, if they open a check.
    pub bare: Bitboard,
    /// The solid rooks with which a side may still castle.
    pub castling: Bitboard,
}

impl Outline {
    /// The outline after a move to this board. A king or rook that has left its square, or the board, loses its
    /// castling rights.
    pub fn followed_by(&self, board: Board) -> Outline {
        let may_castle = |rook: &Square| {
            let side = self.board.color_at(*rook);
            board.piece_at(*rook) == self.board.piece_at(*rook)
                && side.is_some_and(|side| board.king_of(side) == self.board.king_of(side))
        };
        Outline {
            board,
            turn: !self.turn,
            passed: None,
            castling: self.castling.into_iter().filter(may_castle).collect(),
            ..*self
        }
    }

    /// The outline after the side to move has castled with this rook, if no solid piece is in the way, and
    /// the squares that king and rook have left.
    pub fn castled(&self, rook: Square) -> Option<(Outline, Bitboard)> {
        let king = self.board.king_of(self.turn)?;
        let wing = if rook > king {
            CastlingSide::King
        } else {
            CastlingSide::Queen
        };
        let (king_to, rook_to) = (wing.king_target(self.turn), wing.rook_target(self.turn));
        let left = king.set() | rook.set();
        let way = attacks::between(king, king_to) | attacks::between(rook, rook_to);
        let mut board = self.board;
        if ((way | king_to.set() | rook_to.set()) & (board.occupied() - left)).any() {
            return None;
        }
        board.remove(king);
        board.remove(rook);
        board.set(king_to, Role::King.of(self.turn));
        board.set(rook_to, Role::Rook.of(self.turn));
        let rights = self.castling - Bitboard::from(Rank::First.of(self.turn));
        let castled = Outline {
            castling: rights,
            ..self.followed_by(board)
        };
        Some((castled, left))
    }

    /// The outline in which the pawn that has come to `to` is promoted.
    pub fn promoting(mut self, to: Square) -> Outline {
        self.board.remove(to);
        self.changed[!self.turn as usize] = true;
        self
    }

    /// Whether a solid piece surely attacks the king of `side`, if there may be ghosts on `veil`.
    pub fn is_check(&self, side: Color, veil: Bitboard) -> bool {
        let board = &self.board;
        board
            .king_of(side)
            .is_some_and(|king| board.attackers(king, !side, board.occupied() | veil).any())
    }
}

impl Hash for Outline {
    /// Hashes one number, which is enough to tell most outlines apart. Equality compares all of them.
    fn hash<H: Hasher>(&self, state: &mut H) {
        const HASH_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let Outline { board, .. } = self;
        let minors = board.by_role(Role::Knight) | board.bishops_and_queens();
        let passed = self.passed.map_or(0, |at| at.set().0);
        let mut number = u64::from(self.alive) << 1 | self.turn as u64;
        number = number.rotate_left(40) ^ passed ^ self.bare.0 ^ self.castling.0.rotate_left(20);
        for set in [
            board.by_color(Color::White),
            board.by_color(Color::Black),
            board.by_role(Role::Pawn),
            board.by_role(Role::King),
            minors,
        ] {
            number = (number ^ set.0).wrapping_mul(HASH_FACTOR).rotate_left(29);
        }
        state.write_u64(number);
    }
}

/// Uses the one number of an outline as its hash.
#[derive(Default)]
pub(super) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number ^ number >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// How an outline came about.
#[derive(Clone, Copy)]
pub(super) enum OutlineStep {
    /// A ghost moved, or a pawn became one.
    Ghost,
    /// A solid piece moved and left these squares empty.
    Solid { left: Bitboard },
}

/// The board after a piece has moved, capturing whatever stood there.
pub(super) fn moved(mut board: Board, from: Square, to: Square) -> Board {
    if let Some(piece) = board.piece_at(from) {
        board.remove(from);
        board.set(to, piece);
    }
    board
}
