//! Crashes: a process killed in the middle of a batch, and a full disk. Nothing answered is lost, nothing is
//! half written, and the store recovers by itself.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;

use touchmove_store::{AppendResult, Error, Sqlite, Store};

use crate::support::{self, Disk, Folder, append, game, id};

/// Games that the killed process plays.
const TABLES: u64 = 32;

#[test]
fn what_was_answered_before_a_kill_is_there_afterwards() {
    let folder = Folder::new("kill");
    let path = folder.file("touchmove.db");
    for round in 0..5 {
        let mut player = support::again(
            "crash_and_full_disk::a_process_plays_until_it_is_killed",
            &[("STORE", &path)],
        );
        let mut answered: BTreeMap<u64, u64> = BTreeMap::new();
        let mut lines = BufReader::new(player.stdout.take().unwrap()).lines();
        // Killed after a different number of answers each time, in the middle of a batch.
        let wanted = 2_000 + round * 377;
        let mut answers = 0;
        while let Some(Ok(line)) = lines.next() {
            let Some((table, number)) = answer(&line) else {
                continue;
            };
            let known = answered.entry(table).or_default();
            *known = (*known).max(number);
            answers += 1;
            if answers == wanted {
                player.kill().unwrap();
            }
        }
        player.wait().unwrap();
        assert!(answers >= wanted, "it stopped by itself");
        let store = Sqlite::open(&path).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            assert_eq!(store.check().await, Ok(Vec::new()));
            let games = store
                .load_games((0..TABLES).map(id).collect())
                .await
                .unwrap();
            for game in games {
                let table: u64 = game.row.id.as_str().parse().unwrap();
                let known = answered.get(&table).copied().unwrap_or(0);
                let last = game.last();
                assert!(
                    last >= known,
                    "table {table}: {known} was answered, {last} is there"
                );
                assert_eq!(
                    u64::from(game.row.summary.plies),
                    last,
                    "all of it or nothing"
                );
            }
        });
    }
}

/// Parses a line of the process that plays; the test harness may have printed before it on the same line.
fn answer(line: &str) -> Option<(u64, u64)> {
    let (_, answer) = line.split_once("answered ")?;
    let (table, number) = answer.split_once(' ')?;
    Some((table.parse().ok()?, number.parse().ok()?))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it is the other process of a test"]
async fn a_process_plays_until_it_is_killed() {
    let Some(path) = std::env::var_os("STORE") else {
        return;
    };
    let store = Arc::new(Sqlite::open(path).unwrap());
    let tables = (0..TABLES).map(|table| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            store.create_game(game(table)).await.unwrap();
            let last = store.load_games(vec![id(table)]).await.unwrap()[0].last();
            // Bounded, in case the process is not killed.
            for next in last + 1..last + 10_000 {
                let answer = store
                    .append_decision(append(table, next, "e4"))
                    .await
                    .unwrap();
                assert_eq!(answer, AppendResult::Written);
                let mut out = std::io::stdout().lock();
                writeln!(out, "answered {table} {next}").unwrap();
                out.flush().unwrap();
            }
        })
    });
    for table in tables.collect::<Vec<_>>() {
        table.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_said_so_and_writing_goes_on_when_there_is_space() {
    let folder = Folder::new("full");
    let Some(disk) = Disk::mount(&folder, "disk", "3m") else {
        return;
    };
    let ballast = disk.0.join("ballast");
    fs::write(&ballast, vec![0; 1_000_000]).unwrap();
    let store = Arc::new(Sqlite::open(disk.0.join("touchmove.db")).unwrap());
    for table in 0..8 {
        store.create_game(game(table)).await.unwrap();
    }
    let text = "x".repeat(4_000);
    let mut last = [0; 8];
    for round in 0..2 {
        // Eight games at once, until none of them can be written.
        let mut refused = 0;
        while refused < 8 {
            refused = 0;
            let tasks: Vec<_> = (0..8)
                .map(|table: usize| {
                    let (store, text) = (Arc::clone(&store), text.clone());
                    let next = last[table] + 1;
                    let deed = append(table as u64, next, &text);
                    tokio::spawn(async move { store.append_decision(deed).await })
                })
                .collect();
            for (table, task) in tasks.into_iter().enumerate() {
                match task.await.unwrap() {
                    Ok(answer) => {
                        assert_eq!(answer, AppendResult::Written);
                        last[table] += 1;
                    }
                    Err(error) => {
                        assert_eq!(error, Error::Full);
                        refused += 1;
                    }
                }
            }
            assert!(last[0] < 10_000, "the disk is never full");
        }
        // Reads still work, and nothing is half written.
        let games = store.load_games((0..8).map(id).collect()).await.unwrap();
        for (game, last) in games.iter().zip(last) {
            assert_eq!(game.last(), last);
            assert_eq!(u64::from(game.row.summary.plies), last);
        }
        assert_eq!(store.check().await, Ok(Vec::new()));
        if round == 0 {
            fs::remove_file(&ballast).unwrap();
            let answer = store.append_decision(append(0, last[0] + 1, &text)).await;
            assert_eq!(answer, Ok(AppendResult::Written), "there is space again");
            last[0] += 1;
        }
    }
    drop(store);
    let store = Sqlite::open(disk.0.join("touchmove.db"));
    // Opening writes a little; a full disk may refuse it, but with a proper error.
    if let Err(error) = store {
        assert!(error.to_string().contains("full"), "{error}");
    }
}
