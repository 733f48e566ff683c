//! The table WebSocket: JSON both ways. docs/LIVE.md describes the messages.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::SinkExt as _;
use serde::Deserialize;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::{Instant as Alarm, sleep_until, timeout};
use touchmove_game::Event;

pub(crate) mod flush;

mod message;

pub(crate) use message::read_message;

use flush::FlushPace;

use crate::Server;
use crate::api::extract::{PathParam, QueryParams, WsUpgrade};
use crate::api::tables::table;
use crate::api::ws::message_rate::SocketPace;
use crate::api::ws::ping::{PLAYER_PING_INTERVAL, PingDue, Pings, SPECTATOR_PING_INTERVAL};
use crate::api::{ApiError, ServerState};
use crate::app::wait_for_shutdown;
use crate::games::loader::TableUse;
use crate::games::state_message::view;
use crate::games::table::{
    ChatSender, ListenerKind, MessageTiming, Table, TableUpdate, ViewerRole, read_events,
};
use crate::listener::Peer;
use crate::live_connections::{Connection, REVOKED_REASON};
use crate::security::Client;

/// The refusal of a message that is not text or too long.
const UNREADABLE_TEXT: &str = "a message is text in UTF-8, of 4096 bytes at most";
/// The timeout for sending one message.
pub(crate) const SEND_TIMEOUT: Duration = Duration::from_secs(20);
/// The timeout for sending a close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// The least time between two `state` messages to a client that lags behind.
const VIEW_INTERVAL: Duration = Duration::from_secs(1);

/// The query parameters of a connection.
#[derive(Deserialize)]
pub(crate) struct ConnectParams {
    /// The last event that the client has seen.
    seen: Option<u64>,
}

/// `GET /v1/tables/{id}/live`
pub(crate) async fn connect(
    State(server): ServerState,
    PathParam(id): PathParam,
    QueryParams(coming): QueryParams<ConnectParams>,
    Extension(peer): Extension<Peer>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    WsUpgrade(upgrade): WsUpgrade,
) -> Result<Response, ApiError> {
    let who = server.identify(&headers).await?;
    let table = table(&server, (client, who.as_ref()), &id, TableUse::Join).await?;
    server.check_origin(who.as_ref(), &headers)?;
    server.prepare_view(&table, client, coming.seen).await?;
    let place = match &who {
        Some(who) if who.may_play() => table.seat_of(who.holder).await,
        _ => None,
    };
    if let Some(seat) = place {
        table.note_address(seat, client);
    }
    let place = place.map_or(ViewerRole::Watching, ViewerRole::Seat);
    server.seat_computer(&table, Some(client)).await;
    let name = match &who {
        Some(who) => server.name_of(who).await?,
        None => None,
    };
    let speaker = who
        .as_ref()
        .map_or(ChatSender::Unknown(client.address), |who| {
            ChatSender::Known(who.holder)
        });
    let connection = server.open_connection(&headers, who.as_ref()).await?;
    let pace = SocketPace::new(client, server.settings.limits.message);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let mut guest = GameSocket {
            socket,
            connection,
            server,
            table,
            place,
            trip: None,
            pings: Pings::default(),
            name,
            speaker,
            client,
            pace,
            is_behind: false,
            next_view: Alarm::now(),
            _peer: peer,
        };
        guest.run(coming.seen).await;
    }))
}

/// A client at a table.
struct GameSocket {
    socket: WebSocket,
    /// The identity that opened it.
    connection: Connection,
    server: Arc<Server>,
    table: Arc<Table>,
    place: ViewerRole,
    /// The latest round trip.
    trip: Option<Duration>,
    pings: Pings,
    /// The client's name, if it has no seat.
    name: Option<String>,
    speaker: ChatSender,
    client: Client,
    pace: SocketPace,
    /// Whether it has missed updates, and needs the whole state.
    is_behind: bool,
    /// When it may be sent that again.
    next_view: Alarm,
    _peer: Peer,
}

/// The connection is closed.
struct SocketClosed;

impl GameSocket {
    /// Runs until the client leaves or the server shuts down.
    async fn run(&mut self, seen: Option<u64>) {
        let mut closing = self.server.shutdown_signal();
        let mut closing = pin!(wait_for_shutdown(&mut closing));
        let server = Arc::clone(&self.server);
        let _counted = server.meters.live.increment_guard();
        let _listener = self.table.listen(ListenerKind::Socket);
        let _stay = self.table.connect(&self.server, self.place);
        let Ok(mut news) = self.send_state(seen).await else {
            return;
        };
        let every = match self.place {
            ViewerRole::Seat(_) => PLAYER_PING_INTERVAL,
            ViewerRole::Watching => SPECTATOR_PING_INTERVAL,
        };
        let mut alarm = pin!(sleep_until(Alarm::now() + every));
        let mut flush_pace = FlushPace::new(self.place, Alarm::now());
        if self.ping().await.is_err() || self.flush().await.is_err() {
            return;
        }
        loop {
            let mut is_news = false;
            let went = tokio::select! {
                told = news.recv(), if !self.is_behind => {
                    is_news = true;
                    self.forward(told).await
                }
                () = sleep_until(self.next_view), if self.is_behind => {
                    self.send_state(None).await.map(|newer| news = newer)
                }
                () = flush_pace.wait() => Ok(()),
                frame = self.pace.read(&mut self.socket) => match frame {
                    Some(Ok(frame)) => self.on_frame(frame, &mut news).await,
                    Some(Err(_)) => Err(self.close(close_code::POLICY, UNREADABLE_TEXT).await),
                    None => Err(SocketClosed),
                },
                () = &mut alarm => {
                    alarm.as_mut().reset(Alarm::now() + every);
                    self.ping().await
                }
                () = &mut closing => {
                    let reason = "the server closes: come back in a moment";
                    Err(self.close(close_code::RESTART, reason).await)
                }
                () = self.connection.revoked() => Err(self.close_revoked().await),
            };
            if went.is_err() {
                return;
            }
            if flush_pace.is_now(is_news, Alarm::now()) && self.flush().await.is_err() {
                return;
            }
        }
    }

    /// Buffers a message; it is sent with the next [flush](GameSocket::flush).
    async fn send(&mut self, message: Message) -> Result<(), SocketClosed> {
        in_time(&self.connection, self.socket.feed(message)).await
    }

    /// Sends everything that is buffered.
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

    /// Closes the connection of a revoked identity.
    async fn close_revoked(&mut self) -> SocketClosed {
        self.close(close_code::POLICY, REVOKED_REASON).await
    }

    async fn send_text(&mut self, text: impl Into<Utf8Bytes>) -> Result<(), SocketClosed> {
        self.send(Message::Text(text.into())).await
    }

    /// Subscribes to updates, and sends the state.
    async fn send_state(
        &mut self,
        seen: Option<u64>,
    ) -> Result<broadcast::Receiver<Arc<TableUpdate>>, SocketClosed> {
        // Nothing is decided while the live game is locked, so no update is missed between the two.
        let table = Arc::clone(&self.table);
        let written = table.write_history(&self.server, self.client.into());
        written.await.map_err(|_| SocketClosed)?;
        let mut core = table.lock().await;
        if seen.is_some_and(|seen| seen > core.game.seq()) && self.server.bus.is_some() {
            // The client has seen a later event at another node.
            let newer = table.read_newer(&self.server, &mut core).await;
            newer.map_err(|_| SocketClosed)?;
        }
        let news = table.subscribe();
        let since = match seen {
            Some(seen) if core.is_far_behind(seen) => None,
            Some(seen) if seen < core.game.seq() => {
                since(&self.server, &table, seen, core.game.seq()).await
            }
            Some(_) => Some(Vec::new()),
            None => None,
        };
        let text = view(
            &table,
            &mut core,
            self.place,
            &self.server,
            since.as_deref(),
        )
        .await;
        drop(core);
        self.next_view = Alarm::now() + VIEW_INTERVAL;
        self.is_behind = false;
        self.send_text(text.map_err(|_| SocketClosed)?).await?;
        Ok(news)
    }

    /// Forwards an update of the table. A client that lags behind is sent the whole state instead, as soon as that is
    /// allowed again.
    async fn forward(
        &mut self,
        told: Result<Arc<TableUpdate>, RecvError>,
    ) -> Result<(), SocketClosed> {
        match told {
            Ok(told) if told.is_reset() => {
                self.is_behind = true;
                Ok(())
            }
            Ok(told) => match told.text_for(self.place) {
                Some(text) => self.send_text(text).await,
                None => Ok(()),
            },
            Err(RecvError::Lagged(_)) => {
                self.is_behind = true;
                Ok(())
            }
            Err(RecvError::Closed) => Err(SocketClosed),
        }
    }

    async fn ping(&mut self) -> Result<(), SocketClosed> {
        match self.pings.begin(Instant::now()) {
            PingDue::Send => self.send(Message::Ping(axum::body::Bytes::new())).await,
            PingDue::Wait => Ok(()),
            PingDue::Lost => Err(SocketClosed),
        }
    }

    fn pong(&mut self) {
        if let Some(trip) = self.pings.end(Instant::now()) {
            self.trip = Some(trip);
            if let ViewerRole::Seat(player) = self.place {
                self.table.note_round_trip(player, trip);
            }
        }
    }

    async fn on_frame(
        &mut self,
        frame: Message,
        news: &mut broadcast::Receiver<Arc<TableUpdate>>,
    ) -> Result<(), SocketClosed> {
        if self.connection.is_revoked() {
            return Err(self.close_revoked().await);
        }
        let is_answer = matches!(frame, Message::Pong(_)) && self.pings.is_waiting();
        if !is_answer && self.pace.count(&self.server.guard) {
            self.pings.note_delay();
        }
        match frame {
            Message::Text(text) => {
                // The lag does not include the time that the message has waited unread: only the sender's own address
                // caused that.
                let lag = self.place.color().map(|player| self.table.lag_of(player));
                let arrival = MessageTiming {
                    at: self.server.now(),
                    lag: lag.unwrap_or_default(),
                };
                self.answer(&text, arrival, news).await
            }
            Message::Binary(_) => self.refuse_bytes().await,
            Message::Pong(_) => {
                self.pong();
                Ok(())
            }
            Message::Ping(_) => Ok(()),
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

/// The events after the last one that a client has seen. What another node decides meanwhile is sent as an update.
async fn since(server: &Server, table: &Table, seen: u64, last: u64) -> Option<Vec<Event>> {
    let newer = server.store.decisions_after(vec![(table.id(), seen)]);
    let newer = newer.await.ok()?.pop()?;
    let events = newer.iter().map(read_events).collect::<Result<Vec<_>, _>>();
    let mut events: Vec<Event> = events.ok()?.into_iter().flatten().collect();
    events.retain(|event| event.seq > seen && event.seq <= last);
    Some(events)
}
