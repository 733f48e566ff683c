//! Checks, pins, squares that are dangerous to the king, castling and explosions, computed once for
//! each position: the only place of the generator that decides them. It lists no moves.

use crate::attacks::{Attackers, BETWEEN, KING, KING_ZONES, KNIGHT, PAWN, attackers_of};
use crate::cpu::Sliders;
use crate::movegen::take;
use crate::state::{Side, State, back_rank, behind};
use crate::variant::{CastlingMode, Rules};
use crate::{CastlingSide, Color, Square};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// What the side on move must know before it moves.
pub(crate) struct CheckInfo {
    pub us: u64,
    pub them: u64,
    pub occupied: u64,
    pub king: Square,
    /// The enemy pieces that give check.
    pub checkers: u64,
    /// Where pieces other than the king may go without capturing.
    pub quiet: u64,
    /// Where pieces other than the king may capture, before explosions are considered.
    pub capture: u64,
    /// Lines from the king to an enemy bishop or queen with one piece in between, which is pinned if it is ours.
    pub diagonal_pins: u64,
    /// The same for rooks and queens.
    pub straight_pins: u64,
    /// Our pieces on these lines.
    pub pinned: u64,
    /// Whether an explosion could leave our king under attack.
    exposed: bool,
}

/// Where the king may go.
pub(crate) struct KingReach {
    /// Squares next to it, with what may be captured there.
    pub steps: u64,
    /// The rooks it may castle with.
    pub rooks: u64,
}

/// Where pawns may step.
pub(crate) struct Steps {
    pub single: u64,
    pub double: u64,
}

impl CheckInfo {
    /// Examines the position for `S`, which is on move. `None` if the game is over because a king is gone.
    #[inline(always)]
    pub fn new<R: Rules, S: Side, L: Sliders>(state: &State) -> Option<CheckInfo> {
        let board = &state.board;
        let (us, them) = (state.of::<S>(), state.of::<S::Other>());
        let occupied = us | them;
        if R::CAPTURES_EXPLODE && (board.kings & us == 0 || board.kings & them == 0) {
            return None;
        }
        let king = Square::lowest(board.kings & us);
        let mut survey = CheckInfo {
            us,
            them,
            occupied,
            king,
            checkers: 0,
            quiet: !occupied,
            capture: them,
            diagonal_pins: 0,
            straight_pins: 0,
            pinned: 0,
            exposed: false,
        };
        if R::CAPTURES_EXPLODE {
            survey.limit_blasts::<R, S>(state);
        }
        if R::HAS_CHECK && !(R::CAPTURES_EXPLODE && survey.kings_touch(state)) {
            survey.find_checks_and_pins::<R, S>(state);
        }
        Some(survey)
    }

    /// The same king with the same pins and no check, after other pieces moved.
    #[inline(always)]
    pub fn with_pieces(&self, us: u64, them: u64) -> CheckInfo {
        CheckInfo {
            us,
            them,
            occupied: us | them,
            quiet: !(us | them),
            capture: them,
            ..*self
        }
    }

    /// Whether our pieces other than king and pawns are as free to move as in `other`.
    #[inline(always)]
    pub fn binds_pieces_like(&self, other: &CheckInfo) -> bool {
        (self.quiet | self.capture) ^ (other.quiet | other.capture)
            | self.diagonal_pins ^ other.diagonal_pins
            | self.straight_pins ^ other.straight_pins
            == 0
    }

    /// Whether the kings stand next to each other.
    #[inline(always)]
    fn kings_touch(&self, state: &State) -> bool {
        KING[self.king.index()] & state.board.kings & self.them != 0
    }

    /// Forbids captures that would blow up our own king (A2), or in simple Atomic both kings (002-16).
    #[inline(always)]
    fn limit_blasts<R: Rules, S: Side>(&mut self, state: &State) {
        let around = KING[self.king.index()];
        let forbidden = if R::HAS_CHECK {
            around
        } else {
            let other = Square::lowest(state.board.kings & self.them);
            around & (KING[other.index()] | other.bit())
        };
        self.capture &= !forbidden;
    }

    #[inline(always)]
    fn find_checks_and_pins<R: Rules, S: Side>(&mut self, state: &State) {
        let board = &state.board;
        let around = &KING_ZONES[self.king.index()];
        let leapers = (around.knight & board.knights
            | PAWN[S::COLOR as usize][self.king.index()] & board.pawns)
            & self.them;
        let straight = around.straights & board.straights & self.them;
        let diagonal = around.diagonals & board.diagonals & self.them;
        if leapers | straight | diagonal == 0 {
            return;
        }
        self.exposed = R::CAPTURES_EXPLODE;
        let mut answers = leapers;
        self.checkers = leapers;
        self.straight_pins = self.pins(straight, &mut answers);
        self.diagonal_pins = self.pins(diagonal, &mut answers);
        self.pinned = (self.straight_pins | self.diagonal_pins) & self.us;
        if self.checkers != 0 {
            // A single check can be answered on its line; two checks cannot both be.
            if self.is_double_check() {
                answers = 0;
            }
            self.quiet &= answers;
            if !R::CAPTURES_EXPLODE {
                self.capture &= answers;
            }
        }
    }

    /// Whether more than one piece gives check: then, unless captures explode, only the king can move.
    #[inline(always)]
    pub fn is_double_check(&self) -> bool {
        self.checkers & self.checkers.wrapping_sub(1) != 0
    }

    /// Finds the lines of sliders aimed at the king: with nothing in between they give check, with
    /// one piece they pin it.
    #[inline(always)]
    fn pins(&mut self, mut aimed: u64, answers: &mut u64) -> u64 {
        let mut pins = 0;
        while aimed != 0 {
            let slider = take(&mut aimed);
            let line = BETWEEN[self.king.index()][slider.index()];
            let shields = line & self.occupied;
            if shields == 0 {
                self.checkers |= slider.bit();
                *answers |= line | slider.bit();
            } else if shields & shields.wrapping_sub(1) == 0 {
                pins |= line | slider.bit();
            }
        }
        pins
    }

    /// Where the king may step, and with which rooks it may castle.
    #[inline(always)]
    pub fn king_reach<R: Rules, S: Side, L: Sliders>(&self, state: &State) -> KingReach {
        // A king never captures where captures explode.
        let taken = if R::CAPTURES_EXPLODE {
            self.occupied
        } else {
            self.us
        };
        let near = KING_ZONES[self.king.index()].king & !taken;
        let rooks = self.free_rooks::<R, S>(state);
        if !R::HAS_CHECK {
            return KingReach { steps: near, rooks };
        }
        if rooks == 0 {
            // Sliders on other lines cannot reach the king's neighbours.
            let steps = if near == 0 {
                0
            } else {
                near & !self.danger::<R, S, L>(state, KING_ZONES[self.king.index()].near)
            };
            return KingReach { steps, rooks };
        }
        let danger = self.danger::<R, S, L>(state, Self::castling_attackers::<R, S>());
        let rooks = self.safe_rooks::<R, S, L>(state, danger, rooks);
        KingReach {
            steps: near & !danger,
            rooks,
        }
    }

    /// Where a king that may castle could pass or arrive: in chess, where no piece of its own side stands.
    #[inline(always)]
    pub fn castling_way<R: Rules, S: Side>(&self) -> u64 {
        match R::CASTLING_MODE {
            CastlingMode::Classic => back_rank(S::COLOR) & 0x6c00_0000_0000_006c & !self.us,
            _ => back_rank(S::COLOR),
        }
    }

    /// The squares from which the squares around or on the way of a castling king can be attacked.
    #[inline(always)]
    const fn castling_attackers<R: Rules, S: Side>() -> Attackers {
        const ALL: Attackers = Attackers {
            knights: !0,
            straights: !0,
            diagonals: !0,
        };
        const WHITE: Attackers = attackers_of(0x0000_0000_0000_386c);
        const BLACK: Attackers = attackers_of(0x6c38_0000_0000_0000);
        match (R::CASTLING_MODE, S::COLOR) {
            (CastlingMode::Classic, Color::White) => WHITE,
            (CastlingMode::Classic, Color::Black) => BLACK,
            _ => ALL,
        }
    }

    /// The rooks that may still castle and have a free path, if there is no check.
    #[inline(always)]
    fn free_rooks<R: Rules, S: Side>(&self, state: &State) -> u64 {
        let mut rooks = state.castling & back_rank(S::COLOR);
        if matches!(R::CASTLING_MODE, CastlingMode::Never) || rooks == 0 || self.checkers != 0 {
            return 0;
        }
        if matches!(R::CASTLING_MODE, CastlingMode::Classic) {
            let rank = if S::COLOR.is_white() { 0 } else { 56 };
            if self.occupied & (0x60 << rank) != 0 {
                rooks &= !FILE_H;
            }
            if self.occupied & (0x0e << rank) != 0 {
                rooks &= !FILE_A;
            }
            return rooks;
        }
        let mut all = rooks;
        while all != 0 {
            let rook = take(&mut all);
            let wing = self.castling_side_of(rook);
            let (king_to, rook_to) = (wing.king_target(S::COLOR), wing.rook_target(S::COLOR));
            let way = BETWEEN[self.king.index()][king_to.index()]
                | BETWEEN[rook.index()][rook_to.index()]
                | king_to.bit()
                | rook_to.bit();
            if way & self.occupied & !(self.king.bit() | rook.bit()) != 0 {
                rooks ^= rook.bit();
            }
        }
        rooks
    }

    /// Those of these rooks with which the king can castle safely.
    #[inline(always)]
    fn safe_rooks<R: Rules, S: Side, L: Sliders>(
        &self,
        state: &State,
        danger: u64,
        mut rooks: u64,
    ) -> u64 {
        if matches!(R::CASTLING_MODE, CastlingMode::Classic) {
            let rank = if S::COLOR.is_white() { 0 } else { 56 };
            if danger & (0x60 << rank) != 0 {
                rooks &= !FILE_H;
            }
            if danger & (0x0c << rank) != 0 {
                rooks &= !FILE_A;
            }
            return rooks;
        }
        let mut all = rooks;
        while all != 0 {
            let rook = take(&mut all);
            if !self.castles_safely::<R, S, L>(state, danger, rook) {
                rooks ^= rook.bit();
            }
        }
        rooks
    }

    /// The side on which a castling rook stands.
    #[inline(always)]
    pub fn castling_side_of(&self, rook: Square) -> CastlingSide {
        if rook > self.king {
            CastlingSide::King
        } else {
            CastlingSide::Queen
        }
    }

    /// Whether the king passes and arrives on safe squares; king and rook may start on any squares
    /// of the back rank.
    #[inline(always)]
    fn castles_safely<R: Rules, S: Side, L: Sliders>(
        &self,
        state: &State,
        danger: u64,
        rook: Square,
    ) -> bool {
        let wing = self.castling_side_of(rook);
        let (king_to, rook_to) = (wing.king_target(S::COLOR), wing.rook_target(S::COLOR));
        if BETWEEN[self.king.index()][king_to.index()] & danger != 0 {
            return false;
        }
        // The king arrives with the rook moved, which may open the rank or shield it.
        let others = self.occupied & !(self.king.bit() | rook.bit());
        let after = others | king_to.bit() | rook_to.bit();
        let near = KING[king_to.index()] & state.board.kings & self.them != 0;
        if R::CAPTURES_EXPLODE {
            near || attackers::<S, L>(state, king_to, after) == 0
        } else {
            !near && attackers::<S, L>(state, king_to, after) == 0
        }
    }

    /// Squares where the king would be under attack after stepping there, as far as attackers on
    /// these squares matter.
    #[inline(always)]
    fn danger<R: Rules, S: Side, L: Sliders>(&self, state: &State, by: Attackers) -> u64 {
        let board = &state.board;
        let them = self.them;
        let occupied = self.occupied ^ self.king.bit(); // The king does not hide what is behind it.
        let pawns = board.pawns & them;
        let mut danger = step::<S::Other>(pawns, true) | step::<S::Other>(pawns, false);
        let mut knights = board.knights & them & by.knights;
        while knights != 0 {
            danger |= KNIGHT[take(&mut knights).index()];
        }
        let mut diagonals = board.diagonals & them & by.diagonals;
        while diagonals != 0 {
            danger |= L::bishop(take(&mut diagonals).index(), occupied);
        }
        let mut straights = board.straights & them & by.straights;
        while straights != 0 {
            danger |= L::rook(take(&mut straights).index(), occupied);
        }
        let neighbours = KING[Square::lowest(board.kings & them).index()];
        if R::CAPTURES_EXPLODE {
            danger & !neighbours // Next to the other king nothing can take ours (A4).
        } else {
            danger | neighbours
        }
    }

    /// Where these pawns may step, promotions included.
    #[inline(always)]
    pub fn pawn_steps<S: Side>(&self, pawns: u64) -> Steps {
        let third = if S::COLOR.is_white() {
            0xff << 16
        } else {
            0xff << 40
        };
        let empty = !self.occupied;
        let mut once = forward::<S>(pawns & !self.pinned);
        if self.pinned & pawns != 0 {
            // A pawn pinned on its file may step; pinned on a rank or a diagonal it may not.
            once |= forward::<S>(pawns & self.straight_pins) & self.straight_pins;
        }
        once &= empty;
        let double = forward::<S>(once & third) & empty;
        Steps {
            single: once & self.quiet,
            double: double & self.quiet,
        }
    }

    /// Where these pawns may capture to their left or right.
    #[inline(always)]
    pub fn pawn_captures<R: Rules, S: Side>(&self, pawns: u64, left: bool) -> u64 {
        if R::CAPTURES_EXPLODE {
            return step::<S>(pawns, left) & self.capture;
        }
        let mut targets = step::<S>(pawns & !self.pinned, left);
        if self.pinned & pawns != 0 {
            let pinned = pawns & self.diagonal_pins & !self.straight_pins;
            targets |= step::<S>(pinned, left) & self.diagonal_pins;
        }
        targets & self.capture
    }

    /// Whether captures have to be tested one by one, because an explosion could expose our king.
    #[inline(always)]
    pub fn must_test_blasts<R: Rules>(&self) -> bool {
        R::CAPTURES_EXPLODE && R::HAS_CHECK && self.exposed
    }

    /// Whether a capture from a square leaves our king alive and safe. Where nothing explodes, pins
    /// and answers to check have settled this.
    #[inline(always)]
    pub fn survives<R: Rules, S: Side, L: Sliders>(
        &self,
        state: &State,
        from: u64,
        to: Square,
        captive: u64,
    ) -> bool {
        if !self.must_test_blasts::<R>() {
            return true; // Explosions that reach our own king are not in `capture`.
        }
        let removed = (KING[to.index()] & !state.board.pawns) | captive | from;
        // Blowing up the other king wins, whatever attacks ours (A3).
        removed & state.board.kings & self.them != 0 || self.safe_after::<S, L>(state, removed, 0)
    }

    /// The same for a capture en passant, in every variant that has it.
    #[inline(always)]
    pub fn survives_en_passant<R: Rules, S: Side, L: Sliders>(
        &self,
        state: &State,
        from: Square,
        to: Square,
    ) -> bool {
        let captive = behind::<S>(to.bit());
        if R::CAPTURES_EXPLODE {
            return KING[to.index()] & self.king.bit() == 0
                && self.survives::<R, S, L>(state, from.bit(), to, captive);
        }
        self.safe_after::<S, L>(state, from.bit() | captive, to.bit())
    }

    /// Whether our king is safe where it stands once the `removed` squares are empty and the
    /// `added` ones occupied.
    #[inline(always)]
    fn safe_after<S: Side, L: Sliders>(&self, state: &State, removed: u64, added: u64) -> bool {
        let occupied = (self.occupied & !removed) | added;
        attackers::<S, L>(state, self.king, occupied) & !removed == 0
    }
}

/// The enemy pieces that give check to `S`, which is on move.
#[inline(always)]
pub(crate) fn checkers<R: Rules, S: Side, L: Sliders>(state: &State) -> u64 {
    let (ours, theirs) = (
        state.board.kings & state.of::<S>(),
        state.board.kings & state.of::<S::Other>(),
    );
    if !R::HAS_CHECK || ours == 0 {
        return 0;
    }
    let king = Square::lowest(ours);
    if R::CAPTURES_EXPLODE && (theirs == 0 || KING[king.index()] & theirs != 0) {
        return 0;
    }
    attackers::<S, L>(state, king, state.board.occupied().0)
}

/// The pieces of the opponent of `S`, without its king, that attack a square with these blockers.
#[inline(always)]
pub(crate) fn attackers<S: Side, L: Sliders>(state: &State, square: Square, occupied: u64) -> u64 {
    let board = &state.board;
    let at = square.index();
    let attackers = (KNIGHT[at] & board.knights)
        | (PAWN[S::COLOR as usize][at] & board.pawns)
        | (L::bishop(at, occupied) & board.diagonals)
        | (L::rook(at, occupied) & board.straights);
    attackers & state.of::<S::Other>()
}

/// One step ahead for each pawn of `S`.
#[inline(always)]
pub(crate) const fn forward<S: Side>(pawns: u64) -> u64 {
    behind::<S::Other>(pawns)
}

/// One capturing step for each pawn of `S`, to its left or right as the pawn sees it.
#[inline(always)]
pub(crate) const fn step<S: Side>(pawns: u64, left: bool) -> u64 {
    match (S::COLOR, left) {
        (Color::White, true) => (pawns & !FILE_A) << 7,
        (Color::White, false) => (pawns & !FILE_H) << 9,
        (Color::Black, true) => (pawns & !FILE_H) >> 7,
        (Color::Black, false) => (pawns & !FILE_A) >> 9,
    }
}

/// The squares that pawns of `S` came from if they captured to these squares.
#[inline(always)]
pub(crate) const fn unstep<S: Side>(targets: u64, left: bool) -> u64 {
    match (S::COLOR, left) {
        (Color::White, true) => targets >> 7,
        (Color::White, false) => targets >> 9,
        (Color::Black, true) => targets << 7,
        (Color::Black, false) => targets << 9,
    }
}
