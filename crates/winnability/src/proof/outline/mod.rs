//! The outline of a position: kings, pawns and perhaps some other pieces where they stand, and
//! all the rest as *ghosts*, of which only their reach is known. Where a closure of positions would be too
//! large because many pieces roam freely, the closure of outlines is often small. It searches for no
//! win: it proves that there is none, or nothing.
//!
//! # The argument
//!
//! An outline is a board of *solid* pieces, the side to move, which ghosts may still be on the board,
//! for each side whether it has *changelings*, the square that a solid pawn has just passed over if
//! another could take it there, solid rooks with which their kings may castle, and some *bare* squares. It
//! *covers* a position if
//!
//! - the solid pieces are just where they are there, the pawn passed over that square, and a king that may castle
//!   there may do so here;
//! - every other piece of the position is one of these ghosts and stands in its reach, or is a
//!   changeling of its side and stands in their common reach: a piece promoted from a pawn, or a pawn
//!   that was not taken for solid to begin with;
//! - the bare squares are empty.
//!
//! Ghosts may be missing: they may have been taken. The first outline covers the first position.
//!
//! Outlines and reaches grow together until both are closed under the following rules, by which
//! **every legal move from a covered position leads to a position covered by an outline of the set**:
//!
//! - *A ghost moves.* The squares between are empty, so no solid piece of the outline is on them, and
//!   the square it comes to holds no piece of its side and no king: such squares join its reach. If it
//!   takes no solid piece, the board stays as it is; if it takes one, that piece goes.
//! - *A changeling moves* in the same way, as queen and knight together, which is all that a promoted
//!   piece can do, and a pawn too: its steps and captures are moves of a queen. It cannot take in
//!   passing, for pawns are taken for changelings only where no pawn of the other side will ever make
//!   two steps; and taken in passing, it has entered the square that it passed over, and leaves the
//!   one where it stood empty.
//! - *A solid piece other than a pawn moves* to a square that it attacks past solid pieces only. It does
//!   not enter a square with a solid piece of its side, or with a king.
//! - *A solid pawn steps* forward where no solid piece stands, and twice from its second rank. It takes
//!   on a square where a solid piece of the other side stands, or where a ghost of the other side may
//!   stand, which is then gone, or a changeling; and it takes on the square that a pawn has just passed
//!   over. On the last rank the board loses it, its side has a changeling from then on, and the square
//!   joins their reach.
//! - *A king castles* with a rook that the outline allows it with, if no solid piece is in their way; whether
//!   the king is attacked on the way is ignored. Rights end when their king or rook leaves its square or the
//!   board, as in the game. Rooks with which a king may castle are always solid.
//! - After any of these the king of the side that moved is not *surely attacked*: by a solid pawn,
//!   knight or king, or by a solid slider with no solid piece in between and no square that a ghost or a
//!   changeling may be on. That is any square of a reach which is not bare. A legal move leaves no such
//!   attack, so nothing is lost.
//! - *Bare squares.* A solid piece leaves its square empty, and so does a pawn taken in passing; a bare
//!   square stays empty until a piece enters it: a solid piece, or a ghost or changeling of the side
//!   that moves if it is in its reach. They are remembered only if the side to move is surely attacked
//!   because of them; to forget them is never wrong.
//! - An outline in which the winner has only its king left is dropped: there is no win from
//!   there, whatever comes.
//!
//! Where a reach has grown, the outlines that were followed before are followed anew.
//!
//! *Mate.* If a legal move from a covered position gives mate, then in the outline that follows it
//! some winning piece may attack the king: a solid piece with no solid piece in between, or a ghost from a
//! square of its reach. If it was a solid piece that moved, a ghost's attack can only have been
//! uncovered, for before the move the king was not attacked; so a square left empty lies in its way,
//! that of the piece that moved, of the rook that castled with it, or of a pawn, solid or not, that it took
//! in passing.
//! And each neighbour of the king holds a solid piece of the loser, or may be attacked by a winning piece
//! in the same sense with the king out of the way, or may hold a ghost of the loser; different
//! squares hold different ghosts. If the winner has few ghosts, each must do its part from a single
//! square, and where that is a neighbour of the king, another piece guards it. Nor can a solid piece of the
//! loser take one of the winner with nothing possibly in its way, if nothing may attack the king after
//! that: this would be a legal move. Where no outline of the set meets these conditions, and the first
//! position is no mate itself, there is no mate. ∎

mod abstract_position;
mod certificate_text;
mod choice;
mod ghost;
mod mate;
#[cfg(test)]
mod trial;

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use touchmove_rules::{Bitboard, Color, Position, Rank, Role, Rules, Square, attacks};

pub(crate) use self::choice::choices;
use self::ghost::{Ghost, GhostSquares, GhostSquaresByColor};
use crate::Proof;
use crate::proof::outline::abstract_position::{IdentityHasher, Outline, OutlineStep, moved};
pub(crate) use crate::proof::outline::certificate_text::write;
use crate::proof::steps::one_step;

/// The result of an attempt with outlines.
pub(crate) struct OutlineAttempt {
    /// About how many outlines were followed, counting repeats.
    pub drawn: u64,
    /// The proof, if there is no win.
    pub proof: Option<Proof>,
}

impl OutlineAttempt {
    /// The cost, in positions of a closure.
    pub fn work(&self) -> u64 {
        self.drawn * OUTLINE_WORK
    }
}

/// The cost of one outline, in positions.
const OUTLINE_WORK: u64 = 2;

/// Tries to prove that `winner` cannot win, with one choice of ghosts after the other, within a limit of outlines for
/// each and a limit of work for all. A finished game is not handled.
pub(crate) fn sketch<R: Rules>(
    position: &Position<R>,
    winner: Color,
    (most, work): (u64, u64),
    interrupted: &(dyn Fn() -> bool + Sync),
) -> OutlineAttempt {
    let mut drawn = 0;
    if most > 0 && position.outcome().is_none() {
        for ghosts in choices(position, winner) {
            let most = most.min((work / OUTLINE_WORK).saturating_sub(drawn));
            if most == 0 {
                break;
            }
            let sketch = Outlines::prove(position, winner, ghosts, most, interrupted);
            drawn += sketch.drawn;
            if sketch.proof.is_some() {
                return OutlineAttempt { drawn, ..sketch };
            }
        }
    }
    OutlineAttempt { drawn, proof: None }
}

/// About how many outlines follow from one. Work is counted by these, because some outlines have many more.
const ENTRIES_PER_OUTLINE: u64 = 16;

/// How many outlines may be kept in memory for each one that may be followed.
const KEPT_PER_OUTLINE: u64 = 4;

/// How often the interrupt callback is called.
const INTERRUPT_CHECK_INTERVAL: usize = 1 << 8;

/// The closure of outlines.
pub(crate) struct Outlines {
    winner: Color,
    /// How many pieces are not solid at the start.
    roaming: usize,
    ghosts: Vec<Ghost>,
    /// The ghost numbers of each side.
    of: [u32; 2],
    /// Where the changelings of each side may stand.
    changelings: [Bitboard; 2],
    /// Whether any reach has grown since this was last set to false.
    grown: bool,
    /// How often an outline was entered, counting repeats.
    entered: u64,
    /// Cache: where the ghosts of the last requested kind of outline may stand.
    haunted: Option<(u32, [bool; 2], GhostSquaresByColor)>,
    seen: HashSet<Outline, BuildHasherDefault<IdentityHasher>>,
    waiting: Vec<Outline>,
    /// The outlines that may be a mate.
    suspects: Vec<Outline>,
}

impl Outlines {
    /// Tries to prove that `winner` cannot win from a position where the game is not over, following about `most`
    /// outlines. The pieces on `as_ghosts` are ghosts, all others solid; rooks with castling rights are always solid.
    pub fn prove<R: Rules>(
        position: &Position<R>,
        winner: Color,
        as_ghosts: Bitboard,
        most: u64,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> OutlineAttempt {
        Outlines::of(position, winner, as_ghosts).close(most, interrupted)
    }

    /// The first outline of a position, not yet followed.
    fn of<R: Rules>(position: &Position<R>, winner: Color, as_ghosts: Bitboard) -> Outlines {
        let as_ghosts = as_ghosts - position.castling_rights();
        let mut board = *position.board();
        let mut ghosts = Vec::new();
        let mut of = [0; 2];
        let mut changelings = [Bitboard::EMPTY; 2];
        for (at, man) in position.board().iter() {
            if !as_ghosts.contains(at) {
                continue;
            }
            board.remove(at);
            if man.role == Role::Pawn {
                changelings[man.color as usize].insert(at);
                continue;
            }
            of[man.color as usize] |= 1 << ghosts.len();
            ghosts.push(Ghost {
                role: man.role,
                reach: at.set(),
            });
        }
        let mut outlines = Outlines {
            winner,
            roaming: as_ghosts.len(),
            ghosts,
            of,
            changelings,
            grown: false,
            entered: 0,
            haunted: None,
            seen: HashSet::default(),
            waiting: Vec::new(),
            suspects: Vec::new(),
        };
        let first = Outline {
            board,
            turn: position.turn(),
            changed: changelings.map(Bitboard::any),
            alive: of[0] | of[1],
            passed: position.passed_square(),
            bare: Bitboard::EMPTY,
            castling: position.castling_rights(),
        };
        outlines.seen.insert(first);
        outlines.waiting.push(first);
        outlines
    }

    /// Follows waiting outlines until nothing new results, or one may be a mate.
    fn close(&mut self, most: u64, interrupted: &(dyn Fn() -> bool + Sync)) -> OutlineAttempt {
        let mut drawn = 0;
        let mut followed: Vec<Outline> = Vec::new();
        loop {
            // Outlines followed before the last growth are followed again.
            let mut outdated = 0;
            while let Some(outline) = self.waiting.pop() {
                self.grow(&outline);
                drawn = self.entered / ENTRIES_PER_OUTLINE;
                let kept = self.seen.len() as u64 / KEPT_PER_OUTLINE;
                let is_too_much = drawn.max(kept) > most;
                if is_too_much
                    || followed.len().is_multiple_of(INTERRUPT_CHECK_INTERVAL) && interrupted()
                {
                    return OutlineAttempt { drawn, proof: None };
                }
                self.follow(&outline);
                if !self.suspects.is_empty() {
                    return OutlineAttempt { drawn, proof: None };
                }
                if std::mem::take(&mut self.grown) {
                    outdated = followed.len() + 1;
                }
                followed.push(outline);
            }
            if outdated == 0 {
                let proof = Proof::Outlines {
                    roaming: self.roaming,
                    outlines: self.seen.len() as u64,
                };
                return OutlineAttempt {
                    drawn,
                    proof: Some(proof),
                };
            }
            self.waiting.extend(followed.drain(..outdated));
        }
    }

    /// Extends the reach of the ghosts of the side to move as far as the solid pieces allow.
    fn grow(&mut self, outline: &Outline) {
        let turn = outline.turn;
        let occupied = outline.board.occupied();
        let closed = outline.board.by_color(turn) | outline.board.by_role(Role::King);
        let flood = |reach: Bitboard, roles: &[Role]| {
            let mut reach = reach;
            loop {
                let steps = roles
                    .iter()
                    .map(|&role| one_step(role, (reach - occupied).0));
                let more = reach | (Bitboard(steps.fold(0, |a, b| a | b)) - closed);
                if more == reach {
                    return reach;
                }
                reach = more;
            }
        };
        let mut grown = false;
        let numbers = self.numbers(outline, turn);
        for (number, ghost) in self.ghosts.iter_mut().enumerate() {
            if numbers >> number & 1 != 0 {
                let reach = flood(ghost.reach, &[ghost.role]);
                grown |= reach != ghost.reach;
                ghost.reach = reach;
            }
        }
        if outline.changed[turn as usize] {
            let changelings = &mut self.changelings[turn as usize];
            let reach = flood(*changelings, &[Role::Queen, Role::Knight]);
            grown |= reach != *changelings;
            *changelings = reach;
        }
        if grown {
            self.note_growth();
        }
    }

    fn note_growth(&mut self) {
        self.grown = true;
        self.haunted = None;
    }

    /// Where the ghosts of both sides may stand.
    fn haunts(&mut self, outline: &Outline) -> GhostSquaresByColor {
        if let Some((alive, changed, haunts)) = self.haunted
            && (alive, changed) == (outline.alive, outline.changed)
        {
            return haunts;
        }
        let haunts = Color::ALL.map(|color| {
            let mut haunt = GhostSquares::default();
            let numbers = self.numbers(outline, color);
            for (number, ghost) in self.ghosts.iter().enumerate() {
                if numbers >> number & 1 != 0 {
                    haunt.add(ghost.role, ghost.reach);
                }
            }
            if outline.changed[color as usize] {
                haunt.add(Role::Queen, self.changelings[color as usize]);
                haunt.add(Role::Knight, self.changelings[color as usize]);
            }
            haunt
        });
        self.haunted = Some((outline.alive, outline.changed, haunts));
        haunts
    }

    /// The numbers of the ghosts of a side that may still be on the board.
    fn numbers(&self, outline: &Outline, color: Color) -> u32 {
        outline.alive & self.of[color as usize]
    }

    /// Adds the outlines that follow one.
    fn follow(&mut self, outline: &Outline) {
        let Outline { board, turn, .. } = *outline;
        let (own, other) = (board.by_color(turn), board.by_color(!turn));
        let occupied = own | other;
        let kings = board.by_role(Role::King);
        let haunt = self.haunts(outline)[turn as usize].any;
        if haunt.any() {
            self.enter(outline.followed_by(board), OutlineStep::Ghost);
        }
        for taken in haunt & (other - kings) {
            let mut board = board;
            board.remove(taken);
            self.enter(outline.followed_by(board), OutlineStep::Ghost);
        }
        for from in own - board.by_role(Role::Pawn) {
            let role = board.role_at(from).unwrap_or(Role::King);
            for to in attacks::of(role, turn, from, occupied) - own - kings {
                let next = outline.followed_by(moved(board, from, to));
                self.enter(next, OutlineStep::Solid { left: from.set() });
            }
        }
        for from in own & board.by_role(Role::Pawn) {
            self.follow_pawn(outline, from);
        }
        for rook in outline.castling & own {
            if let Some((next, left)) = outline.castled(rook) {
                self.enter(next, OutlineStep::Solid { left });
            }
        }
    }

    /// Adds the outlines that follow by moves of a pawn.
    fn follow_pawn(&mut self, outline: &Outline, from: Square) {
        let Outline { board, turn, .. } = *outline;
        let occupied = board.occupied();
        let step = OutlineStep::Solid { left: from.set() };
        let single = from.set().forward(turn) - occupied;
        let double = if from.rank() == Rank::Second.of(turn) {
            single.forward(turn) - occupied
        } else {
            Bitboard::EMPTY
        };
        let attacked = attacks::pawn(turn, from);
        let rivals = board.by_color(!turn) - board.by_role(Role::King);
        for to in single | attacked & rivals {
            let next = outline.followed_by(moved(board, from, to));
            self.enter_with_pawn(next, to, step);
        }
        for to in double {
            let mut next = outline.followed_by(moved(board, from, to));
            let takers = rivals & board.by_role(Role::Pawn);
            next.passed = single
                .first()
                .filter(|&passed| (attacks::pawn(turn, passed) & takers).any());
            self.enter(next, step);
        }
        let rivals_alive = self.numbers(outline, !turn);
        for to in attacked - occupied {
            let next = outline.followed_by(moved(board, from, to));
            for number in 0..self.ghosts.len() {
                if rivals_alive >> number & 1 != 0 && self.ghosts[number].reach.contains(to) {
                    let alive = next.alive & !(1 << number);
                    self.enter_with_pawn(Outline { alive, ..next }, to, step);
                }
            }
            let foe = !turn as usize;
            let roams = outline.changed[foe] && self.changelings[foe].contains(to);
            if roams {
                self.enter_with_pawn(next, to, step);
            }
            // A changeling may be a pawn that has just passed over this square, like a solid one.
            let behind = to.set().forward(!turn);
            let has_passed = roams
                && from.rank() == Rank::Fifth.of(turn)
                && (behind & (self.changelings[foe] - occupied)).any();
            if let Some(victim) = behind.first()
                && (has_passed || outline.passed == Some(to))
            {
                let mut next = next;
                next.board.remove(victim);
                let left = from.set() | victim.set();
                self.enter(next, OutlineStep::Solid { left });
            }
        }
    }

    /// Adds an outline in which a pawn has come to `to`.
    fn enter_with_pawn(&mut self, outline: Outline, to: Square, step: OutlineStep) {
        if !Bitboard::BACK_RANKS.contains(to) {
            return self.enter(outline, step);
        }
        let changelings = &mut self.changelings[!outline.turn as usize];
        if !changelings.contains(to) {
            changelings.insert(to);
            self.note_growth();
        }
        self.enter(outline.promoting(to), OutlineStep::Ghost);
    }

    /// Adds an outline unless the side that moved is surely in check, or the winner has only its king.
    /// Its bare squares are still those of the outline before.
    fn enter(&mut self, mut outline: Outline, step: OutlineStep) {
        self.entered += 1;
        let haunts = self.haunts(&outline);
        let bare = match step {
            OutlineStep::Ghost => outline.bare - haunts[!outline.turn as usize].any,
            OutlineStep::Solid { left } => (outline.bare | left) - outline.board.occupied(),
        };
        let veil = haunts[0].any | haunts[1].any;
        if outline.is_check(!outline.turn, veil - bare) || self.is_helpless(&outline) {
            return;
        }
        let matters =
            outline.is_check(outline.turn, veil - bare) && !outline.is_check(outline.turn, veil);
        outline.bare = if matters { bare } else { Bitboard::EMPTY };
        if self.seen.insert(outline) {
            self.waiting.push(outline);
        }
        if outline.turn != self.winner && self.may_be_mate(&outline, step, &haunts, veil - bare) {
            self.suspects.push(outline);
        }
    }

    /// Whether the winner has only its king.
    fn is_helpless(&self, outline: &Outline) -> bool {
        let men = outline.board.by_color(self.winner) - outline.board.by_role(Role::King);
        men.is_empty()
            && self.numbers(outline, self.winner) == 0
            && !outline.changed[self.winner as usize]
    }
}
