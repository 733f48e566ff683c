//! Games to watch: the newest that everybody may see, of each kind, move by move.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::{Map, Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::sleep;
use touchmove_game::{Game, Millis};
use touchmove_rules::Color;
use touchmove_store::{GameId, GameRow, Holder, Query};

use crate::House;
use crate::api::extract::{Named, Sought};
use crate::api::game_stream::Reader;
use crate::api::tables::table;
use crate::api::{Problem, Shared};
use crate::app::closed;
use crate::cached_read::CachedRead;
use crate::games::loader::TableUse;
use crate::games::table::{Core, Table};
use crate::lichess::error::Refused;
use crate::lichess::game_export::{Flags, Form};
use crate::lichess::json;
use crate::lichess::json::{Light, PERFS};
use crate::lichess::ndjson;
use crate::lichess::ndjson::{Gone, NDJSON, Pen};
use crate::lichess::users::Number;
use crate::live_connections::Connection;
use crate::security::{Client, Errand};
use crate::spawn::in_background;

/// The newest games among which one is chosen.
const GAMES: usize = 50;
/// How many games of a channel are told if no number is asked for.
const FEW: usize = 10;
/// Boards that are made at once for somebody who follows a game.
const BOARDS: usize = 100;
/// How long it takes until one looks again where nothing was.
const AGAIN: Duration = Duration::from_secs(1);

/// Games with their kinds, newest first.
type Games = Vec<(GameRow, &'static str)>;

/// The newest games, read once for all who watch.
pub(crate) struct NewestGames(CachedRead<Games>);

impl Default for NewestGames {
    fn default() -> NewestGames {
        NewestGames(CachedRead::new(AGAIN))
    }
}

/// The newest games, with their kinds.
async fn newest(house: &House) -> Result<Arc<Games>, Problem> {
    let read = async |_| {
        let rows = house.store.games(Query::live(), None, GAMES).await?.games;
        let ids: Vec<GameId> = rows.iter().map(|row| row.id).collect();
        let kinds = house.kinds(&ids).await?;
        let known = rows.into_iter().filter_map(|row| {
            let kind = *kinds.get(&row.id)?;
            Some((row, kind))
        });
        Ok(Arc::new(known.collect()))
    };
    house.newest_games.0.get(read).await
}

/// Whether games of a kind are on a channel: everything, or one kind of game.
fn is_on(channel: &str, kind: &str) -> bool {
    channel == "best" || channel == kind
}

/// `GET /api/tv/feed`
pub(super) async fn best(
    State(house): Shared,
    Extension(client): Extension<Client>,
) -> Result<Response, Refused> {
    feed(house, client, "best".to_owned())
}

/// `GET /api/tv/{id}/feed`
pub(super) async fn channel(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(channel): Named,
) -> Result<Response, Refused> {
    must_be_known(&channel)?;
    feed(house, client, channel)
}

fn must_be_known(channel: &str) -> Result<(), Problem> {
    match channel == "best" || PERFS.contains(&channel) {
        true => Ok(()),
        false => Err(Problem::not_found(format!(
            "there is no such channel: there are best, {}",
            PERFS.join(", ")
        ))),
    }
}

/// `GET /api/tv/{id}`: the newest games on a channel, as they stand.
pub(super) async fn games(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(channel): Named,
    Sought(flags): Sought<Flags>,
    Sought(number): Sought<Number>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    must_be_known(&channel)?;
    house.guard.let_pass(client, Errand::Read)?;
    let form = Form::of(&flags, &headers, true);
    let most = number.nb.as_ref().map_or(FEW, |_| number.within(GAMES));
    let found = newest(&house).await?;
    let on_channel = found.iter().filter(|(_, kind)| is_on(&channel, kind));
    let ids: Vec<_> = on_channel.map(|(row, _)| Ok(row.id)).take(most).collect();
    let reader = Reader::anonymous(client);
    Ok(form.response(&house, reader, stream::iter(ids)))
}

fn feed(house: Arc<House>, client: Client, channel: String) -> Result<Response, Refused> {
    house.guard.let_pass(client, Errand::Read)?;
    let (mut pen, response) = ndjson::open(NDJSON, Connection::anonymous());
    in_background(async move {
        // How it ends is the client's business.
        let _ = show(&house, client, &mut pen, &channel).await;
    });
    Ok(response)
}

/// Shows one game after the other.
async fn show(
    house: &Arc<House>,
    client: Client,
    pen: &mut Pen,
    channel: &str,
) -> Result<(), Gone> {
    let mut closing = house.closing();
    loop {
        if let Ok(Some(table)) = find(house, client, channel).await {
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
            () = closed(&mut closing) => return Err(pen.break_off()),
        }
    }
}

/// The newest game on a channel, to be followed.
async fn find(
    house: &Arc<House>,
    client: Client,
    channel: &str,
) -> Result<Option<Arc<Table>>, Problem> {
    for (row, kind) in newest(house).await?.iter() {
        if !is_on(channel, kind) {
            continue;
        }
        let found = house.table_for(row.id, (client, None), TableUse::Join);
        let Some(table) = found.await? else {
            continue;
        };
        if table.core().await.game.ending().is_none() {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

/// Who plays, as those who watch are told of him.
fn shown_as(light: Light, color: Color) -> Value {
    let mut shown = json!({ "color": json::color(color), "rating": json::RATING });
    match light.has_account {
        true => shown["user"] = light.json(),
        false => shown["name"] = light.name.into(),
    }
    shown
}

async fn featured(house: &House, table: &Table, core: &Core) -> Result<Value, Problem> {
    let mut players = Vec::new();
    for color in Color::ALL {
        let seconds = core.game.time_left(color, house.now());
        let mut player = shown_as(house.light_at(core, color).await?, color);
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
    /// A game as those are told of it who follow it alone.
    async fn followed(&self, id: GameId, core: &Core) -> Result<Value, Problem> {
        let game = &core.game;
        let (number, name) = json::status_of(game);
        let mut told = self.exported(id, core).await?;
        told["variant"] = json!(json::variant(game.terms()));
        told["status"] = json!({ "id": number, "name": name });
        told["fen"] = game.position().fen().to_string().into();
        told["player"] = json::color(game.turn()).into();
        told["turns"] = game.plies().len().into();
        told["startedAtTurn"] = 0.into();
        told["lastMove"] = json::ply_from_end(game, 0).into();
        Ok(told)
    }
}

/// The board after so many plies, as those who watch are told of it: with the clocks as they stood when it
/// came about, or as they stand now if it is the latest.
fn board(house: &House, game: &Game, plies: usize) -> Value {
    let times = game.terms().time.as_ref();
    let back = game.plies().len().saturating_sub(plies);
    let ply = plies
        .checked_sub(1)
        .and_then(|index| game.plies().get(index));
    let left = |color| match ply {
        _ if back == 0 => game.time_left(color, house.now()),
        Some(ply) => Some(ply.clocks.as_ref()?.left(times?, color, ply.at)),
        None => times.map(|times| times.base(color)),
    };
    let seconds = |color| left(color).map(|left: Millis| left.0 / 1_000);
    let position = ply.map_or(&game.terms().start, |ply| &ply.position);
    let mut told = json!({ "fen": position.fen().to_string() });
    if ply.is_some() {
        told["lm"] = json::ply_from_end(game, back).into();
    }
    told["wc"] = seconds(Color::White).into();
    told["bc"] = seconds(Color::Black).into();
    told
}

/// What is new to somebody who has been told of so many plies, of none yet if there is no number. Who follows
/// a game alone is told of every move, some at a time; who looks at a feed sees how it stands. Also how many plies he
/// has been told of then.
fn new_boards(
    house: &House,
    game: &Game,
    told: Option<usize>,
    is_feed: bool,
) -> (Vec<Value>, usize) {
    let now = game.plies().len();
    if told == Some(now) {
        return (Vec::new(), now);
    }
    if is_feed {
        let mut shown = board(house, game, now);
        if now == 0 {
            // In a feed there is always a last move.
            shown["lm"] = "".into();
        }
        return (vec![json!({ "t": "fen", "d": shown })], now);
    }
    let first = match told {
        None => 0,
        Some(told) if told < now => told + 1,
        // Moves were taken back.
        Some(_) => now,
    };
    let last = now.min(first + BOARDS - 1);
    let boards = (first..=last).map(|plies| board(house, game, plies));
    (boards.collect(), last)
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
        let (boards, reached) = new_boards(house, &core.game, plies, is_feed);
        plies = Some(reached);
        let has_more = reached < core.game.plies().len();
        let is_over = core.game.ending().is_some();
        drop(core);
        for board in boards {
            pen.write(&board).await?;
        }
        if has_more {
            continue;
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
            () = closed(&mut closing) => return Err(pen.break_off()),
        }
    }
}

/// `GET /api/stream/game/{id}`
pub(super) async fn moves(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(id): Named,
) -> Result<Response, Refused> {
    let table = table(&house, (client, None), &id, TableUse::Join).await?;
    let core = table.core().await;
    if core.is_long() {
        house.guard.let_pass(client, Errand::Read)?;
    }
    let first = house.followed(table.id(), &core).await?;
    drop(core);
    let (mut pen, response) = ndjson::open(NDJSON, Connection::anonymous());
    in_background(async move {
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
pub(super) async fn channels(
    State(house): Shared,
    Extension(client): Extension<Client>,
) -> Result<Response, Refused> {
    house.guard.let_pass(client, Errand::Read)?;
    let newest = newest(&house).await?;
    let mut told = Map::new();
    for channel in ["best"].iter().chain(&PERFS) {
        let first = newest.iter().find(|(_, kind)| is_on(channel, kind));
        let Some((row, _)) = first else {
            continue;
        };
        let white = &row.summary.white;
        let holder = white.person.map(Holder::Person);
        let name = white.name.as_deref().unwrap_or_default();
        let light = house.light(holder, name).await?;
        let mut shown = shown_as(light, Color::White);
        shown["gameId"] = row.id.to_string().into();
        told.insert((*channel).to_owned(), shown);
    }
    Ok(axum::Json(told).into_response())
}

#[cfg(test)]
mod tests {
    use touchmove_store::Sqlite;

    use super::*;
    use crate::{Ground, Settings};

    #[tokio::test]
    async fn all_who_watch_share_one_list_of_games() {
        let folder = std::env::temp_dir().join(format!("touchmove-tv-{}", std::process::id()));
        let store = Arc::new(Sqlite::open(folder.join("touchmove.db")).unwrap());
        let ground: Ground = store.into();
        let house = House::open(ground, Settings::default()).await.unwrap();
        let (first, second) = tokio::join!(newest(&house), newest(&house));
        assert!(Arc::ptr_eq(&first.unwrap(), &second.unwrap()));
        house.close();
        drop(house);
        let _ = std::fs::remove_dir_all(folder);
    }
}
