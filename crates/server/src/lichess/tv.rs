//! TV: the newest public games of each kind, move by move.

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
use touchmove_store::{GameId, GameQuery, GameRow, Holder};

use crate::Server;
use crate::api::extract::{PathParam, QueryParams};
use crate::api::game_stream::Reader;
use crate::api::tables::table;
use crate::api::{ApiError, ServerState};
use crate::app::wait_for_shutdown;
use crate::cached_read::CachedRead;
use crate::games::loader::TableUse;
use crate::games::table::{LiveGame, Table};
use crate::lichess::error::LichessError;
use crate::lichess::game_export::{ExportFormat, ExportParams};
use crate::lichess::json;
use crate::lichess::json::{LightUser, PERF_KEYS};
use crate::lichess::ndjson;
use crate::lichess::ndjson::{ClientGone, NDJSON_CONTENT_TYPE, NdjsonWriter};
use crate::lichess::users::CountParam;
use crate::live_connections::Connection;
use crate::security::{Client, RateLimit};
use crate::spawn::spawn_boxed;

/// The newest games from which one is chosen.
const CANDIDATE_GAMES: usize = 50;
/// The default number of games of a channel.
const DEFAULT_CHANNEL_GAMES: usize = 10;
/// Boards that are rendered at once for a client that follows a game.
const BOARDS: usize = 100;
/// How long to wait before looking for a game again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Games with their kinds, newest first.
type Games = Vec<(GameRow, &'static str)>;

/// The newest games, in a cache that all viewers share.
pub(crate) struct NewestGames(CachedRead<Games>);

impl Default for NewestGames {
    fn default() -> NewestGames {
        NewestGames(CachedRead::new(RETRY_DELAY))
    }
}

/// The newest games, with their kinds.
async fn newest(server: &Server) -> Result<Arc<Games>, ApiError> {
    let read = async |_| {
        let rows = server
            .store
            .list_games(GameQuery::live(), None, CANDIDATE_GAMES)
            .await?
            .games;
        let ids: Vec<GameId> = rows.iter().map(|row| row.id).collect();
        let kinds = server.kinds(&ids).await?;
        let known = rows.into_iter().filter_map(|row| {
            let kind = *kinds.get(&row.id)?;
            Some((row, kind))
        });
        Ok(Arc::new(known.collect()))
    };
    server.newest_games.0.get(read).await
}

/// Whether games of a kind are on a channel: all of them, or one kind.
fn is_on(channel: &str, kind: &str) -> bool {
    channel == "best" || channel == kind
}

/// `GET /api/tv/feed`
pub(super) async fn best(
    State(server): ServerState,
    Extension(client): Extension<Client>,
) -> Result<Response, LichessError> {
    feed(server, client, "best".to_owned())
}

/// `GET /api/tv/{id}/feed`
pub(super) async fn channel(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(channel): PathParam,
) -> Result<Response, LichessError> {
    check_channel(&channel)?;
    feed(server, client, channel)
}

fn check_channel(channel: &str) -> Result<(), ApiError> {
    match channel == "best" || PERF_KEYS.contains(&channel) {
        true => Ok(()),
        false => Err(ApiError::not_found(format!(
            "there is no such channel: there are best, {}",
            PERF_KEYS.join(", ")
        ))),
    }
}

/// `GET /api/tv/{id}`: the newest games on a channel, in their current state.
pub(super) async fn games(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(channel): PathParam,
    QueryParams(flags): QueryParams<ExportParams>,
    QueryParams(number): QueryParams<CountParam>,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    check_channel(&channel)?;
    server.guard.check(client, RateLimit::Read)?;
    let form = ExportFormat::of(&flags, &headers, true);
    let most = number
        .nb
        .as_ref()
        .map_or(DEFAULT_CHANNEL_GAMES, |_| number.within(CANDIDATE_GAMES));
    let found = newest(&server).await?;
    let on_channel = found.iter().filter(|(_, kind)| is_on(&channel, kind));
    let ids: Vec<_> = on_channel.map(|(row, _)| Ok(row.id)).take(most).collect();
    let reader = Reader::anonymous(client);
    Ok(form.response(&server, reader, stream::iter(ids)))
}

fn feed(server: Arc<Server>, client: Client, channel: String) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let (mut pen, response) = ndjson::open(NDJSON_CONTENT_TYPE, Connection::anonymous());
    spawn_boxed(async move {
        // How the connection ends does not matter here.
        let _ = show(&server, client, &mut pen, &channel).await;
    });
    Ok(response)
}

/// Shows one game after another.
async fn show(
    server: &Arc<Server>,
    client: Client,
    pen: &mut NdjsonWriter,
    channel: &str,
) -> Result<(), ClientGone> {
    let mut closing = server.shutdown_signal();
    loop {
        if let Ok(Some(table)) = find(server, client, channel).await {
            let core = table.lock().await;
            let featured = featured(server, &table, &core).await;
            drop(core);
            if let Ok(featured) = featured {
                pen.write(&featured).await?;
                follow(server, pen, &table, true).await?;
            }
        }
        tokio::select! {
            () = sleep(RETRY_DELAY) => {}
            () = pen.keepalive_due() => pen.blank().await?,
            () = pen.closed() => return Err(ClientGone),
            () = wait_for_shutdown(&mut closing) => return Err(pen.abort()),
        }
    }
}

/// The newest game on a channel, to follow.
async fn find(
    server: &Arc<Server>,
    client: Client,
    channel: &str,
) -> Result<Option<Arc<Table>>, ApiError> {
    for (row, kind) in newest(server).await?.iter() {
        if !is_on(channel, kind) {
            continue;
        }
        let found = server.table_for(row.id, (client, None), TableUse::Join);
        let Some(table) = found.await? else {
            continue;
        };
        if table.lock().await.game.ending().is_none() {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

/// A player as viewers are shown them.
fn shown_as(light: LightUser, color: Color) -> Value {
    let mut shown = json!({ "color": json::color(color), "rating": json::PLACEHOLDER_RATING });
    match light.has_account {
        true => shown["user"] = light.json(),
        false => shown["name"] = light.name.into(),
    }
    shown
}

async fn featured(server: &Server, table: &Table, core: &LiveGame) -> Result<Value, ApiError> {
    let mut players = Vec::new();
    for color in Color::ALL {
        let seconds = core.game.time_left(color, server.now());
        let mut player = shown_as(server.light_at(core, color).await?, color);
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

impl Server {
    /// A game as the stream of a single game sends it.
    async fn followed(&self, id: GameId, core: &LiveGame) -> Result<Value, ApiError> {
        let game = &core.game;
        let (number, name) = json::status_of(game);
        let mut told = self.game_export_json(id, core).await?;
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

/// The board after `plies` plies as viewers are shown it: with the clocks at that moment, or the current ones for the
/// latest.
fn board(server: &Server, game: &Game, plies: usize) -> Value {
    let times = game.terms().time.as_ref();
    let back = game.plies().len().saturating_sub(plies);
    let ply = plies
        .checked_sub(1)
        .and_then(|index| game.plies().get(index));
    let left = |color| match ply {
        _ if back == 0 => game.time_left(color, server.now()),
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

/// The boards that are new to a viewer who has been sent this many plies, or none yet. The stream of a single game
/// sends every move, some at a time; a feed sends the current state. Also returns how many plies have been sent then.
fn new_boards(
    server: &Server,
    game: &Game,
    told: Option<usize>,
    is_feed: bool,
) -> (Vec<Value>, usize) {
    let now = game.plies().len();
    if told == Some(now) {
        return (Vec::new(), now);
    }
    if is_feed {
        let mut shown = board(server, game, now);
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
    let boards = (first..=last).map(|plies| board(server, game, plies));
    (boards.collect(), last)
}

/// Follows a game to its end.
async fn follow(
    server: &Arc<Server>,
    pen: &mut NdjsonWriter,
    table: &Arc<Table>,
    is_feed: bool,
) -> Result<(), ClientGone> {
    let mut closing = server.shutdown_signal();
    let mut news = table.subscribe();
    let mut plies = None;
    loop {
        let core = table.lock().await;
        let (boards, reached) = new_boards(server, &core.game, plies, is_feed);
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
                return Err(ClientGone);
            },
            () = pen.keepalive_due() => pen.blank().await?,
            () = pen.closed() => return Err(ClientGone),
            () = wait_for_shutdown(&mut closing) => return Err(pen.abort()),
        }
    }
}

/// `GET /api/stream/game/{id}`
pub(super) async fn moves(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(id): PathParam,
) -> Result<Response, LichessError> {
    let table = table(&server, (client, None), &id, TableUse::Join).await?;
    let core = table.lock().await;
    if core.is_long() {
        server.guard.check(client, RateLimit::Read)?;
    }
    let first = server.followed(table.id(), &core).await?;
    drop(core);
    let (mut pen, response) = ndjson::open(NDJSON_CONTENT_TYPE, Connection::anonymous());
    spawn_boxed(async move {
        // How the connection ends does not matter here.
        let _ = follow_alone(&server, &mut pen, &table, first).await;
    });
    Ok(response)
}

/// Follows one game, with a summary before and after.
async fn follow_alone(
    server: &Arc<Server>,
    pen: &mut NdjsonWriter,
    table: &Arc<Table>,
    first: Value,
) -> Result<(), ClientGone> {
    pen.write(&first).await?;
    follow(server, pen, table, false).await?;
    let last = server.followed(table.id(), &*table.lock().await).await;
    match last {
        Ok(last) => pen.write(&last).await,
        Err(_) => Err(ClientGone),
    }
}

/// `GET /api/tv/channels`
pub(super) async fn channels(
    State(server): ServerState,
    Extension(client): Extension<Client>,
) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let newest = newest(&server).await?;
    let mut told = Map::new();
    for channel in ["best"].iter().chain(&PERF_KEYS) {
        let first = newest.iter().find(|(_, kind)| is_on(channel, kind));
        let Some((row, _)) = first else {
            continue;
        };
        let white = &row.summary.white;
        let holder = white.person.map(Holder::Person);
        let name = white.name.as_deref().unwrap_or_default();
        let light = server.light_user(holder, name).await?;
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
    use crate::{Backend, ServerConfig};

    #[tokio::test]
    async fn all_who_watch_share_one_list_of_games() {
        let folder = std::env::temp_dir().join(format!("touchmove-tv-{}", std::process::id()));
        let store = Arc::new(Sqlite::open(folder.join("touchmove.db")).unwrap());
        let ground: Backend = store.into();
        let server = Server::open(ground, ServerConfig::default()).await.unwrap();
        let (first, second) = tokio::join!(newest(&server), newest(&server));
        assert!(Arc::ptr_eq(&first.unwrap(), &second.unwrap()));
        server.shut_down();
        drop(server);
        let _ = std::fs::remove_dir_all(folder);
    }
}
