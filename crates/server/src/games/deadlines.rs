//! Flags fall at their deadlines. Each table whose clock runs has somebody who sleeps until then; he does
//! not wake for moves, but looks at the clock again when he would have called the flag.

use std::sync::Arc;
use std::time::Duration;

use touchmove_game::{ArbiterAction, Timestamp};
use touchmove_store::GameId;

use crate::Server;
use crate::clock::to_moment;
use crate::games::new_game::OPEN_SEAT_TTL_MILLIS;
use crate::games::table::{DUE_GRACE_MILLIS, GameError, Table};
use crate::spawn::{catch_panic, spawn_boxed};

/// How long after a deadline the flag is called, in milliseconds: a move that arrived in time may still wait
/// for its turn. The fall bears the moment of the deadline.
const FLAG_GRACE_MILLIS: u64 = 100;
/// Clocks with more than this left are not watched here: the store says when they are due.
const MAX_WATCHED_MILLIS: u64 = 120_000;
/// Games that are swept at once.
const SWEEP_BATCH: usize = 200;
/// How long a swept game is left to one node.
const SWEEP_LEASE: Duration = Duration::from_secs(10);

impl Server {
    /// Sees to it that somebody calls the flag of this table.
    pub(crate) fn watch_clock(self: &Arc<Server>, table: &Arc<Table>, deadline: Option<Timestamp>) {
        let is_near = |deadline: Timestamp| deadline.since(self.now()).0 < MAX_WATCHED_MILLIS;
        if deadline.is_some_and(is_near) && table.set_watched() {
            spawn_boxed(watch(Arc::clone(self), Arc::clone(table)));
        }
    }
}

/// Watches a clock until it stands still or has a long time to go.
async fn watch(house: Arc<Server>, table: Arc<Table>) {
    loop {
        let deadline = table.lock().await.game.deadline();
        let Some(left) = deadline.map(|deadline| deadline.since(house.now()).0) else {
            break;
        };
        if left >= MAX_WATCHED_MILLIS {
            break;
        }
        tokio::time::sleep(Duration::from_millis(left + FLAG_GRACE_MILLIS)).await;
        if let Err(trouble) = table.tick(&house).await {
            tracing::warn!(game = %table.id(), %trouble, "a flag could not be called");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
    table.clear_watched();
    // Whatever happened between the last look and now has not found anybody watching.
    let deadline = table.lock().await.game.deadline();
    house.watch_clock(&table, deadline);
}

/// Looks at the games whose time has come while nobody had them in memory.
pub(crate) async fn sweep(house: &Arc<Server>) {
    let due = house
        .store
        .lease_due_games(house.pulse.to_moment(), SWEEP_LEASE, SWEEP_BATCH)
        .await;
    let due = match due {
        Ok(due) => due,
        Err(error) => {
            tracing::warn!(%error, "the sweep of due games failed");
            return;
        }
    };
    for game in due {
        // A game that makes the program panic is logged and passed over, so that the others are still swept.
        let swept = catch_panic("the sweep of a due game", sweep_one(house, game.game)).await;
        if swept.is_none() {
            tracing::error!(game = %game.game, "a due game could not be attended to");
        }
    }
}

/// Looks at one game whose time has come.
async fn sweep_one(house: &Arc<Server>, id: GameId) {
    let table = match house.table(id).await {
        Ok(Some(table)) => table,
        Ok(None) => return,
        Err(trouble) => {
            tracing::error!(game = %id, %trouble, "a due game could not be read");
            return;
        }
    };
    if let Err(trouble) = on_deadline(house, &table).await {
        tracing::warn!(game = %id, %trouble, "a due game could not be attended to");
        return;
    }
    let mut core = table.lock().await;
    core.forget_due();
    let next = match (core.game.ending(), core.game.flag(), core.open_seat()) {
        (Some(_), ..) => None,
        (None, Some(_), _) => Some(house.now().0 + 2_000),
        (None, None, Some(_)) => Some(core.game.started().0 + OPEN_SEAT_TTL_MILLIS),
        (None, None, None) => core
            .game
            .deadline()
            .map(|deadline| deadline.0 + DUE_GRACE_MILLIS),
    };
    let (seen, next) = (core.game.seq(), next.map(|at| to_moment(Timestamp(at))));
    drop(core);
    if let Err(error) = house.store.set_due(id, seen, next).await {
        tracing::warn!(game = %id, %error, "a due game could not be armed again");
    }
}

/// Does what the time asks for: a flag falls, and a table at which nobody sits down is cleared.
async fn on_deadline(house: &Arc<Server>, table: &Arc<Table>) -> Result<(), GameError> {
    table.tick(house).await?;
    let core = table.lock().await;
    let waits = core
        .open_seat()
        .map(|_| house.now().since(core.game.started()));
    let is_over = core.game.ending().is_some();
    drop(core);
    if !is_over && waits.is_some_and(|waits| waits.0 >= OPEN_SEAT_TTL_MILLIS) {
        let reason = "nobody sat down in the open seat".to_owned();
        table
            .apply_arbiter_action(house, &ArbiterAction::Abort { reason })
            .await?;
    }
    Ok(())
}
