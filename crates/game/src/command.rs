//! What a player can ask for. Whether it is granted is for [`Game::decide`](crate::Game::decide)
//! to say.

use touchmove_rules::Attempt;

/// A wish of one of the players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Command {
    /// Play this move.
    Move(Attempt),
    /// Offer a draw, or agree to the one that the opponent has offered.
    OfferDraw,
    /// Agree to the opponent's offer.
    AcceptDraw,
    /// Decline the opponent's offer.
    DeclineDraw,
    /// Claim a draw by repetition or the fifty-move rule: as the position stands, or because the
    /// announced move would bring the claimed position about (FIDE 9.2, 9.3).
    ClaimDraw {
        /// The move that the player means to play.
        announced: Option<Attempt>,
    },
    /// Give up, on turn or off it (FIDE 5.1.2).
    Resign,
    /// Ask to take back one's own last move, and the reply to it if there is one.
    OfferTakeback,
    /// Let the opponent take back.
    AcceptTakeback,
    /// Let the opponent's move stand.
    DeclineTakeback,
    /// Break off before both sides have moved.
    Abort,
}
