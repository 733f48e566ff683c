//! The lobby: seeks, challenges, who is online, and the games to watch.
//!
//! Offers are rows of the store; here is what is kept in memory: the cached list of seeks (`open_seeks`), who is
//! present, the lists that all clients share (`publisher`), and the notices for one account or guest. No game is
//! played here (see [`games`](crate::games)), and sockets and handlers are in `api`. This is domain code: it should
//! know neither axum nor [`crate::api`].

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
/// The most games to watch that are shown.
pub const MAX_WATCHABLE_GAMES: usize = 12;
/// How many notices a slow reader may lag behind before it is sent the whole state instead.
const NOTICE_QUEUE_SIZE: usize = 16;
/// How long other nodes have to report that a guest is still there.
const ANSWER_TIME: Millis = Millis::seconds(3);
/// How long a missing report counts.
const MAX_SUSPICION: Millis = Millis::seconds(30);
/// The most holders in one message about presence.
const MAX_HOLDERS_PER_MESSAGE: usize = 100;

/// A notice for one account or guest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LobbyNotice {
    /// Their offers, challenges or games have changed.
    Changed,
    /// A game of theirs begins.
    Game(#[serde(with = "plain")] GameId),
    /// A game of theirs is over.
    Over(#[serde(with = "plain")] GameId),
    /// Their challenge was declined.
    Declined {
        /// The challenge.
        #[serde(with = "plain")]
        challenge: OfferId,
        /// The reason.
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
    /// Whether notices of other nodes may have been lost.
    has_missed: AtomicBool,
    /// Offers of guests who seem to have left, about whom other nodes were asked.
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

    /// Offers made before this time may be of guests who had no lobby to connect to.
    pub(crate) const fn set_opened_at(&mut self, at: Timestamp) {
        self.opened = at;
    }

    /// How many are in the lobby through this node.
    #[must_use]
    pub fn count(&self) -> usize {
        self.seeks.receiver_count()
    }

    /// Announces that offers or games have changed: the lists are published again shortly.
    pub(crate) fn notify_changed(&self) {
        self.notify_changed_locally();
        self.publish(|| ClusterMessage::Stir);
    }

    /// The same on this node only.
    pub(crate) fn notify_changed_locally(&self) {
        self.open_seeks.list.invalidate();
        self.stirred.notify_one();
    }

    /// Publishes a message to other nodes, if there may be any.
    fn publish(&self, word: impl FnOnce() -> ClusterMessage) {
        if let Some(bus) = &self.bus {
            bus.publish(&word());
        }
    }

    /// Subscribes to the shared lists: the seeks, and the games to watch.
    pub(crate) fn listen(&self) -> (watch::Receiver<Utf8Bytes>, watch::Receiver<Utf8Bytes>) {
        (self.seeks.subscribe(), self.games.subscribe())
    }

    /// Sends a notice to an account or guest, on whichever node.
    pub(crate) fn send_notice(&self, holder: Holder, note: LobbyNotice) {
        self.send_notice_remote(holder, note.clone());
        self.send_notice_local(holder, note);
    }

    /// Sends a notice to an account or guest on other nodes.
    pub(crate) fn send_notice_remote(&self, holder: Holder, note: LobbyNotice) {
        self.publish(|| ClusterMessage::Note {
            to: HolderKey(holder),
            note,
        });
    }

    /// Sends a notice to an account or guest who is here or was a moment ago.
    pub(crate) fn send_notice_local(&self, holder: Holder, note: LobbyNotice) {
        if let Some(notes) = self.presence.locked().find(holder) {
            // It is no error if nobody listens: a new connection is sent the whole state.
            let _ = notes.send(note);
        }
    }

    /// Whether an account or guest is in the lobby now, through whichever node.
    pub(crate) fn is_here(&self, holder: Holder) -> bool {
        self.presence.locked().is_here(holder)
    }

    /// Everybody who is in the lobby now, through whichever node.
    pub(crate) fn present_holders(&self) -> Vec<Holder> {
        self.presence.locked().all()
    }

    /// Records that these are in the lobby through another node.
    pub(crate) fn record_remote(&self, holders: &[HolderKey], now: Timestamp) {
        let mut presence = self.presence.locked();
        for HolderKey(holder) in holders {
            presence.record_remote(*holder, now);
        }
    }

    /// Publishes who is in the lobby through this node.
    pub(crate) fn publish_presence(&self) {
        let Some(bus) = &self.bus else { return };
        let here: Vec<_> = self.presence.locked().local().map(HolderKey).collect();
        for holders in here.chunks(MAX_HOLDERS_PER_MESSAGE) {
            bus.publish(&ClusterMessage::Here {
                holders: holders.to_vec(),
            });
        }
    }

    /// Answers through the store which of these are here, because other nodes depend on it.
    pub(crate) fn say_which_are_here(&self, holders: &[HolderKey]) {
        let Some(bus) = &self.bus else { return };
        let here: HashSet<_> = self.presence.locked().local().collect();
        let asked = holders.iter().take(MAX_HOLDERS_PER_MESSAGE).copied();
        let holders: Vec<_> = asked.filter(|whom| here.contains(&whom.0)).collect();
        if !holders.is_empty() {
            bus.say_through_store(&ClusterMessage::Here { holders });
        }
    }

    /// Records that notices of other nodes may have been lost.
    pub(crate) fn has_missed_notes(&self) {
        self.has_missed.store(true, Ordering::Relaxed);
    }

    /// Tells all connections here to read the whole state, if notices may have been lost.
    pub(crate) fn make_up_for_notes(&self) {
        if self.has_missed.swap(false, Ordering::Relaxed) {
            for notes in self.presence.locked().belongings() {
                let _ = notes.send(LobbyNotice::Changed);
            }
        }
    }

    /// Whether an offer is to be withdrawn because the guest who made it has left. In a cluster the other nodes are
    /// asked through the store first: messages may have been lost.
    pub(crate) fn shall_be_taken_down(&self, offer: &Offer, now: Timestamp) -> bool {
        let is_deserted = self.is_owner_gone(offer, now);
        let Some(bus) = &self.bus else {
            return is_deserted;
        };
        let mut suspects = self.suspects.locked();
        // Nodes answer at once; an old question needs to be asked again.
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

    /// Whether the guest who made an offer has left: nobody would play if it were accepted.
    fn is_owner_gone(&self, offer: &Offer, now: Timestamp) -> bool {
        let since = self.opened.max(crate::clock::to_timestamp(offer.created));
        let presence = self.presence.locked();
        matches!(offer.by, Holder::Guest(_)) && presence.is_gone(offer.by, since, now)
    }
}

/// Keeps an account or guest in the lobby until it is dropped.
pub(crate) struct LobbyGuard {
    server: Arc<Server>,
    holder: Holder,
}

impl Server {
    /// Adds a connection to the lobby, which receives the notices for its holder.
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
        let server = Arc::clone(self);
        (LobbyGuard { server, holder }, notes)
    }
}

impl Drop for LobbyGuard {
    fn drop(&mut self) {
        let now = self.server.now();
        self.server
            .lobby
            .presence
            .locked()
            .disconnect(self.holder, now);
    }
}
