//! Lists of games over HTTP: those that everybody may see, and one's own.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use touchmove_accounts::Scope;
use touchmove_rules::Variant;
use touchmove_store::{Cursor, GameRow, Phase, Query};

use crate::House;
use crate::api::extract::Sought;
use crate::api::{Problem, Shared};
use crate::games::new_game::CHALLENGE;
use crate::lobby::Row;
use crate::security::{Client, Errand};

/// The games on a page, if nobody says how many.
const USUAL: usize = 20;
/// The most games on a page.
const MOST: usize = 100;

/// Which games are looked for. Whatever is empty says nothing.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Search {
    phase: Option<String>,
    variant: Option<String>,
    player: Option<String>,
    mine: Option<String>,
    after: Option<String>,
    limit: Option<String>,
}

/// Which page of them.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Paging {
    phase: Option<String>,
    variant: Option<String>,
    after: Option<String>,
    limit: Option<String>,
}

/// A page of games.
#[derive(Serialize)]
pub(crate) struct Games {
    games: Vec<Row>,
    /// What to ask for the next page with.
    next: Option<String>,
}

fn said(text: &Option<String>) -> Option<&str> {
    text.as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

impl Paging {
    /// The games of this page, of those that a query is about.
    pub(crate) async fn of(&self, house: &House, query: Query) -> Result<Games, Problem> {
        let phase = match said(&self.phase) {
            None => None,
            Some("waiting") => Some(Phase::Waiting),
            Some("running") => Some(Phase::Running),
            Some("finished") => Some(Phase::Finished),
            Some(_) => {
                return Err(Problem::unreadable(
                    "the phase is waiting, running or finished",
                ));
            }
        };
        let variant = said(&self.variant).map(str::parse::<Variant>).transpose();
        let variant =
            variant.map_err(|error| Problem::unreadable(format!("the variant: {error}")))?;
        let after = said(&self.after).map(str::parse::<Cursor>).transpose();
        let after = after.map_err(|error| Problem::unreadable(format!("after: {error}")))?;
        let limit = match said(&self.limit) {
            None => USUAL,
            Some(limit) => limit
                .parse()
                .ok()
                .filter(|limit| (1..=MOST).contains(limit))
                .ok_or_else(|| Problem::unreadable(format!("the limit is 1 to {MOST}")))?,
        };
        let query = Query {
            phase,
            variant: variant.map(|variant| variant.to_string()),
            ..query
        };
        let is_public = query.public;
        let mut page = house.store.games(query, after, limit).await?;
        // An open challenge is for those who have its links.
        page.games
            .retain(|row| !is_public || row.summary.phase != Phase::Waiting || !is_challenge(row));
        Ok(Games {
            games: house.rows(page.games),
            next: page.next.map(|cursor| cursor.to_string()),
        })
    }
}

fn is_challenge(row: &GameRow) -> bool {
    row.summary.source == CHALLENGE
}

/// `GET /v1/tables`
pub(crate) async fn tables(
    State(house): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Sought(search): Sought<Search>,
) -> Result<Response, Problem> {
    house.guard.let_pass(client, Errand::Read)?;
    let mut query = Query {
        public: true,
        ..Query::default()
    };
    match said(&search.mine) {
        None | Some("false") => {}
        Some("true") => {
            let who = house.must_know(&headers).await?;
            who.must_have(Scope::AccountRead)?;
            (query.holder, query.public) = (Some(who.holder), false);
        }
        Some(_) => return Err(Problem::unreadable("mine is true or false")),
    }
    if let Some(name) = said(&search.player) {
        let Some(person) = house.people.find(name).await? else {
            let (games, next) = (Vec::new(), None);
            return Ok(axum::Json(Games { games, next }).into_response());
        };
        query.person = Some(person.id);
    }
    let paging = Paging {
        phase: search.phase,
        variant: search.variant,
        after: search.after,
        limit: search.limit,
    };
    Ok(axum::Json(paging.of(&house, query).await?).into_response())
}

impl House {
    /// Games as lists show them.
    pub(crate) fn rows(&self, games: Vec<GameRow>) -> Vec<Row> {
        let row = |game: GameRow| {
            let url = self.url(&format!("/{}", game.id));
            Row::new(game, url)
        };
        games.into_iter().map(row).collect()
    }
}
