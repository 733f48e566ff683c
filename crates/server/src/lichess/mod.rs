//! Lichess's API, so that its clients play here unmodified: the same paths, fields and streams, described in
//! docs/LICHESS-API.md. Offers and games are the server's own: what one client offers here, another may take on the
//! web page.

mod account;
mod challenge_json;
mod challenge_stream;
mod challenges;
mod error;
mod event_stream;
mod game_actions;
mod game_export;
mod game_stream;
mod json;
mod ndjson;
mod oauth;
mod params;
mod perfs;
mod redirect;
mod seeks;
mod tv;
mod users;

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use serde::Deserialize;
use touchmove_accounts::Scope;
use touchmove_rules::Color;
use touchmove_store::{PersonId, PersonKind};

use crate::Server;
use crate::api::ApiError;
use crate::api::extract::PathParam;
use crate::api::route::{Route, delete, get, options, post, router_with_slashes};
use crate::auth::identity::Identity;
use crate::games::table::Table;
use crate::security::Client;

use error::LichessError;
pub(crate) use event_stream::EventStreams;
#[cfg(test)]
pub(crate) use oauth::CODE_LIFETIME_MS;
pub(crate) use perfs::GameKinds;
pub(crate) use tv::NewestGames;
pub(crate) use users::KnownHumans;

/// The two parts of the API: for bots, and for boards of human players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ApiFlavor {
    Bot,
    Board,
}

impl ApiFlavor {
    /// The part that a path belongs to.
    fn of(path: &str) -> ApiFlavor {
        match path.starts_with("/api/bot/") {
            true => ApiFlavor::Bot,
            false => ApiFlavor::Board,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            ApiFlavor::Bot => "bot",
            ApiFlavor::Board => "board",
        }
    }
}

/// The routes that belong to neither part.
fn common() -> Vec<Route> {
    vec![
        get("/oauth", oauth::show),
        post("/oauth", oauth::grant),
        post("/api/token", oauth::exchange),
        delete("/api/token", oauth::revoke),
        post("/api/token/test", account::test),
        get("/api/account", account::show),
        get("/api/account/email", account::email),
        get("/api/account/kid", account::kid),
        get("/api/account/preferences", account::preferences),
        get("/api/account/playing", account::playing),
        post("/api/bot/account/upgrade", account::upgrade),
        get("/api/bot/online", users::bots),
        get("/api/user/{id}", users::show),
        get("/@/{id}", users::page),
        get("/api/user/{id}/current-game", game_export::current),
        post("/api/users", users::list),
        get("/api/users/status", users::status),
        get("/api/stream/event", event_stream::stream),
        get("/api/challenge", challenges::list),
        post("/api/challenge/open", challenges::open),
        post("/api/challenge/ai", challenges::engine),
        post("/api/challenge/{id}", challenges::create),
        get("/api/challenge/{id}/show", challenges::show),
        post("/api/challenge/{id}/accept", challenges::accept),
        post("/api/challenge/{id}/decline", challenges::decline),
        post("/api/challenge/{id}/cancel", challenges::cancel),
        post("/api/board/seek", seeks::seek),
        post("/api/round/{id}/add-time/{seconds}", game_actions::add_time),
        get("/game/export/{id}", game_export::one),
        get("/api/games/user/{id}", game_export::of_user),
        post("/api/games/export/_ids", game_export::many),
        get("/api/stream/game/{id}", tv::moves),
        get("/api/tv/channels", tv::channels),
        get("/api/tv/feed", tv::best),
        get("/api/tv/{id}", tv::games),
        get("/api/tv/{id}/feed", tv::channel),
    ]
}

/// The routes of games in one part.
fn games(api: ApiFlavor) -> Vec<Route> {
    let path = |path: &str| format!("/api/{}/game/{path}", api.word());
    vec![
        get(path("stream/{id}"), game_stream::stream),
        post(path("{id}/move/{move}"), game_actions::play),
        post(path("{id}/abort"), game_actions::abort),
        post(path("{id}/resign"), game_actions::resign),
        post(path("{id}/draw/{answer}"), game_actions::draw),
        post(path("{id}/takeback/{answer}"), game_actions::takeback),
        post(path("{id}/claim-victory"), game_actions::claim_victory),
        post(path("{id}/claim-draw"), game_actions::claim_draw),
        post(path("{id}/berserk"), game_actions::berserk),
        get(path("{id}/chat"), game_actions::get_chat),
        post(path("{id}/chat"), game_actions::post_chat),
    ]
}

/// Adds `OPTIONS` routes, for the preflight requests of browsers.
fn with_options(mut routes: Vec<Route>) -> Vec<Route> {
    let paths: BTreeSet<_> = routes.iter().map(|route| route.path.clone()).collect();
    routes.extend(
        paths
            .into_iter()
            .map(|path| options(path, crate::security::cors::preflight)),
    );
    routes
}

/// All routes of this API.
pub(crate) fn routes() -> Vec<Route> {
    let halves = [common(), games(ApiFlavor::Bot), games(ApiFlavor::Board)];
    halves.into_iter().flat_map(with_options).collect()
}

/// The router of this API; a trailing slash makes no difference.
pub(crate) fn router() -> Router<Arc<Server>> {
    let router = |routes| router_with_slashes(with_options(routes));
    router(common())
        .merge(router(games(ApiFlavor::Bot)))
        .merge(router(games(ApiFlavor::Board)))
        .layer(middleware::from_fn(crate::security::cors::add_headers))
}

/// The response to a granted request.
fn ok() -> Response {
    let json = [(header::CONTENT_TYPE, "application/json")];
    (json, r#"{"ok":true}"#).into_response()
}

/// The identity of the client, and its account.
async fn person(
    server: &Server,
    headers: &HeaderMap,
) -> Result<(Identity, PersonId), LichessError> {
    let who = server.require_identity(headers).await?;
    match who.person() {
        Some(person) => Ok((who, person)),
        None => Err(ApiError::forbidden("this takes an account: guests have none").into()),
    }
}

/// The identity of a client that may play through this part of the API.
async fn player(
    server: &Server,
    headers: &HeaderMap,
    api: ApiFlavor,
) -> Result<Identity, LichessError> {
    let who = server.require_identity(headers).await?;
    match api {
        ApiFlavor::Board => who.require_scope(Scope::BoardPlay)?,
        ApiFlavor::Bot => {
            who.require_scope(Scope::BotPlay)?;
            if who.kind != PersonKind::Bot {
                return Err(ApiError::unreadable(
                    "only the account of a bot plays here: POST /api/bot/account/upgrade makes this \
                     one such an account, or play through /api/board",
                )
                .into());
            }
        }
    }
    Ok(who)
}

/// A player in their game.
struct PlayerInGame {
    server: Arc<Server>,
    who: Identity,
    table: Arc<Table>,
    color: Color,
}

impl PlayerInGame {
    /// The seat of the client in a game.
    async fn of(
        server: &Arc<Server>,
        (client, who): (Client, Identity),
        id: &str,
    ) -> Result<PlayerInGame, ApiError> {
        let id = id.parse().map_err(|_| ApiError::no_game())?;
        let found = server.table_of_player(id, (client, &who)).await?;
        let (table, color) =
            found.ok_or_else(|| ApiError::not_found("you play no game with this id"))?;
        server.seat_computer(&table, Some(client)).await;
        Ok(PlayerInGame {
            server: Arc::clone(server),
            who,
            table,
            color,
        })
    }
}

/// The id of the game in the path; there may be other parameters.
#[derive(Deserialize)]
struct GamePath {
    id: String,
}

/// Extracts the client's seat in the game of the path.
impl FromRequestParts<Arc<Server>> for PlayerInGame {
    type Rejection = LichessError;

    async fn from_request_parts(
        parts: &mut Parts,
        server: &Arc<Server>,
    ) -> Result<PlayerInGame, LichessError> {
        let PathParam(GamePath { id }) = PathParam::from_request_parts(parts, server).await?;
        let api = ApiFlavor::of(parts.uri.path());
        let client = parts.extensions.get().copied().unwrap_or(Client::UNKNOWN);
        let who = player(server, &parts.headers, api).await?;
        Ok(PlayerInGame::of(server, (client, who), &id).await?)
    }
}
