//! [`Setup`]: anything that a FEN can say about a position, sense or nonsense. Whether it is a
//! position of chess is decided by [`fault`](crate::fault).

use crate::{Board, Color, Square, SquareSet};

/// Men, side to move, rights and counters, not yet believed.
///
/// ```
/// use touchmove_rules::{Chess, Fault, Position, Role, Setup, Square};
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
    pub castling: SquareSet,
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
            castling: SquareSet(0x8100_0000_0000_0081),
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
            castling: SquareSet::EMPTY,
            ..Setup::start()
        }
    }

    /// The start of a Chess960 game by its number, 0 to 959 (518 is chess), or `None` for other
    /// numbers.
    ///
    /// ```
    /// use touchmove_rules::Setup;
    /// assert_eq!(Setup::chess960(518), Some(Setup::start()));
    /// assert_eq!(Setup::chess960(960), None);
    /// ```
    #[must_use]
    pub fn chess960(number: u16) -> Option<Setup> {
        use crate::{File, Rank, Role};
        if number >= 960 {
            return None;
        }
        let (rest, light) = (usize::from(number) / 4, usize::from(number) % 4);
        let (rest, dark) = (rest / 4, rest % 4);
        let (knights, queen) = (rest / 6, rest % 6);
        let mut array = [None; 8];
        array[2 * light + 1] = Some(Role::Bishop);
        array[2 * dark] = Some(Role::Bishop);
        let place = |array: &mut [Option<Role>; 8], nth: usize, role| {
            let free = array.iter_mut().filter(|role| role.is_none()).nth(nth);
            *free.expect("the array has room for all men") = Some(role);
        };
        place(&mut array, queen, Role::Queen);
        const KNIGHTS: [(usize, usize); 10] = [
            (0, 1),
            (0, 2),
            (0, 3),
            (0, 4),
            (1, 2),
            (1, 3),
            (1, 4),
            (2, 3),
            (2, 4),
            (3, 4),
        ];
        let (first, second) = KNIGHTS[knights];
        place(&mut array, second, Role::Knight);
        place(&mut array, first, Role::Knight);
        for role in [Role::Rook, Role::King, Role::Rook] {
            place(&mut array, 0, role);
        }
        let mut setup = Setup::empty();
        for (file, role) in File::ALL.into_iter().zip(array) {
            for color in Color::ALL {
                let back = Square::at(file, Rank::First.of(color));
                let role = role.expect("all men are placed");
                setup.board.set(back, role.of(color));
                setup.board.set(
                    Square::at(file, Rank::Second.of(color)),
                    Role::Pawn.of(color),
                );
                if role == Role::Rook {
                    setup.castling.insert(back);
                }
            }
        }
        Some(setup)
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::start()
    }
}
