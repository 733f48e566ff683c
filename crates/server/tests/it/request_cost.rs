//! Expensive reads are rate limited by address, and games that are only read are not loaded into memory.

use touchmove_server::ServerConfig;
use touchmove_server::security::{Limits, Rate};
use touchmove_store::{AppendDecision, DueChange, GameChanges, StoredDecision, WriteId};

use crate::support::{Open, guest};

const FEN: &str = "4k3/8/8/8/8/8/8/4K3%20w%20-%20-%200%201";

/// A running public game between two guests, with this many plies.
async fn running(open: &Open, plies: usize) -> String {
    let (anna, bea) = (guest("anna"), guest("bea"));
    let new = r#"{"terms":{"time":"30+30"},"side":"white","public":true}"#;
    let made = open.json(&anna, "POST", "/v1/tables", new).await;
    let game = made["game"].as_str().unwrap().to_owned();
    let path = format!("/v1/tables/{game}");
    open.json(&bea, "POST", &format!("{path}/seat"), "").await;
    let players = [&anna, &bea].into_iter().cycle();
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle();
    for (who, mv) in players.zip(moves).take(plies) {
        let body = format!(r#"{{"move":"{mv}"}}"#);
        open.json(who, "POST", &format!("{path}/ask"), &body).await;
    }
    game
}

#[tokio::test]
async fn a_list_of_running_games_loads_none_of_them_and_knows_how_far_they_are() {
    let open = Open::new().await;
    let game = running(&open, 5).await;
    let open = open.again().await;
    let page = open
        .json(&guest("x"), "GET", "/v1/tables?phase=running", "")
        .await;
    assert_eq!(page["games"][0]["id"], game.as_str());
    assert_eq!(page["games"][0]["plies"], 5);
    let mut lobby = open.lobby(&guest("bea")).await;
    let mine = lobby.hear_of("mine").await;
    assert_eq!(mine["games"][0]["plies"], 5);
    drop(lobby);
    open.close().await;
}

#[tokio::test]
async fn whoever_only_reads_puts_no_game_into_memory() {
    let open = Open::new().await;
    let game = running(&open, 4).await;
    let open = open.again().await;
    assert_eq!(open.server.tables.count(), 0);
    let nobody = guest("nobody");
    for path in [
        "/v1/tables?phase=running".to_owned(),
        format!("/v1/tables/{game}"),
        format!("/v1/tables/{game}/pgn"),
        format!("/v1/tables/{game}/journal"),
        format!("/game/export/{game}"),
        format!("/{game}"),
        "/api/tv/channels".to_owned(),
        "/api/tv/best".to_owned(),
    ] {
        let (status, body) = open.ask(&nobody, "GET", &path, "").await;
        assert_eq!(status, 200, "{path}: {body}");
        assert!(
            body.contains(&game) || path.ends_with("journal"),
            "{path}: {body}"
        );
        assert_eq!(open.server.tables.count(), 0, "{path}");
    }
    let path = format!("/v1/tables/{game}");
    let shown = open.json(&nobody, "GET", &path, "").await;
    assert_eq!(shown["history"].as_array().unwrap().len(), 4);
    // A player of the game connects, and the table stays in memory.
    open.json(&guest("anna"), "GET", &path, "").await;
    assert_eq!(open.server.tables.count(), 1);
    open.close().await;
}

#[tokio::test]
async fn a_class_behind_one_address_sits_down_all_at_once() {
    let open = Open::new().await;
    let mut games = Vec::new();
    for pupil in 0..40 {
        let new = r#"{"terms":{"time":"5+3"},"side":"white"}"#;
        let anna = guest(&format!("anna{pupil}"));
        let made = open.json(&anna, "POST", "/v1/tables", new).await;
        games.push(made["game"].as_str().unwrap().to_owned());
    }
    let open = open.again().await;
    let sit = async |(pupil, game): (usize, &String)| {
        let path = format!("/v1/tables/{game}/seat");
        let (status, body) = open
            .ask(&guest(&format!("bea{pupil}")), "POST", &path, "")
            .await;
        assert_eq!(status, 200, "{body}");
    };
    futures_util::future::join_all(games.iter().enumerate().map(sit)).await;
    open.close().await;
}

#[tokio::test]
async fn a_long_journal_comes_in_parts_and_whole() {
    let open = Open::new().await;
    let game = running(&open, 0).await;
    let path = format!("/v1/tables/{game}/journal");
    let before = open.request("GET", &path, &[], "").await.body;
    let first = before.lines().count() as u64;
    for seq in first..first + 250 {
        let append = AppendDecision {
            game: game.parse().unwrap(),
            decision: StoredDecision {
                first: seq,
                last: seq,
                mark: WriteId(seq.into()),
                text: format!(r#"{{"seq":{seq}}}"#),
            },
            seat: None,
            changes: GameChanges::default(),
            due: DueChange::Keep,
        };
        let appended = open.server.store.append_decision(append).await.unwrap();
        assert!(appended.is_stored());
    }
    let journal = open.request("GET", &path, &[], "").await;
    assert_eq!(journal.status, 200);
    let seqs = journal.body.lines().map(|line| {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        event["seq"].as_u64().unwrap()
    });
    let seqs: Vec<u64> = seqs.collect();
    assert_eq!(seqs, (0..first + 250).collect::<Vec<_>>());
    open.close().await;
}

#[tokio::test]
async fn many_names_in_one_request_are_counted_as_many_reads() {
    let limits = Limits {
        read: Rate::new(50, 1),
        ..Limits::default()
    };
    let open = Open::with(ServerConfig {
        limits,
        ..behind_proxy()
    })
    .await;
    let names: Vec<String> = (0..300).map(|number| format!("Nobody{number}")).collect();
    let tokens: Vec<String> = (0..400).map(|number| format!("tm_{number}")).collect();
    let (names, tokens) = (names.join(","), tokens.join(","));
    let status = format!("/api/users/status?ids={names}");
    for (number, (method, path, body)) in [
        ("POST", "/api/users", &names),
        ("GET", status.as_str(), &String::new()),
        ("POST", "/api/token/test", &tokens),
    ]
    .into_iter()
    .enumerate()
    {
        let address = format!("203.0.113.{number}");
        let from = [("X-Forwarded-For", address.as_str())];
        let first = open.request(method, path, &from, body).await;
        assert_eq!(first.status, 200, "{method} {path}: {}", first.body);
        let second = open.request(method, path, &from, body).await;
        assert_eq!(second.status, 429, "{method} {path}: {}", second.body);
        // A refused request takes no tokens; a read of a single item is still possible.
        let one = open
            .request("GET", "/api/users/status?ids=Nobody", &from, "")
            .await;
        assert_eq!(one.status, 200, "{}", one.body);
    }
    open.close().await;
}

#[tokio::test]
async fn the_same_id_many_times_is_exported_once() {
    let open = Open::new().await;
    let game = running(&open, 2).await;
    let ids = vec![game.as_str(); 300].join(",");
    let exported = open
        .request("POST", "/api/games/export/_ids", &[], &ids)
        .await;
    assert_eq!(exported.status, 200);
    assert_eq!(exported.body.matches("[Event ").count(), 1);
    open.close().await;
}

/// Every request that counts as a read, from a stranger.
fn reads(game: &str) -> Vec<(&'static str, String)> {
    let get = |path: &str| ("GET", path.replace("{game}", game));
    vec![
        get(&format!("/diagram.png?side_px=64&fen={FEN}")),
        get("/v1/tables"),
        get("/v1/tables/{game}"),
        get("/v1/tables/{game}/pgn"),
        get("/v1/tables/{game}/journal"),
        get("/{game}"),
        get("/v1/players/Nemo"),
        get("/v1/players/Nemo/games"),
        get("/v1/players/Nemo/pgn"),
        get("/game/export/{game}"),
        get("/api/games/user/Nemo"),
        get("/api/user/Nemo"),
        get("/api/user/Nemo/current-game"),
        get("/api/users/status?ids=Nemo"),
        get("/api/bot/online"),
        get("/api/account/playing"),
        get("/api/tv/channels"),
        get("/api/tv/best"),
        get("/api/tv/feed"),
        ("POST", "/api/games/export/_ids".to_owned()),
        ("POST", "/api/users".to_owned()),
        ("POST", "/api/token/test".to_owned()),
    ]
}

/// Settings of a server behind a proxy on the same machine, so that tests can choose clients' addresses.
fn behind_proxy() -> ServerConfig {
    ServerConfig {
        trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
        ..ServerConfig::default()
    }
}

#[tokio::test]
async fn a_player_is_counted_who_has_his_games_loaded_and_not_for_moves_in_those_that_are() {
    let open = Open::new().await;
    let game = running(&open, 4).await;
    let limits = Limits {
        read: Rate::new(3, 1),
        ..Limits::default()
    };
    let open = open
        .again_with(ServerConfig {
            limits,
            ..behind_proxy()
        })
        .await;
    let anna = format!("Bearer {}", guest("anna"));
    let ask = async |address: &str, mv: &str| {
        let headers = [
            ("X-Forwarded-For", address),
            ("Authorization", anna.as_str()),
            ("Content-Type", "application/json"),
        ];
        let body = format!(r#"{{"move":"{mv}"}}"#);
        let path = format!("/v1/tables/{game}/ask");
        open.request("POST", &path, &headers, &body).await.status
    };
    for _ in 0..3 {
        let from = [("X-Forwarded-For", "203.0.113.9")];
        let read = open.request("GET", "/v1/players/Nemo", &from, "").await;
        assert!(read.status < 429, "{}", read.body);
    }
    assert_eq!(ask("203.0.113.9", "zzz").await, 429);
    assert_eq!(open.server.tables.count(), 0);
    assert_eq!(ask("203.0.113.10", "zzz").await, 400);
    assert_eq!(open.server.tables.count(), 1);
    // In memory it is a move like any other, from whatever address.
    assert_eq!(ask("203.0.113.9", "Nf3").await, 200);
    open.close().await;
}

#[tokio::test]
async fn whatever_costs_more_than_a_look_up_is_counted_by_address() {
    let open = Open::with(behind_proxy()).await;
    let game = running(&open, 2).await;
    let from = |address| [("X-Forwarded-For", address)];
    let mut refused = 0;
    for _ in 0..400 {
        let path = format!("/v1/players/Nemo?{refused}");
        let heard = open.request("GET", &path, &from("203.0.113.9"), "").await;
        refused += usize::from(heard.status == 429);
    }
    assert!(refused > 0, "400 reads at once are too many");
    for (method, path) in reads(&game) {
        let heard = open.request(method, &path, &from("203.0.113.9"), "").await;
        assert_eq!(heard.status, 429, "{method} {path}: {}", heard.body);
        if path.ends_with("feed") || path.starts_with("/diagram.png") {
            // The first is endless, the other is not text.
            continue;
        }
        let heard = open.request(method, &path, &from("203.0.113.10"), "").await;
        assert!(heard.status < 429, "{method} {path}: {}", heard.body);
    }
    // Moves are not reads.
    let ask = format!("/v1/tables/{game}/ask");
    let anna = format!("Bearer {}", guest("anna"));
    let player = [
        ("X-Forwarded-For", "203.0.113.9"),
        ("Authorization", anna.as_str()),
        ("Content-Type", "application/json"),
    ];
    let moved = open
        .request("POST", &ask, &player, r#"{"move":"Ng1"}"#)
        .await;
    assert_eq!(moved.status, 200, "{}", moved.body);
    open.close().await;
}
