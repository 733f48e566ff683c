//! The stream of what concerns somebody: games that begin and end, challenges that come and go. Whoever
//! comes is told first of everything that is open; whoever comes again with the same token takes the place
//! of the stream before.

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
use touchmove_store::{Digest, GameId, Holder, OfferId, OfferStatus, Phase, Query, limits};

use crate::House;
use crate::api::{Problem, Shared};
use crate::app::closed;
use crate::auth::identity::Who;
use crate::cluster::{Hash, Word};
use crate::games::table::Core;
use crate::lichess::error::Refused;
use crate::lichess::json;
use crate::lichess::json::Speed;
use crate::lichess::ndjson;
use crate::lichess::ndjson::{Gone, NDJSON, Pen};
use crate::lobby::{Deal, Note};
use crate::lock_ext::Locked as _;
use crate::security::Client;
use crate::spawn::in_background;

/// How often everything is looked at, even if nobody says that something is new.
const ROUND: Duration = Duration::from_secs(30);

/// How many games that are over, and offers that are gone, are remembered.
const OVER: usize = 1_000;

/// How long a stream has its place at least. Two programs with one token would take it from each other as
/// fast as they can connect; so the one that comes waits.
const PLACE: Duration = Duration::from_secs(1);

/// The streams that are open, by their tokens.
#[derive(Default)]
pub(crate) struct Streams {
    open: Mutex<HashMap<Digest, Place>>,
}

/// The place of a stream.
struct Place {
    since: Instant,
    end: oneshot::Sender<()>,
}

/// What somebody has who has taken a place.
struct Taken {
    /// The answer comes when another takes it.
    replaced: oneshot::Receiver<()>,
    /// When it may be used, if not at once.
    from: Option<Instant>,
}

impl Streams {
    /// Takes the place of the stream that this token has.
    fn replace(&self, token: Digest) -> Taken {
        let (end, replaced) = oneshot::channel();
        let since = Instant::now();
        let mut open = self.open.locked();
        open.retain(|_, place| !place.end.is_closed());
        let mut from = None;
        if let Some(before) = open.insert(token, Place { since, end }) {
            // It may have ended by itself.
            let was_open = before.end.send(()).is_ok();
            if was_open && since < before.since + PLACE {
                from = Some(since + PLACE);
            }
        }
        Taken { replaced, from }
    }

    /// Another node has a stream with this token.
    pub(crate) fn end(&self, token: Digest) {
        if let Some(place) = self.open.locked().remove(&token) {
            // It may have ended by itself.
            let _ = place.end.send(());
        }
    }
}

/// `GET /api/stream/event`
pub(super) async fn stream(
    State(house): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let who = house.must_know(&headers).await?;
    if !who.may_play() {
        who.must_have(Scope::ChallengeRead)?;
    }
    let connection = house.open_connection(&headers, Some(&who)).await?;
    let token = who.secret;
    let Taken { replaced, from } = house.streams.replace(token);
    if let Some(bus) = &house.bus {
        bus.say(&Word::Stream { token: Hash(token) });
    }
    let (visit, notes) = house.visit(who.holder);
    if let Some(from) = from {
        sleep_until(from).await;
    }
    let mut listener = Listener {
        house,
        client,
        who,
        games: HashSet::new(),
        over: HashSet::new(),
        offers: HashSet::new(),
        gone: HashSet::new(),
    };
    // What is wrong with the store is told now, not in the stream.
    let first = listener.look().await?;
    let (mut pen, response) = ndjson::open(NDJSON, connection);
    in_background(async move {
        let _visit = visit;
        // How it ends is the client's business.
        let _ = listener.listen(&mut pen, notes, replaced, first).await;
    });
    Ok(response)
}

/// Somebody who listens, and what he has been told of.
struct Listener {
    house: Arc<House>,
    client: Client,
    who: Who,
    /// Games that have begun.
    games: HashSet<GameId>,
    /// Games that are over, the latest.
    over: HashSet<GameId>,
    offers: HashSet<OfferId>,
    /// Offers that are not open any more, the latest.
    gone: HashSet<OfferId>,
}

impl Listener {
    async fn listen(
        &mut self,
        pen: &mut Pen,
        mut notes: Receiver<Note>,
        mut replaced: oneshot::Receiver<()>,
        first: Vec<Value>,
    ) -> Result<(), Gone> {
        let mut closing = self.house.closing();
        // Clients take the first line as the sign that they are connected.
        if first.is_empty() {
            pen.blank().await?;
        }
        for event in first {
            pen.write(&event).await?;
        }
        let mut round = Instant::now() + ROUND;
        loop {
            tokio::select! {
                note = notes.recv() => {
                    let events = match note {
                        Ok(Note::Game(game)) => self.begins(game).await,
                        Ok(Note::Over(game)) => self.ends(game).await,
                        // What became of it is seen when it is looked at.
                        Ok(Note::Changed) | Err(RecvError::Lagged(_)) => self.look().await,
                        Ok(Note::Declined { challenge, .. }) => {
                            // It may have come and gone between two looks.
                            if !self.gone.contains(&challenge) {
                                self.offers.insert(challenge);
                            }
                            self.look().await
                        }
                        Err(RecvError::Closed) => return Err(Gone),
                    };
                    // What the store could not say now is seen in the next round.
                    for event in events.unwrap_or_default() {
                        pen.write(&event).await?;
                    }
                }
                () = sleep_until(round) => {
                    round = Instant::now() + ROUND;
                    for event in self.look().await.unwrap_or_default() {
                        pen.write(&event).await?;
                    }
                }
                () = pen.silent() => pen.blank().await?,
                _ = &mut replaced => return Err(Gone),
                () = pen.gone() => return Err(Gone),
                () = closed(&mut closing) => return Err(pen.break_off()),
            }
        }
    }

    /// Looks at everything, and says what is new.
    async fn look(&mut self) -> Result<Vec<Value>, Problem> {
        let query = Query {
            holder: Some(self.who.holder),
            phase: Some(Phase::Running),
            ..Query::default()
        };
        // A token that may only see challenges is told of no game.
        let running: HashSet<_> = match self.who.may_see_games() {
            true => {
                let page = self.house.store.games(query, None, limits::ROWS).await?;
                page.games.iter().map(|row| row.id).collect()
            }
            false => HashSet::new(),
        };
        let mut events = Vec::new();
        let over: Vec<_> = self.games.difference(&running).copied().collect();
        for game in over {
            events.extend(self.ends(game).await?);
        }
        for game in running {
            events.extend(self.begins(game).await?);
        }
        events.extend(self.look_at_offers().await?);
        Ok(events)
    }

    async fn look_at_offers(&mut self) -> Result<Vec<Value>, Problem> {
        let Some(person) = self.who.person() else {
            return Ok(Vec::new());
        };
        let (house, reader) = (&self.house, Some(self.who.holder));
        let now = house.pulse.moment();
        let mut open = house.store.challenges_to(person, now, limits::ROWS).await?;
        open.extend(house.store.challenges_by(person, now, limits::ROWS).await?);
        open.sort_by_key(|offer| offer.created);
        let mut events = Vec::new();
        let ids: HashSet<_> = open.iter().map(|offer| offer.id).collect();
        for id in self.offers.difference(&ids) {
            let Some(offer) = house.store.find_offer(*id).await? else {
                continue;
            };
            let Ok(deal) = Deal::read(&offer.terms) else {
                continue;
            };
            let kind = match offer.status {
                OfferStatus::Taken { .. } => continue,
                OfferStatus::Declined { .. } => "challengeDeclined",
                OfferStatus::Cancelled | OfferStatus::Open => "challengeCanceled",
            };
            let told = house.challenge(&offer, &deal, reader).await?;
            events.push(json!({ "type": kind, "challenge": told }));
        }
        for offer in open.iter().filter(|offer| !self.offers.contains(&offer.id)) {
            let Ok(deal) = Deal::read(&offer.terms) else {
                continue;
            };
            let told = house.challenge(offer, &deal, reader).await?;
            let compat = json!({ "bot": true, "board": true });
            events.push(json!({ "type": "challenge", "challenge": told, "compat": compat }));
        }
        let known = std::mem::replace(&mut self.offers, ids);
        if self.gone.len() >= OVER {
            self.gone.clear();
        }
        self.gone.extend(known.difference(&self.offers));
        Ok(events)
    }

    /// A game begins, if it is not known yet and nobody is waited for. If it is over already, both are told:
    /// a bot that has accepted waits for the beginning.
    async fn begins(&mut self, game: GameId) -> Result<Vec<Value>, Problem> {
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

    async fn told_game(&self, game: GameId) -> Result<Option<Value>, Problem> {
        let asker = (self.client, self.who.holder);
        self.house.told_game(game, asker).await
    }

    /// A game is over, if it was known.
    async fn ends(&mut self, game: GameId) -> Result<Vec<Value>, Problem> {
        if !self.games.contains(&game) {
            return Ok(Vec::new());
        }
        let told = self.told_game(game).await?;
        self.games.remove(&game);
        if self.over.len() >= OVER {
            self.over.clear();
        }
        self.over.insert(game);
        let finished = told.map(|told| json!({ "type": "gameFinish", "game": told }));
        Ok(finished.into_iter().collect())
    }
}

/// A game as one of its players is told of it.
fn told(
    id: GameId,
    core: &Core,
    color: Color,
    opponent: &json::Light,
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
        "rating": json::RATING,
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

impl House {
    /// A game as one of its players is told of it; nothing if he is none.
    pub(super) async fn told_game(
        self: &Arc<House>,
        id: GameId,
        (client, holder): (Client, Holder),
    ) -> Result<Option<Value>, Problem> {
        if let Some(table) = self.tables.live(id) {
            return self.told_to(id, &*table.core().await, holder).await;
        }
        // Nobody is there: it is read, and not put into memory.
        let (house, runtime) = (Arc::clone(self), Handle::current());
        let read = self.read_game(client.into(), id, move |core| {
            runtime.block_on(house.told_to(id, &core, holder))
        });
        read.await?.unwrap_or(Ok(None))
    }

    async fn told_to(
        &self,
        id: GameId,
        core: &Core,
        holder: Holder,
    ) -> Result<Option<Value>, Problem> {
        let Some(color) = core.seat_of(holder) else {
            return Ok(None);
        };
        if core.game.seats()[!color] == Seat::Open {
            return Ok(None);
        }
        let opponent = self.light_at(core, !color).await?;
        let left = core.game.time_left(color, self.now());
        let left = left.map(|left| left.0 / 1_000);
        Ok(Some(told(id, core, color, &opponent, left)))
    }
}
