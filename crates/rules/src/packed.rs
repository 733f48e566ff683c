//! [`Packed`]: a position in 32 bytes, for tables with millions of entries. Unlike a hash key it is
//! exact: two packed positions are equal only if the positions are. The counters are left out.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use crate::state::{State, back_rank};
use crate::variant::Rules;
use crate::{Board, Color, Position, Square, zobrist};

/// A position without its counters, in 32 bytes.
///
/// Four bits for each square, stored as four bitboards: one for "white", and three that spell the
/// role from 1 (pawn) to 6 (king). The codes that no piece uses hold the rest: a white 7 is the
/// king of the side on move, a black 7 is a rook that may castle (its rank tells its colour), and a
/// white 0 marks the square that a pawn has just passed.
///
/// ```
/// use touchmove_rules::{Chess, Position};
///
/// let start = Position::<Chess>::start();
/// let packed = start.pack().unwrap();
/// assert_eq!(packed.unpack(), start);
/// let after_e4 = start.after(start.read_san("e4").unwrap());
/// assert_ne!(after_e4.pack().unwrap(), packed);
/// ```
#[derive(Clone, Copy)]
pub struct Packed<R: Rules> {
    planes: [u64; 4],
    rules: PhantomData<R>,
}

impl<R: Rules> Packed<R> {
    /// Unpacks the position, with the counters of a new game.
    #[must_use]
    pub fn unpack(&self) -> Position<R> {
        let [white, one, two, four] = self.planes;
        let seven = one & two & four;
        let mover = seven & white;
        let castling = seven & !white;
        let opponent = two & four & !one;
        let turn = if opponent & white != 0 {
            Color::Black
        } else {
            Color::White
        };
        let occupied = one | two | four;
        let mut whites = white & occupied & !mover | castling & back_rank(Color::White);
        if turn.is_white() {
            whites |= mover;
        }
        let board = Board {
            white: whites,
            black: occupied & !whites,
            pawns: one & !two & !four,
            knights: two & !one & !four,
            diagonals: one & (two ^ four),
            straights: four & !two | castling,
            kings: opponent | mover,
        };
        let passed = white & !occupied;
        Position::from_state(State {
            board,
            castling,
            men_key: zobrist::of_board(&board),
            halfmoves: 0,
            fullmoves: 1,
            turn,
            en_passant: (passed != 0).then(|| Square::lowest(passed)),
        })
    }

    /// A hash of the position, well mixed in all its bits.
    #[inline]
    #[must_use]
    pub fn mixed(&self) -> u64 {
        // Odd constants from the digits of π and e; each step multiplies into 128 bits and folds.
        const HASH_FACTORS: [u64; 4] = [
            0x2439_6a88_85a3_08d3,
            0x1319_8a2e_0370_7345,
            0xa409_3822_299f_31d1,
            0xadf8_5458_a2bb_4a9b,
        ];
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let [white, one, two, four] = self.planes;
        fold(
            fold(white ^ HASH_FACTORS[0], one ^ HASH_FACTORS[1]) ^ HASH_FACTORS[2],
            fold(two ^ HASH_FACTORS[3], four ^ HASH_FACTORS[2]) ^ HASH_FACTORS[1],
        )
    }
}

impl<R: Rules> Position<R> {
    /// Packs the position into 32 bytes, without its counters; `None` if a king is gone, because
    /// then the game is over.
    #[inline]
    #[must_use]
    pub fn pack(&self) -> Option<Packed<R>> {
        let state = &self.state;
        let board = &state.board;
        let mover = board.kings & board.by_color(state.turn).0;
        if mover == 0 || mover == board.kings {
            return None;
        }
        let passed = state.en_passant.map_or(0, Square::bit);
        Some(Packed {
            planes: [
                board.white & !state.castling | mover | passed,
                board.pawns | board.diagonals | state.castling | mover,
                board.knights | board.diagonals & !board.straights | board.kings | state.castling,
                board.straights | board.kings,
            ],
            rules: PhantomData,
        })
    }
}

impl<R: Rules> PartialEq for Packed<R> {
    #[inline]
    fn eq(&self, other: &Packed<R>) -> bool {
        self.planes == other.planes
    }
}

impl<R: Rules> Eq for Packed<R> {}

impl<R: Rules> Hash for Packed<R> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.planes.hash(hasher);
    }
}

impl<R: Rules> fmt::Debug for Packed<R> {
    /// The position as FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packed({})", self.unpack().fen())
    }
}
