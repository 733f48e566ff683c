//! Challenges as JSON, and the keys of reasons for declining.

use serde_json::{Value, json};
use touchmove_store::{Error, Holder, Offer, OfferStatus};
use touchmove_text::sanitize_line;

use crate::Server;
use crate::games::terms_request::SideRequest;
use crate::lichess::json;
use crate::lichess::json::{LightUser, Speed};
use crate::lobby::OfferTerms;

/// The keys of reasons that clients know, each with the sentence for the challenger.
const DECLINE_REASONS: [(&str, &str); 11] = [
    ("generic", "I would rather not play this game."),
    ("later", "Not now: please ask me again later."),
    (
        "tooFast",
        "This is too fast for me: please offer more time.",
    ),
    (
        "tooSlow",
        "This is too slow for me: please offer less time.",
    ),
    ("timeControl", "I do not play with this time control."),
    ("rated", "Please offer a rated game."),
    ("casual", "Please offer a casual game."),
    ("standard", "I only play standard chess for now."),
    ("variant", "I do not play this variant for now."),
    ("noBot", "I do not play against bots."),
    ("onlyBot", "I only play against bots."),
];

/// The sentence for a key; a general one for an unknown key.
pub(super) fn reason(key: &str) -> &'static str {
    let found = DECLINE_REASONS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(key));
    found.unwrap_or(&DECLINE_REASONS[0]).1
}

/// The key for a sentence, in lower case, as clients expect it.
fn key(reason: &str) -> String {
    let found = DECLINE_REASONS.iter().find(|(_, known)| *known == reason);
    found.unwrap_or(&DECLINE_REASONS[0]).0.to_ascii_lowercase()
}

impl Server {
    /// A challenge, as one of its players or an anonymous client is shown it.
    pub(super) async fn challenge(
        &self,
        offer: &Offer,
        deal: &OfferTerms,
        reader: Option<Holder>,
    ) -> Result<Value, Error> {
        let terms = &deal.terms;
        let by = self.light_user(Some(offer.by), &offer.name).await?;
        let mut told = json!({
            "id": offer.id.to_string(),
            "url": self.url(&format!("/{}", offer.id)),
            "status": match offer.status {
                OfferStatus::Open if offer.is_open_at(self.pulse.to_moment()) => "created",
                OfferStatus::Open | OfferStatus::Cancelled => "canceled",
                OfferStatus::Taken { .. } => "accepted",
                OfferStatus::Declined { .. } => "declined",
            },
            "challenger": self.shown(&by, Some(offer.by)),
            "destUser": Value::Null,
            "variant": json::variant(terms),
            "rated": false,
            "speed": Speed::of(terms.time.as_ref()).key(),
            "timeControl": json::time_control(terms),
            "color": match deal.side {
                SideRequest::White => "white",
                SideRequest::Black => "black",
                SideRequest::Random => "random",
            },
            "finalColor": match deal.with_drawn_side(offer.id).side {
                SideRequest::Black => "black",
                SideRequest::White | SideRequest::Random => "white",
            },
            "perf": { "icon": "", "name": json::perf(terms).1 },
        });
        if let Some(to) = offer.to {
            let holder = Holder::Person(to);
            let light = self.light_user(Some(holder), "").await?;
            told["destUser"] = self.shown(&light, Some(holder));
        }
        if let Some(reader) = reader {
            told["direction"] = if reader == offer.by { "out" } else { "in" }.into();
        }
        if json::initial_fen(terms) != "startpos" {
            told["initialFen"] = json::initial_fen(terms).into();
        }
        if let OfferStatus::Declined { reason } = &offer.status {
            told["declineReason"] = sanitize_line(reason).into();
            told["declineReasonKey"] = key(reason).into();
        }
        Ok(told)
    }

    /// A player with their online status.
    fn shown(&self, light: &LightUser, holder: Option<Holder>) -> Value {
        let mut json = light.player();
        json["online"] = holder
            .is_some_and(|holder| self.lobby.is_here(holder))
            .into();
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_known_by_its_key_and_by_what_it_says() {
        for (known, said) in DECLINE_REASONS {
            assert_eq!(reason(known), said);
            assert!(key(said).eq_ignore_ascii_case(known));
        }
        assert_eq!(key(reason("tooFast")), "toofast");
        assert_eq!(key(reason("whatever")), "generic");
    }
}
