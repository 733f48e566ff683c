//! Compiles the hot paths once for each variant, here and not again in every crate that uses them,
//! and dispatches them to the best code for the processor. What they do is in the generator, the
//! counter, perft and the state.

use std::marker::PhantomData;

use crate::cpu::{self, SliderTask, Sliders};
use crate::movegen::check_info::checkers;
use crate::movegen::{MoveFilter, MoveVisitor, count, generate};
use crate::perft;
use crate::san_lookup::{SanDescription, is_check, look_up, look_up_and_play};
use crate::state::{Black, Side, State, White};
use crate::variant::{Atomic, Chess, Chess960, Rules, SimpleAtomic};
use crate::{Color, Move, MoveList};

/// The hot paths, compiled for one variant.
pub trait VariantDispatch {
    /// Clears the list and fills it with the moves that the filter selects.
    fn list(state: &State, wanted: MoveFilter, moves: &mut MoveList);
    /// The number of legal moves.
    fn count(state: &State) -> u32;
    /// The enemy pieces that give check.
    fn checkers(state: &State) -> u64;
    /// Whether the side on move is in check.
    fn is_check(state: &State) -> bool;
    /// The one legal move that fits a SAN description, where there is a fast path to it.
    fn look_up(state: &State, described: SanDescription) -> Option<Move>;
    /// The same, and plays it.
    fn look_up_and_play(state: &mut State, described: SanDescription) -> Option<Move>;
    /// The state after a legal move.
    fn after(state: &State, mv: Move) -> State;
    /// Makes a legal move.
    fn play(state: &mut State, mv: Move);
    /// The number of sequences of legal moves of this length; the last ones are only counted.
    fn perft(state: &State, depth: u32) -> u64;
    /// The same, with the last ones made too.
    fn perft_making_every_leaf(state: &State, depth: u32) -> u64;
}

macro_rules! compile {
    ($($rules:ident)*) => {$(
        impl VariantDispatch for $rules {
            fn list(state: &State, wanted: MoveFilter, moves: &mut MoveList) {
                walk::<$rules>(state, wanted, &mut moves.refill());
            }
            fn count(state: &State) -> u32 {
                match state.turn {
                    Color::White => cpu::dispatch(Count::<$rules, White>::of(state)),
                    Color::Black => cpu::dispatch(Count::<$rules, Black>::of(state)),
                }
            }
            fn checkers(state: &State) -> u64 {
                cpu::dispatch(Checkers::<$rules> { state, rules: PhantomData })
            }
            #[inline]
            fn is_check(state: &State) -> bool {
                match state.turn {
                    Color::White => is_check::<$rules, White>(state),
                    Color::Black => is_check::<$rules, Black>(state),
                }
            }
            fn look_up(state: &State, described: SanDescription) -> Option<Move> {
                match state.turn {
                    Color::White => look_up::<$rules, White>(state, described),
                    Color::Black => look_up::<$rules, Black>(state, described),
                }
            }
            #[inline]
            fn look_up_and_play(state: &mut State, described: SanDescription) -> Option<Move> {
                match state.turn {
                    Color::White => look_up_and_play::<$rules, White>(state, described),
                    Color::Black => look_up_and_play::<$rules, Black>(state, described),
                }
            }
            fn after(state: &State, mv: Move) -> State {
                match state.turn {
                    Color::White => state.after::<$rules, White>(mv),
                    Color::Black => state.after::<$rules, Black>(mv),
                }
            }
            fn play(state: &mut State, mv: Move) {
                match state.turn {
                    Color::White => state.play::<$rules, White>(mv),
                    Color::Black => state.play::<$rules, Black>(mv),
                }
            }
            fn perft(state: &State, depth: u32) -> u64 {
                perft::start::<$rules>(state, depth, true)
            }
            fn perft_making_every_leaf(state: &State, depth: u32) -> u64 {
                perft::start::<$rules>(state, depth, false)
            }
        }
    )*};
}

compile! { Chess Chess960 Atomic SimpleAtomic }

/// Passes the moves of the side on move that the filter selects to a visitor.
#[inline]
pub(crate) fn walk<R: Rules>(state: &State, wanted: MoveFilter, visitor: &mut impl MoveVisitor) {
    cpu::dispatch(Generate::<R, _> {
        state,
        wanted,
        visitor,
        rules: PhantomData,
    });
}

/// [`generate`] as a [`SliderTask`].
struct Generate<'a, R, V> {
    state: &'a State,
    wanted: MoveFilter,
    visitor: &'a mut V,
    rules: PhantomData<R>,
}

impl<R: Rules, V: MoveVisitor> SliderTask for Generate<'_, R, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: Sliders>(self) {
        match self.state.turn {
            Color::White => generate::<R, White, L>(self.state, self.wanted, self.visitor),
            Color::Black => generate::<R, Black, L>(self.state, self.wanted, self.visitor),
        }
    }
}

/// [`count`](count::count) for one side as a [`SliderTask`].
pub(crate) struct Count<'a, R, S> {
    state: &'a State,
    types: PhantomData<(R, S)>,
}

impl<'a, R, S> Count<'a, R, S> {
    #[inline(always)]
    pub fn of(state: &'a State) -> Count<'a, R, S> {
        Count {
            state,
            types: PhantomData,
        }
    }
}

impl<R: Rules, S: Side> SliderTask for Count<'_, R, S> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Sliders>(self) -> u32 {
        count::count::<R, S, L>(self.state)
    }
}

/// [`checkers`](VariantDispatch::checkers) as a [`SliderTask`].
struct Checkers<'a, R> {
    state: &'a State,
    rules: PhantomData<R>,
}

impl<R: Rules> SliderTask for Checkers<'_, R> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Sliders>(self) -> u64 {
        match self.state.turn {
            Color::White => checkers::<R, White, L>(self.state),
            Color::Black => checkers::<R, Black, L>(self.state),
        }
    }
}
