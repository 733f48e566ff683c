//! Games that are not in memory: loaded and folded on worker threads, for players and for readers in queues of their
//! own. Whoever only reads puts nothing into memory.

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

/// Decisions that a reader has in memory at once.
const DECISIONS_PER_READ: usize = 500;

/// What a client wants a table for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableUse {
    /// To stay there: it comes into memory.
    Join,
    /// To look at it once.
    Read,
}

/// Where games are loaded and folded.
pub(crate) struct GameLoader {
    players: WorkQueue,
    readers: WorkQueue,
}

impl GameLoader {
    pub(crate) fn new(limits: &Limits) -> GameLoader {
        let threads = processors(limits.work_percent);
        let players = WorkLimits {
            threads,
            // A class may come back all at once.
            waiting: limits.waiting_players as usize,
            per_owner: limits.waiting_players_per_address as usize,
            // Whoever comes back to his game may have his clock running. How often he does is counted.
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
    /// If the store cannot say, or what it keeps is no game.
    pub async fn table(self: &Arc<Server>, id: GameId) -> Result<Option<Arc<Table>>, GameError> {
        self.load_table(id, &self.loader.players, WorkOwner::Server)
            .await
    }

    /// A game as the store has it, folded anew; `None` if there is no such game.
    ///
    /// # Errors
    /// If the store cannot say, or what it keeps is no game.
    pub(crate) async fn load_core(
        self: &Arc<Server>,
        id: GameId,
    ) -> Result<Option<LiveGame>, GameError> {
        let (house, runtime) = (Arc::clone(self), Handle::current());
        let loaded = self.loader.players.run(WorkOwner::Server, move |_| {
            let stored = runtime.block_on(house.store.load_games(vec![id]))?;
            Ok::<_, GameError>(stored.first().map(LiveGame::open).transpose()?)
        });
        loaded.await?
    }

    /// The table of a game, put into memory if it is not there.
    async fn load_table(
        self: &Arc<Server>,
        id: GameId,
        queue: &WorkQueue,
        owner: WorkOwner,
    ) -> Result<Option<Arc<Table>>, GameError> {
        let table = match self.tables.get(id) {
            Some(table) => table,
            None => {
                let (house, runtime) = (Arc::clone(self), Handle::current());
                let loaded = queue.run(owner, move |_| {
                    let stored = runtime.block_on(house.store.load_games(vec![id]))?;
                    let table = stored.first().map(|game| Table::open(game, house.now()));
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

    /// The table of a game in memory, with everything in it that was acknowledged by whichever node.
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

    /// The table of a game for a client. Whoever has no seat puts a game that nobody plays into memory only if he stays
    /// there. Players always find a game that is there; to bring one into memory is counted for them too.
    ///
    /// # Errors
    /// If the store cannot say, what it keeps is no game, or too much is asked for.
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
                // What is shown of a long game is long.
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

    /// The table of a game for somebody who has a seat there; `None` if he has none.
    ///
    /// # Errors
    /// If the store cannot say, what it keeps is no game, or too much is asked for.
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

    /// Counts whoever is told all of a long game, because the last event that he has seen is long ago; and has the plies
    /// written that he is told.
    ///
    /// # Errors
    /// If he asks too often, or too much waits.
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

    /// Does something for somebody who reads a game, where games are read.
    ///
    /// # Errors
    /// If too much waits.
    pub(crate) async fn read_aside<T: Send + 'static>(
        &self,
        owner: WorkOwner,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        self.loader.readers.run(owner, work).await
    }

    /// Reads a game as it is kept, and shows it to somebody on the thread where it was read. It is held in memory
    /// until then, and its journal only in parts.
    ///
    /// # Errors
    /// If the store cannot say, what it keeps is no game, or too much is asked for.
    pub(crate) async fn read_game<T: Send + 'static>(
        self: &Arc<Server>,
        owner: WorkOwner,
        id: GameId,
        show: impl FnOnce(LiveGame) -> T + Send + 'static,
    ) -> Result<Option<T>, GameError> {
        let (house, runtime) = (Arc::clone(self), Handle::current());
        let read = self.loader.readers.run(owner, move |cancel| {
            Ok::<_, GameError>(fold(&house, &runtime, id, cancel)?.map(show))
        });
        read.await?
    }
}

/// Folds a game part by part; nothing, if there is none or nobody waits for it any more.
fn fold(
    house: &Server,
    runtime: &Handle,
    id: GameId,
    cancel: &Cancel,
) -> Result<Option<LiveGame>, GameError> {
    let Some(head) = runtime.block_on(house.store.heads(vec![id]))?.pop() else {
        return Ok(None);
    };
    let mut core = LiveGame::begin(&head.row, &head.opening, head.seats)?;
    loop {
        let after = core.game.seq();
        let part = house.store.decisions(id, after, DECISIONS_PER_READ);
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

/// The seat that somebody holds.
pub(crate) fn seat_in(seats: &SeatHolders, holder: Holder) -> Option<Color> {
    Color::ALL
        .into_iter()
        .find(|&color| seats.of(seat(color)) == Some(holder))
}
