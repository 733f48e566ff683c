//! Attack tables and look-ups for every role, and the squares between two squares. Whose piece it
//! is and whether a move there is legal is decided elsewhere.

mod magics;
pub(crate) mod sliders;

use crate::cpu::{Plain, Sliders};
use crate::{Bitboard, Color, Role, Square};

/// The squares a pawn of this colour attacks.
#[inline]
#[must_use]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color as usize][square.index()])
}

/// The squares a knight attacks.
#[inline]
#[must_use]
pub fn knight(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// The squares a king attacks: its neighbours, and also the range of an explosion in Atomic chess.
#[inline]
#[must_use]
pub fn king(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// The squares a bishop attacks with these blockers: up to and including the first piece on each of its diagonals.
#[inline]
#[must_use]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(Plain::bishop(square.index(), occupied.0))
}

/// The squares a rook attacks with these blockers.
///
/// ```
/// use touchmove_rules::{attacks, Square, Bitboard};
///
/// let blockers = Bitboard::from_iter([Square::A3, Square::C1]);
/// let reach = attacks::rook(Square::A1, blockers);
/// assert_eq!(reach, Bitboard::from_iter([Square::A2, Square::A3, Square::B1, Square::C1]));
/// ```
#[inline]
#[must_use]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(Plain::rook(square.index(), occupied.0))
}

/// The squares a queen attacks with these blockers.
#[inline]
#[must_use]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// The squares a piece attacks with these blockers.
#[inline]
#[must_use]
pub fn of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// The squares strictly between two squares of one rank, file or diagonal; none for other pairs.
///
/// ```
/// use touchmove_rules::{attacks, Square, Bitboard};
///
/// assert_eq!(attacks::between(Square::B2, Square::E5), Bitboard::from_iter([Square::C3, Square::D4]));
/// assert!(attacks::between(Square::A1, Square::B3).is_empty());
/// ```
#[inline]
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

/// Whether three squares lie on one rank, file or diagonal.
#[must_use]
pub fn aligned(a: Square, b: Square, c: Square) -> bool {
    let line = |x: Square, y: Square, z: Square| between(x, y).contains(z);
    line(a, b, c) || line(a, c, b) || line(b, c, a)
}

pub(crate) static KNIGHT: [u64; 64] = leaper([
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
]);

pub(crate) static KING: [u64; 64] = leaper([
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
]);

/// By colour, then square.
pub(crate) static PAWN: [[u64; 64]; 2] = [leaper([(-1, 1), (1, 1)]), leaper([(-1, -1), (1, -1)])];

/// What matters around a king's square, together in one cache line.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(crate) struct KingZone {
    /// The neighbours.
    pub king: u64,
    /// A knight's leaps.
    pub knight: u64,
    /// A rook's lines on an empty board.
    pub straights: u64,
    /// A bishop's lines on an empty board.
    pub diagonals: u64,
    /// What can attack a neighbour.
    pub near: Attackers,
}

/// The squares from which pieces could attack one of some squares if nothing were in the way.
#[derive(Clone, Copy)]
pub(crate) struct Attackers {
    pub knights: u64,
    pub straights: u64,
    pub diagonals: u64,
}

/// By square.
pub(crate) static KING_ZONES: [KingZone; 64] = {
    let mut table = [KingZone {
        king: 0,
        knight: 0,
        straights: 0,
        diagonals: 0,
        near: attackers_of(0),
    }; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = KingZone {
            king: KING[square],
            knight: KNIGHT[square],
            straights: sliders::walk_lines(square, 0, true),
            diagonals: sliders::walk_lines(square, 0, false),
            near: attackers_of(KING[square]),
        };
        square += 1;
    }
    table
};

/// The squares strictly between two aligned squares.
pub(crate) static BETWEEN: [[u64; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let (from, to) = (1 << a, 1 << b);
            let mut straight = true;
            loop {
                if sliders::walk_lines(a, 0, straight) & to != 0 {
                    table[a][b] = sliders::walk_lines(a, to, straight)
                        & sliders::walk_lines(b, from, straight);
                }
                if !straight {
                    break;
                }
                straight = false;
            }
            b += 1;
        }
        a += 1;
    }
    table
};

const fn leaper<const N: usize>(steps: [(i8, i8); N]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < N {
            if let Some(origin) = Square::new(square)
                && let Some(target) = origin.offset(steps[step].0, steps[step].1)
            {
                table[square as usize] |= 1 << target.index();
            }
            step += 1;
        }
        square += 1;
    }
    table
}

/// Where pieces can attack one of these squares from, on an empty board.
pub(crate) const fn attackers_of(mut squares: u64) -> Attackers {
    let mut attackers = Attackers {
        knights: 0,
        straights: 0,
        diagonals: 0,
    };
    while squares != 0 {
        let square = squares.trailing_zeros() as usize;
        attackers.knights |= KNIGHT[square];
        attackers.straights |= sliders::walk_lines(square, 0, true);
        attackers.diagonals |= sliders::walk_lines(square, 0, false);
        squares &= squares - 1;
    }
    attackers
}
