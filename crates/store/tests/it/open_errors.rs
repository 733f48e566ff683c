//! Files that cannot be opened as a store: each is refused with one sentence, and left as it is.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use touchmove_store::{OpenError, Sqlite, Store};

use crate::support::{self, Folder};

fn refusal(path: impl AsRef<Path>) -> (OpenError, String) {
    let error = Sqlite::open(path).expect_err("it is refused");
    let sentence = error.to_string();
    assert!(!sentence.contains('\n') && !sentence.is_empty());
    (error, sentence)
}

#[test]
fn a_store_of_a_newer_version_is_refused() {
    let folder = Folder::new("newer");
    let path = folder.file("touchmove.db");
    drop(Sqlite::open(&path).unwrap());
    let db = Connection::open(&path).unwrap();
    db.pragma_update(None, "user_version", 1_000).unwrap();
    drop(db);
    let before = fs::read(&path).unwrap();
    let (error, sentence) = refusal(&path);
    assert!(matches!(error, OpenError::Newer { found: 1_000, .. }));
    assert!(sentence.contains("has version 1000"), "{sentence}");
    assert!(sentence.ends_with("use a newer touchmove"), "{sentence}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_of_another_program_is_refused_and_left_alone() {
    let folder = Folder::new("foreign");
    let text = folder.file("games.pgn");
    fs::write(&text, "[Event \"?\"]\n\n1. e4 e5 *\n".repeat(100)).unwrap();
    let database = folder.file("recipes.db");
    let db = Connection::open(&database).unwrap();
    db.execute_batch("CREATE TABLE recipes (name TEXT)")
        .unwrap();
    drop(db);
    for path in [text, database] {
        let before = fs::read(&path).unwrap();
        let (error, sentence) = refusal(&path);
        assert!(matches!(error, OpenError::NotAStore { .. }), "{sentence}");
        assert!(sentence.ends_with("is not a store of touchmove"));
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[test]
fn a_second_process_is_refused_until_the_first_has_closed() {
    let folder = Folder::new("second");
    let path = folder.file("touchmove.db");
    let first = Sqlite::open(&path).unwrap();
    let (error, sentence) = refusal(&path);
    assert!(matches!(error, OpenError::InUse { .. }), "{sentence}");
    let other = support::again(
        "open_errors::a_second_process_tries",
        &[("PATH_OF_STORE", &path)],
    );
    assert_eq!(other.wait_with_output().unwrap().status.code(), Some(3));
    drop(first);
    let other = support::again(
        "open_errors::a_second_process_tries",
        &[("PATH_OF_STORE", &path)],
    );
    assert_eq!(other.wait_with_output().unwrap().status.code(), Some(4));
    drop(Sqlite::open(&path).unwrap());
}

#[test]
#[ignore = "it is the other process of a test"]
fn a_second_process_tries() {
    let Some(path) = std::env::var_os("PATH_OF_STORE") else {
        return;
    };
    std::process::exit(match Sqlite::open(path) {
        Err(OpenError::InUse { .. }) => 3,
        Ok(_) => 4,
        Err(_) => 5,
    });
}

#[test]
fn a_folder_that_cannot_be_written_to_is_refused() {
    let folder = Folder::new("unwritable");
    let file = folder.file("not-a-folder");
    fs::write(&file, "").unwrap();
    let (error, sentence) = refusal(file.join("touchmove.db"));
    assert!(matches!(error, OpenError::Folder { .. }), "{sentence}");
    assert!(sentence.starts_with("the store cannot be kept in"));

    let Some(disk) = support::Disk::mount(&folder, "read-only", "1m") else {
        return;
    };
    let path = disk.0.join("touchmove.db");
    drop(Sqlite::open(&path).unwrap());
    disk.remount(true);
    let (error, sentence) = refusal(&path);
    assert!(matches!(error, OpenError::Folder { .. }), "{sentence}");
    assert!(sentence.contains("Read-only file system"), "{sentence}");
    disk.remount(false);
    drop(Sqlite::open(&path).unwrap());
}

#[tokio::test]
async fn a_missing_folder_is_made_and_nobody_else_may_read_the_file() {
    let folder = Folder::new("made");
    let path = folder.file("a/b/touchmove.db");
    let store = Sqlite::open(&path).unwrap();
    store.heartbeat().await.unwrap();
    #[cfg(unix)]
    for name in [
        "touchmove.db",
        "touchmove.db-wal",
        "touchmove.db.lock",
        "touchmove.db.turn",
    ] {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path.with_file_name(name)).unwrap();
        assert_eq!(mode.permissions().mode() & 0o777, 0o600, "{name}");
    }
    assert_eq!(store.check().await, Ok(Vec::new()));
}
