//! Counts legal moves without listing them: for the leaves of a perft and for tests of mate and
//! stalemate. Checks and pins come from the same [`CheckInfo`] as for the list.

use crate::attacks::{KNIGHT, PAWN};
use crate::cpu::Sliders;
use crate::movegen::check_info::{CheckInfo, KingReach, unstep};
use crate::movegen::take;
use crate::state::{Side, State};
use crate::variant::Rules;
use crate::{Bitboard, Square};

/// The number of legal moves of `S`, which is on move.
#[inline(always)]
pub(crate) fn count<R: Rules, S: Side, L: Sliders>(state: &State) -> u32 {
    let Some(survey) = CheckInfo::new::<R, S, L>(state) else {
        return 0;
    };
    let king = king_moves(survey.king_reach::<R, S, L>(state));
    if !R::CAPTURES_EXPLODE && survey.is_double_check() {
        return king;
    }
    king + pawn_moves::<R, S, L>(state, &survey)
        + en_passant_captures::<R, S, L>(state, &survey)
        + piece_moves::<R, S, L>(state, &survey, &mut 0)
}

#[inline(always)]
pub(super) fn king_moves(reach: KingReach) -> u32 {
    let castlings = if reach.rooks == 0 {
        0
    } else {
        reach.rooks.count_ones()
    };
    reach.steps.count_ones() + castlings
}

/// The moves of pawns, apart from captures en passant.
#[inline(always)]
pub(super) fn pawn_moves<R: Rules, S: Side, L: Sliders>(state: &State, survey: &CheckInfo) -> u32 {
    let pawns = state.board.pawns & survey.us;
    let steps = survey.pawn_steps::<S>(pawns);
    let captures = |left| {
        let targets = survey.pawn_captures::<R, S>(pawns, left);
        if survey.must_test_blasts::<R>() {
            survived::<R, S, L>(state, survey, targets, left)
        } else {
            targets
        }
    };
    let (left, right) = (captures(true), captures(false));
    // No two of these sets share a square: steps go to empty squares, and a pawn that makes two
    // steps has none ahead of it.
    let mut moves = (steps.single | steps.double | left).count_ones() + right.count_ones();
    if R::HAS_PROMOTION && pawns & before_last::<S>() != 0 {
        let last = Bitboard::BACK_RANKS.0;
        moves += 3 * (((steps.single | left) & last).count_ones() + (right & last).count_ones());
    }
    moves
}

/// Those of these targets where pawns can capture without an explosion that exposes or removes their king.
#[inline(always)]
fn survived<R: Rules, S: Side, L: Sliders>(
    state: &State,
    survey: &CheckInfo,
    mut targets: u64,
    left: bool,
) -> u64 {
    let mut all = targets;
    while all != 0 {
        let to = take(&mut all);
        let from = unstep::<S>(to.bit(), left);
        if !survey.survives::<R, S, L>(state, from, to, to.bit()) {
            targets ^= to.bit();
        }
    }
    targets
}

#[inline(always)]
pub(super) fn en_passant_captures<R: Rules, S: Side, L: Sliders>(
    state: &State,
    survey: &CheckInfo,
) -> u32 {
    let Some(to) = state.en_passant else {
        return 0;
    };
    if !R::HAS_EN_PASSANT {
        return 0;
    }
    let mut takers = PAWN[S::Other::COLOR as usize][to.index()] & state.board.pawns & survey.us;
    let mut moves = 0;
    while takers != 0 {
        let from = take(&mut takers);
        moves += survey.survives_en_passant::<R, S, L>(state, from, to) as u32;
    }
    moves
}

/// The moves of knights, bishops, rooks and queens. Adds every square that a slider sees to `seen`.
#[inline(always)]
pub(super) fn piece_moves<R: Rules, S: Side, L: Sliders>(
    state: &State,
    survey: &CheckInfo,
    seen: &mut u64,
) -> u32 {
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
    if survey.must_test_blasts::<R>() {
        let tested = |men, stuck, line, reach: &dyn Fn(Square) -> u64| {
            tested_moves::<R, S, L>(state, survey, men, stuck, line, reach)
        };
        return tested(knights, diagonal | straight, 0, &knight)
            + tested(diagonals, straight, diagonal, &bishop)
            + tested(straights, diagonal, straight, &rook);
    }
    let targets = survey.quiet | survey.capture;
    let free = !survey.pinned;
    let mut moves = reached(knights & free, targets, &mut 0, knight)
        + reached(diagonals & free, targets, seen, bishop)
        + reached(straights & free, targets, seen, rook);
    if survey.pinned != 0 {
        let (along, up) = (
            diagonals & diagonal & !straight,
            straights & straight & !diagonal,
        );
        moves += reached(along, targets & diagonal, seen, bishop)
            + reached(up, targets & straight, seen, rook);
    }
    moves
}

/// How many of the targets each of the pieces attacks, added up.
#[inline(always)]
fn reached(mut men: u64, targets: u64, seen: &mut u64, reach: impl Fn(Square) -> u64) -> u32 {
    let mut moves = 0;
    while men != 0 {
        let reach = reach(take(&mut men));
        *seen |= reach;
        moves += (reach & targets).count_ones();
    }
    moves
}

/// The same where the explosion of each capture has to be tested, and pinned pieces can capture too.
#[inline(always)]
fn tested_moves<R: Rules, S: Side, L: Sliders>(
    state: &State,
    survey: &CheckInfo,
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

/// The rank from which pawns of `S` promote.
#[inline(always)]
pub(super) const fn before_last<S: Side>() -> u64 {
    if S::COLOR.is_white() {
        0xff << 48
    } else {
        0xff << 8
    }
}
