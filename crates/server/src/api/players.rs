//! People with accounts as everybody sees them: who they are, and what they have played.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use touchmove_accounts::Scope;
use touchmove_store::{Kind, Person, PersonId, Phase, Query, limits};

use crate::House;
use crate::api::extract::{Named, Sought};
use crate::api::game_lists::Paging;
use crate::api::{Problem, Shared, pgn};
use crate::security::{Client, Errand};

/// The most games that are counted, in pages.
const PAGES: usize = 5;

/// Somebody with an account.
#[derive(Serialize)]
struct Player {
    id: String,
    name: String,
    kind: &'static str,
    created: i64,
    /// Whether the account is closed.
    closed: bool,
    games: Counts,
}

/// How many games of somebody's everybody may see.
#[derive(Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) running: usize,
    pub(crate) finished: usize,
    pub(crate) won: usize,
    pub(crate) drawn: usize,
    pub(crate) lost: usize,
    /// Whether there are older ones that were not counted.
    more: bool,
}

impl Counts {
    fn add(&mut self, person: PersonId, game: &touchmove_store::Summary) {
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

/// The person with the name in the path, and which of his games who asks may see.
async fn find(house: &House, headers: &HeaderMap, name: &str) -> Result<(Person, Query), Problem> {
    let person = house.people.expect(name).await?;
    let who = house.who(headers).await?;
    let is_self = who
        .is_some_and(|who| who.person() == Some(person.id) && who.scopes.allow(Scope::AccountRead));
    let query = Query {
        person: Some(person.id),
        public: !is_self,
        ..Query::default()
    };
    Ok((person, query))
}

/// `GET /v1/players/{name}`
pub(crate) async fn show(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(name): Named,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    house.guard.let_pass(client, Errand::Read)?;
    let (person, query) = find(&house, &headers, &name).await?;
    let counts = house.count_games(person.id, query).await?;
    let player = Player {
        id: person.id.to_string(),
        name: person.name,
        kind: match person.kind {
            Kind::Human => "human",
            Kind::Bot => "bot",
        },
        created: person.created.0,
        closed: person.disabled.is_some(),
        games: counts,
    };
    Ok(axum::Json(player).into_response())
}

/// `GET /v1/players/{name}/games`
pub(crate) async fn games(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(name): Named,
    headers: HeaderMap,
    Sought(paging): Sought<Paging>,
) -> Result<Response, Problem> {
    house.guard.let_pass(client, Errand::Read)?;
    let (_, query) = find(&house, &headers, &name).await?;
    Ok(axum::Json(paging.of(&house, query).await?).into_response())
}

/// `GET /v1/players/{name}/pgn`
pub(crate) async fn pgn(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(name): Named,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    house.guard.let_pass(client, Errand::Read)?;
    let (_, query) = find(&house, &headers, &name).await?;
    let finished = Query {
        phase: Some(Phase::Finished),
        ..query
    };
    let reader = house.reader_of(&finished, client, &headers).await?;
    Ok(pgn::stream(&house, reader, finished))
}

impl House {
    /// Counts the games of somebody that a query is about, up to a bound.
    pub(crate) async fn count_games(
        &self,
        person: PersonId,
        query: Query,
    ) -> Result<Counts, Problem> {
        let in_phase = |phase| Query {
            phase: Some(phase),
            ..query.clone()
        };
        let running = self
            .store
            .games(in_phase(Phase::Running), None, limits::ROWS);
        let mut counts = Counts {
            running: running.await?.games.len(),
            ..Counts::default()
        };
        let mut after = None;
        for _ in 0..PAGES {
            let finished = in_phase(Phase::Finished);
            let page = self.store.games(finished, after, limits::ROWS).await?;
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
