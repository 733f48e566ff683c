//! Outages: the time until the listener is open again is charged to no player, in every game alike, and also where
//! the server stops before that.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::time::sleep;
use touchmove_server::{HttpListener, Server, ServerConfig};
use touchmove_store::Sqlite;

use crate::support::{self, Open, guest};

/// A clock that is far from over.
const LONG: &str = r#"{"time":"5","clock_start":"at-once"}"#;
/// A clock that is over in a moment.
const SHORT: &str = r#"{"time":"0:02","clock_start":"at-once"}"#;

/// A server on a store of its own, with some games between Anna and Bea. It stops at once, with all tasks that
/// watched a clock.
async fn with_games(name: &str, terms: &'static [&str]) -> (PathBuf, Vec<String>) {
    let name = format!("touchmove-outages-{}-{name}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let place = folder.clone();
    let server = std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let open = Open::behind(open(&place).await, place).await;
            let mut games = Vec::new();
            for terms in terms {
                games.push(open.table(&guest("anna"), &guest("bea"), terms).await);
            }
            open.server.shut_down();
            games
        })
    });
    let games = server.join().unwrap();
    support::is_free(&folder).await;
    (folder, games)
}

/// A server whose listener is not open yet.
async fn open(folder: &Path) -> Arc<Server> {
    let store = Sqlite::open(folder.join("touchmove.db")).unwrap();
    let settings = ServerConfig {
        listen: ([127, 0, 0, 1], 0).into(),
        ..ServerConfig::default()
    };
    Server::open(Arc::new(store).into(), settings)
        .await
        .unwrap()
}

/// Dates the last heartbeat back. Events in games keep their times.
fn was_dark(folder: &Path) {
    let store = rusqlite::Connection::open(folder.join("touchmove.db")).unwrap();
    let changed = store.execute("UPDATE heartbeat SET at = at - 10000", ());
    assert_eq!(changed.unwrap(), 1);
}

/// The last heartbeat.
fn sign_of_life(folder: &Path) -> i64 {
    let store = rusqlite::Connection::open(folder.join("touchmove.db")).unwrap();
    store
        .query_row("SELECT at FROM heartbeat", (), |row| row.get(0))
        .unwrap()
}

/// When the clocks of a game were held and released, by its journal.
async fn held(open: &Open, game: &str) -> Vec<(u64, u64)> {
    let mut anna = open.come_back(&guest("anna"), game, "?seen=0").await;
    let state = anna.hear_of("state").await;
    let at = |name: &str| {
        let events = state["events"].as_array().unwrap().iter();
        let named = events.filter(|event| event["event"] == name);
        named.map(|event| event["at"].as_u64().unwrap()).collect()
    };
    let (from, until): (Vec<_>, Vec<_>) = (at("clocks_held"), at("clocks_released"));
    assert_eq!(from.len(), until.len(), "{state}");
    from.into_iter().zip(until).collect()
}

/// The state of a game.
async fn stands(open: &Open, game: &str) -> Value {
    let path = format!("/v1/tables/{game}");
    open.json(&guest("anna"), "GET", &path, "").await
}

#[tokio::test]
async fn an_outage_lasts_until_the_door_is_open_in_every_game_alike() {
    let (folder, games) = with_games("alike", &[LONG, LONG, LONG]).await;
    was_dark(&folder);
    let server = open(&folder).await;
    sleep(Duration::from_millis(200)).await;
    let door = HttpListener::open(Arc::clone(&server)).await.unwrap();
    sleep(Duration::from_millis(200)).await;
    let opens = server.now().0;
    let open = Open::at_door(server, door, folder).await;
    let mut until = Vec::new();
    for game in &games {
        let held = held(&open, game).await;
        assert_eq!(held.len(), 1, "{held:?}");
        until.push(held[0].1);
        let state = stands(&open, game).await;
        let left = state["state"]["clocks"]["white"].as_u64().unwrap();
        assert!(left > 299_000, "{state}");
    }
    assert!(until[0] >= opens, "{until:?} before {opens}");
    assert!(until.iter().all(|&at| at == until[0]), "{until:?}");
    open.close().await;
}

#[tokio::test]
async fn no_flag_falls_by_the_time_before_the_door_is_open() {
    let (folder, games) = with_games("flag", &[SHORT]).await;
    was_dark(&folder);
    let server = open(&folder).await;
    // Meanwhile its time is over in real time, and the sweep of due games would run.
    sleep(Duration::from_millis(3_500)).await;
    let opens = server.now().0;
    let door = HttpListener::open(Arc::clone(&server)).await.unwrap();
    let open = Open::at_door(server, door, folder).await;
    let mut white = open.come(&guest("anna"), &games[0]).await;
    let state = white.hear_of("state").await;
    assert!(state["state"]["flag"].is_null(), "{state}");
    let told = white.hear_of("decided").await;
    assert_eq!(told["events"][0]["event"], "flag_fell", "{told}");
    let fell = told["events"][0]["at"].as_u64().unwrap();
    assert!(fell > opens, "{fell} before {opens}");
    open.close().await;
}

#[tokio::test]
async fn a_house_that_never_opened_its_door_was_away() {
    let (folder, games) = with_games("twice", &[LONG]).await;
    was_dark(&folder);
    let before = sign_of_life(&folder);
    let server = open(&folder).await;
    sleep(Duration::from_millis(1_200)).await;
    assert_eq!(sign_of_life(&folder), before);
    server.shut_down();
    drop(server);
    support::is_free(&folder).await;
    let server = open(&folder).await;
    let opens = server.now().0;
    let door = HttpListener::open(Arc::clone(&server)).await.unwrap();
    let open = Open::at_door(server, door, folder.clone()).await;
    let held = held(&open, &games[0]).await;
    assert_eq!(held.len(), 1, "{held:?}");
    assert!(
        held[0].1 >= opens && held[0].1 - held[0].0 > 1_200,
        "{held:?}"
    );
    sleep(Duration::from_millis(1_200)).await;
    assert!(sign_of_life(&folder) >= i64::try_from(opens).unwrap());
    open.close().await;
}

#[tokio::test]
async fn an_outage_is_held_also_where_nobody_comes_and_only_once() {
    let (folder, games) = with_games("once", &[LONG, LONG]).await;
    was_dark(&folder);
    let server = open(&folder).await;
    let door = HttpListener::open(Arc::clone(&server)).await.unwrap();
    let opened = Open::at_door(server, door, folder.clone()).await;
    // Once a heartbeat is stored, every running game has recorded the outage.
    let before = sign_of_life(&folder);
    while sign_of_life(&folder) == before {
        sleep(Duration::from_millis(5)).await;
    }
    opened.leave().await;
    support::is_free(&folder).await;
    let server = open(&folder).await;
    let door = HttpListener::open(Arc::clone(&server)).await.unwrap();
    let opens = server.now().0;
    let open = Open::at_door(server, door, folder).await;
    for game in &games {
        let held = held(&open, game).await;
        assert_eq!(held.len(), 1, "{held:?}");
        assert!(held[0].1 < opens, "{held:?} after {opens}");
    }
    open.close().await;
}
