//! The state of the coach on the game screen: its question under way, and its review.
//! [`update`](crate::screen::update) changes it.

use touchmove_coach::Review;
use touchmove_rules::Color;

use crate::opponents::{
    CoachQuestion, CoachRequest, ComputerSeats, NO_HELP_ONLINE_TEXT, NO_HELP_TEXT,
};
use crate::screen::game_screen::GameScreen;

/// The state of the coach on the game screen.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CoachState {
    /// The number of questions so far.
    pub number: u64,
    /// The review of the game, if one was started.
    pub review: Option<ReviewState>,
    /// Whether the review page is open over the board.
    pub is_open: bool,
    /// Whether both players have agreed to hints.
    pub is_agreed: bool,
}

/// A review of the game.
#[derive(Clone, PartialEq, Debug)]
pub enum ReviewState {
    /// In progress: steps done, and steps in all.
    Busy(usize, usize),
    /// Finished, with the number of plies it covers.
    Done(Box<Review>, usize),
}

impl GameScreen {
    /// The next question for the coach about the position on the board, or why it is refused.
    pub(super) fn next_coach_request(
        &mut self,
        what: CoachQuestion,
    ) -> Result<CoachRequest, &'static str> {
        self.check_help_allowed(what)?;
        let plies = match what {
            CoachQuestion::Review => self.game.plies().len(),
            CoachQuestion::Hint | CoachQuestion::Threat => self.plies_shown(),
        };
        self.coaching.number += 1;
        let moves = self.game.plies().iter().take(plies).map(|ply| ply.mv);
        Ok(CoachRequest {
            number: self.coaching.number,
            what,
            start: self.game.terms().start,
            moves: moves.collect(),
        })
    }

    fn check_help_allowed(&self, what: CoachQuestion) -> Result<(), &'static str> {
        let is_over = self.game.ending().is_some() || self.study.is_some();
        if self.live.is_some() {
            return Err(NO_HELP_ONLINE_TEXT);
        }
        match what {
            CoachQuestion::Review if !is_over => Err("A game is reviewed when it is over."),
            CoachQuestion::Review if self.game.plies().is_empty() => {
                Err("There are no moves to review.")
            }
            _ if is_over => Ok(()),
            _ if !self.rivals.are_there() && !self.coaching.is_agreed => Err(NO_HELP_TEXT),
            _ if self.shown.is_none() && self.rivals.has(self.game.turn()) => {
                Err("It is the computer's turn.")
            }
            _ => Ok(()),
        }
    }

    /// Whether this player is a computer.
    pub(super) fn is_computer(&self, color: Color) -> bool {
        self.rivals.has(color)
    }

    /// Assigns computers to their seats, and shows the board from the side of a single person.
    pub(super) fn seat_computers(&mut self, rivals: ComputerSeats, is_agreed: bool) {
        self.coaching.is_agreed = is_agreed;
        if let Some(you) = rivals.only_human() {
            self.near = you;
            let king = self.game.position().board().king_of(you);
            self.cursor = king.unwrap_or(self.cursor);
        }
        self.rivals = rivals;
        self.has_met = true;
    }
}
