//! The conformance suite on PostgreSQL, in a schema of its own for each test, and tests that lists are read by
//! indexes. They need a database (`.ci/services`). Crashes of the database are tested in `tests/`.

use std::sync::Arc;

use tokio_postgres::{Client, NoTls};

use crate::conformance::sample::{append, game, game_id, guest, person_id};
use crate::conformance::{StoreFixture, at_once};
use crate::postgres::lists::JOIN_SQL;
use crate::postgres::migrate::{MigrationError, Script, migrate};
use crate::postgres::{ConnectError, Postgres, StoreNotification};
use crate::{
    AppendResult, BackupError, Error, GamePhase, GameQuery, Holder, OUTAGE_THRESHOLD_MILLIS,
    Overwrite, Store, game_list_sql,
};

/// The address of the test database; without one the tests are skipped.
fn address() -> Option<String> {
    let address = std::env::var("TOUCHMOVE_TEST_POSTGRES").ok();
    if address.is_none() {
        let is_needed = std::env::var_os("CI").is_some();
        assert!(
            !is_needed,
            "TOUCHMOVE_TEST_POSTGRES is not set: run .ci/services"
        );
        println!("skipped: TOUCHMOVE_TEST_POSTGRES is not set");
    }
    address
}

/// A schema for one test, dropped afterwards.
struct Schema(Option<String>);

impl Schema {
    fn new(name: &str) -> Schema {
        if address().is_none() {
            return Schema(None);
        }
        // PostgreSQL truncates names to 63 bytes.
        let name: String = name.chars().take(40).collect();
        let schema = Schema(Some(format!("t{}_{name}", std::process::id())));
        schema.run(|name| format!("CREATE SCHEMA {name}"));
        schema
    }

    fn address(&self) -> Option<String> {
        let (address, schema) = (address()?, self.0.as_ref()?);
        Some(format!("{address}?options=-c%20search_path%3D{schema}"))
    }

    fn open_store(&self) -> Postgres {
        Postgres::open(&self.address().unwrap()).unwrap()
    }

    /// Runs a statement about the schema, on a thread of its own because a fixture has no runtime.
    fn run(&self, sql: impl Fn(&str) -> String) {
        let Some(schema) = &self.0 else { return };
        let sql = sql(schema);
        let statement = async move {
            let client = connect(&address().unwrap()).await;
            client.batch_execute(&sql).await.unwrap();
        };
        let thread = std::thread::spawn(|| runtime().block_on(statement));
        thread.join().unwrap();
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        self.run(|name| format!("DROP SCHEMA {name} CASCADE"));
    }
}

impl StoreFixture for Schema {
    fn open(&self) -> Arc<dyn Store> {
        Arc::new(self.open_store())
    }

    fn is_missing(&self) -> bool {
        self.0.is_none()
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

async fn connect(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    drop(tokio::spawn(connection));
    client
}

crate::conformance!(Schema::new);

/// Runs a test of this store alone, unless there is no database.
fn with_schema(name: &str, test: impl AsyncFnOnce(&Schema)) {
    let schema = Schema::new(name);
    if !schema.is_missing() {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(test(&schema));
    }
}

const THREE: &[Script] = &[
    Script {
        sql: "CREATE TABLE moves (san text); INSERT INTO moves VALUES ('e4')",
        oldest: 1,
    },
    Script {
        sql: "ALTER TABLE moves ADD COLUMN uci text; UPDATE moves SET uci = 'e2e4'",
        oldest: 1,
    },
    Script {
        sql: "ALTER TABLE moves DROP COLUMN san",
        oldest: 3,
    },
];

async fn version(db: &Client) -> i32 {
    let sql = "SELECT max(version) FROM touchmove_versions";
    db.query_one(sql, &[]).await.unwrap().get(0)
}

#[test]
fn tables_of_every_version_come_to_the_newest_and_a_failure_changes_nothing() {
    with_schema("migrate", async |schema| {
        let mut db = connect(&schema.address().unwrap()).await;
        for at in 1..=3 {
            migrate(&mut db, &THREE[..at]).await.unwrap();
            migrate(&mut db, &THREE[..at]).await.unwrap();
            assert_eq!(version(&db).await, at as i32);
        }
        let row = db.query_one("SELECT uci FROM moves", &[]).await.unwrap();
        assert_eq!(row.get::<_, &str>(0), "e2e4");
    });
    with_schema("migrate_failure", async |schema| {
        let mut db = connect(&schema.address().unwrap()).await;
        migrate(&mut db, &THREE[..1]).await.unwrap();
        let sql = "CREATE TABLE one (x int); CREATE TABLE moves (x int)";
        let broken = Script { sql, oldest: 1 };
        let first = Script {
            sql: THREE[0].sql,
            oldest: 1,
        };
        let failed = migrate(&mut db, &[first, broken]).await;
        assert!(
            matches!(failed, Err(MigrationError::Failed(_))),
            "{failed:?}"
        );
        assert_eq!(version(&db).await, 1);
        let one = "SELECT to_regclass('one') IS NULL";
        let is_missing: bool = db.query_one(one, &[]).await.unwrap().get(0);
        assert!(is_missing, "half of a script");
    });
}

#[test]
fn an_older_node_works_beside_a_newer_one_until_it_cannot() {
    with_schema("older", async |schema| {
        let mut db = connect(&schema.address().unwrap()).await;
        migrate(&mut db, &THREE[..2]).await.unwrap();
        migrate(&mut db, &THREE[..1]).await.unwrap();
        assert_eq!(version(&db).await, 2);
        migrate(&mut db, THREE).await.unwrap();
        for known in 1..=2 {
            let refused = migrate(&mut db, &THREE[..known]).await;
            let Err(MigrationError::Newer { found: 3, known: n }) = refused else {
                panic!("{refused:?}");
            };
            assert_eq!(n, known as i32);
        }
    });
}

#[test]
fn tables_of_a_newer_touchmove_or_another_program_are_refused() {
    with_schema("foreign", async |schema| {
        let address = schema.address().unwrap();
        let db = connect(&address).await;
        db.batch_execute("CREATE TABLE recipes (x int)")
            .await
            .unwrap();
        let refused = Postgres::open(&address).unwrap_err();
        assert!(
            matches!(refused, ConnectError::NotAStore { .. }),
            "{refused}"
        );
        db.batch_execute("DROP TABLE recipes").await.unwrap();
        drop(Postgres::open(&address).unwrap());
        db.batch_execute("INSERT INTO touchmove_versions VALUES (99, 98, now())")
            .await
            .unwrap();
        let refused = Postgres::open(&address).unwrap_err();
        assert!(
            matches!(refused, ConnectError::Newer { found: 99, .. }),
            "{refused}"
        );
        assert!(refused.to_string().contains("version 99"), "{refused}");
    });
}

#[test]
fn every_list_of_games_walks_down_an_index() {
    with_schema("walks", async |schema| {
        let store = schema.open_store();
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
                        assert_walks_down_indexes(&store, &query).await;
                    }
                }
            }
        }
    });
}

async fn assert_walks_down_indexes(store: &Postgres, query: &GameQuery) {
    let mut sql = format!(
        "EXPLAIN (COSTS OFF) {}",
        game_list_sql::statement(query, JOIN_SQL)
    );
    let values = [
        (":created", "1"),
        (":id", "'x'"),
        (":limit", "10"),
        (":person", "'x'"),
        (":holder", "'x'"),
        (":variant", "'x'"),
        (":phase", "1"),
    ];
    for (name, value) in values {
        sql = sql.replace(name, value);
    }
    let plan: Vec<String> = store
        .ask(move |db| {
            Box::pin(async move {
                let rows = db.query(&sql, &[]).await?;
                Ok(rows.iter().map(|row| row.get(0)).collect())
            })
        })
        .await
        .unwrap();
    let plan = plan.join("\n");
    assert!(!plan.contains("Seq Scan"), "{query:?}: {plan}");
    let index = match (query.holder, query.person) {
        (Some(Holder::Person(_)), _) => "using seats_of_person",
        (Some(Holder::Guest(_)), _) => "using seats_of_guest",
        (None, Some(_)) => "using games_of_",
        (None, None) if query.variant.is_some() => "using games_by_variant",
        (None, None) => "using games_by_phase",
    };
    let is_of_somebody = query.person.is_some() || query.holder.is_some();
    let seats = if is_of_somebody { 2 } else { 1 };
    let phases = if query.phase.is_some() { 1 } else { 3 };
    // The scan uses the index for the cursor too, not only for the phase.
    let walks = (plan.matches(index).count(), plan.matches("(ROW(").count());
    assert_eq!(walks, (seats * phases, seats * phases), "{query:?}: {plan}");
}

#[test]
fn nodes_that_open_at_once_and_decide_the_same_games_agree() {
    with_schema("nodes", async |schema| {
        let address = schema.address().unwrap();
        let opened: Vec<_> = (0..3)
            .map(|_| {
                let address = address.clone();
                std::thread::spawn(move || Postgres::open(&address).unwrap())
            })
            .collect();
        let nodes: Vec<_> = opened
            .into_iter()
            .map(|node| Arc::new(node.join().unwrap()))
            .collect();
        for n in 0..20 {
            nodes[0].create_game(game(n)).await.unwrap();
        }
        // Each node has the games in another order; each appends 10 decisions to each game.
        at_once(60, |caller| {
            let node = Arc::clone(&nodes[usize::try_from(caller % 3).unwrap()]);
            let n = (caller / 3 * 7 + caller % 3) % 20;
            async move {
                let mut known = 0;
                for deed in 0..10 {
                    let mark = u128::from(caller * 100 + deed + 1);
                    loop {
                        match node
                            .append_decision(append(game_id(n), known + 1, mark))
                            .await
                        {
                            Ok(AppendResult::Written) => break known += 1,
                            Ok(AppendResult::Behind { last, .. }) => known = last,
                            other => panic!("{other:?}"),
                        }
                    }
                }
            }
        })
        .await;
        for found in nodes[1]
            .load_games((0..20).map(game_id).collect())
            .await
            .unwrap()
        {
            let numbers: Vec<_> = found.decisions.iter().map(|deed| deed.first).collect();
            assert_eq!(numbers, (1..=found.last()).collect::<Vec<_>>());
            assert_eq!(u64::from(found.row.summary.plies), found.last());
        }
    });
}

#[test]
fn a_node_hears_what_another_one_writes() {
    with_schema("news", async |schema| {
        let (here, there) = (schema.open_store(), schema.open_store());
        let (mut heard, mut own) = (here.listen(), there.listen());
        assert_eq!(heard.next().await, Some(StoreNotification::Gap));
        assert_eq!(own.next().await, Some(StoreNotification::Gap));
        // The connections for notifications are up now.
        assert_eq!(heard.next().await, Some(StoreNotification::Gap));
        assert_eq!(own.next().await, Some(StoreNotification::Gap));
        there.create_game(game(1)).await.unwrap();
        for first in 1..=40 {
            let deed = append(game_id(1), first, u128::from(first));
            there.append_decision(deed).await.unwrap();
        }
        let mut newest = 0;
        while newest < 40 {
            let Some(StoreNotification::Written { game, last }) = heard.next().await else {
                panic!("a gap, or the end");
            };
            assert_eq!(game, game_id(1));
            assert!(last >= newest);
            newest = last;
        }
        drop(there);
        assert_eq!(own.next().await, None, "nobody hears himself");
    });
}

#[test]
fn a_game_that_somebody_locks_is_busy_and_the_others_of_its_batch_are_written() {
    with_schema("locked", async |schema| {
        let store = Arc::new(schema.open_store());
        for n in 0..8 {
            store.create_game(game(n)).await.unwrap();
        }
        let mut other = connect(&schema.address().unwrap()).await;
        let locked = other.transaction().await.unwrap();
        let lock = "SELECT key FROM games WHERE id = '00000003' FOR UPDATE";
        locked.query(lock, &[]).await.unwrap();
        let answers = at_once(8, |n| {
            let store = Arc::clone(&store);
            async move { store.append_decision(append(game_id(n), 1, 1)).await }
        })
        .await;
        for (n, answer) in answers.into_iter().enumerate() {
            let expected = if n == 3 {
                Err(Error::Busy)
            } else {
                Ok(AppendResult::Written)
            };
            assert_eq!(answer, expected, "game {n}");
        }
        locked.rollback().await.unwrap();
        let again = store.append_decision(append(game_id(3), 1, 1)).await;
        assert_eq!(again, Ok(AppendResult::Written));
    });
}

#[test]
fn a_silence_is_written_down_once_by_the_beat_that_ends_it() {
    with_schema("silence", async |schema| {
        let (one, other) = (Arc::new(schema.open_store()), schema.open_store());
        assert_eq!(one.heartbeat().await.unwrap().before, None);
        other.heartbeat().await.unwrap();
        assert!(other.heartbeat_gaps(0).await.unwrap().is_empty());
        for _ in 0..2 {
            schema.run(|name| format!("UPDATE {name}.heartbeat SET at = at - 10000"));
            let beats = at_once(8, |_| {
                let one = Arc::clone(&one);
                async move { one.heartbeat().await }
            })
            .await;
            let ends: Vec<_> = beats
                .iter()
                .flatten()
                .filter(|beat| beat.gap() > OUTAGE_THRESHOLD_MILLIS)
                .collect();
            assert_eq!(ends.len(), 1, "{beats:?}");
            let known = other.heartbeat_gaps(0).await.unwrap();
            let last = known.last().unwrap();
            assert_eq!((Some(last.from), last.until), (ends[0].before, ends[0].at));
        }
        let known = one.heartbeat_gaps(0).await.unwrap();
        assert_eq!(known.len(), 2);
        assert_eq!(
            one.heartbeat_gaps(known[0].number).await.unwrap(),
            known[1..]
        );
    });
}

#[test]
fn a_node_hears_what_another_one_says() {
    with_schema("says", async |schema| {
        let (one, other) = (schema.open_store(), schema.open_store());
        let mut listener = one.listen();
        drop(other.listen());
        other.set_notify(true);
        other.create_game(game(1)).await.unwrap();
        // A new listener may miss notifications, so the message is repeated until it arrives.
        let heard = loop {
            other.notify_nodes("good morning".to_owned());
            let next = listener.next();
            let heard = tokio::time::timeout(std::time::Duration::from_millis(200), next).await;
            match heard {
                Ok(Some(StoreNotification::Gap)) | Err(_) => {}
                Ok(news) => break news,
            }
        };
        assert_eq!(
            heard,
            Some(StoreNotification::Said("good morning".to_owned()))
        );
    });
}

#[test]
fn a_backup_is_made_while_the_store_is_open_and_overwrites_nothing() {
    let schema = Schema::new("a_backup");
    let Some(address) = schema.address() else {
        return;
    };
    let store = schema.open_store();
    let file = std::env::temp_dir().join(format!("touchmove-{}.dump", std::process::id()));
    Postgres::dump(&address, &file, Overwrite::Never).unwrap();
    let made = std::fs::read(&file).unwrap();
    assert!(made.starts_with(b"PGDMP"), "pg_dump's own format");
    let table = b"decisions".as_slice();
    assert!(made.windows(table.len()).any(|found| found == table));
    let again = Postgres::dump(&address, &file, Overwrite::Never);
    assert!(
        matches!(again, Err(BackupError::Exists { .. })),
        "{again:?}"
    );
    Postgres::dump(&address, &file, Overwrite::Yes).unwrap();
    std::fs::remove_file(file).unwrap();
    drop(store);
}
