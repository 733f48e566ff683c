//! Challenges over HTTP: offers from one person to another.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use touchmove_accounts::Scope;
use touchmove_store::{Close, Holder, Offer, PersonId};
use touchmove_text::sanitize_line;

use crate::House;
use crate::api::extract::{Named, Sent};
use crate::api::seeks::no_offer;
use crate::api::tables::Taken;
use crate::api::{Problem, Shared};
use crate::auth::identity::Who;
use crate::games::new_game::CHALLENGE;
use crate::games::terms_request::{Side, Wanted};
use crate::lobby::{self, ChallengeShown, Deal, Note, few};

/// The most challenges that are shown to somebody, and the most of his own.
const MOST: usize = 50;
/// The longest reason for declining, in bytes.
const LONGEST: usize = 400;

/// What is asked for with a new challenge.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewChallenge {
    to: String,
    terms: Wanted,
    side: Side,
    public: bool,
}

/// What is said by who declines one.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Declining {
    reason: String,
}

#[derive(Serialize)]
struct Challenges {
    challenges: Vec<ChallengeShown>,
}

/// Who asks, if he has an account and may do this.
async fn person(
    house: &House,
    headers: &HeaderMap,
    scope: Scope,
) -> Result<(Who, PersonId), Problem> {
    let who = house.must_know(headers).await?;
    who.must_have(scope)?;
    let person = who.person().ok_or_else(|| {
        Problem::forbidden("challenges are between people with accounts: send a friend a link")
    })?;
    Ok((who, person))
}

/// `POST /v1/challenges`
pub(crate) async fn create(
    State(house): Shared,
    headers: HeaderMap,
    Sent(new): Sent<NewChallenge>,
) -> Result<Response, Problem> {
    let (who, own) = person(&house, &headers, Scope::ChallengeWrite).await?;
    let deal = Deal {
        terms: new.terms.terms().map_err(Problem::unreadable)?,
        side: new.side,
        public: new.public,
    };
    let to = house.people.expect(&new.to).await?;
    if to.disabled.is_some() {
        let name = to.name;
        return Err(touchmove_accounts::Error::Nobody { name }.into());
    }
    if to.id == own {
        return Err(Problem::unreadable("nobody challenges himself"));
    }
    let now = house.pulse.moment();
    few(house.store.challenges_by(own, now, MOST).await?.len())?;
    let name = who.name.clone().unwrap_or_default();
    let offer = house.offer(&who, name, Some(to.id), &deal).await?;
    let to = lobby::Named::new(&to.name, Some(to.id));
    let shown = ChallengeShown::new(&offer, &deal, to, true);
    Ok((StatusCode::CREATED, axum::Json(shown)).into_response())
}

/// `GET /v1/challenges`
pub(crate) async fn list(State(house): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    let (who, _) = person(&house, &headers, Scope::ChallengeRead).await?;
    let challenges = house.challenges_of(&who).await?;
    Ok(axum::Json(Challenges { challenges }).into_response())
}

/// A challenge to who asks.
async fn own(house: &House, headers: &HeaderMap, id: &str) -> Result<(Who, Offer, Deal), Problem> {
    let (who, own) = person(house, headers, Scope::ChallengeWrite).await?;
    let (offer, deal) = house.find_offer(id).await?;
    match offer.to {
        Some(to) if to == own => Ok((who, offer, deal)),
        Some(_) if offer.by == who.holder => Err(Problem::conflict(
            "own_offer",
            "this is your own challenge: somebody else has to answer it",
        )),
        _ => Err(no_offer()),
    }
}

/// `POST /v1/challenges/{id}/accept`
pub(crate) async fn accept(
    State(house): Shared,
    Named(id): Named,
    headers: HeaderMap,
) -> Result<axum::Json<Taken>, Problem> {
    let (who, offer, deal) = own(&house, &headers, &id).await?;
    let name = who.name.clone().unwrap_or_default();
    let taken = house.take(&offer, &deal, &who, name, CHALLENGE).await?;
    Ok(axum::Json(taken))
}

/// `POST /v1/challenges/{id}/decline`
pub(crate) async fn decline(
    State(house): Shared,
    Named(id): Named,
    headers: HeaderMap,
    Sent(Declining { reason }): Sent<Declining>,
) -> Result<StatusCode, Problem> {
    if reason.len() > LONGEST {
        return Err(Problem::unreadable(format!(
            "the reason has at most {LONGEST} bytes"
        )));
    }
    let reason = sanitize_line(reason.trim()).into_owned();
    let (_, offer, _) = own(&house, &headers, &id).await?;
    let close = Close::Decline {
        reason: reason.clone(),
    };
    house.close_offer(&offer, close).await?;
    let challenge = offer.id;
    let note = Note::Declined { challenge, reason };
    house.lobby.tell(offer.by, note);
    Ok(StatusCode::NO_CONTENT)
}

impl House {
    /// The open challenges by somebody, then those to him, the newest first; a guest has none.
    pub(crate) async fn challenges_of(&self, who: &Who) -> Result<Vec<ChallengeShown>, Problem> {
        let Some(person) = who.person() else {
            return Ok(Vec::new());
        };
        let now = self.pulse.moment();
        let mut shown = Vec::new();
        let mut open = self.store.challenges_by(person, now, MOST).await?;
        open.extend(self.store.challenges_to(person, now, MOST).await?);
        for offer in open {
            let (Some(to), Ok(deal)) = (offer.to, Deal::read(&offer.terms)) else {
                continue;
            };
            let name = match to == person {
                true => who.name.clone(),
                false => self.store.person(to).await?.map(|person| person.name),
            };
            let named = lobby::Named::new(&name.unwrap_or_default(), Some(to));
            let is_out = offer.by == Holder::Person(person);
            shown.push(ChallengeShown::new(&offer, &deal, named, is_out));
        }
        Ok(shown)
    }
}
