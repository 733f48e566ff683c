//! The house: what all tables, doors and keepers share.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{Mutex as AsyncMutex, Notify, watch};
use tokio::task::JoinHandle;
use touchmove_accounts::People;
use touchmove_game::Timestamp;
use touchmove_store::{Beat, Error, GameId, GameRow, Moment, Phase, Query, Store};

use crate::arbiter_pool::Desk;
use crate::auth::guests::GuestNames;
use crate::auth::identity::Known;
use crate::auth::revocations;
use crate::auth::revocations::RevocationPoll;
use crate::clock::Pulse;
use crate::cluster;
use crate::cluster::apply;
use crate::cluster::{Bus, Ground};
use crate::config::Settings;
use crate::games::analysis_queue::Looks;
use crate::games::bot_accounts;
use crate::games::computer::Computer;
use crate::games::deadlines;
use crate::games::loader::GameLoader;
use crate::games::registry::Tables;
use crate::games::reviews::Reviews;
use crate::games::table::Trouble;
use crate::lichess::{GameKinds, KnownHumans, NewestGames, Streams};
use crate::live_connections::LiveConnections;
use crate::lobby::{self, Lobby};
use crate::maintenance;
use crate::metrics::Meters;
use crate::security::Guard;
use crate::server_key::Keys;
use crate::spawn::{catch_panic, in_background, keep_running};
use crate::web::Pictures;

/// How often a sign of life is kept.
const BEAT: Duration = Duration::from_secs(1);
/// How often tables that nobody uses are forgotten.
const TIDY: Duration = Duration::from_secs(30);
/// Games that are listed at once when the house has opened.
const PAGE: usize = 200;
/// Plies of the games that are read at once then.
const PAGE_PLIES: usize = 20_000;
/// How often a node asks for the time before it opens.
const FIRST_LOOKS: usize = 5;
/// For how long nobody asks again after a beat has failed.
const BREATHLESS: Duration = Duration::from_millis(500);

/// Everything that serves tables.
pub struct House {
    /// Where everything is kept.
    pub store: Arc<dyn Store>,
    /// The time.
    pub pulse: Arc<Pulse>,
    /// The tables.
    pub tables: Tables,
    /// How games come into memory.
    pub(crate) loader: GameLoader,
    /// The longer looks.
    pub looks: Looks,
    /// The computer.
    pub(crate) computer: Computer,
    /// Reviews of finished games.
    pub(crate) reviews: Reviews,
    /// Who may do what how often.
    pub guard: Guard,
    /// What is counted.
    pub meters: Meters,
    /// Who plays.
    pub people: People,
    /// Those who were seen a moment ago.
    pub known: Known,
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
    pub desk: Desk,
    /// Pictures of positions.
    pub(crate) pictures: Pictures,
    /// What the host has chosen.
    pub settings: Settings,
    /// The streams of what concerns somebody, one for each token.
    pub(crate) streams: Streams,
    /// The kinds of the latest games that were asked for.
    pub(crate) kinds: GameKinds,
    /// The games that are shown on television.
    pub(crate) newest_games: NewestGames,
    /// Accounts that are no bots.
    pub(crate) humans: KnownHumans,
    /// How other nodes are told, if there may be any.
    pub(crate) bus: Option<Arc<Bus>>,
    /// Says that messages of other nodes may have been missed.
    pub(crate) gap: Arc<Notify>,
    /// When the latest beat of a node has failed, and why. One at a time asks.
    breath: AsyncMutex<Option<(Instant, Error)>>,
    closing: watch::Sender<bool>,
    address: OnceLock<SocketAddr>,
}

impl House {
    /// Opens the house on a store. Games that were running go on when its [door](crate::Door) is open, and the
    /// time until then is nobody's. Where other nodes use the store too, it is one more node of their house.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub async fn open(ground: Ground, settings: Settings) -> Result<Arc<House>, OpenError> {
        let Ground { store, nodes } = ground;
        let pulse = match nodes {
            None => {
                // A beat at the beginning of time tells of the last one, and leaves it the last one.
                let before = store.beat_at(Moment(0)).await?.before;
                let asked = tokio::time::Instant::now();
                let at = store.now().await?;
                Pulse::from_beat(Beat { at, before }, asked)
            }
            Some(_) => Pulse::shared(),
        };
        let pulse = Arc::new(pulse);
        let (bus, ears) = match nodes {
            None => (None, None),
            Some((store, nats)) => {
                let key = cluster::load_key(&*store).await?;
                let (bus, ears) = Bus::begin(store, nats, &key, Arc::clone(&pulse));
                (Some(bus), Some(ears))
            }
        };
        // Whoever is identified later is found as he is then.
        let newest_revocation = store.newest_revocation().await?;
        let mut house = House {
            people: People::new(Arc::clone(&store)),
            known: Known::default(),
            keys: Keys::load(&*store).await?,
            guest_names: GuestNames::default(),
            live_connections: Arc::default(),
            revocation_poll: Arc::new(RevocationPoll::after(newest_revocation)),
            lobby: Lobby::new(bus.clone()),
            desk: Desk::new(&settings.limits),
            pictures: Pictures::new(&settings.limits),
            store,
            pulse,
            tables: Tables::default(),
            loader: GameLoader::new(&settings.limits),
            looks: Looks::new(&settings.limits),
            computer: Computer::new(&settings.limits),
            reviews: Reviews::new(&settings.limits),
            guard: Guard::new(&settings),
            meters: Meters::default(),
            settings,
            streams: Streams::default(),
            kinds: GameKinds::default(),
            newest_games: NewestGames::default(),
            humans: KnownHumans::default(),
            bus,
            gap: Arc::default(),
            breath: AsyncMutex::default(),
            closing: watch::channel(false).0,
            address: OnceLock::new(),
        };
        if let Some(bus) = &house.bus {
            for _ in 0..FIRST_LOOKS {
                house.breathe().await?;
            }
            bus.accept_messages();
        }
        house.lobby.opens(house.pulse.now());
        let house = Arc::new(house);
        keep(&house);
        lobby::keep(&house);
        maintenance::begin(&house);
        revocations::begin(&house);
        if let Some(ears) = ears {
            apply::keep(&house, ears);
        }
        bot_accounts::begin(&house).await?;
        Ok(house)
    }

    /// Gives a sign of life. A node learns the time from it, and every outage up to now.
    async fn breathe(&self) -> Result<(), Error> {
        if self.bus.is_none() {
            return self.store.beat_at(self.pulse.sign()).await.map(drop);
        }
        let asked = self.pulse.elapsed();
        let beat = self.store.beat().await?;
        self.pulse.is_set_by(asked, beat.at, self.pulse.elapsed());
        let known = self.pulse.known_silence();
        let silences = self.store.silences(known).await?;
        self.pulse.is_beaten(asked, &silences);
        Ok(())
    }

    /// Sees to it that the time can be told and every outage is known, before anything is decided.
    ///
    /// # Errors
    /// If the store cannot say, or the time is in doubt.
    pub(crate) async fn draw_breath(&self) -> Result<(), Error> {
        if self.pulse.is_failing() || !self.pulse.is_fresh() {
            let mut failed = self.breath.lock().await;
            // Whoever waited here may find it done, or in vain.
            if self.pulse.is_failing() || !self.pulse.is_fresh() {
                if let Some((at, error)) = &*failed
                    && at.elapsed() < BREATHLESS
                {
                    return Err(error.clone());
                }
                let breathed = self.breathe().await;
                *failed = breathed
                    .as_ref()
                    .err()
                    .map(|error| (Instant::now(), error.clone()));
                breathed?;
                self.pulse.works(self.now());
            }
        }
        match self.pulse.is_sure() {
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
    pub(crate) fn listens_at(&self, address: SocketAddr) {
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
        let knows_time = self.pulse.is_fresh() && self.pulse.is_sure();
        !*self.closing.borrow() && !self.pulse.is_failing() && knows_time
    }

    /// Becomes true when the house closes.
    #[must_use]
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Tells everybody that the house closes. What was granted is kept; connections end by themselves.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// The door is open. Whoever comes to a game finds the outage before it there; the games to which nobody
    /// comes are looked up meanwhile.
    pub(crate) fn opens(self: &Arc<House>) {
        self.pulse.opens();
        if self.bus.is_none() {
            let house = Arc::clone(self);
            in_background(async move { house.resume().await });
        }
    }

    /// Makes an outage part of every running game, and gives a sign of life when that is done. Without one
    /// there is nothing to do: games are read when somebody asks for them or their time comes.
    async fn resume(self: &Arc<House>) {
        let mut closing = self.closing();
        while self.pulse.count_outages() > 0
            && let Err(error) = self.settle_running().await
        {
            tracing::error!(%error, "not every running game knows of the outage yet");
            if !passes(&error) {
                break;
            }
            tokio::select! {
                () = tokio::time::sleep(BEAT) => {}
                () = closed(&mut closing) => return,
            }
        }
        self.pulse.is_settled();
        self.give_sign().await;
    }

    /// Makes outages part of every running game. One that cannot be read is passed over.
    async fn settle_running(self: &Arc<House>) -> Result<(), Error> {
        let running = Query {
            phase: Some(Phase::Running),
            ..Query::default()
        };
        let mut after = None;
        loop {
            let page = self.store.games(running.clone(), after, PAGE).await?;
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
    async fn settle_part(self: &Arc<House>, games: &[GameRow]) -> Result<(), Error> {
        let mut settling = tokio::task::JoinSet::new();
        for id in games.iter().map(|row| row.id) {
            let house = Arc::clone(self);
            // A game that makes the program panic is passed over like one that cannot be read.
            settling.spawn(async move {
                let settled = catch_panic("settling a game", house.settle(id)).await;
                settled.unwrap_or(Ok(()))
            });
        }
        let settled = settling.join_all().await;
        self.tables.tidy();
        settled.into_iter().collect()
    }

    /// Makes outages part of a game.
    async fn settle(self: &Arc<House>, id: GameId) -> Result<(), Error> {
        match self.table(id).await {
            Err(Trouble::Store(error)) if passes(&error) => Err(error),
            Err(trouble) => {
                tracing::error!(game = %id, %trouble, "a running game could not go on");
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    /// Gives a sign of life, and notes whether it could be kept.
    async fn give_sign(&self) {
        match self.breathe().await {
            Ok(()) => self.pulse.works(self.now()),
            Err(error) => {
                self.pulse.fails(self.now());
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
pub(crate) async fn closed(closing: &mut watch::Receiver<bool>) {
    // Without a house it is closed too.
    let _ = closing.wait_for(|&is_closing| is_closing).await;
}

/// Why a house could not open.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The store could not.
    #[error("{0}")]
    Store(#[from] Error),
    /// The bots could not be given their accounts.
    #[error("the accounts of the bots: {0}")]
    Bots(#[from] touchmove_accounts::Error),
}

/// Gives signs of life, sweeps what is due, forgets what nobody uses.
fn keep(house: &Arc<House>) {
    let (beats, closing) = (Arc::downgrade(house), house.closing());
    keep_running("heartbeat", move || {
        let (beats, mut closing) = (Weak::clone(&beats), closing.clone());
        async move {
            let mut tick = tokio::time::interval(BEAT);
            tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            let mut rounds: u64 = 0;
            let mut sweep: Option<JoinHandle<()>> = None;
            loop {
                tokio::select! {
                    _ = tick.tick() => {}
                    () = closed(&mut closing) => return,
                }
                let Some(house) = beats.upgrade() else {
                    return;
                };
                let _ = house.now();
                house.give_sign().await;
                if house.bus.is_none() && !house.pulse.is_open() {
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
                            sweep = Some(in_background(deed));
                        }
                    }
                }
                rounds += 1;
                if rounds.is_multiple_of(TIDY.as_secs()) {
                    house.tables.tidy();
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use touchmove_store::Summary;

    use super::*;

    #[test]
    fn games_are_settled_in_parts_by_their_plies() {
        let row = |plies: u32| GameRow {
            id: "q7LmZx04".parse().unwrap(),
            created: Moment(0),
            summary: Summary {
                plies,
                ..Summary::of("chess", "link")
            },
        };
        let plies = [40, 50, 10, 4_500, 4_500, 1, 99, 1, 0, 0];
        let games: Vec<_> = plies.into_iter().map(row).collect();
        let parts: Vec<usize> = parts_of_plies(&games, 100).map(<[_]>::len).collect();
        assert_eq!(parts, [3, 1, 1, 2, 3]);
        assert_eq!(parts_of_plies(&[], 100).count(), 0);
    }
}
