//! Shared opens of a store that another process has open: both write, nothing is lost, and the shared one
//! neither locks the other out nor migrates its file.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use touchmove_store::{
    AddPersonResult, AppendResult, BackupError, Moment, OpenError, Overwrite, Person, PersonKind,
    Sqlite, Store,
};

use crate::support::{self, Folder, append, game, id};

fn person(n: u64) -> Person {
    Person {
        id: format!("p{n:07}").parse().unwrap(),
        name: format!("Person {n}"),
        skeleton: format!("person{n}"),
        kind: PersonKind::Human,
        password: None,
        created: Moment(n.cast_signed()),
        disabled: None,
    }
}

fn file_of_version_1(folder: &Folder) -> PathBuf {
    let path = folder.file("touchmove.db");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/1.sql");
    let db = Connection::open(&path).unwrap();
    db.execute_batch(&fs::read_to_string(script).unwrap())
        .unwrap();
    path
}

fn version(path: &Path) -> i64 {
    let db = Connection::open(path).unwrap();
    db.query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap()
}

/// Asserts that a write waits for at most one other, however much the others write. Two seconds are far more
/// than a disk takes for one write, and far less than SQLite's busy timeout.
async fn in_turn<T>(write: impl Future<Output = T>) -> T {
    let began = Instant::now();
    let written = write.await;
    let waited = began.elapsed();
    assert!(waited < Duration::from_secs(2), "it waited {waited:?}");
    written
}

/// The lock that a server of another version holds.
fn locked(path: &Path) -> File {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let lock = File::create(beside).unwrap();
    lock.try_lock().unwrap();
    lock
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_visitor_in_another_process_writes_while_games_are_played() {
    let folder = Folder::new("visit");
    let path = folder.file("touchmove.db");
    let store = Arc::new(Sqlite::open(&path).unwrap());
    let is_over = Arc::new(AtomicBool::new(false));
    let tables: Vec<_> = (0..16)
        .map(|table| {
            let (store, is_over) = (Arc::clone(&store), Arc::clone(&is_over));
            tokio::spawn(async move {
                store.create_game(game(table)).await.unwrap();
                let mut next = 1;
                while !is_over.load(Ordering::Relaxed) || next == 1 {
                    let deed = append(table, next, "e4");
                    let written = in_turn(store.append_decision(deed)).await;
                    assert_eq!(written, Ok(AppendResult::Written));
                    next += 1;
                }
                next - 1
            })
        })
        .collect();
    let visitor = support::again("shared_open::a_visitor_adds_people", &[("VISITED", &path)]);
    let output = tokio::task::spawn_blocking(|| visitor.wait_with_output());
    assert!(output.await.unwrap().unwrap().status.success());
    // A copy works too, without opening the store.
    Sqlite::copy(&path, folder.file("copy.db"), Overwrite::Never).unwrap();
    is_over.store(true, Ordering::Relaxed);
    for (table, task) in (0..).zip(tables) {
        let last = task.await.unwrap();
        let game = store.load_games(vec![id(table)]).await.unwrap().remove(0);
        assert_eq!(game.last(), last);
    }
    for n in 1..=100 {
        assert_eq!(store.person(person(n).id).await, Ok(Some(person(n))));
    }
    assert_eq!(store.check().await, Ok(Vec::new()));
    let copy = Sqlite::open(folder.file("copy.db")).unwrap();
    assert_eq!(copy.check().await, Ok(Vec::new()));
    assert_eq!(copy.list_people(None, 500).await.unwrap().len(), 100);
}

#[tokio::test]
#[ignore = "it is the other process of a test"]
async fn a_visitor_adds_people() {
    let Some(path) = std::env::var_os("VISITED") else {
        return;
    };
    let store = Sqlite::open_shared(path).unwrap();
    for n in 1..=100 {
        let added = in_turn(store.add_person(person(n))).await;
        assert_eq!(added, Ok(AddPersonResult::Written));
    }
}

#[tokio::test]
async fn a_visitor_that_is_killed_leaves_the_store_to_the_others() {
    let folder = Folder::new("killed-visitor");
    let path = folder.file("touchmove.db");
    let store = Sqlite::open(&path).unwrap();
    let mut visitor = support::again(
        "shared_open::a_visitor_writes_until_it_is_killed",
        &[("KILLED", &path)],
    );
    let lines = BufReader::new(visitor.stdout.take().unwrap()).lines();
    let written = lines
        .map_while(Result::ok)
        .filter(|line| line.contains("written"));
    assert_eq!(written.take(50).count(), 50);
    visitor.kill().unwrap();
    visitor.wait().unwrap();
    store.create_game(game(1)).await.unwrap();
    assert!(store.list_people(None, 500).await.unwrap().len() >= 50);
    assert_eq!(store.check().await, Ok(Vec::new()));
}

#[tokio::test]
#[ignore = "it is the other process of a test"]
async fn a_visitor_writes_until_it_is_killed() {
    let Some(path) = std::env::var_os("KILLED") else {
        return;
    };
    let store = Sqlite::open_shared(path).unwrap();
    for n in 0..100_000 {
        store.add_person(person(n)).await.unwrap();
        println!("written");
        std::io::stdout().flush().unwrap();
    }
}

#[tokio::test]
async fn who_visits_first_makes_the_store_and_keeps_nobody_out() {
    let folder = Folder::new("first-visit");
    let path = folder.file("a/b/touchmove.db");
    let visitor = Sqlite::open_shared(&path).unwrap();
    assert_eq!(
        visitor.add_person(person(1)).await,
        Ok(AddPersonResult::Written)
    );
    let server = Sqlite::open(&path).unwrap();
    let second = Sqlite::open_shared(&path).unwrap();
    assert_eq!(
        second.add_person(person(2)).await,
        Ok(AddPersonResult::Written)
    );
    assert_eq!(
        server.list_people(None, 10).await,
        Ok(vec![person(1), person(2)])
    );
    drop((visitor, second));
    assert!(matches!(Sqlite::open(&path), Err(OpenError::InUse { .. })));
    assert_eq!(
        server.add_person(person(3)).await,
        Ok(AddPersonResult::Written)
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn many_come_to_a_new_store_at_once() {
    let folder = Folder::new("many-visit");
    let path = folder.file("touchmove.db");
    let start = std::sync::Barrier::new(9);
    std::thread::scope(|scope| {
        let visits: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    start.wait();
                    Sqlite::open_shared(&path).map(drop)
                })
            })
            .collect();
        start.wait();
        let server = Sqlite::open(&path);
        for visit in visits {
            visit.join().unwrap().unwrap();
        }
        server.unwrap();
    });
}

#[test]
fn an_older_store_is_left_to_who_has_it_open_and_else_made_new() {
    let folder = Folder::new("older-visit");
    let path = file_of_version_1(&folder);
    let lock = locked(&path);
    let error = Sqlite::open_shared(&path).unwrap_err();
    assert!(
        matches!(error, OpenError::Older { found: 1, .. }),
        "{error}"
    );
    let sentence = error.to_string();
    assert!(sentence.contains("has version 1 and is in use by an older touchmove"));
    assert_eq!(version(&path), 1);
    // It can be copied all the same, in the version that it has.
    Sqlite::copy(&path, folder.file("copy.db"), Overwrite::Never).unwrap();
    assert_eq!(version(&folder.file("copy.db")), 1);
    drop(lock);
    drop(Sqlite::open_shared(&path).unwrap());
    assert_eq!(version(&path), 3);
}

#[test]
fn who_visits_while_a_store_is_made_waits_for_it() {
    let folder = Folder::new("waiting-visit");
    let path = file_of_version_1(&folder);
    let lock = locked(&path);
    let server = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        drop(lock);
    });
    drop(Sqlite::open_shared(&path).unwrap());
    server.join().unwrap();
}

#[test]
fn what_is_no_store_is_refused_untouched() {
    let folder = Folder::new("refused-visit");
    let text = folder.file("games.pgn");
    fs::write(&text, "1. e4 e5 *\n".repeat(100)).unwrap();
    let error = Sqlite::open_shared(&text).unwrap_err();
    assert!(matches!(error, OpenError::NotAStore { .. }), "{error}");
    assert_eq!(fs::read(&text).unwrap().len(), 1_100);
    let newer = folder.file("newer.db");
    drop(Sqlite::open(&newer).unwrap());
    let db = Connection::open(&newer).unwrap();
    db.pragma_update(None, "user_version", 1_000).unwrap();
    drop(db);
    let error = Sqlite::open_shared(&newer).unwrap_err();
    assert!(matches!(error, OpenError::Newer { .. }), "{error}");
    let copy = Sqlite::copy(folder.file("none.db"), folder.file("x"), Overwrite::Yes);
    let sentence = copy.unwrap_err().to_string();
    assert!(sentence.starts_with("there is no store "), "{sentence}");
    assert!(!folder.file("none.db").exists() && !folder.file("x").exists());
}

#[test]
fn a_copy_never_takes_the_place_of_the_store() {
    let folder = Folder::new("itself");
    let path = folder.file("touchmove.db");
    let store = Sqlite::open(&path).unwrap();
    let roundabout = folder.file("").join(".").join("touchmove.db");
    let (lock, turn) = (
        folder.file("touchmove.db.lock"),
        folder.file("touchmove.db.turn"),
    );
    for name in [&path, &roundabout, &lock, &turn] {
        let error = Sqlite::copy(&path, name, Overwrite::Yes).unwrap_err();
        assert!(matches!(error, BackupError::Itself { .. }), "{error}");
    }
    let other = folder.file("other.db");
    fs::write(&other, "notes").unwrap();
    let error = Sqlite::copy(&path, &other, Overwrite::Never).unwrap_err();
    assert!(matches!(error, BackupError::Exists { .. }), "{error}");
    assert_eq!(fs::read(&other).unwrap(), b"notes");
    Sqlite::copy(&path, &other, Overwrite::Yes).unwrap();
    drop(Sqlite::open(&other).unwrap());
    drop(store);
}

#[cfg(unix)]
#[tokio::test]
async fn what_root_makes_beside_a_store_of_somebody_else_is_theirs() {
    use std::os::unix::fs::{MetadataExt as _, chown};

    let folder = Folder::new("root");
    let path = folder.file("touchmove.db");
    drop(Sqlite::open(&path).unwrap());
    fs::remove_file(folder.file("touchmove.db.turn")).unwrap();
    let service = (61_234, 61_235);
    if chown(&path, Some(service.0), Some(service.1)).is_err() {
        eprintln!("skipped: a file cannot be given away here (that takes root)");
        return;
    }
    let visitor = Sqlite::open_shared(&path).unwrap();
    assert_eq!(
        visitor.add_person(person(1)).await,
        Ok(AddPersonResult::Written)
    );
    for tail in ["", "-wal", ".turn"] {
        let found = fs::metadata(folder.file(&format!("touchmove.db{tail}"))).unwrap();
        assert_eq!((found.uid(), found.gid()), service, "{tail}");
    }
}
