//! What locked structures prove: where each piece can ever stand, which pieces can ever be taken, and
//! whether the losing king could be mated on any square it can ever reach. It examines no line of
//! play; what it cannot exclude may still be impossible.
//!
//! # The argument
//!
//! Follow every piece of the position, pawns included, through all series of legal moves; a promoted pawn stays the
//! same piece. For each piece *m* the [`ReachSurvey`] keeps a set *reach(m)*, begun with its square, and
//! whether it is *loose* (it may leave its square, by a move or by being taken). A piece that is not
//! loose is *locked*. The sets grow by these rules until nothing changes:
//!
//! 1. **Pieces other than pawns.** From a square of *reach(m)*, one step in a direction of *m* (sliders go on step by
//!    step; a knight's jump is one step) enters a square unless a locked piece of its own side, or
//!    the locked enemy king, stands there. The step makes *m* loose.
//! 2. **Kings** besides do not enter squares attacked by a locked enemy piece: the two squares of a
//!    pawn, all squares of a knight or king, and for a slider the squares next to it.
//! 3. **Pawns** step forward unless any locked piece stands there, and step diagonally forward onto
//!    a square of *reach(x)* of an enemy *x* that is not the king; then they *stray*. A pawn that does
//!    not stray does not step as far as the first square of an enemy pawn ahead of it on its file
//!    either, unless that pawn strays or may be taken. On the last rank they go on as queen and
//!    knight together.
//! 4. **Captures.** An enemy *x*, not a king, is loose if a square of *reach(x)* can be entered by
//!    a step of rule 1 or 2, or by a diagonal step of rule 3.
//! 5. **Castling.** While a right exists, king and rook are loose and their squares after castling
//!    are in their reach, whatever stands in between.
//! 6. **En passant.** A pawn that has just made two steps has the square between in its reach.
//!
//! *Claim.* After any series of legal moves each piece on the board stands on a square of its reach,
//! and each piece that has left its first square, or the board, is loose.
//!
//! *Proof,* by induction over the series. It holds at the start. Let it hold before a move of *m*
//! from *s* to *t*, so *s* is in *reach(m)*.
//!
//! - A move of a piece other than a pawn: every square between *s* and *t* is empty now. If a piece stood there at the
//!   start it has left, so it is loose, and rule 1 lets *m* pass. The piece that stood on *t* at the
//!   start, if it is of the side of *m*, is not there any more (a piece never takes its own), hence
//!   loose; if it is the enemy king it is not there either, as kings are never taken. So *t* joins
//!   *reach(m)*.
//! - A king's move: besides, *t* is attacked by no enemy piece after the move. A locked piece of
//!   rule 2 stands where it stood at the start (by the claim, and the move did not take it: it does
//!   not attack its own square), and attacks *t* whatever else is on the board. So there is none.
//! - A pawn's step: the square is empty, so no locked piece is there; a double step is two steps. If
//!   *m* does not stray, it has never taken anything and is on its first file still; and an enemy pawn
//!   ahead of it there that neither strays nor is ever taken is still between it and that pawn's
//!   first square, as none of the two can pass the other. A
//!   capture on *t* takes some *x* on *t*, with *t* in *reach(x)*; en passant the victim *x* has
//!   passed *t*, which is in *reach(x)* because its double step was two single ones, or by rule 6.
//!   A promoted piece is a knight or moves as a queen does, or less.
//! - The piece taken on *t* is *x* with *t* in *reach(x)*, and *m* entered *t* by the step just
//!   described: rule 4 makes *x* loose. Castling is rule 5 to the letter. ∎
//!
//! *Mate.* Let the losing king be mated on *k*, so *k* is in its reach. Some piece other than the
//! winning king attacks *k*, and each neighbour *n* of *k* is attacked by a winning piece once the
//! king has left *k*, or else holds a piece of the loser. By the claim, every piece attacking *n* does
//! so from its reach. If it is a slider, the squares it looks along are empty, or the last one
//! before *n* is *k*; so they are in its reach as well, by rule 1, and *n* is one step from its
//! reach, or from *k* when *k* is one step from its reach in the same direction. Hence, with *w* the
//! square of the winning king (in its reach, and not touching *k*): each neighbour of *k* that no
//! such step of a winning piece reaches is next to *w*, or holds a losing piece in whose reach it is; and
//! different squares hold different pieces. [`ReachSurvey::mate_squares`] is the set of all *k* for which
//! such *w* and pieces exist. If it is empty there is no mate. ∎

mod certificate_text;

use touchmove_rules::{Bitboard, Color, Position, Role, Rules, Square, attacks};

pub(crate) use crate::proof::structure::certificate_text::{write, write_man};

use crate::Proof;
use crate::proof::explosions::ExplosionReach;
use crate::proof::steps::{one_step, pawn_attacks, shift};

/// The maximum number of pieces in a survey; no game has more.
const MAX_PIECES: usize = 32;

/// One piece and where it can ever get.
#[derive(Clone, Copy)]
struct PieceReach {
    role: Role,
    color: Color,
    start: u64,
    /// Where it can stand without promoting.
    reach: u64,
    /// Where a pawn can stand once promoted.
    promoted: u64,
    /// Whether it may leave its first square, by a move or by being taken.
    loose: bool,
    /// Whether it may be taken.
    taken: bool,
    /// Whether it is a pawn that may take something, and so leave its file.
    strays: bool,
    /// Whether it is assumed to stay where it is.
    fixed: bool,
}

impl PieceReach {
    fn everywhere(&self) -> u64 {
        self.reach | self.promoted
    }
}

/// A king square where a mate might be possible.
pub(crate) struct MatePlace {
    /// Where the losing king would stand.
    pub king: Square,
    /// Where the winning king would help, if it is needed.
    pub guard: Option<Square>,
    /// The squares around the losing king that its own pieces would have to fill.
    pub holes: Bitboard,
}

impl MatePlace {
    /// The squares around the losing king that another piece would have to guard.
    pub fn flights(&self) -> Bitboard {
        let guarded = self.guard.map_or(Bitboard::EMPTY, attacks::king);
        attacks::king(self.king) - self.holes - guarded
    }
}

/// The proof that `side` cannot win, if the locked pieces of a position give one: by this argument, or where captures
/// explode by that of [`explosions`](crate::proof::explosions).
pub(crate) fn prove<R: Rules>(position: &Position<R>, side: Color) -> Option<Proof> {
    match R::CAPTURES_EXPLODE {
        true => ExplosionReach::new(position)?.prove(side),
        false => ReachSurvey::new(position)?.prove(side),
    }
}

/// The cost of such an argument, in visits to positions of a closure.
pub(crate) const fn work<R: Rules>() -> u64 {
    if R::CAPTURES_EXPLODE { 6 } else { 2 }
}

/// Where every piece of a position can ever get.
pub(crate) struct ReachSurvey {
    men: [PieceReach; MAX_PIECES],
    count: usize,
    /// Squares of locked pieces, by colour.
    locked: [u64; 2],
    /// Squares that locked pieces attack for good, by the colour of the pieces.
    guarded: [u64; 2],
    /// Squares where a side may be captured on: entered by a step that can capture.
    entered: [u64; 2],
    kings: [usize; 2],
}

impl ReachSurvey {
    /// Surveys a position. `None` if there are more pieces than any game has, or captures explode.
    pub fn new<R: Rules>(position: &Position<R>) -> Option<ReachSurvey> {
        ReachSurvey::with(position, Bitboard::EMPTY)
    }

    fn with<R: Rules>(position: &Position<R>, fixed: Bitboard) -> Option<ReachSurvey> {
        let board = position.board();
        if R::CAPTURES_EXPLODE || board.occupied().len() > MAX_PIECES {
            return None;
        }
        let nobody = PieceReach {
            role: Role::King,
            color: Color::White,
            start: 0,
            reach: 0,
            promoted: 0,
            loose: false,
            taken: false,
            strays: false,
            fixed: false,
        };
        let mut survey = ReachSurvey {
            men: [nobody; MAX_PIECES],
            count: 0,
            locked: [0; 2],
            guarded: [0; 2],
            entered: [0; 2],
            kings: [0; 2],
        };
        for (square, piece) in board.iter() {
            let start = square.set().0;
            if piece.role == Role::King {
                survey.kings[piece.color as usize] = survey.count;
            }
            survey.men[survey.count] = PieceReach {
                role: piece.role,
                color: piece.color,
                start,
                reach: start,
                fixed: fixed.contains(square),
                ..nobody
            };
            survey.count += 1;
        }
        survey.allow_castling(position);
        survey.allow_en_passant(position);
        survey.lock();
        while survey.spread() {
            survey.lock();
        }
        Some(survey)
    }

    /// Rule 5.
    fn allow_castling<R: Rules>(&mut self, position: &Position<R>) {
        use touchmove_rules::CastlingSide;
        for rook in position.castling_rights() {
            for man in &mut self.men[..self.count] {
                let rights_of = position.board().color_at(rook);
                let targets = match man.role {
                    Role::King => CastlingSide::ALL.map(|wing| wing.king_target(man.color)),
                    Role::Rook => CastlingSide::ALL.map(|wing| wing.rook_target(man.color)),
                    _ => continue,
                };
                if Some(man.color) == rights_of {
                    man.reach |= targets[0].set().0 | targets[1].set().0;
                    man.loose = true;
                }
            }
        }
    }

    /// Rule 6.
    fn allow_en_passant<R: Rules>(&mut self, position: &Position<R>) {
        if let Some(passed) = position.passed_square() {
            let victim = passed.set().forward(!position.turn()).0;
            for man in &mut self.men[..self.count] {
                if man.start == victim {
                    man.reach |= passed.set().0;
                }
            }
        }
    }

    /// Collects which pieces are locked, and what they guard (rule 2).
    fn lock(&mut self) {
        self.locked = [0; 2];
        self.guarded = [0; 2];
        for man in self.men[..self.count].iter().filter(|man| !man.loose) {
            let side = man.color as usize;
            self.locked[side] |= man.start;
            self.guarded[side] |= match man.role {
                Role::Pawn => pawn_attacks(man.color, man.start),
                role => one_step(role, man.start),
            };
        }
    }

    /// Applies rules 1 to 4 once to every piece. Returns whether anything grew.
    fn spread(&mut self) -> bool {
        let mut grown = false;
        let mut stands = [0_u64; 2];
        for man in &self.men[..self.count] {
            if man.role != Role::King {
                stands[man.color as usize] |= man.everywhere();
            }
        }
        let kings = self.kings.map(|king| self.men[king].start);
        let stoppers = self.stoppers();
        for index in 0..self.count {
            let man = &mut self.men[index];
            if man.fixed {
                continue;
            }
            let (own, other) = (man.color as usize, !man.color as usize);
            let mut closed = self.locked[own] | self.locked[other] & kings[other];
            let before = man.everywhere();
            let mut captures;
            if man.role == Role::Pawn {
                let locked = self.locked[0] | self.locked[1];
                loop {
                    let mut steps = Bitboard(man.reach).forward(man.color).0 & !locked;
                    captures = pawn_attacks(man.color, man.reach) & stands[other];
                    man.strays |= captures != 0;
                    if !man.strays {
                        steps &= !stoppers[other];
                    }
                    let reach = man.reach | steps | captures;
                    if reach == man.reach {
                        break;
                    }
                    man.reach = reach;
                    man.loose = true;
                }
                let last = Bitboard::BACK_RANKS.0;
                if man.reach & last != 0 {
                    let mut reach = man.promoted | man.reach & last;
                    loop {
                        let entered = (one_step(Role::Queen, reach)
                            | one_step(Role::Knight, reach))
                            & !closed;
                        captures |= entered;
                        if reach | entered == reach {
                            break;
                        }
                        reach |= entered;
                    }
                    man.promoted = reach;
                }
            } else {
                if man.role == Role::King {
                    closed |= self.guarded[other];
                }
                loop {
                    captures = one_step(man.role, man.reach) & !closed;
                    if man.reach | captures == man.reach {
                        break;
                    }
                    man.reach |= captures;
                    man.loose = true;
                }
            }
            grown |= before != man.everywhere();
            if captures & !self.entered[own] != 0 {
                self.entered[own] |= captures;
                grown = true;
            }
        }
        for man in &mut self.men[..self.count] {
            let taken = man.everywhere() & self.entered[!man.color as usize] != 0;
            if !man.taken && man.role != Role::King && taken && !man.fixed {
                man.taken = true;
                man.loose = true;
                grown = true;
            }
        }
        grown
    }

    /// The first squares of the pawns that stay on their files and on the board, by colour.
    fn stoppers(&self) -> [u64; 2] {
        let mut stoppers = [0; 2];
        for man in &self.men[..self.count] {
            if man.role == Role::Pawn && !man.strays && !man.taken {
                stoppers[man.color as usize] |= man.start;
            }
        }
        stoppers
    }

    /// How many pieces are locked.
    fn locked_men(&self) -> usize {
        (self.locked[0] | self.locked[1]).count_ones() as usize
    }

    /// Where the king of this side can ever stand.
    pub fn king_squares(&self, side: Color) -> Bitboard {
        Bitboard(self.men[self.kings[side as usize]].reach)
    }

    /// The squares on which `winner` might mate the other king; see the argument above.
    pub fn mate_squares(&self, winner: Color) -> Bitboard {
        let sights = AttackedSquares::of(&self.men[..self.count], winner);
        self.mates(&sights, winner).collect()
    }

    /// Yields these squares one by one.
    fn mates<'a>(
        &'a self,
        sights: &'a AttackedSquares,
        winner: Color,
    ) -> impl Iterator<Item = Square> + 'a {
        self.king_squares(!winner)
            .into_iter()
            .filter(move |&at| self.helpers(at, sights, winner).next().is_some())
    }

    /// The proof that `winner` cannot win, if there is no square for a mate.
    pub fn prove(&self, winner: Color) -> Option<Proof> {
        let sights = AttackedSquares::of(&self.men[..self.count], winner);
        let is_safe = self.mates(&sights, winner).next().is_none();
        is_safe.then(|| Proof::Structure {
            locked: self.locked_men(),
            refuge: self.king_squares(!winner).len(),
        })
    }

    /// From where the winning king might help to mate the other on `at`.
    pub fn mating_squares(&self, at: Square, winner: Color) -> Bitboard {
        let sights = AttackedSquares::of(&self.men[..self.count], winner);
        self.helpers(at, &sights, winner).collect()
    }

    /// The places where `winner` might mate, with the squares that pieces of the loser must fill there.
    fn places(&self, winner: Color) -> Vec<MatePlace> {
        let sights = AttackedSquares::of(&self.men[..self.count], winner);
        let mut places = Vec::new();
        for king in self.king_squares(!winner) & Bitboard(sights.all) {
            let open = attacks::king(king).0 & !sights.all & !sights.through(king);
            let near = self
                .king_squares(winner)
                .into_iter()
                .filter(|at| at.distance(king) == 2);
            for guard in near.map(Some).chain([None]) {
                let holes = open & !guard.map_or(0, |guard| attacks::king(guard).0);
                let is_needed = guard.is_none() || holes != open;
                if is_needed && self.can_be_filled(holes, &sights, winner) {
                    let holes = Bitboard(holes);
                    places.push(MatePlace { king, guard, holes });
                }
            }
        }
        places
    }

    /// The squares of the winning king with which there may be a mate on `at`.
    fn helpers<'a>(
        &'a self,
        at: Square,
        sights: &'a AttackedSquares,
        winner: Color,
    ) -> impl Iterator<Item = Square> + 'a {
        let around = attacks::king(at);
        let open = around.0 & !sights.all & !sights.through(at);
        let king = if Bitboard(sights.all).contains(at) {
            self.king_squares(winner) - around - at.set()
        } else {
            Bitboard::EMPTY
        };
        // A distant king guards nothing there, so one test covers all such squares.
        let from_afar = king.any() && self.can_be_filled(open, sights, winner);
        king.into_iter().filter(move |guard| {
            from_afar
                || guard.distance(at) == 2
                    && self.can_be_filled(open & !attacks::king(*guard).0, sights, winner)
        })
    }

    /// Whether different pieces of the loser can stand on all these squares.
    fn can_be_filled(&self, squares: u64, sights: &AttackedSquares, winner: Color) -> bool {
        if squares & !sights.others != 0 {
            return false;
        }
        let mut taken_by = [0_u64; MAX_PIECES];
        Bitboard(squares)
            .into_iter()
            .all(|square| self.seat(square.set().0, winner, &mut taken_by, &mut 0))
    }

    /// Finds a piece for a square by an augmenting path of a bipartite matching. `asked` is the set of pieces already
    /// tried.
    fn seat(
        &self,
        square: u64,
        winner: Color,
        taken_by: &mut [u64; MAX_PIECES],
        asked: &mut u32,
    ) -> bool {
        for index in 0..self.count {
            let man = &self.men[index];
            let suits = man.color != winner
                && man.role != Role::King
                && man.everywhere() & square != 0
                && *asked & 1 << index == 0;
            if !suits {
                continue;
            }
            *asked |= 1 << index;
            if taken_by[index] == 0 || self.seat(taken_by[index], winner, taken_by, asked) {
                taken_by[index] = square;
                return true;
            }
        }
        false
    }
}

/// The survey of a position as if its pawns never moved and were never captured. It only orders a search and proves
/// nothing, so it is a type of its own, without [`ReachSurvey::mate_squares`].
pub(crate) struct LockedPawnsSurvey(ReachSurvey);

impl LockedPawnsSurvey {
    /// Surveys a position; `None` where [`ReachSurvey::new`] returns `None`.
    pub fn new<R: Rules>(position: &Position<R>) -> Option<LockedPawnsSurvey> {
        let pawns = position.board().by_role(Role::Pawn);
        ReachSurvey::with(position, pawns).map(LockedPawnsSurvey)
    }

    /// Where the locked pieces stand.
    pub fn locked_squares(&self) -> Bitboard {
        Bitboard(self.0.locked[0] | self.0.locked[1])
    }

    /// Where the king of this side could stand.
    pub fn king_squares(&self, side: Color) -> Bitboard {
        self.0.king_squares(side)
    }

    /// The places where `winner` might mate, with the squares that pieces of the loser must fill there.
    pub fn places(&self, winner: Color) -> Vec<MatePlace> {
        self.0.places(winner)
    }
}

/// What the pieces of one side, without the king, can ever attack.
struct AttackedSquares {
    all: u64,
    /// Where the pieces of the other side, without the king, can ever stand.
    others: u64,
    /// For each direction, the squares that some slider can attack in it.
    lines: [u64; 8],
}

impl AttackedSquares {
    fn of(men: &[PieceReach], side: Color) -> AttackedSquares {
        let (mut straight, mut diagonal, mut all, mut others) = (0, 0, 0, 0);
        for man in men {
            if man.color != side {
                if man.role != Role::King {
                    others |= man.everywhere();
                }
                continue;
            }
            match man.role {
                Role::Pawn => all |= pawn_attacks(side, man.reach),
                Role::Knight => all |= one_step(Role::Knight, man.reach),
                Role::Bishop => diagonal |= man.reach,
                Role::Rook => straight |= man.reach,
                Role::Queen => {
                    straight |= man.reach;
                    diagonal |= man.reach;
                }
                Role::King => {}
            }
            straight |= man.promoted;
            diagonal |= man.promoted;
            all |= one_step(Role::Knight, man.promoted);
        }
        let mut lines = [0; 8];
        for (direction, line) in lines.iter_mut().enumerate() {
            *line = shift(if direction < 4 { straight } else { diagonal }, direction);
            all |= *line;
        }
        AttackedSquares { all, others, lines }
    }

    /// The squares behind a king on `at` that a slider attacks through it.
    fn through(&self, at: Square) -> u64 {
        let king = at.set().0;
        (0..8)
            .filter(|&direction| self.lines[direction] & king != 0)
            .fold(0, |behind, direction| behind | shift(king, direction))
    }
}

#[cfg(test)]
mod tests {
    use touchmove_rules::{Bitboard, Chess, Color, Position, Role, Square};

    use super::{ReachSurvey, prove};

    #[test]
    fn a_pawn_reaches_its_whole_cone_where_there_is_always_something_to_take() {
        let fen = "4k2q/8/8/8/8/1r6/1P6/4K3 w - - 0 1";
        let position = Position::<Chess>::from_fen(fen).expect("a position");
        let survey = ReachSurvey::new(&position).expect("a survey");
        let men = &survey.men[..survey.count];
        let pawn = men.iter().find(|man| man.role == Role::Pawn);
        let cone: Bitboard = Square::all()
            .filter(|at| {
                let ahead = at.rank() as i32 - Square::B2.rank() as i32;
                (at.file() as i32 - Square::B2.file() as i32).abs() <= ahead
            })
            .collect();
        assert_eq!(Bitboard(pawn.expect("a pawn").reach), cone);
    }

    #[test]
    fn a_wall_of_locked_pawns_is_a_proof_for_both() {
        let fen = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1";
        let position = Position::<Chess>::from_fen(fen).expect("a position");
        for side in Color::ALL {
            assert!(prove(&position, side).is_some(), "for {side}");
        }
    }
}
