//! The game stream for a player: the whole game first, then its state after each decision, chat, and whether the
//! opponent is gone.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::stream;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::time::{Instant, Sleep, sleep_until};
use touchmove_game::{Event, EventKind, Millis, Terms, Timestamp};
use touchmove_rules::{ByColor, Color};
use touchmove_store::GameId;

use crate::Server;
use crate::app::wait_for_shutdown;
use crate::games::table::{
    Listener, ListenerKind, LiveGame, Standing, Table, TablePresenceGuard, TableUpdate, ViewerRole,
};
use crate::lichess::PlayerInGame;
use crate::lichess::error::LichessError;
use crate::lichess::json;
use crate::lichess::json::{LightUser, Speed, UNLIMITED_MILLIS};
use crate::lichess::ndjson;
use crate::lichess::ndjson::{KEEPALIVE_INTERVAL, NDJSON_CONTENT_TYPE, NdjsonLine, StreamAborted};

/// The bytes of a `gameState` without its moves.
const LINE_ROOM: usize = 192;

/// How long an opponent must be away before that is sent: a client that reconnects takes less.
const OPPONENT_GONE_DELAY: Duration = Duration::from_secs(10);

/// The state of a game, as `gameState`.
#[derive(Serialize)]
struct GameState<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    moves: &'a str,
    wtime: u64,
    btime: u64,
    winc: u64,
    binc: u64,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    wdraw: bool,
    #[serde(skip_serializing_if = "is_false")]
    bdraw: bool,
    #[serde(skip_serializing_if = "is_false")]
    wtakeback: bool,
    #[serde(skip_serializing_if = "is_false")]
    btakeback: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_false(fact: &bool) -> bool {
    !*fact
}

impl GameState<'_> {
    fn of(standing: &Standing, increments: ByColor<Millis>) -> GameState<'_> {
        let time = |left: Option<Millis>| left.map_or(UNLIMITED_MILLIS, |left| left.0);
        let winner = standing.ending.and_then(touchmove_game::Ending::winner);
        GameState {
            kind: "gameState",
            moves: &standing.moves,
            wtime: time(standing.time_left.white),
            btime: time(standing.time_left.black),
            winc: increments.white.0,
            binc: increments.black.0,
            status: json::status(standing.ending, standing.is_waiting).1,
            winner: winner.map(json::color),
            wdraw: standing.draw_offer == Some(Color::White),
            bdraw: standing.draw_offer == Some(Color::Black),
            wtakeback: standing.takeback_offer == Some(Color::White),
            btakeback: standing.takeback_offer == Some(Color::Black),
        }
    }

    /// The state as a line of the stream.
    fn line(&self) -> Bytes {
        let mut line = Vec::with_capacity(self.moves.len() + LINE_ROOM);
        // Serialisation fails only for maps with keys that are not strings; there are none.
        let written = serde_json::to_writer(&mut line, self);
        debug_assert!(written.is_ok(), "a state is an object");
        line.push(b'\n');
        line.into()
    }
}

/// The increment of each player.
fn increments(terms: &Terms) -> ByColor<Millis> {
    ByColor::with(|player| json::clock(terms, player).map_or(Millis::ZERO, |(_, bonus)| bonus))
}

/// The whole game, as `gameFull`.
fn full(
    id: GameId,
    core: &LiveGame,
    white: &LightUser,
    black: &LightUser,
    now: Timestamp,
) -> Value {
    let (game, terms) = (&core.game, core.game.terms());
    let clock = json::clock(terms, Color::White);
    let standing = Standing::of(core, now);
    let mut full = json!({
        "type": "gameFull",
        "id": id.to_string(),
        "variant": json::variant(terms),
        "clock": clock.map(|(base, bonus)| json!({ "initial": base.0, "increment": bonus.0 })),
        "speed": Speed::of(terms.time.as_ref()).key(),
        "perf": { "name": json::perf(terms).1 },
        "rated": false,
        "createdAt": game.started().0,
        "white": white.player(),
        "black": black.player(),
        "initialFen": json::initial_fen(terms),
        "state": GameState::of(&standing, increments(terms)),
    });
    if let Some(days) = json::days(terms) {
        full["daysPerTurn"] = days.into();
    }
    full
}

/// `GET …/game/stream/{id}`
pub(super) async fn stream(
    headers: HeaderMap,
    sitting: PlayerInGame,
) -> Result<Response, LichessError> {
    let PlayerInGame {
        server,
        who,
        table,
        color,
    } = sitting;
    let connection = server.open_connection(&headers, Some(&who)).await?;
    let listener = table.listen(ListenerKind::Stream);
    let core = table.lock().await;
    let white = server.light_at(&core, Color::White).await?;
    let black = server.light_at(&core, Color::Black).await?;
    let first = full(table.id(), &core, &white, &black, server.now());
    let (is_over, told) = (core.game.ending().is_some(), core.game.seq());
    let increments = increments(core.game.terms());
    let news = table.subscribe();
    drop(core);
    let mut closing = server.shutdown_signal();
    let now = Instant::now();
    let reader = GameStream {
        _stay: (!is_over).then(|| table.connect(&server, ViewerRole::Seat(color))),
        _listener: listener,
        server,
        table,
        color,
        increments,
        news,
        closing: Box::pin(async move { wait_for_shutdown(&mut closing).await }),
        revoked: Box::pin(async move { connection.revoked().await }),
        alarm: Box::pin(sleep_until(now + KEEPALIVE_INTERVAL)),
        lines: VecDeque::from([line(&first)]),
        spoken: now,
        told,
        is_over,
        is_gone_told: false,
        looks: now + OPPONENT_GONE_DELAY,
    };
    let lines = stream::unfold(Box::new(reader), |mut reader| async move {
        let line = reader.next().await?;
        Some((line, reader))
    });
    Ok(ndjson::answer(NDJSON_CONTENT_TYPE, lines))
}

/// An object as a line of the stream.
fn line(object: &Value) -> Bytes {
    format!("{object}\n").into()
}

/// Whether an event only holds or releases the clocks.
const fn is_about_clocks(event: &Event) -> bool {
    matches!(
        event.deed,
        EventKind::ClocksHeld { .. } | EventKind::ClocksReleased
    )
}

/// The stream of one player. It is part of the response body, and dropped with the connection.
struct GameStream {
    server: Arc<Server>,
    table: Arc<Table>,
    color: Color,
    increments: ByColor<Millis>,
    news: Receiver<Arc<TableUpdate>>,
    /// Resolves when the server shuts down.
    closing: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// Resolves when the client's identity is revoked.
    revoked: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// The timer for what is due without an update. It may fire too early.
    alarm: Pin<Box<Sleep>>,
    /// Lines to be sent.
    lines: VecDeque<Bytes>,
    /// When a line was last sent.
    spoken: Instant,
    /// The last event that the client was sent: nothing is sent twice, or a bot would move twice.
    told: u64,
    /// Whether the stream is at its end.
    is_over: bool,
    /// Whether the client was told that the opponent is gone.
    is_gone_told: bool,
    /// When to check that next.
    looks: Instant,
    _stay: Option<TablePresenceGuard>,
    _listener: Listener,
}

impl GameStream {
    /// The next line.
    async fn next(&mut self) -> Option<NdjsonLine> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                self.spoken = Instant::now();
                return Some(Ok(line));
            }
            if self.is_over {
                return None;
            }
            tokio::select! {
                biased;
                () = &mut self.revoked => {
                    self.is_over = true;
                    return Some(Ok(line(&ndjson::revoked())));
                }
                told = self.news.recv() => self.hear(told).await,
                () = &mut self.closing => {
                    self.is_over = true;
                    return Some(Err(StreamAborted));
                }
                () = &mut self.alarm => self.wake().await,
            }
        }
    }

    /// Takes an update, and all others that wait: of several states only the last is sent.
    async fn hear(&mut self, told: Result<Arc<TableUpdate>, RecvError>) {
        let (mut next, mut latest, mut has_changed) = (Some(told), None, false);
        while let Some(told) = next {
            match told {
                Ok(news) if !news.events.is_empty() => {
                    // An outage is recorded before the command that is about to be decided: bots are told once, of
                    // both.
                    latest = Some(news).filter(|news| !news.events.iter().all(is_about_clocks));
                    has_changed = true;
                }
                Ok(news) if news.is_reset() => {
                    // The events sent before may not have happened.
                    self.told = 0;
                    latest = None;
                    has_changed = true;
                }
                Ok(news) => self.forward(&news).await,
                Err(RecvError::Lagged(_)) => {
                    latest = None;
                    has_changed = true;
                }
                Err(RecvError::Closed) => {
                    self.is_over = true;
                    return;
                }
            }
            next = self.news.try_recv().ok().map(Ok);
        }
        if has_changed {
            self.send_state(latest.as_deref()).await;
        }
    }

    /// Forwards an update that is not about the board.
    async fn forward(&mut self, news: &TableUpdate) {
        match news.chat_message() {
            Some(said) => {
                let room = match said.room {
                    "players" => "player",
                    _ => "spectator",
                };
                let said = json!({
                    "type": "chatLine",
                    "room": room,
                    "username": said.name,
                    "text": said.text,
                });
                self.lines.push_back(line(&said));
            }
            // The presence has changed.
            None => self.poll_opponent().await,
        }
    }

    /// Sends the state of the game: from the update, or from the live game if updates were missed.
    async fn send_state(&mut self, news: Option<&TableUpdate>) {
        let write = |standing: &Standing| GameState::of(standing, self.increments).line();
        let (seq, ending, line) = match news.and_then(|news| news.line(write)) {
            Some((standing, line)) => (standing.seq, standing.ending, line),
            None => {
                let core = self.table.lock().await;
                let standing = Standing::of(&core, self.server.now());
                (standing.seq, standing.ending, write(&standing))
            }
        };
        if seq > self.told {
            self.told = seq;
            self.is_over = ending.is_some();
            self.lines.push_back(line);
        }
    }

    /// Does what the timer was set for.
    async fn wake(&mut self) {
        let now = Instant::now();
        if now >= self.looks {
            self.looks = now + OPPONENT_GONE_DELAY;
            self.poll_opponent().await;
        }
        if self.lines.is_empty() && now >= self.spoken + KEEPALIVE_INTERVAL {
            self.lines.push_back(Bytes::from_static(b"\n"));
            self.spoken = now;
        }
        self.set_alarm();
    }

    /// Sets the timer to what is due first.
    fn set_alarm(&mut self) {
        let due = self.looks.min(self.spoken + KEEPALIVE_INTERVAL);
        self.alarm.as_mut().reset(due);
    }

    /// Checks whether the opponent is gone, and tells the client if that is new.
    async fn poll_opponent(&mut self) {
        let core = self.table.lock().await;
        let patience = core.game.terms().absence;
        drop(core);
        let Some(patience) = patience else {
            return;
        };
        let away = self.table.presence().away(!self.color);
        let away = away.map(|since| self.server.now().since(since));
        let left =
            away.map(|away| OPPONENT_GONE_DELAY.saturating_sub(Duration::from_millis(away.0)));
        let is_gone = left.is_some_and(|left| left.is_zero());
        if let Some(left) = left.filter(|_| !is_gone) {
            self.looks = self.looks.min(Instant::now() + left);
            self.set_alarm();
        }
        if is_gone != self.is_gone_told {
            let mut told = json!({ "type": "opponentGone", "gone": is_gone });
            if let Some(away) = away.filter(|_| is_gone) {
                told["claimWinInSeconds"] = patience.saturating_sub(away).0.div_ceil(1_000).into();
            }
            self.lines.push_back(line(&told));
            self.is_gone_told = is_gone;
        }
    }
}
