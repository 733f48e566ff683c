//! The house: what all tables, doors and keepers share.

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

/// How often a sign of life is kept.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// How often tables that nobody uses are forgotten.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(30);
/// Games that are listed at once when the house has opened.
const STARTUP_PAGE_SIZE: usize = 200;
/// Plies of the games that are read at once then.
const PAGE_PLIES: usize = 20_000;
/// How often a node asks for the time before it opens.
const STARTUP_CLOCK_SAMPLES: usize = 5;
/// For how long nobody asks again after a beat has failed.
const HEARTBEAT_RETRY_DELAY: Duration = Duration::from_millis(500);

/// Everything that serves tables.
pub struct Server {
    /// Where everything is kept.
    pub store: Arc<dyn Store>,
    /// The time.
    pub pulse: Arc<ServerClock>,
    /// The tables.
    pub tables: TableRegistry,
    /// How games come into memory.
    pub(crate) loader: GameLoader,
    /// The longer looks.
    pub looks: AnalysisQueue,
    /// The computer.
    pub(crate) computer: ComputerPlayer,
    /// Reviews of finished games.
    pub(crate) reviews: Reviews,
    /// Who may do what how often.
    pub guard: RateLimits,
    /// What is counted.
    pub meters: Metrics,
    /// Who plays.
    pub people: Accounts,
    /// Those who were seen a moment ago.
    pub known: IdentityCache,
    /// The key for tags and ids.
    pub(crate) keys: Keys,
    /// What guests without a seat are called.
    pub(crate) guest_names: GuestNames,
    /// Sockets and streams that are open, by the right that they were opened with.
    pub(crate) live_connections: Arc<LiveConnections>,
    /// Wakes who looks for rights that have ended.
    pub(crate) revocation_poll: Arc<RevocationPoll>,
    /// Who looks for somebody to play with.
    pub lobby: Lobby,
    /// The arbiter, for whoever asks.
    pub desk: ArbiterPool,
    /// Pictures of positions.
    pub(crate) pictures: Pictures,
    /// What the host has chosen.
    pub settings: ServerConfig,
    /// The streams of what concerns somebody, one for each token.
    pub(crate) streams: EventStreams,
    /// The kinds of the latest games that were asked for.
    pub(crate) kinds: GameKinds,
    /// The games that are shown on television.
    pub(crate) newest_games: NewestGames,
    /// Accounts that are no bots.
    pub(crate) humans: KnownHumans,
    /// How other nodes are told, if there may be any.
    pub(crate) bus: Option<Arc<ClusterBus>>,
    /// Says that messages of other nodes may have been missed.
    pub(crate) gap: Arc<Notify>,
    /// When the latest beat of a node has failed, and why. One at a time asks.
    breath: AsyncMutex<Option<(Instant, Error)>>,
    shutdown_signal: watch::Sender<bool>,
    address: OnceLock<SocketAddr>,
}

impl Server {
    /// Opens the house on a store. Games that were running go on when its [door](crate::HttpListener) is open, and the
    /// time until then is nobody's. Where other nodes use the store too, it is one more node of their house.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub async fn open(
        ground: Backend,
        settings: ServerConfig,
    ) -> Result<Arc<Server>, ServerOpenError> {
        let Backend { store, nodes } = ground;
        let pulse = match nodes {
            None => {
                // A beat at the beginning of time tells of the last one, and leaves it the last one.
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
        // Whoever is identified later is found as he is then.
        let newest_revocation = store.newest_revocation().await?;
        let mut house = Server {
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
        if let Some(bus) = &house.bus {
            for _ in 0..STARTUP_CLOCK_SAMPLES {
                house.send_heartbeat().await?;
            }
            bus.accept_messages();
        }
        house.lobby.set_opened_at(house.pulse.now());
        let house = Arc::new(house);
        run_maintenance(&house);
        lobby::run(&house);
        maintenance::begin(&house);
        revocations::begin(&house);
        if let Some(ears) = ears {
            apply::run(&house, ears);
        }
        bot_accounts::start_bots(&house).await?;
        Ok(house)
    }

    /// Gives a sign of life. A node learns the time from it, and every outage up to now.
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

    /// Sees to it that the time can be told and every outage is known, before anything is decided.
    ///
    /// # Errors
    /// If the store cannot say, or the time is in doubt.
    pub(crate) async fn ensure_heartbeat(&self) -> Result<(), Error> {
        if self.pulse.is_failing() || !self.pulse.is_fresh() {
            let mut failed = self.breath.lock().await;
            // Whoever waited here may find it done, or in vain.
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

    /// The time now.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.pulse.now()
    }

    /// Notes where the door is.
    pub(crate) fn set_address(&self, address: SocketAddr) {
        let _ = self.address.set(address);
    }

    /// A path as people reach it.
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

    /// Whether people should be sent here: it is open, and what they do is kept.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        let knows_time = self.pulse.is_fresh() && self.pulse.is_synchronised();
        !*self.shutdown_signal.borrow() && !self.pulse.is_failing() && knows_time
    }

    /// Becomes true when the house closes.
    #[must_use]
    pub fn shutdown_signal(&self) -> watch::Receiver<bool> {
        self.shutdown_signal.subscribe()
    }

    /// Tells everybody that the house closes. What was granted is kept; connections end by themselves.
    pub fn shut_down(&self) {
        self.shutdown_signal.send_replace(true);
    }

    /// The door is open. Whoever comes to a game finds the outage before it there; the games to which nobody
    /// comes are looked up meanwhile.
    pub(crate) fn on_listening(self: &Arc<Server>) {
        self.pulse.mark_listening();
        if self.bus.is_none() {
            let house = Arc::clone(self);
            spawn_boxed(async move { house.resume().await });
        }
    }

    /// Makes an outage part of every running game, and gives a sign of life when that is done. Without one
    /// there is nothing to do: games are read when somebody asks for them or their time comes.
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

    /// Makes outages part of every running game. One that cannot be read is passed over.
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

    /// Makes outages part of a few games, which are in memory only for that.
    async fn settle_part(self: &Arc<Server>, games: &[GameRow]) -> Result<(), Error> {
        let mut settling = tokio::task::JoinSet::new();
        for id in games.iter().map(|row| row.id) {
            let house = Arc::clone(self);
            // A game that makes the program panic is passed over like one that cannot be read.
            settling.spawn(async move {
                let settled = catch_panic("settling a game", house.record_outages(id)).await;
                settled.unwrap_or(Ok(()))
            });
        }
        let settled = settling.join_all().await;
        self.tables.evict_idle();
        settled.into_iter().collect()
    }

    /// Makes outages part of a game.
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

    /// Gives a sign of life, and notes whether it could be kept.
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

/// Games in parts that have so many plies at most; a longer game is a part of its own.
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

/// Whether something may be done when it is tried again.
const fn passes(error: &Error) -> bool {
    !error.is_final() && !matches!(error, Error::Damaged(_))
}

/// Waits until the house closes, or has closed already.
pub(crate) async fn wait_for_shutdown(closing: &mut watch::Receiver<bool>) {
    // Without a house it is closed too.
    let _ = closing.wait_for(|&is_closing| is_closing).await;
}

/// Why a house could not open.
#[derive(Debug, thiserror::Error)]
pub enum ServerOpenError {
    /// The store could not.
    #[error("{0}")]
    Store(#[from] Error),
    /// The bots could not be given their accounts.
    #[error("the accounts of the bots: {0}")]
    Bots(#[from] touchmove_accounts::Error),
}

/// Gives signs of life, sweeps what is due, forgets what nobody uses.
fn run_maintenance(house: &Arc<Server>) {
    let (beats, closing) = (Arc::downgrade(house), house.shutdown_signal());
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
                let Some(house) = beats.upgrade() else {
                    return;
                };
                let _ = house.now();
                house.heartbeat_once().await;
                if house.bus.is_none() && !house.pulse.is_listening() {
                    // No time is over yet.
                    continue;
                }
                match house.bus {
                    None => deadlines::sweep(&house).await,
                    // Other nodes shall not take a long sweep for a silence of the house.
                    Some(_) => {
                        if sweep.as_ref().is_none_or(JoinHandle::is_finished) {
                            let house = Arc::clone(&house);
                            let deed = async move { deadlines::sweep(&house).await };
                            sweep = Some(spawn_boxed(deed));
                        }
                    }
                }
                rounds += 1;
                if rounds.is_multiple_of(CLEANUP_INTERVAL.as_secs()) {
                    house.tables.evict_idle();
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
