//! Long games: they are shown in full, what is sent at once is bounded, and views are rate limited for players too.

use serde_json::Value;
use touchmove_rules::{AnyPosition, Move, Role, Variant};
use touchmove_server::ServerConfig;
use touchmove_server::security::{Limits, Rate};

use crate::support::{Open, guest};

/// The plies of the game: a few more than are rendered while others wait, or sent at once.
const PLIES: usize = 230;

/// A running game between two guests with this many plies: pieces wander, and a pawn is pushed now and then.
async fn long_game(open: &Open) -> String {
    let (anna, bea) = (guest("Anna"), guest("Bea"));
    let terms = r#"{"time":"30+30","dead":"off"}"#;
    let game = open.table(&anna, &bea, terms).await;
    let path = format!("/v1/tables/{game}/ask");
    let mut position = AnyPosition::start(Variant::Chess);
    let mut seed: usize = 1;
    for ply in 0..PLIES {
        let is_push = |mv: &&Move| mv.role() == Role::Pawn;
        let is_quiet = |mv: &&Move| {
            !mv.is_capture() && (ply % 30 == 0 || !is_push(mv)) && {
                let after = position.after(**mv);
                after.legal_moves().len() > 5
            }
        };
        let moves = position.legal_moves();
        let quiet: Vec<&Move> = moves.iter().filter(is_quiet).collect();
        let pushes = quiet.iter().copied().find(is_push);
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mv = *pushes.unwrap_or_else(|| quiet[(seed >> 33) % quiet.len()]);
        let body = format!(r#"{{"move":"{}"}}"#, position.uci(mv));
        let who = if ply % 2 == 0 { &anna } else { &bea };
        open.json(who, "POST", &path, &body).await;
        position.play(mv);
    }
    game
}

fn plies(view: &Value) -> usize {
    let history = view["history"].as_array().unwrap();
    assert!(history.iter().all(|ply| ply["san"].is_string()));
    history.len()
}

#[tokio::test]
async fn a_long_game_is_shown_whole_and_counted_for_its_players_too() {
    let open = Open::new().await;
    let game = long_game(&open).await;
    let limits = Limits {
        read: Rate::new(4, 1),
        ..Limits::default()
    };
    let open = open
        .again_with(ServerConfig {
            trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
            limits,
            ..ServerConfig::default()
        })
        .await;
    let path = format!("/v1/tables/{game}");
    let anna = format!("Bearer {}", guest("Anna"));
    let headers = |address| [("X-Forwarded-For", address), ("Authorization", &*anna)];
    // One for loading the game, and one for each view.
    for _ in 0..4 {
        let shown = open
            .request("GET", &path, &headers("203.0.113.9"), "")
            .await;
        assert_eq!((shown.status, plies(&shown.json())), (200, PLIES));
    }
    let refused = open
        .request("GET", &path, &headers("203.0.113.9"), "")
        .await;
    assert_eq!(refused.status, 429, "{}", refused.body);
    // A client that returns after a short break is not counted; one that has seen only the beginning is sent
    // everything, not twice.
    let live = format!("{path}/live");
    let comes = async |address: &str, seen: usize| {
        let query = format!("{live}?seen={seen}");
        let headers = [("x-forwarded-for", address), ("authorization", &*anna)];
        open.socket(&query, &headers).await.hear_of("state").await
    };
    let back = comes("203.0.113.9", PLIES).await;
    assert_eq!(plies(&back), PLIES);
    assert!(
        back["events"].as_array().unwrap().len() < 10,
        "{}",
        back["events"]
    );
    let far = comes("203.0.113.10", 0).await;
    assert_eq!(plies(&far), PLIES);
    assert_eq!(far["events"], Value::Null);
    open.close().await;
}

#[tokio::test]
async fn whoever_follows_a_long_game_is_told_of_every_board_once() {
    let open = Open::new().await;
    let game = long_game(&open).await;
    let ask = format!("/v1/tables/{game}/ask");
    open.json(&guest("Anna"), "POST", &ask, r#"{"command":"resign"}"#)
        .await;
    let path = format!("/api/stream/game/{game}");
    let stream = open.request("GET", &path, &[], "").await;
    let lines = stream.body.lines().filter(|line| !line.is_empty());
    let lines: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // The game, its boards from the first on, and the game again.
    assert_eq!(lines.len(), 1 + (PLIES + 1) + 1);
    assert_eq!(lines[0]["turns"], PLIES);
    assert!(lines[1]["lm"].is_null() && lines[2]["lm"].is_string());
    open.close().await;
}
