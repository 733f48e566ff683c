//! Lists of games over HTTP: those that everybody may see, and one's own.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use touchmove_people::Scope;
use touchmove_rules::Variant;
use touchmove_store::{Cursor, GameId, GameRow, Phase, Query};

use super::sent::Sought;
use super::{Problem, Shared};
use crate::House;
use crate::found::CHALLENGE;
use crate::lobby::Row;
use crate::table::Table;

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
            games: house.rows(page.games).await,
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
    headers: HeaderMap,
    Sought(search): Sought<Search>,
) -> Result<Response, Problem> {
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
    /// Games that nobody is at, as they are kept; what cannot be read is not there.
    async fn opened(&self, asleep: Vec<GameId>) -> HashMap<GameId, Table> {
        if asleep.is_empty() {
            return HashMap::new();
        }
        let stored = self.store.load(asleep).await.unwrap_or_default();
        let open = stored
            .iter()
            .filter_map(|stored| Some((stored.row.id, Table::open(stored, self.now()).ok()?)));
        open.collect()
    }

    /// Games as lists show them. How far a running one is, only its table knows, or its events.
    pub(crate) async fn rows(&self, games: Vec<GameRow>) -> Vec<Row> {
        let is_running = |row: &&GameRow| row.summary.phase == Phase::Running;
        let running = games.iter().filter(is_running).map(|row| row.id);
        let asleep = running.filter(|&id| self.tables.live(id).is_none());
        let opened = self.opened(asleep.collect()).await;
        let mut rows = Vec::with_capacity(games.len());
        for game in games {
            let (id, phase) = (game.id, game.summary.phase);
            let row = Row::new(game, self.url(&format!("/{id}")));
            let live = (phase == Phase::Running).then(|| self.tables.live(id));
            let table = live.flatten();
            rows.push(match table.as_deref().or(opened.get(&id)) {
                Some(table) => row.with_plies(table.core().await.game.plies().len()),
                None => row,
            });
        }
        rows
    }
}
