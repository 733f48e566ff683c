//! Exports of games as PGN or JSON, one or many, according to `Accept` and the query flags.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt as _, TryFutureExt as _, TryStreamExt as _, future, stream};
use serde::Deserialize;
use serde_json::{Value, json};
use touchmove_rules::Color;
use touchmove_store::{GameId, GamePhase, GameQuery, GameRow, PersonId};

use crate::Server;
use crate::api::extract::{PathParam, QueryParams, read_body};
use crate::api::game_stream;
use crate::api::game_stream::{GameWriter, Reader};
use crate::api::{ApiError, MAX_BODY_BYTES, ServerState, pgn};
use crate::clock::to_moment;
use crate::games::table::{GameError, LiveGame};
use crate::lichess::error::LichessError;
use crate::lichess::json;
use crate::lichess::json::Speed;
use crate::lichess::ndjson::NDJSON_CONTENT_TYPE;
use crate::lichess::params::is_true;
use crate::lichess::users::shows_private_games;
use crate::security::{Client, RateLimit};

/// The media type of PGN.
const PGN_CONTENT_TYPE: &str = "application/x-chess-pgn";
/// The most games in an export by ids.
const MAX_EXPORT_IDS: usize = 300;
/// The most games in an export that is sorted oldest first: their ids are collected before.
const MAX_ASCENDING_GAMES: usize = 100_000;

/// The query flags of an export. Unknown ones are ignored.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct ExportParams {
    moves: Option<String>,
    tags: Option<String>,
    clocks: Option<String>,
    #[serde(rename = "pgnInJson")]
    pgn_in_json: Option<String>,
    max: Option<String>,
    since: Option<String>,
    until: Option<String>,
    vs: Option<String>,
    color: Option<String>,
    #[serde(rename = "perfType")]
    perf_type: Option<String>,
    rated: Option<String>,
    analysed: Option<String>,
    #[serde(rename = "lastFen")]
    last_fen: Option<String>,
    ongoing: Option<String>,
    finished: Option<String>,
    sort: Option<String>,
}

fn says(flag: &Option<String>, usually: bool) -> bool {
    flag.as_deref().map_or(usually, is_true)
}

/// The requested format.
#[derive(Clone)]
pub(super) struct ExportFormat {
    is_pgn: bool,
    moves: bool,
    tags: bool,
    clocks: bool,
    pgn_in_json: bool,
    last_fen: bool,
}

impl ExportFormat {
    pub(super) fn of(
        flags: &ExportParams,
        headers: &HeaderMap,
        is_pgn_usual: bool,
    ) -> ExportFormat {
        let accept = headers
            .get(header::ACCEPT)
            .and_then(|value| value.to_str().ok());
        ExportFormat {
            is_pgn: match accept {
                Some(kinds) if kinds.contains("json") => false,
                Some(kinds) if kinds.contains("pgn") => true,
                _ => is_pgn_usual,
            },
            moves: says(&flags.moves, true),
            tags: says(&flags.tags, true),
            clocks: says(&flags.clocks, false),
            pgn_in_json: says(&flags.pgn_in_json, false),
            last_fen: says(&flags.last_fen, false),
        }
    }

    const fn kind(&self, is_list: bool) -> &'static str {
        match (self.is_pgn, is_list) {
            (true, _) => PGN_CONTENT_TYPE,
            (false, true) => NDJSON_CONTENT_TYPE,
            (false, false) => "application/json",
        }
    }

    fn pgn(&self, server: &Server, id: GameId, core: &LiveGame) -> String {
        let text = pgn::text(server, id, core);
        let (tags, moves) = text.split_once("\n\n").unwrap_or((&text, ""));
        let moves = match (self.moves, self.clocks) {
            (false, _) => core
                .game
                .ending()
                .map_or("*", touchmove_game::Ending::result)
                .to_owned(),
            (true, true) => moves.trim().to_owned(),
            (true, false) => without_clocks(moves.trim()),
        };
        match self.tags {
            true => format!("{tags}\n\n{moves}\n"),
            false => format!("{moves}\n"),
        }
    }

    /// Streams games in this format.
    pub(super) fn response(
        self,
        server: &Arc<Server>,
        reader: Reader,
        ids: impl Stream<Item = Result<GameId, GameError>> + Send + 'static,
    ) -> Response {
        game_stream::response(server, reader, self.kind(true), ids, self.writer())
    }

    fn writer(self) -> GameWriter {
        Arc::new(move |server, runtime, core| {
            runtime.block_on(self.write(server, core.id(), core)).ok()
        })
    }

    async fn write(
        &self,
        server: &Server,
        id: GameId,
        core: &LiveGame,
    ) -> Result<String, ApiError> {
        if self.is_pgn {
            // Two blank lines separate games.
            return Ok(self.pgn(server, id, core) + "\n\n");
        }
        let mut json = server.game_export_json(id, core).await?;
        if !self.moves
            && let Some(object) = json.as_object_mut()
        {
            object.shift_remove("moves");
        }
        if self.clocks
            && let Some(clocks) = clocks(core)
        {
            json["clocks"] = clocks;
        }
        if self.last_fen {
            json["lastFen"] = core.game.position().fen().to_string().into();
        }
        if self.pgn_in_json {
            json["pgn"] = self.pgn(server, id, core).into();
        }
        Ok(json.to_string() + "\n")
    }
}

/// The movetext without clock comments; comments with nothing else are removed.
fn without_clocks(moves: &str) -> String {
    let mut text = String::with_capacity(moves.len());
    let mut rest = moves;
    while let Some((before, comment)) = rest.split_once('{') {
        text.push_str(before);
        let (comment, after) = comment.split_once('}').unwrap_or((comment, ""));
        let said = match comment.split_once("[%clk") {
            None => comment.trim().to_owned(),
            Some((before, clock)) => {
                let after = clock.split_once(']').map_or("", |(_, after)| after);
                format!("{} {}", before.trim(), after.trim())
                    .trim()
                    .to_owned()
            }
        };
        if said.is_empty() {
            // The space before the comment is removed with it.
            text.truncate(text.trim_end().len());
            rest = without_number(after);
            continue;
        } else {
            text.push_str(&format!("{{ {said} }}"));
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

/// The text after a removed comment: Black's move no longer needs its number.
fn without_number(rest: &str) -> &str {
    let next = rest.trim_start();
    let after = next.trim_start_matches(|c: char| c.is_ascii_digit());
    match after.strip_prefix("...") {
        Some(after) if after.len() + 3 < next.len() => after,
        _ => rest,
    }
}

/// The mover's clock after each ply, in hundredths of a second.
fn clocks(core: &LiveGame) -> Option<Value> {
    let times = core.game.terms().time.as_ref()?;
    let plies = core.game.plies().iter();
    let left = plies.filter_map(|ply| {
        let clocks = ply.clocks?;
        Some(clocks.left(times, !clocks.turn(), ply.at).0 / 10)
    });
    Some(left.collect::<Vec<_>>().into())
}

impl Server {
    /// A game as JSON.
    pub(super) async fn game_export_json(
        &self,
        id: GameId,
        core: &LiveGame,
    ) -> Result<Value, ApiError> {
        let game = &core.game;
        let terms = game.terms();
        let player = async |color| -> Result<Value, ApiError> {
            let light = self.light_at(core, color).await?;
            Ok(match light.has_account {
                true => json::rated(json!({ "user": light.json() })),
                false => json!({ "name": light.name }),
            })
        };
        let san: Vec<_> = game.plies().iter().map(|ply| ply.san.as_str()).collect();
        let mut json = json!({
            "id": id.to_string(),
            "rated": false,
            "variant": json::variant(terms).key,
            "speed": Speed::of(terms.time.as_ref()).key(),
            "perf": json::perf(terms).0,
            "createdAt": game.started().0,
            "lastMoveAt": game.latest().0,
            "status": json::status_of(game).1,
            "source": "api",
            "players": {
                "white": player(Color::White).await?,
                "black": player(Color::Black).await?,
            },
            "moves": san.join(" "),
        });
        if let Some(winner) = game.ending().and_then(touchmove_game::Ending::winner) {
            json["winner"] = json::color(winner).into();
        }
        if json::initial_fen(terms) != "startpos" {
            json["initialFen"] = json::initial_fen(terms).into();
        }
        if let Some((base, bonus)) = json::clock(terms, Color::White) {
            let (initial, increment) = (base.0 / 1_000, bonus.0 / 1_000);
            let total = initial + 40 * increment;
            json["clock"] =
                json!({ "initial": initial, "increment": increment, "totalTime": total });
        }
        if let Some(days) = json::days(terms) {
            json["daysPerTurn"] = days.into();
        }
        Ok(json)
    }
}

/// One game as a response.
async fn answer(
    server: &Arc<Server>,
    client: Client,
    id: GameId,
    form: ExportFormat,
) -> Result<Response, LichessError> {
    let kind = [(header::CONTENT_TYPE, form.kind(false))];
    let written = server.write_game(client.into(), id, &form.writer()).await?;
    let text = written.ok_or_else(ApiError::no_game)?;
    Ok((kind, text).into_response())
}

/// `GET /game/export/{id}`
pub(super) async fn one(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(id): PathParam,
    QueryParams(flags): QueryParams<ExportParams>,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    // The id of a game may have four further characters, which identify a player's view.
    let id = id.get(..8).unwrap_or(&id).trim_end_matches(".pgn");
    let id: GameId = id.parse().map_err(|_| ApiError::no_game())?;
    server.guard.check(client, RateLimit::Read)?;
    let form = ExportFormat {
        clocks: says(&flags.clocks, true),
        ..ExportFormat::of(&flags, &headers, true)
    };
    answer(&server, client, id, form).await
}

/// `GET /api/user/{id}/current-game`
pub(super) async fn current(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(name): PathParam,
    QueryParams(flags): QueryParams<ExportParams>,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let person = server.people.find_existing(&name).await?;
    let query = GameQuery {
        person: Some(person.id),
        public: !shows_private_games(&server, &headers, &person).await?,
        ..GameQuery::default()
    };
    let running = GameQuery {
        phase: Some(GamePhase::Running),
        ..query.clone()
    };
    let mut found = server.store.list_games(running, None, 1).await?.games;
    if found.is_empty() {
        found = server.store.list_games(query, None, 1).await?.games;
    }
    let row = found
        .first()
        .ok_or_else(|| ApiError::not_found("no game was played yet"))?;
    let form = ExportFormat {
        clocks: says(&flags.clocks, true),
        ..ExportFormat::of(&flags, &headers, true)
    };
    answer(&server, client, row.id, form).await
}

/// `POST /api/games/export/_ids`
pub(super) async fn many(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    QueryParams(flags): QueryParams<ExportParams>,
    request: Request,
) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let form = ExportFormat::of(&flags, request.headers(), true);
    let bytes = read_body(request, MAX_BODY_BYTES).await?;
    let ids = distinct_ids(&String::from_utf8_lossy(&bytes));
    let ids = stream::iter(ids.into_iter().map(Ok));
    Ok(form.response(&server, Reader::anonymous(client), ids))
}

/// The ids in a comma-separated list, without duplicates, up to the limit.
fn distinct_ids(text: &str) -> Vec<GameId> {
    let mut known = HashSet::new();
    let ids = text.split(',').filter_map(|id| id.trim().parse().ok());
    ids.filter(|id| known.insert(*id))
        .take(MAX_EXPORT_IDS)
        .collect()
}

/// The filter of an account's games.
struct ExportFilter {
    person: PersonId,
    vs: Option<PersonId>,
    color: Option<Color>,
    since: i64,
    until: i64,
    ongoing: bool,
    finished: bool,
    perf: Option<String>,
}

impl ExportFilter {
    fn has(&self, row: &GameRow) -> bool {
        let players = [row.summary.white.person, row.summary.black.person];
        let own = match self.color {
            Some(Color::White) => players[0] == Some(self.person),
            Some(Color::Black) => players[1] == Some(self.person),
            None => true,
        };
        let phase = match row.summary.phase {
            GamePhase::Waiting => false,
            GamePhase::Running => self.ongoing,
            GamePhase::Finished => self.finished && row.summary.status != "aborted",
        };
        let vs = self.vs.is_none_or(|vs| players.contains(&Some(vs)));
        own && phase && vs && (self.since..=self.until).contains(&row.created.0)
    }
}

fn number<T: std::str::FromStr>(name: &str, text: &Option<String>) -> Result<Option<T>, ApiError> {
    let number = text.as_deref().map(str::parse).transpose();
    number.map_err(|_| ApiError::unreadable(format!("{name} is a number")))
}

/// `GET /api/games/user/{id}`
pub(super) async fn of_user(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(name): PathParam,
    QueryParams(flags): QueryParams<ExportParams>,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    server.guard.check(client, RateLimit::Read)?;
    let person = server.people.find_existing(&name).await?;
    let vs = match &flags.vs {
        Some(name) => Some(server.people.find_existing(name).await?.id),
        None => None,
    };
    let is_for_none = says(&flags.rated, false) || says(&flags.analysed, false);
    let wanted = ExportFilter {
        person: person.id,
        vs,
        color: match flags.color.as_deref() {
            Some("white") => Some(Color::White),
            Some("black") => Some(Color::Black),
            _ => None,
        },
        since: number("since", &flags.since)?.unwrap_or(0),
        until: number("until", &flags.until)?.unwrap_or_else(|| to_moment(server.now()).0),
        // No game is rated, and none was analysed.
        ongoing: says(&flags.ongoing, false) && !is_for_none,
        finished: says(&flags.finished, true) && !is_for_none,
        perf: flags.perf_type.clone(),
    };
    let query = GameQuery {
        person: Some(person.id),
        public: !shows_private_games(&server, &headers, &person).await?,
        ..GameQuery::default()
    };
    let reader = server.reader_of(&query, client, &headers).await?;
    let most = number("max", &flags.max)?.unwrap_or(usize::MAX);
    let is_ascending = flags.sort.as_deref() == Some("dateAsc");
    let form = ExportFormat::of(&flags, &headers, true);
    let ids = wanted.ids(Arc::clone(&server), query);
    Ok(match is_ascending {
        false => form.response(&server, reader, ids.take(most)),
        true => {
            let newest = ids.take(MAX_ASCENDING_GAMES).try_collect::<Vec<_>>();
            let oldest_first = newest.map_ok(move |mut ids| {
                ids.reverse();
                ids.truncate(most);
                ids
            });
            let ids = game_stream::ids(stream::once(oldest_first));
            form.response(&server, reader, ids)
        }
    })
}

impl ExportFilter {
    /// The ids of matching games, newest first.
    fn ids(
        self,
        server: Arc<Server>,
        query: GameQuery,
    ) -> impl Stream<Item = Result<GameId, GameError>> + Send {
        let wanted = Arc::new(self);
        let since = wanted.since;
        let pages = game_stream::pages(Arc::clone(&server), query);
        // Stop at the page where all games are older.
        let pages = pages.try_take_while(move |page| {
            let newest = page.first().map(|row| row.created.0);
            future::ready(Ok(newest.is_some_and(|newest| newest >= since)))
        });
        game_stream::ids(pages.and_then(move |page| {
            let (server, wanted) = (Arc::clone(&server), Arc::clone(&wanted));
            async move { wanted.select(&server, &page).await }
        }))
    }

    /// The matching games of a page.
    async fn select(&self, server: &Server, page: &[GameRow]) -> Result<Vec<GameId>, GameError> {
        let rows = page.iter().filter(|row| self.has(row));
        let mut ids: Vec<GameId> = rows.map(|row| row.id).collect();
        if let Some(perf) = &self.perf {
            let kinds = server.kinds(&ids).await?;
            ids.retain(|id| {
                let kind = kinds.get(id).copied();
                perf.split(',').any(|perf| Some(perf.trim()) == kind)
            });
        }
        Ok(ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_id_three_hundred_times_is_one_game() {
        let same = vec!["abcdefgh"; 300].join(",");
        assert_eq!(distinct_ids(&same).len(), 1);
        let others = (0..400).map(|n| format!(" {n:08}")).collect::<Vec<_>>();
        assert_eq!(distinct_ids(&others.join(",")).len(), MAX_EXPORT_IDS);
        assert_eq!(distinct_ids("no id,,%"), []);
    }

    #[test]
    fn clocks_can_be_left_out_and_other_words_stay() {
        let moves = "1. e4 { [%clk 0:05:00] } 1... e5 { [%clk 0:04:59.5] } 2. Qh5 { [%clk 0:05:00] \
                     White thinks. } *";
        assert_eq!(without_clocks(moves), "1. e4 e5 2. Qh5 { White thinks. } *");
        assert_eq!(without_clocks("1. e4 *"), "1. e4 *");
    }
}
