//! The guide: how far from a win the position after a move looks, for the order of a search. It
//! proves nothing.

use touchmove_rules::{Board, Move, Position, Rules, Square};

/// Scores are cut off here.
pub(crate) const MAX_DISTANCE_SCORE: usize = 255;

/// An opinion on how far from a win the positions after the moves of a position are: 0 is near.
pub(crate) trait DistanceHeuristic<R: Rules> {
    /// What it costs to score one move from a board, in sixteenths of what it costs to look at a position; so
    /// little that it does not count, unless somebody says otherwise.
    fn cost(&self, _board: &Board) -> u64 {
        0
    }

    /// Hands each of the moves to `take` with its score, at most [`MAX_DISTANCE_SCORE`]. The kings are those of
    /// the winner and of the loser.
    fn score(
        &self,
        position: &Position<R>,
        moves: &[Move],
        kings: (Square, Square),
        take: impl FnMut(Move, usize),
    );

    /// The same, but moves that differ in nothing from one that was handed over may be left out. If there
    /// are any, the score is returned at which it is time to ask for them.
    fn score_some(
        &self,
        position: &Position<R>,
        moves: &[Move],
        kings: (Square, Square),
        take: impl FnMut(Move, usize),
    ) -> Option<usize> {
        self.score(position, moves, kings, take);
        None
    }

    /// Hands over the moves that were left out.
    fn score_others(
        &self,
        _position: &Position<R>,
        _moves: &[Move],
        _kings: (Square, Square),
        _take: impl FnMut(Move, usize),
    ) {
    }
}

/// Where the men stand after a move, but for a rook that castles and a pawn taken in passing: near
/// enough for a look.
pub(crate) fn board_after<R: Rules>(position: &Position<R>, mv: Move) -> Board {
    let mut board = *position.board();
    let role = mv.promotes_to().unwrap_or(mv.role());
    board.remove(mv.from());
    board.set(mv.to(), role.of(position.turn()));
    board
}

/// The count for a man who is so many steps from his place and should wait at this distance.
pub(crate) fn waiting(steps: u32, distance: u32) -> u32 {
    distance + steps.abs_diff(distance)
}
