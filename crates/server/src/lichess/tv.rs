//! Games to watch: the newest that everybody may see, of each kind, move by move.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::sleep;
use touchmove_game::Game;
use touchmove_rules::Color;
use touchmove_store::{GameId, Query};

use super::flow::{self, Gone, NDJSON, Pen};
use super::forms::{self, PERFS};
use super::refused::Refused;
use crate::House;
use crate::house::closed;
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
    let (mut pen, response) = flow::open(NDJSON);
    tokio::spawn(async move {
        // How it ends is the client's business.
        let _ = show(&house, &mut pen, &channel).await;
    });
    response
}

/// Shows one game after the other.
async fn show(house: &Arc<House>, pen: &mut Pen, channel: &str) -> Result<(), Gone> {
    let mut closing = house.closing();
    loop {
        if let Ok(Some(table)) = find(house, channel).await {
            let core = table.core().await;
            let featured = featured(house, &table, &core).await;
            drop(core);
            if let Ok(featured) = featured {
                pen.write(&featured).await?;
                follow(house, pen, &table, true).await?;
            }
        }
        tokio::select! {
            () = sleep(AGAIN) => {}
            () = pen.silent() => pen.blank().await?,
            () = pen.gone() => return Err(Gone),
            () = closed(&mut closing) => return Err(Gone),
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
        let seconds = core.game.time_left(color, house.now());
        let mut player = house.shown_at(core, color).await?;
        player["seconds"] = seconds.map(|left| left.0 / 1_000).into();
        players.push(player);
    }
    Ok(json!({ "t": "featured", "d": {
        "id": table.id().to_string(),
        "orientation": "white",
        "players": players,
        "fen": core.game.position().fen().to_string(),
    }}))
}

impl House {
    /// Who plays, as those who watch are told of him.
    async fn shown_at(&self, core: &Core, color: Color) -> Result<Value, Problem> {
        let light = self.light_at(core, color).await?;
        let mut shown = json!({ "color": forms::color(color), "rating": forms::RATING });
        match light.has_account {
            true => shown["user"] = light.json(),
            false => shown["name"] = light.name.into(),
        }
        Ok(shown)
    }

    /// A game as those are told of it who follow it alone.
    async fn followed(&self, id: GameId, core: &Core) -> Result<Value, Problem> {
        let game = &core.game;
        let (number, name) = forms::status_of(game);
        let mut told = self.exported(id, core).await?;
        told["variant"] = json!(forms::variant(game.terms()));
        told["status"] = json!({ "id": number, "name": name });
        told["fen"] = game.position().fen().to_string().into();
        told["player"] = forms::color(game.turn()).into();
        told["turns"] = game.plies().len().into();
        told["startedAtTurn"] = 0.into();
        told["lastMove"] = forms::ply_from_end(game, 0).into();
        Ok(told)
    }
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
    pen: &mut Pen,
    table: &Arc<Table>,
    is_feed: bool,
) -> Result<(), Gone> {
    let mut closing = house.closing();
    let mut news = table.subscribe();
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
        }
        if is_over {
            return Ok(());
        }
        tokio::select! {
            next = news.recv() => if let Err(RecvError::Closed) = next {
                return Err(Gone);
            },
            () = pen.silent() => pen.blank().await?,
            () = pen.gone() => return Err(Gone),
            () = closed(&mut closing) => return Err(Gone),
        }
    }
}

/// `GET /api/stream/game/{id}`
pub(super) async fn moves(State(house): Shared, Named(id): Named) -> Result<Response, Refused> {
    let table = table(&house, &id).await?;
    let first = house.followed(table.id(), &*table.core().await).await?;
    let (mut pen, response) = flow::open(NDJSON);
    tokio::spawn(async move {
        // How it ends is the client's business.
        let _ = follow_alone(&house, &mut pen, &table, first).await;
    });
    Ok(response)
}

/// Follows one game, which is told as a whole before and after.
async fn follow_alone(
    house: &Arc<House>,
    pen: &mut Pen,
    table: &Arc<Table>,
    first: Value,
) -> Result<(), Gone> {
    pen.write(&first).await?;
    follow(house, pen, table, false).await?;
    let last = house.followed(table.id(), &*table.core().await).await;
    match last {
        Ok(last) => pen.write(&last).await,
        Err(_) => Err(Gone),
    }
}

/// `GET /api/tv/channels`
pub(super) async fn channels(State(house): Shared) -> Result<Response, Refused> {
    let mut told = Map::new();
    for channel in ["best"].iter().chain(&PERFS) {
        let Some(table) = find(&house, channel).await? else {
            continue;
        };
        let core = table.core().await;
        let mut shown = house.shown_at(&core, Color::White).await?;
        shown["gameId"] = table.id().to_string().into();
        told.insert((*channel).to_owned(), shown);
    }
    Ok(axum::Json(told).into_response())
}
