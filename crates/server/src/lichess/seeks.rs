//! Seeks: whoever looks for a game is paired with somebody who looks for the same, or waits for him. A live
//! seek lasts as long as its connection; one for correspondence stays when its client goes.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::time::{Instant, sleep_until};
use touchmove_accounts::Scope;
use touchmove_rules::Variant;
use touchmove_store::{Close, Offer, OfferId, OfferStatus};

use crate::House;
use crate::api::{Problem, Shared};
use crate::app::closed;
use crate::auth::identity::Who;
use crate::games::terms_request::{Side, is_live};
use crate::lichess::error::Refused;
use crate::lichess::ndjson;
use crate::lichess::ndjson::{Gone, Pen};
use crate::lichess::params::Fields;
use crate::lobby::{Deal, SeekList};
use crate::security::Client;
use crate::spawn::in_background;

/// How often somebody who waits looks for others who wait.
const ROUND: Duration = Duration::from_secs(2);

/// Whether two who look for a game look for the same.
fn fits(one: &Deal, other: &Deal) -> bool {
    let sides = !matches!(
        (one.side, other.side),
        (Side::White, Side::White) | (Side::Black, Side::Black)
    );
    let (one, other) = (&one.terms, &other.terms);
    if !sides || one.variant() != other.variant() {
        return false;
    }
    match one.variant() {
        // Where it begins is drawn by lot for each offer.
        Variant::Chess960 => {
            let mut terms = other.clone();
            terms.start = one.start;
            terms == *one
        }
        _ => one == other,
    }
}

/// What came of looking for somebody else who waits.
enum Paired {
    /// A game: it is known by this id.
    With(OfferId),
    /// Nobody waits for the same.
    No,
    /// Somebody was faster, and the own offer is withdrawn.
    Withdrawn,
}

/// `POST /api/board/seek`
pub(super) async fn seek(
    State(house): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Refused> {
    let who = house.must_know(&headers).await?;
    who.must_have(Scope::BoardPlay)?;
    let deal = Deal {
        terms: fields.seek_terms()?,
        side: fields.side()?,
        public: true,
    };
    let seeker = Seeker {
        name: house.name_at_table(&who, None).await?,
        house,
        who,
        client,
        deal,
    };
    let is_live = is_live(seeker.deal.terms.time.as_ref());
    let connection = seeker.house.open_connection(&headers, Some(&seeker.who));
    let connection = connection.await?;
    let open = seeker.house.newest_open_seeks().await?;
    if let Paired::With(game) = seeker.pair(None, &open).await {
        return Ok(match is_live {
            true => ndjson::open("text/plain", connection).1,
            false => axum::Json(json!({ "id": game.to_string() })).into_response(),
        });
    }
    let offer = seeker.offer().await?;
    if !is_live {
        return Ok(axum::Json(json!({ "id": offer.id.to_string() })).into_response());
    }
    let (mut pen, response) = ndjson::open("text/plain", connection);
    in_background(async move {
        let mut offer = offer;
        // How it ends is the client's business; what he leaves behind is not.
        let _ = seeker.wait(&mut pen, &mut offer).await;
        seeker.leave(offer.id).await;
    });
    Ok(response)
}

/// Somebody who looks for a game.
struct Seeker {
    house: Arc<House>,
    who: Who,
    client: Client,
    name: String,
    deal: Deal,
}

impl Seeker {
    async fn offer(&self) -> Result<Offer, Problem> {
        let house = &self.house;
        let place = house.place_for_seek(&self.who, self.client).await?;
        let name = self.name.clone();
        let offer = house.offer(&self.who, name, None, &self.deal).await?;
        place.keep_for(offer.id);
        Ok(offer)
    }

    /// Takes the oldest seek that fits, of those before one's own.
    async fn pair(&self, own: Option<&Offer>, open: &SeekList) -> Paired {
        let house = &self.house;
        let older = open
            .iter()
            .take_while(|seek| Some(seek.offer.id) != own.map(|own| own.id));
        for seek in older.filter(|seek| seek.offer.by != self.who.holder) {
            let (offer, deal) = (&seek.offer, &seek.deal);
            if !fits(&self.deal, deal) {
                continue;
            }
            // Who has an own offer withdraws it first: nobody is to play two games for one.
            if let Some(own) = own
                && house.close_offer(own, Close::Cancel).await.is_err()
            {
                return Paired::With(own.id);
            }
            // The side that who waits has no wish about is that of who comes.
            let side = match (deal.side, self.deal.side) {
                (Side::Random, Side::White) => Side::Black,
                (Side::Random, Side::Black) => Side::White,
                (side, _) => side,
            };
            let deal = Deal {
                side,
                ..deal.clone()
            };
            let name = self.name.clone();
            match house.take(offer, &deal, &self.who, name, "lobby").await {
                Ok(_) => return Paired::With(offer.id),
                Err(_) if own.is_some() => return Paired::Withdrawn,
                Err(_) => {}
            }
        }
        Paired::No
    }

    /// Waits until somebody takes the offer, or takes that of somebody who came before.
    async fn wait(&self, pen: &mut Pen, offer: &mut Offer) -> Result<(), Gone> {
        let house = &self.house;
        let mut closing = house.closing();
        let (_visit, mut notes) = house.visit(self.who.holder);
        let mut round = Instant::now();
        let mut searched: Option<Arc<SeekList>> = None;
        loop {
            tokio::select! {
                _ = notes.recv() => {}
                () = sleep_until(round) => {
                    round = Instant::now() + ROUND;
                    // The store may fail for a moment. What was searched in vain is not searched again.
                    if let Ok(open) = house.open_seeks().await
                        && !searched.as_ref().is_some_and(|searched| Arc::ptr_eq(searched, &open))
                    {
                        match self.pair(Some(offer), &open).await {
                            Paired::With(_) => return Ok(()),
                            Paired::Withdrawn => *offer = self.offer().await.map_err(|_| Gone)?,
                            Paired::No => {}
                        }
                        searched = Some(open);
                    }
                }
                () = pen.silent() => pen.blank().await?,
                () = pen.gone() => return Err(Gone),
                () = closed(&mut closing) => return Err(pen.break_off()),
            }
            match house.store.find_offer(offer.id).await {
                Ok(Some(found)) if found.is_open_at(house.pulse.moment()) => {}
                Ok(_) => return Ok(()),
                // The store fails for a moment.
                Err(_) => {}
            }
        }
    }

    /// Withdraws what is still open.
    async fn leave(&self, offer: OfferId) {
        if let Ok(Some(offer)) = self.house.store.find_offer(offer).await
            && offer.status == OfferStatus::Open
        {
            // Somebody may have taken it at this moment: then the game is there.
            let _ = self.house.close_offer(&offer, Close::Cancel).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use touchmove_game::Terms;

    use super::*;

    fn deal(variant: Variant, time: &str, side: Side) -> Deal {
        Deal {
            terms: Terms {
                time: Some(time.parse().unwrap()),
                ..Terms::of(variant)
            },
            side,
            public: true,
        }
    }

    #[test]
    fn only_who_looks_for_the_same_is_paired() {
        let one = deal(Variant::Chess, "5+3", Side::White);
        for (other, is_fit) in [
            (deal(Variant::Chess, "5+3", Side::Random), true),
            (deal(Variant::Chess, "5+3", Side::Black), true),
            (deal(Variant::Chess, "5+3", Side::White), false),
            (deal(Variant::Chess, "5+2", Side::Black), false),
            (deal(Variant::Atomic, "5+3", Side::Black), false),
        ] {
            assert_eq!(fits(&one, &other), is_fit);
        }
    }
}
