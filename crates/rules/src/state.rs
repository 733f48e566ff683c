//! [`State`]: everything that a position of any variant holds, and how a move changes it. Which
//! moves are legal is decided by the generator.

use crate::attacks::{KING, PAWN};
use crate::variant::{CastlingMode, Rules};
use crate::zobrist;
use crate::{Bitboard, Board, CastlingSide, Color, Move, MoveKind, Role, Square};

/// A side to move as a type, so that directions and ranks are constants where it matters.
pub(crate) trait Side {
    /// The opponent.
    type Other: Side;
    const COLOR: Color;
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
}

/// The back rank of a side.
#[inline(always)]
pub(crate) const fn back_rank(color: Color) -> u64 {
    match color {
        Color::White => 0xff,
        Color::Black => 0xff << 56,
    }
}

/// The state of a position: small, and copied with every move.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub board: Board,
    /// The squares of the rooks that may still castle.
    pub castling: u64,
    /// The hash key of the pieces alone; the rest of the position's key is cheap to add.
    pub men_key: u64,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// The number of the move, counted up after Black's.
    pub fullmoves: u32,
    pub turn: Color,
    /// The square that a pawn has just passed over, if an enemy pawn stands ready to take it there.
    pub en_passant: Option<Square>,
}

impl State {
    /// The pieces of one side.
    #[inline(always)]
    pub(crate) fn of<S: Side>(&self) -> u64 {
        self.board.by_color(S::COLOR).0
    }

    /// The state after a move of `S`, which is on move.
    #[inline(always)]
    pub(crate) fn after<R: Rules, S: Side>(&self, mv: Move) -> State {
        let mut next = *self;
        next.play::<R, S>(mv);
        next
    }

    /// Makes a move of `S`, which is on move.
    #[inline(always)]
    pub(crate) fn play<R: Rules, S: Side>(&mut self, mv: Move) {
        self.fullmoves = self.fullmoves.saturating_add(!S::COLOR.is_white() as u32);
        self.halfmoves = if mv.is_irreversible() {
            0
        } else {
            self.halfmoves.saturating_add(1)
        };
        self.rearrange::<R, S, true>(mv);
    }

    /// The state after a move of `S`, as far as the legal moves from there depend on it: the key
    /// and the counters are not updated.
    #[inline(always)]
    pub(crate) fn rearranged<R: Rules, S: Side>(&self, mv: Move) -> State {
        let mut next = *self;
        next.rearrange::<R, S, false>(mv);
        next
    }

    /// Makes a move on the board, and updates the key if `KEYED`.
    #[inline(always)]
    fn rearrange<R: Rules, S: Side, const KEYED: bool>(&mut self, mv: Move) {
        self.turn = S::Other::COLOR;
        self.en_passant = None;
        if mv.kind().is_castling() {
            self.castle::<S, KEYED>(mv);
        } else if R::CAPTURES_EXPLODE && mv.is_capture() {
            self.explode::<KEYED>(mv);
        } else {
            self.displace::<R, S, KEYED>(mv);
        }
    }

    /// An ordinary move, with its capture if it is one.
    #[inline(always)]
    fn displace<R: Rules, S: Side, const KEYED: bool>(&mut self, mv: Move) {
        let (from, to) = (mv.from().bit(), mv.to().bit());
        let (us, them) = (S::COLOR, S::Other::COLOR);
        if mv.kind().is_en_passant() {
            let victim = behind::<S>(to);
            *self.men_mut(them) ^= victim;
            self.board.pawns ^= victim;
            if KEYED {
                self.men_key ^= zobrist::man(them, Role::Pawn, victim.trailing_zeros() as usize);
            }
        } else if mv.is_capture() {
            if KEYED {
                self.men_key ^= zobrist::captive(them, &self.board, mv.to().index());
            }
            *self.men_mut(them) ^= to;
            self.board.pawns &= !to;
            self.board.knights &= !to;
            self.board.diagonals &= !to;
            self.board.straights &= !to;
            if !matches!(R::CASTLING_MODE, CastlingMode::Never) {
                self.castling &= !to;
            }
        }
        *self.men_mut(us) ^= from | to;
        let role = mv.role();
        let arriving = if mv.kind().is_promotion() {
            mv.promoted()
        } else {
            role
        };
        if KEYED {
            self.men_key ^= zobrist::man(us, role, mv.from().index())
                ^ zobrist::man(us, arriving, mv.to().index());
        }
        match role {
            Role::Pawn if mv.kind().is_promotion() => {
                self.board.pawns ^= from;
                match arriving {
                    Role::Knight => self.board.knights |= to,
                    Role::Bishop => self.board.diagonals |= to,
                    Role::Rook => self.board.straights |= to,
                    _ => {
                        self.board.diagonals |= to;
                        self.board.straights |= to;
                    }
                }
            }
            Role::Pawn => self.board.pawns ^= from | to,
            Role::Knight => self.board.knights ^= from | to,
            Role::Bishop => self.board.diagonals ^= from | to,
            Role::Rook => {
                self.board.straights ^= from | to;
                self.castling &= !from;
            }
            Role::Queen => {
                self.board.diagonals ^= from | to;
                self.board.straights ^= from | to;
            }
            Role::King => {
                self.board.kings ^= from | to;
                self.castling &= !back_rank(us);
            }
        }
        if R::HAS_EN_PASSANT && matches!(mv.kind(), MoveKind::PawnTwoSteps) {
            let passed = behind::<S>(to);
            let square = Square::lowest(passed);
            let takers =
                PAWN[us as usize][square.index()] & self.board.pawns & self.of::<S::Other>();
            self.en_passant = if takers != 0 { Some(square) } else { None };
        }
    }

    /// Moves king and rook; in Chess960 each may arrive on a square that one of them leaves.
    #[inline(always)]
    fn castle<S: Side, const KEYED: bool>(&mut self, mv: Move) {
        let (Some(rook), Some(wing)) = (mv.castling_rook(), mv.castling_side()) else {
            return;
        };
        let (king_to, rook_to) = (mv.to(), wing.rook_target(S::COLOR));
        *self.men_mut(S::COLOR) &= !(mv.from().bit() | rook.bit());
        *self.men_mut(S::COLOR) |= king_to.bit() | rook_to.bit();
        self.board.kings ^= mv.from().bit();
        self.board.kings |= king_to.bit();
        self.board.straights ^= rook.bit();
        self.board.straights |= rook_to.bit();
        self.castling &= !back_rank(S::COLOR);
        if KEYED {
            let man = |role, square: Square| zobrist::man(S::COLOR, role, square.index());
            self.men_key ^= man(Role::King, mv.from())
                ^ man(Role::King, king_to)
                ^ man(Role::Rook, rook)
                ^ man(Role::Rook, rook_to);
        }
    }

    /// A capture where captures explode: removes the captor, the captured piece, and all but pawns around (A1).
    #[inline(always)]
    fn explode<const KEYED: bool>(&mut self, mv: Move) {
        let removed = self.exploded_squares(mv);
        if KEYED {
            for square in Bitboard(removed) {
                let bit = square.bit();
                let color = if self.board.white & bit != 0 {
                    Color::White
                } else {
                    Color::Black
                };
                self.men_key ^= zobrist::man(color, self.board.role_of(bit), square.index());
            }
        }
        self.board.clear(removed);
        // A rook's castling right goes with the rook, and all of a side's rights with its king (A7).
        self.castling &= !removed;
        for color in Color::ALL {
            if self.board.kings & self.board.by_color(color).0 == 0 {
                self.castling &= !back_rank(color);
            }
        }
    }

    /// The squares of all pieces that a capture removes by its explosion.
    #[inline(always)]
    pub fn exploded_squares(&self, mv: Move) -> u64 {
        let centre = mv.to();
        let around = KING[centre.index()] & !self.board.pawns & self.board.occupied().0;
        let captive = mv.captured_square().map_or(0, Square::bit);
        around | captive | mv.from().bit()
    }

    #[inline(always)]
    fn men_mut(&mut self, color: Color) -> &mut u64 {
        match color {
            Color::White => &mut self.board.white,
            Color::Black => &mut self.board.black,
        }
    }

    /// The colour of a castling rook, and the side of its king on which it stands.
    pub fn castling_side_of(&self, rook: Square) -> Option<(Color, CastlingSide)> {
        let color = if rook.bit() & back_rank(Color::White) != 0 {
            Color::White
        } else {
            Color::Black
        };
        let king = self.board.king_of(color)?;
        Some((
            color,
            if rook > king {
                CastlingSide::King
            } else {
                CastlingSide::Queen
            },
        ))
    }

    /// A hash key of the position for repetitions, including this en passant capture if there is one.
    #[inline]
    pub fn repetition_key(&self, en_passant: Option<Square>) -> u64 {
        // An odd factor keeps different castling rights apart; they are few, and only equality matters.
        let castling = self.castling.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.men_key ^ castling ^ self.key_of_turn_and_capture(en_passant)
    }

    /// The key of the Polyglot format, including this en passant capture if there is one.
    pub fn polyglot_key(&self, en_passant: Option<Square>) -> u64 {
        let castling = Bitboard(self.castling)
            .into_iter()
            .filter_map(|rook| self.castling_side_of(rook))
            .fold(0, |key, (color, wing)| key ^ zobrist::castling(color, wing));
        self.men_key ^ castling ^ self.key_of_turn_and_capture(en_passant)
    }

    #[inline]
    fn key_of_turn_and_capture(&self, en_passant: Option<Square>) -> u64 {
        let passed = en_passant.map_or(0, |square| zobrist::en_passant(square.file()));
        let turn = if self.turn.is_white() {
            zobrist::WHITE_TO_MOVE
        } else {
            0
        };
        passed ^ turn
    }

    /// Recomputes what is cached for speed, and compares; debug builds check this after each move.
    #[cfg(any(debug_assertions, test))]
    pub fn assert_consistent<R: Rules>(&self) {
        let board = &self.board;
        let roles = [
            board.pawns,
            board.knights,
            board.diagonals | board.straights,
            board.kings,
        ];
        assert_eq!(
            board.white & board.black,
            0,
            "a square has men of both sides: {board:?}"
        );
        assert_eq!(
            roles.iter().fold(0, |all, role| all | role),
            board.occupied().0,
            "sides and roles disagree: {board:?}"
        );
        assert_eq!(
            roles.iter().map(|role| role.count_ones()).sum::<u32>(),
            board.occupied().0.count_ones(),
            "a square has two roles: {board:?}"
        );
        assert_eq!(
            self.men_key,
            zobrist::of_board(board),
            "the key of the men is wrong: {board:?}"
        );
        for rook in Bitboard(self.castling) {
            let (color, _) = self
                .castling_side_of(rook)
                .expect("a castling right has its king");
            assert_eq!(
                board.piece_at(rook),
                Some(Role::Rook.of(color)),
                "a right without rook: {self:?}"
            );
            let king = board.king_of(color).map_or(0, Square::bit);
            assert!(
                king & back_rank(color) != 0,
                "a right without king: {self:?}"
            );
        }
        if let Some(passed) = self.en_passant {
            assert!(R::HAS_EN_PASSANT);
            let pawn = Bitboard(passed.bit()).forward(!self.turn);
            assert!(
                pawn.is_subset(board.by_color_and_role(Role::Pawn.of(!self.turn))),
                "no pawn passed: {self:?}"
            );
        }
    }
}

/// The squares one step back, seen by `S`.
#[inline(always)]
pub(crate) const fn behind<S: Side>(squares: u64) -> u64 {
    Bitboard(squares)
        .forward(match S::COLOR {
            Color::White => Color::Black,
            Color::Black => Color::White,
        })
        .0
}
