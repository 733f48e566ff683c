//! What an offer says: the terms, the side of who offers, and who may see the game. It is kept as one text.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use touchmove_game::Terms;
use touchmove_rules::ByColor;
use touchmove_store::OfferId;

use crate::games::new_game::{Founding, Seated};
use crate::games::terms_request::{Side, is_live};

const HOUR: i64 = 60 * 60 * 1_000;
const DAY: i64 = 24 * HOUR;

/// What is offered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// What is played.
    pub terms: Terms,
    /// The side of who offers.
    pub side: Side,
    /// Whether everybody may see the game in lists.
    pub public: bool,
}

impl Deal {
    /// Reads what was kept; the error is a sentence.
    ///
    /// # Errors
    /// If it is no deal.
    pub fn read(text: &str) -> Result<Deal, String> {
        serde_json::from_str(text).map_err(|error| format!("an offer cannot be read: {error}"))
    }

    /// The deal as it is kept.
    #[must_use]
    pub fn written(&self) -> String {
        // Only maps with keys that are no texts cannot be written, and there is none.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// How long an open offer to everybody stands, in milliseconds: for as long as somebody may be expected
    /// to come and play at once, or to begin a game that lasts for weeks.
    #[must_use]
    pub fn seek_lasts(&self) -> i64 {
        match is_live(self.terms.time.as_ref()) {
            true => HOUR,
            false => 14 * DAY,
        }
    }

    /// The same for a challenge.
    #[must_use]
    pub fn challenge_lasts(&self) -> i64 {
        match is_live(self.terms.time.as_ref()) {
            true => DAY,
            false => 14 * DAY,
        }
    }

    /// The same with the lot drawn for who has no wish. It follows from the id of the offer, which is
    /// drawn by lot itself, so that everybody can be told before the game begins.
    #[must_use]
    pub fn settled(&self, offer: OfferId) -> Deal {
        let lot = Sha256::digest(offer.as_str().as_bytes());
        let side = match self.side {
            Side::Random if lot[0] & 1 == 1 => Side::White,
            Side::Random => Side::Black,
            side => side,
        };
        Deal {
            side,
            ..self.clone()
        }
    }

    /// The game that comes of it.
    #[must_use]
    pub fn founding(&self, by: Seated, taker: Seated, source: &'static str) -> Founding {
        let color = self.side.color();
        let mut seats = ByColor {
            white: None,
            black: None,
        };
        seats[color] = Some(by);
        seats[!color] = Some(taker);
        Founding {
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

    fn seated(number: u8) -> Seated {
        Seated {
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
        let (side, public) = (Side::Black, true);
        let deal = Deal {
            terms,
            side,
            public,
        };
        assert_eq!(Deal::read(&deal.written()).unwrap(), deal);
        assert!(deal.written().len() < limits::TERMS / 2);
        assert!(Deal::read("{}").is_err());
    }

    #[test]
    fn who_offers_has_the_side_that_he_asked_for() {
        for (side, whites) in [
            (Side::White, 64..=64),
            (Side::Black, 0..=0),
            (Side::Random, 8..=56),
        ] {
            let deal = Deal {
                terms: Terms::of(Variant::Chess),
                side,
                public: false,
            };
            let has_white = |_: &i32| {
                let founding = deal.founding(seated(1), seated(2), "lobby");
                founding.seats.white == Some(seated(1))
            };
            let count = (0..64).filter(has_white).count();
            assert!(whites.contains(&count), "{side:?}: {count}");
        }
    }
}
