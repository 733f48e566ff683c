//! The content of an offer: the terms, the offering player's side, and the visibility of the game. It is stored as
//! JSON.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use touchmove_game::Terms;
use touchmove_rules::ByColor;
use touchmove_store::OfferId;

use crate::games::new_game::{NewGameSpec, SeatAssignment};
use crate::games::terms_request::{SideRequest, is_live};

const HOUR_MILLIS: i64 = 60 * 60 * 1_000;
const DAY_MILLIS: i64 = 24 * HOUR_MILLIS;

/// The content of an offer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfferTerms {
    /// The terms of the game.
    pub terms: Terms,
    /// The side of the player who offers.
    pub side: SideRequest,
    /// Whether the game is shown in public lists.
    pub public: bool,
}

impl OfferTerms {
    /// Parses a stored offer; the error is a sentence.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn parse(text: &str) -> Result<OfferTerms, String> {
        serde_json::from_str(text).map_err(|error| format!("an offer cannot be read: {error}"))
    }

    /// The offer in the store's format.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Serialisation fails only for maps with keys that are not strings; there are none.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// How long a seek stays open, in milliseconds: as long as a player may be expected to come and play at once, or
    /// to begin a game that lasts for weeks.
    #[must_use]
    pub fn seek_lifetime_millis(&self) -> i64 {
        match is_live(self.terms.time.as_ref()) {
            true => HOUR_MILLIS,
            false => 14 * DAY_MILLIS,
        }
    }

    /// How long a challenge stays open, in milliseconds.
    #[must_use]
    pub fn challenge_lifetime_millis(&self) -> i64 {
        match is_live(self.terms.time.as_ref()) {
            true => DAY_MILLIS,
            false => 14 * DAY_MILLIS,
        }
    }

    /// The same with a random side drawn, where none was requested. The side follows from the id of the offer, which
    /// is random itself, so that it can be shown before the game begins.
    #[must_use]
    pub fn with_drawn_side(&self, offer: OfferId) -> OfferTerms {
        let lot = Sha256::digest(offer.as_str().as_bytes());
        let side = match self.side {
            SideRequest::Random if lot[0] & 1 == 1 => SideRequest::White,
            SideRequest::Random => SideRequest::Black,
            side => side,
        };
        OfferTerms {
            side,
            ..self.clone()
        }
    }

    /// The game that accepting the offer creates.
    #[must_use]
    pub fn to_new_game(
        &self,
        by: SeatAssignment,
        taker: SeatAssignment,
        source: &'static str,
    ) -> NewGameSpec {
        let color = self.side.color();
        let mut seats = ByColor {
            white: None,
            black: None,
        };
        seats[color] = Some(by);
        seats[!color] = Some(taker);
        NewGameSpec {
            terms: self.terms.clone(),
            seats,
            is_public: self.public,
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use touchmove_rules::Variant;
    use touchmove_store::{Digest, Holder, limits};

    use super::*;

    fn seated(number: u8) -> SeatAssignment {
        SeatAssignment {
            name: String::new(),
            holder: Holder::Guest(Digest([number; 32])),
        }
    }

    #[test]
    fn a_deal_is_read_as_it_is_written_and_fits_into_the_store() {
        let terms = Terms {
            time: Some("40/90:30+30".parse().unwrap()),
            ..Terms::of(Variant::Atomic)
        };
        let (side, public) = (SideRequest::Black, true);
        let deal = OfferTerms {
            terms,
            side,
            public,
        };
        assert_eq!(OfferTerms::parse(&deal.to_json()).unwrap(), deal);
        assert!(deal.to_json().len() < limits::MAX_TERMS_BYTES / 2);
        assert!(OfferTerms::parse("{}").is_err());
    }

    #[test]
    fn who_offers_has_the_side_that_he_asked_for() {
        for (side, whites) in [
            (SideRequest::White, 64..=64),
            (SideRequest::Black, 0..=0),
            (SideRequest::Random, 8..=56),
        ] {
            let deal = OfferTerms {
                terms: Terms::of(Variant::Chess),
                side,
                public: false,
            };
            let has_white = |_: &i32| {
                let founding = deal.to_new_game(seated(1), seated(2), "lobby");
                founding.seats.white == Some(seated(1))
            };
            let count = (0..64).filter(has_white).count();
            assert!(whites.contains(&count), "{side:?}: {count}");
        }
    }
}
