//! A table: one live game in memory, with its players and spectators. The game decides what happens; here it is
//! stored first and broadcast afterwards.
//!
//! Decisions of one game are made one after another, under one lock that is held while the store writes. Other games
//! are not affected, and the store batches the writes of all of them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{Mutex as AsyncMutex, MutexGuard, OnceCell, broadcast};
use touchmove_game::{Millis, Timestamp};
use touchmove_rules::Color;
use touchmove_store::{GameId, Holder, StoredGame};

use crate::Server;
use crate::cluster::ClusterMessage;
use crate::lock_ext::LockExt as _;

use crate::games::analysis_turns::Turns;
use crate::games::chat::ChatLog;
use crate::games::chat_limits::SideCommandLimits;
use crate::games::listeners::Listeners;
pub(crate) use crate::games::live_game::read as read_events;
use crate::games::owners::Owners;
use crate::games::round_trips::LowestTrips;

pub use crate::games::chat_limits::ChatSender;
pub use crate::games::command::{CommandReply, MessageTiming};
pub(crate) use crate::games::commit::DUE_GRACE_MILLIS;
pub use crate::games::commit::GameError;
pub(crate) use crate::games::listeners::{Listener, ListenerKind};
pub use crate::games::live_game::{CorruptGame, LiveGame, seat};
pub(crate) use crate::games::presence::NodePresence;
pub use crate::games::presence::{PresenceSummary, TablePresence};
pub(crate) use crate::games::stream_state::Standing;
pub(crate) use crate::games::update::message;
pub use crate::games::update::{Audience, TableUpdate, ViewerRole};

/// How many updates a slow reader may lag behind before it is sent the whole state instead.
pub(crate) const UPDATE_QUEUE_SIZE: usize = 32;

/// A table with its live game.
pub struct Table {
    pub(super) id: GameId,
    pub(super) game: AsyncMutex<LiveGame>,
    pub(super) news: broadcast::Sender<Arc<TableUpdate>>,
    pub(super) presence: Mutex<TablePresence>,
    pub(super) talk: OnceCell<Mutex<ChatLog>>,
    pub(super) asides: SideCommandLimits,
    pub(super) trips: LowestTrips,
    pub(super) listeners: Listeners,
    /// Set when the one-time initialisation is done.
    pub(super) is_set_up: OnceCell<()>,
    /// The number of the latest event, readable without locking the live game.
    pub(super) seq: AtomicU64,
    /// The number up to which memory was compared with the store.
    pub(super) verified: AtomicU64,
    /// Whether a task is about to read newer decisions.
    pub(super) is_refreshing: AtomicBool,
    /// Held while the plies are rendered on a worker thread.
    pub(super) is_writing: AsyncMutex<()>,
    /// The ticket of the waiting analysis.
    pub(super) turns: Turns,
    /// The owners of its queued work.
    pub(super) owners: Owners,
    /// Whether a task watches its clock.
    pub(super) is_timed: AtomicBool,
}

impl Table {
    /// Opens the table of a stored game.
    ///
    /// # Errors
    /// If the stored game is corrupt.
    pub fn open(stored: &StoredGame, now: Timestamp) -> Result<Table, CorruptGame> {
        Ok(Table::of(LiveGame::open(stored)?, now))
    }

    /// The table of a folded game.
    pub(crate) fn of(core: LiveGame, now: Timestamp) -> Table {
        Table {
            id: core.id(),
            seq: AtomicU64::new(core.game.seq()),
            verified: AtomicU64::new(core.game.seq()),
            is_refreshing: AtomicBool::new(false),
            game: AsyncMutex::new(core),
            news: broadcast::channel(UPDATE_QUEUE_SIZE).0,
            presence: Mutex::new(TablePresence::empty_since(now)),
            talk: OnceCell::new(),
            asides: SideCommandLimits::default(),
            trips: LowestTrips::unknown(),
            listeners: Listeners::default(),
            is_set_up: OnceCell::new(),
            is_writing: AsyncMutex::default(),
            turns: Turns::default(),
            owners: Owners::unknown(),
            is_timed: AtomicBool::new(false),
        }
    }

    /// One-time initialisation. Concurrent callers wait; if it fails, the next caller retries.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn ensure_ready(
        self: &Arc<Table>,
        server: &Arc<Server>,
    ) -> Result<(), GameError> {
        let done = self.is_set_up.get_or_try_init(|| self.set_up(server));
        done.await.copied()
    }

    async fn set_up(self: &Arc<Table>, server: &Arc<Server>) -> Result<(), GameError> {
        if let Some(bus) = &server.bus {
            // Reads what was published before the table could be found here.
            self.refresh(server).await?;
            bus.publish(&ClusterMessage::Who {
                game: self.id,
                through_store: false,
            });
        }
        // An outage of the server is recorded before anything else happens in the game.
        self.record_outages(server).await?;
        let core = self.lock().await;
        self.look_ahead(server, &core);
        Ok(())
    }

    /// The id of its game.
    #[must_use]
    pub const fn id(&self) -> GameId {
        self.id
    }

    /// Locks the live game; waits while a decision is being made.
    pub async fn lock(&self) -> MutexGuard<'_, LiveGame> {
        self.game.lock().await
    }

    /// The same for a thread that may block.
    pub(crate) fn blocking_core(&self) -> MutexGuard<'_, LiveGame> {
        self.game.blocking_lock()
    }

    /// How many plies it holds in memory, and whether its game is over. The caller has the only handle; where the
    /// live game is locked nevertheless, the length of its journal is used.
    pub(crate) fn extent(&self) -> (usize, bool) {
        match self.game.try_lock() {
            Ok(core) => (core.game.plies().len(), core.game.ending().is_some()),
            Err(_) => (usize::try_from(self.seq()).unwrap_or(usize::MAX), false),
        }
    }

    /// The number of the latest event.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq.load(Ordering::Acquire)
    }

    /// Subscribes to updates. A subscriber that holds the lock of the live game misses nothing.
    #[must_use]
    pub fn subscribe(&self) -> broadcast::Receiver<Arc<TableUpdate>> {
        self.news.subscribe()
    }

    /// Broadcasts an update.
    pub(crate) fn broadcast(&self, news: TableUpdate) {
        // It is no error if nobody listens.
        let _ = self.news.send(Arc::new(news));
    }

    /// The seat of a holder.
    pub async fn seat_of(&self, holder: Holder) -> Option<Color> {
        self.game.lock().await.seat_of(holder)
    }

    /// Records a measured round trip of a player.
    pub(crate) fn note_round_trip(&self, player: Color, trip: Duration) {
        self.trips.note(player, trip);
    }

    /// The lag of a player's moves: the lowest measured round trip.
    pub(crate) fn lag_of(&self, player: Color) -> Millis {
        self.trips.lowest(player)
    }

    /// Who is present.
    #[must_use]
    pub fn presence(&self) -> PresenceSummary {
        self.presence.locked().attendance()
    }

    /// Adds a connection, which counts until the returned guard is dropped.
    #[must_use]
    pub fn connect(
        self: &Arc<Table>,
        server: &Arc<Server>,
        place: ViewerRole,
    ) -> TablePresenceGuard {
        let now = server.now();
        let changed = self.presence.locked().connect(place);
        if changed {
            self.broadcast(TableUpdate::presence(self.presence(), now));
            server.publish_presence(self);
        }
        TablePresenceGuard {
            table: Arc::clone(self),
            server: Arc::clone(server),
            place,
        }
    }

    fn disconnect(&self, place: ViewerRole, server: &Server) {
        let now = server.now();
        let changed = self.presence.locked().disconnect(place, now);
        if changed {
            self.broadcast(TableUpdate::presence(self.presence(), now));
            server.publish_presence(self);
        }
    }

    /// Who is present through this node.
    pub(crate) fn local_presence(&self) -> NodePresence {
        self.presence.locked().there()
    }

    /// Records who is present through another node.
    pub(crate) fn record_remote_presence(&self, node: &str, there: NodePresence, now: Timestamp) {
        let changed = self.presence.locked().record_remote(node, there, now);
        if changed {
            self.broadcast(TableUpdate::presence(self.presence(), now));
        }
    }

    /// Drops the reports of nodes that have gone silent.
    pub(crate) fn expire_remote_presence(&self, now: Timestamp) {
        let changed = self.presence.locked().forget(now);
        if changed {
            self.broadcast(TableUpdate::presence(self.presence(), now));
        }
    }

    /// Whether anybody listens.
    pub(crate) fn has_subscribers(&self) -> bool {
        self.news.receiver_count() > 0
    }

    /// Applies what other nodes have stored.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn refresh(self: &Arc<Table>, server: &Arc<Server>) -> Result<(), GameError> {
        let mut core = self.lock().await;
        self.is_refreshing.store(false, Ordering::Release);
        self.read_newer(server, &mut core).await
    }

    /// Marks that a task is about to read newer decisions; returns whether none was.
    pub(crate) fn begin_refresh(&self) -> bool {
        !self.is_refreshing.swap(true, Ordering::AcqRel)
    }

    /// Marks that a task watches the clock; returns whether none did before.
    pub(crate) fn set_watched(&self) -> bool {
        !self.is_timed.swap(true, Ordering::AcqRel)
    }

    /// Marks that no task watches the clock.
    pub(crate) fn clear_watched(&self) {
        self.is_timed.store(false, Ordering::Release);
    }
}

/// A connection that counts as present at a table.
pub struct TablePresenceGuard {
    table: Arc<Table>,
    server: Arc<Server>,
    place: ViewerRole,
}

impl Drop for TablePresenceGuard {
    fn drop(&mut self) {
        self.table.disconnect(self.place, &self.server);
    }
}
