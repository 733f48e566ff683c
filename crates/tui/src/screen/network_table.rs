//! What the screen knows of a table on the network beside its game: who sits here, who is there, what was
//! said, and whether the line holds. How it changes is in [`update`](crate::screen::update).

use touchmove_client::{ChatMessage, ClientCommand, PresenceSummary, RematchState, TableLink};
use touchmove_game::{Game, Intent, move_text};
use touchmove_rules::Color;

use crate::network_input::FollowPace;

/// The most remarks that are kept.
const MAX_CHAT_MESSAGES: usize = 100;

/// A table on the network.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkTable {
    /// Where it is.
    pub link: TableLink,
    /// The seat, if there is one.
    pub you: Option<Color>,
    /// Who is there.
    pub attendance: PresenceSummary,
    /// What was said lately.
    pub remarks: Vec<ChatMessage>,
    /// Whether another game is wanted.
    pub rematch: RematchState,
    /// What was said from here and is not answered.
    pub unanswered: Vec<ClientCommand>,
    /// What is said while the line is lost.
    pub lost: Option<String>,
    /// Whether this program serves the table.
    pub hosts: bool,
    /// How often whoever sits here is taken along to another game.
    pub(in crate::screen) pace: FollowPace,
}

impl NetworkTable {
    /// Whether whoever sits here may move now.
    #[must_use]
    pub fn may_move(&self, game: &Game) -> bool {
        self.you == Some(game.turn()) && !self.is_moving()
    }

    /// Whether a move is on its way.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        let is_move = |say: &ClientCommand| matches!(say, ClientCommand::Wish(Intent::Move(_)));
        self.unanswered.iter().any(is_move)
    }

    /// Whether the opponent offers something to whoever sits here.
    #[must_use]
    pub fn is_offered(&self, game: &Game) -> bool {
        let offers = [game.draw_offer(), game.takeback_offer(), self.rematch.offer];
        let is_for_you = |by: Color| self.you == Some(!by);
        offers.into_iter().flatten().any(is_for_you)
    }

    /// Keeps a remark.
    pub fn add_chat_message(&mut self, remark: ChatMessage) {
        self.remarks.push(remark);
        let many = self.remarks.len().saturating_sub(MAX_CHAT_MESSAGES);
        self.remarks.drain(..many);
    }

    /// What is on its way, in words.
    #[must_use]
    pub fn sending(&self, game: &Game) -> Option<String> {
        let words = match self.unanswered.first()? {
            ClientCommand::Wish(Intent::Move(attempt)) => {
                match game.position().find_uci(*attempt) {
                    Some(mv) => game.position().san(mv).to_string(),
                    None => attempt.to_string(),
                }
            }
            ClientCommand::Remark(_) => "what you said".to_owned(),
            _ => "your wish".to_owned(),
        };
        Some(format!("Sending {words} ..."))
    }

    /// A player with his name and whether he is there.
    #[must_use]
    pub fn name(&self, game: &Game, player: Color) -> String {
        let name = move_text::name(game, player);
        if game.seats()[player].is_open() {
            return format!("{name} (open)");
        }
        match self.attendance.away(player) {
            Some(_) if game.ending().is_none() => format!("{name} (away)"),
            _ => name,
        }
    }

    /// Whether another game is wanted, in a sentence for whoever sits here.
    #[must_use]
    pub fn rematch_words(&self, game: &Game) -> Option<String> {
        if self.rematch.game.is_some() {
            return Some("Another game has begun: rematch leads there.".to_owned());
        }
        let by = self.rematch.offer?;
        let [name, other] = [by, !by].map(|player| move_text::name(game, player));
        Some(match self.you {
            Some(you) if you != by => {
                format!("{name} wants to play again: rematch accepts, decline says no.")
            }
            _ => format!("{name} wants to play again; {other} has not answered."),
        })
    }
}
