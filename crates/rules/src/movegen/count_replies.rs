//! Counts the replies to all moves of a position together: the last two plies of a perft. What a
//! move does not change is not counted again; how moves are counted is in [`count`].
//!
//! [`ReplyCounts`] is what the opponent could do if it were on move, and which squares that depends
//! on: as long as nothing changes there, it stays the same. Quiet moves that touch none of these
//! squares are not even made, and after the others only what depends on touched squares is counted
//! again. All this is for captures that do not explode; an explosion changes too much around it.

use std::marker::PhantomData;

use crate::attacks::{KING, KING_ZONES, KNIGHT};
use crate::cpu::{ArrayFiller, ArrayStack, Sliders};
use crate::movegen::check_info::{CheckInfo, forward, step};
use crate::movegen::count;
use crate::movegen::count::before_last;
use crate::movegen::{MoveFilter, MoveVisitor, generate, take};
use crate::state::{Side, State, back_rank};
use crate::variant::{CastlingMode, Rules};
use crate::{Move, MoveList};

/// Boards whose moves are still to be counted.
pub(crate) type Boards = ArrayStack<State, { MoveList::CAPACITY }>;

/// The number of replies to all moves of `S`, which is on move.
#[inline(always)]
pub(crate) fn replies<R: Rules, S: Side, L: Sliders>(state: &State, boards: &mut Boards) -> u64 {
    let Some(outlook) = ReplyCounts::new::<R, S::Other, L>(state) else {
        return 0;
    };
    let mut moves = ReplyMover::<R, S> {
        state,
        outlook: &outlook,
        boards: boards.refill(),
        settled: 0,
        types: PhantomData,
    };
    generate::<R, S, L>(state, MoveFilter::ALL, &mut moves);
    let mut replies = u64::from(moves.settled) * u64::from(outlook.total);
    drop(moves);
    for next in boards.as_slice() {
        replies += u64::from(outlook.count_after::<R, S::Other, L>(next));
    }
    replies
}

/// Makes the moves that change the opponent's replies, and counts the others.
struct ReplyMover<'a, R, S> {
    state: &'a State,
    outlook: &'a ReplyCounts,
    boards: ArrayFiller<'a, State, { MoveList::CAPACITY }>,
    /// How many moves leave the opponent's replies as they are.
    settled: u32,
    types: PhantomData<(R, S)>,
}

impl<R: Rules, S: Side> MoveVisitor for ReplyMover<'_, R, S> {
    #[inline(always)]
    fn visit(&mut self, mv: Move) {
        self.boards.push(self.state.rearranged::<R, S>(mv));
    }

    #[inline(always)]
    fn settle(&mut self, targets: u64, touched: impl Fn(u64) -> u64) -> u64 {
        let touched = touched(self.outlook.watched);
        self.settled += (targets & !touched).count_ones();
        targets & touched
    }
}

/// The moves that the side not on move would have if it were, counted part by part, and the squares
/// that they depend on.
struct ReplyCounts {
    /// The checks and pins behind the counts.
    survey: CheckInfo,
    /// Where the kings stand.
    kings: u64,
    /// The moves of the king.
    king: u32,
    /// The squares that the king's moves, checks and pins depend on.
    king_watched: u64,
    /// The moves of knights, bishops, rooks and queens.
    pieces: u32,
    /// The squares that sliders see.
    pieces_watched: u64,
    /// All moves.
    total: u32,
    /// All squares that any of this depends on.
    watched: u64,
}

impl ReplyCounts {
    /// The counts for `S`, which is not on move; `None` if the game is over.
    #[inline(always)]
    fn new<R: Rules, S: Side, L: Sliders>(state: &State) -> Option<ReplyCounts> {
        let survey = CheckInfo::new::<R, S, L>(state)?;
        let mut outlook = ReplyCounts {
            kings: state.board.kings,
            survey,
            king: 0,
            king_watched: !0,
            pieces: 0,
            pieces_watched: !0,
            total: 0,
            watched: !0,
        };
        let survey = &outlook.survey;
        if survey.checkers != 0 {
            return Some(outlook); // Only in positions that no game can reach.
        }
        let pawns = count::pawn_moves::<R, S, L>(state, survey);
        let mut seen = 0;
        outlook.king = count::king_moves(survey.king_reach::<R, S, L>(state));
        outlook.king_watched = king_watched::<R, S, L>(state, survey);
        outlook.pieces = count::piece_moves::<R, S, L>(state, survey, &mut seen);
        outlook.pieces_watched = seen;
        outlook.total = outlook.king + pawns + outlook.pieces;
        outlook.watched =
            outlook.king_watched | seen | pawns_watched::<S>(state, survey) | survey.us;
        Some(outlook)
    }

    /// The number of legal moves of `S` after a move of its opponent.
    #[inline(always)]
    fn count_after<R: Rules, S: Side, L: Sliders>(&self, state: &State) -> u32 {
        let before = &self.survey;
        let (us, them) = (state.of::<S>(), state.of::<S::Other>());
        let mut changed = (us ^ before.us) | (them ^ before.them);
        if matches!(R::CASTLING_MODE, CastlingMode::Anywhere) {
            changed |= state.board.kings ^ self.kings; // King and rook may change places.
        }
        let (survey, king) = if changed & self.king_watched == 0 {
            (before.with_pieces(us, them), self.king)
        } else {
            let Some(survey) = CheckInfo::new::<R, S, L>(state) else {
                return 0;
            };
            let king = count::king_moves(survey.king_reach::<R, S, L>(state));
            if survey.is_double_check() {
                return king;
            }
            (survey, king)
        };
        let pawns = count::pawn_moves::<R, S, L>(state, &survey)
            + count::en_passant_captures::<R, S, L>(state, &survey);
        let is_as_before = changed & self.pieces_watched == 0 && survey.binds_pieces_like(before);
        let pieces = if is_as_before {
            self.pieces
        } else {
            count::piece_moves::<R, S, L>(state, &survey, &mut 0)
        };
        king + pawns + pieces
    }
}

/// The squares that checks, pins and the moves of the king of `S` depend on, when its opponent moves.
#[inline(always)]
fn king_watched<R: Rules, S: Side, L: Sliders>(state: &State, survey: &CheckInfo) -> u64 {
    let board = &state.board;
    let king = survey.king.index();
    let occupied = survey.occupied ^ survey.king.bit();
    let mut watched = KING[king];
    let mut free = watched & !survey.us;
    if !matches!(R::CASTLING_MODE, CastlingMode::Never) && state.castling & back_rank(S::COLOR) != 0
    {
        watched |= back_rank(S::COLOR);
        free |= survey.castling_way::<R, S>();
    }
    // Where there are no knights, rooks or bishops, none will come unless a pawn promotes.
    let promoting = board.pawns & survey.them & before_last::<S::Other>();
    let around = |reach: &dyn Fn(usize) -> u64| {
        let (mut squares, mut reached) = (free, 0);
        while squares != 0 {
            reached |= reach(take(&mut squares).index());
        }
        reached
    };
    if board.knights & survey.them | promoting != 0 {
        watched |= KING_ZONES[king].knight | around(&|square| KNIGHT[square]);
    }
    // For pins, the lines from the king go on behind the first piece.
    if board.straights & survey.them | promoting != 0 {
        let seen = L::rook(king, occupied);
        watched |= seen | L::rook(king, occupied & !seen);
        watched |= around(&|square| L::rook(square, occupied));
    }
    if board.diagonals & survey.them | promoting != 0 {
        let seen = L::bishop(king, occupied);
        watched |= seen | L::bishop(king, occupied & !seen);
        watched |= around(&|square| L::bishop(square, occupied));
    }
    // Pawns and the other king attack what they stand next to.
    watched | around(&|square| KING[square])
}

/// The squares that the moves of the pawns of `S` depend on.
#[inline(always)]
fn pawns_watched<S: Side>(state: &State, survey: &CheckInfo) -> u64 {
    let pawns = state.board.pawns & survey.us;
    let ahead = forward::<S>(pawns);
    let twice = forward::<S>(ahead & !survey.occupied);
    ahead | twice | step::<S>(pawns, true) | step::<S>(pawns, false)
}
