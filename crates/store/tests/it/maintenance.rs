//! Backups, damaged files, heartbeats and files of every version. `crash_and_full_disk` has failures of the
//! disk.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use touchmove_store::{AppendResult, BackupError, GameQuery, Moment, Sqlite, Store};

use crate::support::{Folder, append, game, id};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_backup_of_a_store_that_is_written_to_is_whole() {
    let folder = Folder::new("backup");
    let store = Arc::new(Sqlite::open(folder.file("touchmove.db")).unwrap());
    let is_over = Arc::new(AtomicBool::new(false));
    let tables: Vec<_> = (0..16)
        .map(|table| {
            let (store, is_over) = (Arc::clone(&store), Arc::clone(&is_over));
            tokio::spawn(async move {
                store.create_game(game(table)).await.unwrap();
                let mut next = 1;
                while !is_over.load(Ordering::Relaxed) {
                    let deed = append(table, next, "e4");
                    assert_eq!(store.append_decision(deed).await, Ok(AppendResult::Written));
                    next += 1;
                }
                next - 1
            })
        })
        .collect();
    let mut before = [0; 16];
    for round in 0..5 {
        let path = folder.file(&format!("backup-{round}.db"));
        let known = store.load_games((0..16).map(id).collect()).await.unwrap();
        for game in known {
            let table: usize = game.row.id.as_str().parse().unwrap();
            before[table] = game.last();
        }
        store.backup(&path).await.unwrap();
        let copy = Sqlite::open(&path).unwrap();
        assert_eq!(copy.check().await, Ok(Vec::new()));
        for game in copy.load_games((0..16).map(id).collect()).await.unwrap() {
            let table: usize = game.row.id.as_str().parse().unwrap();
            assert!(
                game.last() >= before[table],
                "what was there is in the backup"
            );
            assert_eq!(u64::from(game.row.summary.plies), game.last());
        }
        let again = store.backup(&path).await;
        assert!(matches!(again, Err(BackupError::Exists { .. })));
    }
    is_over.store(true, Ordering::Relaxed);
    for (table, task) in (0..).zip(tables) {
        let last = task.await.unwrap();
        let game = store.load_games(vec![id(table)]).await.unwrap().remove(0);
        assert_eq!(game.last(), last, "writing went on all the time");
    }
    let nowhere = store.backup(folder.file("no/such/folder/copy.db")).await;
    assert!(matches!(nowhere, Err(BackupError::File { .. })));
    let parts = fs::read_dir(folder.file("")).unwrap();
    let is_part = |name: &std::ffi::OsStr| name.to_string_lossy().ends_with(".part");
    assert_eq!(
        parts
            .filter(|entry| is_part(&entry.as_ref().unwrap().file_name()))
            .count(),
        0
    );
}

#[tokio::test]
async fn a_sign_from_long_ago_tells_of_the_last_one_and_leaves_it_the_last() {
    let folder = Folder::new("signs");
    let store = Sqlite::open(folder.file("touchmove.db")).unwrap();
    store.heartbeat_at(Moment(1_000)).await.unwrap();
    for _ in 0..2 {
        let beat = store.heartbeat_at(Moment(0)).await.unwrap();
        assert_eq!(beat.before, Some(Moment(1_000)));
    }
    store.heartbeat_at(Moment(2_000)).await.unwrap();
    let beat = store.heartbeat_at(Moment(0)).await.unwrap();
    assert_eq!(beat.before, Some(Moment(2_000)));
}

#[tokio::test]
async fn a_game_with_a_gap_and_one_without_an_opening_are_found() {
    let folder = Folder::new("gap");
    let path = folder.file("touchmove.db");
    let store = Sqlite::open(&path).unwrap();
    for table in 1..=3 {
        store.create_game(game(table)).await.unwrap();
        for first in 1..=5 {
            store
                .append_decision(append(table, first, "e4"))
                .await
                .unwrap();
        }
    }
    assert_eq!(store.check().await, Ok(Vec::new()));
    let db = Connection::open(&path).unwrap();
    let gap =
        "DELETE FROM decisions WHERE seq = 3 AND game = (SELECT key FROM games WHERE id = ?1)";
    db.execute(gap, ["00000002"]).unwrap();
    let all = "DELETE FROM decisions WHERE game = (SELECT key FROM games WHERE id = ?1)";
    db.execute(all, ["00000003"]).unwrap();
    let faults = store.check().await.unwrap();
    let expected = [
        "game 00000002: event 4 does not follow the one before it",
        "game 00000003 has no opening",
    ];
    assert_eq!(faults, expected);
}

#[tokio::test]
async fn a_file_of_every_version_is_read_with_everything_in_it() {
    // One dump per version, made by `.dump` of a store of that version; never changed.
    for version in ["1", "2", "3"] {
        let folder = Folder::new(&format!("version-{version}"));
        let path = folder.file("touchmove.db");
        let script = format!("{}/tests/data/{version}.sql", env!("CARGO_MANIFEST_DIR"));
        let db = Connection::open(&path).unwrap();
        db.execute_batch(&fs::read_to_string(script).unwrap())
            .unwrap();
        drop(db);
        let store = Sqlite::open(&path).unwrap();
        assert_eq!(store.check().await, Ok(Vec::new()));
        let page = store
            .list_games(GameQuery::default(), None, 10)
            .await
            .unwrap();
        assert_eq!(page.games.len(), 1);
        let game = store
            .load_games(vec![page.games[0].id])
            .await
            .unwrap()
            .remove(0);
        assert_eq!(game.opening, "started");
        assert_eq!((game.decisions.len(), game.last()), (2, 3));
        assert_eq!(game.row.summary.white.name.as_deref(), Some("Anna"));
        assert!(game.seats.white.is_some() && game.seats.black.is_some());
        let anna = store
            .person_named("anna".to_owned())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(game.row.summary.white.person, Some(anna.id));
        assert_eq!(store.tokens_of(anna.id).await.unwrap().len(), 1);
        for holder in [game.seats.white, game.seats.black] {
            let query = GameQuery {
                holder,
                ..GameQuery::default()
            };
            let found = store.list_games(query, None, 10).await.unwrap();
            assert_eq!(found.games, page.games);
        }
        let mut deed = append(1, 4, "d4");
        deed.game = game.row.id;
        assert_eq!(store.append_decision(deed).await, Ok(AppendResult::Written));
    }
}
