//! [`Weights`]: the numbers that the evaluation multiplies what it sees with, one set for each way of
//! playing. What is seen is in the evaluation.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use touchmove_rules::Rules;

/// A worth in the middlegame and one in the endgame, in hundredths of a pawn, added as one number.
///
/// ```
/// use touchmove_engine::Tapered;
///
/// let sum = Tapered::new(10, -4) + Tapered::new(-30, 5) * 2;
/// assert_eq!((sum.middlegame(), sum.endgame()), (-50, 6));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// A worth in the middlegame and in the endgame.
    #[must_use]
    pub const fn new(middlegame: i32, endgame: i32) -> Tapered {
        Tapered((middlegame << 16) + endgame)
    }

    /// The worth in the middlegame.
    #[inline]
    #[must_use]
    pub const fn middlegame(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }

    /// The worth in the endgame.
    #[inline]
    #[must_use]
    pub const fn endgame(self) -> i32 {
        self.0 as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline]
    fn neg(self) -> Tapered {
        Tapered(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline]
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0 * factor)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        self.0 += other.0;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        self.0 -= other.0;
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s({}, {})", self.middlegame(), self.endgame())
    }
}

const fn s(middlegame: i32, endgame: i32) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// Declares the weights with their names, so that a tuner can go over all of them.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// What each thing that the evaluation sees is worth. Tables are seen by White, by rank where
        /// they have eight entries.
        ///
        /// ```
        /// use touchmove_engine::Weights;
        /// use touchmove_rules::Chess;
        ///
        /// let mut weights = Weights::of::<Chess>().clone();
        /// let mut count = 0;
        /// weights.for_each(|_name, _weight| count += 1);
        /// assert!(count > 400);
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Weights {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl Weights {
            /// Visits every weight with the name of its group.
            pub fn for_each(&mut self, mut visit: impl FnMut(&'static str, &mut Tapered)) {
                $(self.$name.each(&mut |weight| visit(stringify!($name), weight));)*
            }
        }
    };
}

/// One weight or a table of them.
trait Group {
    fn each(&mut self, visit: &mut dyn FnMut(&mut Tapered));
}

impl Group for Tapered {
    fn each(&mut self, visit: &mut dyn FnMut(&mut Tapered)) {
        visit(self);
    }
}

impl<T: Group, const N: usize> Group for [T; N] {
    fn each(&mut self, visit: &mut dyn FnMut(&mut Tapered)) {
        self.iter_mut().for_each(|group| group.each(visit));
    }
}

weights! {
    /// A man of a role on a square, its material included.
    piece_square: [[Tapered; 64]; 6],
    /// Squares a knight reaches.
    knight_reach: [Tapered; 9],
    /// Squares a bishop reaches.
    bishop_reach: [Tapered; 14],
    /// Squares a rook reaches.
    rook_reach: [Tapered; 15],
    /// Squares a queen reaches.
    queen_reach: [Tapered; 28],
    /// Two bishops or more.
    bishop_pair: Tapered,
    /// A rook on a file without pawns.
    rook_on_open_file: Tapered,
    /// A rook on a file without pawns of its own side.
    rook_on_half_open_file: Tapered,
    /// A pawn with another of its side in front.
    doubled: Tapered,
    /// A pawn without neighbours on the files beside.
    isolated: Tapered,
    /// A pawn guarded by another, or beside one.
    connected: [Tapered; 8],
    /// A pawn that no enemy pawn can stop.
    passed: [Tapered; 8],
    /// A passed pawn with nothing on the square in front.
    passed_and_free: [Tapered; 8],
    /// For each step of the distance between the enemy king and the square before a passed pawn.
    passed_far_from_enemy_king: Tapered,
    /// For each step of the distance between the own king and that square.
    passed_far_from_own_king: Tapered,
    /// A pawn right in front of its king, or one step further.
    shield: [Tapered; 2],
    /// A file at the king without pawns of its side.
    draught: Tapered,
    /// For the square of the weight of attacks around a king, in sixteenths.
    siege: Tapered,
    /// A piece attacked by a pawn.
    attacked_by_pawn: Tapered,
    /// A rook or queen attacked by a minor piece.
    attacked_by_minor: Tapered,
    /// A piece attacked and not guarded.
    loose: Tapered,
    /// A man next to its own king, where captures explode.
    fuse: Tapered,
    /// For the square of the number of captures that blow up a king.
    explosion: Tapered,
    /// An empty square next to a king that the enemy attacks, where captures explode.
    near_miss: Tapered,
    /// Being on move.
    tempo: Tapered,
}

impl Weights {
    /// The weights that a variant is played with.
    #[must_use]
    pub fn of<R: Rules>() -> &'static Weights {
        match (R::BLAST, R::PROMOTION) {
            (false, _) => &CHESS,
            (true, true) => &ATOMIC,
            (true, false) => &SIMPLE_ATOMIC,
        }
    }
}

/// From the edge (0) to the middle (3).
const fn inward(line: i32) -> i32 {
    if line < 4 { line } else { 7 - line }
}

/// The starting shape of the tables: pieces belong into the middle, the king to a wing and, in the
/// endgame, to the middle.
const fn piece_square(material: [Tapered; 6], pawn_ranks: [Tapered; 8]) -> [[Tapered; 64]; 6] {
    const SHELTER: [i32; 8] = [8, 26, 10, -18, -8, -14, 28, 12];
    let mut table = [[s(0, 0); 64]; 6];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square as i32 % 8, square as i32 / 8);
        let centre = inward(file) + inward(rank);
        let is_home = (rank == 0) as i32;
        let is_seventh = (rank == 6) as i32;
        let middle_pawn = if inward(file) == 3 {
            [0, -12, 8, 20, 14, 6, 0, 0][rank as usize]
        } else if inward(file) == 2 {
            [0, -2, 2, 4, 4, 2, 0, 0][rank as usize]
        } else {
            0
        };
        let advance = if rank >= 3 && rank <= 5 { 8 } else { 0 };
        let king_middlegame = match rank {
            0 => SHELTER[file as usize],
            1 => SHELTER[file as usize] / 2 - 22,
            _ => -36 - 10 * rank,
        };
        let shape = [
            s(
                middle_pawn + pawn_ranks[rank as usize].middlegame(),
                pawn_ranks[rank as usize].endgame(),
            ),
            s(-46 + 11 * centre + advance, -34 + 9 * centre),
            s(-12 + 4 * centre - 8 * is_home, -9 + 3 * centre),
            s(-8 + 4 * inward(file) + 14 * is_seventh, 10 * is_seventh),
            s(-5 + 2 * centre, -21 + 7 * centre),
            s(king_middlegame, -48 + 14 * centre - 6 * is_home),
        ];
        let mut role = 0;
        while role < 6 {
            table[role][square] = Tapered(material[role].0 + shape[role].0);
            role += 1;
        }
        square += 1;
    }
    table
}

/// A worth that grows with the square root of the squares reached, from the first to the last value.
const fn reach<const N: usize>(first: Tapered, last: Tapered) -> [Tapered; N] {
    let mut table = [s(0, 0); N];
    let steps = ((N - 1) * 10_000).isqrt() as i32;
    let mut count = 0;
    while count < N {
        let root = (count * 10_000).isqrt() as i32;
        table[count] = s(
            first.middlegame() + (last.middlegame() - first.middlegame()) * root / steps,
            first.endgame() + (last.endgame() - first.endgame()) * root / steps,
        );
        count += 1;
    }
    table
}

const CHESS: Weights = Weights {
    piece_square: piece_square(
        [
            s(84, 106),
            s(330, 305),
            s(345, 318),
            s(465, 535),
            s(985, 970),
            s(0, 0),
        ],
        [
            s(0, 0),
            s(0, 0),
            s(0, 0),
            s(4, 5),
            s(10, 14),
            s(20, 30),
            s(44, 50),
            s(0, 0),
        ],
    ),
    knight_reach: reach(s(-40, -50), s(16, 16)),
    bishop_reach: reach(s(-38, -55), s(26, 30)),
    rook_reach: reach(s(-28, -50), s(20, 36)),
    queen_reach: reach(s(-20, -45), s(18, 36)),
    bishop_pair: s(28, 52),
    rook_on_open_file: s(34, 14),
    rook_on_half_open_file: s(14, 8),
    doubled: s(-9, -22),
    isolated: s(-12, -14),
    connected: [
        s(0, 0),
        s(4, 2),
        s(8, 5),
        s(10, 8),
        s(18, 18),
        s(36, 38),
        s(60, 60),
        s(0, 0),
    ],
    passed: [
        s(0, 0),
        s(0, 6),
        s(-2, 12),
        s(0, 30),
        s(18, 55),
        s(42, 95),
        s(70, 135),
        s(0, 0),
    ],
    passed_and_free: [
        s(0, 0),
        s(0, 2),
        s(0, 4),
        s(2, 8),
        s(4, 16),
        s(8, 34),
        s(16, 60),
        s(0, 0),
    ],
    passed_far_from_enemy_king: s(0, 8),
    passed_far_from_own_king: s(0, -5),
    shield: [s(16, -2), s(8, -1)],
    draught: s(-18, 0),
    siege: s(-9, 0),
    attacked_by_pawn: s(52, 44),
    attacked_by_minor: s(34, 26),
    loose: s(28, 22),
    fuse: s(0, 0),
    explosion: s(0, 0),
    near_miss: s(0, 0),
    tempo: s(18, 12),
};

const ATOMIC: Weights = Weights {
    piece_square: piece_square(
        [
            s(100, 130),
            s(255, 220),
            s(265, 240),
            s(380, 430),
            s(760, 820),
            s(0, 0),
        ],
        [
            s(0, 0),
            s(0, 0),
            s(2, 6),
            s(6, 20),
            s(16, 45),
            s(36, 85),
            s(80, 150),
            s(0, 0),
        ],
    ),
    knight_reach: reach(s(-20, -24), s(14, 12)),
    bishop_reach: reach(s(-20, -24), s(18, 18)),
    rook_reach: reach(s(-18, -24), s(14, 22)),
    queen_reach: reach(s(-20, -24), s(24, 26)),
    bishop_pair: s(14, 20),
    rook_on_open_file: s(24, 10),
    rook_on_half_open_file: s(12, 6),
    doubled: s(-10, -22),
    isolated: s(-12, -14),
    connected: [
        s(0, 0),
        s(2, 0),
        s(2, 2),
        s(4, 4),
        s(8, 10),
        s(14, 20),
        s(20, 30),
        s(0, 0),
    ],
    passed: [
        s(0, 0),
        s(5, 12),
        s(8, 20),
        s(14, 40),
        s(30, 70),
        s(60, 120),
        s(110, 180),
        s(0, 0),
    ],
    passed_and_free: [
        s(0, 0),
        s(0, 2),
        s(0, 4),
        s(2, 8),
        s(4, 16),
        s(8, 34),
        s(16, 60),
        s(0, 0),
    ],
    passed_far_from_enemy_king: s(0, 4),
    passed_far_from_own_king: s(0, -2),
    shield: [s(4, 0), s(2, 0)],
    draught: s(-22, 0),
    siege: s(-4, 0),
    attacked_by_pawn: s(20, 20),
    attacked_by_minor: s(16, 16),
    loose: s(18, 18),
    fuse: s(-7, -3),
    explosion: s(-75, -60),
    near_miss: s(-16, -8),
    tempo: s(28, 18),
};

const SIMPLE_ATOMIC: Weights = Weights {
    piece_square: {
        let mut table = piece_square(
            [
                s(90, 80),
                s(255, 240),
                s(265, 250),
                s(390, 420),
                s(760, 820),
                s(0, 0),
            ],
            [
                s(0, 0),
                s(0, 0),
                s(4, 2),
                s(6, 2),
                s(4, 0),
                s(-10, -10),
                s(-40, -40),
                s(0, 0),
            ],
        );
        // A pawn on the last rank stays there and does nothing but feed blasts.
        let mut square = 56;
        while square < 64 {
            table[0][square] = s(0, 0);
            square += 1;
        }
        table
    },
    passed: [s(0, 0); 8],
    passed_and_free: [s(0, 0); 8],
    passed_far_from_enemy_king: s(0, 0),
    passed_far_from_own_king: s(0, 0),
    connected: [
        s(0, 0),
        s(2, 0),
        s(2, 2),
        s(4, 4),
        s(4, 4),
        s(2, 2),
        s(0, 0),
        s(0, 0),
    ],
    ..ATOMIC
};

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::{Atomic, SimpleAtomic};

    #[test]
    fn both_halves_of_a_sum_keep_apart() {
        for (a, b) in [(-3, 7), (500, -500), (-1, -1), (0, -30_000)] {
            let sum = Tapered::new(a, b) - Tapered::new(20, 20);
            assert_eq!((sum.middlegame(), sum.endgame()), (a - 20, b - 20));
            assert_eq!((-sum).endgame(), 20 - b);
        }
    }

    #[test]
    fn a_pawn_that_cannot_promote_is_worth_nothing_at_the_end() {
        let worth = |weights: &Weights, square: usize| weights.piece_square[0][square];
        assert_eq!(worth(Weights::of::<SimpleAtomic>(), 60), s(0, 0));
        assert!(worth(Weights::of::<Atomic>(), 52).endgame() > 200);
    }
}
