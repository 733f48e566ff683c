//! The house: what all tables, doors and keepers share.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::watch;
use touchmove_game::Timestamp;
use touchmove_people::People;
use touchmove_store::{Phase, Query, Store};

use crate::computer::Computer;
use crate::desk::Desk;
use crate::guard::Guard;
use crate::lichess::{Grants, Streams};
use crate::lobby::{self, Lobby};
use crate::looks::{self, Looks};
use crate::meters::Meters;
use crate::pulse::Pulse;
use crate::settings::Settings;
use crate::tables::Tables;
use crate::timekeeper;
use crate::who::Known;

/// How often a sign of life is kept.
const BEAT: Duration = Duration::from_secs(1);
/// How often tables that nobody uses are forgotten.
const TIDY: Duration = Duration::from_secs(30);
/// Games that are read at once when the house opens.
const PAGE: usize = 200;

/// Everything that serves tables.
pub struct House {
    /// Where everything is kept.
    pub store: Arc<dyn Store>,
    /// The time.
    pub pulse: Pulse,
    /// The tables.
    pub tables: Tables,
    /// The longer looks.
    pub looks: Looks,
    /// The computer.
    pub(crate) computer: Computer,
    /// Who may do what how often.
    pub guard: Guard,
    /// What is counted.
    pub meters: Meters,
    /// Who plays.
    pub people: People,
    /// Those who were seen a moment ago.
    pub known: Known,
    /// Who looks for somebody to play with.
    pub lobby: Lobby,
    /// The arbiter, for whoever asks.
    pub desk: Desk,
    /// What the host has chosen.
    pub settings: Settings,
    /// The streams of what concerns somebody, one for each token.
    pub(crate) streams: Streams,
    /// What people have granted to programs that have not come for it yet.
    pub(crate) grants: Grants,
    closing: watch::Sender<bool>,
    address: OnceLock<SocketAddr>,
}

impl House {
    /// Opens the house on a store: games that were running go on, and the time that the house was away is
    /// nobody's.
    ///
    /// # Errors
    /// If the store cannot be read or written, or no thread can be had.
    pub async fn open(store: Arc<dyn Store>, settings: Settings) -> Result<Arc<House>, OpenError> {
        let pulse = Pulse::from_beat(store.beat().await?);
        let house = Arc::new(House {
            people: People::new(Arc::clone(&store)),
            known: Known::default(),
            lobby: Lobby::new(pulse.now()),
            desk: Desk::default(),
            store,
            pulse,
            tables: Tables::default(),
            looks: Looks::default(),
            computer: Computer::default(),
            guard: Guard::default(),
            meters: Meters::default(),
            settings,
            streams: Streams::default(),
            grants: Grants::default(),
            closing: watch::channel(false).0,
            address: OnceLock::new(),
        });
        looks::begin(&house).map_err(OpenError::Thread)?;
        house.resume().await?;
        keep(&house);
        lobby::keep(&house);
        Ok(house)
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

    /// The cookie that carries a secret.
    pub(crate) fn cookie(&self, secret: &str) -> String {
        let url = self.settings.public_url.as_deref();
        let secure = match url.is_some_and(|url| url.starts_with("https:")) {
            true => "; Secure",
            false => "",
        };
        let name = crate::who::COOKIE;
        format!("{name}={secret}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax{secure}")
    }

    /// Whether people should be sent here: it is open, and what they do is kept.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        !*self.closing.borrow() && !self.pulse.is_failing()
    }

    /// Becomes true when the house closes.
    #[must_use]
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Tells everybody that the house closes. What was granted is kept; connections end by themselves.
    pub fn close(&self) {
        self.closing.send_replace(true);
        self.looks.close();
    }

    /// Makes an outage part of every running game. Without one there is nothing to do: games are read when
    /// somebody asks for them or their time comes.
    async fn resume(self: &Arc<House>) -> Result<(), OpenError> {
        if self.pulse.count_outages() == 0 {
            return Ok(());
        }
        let running = Query {
            phase: Some(Phase::Running),
            ..Query::default()
        };
        let mut after = None;
        loop {
            let page = self.store.games(running.clone(), after, PAGE).await?;
            let mut opening = tokio::task::JoinSet::new();
            for row in page.games {
                let house = Arc::clone(self);
                opening.spawn(async move {
                    if let Err(trouble) = house.table(row.id).await {
                        tracing::error!(game = %row.id, %trouble, "a running game could not go on");
                    }
                });
            }
            opening.join_all().await;
            self.tables.tidy();
            after = page.next;
            if after.is_none() {
                return Ok(());
            }
        }
    }
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
    Store(#[from] touchmove_store::Error),
    /// No thread could be had.
    #[error("the system gives no thread: {0}")]
    Thread(std::io::Error),
}

/// Gives signs of life, sweeps what is due, forgets what nobody uses.
fn keep(house: &Arc<House>) {
    let beats = Arc::downgrade(house);
    let mut closing = house.closing();
    tokio::spawn(async move {
        let mut tick = tokio::time::interval(BEAT);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut rounds: u64 = 0;
        loop {
            tokio::select! {
                _ = tick.tick() => {}
                () = closed(&mut closing) => return,
            }
            let Some(house) = beats.upgrade() else {
                return;
            };
            let _ = house.now();
            match house.store.beat_at(house.pulse.moment()).await {
                Ok(_) => house.pulse.works(house.now()),
                Err(error) => {
                    house.pulse.fails(house.now());
                    tracing::error!(%error, "no sign of life could be kept");
                }
            }
            timekeeper::sweep(&house).await;
            rounds += 1;
            if rounds.is_multiple_of(TIDY.as_secs()) {
                house.tables.tidy();
            }
        }
    });
}
