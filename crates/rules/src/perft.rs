//! Perft: the number of move sequences of a given length, the usual test of a move generator. It
//! uses the same generator, counters and `after` as the public methods `for_each_legal_move`,
//! `legal_move_count`, `count_replies` and `after`.

use std::marker::PhantomData;

use crate::cpu::{self, SliderTask, Sliders};
use crate::dispatch::Count;
use crate::movegen::count_replies::{Boards, replies};
use crate::movegen::{MoveFilter, MoveVisitor, generate};
use crate::state::{Black, Side, State, White};
use crate::variant::Rules;
use crate::{Color, Move, Position};

/// How many sequences of `depth` legal moves there are.
///
/// ```
/// use touchmove_rules::{perft, Chess, Position};
/// assert_eq!(perft(&Position::<Chess>::start(), 4), 197_281);
/// ```
#[must_use]
pub fn perft<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    R::perft(&position.state, depth)
}

/// The same number, but with every last move made instead of counted: the work that searches and audits do.
#[must_use]
pub fn perft_making_every_leaf<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    R::perft_making_every_leaf(&position.state, depth)
}

/// Each legal move with the number of sequences that begin with it.
#[must_use]
pub fn divide<R: Rules>(position: &Position<R>, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let moves = position.legal_moves();
    moves
        .iter()
        .map(|&mv| (mv, perft(&position.after(mv), rest)))
        .collect()
}

/// Starts perft for the side on move. The last moves are only counted if `count_leaves`, and made otherwise.
pub(crate) fn start<R: Rules>(state: &State, depth: u32, count_leaves: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut boards = Boards::new();
    match state.turn {
        Color::White => cpu::dispatch(Node::<R, White> {
            state,
            depth,
            count_leaves,
            boards: &mut boards,
            types: PhantomData,
        }),
        Color::Black => cpu::dispatch(Node::<R, Black> {
            state,
            depth,
            count_leaves,
            boards: &mut boards,
            types: PhantomData,
        }),
    }
}

/// One node of the tree, at depth 1 or more.
struct Node<'a, R, S> {
    state: &'a State,
    depth: u32,
    count_leaves: bool,
    /// Room for the boards of the last ply but one.
    boards: &'a mut Boards,
    types: PhantomData<(R, S)>,
}

impl<R: Rules, S: Side> SliderTask for Node<'_, R, S> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Sliders>(self) -> u64 {
        match self.depth {
            1 if self.count_leaves => u64::from(L::enter(Count::<R, S>::of(self.state))),
            2 if self.count_leaves && !R::CAPTURES_EXPLODE => {
                replies::<R, S, L>(self.state, self.boards)
            }
            _ => {
                let state = self.state;
                let mut branches = Branches::<R, S, L> {
                    node: self,
                    total: 0,
                    types: PhantomData,
                };
                generate::<R, S, L>(state, MoveFilter::ALL, &mut branches);
                branches.total
            }
        }
    }
}

/// Plays each move of a node and adds up what is below.
struct Branches<'a, R, S, L> {
    node: Node<'a, R, S>,
    total: u64,
    types: PhantomData<L>,
}

impl<R: Rules, S: Side, L: Sliders> MoveVisitor for Branches<'_, R, S, L> {
    #[inline(always)]
    fn visit(&mut self, mv: Move) {
        if R::CAPTURES_EXPLODE && self.node.depth == 2 && self.node.count_leaves {
            let next = self.node.state.rearranged::<R, S>(mv);
            self.total += u64::from(L::enter(Count::<R, S::Other>::of(&next)));
            return;
        }
        let next = self.node.state.after::<R, S>(mv);
        if self.node.depth == 1 {
            std::hint::black_box(&next);
            self.total += 1;
        } else {
            self.total += L::enter(Node::<R, S::Other> {
                state: &next,
                depth: self.node.depth - 1,
                count_leaves: self.node.count_leaves,
                boards: self.node.boards,
                types: PhantomData,
            });
        }
    }
}
