//! Lists of games over HTTP: public games, and the client's own.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use touchmove_accounts::Scope;
use touchmove_rules::Variant;
use touchmove_store::{GameCursor, GamePhase, GameQuery, GameRow};

use crate::Server;
use crate::api::extract::QueryParams;
use crate::api::{ApiError, ServerState};
use crate::games::new_game::CHALLENGE_SOURCE;
use crate::lobby::GameRowJson;
use crate::security::{Client, RateLimit};

/// The default size of a page.
const DEFAULT_PAGE_SIZE: usize = 20;
/// The largest page.
const MAX_PAGE_SIZE: usize = 100;

/// The filters of a list of games. Empty ones are ignored.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct GameSearchParams {
    phase: Option<String>,
    variant: Option<String>,
    player: Option<String>,
    mine: Option<String>,
    after: Option<String>,
    limit: Option<String>,
}

/// The parameters of a page.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PageParams {
    phase: Option<String>,
    variant: Option<String>,
    after: Option<String>,
    limit: Option<String>,
}

/// A page of games.
#[derive(Serialize)]
pub(crate) struct GamePageJson {
    games: Vec<GameRowJson>,
    /// The cursor of the next page.
    next: Option<String>,
}

fn said(text: &Option<String>) -> Option<&str> {
    text.as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

impl PageParams {
    /// The games of a page.
    pub(crate) async fn of(
        &self,
        server: &Server,
        query: GameQuery,
    ) -> Result<GamePageJson, ApiError> {
        let phase = match said(&self.phase) {
            None => None,
            Some("waiting") => Some(GamePhase::Waiting),
            Some("running") => Some(GamePhase::Running),
            Some("finished") => Some(GamePhase::Finished),
            Some(_) => {
                return Err(ApiError::unreadable(
                    "the phase is waiting, running or finished",
                ));
            }
        };
        let variant = said(&self.variant).map(str::parse::<Variant>).transpose();
        let variant =
            variant.map_err(|error| ApiError::unreadable(format!("the variant: {error}")))?;
        let after = said(&self.after).map(str::parse::<GameCursor>).transpose();
        let after = after.map_err(|error| ApiError::unreadable(format!("after: {error}")))?;
        let limit = match said(&self.limit) {
            None => DEFAULT_PAGE_SIZE,
            Some(limit) => limit
                .parse()
                .ok()
                .filter(|limit| (1..=MAX_PAGE_SIZE).contains(limit))
                .ok_or_else(|| {
                    ApiError::unreadable(format!("the limit is 1 to {MAX_PAGE_SIZE}"))
                })?,
        };
        let query = GameQuery {
            phase,
            variant: variant.map(|variant| variant.to_string()),
            ..query
        };
        let is_public = query.public;
        let mut page = server.store.list_games(query, after, limit).await?;
        // An open challenge is only for those who have its links.
        page.games.retain(|row| {
            !is_public || row.summary.phase != GamePhase::Waiting || !is_challenge(row)
        });
        Ok(GamePageJson {
            games: server.game_rows_json(page.games),
            next: page.next.map(|cursor| cursor.to_string()),
        })
    }
}

fn is_challenge(row: &GameRow) -> bool {
    row.summary.source == CHALLENGE_SOURCE
}

/// `GET /v1/tables`
pub(crate) async fn tables(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    QueryParams(search): QueryParams<GameSearchParams>,
) -> Result<Response, ApiError> {
    server.guard.check(client, RateLimit::Read)?;
    let mut query = GameQuery {
        public: true,
        ..GameQuery::default()
    };
    match said(&search.mine) {
        None | Some("false") => {}
        Some("true") => {
            let who = server.require_identity(&headers).await?;
            who.require_scope(Scope::AccountRead)?;
            (query.holder, query.public) = (Some(who.holder), false);
        }
        Some(_) => return Err(ApiError::unreadable("mine is true or false")),
    }
    if let Some(name) = said(&search.player) {
        let Some(person) = server.people.find(name).await? else {
            let (games, next) = (Vec::new(), None);
            return Ok(axum::Json(GamePageJson { games, next }).into_response());
        };
        query.person = Some(person.id);
    }
    let paging = PageParams {
        phase: search.phase,
        variant: search.variant,
        after: search.after,
        limit: search.limit,
    };
    Ok(axum::Json(paging.of(&server, query).await?).into_response())
}

impl Server {
    /// Games as JSON for lists.
    pub(crate) fn game_rows_json(&self, games: Vec<GameRow>) -> Vec<GameRowJson> {
        let row = |game: GameRow| {
            let url = self.url(&format!("/{}", game.id));
            GameRowJson::new(game, url)
        };
        games.into_iter().map(row).collect()
    }
}
