//! Seeks over HTTP: open offers that any player may take. Withdrawing and showing also serve challenges.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use touchmove_accounts::Scope;
use touchmove_store::{
    CloseOffer, CloseOfferResult, GameId, Holder, MakeOfferResult, Offer, OfferId, OfferStatus,
    TakeOffer, TakeOfferResult as TakenOffer,
};
use touchmove_text::sanitize_line;

use crate::api::extract::{FormOrJson, PathParam};
use crate::api::tables::{SeatTaken, with_cookies};
use crate::api::{ApiError, ServerState};
use crate::auth::identity::Identity;
use crate::clock::to_moment;
use crate::games::loader::seat_in;
use crate::games::new_game::{SeatAssignment, new_game_id};
use crate::games::terms_request::{SideRequest, TermsRequest, check_lobby_terms};
use crate::lobby::{LobbyNotice, OfferTerms, SeekJson, newest_seeks};
use crate::security::Client;
use crate::{Server, random};

/// The body of a request for a new seek.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewSeek {
    terms: TermsRequest,
    side: SideRequest,
    name: Option<String>,
    public: Option<bool>,
}

/// The body of a request to take one.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TakeRequest {
    name: Option<String>,
}

#[derive(Serialize)]
struct SeekList {
    seeks: Vec<SeekJson>,
}

/// An offer and its state.
#[derive(Serialize)]
struct OfferJson {
    #[serde(flatten)]
    seek: SeekJson,
    terms: touchmove_game::Terms,
    status: &'static str,
    game: Option<String>,
    reason: Option<String>,
}

/// `POST /v1/seeks`
pub(crate) async fn create(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    FormOrJson(new): FormOrJson<NewSeek>,
) -> Result<Response, ApiError> {
    let deal = OfferTerms {
        terms: new.terms.terms().map_err(ApiError::unreadable)?,
        side: new.side,
        public: new.public.unwrap_or(true),
    };
    check_lobby_terms(&deal.terms).map_err(ApiError::unreadable)?;
    let (who, cookies) = server.identify_or_create_guest(&headers).await?;
    who.require_play_scope()?;
    let name = server.name_at_table(&who, new.name.as_deref()).await?;
    let place = server.place_for_seek(&who, client).await?;
    let offer = server.create_offer(&who, name, None, &deal).await?;
    place.keep_for(offer.id);
    server.keep_guest_name(&who).await;
    let shown = axum::Json(SeekJson::new(&offer, &deal));
    Ok(with_cookies(cookies, (StatusCode::CREATED, shown)))
}

/// `GET /v1/seeks`
pub(crate) async fn list(State(server): ServerState) -> Result<Response, ApiError> {
    let seeks = newest_seeks(&*server.open_seeks().await?);
    Ok(axum::Json(SeekList { seeks }).into_response())
}

/// `GET /v1/seeks/{id}` and `GET /v1/challenges/{id}`
pub(crate) async fn show(
    State(server): ServerState,
    PathParam(id): PathParam,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (offer, deal) = server.find_offer(&id).await?;
    if let Some(to) = offer.to {
        // A challenge is shown only to its two players.
        let who = server.require_identity(&headers).await?;
        if who.holder != offer.by && who.person() != Some(to) {
            return Err(no_offer());
        }
        who.require_scope(Scope::ChallengeRead)?;
    }
    let (mut game, mut reason) = (None, None);
    let status = match &offer.status {
        OfferStatus::Open if !offer.is_open_at(server.pulse.to_moment()) => "expired",
        OfferStatus::Open => "open",
        OfferStatus::Taken { game: id } => {
            game = Some(id.to_string());
            "taken"
        }
        OfferStatus::Declined { reason: why } => {
            reason = Some(sanitize_line(why).into_owned());
            "declined"
        }
        OfferStatus::Cancelled => "withdrawn",
    };
    let fate = OfferJson {
        seek: SeekJson::new(&offer, &deal),
        terms: deal.terms,
        status,
        game,
        reason,
    };
    Ok(axum::Json(fate).into_response())
}

/// `POST /v1/seeks/{id}/take`
pub(crate) async fn take_offer(
    State(server): ServerState,
    PathParam(id): PathParam,
    headers: HeaderMap,
    FormOrJson(taking): FormOrJson<TakeRequest>,
) -> Result<Response, ApiError> {
    let (offer, deal) = server.find_offer(&id).await?;
    if offer.to.is_some() {
        return Err(no_offer());
    }
    let (who, cookies) = server.identify_or_create_guest(&headers).await?;
    who.require_play_scope()?;
    if offer.by == who.holder {
        return Err(ApiError::conflict(
            "own_offer",
            "this is your own seek: somebody else has to take it",
        ));
    }
    let name = server.name_at_table(&who, taking.name.as_deref()).await?;
    let taken = server
        .take_offer(&offer, &deal, &who, name, "lobby")
        .await?;
    server.keep_guest_name(&who).await;
    Ok(with_cookies(cookies, axum::Json(taken)))
}

/// `DELETE /v1/seeks/{id}` and `DELETE /v1/challenges/{id}`
pub(crate) async fn withdraw(
    State(server): ServerState,
    PathParam(id): PathParam,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let (offer, _) = server.find_offer(&id).await?;
    let who = server.require_identity(&headers).await?;
    if offer.by != who.holder {
        return Err(match offer.to {
            None => ApiError::forbidden("this is somebody else's seek"),
            Some(_) => no_offer(),
        });
    }
    match offer.to {
        None => who.require_play_scope()?,
        Some(_) => who.require_scope(Scope::ChallengeWrite)?,
    }
    server.close_offer(&offer, CloseOffer::Cancel).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) fn no_offer() -> ApiError {
    ApiError::not_found("there is no offer with this id")
}

impl Server {
    /// The offer with the id in the path, and its terms.
    pub(crate) async fn find_offer(&self, id: &str) -> Result<(Offer, OfferTerms), ApiError> {
        let id: OfferId = id.parse().map_err(|_| no_offer())?;
        let offer = self.store.find_offer(id).await?.ok_or_else(no_offer)?;
        let deal = OfferTerms::parse(&offer.terms).map_err(|problem| {
            tracing::error!(offer = %offer.id, problem, "an offer is damaged");
            no_offer()
        })?;
        Ok((offer, deal))
    }

    /// Creates an offer, and notifies the lobby.
    pub(crate) async fn create_offer(
        &self,
        who: &Identity,
        name: String,
        to: Option<touchmove_store::PersonId>,
        deal: &OfferTerms,
    ) -> Result<Offer, ApiError> {
        let now = self.pulse.to_moment();
        let lasts = match to {
            None => deal.seek_lifetime_millis(),
            Some(_) => deal.challenge_lifetime_millis(),
        };
        // Terms under which the game would end before its first move are refused now, not when the offer is taken.
        let nobody = |name: &str| SeatAssignment {
            name: name.to_owned(),
            holder: who.holder,
        };
        let founding = deal.to_new_game(nobody(&name), nobody(""), "lobby");
        founding
            .game(new_game_id(), self.now())
            .map_err(ApiError::unreadable)?;
        loop {
            let Ok(id) = random::random_base62(8).parse() else {
                continue;
            };
            let offer = Offer {
                id,
                by: who.holder,
                name: name.clone(),
                to,
                terms: deal.to_json(),
                created: now,
                expires: Some(now.plus_millis(lasts)),
                status: OfferStatus::Open,
            };
            match self.store.create_offer(offer.clone()).await? {
                MakeOfferResult::Written | MakeOfferResult::Already => {
                    self.cancel_if_account_is_closed(&offer).await?;
                    self.tell_of(&offer, &LobbyNotice::Changed);
                    return Ok(offer);
                }
                MakeOfferResult::IdTaken => {}
            }
        }
    }

    /// Closing an account cancels its open offers. A request that was authenticated just before may create one just
    /// after.
    async fn cancel_if_account_is_closed(&self, offer: &Offer) -> Result<(), ApiError> {
        let Holder::Person(maker) = offer.by else {
            return Ok(());
        };
        match self.store.person(maker).await? {
            Some(maker) if maker.disabled.is_some() => {
                self.store.close_offer(offer.id, CloseOffer::Cancel).await?;
                Err(touchmove_accounts::Error::Disabled { name: maker.name }.into())
            }
            _ => Ok(()),
        }
    }

    /// Takes an offer: the game begins, and both players are notified.
    pub(crate) async fn take_offer(
        self: &Arc<Server>,
        offer: &Offer,
        deal: &OfferTerms,
        who: &Identity,
        name: String,
        source: &'static str,
    ) -> Result<SeatTaken, ApiError> {
        let seated = |name: &str, holder: Holder| SeatAssignment {
            name: name.to_owned(),
            holder,
        };
        let by = seated(&offer.name, offer.by);
        let founding =
            deal.with_drawn_side(offer.id)
                .to_new_game(by, seated(&name, who.holder), source);
        // A game has the id of its offer, unless another game has it.
        let mut id = offer.id.as_str().parse().unwrap_or_else(|_| new_game_id());
        loop {
            let now = self.now();
            let game = founding.game(id, now).map_err(ApiError::unreadable)?;
            let take = TakeOffer {
                offer: offer.id,
                now: to_moment(now),
                game,
            };
            match self.store.take_offer(take).await? {
                TakenOffer::Written | TakenOffer::Already => {
                    self.lobby.send_notice(offer.by, LobbyNotice::Game(id));
                    self.lobby.send_notice(who.holder, LobbyNotice::Game(id));
                    self.lobby.notify_changed();
                    return self.taken(id, who).await;
                }
                TakenOffer::IdTaken => id = new_game_id(),
                TakenOffer::NoOffer => return Err(no_offer()),
                TakenOffer::Gone(offer) => return self.too_late(&offer, who).await,
            }
        }
    }

    /// The error for taking an offer too late; a player who took it themselves and lost the answer gets the game.
    async fn too_late(
        self: &Arc<Server>,
        offer: &Offer,
        who: &Identity,
    ) -> Result<SeatTaken, ApiError> {
        let text = match offer.status {
            OfferStatus::Taken { game } => match self.taken(game, who).await {
                Ok(taken) => return Ok(taken),
                Err(_) => "somebody was faster: this offer is taken",
            },
            OfferStatus::Open => "this offer has expired",
            OfferStatus::Cancelled => "this offer was withdrawn",
            OfferStatus::Declined { .. } => "this offer was declined",
        };
        Err(ApiError::conflict("gone", text))
    }

    /// A game as its player is told of it.
    async fn taken(
        self: &Arc<Server>,
        game: GameId,
        who: &Identity,
    ) -> Result<SeatTaken, ApiError> {
        let head = self.store.heads(vec![game]).await?.pop();
        let seat = seat_in(&head.ok_or_else(ApiError::no_game)?.seats, who.holder);
        let seat = seat.ok_or_else(|| ApiError::forbidden("you have no seat at this table"))?;
        Ok(SeatTaken::new(self, game, seat))
    }

    /// Declines or withdraws an offer, and notifies its players.
    pub(crate) async fn close_offer(
        &self,
        offer: &Offer,
        close: CloseOffer,
    ) -> Result<(), ApiError> {
        match self.store.close_offer(offer.id, close).await? {
            CloseOfferResult::Written | CloseOfferResult::Already => {
                self.tell_of(offer, &LobbyNotice::Changed);
                Ok(())
            }
            CloseOfferResult::NoOffer => Err(no_offer()),
            CloseOfferResult::Gone(_) => Err(ApiError::conflict(
                "gone",
                "this offer is no longer open: something else became of it",
            )),
        }
    }

    /// Notifies both players of an offer; the lobby's lists update by themselves.
    fn tell_of(&self, offer: &Offer, note: &LobbyNotice) {
        self.lobby.send_notice(offer.by, note.clone());
        match offer.to {
            Some(to) => self.lobby.send_notice(Holder::Person(to), note.clone()),
            None => self.lobby.notify_changed(),
        }
    }
}
