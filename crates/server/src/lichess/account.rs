//! The client's own token, account and running games in Lichess's API.

use std::collections::BTreeSet;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use touchmove_accounts::Scope;
use touchmove_store::{GameQuery, Person, PersonKind};

use crate::Server;
use crate::api::extract::{QueryParams, read_body};
use crate::api::{ApiError, MAX_BODY_BYTES, ServerState};
use crate::lichess::error::LichessError;
use crate::lichess::json;
use crate::lichess::users::{CountParam, running};
use crate::lichess::{ok, person};
use crate::security::{Client, RateLimit};

/// The most tokens that are tested at once.
const MAX_TESTED_TOKENS: usize = 1_000;
/// The most running games that are listed.
const MAX_PLAYING_GAMES: usize = 50;

/// `POST /api/token/test`
pub(super) async fn test(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let bytes = read_body(request, MAX_BODY_BYTES).await?;
    let text = String::from_utf8_lossy(&bytes);
    let tokens = text.split(',').map(str::trim);
    let tokens: BTreeSet<&str> = tokens
        .filter(|token| !token.is_empty())
        .take(MAX_TESTED_TOKENS)
        .collect();
    server.guard.let_look_up(client, tokens.len())?;
    let mut told = Map::new();
    for token in tokens {
        let bearer = match server.people.authenticate_token(token).await {
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

/// The account of the client.
async fn own(server: &Server, headers: &HeaderMap) -> Result<Person, LichessError> {
    let (_, id) = person(server, headers).await?;
    let person = server.store.person(id).await?;
    person.ok_or_else(|| ApiError::not_found("there is no such account").into())
}

/// `GET /api/account`
pub(super) async fn show(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let person = own(&server, &headers).await?;
    Ok(axum::Json(server.user(&person).await?).into_response())
}

/// `GET /api/account/email`
pub(super) async fn email(
    State(server): ServerState,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    own(&server, &headers).await?;
    // Accounts have no email address here.
    Ok(axum::Json(json!({ "email": "" })).into_response())
}

/// `GET /api/account/kid`
pub(super) async fn kid(
    State(server): ServerState,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    own(&server, &headers).await?;
    Ok(axum::Json(json!({ "kid": false })).into_response())
}

/// `GET /api/account/preferences`
pub(super) async fn preferences(
    State(server): ServerState,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    own(&server, &headers).await?;
    Ok(axum::Json(json!({ "prefs": {}, "language": "en-GB" })).into_response())
}

/// `POST /api/bot/account/upgrade`
pub(super) async fn upgrade(
    State(server): ServerState,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    let (who, id) = person(&server, &headers).await?;
    who.require_scope(Scope::BotPlay)?;
    if who.kind == PersonKind::Bot {
        return Ok(ok());
    }
    let games = GameQuery {
        person: Some(id),
        ..GameQuery::default()
    };
    if !server
        .store
        .list_games(games, None, 1)
        .await?
        .games
        .is_empty()
    {
        return Err(ApiError::unreadable(
            "this account has played as a human being: open another one for the bot",
        )
        .into());
    }
    server.people.make_bot(id).await?;
    server.known.remove_person(id);
    server.humans.forget(id);
    Ok(ok())
}

/// `GET /api/account/playing`
pub(super) async fn playing(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    QueryParams(number): QueryParams<CountParam>,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let who = server.require_identity(&headers).await?;
    who.must_see_games()?;
    let most = number.within(MAX_PLAYING_GAMES);
    let page = server
        .store
        .list_games(running(who.holder), None, most)
        .await?;
    let mut games = Vec::new();
    for row in page.games {
        games.extend(server.game_json_for(row.id, (client, who.holder)).await?);
    }
    let turns = games.iter().filter(|game| game["isMyTurn"] == true);
    Ok(axum::Json(json!({ "nbMyTurn": turns.count(), "nowPlaying": games })).into_response())
}
