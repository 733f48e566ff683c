//! What somebody at a table says, and how it is written.

use serde_json::{Map, Value, json};
use touchmove_game::{Offer, Wish};

/// What somebody at a table says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Say {
    /// A wish about the game.
    Wish(Wish),
    /// A remark to the others: of players to players, of spectators to spectators.
    Remark(String),
    /// Another game, with the colours changed.
    Rematch,
    /// No other game.
    NoRematch,
}

impl Say {
    /// The message, under an id, from somebody who has seen the events up to `seen`.
    pub(crate) fn message(&self, id: &str, seen: u64) -> String {
        let mut fields = self.fields();
        fields.insert("id".to_owned(), json!(id));
        if matches!(self, Say::Wish(_)) {
            fields.insert("seen".to_owned(), json!(seen));
        }
        Value::Object(fields).to_string()
    }

    fn fields(&self) -> Map<String, Value> {
        let answer = |command: &str, offer: Option<Offer>| match offer {
            None => json!({ "command": command }),
            Some(Offer::Draw) => json!({ "command": command, "offer": "draw" }),
            Some(Offer::Takeback) => json!({ "command": command, "offer": "takeback" }),
        };
        let value = match self {
            Say::Wish(wish) => match *wish {
                Wish::Move(attempt) => json!({ "move": attempt.to_string() }),
                Wish::OfferDraw => json!({ "command": "draw" }),
                Wish::ClaimDraw(None) => json!({ "command": "claim" }),
                Wish::ClaimDraw(Some(announced)) => {
                    json!({ "command": "claim", "move": announced.to_string() })
                }
                Wish::Resign => json!({ "command": "resign" }),
                Wish::Takeback => json!({ "command": "takeback" }),
                Wish::Abort => json!({ "command": "abort" }),
                Wish::Accept(offer) => answer("accept", offer),
                Wish::Decline(offer) => answer("decline", offer),
                Wish::Give(time) => json!({ "command": "give", "seconds": time.0.div_ceil(1_000) }),
                Wish::ClaimNoShow => json!({ "command": "claim_no_show" }),
                Wish::ClaimAbsence { draw: false } => json!({ "command": "claim_absence" }),
                Wish::ClaimAbsence { draw: true } => {
                    json!({ "command": "claim_absence", "draw": true })
                }
            },
            Say::Remark(text) => json!({ "command": "chat", "text": text }),
            Say::Rematch => json!({ "command": "rematch" }),
            Say::NoRematch => json!({ "command": "decline_rematch" }),
        };
        match value {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_game::Millis;
    use touchmove_game::protocol::{Ask, Asked};
    use touchmove_rules::{Attempt, Square};

    #[test]
    fn every_wish_is_read_as_it_was_meant() {
        let e4 = Attempt::new(Square::E2, Square::E4);
        for wish in [
            Wish::OfferDraw,
            Wish::Resign,
            Wish::Takeback,
            Wish::Abort,
            Wish::Accept(None),
            Wish::Accept(Some(Offer::Takeback)),
            Wish::Decline(Some(Offer::Draw)),
            Wish::Give(Millis::seconds(15)),
            Wish::ClaimNoShow,
            Wish::ClaimAbsence { draw: false },
            Wish::ClaimAbsence { draw: true },
        ] {
            let asked = Asked::read(&Say::Wish(wish).message("a-1", 7)).unwrap();
            assert_eq!(asked.ask, Ask::Wish(wish));
            assert_eq!(asked.seen, Some(7));
            assert_eq!(asked.id.unwrap().to_string(), "a-1");
        }
        for (wish, ask) in [
            (Wish::Move(e4), Ask::Move("e2e4".to_owned())),
            (Wish::ClaimDraw(None), Ask::Claim(None)),
            (
                Wish::ClaimDraw(Some(e4)),
                Ask::Claim(Some("e2e4".to_owned())),
            ),
        ] {
            let asked = Asked::read(&Say::Wish(wish).message("a-1", 7)).unwrap();
            assert_eq!(asked.ask, ask);
        }
    }
}
