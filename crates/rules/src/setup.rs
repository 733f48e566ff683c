//! [`Setup`]: anything that a FEN can say about a position, legal or not. Whether it is a position
//! of a variant is decided in [`setup_fault`](crate::setup_fault).

use crate::{Bitboard, Board, Color, Square};

/// Pieces, side to move, castling rights and counters, not yet validated.
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
    /// The pieces.
    pub board: Board,
    /// Who is on move.
    pub turn: Color,
    /// The squares of the rooks that may still castle.
    pub castling: Bitboard,
    /// The en passant square: the one that a pawn passed over with the last move.
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
