//! The lobby: who looks for somebody to play with, who challenges whom, and what there is to watch. Offers
//! are kept in the store; here it is known who waits for news of them.

mod deal;
mod keep;
mod presence;
mod shown;

use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{Mutex as AsyncMutex, Notify, broadcast, watch};
use touchmove_game::Timestamp;
use touchmove_store::{GameId, Holder, Offer, OfferId};

use crate::House;
use crate::sync::Locked as _;

pub use deal::Deal;
pub(crate) use keep::keep;
pub use presence::Presence;
pub(crate) use shown::{ChallengeShown, Named, Row, SeekShown};

/// The most seeks that are shown.
pub const SEEKS: usize = 100;
/// The games to watch.
pub const GAMES: usize = 12;
/// How many notes somebody may be behind before he is told how everything stands instead.
const BACKLOG: usize = 16;

/// What somebody is told for himself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// Something about his offers, his challenges or his games is new.
    Changed,
    /// A game of his begins.
    Game(GameId),
    /// A game of his is over.
    Over(GameId),
    /// Somebody has declined his challenge.
    Declined {
        /// Which.
        challenge: OfferId,
        /// Why.
        reason: String,
    },
}

/// The lobby.
pub struct Lobby {
    opened: Timestamp,
    presence: Mutex<Presence<broadcast::Sender<Note>>>,
    stirred: Arc<Notify>,
    seeks: watch::Sender<Utf8Bytes>,
    games: watch::Sender<Utf8Bytes>,
    published: AsyncMutex<Published>,
}

/// What was published last.
#[derive(Default)]
struct Published {
    at: Option<Instant>,
    games: Vec<(GameId, u64)>,
}

impl Lobby {
    /// An empty lobby, opened at this moment.
    #[must_use]
    pub fn new(opened: Timestamp) -> Lobby {
        Lobby {
            opened,
            presence: Mutex::default(),
            stirred: Arc::default(),
            seeks: watch::channel(Utf8Bytes::default()).0,
            games: watch::channel(Utf8Bytes::default()).0,
            published: AsyncMutex::default(),
        }
    }

    /// How many are here.
    #[must_use]
    pub fn count(&self) -> usize {
        self.seeks.receiver_count()
    }

    /// Says that offers or games have changed: everybody here is told in a moment.
    pub(crate) fn stir(&self) {
        self.stirred.notify_one();
    }

    /// What everybody here is told, from now on: the seeks and the games to watch.
    pub(crate) fn listen(&self) -> (watch::Receiver<Utf8Bytes>, watch::Receiver<Utf8Bytes>) {
        (self.seeks.subscribe(), self.games.subscribe())
    }

    /// Tells somebody something, if he is here or was a moment ago.
    pub(crate) fn tell(&self, holder: Holder, note: Note) {
        if let Some(notes) = self.presence.locked().find(holder) {
            // That nobody listens just now is no trouble: who comes is told how everything stands.
            let _ = notes.send(note);
        }
    }

    /// Whether somebody is here now.
    pub(crate) fn is_here(&self, holder: Holder) -> bool {
        let presence = self.presence.locked();
        let notes = presence.find(holder);
        notes.is_some_and(|notes| notes.receiver_count() > 0)
    }

    /// Everybody who is here now.
    pub(crate) fn everybody(&self) -> Vec<Holder> {
        self.presence.locked().here().collect()
    }

    /// Whether an offer is one of a guest's who has left: nobody would play if it were taken.
    pub(crate) fn is_deserted(&self, offer: &Offer, now: Timestamp) -> bool {
        let since = self.opened.max(crate::pulse::stamp(offer.created));
        let presence = self.presence.locked();
        matches!(offer.by, Holder::Guest(_)) && presence.is_gone(offer.by, since, now)
    }
}

/// Somebody is in the lobby until this is dropped.
pub(crate) struct Visit {
    house: Arc<House>,
    holder: Holder,
}

impl House {
    /// Somebody comes to the lobby, and is told what is for him.
    pub(crate) fn visit(self: &Arc<House>, holder: Holder) -> (Visit, broadcast::Receiver<Note>) {
        let mut presence = self.lobby.presence.locked();
        let notes = presence.comes(holder, || broadcast::channel(BACKLOG).0);
        let notes = notes.subscribe();
        drop(presence);
        let house = Arc::clone(self);
        (Visit { house, holder }, notes)
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let now = self.house.now();
        self.house.lobby.presence.locked().goes(self.holder, now);
    }
}
