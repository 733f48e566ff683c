//! Challenges over HTTP: offers from one account to another.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use touchmove_accounts::Scope;
use touchmove_store::{CloseOffer, Holder, Offer, PersonId};
use touchmove_text::sanitize_line;

use crate::Server;
use crate::api::extract::{FormOrJson, PathParam};
use crate::api::seeks::no_offer;
use crate::api::tables::SeatTaken;
use crate::api::{ApiError, ServerState};
use crate::auth::identity::Identity;
use crate::games::new_game::CHALLENGE_SOURCE;
use crate::games::terms_request::{SideRequest, TermsRequest};
use crate::lobby::{self, ChallengeJson, LobbyNotice, OfferTerms, few};

/// The most challenges that are listed, in each direction.
const MAX_LISTED_CHALLENGES: usize = 50;
/// The longest reason for declining, in bytes.
const MAX_DECLINE_REASON_BYTES: usize = 400;

/// The body of a request for a new challenge.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewChallenge {
    to: String,
    terms: TermsRequest,
    side: SideRequest,
    public: bool,
}

/// The body of a request to decline one.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct DeclineRequest {
    reason: String,
}

#[derive(Serialize)]
struct ChallengeList {
    challenges: Vec<ChallengeJson>,
}

/// The identity of the client, which must have an account and the scope.
async fn person(
    server: &Server,
    headers: &HeaderMap,
    scope: Scope,
) -> Result<(Identity, PersonId), ApiError> {
    let who = server.require_identity(headers).await?;
    who.require_scope(scope)?;
    let person = who.person().ok_or_else(|| {
        ApiError::forbidden("challenges are between people with accounts: send a friend a link")
    })?;
    Ok((who, person))
}

/// `POST /v1/challenges`
pub(crate) async fn create(
    State(server): ServerState,
    headers: HeaderMap,
    FormOrJson(new): FormOrJson<NewChallenge>,
) -> Result<Response, ApiError> {
    let (who, own) = person(&server, &headers, Scope::ChallengeWrite).await?;
    let deal = OfferTerms {
        terms: new.terms.terms().map_err(ApiError::unreadable)?,
        side: new.side,
        public: new.public,
    };
    let to = server.people.find_existing(&new.to).await?;
    if to.disabled.is_some() {
        let name = to.name;
        return Err(touchmove_accounts::Error::Nobody { name }.into());
    }
    if to.id == own {
        return Err(ApiError::unreadable("nobody challenges himself"));
    }
    let now = server.pulse.to_moment();
    few(server
        .store
        .challenges_by(own, now, MAX_LISTED_CHALLENGES)
        .await?
        .len())?;
    let name = who.name.clone().unwrap_or_default();
    let offer = server.create_offer(&who, name, Some(to.id), &deal).await?;
    let to = lobby::PersonJson::new(&to.name, Some(to.id));
    let shown = ChallengeJson::new(&offer, &deal, to, true);
    Ok((StatusCode::CREATED, axum::Json(shown)).into_response())
}

/// `GET /v1/challenges`
pub(crate) async fn list(
    State(server): ServerState,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (who, _) = person(&server, &headers, Scope::ChallengeRead).await?;
    let challenges = server.challenges_of(&who).await?;
    Ok(axum::Json(ChallengeList { challenges }).into_response())
}

/// A challenge to the client.
async fn own(
    server: &Server,
    headers: &HeaderMap,
    id: &str,
) -> Result<(Identity, Offer, OfferTerms), ApiError> {
    let (who, own) = person(server, headers, Scope::ChallengeWrite).await?;
    let (offer, deal) = server.find_offer(id).await?;
    match offer.to {
        Some(to) if to == own => Ok((who, offer, deal)),
        Some(_) if offer.by == who.holder => Err(ApiError::conflict(
            "own_offer",
            "this is your own challenge: somebody else has to answer it",
        )),
        _ => Err(no_offer()),
    }
}

/// `POST /v1/challenges/{id}/accept`
pub(crate) async fn accept(
    State(server): ServerState,
    PathParam(id): PathParam,
    headers: HeaderMap,
) -> Result<axum::Json<SeatTaken>, ApiError> {
    let (who, offer, deal) = own(&server, &headers, &id).await?;
    let name = who.name.clone().unwrap_or_default();
    let taken = server
        .take_offer(&offer, &deal, &who, name, CHALLENGE_SOURCE)
        .await?;
    Ok(axum::Json(taken))
}

/// `POST /v1/challenges/{id}/decline`
pub(crate) async fn decline(
    State(server): ServerState,
    PathParam(id): PathParam,
    headers: HeaderMap,
    FormOrJson(DeclineRequest { reason }): FormOrJson<DeclineRequest>,
) -> Result<StatusCode, ApiError> {
    if reason.len() > MAX_DECLINE_REASON_BYTES {
        return Err(ApiError::unreadable(format!(
            "the reason has at most {MAX_DECLINE_REASON_BYTES} bytes"
        )));
    }
    let reason = sanitize_line(reason.trim()).into_owned();
    let (_, offer, _) = own(&server, &headers, &id).await?;
    let close = CloseOffer::Decline {
        reason: reason.clone(),
    };
    server.close_offer(&offer, close).await?;
    let challenge = offer.id;
    let note = LobbyNotice::Declined { challenge, reason };
    server.lobby.send_notice(offer.by, note);
    Ok(StatusCode::NO_CONTENT)
}

impl Server {
    /// The open challenges by an account, then those to it, newest first; a guest has none.
    pub(crate) async fn challenges_of(
        &self,
        who: &Identity,
    ) -> Result<Vec<ChallengeJson>, ApiError> {
        let Some(person) = who.person() else {
            return Ok(Vec::new());
        };
        let now = self.pulse.to_moment();
        let mut shown = Vec::new();
        let mut open = self
            .store
            .challenges_by(person, now, MAX_LISTED_CHALLENGES)
            .await?;
        open.extend(
            self.store
                .challenges_to(person, now, MAX_LISTED_CHALLENGES)
                .await?,
        );
        for offer in open {
            let (Some(to), Ok(deal)) = (offer.to, OfferTerms::parse(&offer.terms)) else {
                continue;
            };
            let name = match to == person {
                true => who.name.clone(),
                false => self.store.person(to).await?.map(|person| person.name),
            };
            let named = lobby::PersonJson::new(&name.unwrap_or_default(), Some(to));
            let is_out = offer.by == Holder::Person(person);
            shown.push(ChallengeJson::new(&offer, &deal, named, is_out));
        }
        Ok(shown)
    }
}
