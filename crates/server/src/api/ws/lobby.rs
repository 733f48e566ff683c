//! The lobby WebSocket: sends seeks, games to watch, and the client's own offers and games. docs/LIVE.md describes
//! the messages.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::SinkExt as _;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::{Instant, sleep_until, timeout};
use touchmove_accounts::Scope;
use touchmove_game::Timestamp;
use touchmove_game::protocol::RefusalMessage;
use touchmove_store::{GamePhase, GameQuery, Holder, limits};
use touchmove_text::sanitize_line;

use crate::Server;
use crate::api::extract::WsUpgrade;
use crate::api::ws::message_rate::SocketPace;
use crate::api::ws::ping::{LOBBY_PING_INTERVAL, PingDue, Pings};
use crate::api::{ApiError, ServerState};
use crate::app::wait_for_shutdown;
use crate::auth::identity::Identity;
use crate::games::table::message;
use crate::listener::Peer;
use crate::live_connections::{Connection, REVOKED_REASON};
use crate::lobby::{ChallengeJson, GameRowJson, LobbyNotice};
use crate::security::{Client, Rate, TokenBucket};

/// The timeout for sending one message.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);
/// The timeout for sending a close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// The most own games that are sent in each phase.
const MAX_OWN_GAMES_PER_PHASE: usize = 20;
/// The rate limit of updates about the client's own offers and games.
pub(crate) const MINE_RATE: Rate = Rate::new(3, 60);

/// `GET /v1/lobby/live`
pub(crate) async fn connect(
    State(server): ServerState,
    Extension(peer): Extension<Peer>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    WsUpgrade(upgrade): WsUpgrade,
) -> Result<Response, ApiError> {
    let who = server.identify(&headers).await?;
    server.check_origin(who.as_ref(), &headers)?;
    let connection = server.open_connection(&headers, who.as_ref()).await?;
    let pace = SocketPace::new(client, server.settings.limits.message);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let mut caller = LobbySocket {
            socket,
            connection,
            server,
            who,
            pings: Pings::default(),
            pace,
            _peer: peer,
        };
        // How the connection ends does not matter here.
        let _ = caller.run().await;
    }))
}

/// A client in the lobby.
struct LobbySocket {
    socket: WebSocket,
    /// The identity that opened it.
    connection: Connection,
    server: Arc<Server>,
    who: Option<Identity>,
    pings: Pings,
    pace: SocketPace,
    _peer: Peer,
}

/// The connection is closed.
struct SocketClosed;

/// The client's own offers and games.
#[derive(Serialize)]
struct OwnOffersMessage {
    seeks: Vec<String>,
    challenges: Vec<ChallengeJson>,
    games: Vec<GameRowJson>,
}

#[derive(Serialize)]
struct GameBeginsMessage {
    game: String,
    url: String,
}

#[derive(Serialize)]
struct ChallengeDeclinedMessage {
    challenge: String,
    reason: String,
}

/// The command of a message; other fields are ignored.
#[derive(Deserialize)]
struct LobbyRequest {
    command: String,
}

#[derive(Serialize)]
struct PongMessage {
    at: Timestamp,
}

#[derive(Serialize)]
struct RefusedMessage<'a> {
    accepted: bool,
    #[serde(flatten)]
    denial: &'a RefusalMessage,
}

impl LobbySocket {
    async fn run(&mut self) -> Result<(), SocketClosed> {
        let server = Arc::clone(&self.server);
        let mut closing = server.shutdown_signal();
        let visit = self.who.as_ref().map(|who| server.enter_lobby(who.holder));
        let (_visit, mut notes) = visit.unzip();
        let (mut seeks, mut games) = server.lobby.listen();
        server.refresh_lobby().await.map_err(|_| SocketClosed)?;
        let first = [
            seeks.borrow_and_update().clone(),
            games.borrow_and_update().clone(),
        ];
        for text in first {
            self.send_text(text).await?;
        }
        self.send_own().await?;
        let mut mine = TokenBucket::full(MINE_RATE, Instant::now().into_std());
        let mut mine_due = None;
        let mut alarm = Instant::now() + LOBBY_PING_INTERVAL;
        loop {
            tokio::select! {
                changed = seeks.changed() => {
                    changed.map_err(|_| SocketClosed)?;
                    let text = seeks.borrow_and_update().clone();
                    self.send_text(text).await?;
                }
                changed = games.changed() => {
                    changed.map_err(|_| SocketClosed)?;
                    let text = games.borrow_and_update().clone();
                    self.send_text(text).await?;
                }
                note = next(&mut notes) => {
                    self.forward(note, &mut notes).await?;
                    if mine_due.is_none() {
                        let now = Instant::now();
                        let wait = mine.reserve(MINE_RATE, 1, now.into_std(), Duration::MAX);
                        mine_due = Some(now + wait.unwrap_or_default());
                    }
                }
                () = until(mine_due) => {
                    mine_due = None;
                    self.send_own().await?;
                }
                frame = self.pace.read(&mut self.socket) => match frame {
                    Some(Ok(frame)) => self.on_frame(frame).await?,
                    Some(Err(_)) | None => return Err(SocketClosed),
                },
                () = sleep_until(alarm) => {
                    let now = Instant::now();
                    alarm = now + LOBBY_PING_INTERVAL;
                    match self.pings.begin(now.into_std()) {
                        PingDue::Send => {
                            self.send(Message::Ping(axum::body::Bytes::new())).await?;
                        }
                        PingDue::Wait => {}
                        PingDue::Lost => return Err(SocketClosed),
                    }
                }
                () = wait_for_shutdown(&mut closing) => {
                    let reason = "the server closes: come back in a moment";
                    return Err(self.close(close_code::RESTART, reason).await);
                }
                () = self.connection.revoked() => {
                    return Err(self.close(close_code::POLICY, REVOKED_REASON).await);
                }
            }
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), SocketClosed> {
        in_time(&self.connection, self.socket.send(message)).await
    }

    async fn flush(&mut self) -> Result<(), SocketClosed> {
        in_time(&self.connection, self.socket.flush()).await
    }

    /// Sends a close frame with a reason. A client that does not read is not waited for.
    async fn close(&mut self, code: u16, reason: &'static str) -> SocketClosed {
        let frame = CloseFrame {
            code,
            reason: Utf8Bytes::from_static(reason),
        };
        let sent = self.socket.send(Message::Close(Some(frame)));
        let _ = timeout(CLOSE_TIMEOUT, sent).await;
        SocketClosed
    }

    async fn send_text(&mut self, text: impl Into<Utf8Bytes>) -> Result<(), SocketClosed> {
        self.send(Message::Text(text.into())).await
    }

    /// Sends the client's own offers and games, if its identity is known.
    async fn send_own(&mut self) -> Result<(), SocketClosed> {
        let Some(who) = &self.who else {
            return Ok(());
        };
        match self.server.mine(who).await {
            Ok(mine) => self.send_text(message("mine", mine)).await,
            // The store fails for the moment: the next change will send them.
            Err(_) => Ok(()),
        }
    }

    /// Forwards all notices that are waiting.
    async fn forward(
        &mut self,
        note: Result<LobbyNotice, RecvError>,
        notes: &mut Option<broadcast::Receiver<LobbyNotice>>,
    ) -> Result<(), SocketClosed> {
        let allows = |is_allowed: fn(&Identity) -> bool| self.who.as_ref().is_some_and(is_allowed);
        let sees_games = allows(Identity::may_see_games);
        let sees_challenges = allows(|who| who.scopes.allow(Scope::ChallengeRead));
        let mut next = Some(note);
        while let Some(note) = next {
            let text = match note {
                Ok(LobbyNotice::Game(game)) if sees_games => {
                    let url = self.server.url(&format!("/{game}"));
                    let game = game.to_string();
                    Some(message("game", GameBeginsMessage { game, url }))
                }
                Ok(LobbyNotice::Declined { challenge, reason }) if sees_challenges => {
                    let challenge = challenge.to_string();
                    let reason = sanitize_line(&reason).into_owned();
                    Some(message(
                        "declined",
                        ChallengeDeclinedMessage { challenge, reason },
                    ))
                }
                Ok(_) | Err(RecvError::Lagged(_)) => None,
                Err(RecvError::Closed) => return Err(SocketClosed),
            };
            if let Some(text) = text {
                self.send_text(text).await?;
            }
            let waiting = notes.as_mut().and_then(|notes| notes.try_recv().ok());
            next = waiting.map(Ok);
        }
        Ok(())
    }

    async fn on_frame(&mut self, frame: Message) -> Result<(), SocketClosed> {
        let is_answer = matches!(frame, Message::Pong(_)) && self.pings.is_waiting();
        if !is_answer && self.pace.count(&self.server.guard) {
            self.pings.note_delay();
        }
        match frame {
            Message::Text(text) => {
                let asked: Result<LobbyRequest, _> = serde_json::from_str(&text);
                if asked.is_ok_and(|asked| asked.command == "ping") {
                    let at = self.server.now();
                    return self.send_text(message("pong", PongMessage { at })).await;
                }
                let denial =
                    RefusalMessage::unreadable("the lobby only takes {\"command\":\"ping\"}");
                let denied = RefusedMessage {
                    accepted: false,
                    denial: &denial,
                };
                self.send_text(message("answer", denied)).await
            }
            Message::Pong(_) => {
                self.pings.end(Instant::now().into_std());
                Ok(())
            }
            // The pong is flushed before the next message is read.
            Message::Ping(_) => self.flush().await,
            Message::Binary(_) => Ok(()),
            Message::Close(_) => Err(SocketClosed),
        }
    }
}

/// Waits for a send, until its timeout, or until the identity is revoked.
async fn in_time(
    connection: &Connection,
    sent: impl Future<Output = Result<(), axum::Error>>,
) -> Result<(), SocketClosed> {
    tokio::select! {
        biased;
        sent = timeout(SEND_TIMEOUT, sent) => match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(SocketClosed),
        },
        () = connection.revoked() => Err(SocketClosed),
    }
}

/// Waits until this time; for ever if there is none.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// The next notice; never, for an anonymous client.
async fn next(
    notes: &mut Option<broadcast::Receiver<LobbyNotice>>,
) -> Result<LobbyNotice, RecvError> {
    match notes {
        Some(notes) => notes.recv().await,
        None => std::future::pending().await,
    }
}

impl Server {
    async fn mine(self: &Arc<Server>, who: &Identity) -> Result<OwnOffersMessage, ApiError> {
        let seeks = self
            .store
            .open_seeks(self.pulse.to_moment(), limits::MAX_ROWS)
            .await?;
        let own = seeks.iter().filter(|offer| offer.by == who.holder);
        let mut games = Vec::new();
        if who.may_see_games() {
            for phase in [GamePhase::Running, GamePhase::Waiting] {
                games.extend(self.games_of(who.holder, phase).await?);
            }
        }
        let challenges = match who.scopes.allow(Scope::ChallengeRead) {
            true => self.challenges_of(who).await?,
            false => Vec::new(),
        };
        Ok(OwnOffersMessage {
            seeks: own.map(|offer| offer.id.to_string()).collect(),
            challenges,
            games,
        })
    }

    async fn games_of(
        &self,
        holder: Holder,
        phase: GamePhase,
    ) -> Result<Vec<GameRowJson>, ApiError> {
        let query = GameQuery {
            holder: Some(holder),
            phase: Some(phase),
            ..GameQuery::default()
        };
        let page = self
            .store
            .list_games(query, None, MAX_OWN_GAMES_PER_PHASE)
            .await?;
        Ok(self.game_rows_json(page.games))
    }
}
