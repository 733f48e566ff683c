//! Limits: which clients are counted, how often they may act, and what is logged.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use touchmove_server::security::{Limits, Rate, RouteLimit, list_route_limits};
use touchmove_server::{HttpListener, ServerConfig};

use crate::support::{Heard, Open, guest, open_to_all};

/// A server behind a proxy on this machine, with these limits.
fn proxied(limits: Limits) -> ServerConfig {
    ServerConfig {
        trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
        limits,
        ..open_to_all()
    }
}

/// Sends a request through the proxy, for a client with this address.
async fn ask_from(open: &Open, address: &str, method: &str, path: &str, body: &str) -> Heard {
    let headers = [("X-Forwarded-For", address)];
    open.request(method, path, &headers, body).await
}

async fn count(open: &Open, times: usize, headers: &[(&str, &str)], status: u16) -> usize {
    let mut found = 0;
    for _ in 0..times {
        let heard = open.request("POST", "/v1/tables", headers, "{}").await;
        found += usize::from(heard.status == status);
    }
    found
}

fn few() -> Limits {
    Limits {
        create: Rate::new(3, 1),
        ..Limits::default()
    }
}

#[tokio::test]
async fn only_a_direct_peer_at_this_machine_is_exempt() {
    let direct = ServerConfig {
        limits: few(),
        ..ServerConfig::default()
    };
    let open = Open::with(direct.clone()).await;
    assert_eq!(count(&open, 6, &[], 201).await, 6);
    for header in [
        "X-Forwarded-For",
        "Forwarded",
        "X-Real-IP",
        "Via",
        "X-Forwarded-Proto",
    ] {
        let open = Open::with(direct.clone()).await;
        for value in ["127.0.0.1", "rubbish"] {
            count(&open, 2, &[(header, value)], 201).await;
        }
        assert_eq!(
            count(&open, 1, &[(header, "127.0.0.1")], 429).await,
            1,
            "{header}"
        );
        open.close().await;
    }
    open.close().await;
    let public = ServerConfig {
        public_url: Some("http://chess.example".to_owned()),
        ..direct
    };
    let open = Open::with(public).await;
    assert_eq!(count(&open, 6, &[], 201).await, 3);
    open.close().await;
}

#[tokio::test]
async fn what_a_proxy_says_unreadably_is_one_unknown_client() {
    let open = Open::with(proxied(few())).await;
    let mut made = 0;
    for rubbish in [
        "rubbish",
        "",
        "1.2.3.4:x",
        "unknown",
        "_hidden",
        "1.2.3.4,",
        "[::1",
    ] {
        made += count(&open, 1, &[("X-Forwarded-For", rubbish)], 201).await;
        made += count(&open, 1, &[("Forwarded", rubbish)], 201).await;
    }
    assert_eq!(made, 3);
    // A forwarded loopback or private address gives no exemption: it is a client like others.
    for address in ["::1", "192.168.1.2", "198.51.100.7:4711", "[2001:db8::7]:1"] {
        let header = [("X-Forwarded-For", address)];
        assert_eq!(count(&open, 5, &header, 201).await, 3, "{address}");
    }
    let header = [("Forwarded", "for=\"[2001:db8:1::7]:1\"")];
    assert_eq!(count(&open, 5, &header, 201).await, 3);
    open.close().await;
}

#[tokio::test]
async fn a_refusal_says_when_the_next_token_is_there() {
    let limits = Limits {
        create: Rate::new(1, 4),
        ..Limits::default()
    };
    let open = Open::with(proxied(limits)).await;
    let first = ask_from(&open, "192.0.2.1", "POST", "/v1/tables", "{}").await;
    assert_eq!(first.status, 201);
    let heard = ask_from(&open, "192.0.2.1", "POST", "/v1/tables", "{}").await;
    assert_eq!(
        (heard.status, &heard.json()["reason"]),
        (429, &"too_often".into())
    );
    assert!(heard.head.contains("retry-after: 15"), "{}", heard.head);
    open.close().await;
}

#[tokio::test]
async fn wrong_passwords_for_one_account_are_stopped_and_its_owner_signs_in() {
    let open = Open::with(proxied(Limits::default())).await;
    let new = r#"{"name":"Anna","password":"1. e4 e5 2. f4"}"#;
    let made = ask_from(&open, "192.0.2.1", "POST", "/v1/account", new).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let wrong = r#"{"name":"Anna","password":"1. d4 d5 2. c4"}"#;
    let mut judged = 0;
    for host in 0..14 {
        let address = format!("203.0.113.{host}");
        let heard = ask_from(&open, &address, "POST", "/v1/session", wrong).await;
        judged += usize::from(heard.status == 401);
    }
    assert_eq!(judged, 10);
    let heard = ask_from(&open, "192.0.2.1", "POST", "/v1/session", new).await;
    assert_eq!(heard.status, 200, "{}", heard.body);
    open.close().await;
}

#[tokio::test]
async fn the_machine_itself_cannot_guess_passwords_either() {
    let limits = Limits {
        sign_in: Rate::new(2, 1),
        ..Limits::default()
    };
    let open = Open::with(ServerConfig {
        limits,
        ..open_to_all()
    })
    .await;
    let mut statuses = Vec::new();
    for name in ["Anna", "Bea", "Carl"] {
        let wrong = format!(r#"{{"name":"{name}","password":"not this one"}}"#);
        let heard = open.request("POST", "/v1/session", &[], &wrong).await;
        statuses.push(heard.status);
    }
    assert_eq!(statuses, [401, 401, 429]);
    open.close().await;
}

#[tokio::test]
async fn easy_passwords_are_refused_for_new_accounts() {
    let open = Open::with(open_to_all()).await;
    for password in [
        "password",
        "12345678",
        "aaaaaaaa",
        "        ",
        "Magdalena1",
        "touchmove",
    ] {
        let new = format!(r#"{{"name":"Magdalena","password":"{password}"}}"#);
        let heard = open.request("POST", "/v1/account", &[], &new).await;
        assert_eq!(
            (heard.status, &heard.json()["reason"]),
            (400, &"bad_password".into()),
            "{password}"
        );
    }
    open.close().await;
}

/// A school class: forty clients at once, all from one address.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_class_of_forty_behind_one_address_is_in_within_a_minute() {
    const PUPILS: usize = 40;
    let open = Arc::new(Open::with(proxied(Limits::default())).await);
    for pupil in 0..PUPILS {
        let name = touchmove_accounts::Name::account(&format!("Member{pupil}")).unwrap();
        let kind = touchmove_store::PersonKind::Human;
        let people = &open.server.people;
        people
            .register(&name, kind, Some("1. e4 e5 2. f4"))
            .await
            .unwrap();
    }
    let begun = Instant::now();
    let mut class = tokio::task::JoinSet::new();
    for pupil in 0..PUPILS {
        let open = Arc::clone(&open);
        class.spawn(async move {
            let credentials =
                |kind: &str| format!(r#"{{"name":"{kind}{pupil}","password":"1. e4 e5 2. f4"}}"#);
            let secret = format!("Bearer {}", guest(&format!("g{pupil}")));
            let other = format!("Bearer {}", guest(&format!("h{pupil}")));
            let from = ("X-Forwarded-For", "198.51.100.1");
            let name = format!(r#"{{"name":"Pupil {pupil}"}}"#);
            let as_guest = [from, ("Authorization", secret.as_str())];
            let as_other = [from, ("Authorization", other.as_str())];
            let heard = open.request("POST", "/v1/me", &as_guest, &name).await;
            assert_eq!(heard.status, 200, "{}", heard.body);
            let heard = open
                .request("POST", "/v1/session", &[from], &credentials("Member"))
                .await;
            assert_eq!(heard.status, 200, "{}", heard.body);
            let heard = open
                .request("POST", "/v1/account", &[from], &credentials("Pupil"))
                .await;
            assert_eq!(heard.status, 201, "{}", heard.body);
            let heard = open
                .request("POST", "/v1/tables", &as_guest, r#"{"side":"white"}"#)
                .await;
            assert_eq!(heard.status, 201, "{}", heard.body);
            let path = format!("/v1/tables/{}/seat", heard.json()["game"].as_str().unwrap());
            let heard = open.request("POST", &path, &as_other, "{}").await;
            assert_eq!(heard.status, 200, "{}", heard.body);
        });
    }
    while let Some(pupil) = class.join_next().await {
        pupil.unwrap();
    }
    let took = begun.elapsed();
    println!("forty guests, sign-ins, accounts and tables took {took:?}");
    assert!(took < Duration::from_secs(60), "{took:?}");
    Arc::into_inner(open).unwrap().close().await;
}

#[tokio::test]
async fn a_foreign_name_in_host_is_refused_and_probes_are_answered() {
    let open = Open::with(ServerConfig {
        allowed_hosts: vec!["chess.test".to_owned()],
        ..ServerConfig::default()
    })
    .await;
    for (host, status) in [
        ("attacker.example", 421),
        ("localhost.attacker.example:8000", 421),
        ("localhost", 200),
        ("127.0.0.1:1234", 200),
        ("[::1]", 200),
        ("chess.test:80", 200),
    ] {
        let heard = with_host(&open, host, "/v1/me").await;
        assert_eq!(heard, status, "{host}");
        assert_eq!(with_host(&open, host, "/healthz").await, 200, "{host}");
        assert_eq!(with_host(&open, host, "/readyz").await, 200, "{host}");
    }
    open.close().await;
}

async fn with_host(open: &Open, host: &str, path: &str) -> u16 {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let answer = exchange(open, request.as_bytes()).await;
    answer[9..12].parse().unwrap()
}

async fn exchange(open: &Open, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(open.address).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn the_counts_are_not_told_to_a_page_under_another_name() {
    let open = Open::with(ServerConfig {
        metrics: Some("127.0.0.1:0".parse().unwrap()),
        ..ServerConfig::default()
    })
    .await;
    let door = HttpListener::open_metrics(Arc::clone(&open.server))
        .await
        .unwrap();
    let counts = Open::at_door(Arc::clone(&open.server), door.unwrap(), PathBuf::new()).await;
    for (host, status) in [("attacker.example", 421), ("localhost:9100", 200)] {
        let heard = with_host(&counts, host, "/metrics").await;
        assert_eq!(heard, status, "{host}");
    }
    counts.close().await;
    open.close().await;
}

#[tokio::test]
async fn with_a_public_url_no_other_origin_acts_by_cookie() {
    let open = Open::with(ServerConfig {
        public_url: Some("https://chess.example".to_owned()),
        ..open_to_all()
    })
    .await;
    let cookie = format!("touchmove={}", guest("anna"));
    let host = open.address.to_string();
    for (origin, status) in [
        ("https://chess.example".to_owned(), 200),
        (format!("http://{host}"), 403),
        ("https://chess.example.evil".to_owned(), 403),
    ] {
        let headers = [("Cookie", cookie.as_str()), ("Origin", origin.as_str())];
        let body = r#"{"name":"Anna"}"#;
        let heard = open.request("POST", "/v1/me", &headers, body).await;
        assert_eq!(heard.status, status, "{origin}");
    }
    open.close().await;
}

/// A server that counts every connection, as if it came from elsewhere.
fn crowded(connections: usize, limits: Limits) -> ServerConfig {
    ServerConfig {
        public_url: Some("http://localhost".to_owned()),
        most_connections: connections,
        limits,
        ..ServerConfig::default()
    }
}

#[tokio::test]
async fn one_address_does_not_take_all_connections() {
    let limits = Limits {
        connections_per_address: 5,
        ..Limits::default()
    };
    let open = Open::with(crowded(100, limits)).await;
    let mut held = Vec::new();
    for _ in 0..5 {
        held.push(TcpStream::connect(open.address).await.unwrap());
    }
    // The server has accepted them when it answers the next one.
    let answer = exchange(&open, b"GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 429"), "{answer}");
    assert!(answer.contains(r#""reason":"too_many""#), "{answer}");
    drop(held);
    open.close().await;
}

#[tokio::test]
async fn when_all_places_are_taken_newcomers_are_told_and_players_come_back() {
    let limits = Limits {
        reserved_percent: 40,
        ..Limits::default()
    };
    let open = Open::with(crowded(10, limits)).await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open.table(&anna, &bea, "{}").await;
    let mut held = Vec::new();
    for _ in 0..6 {
        held.push(TcpStream::connect(open.address).await.unwrap());
    }
    let stranger = open.request("GET", "/v1/me", &[], "").await;
    assert_eq!(stranger.status, 503, "{}", stranger.body);
    let path = format!("/v1/tables/{game}");
    let (status, body) = open.ask(&guest("carl"), "GET", &path, "").await;
    assert_eq!(status, 503, "{body}");
    let mut player = open.come(&anna, &game).await;
    assert_eq!(player.hear().await["type"], "state");
    drop((player, held));
    open.close().await;
}

#[tokio::test]
async fn behind_a_proxy_sockets_are_counted_by_client() {
    let limits = Limits {
        connections_per_address: 2,
        ..Limits::default()
    };
    let open = Open::with(proxied(limits)).await;
    let connect = async |address: &str| {
        let url = format!("ws://{}/v1/lobby/live", open.address);
        let mut request = url.into_client_request().unwrap();
        let address = address.parse().unwrap();
        request.headers_mut().insert("x-forwarded-for", address);
        tokio_tungstenite::connect_async(request)
            .await
            .map(|(socket, _)| socket)
    };
    let mut first = connect("192.0.2.1").await.unwrap();
    let second = connect("192.0.2.1").await.unwrap();
    assert!(connect("192.0.2.1").await.is_err());
    let other = connect("192.0.2.2").await.unwrap();
    // A place is free again when its socket has closed.
    first.close(None).await.unwrap();
    while first.next().await.is_some() {}
    let mut again = connect("192.0.2.1").await;
    for _ in 0..100 {
        if again.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
        again = connect("192.0.2.1").await;
    }
    assert!(again.is_ok());
    drop((again, second, other));
    open.close().await;
}

#[tokio::test]
async fn behind_a_proxy_every_stream_is_counted_by_client() {
    let limits = Limits {
        connections_per_address: 2,
        ..Limits::default()
    };
    let open = Open::with(proxied(limits)).await;
    // All of them seek an opponent with Black, so that nobody is paired.
    let seek = async |number: u32, address: &str| {
        let secret = format!("Bearer {}", guest(&format!("seeker{number}")));
        let headers = [
            ("Authorization", secret.as_str()),
            ("X-Forwarded-For", address),
        ];
        let form = "time=5&increment=3&color=white";
        open.lines_with(&headers, "POST", "/api/board/seek", form)
            .await
    };
    let first = seek(1, "192.0.2.1").await;
    let second = seek(2, "192.0.2.1").await;
    assert_eq!((first.status, second.status), (200, 200));
    assert_eq!(seek(3, "192.0.2.1").await.status, 429);
    let seeks = ask_from(&open, "192.0.2.1", "GET", "/v1/seeks", "").await;
    let seeks = seeks.json()["seeks"].as_array().unwrap().len();
    assert_eq!(seeks, 2, "who is refused leaves no seek behind");
    // An export is a stream too, whatever limit its route has.
    let export = "/api/games/export/_ids";
    let refused = ask_from(&open, "192.0.2.1", "POST", export, "q7LmZx04").await;
    assert_eq!(refused.status, 429, "{}", refused.body);
    assert_eq!(refused.json()["reason"], "too_many");
    let other = ask_from(&open, "192.0.2.2", "POST", export, "q7LmZx04").await;
    assert_eq!(other.status, 200, "{}", other.body);
    // A place is free again when its stream has closed.
    drop(first);
    let mut tries = 0;
    while ask_from(&open, "192.0.2.1", "POST", export, "q7LmZx04")
        .await
        .status
        != 200
    {
        tries += 1;
        assert!(tries < 100, "the place is not free again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(second);
    open.close().await;
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let limits = Limits {
        body_timeout_seconds: 1,
        ..Limits::default()
    };
    let open = Open::with(ServerConfig {
        limits,
        ..ServerConfig::default()
    })
    .await;
    let head = format!(
        "POST /v1/tables HTTP/1.1\r\nHost: {}\r\nContent-Length: 2\r\n\r\n",
        open.address
    );
    let answer = exchange(&open, head.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("after 1 s"), "{answer}");
    open.close().await;
}

#[tokio::test]
async fn a_client_that_never_reads_is_let_go() {
    let limits = Limits {
        write_timeout_seconds: 1,
        ..Limits::default()
    };
    let open = Open::with(ServerConfig {
        limits,
        ..ServerConfig::default()
    })
    .await;
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(open.address).await.unwrap();
    let one = format!(
        "GET /openapi.json HTTP/1.1\r\nHost: {}\r\n\r\n",
        open.address
    );
    let begun = Instant::now();
    // It sends requests on and on, and reads nothing, until the server closes the connection.
    let asking = async { while stream.write_all(one.as_bytes()).await.is_ok() {} };
    let asked = tokio::time::timeout(Duration::from_secs(20), asking).await;
    assert!(
        asked.is_ok(),
        "it is still there after {:?}",
        begun.elapsed()
    );
    open.close().await;
}

#[tokio::test]
async fn spectators_of_one_address_share_a_pace() {
    let limits = Limits {
        spectator_chat: Rate::new(8, 1),
        ..Limits::default()
    };
    let open = Open::with(ServerConfig {
        limits,
        ..ServerConfig::default()
    })
    .await;
    let game = open.table(&guest("anna"), &guest("bea"), "{}").await;
    let mut said = 0;
    for number in 0..10 {
        let mut watcher = open.come(&guest(&format!("watcher{number}")), &game).await;
        for line in 0..2 {
            let text = format!(r#"{{"command":"chat","id":"c{line}","text":"hello {line}"}}"#);
            watcher.say(&text).await;
            let answer = watcher.answer(&format!("c{line}")).await;
            said += usize::from(answer["accepted"] == true);
        }
    }
    assert_eq!(said, 8);
    open.close().await;
}

#[tokio::test]
async fn players_who_talk_to_spectators_share_their_pace() {
    let limits = Limits {
        spectator_chat: Rate::new(3, 1),
        ..Limits::default()
    };
    let open = Open::with(ServerConfig {
        limits,
        ..ServerConfig::default()
    })
    .await;
    let mut statuses = Vec::new();
    for number in 0..4 {
        // Each of them chooses a secret, and has a table of their own.
        let (anna, bea) = (
            guest(&format!("anna{number}")),
            guest(&format!("bea{number}")),
        );
        let game = open.table(&anna, &bea, "{}").await;
        let path = format!("/api/board/game/{game}/chat");
        let said = open.form(&anna, &path, "room=spectator&text=hello").await;
        statuses.push(said.0);
        let said = open.form(&anna, &path, "room=player&text=hello").await;
        assert_eq!(said.0, 200, "{}", said.1);
    }
    assert_eq!(statuses, [200, 200, 200, 429]);
    open.close().await;
}

#[test]
fn every_route_has_chosen_its_limit() {
    let routes: BTreeSet<(&str, String)> = touchmove_server::api::route_list()
        .into_iter()
        // A preflight request counts like any other.
        .filter(|(method, _)| *method != "OPTIONS")
        .collect();
    let limited = list_route_limits();
    let chosen: BTreeSet<(&str, String)> = limited
        .iter()
        .map(|(method, path, _)| (*method, path.clone()))
        .collect();
    let missing: Vec<_> = routes.difference(&chosen).collect();
    assert!(
        missing.is_empty(),
        "choose a limit in security/route_limits.rs for {missing:?}"
    );
    let gone: Vec<_> = chosen.difference(&routes).collect();
    assert!(
        gone.is_empty(),
        "security/route_limits.rs has routes that are not there: {gone:?}"
    );
    assert_eq!(chosen.len(), limited.len(), "one is there twice");
}

#[tokio::test]
async fn every_limit_refuses_at_every_route_that_it_guards() {
    let once = Rate::new(1, 1);
    let limits = Limits {
        create: once,
        register: once,
        ask: once,
        read: once,
        name: once,
        socket: once,
        request: Rate::new(2, 1),
        sign_in: once,
        network_factor: 100,
        ..Limits::default()
    };
    let open = Open::with(proxied(limits)).await;
    let bearer = format!("Bearer {}", guest("anna"));
    for (number, (method, path, limit)) in list_route_limits().into_iter().enumerate() {
        let path = path.replace(['{', '}'], "");
        let address = format!("198.51.{}.1", 100 + number);
        let headers = [
            ("X-Forwarded-For", address.as_str()),
            ("Authorization", bearer.as_str()),
        ];
        let mut last = 0;
        for _ in 0..3 {
            // The head has the same status, and a stream would be endless.
            let method = if method == "GET" { "HEAD" } else { method };
            last = open.request(method, &path, &headers, "").await.status;
        }
        match limit {
            RouteLimit::Unlimited => assert_ne!(last, 429, "{method} {path}"),
            RouteLimit::Counted(_) | RouteLimit::ByHandler(_) => {
                assert_eq!(last, 429, "{method} {path}");
            }
        }
    }
    open.close().await;
}
