//! The overall rate of one address: which requests wait for it, and which do not.

use std::time::{Duration, Instant};

use touchmove_server::ServerConfig;
use touchmove_server::security::{Limits, Rate};

use crate::support::{Client, Open, guest};

/// A server behind a proxy on this machine, where each address may send two requests or messages at once, and then so
/// many per minute; with one per minute it waits for the maximum.
async fn slow(per_minute: u32) -> Open {
    Open::with(ServerConfig {
        trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
        limits: Limits {
            pace: Rate::new(2, per_minute),
            ..Limits::default()
        },
        ..ServerConfig::default()
    })
    .await
}

/// The longest wait.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Connects to a table from this address, which has used its two requests then.
async fn come_from(open: &Open, address: &str, who: &str, game: &str) -> Client {
    let from = [("X-Forwarded-For", address)];
    assert_eq!(open.request("GET", "/v1/me", &from, "").await.status, 200);
    let bearer = format!("Bearer {who}");
    let headers = [
        ("authorization", bearer.as_str()),
        ("x-forwarded-for", address),
    ];
    open.socket(&format!("/v1/tables/{game}/live"), &headers)
        .await
}

#[tokio::test]
async fn a_move_that_waits_for_its_address_costs_the_opponent_nothing() {
    let open = slow(1).await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let terms = r#"{"time":"5","clock_start":"at-once"}"#;
    let game = open.table(&anna, &bea, terms).await;
    let mut white = come_from(&open, "192.0.2.1", &anna, &game).await;
    let mut black = come_from(&open, "198.51.100.1", &bea, &game).await;
    let before = white.hear_of("state").await["state"]["clocks"].clone();
    black.hear_of("state").await;
    let begun = Instant::now();
    white.say(r#"{"command":"ping"}"#).await;
    white.say(r#"{"move":"e4","id":"m1"}"#).await;
    let told = black.hear_of("decided").await;
    assert!(begun.elapsed() >= MAX_WAIT, "{:?}", begun.elapsed());
    let clocks = &told["state"]["clocks"];
    let lost = |color: &str| before[color].as_u64().unwrap() - clocks[color].as_u64().unwrap();
    // The time of the decision itself may be charged to Black.
    assert!(lost("black") < 500, "{before} {clocks}");
    // The mover pays for the requests of their own address.
    assert!(lost("white") >= 2_000, "{before} {clocks}");
    open.close().await;
}

#[tokio::test]
async fn a_move_over_http_that_waits_costs_the_opponent_nothing_either() {
    let open = slow(40).await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let terms = r#"{"time":"5","clock_start":"at-once"}"#;
    let game = open.table(&anna, &bea, terms).await;
    let mut black = come_from(&open, "198.51.100.1", &bea, &game).await;
    let before = black.hear_of("state").await["state"]["clocks"].clone();
    let bearer = format!("Bearer {anna}");
    let from = [
        ("Authorization", bearer.as_str()),
        ("X-Forwarded-For", "192.0.2.1"),
    ];
    for _ in 0..2 {
        assert_eq!(open.request("GET", "/v1/me", &from, "").await.status, 200);
    }
    let (begun, path) = (Instant::now(), format!("/v1/tables/{game}/ask"));
    let heard = open.request("POST", &path, &from, r#"{"move":"e4"}"#).await;
    assert_eq!(heard.status, 200, "{}", heard.body);
    let took = begun.elapsed();
    assert!(took >= Duration::from_millis(700), "{took:?}");
    let clocks = black.hear_of("decided").await["state"]["clocks"].clone();
    let lost = before["black"].as_u64().unwrap() - clocks["black"].as_u64().unwrap();
    assert!(lost < 500, "{before} {clocks}");
    open.close().await;
}

#[tokio::test]
async fn the_way_is_measured_without_the_wait_for_the_address() {
    let open = slow(1).await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open.table(&anna, &bea, "{}").await;
    let mut white = come_from(&open, "192.0.2.1", &anna, &game).await;
    white.hear_of("state").await;
    // The first message of a socket is answered at once, and the next one waits: the server's ping is sent before
    // both answers.
    let begun = Instant::now();
    for is_late in [false, true] {
        white.say(r#"{"command":"ping"}"#).await;
        let trip = white.hear_of("pong").await["trip"].clone();
        assert!(trip.as_u64().is_none_or(|trip| trip < 1_500), "{trip}");
        assert_eq!(begun.elapsed() >= MAX_WAIT, is_late);
    }
    open.close().await;
}

#[tokio::test]
async fn probes_are_answered_at_once_whatever_else_the_address_asks() {
    let open = slow(1).await;
    let from = [("X-Forwarded-For", "192.0.2.1")];
    let ask = async |path: &str| {
        let begun = Instant::now();
        let heard = open.request("GET", path, &from, "").await;
        (heard.status, begun.elapsed())
    };
    for _ in 0..2 {
        assert_eq!(ask("/v1/me").await.0, 200);
    }
    // The queue is full: a refused request has waited as well.
    let (status, took) = ask("/v1/me").await;
    assert!(status == 503 && took >= MAX_WAIT, "{status} {took:?}");
    for path in ["/healthz", "/readyz"] {
        let (status, took) = ask(path).await;
        assert!(status == 200 && took < MAX_WAIT / 2, "{status} {took:?}");
    }
    open.close().await;
}

#[tokio::test]
async fn who_watches_is_told_every_move_in_order() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open.table(&anna, &bea, "{}").await;
    let mut watcher = open.come(&guest("carl"), &game).await;
    let mut next = 1 + watcher.hear_of("state").await["state"]["seq"]
        .as_u64()
        .unwrap();
    let mut players = [open.come(&anna, &game).await, open.come(&bea, &game).await];
    for (ply, text) in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"]
        .into_iter()
        .enumerate()
    {
        let mover = &mut players[ply % 2];
        let id = format!("m{ply}");
        mover
            .say(&format!(r#"{{"move":"{text}","id":"{id}"}}"#))
            .await;
        assert_eq!(mover.answer(&id).await["accepted"], true);
    }
    let mut moves = 0;
    while moves < 8 {
        let told = watcher.hear_of("decided").await;
        for event in told["events"].as_array().unwrap() {
            assert_eq!(event["seq"], next);
            next += 1;
            moves += usize::from(event["event"] == "moved");
        }
    }
    open.close().await;
}

#[tokio::test]
async fn what_is_ones_own_is_told_a_few_times_at_once_and_then_once_a_second() {
    let open = Open::new().await;
    let anna = guest("anna");
    let mut lobby = open.lobby(&anna).await;
    lobby.hear_of("mine").await;
    let begun = Instant::now();
    for _ in 0..12 {
        open.json(&anna, "POST", "/v1/tables", "{}").await;
    }
    let mut told = 0;
    loop {
        told += 1;
        let mine = lobby.hear_of("mine").await;
        if mine["games"]
            .as_array()
            .is_some_and(|games| games.len() == 12)
        {
            break;
        }
    }
    let most = 4 + begun.elapsed().as_secs();
    assert!(told <= most, "{told} in {:?}", begun.elapsed());
    open.close().await;
}
