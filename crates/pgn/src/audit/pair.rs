//! Two positions of the same variant, whichever it is: the one now and the one before the last move.
//! They take turns, so that a move writes its position over the older one.

use touchmove_rules::{AnyPosition, Atomic, Chess, Chess960, Position, SimpleAtomic};

/// Two positions of one variant.
#[derive(Clone, Copy)]
pub(super) enum Pair {
    Chess([Position<Chess>; 2]),
    Chess960([Position<Chess960>; 2]),
    Atomic([Position<Atomic>; 2]),
    SimpleAtomic([Position<SimpleAtomic>; 2]),
}

/// Runs an expression with the two positions of whatever variant.
macro_rules! with_pair {
    ($pair:expr, $positions:ident => $body:expr) => {
        match $pair {
            Pair::Chess($positions) => $body,
            Pair::Chess960($positions) => $body,
            Pair::Atomic($positions) => $body,
            Pair::SimpleAtomic($positions) => $body,
        }
    };
}
pub(super) use with_pair;

impl Pair {
    /// The position twice.
    pub(super) fn of(position: AnyPosition) -> Pair {
        match position {
            AnyPosition::Chess(position) => Pair::Chess([position; 2]),
            AnyPosition::Chess960(position) => Pair::Chess960([position; 2]),
            AnyPosition::Atomic(position) => Pair::Atomic([position; 2]),
            AnyPosition::SimpleAtomic(position) => Pair::SimpleAtomic([position; 2]),
        }
    }

    /// One of the two.
    pub(super) fn get(&self, place: usize) -> AnyPosition {
        with_pair!(self, positions => positions[place].into())
    }
}

/// The position now, to read, and the older one, to write over.
#[inline]
pub(super) fn turns<T>(positions: &mut [T; 2], now: usize) -> (&T, &mut T) {
    let [first, second] = positions;
    if now == 0 {
        (first, second)
    } else {
        (second, first)
    }
}
