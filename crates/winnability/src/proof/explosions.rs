//! What locked structures prove where captures explode: where each piece can ever stand, where anything
//! can ever be taken, and whether an explosion or a mate could ever reach the losing king. It is to Atomic and
//! simple Atomic what [`structure`](crate::proof::structure) is to chess, and examines no line of play
//! either. A *piece* is any of the six kinds, pawns included.
//!
//! # The argument
//!
//! A capture on *t* removes the capturing and the captured piece, and every piece but pawns around *t*;
//! kings capture nothing. So no piece ever *arrives* by capturing: pieces move only to empty squares, and a pawn
//! never leaves its file. Pawns vanish only when they capture or are captured. A piece that has vanished may
//! open a way for others.
//!
//! Follow every piece through all series of legal moves, as long as the game goes on, which is as long as
//! both kings are on the board; a promoted pawn stays the same piece. For each piece *m* the [`ExplosionReach`] keeps
//! a set *reach(m)*, begun with its square, and whether it is *loose* (it may leave its square, by a move
//! or by vanishing). A piece that is not loose is *locked*. The sets grow by these rules until nothing
//! changes; *N(t)* are the squares around *t*, and *N\[t\]* is *t* with them:
//!
//! 1. **Steps.** From a square of *reach(m)*, one step in a direction of *m* (sliders go on step by step, a
//!    knight's jump is one step, a pawn's step goes straight ahead) enters a square unless any locked piece
//!    stands there. The step makes *m* loose.
//! 2. **Kings**, where there is check, besides do not enter a square attacked by a locked enemy piece other
//!    than a king (the two squares of a pawn, all squares of a knight, and for a slider those next to it),
//!    unless it touches a square of the reach of the other king.
//! 3. **Pawns** do not step as far as the first square of an enemy pawn ahead on the file, unless that pawn
//!    may vanish. Where they promote, they go on from the last rank as queen and knight together;
//!    elsewhere they stay there.
//! 4. **Captures.** *m*, not a king, may capture an enemy *x*, not a king, on *t* if *t* is in *reach(x)* and
//!    one step of *m* (for a pawn, diagonally ahead) from *reach(m)*, and each king has a square of its
//!    reach outside *N\[t\]*. Then *m* and *x* are loose and may vanish; and so is every piece but kings that
//!    has a square of *N(t)* in its reach as anything but a pawn.
//! 5. **Castling** and
//! 6. **En passant** are as in chess: while a right exists, king and rook are loose and their squares after
//!    castling are in their reach; and a pawn that has just made two steps has the square between in its
//!    reach.
//!
//! *Claim.* As long as the game goes on each piece on the board stands on a square of its reach, and each
//! piece that has left its first square, or the board, is loose; a pawn that has left the board may vanish.
//!
//! *Proof,* by induction over the moves. Let it hold before a move of *m* from *s* to *t*.
//!
//! - *No capture.* The squares between *s* and *t*, and *t*, are empty now, so any piece that stood there at first
//!   is loose, and rule 1 lets *m* through. A king that moves with check in force is attacked by no piece on
//!   *t*, or touches the other king, which stands in its reach. A locked piece of rule 2 stands where it stood
//!   at first and attacks *t* whatever else is on the board. A pawn is on its first file still; an enemy
//!   pawn that was ahead of it there, and never vanishes, is still ahead of it: neither can pass the other,
//!   and it cannot have promoted, as the last rank lies behind *m*. So *m* is not as far as the first
//!   square of that pawn. A double step is two steps. Castling is rule 5.
//! - *A capture* of *x* on *t*. *x* is no king: where there is check a king that is attacked does not
//!   outlive the answer, unless the kings touch, and then the explosion would remove both; where there is none,
//!   the game is over. If it is not over, both kings stand outside *N\[t\]*, and in their reach: rule 4
//!   applies. (The squares that a slider looks along are empty, so it could step there: they are in its
//!   reach. Captured en passant, *x* has *t* in its reach, as a double step is two steps, or by rule 6; the
//!   explosion is around *t*.) All that vanish are *m*, *x* and pieces other than pawns and kings on *N(t)*. ∎
//!
//! *Wins.* The winner wins by an explosion or, where there is check, by a mate.
//!
//! - *An explosion* on *t* removes the losing king from a square of its reach and leaves the winning king on
//!   a square of its own reach, outside *N\[t\]*; for no move may remove the mover's own king where there is
//!   check, and none may remove both. Either a winning piece takes *x* on *t*, as in rule 4, beside the losing king;
//!   or, where there is no check, it takes that king itself on *t*; or a piece of the loser takes a winning piece
//!   beside its own king.
//! - *Mate.* A king does not take, and is in no check while it touches the other king, so the winning king
//!   guards nothing: on the contrary. Let the losing king be mated on *k* and the winning king stand on
//!   *w*, both in their reach, not touching. Some winning piece attacks *k*; and each neighbour *n* of *k*
//!   holds a piece of either side, or is attacked by a winning piece once the king has left *k*, and does not
//!   touch *w*. As in chess, *n* is then one step from the reach of that piece, or from *k* when *k* is one
//!   step from its reach in the same direction; and different squares hold different pieces. The module
//!   [`mate`] says which pieces can give that check, and where.
//!
//! If there is no such *t*, and no such *k* with its *w* and pieces, there is no win. ∎

mod certificate_text;
mod mate;

use touchmove_rules::{Bitboard, CastlingSide, Color, Position, Role, Rules, Square, attacks};

use crate::Proof;
use crate::proof::steps::{one_step, pawn_attacks};

/// The maximum number of pieces in a survey; no game has more.
const MAX_PIECES: usize = 32;

/// One piece and where it can ever get.
#[derive(Clone, Copy)]
struct PieceReach {
    role: Role,
    color: Color,
    start: Bitboard,
    /// Where it can stand without promoting.
    reach: Bitboard,
    /// Where a pawn can stand once promoted.
    promoted: Bitboard,
    /// Whether it may leave its first square, by a move or by vanishing.
    loose: bool,
    /// Whether it may vanish as the capturing or the captured piece.
    vanishes: bool,
}

impl PieceReach {
    fn everywhere(&self) -> Bitboard {
        self.reach | self.promoted
    }

    /// Where an explosion can remove it.
    fn exposed(&self) -> Bitboard {
        match self.role {
            Role::King => Bitboard::EMPTY,
            Role::Pawn => self.promoted,
            _ => self.reach,
        }
    }

    /// The squares one step from its reach on which it might capture.
    fn attacked(&self) -> Bitboard {
        Bitboard(match self.role {
            Role::King => 0,
            Role::Pawn => pawn_attacks(self.color, self.reach.0) | step_as_promoted(self.promoted),
            role => one_step(role, self.reach.0),
        })
    }
}

fn step_as_promoted(squares: Bitboard) -> u64 {
    one_step(Role::Queen, squares.0) | one_step(Role::Knight, squares.0)
}

/// Where every piece of a position can ever get, and where captures can ever explode.
pub(crate) struct ExplosionReach {
    men: [PieceReach; MAX_PIECES],
    count: usize,
    /// Whether the variant has check: no king may be left under attack.
    check: bool,
    /// Whether pawns promote.
    promotes: bool,
    kings: [usize; 2],
    /// For each winner, whether a mate can only be given by a new check.
    new_checks: [bool; 2],
}

impl ExplosionReach {
    /// Surveys a position of a variant with explosions. `None` in other variants, if a king is gone, or if there are
    /// more pieces than any game has.
    pub fn new<R: Rules>(position: &Position<R>) -> Option<ExplosionReach> {
        let board = position.board();
        let has_kings = Color::ALL.map(|color| board.king_of(color).is_some()) == [true; 2];
        if !R::CAPTURES_EXPLODE || !has_kings || board.occupied().len() > MAX_PIECES {
            return None;
        }
        let nobody = PieceReach {
            role: Role::King,
            color: Color::White,
            start: Bitboard::EMPTY,
            reach: Bitboard::EMPTY,
            promoted: Bitboard::EMPTY,
            loose: false,
            vanishes: false,
        };
        let mut tinder = ExplosionReach {
            men: [nobody; MAX_PIECES],
            count: 0,
            check: R::HAS_CHECK,
            promotes: R::HAS_PROMOTION,
            kings: [0; 2],
            new_checks: Color::ALL.map(|winner| mate::needs_new_check(position, winner)),
        };
        for (square, piece) in board.iter() {
            if piece.role == Role::King {
                tinder.kings[piece.color as usize] = tinder.count;
            }
            tinder.men[tinder.count] = PieceReach {
                role: piece.role,
                color: piece.color,
                start: square.set(),
                reach: square.set(),
                ..nobody
            };
            tinder.count += 1;
        }
        tinder.allow_castling(position);
        tinder.allow_en_passant(position);
        while tinder.spread() {}
        Some(tinder)
    }

    /// Rule 5.
    fn allow_castling<R: Rules>(&mut self, position: &Position<R>) {
        for rook in position.castling_rights() {
            let side = position.board().color_at(rook);
            for man in &mut self.men[..self.count] {
                let targets = match man.role {
                    Role::King => CastlingSide::ALL.map(|wing| wing.king_target(man.color)),
                    Role::Rook => CastlingSide::ALL.map(|wing| wing.rook_target(man.color)),
                    _ => continue,
                };
                if Some(man.color) == side {
                    man.reach |= targets[0].set() | targets[1].set();
                    man.loose = true;
                }
            }
        }
    }

    /// Rule 6.
    fn allow_en_passant<R: Rules>(&mut self, position: &Position<R>) {
        if let Some(passed) = position.passed_square() {
            let victim = passed.set().forward(!position.turn());
            for man in &mut self.men[..self.count] {
                if man.start == victim {
                    man.reach |= passed.set();
                }
            }
        }
    }

    /// Applies all rules once to every piece. Returns whether anything grew.
    fn spread(&mut self) -> bool {
        let before = self.size();
        self.step();
        self.explode();
        before != self.size()
    }

    /// A measure that grows with the sets.
    fn size(&self) -> usize {
        let men = self.men[..self.count].iter();
        men.map(|man| {
            let squares = man.reach.len() + man.promoted.len();
            squares + usize::from(man.loose) + usize::from(man.vanishes)
        })
        .sum()
    }

    /// Rules 1 to 3.
    fn step(&mut self) {
        let locked = self.locked();
        let stoppers = self.stoppers();
        let forbidden = Color::ALL.map(|color| self.forbidden_to_king(color));
        for man in &mut self.men[..self.count] {
            let closed = match man.role {
                Role::King => locked | forbidden[man.color as usize],
                Role::Pawn => locked | stoppers[!man.color as usize],
                _ => locked,
            };
            loop {
                let steps = match man.role {
                    Role::Pawn => man.reach.forward(man.color),
                    role => Bitboard(one_step(role, man.reach.0)),
                };
                let reach = man.reach | (steps - closed);
                if reach == man.reach {
                    break;
                }
                man.reach = reach;
                man.loose = true;
            }
            if man.role == Role::Pawn && self.promotes {
                let last = Bitboard::BACK_RANKS & man.reach;
                let mut promoted = man.promoted | last;
                loop {
                    let more = promoted | (Bitboard(step_as_promoted(promoted)) - locked);
                    if more == promoted {
                        break;
                    }
                    promoted = more;
                }
                man.promoted = promoted;
            }
        }
    }

    /// Rule 4.
    fn explode(&mut self) {
        let free = self.survivable();
        let stands = Color::ALL.map(|color| self.stands(color));
        let sights = Color::ALL.map(|color| self.sight(color));
        let mut centres = Bitboard::EMPTY;
        for man in &mut self.men[..self.count] {
            if man.role == Role::King {
                continue;
            }
            let takes = man.attacked() & stands[!man.color as usize] & free;
            let is_taken = man.everywhere() & sights[!man.color as usize] & free;
            if (takes | is_taken).any() {
                man.vanishes = true;
                man.loose = true;
            }
            centres |= takes;
        }
        let blasted = Bitboard(one_step(Role::King, centres.0));
        for man in &mut self.men[..self.count] {
            man.loose |= (man.exposed() & blasted).any();
        }
    }

    /// The first squares of the locked pieces.
    fn locked(&self) -> Bitboard {
        let locked = self.men[..self.count].iter().filter(|man| !man.loose);
        locked.fold(Bitboard::EMPTY, |all, man| all | man.start)
    }

    /// How many pieces are locked.
    fn locked_men(&self) -> usize {
        self.locked().len()
    }

    /// The first squares of the pawns that can never vanish, by colour.
    fn stoppers(&self) -> [Bitboard; 2] {
        let mut stoppers = [Bitboard::EMPTY; 2];
        for man in &self.men[..self.count] {
            if man.role == Role::Pawn && !man.vanishes {
                stoppers[man.color as usize] |= man.start;
            }
        }
        stoppers
    }

    /// The squares that rule 2 forbids to a king.
    fn forbidden_to_king(&self, color: Color) -> Bitboard {
        if !self.check {
            return Bitboard::EMPTY;
        }
        let beside_king = one_step(Role::King, self.refuge(!color).0);
        self.guarded_for_good(!color) - Bitboard(beside_king)
    }

    /// The squares that locked pieces of a side, without the king, attack whatever else is on the board.
    fn guarded_for_good(&self, color: Color) -> Bitboard {
        let guards = self.army(color).filter(|man| !man.loose);
        Bitboard(guards.fold(0, |all, man| {
            all | match man.role {
                Role::Pawn => pawn_attacks(man.color, man.start.0),
                role => one_step(role, man.start.0),
            }
        }))
    }

    /// The squares on which a capture can explode without removing a king.
    fn survivable(&self) -> Bitboard {
        let survives = |at: &Square| {
            let blast = attacks::king(*at) | at.set();
            let is_away = |color| !self.refuge(color).is_subset(blast);
            Color::ALL.into_iter().all(is_away)
        };
        Square::all().filter(survives).collect()
    }

    /// Where the pieces of a side, without the king, can ever stand.
    fn stands(&self, color: Color) -> Bitboard {
        self.army(color)
            .fold(Bitboard::EMPTY, |all, man| all | man.everywhere())
    }

    /// Where the pieces of a side can ever capture.
    fn sight(&self, color: Color) -> Bitboard {
        self.army(color)
            .fold(Bitboard::EMPTY, |all, man| all | man.attacked())
    }

    /// The pieces of a side without the king.
    fn army(&self, color: Color) -> impl Iterator<Item = &PieceReach> {
        self.men[..self.count]
            .iter()
            .filter(move |man| man.color == color && man.role != Role::King)
    }

    /// Where the king of this side can ever stand.
    fn refuge(&self, side: Color) -> Bitboard {
        self.men[self.kings[side as usize]].reach
    }

    /// The proof that `winner` cannot win, if neither an explosion nor a mate can come about.
    pub fn prove(&self, winner: Color) -> Option<Proof> {
        let may_win = self.may_explode(winner) || self.check && self.may_mate(winner);
        (!may_win).then(|| Proof::Structure {
            locked: self.locked_men(),
            refuge: self.refuge(!winner).len(),
        })
    }

    /// Whether an explosion may remove the losing king and spare the other.
    fn may_explode(&self, winner: Color) -> bool {
        let (hunted, spared) = (self.refuge(!winner), self.refuge(winner));
        let (own, other) = (self.sight(winner), self.sight(!winner));
        let mut centres = own & self.stands(!winner);
        if !self.check {
            centres |= other & self.stands(winner);
        }
        let spares = |at: Square| !spared.is_subset(attacks::king(at) | at.set());
        let beside = |at: Square| (attacks::king(at) & hunted).any() && spares(at);
        let on_king = own & hunted;
        centres.into_iter().any(beside) || !self.check && on_king.into_iter().any(spares)
    }
}
