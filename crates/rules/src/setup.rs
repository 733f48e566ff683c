//! [`Setup`]: anything that a FEN can say about a position, sense or nonsense. Whether it is a
//! position of chess is decided by [`fault`](crate::setup_fault).

use crate::{Bitboard, Board, Color, Square};

/// Men, side to move, rights and counters, not yet believed.
///
/// ```
/// use touchmove_rules::{Chess, SetupFault, Position, Role, Setup, Square};
///
/// let mut setup = Setup::start();
/// setup.board.remove(Square::E8);
/// let faults = Position::<Chess>::from_setup(&setup).unwrap_err();
/// assert!(faults.to_string().starts_with("Black has no king"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The men.
    pub board: Board,
    /// Who is on move.
    pub turn: Color,
    /// The squares of the rooks that may still castle.
    pub castling: Bitboard,
    /// The square that a pawn passed over with the last move.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// The number of the move, from 1, counted up after Black's.
    pub fullmoves: u32,
}

impl Setup {
    /// The start of a game.
    #[must_use]
    pub const fn start() -> Setup {
        Setup {
            board: Board::START,
            turn: Color::White,
            castling: Bitboard(0x8100_0000_0000_0081),
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    /// An empty board, White to move.
    #[must_use]
    pub const fn empty() -> Setup {
        Setup {
            board: Board::EMPTY,
            castling: Bitboard::EMPTY,
            ..Setup::start()
        }
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::start()
    }
}
