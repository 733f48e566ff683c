//! Typed commands of the game screen besides moves: words with arguments, such as `resign white`, `accept
//! takeback`, `save ~/game.pgn`. A single word is an [action](Action). The update carries them out.

use touchmove_game::OfferKind;
use touchmove_rules::Color;

use crate::screen::key_bindings::Action;

/// A typed command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypedCommand {
    /// An action, as a single word.
    Act(Action),
    /// This player resigns.
    Resign(Color),
    /// This player offers a draw.
    Draw(Color),
    /// This player asks for a takeback.
    Takeback(Color),
    /// An offer is answered.
    Answer {
        /// The offer.
        offer: OfferKind,
        /// Whether it is accepted.
        accepts: bool,
    },
    /// A draw is claimed with this move.
    Claim(String),
    /// A chat message.
    Say(String),
    /// Save the game to this path.
    Save(String),
}

impl TypedCommand {
    /// Parses a typed command; the error says what is missing. `None` if the text does not start with a word that
    /// takes an argument.
    ///
    /// ```
    /// use touchmove_rules::Color;
    /// use touchmove_tui::screen::{Action, TypedCommand};
    ///
    /// assert_eq!(TypedCommand::read("resign black"), Some(Ok(TypedCommand::Resign(Color::Black))));
    /// assert_eq!(TypedCommand::read("undo"), Some(Ok(TypedCommand::Act(Action::Takeback))));
    /// assert_eq!(TypedCommand::read("e2 e4"), None);
    /// ```
    #[must_use]
    pub fn read(text: &str) -> Option<Result<TypedCommand, &'static str>> {
        let text = text.trim_start();
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
        let color = |phrase: fn(Color) -> TypedCommand, usage| {
            let color = rest.to_ascii_lowercase().parse().ok();
            color.map(phrase).ok_or(usage)
        };
        let answer = |accepts, usage| {
            let offer = OfferKind::from_word(&rest.to_ascii_lowercase());
            offer
                .map(|offer| TypedCommand::Answer { offer, accepts })
                .ok_or(usage)
        };
        Some(match word.as_str() {
            "undo" if rest.is_empty() => Ok(TypedCommand::Act(Action::Takeback)),
            "exit" if rest.is_empty() => Ok(TypedCommand::Act(Action::Quit)),
            "say" if text.contains(' ') => Ok(TypedCommand::Say(rest.to_owned())),
            _ if rest.is_empty() => return None,
            "resign" => color(TypedCommand::Resign, "resign white, or resign black"),
            "draw" => color(TypedCommand::Draw, "draw white, or draw black"),
            "takeback" | "undo" => {
                color(TypedCommand::Takeback, "takeback white, or takeback black")
            }
            "accept" => answer(true, "accept draw, or accept takeback"),
            "decline" => answer(false, "decline draw, or decline takeback"),
            "claim" => Ok(TypedCommand::Claim(rest.to_owned())),
            "save" => Ok(TypedCommand::Save(rest.to_owned())),
            _ => return None,
        })
    }

    /// What Enter does with it, in a few words.
    #[must_use]
    pub fn meaning(&self) -> String {
        match self {
            TypedCommand::Act(action) => action.help().to_owned(),
            TypedCommand::Resign(by) => format!("{by} resigns"),
            TypedCommand::Draw(by) => format!("{by} offers a draw"),
            TypedCommand::Takeback(by) => format!("{by} asks to take back"),
            TypedCommand::Answer { offer, accepts } => {
                let offer = match offer {
                    OfferKind::Draw => "draw",
                    OfferKind::Takeback => "takeback",
                };
                let verb = if *accepts { "accept" } else { "decline" };
                format!("{verb} the {offer}")
            }
            TypedCommand::Claim(_) => "the move is announced and not played".to_owned(),
            TypedCommand::Say(_) => "say it".to_owned(),
            TypedCommand::Save(path) => format!("save the game to {path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_with_what_belongs_to_them() {
        for (text, phrase) in [
            ("Resign White", TypedCommand::Resign(Color::White)),
            ("draw black", TypedCommand::Draw(Color::Black)),
            ("undo white", TypedCommand::Takeback(Color::White)),
            ("exit", TypedCommand::Act(Action::Quit)),
            ("claim Nf3", TypedCommand::Claim("Nf3".to_owned())),
            (
                "save /tmp/My game.pgn",
                TypedCommand::Save("/tmp/My game.pgn".to_owned()),
            ),
            ("say ", TypedCommand::Say(String::new())),
            (
                "decline takeback",
                TypedCommand::Answer {
                    offer: OfferKind::Takeback,
                    accepts: false,
                },
            ),
        ] {
            assert_eq!(TypedCommand::read(text), Some(Ok(phrase)), "{text}");
        }
    }

    #[test]
    fn what_belongs_to_a_word_is_asked_for_and_moves_are_none() {
        for text in ["resign green", "draw w?", "accept peace"] {
            assert!(matches!(TypedCommand::read(text), Some(Err(_))), "{text}");
        }
        for text in ["", "e4", "e2 e4", "resign", "castle queenside", "knight f3"] {
            assert_eq!(TypedCommand::read(text), None, "{text}");
        }
    }
}
