//! Messages over NATS and database notifications are not trusted: forged, replayed and reordered ones change nothing.
//! Needs PostgreSQL and NATS (`.ci/services`).

use std::time::Duration;

use async_nats::{Client as Nats, ConnectOptions, Subscriber};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use touchmove_game::{Command, Submission, journal};
use touchmove_rules::Color;
use touchmove_store::PersonKind;

use crate::support::cluster::Cluster;
use crate::support::{Client, Open, guest};

const TERMS: &str = r#"{"time":"5+3"}"#;

/// A game whose two players are connected to two nodes.
struct Game {
    id: String,
    white: Client,
    black: Client,
    /// The number of spectators.
    watching: u64,
}

/// The next message to a player, apart from presence: that may be repeated at any time, but must say that both
/// players are there, and the right number of spectators.
async fn hear_news(player: &mut Client, watching: u64) -> Value {
    loop {
        let told = player.hear().await;
        if told["type"] != "presence" {
            return told;
        }
        let is_true = told["white_away"].is_null() && told["black_away"].is_null();
        assert!(is_true && told["watching"] == watching, "{told}");
    }
}

impl Game {
    async fn new(one: &Open, two: &Open) -> Game {
        let id = one.table(&guest("anna"), &guest("bea"), TERMS).await;
        let mut white = one.come(&guest("anna"), &id).await;
        white.hear_of("state").await;
        let mut black = two.come(&guest("bea"), &id).await;
        let state = black.hear_of("state").await;
        // Each knows that the other is present.
        let mut presence = state["presence"].clone();
        while !presence["white_away"].is_null() {
            presence = black.hear_of("presence").await;
        }
        presence = Value::Null;
        while presence.is_null() || !presence["black_away"].is_null() {
            presence = white.hear_of("presence").await;
        }
        Game {
            id,
            white,
            black,
            watching: 0,
        }
    }

    /// Plays a move, which both are sent; and neither was sent anything else before.
    async fn plays_and_nothing_else_was_told(&mut self, color: Color, mv: &str) {
        let (mover, other) = match color {
            Color::White => (&mut self.white, &mut self.black),
            Color::Black => (&mut self.black, &mut self.white),
        };
        mover
            .say(&format!(r#"{{"move":"{mv}","id":"{mv}"}}"#))
            .await;
        let told = hear_news(mover, self.watching).await;
        assert_eq!(told["type"], "decided", "{told}");
        let answer = hear_news(mover, self.watching).await;
        assert_eq!(answer["accepted"], true, "{answer}");
        let told = hear_news(other, self.watching).await;
        assert_eq!(told["type"], "decided", "{told}");
        assert_eq!(told["events"][0]["seq"], answer["seq"], "{told}");
        assert_eq!(told["state"]["status"], "ongoing", "{told}");
    }
}

/// Connects to NATS at an address.
async fn connect(address: &str) -> Result<Nats, async_nats::ConnectError> {
    let rest = address.strip_prefix("nats://").unwrap();
    let (user, host) = rest.rsplit_once('@').unwrap();
    let (user, password) = user.split_once(':').unwrap();
    ConnectOptions::with_user_and_password(user.to_owned(), password.to_owned())
        .connect(host)
        .await
}

/// An attacker who can read and write everything that goes over NATS.
struct Attacker {
    nats: Nats,
    everything: Subscriber,
    recorded: Vec<(String, String)>,
}

impl Attacker {
    async fn new(cluster: &Cluster) -> Attacker {
        let nats = connect(cluster.nats()).await.unwrap();
        // Other tests share the NATS server; their messages are ignored.
        let root = format!("touchmove.{}.>", cluster.store().await.name());
        let everything = nats.subscribe(root).await.unwrap();
        nats.flush().await.unwrap();
        Attacker {
            nats,
            everything,
            recorded: Vec::new(),
        }
    }

    /// Records messages until one of this kind has been sent in this cluster.
    async fn record_until(&mut self, kind: &str) -> (String, String) {
        let heard = tokio::time::timeout(Duration::from_secs(20), async {
            loop {
                let message = self.everything.next().await.unwrap();
                let text = String::from_utf8(message.payload.to_vec()).unwrap();
                let one = (message.subject.to_string(), text);
                self.recorded.push(one.clone());
                if one.1.contains(kind) {
                    return one;
                }
            }
        });
        heard.await.expect(kind)
    }

    async fn publish(&self, subject: &str, text: &str) {
        let sent = self
            .nats
            .publish(subject.to_owned(), text.to_owned().into());
        sent.await.unwrap();
    }
}

/// What an attacker may make of a real message: another body with every header they can think of.
fn forged(real: &str, body: &str) -> Vec<String> {
    let parts: Vec<&str> = real.splitn(6, ' ').collect();
    let [version, signature, node, counter, at, _] = parts[..] else {
        panic!("{real}");
    };
    let next = counter.parse::<u64>().unwrap() + 1;
    let zeros = "0".repeat(64);
    vec![
        format!("[\"{node}\",{body}]"),
        format!("[\"stranger\",{body}]"),
        format!("{version} {signature} {node} {counter} {at} {body}"),
        format!("{version} {signature} {node} {next} {at} {body}"),
        format!("{version} {zeros} {node} {next} {at} {body}"),
        format!("{version} {zeros} stranger 1 {at} {body}"),
        format!("{version}  {node} {next} {at} {body}"),
        body.to_owned(),
    ]
}

/// Every kind of message, with the most harmful content.
async fn bodies(node: &Open, game: &str, token: &str) -> Vec<String> {
    let table = node.server.table(game.parse().unwrap()).await;
    let table = table.unwrap().unwrap();
    let core = table.lock().await;
    let now = node.server.now();
    let mut bodies = Vec::new();
    for (by, command) in [
        (Color::Black, Command::Resign),
        (Color::White, Command::Resign),
        (
            Color::Black,
            Command::Move {
                attempt: "a7a6".parse().unwrap(),
            },
        ),
    ] {
        let decided = core.game.decide(&Submission::new(now, by, command));
        let events = decided.unwrap().events();
        let text: Vec<_> = events.iter().map(journal::line).collect();
        let (first, last) = (events[0].seq, events[events.len() - 1].seq);
        let text = text.concat().trim_end().to_owned();
        bodies.push(json!({
            "decided": { "game": game, "first": first, "last": last, "text": text }
        }));
        // A number that is far ahead.
        bodies.push(json!({
            "decided": { "game": game, "first": first + 9, "last": last + 9, "text": "{}" }
        }));
    }
    let hash = Sha256::digest(token.as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    for is_players in [true, false] {
        bodies.push(json!({ "chat": {
            "game": game, "is_players": is_players, "number": 7, "at": now.0, "name": "Bea",
            "text": "I give up"
        } }));
    }
    bodies.extend([
        json!({ "there": { "game": game, "white": false, "black": false, "watching": 9 } }),
        json!({ "there": { "game": game, "white": true, "black": true, "watching": 999 } }),
        json!({ "rematch": { "game": game, "offer": "black", "is_begun": false } }),
        json!({ "rematch": { "game": game, "offer": null, "is_begun": true } }),
        json!({ "stream": { "token": hash } }),
        json!({ "who": { "game": game } }),
        json!("alive"),
        json!("stir"),
        json!("revoked"),
    ]);
    bodies.iter().map(Value::to_string).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_messages_change_nothing() {
    let Some(cluster) = Cluster::new("forged").await else {
        return;
    };
    let mut attacker = Attacker::new(&cluster).await;
    let (one, two) = (cluster.node().await, cluster.node().await);
    let carla = one.member("Carla", PersonKind::Human).await;
    let mut events = one.lines(&carla, "GET", "/api/stream/event", "").await;
    events.line().await;
    let mut game = Game::new(&one, &two).await;
    game.plays_and_nothing_else_was_told(Color::White, "e4")
        .await;
    let (subject, real) = attacker.record_until("decided").await;
    let root = subject.split(".game.").next().unwrap().to_owned();
    let mut notified = Vec::new();
    for body in bodies(&one, &game.id, &carla).await {
        for text in forged(&real, &body) {
            for subject in [subject.clone(), format!("{root}.house")] {
                attacker.publish(&subject, &text).await;
            }
            notified.push(format!("\n={text}"));
        }
    }
    attacker.publish(&subject, &"x".repeat(900_000)).await;
    attacker.nats.flush().await.unwrap();
    // The same through the database; and a notification that makes a node look for events that do not exist.
    notified.push(format!("{}:99", game.id));
    notified.extend((0..200).map(|_| "nonsense".to_owned()));
    cluster.notify(&notified).await;
    game.plays_and_nothing_else_was_told(Color::Black, "e5")
        .await;
    game.plays_and_nothing_else_was_told(Color::White, "Nf3")
        .await;
    // The stream is still open.
    let dora = two.member("Dora", PersonKind::Human).await;
    let form = "clock.limit=300&clock.increment=3";
    two.granted(&dora, "/api/challenge/carla", form).await;
    events.of("challenge").await;
    one.close().await;
    two.close().await;
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replayed_and_reordered_messages_change_nothing() {
    let Some(cluster) = Cluster::new("replayed").await else {
        return;
    };
    let mut attacker = Attacker::new(&cluster).await;
    let (one, two) = (cluster.node().await, cluster.node().await);
    let mut game = Game::new(&one, &two).await;
    // Everything happens once: a spectator comes and goes, a player chats, moves.
    let watcher = one.come(&guest("carla"), &game.id).await;
    for client in [&mut game.white, &mut game.black] {
        while client.hear_of("presence").await["watching"] != 1 {}
    }
    drop(watcher);
    for client in [&mut game.white, &mut game.black] {
        while client.hear_of("presence").await["watching"] != 0 {}
    }
    let chat = r#"{"command":"chat","text":"good luck","id":"c"}"#;
    game.white.say(chat).await;
    game.white.answer("c").await;
    game.black.hear_of("chat").await;
    attacker.record_until("\"chat\"").await;
    game.plays_and_nothing_else_was_told(Color::White, "e4")
        .await;
    attacker.record_until("\"decided\"").await;
    // Until a node trusts NATS it publishes presence through the database, and repeats that every few seconds.
    let is_there = |(_, text): &(String, String)| text.contains("\"there\"");
    if !attacker.recorded.iter().any(is_there) {
        attacker.record_until("\"there\"").await;
    }
    let recorded = attacker.recorded.clone();
    let three = cluster.node().await;
    let mut watcher = three.come(&guest("dora"), &game.id).await;
    watcher.hear_of("state").await;
    game.watching = 1;
    for client in [&mut game.white, &mut game.black] {
        while client.hear_of("presence").await["watching"] != 1 {}
    }
    for (subject, text) in recorded.iter().rev().chain(&recorded) {
        attacker.publish(subject, text).await;
    }
    attacker.nats.flush().await.unwrap();
    let notified: Vec<_> = recorded
        .iter()
        .filter(|(_, text)| text.len() < 7_000)
        .map(|(_, text)| format!("\n={text}"))
        .collect();
    cluster.notify(&notified).await;
    game.plays_and_nothing_else_was_told(Color::Black, "e5")
        .await;
    game.plays_and_nothing_else_was_told(Color::White, "Nf3")
        .await;
    // A node that has started since does not accept them either.
    let state = three
        .json(
            &guest("dora"),
            "GET",
            &format!("/v1/tables/{}", game.id),
            "",
        )
        .await;
    assert_eq!(state["presence"]["watching"], 1, "{state}");
    for node in [one, two, three] {
        node.close().await;
    }
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_with_a_wrong_password_for_nats_plays_on_by_the_database() {
    let Some(cluster) = Cluster::new("password").await else {
        return;
    };
    let (scheme, host) = cluster.nats().split_once("://").unwrap();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let wrong = format!("{scheme}://touchmove:not-the-password@{host}");
    assert!(
        connect(&wrong).await.is_err(),
        "the NATS of the tests asks for a password"
    );
    let one = cluster.node().await;
    let two = cluster.node_with_nats(&wrong).await;
    let mut game = Game::new(&one, &two).await;
    for (number, mv) in ["e4", "e5", "Nf3"].into_iter().enumerate() {
        let (mover, other) = match number % 2 {
            0 => (&mut game.white, &mut game.black),
            _ => (&mut game.black, &mut game.white),
        };
        mover
            .say(&format!(r#"{{"move":"{mv}","id":"{mv}"}}"#))
            .await;
        let answer = mover.answer(mv).await;
        assert_eq!(answer["accepted"], true, "{answer}");
        let told = other.hear_of("decided").await;
        assert_eq!(told["events"][0]["seq"], answer["seq"], "{told}");
    }
    one.close().await;
    two.close().await;
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nats_loses_is_found_out_and_nobody_is_absent_by_it() {
    let Some(cluster) = Cluster::new("lost").await else {
        return;
    };
    let one = cluster.node_that_is_cut_off().await;
    let two = cluster.node_that_is_cut_off().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let terms = r#"{"time":"5+3","absence":10}"#;
    let id = one.table(&anna, &bea, terms).await;
    let mut white = one.come(&anna, &id).await;
    white.hear_of("state").await;
    let mut black = two.come(&bea, &id).await;
    black.hear_of("state").await;
    // Neither node has received anything from the other; both detect it.
    while !white.hear_of("presence").await["black_away"].is_null() {}
    while !black.hear_of("presence").await["white_away"].is_null() {}
    white
        .say(r#"{"command":"claim_absence","id":"claim"}"#)
        .await;
    let answer = white.answer("claim").await;
    assert_eq!(answer["accepted"], false, "{answer}");
    // From then on chat goes through the database.
    let chat = r#"{"command":"chat","text":"good luck","id":"chat"}"#;
    white.say(chat).await;
    assert_eq!(black.hear_of("chat").await["text"], "good luck");
    white.say(r#"{"move":"e4","id":"e4"}"#).await;
    let told = black.hear_of("decided").await;
    assert_eq!(told["events"][0]["event"], "moved", "{told}");
    for (player, id) in [(&mut white, "w"), (&mut black, "b")] {
        player
            .say(&format!(r#"{{"command":"resign","id":"{id}"}}"#))
            .await;
        player.answer(id).await;
    }
    white.say(r#"{"command":"rematch","id":"again"}"#).await;
    while black.hear_of("rematch").await["offer"] != "white" {}
    one.close().await;
    two.close().await;
    cluster.remove().await;
}

/// Applies an event to a game in the memory of one node, which the store does not have.
async fn corrupt(node: &Open, game: &str) {
    let table = node.server.table(game.parse().unwrap()).await;
    let table = table.unwrap().unwrap();
    let mut core = table.lock().await;
    let resign = Submission::new(node.server.now(), Color::Black, Command::Resign);
    for event in core.game.decide(&resign).unwrap().events() {
        core.game.evolve(&event).unwrap();
    }
    assert!(core.game.ending().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_wrong_in_memory_is_read_anew() {
    let Some(cluster) = Cluster::new("corrupt").await else {
        return;
    };
    let (one, two) = (cluster.node().await, cluster.node().await);
    let mut game = Game::new(&one, &two).await;
    game.plays_and_nothing_else_was_told(Color::White, "e4")
        .await;
    // Detected by a command at the corrupt node.
    corrupt(&two, &game.id).await;
    game.black.say(r#"{"move":"e5","id":"e5"}"#).await;
    let mut has_state = false;
    let answer = loop {
        let told = game.black.hear().await;
        has_state |= told["type"] == "state";
        if told["type"] == "answer" {
            break told;
        }
    };
    assert_eq!(answer["accepted"], true, "{answer}");
    assert!(has_state, "whoever listens is told how everything stands");
    game.white.hear_of("decided").await;
    // Detected by a decision of another node.
    corrupt(&two, &game.id).await;
    game.white.say(r#"{"move":"Nf3","id":"Nf3"}"#).await;
    assert_eq!(game.white.answer("Nf3").await["accepted"], true);
    let state = game.black.hear_of("state").await;
    assert_eq!(state["state"]["status"], "ongoing", "{state}");
    // Detected by the regular poll.
    corrupt(&one, &game.id).await;
    let state = game.white.hear_of("state").await;
    assert_eq!(state["state"]["status"], "ongoing", "{state}");
    game.black.say(r#"{"move":"Nc6","id":"Nc6"}"#).await;
    assert_eq!(game.black.answer("Nc6").await["accepted"], true);
    assert_eq!(
        game.white.hear_of("decided").await["events"][0]["event"],
        "moved"
    );
    one.close().await;
    two.close().await;
    cluster.remove().await;
}
