//! The state of a table on the network besides its game: the seats, presence, chat, and whether the connection
//! holds. [`update`](crate::screen::update) changes it.

use touchmove_client::{ChatMessage, ClientCommand, PresenceSummary, RematchState, TableLink};
use touchmove_game::{Game, Intent, move_text};
use touchmove_rules::Color;

use crate::network_input::FollowPace;

/// The most chat messages that are kept.
const MAX_CHAT_MESSAGES: usize = 100;

/// A table on the network.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkTable {
    /// Its link.
    pub link: TableLink,
    /// The user's colour, if they have a seat.
    pub you: Option<Color>,
    /// Who is present.
    pub attendance: PresenceSummary,
    /// The latest chat messages.
    pub remarks: Vec<ChatMessage>,
    /// The state of a rematch.
    pub rematch: RematchState,
    /// Commands that were sent and not answered yet.
    pub unanswered: Vec<ClientCommand>,
    /// The message while the connection is lost.
    pub lost: Option<String>,
    /// Whether this program hosts the table.
    pub hosts: bool,
    /// The rate limit for following to another game.
    pub(in crate::screen) pace: FollowPace,
}

impl NetworkTable {
    /// Whether the user may move now.
    #[must_use]
    pub fn may_move(&self, game: &Game) -> bool {
        self.you == Some(game.turn()) && !self.is_moving()
    }

    /// Whether a move was sent and not answered yet.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        let is_move = |say: &ClientCommand| matches!(say, ClientCommand::Wish(Intent::Move(_)));
        self.unanswered.iter().any(is_move)
    }

    /// Whether the opponent has an offer for the user.
    #[must_use]
    pub fn is_offered(&self, game: &Game) -> bool {
        let offers = [game.draw_offer(), game.takeback_offer(), self.rematch.offer];
        let is_for_you = |by: Color| self.you == Some(!by);
        offers.into_iter().flatten().any(is_for_you)
    }

    /// Adds a chat message.
    pub fn add_chat_message(&mut self, remark: ChatMessage) {
        self.remarks.push(remark);
        let many = self.remarks.len().saturating_sub(MAX_CHAT_MESSAGES);
        self.remarks.drain(..many);
    }

    /// The commands under way, in words.
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

    /// A player's name and presence.
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

    /// The state of a rematch, in a sentence for the user.
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
