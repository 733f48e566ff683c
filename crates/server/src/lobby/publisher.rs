//! Publishes the lobby: the lists that all clients share are built once for all, at most a few times a second, and
//! offers of guests who have left are withdrawn.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, sleep};
use touchmove_store::{CloseOffer, Error, GameId, GameQuery};

use crate::Server;
use crate::app::wait_for_shutdown;
use crate::games::table::message;
use crate::lobby::json::WatchedGameJson;
use crate::lobby::open_seeks::SeekList;
use crate::lobby::{MAX_SHOWN_SEEKS, MAX_WATCHABLE_GAMES, PublishedState, SeekJson};
use crate::lock_ext::LockExt as _;
use crate::spawn::keep_running;

/// How often the games to watch are read, while anybody is in the lobby.
const PUBLISH_INTERVAL: Duration = Duration::from_secs(1);
/// After this many rounds the offers are read, even if nothing has changed them.
const OFFER_POLL_ROUNDS: u64 = 5;
/// How long changes are collected before they are published.
const DEBOUNCE_DELAY: Duration = Duration::from_millis(100);

/// Runs the publisher until the server shuts down.
pub(crate) fn run(server: &Arc<Server>) {
    let (weak, stirred) = (Arc::downgrade(server), Arc::clone(&server.lobby.stirred));
    let closing = server.shutdown_signal();
    keep_running("lobby", move || {
        let (weak, stirred) = (Weak::clone(&weak), Arc::clone(&stirred));
        let mut closing = closing.clone();
        async move {
            let mut rounds = interval(PUBLISH_INTERVAL);
            rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut count: u64 = 0;
            loop {
                let is_stirred = tokio::select! {
                    _ = rounds.tick() => false,
                    () = stirred.notified() => true,
                    () = wait_for_shutdown(&mut closing) => return,
                };
                if is_stirred {
                    sleep(DEBOUNCE_DELAY).await;
                }
                let Some(server) = weak.upgrade() else {
                    return;
                };
                count += u64::from(!is_stirred);
                let mut published = server.lobby.published.lock().await;
                let done = server
                    .publish(
                        &mut published,
                        is_stirred || count.is_multiple_of(OFFER_POLL_ROUNDS),
                    )
                    .await;
                if let Err(error) = done {
                    tracing::warn!(%error, "the lobby could not be kept");
                }
            }
        }
    });
}

#[derive(Serialize)]
struct SeeksMessage {
    seeks: Vec<SeekJson>,
}

#[derive(Serialize)]
struct GamesMessage {
    games: Vec<WatchedGameJson>,
}

impl Server {
    /// Updates the lists, so that the first client in the lobby sees the current state.
    pub(crate) async fn refresh_lobby(self: &Arc<Server>) -> Result<(), Error> {
        let mut published = self.lobby.published.lock().await;
        let is_new = |at: Instant| at.elapsed() < PUBLISH_INTERVAL;
        match published.at.is_some_and(is_new) {
            true => Ok(()),
            false => self.publish(&mut published, true).await,
        }
    }

    async fn publish(
        self: &Arc<Server>,
        published: &mut PublishedState,
        with_seeks: bool,
    ) -> Result<(), Error> {
        if with_seeks {
            self.publish_seeks().await?;
        }
        if self.lobby.games.receiver_count() > 0 {
            self.publish_games(&mut published.games).await?;
            published.at = Some(Instant::now());
        }
        Ok(())
    }

    async fn publish_seeks(&self) -> Result<(), Error> {
        let (now, mut open) = (self.now(), Vec::new());
        self.lobby.presence.locked().remove_expired(now);
        for seek in self.open_seeks().await?.iter() {
            if self.lobby.shall_be_taken_down(&seek.offer, now) {
                self.store
                    .close_offer(seek.offer.id, CloseOffer::Cancel)
                    .await?;
                self.lobby.open_seeks.list.invalidate();
                continue;
            }
            open.push(Arc::clone(seek));
        }
        let shown = newest(&open);
        replace(
            &self.lobby.seeks,
            message("seeks", SeeksMessage { seeks: shown }),
        );
        Ok(())
    }

    async fn publish_games(
        self: &Arc<Server>,
        known: &mut Vec<(GameId, u64)>,
    ) -> Result<(), Error> {
        let page = self
            .store
            .list_games(GameQuery::live(), None, MAX_WATCHABLE_GAMES)
            .await?;
        let (mut games, mut seen) = (Vec::new(), Vec::new());
        for row in page.games {
            let table = match self.table(row.id).await {
                Ok(Some(table)) => table,
                Ok(None) => continue,
                Err(trouble) => {
                    tracing::error!(game = %row.id, %trouble, "a game cannot be watched");
                    continue;
                }
            };
            let core = table.lock().await;
            seen.push((row.id, core.game.seq()));
            games.push(WatchedGameJson::new(row.id, &row, &core.game, self.now()));
        }
        // A running clock is no change: clients count it down themselves.
        if *known != seen || self.lobby.games.borrow().is_empty() {
            *known = seen;
            replace(&self.lobby.games, message("games", GamesMessage { games }));
        }
        Ok(())
    }
}

/// The newest seeks as JSON, oldest first: a player who floods the list cannot hide later ones.
pub(crate) fn newest(open: &SeekList) -> Vec<SeekJson> {
    let newest = open.iter().skip(open.len().saturating_sub(MAX_SHOWN_SEEKS));
    newest
        .map(|seek| SeekJson::new(&seek.offer, &seek.deal))
        .collect()
}

/// Publishes a list, if it has changed.
fn replace(told: &watch::Sender<Utf8Bytes>, text: String) {
    told.send_if_modified(|before| {
        let is_new = before.as_str() != text;
        if is_new {
            *before = text.into();
        }
        is_new
    });
}
