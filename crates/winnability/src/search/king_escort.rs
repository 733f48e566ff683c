//! [`KingPaths`]: the paths of the two kings of Atomic past fixed pieces. A king may cross a square that such a piece
//! guards if it touches the other king there, so the two go together. [`KingEscort`]: how far a caged king is from
//! getting out. Both order a search and prove nothing.

use touchmove_rules::{Bitboard, Board, Color, Move, Position, Role, Rules, Square, attacks};

use crate::search::attack_queries::around;
use crate::search::explosion_distance::NearestExplosion;
use crate::search::heuristic::{DistanceHeuristic, MAX_DISTANCE_SCORE};

/// The distance where there is no path.
pub(crate) const NO_KING_PATH: u8 = u8::MAX;

/// How many king moves lead from one pair of squares to others, or from others to it, indexed by 64 times the square of
/// White's king plus that of Black's.
pub(crate) type PairTable = Vec<u8>;

/// Where kings can walk.
#[derive(Clone, Copy)]
pub(crate) struct KingPaths {
    /// The squares of pawns and of pieces that they lock in.
    pub fixed: Bitboard,
    /// What such pieces guard, by the colour of the king that must not go there alone.
    pub guarded: [Bitboard; 2],
}

/// The index of a pair of squares in a table.
pub(crate) fn pair(white: Square, black: Square) -> usize {
    64 * white.index() + black.index()
}

impl KingPaths {
    pub fn new(board: &Board) -> KingPaths {
        let fixed = fixed(board);
        let guarded = Color::ALL.map(|king| {
            (fixed & board.by_color(!king))
                .into_iter()
                .filter_map(|at| Some(attacks::of(board.role_at(at)?, !king, at, fixed)))
                .fold(Bitboard::EMPTY, |all, more| all | more)
        });
        KingPaths { fixed, guarded }
    }

    /// Where a king of this side may go, beside the other king or apart from it.
    fn open(&self, color: Color, other: Square) -> Bitboard {
        let alone = self.guarded[color as usize] - attacks::king(other);
        !self.fixed - alone - other.set()
    }

    /// How many moves lead from the kings of a board to each pair.
    pub fn from(&self, board: &Board) -> PairTable {
        let kings = board.king_of(Color::White).zip(board.king_of(Color::Black));
        let entered = self.entered();
        spread(kings, |white, blacks, next| {
            for to in attacks::king(white) - self.fixed {
                next[to.index()] |= blacks & entered[to.index()];
            }
            let open = self.open(Color::Black, white);
            next[white.index()] |= Bitboard(around(blacks.0)) & open;
        })
    }

    /// How many moves lead from each pair to the nearest of these.
    pub fn to(&self, goals: impl Iterator<Item = (Square, Square)>) -> PairTable {
        let entered = self.entered();
        spread(goals, |white, blacks, next| {
            for from in attacks::king(white) - self.fixed {
                next[from.index()] |= (blacks & entered[white.index()]) - from.set();
            }
            let come = blacks & self.open(Color::Black, white);
            next[white.index()] |= Bitboard(around(come.0)) - self.fixed - white.set();
        })
    }

    /// For each square, where Black's king must stand so that White's may enter it.
    fn entered(&self) -> [Bitboard; 64] {
        let mut entered = [Bitboard::EMPTY; 64];
        for to in !self.fixed {
            entered[to.index()] = match self.guarded[Color::White as usize].contains(to) {
                true => attacks::king(to),
                false => !to.set(),
            };
        }
        entered
    }

    /// Where a king gets alone.
    fn cage(&self, color: Color, king: Square) -> Bitboard {
        let closed = self.fixed | self.guarded[color as usize];
        let mut cage = king.set();
        loop {
            let steps = cage.into_iter().map(attacks::king);
            let more = steps.fold(cage, |all, more| all | (more - closed));
            if more == cage {
                return cage;
            }
            cage = more;
        }
    }
}

/// How far each pair is from the nearest of these; the callback adds all neighbours of a square of White's king and
/// some of Black's.
fn spread(
    nearest: impl IntoIterator<Item = (Square, Square)>,
    add_next: impl Fn(Square, Bitboard, &mut [Bitboard; 64]),
) -> PairTable {
    let mut table = vec![NO_KING_PATH; 64 * 64];
    // For each square of White's king a set of Black's, as in all sets of pairs here.
    let mut edge = [Bitboard::EMPTY; 64];
    for (white, black) in nearest {
        edge[white.index()].insert(black);
    }
    let mut reached = edge;
    let mut steps = 0;
    while edge.iter().any(|blacks| blacks.any()) {
        let mut next = [Bitboard::EMPTY; 64];
        for white in Square::all() {
            let blacks = edge[white.index()];
            for black in blacks {
                table[pair(white, black)] = steps;
            }
            if blacks.any() {
                add_next(white, blacks, &mut next);
            }
        }
        for ((edge, reached), next) in edge.iter_mut().zip(&mut reached).zip(next) {
            *edge = next - *reached;
            *reached |= next;
        }
        steps = steps.saturating_add(1);
    }
    table
}

/// The squares of pawns, and of pieces that cannot get past them and each other.
fn fixed(board: &Board) -> Bitboard {
    let mut fixed = board.occupied() - board.by_role(Role::King);
    loop {
        let moves = |at: &Square| match board.role_at(*at) {
            Some(Role::Pawn) | None => false,
            Some(role) => (attacks::of(role, Color::White, *at, fixed) - fixed).any(),
        };
        let movers: Bitboard = fixed.into_iter().filter(moves).collect();
        if movers.is_empty() {
            return fixed;
        }
        fixed -= movers;
    }
}

/// A walk of the kings to one of some pairs of squares.
pub(crate) struct KingPath {
    walks: KingPaths,
    table: PairTable,
}

impl KingPath {
    pub fn to(walks: KingPaths, goals: impl Iterator<Item = (Square, Square)>) -> KingPath {
        let table = walks.to(goals);
        KingPath { walks, table }
    }

    /// Twice the number of moves that the kings of a board still need, and one more if a piece must let them pass
    /// first. `None` if there is no path.
    pub fn half_steps(&self, board: &Board) -> Option<u32> {
        let [white, black] = [board.king_of(Color::White)?, board.king_of(Color::Black)?];
        let steps = self.table[pair(white, black)];
        if steps == 0 || steps == NO_KING_PATH {
            return (steps == 0).then_some(0);
        }
        let mut may_go = false;
        for color in Color::ALL {
            let (king, other) = match color {
                Color::White => (white, black),
                Color::Black => (black, white),
            };
            let open = attacks::king(king) & (self.walks.open(color, other) - board.occupied());
            may_go |= open.into_iter().any(|to| {
                let next = match color {
                    Color::White => pair(to, black),
                    Color::Black => pair(white, to),
                };
                self.table[next] < steps
                    && (attacks::king(to).contains(other)
                        || board.attackers(to, !color, board.occupied()).is_empty())
            });
        }
        Some(2 * u32::from(steps) + u32::from(!may_go))
    }
}

/// Brings the other king to a caged one, and both out of the cage; then heads for an explosion.
pub(crate) struct KingEscort {
    winner: Color,
    walk: KingPath,
    half_step: usize,
}

/// A king with more squares than this is not caged.
const MAX_CAGE_SQUARES: usize = 12;

/// The scores of kings outside the cage stay below this.
const MIN_FREE_SCORE: usize = 60;

/// The score of half a step if so many are left: large enough to outweigh the jitter, unless the scores would exceed
/// `below`.
pub(crate) fn half_step(half_steps: usize, below: usize) -> usize {
    (9 * below / 10 / half_steps.max(1)).clamp(2, 6)
}

impl KingEscort {
    /// The paths out of the cages of the kings of a position.
    pub fn escape_paths<R: Rules>(position: &Position<R>, winner: Color) -> Vec<KingEscort> {
        let board = position.board();
        let walks = KingPaths::new(board);
        let mut escorts = Vec::new();
        for color in Color::ALL {
            let Some(king) = board.king_of(color) else {
                continue;
            };
            let cage = walks.cage(color, king);
            if cage.len() > MAX_CAGE_SQUARES {
                continue;
            }
            let is_out = |&(white, black): &(Square, Square)| {
                let at = [white, black][color as usize];
                let rest = [black, white][color as usize];
                !cage.contains(at) && !walks.fixed.contains(at) && !walks.fixed.contains(rest)
            };
            let pairs =
                Square::all().flat_map(|white| Square::all().map(move |black| (white, black)));
            let apart = pairs.filter(|(white, black)| white.distance(*black) > 1);
            let walk = KingPath::to(walks, apart.filter(is_out));
            if let Some(half_steps) = walk.half_steps(board) {
                let half_step = half_step(half_steps as usize, MAX_DISTANCE_SCORE - MIN_FREE_SCORE);
                escorts.push(KingEscort {
                    winner,
                    walk,
                    half_step,
                });
            }
        }
        escorts
    }
}

impl<R: Rules> DistanceHeuristic<R> for KingEscort {
    fn cost(&self, _board: &Board) -> u64 {
        4
    }

    fn score(
        &self,
        position: &Position<R>,
        moves: &[Move],
        _kings: (Square, Square),
        mut take: impl FnMut(Move, usize),
    ) {
        let guide = NearestExplosion {
            winner: self.winner,
        };
        for &mv in moves {
            let next = position.after(mv);
            let looks = guide.distance(&next);
            let score = match self.walk.half_steps(next.board()) {
                Some(0) => looks.min(MIN_FREE_SCORE),
                _ if looks <= 4 => looks,
                Some(steps) => MIN_FREE_SCORE + self.half_step * steps as usize,
                None => MAX_DISTANCE_SCORE,
            };
            take(mv, score.min(MAX_DISTANCE_SCORE));
        }
    }
}
