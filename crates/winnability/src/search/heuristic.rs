//! The distance heuristic: how far from a win the position after a move looks. It orders a search and proves nothing.

use touchmove_rules::{Board, Move, Position, Rules, Square};

/// The maximum score.
pub(crate) const MAX_DISTANCE_SCORE: usize = 255;

/// Estimates how far from a win the positions after the moves of a position are: 0 is near.
pub(crate) trait DistanceHeuristic<R: Rules> {
    /// The cost of scoring one move from a board, in sixteenths of the cost of a position. The default is negligible.
    fn cost(&self, _board: &Board) -> u64 {
        0
    }

    /// Passes each of the moves to `take` with its score, at most [`MAX_DISTANCE_SCORE`]. The kings are those of the
    /// winner and of the loser.
    fn score(
        &self,
        position: &Position<R>,
        moves: &[Move],
        kings: (Square, Square),
        take: impl FnMut(Move, usize),
    );

    /// The same, but may leave out moves equivalent to one already passed on. If so, returns the score at which to ask
    /// for the others.
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

    /// Passes on the moves that were left out.
    fn score_others(
        &self,
        _position: &Position<R>,
        _moves: &[Move],
        _kings: (Square, Square),
        _take: impl FnMut(Move, usize),
    ) {
    }
}

/// The board after a move, without the rook's part of castling and the removal of a pawn captured en passant: exact
/// enough for a heuristic.
pub(crate) fn board_after<R: Rules>(position: &Position<R>, mv: Move) -> Board {
    let mut board = *position.board();
    let role = mv.promotes_to().unwrap_or(mv.role());
    board.remove(mv.from());
    board.set(mv.to(), role.of(position.turn()));
    board
}

/// The count for a piece this many steps from its place that should wait at this distance.
pub(crate) fn waiting(steps: u32, distance: u32) -> u32 {
    distance + steps.abs_diff(distance)
}
