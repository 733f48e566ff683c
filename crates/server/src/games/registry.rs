//! The registry of tables in memory: those in use, and a bounded number of plies of idle ones.
//! `loader` brings games here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use touchmove_store::GameId;

use crate::games::table::Table;
use crate::lock_ext::LockExt as _;

/// Plies in idle games; beyond that they are evicted at once. A ply takes about 500 bytes, so this is 100 MB.
const MAX_IDLE_PLIES: usize = 200_000;
/// The memory of a table beside its plies, in plies.
const PLIES_PER_TABLE: usize = 16;
/// All tables are checked each time this fraction of the limit has come into memory.
const CHECKS_PER_BOUND: usize = 8;

/// The tables that are in memory.
pub struct TableRegistry {
    max_idle_plies: usize,
    live: Mutex<Live>,
}

impl Default for TableRegistry {
    fn default() -> TableRegistry {
        TableRegistry::with_idle_plies(MAX_IDLE_PLIES)
    }
}

#[derive(Default)]
struct Live {
    tables: HashMap<GameId, Entry>,
    /// The number of lookups so far.
    uses: u64,
    /// Plies loaded since all tables were checked.
    plies_since_check: usize,
}

struct Entry {
    table: Arc<Table>,
    /// The number of its latest lookup.
    used: u64,
}

impl Entry {
    /// A table in use has other handles, and a new handle is only given out under the lock.
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.table) == 1
    }
}

impl TableRegistry {
    /// A registry that keeps at most so many plies of idle tables.
    fn with_idle_plies(max_idle_plies: usize) -> TableRegistry {
        TableRegistry {
            max_idle_plies,
            live: Mutex::default(),
        }
    }

    /// The number of tables in memory.
    #[must_use]
    pub fn count(&self) -> usize {
        self.live.locked().tables.len()
    }

    /// A table, if it is in memory.
    #[must_use]
    pub fn get(&self, id: GameId) -> Option<Arc<Table>> {
        let mut live = self.live.locked();
        let used = live.next_use();
        let entry = live.tables.get_mut(&id)?;
        entry.used = used;
        Some(Arc::clone(&entry.table))
    }

    /// All tables in memory.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<Table>> {
        let live = self.live.locked();
        let tables = live.tables.values();
        tables.map(|entry| Arc::clone(&entry.table)).collect()
    }

    /// Registers a table; if another task was faster, returns that one's. Evicts what exceeds the limit.
    pub(crate) fn insert(&self, table: Table) -> Arc<Table> {
        let plies = plies_of(&table).0;
        let mut live = self.live.locked();
        let used = live.next_use();
        live.plies_since_check += plies;
        let entry = live.tables.entry(table.id()).or_insert_with(|| Entry {
            table: Arc::new(table),
            used,
        });
        entry.used = used;
        let table = Arc::clone(&entry.table);
        let mut forgotten = Vec::new();
        if live.plies_since_check > self.max_idle_plies / CHECKS_PER_BOUND {
            live.plies_since_check = 0;
            forgotten = live.forget_idle(self.max_idle_plies);
        }
        // A long game takes a while to drop.
        drop(live);
        drop(forgotten);
        table
    }

    /// Evicts the idle tables: no connection, no clock that is watched.
    pub(crate) fn evict_idle(&self) -> usize {
        let forgotten = self.live.locked().forget_idle(0);
        forgotten.len()
    }
}

impl Live {
    const fn next_use(&mut self) -> u64 {
        self.uses += 1;
        self.uses
    }

    /// Takes idle tables out of the map until at most `max_plies` plies of them are left: first finished games, then
    /// the least recently used.
    fn forget_idle(&mut self, max_plies: usize) -> Vec<Arc<Table>> {
        let idle = self.tables.iter().filter(|(_, entry)| entry.is_idle());
        let mut idle: Vec<(bool, u64, GameId, usize)> = idle
            .map(|(&id, entry)| {
                let (plies, is_over) = plies_of(&entry.table);
                (!is_over, entry.used, id, plies)
            })
            .collect();
        idle.sort_unstable();
        let mut left: usize = idle.iter().map(|(.., plies)| plies).sum();
        let mut forgotten = Vec::new();
        for (_, _, id, plies) in idle {
            if left <= max_plies {
                break;
            }
            left -= plies;
            forgotten.extend(self.tables.remove(&id).map(|entry| entry.table));
        }
        forgotten
    }
}

/// The size of a table, in plies, and whether its game is over.
fn plies_of(table: &Table) -> (usize, bool) {
    let (plies, is_over) = table.extent();
    (plies + PLIES_PER_TABLE, is_over)
}

#[cfg(test)]
mod tests {
    use touchmove_game::{ArbiterAction, Players, Terms, Timestamp, journal};
    use touchmove_rules::Variant;
    use touchmove_store::{GameRow, GameSummary, Moment, SeatHolders};

    use super::*;
    use crate::games::table::LiveGame;

    /// A table whose game has this many plies, and is over or not.
    fn table(number: usize, plies: usize, is_over: bool) -> Table {
        let row = GameRow {
            id: format!("{number:08}").parse().unwrap(),
            created: Moment(0),
            summary: GameSummary::of("chess", "link"),
        };
        let opening = touchmove_game::Opening::of(
            Terms::of(Variant::Chess),
            Players::default(),
            Timestamp(0),
        );
        let mut core =
            LiveGame::begin(&row, journal::line(&opening).trim(), SeatHolders::default()).unwrap();
        for text in ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(plies) {
            let mv = core.game.read_move(text).unwrap();
            core.game.play_on(mv);
        }
        if is_over {
            let reason = "a test".to_owned();
            let events = core
                .game
                .order(Timestamp(1), &ArbiterAction::Abort { reason });
            core.game.evolve_all(&events.unwrap());
        }
        Table::of(core, Timestamp(0))
    }

    fn ids(tables: &TableRegistry) -> Vec<String> {
        let all = tables.all();
        let mut ids: Vec<_> = all.iter().map(|table| table.id().to_string()).collect();
        ids.sort();
        ids
    }

    #[test]
    fn long_games_that_nobody_uses_are_forgotten_as_others_come() {
        let tables = TableRegistry::with_idle_plies(1_000);
        for number in 0..100 {
            drop(tables.insert(table(number, 184, false)));
        }
        // Five fill the limit, and the newest is in use while it is inserted.
        assert_eq!(tables.count(), 6);
        assert_eq!(ids(&tables)[0], "00000094");
        assert_eq!(tables.evict_idle(), 6);
    }

    #[test]
    fn what_is_used_stays_and_what_is_over_goes_before_what_is_old() {
        let tables = TableRegistry::with_idle_plies(1_000);
        let used: Vec<_> = (0..20)
            .map(|number| tables.insert(table(number, 184, false)))
            .collect();
        assert_eq!(tables.count(), 20, "all are in use");
        drop(used.into_iter().skip(2).collect::<Vec<_>>());
        drop(tables.insert(table(20, 184, false)));
        // The two dropped here do not count as idle: their handles went first.
        let kept = ids(&tables);
        assert_eq!(kept[kept.len() - 1], "00000020");
        assert_eq!(tables.count(), 6);
        drop(tables.insert(table(21, 184, true)));
        drop(tables.get("00000016".parse().unwrap()));
        drop(tables.insert(table(22, 184, false)));
        // 21 is over, and 16 was used after 17.
        let kept = ["16", "17", "18", "19", "20", "22"].map(|number| format!("000000{number}"));
        assert_eq!(ids(&tables), kept);
        drop(tables.insert(table(23, 184, false)));
        assert!(!ids(&tables).contains(&"00000017".to_owned()));
    }
}
