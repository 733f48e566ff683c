//! The event stream of an account: games that begin and end, challenges that are created and closed. A new stream
//! begins with everything that is open, and replaces an earlier stream of the same token.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};
use touchmove_accounts::Scope;
use touchmove_game::Seat;
use touchmove_rules::Color;
use touchmove_store::{Digest, GameId, GamePhase, GameQuery, Holder, OfferId, OfferStatus, limits};

use crate::Server;
use crate::api::{ApiError, ServerState};
use crate::app::wait_for_shutdown;
use crate::auth::identity::Identity;
use crate::cluster::{ClusterMessage, HashKey};
use crate::games::table::LiveGame;
use crate::lichess::error::LichessError;
use crate::lichess::json;
use crate::lichess::json::Speed;
use crate::lichess::ndjson;
use crate::lichess::ndjson::{ClientGone, NDJSON_CONTENT_TYPE, NdjsonWriter};
use crate::lobby::{LobbyNotice, OfferTerms};
use crate::lock_ext::LockExt as _;
use crate::security::Client;
use crate::spawn::spawn_boxed;

/// How often everything is checked, even without a notice.
const POLL_INTERVAL: Duration = Duration::from_secs(30);

/// How many finished games and closed offers are remembered.
const MAX_REMEMBERED: usize = 1_000;

/// The shortest lifetime of a stream. Two programs with one token would replace each other's streams as fast as they
/// can connect; so the new one waits.
const MIN_STREAM_LIFETIME: Duration = Duration::from_secs(1);

/// The open streams, by token.
#[derive(Default)]
pub(crate) struct EventStreams {
    open: Mutex<HashMap<Digest, StreamSlot>>,
}

/// The slot of a stream.
struct StreamSlot {
    since: Instant,
    end: oneshot::Sender<()>,
}

/// The slot as its stream holds it.
struct SlotGuard {
    /// Resolves when another stream takes the slot.
    replaced: oneshot::Receiver<()>,
    /// When the slot may be used, if not at once.
    from: Option<Instant>,
}

impl EventStreams {
    /// Takes the slot of this token from its current stream.
    fn replace(&self, token: Digest) -> SlotGuard {
        let (end, replaced) = oneshot::channel();
        let since = Instant::now();
        let mut open = self.open.locked();
        open.retain(|_, place| !place.end.is_closed());
        let mut from = None;
        if let Some(before) = open.insert(token, StreamSlot { since, end }) {
            // That stream may have ended by itself.
            let was_open = before.end.send(()).is_ok();
            if was_open && since < before.since + MIN_STREAM_LIFETIME {
                from = Some(since + MIN_STREAM_LIFETIME);
            }
        }
        SlotGuard { replaced, from }
    }

    /// Another node has a stream with this token.
    pub(crate) fn end(&self, token: Digest) {
        if let Some(place) = self.open.locked().remove(&token) {
            // The stream may have ended by itself.
            let _ = place.end.send(());
        }
    }
}

/// `GET /api/stream/event`
pub(super) async fn stream(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    let who = server.require_identity(&headers).await?;
    if !who.may_play() {
        who.require_scope(Scope::ChallengeRead)?;
    }
    let connection = server.open_connection(&headers, Some(&who)).await?;
    let token = who.secret;
    let SlotGuard { replaced, from } = server.streams.replace(token);
    if let Some(bus) = &server.bus {
        bus.publish(&ClusterMessage::Stream {
            token: HashKey(token),
        });
    }
    let (visit, notes) = server.enter_lobby(who.holder);
    if let Some(from) = from {
        sleep_until(from).await;
    }
    let mut listener = EventStream {
        server,
        client,
        who,
        games: HashSet::new(),
        over: HashSet::new(),
        offers: HashSet::new(),
        gone: HashSet::new(),
    };
    // A failure of the store is answered now, not in the stream.
    let first = listener.poll().await?;
    let (mut pen, response) = ndjson::open(NDJSON_CONTENT_TYPE, connection);
    spawn_boxed(async move {
        let _visit = visit;
        // How the connection ends does not matter here.
        let _ = listener.listen(&mut pen, notes, replaced, first).await;
    });
    Ok(response)
}

/// An event stream, and what it has sent.
struct EventStream {
    server: Arc<Server>,
    client: Client,
    who: Identity,
    /// Games that have begun.
    games: HashSet<GameId>,
    /// Games that are over, the latest.
    over: HashSet<GameId>,
    offers: HashSet<OfferId>,
    /// Offers that are closed, the latest.
    gone: HashSet<OfferId>,
}

impl EventStream {
    async fn listen(
        &mut self,
        pen: &mut NdjsonWriter,
        mut notes: Receiver<LobbyNotice>,
        mut replaced: oneshot::Receiver<()>,
        first: Vec<Value>,
    ) -> Result<(), ClientGone> {
        let mut closing = self.server.shutdown_signal();
        // Clients take the first line as the sign that they are connected.
        if first.is_empty() {
            pen.blank().await?;
        }
        for event in first {
            pen.write(&event).await?;
        }
        let mut round = Instant::now() + POLL_INTERVAL;
        loop {
            tokio::select! {
                note = notes.recv() => {
                    let events = match note {
                        Ok(LobbyNotice::Game(game)) => self.on_game_start(game).await,
                        Ok(LobbyNotice::Over(game)) => self.on_game_end(game).await,
                        // The poll finds out what has changed.
                        Ok(LobbyNotice::Changed) | Err(RecvError::Lagged(_)) => self.poll().await,
                        Ok(LobbyNotice::Declined { challenge, .. }) => {
                            // It may have been created and closed between two polls.
                            if !self.gone.contains(&challenge) {
                                self.offers.insert(challenge);
                            }
                            self.poll().await
                        }
                        Err(RecvError::Closed) => return Err(ClientGone),
                    };
                    // What the store could not answer now is found in the next round.
                    for event in events.unwrap_or_default() {
                        pen.write(&event).await?;
                    }
                }
                () = sleep_until(round) => {
                    round = Instant::now() + POLL_INTERVAL;
                    for event in self.poll().await.unwrap_or_default() {
                        pen.write(&event).await?;
                    }
                }
                () = pen.keepalive_due() => pen.blank().await?,
                _ = &mut replaced => return Err(ClientGone),
                () = pen.closed() => return Err(ClientGone),
                () = wait_for_shutdown(&mut closing) => return Err(pen.abort()),
            }
        }
    }

    /// Polls the state, and returns the new events.
    async fn poll(&mut self) -> Result<Vec<Value>, ApiError> {
        let query = GameQuery {
            holder: Some(self.who.holder),
            phase: Some(GamePhase::Running),
            ..GameQuery::default()
        };
        // A token with only the scope for challenges is sent no games.
        let running: HashSet<_> = match self.who.may_see_games() {
            true => {
                let page = self
                    .server
                    .store
                    .list_games(query, None, limits::MAX_ROWS)
                    .await?;
                page.games.iter().map(|row| row.id).collect()
            }
            false => HashSet::new(),
        };
        let mut events = Vec::new();
        let over: Vec<_> = self.games.difference(&running).copied().collect();
        for game in over {
            events.extend(self.on_game_end(game).await?);
        }
        for game in running {
            events.extend(self.on_game_start(game).await?);
        }
        events.extend(self.look_at_offers().await?);
        Ok(events)
    }

    async fn look_at_offers(&mut self) -> Result<Vec<Value>, ApiError> {
        let Some(person) = self.who.person() else {
            return Ok(Vec::new());
        };
        let (server, reader) = (&self.server, Some(self.who.holder));
        let now = server.pulse.to_moment();
        let mut open = server
            .store
            .challenges_to(person, now, limits::MAX_ROWS)
            .await?;
        open.extend(
            server
                .store
                .challenges_by(person, now, limits::MAX_ROWS)
                .await?,
        );
        open.sort_by_key(|offer| offer.created);
        let mut events = Vec::new();
        let ids: HashSet<_> = open.iter().map(|offer| offer.id).collect();
        for id in self.offers.difference(&ids) {
            let Some(offer) = server.store.find_offer(*id).await? else {
                continue;
            };
            let Ok(deal) = OfferTerms::parse(&offer.terms) else {
                continue;
            };
            let kind = match offer.status {
                OfferStatus::Taken { .. } => continue,
                OfferStatus::Declined { .. } => "challengeDeclined",
                OfferStatus::Cancelled | OfferStatus::Open => "challengeCanceled",
            };
            let told = server.challenge(&offer, &deal, reader).await?;
            events.push(json!({ "type": kind, "challenge": told }));
        }
        for offer in open.iter().filter(|offer| !self.offers.contains(&offer.id)) {
            let Ok(deal) = OfferTerms::parse(&offer.terms) else {
                continue;
            };
            let told = server.challenge(offer, &deal, reader).await?;
            let compat = json!({ "bot": true, "board": true });
            events.push(json!({ "type": "challenge", "challenge": told, "compat": compat }));
        }
        let known = std::mem::replace(&mut self.offers, ids);
        if self.gone.len() >= MAX_REMEMBERED {
            self.gone.clear();
        }
        self.gone.extend(known.difference(&self.offers));
        Ok(events)
    }

    /// Sends the start of a game, if it is new and no seat is open. If the game is over already, both events are
    /// sent: a bot that has accepted waits for the start.
    async fn on_game_start(&mut self, game: GameId) -> Result<Vec<Value>, ApiError> {
        if self.games.contains(&game) || self.over.contains(&game) || !self.who.may_see_games() {
            return Ok(Vec::new());
        }
        let Some(told) = self.told_game(game).await? else {
            return Ok(Vec::new());
        };
        let mut events = vec![json!({ "type": "gameStart", "game": told })];
        match told["status"]["name"] == "started" {
            true => drop(self.games.insert(game)),
            false => {
                self.over.insert(game);
                events.push(json!({ "type": "gameFinish", "game": told }));
            }
        }
        Ok(events)
    }

    async fn told_game(&self, game: GameId) -> Result<Option<Value>, ApiError> {
        let asker = (self.client, self.who.holder);
        self.server.game_json_for(game, asker).await
    }

    /// Sends the end of a game, if its start was sent.
    async fn on_game_end(&mut self, game: GameId) -> Result<Vec<Value>, ApiError> {
        if !self.games.contains(&game) {
            return Ok(Vec::new());
        }
        let told = self.told_game(game).await?;
        self.games.remove(&game);
        if self.over.len() >= MAX_REMEMBERED {
            self.over.clear();
        }
        self.over.insert(game);
        let finished = told.map(|told| json!({ "type": "gameFinish", "game": told }));
        Ok(finished.into_iter().collect())
    }
}

/// A game as one of its players sees it.
fn game_json(
    id: GameId,
    core: &LiveGame,
    color: Color,
    opponent: &json::LightUser,
    now_left: Option<u64>,
) -> Value {
    let game = &core.game;
    let terms = game.terms();
    let (number, name) = json::status_of(game);
    let variant = json::variant(terms);
    let has_moved = game.plies().len() > usize::from(terms.start.turn() != color);
    let mut told = json!({
        "id": id.to_string(),
        "gameId": id.to_string(),
        "fullId": id.to_string(),
        "fen": game.position().fen().to_string(),
        "color": json::color(color),
        "lastMove": json::ply_from_end(game, 0).unwrap_or_default(),
        "source": match core.source.as_str() {
            "lobby" => "lobby",
            _ => "friend",
        },
        "status": { "id": number, "name": name },
        "variant": { "key": variant.key, "name": variant.name },
        "speed": Speed::of(terms.time.as_ref()).key(),
        "perf": json::perf(terms).0,
        "rated": false,
        "rating": json::PLACEHOLDER_RATING,
        "hasMoved": has_moved,
        "opponent": opponent.opponent(),
        "isMyTurn": game.ending().is_none() && game.turn() == color,
        "compat": { "bot": true, "board": true },
    });
    if let Some(seconds) = now_left {
        told["secondsLeft"] = seconds.into();
    }
    if let Some(winner) = game.ending().and_then(touchmove_game::Ending::winner) {
        told["winner"] = json::color(winner).into();
    }
    told
}

impl Server {
    /// A game as one of its players sees it; `None` for everybody else.
    pub(super) async fn game_json_for(
        self: &Arc<Server>,
        id: GameId,
        (client, holder): (Client, Holder),
    ) -> Result<Option<Value>, ApiError> {
        if let Some(table) = self.tables.get(id) {
            return self.told_to(id, &*table.lock().await, holder).await;
        }
        // If the game is not in memory, it is read without loading it there.
        let (server, runtime) = (Arc::clone(self), Handle::current());
        let read = self.read_game(client.into(), id, move |core| {
            runtime.block_on(server.told_to(id, &core, holder))
        });
        read.await?.unwrap_or(Ok(None))
    }

    async fn told_to(
        &self,
        id: GameId,
        core: &LiveGame,
        holder: Holder,
    ) -> Result<Option<Value>, ApiError> {
        let Some(color) = core.seat_of(holder) else {
            return Ok(None);
        };
        if core.game.seats()[!color] == Seat::Open {
            return Ok(None);
        }
        let opponent = self.light_at(core, !color).await?;
        let left = core.game.time_left(color, self.now());
        let left = left.map(|left| left.0 / 1_000);
        Ok(Some(game_json(id, core, color, &opponent, left)))
    }
}
