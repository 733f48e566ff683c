//! Commands that a client sends to a table, and their JSON.

use serde_json::{Map, Value, json};
use touchmove_game::{Intent, OfferKind};

/// A command to a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientCommand {
    /// A command to the game: a move, an offer, a claim, a resignation.
    Wish(Intent),
    /// A chat message: players write to the players, spectators to the spectators.
    Remark(String),
    /// Offers or accepts a rematch, with colours reversed.
    Rematch,
    /// Declines a rematch.
    NoRematch,
}

impl ClientCommand {
    /// The message with this id, from a client that has seen the events up to `seen`.
    pub(crate) fn message(&self, id: &str, seen: u64) -> String {
        let mut fields = self.fields();
        fields.insert("id".to_owned(), json!(id));
        if matches!(self, ClientCommand::Wish(_)) {
            fields.insert("seen".to_owned(), json!(seen));
        }
        Value::Object(fields).to_string()
    }

    fn fields(&self) -> Map<String, Value> {
        let answer = |command: &str, offer: Option<OfferKind>| match offer {
            None => json!({ "command": command }),
            Some(OfferKind::Draw) => json!({ "command": command, "offer": "draw" }),
            Some(OfferKind::Takeback) => json!({ "command": command, "offer": "takeback" }),
        };
        let value = match self {
            ClientCommand::Wish(wish) => match *wish {
                Intent::Move(attempt) => json!({ "move": attempt.to_string() }),
                Intent::OfferDraw => json!({ "command": "draw" }),
                Intent::ClaimDraw(None) => json!({ "command": "claim" }),
                Intent::ClaimDraw(Some(announced)) => {
                    json!({ "command": "claim", "move": announced.to_string() })
                }
                Intent::Resign => json!({ "command": "resign" }),
                Intent::Takeback => json!({ "command": "takeback" }),
                Intent::Abort => json!({ "command": "abort" }),
                Intent::Accept(offer) => answer("accept", offer),
                Intent::Decline(offer) => answer("decline", offer),
                Intent::Give(time) => {
                    json!({ "command": "give", "seconds": time.0.div_ceil(1_000) })
                }
                Intent::ClaimNoShow => json!({ "command": "claim_no_show" }),
                Intent::ClaimAbsence { draw: false } => json!({ "command": "claim_absence" }),
                Intent::ClaimAbsence { draw: true } => {
                    json!({ "command": "claim_absence", "draw": true })
                }
            },
            ClientCommand::Remark(text) => json!({ "command": "chat", "text": text }),
            ClientCommand::Rematch => json!({ "command": "rematch" }),
            ClientCommand::NoRematch => json!({ "command": "decline_rematch" }),
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
    use touchmove_game::protocol::{ClientMessage, ClientRequest};
    use touchmove_rules::{Square, UciMove};

    #[test]
    fn every_wish_is_read_as_it_was_meant() {
        let e4 = UciMove::new(Square::E2, Square::E4);
        for wish in [
            Intent::OfferDraw,
            Intent::Resign,
            Intent::Takeback,
            Intent::Abort,
            Intent::Accept(None),
            Intent::Accept(Some(OfferKind::Takeback)),
            Intent::Decline(Some(OfferKind::Draw)),
            Intent::Give(Millis::seconds(15)),
            Intent::ClaimNoShow,
            Intent::ClaimAbsence { draw: false },
            Intent::ClaimAbsence { draw: true },
        ] {
            let asked = ClientMessage::read(&ClientCommand::Wish(wish).message("a-1", 7)).unwrap();
            assert_eq!(asked.ask, ClientRequest::Wish(wish));
            assert_eq!(asked.seen, Some(7));
            assert_eq!(asked.id.unwrap().to_string(), "a-1");
        }
        for (wish, ask) in [
            (Intent::Move(e4), ClientRequest::Move("e2e4".to_owned())),
            (Intent::ClaimDraw(None), ClientRequest::Claim(None)),
            (
                Intent::ClaimDraw(Some(e4)),
                ClientRequest::Claim(Some("e2e4".to_owned())),
            ),
        ] {
            let asked = ClientMessage::read(&ClientCommand::Wish(wish).message("a-1", 7)).unwrap();
            assert_eq!(asked.ask, ask);
        }
    }
}
