//! Another game at the same terminal: a rematch with colours swapped, or the same again.

use touchmove_game::{Game, Timestamp};

use crate::plain::{Output, PendingQuestion, PlainSession, say};
use crate::quit_prompt::QuitReason;

impl PlainSession {
    /// Starts another game. In interactive use, asks first if the current one is not over.
    pub(super) fn another(&mut self, now: Timestamp, swapped: bool) -> Output {
        if self.place.is_some() {
            return say("At a table on the network, say rematch when the game is over.");
        }
        if self.game.ending().is_none() && self.style.interactive {
            self.pending = Some(PendingQuestion::Another { swapped });
            let leaving = match swapped {
                true => QuitReason::Rematch,
                false => QuitReason::Another,
            };
            let question = leaving.question(&self.game, self.is_kept);
            return say(format!("{question} yes or no"));
        }
        self.begin_another(now, swapped)
    }

    /// Begins another game on the same terms; prints the current one if it is unfinished and not saved.
    pub(super) fn begin_another(&mut self, now: Timestamp, swapped: bool) -> Output {
        let is_unfinished = self.game.ending().is_none() && !self.game.plies().is_empty();
        let mut text = match is_unfinished && !self.is_kept {
            true => format!("{}\n", self.unfinished()),
            false => String::new(),
        };
        let mut players = self.game.players();
        if swapped {
            std::mem::swap(&mut players.white, &mut players.black);
        }
        self.game = Game::begin(self.game.terms().clone(), players, now);
        self.reseat_computers();
        self.pending = None;
        self.record_shown = false;
        text += &self.introduction(now);
        Output {
            text,
            begins: true,
            ..Output::default()
        }
    }
}
