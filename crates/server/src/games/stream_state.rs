//! The state of a game that streams send after each decision.

use touchmove_game::{Ending, Millis, Timestamp};
use touchmove_rules::{ByColor, Color, UciMove};

use crate::games::table::LiveGame;

/// The state of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Standing {
    /// The number of the latest event.
    pub(crate) seq: u64,
    /// The moves in UCI, with a space between.
    pub(crate) moves: String,
    /// Each player's remaining time; `None` without clocks.
    pub(crate) time_left: ByColor<Option<Millis>>,
    /// The ending.
    pub(crate) ending: Option<Ending>,
    /// Whether a seat is open.
    pub(crate) is_waiting: bool,
    /// The player who offers a draw.
    pub(crate) draw_offer: Option<Color>,
    /// The player who asks for a takeback.
    pub(crate) takeback_offer: Option<Color>,
}

impl Standing {
    /// The state of a game at this time.
    pub(crate) fn of(core: &LiveGame, now: Timestamp) -> Standing {
        let game = &core.game;
        Standing {
            seq: game.seq(),
            moves: core.moves.text.clone(),
            time_left: ByColor::with(|player| game.time_left(player, now)),
            ending: game.ending(),
            is_waiting: core.open_seat().is_some(),
            draw_offer: game.draw_offer(),
            takeback_offer: game.takeback_offer(),
        }
    }
}

/// The moves of a game as one text that grows with the game.
#[derive(Default)]
pub(super) struct MovesText {
    text: String,
}

impl MovesText {
    /// Appends a move.
    pub(super) fn push(&mut self, attempt: UciMove) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        push_uci(&mut self.text, attempt);
    }

    /// Removes the last moves.
    pub(super) fn remove_last(&mut self, plies: usize) {
        for _ in 0..plies {
            let end = self.text.rfind(' ').unwrap_or(0);
            self.text.truncate(end);
        }
    }
}

/// Appends a move in UCI.
pub(super) fn push_uci(text: &mut String, attempt: UciMove) {
    for square in [attempt.from, attempt.to] {
        text.push(square.file().char());
        text.push(square.rank().char());
    }
    if let Some(promotion) = attempt.promotion {
        text.push(promotion.char().to_ascii_lowercase());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_added_and_taken_back_at_the_end() {
        let mut moves = MovesText::default();
        for uci in ["e2e4", "a7a8q", "g8f6"] {
            moves.push(uci.parse().unwrap());
        }
        assert_eq!(moves.text, "e2e4 a7a8q g8f6");
        moves.remove_last(2);
        assert_eq!(moves.text, "e2e4");
        moves.remove_last(1);
        assert_eq!(moves.text, "");
        moves.push("d2d4".parse().unwrap());
        assert_eq!(moves.text, "d2d4");
    }
}
