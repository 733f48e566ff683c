//! A table: one live game, folded in memory, with those who sit at it and those who watch. What happens is
//! decided by the game; here it is written down first, and told afterwards.
//!
//! Decisions of one game come one after another, under one lock that is held while the store writes. Other
//! games do not notice, and the store gathers the writes of all of them.

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
pub(crate) use crate::games::state_message::view;
pub(crate) use crate::games::stream_state::Standing;
pub(crate) use crate::games::update::message;
pub use crate::games::update::{Audience, TableUpdate, ViewerRole};

/// How many pieces of news a slow reader may be behind before he is sent the whole state instead.
pub(crate) const UPDATE_QUEUE_SIZE: usize = 32;

/// A live game.
pub struct Table {
    pub(super) id: GameId,
    pub(super) game: AsyncMutex<LiveGame>,
    pub(super) news: broadcast::Sender<Arc<TableUpdate>>,
    pub(super) presence: Mutex<TablePresence>,
    pub(super) talk: OnceCell<Mutex<ChatLog>>,
    pub(super) asides: SideCommandLimits,
    pub(super) trips: LowestTrips,
    pub(super) listeners: Listeners,
    /// Whether everything has been done that comes before anybody is given it.
    pub(super) is_set_up: OnceCell<()>,
    /// The number of the latest event, for whoever need not wait for the core.
    pub(super) seq: AtomicU64,
    /// The number up to which what is in memory was compared with the store.
    pub(super) verified: AtomicU64,
    /// Whether somebody is about to read what is newer.
    pub(super) is_refreshing: AtomicBool,
    /// Held by whoever has its plies written aside.
    pub(super) is_writing: AsyncMutex<()>,
    /// When somebody will take a longer look at it.
    pub(super) turns: Turns,
    /// On whose behalf.
    pub(super) owners: Owners,
    /// Whether somebody watches its clock.
    pub(super) is_timed: AtomicBool,
}

impl Table {
    /// The table of a game as it is kept.
    ///
    /// # Errors
    /// If what is kept is not a game.
    pub fn open(stored: &StoredGame, now: Timestamp) -> Result<Table, CorruptGame> {
        Ok(Table::of(LiveGame::open(stored)?, now))
    }

    /// The table of a game that is folded.
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

    /// Does what comes before anybody is given the table. Whoever finds it meanwhile waits for that, and who
    /// finds that it was in vain tries again.
    ///
    /// # Errors
    /// If the store cannot.
    pub(crate) async fn ensure_ready(
        self: &Arc<Table>,
        house: &Arc<Server>,
    ) -> Result<(), GameError> {
        let done = self.is_set_up.get_or_try_init(|| self.set_up(house));
        done.await.copied()
    }

    async fn set_up(self: &Arc<Table>, house: &Arc<Server>) -> Result<(), GameError> {
        if let Some(bus) = &house.bus {
            // Whatever was told before it could be found here is read.
            self.refresh(house).await?;
            bus.publish(&ClusterMessage::Who {
                game: self.id,
                through_store: false,
            });
        }
        // An outage of the house is part of the game before anything else happens in it.
        self.record_outages(house).await?;
        let core = self.lock().await;
        self.look_ahead(house, &core);
        Ok(())
    }

    /// The id of its game.
    #[must_use]
    pub const fn id(&self) -> GameId {
        self.id
    }

    /// The game and its seats, as soon as nothing is being decided.
    pub async fn lock(&self) -> MutexGuard<'_, LiveGame> {
        self.game.lock().await
    }

    /// The same for a thread that may wait.
    pub(crate) fn blocking_core(&self) -> MutexGuard<'_, LiveGame> {
        self.game.blocking_lock()
    }

    /// How many plies it holds in memory, and whether its game is over. Whoever asks has its only handle; where somebody
    /// has the core nevertheless, it is as long as its journal.
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

    /// What is told from now on. Whoever subscribes while he holds the core misses nothing.
    #[must_use]
    pub fn subscribe(&self) -> broadcast::Receiver<Arc<TableUpdate>> {
        self.news.subscribe()
    }

    /// Tells everybody who listens.
    pub(crate) fn broadcast(&self, news: TableUpdate) {
        // That nobody listens is no trouble.
        let _ = self.news.send(Arc::new(news));
    }

    /// The seat that somebody holds.
    pub async fn seat_of(&self, holder: Holder) -> Option<Color> {
        self.game.lock().await.seat_of(holder)
    }

    /// Notes a measured round trip of a player.
    pub(crate) fn note_round_trip(&self, player: Color, trip: Duration) {
        self.trips.note(player, trip);
    }

    /// How long a move of a player is on its way: the lowest round trip that was measured.
    pub(crate) fn lag_of(&self, player: Color) -> Millis {
        self.trips.lowest(player)
    }

    /// Who is there.
    #[must_use]
    pub fn presence(&self) -> PresenceSummary {
        self.presence.locked().attendance()
    }

    /// Somebody comes to the table; he goes when what is given back is dropped.
    #[must_use]
    pub fn connect(
        self: &Arc<Table>,
        house: &Arc<Server>,
        place: ViewerRole,
    ) -> TablePresenceGuard {
        let now = house.now();
        let changed = self.presence.locked().connect(place);
        if changed {
            self.broadcast(TableUpdate::presence(self.presence(), now));
            house.publish_presence(self);
        }
        TablePresenceGuard {
            table: Arc::clone(self),
            house: Arc::clone(house),
            place,
        }
    }

    fn disconnect(&self, place: ViewerRole, house: &Server) {
        let now = house.now();
        let changed = self.presence.locked().disconnect(place, now);
        if changed {
            self.broadcast(TableUpdate::presence(self.presence(), now));
            house.publish_presence(self);
        }
    }

    /// Who is there by way of this node.
    pub(crate) fn local_presence(&self) -> NodePresence {
        self.presence.locked().there()
    }

    /// Another node says who is there by way of it.
    pub(crate) fn record_remote_presence(&self, node: &str, there: NodePresence, now: Timestamp) {
        let changed = self.presence.locked().record_remote(node, there, now);
        if changed {
            self.broadcast(TableUpdate::presence(self.presence(), now));
        }
    }

    /// Forgets what nodes have said that say nothing any more.
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

    /// Makes up for what other nodes have written.
    ///
    /// # Errors
    /// If the store cannot say.
    pub(crate) async fn refresh(self: &Arc<Table>, house: &Arc<Server>) -> Result<(), GameError> {
        let mut core = self.lock().await;
        self.is_refreshing.store(false, Ordering::Release);
        self.read_newer(house, &mut core).await
    }

    /// Marks that somebody is about to read what is newer; whether nobody was.
    pub(crate) fn begin_refresh(&self) -> bool {
        !self.is_refreshing.swap(true, Ordering::AcqRel)
    }

    /// Marks that somebody watches the clock; whether nobody did before.
    pub(crate) fn set_watched(&self) -> bool {
        !self.is_timed.swap(true, Ordering::AcqRel)
    }

    /// Nobody watches the clock any more.
    pub(crate) fn clear_watched(&self) {
        self.is_timed.store(false, Ordering::Release);
    }
}

/// Somebody who is at a table.
pub struct TablePresenceGuard {
    table: Arc<Table>,
    house: Arc<Server>,
    place: ViewerRole,
}

impl Drop for TablePresenceGuard {
    fn drop(&mut self) {
        self.table.disconnect(self.place, &self.house);
    }
}
