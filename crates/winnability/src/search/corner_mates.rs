//! [`CornerMate`]: a mate in a corner with one minor piece, where a piece of the loser blocks its own king, and how far
//! a position is from it. It orders a search and proves nothing.

use std::sync::LazyLock;

use touchmove_rules::{
    Bitboard, Board, Chess, Color, Move, Piece, Position, Rank, Role, Rules, Setup, Square, attacks,
};

use crate::search::attack_queries::knight_distance;
use crate::search::heuristic::{DistanceHeuristic, MAX_DISTANCE_SCORE, board_after, waiting};
use crate::search::promotion_paths::steps_to_promotion;

/// The squares of the four pieces in a mate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CornerMate {
    winner: Color,
    /// The mated king, in a corner.
    king: Square,
    /// The king that helps to mate it.
    guard: Square,
    minor: CornerMatePiece,
    blocker: CornerMatePiece,
}

/// A piece in a corner mate.
#[derive(Clone, Copy, Debug)]
struct CornerMatePiece {
    role: Role,
    at: Square,
}

/// The corner mates in which White wins.
static CORNER_MATES: LazyLock<Vec<CornerMate>> = LazyLock::new(|| {
    const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
    let mut pictures = Vec::new();
    for king in CORNERS {
        let near = |apart| Square::all().filter(move |at| at.distance(king) == apart);
        for guard in near(2) {
            for blocker in near(1) {
                for minor in near(1).chain(near(2)) {
                    for (piece, man) in MATING_PAIRS {
                        let picture = CornerMate {
                            winner: Color::White,
                            king,
                            guard,
                            minor: CornerMatePiece {
                                role: piece,
                                at: minor,
                            },
                            blocker: CornerMatePiece {
                                role: man,
                                at: blocker,
                            },
                        };
                        if picture.is_mate() {
                            pictures.push(picture);
                        }
                    }
                }
            }
        }
    }
    pictures
});

/// The piece that mates, and the piece of the loser that helps. With a rook or a queen in the way there is no mate for
/// a bishop, nor with a queen for a knight.
const MATING_PAIRS: [(Role, Role); 7] = [
    (Role::Knight, Role::Pawn),
    (Role::Knight, Role::Knight),
    (Role::Knight, Role::Bishop),
    (Role::Knight, Role::Rook),
    (Role::Bishop, Role::Pawn),
    (Role::Bishop, Role::Knight),
    (Role::Bishop, Role::Bishop),
];

/// The distance where there is no path.
pub(crate) const UNREACHABLE: u32 = 40;

impl CornerMate {
    /// The corner mates that can come about from a position, the nearest first.
    pub fn nearest<R: Rules>(position: &Position<R>, winner: Color) -> Vec<CornerMate> {
        let mut pictures: Vec<(u32, CornerMate)> = CORNER_MATES
            .iter()
            .map(|picture| picture.seen_by(winner))
            .map(|picture| (picture.steps_from(position.board()), picture))
            .filter(|(steps, _)| *steps < UNREACHABLE)
            .collect();
        pictures.sort_by_key(|(steps, _)| *steps);
        pictures.into_iter().map(|(_, picture)| picture).collect()
    }

    fn is_mate(&self) -> bool {
        let mut setup = Setup {
            board: Board::EMPTY,
            castling: Bitboard::EMPTY,
            turn: Color::Black,
            ..Setup::start()
        };
        for (at, role, color) in [
            (self.king, Role::King, Color::Black),
            (self.guard, Role::King, Color::White),
            (self.minor.at, self.minor.role, Color::White),
            (self.blocker.at, self.blocker.role, Color::Black),
        ] {
            if setup.board.occupied().contains(at) {
                return false;
            }
            setup.board.set(at, Piece { color, role });
        }
        Position::<Chess>::from_setup(&setup).is_ok_and(|position| position.is_checkmate())
    }

    /// The same with the colours of this winner.
    fn seen_by(&self, winner: Color) -> CornerMate {
        if winner == Color::White {
            return *self;
        }
        let flip = |man: CornerMatePiece| CornerMatePiece {
            at: man.at.flip(),
            ..man
        };
        CornerMate {
            winner,
            king: self.king.flip(),
            guard: self.guard.flip(),
            minor: flip(self.minor),
            blocker: flip(self.blocker),
        }
    }
}

impl<R: Rules> DistanceHeuristic<R> for CornerMate {
    fn cost(&self, _board: &Board) -> u64 {
        1
    }

    fn score(
        &self,
        position: &Position<R>,
        moves: &[Move],
        _kings: (Square, Square),
        mut take: impl FnMut(Move, usize),
    ) {
        let color = position.turn();
        let idle = self.score_of(position.board());
        let places = self.places();
        for &mv in moves {
            let touches = (places & (mv.from().set() | mv.to().set())).any();
            if !touches && !mv.is_capture() && !self.concerns(color, mv.role()) {
                take(mv, idle);
                continue;
            }
            take(mv, self.score_of(&board_after(position, mv)));
        }
    }
}

/// Scores are multiples of this.
const SCORE_PER_STEP: usize = 5;

impl CornerMate {
    /// The squares of the mate.
    fn places(&self) -> Bitboard {
        self.king.set() | self.guard.set() | self.minor.at.set() | self.blocker.at.set()
    }

    /// Whether pieces of this kind are in the mate or can become one that is.
    fn concerns(&self, color: Color, role: Role) -> bool {
        if color == self.winner {
            role == Role::King || role == self.minor.role
        } else {
            matches!(role, Role::King | Role::Pawn) || role == self.blocker.role
        }
    }

    /// The score of a board: the steps to the mate, and one more for each other piece of the loser, two for a queen or
    /// a rook. Few of them are useful, and all are in the way.
    fn score_of(&self, board: &Board) -> usize {
        let losers = board.by_color(!self.winner);
        let others = losers.len() + (losers & board.rooks_and_queens()).len();
        (SCORE_PER_STEP * (self.steps_from(board) as usize + others)).min(MAX_DISTANCE_SCORE)
    }

    /// How many moves of the four pieces lead from a board to the mate, ignoring blockers.
    fn steps_from(&self, board: &Board) -> u32 {
        let winners = board.by_color(self.winner);
        let losers = board.by_color(!self.winner);
        let (Some(own), Some(other)) = (board.king_of(self.winner), board.king_of(!self.winner))
        else {
            return UNREACHABLE;
        };
        let king = u32::from(other.distance(self.king));
        let guard = u32::from(own.distance(self.guard));
        let minor = shortest(
            self.minor,
            self.winner,
            winners & board.by_role(self.minor.role),
        );
        let blocker = self.blocker.role;
        let mut block = shortest(self.blocker, !self.winner, losers & board.by_role(blocker));
        if blocker != Role::Pawn {
            let pawns = losers & board.by_role(Role::Pawn);
            block = block.min(self.shortest_promotion(pawns, board) + 2);
        }
        let in_the_way = [self.king, self.guard, self.minor.at, self.blocker.at]
            .into_iter()
            .zip([losers, winners, winners, losers])
            .filter(|&(at, men)| (board.occupied() - men).contains(at))
            .count();
        // First the mated king goes into the corner, then the other comes near, then a piece blocks the way out, and at
        // once the mate is given: a piece that arrives too early keeps the king out, or leaves its side without a move.
        let set = king + in_the_way as u32;
        let guard = if set > 0 { waiting(guard, 2) } else { guard };
        if set + guard > 0 && blocker != Role::Pawn {
            block = waiting(block, 1);
        }
        let minor = match set + guard + block {
            0 => minor,
            _ if set > 0 => waiting(minor, 2),
            _ => waiting(minor, 1),
        };
        (set + guard + block + minor).min(UNREACHABLE)
    }

    /// How many moves the foremost of the loser's pawns needs to become the blocker.
    fn shortest_promotion(&self, pawns: Bitboard, board: &Board) -> u32 {
        let loser = !self.winner;
        let suits = |pawn: &Square| {
            let promoted = Square::at(pawn.file(), Rank::Eighth.of(loser));
            self.blocker.role != Role::Bishop || promoted.is_light() == self.blocker.at.is_light()
        };
        let steps = pawns.into_iter().filter(suits);
        let steps = steps.map(|pawn| steps_to_promotion(board, loser, pawn));
        steps.min().unwrap_or(UNREACHABLE)
    }
}

/// How many moves the nearest of these pieces, all of one role, needs to its place.
fn shortest(place: CornerMatePiece, color: Color, men: Bitboard) -> u32 {
    let CornerMatePiece { role, at } = place;
    if men.contains(at) {
        return 0;
    }
    // A slider needs one move or two, whichever one goes.
    let (near, far) = match role {
        Role::Bishop if at.is_light() => (attacks::bishop(at, Bitboard::EMPTY), Bitboard::LIGHT),
        Role::Bishop => (attacks::bishop(at, Bitboard::EMPTY), Bitboard::DARK),
        Role::Rook => (attacks::rook(at, Bitboard::EMPTY), !Bitboard::EMPTY),
        _ => {
            let steps = men.into_iter().map(|from| steps(role, color, from, at));
            return steps.min().unwrap_or(UNREACHABLE);
        }
    };
    match (men & near).any() {
        true => 1,
        false if (men & far).any() => 2,
        false => UNREACHABLE,
    }
}

/// How many moves a piece needs on an empty board.
pub(crate) fn steps(role: Role, color: Color, from: Square, to: Square) -> u32 {
    let (file, rank) = (from.file().index(), from.rank().index());
    let files = u32::from(file.abs_diff(to.file().index()));
    let ranks = u32::from(rank.abs_diff(to.rank().index()));
    match role {
        _ if from == to => 0,
        Role::Pawn => {
            let is_ahead = (to.rank().index() > rank) == (color == Color::White);
            if files == 0 && is_ahead {
                ranks
            } else {
                UNREACHABLE
            }
        }
        Role::Knight => knight_distance(files, ranks),
        Role::Bishop if from.is_light() != to.is_light() => UNREACHABLE,
        Role::Bishop => 2 - u32::from(files == ranks),
        Role::Rook => 2 - u32::from(files == 0 || ranks == 0),
        Role::Queen | Role::King => files.max(ranks),
    }
}
