//! The outline of a position: kings, pawns and perhaps some pieces where they stand, and all other
//! men as *ghosts*, of which only their reach is known. Where a closure of positions would be too
//! large because many pieces roam freely, the closure of outlines is often small. It looks for no
//! win: it proves that there is none, or nothing.
//!
//! # The argument
//!
//! An outline is a board of *solid* men, the side to move, which ghosts may still be on the board,
//! and for each side whether a pawn of it has been promoted. It *covers* a position if the solid men
//! are just where they are there, every other man of the position is one of these ghosts and stands
//! in its reach, and no side has a promoted man unless the outline says so; then the promoted men
//! stand in the common reach of the promoted pawns of their side. Ghosts may be missing: they may
//! have been taken. The first outline covers the first position.
//!
//! Outlines and reaches grow together until both are closed under the following rules, by which
//! **every legal move from a covered position leads to a position covered by an outline of the set**:
//!
//! - *A ghost moves.* The squares between are empty, so no solid man of the outline is on them, and
//!   the square it comes to holds no man of its side and no king: such squares join its reach. If it
//!   takes no solid man, the board stays as it is; if it takes one, that man goes.
//! - *A solid piece moves* to a square that it attacks with nobody but solid men in its way. It does
//!   not enter a square with a solid man of its side, or with a king.
//! - *A pawn steps* forward where no solid man stands, and twice from its second rank. It takes on a
//!   square where a solid man of the other side stands, or where a ghost of the other side may stand,
//!   which is then gone; and it takes a solid pawn beside it in passing if that pawn may just have
//!   come from its second rank. On the last rank the board loses it, its side has a promoted man from
//!   then on, and the square joins the reach of the promoted, who move as queen and knight together.
//! - After any of these the king of the side that moved is not *surely attacked*: by a solid pawn,
//!   knight or king, or by a solid slider with no solid man and no square of any ghost's reach in
//!   between. A legal move leaves no such attack, so nothing is lost. (The reach may still grow; then
//!   all outlines are followed anew.)
//!
//! Positions with a right to castle have no outline.
//!
//! *Mate.* If a legal move from a covered position gives mate, then in the outline that follows it
//! some winning man may attack the king: a solid man with no solid man in between, or a ghost from a
//! square of its reach. If it was a solid man that moved, a ghost's attack can only have been
//! uncovered, so a square left empty lies in its way; for before the move the king was not attacked.
//! And each neighbour of the king holds a solid man of the loser, or may be attacked by a winning man
//! in the same sense with the king out of the way, or may hold a ghost of the loser; different
//! squares hold different ghosts. If the winner has few ghosts, each must do its part from a single
//! square, and where that is a neighbour of the king, another man guards it. Where no outline of the
//! set meets these conditions, there is no mate. ∎

mod ghost;
mod mate;

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use touchmove_rules::{Board, Color, Position, Rank, Role, Rules, Square, SquareSet, attacks};

use self::ghost::{Ghost, Haunt, Haunts};
use crate::structure::one_step;

/// Solid men, whose turn it is, and who has promoted.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Outline {
    board: Board,
    turn: Color,
    promoted: [bool; 2],
    /// Which ghosts may still be on the board, by their numbers.
    alive: u32,
}

impl Outline {
    /// The outline after a move to this board.
    fn followed_by(&self, board: Board) -> Outline {
        Outline {
            board,
            turn: !self.turn,
            ..*self
        }
    }

    /// The outline in which the pawn that has come to `to` is promoted.
    fn promoting(mut self, to: Square) -> Outline {
        self.board.remove(to);
        self.promoted[!self.turn as usize] = true;
        self
    }
}

impl Hash for Outline {
    /// One number is enough to tell outlines apart in most cases; whether they are equal is decided
    /// by all of them.
    fn hash<H: Hasher>(&self, state: &mut H) {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let Outline { board, .. } = self;
        let minors = board.with_role(Role::Knight) | board.diagonal_movers();
        let mut number = u64::from(self.alive) << 1 | self.turn as u64;
        for set in [
            board.of(Color::White),
            board.of(Color::Black),
            board.with_role(Role::Pawn),
            board.with_role(Role::King),
            minors,
        ] {
            number = (number ^ set.0).wrapping_mul(FACTOR).rotate_left(29);
        }
        state.write_u64(number);
    }
}

/// How an outline came about.
#[derive(Clone, Copy)]
enum Step {
    /// A ghost moved, or a pawn became one.
    Ghost,
    /// A solid man moved and left these squares empty.
    Solid { left: SquareSet },
}

/// Which men to take as solid, in the order in which it is best tried: none but kings and pawns, then
/// more and more. Nothing for positions that have no outline.
pub(crate) fn choices<R: Rules>(position: &Position<R>, winner: Color) -> Vec<SquareSet> {
    let board = position.board();
    let pieces = board.occupied() - board.with_role(Role::Pawn) - board.with_role(Role::King);
    if R::BLAST || position.castling().any() || pieces.len() > u32::BITS as usize - 1 {
        return Vec::new();
    }
    let mobile: SquareSet = board
        .men()
        .filter(|&(at, man)| {
            let sight = attacks::of(man.role, man.color, at, board.occupied());
            (sight - board.of(man.color)).any()
        })
        .map(|(at, _)| at)
        .collect();
    let bishops = board.with_role(Role::Bishop) & mobile;
    let mut choices = Vec::new();
    for ghosts in [
        pieces,
        mobile,
        bishops,
        bishops & board.of(winner),
        bishops & board.of(!winner),
    ] {
        let solid = pieces - ghosts;
        if !choices.contains(&solid) {
            choices.push(solid);
        }
    }
    choices
}

/// What an attempt with outlines came to.
pub(crate) struct Sketch {
    /// How many outlines were followed, some of them more than once.
    pub drawn: u64,
    /// If there is no win, how many outlines there are.
    pub proof: Option<u64>,
}

/// How often somebody is asked whether to go on.
const PATIENCE: u64 = 1 << 8;

/// The closure of outlines.
pub(crate) struct Outlines {
    winner: Color,
    ghosts: Vec<Ghost>,
    /// The numbers of the ghosts of each side.
    of: [u32; 2],
    /// Where the promoted pawns of each side may stand.
    promoted: [SquareSet; 2],
    /// Whether any reach has grown since this was last set to false.
    grown: bool,
    /// Where the ghosts of an outline may stand, for the outlines like the last one asked for.
    haunted: Option<(u32, [bool; 2], Haunts)>,
    seen: HashSet<Outline>,
    waiting: Vec<Outline>,
}

impl Outlines {
    /// Tries to prove that `winner` cannot win, following outlines at most so many times. The men on
    /// these squares are solid, besides kings and pawns.
    pub fn prove<R: Rules>(
        position: &Position<R>,
        winner: Color,
        solid: SquareSet,
        most: u64,
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Sketch {
        let mut board = *position.board();
        let mut ghosts = Vec::new();
        let mut of = [0; 2];
        for (at, man) in position.board().men() {
            let is_exact = matches!(man.role, Role::King | Role::Pawn) || solid.contains(at);
            if !is_exact {
                board.remove(at);
                of[man.color as usize] |= 1 << ghosts.len();
                ghosts.push(Ghost {
                    role: man.role,
                    reach: at.set(),
                });
            }
        }
        let mut outlines = Outlines {
            winner,
            ghosts,
            of,
            promoted: [SquareSet::EMPTY; 2],
            grown: false,
            haunted: None,
            seen: HashSet::new(),
            waiting: Vec::new(),
        };
        let mut drawn = 0;
        let first = Outline {
            board,
            turn: position.turn(),
            promoted: [false; 2],
            alive: of[0] | of[1],
        };
        loop {
            outlines.grown = false;
            outlines.seen.clear();
            outlines.waiting.clear();
            outlines.waiting.push(first);
            while let Some(outline) = outlines.waiting.pop() {
                outlines.grow(&outline);
                drawn += 1;
                let is_over = drawn > most || drawn % PATIENCE == 0 && interrupted();
                if is_over || outlines.follow(&outline) {
                    return Sketch { drawn, proof: None };
                }
            }
            if !outlines.grown {
                let proof = Some(outlines.seen.len() as u64);
                return Sketch { drawn, proof };
            }
        }
    }

    /// Lets the ghosts of the side to move go wherever the solid men let them.
    fn grow(&mut self, outline: &Outline) {
        let turn = outline.turn;
        let occupied = outline.board.occupied();
        let closed = outline.board.of(turn) | outline.board.with_role(Role::King);
        let flood = |reach: SquareSet, roles: &[Role]| {
            let mut reach = reach;
            loop {
                let steps = roles
                    .iter()
                    .map(|&role| one_step(role, (reach - occupied).0));
                let more = reach | (SquareSet(steps.fold(0, |a, b| a | b)) - closed);
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
        if outline.promoted[turn as usize] {
            let promoted = &mut self.promoted[turn as usize];
            let reach = flood(*promoted, &[Role::Queen, Role::Knight]);
            grown |= reach != *promoted;
            *promoted = reach;
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
    fn haunts(&mut self, outline: &Outline) -> Haunts {
        if let Some((alive, promoted, haunts)) = self.haunted
            && (alive, promoted) == (outline.alive, outline.promoted)
        {
            return haunts;
        }
        let haunts = Color::ALL.map(|color| {
            let mut haunt = Haunt::default();
            let numbers = self.numbers(outline, color);
            for (number, ghost) in self.ghosts.iter().enumerate() {
                if numbers >> number & 1 != 0 {
                    haunt.add(ghost.role, ghost.reach);
                }
            }
            if outline.promoted[color as usize] {
                haunt.add(Role::Queen, self.promoted[color as usize]);
                haunt.add(Role::Knight, self.promoted[color as usize]);
            }
            haunt
        });
        self.haunted = Some((outline.alive, outline.promoted, haunts));
        haunts
    }

    /// The numbers of the ghosts of a side that may still be on the board.
    fn numbers(&self, outline: &Outline, color: Color) -> u32 {
        outline.alive & self.of[color as usize]
    }

    /// Adds what follows an outline; whether any of it may be a mate.
    fn follow(&mut self, outline: &Outline) -> bool {
        let Outline { board, turn, .. } = *outline;
        let (own, other) = (board.of(turn), board.of(!turn));
        let occupied = own | other;
        let kings = board.with_role(Role::King);
        let haunt = self.haunts(outline)[turn as usize].any;
        let mut may_mate = false;
        if haunt.any() {
            may_mate |= self.enter(outline.followed_by(board), Step::Ghost);
        }
        for taken in haunt & (other - kings) {
            let mut board = board;
            board.remove(taken);
            may_mate |= self.enter(outline.followed_by(board), Step::Ghost);
        }
        for from in own - board.with_role(Role::Pawn) {
            let role = board.role_at(from).unwrap_or(Role::King);
            for to in attacks::of(role, turn, from, occupied) - own - kings {
                let next = outline.followed_by(moved(board, from, to));
                may_mate |= self.enter(next, Step::Solid { left: from.set() });
            }
        }
        for from in own & board.with_role(Role::Pawn) {
            may_mate |= self.follow_pawn(outline, from);
        }
        may_mate
    }

    /// Adds what follows by moves of a pawn; whether any of it may be a mate.
    fn follow_pawn(&mut self, outline: &Outline, from: Square) -> bool {
        let Outline { board, turn, .. } = *outline;
        let occupied = board.occupied();
        let step = Step::Solid { left: from.set() };
        let mut may_mate = false;
        let mut steps = from.set().forward(turn) - occupied;
        if from.rank() == Rank::Second.of(turn) {
            steps |= steps.forward(turn) - occupied;
        }
        let attacked = attacks::pawn(turn, from);
        let rivals = board.of(!turn) - board.with_role(Role::King);
        for to in steps | attacked & rivals {
            let next = outline.followed_by(moved(board, from, to));
            may_mate |= self.enter_with_pawn(next, to, step);
        }
        let rivals_alive = self.numbers(outline, !turn);
        for to in attacked - occupied {
            let next = outline.followed_by(moved(board, from, to));
            for number in 0..self.ghosts.len() {
                if rivals_alive >> number & 1 != 0 && self.ghosts[number].reach.contains(to) {
                    let alive = next.alive & !(1 << number);
                    may_mate |= self.enter_with_pawn(Outline { alive, ..next }, to, step);
                }
            }
            let foe = !turn as usize;
            if outline.promoted[foe] && self.promoted[foe].contains(to) {
                may_mate |= self.enter_with_pawn(next, to, step);
            }
            let victim = to.set().forward(!turn) & rivals & board.with_role(Role::Pawn);
            let origin = to.set().forward(turn) - occupied;
            if from.rank() == Rank::Fifth.of(turn)
                && origin.any()
                && let Some(victim) = victim.first()
            {
                let mut next = next;
                next.board.remove(victim);
                let left = from.set() | victim.set();
                may_mate |= self.enter(next, Step::Solid { left });
            }
        }
        may_mate
    }

    /// Adds an outline in which a pawn has come to `to`; whether it may be a mate.
    fn enter_with_pawn(&mut self, outline: Outline, to: Square, step: Step) -> bool {
        if !SquareSet::BACK_RANKS.contains(to) {
            return self.enter(outline, step);
        }
        let promoted = &mut self.promoted[!outline.turn as usize];
        if !promoted.contains(to) {
            promoted.insert(to);
            self.note_growth();
        }
        self.enter(outline.promoting(to), Step::Ghost)
    }

    /// Adds an outline unless the side that moved is surely in check; whether it may be a mate.
    fn enter(&mut self, outline: Outline, step: Step) -> bool {
        let haunts = self.haunts(&outline);
        let veil = haunts[0].any | haunts[1].any;
        let board = &outline.board;
        let is_surely_attacked = board.king_of(!outline.turn).is_some_and(|king| {
            let attackers = board.attackers(king, outline.turn, board.occupied() | veil);
            attackers.any()
        });
        if is_surely_attacked {
            return false;
        }
        if self.seen.insert(outline) {
            self.waiting.push(outline);
        }
        outline.turn != self.winner && self.may_be_mate(&outline, step, &haunts)
    }
}

/// The board after a man has moved, taking whatever stood there.
fn moved(mut board: Board, from: Square, to: Square) -> Board {
    if let Some(piece) = board.piece_at(from) {
        board.remove(from);
        board.set(to, piece);
    }
    board
}
