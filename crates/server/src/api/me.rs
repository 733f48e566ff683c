//! Who somebody is to the server, and what a guest is called.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use touchmove_accounts::Scopes;
use touchmove_store::{Holder, Kind};

use crate::House;
use crate::api::extract::Sent;
use crate::api::tables::with_cookies;
use crate::api::{Problem, Shared};
use crate::auth::identity::Who;

/// Somebody as he is told about himself.
#[derive(Serialize)]
pub(crate) struct Me {
    /// `nobody`, `guest`, `human` or `bot`.
    kind: &'static str,
    name: Option<String>,
    id: Option<String>,
    /// What he may do here.
    scopes: Vec<&'static str>,
    /// Whether anybody may open an account.
    registration: bool,
}

impl Me {
    pub(crate) fn new(house: &House, who: Option<&Who>, name: Option<String>) -> Me {
        let scopes = who.map_or(Scopes::NONE, |who| who.scopes);
        Me {
            kind: match who.map(|who| (who.holder, who.kind)) {
                None => "nobody",
                Some((Holder::Guest(_), _)) => "guest",
                Some((Holder::Person(_), Kind::Human)) => "human",
                Some((Holder::Person(_), Kind::Bot)) => "bot",
            },
            name,
            id: who.and_then(Who::person).map(|person| person.to_string()),
            scopes: scopes.iter().map(touchmove_accounts::Scope::word).collect(),
            registration: house.settings.is_registration_open,
        }
    }
}

/// `GET /v1/me`
pub(crate) async fn show(State(house): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    let (who, cookies) = house.identify(&headers).await?;
    let name = match &who {
        Some(who) => house.name_of(who).await?,
        None => None,
    };
    let me = Me::new(&house, who.as_ref(), name);
    Ok(with_cookies(cookies, axum::Json(me)))
}

/// What a guest says.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Called {
    name: String,
}

/// `POST /v1/me`
pub(crate) async fn call(
    State(house): Shared,
    headers: HeaderMap,
    Sent(called): Sent<Called>,
) -> Result<Response, Problem> {
    let (who, cookies) = house.welcome(&headers).await?;
    let Holder::Guest(hash) = who.holder else {
        return Err(Problem::forbidden("the name of an account stays as it is"));
    };
    house.call_guest(hash, &called.name).await?;
    let name = house.name_of(&who).await?;
    let me = Me::new(&house, Some(&who), name);
    Ok(with_cookies(cookies, axum::Json(me)))
}
