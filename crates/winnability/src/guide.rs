//! [`Guide`]: how far a position looks from a win, for the order of a search. It proves nothing.

use touchmove_rules::{Board, Color, Position, Role, Rules, Square, SquareSet, attacks};

/// Guesses for one side that would like to win.
pub(crate) struct Guide {
    winner: Color,
}

impl Guide {
    pub fn new(winner: Color) -> Guide {
        Guide { winner }
    }

    /// A guess at the distance to a win: 0 is near.
    pub fn distance<R: Rules>(&self, position: &Position<R>) -> u32 {
        let board = position.board();
        let loser = !self.winner;
        let (Some(own), Some(other)) = (board.king_of(self.winner), board.king_of(loser)) else {
            return 0;
        };
        let men = board.of(self.winner);
        let force = self.force(board, men);
        let guarded = self.guarded(board, men, other.set());
        let flights = (attacks::king(other) - board.of(loser) - guarded).len() as u32;
        let checked = guarded.contains(other);
        let apart = u32::from(own.distance(other)).saturating_sub(2);
        let helpers = (board.of(loser) - board.with_role(Role::Pawn)).len() as u32;
        let mut distance = force * 6 + flights * 4 + apart * 3 + from_edge(other) * 3 + helpers;
        if checked && position.turn() == loser {
            distance = if flights == 0 {
                0
            } else {
                distance.saturating_sub(4)
            };
        }
        distance
    }

    fn force(&self, board: &Board, men: SquareSet) -> u32 {
        if (men & board.with_role(Role::Queen)).any() {
            0
        } else if (men & board.with_role(Role::Rook)).any() {
            1
        } else {
            let pawns = men & board.with_role(Role::Pawn);
            let steps = pawns
                .into_iter()
                .map(|pawn| 7 - u32::from(pawn.rank().of(self.winner).index()))
                .min();
            2 + steps.unwrap_or(2)
        }
    }

    /// The squares that the winning side attacks, the other king being out of the way.
    fn guarded(&self, board: &Board, men: SquareSet, king: SquareSet) -> SquareSet {
        let occupied = board.occupied() - king;
        men.into_iter().fold(SquareSet::EMPTY, |guarded, square| {
            let role = board.role_at(square).unwrap_or(Role::King);
            guarded | attacks::of(role, self.winner, square, occupied)
        })
    }
}

/// How many steps a square is from the nearest edge.
fn from_edge(square: Square) -> u32 {
    let file = u32::from(square.file().index());
    let rank = u32::from(square.rank().index());
    file.min(7 - file).min(rank.min(7 - rank))
}
