//! The tables in memory, kept while somebody needs them. How games come there is in `game_loader.rs`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use touchmove_store::GameId;

use crate::sync::Locked as _;
use crate::table::Table;

/// The tables that are in memory.
#[derive(Default)]
pub struct Tables {
    live: Mutex<HashMap<GameId, Arc<Table>>>,
}

impl Tables {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.live.locked().len()
    }

    /// The table in memory.
    #[must_use]
    pub fn live(&self, id: GameId) -> Option<Arc<Table>> {
        self.live.locked().get(&id).cloned()
    }

    /// All that are in memory.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<Table>> {
        self.live.locked().values().cloned().collect()
    }

    /// Puts a table where others find it; whoever was faster is kept.
    pub(crate) fn insert(&self, table: Table) -> Arc<Table> {
        let mut live = self.live.locked();
        let entry = live.entry(table.id());
        Arc::clone(entry.or_insert_with(|| Arc::new(table)))
    }

    /// Forgets the tables that nobody uses: no connection, no clock that is watched.
    pub(crate) fn tidy(&self) -> usize {
        let mut live = self.live.locked();
        let before = live.len();
        // Whoever uses a table has a handle of his own, and a new one is only given out under this lock.
        live.retain(|_, table| Arc::strong_count(table) > 1);
        before - live.len()
    }
}
