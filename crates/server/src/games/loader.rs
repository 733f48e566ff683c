//! Loads games that are not in memory on worker threads, with one queue for players and one for readers. Reading
//! alone puts nothing into memory.

use std::sync::Arc;

use tokio::runtime::Handle;
use touchmove_rules::Color;
use touchmove_store::{GameId, GamePhase, Holder, SeatHolders};

use crate::Server;
use crate::api::ApiError;
use crate::auth::identity::Identity;
use crate::games::table::{GameError, LiveGame, Table, seat};
use crate::security::{Client, Limits, RateLimit};
use crate::work_queue::{Cancel, WorkError, WorkLimits, WorkOwner, WorkQueue, processors};

/// Decisions that a reader holds in memory at once.
const DECISIONS_PER_READ: usize = 500;

/// Why a client needs a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableUse {
    /// To stay connected: the game comes into memory.
    Join,
    /// To read it once.
    Read,
}

/// The worker queues that load games.
pub(crate) struct GameLoader {
    players: WorkQueue,
    readers: WorkQueue,
}

impl GameLoader {
    pub(crate) fn new(limits: &Limits) -> GameLoader {
        let threads = processors(limits.work_percent);
        let players = WorkLimits {
            threads,
            // A whole class may return at once.
            waiting: limits.waiting_players as usize,
            per_owner: limits.waiting_players_per_address as usize,
            // A returning player's clock may be running. How often one may return is rate limited.
            is_low_priority: false,
        };
        let readers = WorkLimits {
            threads,
            waiting: limits.waiting_readers as usize,
            per_owner: limits.waiting_readers_per_address as usize,
            is_low_priority: true,
        };
        let busy = "too many games are asked for at once";
        GameLoader {
            players: WorkQueue::new("game loader", busy, players),
            readers: WorkQueue::new("game reader", busy, readers),
        }
    }
}

impl Server {
    /// The table of a game for the server itself; `None` if there is no such game.
    ///
    /// # Errors
    /// If the store fails, or the stored game is corrupt.
    pub async fn table(self: &Arc<Server>, id: GameId) -> Result<Option<Arc<Table>>, GameError> {
        self.load_table(id, &self.loader.players, WorkOwner::Server)
            .await
    }

    /// Folds a game anew from the store; `None` if there is no such game.
    ///
    /// # Errors
    /// If the store fails, or the stored game is corrupt.
    pub(crate) async fn load_core(
        self: &Arc<Server>,
        id: GameId,
    ) -> Result<Option<LiveGame>, GameError> {
        let (server, runtime) = (Arc::clone(self), Handle::current());
        let loaded = self.loader.players.run(WorkOwner::Server, move |_| {
            let stored = runtime.block_on(server.store.load_games(vec![id]))?;
            Ok::<_, GameError>(stored.first().map(LiveGame::open).transpose()?)
        });
        loaded.await?
    }

    /// The table of a game, loaded into memory if it is not there.
    async fn load_table(
        self: &Arc<Server>,
        id: GameId,
        queue: &WorkQueue,
        owner: WorkOwner,
    ) -> Result<Option<Arc<Table>>, GameError> {
        let table = match self.tables.get(id) {
            Some(table) => table,
            None => {
                let (server, runtime) = (Arc::clone(self), Handle::current());
                let loaded = queue.run(owner, move |_| {
                    let stored = runtime.block_on(server.store.load_games(vec![id]))?;
                    let table = stored.first().map(|game| Table::open(game, server.now()));
                    Ok::<_, GameError>(table.transpose()?)
                });
                let Some(loaded) = loaded.await?? else {
                    return Ok(None);
                };
                self.tables.insert(loaded)
            }
        };
        table.ensure_ready(self).await?;
        Ok(Some(table))
    }

    /// The table of a game if it is in memory, up to date with whatever any node has acknowledged.
    async fn live_table(self: &Arc<Server>, id: GameId) -> Result<Option<Arc<Table>>, GameError> {
        let Some(table) = self.tables.get(id) else {
            return Ok(None);
        };
        match self.bus.is_some() {
            true => table.refresh(self).await?,
            false => table.ensure_ready(self).await?,
        }
        Ok(Some(table))
    }

    /// The table of a game for a client. A spectator loads a game that nobody plays only if they stay connected.
    /// Players always find a game in memory; loading one is rate limited for them too.
    ///
    /// # Errors
    /// If the store fails, the stored game is corrupt, or a limit is exceeded.
    pub(crate) async fn table_for(
        self: &Arc<Server>,
        id: GameId,
        (client, who): (Client, Option<&Identity>),
        usage: TableUse,
    ) -> Result<Option<Arc<Table>>, ApiError> {
        if let Some(table) = self.live_table(id).await? {
            if usage == TableUse::Read {
                let core = table.lock().await;
                let has_seat = who.is_some_and(|who| core.seat_of(who.holder).is_some());
                // The state of a long game is a large answer.
                let is_counted = !has_seat || core.is_long();
                drop(core);
                if is_counted {
                    self.guard.check(client, RateLimit::Read)?;
                }
            }
            return Ok(Some(table));
        }
        let owner = WorkOwner::from(client);
        let Some(head) = self.store.heads(vec![id]).await?.pop() else {
            return Ok(None);
        };
        self.guard.check(client, RateLimit::Read)?;
        if who.is_some_and(|who| seat_in(&head.seats, who.holder).is_some()) {
            return Ok(self.load_table(id, &self.loader.players, owner).await?);
        }
        // A game that waits for a player is short, and a class sits down all at once.
        let is_waiting = head.row.summary.phase == GamePhase::Waiting;
        match usage {
            TableUse::Join if is_waiting => {
                Ok(self.load_table(id, &self.loader.players, owner).await?)
            }
            TableUse::Join => Ok(self.load_table(id, &self.loader.readers, owner).await?),
            TableUse::Read => {
                let now = self.now();
                let read = self.read_game(owner, id, move |core| Table::of(core, now));
                Ok(read.await?.map(Arc::new))
            }
        }
    }

    /// The table of a game for a player with a seat; `None` for everybody else.
    ///
    /// # Errors
    /// If the store fails, the stored game is corrupt, or a limit is exceeded.
    pub(crate) async fn table_of_player(
        self: &Arc<Server>,
        id: GameId,
        (client, who): (Client, &Identity),
    ) -> Result<Option<(Arc<Table>, Color)>, ApiError> {
        let table = match self.live_table(id).await? {
            Some(table) => Some(table),
            None => {
                let head = self.store.heads(vec![id]).await?.pop();
                match head.is_some_and(|head| seat_in(&head.seats, who.holder).is_some()) {
                    true => {
                        self.guard.check(client, RateLimit::Read)?;
                        let owner = WorkOwner::from(client);
                        self.load_table(id, &self.loader.players, owner).await?
                    }
                    false => None,
                }
            }
        };
        let Some(table) = table else { return Ok(None) };
        let color = table.seat_of(who.holder).await;
        Ok(color.map(|color| {
            table.note_address(color, client);
            (table, color)
        }))
    }

    /// Rate limits a client that is sent all of a long game because its last seen event is long ago, and renders the
    /// plies for it.
    ///
    /// # Errors
    /// If the rate limit is exceeded, or the queue is full.
    pub(crate) async fn prepare_view(
        self: &Arc<Server>,
        table: &Arc<Table>,
        client: Client,
        seen: Option<u64>,
    ) -> Result<(), ApiError> {
        let core = table.lock().await;
        let is_counted = core.is_long() && seen.is_none_or(|seen| core.is_far_behind(seen));
        drop(core);
        if is_counted {
            self.guard.check(client, RateLimit::Read)?;
        }
        Ok(table.write_history(self, client.into()).await?)
    }

    /// Runs work for a reader of a game on the readers' queue.
    ///
    /// # Errors
    /// If the queue is full.
    pub(crate) async fn read_aside<T: Send + 'static>(
        &self,
        owner: WorkOwner,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        self.loader.readers.run(owner, work).await
    }

    /// Loads a stored game and shows it to a closure on the worker thread. The game is in memory until the closure
    /// returns, its journal only in parts.
    ///
    /// # Errors
    /// If the store fails, the stored game is corrupt, or a limit is exceeded.
    pub(crate) async fn read_game<T: Send + 'static>(
        self: &Arc<Server>,
        owner: WorkOwner,
        id: GameId,
        show: impl FnOnce(LiveGame) -> T + Send + 'static,
    ) -> Result<Option<T>, GameError> {
        let (server, runtime) = (Arc::clone(self), Handle::current());
        let read = self.loader.readers.run(owner, move |cancel| {
            Ok::<_, GameError>(fold(&server, &runtime, id, cancel)?.map(show))
        });
        read.await?
    }
}

/// Folds a game part by part; `None` if there is no such game or the caller is gone.
fn fold(
    server: &Server,
    runtime: &Handle,
    id: GameId,
    cancel: &Cancel,
) -> Result<Option<LiveGame>, GameError> {
    let Some(head) = runtime.block_on(server.store.heads(vec![id]))?.pop() else {
        return Ok(None);
    };
    let mut core = LiveGame::begin(&head.row, &head.opening, head.seats)?;
    loop {
        let after = core.game.seq();
        let part = server.store.decisions(id, after, DECISIONS_PER_READ);
        let part = runtime.block_on(part)?;
        for decision in &part {
            core.fold(decision)?;
        }
        if part.len() < DECISIONS_PER_READ {
            return Ok(Some(core));
        }
        if cancel.is_cancelled() {
            return Ok(None);
        }
    }
}

/// The seat of a holder.
pub(crate) fn seat_in(seats: &SeatHolders, holder: Holder) -> Option<Color> {
    Color::ALL
        .into_iter()
        .find(|&color| seats.of(seat(color)) == Some(holder))
}
