//! A buffer on the stack in which a line of FEN or EPD is written. Parsing is in
//! [`fen`](crate::fen).

use crate::fen::outermost_rook;
use crate::state::back_rank;
use crate::{Bitboard, Board, Color, Setup};

/// A line of text on the stack, long enough for any FEN.
pub(crate) struct FenBuffer {
    bytes: [u8; FenBuffer::CAPACITY],
    len: usize,
}

impl FenBuffer {
    /// 71 bytes for the board, 2 for the turn, 17 for castling, 3 for en passant, 22 for the counters.
    const CAPACITY: usize = 128;

    /// An empty buffer.
    pub fn new() -> FenBuffer {
        FenBuffer {
            bytes: [0; FenBuffer::CAPACITY],
            len: 0,
        }
    }

    /// Appends an ASCII byte.
    #[inline]
    pub fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// Appends a number, in decimal.
    pub fn number(&mut self, number: u32) {
        if number >= 10 {
            self.number(number / 10);
        }
        self.push(b'0' + (number % 10) as u8);
    }

    /// The text: all of it is ASCII.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }

    /// Appends the placement field.
    pub fn placement(&mut self, board: &Board) {
        let mut letters = [0; 64];
        for (square, piece) in board.iter() {
            letters[square.index()] = piece.char() as u8;
        }
        for (index, rank) in letters.chunks_exact(8).rev().enumerate() {
            if index > 0 {
                self.push(b'/');
            }
            let mut empty = 0;
            for &letter in rank {
                if letter == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    self.push(b'0' + empty);
                    empty = 0;
                }
                self.push(letter);
            }
            if empty > 0 {
                self.push(b'0' + empty);
            }
        }
    }

    /// Writes board, turn, castling and en passant: the fields that FEN and EPD share. Castling is
    /// written as in Shredder-FEN if `shredder`.
    pub fn of_position(setup: &Setup, shredder: bool) -> FenBuffer {
        let mut line = FenBuffer::new();
        line.placement(&setup.board);
        line.push(b' ');
        line.push(setup.turn.char() as u8);
        line.push(b' ');
        if setup.castling.is_empty() {
            line.push(b'-');
        }
        for color in Color::ALL {
            let rooks = setup.castling & Bitboard(back_rank(color));
            for rook in rooks.into_iter().rev() {
                let outermost =
                    |kings_wing| outermost_rook(&setup.board, color, kings_wing) == rook;
                let letter = match () {
                    () if shredder => rook.file().char(),
                    () if outermost(true) => 'k',
                    () if outermost(false) => 'q',
                    () => rook.file().char(),
                };
                line.push(if color.is_white() {
                    letter.to_ascii_uppercase() as u8
                } else {
                    letter as u8
                });
            }
        }
        line.push(b' ');
        match setup.en_passant {
            None => line.push(b'-'),
            Some(square) => {
                line.push(square.file().char() as u8);
                line.push(b'1' + square.rank().index());
            }
        }
        line
    }
}
