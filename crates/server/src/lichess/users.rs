//! Public users: names, online status, number of games.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use lru::LruCache;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use touchmove_store::{GamePhase, GameQuery, Holder, Person, PersonId, PersonKind};

use crate::Server;
use crate::api::extract::{PathParam, QueryParams, read_body};
use crate::api::{ApiError, MAX_BODY_BYTES, ServerState};
use crate::lichess::error::LichessError;
use crate::lichess::json;
use crate::lichess::json::{LightUser, PERF_KEYS};
use crate::lichess::ndjson::NDJSON_CONTENT_TYPE;
use crate::lock_ext::LockExt as _;
use crate::security::{Client, RateLimit};
use crate::web::in_query;

/// The most users in one request.
const MAX_USER_IDS: usize = 300;

/// The most accounts in the cache of humans.
const MAX_HUMANS: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();
/// How long an account stays in that cache: another node may turn it into a bot.
const HUMAN_FOR: Duration = Duration::from_secs(60);

/// The perfs of a user. There are no ratings here, and games are not counted by kind: clients that need numbers get
/// those of a player after a first game. (Bots challenge nobody without games.)
fn perfs() -> Value {
    let unrated = json!({
        "games": 1, "rating": json::PLACEHOLDER_RATING, "rd": 500, "prog": 0, "prov": true,
    });
    let all = PERF_KEYS.map(|key| (key.to_owned(), unrated.clone()));
    Value::Object(all.into_iter().collect::<Map<_, _>>())
}

impl Server {
    /// A user with all fields.
    pub(super) async fn user(self: &Arc<Server>, person: &Person) -> Result<Value, ApiError> {
        let mut json = self.short_user(person);
        let query = GameQuery {
            person: Some(person.id),
            public: true,
            ..GameQuery::default()
        };
        let counts = self.count_games(person.id, query).await?;
        let all = counts.finished + counts.running;
        json["count"] = json!({
            "all": all, "rated": 0, "ai": 0, "me": 0, "bookmark": 0, "import": 0,
            "win": counts.won, "winH": counts.won,
            "draw": counts.drawn, "drawH": counts.drawn,
            "loss": counts.lost, "lossH": counts.lost,
            "playing": counts.running,
        });
        if let Some(game) = self.current_game(person).await? {
            json["playing"] = self.url(&format!("/{game}")).into();
        }
        Ok(json)
    }

    /// A user without the counts of games.
    fn short_user(&self, person: &Person) -> Value {
        let id = json::id(&person.name);
        if person.disabled.is_some() {
            return json!({ "id": id, "username": person.name, "disabled": true });
        }
        let mut json = json!({
            "id": id,
            "username": person.name,
            "perfs": perfs(),
            "createdAt": person.created.0,
            "seenAt": self.now().0,
            "online": self.lobby.is_here(Holder::Person(person.id)),
            "playTime": { "total": 0, "tv": 0 },
            "url": self.url(&format!("/@/{}", person.name)),
        });
        if person.kind == PersonKind::Bot {
            json["title"] = "BOT".into();
        }
        json
    }

    /// The newest running game of a user.
    async fn current_game(
        &self,
        person: &Person,
    ) -> Result<Option<touchmove_store::GameId>, ApiError> {
        let query = GameQuery {
            person: Some(person.id),
            ..GameQuery::live()
        };
        let page = self.store.list_games(query, None, 1).await?;
        Ok(page.games.first().map(|row| row.id))
    }
}

/// `GET /api/user/{id}`
pub(super) async fn show(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(name): PathParam,
) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let person = server.people.find_existing(&name).await?;
    Ok(axum::Json(server.user(&person).await?).into_response())
}

/// `GET /@/{id}`: the profile page that clients link to.
pub(super) async fn page(
    State(server): ServerState,
    PathParam(name): PathParam,
) -> Result<Redirect, LichessError> {
    let person = server.people.find_existing(&name).await?;
    let id = json::id(&person.name);
    Ok(Redirect::to(&format!("/api/user/{}", in_query(&id))))
}

/// The names in a comma-separated list; they count against the read limit.
fn names<'a>(server: &Server, client: Client, text: &'a str) -> Result<Vec<&'a str>, ApiError> {
    let names = text.split(',').map(str::trim);
    let names: Vec<&str> = names
        .filter(|name| !name.is_empty())
        .take(MAX_USER_IDS)
        .collect();
    server.guard.let_look_up(client, names.len())?;
    Ok(names)
}

/// `POST /api/users`
pub(super) async fn list(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let bytes = read_body(request, MAX_BODY_BYTES).await?;
    let text = String::from_utf8_lossy(&bytes);
    let mut users = Vec::new();
    for name in names(&server, client, &text)? {
        if let Some(person) = server.people.find(name).await? {
            users.push(server.short_user(&person));
        }
    }
    Ok(axum::Json(users).into_response())
}

/// The query parameters of a status request.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct StatusParams {
    ids: String,
    #[serde(rename = "withGameIds")]
    with_game_ids: Option<String>,
}

/// `GET /api/users/status`
pub(super) async fn status(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    QueryParams(whom): QueryParams<StatusParams>,
) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let mut users = Vec::new();
    for name in names(&server, client, &whom.ids)? {
        let Some(person) = server.people.find(name).await? else {
            continue;
        };
        let mut json = LightUser::of(&person).json();
        if server.lobby.is_here(Holder::Person(person.id)) {
            json["online"] = true.into();
        }
        if let Some(game) = server.current_game(&person).await? {
            json["playing"] = true.into();
            if whom
                .with_game_ids
                .as_deref()
                .is_some_and(crate::lichess::params::is_true)
            {
                json["playingId"] = game.to_string().into();
            }
        }
        users.push(json);
    }
    Ok(axum::Json(users).into_response())
}

/// The requested number of results.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct CountParam {
    pub(super) nb: Option<String>,
}

impl CountParam {
    /// The number, at most `most`.
    pub(super) fn within(&self, most: usize) -> usize {
        let number = self.nb.as_deref().and_then(|number| number.parse().ok());
        number.unwrap_or(most).min(most)
    }
}

/// A cache of accounts that are not bots, so that they are not looked up again for every list of bots.
pub(crate) struct KnownHumans(Mutex<LruCache<PersonId, Instant>>);

impl Default for KnownHumans {
    fn default() -> KnownHumans {
        KnownHumans(Mutex::new(LruCache::new(MAX_HUMANS)))
    }
}

impl KnownHumans {
    /// The accounts that are not in the cache, and so may be bots.
    fn without_humans(&self, people: impl Iterator<Item = PersonId>) -> Vec<PersonId> {
        let mut known = self.0.locked();
        let mut is_human = |person: &PersonId| {
            let found = known.get(person);
            found.is_some_and(|found| found.elapsed() < HUMAN_FOR)
        };
        people.filter(|person| !is_human(person)).collect()
    }

    fn remember(&self, person: PersonId) {
        self.0.locked().put(person, Instant::now());
    }

    /// Removes an account that has become a bot.
    pub(super) fn forget(&self, person: PersonId) {
        self.0.locked().pop(&person);
    }
}

/// `GET /api/bot/online`
pub(super) async fn bots(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    QueryParams(number): QueryParams<CountParam>,
) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let everybody = server.lobby.present_holders();
    let people = everybody.into_iter().filter_map(|holder| match holder {
        Holder::Person(person) => Some(person),
        Holder::Guest(_) => None,
    });
    let people = server.humans.without_humans(people);
    let most = number.within(MAX_USER_IDS);
    server.guard.let_look_up(client, most.min(people.len()))?;
    let mut lines = String::new();
    let mut left = most;
    for id in people {
        if left == 0 {
            break;
        }
        let Some(person) = server.store.person(id).await? else {
            continue;
        };
        if person.kind != PersonKind::Bot {
            server.humans.remember(id);
            continue;
        }
        left -= 1;
        lines.push_str(&server.short_user(&person).to_string());
        lines.push('\n');
    }
    Ok((
        [(header::CONTENT_TYPE, NDJSON_CONTENT_TYPE)],
        Body::from(lines),
    )
        .into_response())
}

/// Whether the client may see a user's private games.
pub(super) async fn shows_private_games(
    server: &Server,
    headers: &HeaderMap,
    person: &Person,
) -> Result<bool, ApiError> {
    let who = server.identify(headers).await?;
    Ok(who.is_some_and(|who| who.person() == Some(person.id) && who.may_see_games()))
}

/// The query for a user's running games, newest first.
pub(super) fn running(holder: Holder) -> GameQuery {
    GameQuery {
        holder: Some(holder),
        phase: Some(GamePhase::Running),
        ..GameQuery::default()
    }
}
