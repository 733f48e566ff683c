//! The lobby: who looks for somebody to play with, who challenges whom, and what there is to watch. Offers
//! are kept in the store; here it is known who waits for news of them.

mod json;
mod offer_terms;
mod open_seeks;
mod presence;
mod publisher;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex as AsyncMutex, Notify, broadcast, watch};
use touchmove_game::{Millis, Timestamp};
use touchmove_store::{GameId, Holder, Offer, OfferId};

use crate::House;
use crate::cluster::{Bus, Whom, Word, plain};
use crate::lock_ext::Locked as _;
use open_seeks::OpenSeeks;

pub(crate) use json::{ChallengeShown, Named, Row, SeekShown};
pub use offer_terms::Deal;
pub(crate) use open_seeks::{SeekList, few};
pub use presence::Presence;
pub(crate) use publisher::{keep, newest as newest_seeks};

/// The most seeks that are shown: the newest.
pub const SEEKS: usize = 100;
/// The games to watch.
pub const GAMES: usize = 12;
/// How many notes somebody may be behind before he is told how everything stands instead.
const BACKLOG: usize = 16;
/// How long other nodes have to say that somebody is there after all.
const ANSWER_TIME: Millis = Millis::seconds(3);
/// How long their silence counts.
const MAX_SUSPICION: Millis = Millis::seconds(30);
/// How many people are said at once to be here.
const SAID: usize = 100;

/// What somebody is told for himself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// Something about his offers, his challenges or his games is new.
    Changed,
    /// A game of his begins.
    Game(#[serde(with = "plain")] GameId),
    /// A game of his is over.
    Over(#[serde(with = "plain")] GameId),
    /// Somebody has declined his challenge.
    Declined {
        /// Which.
        #[serde(with = "plain")]
        challenge: OfferId,
        /// Why.
        reason: String,
    },
}

/// The lobby.
pub struct Lobby {
    opened: Timestamp,
    bus: Option<Arc<Bus>>,
    presence: Mutex<Presence<broadcast::Sender<Note>>>,
    stirred: Arc<Notify>,
    seeks: watch::Sender<Utf8Bytes>,
    games: watch::Sender<Utf8Bytes>,
    open_seeks: OpenSeeks,
    published: AsyncMutex<Published>,
    /// Whether notes of other nodes may have been missed.
    has_missed: AtomicBool,
    /// Offers of guests who seem to have left, of whom other nodes were asked.
    suspects: Mutex<HashMap<OfferId, Timestamp>>,
}

/// What was published last.
#[derive(Default)]
struct Published {
    at: Option<Instant>,
    games: Vec<(GameId, u64)>,
}

impl Lobby {
    /// An empty lobby.
    #[must_use]
    pub(crate) fn new(bus: Option<Arc<Bus>>) -> Lobby {
        Lobby {
            opened: Timestamp(0),
            bus,
            presence: Mutex::default(),
            stirred: Arc::default(),
            seeks: watch::channel(Utf8Bytes::default()).0,
            games: watch::channel(Utf8Bytes::default()).0,
            open_seeks: OpenSeeks::default(),
            published: AsyncMutex::default(),
            has_missed: AtomicBool::new(false),
            suspects: Mutex::default(),
        }
    }

    /// Whoever made an offer before this moment may have had no lobby to be in.
    pub(crate) const fn opens(&mut self, at: Timestamp) {
        self.opened = at;
    }

    /// How many are here.
    #[must_use]
    pub fn count(&self) -> usize {
        self.seeks.receiver_count()
    }

    /// Says that offers or games have changed: everybody is told in a moment.
    pub(crate) fn stir(&self) {
        self.stir_here();
        self.say(|| Word::Stir);
    }

    /// The same for this node.
    pub(crate) fn stir_here(&self) {
        self.open_seeks.list.invalidate();
        self.stirred.notify_one();
    }

    /// Says something to other nodes, if there may be any.
    fn say(&self, word: impl FnOnce() -> Word) {
        if let Some(bus) = &self.bus {
            bus.say(&word());
        }
    }

    /// What everybody here is told, from now on: the seeks and the games to watch.
    pub(crate) fn listen(&self) -> (watch::Receiver<Utf8Bytes>, watch::Receiver<Utf8Bytes>) {
        (self.seeks.subscribe(), self.games.subscribe())
    }

    /// Tells somebody something, wherever he is.
    pub(crate) fn tell(&self, holder: Holder, note: Note) {
        self.tell_elsewhere(holder, note.clone());
        self.tell_here(holder, note);
    }

    /// Tells somebody something, if he is at another node.
    pub(crate) fn tell_elsewhere(&self, holder: Holder, note: Note) {
        self.say(|| Word::Note {
            to: Whom(holder),
            note,
        });
    }

    /// Tells somebody something, if he is here or was a moment ago.
    pub(crate) fn tell_here(&self, holder: Holder, note: Note) {
        if let Some(notes) = self.presence.locked().find(holder) {
            // That nobody listens just now is no trouble: who comes is told how everything stands.
            let _ = notes.send(note);
        }
    }

    /// Whether somebody is in the lobby now, by way of whichever node.
    pub(crate) fn is_here(&self, holder: Holder) -> bool {
        self.presence.locked().is_here(holder)
    }

    /// Everybody who is in the lobby now, by way of whichever node.
    pub(crate) fn everybody(&self) -> Vec<Holder> {
        self.presence.locked().everybody()
    }

    /// Others say that these are in their lobby.
    pub(crate) fn are_elsewhere(&self, holders: &[Whom], now: Timestamp) {
        let mut presence = self.presence.locked();
        for Whom(holder) in holders {
            presence.is_elsewhere(*holder, now);
        }
    }

    /// Says to other nodes who is here.
    pub(crate) fn say_who_is_here(&self) {
        let Some(bus) = &self.bus else { return };
        let here: Vec<_> = self.presence.locked().here().map(Whom).collect();
        for holders in here.chunks(SAID) {
            bus.say(&Word::Here {
                holders: holders.to_vec(),
            });
        }
    }

    /// Answers other nodes through the store which of these are here, as something depends on it.
    pub(crate) fn say_which_are_here(&self, holders: &[Whom]) {
        let Some(bus) = &self.bus else { return };
        let here: HashSet<_> = self.presence.locked().here().collect();
        let asked = holders.iter().take(SAID).copied();
        let holders: Vec<_> = asked.filter(|whom| here.contains(&whom.0)).collect();
        if !holders.is_empty() {
            bus.say_through_store(&Word::Here { holders });
        }
    }

    /// Notes of other nodes may have been missed.
    pub(crate) fn has_missed_notes(&self) {
        self.has_missed.store(true, Ordering::Relaxed);
    }

    /// Tells everybody here how everything stands, if notes may have been missed.
    pub(crate) fn make_up_for_notes(&self) {
        if self.has_missed.swap(false, Ordering::Relaxed) {
            for notes in self.presence.locked().belongings() {
                let _ = notes.send(Note::Changed);
            }
        }
    }

    /// Whether an offer is to be taken down because the guest who made it has left. Where there are other nodes, they are
    /// asked first through the store: hints may have been lost.
    pub(crate) fn shall_be_taken_down(&self, offer: &Offer, now: Timestamp) -> bool {
        let is_deserted = self.is_deserted(offer, now);
        let Some(bus) = &self.bus else {
            return is_deserted;
        };
        let mut suspects = self.suspects.locked();
        // Nodes answer at once; what was asked long ago may have been answered long ago.
        suspects.retain(|_, asked| now.since(*asked) < MAX_SUSPICION);
        if !is_deserted || !bus.can_ask() {
            suspects.remove(&offer.id);
            return false;
        }
        let asked = *suspects.entry(offer.id).or_insert_with(|| {
            bus.say_through_store(&Word::AreHere {
                holders: vec![Whom(offer.by)],
            });
            now
        });
        now.since(asked) >= ANSWER_TIME
    }

    /// Whether an offer is one of a guest's who has left: nobody would play if it were taken.
    fn is_deserted(&self, offer: &Offer, now: Timestamp) -> bool {
        let since = self.opened.max(crate::clock::stamp(offer.created));
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
        self.lobby.say(|| Word::Here {
            holders: vec![Whom(holder)],
        });
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
