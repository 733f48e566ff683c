//! Deadlines: flags fall on time. Each table whose clock runs has a task that sleeps until the deadline; it does not
//! wake for moves, but checks the clock again when the flag would have fallen.

use std::sync::Arc;
use std::time::Duration;

use touchmove_game::{ArbiterAction, Timestamp};
use touchmove_store::GameId;

use crate::Server;
use crate::clock::to_moment;
use crate::games::new_game::OPEN_SEAT_TTL_MILLIS;
use crate::games::table::{DUE_GRACE_MILLIS, GameError, Table};
use crate::spawn::{catch_panic, spawn_boxed};

/// How long after a deadline the flag falls, in milliseconds: a move that arrived in time may still wait for its
/// turn. The event has the time of the deadline.
const FLAG_GRACE_MILLIS: u64 = 100;
/// Clocks with more time left have no task here: the store says when they are due.
const MAX_WATCHED_MILLIS: u64 = 120_000;
/// Games in one batch of the sweep.
const SWEEP_BATCH: usize = 200;
/// How long a swept game is leased to one node.
const SWEEP_LEASE: Duration = Duration::from_secs(10);

impl Server {
    /// Starts the task that watches the clock of this table, if none runs.
    pub(crate) fn watch_clock(self: &Arc<Server>, table: &Arc<Table>, deadline: Option<Timestamp>) {
        let is_near = |deadline: Timestamp| deadline.since(self.now()).0 < MAX_WATCHED_MILLIS;
        if deadline.is_some_and(is_near) && table.set_watched() {
            spawn_boxed(watch(Arc::clone(self), Arc::clone(table)));
        }
    }
}

/// Watches a clock until it stops or has much time left.
async fn watch(server: Arc<Server>, table: Arc<Table>) {
    loop {
        let deadline = table.lock().await.game.deadline();
        let Some(left) = deadline.map(|deadline| deadline.since(server.now()).0) else {
            break;
        };
        if left >= MAX_WATCHED_MILLIS {
            break;
        }
        tokio::time::sleep(Duration::from_millis(left + FLAG_GRACE_MILLIS)).await;
        if let Err(trouble) = table.tick(&server).await {
            tracing::warn!(game = %table.id(), %trouble, "a flag could not be called");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
    table.clear_watched();
    // A deadline set since the last check found this task still registered.
    let deadline = table.lock().await.game.deadline();
    server.watch_clock(&table, deadline);
}

/// Sweeps games that are due and in nobody's memory.
pub(crate) async fn sweep(server: &Arc<Server>) {
    let due = server
        .store
        .lease_due_games(server.pulse.to_moment(), SWEEP_LEASE, SWEEP_BATCH)
        .await;
    let due = match due {
        Ok(due) => due,
        Err(error) => {
            tracing::warn!(%error, "the sweep of due games failed");
            return;
        }
    };
    for game in due {
        // A game that makes the program panic is logged and skipped, so that the others are still swept.
        let swept = catch_panic("the sweep of a due game", sweep_one(server, game.game)).await;
        if swept.is_none() {
            tracing::error!(game = %game.game, "a due game could not be attended to");
        }
    }
}

/// Handles one due game.
async fn sweep_one(server: &Arc<Server>, id: GameId) {
    let table = match server.table(id).await {
        Ok(Some(table)) => table,
        Ok(None) => return,
        Err(trouble) => {
            tracing::error!(game = %id, %trouble, "a due game could not be read");
            return;
        }
    };
    if let Err(trouble) = on_deadline(server, &table).await {
        tracing::warn!(game = %id, %trouble, "a due game could not be attended to");
        return;
    }
    let mut core = table.lock().await;
    core.forget_due();
    let next = match (core.game.ending(), core.game.flag(), core.open_seat()) {
        (Some(_), ..) => None,
        (None, Some(_), _) => Some(server.now().0 + 2_000),
        (None, None, Some(_)) => Some(core.game.started().0 + OPEN_SEAT_TTL_MILLIS),
        (None, None, None) => core
            .game
            .deadline()
            .map(|deadline| deadline.0 + DUE_GRACE_MILLIS),
    };
    let (seen, next) = (core.game.seq(), next.map(|at| to_moment(Timestamp(at))));
    drop(core);
    if let Err(error) = server.store.set_due(id, seen, next).await {
        tracing::warn!(game = %id, %error, "a due game could not be armed again");
    }
}

/// Does what is due: a flag falls, or a table whose open seat nobody took is aborted.
async fn on_deadline(server: &Arc<Server>, table: &Arc<Table>) -> Result<(), GameError> {
    table.tick(server).await?;
    let core = table.lock().await;
    let waits = core
        .open_seat()
        .map(|_| server.now().since(core.game.started()));
    let is_over = core.game.ending().is_some();
    drop(core);
    if !is_over && waits.is_some_and(|waits| waits.0 >= OPEN_SEAT_TTL_MILLIS) {
        let reason = "nobody sat down in the open seat".to_owned();
        table
            .apply_arbiter_action(server, &ArbiterAction::Abort { reason })
            .await?;
    }
    Ok(())
}
