//! [`WinHeuristic`]: how near a win the positions after the moves of a position look, by the escape squares of the
//! losing king, the distances of both kings and the pieces left. It orders a search and proves nothing.

use touchmove_rules::{
    Bitboard, Board, Color, CpuTask, Move, Position, Role, Rules, Square, attacks, run_cpu_task,
};

use crate::search::attack_queries::{attacked, attacked_among, attackers_of_any, distance_to};
use crate::search::heuristic::{DistanceHeuristic, MAX_DISTANCE_SCORE};
use crate::search::minor_piece_mates::MinorPieceMates;
use crate::search::promotion_paths::{blockers_of_promotion, steps_to_promotion};

/// Scores positions by the escape squares of the losing king, the distances of both kings, and the pieces left.
pub(crate) struct WinHeuristic {
    pub winner: Color,
}

impl<R: Rules> DistanceHeuristic<R> for WinHeuristic {
    fn score(
        &self,
        position: &Position<R>,
        moves: &[Move],
        kings: (Square, Square),
        mut take: impl FnMut(Move, usize),
    ) {
        self.look(position, moves, kings, |mv, score, _| take(mv, score));
    }

    fn score_some(
        &self,
        position: &Position<R>,
        moves: &[Move],
        kings: (Square, Square),
        mut take: impl FnMut(Move, usize),
    ) -> Option<usize> {
        let mut others = usize::MAX;
        self.look(position, moves, kings, |mv, score, is_like_another| {
            if is_like_another {
                others = others.min(score);
            } else {
                take(mv, score);
            }
        });
        (others < usize::MAX).then(|| (others + REPEATED_MOVE_PENALTY).min(MAX_DISTANCE_SCORE))
    }

    fn score_others(
        &self,
        position: &Position<R>,
        moves: &[Move],
        kings: (Square, Square),
        mut take: impl FnMut(Move, usize),
    ) {
        self.look(position, moves, kings, |mv, score, is_like_another| {
            if is_like_another {
                take(mv, (score + REPEATED_MOVE_PENALTY).min(MAX_DISTANCE_SCORE));
            }
        });
    }
}

impl WinHeuristic {
    /// Passes on each move with its score, and whether an equivalent one came before.
    fn look<R: Rules>(
        &self,
        position: &Position<R>,
        moves: &[Move],
        kings: (Square, Square),
        take: impl FnMut(Move, usize, bool),
    ) {
        run_cpu_task(MoveScoring {
            position,
            moves,
            winner: self.winner,
            kings,
            take,
        });
    }
}

/// The scoring of all moves of a position.
struct MoveScoring<'a, R: Rules, T> {
    position: &'a Position<R>,
    moves: &'a [Move],
    winner: Color,
    kings: (Square, Square),
    take: T,
}

impl<R: Rules, T: FnMut(Move, usize, bool)> CpuTask for MoveScoring<'_, R, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (own, other) = self.kings;
        SharedScoring::new(self.position, self.winner, own, other)
            .score_each(self.moves, self.take);
    }
}

/// The penalty for a move that changes no more than another of the same score: where that one did not help, this one
/// will hardly help.
const REPEATED_MOVE_PENALTY: usize = 6;

/// What the scores of all moves of a position have in common.
pub(crate) struct SharedScoring<'a> {
    board: &'a Board,
    turn: Color,
    winner: Color,
    own: Square,
    other: Square,
    occupied: Bitboard,
    losers: Bitboard,
    /// Where pawns promote and capture en passant.
    special: Bitboard,
    /// What the winner's piece on each square guards, with the losing king removed: on the winner's turn only the
    /// squares around that king, and by each piece; else by all of them.
    guards: [Bitboard; 64],
    /// What any of them guards, and what at least two do.
    guarded: Bitboard,
    twice: Bitboard,
    /// The losing king and the squares around it.
    zone: Bitboard,
    /// The score of the king distances.
    walk: u32,
    /// The score after a move of the loser that changes nothing.
    idle: u32,
    weights: &'static HeuristicWeights,
    light: Option<MinorPieceMates>,
    force: u32,
    hindrance: u32,
    /// The loser's pieces in the way of the winner's pawns, if there is no queen.
    prey: Bitboard,
}

/// What the moves of one piece of the winner have in common.
#[derive(Default)]
struct PieceDeparture {
    /// What the others guard.
    guarded: Bitboard,
    /// The escape squares of the losing king.
    flights: Bitboard,
    /// The score of a move that changes none of this.
    score: u32,
}

/// How much farther from a win a position is for each escape square of the losing king, for each step it has to go to
/// the edge, for each step that the winning king is too far from it or from its target piece, and for each pawn and
/// piece of the loser.
struct HeuristicWeights {
    flight: u32,
    edge: u32,
    near: u32,
    prey: u32,
    pawn: u32,
    piece: u32,
}

/// With a queen, a rook or a pawn the winner should capture what is in the way.
const HEAVY_PIECE_WEIGHTS: HeuristicWeights = HeuristicWeights {
    flight: 4,
    edge: 16,
    near: 12,
    prey: 20,
    pawn: 20,
    piece: 44,
};
/// With minor pieces alone the loser's pieces are needed to hem in their king.
const MINOR_PIECE_WEIGHTS: HeuristicWeights = HeuristicWeights {
    flight: 36,
    edge: 18,
    near: 18,
    prey: 18,
    pawn: 0,
    piece: 0,
};
/// For each step that a pawn of the winner still needs to become a queen, if there is none.
const PAWN_STEP_SCORE: u32 = 88;
/// What it costs the winner if the loser takes a queen or a rook, a minor piece, a pawn.
const CAPTURE_LOSS_SCORES: [u32; 3] = [360, 64, 2];
/// Scores are divided by this.
const SCORE_UNIT: u32 = 6;

impl<'a> SharedScoring<'a> {
    /// Collects the shared facts for a position with these two kings.
    #[inline(always)]
    pub fn new<R: Rules>(
        position: &'a Position<R>,
        winner: Color,
        own: Square,
        other: Square,
    ) -> SharedScoring<'a> {
        let board = position.board();
        let occupied = board.occupied() - other.set();
        let men = board.by_color(winner);
        let losers = board.by_color(!winner);
        let minors = board.by_role(Role::Knight) | board.by_role(Role::Bishop);
        let is_heavy = (men - minors - own.set()).any();
        let (weights, light) = if is_heavy {
            (&HEAVY_PIECE_WEIGHTS, None)
        } else {
            (
                &MINOR_PIECE_WEIGHTS,
                Some(MinorPieceMates::new(board, winner, other)),
            )
        };
        let mut view = SharedScoring {
            board,
            turn: position.turn(),
            winner,
            own,
            other,
            occupied,
            losers,
            special: Bitboard::BACK_RANKS
                | position
                    .passed_square()
                    .map_or(Bitboard::EMPTY, Square::set),
            guards: [Bitboard::EMPTY; 64],
            guarded: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
            zone: attacks::king(other) | other.set(),
            walk: 0,
            idle: 0,
            weights,
            light,
            force: force(board, winner),
            hindrance: hindrance(board, losers, weights),
            prey: blockers_of_promotion(board, winner),
        };
        if view.turn == winner {
            view.guard_around(men);
        } else {
            view.guarded = attacked(board, winner, men, occupied);
        }
        let flights = attacks::king(other) - losers - view.guarded;
        view.walk = view.walk(other, own);
        view.idle = view.score(flights, view.walk, view.force, view.hindrance);
        view
    }

    /// Passes on each move with its score, and whether an equivalent one came before: for the loser any idle move, for
    /// the winner one of the same piece.
    #[inline(always)]
    fn score_each(&self, moves: &[Move], mut take: impl FnMut(Move, usize, bool)) {
        // Moves of one piece are adjacent in the list.
        let mut from = None;
        let mut matters = Bitboard::EMPTY;
        let mut has_idled = false;
        if self.turn != self.winner {
            let idle = (self.idle as usize).min(MAX_DISTANCE_SCORE);
            for &mv in moves {
                if from != Some(mv.from()) {
                    from = Some(mv.from());
                    matters = self.matters_to_loser(mv.role(), mv.from());
                }
                if matters.contains(mv.to()) {
                    take(
                        mv,
                        (self.of_loser(mv) as usize).min(MAX_DISTANCE_SCORE),
                        false,
                    );
                } else {
                    take(mv, idle, has_idled);
                    has_idled = true;
                }
            }
            return;
        }
        let mut leaving = PieceDeparture::default();
        for &mv in moves {
            if from != Some(mv.from()) {
                from = Some(mv.from());
                leaving = self.leaving(mv.from());
                matters = self.matters_to_winner(mv.role(), mv.from(), &leaving);
                has_idled = false;
            }
            if matters.contains(mv.to()) {
                let score = self.of_winner(mv, &leaving) as usize;
                take(mv, score.min(MAX_DISTANCE_SCORE), false);
            } else {
                take(
                    mv,
                    (leaving.score as usize).min(MAX_DISTANCE_SCORE),
                    has_idled,
                );
                has_idled = true;
            }
        }
    }

    /// Records what each of the winner's pieces guards around the losing king.
    #[inline(always)]
    fn guard_around(&mut self, men: Bitboard) {
        let around = attacks::king(self.other);
        for square in men {
            let role = self.board.role_at(square).unwrap_or(Role::King);
            let guards = attacked_among(role, self.winner, square, around, self.occupied);
            self.guards[square.index()] = guards;
            self.twice |= self.guarded & guards;
            self.guarded |= guards;
        }
    }

    /// How far from a win the position after a move looks: 0 is near.
    #[inline(always)]
    pub fn score_of(&self, mv: Move) -> usize {
        let score = if self.turn == self.winner {
            self.of_winner(mv, &self.leaving(mv.from()))
        } else {
            self.of_loser(mv)
        };
        (score as usize).min(MAX_DISTANCE_SCORE)
    }

    /// The score of a position with these features.
    #[inline(always)]
    fn score(&self, flights: Bitboard, walk: u32, force: u32, hindrance: u32) -> u32 {
        let weights = self.weights;
        2 + (force + flights.len() as u32 * weights.flight + walk + hindrance) / SCORE_UNIT
    }

    /// The score of the king distances if the kings are on these squares.
    #[inline(always)]
    fn walk(&self, k: Square, w: Square) -> u32 {
        let weights = self.weights;
        let [to_edge, apart] = KING_WALK_STEPS[k.index()][w.index()].map(u32::from);
        let mut walk = weights.edge * to_edge + weights.near * apart;
        if let Some(light) = &self.light {
            walk += weights.near * light.remaining_steps(k);
        }
        walk + weights.prey * distance_to(self.prey, w).unwrap_or(0)
    }

    /// What is left when the winner's piece on this square is gone.
    #[inline(always)]
    fn leaving(&self, from: Square) -> PieceDeparture {
        let guarded = self.twice | (self.guarded - self.guards[from.index()]);
        let flights = attacks::king(self.other) - self.losers - guarded;
        PieceDeparture {
            guarded,
            flights,
            score: self.score(flights, self.walk, self.force, self.hindrance),
        }
    }

    /// Squares where the arrival of a winner's piece changes more than its departure.
    #[inline(always)]
    fn matters_to_winner(&self, role: Role, from: Square, leaving: &PieceDeparture) -> Bitboard {
        if role == Role::King || role == Role::Pawn && self.force > 0 {
            return !Bitboard::EMPTY;
        }
        let aimed_at = leaving.flights | self.other.set();
        let occupied = self.occupied - from.set();
        attackers_of_any(role, self.winner, aimed_at, occupied)
            | self.losers
            | self.special_to(role)
    }

    /// Squares where the arrival of a loser's piece changes anything.
    #[inline(always)]
    fn matters_to_loser(&self, role: Role, from: Square) -> Bitboard {
        match self.zone.contains(from) {
            true => !Bitboard::EMPTY,
            false => self.zone | (self.occupied - self.losers) | self.special_to(role),
        }
    }

    fn special_to(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.special,
            _ => Bitboard::EMPTY,
        }
    }

    #[inline(always)]
    fn of_winner(&self, mv: Move, leaving: &PieceDeparture) -> u32 {
        let (from, to) = (mv.from(), mv.to());
        let role = mv.promotes_to().unwrap_or(mv.role());
        let aimed_at = leaving.flights | self.other.set();
        let occupied = (self.occupied - from.set()) | to.set();
        let sight = attacked_among(role, self.winner, to, aimed_at, occupied);
        let is_plain = match role {
            Role::King => false,
            Role::Pawn => self.force == 0,
            _ => mv.role() == role,
        };
        if sight.is_empty() && is_plain && !mv.is_capture() {
            return leaving.score;
        }
        let losers = self.losers - to.set();
        let flights = attacks::king(self.other) - losers - leaving.guarded - sight;
        if sight.contains(self.other) && flights.is_empty() {
            return 0;
        }
        let mut hindrance = self.hindrance;
        if mv.is_capture() {
            hindrance -= match self.board.role_at(to) {
                Some(Role::Pawn) | None => self.weights.pawn,
                Some(_) => self.weights.piece,
            };
        }
        let force = match mv.role() {
            Role::Pawn if self.force > 0 => self.force_with(role, to),
            _ => self.force,
        };
        let walk = match role {
            Role::King => self.walk(self.other, to),
            _ => self.walk,
        };
        self.score(flights, walk, force, hindrance)
    }

    /// How far the winner is from a queen once a pawn stands on `to`, or has promoted.
    #[inline(always)]
    fn force_with(&self, role: Role, to: Square) -> u32 {
        match role {
            Role::Queen => 0,
            Role::Pawn => {
                let steps = steps_to_promotion(self.board, self.winner, to);
                self.force.min(PAWN_STEP_SCORE * (1 + steps))
            }
            _ => self.force,
        }
    }

    #[inline(always)]
    fn of_loser(&self, mv: Move) -> u32 {
        let (from, to) = (mv.from(), mv.to());
        let is_special = mv.is_capture() || mv.promotes_to().is_some();
        if !is_special && (self.zone & (from.set() | to.set())).is_empty() {
            return self.idle;
        }
        let losers = (self.losers - from.set()) | to.set();
        let (king, walk) = match mv.role() {
            Role::King => (to, self.walk(to, self.own)),
            _ => (self.other, self.walk),
        };
        let flights = attacks::king(king) - losers - self.guarded;
        let mut force = self.force;
        if mv.is_capture() {
            force += match self.board.role_at(to) {
                Some(Role::Queen | Role::Rook) => CAPTURE_LOSS_SCORES[0],
                Some(Role::Pawn) | None => CAPTURE_LOSS_SCORES[2],
                Some(_) => CAPTURE_LOSS_SCORES[1],
            };
        }
        let mut hindrance = self.hindrance;
        if mv.promotes_to().is_some() {
            hindrance += self.weights.piece - self.weights.pawn;
        }
        self.score(flights, walk, force, hindrance)
    }
}

/// How far the winner is from a queen: zero with one, else the steps of the best pawn.
#[inline(always)]
fn force(board: &Board, winner: Color) -> u32 {
    let men = board.by_color(winner);
    if (men & board.by_role(Role::Queen)).any() {
        return 0;
    }
    let steps = (men & board.by_role(Role::Pawn))
        .into_iter()
        .map(|pawn| steps_to_promotion(board, winner, pawn))
        .min();
    PAWN_STEP_SCORE * (1 + steps.unwrap_or(6))
}

/// The score of the loser's pieces in the way.
#[inline(always)]
fn hindrance(board: &Board, losers: Bitboard, weights: &HeuristicWeights) -> u32 {
    let pawns = (losers & board.by_role(Role::Pawn)).len() as u32;
    let pieces = losers.len() as u32 - pawns;
    weights.pawn * pawns + weights.piece * pieces
}

/// How many steps the losing king (first index) needs to the edge, and the winning king until it is near it.
static KING_WALK_STEPS: [[[u8; 2]; 64]; 64] = {
    let mut walks = [[[0; 2]; 64]; 64];
    let mut k = 0;
    while k < 64 {
        let (file, rank) = (k as u8 % 8, k as u8 / 8);
        let edge = nearest(nearest(file, 7 - file), nearest(rank, 7 - rank));
        let mut w = 0;
        while w < 64 {
            let files = file.abs_diff(w as u8 % 8);
            let ranks = rank.abs_diff(w as u8 / 8);
            let apart = if files > ranks { files } else { ranks };
            walks[k][w] = [edge, apart.saturating_sub(2)];
            w += 1;
        }
        k += 1;
    }
    walks
};

const fn nearest(a: u8, b: u8) -> u8 {
    if a < b { a } else { b }
}
