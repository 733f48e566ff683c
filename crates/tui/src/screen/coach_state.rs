//! What the coach is busy with at a table, and what he has said about the whole game. How it changes is in
//! [`update`](crate::screen::update).

use touchmove_coach::Review;
use touchmove_rules::Color;

use crate::opponents::{BETWEEN_PEOPLE, Inquiry, ON_THE_NETWORK, Rivals, Wanted};
use crate::screen::game_screen::Table;

/// The coach at a table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Coaching {
    /// How many questions were asked.
    pub number: u64,
    /// The review of the game, as far as it is.
    pub review: Option<Reviewing>,
    /// Whether the page with the review lies over the board.
    pub is_open: bool,
    /// Whether two people have agreed to be helped.
    pub is_agreed: bool,
}

/// A review of the game.
#[derive(Clone, PartialEq, Debug)]
pub enum Reviewing {
    /// So many steps of so many are done.
    Busy(usize, usize),
    /// It is there, of so many plies.
    Done(Box<Review>, usize),
}

impl Table {
    /// The next question for the coach about what the board shows, or why there is no answer.
    pub(super) fn inquire(&mut self, what: Inquiry) -> Result<Wanted, &'static str> {
        self.may_be_helped(what)?;
        let plies = match what {
            Inquiry::Review => self.game.plies().len(),
            Inquiry::Hint | Inquiry::Threat => self.plies_shown(),
        };
        self.coaching.number += 1;
        let moves = self.game.plies().iter().take(plies).map(|ply| ply.mv);
        Ok(Wanted {
            number: self.coaching.number,
            what,
            start: self.game.terms().start,
            moves: moves.collect(),
        })
    }

    fn may_be_helped(&self, what: Inquiry) -> Result<(), &'static str> {
        let is_over = self.game.ending().is_some() || self.study.is_some();
        if self.live.is_some() {
            return Err(ON_THE_NETWORK);
        }
        match what {
            Inquiry::Review if !is_over => Err("A game is reviewed when it is over."),
            Inquiry::Review if self.game.plies().is_empty() => Err("There are no moves to review."),
            _ if is_over => Ok(()),
            _ if !self.rivals.are_there() && !self.coaching.is_agreed => Err(BETWEEN_PEOPLE),
            _ if self.shown.is_none() && self.rivals.has(self.game.turn()) => {
                Err("It is the computer's turn.")
            }
            _ => Ok(()),
        }
    }

    /// Whether the player of this colour is a computer.
    pub(super) fn is_computer(&self, color: Color) -> bool {
        self.rivals.has(color)
    }

    /// Looks who sits here, once.
    pub(super) fn meet(&mut self, rivals: Rivals, is_agreed: bool) {
        self.coaching.is_agreed = is_agreed;
        if let Some(you) = rivals.you() {
            self.near = you;
            let king = self.game.position().board().king_of(you);
            self.cursor = king.unwrap_or(self.cursor);
        }
        self.rivals = rivals;
        self.has_met = true;
    }
}
