//! Accounts over HTTP: registration, sign-in and sign-out, passwords, and tokens for programs.

use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use touchmove_accounts::{Name, Scope, Scopes, Secret, TOKEN_LIFETIME, token_handle};
use touchmove_store::{Holder, Moment, Person, Token};

use crate::Server;
use crate::api::extract::{FormOrJson, PathParam};
use crate::api::me::MeJson;
use crate::api::tables::with_cookies;
use crate::api::{ApiError, ServerState};
use crate::auth::cookies::CookieName;
use crate::auth::identity;
use crate::auth::identity::Identity;
use crate::security::Client;

/// A day.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// The longest lifetime of a token that may be requested, in days.
const MAX_TOKEN_DAYS: u32 = 3_650;
/// How long after signing in a token is issued without the password, in milliseconds.
const RECENT_SIGN_IN_MS: i64 = 10 * 60 * 1_000;

/// A name and a password.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Credentials {
    name: String,
    password: String,
}

/// `POST /v1/account`
pub(crate) async fn create(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    FormOrJson(new): FormOrJson<Credentials>,
) -> Result<Response, ApiError> {
    if !server.settings.is_registration_open {
        return Err(ApiError::forbidden(
            "this server opens no accounts by itself: play as a guest, or ask its host",
        ));
    }
    let name = Name::account(&new.name).map_err(touchmove_accounts::Error::from)?;
    let signed_in = server.register(client, &name, &new.password).await?;
    welcomed(&server, &headers, StatusCode::CREATED, signed_in).await
}

/// `POST /v1/session`
pub(crate) async fn sign_in(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    FormOrJson(sent): FormOrJson<Credentials>,
) -> Result<Response, ApiError> {
    let signed_in = server.sign_in(client, &sent.name, &sent.password).await?;
    welcomed(&server, &headers, StatusCode::OK, signed_in).await
}

/// The response after signing in, with the cookie of the session, which is always a new one. The seats of the guest
/// in this browser move to the account: others who know the guest's secret, for example because they planted it, lose
/// access. A session that was open in this browser ends.
async fn welcomed(
    server: &Server,
    headers: &HeaderMap,
    status: StatusCode,
    signed_in: (Secret, Person),
) -> Result<Response, ApiError> {
    let cookies = server.cookies();
    let shown = cookies.read(headers, CookieName::Identity);
    let guest = match shown {
        Some(value) => server.cookie_guest(value, false).await?,
        None => None,
    };
    match (shown, guest) {
        (_, Some(guest)) => server.move_seats(guest.hash, signed_in.1.id).await?,
        (Some(value), None) => end_session(server, value).await?,
        (None, None) => {}
    }
    let mut set = vec![cookies.set(CookieName::Identity, signed_in.0.reveal())];
    if cookies.read(headers, CookieName::EarlierGuest).is_some() {
        set.extend(cookies.clear(CookieName::EarlierGuest));
    }
    let me = signed_in_as(server, &signed_in);
    Ok(with_cookies(set, (status, axum::Json(me))))
}

fn signed_in_as(server: &Server, (secret, person): &(Secret, Person)) -> MeJson {
    let who = Identity {
        holder: Holder::Person(person.id),
        name: Some(person.name.clone()),
        kind: person.kind,
        scopes: Scopes::ALL,
        by_cookie: true,
        secret: secret.digest(),
    };
    MeJson::new(server, Some(&who), Some(person.name.clone()))
}

/// Ends the session of a cookie. Without one nothing is written or published: anybody can send such a request.
async fn end_session(server: &Server, cookie: &str) -> Result<(), ApiError> {
    if server.people.sign_out(cookie).await? {
        server.known.remove(&identity::digest(cookie));
        server.announce_revocation();
    }
    Ok(())
}

/// `DELETE /v1/session`
pub(crate) async fn sign_out(
    State(server): ServerState,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let cookies = server.cookies();
    for value in [
        cookies.read(&headers, CookieName::Identity),
        cookies.read_old(&headers, CookieName::Identity),
    ]
    .into_iter()
    .flatten()
    {
        end_session(&server, value).await?;
    }
    // Whoever uses this browser next has none of these seats.
    let mut set = cookies.clear(CookieName::Identity);
    set.extend(cookies.clear(CookieName::EarlierGuest));
    Ok(with_cookies(set, StatusCode::NO_CONTENT))
}

/// The account of the client. Changing it requires the cookie of a session: a leaked token cannot be used to issue
/// others.
async fn account(
    server: &Server,
    headers: &HeaderMap,
    must_sign_in: bool,
) -> Result<Person, ApiError> {
    let who = server.require_identity(headers).await?;
    if must_sign_in && !who.by_cookie {
        return Err(ApiError::forbidden(
            "this takes a signed-in browser: POST /v1/session, and send its cookie",
        ));
    }
    who.require_scope(Scope::AccountRead)?;
    let no_account = || ApiError::forbidden("guests have no account");
    let id = who.person().ok_or_else(no_account)?;
    server.store.person(id).await?.ok_or_else(no_account)
}

/// The body of a request for a new password.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PasswordChange {
    old: String,
    new: String,
    /// Whether tokens stay valid; otherwise they are revoked.
    keep_tokens: bool,
}

/// `POST /v1/account/password`
pub(crate) async fn password(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    FormOrJson(sent): FormOrJson<PasswordChange>,
) -> Result<Response, ApiError> {
    let person = account(&server, &headers, true).await?;
    let changed = server.change_password(client, &person, &sent.old, &sent.new, sent.keep_tokens);
    let signed_in = changed.await?;
    let secret = signed_in.0.reveal();
    let set = server.cookies().set(CookieName::Identity, secret);
    let me = signed_in_as(&server, &signed_in);
    Ok(with_cookies([set], axum::Json(me)))
}

/// A token as its owner sees it.
#[derive(Serialize)]
struct TokenJson {
    id: String,
    label: String,
    scopes: Vec<&'static str>,
    created: i64,
    last_used: Option<i64>,
    expires: Option<i64>,
    revoked: Option<i64>,
    valid: bool,
    /// The secret, shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

impl TokenJson {
    fn new(token: &Token, now: Moment) -> TokenJson {
        let at = |moment: Option<Moment>| moment.map(|Moment(at)| at);
        let scopes = Scopes::known_in(&token.scopes);
        TokenJson {
            id: token_handle(&token.hash),
            label: token.label.clone(),
            scopes: scopes.iter().map(Scope::word).collect(),
            created: token.created.0,
            last_used: at(token.last_used),
            expires: at(token.expires),
            revoked: at(token.revoked),
            valid: token.is_valid_at(now),
            token: None,
        }
    }
}

#[derive(Serialize)]
struct TokenList {
    tokens: Vec<TokenJson>,
}

/// `GET /v1/account/tokens`
pub(crate) async fn tokens(
    State(server): ServerState,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let person = account(&server, &headers, false).await?;
    let now = server.pulse.to_moment();
    let tokens = server.people.list_tokens(person.id).await?;
    let tokens = tokens.iter().map(|token| TokenJson::new(token, now));
    let tokens = tokens.collect();
    Ok(axum::Json(TokenList { tokens }).into_response())
}

/// The body of a request for a new token.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewToken {
    label: String,
    /// Scopes separated by spaces; all of them if left out.
    scopes: Option<String>,
    /// The lifetime in days: a year if left out, and no limit if 0.
    days: Option<u32>,
    /// The password of the account; required unless the session is new.
    password: String,
}

/// `POST /v1/account/tokens`
pub(crate) async fn issue(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    FormOrJson(new): FormOrJson<NewToken>,
) -> Result<Response, ApiError> {
    let person = account(&server, &headers, true).await?;
    must_be_owner(&server, client, &headers, &person, &new.password).await?;
    let scopes = match &new.scopes {
        None => Scopes::ALL,
        Some(words) => words
            .parse()
            .map_err(|error: touchmove_accounts::ParseScopeError| {
                ApiError::unreadable(error.to_string())
            })?,
    };
    let now = server.pulse.to_moment();
    let lasts = match new.days {
        None => Some(TOKEN_LIFETIME),
        Some(0) => None,
        Some(days @ 1..=MAX_TOKEN_DAYS) => Some(DAY * days),
        Some(_) => {
            return Err(ApiError::unreadable(format!(
                "a token is valid for 1 to {MAX_TOKEN_DAYS} days, or with 0 until it is revoked"
            )));
        }
    };
    let issued = server
        .people
        .issue_token(&person, &new.label, scopes, lasts);
    let (secret, token) = issued.await?;
    let shown = TokenJson {
        token: Some(secret.reveal().to_owned()),
        ..TokenJson::new(&token, now)
    };
    Ok((StatusCode::CREATED, axum::Json(shown)).into_response())
}

/// Refuses another person at an unlocked browser: the client must have signed in a moment ago, or know the password.
async fn must_be_owner(
    server: &Server,
    client: Client,
    headers: &HeaderMap,
    person: &Person,
    password: &str,
) -> Result<(), ApiError> {
    let cookie = server.cookies().read(headers, CookieName::Identity);
    let visitor = server
        .people
        .authenticate_session(cookie.unwrap_or_default())
        .await?;
    let recently = server.pulse.to_moment().plus_millis(-RECENT_SIGN_IN_MS);
    if visitor.is_some_and(|visitor| visitor.signed_in > recently) {
        return Ok(());
    }
    if password.is_empty() {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "password_needed",
            "type your password once more: you signed in more than ten minutes ago",
        ));
    }
    let (extra, _) = server.sign_in(client, &person.name, password).await?;
    // The session was only needed to check the password.
    server.people.sign_out(extra.reveal()).await?;
    Ok(())
}

/// How many tokens were revoked.
#[derive(Serialize)]
struct RevokedCount {
    revoked: u64,
}

/// `DELETE /v1/account/tokens`
pub(crate) async fn revoke_all(
    State(server): ServerState,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let person = account(&server, &headers, true).await?;
    let revoked = server.people.revoke_all(person.id).await?;
    server.known.remove_person(person.id);
    server.announce_revocation();
    Ok(axum::Json(RevokedCount { revoked }).into_response())
}

/// `DELETE /v1/account/tokens/{id}`
pub(crate) async fn revoke(
    State(server): ServerState,
    PathParam(id): PathParam,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let person = account(&server, &headers, true).await?;
    let revoked = server.people.revoke_token(&person, &id).await?;
    server.known.remove(&revoked.hash);
    server.announce_revocation();
    Ok(StatusCode::NO_CONTENT)
}
