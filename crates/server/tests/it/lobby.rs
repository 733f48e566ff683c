//! The lobby: seeks, challenges, and the live messages.

use serde_json::Value;
use touchmove_server::ServerConfig;
use touchmove_server::security::Limits;
use touchmove_store::{Holder, Moment, Offer, OfferId};

use crate::support::{self, Open, guest, open_to_all};

#[tokio::test]
async fn a_seek_is_seen_taken_once_and_becomes_a_game() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let mut lobby = open.lobby(&anna).await;
    let mut watcher = open.lobby(&bea).await;
    assert_eq!(
        watcher.hear_of("seeks").await["seeks"],
        Value::Array(Vec::new())
    );
    let new = r#"{"terms":{"variant":"atomic","time":"3+2"},"side":"black","name":"Anna"}"#;
    let seek = open.json(&anna, "POST", "/v1/seeks", new).await;
    let id = seek["id"].as_str().unwrap();
    let told = watcher.hear_of("seeks").await;
    assert_eq!(told["seeks"][0], seek);
    assert_eq!(
        (&seek["variant"], &seek["time"]),
        (&"atomic".into(), &"3+2".into())
    );

    let take = format!("/v1/seeks/{id}/take");
    assert_eq!(open.ask(&anna, "POST", &take, "").await.0, 409, "her own");
    let taken = open.json(&bea, "POST", &take, r#"{"name":"Bea"}"#).await;
    assert_eq!(taken["seat"], "white");
    let begins = lobby.hear_of("game").await;
    assert_eq!(begins["game"], taken["game"]);
    let mine = lobby.hear_of("mine").await;
    assert_eq!(mine["games"][0]["id"], taken["game"]);
    assert_eq!(mine["games"][0]["white"]["name"], "Bea");

    // The answer was lost: repeating the request starts no second game. Another player is too late.
    let again = open.json(&bea, "POST", &take, "").await;
    assert_eq!(again, taken);
    let (status, body) = open.ask(&guest("carl"), "POST", &take, "").await;
    assert!(status == 409 && body.contains("faster"), "{body}");
    let shown = open
        .json(&anna, "GET", &format!("/v1/seeks/{id}"), "")
        .await;
    assert_eq!(
        (&shown["status"], &shown["game"]),
        (&"taken".into(), &taken["game"])
    );
    let listed = open.json(&anna, "GET", "/v1/seeks", "").await;
    assert_eq!(listed["seeks"], Value::Array(Vec::new()));

    // The game is played like any other.
    let game = taken["game"].as_str().unwrap();
    let mut white = open.come(&bea, game).await;
    assert_eq!(white.hear_of("state").await["you"], "white");
    white.say(r#"{"move":"e4","id":"m1"}"#).await;
    assert_eq!(white.answer("m1").await["accepted"], true);
    open.close().await;
}

#[tokio::test]
async fn of_many_who_take_a_seek_one_has_it() {
    let open = Open::new().await;
    let anna = guest("anna");
    let seek = open.json(&anna, "POST", "/v1/seeks", "{}").await;
    let take = format!("/v1/seeks/{}/take", seek["id"].as_str().unwrap());
    let takers: Vec<_> = (0..12)
        .map(|number| guest(&format!("taker{number}")))
        .collect();
    let asked = takers
        .iter()
        .map(|taker| open.ask(taker, "POST", &take, ""));
    let answers = futures_util::future::join_all(asked).await;
    let count = |status| answers.iter().filter(|answer| answer.0 == status).count();
    assert_eq!((count(200), count(409)), (1, 11), "{answers:?}");
    open.close().await;
}

#[tokio::test]
async fn a_seek_is_withdrawn_by_who_made_it_and_nobody_else() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let seek = open.json(&anna, "POST", "/v1/seeks", "").await;
    let path = format!("/v1/seeks/{}", seek["id"].as_str().unwrap());
    assert_eq!(open.ask(&bea, "DELETE", &path, "").await.0, 403);
    assert_eq!(open.request("DELETE", &path, &[], "").await.status, 401);
    assert_eq!(open.ask(&anna, "DELETE", &path, "").await.0, 204);
    assert_eq!(open.ask(&anna, "DELETE", &path, "").await.0, 204, "again");
    let (status, body) = open.ask(&bea, "POST", &format!("{path}/take"), "").await;
    assert!(status == 409 && body.contains("withdrawn"), "{body}");
    for path in ["/v1/seeks/00000000", "/v1/seeks/nonsense-", "/v1/seeks/%ff"] {
        assert_eq!(open.ask(&anna, "DELETE", path, "").await.0, 404, "{path}");
    }
    open.close().await;
}

#[tokio::test]
async fn nobody_fills_the_lobby_alone() {
    let open = Open::new().await;
    let anna = guest("anna");
    for _ in 0..8 {
        open.json(&anna, "POST", "/v1/seeks", "").await;
    }
    let (status, body) = open.ask(&anna, "POST", "/v1/seeks", "").await;
    assert!(status == 409 && body.contains("too_many"), "{body}");
    let over = r#"{"terms":{"start":"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}}"#;
    let (status, body) = open.ask(&guest("bea"), "POST", "/v1/seeks", over).await;
    assert!(status == 400 && body.contains("over before"), "{body}");
    open.close().await;
}

#[tokio::test]
async fn nobody_fills_the_lobby_from_one_address() {
    let settings = ServerConfig {
        trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
        limits: Limits {
            open_seeks_per_address: 20,
            network_factor: 1_000,
            ..Limits::default()
        },
        ..ServerConfig::default()
    };
    let open = Open::with(settings).await;
    // One address can choose any number of guest secrets.
    let seek = async |address: &str, number: u32, path: &str, body: &str| {
        let secret = format!("Bearer {}", guest(&format!("g{number}")));
        let headers = [
            ("Authorization", secret.as_str()),
            ("X-Forwarded-For", address),
            ("Content-Type", "application/json"),
        ];
        open.request("POST", path, &headers, body).await
    };
    let eve = "203.0.113.66";
    for number in 0..20 {
        let made = seek(eve, number, "/v1/seeks", "{}").await;
        assert_eq!(made.status, 201, "{}", made.body);
    }
    for (path, body) in [("/v1/seeks", "{}"), ("/api/board/seek", r#"{"days":"3"}"#)] {
        let refused = seek(eve, 20, path, body).await;
        assert_eq!(refused.status, 409, "{path}: {}", refused.body);
    }
    // Even if one address floods the list, later seeks are shown.
    for number in 21..110 {
        let address = format!("198.51.100.{number}");
        let made = seek(&address, number, "/v1/seeks", "{}").await;
        assert_eq!(made.status, 201, "{}", made.body);
    }
    let made = seek("192.0.2.1", 200, "/v1/seeks", "{}").await.json();
    let mut lobby = open.lobby(&guest("watcher")).await;
    for seeks in [
        open.json(&guest("anna"), "GET", "/v1/seeks", "").await,
        lobby.hear_of("seeks").await,
    ] {
        let seeks = seeks["seeks"].as_array().unwrap();
        assert_eq!(seeks.len(), 100);
        assert!(seeks.contains(&made), "{made} is not among {seeks:?}");
    }
    drop(lobby);
    open.close().await;
}

#[tokio::test]
async fn a_challenge_is_between_two() {
    let open = Open::with(open_to_all()).await;
    let [anna, bea, carl] = [
        open.account("Anna").await,
        open.account("Bea").await,
        open.account("Carl").await,
    ];
    let bearer = open.token(&anna, "challenge:read account:read").await;
    let mut lobby = open.lobby(&bearer).await;
    let mine = lobby.hear_of("mine").await;
    assert_eq!(mine["challenges"], Value::Array(Vec::new()));
    let new = r#"{"to":"bea","terms":{"time":"3d"},"side":"white"}"#;
    let heard = open.browse(&anna, "POST", "/v1/challenges", new).await;
    assert_eq!(heard.status, 201, "{}", heard.body);
    let challenge = heard.json();
    assert_eq!(
        (&challenge["direction"], &challenge["to"]["name"]),
        (&"out".into(), &"Bea".into())
    );
    let mine = lobby.hear_of("mine").await;
    assert_eq!(mine["challenges"][0], challenge);
    let id = challenge["id"].as_str().unwrap();
    let listed = open.browse(&bea, "GET", "/v1/challenges", "").await.json();
    assert_eq!(listed["challenges"][0]["direction"], "in");
    assert_eq!(
        open.browse(&carl, "GET", "/v1/challenges", "").await.json()["challenges"],
        Value::Array(Vec::new())
    );

    // A third player sees nothing and can do nothing; it is no seek, and the challenger cannot accept.
    let path = format!("/v1/challenges/{id}");
    for (who, method, path, status) in [
        (&carl, "GET", path.clone(), 404),
        (&carl, "POST", format!("{path}/accept"), 404),
        (&carl, "POST", format!("{path}/decline"), 404),
        (&carl, "DELETE", path.clone(), 404),
        (&carl, "POST", format!("/v1/seeks/{id}/take"), 404),
        (&bea, "DELETE", path.clone(), 404),
        (&anna, "POST", format!("{path}/accept"), 409),
        (&bea, "GET", path.clone(), 200),
    ] {
        let heard = open.browse(who, method, &path, "").await;
        assert_eq!(heard.status, status, "{method} {path}: {}", heard.body);
    }
    let reason = r#"{"reason":"later, please"}"#;
    let declined = open
        .browse(&bea, "POST", &format!("{path}/decline"), reason)
        .await;
    assert_eq!(declined.status, 204, "{}", declined.body);
    let told = lobby.hear_of("declined").await;
    assert_eq!(
        (&told["challenge"], &told["reason"]),
        (&challenge["id"], &"later, please".into())
    );
    let heard = open
        .browse(&bea, "POST", &format!("{path}/accept"), "")
        .await;
    assert_eq!(heard.status, 409);

    let second = open
        .browse(&anna, "POST", "/v1/challenges", new)
        .await
        .json();
    let accept = format!("/v1/challenges/{}/accept", second["id"].as_str().unwrap());
    let accepted = open.browse(&bea, "POST", &accept, "").await;
    assert_eq!(accepted.json()["seat"], "black", "{}", accepted.body);
    assert_eq!(lobby.hear_of("game").await["game"], accepted.json()["game"]);
    for (who, body, status) in [
        (guest("zoe"), r#"{"to":"Bea"}"#, 403),
        (bearer, r#"{"to":"Bea"}"#, 403),
    ] {
        assert_eq!(
            open.ask(&who, "POST", "/v1/challenges", body).await.0,
            status
        );
    }
    for (body, status) in [
        (r#"{"to":"Nemo"}"#, 404),
        (r#"{"to":"Anna"}"#, 400),
        ("", 404),
    ] {
        assert_eq!(
            open.browse(&anna, "POST", "/v1/challenges", body)
                .await
                .status,
            status
        );
    }
    open.close().await;
}

#[tokio::test]
async fn many_old_challenges_hide_no_new_one_and_lift_no_bound() {
    let open = Open::with(open_to_all()).await;
    let [anna, bea] = [open.account("Anna").await, open.account("Bea").await];
    let challenge = async |by: &str, to: &str| {
        let body = format!(r#"{{"to":"{to}","terms":{{"time":"5+3"}}}}"#);
        open.browse(by, "POST", "/v1/challenges", &body).await
    };
    let first = challenge(&bea, "Anna").await.json();
    let id: OfferId = first["id"].as_str().unwrap().parse().unwrap();
    let store = &open.server.store;
    let offer = store.find_offer(id).await.unwrap().unwrap();
    // Strangers have challenged Anna more often than the list is long.
    for number in 0..60 {
        let old = Offer {
            id: format!("old{number:05}").parse().unwrap(),
            by: Holder::Person("0Mallory".parse().unwrap()),
            name: "Mallory".to_owned(),
            created: Moment(offer.created.0 - 1_000 - number),
            ..offer.clone()
        };
        store.create_offer(old).await.unwrap();
    }
    let listed = async |direction: &str| {
        let listed = open.browse(&anna, "GET", "/v1/challenges", "").await;
        let all = listed.json()["challenges"].as_array().unwrap().clone();
        let of_direction = all.into_iter().filter(|one| one["direction"] == *direction);
        of_direction
            .map(|one| one["id"].clone())
            .collect::<Vec<_>>()
    };
    let incoming = listed("in").await;
    assert_eq!((incoming.len(), &incoming[0]), (50, &first["id"]));
    // Her own challenges are counted and shown all the same.
    for number in 1..=8 {
        let made = challenge(&anna, "Bea").await;
        assert_eq!(made.status, 201, "{number}: {}", made.body);
        assert_eq!(listed("out").await.len(), number);
    }
    let refused = challenge(&anna, "Bea").await;
    assert!(
        refused.status == 409 && refused.body.contains("too_many"),
        "{}",
        refused.body
    );
    open.close().await;
}

#[tokio::test]
async fn games_to_watch_are_told_as_they_go() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let new = r#"{"terms":{"time":"5+3"},"side":"white","public":true}"#;
    let made = open.json(&anna, "POST", "/v1/tables", new).await;
    let game = made["game"].as_str().unwrap();
    // An anonymous client may watch, and is sent nothing personal.
    let url = format!("ws://{}/v1/lobby/live", open.address);
    let (socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
    let mut watcher = support::Client { socket };
    assert_eq!(
        watcher.hear_of("games").await["games"],
        Value::Array(Vec::new())
    );
    open.json(&bea, "POST", &format!("/v1/tables/{game}/seat"), "")
        .await;
    open.table(&anna, &bea, "{}").await;
    let told = watcher.hear_of("games").await;
    assert_eq!(
        told["games"].as_array().unwrap().len(),
        1,
        "the other one is private"
    );
    assert_eq!(
        (&told["games"][0]["game"], &told["games"][0]["plies"]),
        (&made["game"], &0.into())
    );
    assert_eq!(told["games"][0]["white"]["name"], "Guest");
    open.json(
        &anna,
        "POST",
        &format!("/v1/tables/{game}/ask"),
        r#"{"move":"e4"}"#,
    )
    .await;
    let told = watcher.hear_of("games").await;
    assert_eq!(told["games"][0]["last_move"], "e2e4");
    let left = told["games"][0]["clocks"]["black"].as_u64().unwrap();
    assert!((200_000..=300_000).contains(&left), "{left}");
    watcher.say(r#"{"command":"ping"}"#).await;
    watcher.hear_of("pong").await;
    watcher.say("nonsense").await;
    assert_eq!(watcher.hear_of("answer").await["accepted"], false);
    open.close().await;
}

#[tokio::test]
async fn a_cookie_opens_the_lobby_only_from_our_own_page() {
    use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
    let open = Open::new().await;
    let cookie = open.guest_cookie().await;
    for (origin, is_welcome) in [
        (format!("http://{}", open.address), true),
        ("http://elsewhere.example".to_owned(), false),
    ] {
        let url = format!("ws://{}/v1/lobby/live", open.address);
        let mut request = url.into_client_request().unwrap();
        request
            .headers_mut()
            .insert("cookie", cookie.parse().unwrap());
        request
            .headers_mut()
            .insert("origin", origin.parse().unwrap());
        let socket = tokio_tungstenite::connect_async(request).await;
        assert_eq!(socket.is_ok(), is_welcome, "{origin}");
    }
    assert_eq!(
        open.request("GET", "/v1/lobby/live", &[], "").await.status,
        426
    );
    open.close().await;
}
