//! The move generator: every legal move of a position, bitboard by bitboard. Checks, pins and
//! explosions are decided in [`check_info`]; [`count`] counts moves without listing them, and
//! [`count_replies`] does so for two plies at once.
//!
//! It shares no code with the law book on purpose and is free to be clever; tests compare the two.

pub(crate) mod check_info;
pub(crate) mod count;
pub(crate) mod count_replies;

use crate::attacks::{KING_ZONES, KNIGHT, PAWN};
use crate::cpu::{ArrayFiller, Sliders};
use crate::state::{Side, State, behind};
use crate::variant::Rules;
use crate::{Bitboard, Move, MoveKind, Role, Square};
use check_info::{CheckInfo, forward};

/// Receives the generated moves.
pub(crate) trait MoveVisitor {
    /// Takes the next move; implementations are `#[inline(always)]`.
    fn visit(&mut self, mv: Move);

    /// Takes quiet moves to these targets as a set if it can, and returns the targets whose moves
    /// it has to see one by one. Called with some squares, `touched` returns the targets of the
    /// moves that leave, pass or reach one of those.
    #[inline(always)]
    fn settle(&mut self, targets: u64, touched: impl Fn(u64) -> u64) -> u64 {
        let _ = touched;
        targets
    }
}

/// A closure as a visitor.
pub(crate) struct FnVisitor<F>(pub F);

impl<F: FnMut(Move)> MoveVisitor for FnVisitor<F> {
    #[inline(always)]
    fn visit(&mut self, mv: Move) {
        (self.0)(mv);
    }
}

impl<const N: usize> MoveVisitor for ArrayFiller<'_, Move, N> {
    #[inline(always)]
    fn visit(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Selects which moves are generated. With constants, it costs nothing in the compiled code.
#[derive(Clone, Copy)]
pub struct MoveFilter {
    /// The pieces that may move.
    pub from: u64,
    /// Where they may go without capturing; for castling: where the king arrives.
    pub quiet: u64,
    /// Where they may capture.
    pub capture: u64,
}

impl MoveFilter {
    pub const ALL: MoveFilter = MoveFilter {
        from: !0,
        quiet: !0,
        capture: !0,
    };
    pub const CAPTURES: MoveFilter = MoveFilter {
        from: !0,
        quiet: 0,
        capture: !0,
    };

    /// Moves of these pieces to this square.
    pub const fn to(from: u64, to: Square) -> MoveFilter {
        MoveFilter {
            from,
            quiet: to.bit(),
            capture: to.bit(),
        }
    }
}

/// Passes every legal move of `S`, which is on move, that the filter selects to the visitor.
#[inline(always)]
pub(crate) fn generate<R: Rules, S: Side, L: Sliders>(
    state: &State,
    wanted: MoveFilter,
    visitor: &mut impl MoveVisitor,
) {
    let Some(survey) = CheckInfo::new::<R, S, L>(state) else {
        return;
    };
    let walk = Walker::<R, S, L> {
        state,
        survey,
        wanted,
        types: std::marker::PhantomData,
    };
    walk.king(visitor);
    if !R::CAPTURES_EXPLODE && walk.survey.is_double_check() {
        return; // Only the king can answer a double check; where captures explode, they can too.
    }
    walk.pawns(visitor);
    walk.pieces(visitor);
}

/// What generating one node needs, in one place.
struct Walker<'a, R, S, L> {
    state: &'a State,
    survey: CheckInfo,
    wanted: MoveFilter,
    types: std::marker::PhantomData<(R, S, L)>,
}

impl<R: Rules, S: Side, L: Sliders> Walker<'_, R, S, L> {
    /// Knights, bishops, rooks and queens.
    #[inline(always)]
    fn pieces(&self, visitor: &mut impl MoveVisitor) {
        let board = &self.state.board;
        let survey = &self.survey;
        let occupied = survey.occupied;
        let ours = survey.us & self.wanted.from;
        let (diagonals, straights) = (board.diagonals & ours, board.straights & ours);
        let queens = diagonals & straights;
        let (diagonal, straight) = (survey.diagonal_pins, survey.straight_pins);

        self.men(
            visitor,
            MoveKind::KnightRegular,
            board.knights & ours,
            diagonal | straight,
            0,
            |from| KNIGHT[from],
        );
        self.men(
            visitor,
            MoveKind::BishopRegular,
            diagonals & !queens,
            straight,
            diagonal,
            |from| L::bishop(from, occupied),
        );
        self.men(
            visitor,
            MoveKind::RookRegular,
            straights & !queens,
            diagonal,
            straight,
            |from| L::rook(from, occupied),
        );
        let mut queens = queens;
        while queens != 0 {
            let from = take(&mut queens);
            let reach = L::rook(from.index(), occupied) | L::bishop(from.index(), occupied);
            // A pinned queen moves like the pinning line, or it could jump to another pin's line.
            let line = if from.bit() & straight != 0 {
                straight & KING_ZONES[from.index()].straights
            } else if from.bit() & diagonal != 0 {
                diagonal & KING_ZONES[from.index()].diagonals
            } else {
                !0
            };
            self.man(visitor, MoveKind::QueenRegular, from, reach, line);
        }
    }

    /// Pieces of one kind: those on a `stuck` line cannot move, those on a `line` only along it.
    #[inline(always)]
    fn men(
        &self,
        visitor: &mut impl MoveVisitor,
        kind: MoveKind,
        men: u64,
        stuck: u64,
        line: u64,
        reach: impl Fn(usize) -> u64,
    ) {
        let mut free = if R::CAPTURES_EXPLODE {
            men
        } else {
            men & !stuck
        };
        while free != 0 {
            let from = take(&mut free);
            let line = if R::CAPTURES_EXPLODE && from.bit() & stuck != 0 {
                0
            } else if from.bit() & line != 0 {
                line
            } else {
                !0
            };
            self.man(visitor, kind, from, reach(from.index()), line);
        }
    }

    /// One piece and where it reaches; a pin holds it on its line, except that an exploding captor
    /// leaves every line anyway.
    #[inline(always)]
    fn man(
        &self,
        visitor: &mut impl MoveVisitor,
        kind: MoveKind,
        from: Square,
        reach: u64,
        line: u64,
    ) {
        let mut quiet = reach & self.survey.quiet & self.wanted.quiet & line;
        let mut captures = reach & self.survey.capture & self.wanted.capture;
        if !R::CAPTURES_EXPLODE {
            captures &= line;
        }
        while captures != 0 {
            let to = take(&mut captures);
            if self
                .survey
                .survives::<R, S, L>(self.state, from.bit(), to, to.bit())
            {
                visitor.visit(Move::plain(kind, from, to, true));
            }
        }
        quiet = visitor.settle(quiet, |squares| reached_from(from, squares));
        while quiet != 0 {
            visitor.visit(Move::plain(kind, from, take(&mut quiet), false));
        }
    }

    #[inline(always)]
    fn king(&self, visitor: &mut impl MoveVisitor) {
        let survey = &self.survey;
        let king = survey.king;
        if self.wanted.from & king.bit() == 0 {
            return;
        }
        let reach = survey.king_reach::<R, S, L>(self.state);
        let mut captures = reach.steps & survey.them & self.wanted.capture;
        while captures != 0 {
            let to = take(&mut captures);
            visitor.visit(Move::plain(MoveKind::KingRegular, king, to, true));
        }
        let quiet = reach.steps & !survey.them & self.wanted.quiet;
        let mut quiet = visitor.settle(quiet, |squares| reached_from(king, squares));
        while quiet != 0 {
            let to = take(&mut quiet);
            visitor.visit(Move::plain(MoveKind::KingRegular, king, to, false));
        }
        let mut rooks = reach.rooks;
        while rooks != 0 {
            let rook = take(&mut rooks);
            let wing = survey.castling_side_of(rook);
            let to = wing.king_target(S::COLOR);
            if self.wanted.quiet & to.bit() != 0 {
                let kind = wing.move_kind(S::COLOR);
                visitor.visit(Move::castling(kind, king, to, rook));
            }
        }
    }

    #[inline(always)]
    fn pawns(&self, visitor: &mut impl MoveVisitor) {
        let survey = &self.survey;
        let pawns = self.state.board.pawns & survey.us & self.wanted.from;
        let steps = survey.pawn_steps::<S>(pawns);
        self.pawn_steps(visitor, steps.single & self.wanted.quiet);
        let mut double = visitor.settle(steps.double & self.wanted.quiet, |squares| {
            let ahead = forward::<S>(squares);
            squares | ahead | forward::<S>(ahead)
        });
        while double != 0 {
            let to = take(&mut double);
            let from = Square::lowest(behind::<S>(behind::<S>(to.bit())));
            visitor.visit(Move::plain(MoveKind::PawnTwoSteps, from, to, false));
        }
        let captures = |left| survey.pawn_captures::<R, S>(pawns, left) & self.wanted.capture;
        self.pawn_captures(visitor, captures(true), true);
        self.pawn_captures(visitor, captures(false), false);
        if R::HAS_EN_PASSANT && self.state.en_passant.is_some() {
            self.en_passant(visitor, pawns);
        }
    }

    #[inline(always)]
    fn pawn_steps(&self, visitor: &mut impl MoveVisitor, targets: u64) {
        let last = if R::HAS_PROMOTION {
            Bitboard::BACK_RANKS.0
        } else {
            0
        };
        let mut single = visitor.settle(targets & !last, |squares| squares | forward::<S>(squares));
        while single != 0 {
            let to = take(&mut single);
            let from = Square::lowest(behind::<S>(to.bit()));
            visitor.visit(Move::plain(MoveKind::PawnRegular, from, to, false));
        }
        let mut promotions = targets & last;
        while promotions != 0 {
            let to = take(&mut promotions);
            let from = Square::lowest(behind::<S>(to.bit()));
            for role in Role::PROMOTIONS {
                visitor.visit(Move::promotion(
                    MoveKind::PawnRegularPromotion,
                    from,
                    to,
                    role,
                ));
            }
        }
    }

    #[inline(always)]
    fn pawn_captures(&self, visitor: &mut impl MoveVisitor, mut targets: u64, left: bool) {
        let last = if R::HAS_PROMOTION {
            Bitboard::BACK_RANKS.0
        } else {
            0
        };
        while targets != 0 {
            let to = take(&mut targets);
            let from = Square::lowest(check_info::unstep::<S>(to.bit(), left));
            if !self
                .survey
                .survives::<R, S, L>(self.state, from.bit(), to, to.bit())
            {
                continue;
            }
            if to.bit() & last != 0 {
                for role in Role::PROMOTIONS {
                    visitor.visit(Move::promotion(
                        MoveKind::PawnCapturePromotion,
                        from,
                        to,
                        role,
                    ));
                }
            } else {
                visitor.visit(Move::plain(MoveKind::PawnCapture, from, to, true));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&self, visitor: &mut impl MoveVisitor, pawns: u64) {
        let Some(to) = self.state.en_passant else {
            return;
        };
        if to.bit() & self.wanted.capture == 0 {
            return;
        }
        let mut takers = PAWN[S::Other::COLOR as usize][to.index()] & pawns;
        while takers != 0 {
            let from = take(&mut takers);
            if self
                .survey
                .survives_en_passant::<R, S, L>(self.state, from, to)
            {
                let left = (to.file() < from.file()) == S::COLOR.is_white();
                let kind = if left {
                    MoveKind::PawnLeftEnPassant
                } else {
                    MoveKind::PawnRightEnPassant
                };
                visitor.visit(Move::plain(kind, from, to, true));
            }
        }
    }
}

/// The targets of moves from a square that leave or reach one of these squares.
#[inline(always)]
fn reached_from(from: Square, squares: u64) -> u64 {
    if squares & from.bit() != 0 {
        !0
    } else {
        squares
    }
}

/// Removes the lowest square from a set that is not empty, and returns it.
#[inline(always)]
pub(crate) fn take(set: &mut u64) -> Square {
    let square = Square::lowest(*set);
    *set &= set.wrapping_sub(1);
    square
}
