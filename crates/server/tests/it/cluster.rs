//! Several nodes of one cluster: the two players at different nodes, spectators at a third, and connections that are
//! cut. Needs PostgreSQL and NATS (`.ci/services`).

use std::time::{Duration, Instant};

use serde_json::Value;
use touchmove_store::PersonKind;

use crate::support::cluster::{Cluster, until_ready};
use crate::support::{Client, Open, guest};

const SLOW: &str = r#"{"time":"5+3"}"#;

/// White connects to one node and Black to another.
async fn seated(one: &Open, other: &Open, terms: &str) -> (String, Client, Client) {
    let (anna, bea) = (guest("anna"), guest("bea"));
    let new = format!(r#"{{"terms":{terms},"side":"white","name":"Anna"}}"#);
    let made = one.json(&anna, "POST", "/v1/tables", &new).await;
    let game = made["game"].as_str().unwrap().to_owned();
    let mut white = one.come(&anna, &game).await;
    white.hear_of("state").await;
    let path = format!("/v1/tables/{game}/seat");
    other.json(&bea, "POST", &path, r#"{"name":"Bea"}"#).await;
    let told = white.hear_of("decided").await;
    assert_eq!(told["events"][0]["event"], "seated");
    let mut black = other.come(&bea, &game).await;
    black.hear_of("state").await;
    (game, white, black)
}

/// Plays a move, and checks that everybody receives it.
async fn plays(mover: &mut Client, others: &mut [&mut Client], mv: &str) -> Value {
    mover
        .say(&format!(r#"{{"move":"{mv}","id":"{mv}"}}"#))
        .await;
    let answer = mover.answer(mv).await;
    assert_eq!(answer["accepted"], true, "{answer}");
    for other in others {
        let told = other.hear_of("decided").await;
        assert_eq!(told["events"][0]["seq"], answer["seq"], "{told}");
    }
    answer
}

async fn journal(node: &Open, game: &str) -> Vec<Value> {
    let path = format!("/v1/tables/{game}/journal");
    let heard = node.request("GET", &path, &[], "").await;
    assert_eq!(heard.status, 200);
    heard
        .body
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Plays, chats and plays a rematch at three nodes.
async fn play_at_three(one: &Open, two: &Open, three: &Open) {
    let (game, mut white, mut black) = seated(one, two, SLOW).await;
    let mut watcher = three.come(&guest("carla"), &game).await;
    let state = watcher.hear_of("state").await;
    assert!(state["presence"]["watching"].as_u64().unwrap() >= 1);
    // A player at another node is present.
    let is_there = |told: &Value| told["white_away"].is_null() && told["black_away"].is_null();
    let mut presence = state["presence"].clone();
    while !is_there(&presence) {
        presence = watcher.hear_of("presence").await;
    }
    for (number, mv) in ["f3", "e5", "g4"].into_iter().enumerate() {
        match number % 2 {
            0 => plays(&mut white, &mut [&mut black, &mut watcher], mv).await,
            _ => plays(&mut black, &mut [&mut white, &mut watcher], mv).await,
        };
    }
    // A move out of turn is refused, whichever node is asked.
    white.say(r#"{"move":"a3","id":"hasty"}"#).await;
    assert_eq!(white.answer("hasty").await["accepted"], false);
    // A player who sends to another node than the one they listen at finds everything there.
    let path = format!("/v1/tables/{game}/ask");
    let (status, text) = three
        .ask(
            &guest("bea"),
            "POST",
            &path,
            r#"{"move":"a6","id":"x","seen":1}"#,
        )
        .await;
    assert_ne!(status, 403, "{text}");
    // Players chat across nodes, and spectators do not see it.
    white
        .say(r#"{"command":"chat","text":"good luck","id":"c"}"#)
        .await;
    assert_eq!(black.hear_of("chat").await["text"], "good luck");
    if status == 400 {
        plays(&mut black, &mut [&mut white, &mut watcher], "Qh4").await;
    } else {
        panic!("a move that was seen too early is not played: {text}");
    }
    let path = format!("/v1/tables/{game}");
    for node in [one, two, three] {
        let state = node.json(&guest("anna"), "GET", &path, "").await;
        assert_eq!(state["state"]["status"], "checkmate");
        assert_eq!(state["you"], "white");
    }
    // Both offer a rematch, each at their own node.
    white.say(r#"{"command":"rematch","id":"r"}"#).await;
    assert_eq!(black.hear_of("rematch").await["offer"], "white");
    black.say(r#"{"command":"rematch","id":"r"}"#).await;
    let next = loop {
        let told = white.hear_of("rematch").await;
        if let Some(game) = told["game"].as_str() {
            break game.to_owned();
        }
    };
    let state = three
        .json(&guest("anna"), "GET", &format!("/v1/tables/{next}"), "")
        .await;
    assert_eq!(state["you"], "black");
}

#[tokio::test(flavor = "multi_thread")]
async fn three_nodes_play_one_game_by_nats() {
    let Some(cluster) = Cluster::new("nats").await else {
        return;
    };
    let (one, two, three) = (
        cluster.node().await,
        cluster.node().await,
        cluster.node().await,
    );
    play_at_three(&one, &two, &three).await;
    for node in [one, two, three] {
        node.close().await;
    }
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn three_nodes_play_one_game_by_the_database_alone() {
    let Some(cluster) = Cluster::new("notify").await else {
        return;
    };
    let one = cluster.node_without_nats().await;
    let two = cluster.node_without_nats().await;
    // One that is connected to NATS, whose messages the others do not receive.
    let three = cluster.node().await;
    play_at_three(&one, &two, &three).await;
    for node in [one, two, three] {
        node.close().await;
    }
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_falls_once_at_its_deadline_although_three_nodes_watch_and_one_dies() {
    let Some(cluster) = Cluster::new("flag").await else {
        return;
    };
    let (one, two, three) = (
        cluster.node().await,
        cluster.node().await,
        cluster.node().await,
    );
    let terms = r#"{"time":"0:02","clock_start":"at-once"}"#;
    let (game, mut white, mut black) = seated(&one, &two, terms).await;
    let mut watcher = three.come(&guest("carla"), &game).await;
    watcher.hear_of("state").await;
    plays(&mut white, &mut [&mut black, &mut watcher], "e4").await;
    drop((white, one));
    for client in [&mut black, &mut watcher] {
        let told = client.hear_of("decided").await;
        assert_eq!(told["state"]["flag"], "black", "{told}");
    }
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let events = journal(&two, &game).await;
    let of = |kind: &str| {
        let found = events.iter().filter(|event| event["event"] == kind);
        found.cloned().collect::<Vec<_>>()
    };
    let (fell, ended) = (of("flag_fell"), of("ended"));
    assert_eq!((fell.len(), ended.len()), (1, 1), "{events:?}");
    let moved = of("moved")[0]["at"].as_u64().unwrap();
    let took = fell[0]["at"].as_u64().unwrap() - moved;
    assert!((2_000..2_050).contains(&took), "{took}");
    let numbers: Vec<_> = events
        .iter()
        .filter_map(|event| event["seq"].as_u64())
        .collect();
    assert!(numbers.is_sorted_by(|a, b| a + 1 == *b), "{numbers:?}");
    two.close().await;
    three.close().await;
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn offers_and_streams_reach_who_is_at_another_node() {
    let Some(cluster) = Cluster::new("offers").await else {
        return;
    };
    let (one, two) = (cluster.node().await, cluster.node().await);
    let (anna, bea) = (guest("anna"), guest("bea"));
    let mut first = one.lobby(&anna).await;
    let mut second = two.lobby(&bea).await;
    for lobby in [&mut first, &mut second] {
        lobby.hear_of("mine").await;
    }
    let seek = r#"{"terms":{"time":"5+3"},"side":"white","name":"Anna"}"#;
    let made = one.json(&anna, "POST", "/v1/seeks", seek).await;
    let id = made["id"].as_str().unwrap();
    while second.hear_of("seeks").await["seeks"]
        .as_array()
        .unwrap()
        .is_empty()
    {}
    let path = format!("/v1/seeks/{id}/take");
    two.json(&bea, "POST", &path, r#"{"name":"Bea"}"#).await;
    assert_eq!(first.hear_of("game").await["game"], id);
    // Clients of Lichess's API listen at one node and move at another.
    let carla = one.member("Carla", PersonKind::Bot).await;
    let dora = two.member("Dora", PersonKind::Bot).await;
    let mut events = one.lines(&carla, "GET", "/api/stream/event", "").await;
    events.line().await;
    let form = "clock.limit=300&clock.increment=3&color=white";
    let made = two
        .lines(&dora, "POST", "/api/challenge/carla", form)
        .await
        .next()
        .await
        .unwrap();
    let challenge = events.of("challenge").await;
    let id = challenge["challenge"]["id"].as_str().unwrap().to_owned();
    assert!(made.to_string().contains(&id), "{made}");
    two.granted(&carla, &format!("/api/challenge/{id}/accept"), "")
        .await;
    assert_eq!(events.of("gameStart").await["game"]["gameId"], id.as_str());
    let path = format!("/api/bot/game/stream/{id}");
    let mut game = one.lines(&carla, "GET", &path, "").await;
    game.of("gameFull").await;
    for (node, token, mv) in [
        (&two, &dora, "e2e4"),
        (&two, &carla, "e7e5"),
        (&one, &dora, "g1f3"),
    ] {
        node.granted(token, &format!("/api/bot/game/{id}/move/{mv}"), "")
            .await;
        let state = game.of("gameState").await;
        assert!(state["moves"].as_str().unwrap().ends_with(mv), "{state}");
    }
    let (_, online) = two
        .ask(&dora, "GET", "/api/users/status?ids=carla", "")
        .await;
    assert!(online.contains("\"online\":true"), "{online}");
    two.granted(&dora, &format!("/api/bot/game/{id}/resign"), "")
        .await;
    assert_eq!(events.of("gameFinish").await["game"]["gameId"], id.as_str());
    // A second stream of the same token replaces the first, also at another node.
    let mut again = two.lines(&carla, "GET", "/api/stream/event", "").await;
    again.line().await;
    assert_eq!(events.rest().await, Vec::<Value>::new());
    one.close().await;
    two.close().await;
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_without_its_messenger_goes_on_and_finds_it_again() {
    let Some(cluster) = Cluster::new("lost_nats").await else {
        return;
    };
    let one = cluster.node().await;
    let (two, _database, messenger) = cluster.node_on_wires().await;
    let (_, mut white, mut black) = seated(&one, &two, SLOW).await;
    plays(&mut white, &mut [&mut black], "e4").await;
    messenger.is_whole(false);
    for (number, mv) in ["e5", "Nf3", "Nc6", "Bb5"].into_iter().enumerate() {
        let began = Instant::now();
        match number % 2 {
            0 => plays(&mut black, &mut [&mut white], mv).await,
            _ => plays(&mut white, &mut [&mut black], mv).await,
        };
        assert!(
            began.elapsed() < Duration::from_secs(4),
            "{:?}",
            began.elapsed()
        );
    }
    until_ready(&two, true).await;
    messenger.is_whole(true);
    tokio::time::sleep(Duration::from_secs(3)).await;
    plays(&mut black, &mut [&mut white], "a6").await;
    plays(&mut white, &mut [&mut black], "Ba4").await;
    one.close().await;
    two.close().await;
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_without_the_database_refuses_keeps_its_sockets_and_comes_back() {
    let Some(cluster) = Cluster::new("lost_database").await else {
        return;
    };
    let one = cluster.node().await;
    let (two, database, _messenger) = cluster.node_on_wires().await;
    let (game, mut white, mut black) = seated(&one, &two, SLOW).await;
    plays(&mut white, &mut [&mut black], "e4").await;
    database.is_whole(false);
    black.say(r#"{"move":"e5","id":"lost"}"#).await;
    let answer = black.answer("lost").await;
    assert_eq!(answer["reason"], "try_again", "{answer}");
    until_ready(&two, false).await;
    let path = format!("/v1/tables/{game}/ask");
    let (status, text) = two
        .ask(&guest("bea"), "POST", &path, r#"{"move":"e5"}"#)
        .await;
    assert_eq!(status, 503, "{text}");
    // The other node serves the player meanwhile, and its decision arrives here by NATS.
    one.json(&guest("bea"), "POST", &path, r#"{"move":"e5","id":"lost"}"#)
        .await;
    assert_eq!(
        black.hear_of("decided").await["events"][0]["event"],
        "moved"
    );
    database.is_whole(true);
    until_ready(&two, true).await;
    // The same command is recognised by its id.
    black.say(r#"{"move":"e5","id":"lost"}"#).await;
    let answer = black.answer("lost").await;
    assert_eq!(
        (&answer["accepted"], &answer["repeated"]),
        (&true.into(), &true.into())
    );
    white.hear_of("decided").await;
    plays(&mut white, &mut [&mut black], "Nf3").await;
    // A node that was away alone caused no outage: no clock stood still.
    let events = journal(&one, &game).await;
    assert!(
        events.iter().all(|event| event["event"] != "clocks_held"),
        "{events:?}"
    );
    one.close().await;
    two.close().await;
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_in_which_no_node_could_write_is_nobodys() {
    let Some(cluster) = Cluster::new("silence").await else {
        return;
    };
    let (one, first, _messenger) = cluster.node_on_wires().await;
    let (two, second, _messenger_too) = cluster.node_on_wires().await;
    let terms = r#"{"time":"0:05","clock_start":"at-once"}"#;
    let (game, mut white, mut black) = seated(&one, &two, terms).await;
    plays(&mut white, &mut [&mut black], "e4").await;
    for wire in [&first, &second] {
        wire.is_whole(false);
    }
    tokio::time::sleep(Duration::from_secs(7)).await;
    for wire in [&first, &second] {
        wire.is_whole(true);
    }
    until_ready(&one, true).await;
    until_ready(&two, true).await;
    // Black would have lost on time.
    black.say(r#"{"move":"e5","id":"late"}"#).await;
    let answer = black.answer("late").await;
    assert_eq!(answer["accepted"], true, "{answer}");
    let events = journal(&two, &game).await;
    let held: Vec<_> = events
        .iter()
        .filter(|event| event["event"] == "clocks_held")
        .collect();
    assert_eq!(held.len(), 1, "{events:?}");
    one.close().await;
    two.close().await;
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_are_started_anew_one_after_another_while_a_game_is_played() {
    let Some(cluster) = Cluster::new("rolling").await else {
        return;
    };
    let mut nodes = vec![cluster.node().await, cluster.node().await];
    let (game, white, black) = seated(&nodes[0], &nodes[1], SLOW).await;
    drop((white, black));
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8", "Nc3", "Nc6", "Nb1", "Nb8"];
    for (number, mv) in moves.into_iter().enumerate() {
        let fresh = cluster.node().await;
        nodes.remove(0).close().await;
        nodes.push(fresh);
        let who = if number % 2 == 0 { "anna" } else { "bea" };
        let asks = format!(r#"{{"move":"{mv}","id":"{number}"}}"#);
        let path = format!("/v1/tables/{game}/ask");
        nodes[number % 2]
            .json(&guest(who), "POST", &path, &asks)
            .await;
    }
    let events = journal(&nodes[0], &game).await;
    let played = events
        .iter()
        .filter(|event| event["event"] == "moved")
        .count();
    assert_eq!(played, moves.len());
    for node in nodes {
        node.close().await;
    }
    cluster.remove().await;
}
