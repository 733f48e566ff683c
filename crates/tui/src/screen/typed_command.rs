//! What is typed at the table beside moves: words with what belongs to them, as in `resign white`,
//! `accept takeback`, `save ~/game.pgn`. A word alone is an [action](Action); what comes of it all is
//! for the update to say.

use touchmove_game::Offer;
use touchmove_rules::Color;

use crate::screen::action::Action;

/// Words that ask for something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phrase {
    /// A word alone.
    Act(Action),
    /// This player resigns.
    Resign(Color),
    /// This player offers a draw.
    Draw(Color),
    /// This player asks to take back.
    Takeback(Color),
    /// What this offer is answered with.
    Answer {
        /// The offer.
        offer: Offer,
        /// Whether it is accepted.
        accepts: bool,
    },
    /// A draw is claimed with this move.
    Claim(String),
    /// Something is said to the others.
    Say(String),
    /// The game is saved to this path.
    Save(String),
}

impl Phrase {
    /// The phrase that a text is; the error says what would make it one. Nothing if the text does not
    /// begin with a word that takes another.
    ///
    /// ```
    /// use touchmove_rules::Color;
    /// use touchmove_tui::screen::{Action, Phrase};
    ///
    /// assert_eq!(Phrase::read("resign black"), Some(Ok(Phrase::Resign(Color::Black))));
    /// assert_eq!(Phrase::read("undo"), Some(Ok(Phrase::Act(Action::Takeback))));
    /// assert_eq!(Phrase::read("e2 e4"), None);
    /// ```
    #[must_use]
    pub fn read(text: &str) -> Option<Result<Phrase, &'static str>> {
        let text = text.trim_start();
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
        let color = |phrase: fn(Color) -> Phrase, usage| {
            let color = rest.to_ascii_lowercase().parse().ok();
            color.map(phrase).ok_or(usage)
        };
        let answer = |accepts, usage| {
            let offer = Offer::from_word(&rest.to_ascii_lowercase());
            offer
                .map(|offer| Phrase::Answer { offer, accepts })
                .ok_or(usage)
        };
        Some(match word.as_str() {
            "undo" if rest.is_empty() => Ok(Phrase::Act(Action::Takeback)),
            "exit" if rest.is_empty() => Ok(Phrase::Act(Action::Quit)),
            "say" if text.contains(' ') => Ok(Phrase::Say(rest.to_owned())),
            _ if rest.is_empty() => return None,
            "resign" => color(Phrase::Resign, "resign white, or resign black"),
            "draw" => color(Phrase::Draw, "draw white, or draw black"),
            "takeback" | "undo" => color(Phrase::Takeback, "takeback white, or takeback black"),
            "accept" => answer(true, "accept draw, or accept takeback"),
            "decline" => answer(false, "decline draw, or decline takeback"),
            "claim" => Ok(Phrase::Claim(rest.to_owned())),
            "save" => Ok(Phrase::Save(rest.to_owned())),
            _ => return None,
        })
    }

    /// What Enter does with it, in a few words.
    #[must_use]
    pub fn meaning(&self) -> String {
        match self {
            Phrase::Act(action) => action.help().to_owned(),
            Phrase::Resign(by) => format!("{by} resigns"),
            Phrase::Draw(by) => format!("{by} offers a draw"),
            Phrase::Takeback(by) => format!("{by} asks to take back"),
            Phrase::Answer { offer, accepts } => {
                let offer = match offer {
                    Offer::Draw => "draw",
                    Offer::Takeback => "takeback",
                };
                let verb = if *accepts { "accept" } else { "decline" };
                format!("{verb} the {offer}")
            }
            Phrase::Claim(_) => "the move is announced and not played".to_owned(),
            Phrase::Say(_) => "say it".to_owned(),
            Phrase::Save(path) => format!("save the game to {path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_with_what_belongs_to_them() {
        for (text, phrase) in [
            ("Resign White", Phrase::Resign(Color::White)),
            ("draw black", Phrase::Draw(Color::Black)),
            ("undo white", Phrase::Takeback(Color::White)),
            ("exit", Phrase::Act(Action::Quit)),
            ("claim Nf3", Phrase::Claim("Nf3".to_owned())),
            (
                "save /tmp/My game.pgn",
                Phrase::Save("/tmp/My game.pgn".to_owned()),
            ),
            ("say ", Phrase::Say(String::new())),
            (
                "decline takeback",
                Phrase::Answer {
                    offer: Offer::Takeback,
                    accepts: false,
                },
            ),
        ] {
            assert_eq!(Phrase::read(text), Some(Ok(phrase)), "{text}");
        }
    }

    #[test]
    fn what_belongs_to_a_word_is_asked_for_and_moves_are_none() {
        for text in ["resign green", "draw w?", "accept peace"] {
            assert!(matches!(Phrase::read(text), Some(Err(_))), "{text}");
        }
        for text in ["", "e4", "e2 e4", "resign", "castle queenside", "knight f3"] {
            assert_eq!(Phrase::read(text), None, "{text}");
        }
    }
}
