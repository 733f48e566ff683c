//! The server's shared state: the store, the clock, the tables, the rate limits and everything else that handlers and
//! background tasks use.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{Mutex as AsyncMutex, Notify, watch};
use tokio::task::JoinHandle;
use touchmove_accounts::Accounts;
use touchmove_game::Timestamp;
use touchmove_store::{Error, GameId, GamePhase, GameQuery, GameRow, Heartbeat, Moment, Store};

use crate::arbiter_pool::ArbiterPool;
use crate::auth::guests::GuestNames;
use crate::auth::identity::IdentityCache;
use crate::auth::revocations;
use crate::auth::revocations::RevocationPoll;
use crate::clock::ServerClock;
use crate::cluster;
use crate::cluster::apply;
use crate::cluster::{Backend, ClusterBus};
use crate::config::ServerConfig;
use crate::games::analysis_queue::AnalysisQueue;
use crate::games::bot_accounts;
use crate::games::computer::ComputerPlayer;
use crate::games::deadlines;
use crate::games::loader::GameLoader;
use crate::games::registry::TableRegistry;
use crate::games::reviews::Reviews;
use crate::games::table::GameError;
use crate::lichess::{EventStreams, GameKinds, KnownHumans, NewestGames};
use crate::live_connections::LiveConnections;
use crate::lobby::{self, Lobby};
use crate::maintenance;
use crate::metrics::Metrics;
use crate::security::RateLimits;
use crate::server_key::Keys;
use crate::spawn::{catch_panic, keep_running, spawn_boxed};
use crate::web::Pictures;

/// How often a heartbeat is written to the store.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// How often idle tables are evicted from memory.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(30);
/// Games per page when running games are listed at startup.
const STARTUP_PAGE_SIZE: usize = 200;
/// The most plies of games that are loaded at once at startup.
const PAGE_PLIES: usize = 20_000;
/// How many times a node asks the store for the time before it starts to listen.
const STARTUP_CLOCK_SAMPLES: usize = 5;
/// How long to wait before the next heartbeat after one has failed.
const HEARTBEAT_RETRY_DELAY: Duration = Duration::from_millis(500);

/// The server: everything that handlers and background tasks share.
pub struct Server {
    /// The store of games, accounts and offers.
    pub store: Arc<dyn Store>,
    /// The server clock.
    pub pulse: Arc<ServerClock>,
    /// The tables in memory.
    pub tables: TableRegistry,
    /// Loads games into memory.
    pub(crate) loader: GameLoader,
    /// The queue of analysis questions (dead positions, fallen flags).
    pub looks: AnalysisQueue,
    /// The computer player.
    pub(crate) computer: ComputerPlayer,
    /// Reviews of finished games.
    pub(crate) reviews: Reviews,
    /// The rate limits.
    pub guard: RateLimits,
    /// The metrics.
    pub meters: Metrics,
    /// The accounts.
    pub people: Accounts,
    /// The cache of identities that were looked up recently.
    pub known: IdentityCache,
    /// The key for guest tags and rematch ids.
    pub(crate) keys: Keys,
    /// The names of guests without a seat.
    pub(crate) guest_names: GuestNames,
    /// Open sockets and streams, by the session, token or guest secret that opened them.
    pub(crate) live_connections: Arc<LiveConnections>,
    /// Wakes the task that polls the store for revocations.
    pub(crate) revocation_poll: Arc<RevocationPoll>,
    /// The lobby: seeks, challenges and who is online.
    pub lobby: Lobby,
    /// The pool that answers the arbiter endpoints.
    pub desk: ArbiterPool,
    /// The cache of board diagrams.
    pub(crate) pictures: Pictures,
    /// The configuration.
    pub settings: ServerConfig,
    /// The event streams of Lichess's API, one for each token.
    pub(crate) streams: EventStreams,
    /// The cached kinds of recently requested games.
    pub(crate) kinds: GameKinds,
    /// The games that the TV endpoints show.
    pub(crate) newest_games: NewestGames,
    /// Accounts that are known not to be bots.
    pub(crate) humans: KnownHumans,
    /// The cluster bus, if other nodes may share the store.
    pub(crate) bus: Option<Arc<ClusterBus>>,
    /// Notified when cluster messages may have been missed.
    pub(crate) gap: Arc<Notify>,
    /// When the latest heartbeat of a node failed, and why. The lock lets one task ask the store at a time.
    breath: AsyncMutex<Option<(Instant, Error)>>,
    shutdown_signal: watch::Sender<bool>,
    address: OnceLock<SocketAddr>,
}

impl Server {
    /// Opens the server on a store. Running games go on when the [listener](crate::HttpListener) accepts connections;
    /// the time until then counts as an outage and is charged to no clock. Where other nodes use the same store, this
    /// becomes one more node of the cluster.
    /// # Errors
    /// If the store cannot be read or written.
    pub async fn open(
        ground: Backend,
        settings: ServerConfig,
    ) -> Result<Arc<Server>, ServerOpenError> {
        let Backend { store, nodes } = ground;
        let pulse = match nodes {
            None => {
                // A heartbeat dated 0 returns the previous heartbeat without overwriting it.
                let before = store.heartbeat_at(Moment(0)).await?.before;
                let asked = tokio::time::Instant::now();
                let at = store.now().await?;
                ServerClock::from_heartbeat(Heartbeat { at, before }, asked)
            }
            Some(_) => ServerClock::shared(),
        };
        let pulse = Arc::new(pulse);
        let (bus, ears) = match nodes {
            None => (None, None),
            Some((store, nats)) => {
                let key = cluster::load_key(&*store).await?;
                let (bus, ears) = ClusterBus::connect(store, nats, &key, Arc::clone(&pulse));
                (Some(bus), Some(ears))
            }
        };
        // Read before any identity is cached, so that every later revocation is noticed.
        let newest_revocation = store.newest_revocation().await?;
        let mut server = Server {
            people: Accounts::new(Arc::clone(&store)),
            known: IdentityCache::default(),
            keys: Keys::load(&*store).await?,
            guest_names: GuestNames::default(),
            live_connections: Arc::default(),
            revocation_poll: Arc::new(RevocationPoll::after(newest_revocation)),
            lobby: Lobby::new(bus.clone()),
            desk: ArbiterPool::new(&settings.limits),
            pictures: Pictures::new(&settings.limits),
            store,
            pulse,
            tables: TableRegistry::default(),
            loader: GameLoader::new(&settings.limits),
            looks: AnalysisQueue::new(&settings.limits),
            computer: ComputerPlayer::new(&settings.limits),
            reviews: Reviews::new(&settings.limits),
            guard: RateLimits::new(&settings),
            meters: Metrics::default(),
            settings,
            streams: EventStreams::default(),
            kinds: GameKinds::default(),
            newest_games: NewestGames::default(),
            humans: KnownHumans::default(),
            bus,
            gap: Arc::default(),
            breath: AsyncMutex::default(),
            shutdown_signal: watch::channel(false).0,
            address: OnceLock::new(),
        };
        if let Some(bus) = &server.bus {
            for _ in 0..STARTUP_CLOCK_SAMPLES {
                server.send_heartbeat().await?;
            }
            bus.accept_messages();
        }
        server.lobby.set_opened_at(server.pulse.now());
        let server = Arc::new(server);
        run_maintenance(&server);
        lobby::run(&server);
        maintenance::begin(&server);
        revocations::begin(&server);
        if let Some(ears) = ears {
            apply::run(&server, ears);
        }
        bot_accounts::start_bots(&server).await?;
        Ok(server)
    }

    /// Sends a heartbeat to the store. A node learns the time and every outage up to now from the answer.
    async fn send_heartbeat(&self) -> Result<(), Error> {
        if self.bus.is_none() {
            return self
                .store
                .heartbeat_at(self.pulse.next_heartbeat_time())
                .await
                .map(drop);
        }
        let asked = self.pulse.elapsed();
        let beat = self.store.heartbeat().await?;
        self.pulse.sync_to(asked, beat.at, self.pulse.elapsed());
        let known = self.pulse.last_known_gap();
        let silences = self.store.heartbeat_gaps(known).await?;
        self.pulse.record_heartbeat(asked, &silences);
        Ok(())
    }

    /// Makes sure that the time is known and every outage is recorded before anything is decided; sends a heartbeat
    /// if the latest is too old.
    /// # Errors
    /// If the store fails, or the time is uncertain.
    pub(crate) async fn ensure_heartbeat(&self) -> Result<(), Error> {
        if self.pulse.is_failing() || !self.pulse.is_fresh() {
            let mut failed = self.breath.lock().await;
            // Another task may have sent the heartbeat, or failed to, while this one waited for the lock.
            if self.pulse.is_failing() || !self.pulse.is_fresh() {
                if let Some((at, error)) = &*failed
                    && at.elapsed() < HEARTBEAT_RETRY_DELAY
                {
                    return Err(error.clone());
                }
                let breathed = self.send_heartbeat().await;
                *failed = breathed
                    .as_ref()
                    .err()
                    .map(|error| (Instant::now(), error.clone()));
                breathed?;
                self.pulse.record_write_success(self.now());
            }
        }
        match self.pulse.is_synchronised() {
            true => Ok(()),
            false => Err(Error::Busy),
        }
    }

    /// The current time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.pulse.now()
    }

    /// Records the address of the listener, for URLs.
    pub(crate) fn set_address(&self, address: SocketAddr) {
        let _ = self.address.set(address);
    }

    /// The public URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        match (&self.settings.public_url, self.address.get()) {
            (Some(url), _) => format!("{}{path}", url.trim_end_matches('/')),
            (None, address) => {
                let address = address.unwrap_or(&self.settings.listen);
                format!("http://{address}{path}")
            }
        }
    }

    /// Whether the server is ready for traffic: it is not shutting down, writes succeed, and the time is known.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        let knows_time = self.pulse.is_fresh() && self.pulse.is_synchronised();
        !*self.shutdown_signal.borrow() && !self.pulse.is_failing() && knows_time
    }

    /// A signal that becomes true when the server shuts down.
    #[must_use]
    pub fn shutdown_signal(&self) -> watch::Receiver<bool> {
        self.shutdown_signal.subscribe()
    }

    /// Signals the shutdown to all tasks. What was acknowledged is already stored; connections end by themselves.
    pub fn shut_down(&self) {
        self.shutdown_signal.send_replace(true);
    }

    /// Called once the listener accepts connections. A game that is opened from now on records the outage before the
    /// start first; all other running games are gone through in the background.
    pub(crate) fn on_listening(self: &Arc<Server>) {
        self.pulse.mark_listening();
        if self.bus.is_none() {
            let server = Arc::clone(self);
            spawn_boxed(async move { server.resume().await });
        }
    }

    /// Records the outage before the start in every running game, then allows heartbeats to be stored. Without an
    /// outage there is nothing to do: games are loaded when somebody asks for them or their deadline comes.
    async fn resume(self: &Arc<Server>) {
        let mut closing = self.shutdown_signal();
        while self.pulse.count_outages() > 0
            && let Err(error) = self.settle_running().await
        {
            tracing::error!(%error, "not every running game knows of the outage yet");
            if !passes(&error) {
                break;
            }
            tokio::select! {
                () = tokio::time::sleep(HEARTBEAT_INTERVAL) => {}
                () = wait_for_shutdown(&mut closing) => return,
            }
        }
        self.pulse.mark_outages_recorded();
        self.heartbeat_once().await;
    }

    /// Records outages in every running game. A game that cannot be read is skipped.
    async fn settle_running(self: &Arc<Server>) -> Result<(), Error> {
        let running = GameQuery {
            phase: Some(GamePhase::Running),
            ..GameQuery::default()
        };
        let mut after = None;
        loop {
            let page = self
                .store
                .list_games(running.clone(), after, STARTUP_PAGE_SIZE)
                .await?;
            for part in parts_of_plies(&page.games, PAGE_PLIES) {
                self.settle_part(part).await?;
            }
            after = page.next;
            if after.is_none() {
                return Ok(());
            }
        }
    }

    /// Records outages in a few games, which are loaded only for that.
    async fn settle_part(self: &Arc<Server>, games: &[GameRow]) -> Result<(), Error> {
        let mut settling = tokio::task::JoinSet::new();
        for id in games.iter().map(|row| row.id) {
            let server = Arc::clone(self);
            // A game that makes the program panic is skipped like one that cannot be read.
            settling.spawn(async move {
                let settled = catch_panic("settling a game", server.record_outages(id)).await;
                settled.unwrap_or(Ok(()))
            });
        }
        let settled = settling.join_all().await;
        self.tables.evict_idle();
        settled.into_iter().collect()
    }

    /// Records outages in one game.
    async fn record_outages(self: &Arc<Server>, id: GameId) -> Result<(), Error> {
        match self.table(id).await {
            Err(GameError::Store(error)) if passes(&error) => Err(error),
            Err(trouble) => {
                tracing::error!(game = %id, %trouble, "a running game could not go on");
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    /// Sends one heartbeat, and records whether the store accepted it.
    async fn heartbeat_once(&self) {
        match self.send_heartbeat().await {
            Ok(()) => self.pulse.record_write_success(self.now()),
            Err(error) => {
                self.pulse.record_write_failure(self.now());
                tracing::error!(%error, "no sign of life could be kept");
            }
        }
    }
}

/// Splits games into parts of at most `max_plies` plies; a longer game is a part of its own.
fn parts_of_plies(games: &[GameRow], max_plies: usize) -> impl Iterator<Item = &[GameRow]> {
    let mut rest = games;
    std::iter::from_fn(move || {
        let mut plies: usize = 0;
        let is_too_much = |row: &GameRow| {
            plies = plies.saturating_add(row.summary.plies as usize);
            plies > max_plies
        };
        let fitting = rest.iter().position(is_too_much).unwrap_or(rest.len());
        let (part, others) = rest.split_at(fitting.max(1).min(rest.len()));
        rest = others;
        (!part.is_empty()).then_some(part)
    })
}

/// Whether the error is temporary, so that a retry may succeed.
const fn passes(error: &Error) -> bool {
    !error.is_final() && !matches!(error, Error::Damaged(_))
}

/// Waits until the server shuts down; returns at once if it has.
pub(crate) async fn wait_for_shutdown(closing: &mut watch::Receiver<bool>) {
    // An error means that the server was dropped, which counts as shut down.
    let _ = closing.wait_for(|&is_closing| is_closing).await;
}

/// Why a server could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum ServerOpenError {
    /// The store failed.
    #[error("{0}")]
    Store(#[from] Error),
    /// The accounts of the bots could not be created.
    #[error("the accounts of the bots: {0}")]
    Bots(#[from] touchmove_accounts::Error),
}

/// Starts the background tasks: heartbeats, the sweep of due games, and the eviction of idle tables.
fn run_maintenance(server: &Arc<Server>) {
    let (beats, closing) = (Arc::downgrade(server), server.shutdown_signal());
    keep_running("heartbeat", move || {
        let (beats, mut closing) = (Weak::clone(&beats), closing.clone());
        async move {
            let mut tick = tokio::time::interval(HEARTBEAT_INTERVAL);
            tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            let mut rounds: u64 = 0;
            let mut sweep: Option<JoinHandle<()>> = None;
            loop {
                tokio::select! {
                    _ = tick.tick() => {}
                    () = wait_for_shutdown(&mut closing) => return,
                }
                let Some(server) = beats.upgrade() else {
                    return;
                };
                let _ = server.now();
                server.heartbeat_once().await;
                if server.bus.is_none() && !server.pulse.is_listening() {
                    // The first tick comes at once; no interval has passed yet.
                    continue;
                }
                match server.bus {
                    None => deadlines::sweep(&server).await,
                    // A slow sweep must not look like a heartbeat gap to the other nodes.
                    Some(_) => {
                        if sweep.as_ref().is_none_or(JoinHandle::is_finished) {
                            let server = Arc::clone(&server);
                            let deed = async move { deadlines::sweep(&server).await };
                            sweep = Some(spawn_boxed(deed));
                        }
                    }
                }
                rounds += 1;
                if rounds.is_multiple_of(CLEANUP_INTERVAL.as_secs()) {
                    server.tables.evict_idle();
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use touchmove_store::GameSummary;

    use super::*;

    #[test]
    fn games_are_settled_in_parts_by_their_plies() {
        let row = |plies: u32| GameRow {
            id: "q7LmZx04".parse().unwrap(),
            created: Moment(0),
            summary: GameSummary {
                plies,
                ..GameSummary::of("chess", "link")
            },
        };
        let plies = [40, 50, 10, 4_500, 4_500, 1, 99, 1, 0, 0];
        let games: Vec<_> = plies.into_iter().map(row).collect();
        let parts: Vec<usize> = parts_of_plies(&games, 100).map(<[_]>::len).collect();
        assert_eq!(parts, [3, 1, 1, 2, 3]);
        assert_eq!(parts_of_plies(&[], 100).count(), 0);
    }
}
