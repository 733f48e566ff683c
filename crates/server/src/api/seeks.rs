//! Seeks over HTTP: open offers that anybody may take.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use touchmove_accounts::Scope;
use touchmove_store::{
    Close, Closed, GameId, Holder, Made, Offer, OfferId, OfferStatus, Take, Taken as TakenOffer,
};
use touchmove_text::sanitize_line;

use crate::api::extract::{Named, Sent};
use crate::api::tables::{Taken, with_cookies};
use crate::api::{Problem, Shared};
use crate::auth::identity::Who;
use crate::clock::moment;
use crate::games::loader::seat_in;
use crate::games::new_game::{Seated, new_id};
use crate::games::terms_request::{Side, Wanted, fair_to_strangers};
use crate::lobby::{Deal, Note, SeekShown, newest_seeks};
use crate::security::Client;
use crate::{House, random};

/// What is asked for with a new seek.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewSeek {
    terms: Wanted,
    side: Side,
    name: Option<String>,
    public: Option<bool>,
}

/// What is said by who takes one.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Taking {
    name: Option<String>,
}

#[derive(Serialize)]
struct Seeks {
    seeks: Vec<SeekShown>,
}

/// An offer and what became of it.
#[derive(Serialize)]
struct Fate {
    #[serde(flatten)]
    seek: SeekShown,
    terms: touchmove_game::Terms,
    status: &'static str,
    game: Option<String>,
    reason: Option<String>,
}

/// `POST /v1/seeks`
pub(crate) async fn create(
    State(house): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Sent(new): Sent<NewSeek>,
) -> Result<Response, Problem> {
    let deal = Deal {
        terms: new.terms.terms().map_err(Problem::unreadable)?,
        side: new.side,
        public: new.public.unwrap_or(true),
    };
    fair_to_strangers(&deal.terms).map_err(Problem::unreadable)?;
    let (who, cookies) = house.welcome(&headers).await?;
    who.must_play()?;
    let name = house.name_at_table(&who, new.name.as_deref()).await?;
    let place = house.place_for_seek(&who, client).await?;
    let offer = house.offer(&who, name, None, &deal).await?;
    place.keep_for(offer.id);
    house.keep_guest_name(&who).await;
    let shown = axum::Json(SeekShown::new(&offer, &deal));
    Ok(with_cookies(cookies, (StatusCode::CREATED, shown)))
}

/// `GET /v1/seeks`
pub(crate) async fn list(State(house): Shared) -> Result<Response, Problem> {
    let seeks = newest_seeks(&*house.open_seeks().await?);
    Ok(axum::Json(Seeks { seeks }).into_response())
}

/// `GET /v1/seeks/{id}` and `GET /v1/challenges/{id}`
pub(crate) async fn show(
    State(house): Shared,
    Named(id): Named,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (offer, deal) = house.find_offer(&id).await?;
    if let Some(to) = offer.to {
        // What two people have between them is nobody else's business.
        let who = house.must_know(&headers).await?;
        if who.holder != offer.by && who.person() != Some(to) {
            return Err(no_offer());
        }
        who.must_have(Scope::ChallengeRead)?;
    }
    let (mut game, mut reason) = (None, None);
    let status = match &offer.status {
        OfferStatus::Open if !offer.is_open_at(house.pulse.moment()) => "expired",
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
    let fate = Fate {
        seek: SeekShown::new(&offer, &deal),
        terms: deal.terms,
        status,
        game,
        reason,
    };
    Ok(axum::Json(fate).into_response())
}

/// `POST /v1/seeks/{id}/take`
pub(crate) async fn take(
    State(house): Shared,
    Named(id): Named,
    headers: HeaderMap,
    Sent(taking): Sent<Taking>,
) -> Result<Response, Problem> {
    let (offer, deal) = house.find_offer(&id).await?;
    if offer.to.is_some() {
        return Err(no_offer());
    }
    let (who, cookies) = house.welcome(&headers).await?;
    who.must_play()?;
    if offer.by == who.holder {
        return Err(Problem::conflict(
            "own_offer",
            "this is your own seek: somebody else has to take it",
        ));
    }
    let name = house.name_at_table(&who, taking.name.as_deref()).await?;
    let taken = house.take(&offer, &deal, &who, name, "lobby").await?;
    house.keep_guest_name(&who).await;
    Ok(with_cookies(cookies, axum::Json(taken)))
}

/// `DELETE /v1/seeks/{id}` and `DELETE /v1/challenges/{id}`
pub(crate) async fn withdraw(
    State(house): Shared,
    Named(id): Named,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    let (offer, _) = house.find_offer(&id).await?;
    let who = house.must_know(&headers).await?;
    if offer.by != who.holder {
        return Err(match offer.to {
            None => Problem::forbidden("this is somebody else's seek"),
            Some(_) => no_offer(),
        });
    }
    match offer.to {
        None => who.must_play()?,
        Some(_) => who.must_have(Scope::ChallengeWrite)?,
    }
    house.close_offer(&offer, Close::Cancel).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) fn no_offer() -> Problem {
    Problem::not_found("there is no offer with this id")
}

impl House {
    /// The offer with the id in the path, and what it says.
    pub(crate) async fn find_offer(&self, id: &str) -> Result<(Offer, Deal), Problem> {
        let id: OfferId = id.parse().map_err(|_| no_offer())?;
        let offer = self.store.find_offer(id).await?.ok_or_else(no_offer)?;
        let deal = Deal::read(&offer.terms).map_err(|problem| {
            tracing::error!(offer = %offer.id, problem, "an offer is damaged");
            no_offer()
        })?;
        Ok((offer, deal))
    }

    /// Makes an offer, and tells the lobby.
    pub(crate) async fn offer(
        &self,
        who: &Who,
        name: String,
        to: Option<touchmove_store::PersonId>,
        deal: &Deal,
    ) -> Result<Offer, Problem> {
        let now = self.pulse.moment();
        let lasts = match to {
            None => deal.seek_lasts(),
            Some(_) => deal.challenge_lasts(),
        };
        // A game that would be over before it begins is refused now, not when somebody takes it.
        let nobody = |name: &str| Seated {
            name: name.to_owned(),
            holder: who.holder,
        };
        let founding = deal.founding(nobody(&name), nobody(""), "lobby");
        founding
            .game(new_id(), self.now())
            .map_err(Problem::unreadable)?;
        loop {
            let Ok(id) = random::text(8).parse() else {
                continue;
            };
            let offer = Offer {
                id,
                by: who.holder,
                name: name.clone(),
                to,
                terms: deal.written(),
                created: now,
                expires: Some(now.plus_millis(lasts)),
                status: OfferStatus::Open,
            };
            match self.store.offer(offer.clone()).await? {
                Made::Written | Made::Already => {
                    self.cancel_if_account_is_closed(&offer).await?;
                    self.tell_of(&offer, &Note::Changed);
                    return Ok(offer);
                }
                Made::IdTaken => {}
            }
        }
    }

    /// Closing an account cancels the offers that are there. Who was let in just before it may make one just after it.
    async fn cancel_if_account_is_closed(&self, offer: &Offer) -> Result<(), Problem> {
        let Holder::Person(maker) = offer.by else {
            return Ok(());
        };
        match self.store.person(maker).await? {
            Some(maker) if maker.disabled.is_some() => {
                self.store.close(offer.id, Close::Cancel).await?;
                Err(touchmove_accounts::Error::Disabled { name: maker.name }.into())
            }
            _ => Ok(()),
        }
    }

    /// Takes an offer: the game begins, and both are told.
    pub(crate) async fn take(
        self: &Arc<House>,
        offer: &Offer,
        deal: &Deal,
        who: &Who,
        name: String,
        source: &'static str,
    ) -> Result<Taken, Problem> {
        let seated = |name: &str, holder: Holder| Seated {
            name: name.to_owned(),
            holder,
        };
        let by = seated(&offer.name, offer.by);
        let founding = deal
            .settled(offer.id)
            .founding(by, seated(&name, who.holder), source);
        // A game is known by the id of its offer, if no other game has it.
        let mut id = offer.id.as_str().parse().unwrap_or_else(|_| new_id());
        loop {
            let now = self.now();
            let game = founding.game(id, now).map_err(Problem::unreadable)?;
            let take = Take {
                offer: offer.id,
                now: moment(now),
                game,
            };
            match self.store.take(take).await? {
                TakenOffer::Written | TakenOffer::Already => {
                    self.lobby.tell(offer.by, Note::Game(id));
                    self.lobby.tell(who.holder, Note::Game(id));
                    self.lobby.stir();
                    return self.taken(id, who).await;
                }
                TakenOffer::IdTaken => id = new_id(),
                TakenOffer::NoOffer => return Err(no_offer()),
                TakenOffer::Gone(offer) => return self.too_late(&offer, who).await,
            }
        }
    }

    /// Who comes too late is told so; but not who has taken it himself, and lost the answer.
    async fn too_late(self: &Arc<House>, offer: &Offer, who: &Who) -> Result<Taken, Problem> {
        let text = match offer.status {
            OfferStatus::Taken { game } => match self.taken(game, who).await {
                Ok(taken) => return Ok(taken),
                Err(_) => "somebody was faster: this offer is taken",
            },
            OfferStatus::Open => "this offer has expired",
            OfferStatus::Cancelled => "this offer was withdrawn",
            OfferStatus::Declined { .. } => "this offer was declined",
        };
        Err(Problem::conflict("gone", text))
    }

    /// A game as who sits in it is told of it.
    async fn taken(self: &Arc<House>, game: GameId, who: &Who) -> Result<Taken, Problem> {
        let head = self.store.heads(vec![game]).await?.pop();
        let seat = seat_in(&head.ok_or_else(Problem::no_game)?.seats, who.holder);
        let seat = seat.ok_or_else(|| Problem::forbidden("you have no seat at this table"))?;
        Ok(Taken::new(self, game, seat))
    }

    /// Declines or withdraws an offer, and tells those whom it concerns.
    pub(crate) async fn close_offer(&self, offer: &Offer, close: Close) -> Result<(), Problem> {
        match self.store.close(offer.id, close).await? {
            Closed::Written | Closed::Already => {
                self.tell_of(offer, &Note::Changed);
                Ok(())
            }
            Closed::NoOffer => Err(no_offer()),
            Closed::Gone(_) => Err(Problem::conflict(
                "gone",
                "this offer is no longer open: something else became of it",
            )),
        }
    }

    /// Tells both sides of an offer; the lobby sees for itself.
    fn tell_of(&self, offer: &Offer, note: &Note) {
        self.lobby.tell(offer.by, note.clone());
        match offer.to {
            Some(to) => self.lobby.tell(Holder::Person(to), note.clone()),
            None => self.lobby.stir(),
        }
    }
}
