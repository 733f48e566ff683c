//! `/v1/me`: the identity of the client, and the name of a guest.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use touchmove_accounts::Scopes;
use touchmove_store::{Holder, PersonKind};

use crate::Server;
use crate::api::extract::FormOrJson;
use crate::api::tables::with_cookies;
use crate::api::{ApiError, ServerState};
use crate::auth::identity::Identity;

/// The client's own identity.
#[derive(Serialize)]
pub(crate) struct MeJson {
    /// `nobody`, `guest`, `human` or `bot`.
    kind: &'static str,
    name: Option<String>,
    id: Option<String>,
    /// The scopes of the request.
    scopes: Vec<&'static str>,
    /// Whether registration of accounts is open.
    registration: bool,
}

impl MeJson {
    pub(crate) fn new(server: &Server, who: Option<&Identity>, name: Option<String>) -> MeJson {
        let scopes = who.map_or(Scopes::NONE, |who| who.scopes);
        MeJson {
            kind: match who.map(|who| (who.holder, who.kind)) {
                None => "nobody",
                Some((Holder::Guest(_), _)) => "guest",
                Some((Holder::Person(_), PersonKind::Human)) => "human",
                Some((Holder::Person(_), PersonKind::Bot)) => "bot",
            },
            name,
            id: who
                .and_then(Identity::person)
                .map(|person| person.to_string()),
            scopes: scopes.iter().map(touchmove_accounts::Scope::word).collect(),
            registration: server.settings.is_registration_open,
        }
    }
}

/// `GET /v1/me`
pub(crate) async fn show(
    State(server): ServerState,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (who, cookies) = server.identify_with_cookies(&headers).await?;
    let name = match &who {
        Some(who) => server.name_of(who).await?,
        None => None,
    };
    let me = MeJson::new(&server, who.as_ref(), name);
    Ok(with_cookies(cookies, axum::Json(me)))
}

/// The body with a guest's new name.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NameRequest {
    name: String,
}

/// `POST /v1/me`
pub(crate) async fn set_name(
    State(server): ServerState,
    headers: HeaderMap,
    FormOrJson(called): FormOrJson<NameRequest>,
) -> Result<Response, ApiError> {
    let (who, cookies) = server.identify_or_create_guest(&headers).await?;
    let Holder::Guest(hash) = who.holder else {
        return Err(ApiError::forbidden("the name of an account stays as it is"));
    };
    server.call_guest(hash, &called.name).await?;
    let name = server.name_of(&who).await?;
    let me = MeJson::new(&server, Some(&who), name);
    Ok(with_cookies(cookies, axum::Json(me)))
}
