//! Draws by repetition, and by fifty or seventy-five moves without a capture or a pawn move.
//! Counting how often a position has occurred is up to the caller, who has the game.

use crate::Draw;

/// Occurrences of a position that allow a claim (FIDE 9.2).
pub const THREEFOLD_OCCURRENCES: usize = 3;
/// Occurrences of a position that end the game (FIDE 9.6.1).
pub const FIVEFOLD_OCCURRENCES: usize = 5;
/// Fifty moves by each side, in plies (FIDE 9.3).
pub const FIFTY_MOVES_PLIES: u32 = 100;
/// Seventy-five moves by each side, in plies (FIDE 9.6.2).
pub const SEVENTY_FIVE_MOVES_PLIES: u32 = 150;

/// A draw that the player on move may claim.
///
/// ```
/// use touchmove_rules::{DrawClaim, draw_rules};
/// assert_eq!(draw_rules::claims(3, 10).next(), Some(DrawClaim::ThreefoldRepetition));
/// assert_eq!(DrawClaim::FiftyMoves.status(), "fifty_moves");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DrawClaim {
    /// The position has occurred three times (FIDE 9.2).
    ThreefoldRepetition,
    /// Fifty moves by each side without a capture or a pawn move (FIDE 9.3).
    FiftyMoves,
}

impl DrawClaim {
    /// Both claims.
    pub const ALL: [DrawClaim; 2] = [DrawClaim::ThreefoldRepetition, DrawClaim::FiftyMoves];

    /// The draw that the claim leads to.
    #[must_use]
    pub const fn draw(self) -> Draw {
        match self {
            DrawClaim::ThreefoldRepetition => Draw::ThreefoldRepetition,
            DrawClaim::FiftyMoves => Draw::FiftyMoves,
        }
    }

    /// The rule behind the claim, in words.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            DrawClaim::ThreefoldRepetition => "threefold repetition",
            DrawClaim::FiftyMoves => "the fifty-move rule",
        }
    }

    /// The stable name of the claim for programs.
    #[must_use]
    pub const fn status(self) -> &'static str {
        self.draw().status()
    }
}

/// The claims for a position that has occurred so often, after so many plies without a capture or pawn move.
pub fn claims(repetitions: usize, quiet_plies: u32) -> impl Iterator<Item = DrawClaim> {
    DrawClaim::ALL.into_iter().filter(move |claim| match claim {
        DrawClaim::ThreefoldRepetition => repetitions >= THREEFOLD_OCCURRENCES,
        DrawClaim::FiftyMoves => quiet_plies >= FIFTY_MOVES_PLIES,
    })
}

/// The draw that ends the game without a claim in such a position (FIDE 9.6). A checkmate on the
/// board takes precedence.
///
/// ```
/// use touchmove_rules::{Draw, draw_rules};
/// assert_eq!(draw_rules::automatic_draw(1, 150), Some(Draw::SeventyFiveMoves));
/// assert_eq!(draw_rules::automatic_draw(4, 149), None);
/// ```
#[must_use]
pub const fn automatic_draw(repetitions: usize, quiet_plies: u32) -> Option<Draw> {
    if repetitions >= FIVEFOLD_OCCURRENCES {
        Some(Draw::FivefoldRepetition)
    } else if quiet_plies >= SEVENTY_FIVE_MOVES_PLIES {
        Some(Draw::SeventyFiveMoves)
    } else {
        None
    }
}
