//! Failures of PostgreSQL: connections cut under load, a server that is killed and restarted. Nothing answered
//! is lost, nothing is written twice, and the store recovers by itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio_postgres::NoTls;
use touchmove_store::{AppendResult, Error, Postgres, Store};

use crate::support::{Folder, append, game, id};

/// Games that are played.
const TABLES: u64 = 24;

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

async fn run(address: &str, sql: &str) {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    drop(tokio::spawn(connection));
    client.batch_execute(sql).await.unwrap();
}

/// Plays all games until it is stopped. A decision that failed is retried with the same write id, as a server
/// does. It counts the answers of each game, and the errors.
struct Play {
    is_over: Arc<AtomicBool>,
    tables: Vec<tokio::task::JoinHandle<u64>>,
    errors: Arc<AtomicU64>,
    answers: Arc<AtomicU64>,
}

impl Play {
    async fn begin(store: &Arc<Postgres>) -> Play {
        let mut play = Play {
            is_over: Arc::default(),
            tables: Vec::new(),
            errors: Arc::default(),
            answers: Arc::default(),
        };
        for table in 0..TABLES {
            store.create_game(game(table)).await.unwrap();
            let store = Arc::clone(store);
            let is_over = Arc::clone(&play.is_over);
            let (errors, answers) = (Arc::clone(&play.errors), Arc::clone(&play.answers));
            play.tables.push(tokio::spawn(async move {
                let mut next = 1;
                while !is_over.load(Ordering::Relaxed) {
                    let asked = Instant::now();
                    match store.append_decision(append(table, next, "e4")).await {
                        Ok(AppendResult::Written | AppendResult::Already) => {
                            answers.fetch_add(1, Ordering::Relaxed);
                            next += 1;
                        }
                        Err(Error::Busy | Error::Failed(_)) => {
                            errors.fetch_add(1, Ordering::Relaxed);
                            assert!(
                                asked.elapsed() < Duration::from_secs(15),
                                "it was not quick"
                            );
                            tokio::time::sleep(Duration::from_millis(20)).await;
                        }
                        other => panic!("table {table}, event {next}: {other:?}"),
                    }
                }
                next - 1
            }));
        }
        play
    }

    /// Waits until this many more decisions were answered.
    async fn more(&self, count: u64) {
        let wanted = self.answers.load(Ordering::Relaxed) + count;
        let began = Instant::now();
        while self.answers.load(Ordering::Relaxed) < wanted {
            assert!(
                began.elapsed() < Duration::from_secs(60),
                "it does not go on"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Stops, and compares what was answered with what is stored.
    async fn end(self, store: &Postgres) {
        self.is_over.store(true, Ordering::Relaxed);
        let mut answered = Vec::new();
        for table in self.tables {
            answered.push(table.await.unwrap());
        }
        let games = store
            .load_games((0..TABLES).map(id).collect())
            .await
            .unwrap();
        assert_eq!(games.len(), answered.len());
        for (game, answered) in games.iter().zip(answered) {
            let numbers: Vec<_> = game.decisions.iter().map(|deed| deed.first).collect();
            assert_eq!(numbers, (1..=game.last()).collect::<Vec<_>>());
            let marks: Vec<_> = game.decisions.iter().map(|deed| deed.mark.0).collect();
            assert_eq!(marks, (1..=u128::from(game.last())).collect::<Vec<_>>());
            // The last write may have been cancelled after an error, and be stored all the same.
            let last = game.last();
            assert!(
                (answered..=answered + 1).contains(&last),
                "{answered} answered, {last} there"
            );
            assert_eq!(
                u64::from(game.row.summary.plies),
                last,
                "all of it or nothing"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_are_cut_under_load_lose_and_double_nothing() {
    let Some(address) = address() else { return };
    let name = format!("cut_{}", std::process::id());
    run(&address, &format!("CREATE SCHEMA {name}")).await;
    let own = format!("{address}?options=-c%20search_path%3D{name}&application_name={name}");
    let store = Arc::new(Postgres::open(&own).unwrap());
    let play = Play::begin(&store).await;
    for _ in 0..25 {
        play.more(100).await;
        let cut = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}'"
        );
        run(&address, &cut).await;
    }
    play.more(100).await;
    let errors = play.errors.load(Ordering::Relaxed);
    assert!(errors > 0, "nothing was cut");
    play.end(&store).await;
    drop(store);
    run(&address, &format!("DROP SCHEMA {name} CASCADE")).await;
}

/// A PostgreSQL server of the test's own, which may be killed.
struct Private(PathBuf);

impl Private {
    fn services(arguments: &[&str], folder: &Path) -> String {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.ci/services");
        let mut command = Command::new(script);
        command.arg(arguments[0]).arg(folder).args(&arguments[1..]);
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {text}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn address(environment: &str) -> String {
        let (_, rest) = environment.split_once("TOUCHMOVE_TEST_POSTGRES='").unwrap();
        rest.split_once('\'').unwrap().0.to_owned()
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        Private::services(&["stop"], &self.0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_killed_and_comes_back_has_everything_that_was_answered() {
    if address().is_none() {
        return;
    }
    let folder = Folder::new("killed");
    open_to_all(&folder.file(""));
    let private = Private(folder.file("services"));
    let address = Private::address(&Private::services(&["start"], &private.0));
    let store = Arc::new(Postgres::open(&address).unwrap());
    let play = Play::begin(&store).await;
    for _ in 0..3 {
        play.more(300).await;
        Private::services(&["kill", "postgres"], &private.0);
        let dead = Instant::now();
        let answer = store.now().await;
        assert!(
            matches!(answer, Err(Error::Busy | Error::Failed(_))),
            "{answer:?}"
        );
        assert!(dead.elapsed() < Duration::from_secs(8), "it was not quick");
        Private::services(&["again", "postgres"], &private.0);
    }
    play.more(300).await;
    assert!(play.errors.load(Ordering::Relaxed) > 0, "nobody noticed");
    play.end(&store).await;
}

/// Makes a folder accessible to everybody: the database does not run as root.
fn open_to_all(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).unwrap();
}
