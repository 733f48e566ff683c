//! [`Picture`]: a mate in a corner with one minor piece, where a man of the loser stands in his own
//! king's way, and how far a position is from it. For the order of a search; it proves nothing.

use std::sync::LazyLock;

use touchmove_rules::{
    Board, Chess, Color, Move, Piece, Position, Rank, Role, Rules, Setup, Square, SquareSet,
    attacks,
};

use crate::search::attack_queries::jumps;
use crate::search::heuristic::{FARTHEST, Guide, board_after, waiting};
use crate::search::promotion_paths::steps_to_promotion;

/// Where four men stand in a mate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picture {
    winner: Color,
    /// The mated king, in a corner.
    king: Square,
    /// The king that helps to mate him.
    guard: Square,
    minor: Man,
    blocker: Man,
}

/// A man in a picture.
#[derive(Clone, Copy, Debug)]
struct Man {
    role: Role,
    at: Square,
}

/// The pictures in which White wins.
static PICTURES: LazyLock<Vec<Picture>> = LazyLock::new(|| {
    const CORNERS: SquareSet = SquareSet(0x8100_0000_0000_0081);
    let mut pictures = Vec::new();
    for king in CORNERS {
        let near = |apart| Square::all().filter(move |at| at.distance(king) == apart);
        for guard in near(2) {
            for blocker in near(1) {
                for minor in near(1).chain(near(2)) {
                    for (piece, man) in PAIRS {
                        let picture = Picture {
                            winner: Color::White,
                            king,
                            guard,
                            minor: Man {
                                role: piece,
                                at: minor,
                            },
                            blocker: Man {
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

/// The piece that mates, and the man that helps against his will. With a rook or a queen in the way
/// there is no mate for a bishop, nor with a queen for a knight.
const PAIRS: [(Role, Role); 7] = [
    (Role::Knight, Role::Pawn),
    (Role::Knight, Role::Knight),
    (Role::Knight, Role::Bishop),
    (Role::Knight, Role::Rook),
    (Role::Bishop, Role::Pawn),
    (Role::Bishop, Role::Knight),
    (Role::Bishop, Role::Bishop),
];

/// A way that does not exist.
pub(crate) const NO_WAY: u32 = 40;

impl Picture {
    /// The pictures that can come about from a position, those that are nearest to it first.
    pub fn nearest<R: Rules>(position: &Position<R>, winner: Color) -> Vec<Picture> {
        let mut pictures: Vec<(u32, Picture)> = PICTURES
            .iter()
            .map(|picture| picture.seen_by(winner))
            .map(|picture| (picture.steps_from(position.board()), picture))
            .filter(|(steps, _)| *steps < NO_WAY)
            .collect();
        pictures.sort_by_key(|(steps, _)| *steps);
        pictures.into_iter().map(|(_, picture)| picture).collect()
    }

    fn is_mate(&self) -> bool {
        let mut setup = Setup {
            board: Board::EMPTY,
            castling: SquareSet::EMPTY,
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
    fn seen_by(&self, winner: Color) -> Picture {
        if winner == Color::White {
            return *self;
        }
        let flip = |man: Man| Man {
            at: man.at.flip(),
            ..man
        };
        Picture {
            winner,
            king: self.king.flip(),
            guard: self.guard.flip(),
            minor: flip(self.minor),
            blocker: flip(self.blocker),
        }
    }
}

impl<R: Rules> Guide<R> for Picture {
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
const STEP: usize = 5;

impl Picture {
    /// The squares of the picture.
    fn places(&self) -> SquareSet {
        self.king.set() | self.guard.set() | self.minor.at.set() | self.blocker.at.set()
    }

    /// Whether men of this kind are in the picture or can become a man in it.
    fn concerns(&self, color: Color, role: Role) -> bool {
        if color == self.winner {
            role == Role::King || role == self.minor.role
        } else {
            matches!(role, Role::King | Role::Pawn) || role == self.blocker.role
        }
    }

    /// The score of a board: the steps to the picture, and one more for each other man of the loser, two if
    /// he is a queen or a rook. Few of them are of use, and all of them are in the way.
    fn score_of(&self, board: &Board) -> usize {
        let losers = board.of(!self.winner);
        let others = losers.len() + (losers & board.straight_movers()).len();
        (STEP * (self.steps_from(board) as usize + others)).min(FARTHEST)
    }

    /// How many moves of four men, with nobody in their way, lead from a board to the picture.
    fn steps_from(&self, board: &Board) -> u32 {
        let winners = board.of(self.winner);
        let losers = board.of(!self.winner);
        let (Some(own), Some(other)) = (board.king_of(self.winner), board.king_of(!self.winner))
        else {
            return NO_WAY;
        };
        let king = u32::from(other.distance(self.king));
        let guard = u32::from(own.distance(self.guard));
        let minor = shortest(
            self.minor,
            self.winner,
            winners & board.with_role(self.minor.role),
        );
        let blocker = self.blocker.role;
        let mut block = shortest(
            self.blocker,
            !self.winner,
            losers & board.with_role(blocker),
        );
        if blocker != Role::Pawn {
            let pawns = losers & board.with_role(Role::Pawn);
            block = block.min(self.shortest_promotion(pawns, board) + 2);
        }
        let in_the_way = [self.king, self.guard, self.minor.at, self.blocker.at]
            .into_iter()
            .zip([losers, winners, winners, losers])
            .filter(|&(at, men)| (board.occupied() - men).contains(at))
            .count();
        // First the mated king goes into the corner, then the other comes near, then a man blocks
        // the way out, and at once the mate is given: who comes too early keeps the king out, or
        // leaves his side without a move.
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
        (set + guard + block + minor).min(NO_WAY)
    }

    /// How many moves the foremost of the loser's pawns needs to become the blocker.
    fn shortest_promotion(&self, pawns: SquareSet, board: &Board) -> u32 {
        let loser = !self.winner;
        let suits = |pawn: &Square| {
            let promoted = Square::at(pawn.file(), Rank::Eighth.of(loser));
            self.blocker.role != Role::Bishop || promoted.is_light() == self.blocker.at.is_light()
        };
        let steps = pawns.into_iter().filter(suits);
        let steps = steps.map(|pawn| steps_to_promotion(board, loser, pawn));
        steps.min().unwrap_or(NO_WAY)
    }
}

/// How many moves the nearest of these men, all of one role, needs to his place.
fn shortest(place: Man, color: Color, men: SquareSet) -> u32 {
    let Man { role, at } = place;
    if men.contains(at) {
        return 0;
    }
    // Sliders need one move or two, whoever of them goes.
    let (near, far) = match role {
        Role::Bishop if at.is_light() => (attacks::bishop(at, SquareSet::EMPTY), SquareSet::LIGHT),
        Role::Bishop => (attacks::bishop(at, SquareSet::EMPTY), SquareSet::DARK),
        Role::Rook => (attacks::rook(at, SquareSet::EMPTY), !SquareSet::EMPTY),
        _ => {
            let steps = men.into_iter().map(|from| steps(role, color, from, at));
            return steps.min().unwrap_or(NO_WAY);
        }
    };
    match (men & near).any() {
        true => 1,
        false if (men & far).any() => 2,
        false => NO_WAY,
    }
}

/// How many moves a man needs on an empty board.
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
                NO_WAY
            }
        }
        Role::Knight => jumps(files, ranks),
        Role::Bishop if from.is_light() != to.is_light() => NO_WAY,
        Role::Bishop => 2 - u32::from(files == ranks),
        Role::Rook => 2 - u32::from(files == 0 || ranks == 0),
        Role::Queen | Role::King => files.max(ranks),
    }
}
