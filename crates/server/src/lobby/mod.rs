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

use crate::Server;
use crate::cluster::{ClusterBus, ClusterMessage, HolderKey, plain};
use crate::lock_ext::LockExt as _;
use open_seeks::OpenSeeks;

pub(crate) use json::{ChallengeJson, GameRowJson, PersonJson, SeekJson};
pub use offer_terms::OfferTerms;
pub(crate) use open_seeks::{SeekList, few};
pub use presence::LobbyPresence;
pub(crate) use publisher::{newest as newest_seeks, run};

/// The most seeks that are shown: the newest.
pub const MAX_SHOWN_SEEKS: usize = 100;
/// The games to watch.
pub const MAX_WATCHABLE_GAMES: usize = 12;
/// How many notes somebody may be behind before he is told how everything stands instead.
const NOTICE_QUEUE_SIZE: usize = 16;
/// How long other nodes have to say that somebody is there after all.
const ANSWER_TIME: Millis = Millis::seconds(3);
/// How long their silence counts.
const MAX_SUSPICION: Millis = Millis::seconds(30);
/// How many people are said at once to be here.
const MAX_HOLDERS_PER_MESSAGE: usize = 100;

/// What somebody is told for himself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LobbyNotice {
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
    bus: Option<Arc<ClusterBus>>,
    presence: Mutex<LobbyPresence<broadcast::Sender<LobbyNotice>>>,
    stirred: Arc<Notify>,
    seeks: watch::Sender<Utf8Bytes>,
    games: watch::Sender<Utf8Bytes>,
    open_seeks: OpenSeeks,
    published: AsyncMutex<PublishedState>,
    /// Whether notes of other nodes may have been missed.
    has_missed: AtomicBool,
    /// Offers of guests who seem to have left, of whom other nodes were asked.
    suspects: Mutex<HashMap<OfferId, Timestamp>>,
}

/// What was published last.
#[derive(Default)]
struct PublishedState {
    at: Option<Instant>,
    games: Vec<(GameId, u64)>,
}

impl Lobby {
    /// An empty lobby.
    #[must_use]
    pub(crate) fn new(bus: Option<Arc<ClusterBus>>) -> Lobby {
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
    pub(crate) const fn set_opened_at(&mut self, at: Timestamp) {
        self.opened = at;
    }

    /// How many are here.
    #[must_use]
    pub fn count(&self) -> usize {
        self.seeks.receiver_count()
    }

    /// Says that offers or games have changed: everybody is told in a moment.
    pub(crate) fn notify_changed(&self) {
        self.notify_changed_locally();
        self.publish(|| ClusterMessage::Stir);
    }

    /// The same for this node.
    pub(crate) fn notify_changed_locally(&self) {
        self.open_seeks.list.invalidate();
        self.stirred.notify_one();
    }

    /// Says something to other nodes, if there may be any.
    fn publish(&self, word: impl FnOnce() -> ClusterMessage) {
        if let Some(bus) = &self.bus {
            bus.publish(&word());
        }
    }

    /// What everybody here is told, from now on: the seeks and the games to watch.
    pub(crate) fn listen(&self) -> (watch::Receiver<Utf8Bytes>, watch::Receiver<Utf8Bytes>) {
        (self.seeks.subscribe(), self.games.subscribe())
    }

    /// Tells somebody something, wherever he is.
    pub(crate) fn send_notice(&self, holder: Holder, note: LobbyNotice) {
        self.send_notice_remote(holder, note.clone());
        self.send_notice_local(holder, note);
    }

    /// Tells somebody something, if he is at another node.
    pub(crate) fn send_notice_remote(&self, holder: Holder, note: LobbyNotice) {
        self.publish(|| ClusterMessage::Note {
            to: HolderKey(holder),
            note,
        });
    }

    /// Tells somebody something, if he is here or was a moment ago.
    pub(crate) fn send_notice_local(&self, holder: Holder, note: LobbyNotice) {
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
    pub(crate) fn present_holders(&self) -> Vec<Holder> {
        self.presence.locked().all()
    }

    /// Others say that these are in their lobby.
    pub(crate) fn record_remote(&self, holders: &[HolderKey], now: Timestamp) {
        let mut presence = self.presence.locked();
        for HolderKey(holder) in holders {
            presence.record_remote(*holder, now);
        }
    }

    /// Says to other nodes who is here.
    pub(crate) fn publish_presence(&self) {
        let Some(bus) = &self.bus else { return };
        let here: Vec<_> = self.presence.locked().local().map(HolderKey).collect();
        for holders in here.chunks(MAX_HOLDERS_PER_MESSAGE) {
            bus.publish(&ClusterMessage::Here {
                holders: holders.to_vec(),
            });
        }
    }

    /// Answers other nodes through the store which of these are here, as something depends on it.
    pub(crate) fn say_which_are_here(&self, holders: &[HolderKey]) {
        let Some(bus) = &self.bus else { return };
        let here: HashSet<_> = self.presence.locked().local().collect();
        let asked = holders.iter().take(MAX_HOLDERS_PER_MESSAGE).copied();
        let holders: Vec<_> = asked.filter(|whom| here.contains(&whom.0)).collect();
        if !holders.is_empty() {
            bus.say_through_store(&ClusterMessage::Here { holders });
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
                let _ = notes.send(LobbyNotice::Changed);
            }
        }
    }

    /// Whether an offer is to be taken down because the guest who made it has left. Where there are other nodes, they are
    /// asked first through the store: hints may have been lost.
    pub(crate) fn shall_be_taken_down(&self, offer: &Offer, now: Timestamp) -> bool {
        let is_deserted = self.is_owner_gone(offer, now);
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
            bus.say_through_store(&ClusterMessage::AreHere {
                holders: vec![HolderKey(offer.by)],
            });
            now
        });
        now.since(asked) >= ANSWER_TIME
    }

    /// Whether an offer is one of a guest's who has left: nobody would play if it were taken.
    fn is_owner_gone(&self, offer: &Offer, now: Timestamp) -> bool {
        let since = self.opened.max(crate::clock::to_timestamp(offer.created));
        let presence = self.presence.locked();
        matches!(offer.by, Holder::Guest(_)) && presence.is_gone(offer.by, since, now)
    }
}

/// Somebody is in the lobby until this is dropped.
pub(crate) struct LobbyGuard {
    house: Arc<Server>,
    holder: Holder,
}

impl Server {
    /// Somebody comes to the lobby, and is told what is for him.
    pub(crate) fn enter_lobby(
        self: &Arc<Server>,
        holder: Holder,
    ) -> (LobbyGuard, broadcast::Receiver<LobbyNotice>) {
        let mut presence = self.lobby.presence.locked();
        let notes = presence.connect(holder, || broadcast::channel(NOTICE_QUEUE_SIZE).0);
        let notes = notes.subscribe();
        drop(presence);
        self.lobby.publish(|| ClusterMessage::Here {
            holders: vec![HolderKey(holder)],
        });
        let house = Arc::clone(self);
        (LobbyGuard { house, holder }, notes)
    }
}

impl Drop for LobbyGuard {
    fn drop(&mut self) {
        let now = self.house.now();
        self.house
            .lobby
            .presence
            .locked()
            .disconnect(self.holder, now);
    }
}
