//! Seeks in Lichess's API: a client is paired with an open seek that fits, or waits with its own. A live seek lasts
//! as long as its connection; one for correspondence stays after the client has left.

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
use touchmove_store::{CloseOffer, Offer, OfferId, OfferStatus};

use crate::Server;
use crate::api::{ApiError, ServerState};
use crate::app::wait_for_shutdown;
use crate::auth::identity::Identity;
use crate::games::terms_request::{SideRequest, is_live};
use crate::lichess::error::LichessError;
use crate::lichess::ndjson;
use crate::lichess::ndjson::{ClientGone, NdjsonWriter};
use crate::lichess::params::Params;
use crate::lobby::{OfferTerms, SeekList};
use crate::security::Client;
use crate::spawn::spawn_boxed;

/// How often a waiting client looks for fitting seeks.
const PAIRING_POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Whether two seeks fit each other.
fn fits(one: &OfferTerms, other: &OfferTerms) -> bool {
    let sides = !matches!(
        (one.side, other.side),
        (SideRequest::White, SideRequest::White) | (SideRequest::Black, SideRequest::Black)
    );
    let (one, other) = (&one.terms, &other.terms);
    if !sides || one.variant() != other.variant() {
        return false;
    }
    match one.variant() {
        // The start position is random for each offer.
        Variant::Chess960 => {
            let mut terms = other.clone();
            terms.start = one.start;
            terms == *one
        }
        _ => one == other,
    }
}

/// The result of looking for a fitting seek.
enum PairingResult {
    /// A game, which has the id of this offer.
    With(OfferId),
    /// No seek fits.
    No,
    /// Another player was faster, and the client's own seek is withdrawn.
    Withdrawn,
}

/// `POST /api/board/seek`
pub(super) async fn seek(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    fields: Params,
) -> Result<Response, LichessError> {
    let who = server.require_identity(&headers).await?;
    who.require_scope(Scope::BoardPlay)?;
    let deal = OfferTerms {
        terms: fields.seek_terms()?,
        side: fields.side()?,
        public: true,
    };
    let seeker = SeekStream {
        name: server.name_at_table(&who, None).await?,
        server,
        who,
        client,
        deal,
    };
    let is_live = is_live(seeker.deal.terms.time.as_ref());
    let connection = seeker.server.open_connection(&headers, Some(&seeker.who));
    let connection = connection.await?;
    let open = seeker.server.newest_open_seeks().await?;
    if let PairingResult::With(game) = seeker.pair(None, &open).await {
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
    spawn_boxed(async move {
        let mut offer = offer;
        // How the connection ends does not matter; its seek is cleaned up.
        let _ = seeker.wait(&mut pen, &mut offer).await;
        seeker.leave(offer.id).await;
    });
    Ok(response)
}

/// A client that seeks a game.
struct SeekStream {
    server: Arc<Server>,
    who: Identity,
    client: Client,
    name: String,
    deal: OfferTerms,
}

impl SeekStream {
    async fn offer(&self) -> Result<Offer, ApiError> {
        let server = &self.server;
        let place = server.place_for_seek(&self.who, self.client).await?;
        let name = self.name.clone();
        let offer = server
            .create_offer(&self.who, name, None, &self.deal)
            .await?;
        place.keep_for(offer.id);
        Ok(offer)
    }

    /// Takes the oldest fitting seek that is older than the client's own.
    async fn pair(&self, own: Option<&Offer>, open: &SeekList) -> PairingResult {
        let server = &self.server;
        let older = open
            .iter()
            .take_while(|seek| Some(seek.offer.id) != own.map(|own| own.id));
        for seek in older.filter(|seek| seek.offer.by != self.who.holder) {
            let (offer, deal) = (&seek.offer, &seek.deal);
            if !fits(&self.deal, deal) {
                continue;
            }
            // The own seek is withdrawn first: one seek must not lead to two games.
            if let Some(own) = own
                && server.close_offer(own, CloseOffer::Cancel).await.is_err()
            {
                return PairingResult::With(own.id);
            }
            // Where the older seek leaves the side open, the newer one chooses.
            let side = match (deal.side, self.deal.side) {
                (SideRequest::Random, SideRequest::White) => SideRequest::Black,
                (SideRequest::Random, SideRequest::Black) => SideRequest::White,
                (side, _) => side,
            };
            let deal = OfferTerms {
                side,
                ..deal.clone()
            };
            let name = self.name.clone();
            match server
                .take_offer(offer, &deal, &self.who, name, "lobby")
                .await
            {
                Ok(_) => return PairingResult::With(offer.id),
                Err(_) if own.is_some() => return PairingResult::Withdrawn,
                Err(_) => {}
            }
        }
        PairingResult::No
    }

    /// Waits until a player takes the seek, or takes an older one.
    async fn wait(&self, pen: &mut NdjsonWriter, offer: &mut Offer) -> Result<(), ClientGone> {
        let server = &self.server;
        let mut closing = server.shutdown_signal();
        let (_visit, mut notes) = server.enter_lobby(self.who.holder);
        let mut round = Instant::now();
        let mut searched: Option<Arc<SeekList>> = None;
        loop {
            tokio::select! {
                _ = notes.recv() => {}
                () = sleep_until(round) => {
                    round = Instant::now() + PAIRING_POLL_INTERVAL;
                    // The store may fail for the moment. A list that was searched in vain is not searched again.
                    if let Ok(open) = server.open_seeks().await
                        && !searched.as_ref().is_some_and(|searched| Arc::ptr_eq(searched, &open))
                    {
                        match self.pair(Some(offer), &open).await {
                            PairingResult::With(_) => return Ok(()),
                            PairingResult::Withdrawn => *offer = self.offer().await.map_err(|_| ClientGone)?,
                            PairingResult::No => {}
                        }
                        searched = Some(open);
                    }
                }
                () = pen.keepalive_due() => pen.blank().await?,
                () = pen.closed() => return Err(ClientGone),
                () = wait_for_shutdown(&mut closing) => return Err(pen.abort()),
            }
            match server.store.find_offer(offer.id).await {
                Ok(Some(found)) if found.is_open_at(server.pulse.to_moment()) => {}
                Ok(_) => return Ok(()),
                // The store fails for the moment.
                Err(_) => {}
            }
        }
    }

    /// Withdraws the seek if it is still open.
    async fn leave(&self, offer: OfferId) {
        if let Ok(Some(offer)) = self.server.store.find_offer(offer).await
            && offer.status == OfferStatus::Open
        {
            // It may have been taken at this moment: then there is a game.
            let _ = self.server.close_offer(&offer, CloseOffer::Cancel).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use touchmove_game::Terms;

    use super::*;

    fn deal(variant: Variant, time: &str, side: SideRequest) -> OfferTerms {
        OfferTerms {
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
        let one = deal(Variant::Chess, "5+3", SideRequest::White);
        for (other, is_fit) in [
            (deal(Variant::Chess, "5+3", SideRequest::Random), true),
            (deal(Variant::Chess, "5+3", SideRequest::Black), true),
            (deal(Variant::Chess, "5+3", SideRequest::White), false),
            (deal(Variant::Chess, "5+2", SideRequest::Black), false),
            (deal(Variant::Atomic, "5+3", SideRequest::Black), false),
        ] {
            assert_eq!(fits(&one, &other), is_fit);
        }
    }
}
