//! How a game ended: who won and why, as types that can express only valid endings, with their
//! stable names for programs. When a game ends is decided elsewhere.

use std::fmt;

use crate::{Color, Outcome};

/// The end of a game.
///
/// ```
/// use touchmove_rules::{Color, Ending, Victory};
///
/// let ending = Ending::Win { winner: Color::Black, by: Victory::Checkmate };
/// assert_eq!(ending.to_string(), "Black wins by checkmate");
/// assert_eq!((ending.status(), ending.result()), ("checkmate", "0-1"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// One side has won.
    Win {
        /// The side that has won.
        winner: Color,
        /// How it won.
        by: Victory,
    },
    /// Nobody has won.
    Draw(Draw),
    /// There is no result.
    NoResult(NoResult),
}

/// The ways to win.
///
/// ```
/// use touchmove_rules::{Color, Ending, Victory};
///
/// let ending = Ending::Win { winner: Color::White, by: Victory::FlagFall };
/// assert_eq!((ending.status(), ending.winner()), ("flag_fall", Some(Color::White)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Victory {
    /// The other king is in check and no legal move helps (FIDE 5.1.1).
    Checkmate,
    /// The other king was captured or exploded (Atomic A3, simple Atomic 002-9).
    KingExploded,
    /// The other player resigned (FIDE 5.1.2).
    Resignation,
    /// The other player's time ran out (FIDE 6.9).
    FlagFall,
    /// The other player did not come to the board (FIDE 6.7).
    NoShow,
    /// The other player left the board and did not come back.
    Abandonment,
    /// The other player broke the terms, and the arbiter declared the game lost (FIDE 12.9).
    Forfeit,
}

/// The ways to draw.
///
/// ```
/// use touchmove_rules::{Color, Draw, Ending};
///
/// let ending = Ending::Draw(Draw::FlagFall { flagged: Color::White });
/// assert_eq!((ending.status(), ending.result()), ("flag_fall_draw", "1/2-1/2"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Draw {
    /// No legal move, and not in check (FIDE 5.2.1).
    Stalemate,
    /// Nobody can win any more by any series of legal moves (FIDE 5.2.2).
    DeadPosition,
    /// The players agreed (FIDE 5.2.3).
    Agreement,
    /// The position occurred for the third time (FIDE 9.2).
    ThreefoldRepetition,
    /// The position occurred for the fifth time (FIDE 9.6.1).
    FivefoldRepetition,
    /// Fifty moves by each side without a capture or a pawn move (FIDE 9.3).
    FiftyMoves,
    /// Seventy-five such moves (FIDE 9.6.2).
    SeventyFiveMoves,
    /// A player's time ran out, but the other cannot win by any series of legal moves (FIDE 6.9).
    FlagFall {
        /// The player whose time ran out.
        flagged: Color,
    },
    /// A player left the board, and the other settled for a draw.
    Abandonment {
        /// The player who left.
        gone: Color,
    },
}

/// The ways to end without a result.
///
/// ```
/// use touchmove_rules::{Ending, NoResult};
///
/// assert_eq!(Ending::NoResult(NoResult::Aborted).result(), "*");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NoResult {
    /// The game was aborted before it had really begun.
    Aborted,
    /// The starting position cannot be played.
    IllegalPosition,
}

impl Victory {
    /// Every way to win.
    pub const ALL: [Victory; 7] = [
        Victory::Checkmate,
        Victory::KingExploded,
        Victory::Resignation,
        Victory::FlagFall,
        Victory::NoShow,
        Victory::Abandonment,
        Victory::Forfeit,
    ];
}

impl Ending {
    /// The side that has won.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Ending::Win { winner, .. } => Some(winner),
            Ending::Draw(_) | Ending::NoResult(_) => None,
        }
    }

    /// The result as PGN writes it: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self {
            Ending::Win {
                winner: Color::White,
                ..
            } => "1-0",
            Ending::Win {
                winner: Color::Black,
                ..
            } => "0-1",
            Ending::Draw(_) => "1/2-1/2",
            Ending::NoResult(_) => "*",
        }
    }

    /// The stable name of the ending for programs.
    #[must_use]
    pub const fn status(self) -> &'static str {
        match self {
            Ending::Win { by, .. } => match by {
                Victory::Checkmate => "checkmate",
                Victory::KingExploded => "king_exploded",
                Victory::Resignation => "resignation",
                Victory::FlagFall => "flag_fall",
                Victory::NoShow => "no_show",
                Victory::Abandonment => "abandonment",
                Victory::Forfeit => "forfeit",
            },
            Ending::Draw(draw) => draw.status(),
            Ending::NoResult(NoResult::Aborted) => "aborted",
            Ending::NoResult(NoResult::IllegalPosition) => "illegal_position",
        }
    }
}

impl Draw {
    /// The stable name of the draw for programs.
    #[must_use]
    pub const fn status(self) -> &'static str {
        match self {
            Draw::Stalemate => "stalemate",
            Draw::DeadPosition => "dead_position",
            Draw::Agreement => "agreement",
            Draw::ThreefoldRepetition => "threefold_repetition",
            Draw::FivefoldRepetition => "fivefold_repetition",
            Draw::FiftyMoves => "fifty_moves",
            Draw::SeventyFiveMoves => "seventyfive_moves",
            Draw::FlagFall { .. } => "flag_fall_draw",
            Draw::Abandonment { .. } => "abandonment_draw",
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        match outcome {
            Outcome::Checkmate { winner } => Ending::Win {
                winner,
                by: Victory::Checkmate,
            },
            Outcome::KingExploded { winner } => Ending::Win {
                winner,
                by: Victory::KingExploded,
            },
            Outcome::Stalemate => Ending::Draw(Draw::Stalemate),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Ending::Win { winner, by } => {
                let loser = !winner;
                match by {
                    Victory::Checkmate => write!(f, "{winner} wins by checkmate"),
                    Victory::KingExploded => {
                        write!(f, "{winner} wins: {loser}'s king has been blown up")
                    }
                    Victory::Resignation => write!(f, "{winner} wins: {loser} resigned"),
                    Victory::FlagFall => write!(f, "{winner} wins: {loser}'s time ran out"),
                    Victory::NoShow => write!(f, "{winner} wins: {loser} did not come"),
                    Victory::Abandonment => write!(f, "{winner} wins: {loser} left the game"),
                    Victory::Forfeit => write!(f, "{winner} wins: {loser} forfeits the game"),
                }
            }
            Ending::Draw(draw) => match draw {
                Draw::Stalemate => f.write_str("Draw by stalemate"),
                Draw::DeadPosition => f.write_str("Draw: the position is dead"),
                Draw::Agreement => f.write_str("Draw by agreement"),
                Draw::ThreefoldRepetition => f.write_str("Draw by threefold repetition"),
                Draw::FivefoldRepetition => f.write_str("Draw by fivefold repetition"),
                Draw::FiftyMoves => f.write_str("Draw by the fifty-move rule"),
                Draw::SeventyFiveMoves => f.write_str("Draw by the seventy-five-move rule"),
                Draw::Abandonment { gone } => write!(f, "Draw: {gone} left the game"),
                Draw::FlagFall { flagged } => {
                    write!(
                        f,
                        "Draw: {flagged}'s time ran out, but {} cannot win",
                        !flagged
                    )
                }
            },
            Ending::NoResult(NoResult::Aborted) => f.write_str("The game was aborted"),
            Ending::NoResult(NoResult::IllegalPosition) => {
                f.write_str("The starting position is illegal")
            }
        }
    }
}
