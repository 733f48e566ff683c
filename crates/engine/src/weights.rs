//! [`Weights`]: the numbers of the evaluation, one set for each variant. The evaluation terms themselves are in
//! `evaluation`.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use touchmove_rules::Rules;

mod atomic;
mod chess;
mod simple_atomic;

/// A middlegame and an endgame value, in hundredths of a pawn, packed into one number.
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
    /// From a middlegame and an endgame value.
    #[must_use]
    pub const fn new(middlegame: i32, endgame: i32) -> Tapered {
        Tapered((middlegame << 16) + endgame)
    }

    /// The middlegame value.
    #[inline]
    #[must_use]
    pub const fn middlegame(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }

    /// The endgame value.
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

/// Declares the weights with their names, so that a tuner can iterate over them.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// The weight of each evaluation term. Tables are from White's view, by rank where they have eight entries.
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
            /// Calls `visit` for every weight with the name of its group.
            pub fn for_each(&mut self, mut visit: impl FnMut(&'static str, &mut Tapered)) {
                $(self.$name.each(&mut |weight| visit(stringify!($name), weight));)*
            }
        }
    };
}

/// One weight or a table of weights.
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
    /// A piece of a role on a square, its material included.
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
    /// A file next to the king without pawns of its side.
    draught: Tapered,
    /// For the squared weight of attacks around a king, in sixteenths.
    siege: Tapered,
    /// A piece attacked by a pawn.
    attacked_by_pawn: Tapered,
    /// A rook or queen attacked by a minor piece.
    attacked_by_minor: Tapered,
    /// A piece attacked and not guarded.
    loose: Tapered,
    /// A piece next to its own king, where captures explode.
    fuse: Tapered,
    /// For the squared number of captures that explode a king.
    explosion: Tapered,
    /// An empty square next to a king that the enemy attacks, where captures explode.
    near_miss: Tapered,
    /// Being on move.
    tempo: Tapered,
}

impl Weights {
    /// The weights for a variant.
    #[must_use]
    pub fn of<R: Rules>() -> &'static Weights {
        match (R::CAPTURES_EXPLODE, R::HAS_PROMOTION) {
            (false, _) => &chess::CHESS,
            (true, true) => &atomic::ATOMIC,
            (true, false) => &simple_atomic::SIMPLE_ATOMIC,
        }
    }
}

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
