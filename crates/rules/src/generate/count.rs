//! How many legal moves there are, without listing one: what the leaves of a perft and tests for
//! mate and stalemate need. The facts come from the same [`Survey`] as the list's.

use crate::attacks::{KNIGHT, PAWN};
use crate::cpu::Sliders;
use crate::generate::{survey::Survey, take};
use crate::state::{Side, State};
use crate::variant::Rules;
use crate::{Square, SquareSet};

/// The number of legal moves of `S`, which is on move.
#[inline(always)]
pub(crate) fn count<R: Rules, S: Side, L: Sliders>(state: &State) -> u32 {
    let Some(survey) = Survey::new::<R, S, L>(state) else {
        return 0;
    };
    let reach = survey.king_reach::<R, S, L>(state);
    let king = reach.steps.count_ones() + reach.rooks.count_ones();
    if !R::BLAST && survey.checkers & survey.checkers.wrapping_sub(1) != 0 {
        return king;
    }
    king + pawn_moves::<R, S, L>(state, &survey) + piece_moves::<R, S, L>(state, &survey)
}

#[inline(always)]
fn pawn_moves<R: Rules, S: Side, L: Sliders>(state: &State, survey: &Survey) -> u32 {
    let pawns = state.board.pawns & survey.us;
    let last = if R::PROMOTION {
        SquareSet::BACK_RANKS.0
    } else {
        0
    };
    let weigh = |targets: u64| targets.count_ones() + 3 * (targets & last).count_ones();
    let steps = survey.pawn_steps::<S>(pawns);
    let mut moves = weigh(steps.single) + steps.double.count_ones();
    for left in [true, false] {
        let mut targets = survey.pawn_captures::<R, S>(pawns, left);
        if survey.must_test_blasts::<R>() {
            let mut all = targets;
            while all != 0 {
                let to = take(&mut all);
                let from = crate::generate::survey::unstep::<S>(to.bit(), left);
                if !survey.survives::<R, S, L>(state, from, to, to.bit()) {
                    targets ^= to.bit();
                }
            }
        }
        moves += weigh(targets);
    }
    if R::EN_PASSANT
        && let Some(to) = state.en_passant
    {
        let mut takers = PAWN[S::Other::COLOR as usize][to.index()] & pawns;
        while takers != 0 {
            let from = take(&mut takers);
            moves += survey.survives_en_passant::<R, S, L>(state, from, to) as u32;
        }
    }
    moves
}

#[inline(always)]
fn piece_moves<R: Rules, S: Side, L: Sliders>(state: &State, survey: &Survey) -> u32 {
    let board = &state.board;
    let (us, occupied) = (survey.us, survey.occupied);
    let (diagonal, straight) = (survey.diagonal_pins, survey.straight_pins);
    let knight = |from: Square| KNIGHT[from.index()];
    let bishop = |from: Square| L::bishop(from.index(), occupied);
    let rook = |from: Square| L::rook(from.index(), occupied);
    // A queen is counted once as a bishop and once as a rook.
    let (knights, diagonals, straights) = (
        board.knights & us,
        board.diagonals & us,
        board.straights & us,
    );
    let pinned = diagonal | straight;
    if survey.must_test_blasts::<R>() {
        let tested = |men, stuck, line, reach: &dyn Fn(Square) -> u64| {
            tested_moves::<R, S, L>(state, survey, men, stuck, line, reach)
        };
        return tested(knights, pinned, 0, &knight)
            + tested(diagonals, straight, diagonal, &bishop)
            + tested(straights, diagonal, straight, &rook);
    }
    let targets = survey.quiet | survey.capture;
    reached(knights & !pinned, targets, knight)
        + reached(diagonals & !pinned, targets, bishop)
        + reached(diagonals & diagonal & !straight, targets & diagonal, bishop)
        + reached(straights & !pinned, targets, rook)
        + reached(straights & straight & !diagonal, targets & straight, rook)
}

/// How many of the targets each of the men reaches, added up.
#[inline(always)]
fn reached(mut men: u64, targets: u64, reach: impl Fn(Square) -> u64) -> u32 {
    let mut moves = 0;
    while men != 0 {
        moves += (reach(take(&mut men)) & targets).count_ones();
    }
    moves
}

/// The same where each capture's blast has to be looked at, and pinned men can capture too.
#[inline(always)]
fn tested_moves<R: Rules, S: Side, L: Sliders>(
    state: &State,
    survey: &Survey,
    mut men: u64,
    stuck: u64,
    line: u64,
    reach: impl Fn(Square) -> u64,
) -> u32 {
    let mut moves = 0;
    while men != 0 {
        let from = take(&mut men);
        let reached = reach(from);
        let line = if from.bit() & stuck != 0 {
            0
        } else if from.bit() & line != 0 {
            line
        } else {
            !0
        };
        moves += (reached & survey.quiet & line).count_ones();
        let mut captures = reached & survey.capture;
        while captures != 0 {
            let to = take(&mut captures);
            moves += survey.survives::<R, S, L>(state, from.bit(), to, to.bit()) as u32;
        }
    }
    moves
}
