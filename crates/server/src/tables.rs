//! The tables of the house: found in memory or folded from the store, kept while somebody needs them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use touchmove_store::GameId;

use crate::House;
use crate::sync::Locked as _;
use crate::table::{Table, Trouble};

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

impl House {
    /// The table of a game; `None` if there is no such game.
    ///
    /// # Errors
    /// If the store cannot say, or what it keeps is no game.
    pub async fn table(self: &Arc<House>, id: GameId) -> Result<Option<Arc<Table>>, Trouble> {
        let table = match self.tables.live(id) {
            Some(table) => table,
            None => {
                let stored = self.store.load(vec![id]).await?;
                let Some(stored) = stored.first() else {
                    return Ok(None);
                };
                self.tables.insert(Table::open(stored, self.now())?)
            }
        };
        table.is_set_up_by(self).await?;
        Ok(Some(table))
    }

    /// The same with everything in it that was acknowledged by whichever node.
    ///
    /// # Errors
    /// If the store cannot say, or what it keeps is no game.
    pub async fn table_of_now(
        self: &Arc<House>,
        id: GameId,
    ) -> Result<Option<Arc<Table>>, Trouble> {
        let known = self.tables.live(id).filter(|_| self.bus.is_some());
        match known {
            None => self.table(id).await,
            Some(table) => {
                table.refresh(self).await?;
                Ok(Some(table))
            }
        }
    }
}
