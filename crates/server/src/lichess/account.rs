//! Whoever asks, to himself: his token, his account, what he plays just now.

use std::collections::BTreeSet;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use touchmove_accounts::Scope;
use touchmove_store::{Kind, Person, Query};

use crate::House;
use crate::api::extract::{Sought, all};
use crate::api::{LARGEST, Problem, Shared};
use crate::lichess::error::Refused;
use crate::lichess::json;
use crate::lichess::users::{Number, running};
use crate::lichess::{ok, person};
use crate::security::{Client, Errand};

/// The most tokens that are tested at once.
const TOKENS: usize = 1_000;
/// The most games that are told at once.
const GAMES: usize = 50;

/// `POST /api/token/test`
pub(super) async fn test(
    State(house): Shared,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, Refused> {
    house.guard.let_pass(client, Errand::Read)?;
    let bytes = all(request, LARGEST).await?;
    let text = String::from_utf8_lossy(&bytes);
    let tokens = text.split(',').map(str::trim);
    let tokens: BTreeSet<&str> = tokens
        .filter(|token| !token.is_empty())
        .take(TOKENS)
        .collect();
    house.guard.let_look_up(client, tokens.len())?;
    let mut told = Map::new();
    for token in tokens {
        let bearer = match house.people.who(token).await {
            Ok(bearer) => bearer,
            Err(touchmove_accounts::Error::Store(error)) => return Err(error.into()),
            Err(_) => None,
        };
        let json = bearer.map(|bearer| {
            json!({
                "userId": json::id(&bearer.person.name),
                "scopes": json::scopes(bearer.scopes),
                "expires": bearer.expires.map(|expires| expires.0),
            })
        });
        told.insert(token.to_owned(), json.unwrap_or(Value::Null));
    }
    Ok(axum::Json(told).into_response())
}

/// The account of who asks.
async fn own(house: &House, headers: &HeaderMap) -> Result<Person, Refused> {
    let (_, id) = person(house, headers).await?;
    let person = house.store.person(id).await?;
    person.ok_or_else(|| Problem::not_found("there is no such account").into())
}

/// `GET /api/account`
pub(super) async fn show(
    State(house): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    house.guard.let_pass(client, Errand::Read)?;
    let person = own(&house, &headers).await?;
    Ok(axum::Json(house.user(&person).await?).into_response())
}

/// `GET /api/account/email`
pub(super) async fn email(State(house): Shared, headers: HeaderMap) -> Result<Response, Refused> {
    own(&house, &headers).await?;
    // Nobody is asked for an address here.
    Ok(axum::Json(json!({ "email": "" })).into_response())
}

/// `GET /api/account/kid`
pub(super) async fn kid(State(house): Shared, headers: HeaderMap) -> Result<Response, Refused> {
    own(&house, &headers).await?;
    Ok(axum::Json(json!({ "kid": false })).into_response())
}

/// `GET /api/account/preferences`
pub(super) async fn preferences(
    State(house): Shared,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    own(&house, &headers).await?;
    Ok(axum::Json(json!({ "prefs": {}, "language": "en-GB" })).into_response())
}

/// `POST /api/bot/account/upgrade`
pub(super) async fn upgrade(State(house): Shared, headers: HeaderMap) -> Result<Response, Refused> {
    let (who, id) = person(&house, &headers).await?;
    who.must_have(Scope::BotPlay)?;
    if who.kind == Kind::Bot {
        return Ok(ok());
    }
    let games = Query {
        person: Some(id),
        ..Query::default()
    };
    if !house.store.games(games, None, 1).await?.games.is_empty() {
        return Err(Problem::unreadable(
            "this account has played as a human being: open another one for the bot",
        )
        .into());
    }
    house.people.make_bot(id).await?;
    house.known.forget_person(id);
    house.humans.forget(id);
    Ok(ok())
}

/// `GET /api/account/playing`
pub(super) async fn playing(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Sought(number): Sought<Number>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    house.guard.let_pass(client, Errand::Read)?;
    let who = house.must_know(&headers).await?;
    who.must_see_games()?;
    let most = number.within(GAMES);
    let page = house.store.games(running(who.holder), None, most).await?;
    let mut games = Vec::new();
    for row in page.games {
        games.extend(house.told_game(row.id, (client, who.holder)).await?);
    }
    let turns = games.iter().filter(|game| game["isMyTurn"] == true);
    Ok(axum::Json(json!({ "nbMyTurn": turns.count(), "nowPlaying": games })).into_response())
}
