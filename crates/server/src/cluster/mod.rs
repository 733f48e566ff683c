//! The cluster: how the nodes that share one store hear of each other, by NATS where there is one, and by database
//! notifications where there is none or it is down. Messages are signed hints: forged or replayed ones are dropped,
//! lost ones are detected and their content is read from the store.
//!
//! `message` defines what nodes publish, `envelope` signs it, `delivery` detects losses, `nats` is the transport, and
//! `apply` publishes and applies. No decision is made here, and nothing is true because a message says so: the store
//! is right. This is domain code: it should know neither axum nor [`crate::api`].

pub(crate) mod apply;
mod delivery;
mod envelope;
mod message;
mod nats;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use touchmove_store::{
    Error, GameId, NotificationListener, Postgres, ServerKey, Store, StoreNotification,
};

use crate::clock::ServerClock;
use crate::lock_ext::LockExt as _;
use crate::random;
use delivery::{Delivery, Path};
use envelope::Signer;
use nats::{NatsClient, NatsEvent};

pub(crate) use message::{ClusterMessage, HashKey, HolderKey, plain};
pub use nats::{NatsAddress, ParseNatsAddressError};

/// For how long messages go through the database too, after a node has said that it hears only the database.
const NOTIFY_FALLBACK_TTL: Duration = Duration::from_secs(5);

/// A store, and how the nodes that share it hear of each other.
pub struct Backend {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) nodes: Option<(Arc<Postgres>, Option<NatsAddress>)>,
}

impl Backend {
    /// A store that other nodes use too. They hear of each other by NATS, if it is given, and through the database.
    #[must_use]
    pub fn shared(store: Postgres, nats: Option<NatsAddress>) -> Backend {
        let store = Arc::new(store);
        Backend {
            store: Arc::clone(&store) as Arc<dyn Store>,
            nodes: Some((store, nats)),
        }
    }
}

impl From<Arc<dyn Store>> for Backend {
    fn from(store: Arc<dyn Store>) -> Backend {
        Backend { store, nodes: None }
    }
}

impl<S: Store> From<Arc<S>> for Backend {
    fn from(store: Arc<S>) -> Backend {
        Backend { store, nodes: None }
    }
}

/// The name of the signing key in the store.
const KEY_PURPOSE: &str = "cluster messages";

/// The signing key, which the first node creates in the store.
pub(crate) async fn load_key(store: &dyn Store) -> Result<[u8; 32], Error> {
    let new = ServerKey {
        bytes: random::random_bytes(),
        created: store.now().await?,
    };
    let key = store.server_key(KEY_PURPOSE, new).await?;
    Ok(key.bytes)
}

/// The sending half of the cluster connection.
pub(crate) struct ClusterBus {
    signer: Signer,
    delivery: Delivery,
    /// The store's time.
    clock: Arc<ServerClock>,
    store: Arc<Postgres>,
    nats: Option<NatsClient>,
    /// When a node was last heard of that hears only the database.
    deaf: Mutex<Option<Instant>>,
}

/// The receiving half of the cluster connection.
pub(crate) struct ClusterSubscriber {
    bus: Arc<ClusterBus>,
    store: NotificationListener,
    nats: Option<mpsc::Receiver<NatsEvent>>,
    /// An event that is delivered before anything else is received.
    next: Option<ClusterEvent>,
}

/// What a node receives.
#[derive(Debug)]
pub(crate) enum ClusterEvent {
    /// A message of another node.
    Word { node: String, word: ClusterMessage },
    /// Another node has written to a game.
    Written { game: GameId, last: u64 },
    /// Messages may have been lost.
    Gap,
}

impl ClusterBus {
    /// Connects to the other nodes, with the signing key from the store.
    pub(crate) fn connect(
        store: Arc<Postgres>,
        nats: Option<NatsAddress>,
        key: &[u8; 32],
        clock: Arc<ServerClock>,
    ) -> (Arc<ClusterBus>, ClusterSubscriber) {
        let root = format!("touchmove.{}", store.name());
        let (nats, heard) = nats
            .map(|address| NatsClient::connect(address, &root))
            .unzip();
        let listener = store.listen();
        let bus = Arc::new(ClusterBus {
            signer: Signer::new(key, &root, random::random_base62(12)),
            delivery: Delivery::default(),
            clock,
            store,
            nats,
            deaf: Mutex::default(),
        });
        let ears = ClusterSubscriber {
            bus: Arc::clone(&bus),
            store: listener,
            nats: heard,
            next: None,
        };
        (bus, ears)
    }

    /// Accepts messages from now on: the clock is synchronised.
    pub(crate) fn accept_messages(&self) {
        self.signer.accept_since(self.clock.now());
    }

    /// Whether NATS is connected; `None` where NATS is not used.
    pub(crate) fn nats_is_connected(&self) -> Option<bool> {
        self.nats.as_ref().map(NatsClient::is_up)
    }

    /// Whether NATS delivers what others send.
    fn hears_nats(&self) -> bool {
        self.nats.as_ref().is_some_and(NatsClient::is_up)
            && !self.delivery.is_cut_off(Instant::now())
    }

    /// Whether NATS is used, and all nodes receive it.
    pub(crate) fn has_nats(&self) -> bool {
        let deaf = *self.deaf.locked();
        deaf.is_none_or(|since| since.elapsed() > NOTIFY_FALLBACK_TTL) && self.hears_nats()
    }

    /// Chooses the paths: nothing is sent twice without need, and other nodes learn that this one hears only the
    /// database.
    pub(crate) fn refresh_transport(&self) {
        self.store.set_notify(self.has_nats());
        if !self.hears_nats() {
            self.publish(&ClusterMessage::Alive);
        }
    }

    /// Publishes that this node is alive, so that others notice if NATS does not deliver its messages.
    pub(crate) fn send_heartbeat(&self) {
        if self.nats.is_some() {
            self.say_through_store(&ClusterMessage::Heartbeat);
        }
    }

    /// Whether questions to other nodes and their answers can go through the database.
    pub(crate) fn can_ask(&self) -> bool {
        self.store.is_listening()
    }

    /// Publishes a message to all other nodes.
    pub(crate) fn publish(&self, word: &ClusterMessage) {
        self.say_by(word, !self.has_nats());
    }

    /// Publishes a message through the database too, where losses are noticed.
    pub(crate) fn say_through_store(&self, word: &ClusterMessage) {
        self.say_by(word, true);
    }

    fn say_by(&self, word: &ClusterMessage, by_store: bool) {
        let decided = match word {
            ClusterMessage::Decided { game, .. } => Some(game),
            _ => None,
        };
        // The store itself notifies of decisions.
        let by_store = by_store && decided.is_none();
        let nats = self.nats.as_ref().filter(|nats| nats.is_up());
        if !by_store && nats.is_none() {
            return;
        }
        let Ok(body) = serde_json::to_string(word) else {
            return;
        };
        self.signer.seal(self.clock.now(), &body, |text| {
            if by_store {
                self.store.notify_nodes(text.clone());
            }
            if let Some(nats) = nats {
                match decided {
                    Some(game) => nats.publish(&format!("game.{game}"), text),
                    None => nats.publish("house", text),
                }
            }
        });
    }

    /// Opens a message; returns its content if it is to be applied, and whether one before it is missing.
    fn understand(&self, text: &str, path: Path) -> (Option<ClusterEvent>, bool) {
        let Some(opened) = self.signer.open(text, self.clock.now()) else {
            return (None, false);
        };
        let (node, counter) = (opened.node, opened.counter);
        let has_missed = self.delivery.note(node, counter, path, Instant::now());
        let is_new = opened.is_new.then_some(opened.body);
        let word = is_new.and_then(|body| serde_json::from_str(body).ok());
        if word == Some(ClusterMessage::Alive) {
            self.extend_notify_fallback();
        }
        let node = node.to_owned();
        (
            word.map(|word| ClusterEvent::Word { node, word }),
            has_missed,
        )
    }

    /// A node says that it hears only the database.
    fn extend_notify_fallback(&self) {
        *self.deaf.locked() = Some(Instant::now());
        self.store.set_notify(self.has_nats());
    }
}

impl ClusterSubscriber {
    /// Waits for the next event; `None` when the store is closed.
    pub(crate) async fn next(&mut self) -> Option<ClusterEvent> {
        if let Some(told) = self.next.take() {
            return Some(told);
        }
        loop {
            let told = tokio::select! {
                news = self.store.next() => match news? {
                    StoreNotification::Written { game, last } => Some(ClusterEvent::Written { game, last }),
                    StoreNotification::Gap => Some(ClusterEvent::Gap),
                    StoreNotification::Said(text) => {
                        self.bus.understand(&text, Path::Database).0
                    }
                },
                heard = next_nats_event(&mut self.nats) => match heard {
                    NatsEvent::Message(text) => match self.bus.understand(&text, Path::Nats) {
                        (None, true) => Some(ClusterEvent::Gap),
                        (told, has_missed) => {
                            self.next = has_missed.then_some(ClusterEvent::Gap);
                            told
                        }
                    },
                    NatsEvent::Gap => Some(ClusterEvent::Gap),
                },
            };
            if told.is_some() {
                return told;
            }
        }
    }
}

/// The next event from NATS; never, if it is not used.
async fn next_nats_event(nats: &mut Option<mpsc::Receiver<NatsEvent>>) -> NatsEvent {
    if let Some(nats) = nats
        && let Some(heard) = nats.recv().await
    {
        return heard;
    }
    std::future::pending().await
}
