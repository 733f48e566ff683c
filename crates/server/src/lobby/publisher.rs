//! Keeping the lobby: what everybody sees is made once for all, at most a few times a second, and offers of
//! guests who have left are taken down.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, sleep};
use touchmove_store::{Close, Error, GameId, Query};

use crate::House;
use crate::app::closed;
use crate::games::table::message;
use crate::lobby::json::Watched;
use crate::lobby::open_seeks::SeekList;
use crate::lobby::{GAMES, Published, SEEKS, SeekShown};
use crate::lock_ext::Locked as _;
use crate::spawn::keep_running;

/// How often the games to watch are looked at, while anybody is here.
const ROUND: Duration = Duration::from_secs(1);
/// How many rounds pass before the offers are looked at, even if nobody has changed one.
const SLOW: u64 = 5;
/// How long news are gathered before they are told.
const GATHER: Duration = Duration::from_millis(100);

/// Keeps the lobby until the house closes.
pub(crate) fn keep(house: &Arc<House>) {
    let (weak, stirred) = (Arc::downgrade(house), Arc::clone(&house.lobby.stirred));
    let closing = house.closing();
    keep_running("lobby", move || {
        let (weak, stirred) = (Weak::clone(&weak), Arc::clone(&stirred));
        let mut closing = closing.clone();
        async move {
            let mut rounds = interval(ROUND);
            rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut count: u64 = 0;
            loop {
                let is_stirred = tokio::select! {
                    _ = rounds.tick() => false,
                    () = stirred.notified() => true,
                    () = closed(&mut closing) => return,
                };
                if is_stirred {
                    sleep(GATHER).await;
                }
                let Some(house) = weak.upgrade() else {
                    return;
                };
                count += u64::from(!is_stirred);
                let mut published = house.lobby.published.lock().await;
                let done = house
                    .publish(&mut published, is_stirred || count.is_multiple_of(SLOW))
                    .await;
                if let Err(error) = done {
                    tracing::warn!(%error, "the lobby could not be kept");
                }
            }
        }
    });
}

#[derive(Serialize)]
struct Seeks {
    seeks: Vec<SeekShown>,
}

#[derive(Serialize)]
struct Games {
    games: Vec<Watched>,
}

impl House {
    /// Sees to it that whoever comes to the lobby first finds everything as it is.
    pub(crate) async fn refresh_lobby(self: &Arc<House>) -> Result<(), Error> {
        let mut published = self.lobby.published.lock().await;
        let is_new = |at: Instant| at.elapsed() < ROUND;
        match published.at.is_some_and(is_new) {
            true => Ok(()),
            false => self.publish(&mut published, true).await,
        }
    }

    async fn publish(
        self: &Arc<House>,
        published: &mut Published,
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
        self.lobby.presence.locked().tidy(now);
        for seek in self.open_seeks().await?.iter() {
            if self.lobby.shall_be_taken_down(&seek.offer, now) {
                self.store.close(seek.offer.id, Close::Cancel).await?;
                self.lobby.open_seeks.list.invalidate();
                continue;
            }
            open.push(Arc::clone(seek));
        }
        let shown = newest(&open);
        replace(&self.lobby.seeks, message("seeks", Seeks { seeks: shown }));
        Ok(())
    }

    async fn publish_games(self: &Arc<House>, known: &mut Vec<(GameId, u64)>) -> Result<(), Error> {
        let page = self.store.games(Query::live(), None, GAMES).await?;
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
            let core = table.core().await;
            seen.push((row.id, core.game.seq()));
            games.push(Watched::new(row.id, &row, &core.game, self.now()));
        }
        // Clocks that run on are no news: whoever watches counts them down himself.
        if *known != seen || self.lobby.games.borrow().is_empty() {
            *known = seen;
            replace(&self.lobby.games, message("games", Games { games }));
        }
        Ok(())
    }
}

/// The newest seeks as they are shown, oldest first: who fills the list hides nobody who comes later.
pub(crate) fn newest(open: &SeekList) -> Vec<SeekShown> {
    let newest = open.iter().skip(open.len().saturating_sub(SEEKS));
    newest
        .map(|seek| SeekShown::new(&seek.offer, &seek.deal))
        .collect()
}

/// Replaces what is told, if it is new.
fn replace(told: &watch::Sender<Utf8Bytes>, text: String) {
    told.send_if_modified(|before| {
        let is_new = before.as_str() != text;
        if is_new {
            *before = text.into();
        }
        is_new
    });
}
