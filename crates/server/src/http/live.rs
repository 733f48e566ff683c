//! The live view of a table: one WebSocket, JSON both ways. What the messages mean is in docs/LIVE.md.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::{Instant as Alarm, sleep_until, timeout};
use touchmove_game::protocol::{Asked, Denial};
use touchmove_game::{Event, Millis};

use super::tables::table;
use super::{Problem, Shared};
use crate::House;
use crate::serve::Peer;
use crate::table::{Arrival, News, Place, Reply, Table, message, read_events, view};
use crate::who;

/// The longest message that a client may send, in bytes.
const LONGEST: usize = 4 * 1024;
/// The most that waits to be written to a client, in bytes.
const UNWRITTEN: usize = 64 * 1024;
/// How long a client may take for one message before it is let go.
const SLOWEST: Duration = Duration::from_secs(20);
/// How often a player's round trip is measured.
const PLAYER_PING: Duration = Duration::from_secs(5);
/// How often somebody who watches is asked whether he is still there.
const WATCHER_PING: Duration = Duration::from_secs(30);

/// What a client says when it comes.
#[derive(Deserialize)]
pub(crate) struct Coming {
    /// The last event that it has seen.
    seen: Option<u64>,
}

/// `GET /v1/tables/{id}/live`
pub(crate) async fn join(
    State(house): Shared,
    Path(id): Path<String>,
    Query(coming): Query<Coming>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Problem> {
    let table = table(&house, &id).await?;
    let who = who::who(&headers);
    let place = match &who {
        Some(who) => table.seat_of(who.holder).await,
        None => None,
    };
    let place = place.map_or(Place::Watching, Place::Seat);
    let upgrade = upgrade
        .read_buffer_size(2 * 1024)
        .write_buffer_size(0)
        .max_write_buffer_size(UNWRITTEN)
        .max_message_size(LONGEST)
        .max_frame_size(LONGEST);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let mut guest = Guest {
            socket,
            house,
            table,
            place,
            trip: None,
            pinged: None,
            _peer: peer,
        };
        guest.stay(coming.seen).await;
    }))
}

/// Somebody at a table.
struct Guest {
    socket: WebSocket,
    house: Arc<House>,
    table: Arc<Table>,
    place: Place,
    /// The shortest of the latest round trips.
    trip: Option<Duration>,
    /// When the last ping was sent that is not answered.
    pinged: Option<Instant>,
    _peer: Peer,
}

/// Why somebody leaves.
struct Gone;

#[derive(Serialize)]
struct Granted<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    accepted: bool,
    seq: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
}

#[derive(Serialize)]
struct Denied<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    accepted: bool,
    #[serde(flatten)]
    denial: &'a Denial,
}

impl Guest {
    /// Stays until he goes or the house closes.
    async fn stay(&mut self, seen: Option<u64>) {
        let mut closing = self.house.closing();
        let _stay = self.table.come(&self.house, self.place);
        let Ok(mut news) = self.greet(seen).await else {
            return;
        };
        let every = match self.place {
            Place::Seat(_) => PLAYER_PING,
            Place::Watching => WATCHER_PING,
        };
        let mut alarm = Alarm::now() + every;
        if self.ping().await.is_err() {
            return;
        }
        loop {
            let went = tokio::select! {
                told = news.recv() => self.pass_on(told, &mut news).await,
                frame = self.socket.recv() => match frame {
                    Some(Ok(frame)) => self.hear(frame, &mut news).await,
                    Some(Err(_)) | None => Err(Gone),
                },
                () = sleep_until(alarm) => {
                    alarm = Alarm::now() + every;
                    self.ping().await
                }
                _ = closing.changed() => {
                    let farewell = CloseFrame {
                        code: close_code::RESTART,
                        reason: Utf8Bytes::from_static("the server closes: come back in a moment"),
                    };
                    let _ = self.send(Message::Close(Some(farewell))).await;
                    Err(Gone)
                }
            };
            if went.is_err() {
                return;
            }
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), Gone> {
        match timeout(SLOWEST, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Gone),
        }
    }

    async fn say(&mut self, text: impl Into<Utf8Bytes>) -> Result<(), Gone> {
        self.send(Message::Text(text.into())).await
    }

    /// Listens from now on, and says how everything stands.
    async fn greet(&mut self, seen: Option<u64>) -> Result<broadcast::Receiver<Arc<News>>, Gone> {
        // Nothing is decided while the core is held, so nothing is missed between the two.
        let table = Arc::clone(&self.table);
        let core = table.core().await;
        let news = table.subscribe();
        let since = match seen {
            Some(seen) if seen < core.game.seq() => since(&self.house, &table, seen).await,
            Some(_) => Some(Vec::new()),
            None => None,
        };
        let text = view(
            &table,
            &core,
            self.place,
            self.house.now(),
            since.as_deref(),
        );
        drop(core);
        self.say(text).await?;
        Ok(news)
    }

    /// Passes on what the table tells. Who is too far behind is told how everything stands instead.
    async fn pass_on(
        &mut self,
        told: Result<Arc<News>, RecvError>,
        news: &mut broadcast::Receiver<Arc<News>>,
    ) -> Result<(), Gone> {
        match told {
            Ok(told) => match told.text_for(self.place) {
                Some(text) => self.say(text).await,
                None => Ok(()),
            },
            Err(RecvError::Lagged(_)) => {
                *news = self.greet(None).await?;
                Ok(())
            }
            Err(RecvError::Closed) => Err(Gone),
        }
    }

    async fn ping(&mut self) -> Result<(), Gone> {
        if self.pinged.is_some() {
            // The last one was never answered.
            return Err(Gone);
        }
        self.pinged = Some(Instant::now());
        self.send(Message::Ping(axum::body::Bytes::new())).await
    }

    fn pong(&mut self) {
        if let Some(pinged) = self.pinged.take() {
            let trip = pinged.elapsed();
            // A trip that took long once is forgotten slowly.
            self.trip = Some(match self.trip {
                Some(before) if before < trip => before + (trip - before) / 4,
                _ => trip,
            });
        }
    }

    async fn hear(
        &mut self,
        frame: Message,
        news: &mut broadcast::Receiver<Arc<News>>,
    ) -> Result<(), Gone> {
        let lag = self.trip.map_or(0, |trip| trip.as_millis());
        let arrival = Arrival {
            at: self.house.now(),
            lag: Millis(u64::try_from(lag).unwrap_or(u64::MAX)),
        };
        match frame {
            Message::Text(text) => self.answer(&text, arrival, news).await,
            Message::Binary(_) => {
                let denial = Denial::unreadable("messages are text, not bytes");
                self.deny(None, &denial).await
            }
            Message::Pong(_) => {
                self.pong();
                Ok(())
            }
            Message::Ping(_) => Ok(()),
            Message::Close(_) => Err(Gone),
        }
    }

    async fn deny(&mut self, id: Option<&str>, denial: &Denial) -> Result<(), Gone> {
        let accepted = false;
        let denied = Denied {
            id,
            accepted,
            denial,
        };
        self.say(message("answer", denied)).await
    }

    async fn answer(
        &mut self,
        text: &str,
        arrival: Arrival,
        news: &mut broadcast::Receiver<Arc<News>>,
    ) -> Result<(), Gone> {
        let asked = match Asked::read(text) {
            Ok(asked) => asked,
            Err(problem) => return self.deny(None, &Denial::unreadable(problem)).await,
        };
        let id = asked.id.as_ref().map(ToString::to_string);
        let id = id.as_deref();
        let Place::Seat(by) = self.place else {
            let denial = Denial::new("no_seat", "you watch this game: only its players move");
            return self.deny(id, &denial).await;
        };
        let table = Arc::clone(&self.table);
        match table.ask(&self.house, by, &asked, arrival).await {
            Ok(Reply::Granted { seq, repeated }) => {
                // What happened is told before what was asked for is called done.
                while let Ok(told) = news.try_recv() {
                    self.pass_on(Ok(told), news).await?;
                }
                let granted = Granted {
                    id,
                    accepted: true,
                    seq,
                    repeated,
                };
                self.say(message("answer", granted)).await
            }
            Ok(Reply::Telling) => {
                let text = {
                    let core = table.core().await;
                    view(&table, &core, self.place, self.house.now(), None)
                };
                self.say(text).await
            }
            Ok(Reply::Denied(denial)) => self.deny(id, &denial).await,
            Err(trouble) => {
                let text = format!("{trouble}: nothing was played; send it again with the same id");
                self.deny(id, &Denial::new("try_again", text)).await
            }
        }
    }
}

/// What has happened after the event that a client has seen last.
async fn since(house: &House, table: &Table, seen: u64) -> Option<Vec<Event>> {
    let newer = house.store.newer(vec![(table.id(), seen)]);
    let newer = newer.await.ok()?.pop()?;
    let events = newer.iter().map(read_events).collect::<Result<Vec<_>, _>>();
    let mut events: Vec<Event> = events.ok()?.into_iter().flatten().collect();
    events.retain(|event| event.seq > seen);
    Some(events)
}
