//! Public profiles of accounts, and their games.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use touchmove_accounts::Scope;
use touchmove_store::{GamePhase, GameQuery, Person, PersonId, PersonKind, limits};

use crate::Server;
use crate::api::extract::{PathParam, QueryParams};
use crate::api::game_lists::PageParams;
use crate::api::{ApiError, ServerState, pgn};
use crate::security::{Client, RateLimit};

/// The most games that are counted, in pages.
const MAX_COUNTED_PAGES: usize = 5;

/// An account's public profile.
#[derive(Serialize)]
struct PlayerJson {
    id: String,
    name: String,
    kind: &'static str,
    created: i64,
    /// Whether the account is closed.
    closed: bool,
    games: GameCounts,
}

/// The number of an account's public games.
#[derive(Default, Serialize)]
pub(crate) struct GameCounts {
    pub(crate) running: usize,
    pub(crate) finished: usize,
    pub(crate) won: usize,
    pub(crate) drawn: usize,
    pub(crate) lost: usize,
    /// Whether there are older games that were not counted.
    more: bool,
}

impl GameCounts {
    fn add(&mut self, person: PersonId, game: &touchmove_store::GameSummary) {
        self.finished += 1;
        let has_white = game.white.person == Some(person);
        match (game.result.as_deref(), has_white) {
            (Some("1-0"), true) | (Some("0-1"), false) => self.won += 1,
            (Some("0-1"), true) | (Some("1-0"), false) => self.lost += 1,
            (Some("1/2-1/2"), _) => self.drawn += 1,
            _ => {}
        }
    }
}

/// The account with the name in the path, and which of its games the client may see.
async fn find(
    server: &Server,
    headers: &HeaderMap,
    name: &str,
) -> Result<(Person, GameQuery), ApiError> {
    let person = server.people.find_existing(name).await?;
    let who = server.identify(headers).await?;
    let is_self = who
        .is_some_and(|who| who.person() == Some(person.id) && who.scopes.allow(Scope::AccountRead));
    let query = GameQuery {
        person: Some(person.id),
        public: !is_self,
        ..GameQuery::default()
    };
    Ok((person, query))
}

/// `GET /v1/players/{name}`
pub(crate) async fn show(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(name): PathParam,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    server.guard.check(client, RateLimit::Read)?;
    let (person, query) = find(&server, &headers, &name).await?;
    let counts = server.count_games(person.id, query).await?;
    let player = PlayerJson {
        id: person.id.to_string(),
        name: person.name,
        kind: match person.kind {
            PersonKind::Human => "human",
            PersonKind::Bot => "bot",
        },
        created: person.created.0,
        closed: person.disabled.is_some(),
        games: counts,
    };
    Ok(axum::Json(player).into_response())
}

/// `GET /v1/players/{name}/games`
pub(crate) async fn games(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(name): PathParam,
    headers: HeaderMap,
    QueryParams(paging): QueryParams<PageParams>,
) -> Result<Response, ApiError> {
    server.guard.check(client, RateLimit::Read)?;
    let (_, query) = find(&server, &headers, &name).await?;
    Ok(axum::Json(paging.of(&server, query).await?).into_response())
}

/// `GET /v1/players/{name}/pgn`
pub(crate) async fn pgn(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(name): PathParam,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    server.guard.check(client, RateLimit::Read)?;
    let (_, query) = find(&server, &headers, &name).await?;
    let finished = GameQuery {
        phase: Some(GamePhase::Finished),
        ..query
    };
    let reader = server.reader_of(&finished, client, &headers).await?;
    Ok(pgn::stream(&server, reader, finished))
}

impl Server {
    /// Counts the games that a query finds, up to a bound.
    pub(crate) async fn count_games(
        &self,
        person: PersonId,
        query: GameQuery,
    ) -> Result<GameCounts, ApiError> {
        let in_phase = |phase| GameQuery {
            phase: Some(phase),
            ..query.clone()
        };
        let running = self
            .store
            .list_games(in_phase(GamePhase::Running), None, limits::MAX_ROWS);
        let mut counts = GameCounts {
            running: running.await?.games.len(),
            ..GameCounts::default()
        };
        let mut after = None;
        for _ in 0..MAX_COUNTED_PAGES {
            let finished = in_phase(GamePhase::Finished);
            let page = self
                .store
                .list_games(finished, after, limits::MAX_ROWS)
                .await?;
            for game in &page.games {
                counts.add(person, &game.summary);
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        counts.more = after.is_some();
        Ok(counts)
    }
}
