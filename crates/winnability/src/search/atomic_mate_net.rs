//! [`MateNet`]: a mate for variants with explosions, piece by piece, and how far a position is from it. No king guards
//! or captures anything there, so pieces of either side may fill the squares around the losing king. It orders a search
//! and proves nothing.

use touchmove_rules::{
    Bitboard, Board, Color, Move, Position, Role, Rules, Setup, Square, attacks,
};

use crate::search::heuristic::{DistanceHeuristic, MAX_DISTANCE_SCORE, board_after, waiting};
use crate::search::king_escort::{KingPath, KingPaths, NO_KING_PATH, PairTable, half_step, pair};
use crate::search::mate_targets::{StepCounts, UNREACHABLE, ways};

/// The maximum number of pieces in a net, with the one that gives check.
const MAX_NET_PIECES: usize = 4;

/// A king with more escape squares than this is hardly ever mated, so no net is tried.
const MAX_ESCAPE_SQUARES: usize = 5;

/// How many nets are kept for each square of the king.
const NETS_PER_KING_SQUARE: usize = 2;

/// The maximum number of tries for one square of the king.
const MAX_TRIES_PER_SQUARE: u32 = 150;

/// How many tries cost about as much as a position.
const TRIES_PER_POSITION: u64 = 2;

/// The cost of computing the king paths, in positions.
const KING_PATHS_WORK: u64 = 40;

/// A mate to aim for, if the pawns stay where they are.
pub(crate) struct MateNet {
    winner: Color,
    king: Square,
    /// How far the kings are from squares where the loser's can be mated and the other does not touch it.
    walk: KingPath,
    /// How far they were at the start.
    farthest: u32,
    /// The score of half a step.
    half_step: usize,
    /// The pieces that take part. The first gives check, and comes last.
    posts: Vec<NetSquare>,
    /// Whether the loser has nothing else to move, so that its king must not arrive too early.
    is_alone: bool,
}

/// A square that a piece must occupy.
struct NetSquare {
    color: Color,
    role: Role,
    to_square: StepCounts,
    /// Whether such a piece is there at the start.
    is_taken: bool,
}

impl MateNet {
    /// Twice the number of moves from a board to the net, with only fixed pieces in the way, and one more where a piece
    /// must let a king pass.
    fn half_steps_from(&self, board: &Board) -> Option<u32> {
        let others = board.occupied() - board.by_role(Role::King);
        let mut walk = self.walk.half_steps(board)?;
        if others.contains(self.king) {
            // A piece that stands there should leave before it is in the kings' way.
            walk = self.farthest + 2;
        }
        let mut free = others;
        let mut check = 0;
        let mut rest = 0;
        for (count, post) in self.posts.iter().enumerate() {
            let steps = post.fill(board, &mut free);
            if count == 0 {
                check = steps;
            } else if walk > 0 && !post.is_taken && !self.is_alone {
                rest += 2 * waiting(steps, 1);
            } else {
                rest += 2 * steps;
            }
        }
        rest += match self.is_alone && rest > 0 {
            true => waiting(walk, 2),
            false => walk,
        };
        Some(rest + 2 * if rest > 0 { waiting(check, 1) } else { check })
    }
}

impl NetSquare {
    /// How many moves the nearest suitable piece needs to the square; it is then no longer free.
    fn fill(&self, board: &Board, free: &mut Bitboard) -> u32 {
        let men = board.by_color_and_role(self.role.of(self.color)) & *free;
        let nearest = men.into_iter().min_by_key(|at| self.to_square[at.index()]);
        let Some(at) = nearest else {
            return u32::from(UNREACHABLE);
        };
        *free -= at.set();
        u32::from(self.to_square[at.index()])
    }
}

impl<R: Rules> DistanceHeuristic<R> for MateNet {
    fn cost(&self, _board: &Board) -> u64 {
        2
    }

    fn score(
        &self,
        position: &Position<R>,
        moves: &[Move],
        _kings: (Square, Square),
        mut take: impl FnMut(Move, usize),
    ) {
        for &mv in moves {
            let board = match mv.is_capture() {
                true => *position.after(mv).board(),
                false => board_after(position, mv),
            };
            if board.king_of(!self.winner).is_none() {
                take(mv, 0);
                continue;
            }
            let score = match self.half_steps_from(&board) {
                Some(steps) => 1 + self.half_step * steps as usize,
                None => MAX_DISTANCE_SCORE,
            };
            take(mv, score.min(MAX_DISTANCE_SCORE));
        }
    }
}

/// A piece that can move, and how many moves it needs to each square.
struct Mover {
    color: Color,
    role: Role,
    ways: StepCounts,
}

/// Movers by number, and their squares around a king.
struct Plan {
    king: Square,
    placed: Vec<(usize, Square)>,
    steps: u32,
}

/// The nets of a position, the nearest first.
pub(crate) struct MateNets<'a, R: Rules> {
    position: &'a Position<R>,
    winner: Color,
    walks: KingPaths,
    /// Pawns, the pieces that they lock in, and what those of the winner guard.
    fixed: Bitboard,
    guarded: Bitboard,
    movers: Vec<Mover>,
    /// The mover numbers of each colour and role, as bit sets.
    kinds: [[u64; 6]; 2],
    plans: Vec<Plan>,
    /// The first of the plans for the current king square.
    first: usize,
    tries: u32,
    /// The tries for all squares of the king, and their limit.
    all_tries: u32,
    most_tries: u32,
}

impl<'a, R: Rules> MateNets<'a, R> {
    /// The nearest nets to a position, at most `most`, for about `work`.
    pub fn nearest(
        position: &'a Position<R>,
        winner: Color,
        most: usize,
        work: u64,
    ) -> MateNets<'a, R> {
        let board = position.board();
        let walks = KingPaths::new(board);
        let fixed = walks.fixed;
        let men = board.occupied() - fixed - board.by_role(Role::King);
        let mover = |at: Square| {
            let piece = board.piece_at(at)?;
            Some(Mover {
                color: piece.color,
                role: piece.role,
                ways: ways(piece.role, at.set(), fixed),
            })
        };
        let mut nets = MateNets {
            position,
            winner,
            fixed,
            guarded: walks.guarded[!winner as usize],
            walks,
            movers: men.into_iter().filter_map(mover).collect(),
            kinds: [[0; 6]; 2],
            plans: Vec::new(),
            first: 0,
            tries: 0,
            all_tries: 0,
            most_tries: u32::try_from(work.saturating_mul(TRIES_PER_POSITION)).unwrap_or(u32::MAX),
        };
        for (number, mover) in nets.movers.iter().enumerate() {
            nets.kinds[mover.color as usize][mover.role as usize] |= 1 << number;
        }
        let table = nets.walks.from(board);
        // A king attacked by a fixed piece cannot be mated: it came there beside the other king, and can follow it when
        // it leaves.
        for king in !nets.fixed - nets.guarded {
            if nets.open(king, &[]).len() <= MAX_ESCAPE_SQUARES
                && let Some(walk) = nets.walk_to(king, &table)
            {
                nets.tries = 0;
                nets.first = nets.plans.len();
                nets.weave(king, walk);
            }
        }
        nets.plans.sort_by_key(|plan| plan.steps);
        nets.plans.truncate(most);
        nets
    }

    /// How many king moves lead to pairs of squares with the loser's king on `king` and the other apart from it.
    fn walk_to(&self, king: Square, table: &PairTable) -> Option<u32> {
        let walks = self
            .pairs_at(king, self.fixed)
            .map(|(white, black)| table[pair(white, black)]);
        let nearest = walks.min().filter(|&steps| steps < NO_KING_PATH)?;
        Some(u32::from(nearest))
    }

    /// The squares of White's and of Black's king, with the loser's on this one and the other apart from it and from
    /// the empty squares around it.
    fn pairs_at(
        &self,
        king: Square,
        full: Bitboard,
    ) -> impl Iterator<Item = (Square, Square)> + use<R> {
        let winner = self.winner;
        let shunned = (attacks::king(king) - full) | king.set();
        (!self.fixed - king.set())
            .into_iter()
            .filter(move |&own| (attacks::king(own) & shunned).is_empty())
            .map(move |own| match winner {
                Color::White => (own, king),
                Color::Black => (king, own),
            })
    }

    /// Searches for nets around a king on this square.
    fn weave(&mut self, king: Square, walk: u32) {
        for role in NET_ROLES {
            if self.kinds[self.winner as usize][role as usize] == 0 {
                continue;
            }
            let from = attacks::of(role, !self.winner, king, self.fixed) - self.fixed;
            for square in from {
                if let Some((man, steps)) = self.nearest_man(self.winner, role, square, &[]) {
                    self.close(king, walk + steps, &mut vec![(man, square)]);
                }
            }
        }
    }

    /// Closes what is open around the king with more pieces.
    fn close(&mut self, king: Square, steps: u32, placed: &mut Vec<(usize, Square)>) {
        let is_enough = self.tries == MAX_TRIES_PER_SQUARE || self.all_tries >= self.most_tries;
        if is_enough || steps >= self.bound() {
            return;
        }
        self.tries += 1;
        self.all_tries += 1;
        let Some(square) = self.open(king, placed).first() else {
            if self.is_mate(king, placed) {
                self.keep(king, steps, placed);
            }
            return;
        };
        if placed.len() == MAX_NET_PIECES {
            return;
        }
        let full = placed
            .iter()
            .fold(self.fixed, |all, &(_, at)| all | at.set());
        for color in Color::ALL {
            for role in NET_ROLES {
                if self.kinds[color as usize][role as usize] == 0 {
                    continue;
                }
                let mut squares = square.set();
                if color == self.winner {
                    let guards = attacks::of(role, !color, square, full);
                    squares |= guards - full - attacks::king(king) - king.set();
                }
                for at in squares {
                    if let Some((man, more)) = self.nearest_man(color, role, at, placed) {
                        placed.push((man, at));
                        self.close(king, steps + more, placed);
                        placed.pop();
                    }
                }
            }
        }
    }

    /// What is open around a king on this square, with these pieces and the fixed ones.
    fn open(&self, king: Square, placed: &[(usize, Square)]) -> Bitboard {
        let full = placed
            .iter()
            .fold(self.fixed, |all, &(_, at)| all | at.set());
        let mut open = attacks::king(king) - full - self.guarded;
        for &(man, at) in placed {
            let Mover { color, role, .. } = self.movers[man];
            if color == self.winner {
                open -= attacks::of(role, color, at, full);
            }
        }
        open
    }

    /// The nearest piece of a kind that is not placed yet, and how many moves it needs.
    fn nearest_man(
        &self,
        color: Color,
        role: Role,
        to: Square,
        placed: &[(usize, Square)],
    ) -> Option<(usize, u32)> {
        let kind = self.kinds[color as usize][role as usize];
        let mut free = placed
            .iter()
            .fold(kind, |free, &(man, _)| free & !(1 << man));
        let mut nearest = None;
        let mut fewest = UNREACHABLE;
        while free != 0 {
            let man = free.trailing_zeros() as usize;
            free &= free - 1;
            let steps = self.movers[man].ways[to.index()];
            if steps < fewest {
                fewest = steps;
                nearest = Some((man, u32::from(steps)));
            }
        }
        nearest
    }

    /// How many steps are too many for one more net around the current king square.
    fn bound(&self) -> u32 {
        let kept = &self.plans[self.first..];
        let worst = kept.iter().map(|plan| plan.steps).max();
        worst
            .filter(|_| kept.len() >= NETS_PER_KING_SQUARE)
            .unwrap_or(u32::from(UNREACHABLE))
    }

    fn keep(&mut self, king: Square, steps: u32, placed: &[(usize, Square)]) {
        let bound = self.bound();
        if bound < u32::from(UNREACHABLE) {
            let is_worst = |plan: &Plan| plan.steps == bound;
            if let Some(index) = self.plans[self.first..].iter().position(is_worst) {
                self.plans.swap_remove(self.first + index);
            }
        }
        self.plans.push(Plan {
            king,
            placed: placed.to_vec(),
            steps,
        });
    }

    /// Whether it is mate with only these and the fixed pieces on the board.
    fn is_mate(&self, king: Square, placed: &[(usize, Square)]) -> bool {
        let board = self.position.board();
        let mut setup = Setup {
            turn: !self.winner,
            ..Setup::empty()
        };
        for at in self.fixed {
            if let Some(piece) = board.piece_at(at) {
                setup.board.set(at, piece);
            }
        }
        for &(man, at) in placed {
            let Mover { color, role, .. } = self.movers[man];
            setup.board.set(at, role.of(color));
        }
        setup.board.set(king, Role::King.of(!self.winner));
        let far = |at: &Square| at.distance(king) > 2;
        let full = setup.board.occupied();
        let own = board
            .king_of(self.winner)
            .into_iter()
            .chain(KING_WAIT_SQUARES);
        let set_up = |own: Square| {
            let mut setup = setup;
            setup.board.set(own, Role::King.of(self.winner));
            Position::<R>::from_setup(&setup).ok()
        };
        own.filter(|&at| far(&at) && !full.contains(at))
            .find_map(set_up)
            .is_some_and(|position| position.is_checkmate())
    }

    /// The cost of finding them, in positions.
    pub fn work(&self) -> u64 {
        KING_PATHS_WORK + u64::from(self.all_tries) / TRIES_PER_POSITION
    }

    /// How many nets there are.
    pub fn len(&self) -> usize {
        self.plans.len()
    }

    /// The net of this number.
    pub fn get(&self, number: usize) -> Option<MateNet> {
        let plan = self.plans.get(number)?;
        let board = self.position.board();
        let full = plan
            .placed
            .iter()
            .fold(self.fixed, |all, &(_, at)| all | at.set());
        let post = |&(man, at): &(usize, Square)| {
            let Mover { color, role, .. } = self.movers[man];
            NetSquare {
                color,
                role,
                to_square: ways(role, at.set(), self.fixed),
                is_taken: board.piece_at(at) == Some(role.of(color)),
            }
        };
        let walk = KingPath::to(self.walks, self.pairs_at(plan.king, full));
        let mut net = MateNet {
            winner: self.winner,
            king: plan.king,
            farthest: walk.half_steps(board)?,
            half_step: 0,
            walk,
            posts: plan.placed.iter().map(post).collect(),
            is_alone: self.movers.iter().all(|man| man.color == self.winner),
        };
        let half_steps = net.half_steps_from(board)? as usize;
        net.half_step = half_step(half_steps, MAX_DISTANCE_SCORE);
        Some(net)
    }
}

/// The roles of pieces that take part.
const NET_ROLES: [Role; 4] = [Role::Bishop, Role::Knight, Role::Rook, Role::Queen];

/// Squares where the winning king may wait.
const KING_WAIT_SQUARES: [Square; 6] = [
    Square::B1,
    Square::G2,
    Square::C4,
    Square::F5,
    Square::B7,
    Square::G8,
];
