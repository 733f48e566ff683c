//! Flags fall at their deadlines. Each table whose clock runs has somebody who sleeps until then; he does
//! not wake for moves, but looks at the clock again when he would have called the flag.

use std::sync::Arc;
use std::time::Duration;

use touchmove_game::{Order, Timestamp};
use touchmove_store::GameId;

use crate::House;
use crate::clock::moment;
use crate::games::new_game::WAITS;
use crate::games::table::{GRACE, Table, Trouble};
use crate::spawn::{catch_panic, in_background};

/// How long after a deadline the flag is called, in milliseconds: a move that arrived in time may still wait
/// for its turn. The fall bears the moment of the deadline.
const PATIENCE: u64 = 100;
/// Clocks with more than this left are not watched here: the store says when they are due.
const FAR: u64 = 120_000;
/// Games that are swept at once.
const SWEPT: usize = 200;
/// How long a swept game is left to one node.
const LEASE: Duration = Duration::from_secs(10);

impl House {
    /// Sees to it that somebody calls the flag of this table.
    pub(crate) fn watch_clock(self: &Arc<House>, table: &Arc<Table>, deadline: Option<Timestamp>) {
        let is_near = |deadline: Timestamp| deadline.since(self.now()).0 < FAR;
        if deadline.is_some_and(is_near) && table.time() {
            in_background(watch(Arc::clone(self), Arc::clone(table)));
        }
    }
}

/// Watches a clock until it stands still or has a long time to go.
async fn watch(house: Arc<House>, table: Arc<Table>) {
    loop {
        let deadline = table.core().await.game.deadline();
        let Some(left) = deadline.map(|deadline| deadline.since(house.now()).0) else {
            break;
        };
        if left >= FAR {
            break;
        }
        tokio::time::sleep(Duration::from_millis(left + PATIENCE)).await;
        if let Err(trouble) = table.tick(&house).await {
            tracing::warn!(game = %table.id(), %trouble, "a flag could not be called");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
    table.untime();
    // Whatever happened between the last look and now has not found anybody watching.
    let deadline = table.core().await.game.deadline();
    house.watch_clock(&table, deadline);
}

/// Looks at the games whose time has come while nobody had them in memory.
pub(crate) async fn sweep(house: &Arc<House>) {
    let due = house.store.due(house.pulse.moment(), LEASE, SWEPT).await;
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
async fn sweep_one(house: &Arc<House>, id: GameId) {
    let table = match house.table(id).await {
        Ok(Some(table)) => table,
        Ok(None) => return,
        Err(trouble) => {
            tracing::error!(game = %id, %trouble, "a due game could not be read");
            return;
        }
    };
    if let Err(trouble) = attend(house, &table).await {
        tracing::warn!(game = %id, %trouble, "a due game could not be attended to");
        return;
    }
    let mut core = table.core().await;
    core.forget_due();
    let next = match (core.game.ending(), core.game.flag(), core.open_seat()) {
        (Some(_), ..) => None,
        (None, Some(_), _) => Some(house.now().0 + 2_000),
        (None, None, Some(_)) => Some(core.game.started().0 + WAITS),
        (None, None, None) => core.game.deadline().map(|deadline| deadline.0 + GRACE),
    };
    let (seen, next) = (core.game.seq(), next.map(|at| moment(Timestamp(at))));
    drop(core);
    if let Err(error) = house.store.rearm(id, seen, next).await {
        tracing::warn!(game = %id, %error, "a due game could not be armed again");
    }
}

/// Does what the time asks for: a flag falls, and a table at which nobody sits down is cleared.
async fn attend(house: &Arc<House>, table: &Arc<Table>) -> Result<(), Trouble> {
    table.tick(house).await?;
    let core = table.core().await;
    let waits = core
        .open_seat()
        .map(|_| house.now().since(core.game.started()));
    let is_over = core.game.ending().is_some();
    drop(core);
    if !is_over && waits.is_some_and(|waits| waits.0 >= WAITS) {
        let reason = "nobody sat down in the open seat".to_owned();
        table.order(house, &Order::Abort { reason }).await?;
    }
    Ok(())
}
