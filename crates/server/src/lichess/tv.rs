//! Games to watch: the newest that everybody may see, of each kind, move by move.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep, sleep_until};
use touchmove_game::Game;
use touchmove_rules::Color;
use touchmove_store::Query;

use super::flow::{self, Gone, NDJSON, Pen, SILENCE};
use super::forms::{self, PERFS};
use super::refused::Refused;
use crate::House;
use crate::http::sent::Named;
use crate::http::tables::table;
use crate::http::{Problem, Shared};
use crate::table::{Core, Table};

/// The newest games among which one is chosen.
const GAMES: usize = 50;
/// How long it takes until one looks again where nothing was.
const AGAIN: Duration = Duration::from_secs(1);

/// A channel: everything, or one kind of game.
fn is_on(channel: &str, core: &Core) -> bool {
    match channel {
        "best" => true,
        kind => forms::perf(core.game.terms()).0 == kind,
    }
}

/// `GET /api/tv/feed`
pub(super) async fn best(State(house): Shared) -> Response {
    feed(house, "best".to_owned())
}

/// `GET /api/tv/{id}/feed`
pub(super) async fn channel(
    State(house): Shared,
    Named(channel): Named,
) -> Result<Response, Refused> {
    match channel == "best" || PERFS.contains(&channel.as_str()) {
        true => Ok(feed(house, channel)),
        false => Err(Problem::not_found(format!(
            "there is no such channel: there are best, {}",
            PERFS.join(", ")
        ))
        .into()),
    }
}

fn feed(house: Arc<House>, channel: String) -> Response {
    let (pen, response) = flow::open(NDJSON);
    tokio::spawn(async move {
        // How it ends is the client's business.
        let _ = show(&house, &pen, &channel).await;
    });
    response
}

/// Shows one game after the other.
async fn show(house: &Arc<House>, pen: &Pen, channel: &str) -> Result<(), Gone> {
    let mut closing = house.closing();
    let mut spoken = Instant::now();
    loop {
        if let Ok(Some(table)) = find(house, channel).await {
            let core = table.core().await;
            let featured = featured(house, &table, &core).await;
            drop(core);
            if let Ok(featured) = featured {
                pen.write(&featured).await?;
                follow(house, pen, &table, true).await?;
                spoken = Instant::now();
            }
        }
        tokio::select! {
            () = sleep(AGAIN) => {}
            () = pen.gone() => return Err(Gone),
            _ = closing.changed() => return Err(Gone),
        }
        if spoken.elapsed() >= SILENCE {
            pen.blank().await?;
            spoken = Instant::now();
        }
    }
}

/// The newest game on a channel.
async fn find(house: &Arc<House>, channel: &str) -> Result<Option<Arc<Table>>, Problem> {
    for row in house.store.games(Query::live(), None, GAMES).await?.games {
        let Some(table) = house.table(row.id).await? else {
            continue;
        };
        let core = table.core().await;
        let fits = is_on(channel, &core) && core.game.ending().is_none();
        drop(core);
        if fits {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

async fn featured(house: &House, table: &Table, core: &Core) -> Result<Value, Problem> {
    let mut players = Vec::new();
    for color in Color::ALL {
        let light = house.light_at(core, color).await?;
        let seconds = core.game.time_left(color, house.now());
        players.push(json!({
            "color": forms::color(color),
            "user": light.json(),
            "rating": 0,
            "seconds": seconds.map(|left| left.0 / 1_000),
        }));
    }
    Ok(json!({ "t": "featured", "d": {
        "id": table.id().to_string(),
        "orientation": "white",
        "players": players,
        "fen": core.game.position().fen().to_string(),
    }}))
}

/// The board as those who watch are told of it.
fn board(house: &House, game: &Game) -> Value {
    let seconds = |color| {
        game.time_left(color, house.now())
            .map(|left| left.0 / 1_000)
    };
    json!({
        "fen": game.position().fen().to_string(),
        "lm": forms::ply_from_end(game, 0).unwrap_or_default(),
        "wc": seconds(Color::White),
        "bc": seconds(Color::Black),
    })
}

/// Follows a game to its end.
async fn follow(
    house: &Arc<House>,
    pen: &Pen,
    table: &Arc<Table>,
    is_feed: bool,
) -> Result<(), Gone> {
    let mut closing = house.closing();
    let mut news = table.subscribe();
    let mut spoken = Instant::now();
    let mut plies = None;
    loop {
        let core = table.core().await;
        let now = core.game.plies().len();
        let (is_over, told) = (core.game.ending().is_some(), board(house, &core.game));
        drop(core);
        if plies.replace(now) != Some(now) {
            let told = match is_feed {
                true => json!({ "t": "fen", "d": told }),
                false => told,
            };
            pen.write(&told).await?;
            spoken = Instant::now();
        }
        if is_over {
            return Ok(());
        }
        tokio::select! {
            next = news.recv() => if let Err(RecvError::Closed) = next {
                return Err(Gone);
            },
            () = sleep_until(spoken + SILENCE) => {
                pen.blank().await?;
                spoken = Instant::now();
            }
            () = pen.gone() => return Err(Gone),
            _ = closing.changed() => return Err(Gone),
        }
    }
}

/// `GET /api/stream/game/{id}`
pub(super) async fn moves(State(house): Shared, Named(id): Named) -> Result<Response, Refused> {
    let table = table(&house, &id).await?;
    let core = table.core().await;
    let mut first = house.exported(table.id(), &core).await?;
    first["fen"] = core.game.position().fen().to_string().into();
    first["turns"] = core.game.plies().len().into();
    drop(core);
    let (pen, response) = flow::open(NDJSON);
    tokio::spawn(async move {
        // How it ends is the client's business.
        if pen.write(&first).await.is_ok() {
            let _ = follow(&house, &pen, &table, false).await;
        }
    });
    Ok(response)
}

/// `GET /api/tv/channels`
pub(super) async fn channels(State(house): Shared) -> Result<Response, Refused> {
    let mut told = Map::new();
    for channel in ["best"].iter().chain(&PERFS) {
        let Some(table) = find(&house, channel).await? else {
            continue;
        };
        let core = table.core().await;
        let light = house.light_at(&core, Color::White).await?;
        told.insert(
            (*channel).to_owned(),
            json!({
                "user": light.json(),
                "rating": 0,
                "gameId": table.id().to_string(),
                "color": "white",
            }),
        );
    }
    Ok(axum::Json(told).into_response())
}
