//! The conformance suite on SQLite, and tests that lists are read by indexes. Crashes, full disks and damaged
//! files are tested in `tests/`.

use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::{Connection, ToSql};

use crate::conformance::StoreFixture;
use crate::conformance::sample::{guest, person_id};
use crate::sqlite::{Sqlite, lists, migrate};
use crate::{GamePhase, GameQuery, Holder, Store, game_list_sql};

/// A folder for one test, deleted afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let process = std::process::id();
        let folder = std::env::temp_dir().join(format!("touchmove-store-{process}-{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl StoreFixture for Folder {
    fn open(&self) -> Arc<dyn Store> {
        Arc::new(Sqlite::open(self.0.join("touchmove.db")).unwrap())
    }
}

crate::conformance!(Folder::new);

#[test]
fn every_list_of_games_walks_down_an_index() {
    let mut db = Connection::open_in_memory().unwrap();
    migrate::migrate(&mut db, migrate::MIGRATIONS).unwrap();
    let person = person_id(1);
    let whose = [
        (None, None),
        (Some(person), None),
        (None, Some(Holder::Person(person))),
        (None, Some(guest(1))),
        (Some(person), Some(guest(1))),
    ];
    for (person, holder) in whose {
        for variant in [None, Some("atomic".to_owned())] {
            for phase in [None, Some(GamePhase::Finished)] {
                for public in [false, true] {
                    let variant = variant.clone();
                    let query = GameQuery {
                        person,
                        holder,
                        variant,
                        phase,
                        public,
                    };
                    assert_walks_down_indexes(&db, &query);
                }
            }
        }
    }
}

fn assert_walks_down_indexes(db: &Connection, query: &GameQuery) {
    let sql = format!(
        "EXPLAIN QUERY PLAN {}",
        game_list_sql::statement(query, lists::JOIN_SQL)
    );
    let mut statement = db.prepare(&sql).unwrap();
    for name in [
        ":created", ":id", ":limit", ":person", ":holder", ":variant", ":phase",
    ] {
        if let Some(index) = statement.parameter_index(name).unwrap() {
            let value: &dyn ToSql = &1;
            statement.raw_bind_parameter(index, value).unwrap();
        }
    }
    let mut rows = statement.raw_query();
    let mut searches = 0;
    while let Some(row) = rows.next().unwrap() {
        let step: String = row.get(3).unwrap();
        let is_whole_table = step.contains("SCAN games") || step.contains("SCAN seats");
        assert!(!is_whole_table, "{query:?}: {step}");
        let index = match (query.holder, query.person) {
            (Some(Holder::Person(_)), _) => "seats USING COVERING INDEX seats_of_person",
            (Some(Holder::Guest(_)), _) => "seats USING COVERING INDEX seats_of_guest",
            (None, Some(_)) => "games USING INDEX games_of_",
            (None, None) => "games USING INDEX games_by_",
        };
        match step.strip_prefix("SEARCH ") {
            // The plies of a running game, from its newest decision.
            Some("newest USING PRIMARY KEY (game=?)") => {}
            // The game of a seat.
            Some(search) if search.starts_with("games USING INTEGER PRIMARY KEY") => {
                assert!(query.holder.is_some(), "{query:?}: {step}");
            }
            Some(search) => {
                searches += 1;
                assert!(search.starts_with(index), "{query:?}: {step}");
                // The search uses the index for the cursor too, not only for the phase.
                assert!(search.contains("created"), "{query:?}: {step}");
            }
            None => {}
        }
    }
    let is_of_somebody = query.person.is_some() || query.holder.is_some();
    let seats = if is_of_somebody { 2 } else { 1 };
    let phases = if query.phase.is_some() { 1 } else { 3 };
    assert_eq!(searches, seats * phases, "{query:?}");
}
