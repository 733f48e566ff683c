//! [`Score`]: the value of a position for the side on move, in hundredths of a pawn or in moves to the end.

use std::fmt;

/// The score of a mate now; a later mate is this less the plies to it.
pub(crate) const MATE_SCORE: i32 = 32_000;
/// The maximum length of a line, in plies.
pub(crate) const MAX_PLY: usize = 120;
/// Scores beyond this are mates that were found.
pub(crate) const MATE_BOUND: i32 = MATE_SCORE - 1000;
/// More than any score.
pub(crate) const INFINITE_SCORE: i32 = 32_500;

/// The value of a position for the side on move.
///
/// ```
/// use touchmove_engine::Score;
///
/// assert_eq!(Score::Centipawns(-35).to_string(), "cp -35");
/// assert_eq!(Score::Mate(2).to_string(), "mate 2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many moves of the side on move, or if negative of the opponent. Zero is a game that is lost
    /// already. An exploded king counts as mate.
    Mate(i32),
}

impl Score {
    pub(crate) fn of(value: i32) -> Score {
        if value >= MATE_BOUND {
            Score::Mate((MATE_SCORE - value + 1) / 2)
        } else if value <= -MATE_BOUND {
            Score::Mate(-(MATE_SCORE + value) / 2)
        } else {
            Score::Centipawns(value)
        }
    }
}

impl fmt::Display for Score {
    /// As UCI writes it: `cp 35`, `mate -3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => write!(f, "cp {value}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_side_that_mates() {
        assert_eq!(Score::of(MATE_SCORE - 1), Score::Mate(1));
        assert_eq!(Score::of(MATE_SCORE - 3), Score::Mate(2));
        assert_eq!(Score::of(-MATE_SCORE), Score::Mate(0));
        assert_eq!(Score::of(-MATE_SCORE + 2), Score::Mate(-1));
        assert_eq!(Score::of(-MATE_SCORE + 4), Score::Mate(-2));
    }
}
