//! Forced moves, and the final check of every result: lines are replayed here before they are returned. It searches
//! nothing where there is a choice of moves.
//!
//! **The argument.** A game that is over is won or not. While it goes on, a side that lacks the
//! [material](crate::proof::material) cannot win. Where there is just one legal move, every series of legal
//! moves begins with it: a side can win before it exactly if it can after it.

use touchmove_rules::{Color, Move, MoveList, Outcome, Position, Rules};

use crate::proof::material;
use crate::{Proof, Winnability};

/// The forced moves from a position, up to the first choice or a known result.
pub(crate) struct ForcedLine<R: Rules> {
    start: Position<R>,
    side: Color,
    moves: Vec<Move>,
    /// The position after them.
    pub end: Position<R>,
    /// The result for that position, if it is known without a choice of moves.
    pub verdict: Option<Winnability>,
}

/// The maximum length: two kings can force each other for ever. The closure notices that, the forced line does not.
const MAX_FORCED_PLIES: usize = 32;

impl<R: Rules> ForcedLine<R> {
    /// Plays the forced moves. `moves` is only a buffer.
    pub fn from(start: &Position<R>, side: Color, moves: &mut MoveList) -> ForcedLine<R> {
        let mut line = ForcedLine {
            start: *start,
            side,
            moves: Vec::new(),
            end: *start,
            verdict: None,
        };
        loop {
            line.verdict = at_once(&line.end, side);
            if line.verdict.is_some() {
                return line;
            }
            line.end.list_moves(moves);
            match moves.as_slice() {
                &[mv] if line.moves.len() < MAX_FORCED_PLIES => {
                    line.moves.push(mv);
                    line.end.play(mv);
                }
                _ => return line,
            }
        }
    }

    /// How many positions it goes through, with both ends.
    pub fn positions(&self) -> u64 {
        self.moves.len() as u64 + 1
    }

    /// Turns the result for the end into the result for the start.
    pub fn carry_back(self, verdict: Winnability) -> Winnability {
        match verdict {
            Winnability::Winnable(rest) => {
                let line = match self.moves.is_empty() {
                    true => rest,
                    false => [self.moves, rest].concat(),
                };
                assert!(
                    wins(&self.start, self.side, &line),
                    "a line that does not win was found in {}",
                    self.start.fen()
                );
                Winnability::Winnable(line)
            }
            Winnability::Unwinnable(proof) if !self.moves.is_empty() => {
                Winnability::Unwinnable(Proof::Forced {
                    plies: self.moves.len(),
                    then: Box::new(proof),
                })
            }
            other => other,
        }
    }
}

/// The result that needs no look at the moves: a finished game, then the material. The order matters: a mate on the
/// board counts whatever the material.
fn at_once<R: Rules>(position: &Position<R>, side: Color) -> Option<Winnability> {
    match position.outcome() {
        Some(outcome) if outcome.winner() == Some(side) => Some(Winnability::Winnable(Vec::new())),
        Some(outcome) => Some(Winnability::Unwinnable(Proof::Over(outcome))),
        None if material::lacks_material(position, side) => {
            Some(Winnability::Unwinnable(Proof::Material))
        }
        None => None,
    }
}

/// Whether these are legal moves from the position that end with a win of `side`.
fn wins<R: Rules>(position: &Position<R>, side: Color, line: &[Move]) -> bool {
    let mut at = *position;
    for &mv in line {
        if !at.is_legal(mv) {
            return false;
        }
        at.play(mv);
    }
    at.outcome().and_then(Outcome::winner) == Some(side)
}
