//! [`MateTarget`]: a place where the structure of a position leaves room for a mate, with the squares around their king
//! that pieces of the loser must fill, and how far a position is from it. It orders a search and proves nothing.

use touchmove_rules::{Bitboard, Board, Color, Move, Position, Rank, Role, Rules, Square, attacks};

use crate::proof::structure::{LockedPawnsSurvey, MatePlace};
use crate::search::heuristic::{DistanceHeuristic, MAX_DISTANCE_SCORE, board_after, waiting};
use crate::search::promotion_paths::{ahead, steps_to_promotion};

/// How many moves a piece of one kind needs from each square.
pub(crate) type StepCounts = [u8; 64];

/// The distance where there is no path.
pub(crate) const UNREACHABLE: u8 = 40;

/// Scores are multiples of this.
const SCORE_PER_STEP: usize = 4;

/// A mate to aim for.
pub(crate) struct MateTarget {
    winner: Color,
    king: Square,
    to_king: StepCounts,
    /// Where the king of the winner should go, if it is needed.
    to_guard: Option<StepCounts>,
    seats: Vec<FilledSquare>,
    /// For each role of the winner, how many moves it needs until it attacks the king.
    to_check: [StepCounts; 6],
}

/// A square beside the king that a piece of the loser must fill.
struct FilledSquare {
    square: Square,
    /// Whether it is filled at the start.
    is_taken: bool,
    to_square: [StepCounts; 6],
}

/// How many moves each piece of a position needs, indexed by its square, before any of them moves.
struct PieceSteps {
    men: [Bitboard; 2],
    pawns: [Bitboard; 2],
    /// For the pieces of the loser: to each of the squares to fill, and for the nearest free one.
    seats: [StepCounts; MAX_FILLED_SQUARES],
    filled: [u32; MAX_FILLED_SQUARES],
    /// For the pieces of the winner: to a check; and for all of them, if the check has to wait and if not.
    check: StepCounts,
    checks: [u32; 2],
}

impl PieceSteps {
    /// Which pieces need a new count after a piece has come to a square or left it: the piece itself, and pawns in
    /// whose way it is.
    fn changed_by(&self, at: Square) -> Bitboard {
        let pawns = Color::ALL.map(|color| self.pawns[color as usize] & ahead(!color, at));
        at.set() | pawns[0] | pawns[1]
    }

    /// Whether the counts of a side are still valid if those on some squares have changed.
    fn has(&self, board: &Board, side: Color, changed: Bitboard) -> bool {
        let men = self.men[side as usize];
        men == board.by_color(side) && (men & changed).is_empty()
    }
}

/// There are no more squares beside a king.
const MAX_FILLED_SQUARES: usize = 8;

/// How far the pieces of a position are from every square, with only locked pieces in the way.
struct DistanceMap {
    king: StepCounts,
    guard: StepCounts,
    /// For the pieces of the loser.
    fillers: Vec<StepCounts>,
}

impl DistanceMap {
    fn new(board: &Board, survey: &LockedPawnsSurvey, winner: Color) -> Option<DistanceMap> {
        let locked = survey.locked_squares();
        let loser = !winner;
        let (own, other) = (board.king_of(winner)?, board.king_of(loser)?);
        let from = |at: Square| match board.role_at(at) {
            Some(Role::Pawn) | None => ways_of_pawn(loser, at),
            Some(role) => ways(role, at.set(), locked - at.set()),
        };
        Some(DistanceMap {
            king: ways(Role::King, other.set(), !survey.king_squares(loser)),
            guard: ways(Role::King, own.set(), !survey.king_squares(winner)),
            fillers: (board.by_color(loser) - other.set())
                .into_iter()
                .map(from)
                .collect(),
        })
    }

    /// About how many moves bring the pieces to a place.
    fn steps_to(&self, place: &MatePlace) -> u32 {
        let guard = place.guard.map_or(0, |at| self.guard[at.index()]);
        let mut steps = u32::from(self.king[place.king.index()]) + u32::from(guard);
        let mut taken = 0_u64;
        for hole in place.holes {
            let nearest = (0..self.fillers.len())
                .filter(|&filler| taken >> filler & 1 == 0)
                .min_by_key(|&filler| self.fillers[filler][hole.index()]);
            let Some(filler) = nearest else {
                return u32::from(UNREACHABLE);
            };
            taken |= 1 << filler;
            steps += u32::from(self.fillers[filler][hole.index()]);
        }
        // Guarding squares takes moves too.
        steps + place.flights().len() as u32
    }
}

impl MateTarget {
    /// The nearest targets to a position, at most `most`, if its pawns stay where they are.
    pub fn nearest<R: Rules>(
        position: &Position<R>,
        winner: Color,
        most: usize,
    ) -> Vec<MateTarget> {
        let board = position.board();
        let Some(survey) = LockedPawnsSurvey::new(position) else {
            return Vec::new();
        };
        let Some(map) = DistanceMap::new(board, &survey, winner) else {
            return Vec::new();
        };
        let mut places: Vec<(u32, MatePlace)> = survey
            .places(winner)
            .into_iter()
            .map(|place| (map.steps_to(&place), place))
            .filter(|&(steps, _)| steps < u32::from(UNREACHABLE))
            .collect();
        places.sort_by_key(|&(steps, _)| steps);
        places
            .iter()
            .take(most)
            .map(|(_, place)| MateTarget::at(place, board, &survey, winner))
            .collect()
    }

    fn at(
        place: &MatePlace,
        board: &Board,
        survey: &LockedPawnsSurvey,
        winner: Color,
    ) -> MateTarget {
        let king = place.king;
        let locked = survey.locked_squares();
        let full = locked | place.holes;
        let seat = |square: Square| FilledSquare {
            square,
            is_taken: board.by_color(!winner).contains(square),
            to_square: Role::ALL.map(|role| ways(role, square.set(), locked - square.set())),
        };
        let to_guard = |guard: Square| ways(Role::King, guard.set(), !survey.king_squares(winner));
        MateTarget {
            winner,
            king,
            to_king: ways(Role::King, king.set(), !survey.king_squares(!winner)),
            to_guard: place.guard.map(to_guard),
            seats: place.holes.into_iter().map(seat).collect(),
            to_check: Role::ALL.map(|role| {
                let from = attacks::of(role, !winner, king, full) - full;
                ways(role, from, locked)
            }),
        }
    }

    /// How many moves each piece of a board needs.
    fn known(&self, board: &Board) -> PieceSteps {
        let men = Color::ALL.map(|color| board.by_color(color));
        let mut known = PieceSteps {
            men,
            pawns: men.map(|men| men & board.by_role(Role::Pawn)),
            seats: [[0; 64]; MAX_FILLED_SQUARES],
            filled: [0; MAX_FILLED_SQUARES],
            check: [0; 64],
            checks: [0; 2],
        };
        let kings = board.by_role(Role::King);
        let mut free = board.by_color(!self.winner) - kings;
        for (number, seat) in self.seats.iter().enumerate() {
            let steps = &mut known.seats[number];
            for at in board.by_color(!self.winner) - kings {
                steps[at.index()] = seat.steps_by(board, !self.winner, at) as u8;
            }
            known.filled[number] = fill(&mut free, |at| u32::from(steps[at.index()]));
        }
        for at in board.by_color(self.winner) - kings {
            known.check[at.index()] = self.check_by(board, at) as u8;
        }
        let steps_by = |at: Square| u32::from(known.check[at.index()]);
        known.checks = [false, true].map(|at_once| self.check_from(board, at_once, steps_by));
        known
    }

    /// How many moves lead from a board to the target, with only locked pieces in the way. `known` spares the recount,
    /// except for the pieces on `changed`.
    fn steps_from(&self, board: &Board, known: &PieceSteps, changed: Bitboard) -> u32 {
        let loser = !self.winner;
        let (Some(own), Some(other)) = (board.king_of(self.winner), board.king_of(loser)) else {
            return u32::from(UNREACHABLE);
        };
        let king = u32::from(self.to_king[other.index()]);
        let in_the_way = board.by_color(self.winner).contains(self.king);
        let mut set = king + u32::from(in_the_way);
        let mut rest = 0;
        if let Some(to_guard) = &self.to_guard {
            let guard = u32::from(to_guard[own.index()]);
            rest += if set > 0 { waiting(guard, 1) } else { guard };
        }
        let mut free = board.by_color(loser) - other.set();
        let is_known = known.has(board, loser, changed);
        for (number, seat) in self.seats.iter().enumerate() {
            let steps_by = |at: Square| match changed.contains(at) {
                true => seat.steps_by(board, loser, at),
                false => u32::from(known.seats[number][at.index()]),
            };
            let steps = match is_known {
                true => known.filled[number],
                false => fill(&mut free, steps_by),
            };
            rest += if set > 0 && !seat.is_taken {
                waiting(steps, 1)
            } else {
                steps
            };
        }
        set += rest;
        if known.has(board, self.winner, changed) {
            return set + known.checks[usize::from(set == 0)];
        }
        let steps_by = |at: Square| match changed.contains(at) {
            true => self.check_by(board, at),
            false => u32::from(known.check[at.index()]),
        };
        set + self.check_from(board, set == 0, steps_by)
    }

    /// How many moves the winner needs to attack the king's square. As long as that must wait, a piece that attacks it
    /// already has to move away first.
    fn check_from(&self, board: &Board, at_once: bool, steps_by: impl Fn(Square) -> u32) -> u32 {
        let men = board.by_color(self.winner) - board.by_role(Role::King);
        let mut nearest = u32::from(UNREACHABLE);
        let mut too_early = 0;
        for at in men {
            let steps = steps_by(at);
            if steps == 0 && !at_once {
                too_early += 1;
                nearest = nearest.min(1);
            } else {
                nearest = nearest.min(steps);
            }
        }
        nearest + too_early
    }

    fn check_by(&self, board: &Board, at: Square) -> u32 {
        let role = board.role_at(at).unwrap_or(Role::Pawn);
        if role != Role::Pawn {
            return u32::from(self.to_check[role as usize][at.index()]);
        }
        let last = Square::at(at.file(), Rank::Eighth.of(self.winner));
        let promoted = [Role::Knight, Role::Queen]
            .map(|role| u32::from(self.to_check[role as usize][last.index()]));
        steps_to_promotion(board, self.winner, at) + promoted[0].min(promoted[1])
    }
}

/// How many moves the nearest of these pieces needs to the square, given the counts of each; it is then no longer free.
#[inline(always)]
fn fill(free: &mut Bitboard, steps_by: impl Fn(Square) -> u32) -> u32 {
    let (mut fewest, mut nearest) = (u32::MAX, None);
    for at in *free {
        let steps = steps_by(at);
        if steps < fewest {
            (fewest, nearest) = (steps, Some(at));
        }
    }
    let Some(at) = nearest else {
        return u32::from(UNREACHABLE);
    };
    *free -= at.set();
    fewest
}

impl FilledSquare {
    /// How many moves the loser's piece on a square needs to the square to fill.
    fn steps_by(&self, board: &Board, loser: Color, at: Square) -> u32 {
        match board.role_at(at).unwrap_or(Role::Pawn) {
            Role::Pawn => self.steps_of_pawn(board, loser, at),
            role => u32::from(self.to_square[role as usize][at.index()]),
        }
    }

    fn steps_of_pawn(&self, board: &Board, loser: Color, pawn: Square) -> u32 {
        let ahead = self.square.file() == pawn.file()
            && self.square.rank().of(loser) >= pawn.rank().of(loser);
        if ahead {
            return u32::from(self.square.distance(pawn));
        }
        let last = Square::at(pawn.file(), Rank::Eighth.of(loser));
        let promoted = [Role::Knight, Role::Bishop, Role::Queen]
            .map(|role| u32::from(self.to_square[role as usize][last.index()]));
        steps_to_promotion(board, loser, pawn) + promoted.into_iter().min().unwrap_or(0)
    }
}

impl<R: Rules> DistanceHeuristic<R> for MateTarget {
    /// After a move of the loser, the pieces to fill each of the squares are matched again.
    fn cost(&self, board: &Board) -> u64 {
        4 + (self.seats.len() * board.by_color(!self.winner).len()) as u64 / 32
    }

    fn score(
        &self,
        position: &Position<R>,
        moves: &[Move],
        _kings: (Square, Square),
        mut take: impl FnMut(Move, usize),
    ) {
        let known = self.known(position.board());
        for &mv in moves {
            let changed = known.changed_by(mv.from()) | known.changed_by(mv.to());
            let steps = self.steps_from(&board_after(position, mv), &known, changed) as usize;
            take(mv, (SCORE_PER_STEP * steps).min(MAX_DISTANCE_SCORE));
        }
    }
}

/// How many moves a pawn needs to each square ahead of it.
fn ways_of_pawn(color: Color, pawn: Square) -> StepCounts {
    let mut steps = [UNREACHABLE; 64];
    let (mut at, mut count) = (pawn.set(), 0);
    while let Some(square) = at.first() {
        steps[square.index()] = count;
        at = at.forward(color);
        count += 1;
    }
    steps
}

/// How many moves a piece needs from each square to one of these, if it cannot enter the closed ones.
pub(crate) fn ways(role: Role, to: Bitboard, closed: Bitboard) -> StepCounts {
    let mut steps = [UNREACHABLE; 64];
    if role == Role::Pawn {
        return steps;
    }
    let mut edge = to;
    let mut seen = to;
    let mut count = 0;
    while edge.any() {
        let mut next = Bitboard::EMPTY;
        for at in edge {
            steps[at.index()] = count;
            next |= attacks::of(role, Color::White, at, closed);
        }
        edge = next - closed - seen;
        seen |= edge;
        count += 1;
    }
    steps
}
