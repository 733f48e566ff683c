//! The SAN look-up: a fast path from "a knight to f3" to the one legal move that is meant, from the
//! target back to the pieces, without computing checks and pins for the whole position; and a test
//! for check in the same way. Where the fast path does not apply (castling, captures that explode,
//! more than one candidate) it returns `None` and the generator decides.
//!
//! To be fast, it decides for itself whether a move leaves its king attacked. Tests compare it with
//! `judge` and the generator over the same corpus.

use crate::attacks::{BETWEEN, KING, KING_ZONES, PAWN};
use crate::movegen::take;
use crate::state::{Side, State, behind};
use crate::variant::Rules;
use crate::{Bitboard, Move, MoveKind, Role, San, Square};

/// A move as a SAN describes it.
#[derive(Clone, Copy)]
pub struct SanDescription {
    pub role: Role,
    /// The squares that the piece may come from.
    pub origins: u64,
    /// Whether the text says anything about where it comes from; a pawn that captures needs it.
    pub names_origin: bool,
    pub to: Square,
    pub promotion: Option<Role>,
}

impl SanDescription {
    /// The description that a SAN gives; `None` for castling.
    #[inline]
    pub(crate) fn read(san: San) -> Option<SanDescription> {
        let San::Man {
            role,
            file,
            rank,
            to,
            promotion,
            ..
        } = san
        else {
            return None;
        };
        let file_set = file.map_or(Bitboard::ALL, Bitboard::from);
        let rank_set = rank.map_or(Bitboard::ALL, Bitboard::from);
        Some(SanDescription {
            role,
            origins: (file_set & rank_set).0,
            names_origin: file.is_some() || rank.is_some(),
            to,
            promotion,
        })
    }
}

/// The one legal move of `S`, which is on move, that fits a description; `None` if there is none,
/// if there are several, or if the fast path does not apply.
#[inline(always)]
pub(crate) fn look_up<R: Rules, S: Side>(state: &State, described: SanDescription) -> Option<Move> {
    let takes = state.of::<S::Other>() & described.to.bit() != 0;
    if !R::HAS_CHECK || (R::CAPTURES_EXPLODE && (takes || described.role == Role::King)) {
        return None;
    }
    let king = state.board.kings & state.of::<S>();
    if king == 0 {
        return None;
    }
    let look_up = LookUp {
        state,
        described,
        king: Square::lowest(king),
        takes,
    };
    if state.of::<S>() & described.to.bit() != 0
        || (R::CAPTURES_EXPLODE && look_up.kings_touch::<S>())
    {
        return None;
    }
    let board = &state.board;
    let around = &KING_ZONES[described.to.index()];
    match described.role {
        Role::Pawn => look_up.pawn::<R, S>(),
        Role::Knight => look_up.piece::<S>(MoveKind::KnightRegular, around.knight & board.knights),
        Role::Bishop => look_up.piece::<S>(
            MoveKind::BishopRegular,
            around.diagonals & board.diagonals & !board.straights,
        ),
        Role::Rook => look_up.piece::<S>(
            MoveKind::RookRegular,
            around.straights & board.straights & !board.diagonals,
        ),
        Role::Queen => look_up.piece::<S>(
            MoveKind::QueenRegular,
            (around.diagonals | around.straights) & board.diagonals & board.straights,
        ),
        Role::King => look_up.king::<S>(),
    }
}

/// Makes the move that [`look_up`] finds.
#[inline(always)]
pub(crate) fn look_up_and_play<R: Rules, S: Side>(
    state: &mut State,
    described: SanDescription,
) -> Option<Move> {
    // An arm for each role, so that looking up and playing are both compiled for that role alone.
    macro_rules! by_role {
        ($($role:ident)*) => {
            match described.role {
                $(Role::$role => {
                    let mv = look_up::<R, S>(state, SanDescription { role: Role::$role, ..described })?;
                    state.play::<R, S>(mv);
                    Some(mv)
                })*
            }
        };
    }
    by_role!(Pawn Knight Bishop Rook Queen King)
}

/// Whether `S`, which is on move, is in check: the same as whether there are checkers, but without
/// looking along lines on which nothing stands.
#[inline(always)]
pub(crate) fn is_check<R: Rules, S: Side>(state: &State) -> bool {
    let kings = state.board.kings;
    let (ours, theirs) = (kings & state.of::<S>(), kings & state.of::<S::Other>());
    if !R::HAS_CHECK || ours == 0 {
        return false;
    }
    let king = Square::lowest(ours);
    if R::CAPTURES_EXPLODE && (theirs == 0 || KING[king.index()] & theirs != 0) {
        return false;
    }
    !Threats::against::<S>(state, king).spare(king, state.board.occupied().0, 0)
}

/// The enemy pieces that attack a square, or would if nothing stood in between; without the king.
struct Threats {
    /// Knights and pawns, which cannot be blocked.
    leapers: u64,
    /// Bishops, rooks and queens on a line with the square.
    sliders: u64,
}

impl Threats {
    #[inline(always)]
    fn against<S: Side>(state: &State, square: Square) -> Threats {
        let board = &state.board;
        let (at, them) = (square.index(), state.of::<S::Other>());
        let around = &KING_ZONES[at];
        Threats {
            leapers: (around.knight & board.knights | PAWN[S::COLOR as usize][at] & board.pawns)
                & them,
            sliders: (around.straights & board.straights | around.diagonals & board.diagonals)
                & them,
        }
    }

    /// Whether none of them attacks the square with these blockers, once `taken` is captured.
    #[inline(always)]
    fn spare(&self, square: Square, occupied: u64, taken: u64) -> bool {
        if self.leapers & !taken != 0 {
            return false;
        }
        let mut sliders = self.sliders & !taken;
        while sliders != 0 {
            let slider = take(&mut sliders);
            if BETWEEN[square.index()][slider.index()] & occupied == 0 {
                return false;
            }
        }
        true
    }
}

/// What the look-up knows of the position.
struct LookUp<'a> {
    state: &'a State,
    described: SanDescription,
    /// Our king.
    king: Square,
    /// Whether an enemy stands on the target.
    takes: bool,
}

impl LookUp<'_> {
    #[inline(always)]
    fn kings_touch<S: Side>(&self) -> bool {
        KING[self.king.index()] & self.state.board.kings & self.state.of::<S::Other>() != 0
    }

    /// Whether our king is safe once the piece on `from` has gone to the target.
    #[inline(always)]
    fn is_safe<S: Side>(&self, from: u64) -> bool {
        let to = self.described.to.bit();
        let occupied = self.state.board.occupied().0 & !from | to;
        Threats::against::<S>(self.state, self.king).spare(self.king, occupied, to)
    }

    /// The move of the one among these knights, bishops, rooks or queens that can make it. They
    /// stand on a line with the target or a leap away.
    #[inline(always)]
    fn piece<S: Side>(&self, kind: MoveKind, near: u64) -> Option<Move> {
        if self.described.promotion.is_some() {
            return None;
        }
        let to = self.described.to;
        let occupied = self.state.board.occupied().0;
        let mut men = near & self.state.of::<S>() & self.described.origins;
        let mut found = None;
        while men != 0 {
            let from = take(&mut men);
            let is_clear = matches!(kind, MoveKind::KnightRegular)
                || BETWEEN[to.index()][from.index()] & occupied == 0;
            if is_clear && self.is_safe::<S>(from.bit()) {
                if found.is_some() {
                    return None;
                }
                found = Some(from);
            }
        }
        found.map(|from| Move::plain(kind, from, to, self.takes))
    }

    /// A king's step, where nothing explodes.
    #[inline(always)]
    fn king<S: Side>(&self) -> Option<Move> {
        let (king, to) = (self.king, self.described.to);
        let is_step = KING[king.index()] & to.bit() != 0 && self.described.promotion.is_none();
        if !is_step || self.described.origins & king.bit() == 0 {
            return None;
        }
        let occupied = self.state.board.occupied().0 & !king.bit();
        let other = self.state.board.kings & self.state.of::<S::Other>();
        let is_safe = KING[to.index()] & other == 0
            && Threats::against::<S>(self.state, to).spare(to, occupied, 0);
        is_safe.then(|| Move::plain(MoveKind::KingRegular, king, to, self.takes))
    }

    #[inline(always)]
    fn pawn<R: Rules, S: Side>(&self) -> Option<Move> {
        let to = self.described.to;
        let pawns = self.state.board.pawns & self.state.of::<S>();
        if self.takes {
            let men = PAWN[S::Other::COLOR as usize][to.index()] & pawns & self.described.origins;
            let from = Bitboard(men).single()?;
            if !self.described.names_origin || !self.is_safe::<S>(from.bit()) {
                return None;
            }
            return self.arrive::<R>(
                from,
                MoveKind::PawnCapture,
                MoveKind::PawnCapturePromotion,
                true,
            );
        }
        let near = behind::<S>(to.bit());
        let (from, kind) = if near & pawns != 0 {
            (near, MoveKind::PawnRegular)
        } else if near & self.state.board.occupied().0 == 0 {
            let fourth = if S::COLOR.is_white() {
                0xff << 24
            } else {
                0xff << 32
            };
            let from = behind::<S>(near) & pawns;
            (
                if to.bit() & fourth != 0 { from } else { 0 },
                MoveKind::PawnTwoSteps,
            )
        } else {
            (0, MoveKind::PawnRegular)
        };
        let from = from & self.described.origins;
        if from == 0 || !self.is_safe::<S>(from) {
            return None;
        }
        self.arrive::<R>(
            Square::lowest(from),
            kind,
            MoveKind::PawnRegularPromotion,
            false,
        )
    }

    /// The pawn's move, or its promotion on the last rank if the text names one.
    #[inline(always)]
    fn arrive<R: Rules>(
        &self,
        from: Square,
        plain: MoveKind,
        promoting: MoveKind,
        takes: bool,
    ) -> Option<Move> {
        let to = self.described.to;
        let is_last = R::HAS_PROMOTION && to.bit() & Bitboard::BACK_RANKS.0 != 0;
        match (is_last, self.described.promotion) {
            (false, None) => Some(Move::plain(plain, from, to, takes)),
            (true, Some(role)) if Role::PROMOTIONS.contains(&role) => {
                Some(Move::promotion(promoting, from, to, role))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Atomic, Chess, Chess960, Position, Rules, San, SimpleAtomic};

    /// Every legal move of every position of a random game is found from its SAN, however much it says.
    fn walk<R: Rules>(fen: &str, mut seed: u64) {
        let mut position = Position::<R>::from_fen(fen).expect("a position");
        for _ in 0..120 {
            let moves = position.legal_moves();
            assert_eq!(position.is_check(), position.checkers().any());
            if moves.is_empty() {
                break;
            }
            for &mv in &moves {
                let short = position.san_without_suffix(mv);
                assert_eq!(
                    position.resolve_san(short),
                    Ok(mv),
                    "{short} in {}",
                    position.fen()
                );
                let mut next = position;
                assert_eq!(next.play_san(short), Ok(mv));
                assert_eq!(next, position.after(mv));
                if let San::Man {
                    role,
                    capture,
                    to,
                    promotion,
                    ..
                } = short
                {
                    let long = San::Man {
                        role,
                        file: Some(mv.from().file()),
                        rank: Some(mv.from().rank()),
                        capture,
                        to,
                        promotion,
                    };
                    assert_eq!(
                        position.resolve_san(long),
                        Ok(mv),
                        "{long} in {}",
                        position.fen()
                    );
                }
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.play(moves[(seed >> 33) as usize % moves.len()]);
        }
    }

    /// The fast path finds what the generator finds, for every piece, target and promotion.
    fn compare<R: Rules>(fen: &str, mut seed: u64) {
        let mut position = Position::<R>::from_fen(fen).expect("a position");
        for _ in 0..40 {
            for role in crate::Role::ALL {
                for to in crate::Square::all() {
                    for promotion in [None, Some(crate::Role::Queen), Some(crate::Role::King)] {
                        for file in [None, Some(crate::File::D)] {
                            let san = San::Man {
                                role,
                                file,
                                rank: None,
                                capture: false,
                                to,
                                promotion,
                            };
                            let short = position.look_up(san);
                            if let Some(mv) = short {
                                let long = position.resolve_by_generating(san);
                                assert_eq!(Ok(mv), long, "{san} in {}", position.fen());
                            }
                        }
                    }
                }
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.play(moves[(seed >> 33) as usize % moves.len()]);
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const PINS: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const PAWNS: &str = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";

    #[test]
    fn the_short_way_leads_where_the_generator_leads() {
        for fen in [START, PINS, PAWNS] {
            for seed in 0..6 {
                walk::<Chess>(fen, seed);
                walk::<Chess960>(fen, seed);
                walk::<Atomic>(fen, seed);
                walk::<SimpleAtomic>(fen, seed);
                compare::<Chess>(fen, seed);
                compare::<Chess960>(fen, seed);
                compare::<Atomic>(fen, seed);
                compare::<SimpleAtomic>(fen, seed);
            }
        }
    }
}
