//! Revocations: when an account is disabled, signs out, changes its password or revokes a token, its sockets and
//! streams close within a second, on every node, whichever process did it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use serde_json::Value;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use touchmove_accounts::{Accounts, Secret};
use touchmove_server::ServerConfig;
use touchmove_store::{Sqlite, Store};

use crate::support::cluster::Cluster;
use crate::support::ndjson::Lines;
use crate::support::{Client, Open, guest, open_to_all};

/// How long a connection may live after its revocation.
const DEADLINE: Duration = Duration::from_secs(1);

/// How access ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// The host closes the account, by a command in another process.
    Disabled,
    /// The host sets a password, by a command in another process.
    PasswordSetByHost,
    /// The owner changes the password in another browser.
    PasswordChanged,
    /// The owner signs out.
    SignedOut,
    /// The owner revokes the token.
    TokenRevoked,
}

/// An account's owner with two browsers, a token and a game.
struct Person {
    name: String,
    cookie: String,
    other_cookie: String,
    token: String,
    game: String,
}

impl Person {
    async fn new(node: &Open, name: &str) -> Person {
        let cookie = node.account(name).await;
        let credentials = format!(r#"{{"name":"{name}","password":"a secret of {name}"}}"#);
        let signed_in = node.request("POST", "/v1/session", &[], &credentials).await;
        let token = node
            .token(
                &cookie,
                "board:play host challenge:read challenge:write account:read",
            )
            .await;
        let game = node.table(&token, &guest("bea"), r#"{"time":"5+3"}"#).await;
        Person {
            name: name.to_owned(),
            cookie,
            other_cookie: signed_in.cookie().unwrap(),
            token,
            game,
        }
    }

    /// Ends this person's access, at a node or in another process on the same store.
    async fn end(&self, end: End, node: &Open, host: &Accounts) {
        let done = match end {
            End::Disabled => {
                let person = host.find_existing(&self.name).await.unwrap();
                host.disable(person.id).await.unwrap();
                return;
            }
            End::PasswordSetByHost => {
                let person = host.find_existing(&self.name).await.unwrap();
                host.set_password(person.id, "another one 1. c4")
                    .await
                    .unwrap();
                return;
            }
            End::PasswordChanged => {
                let body = format!(
                    r#"{{"old":"a secret of {}","new":"another one 1. c4"}}"#,
                    self.name
                );
                node.browse(&self.other_cookie, "POST", "/v1/account/password", &body)
                    .await
            }
            End::SignedOut => node.browse(&self.cookie, "DELETE", "/v1/session", "").await,
            End::TokenRevoked => {
                let path = "/v1/account/tokens";
                let listed = node.browse(&self.cookie, "GET", path, "").await.json();
                let id = listed["tokens"][0]["id"].as_str().unwrap();
                node.browse(&self.cookie, "DELETE", &format!("{path}/{id}"), "")
                    .await
            }
        };
        assert!((200..300).contains(&done.status), "{end:?}: {}", done.body);
    }
}

/// Every kind of connection, opened with one secret.
struct Connections {
    table: Client,
    lobby: Client,
    events: Lines,
    game: Lines,
}

impl Connections {
    async fn open(node: &Open, headers: &[(&'static str, &str)], game: &str) -> Connections {
        let mut table = node
            .socket(&format!("/v1/tables/{game}/live"), headers)
            .await;
        assert_eq!(table.hear_of("state").await["you"], "white");
        let mut lobby = node.socket("/v1/lobby/live", headers).await;
        lobby.hear_of("mine").await;
        let mut events = node
            .lines_with(headers, "GET", "/api/stream/event", "")
            .await;
        events.of("gameStart").await;
        let path = format!("/api/board/game/stream/{game}");
        let mut stream = node.lines_with(headers, "GET", &path, "").await;
        stream.of("gameFull").await;
        Connections {
            table,
            lobby,
            events,
            game: stream,
        }
    }

    /// All of them close in time, and say why.
    async fn are_closed(self, since: Instant, what: &str) {
        for (socket, kind) in [(self.table, "table"), (self.lobby, "lobby")] {
            let frame = closing_frame(socket).await;
            let (code, reason) = frame.unwrap_or_else(|| panic!("{what}, {kind}: no reason"));
            assert_eq!(code, 1008, "{what}, {kind}");
            assert!(
                reason.contains("no longer valid"),
                "{what}, {kind}: {reason}"
            );
        }
        for (lines, kind) in [(self.events, "events"), (self.game, "game")] {
            let rest = lines.rest().await;
            let last = rest
                .last()
                .unwrap_or_else(|| panic!("{what}, {kind}: no reason"));
            assert_eq!(last["type"], "revoked", "{what}, {kind}: {last}");
        }
        let took = since.elapsed();
        assert!(took < DEADLINE, "{what}: closed after {took:?}");
    }
}

async fn closing_frame(mut client: Client) -> Option<(u16, String)> {
    let heard = timeout(Duration::from_secs(10), async {
        while let Some(Ok(message)) = client.socket.next().await {
            if let Message::Close(frame) = message {
                return frame.map(|frame| (frame.code.into(), frame.reason.to_string()));
            }
        }
        None
    });
    heard.await.expect("the socket closes")
}

/// Everything that each kind of secret opens, until it is revoked at one node.
async fn every_connection_closes(at: &Open, ended_at: &Open, host: &Accounts, names: &str) {
    let ends = [
        End::Disabled,
        End::PasswordSetByHost,
        End::PasswordChanged,
        End::SignedOut,
        End::TokenRevoked,
    ];
    for (number, end) in ends.into_iter().enumerate() {
        let person = Person::new(at, &format!("{names}{number}")).await;
        let bearer = format!("Bearer {}", person.token);
        let by_token = [("authorization", bearer.as_str())];
        let origin = format!("http://{}", at.address);
        let by_cookie = [("cookie", person.cookie.as_str()), ("origin", &origin)];
        let what = format!("{end:?}");
        let session = match end {
            End::TokenRevoked => None,
            _ => Some(Connections::open(at, &by_cookie, &person.game).await),
        };
        let token = match end {
            End::Disabled | End::TokenRevoked => {
                Some(Connections::open(at, &by_token, &person.game).await)
            }
            _ => None,
        };
        person.end(end, ended_at, host).await;
        let since = Instant::now();
        for connections in [session, token].into_iter().flatten() {
            connections.are_closed(since, &what).await;
        }
        // Nor can they move by HTTP.
        let path = format!("/v1/tables/{}/ask", person.game);
        let headers = match end {
            End::Disabled | End::TokenRevoked => &by_token[..],
            _ => &by_cookie[..],
        };
        let asked = at.request("POST", &path, headers, r#"{"move":"e4"}"#).await;
        assert!(matches!(asked.status, 401 | 403), "{what}: {}", asked.body);
        let path = format!("/v1/tables/{}/journal", person.game);
        let journal = at.request("GET", &path, &[], "").await.body;
        assert!(!journal.contains("\"moved\""), "{what}: {journal}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn when_a_right_ends_its_connections_close_within_a_second() {
    let open = Open::with(open_to_all()).await;
    // Like `touchmove accounts`: another process on the same file.
    let visitor: Arc<dyn Store> = Arc::new(Sqlite::open_shared(open.file()).unwrap());
    let host = Accounts::new(visitor);
    every_connection_closes(&open, &open, &host, "Anna").await;
    drop(host);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_a_right_ends_at_one_node_its_connections_close_at_all() {
    let Some(cluster) = Cluster::new("rights").await else {
        return;
    };
    let (one, two) = (cluster.node().await, cluster.node_without_nats().await);
    let host = Accounts::new(Arc::new(cluster.store().await));
    every_connection_closes(&one, &two, &host, "Anna").await;
    every_connection_closes(&two, &one, &host, "Bertha").await;
    drop(host);
    one.close().await;
    two.close().await;
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_signs_in_at_one_node_has_the_seats_of_the_guest_at_all() {
    let Some(cluster) = Cluster::new("seats").await else {
        return;
    };
    let (one, two) = (cluster.node().await, cluster.node_without_nats().await);
    let guest_cookie = one.guest_cookie().await;
    let made = one
        .browse(&guest_cookie, "POST", "/v1/tables", r#"{"side":"white"}"#)
        .await;
    let game = made.json()["game"].as_str().unwrap().to_owned();
    let path = format!("/v1/tables/{game}/seat");
    one.json(&guest("bea"), "POST", &path, "").await;
    // The other node has the game in memory, and a connection of the guest.
    let origin = format!("http://{}", two.address);
    let headers = [("cookie", guest_cookie.as_str()), ("origin", &origin)];
    let mut socket = two
        .socket(&format!("/v1/tables/{game}/live"), &headers)
        .await;
    assert_eq!(socket.hear_of("state").await["you"], "white");
    let anna = r#"{"name":"Anna","password":"1. e4 e5 2. f4"}"#;
    let signed_up = one.browse(&guest_cookie, "POST", "/v1/account", anna).await;
    assert_eq!(signed_up.status, 201, "{}", signed_up.body);
    let since = Instant::now();
    assert!(closing_frame(socket).await.is_some());
    assert!(since.elapsed() < DEADLINE);
    tokio::time::sleep(DEADLINE.saturating_sub(since.elapsed())).await;
    let path = format!("/v1/tables/{game}/ask");
    let stolen = two
        .browse(&guest_cookie, "POST", &path, r#"{"move":"e4"}"#)
        .await;
    assert_eq!(stolen.status, 403, "{}", stolen.body);
    let session = signed_up.cookie().unwrap();
    let own = two
        .browse(&session, "POST", &path, r#"{"move":"e4"}"#)
        .await;
    assert_eq!(own.status, 200, "{}", own.body);
    one.close().await;
    two.close().await;
    cluster.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_by_another_right_of_the_same_person_stay() {
    let open = Open::with(open_to_all()).await;
    let anna = Person::new(&open, "Anna").await;
    let origin = format!("http://{}", open.address);
    let path = format!("/v1/tables/{}/live", anna.game);
    let other = [("cookie", anna.other_cookie.as_str()), ("origin", &origin)];
    let mut other = open.socket(&path, &other).await;
    let mut token = open.come(&anna.token, &anna.game).await;
    other.hear_of("state").await;
    token.hear_of("state").await;
    let gone = [("cookie", anna.cookie.as_str()), ("origin", &origin)];
    let gone = open.socket(&path, &gone).await;
    open.browse(&anna.cookie, "DELETE", "/v1/session", "").await;
    assert!(closing_frame(gone).await.is_some());
    // A new password ends all sessions, and revokes tokens unless they are to be kept; the session that changed it
    // gets a new cookie.
    let body = r#"{"old":"a secret of Anna","new":"another one 1. c4","keep_tokens":true}"#;
    let changed = open
        .browse(&anna.other_cookie, "POST", "/v1/account/password", body)
        .await;
    assert!(closing_frame(other).await.is_some());
    let cookie = changed.cookie().unwrap();
    let fresh = [("cookie", cookie.as_str()), ("origin", &origin)];
    let mut fresh = open.socket(&path, &fresh).await;
    assert_eq!(fresh.hear_of("state").await["you"], "white");
    for (client, mv) in [(&mut token, "e4"), (&mut fresh, "e4")] {
        let id = "mine";
        client
            .say(&format!(r#"{{"move":"{mv}","id":"{id}"}}"#))
            .await;
        assert_eq!(client.answer(id).await["accepted"], true);
    }
    open.close().await;
}

/// A server with an https URL.
fn by_https() -> ServerConfig {
    ServerConfig {
        public_url: Some("https://chess.example".to_owned()),
        ..open_to_all()
    }
}

#[tokio::test]
async fn a_connection_by_a_cookie_of_the_old_name_closes_with_its_session() {
    let open = Open::with(by_https()).await;
    let [anna, bea] = [open.account("Anna").await, open.account("Bea").await]
        .map(|cookie| cookie.replace("__Host-", ""));
    // The sessions are older than the current name of the cookie.
    let db = rusqlite::Connection::open(open.file()).unwrap();
    db.execute("UPDATE sessions SET created = 1000", [])
        .unwrap();
    let origin = ("origin", "https://chess.example");
    let headers = [("cookie", anna.as_str()), origin];
    let mut socket = open.socket("/v1/lobby/live", &headers).await;
    socket.hear_of("mine").await;
    let gone = open.request("DELETE", "/v1/session", &headers, "").await;
    assert_eq!(gone.status, 204, "{}", gone.body);
    let closed = timeout(DEADLINE, closing_frame(socket)).await;
    assert_eq!(closed.expect("within a second").unwrap().0, 1008);
    let kind = async |open: &Open| {
        let me = open.request("GET", "/v1/me", &[("Cookie", &bea)], "").await;
        me.json()["kind"].clone()
    };
    assert_eq!(kind(&open).await, "human");
    // The old name is not accepted for ever.
    let days = 31 * 24 * 60 * 60 * 1_000_i64;
    db.execute("UPDATE server_keys SET created = created - ?1", [days])
        .unwrap();
    drop(db);
    let open = open.again_with(by_https()).await;
    assert_eq!(kind(&open).await, "nobody");
    open.close().await;
}

#[tokio::test]
async fn who_signs_out_of_nothing_writes_nothing() {
    let open = Open::new().await;
    let mut db = rusqlite::Connection::open(open.file()).unwrap();
    let writing = rusqlite::TransactionBehavior::Immediate;
    let transaction = db.transaction_with_behavior(writing).unwrap();
    let cookie = format!("touchmove={}", Secret::cookie().unwrap().reveal());
    let gone = open.browse(&cookie, "DELETE", "/v1/session", "").await;
    assert_eq!(gone.status, 204, "{}", gone.body);
    drop(transaction);
    open.close().await;
}

#[tokio::test]
async fn rights_end_also_when_the_store_counts_them_anew() {
    let open = Open::with(open_to_all()).await;
    for (number, name) in ["Anna", "Bea", "Carla"].into_iter().enumerate() {
        if number == 2 {
            // Like a database that takes over without the last revocations of the one before.
            let db = rusqlite::Connection::open(open.file()).unwrap();
            db.execute_batch("DELETE FROM revocations; DELETE FROM sqlite_sequence")
                .unwrap();
        }
        let cookie = open.account(name).await;
        let origin = format!("http://{}", open.address);
        let headers = [("cookie", cookie.as_str()), ("origin", origin.as_str())];
        let mut socket = open.socket("/v1/lobby/live", &headers).await;
        socket.hear_of("mine").await;
        open.browse(&cookie, "DELETE", "/v1/session", "").await;
        let closed = timeout(DEADLINE, closing_frame(socket)).await;
        assert_eq!(closed.expect("within a second").unwrap().0, 1008);
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seek_and_a_kept_challenge_end_with_the_right_of_who_made_them() {
    let open = Open::with(open_to_all()).await;
    let anna = Person::new(&open, "Anna").await;
    open.account("Bertha").await;
    let form = "time=5&increment=3";
    let seek = open
        .lines(&anna.token, "POST", "/api/board/seek", form)
        .await;
    let form = "clock.limit=300&clock.increment=3&keepAliveStream=true";
    let mut challenge = open
        .lines(&anna.token, "POST", "/api/challenge/bertha", form)
        .await;
    assert_eq!((seek.status, challenge.status), (200, 200));
    let made = challenge.next().await.unwrap();
    let id = made["id"].as_str().or(made["challenge"]["id"].as_str());
    let id = id.unwrap().parse().unwrap();
    let host = Accounts::new(Arc::clone(&open.server.store));
    anna.end(End::TokenRevoked, &open, &host).await;
    let since = Instant::now();
    assert_eq!(seek.rest().await, Vec::<Value>::new());
    challenge.rest().await;
    assert!(since.elapsed() < DEADLINE);
    // Its offers are withdrawn.
    for _ in 0..100 {
        let offer = open.server.store.find_offer(id).await.unwrap().unwrap();
        if offer.status == touchmove_store::OfferStatus::Cancelled {
            drop(host);
            open.close().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the challenge is still open");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_offers_by_and_to_a_closed_account_are_withdrawn() {
    let open = Open::with(open_to_all()).await;
    let anna = Person::new(&open, "Anna").await;
    let bertha = open.account("Bertha").await;
    let mut lobby = open.lobby(&guest("carl")).await;
    let mut made = Vec::new();
    for (cookie, path, body) in [
        (&anna.cookie, "/v1/seeks", "{}"),
        (&anna.cookie, "/v1/challenges", r#"{"to":"Bertha"}"#),
        (&bertha, "/v1/challenges", r#"{"to":"Anna"}"#),
    ] {
        let offer = open.browse(cookie, "POST", path, body).await;
        assert_eq!(offer.status, 201, "{}", offer.body);
        made.push(offer.json()["id"].as_str().unwrap().to_owned());
    }
    let mut count_of_seeks = async |count| {
        while lobby.hear_of("seeks").await["seeks"]
            .as_array()
            .unwrap()
            .len()
            != count
        {}
    };
    count_of_seeks(1).await;
    // Like `touchmove accounts`: another process on the same file.
    let host = Accounts::new(Arc::new(Sqlite::open_shared(open.file()).unwrap()));
    anna.end(End::Disabled, &open, &host).await;
    let gone = timeout(DEADLINE, count_of_seeks(0)).await;
    assert!(gone.is_ok(), "the seek is still shown");
    let [seek, challenge, _] = &made[..] else {
        panic!("{made:?}");
    };
    for path in [
        format!("/v1/seeks/{seek}/take"),
        format!("/v1/challenges/{challenge}/accept"),
    ] {
        let late = open.browse(&bertha, "POST", &path, "").await;
        assert!(
            late.status == 409 && late.body.contains("withdrawn"),
            "{path}: {}",
            late.body
        );
    }
    let listed = open.browse(&bertha, "GET", "/v1/challenges", "").await;
    assert_eq!(listed.json()["challenges"], Value::Array(Vec::new()));
    drop(host);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_let_in_before_the_account_was_closed_leaves_no_offer() {
    let open = Open::with(open_to_all()).await;
    let host = Accounts::new(Arc::new(Sqlite::open_shared(open.file()).unwrap()));
    open.account("Bertha").await;
    for (number, path, body) in [
        (0, "/v1/seeks", "{}"),
        (1, "/v1/challenges", r#"{"to":"Bertha"}"#),
    ] {
        let anna = Person::new(&open, &format!("Anna{number}")).await;
        // The server has cached her by this cookie, and learns of the revocation only in a moment.
        anna.end(End::Disabled, &open, &host).await;
        let offer = open.browse(&anna.cookie, "POST", path, body).await;
        assert!((400..500).contains(&offer.status), "{path}: {}", offer.body);
    }
    let db = rusqlite::Connection::open(open.file()).unwrap();
    let sql = "SELECT count(*) FROM offers WHERE status = 0";
    let count: i64 = db.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(count, 0);
    drop((db, host));
    open.close().await;
}
