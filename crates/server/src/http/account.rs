//! Accounts over HTTP: opened, signed in to and out of; passwords, and tokens for programs.

use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use touchmove_people::{Name, Scope, Scopes, Secret, handle};
use touchmove_store::{Holder, Kind, Moment, Person, Token};

use super::me::Me;
use super::sent::{Named, Sent};
use super::tables::with_cookie;
use super::{Problem, Shared};
use crate::House;
use crate::guard::{Client, Errand};
use crate::who::{self, Who};

/// A day.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// The longest that a token may be asked for, in days.
const LONGEST: u32 = 3_650;

/// A name and a password.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Credentials {
    name: String,
    password: String,
}

/// `POST /v1/account`
pub(crate) async fn create(
    State(house): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Sent(new): Sent<Credentials>,
) -> Result<Response, Problem> {
    if !house.settings.is_registration_open {
        return Err(Problem::forbidden(
            "this server opens no accounts by itself: play as a guest, or ask its host",
        ));
    }
    let name = Name::account(&new.name).map_err(touchmove_people::Error::from)?;
    house.guard.let_pass(client, Errand::SignIn)?;
    let _place = house.known.line_up()?;
    let people = &house.people;
    people
        .register(&name, Kind::Human, Some(&new.password))
        .await?;
    let signed_in = people.sign_in(name.as_str(), &new.password).await?;
    Ok(welcomed(&house, &headers, StatusCode::CREATED, signed_in))
}

/// `POST /v1/session`
pub(crate) async fn sign_in(
    State(house): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Sent(sent): Sent<Credentials>,
) -> Result<Response, Problem> {
    house.guard.let_pass(client, Errand::SignIn)?;
    let _place = house.known.line_up()?;
    let signed_in = house.people.sign_in(&sent.name, &sent.password).await?;
    Ok(welcomed(&house, &headers, StatusCode::OK, signed_in))
}

/// Who has signed in, with the cookie of the session. The guest that he was is not forgotten.
fn welcomed(
    house: &House,
    headers: &HeaderMap,
    status: StatusCode,
    (secret, person): (Secret, Person),
) -> Response {
    let before = who::guest_before(headers);
    let who = Who {
        holder: Holder::Person(person.id),
        name: Some(person.name.clone()),
        kind: person.kind,
        scopes: Scopes::ALL,
        by_cookie: true,
        before: before.and_then(who::guest),
    };
    let me = Me::new(house, Some(&who), Some(person.name));
    let cookie = Some(house.cookie(secret.reveal()));
    let mut response = with_cookie(cookie, (status, axum::Json(me)));
    let before = before.map(|secret| house.cookie_named(who::BEFORE, secret));
    if let Some(before) = before.and_then(|cookie| cookie.parse().ok()) {
        response.headers_mut().append(header::SET_COOKIE, before);
    }
    response
}

/// `DELETE /v1/session`
pub(crate) async fn sign_out(
    State(house): Shared,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let cookie = who::cookie(&headers);
    if let Some(cookie) = cookie {
        house.people.sign_out(cookie).await?;
        house.known.forget(&who::digest(cookie));
    }
    // Who was a guest here before he signed in is one again.
    let cookie = match who::guest_before(&headers) {
        Some(guest) if cookie != Some(guest) => house.cookie(guest),
        _ => format!(
            "{}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
            who::COOKIE
        ),
    };
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// The account of who asks. What changes it takes the cookie of a session: a token that went astray cannot
/// be used to make others.
async fn account(
    house: &House,
    headers: &HeaderMap,
    must_sign_in: bool,
) -> Result<Person, Problem> {
    let who = house.must_know(headers).await?;
    if must_sign_in && !who.by_cookie {
        return Err(Problem::forbidden(
            "this takes a signed-in browser: POST /v1/session, and send its cookie",
        ));
    }
    who.must_have(Scope::AccountRead)?;
    let no_account = || Problem::forbidden("guests have no account");
    let id = who.person().ok_or_else(no_account)?;
    house.store.person(id).await?.ok_or_else(no_account)
}

/// A new password.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Passwords {
    old: String,
    new: String,
}

/// `POST /v1/account/password`
pub(crate) async fn password(
    State(house): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Sent(sent): Sent<Passwords>,
) -> Result<Response, Problem> {
    house.guard.let_pass(client, Errand::SignIn)?;
    let person = account(&house, &headers, true).await?;
    touchmove_people::password::check(&sent.new).map_err(touchmove_people::Error::from)?;
    let _place = house.known.line_up()?;
    let people = &house.people;
    // The old one proves that it is not somebody else at an open browser.
    people.sign_in(&person.name, &sent.old).await?;
    people.set_password(person.id, &sent.new).await?;
    house.known.forget_person(person.id);
    let signed_in = people.sign_in(&person.name, &sent.new).await?;
    Ok(welcomed(&house, &headers, StatusCode::OK, signed_in))
}

/// A token as its owner sees it.
#[derive(Serialize)]
struct TokenShown {
    id: String,
    label: String,
    scopes: Vec<&'static str>,
    created: i64,
    last_used: Option<i64>,
    expires: Option<i64>,
    revoked: Option<i64>,
    valid: bool,
    /// The secret, once.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

impl TokenShown {
    fn new(token: &Token, now: Moment) -> TokenShown {
        let at = |moment: Option<Moment>| moment.map(|Moment(at)| at);
        let scopes = Scopes::known_in(&token.scopes);
        TokenShown {
            id: handle(&token.hash),
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
struct Tokens {
    tokens: Vec<TokenShown>,
}

/// `GET /v1/account/tokens`
pub(crate) async fn tokens(State(house): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    let person = account(&house, &headers, false).await?;
    let now = house.pulse.moment();
    let tokens = house.people.tokens(person.id).await?;
    let tokens = tokens.iter().map(|token| TokenShown::new(token, now));
    let tokens = tokens.collect();
    Ok(axum::Json(Tokens { tokens }).into_response())
}

/// What is asked for with a new token.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewToken {
    label: String,
    /// Words with spaces between; all of them if it is left out.
    scopes: Option<String>,
    /// For how long; for ever if it is left out.
    days: Option<u32>,
}

/// `POST /v1/account/tokens`
pub(crate) async fn issue(
    State(house): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Sent(new): Sent<NewToken>,
) -> Result<Response, Problem> {
    house.guard.let_pass(client, Errand::Create)?;
    let person = account(&house, &headers, true).await?;
    let scopes = match &new.scopes {
        None => Scopes::ALL,
        Some(words) => words
            .parse()
            .map_err(|error: touchmove_people::BadScope| Problem::unreadable(error.to_string()))?,
    };
    let now = house.pulse.moment();
    let lasts = match new.days {
        None => None,
        Some(days @ 1..=LONGEST) => Some(DAY * days),
        Some(_) => {
            return Err(Problem::unreadable(format!(
                "a token is valid for 1 to {LONGEST} days"
            )));
        }
    };
    let issued = house.people.issue(&person, &new.label, scopes, lasts);
    let (secret, token) = issued.await?;
    let shown = TokenShown {
        token: Some(secret.reveal().to_owned()),
        ..TokenShown::new(&token, now)
    };
    Ok((StatusCode::CREATED, axum::Json(shown)).into_response())
}

/// `DELETE /v1/account/tokens/{id}`
pub(crate) async fn revoke(
    State(house): Shared,
    Named(id): Named,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    let person = account(&house, &headers, true).await?;
    let revoked = house.people.revoke(&person, &id).await?;
    house.known.forget(&revoked.hash);
    Ok(StatusCode::NO_CONTENT)
}
