//! Attacks on identity: planted cookies, tokens with few scopes, codes that are used twice, guests without a seat.

use touchmove_server::ServerConfig;
use touchmove_server::security::{Limits, Rate};
use touchmove_store::{Digest, Holder, LoginSession, Moment};

use crate::support::{self, Open, guest, open_to_all};

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// The number of rows in a table of the store.
fn rows(open: &Open, table: &str) -> i64 {
    let db = rusqlite::Connection::open(open.file()).unwrap();
    db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
        row.get(0)
    })
    .unwrap()
}

#[tokio::test]
async fn a_planted_guest_cookie_gives_the_planter_no_seat() {
    let open = Open::with(open_to_all()).await;
    let planted = guest("mallory");
    let cookie = format!("touchmove={planted}");
    let me = open.browse(&cookie, "GET", "/v1/me", "").await.json();
    assert_eq!(me["kind"], "nobody");
    // That the server has seen the secret does not help the planter.
    open.json(&planted, "POST", "/v1/me", r#"{"name":"Mallory"}"#)
        .await;
    open.json(&planted, "POST", "/v1/tables", "").await;
    for cookie in [cookie.clone(), format!("{cookie}.{}", "a".repeat(22))] {
        let new = r#"{"side":"white"}"#;
        let made = open.browse(&cookie, "POST", "/v1/tables", new).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let fresh = made.cookie().expect("another secret");
        assert!(!fresh.contains(&planted), "{fresh}");
        let made = made.json();
        let game = made["game"].as_str().unwrap();
        let path = format!("/v1/tables/{game}/seat");
        open.json(&guest("bea"), "POST", &path, "").await;
        let path = format!("/v1/tables/{game}/ask");
        let stolen = open.ask(&planted, "POST", &path, r#"{"move":"e4"}"#).await;
        assert_eq!(stolen.0, 403, "{}", stolen.1);
        let own = open.browse(&fresh, "POST", &path, r#"{"move":"e4"}"#).await;
        assert_eq!(own.status, 200, "{}", own.body);
    }
    // Nor does it at registration.
    let new = r#"{"name":"Anna","password":"1. e4 e5 2. f4"}"#;
    let signed_up = open.browse(&cookie, "POST", "/v1/account", new).await;
    assert!(!signed_up.head.contains(&planted), "{}", signed_up.head);
    open.close().await;
}

#[tokio::test]
async fn a_planted_cookie_of_this_server_gives_the_planter_no_seat_of_who_signs_in() {
    let open = Open::with(open_to_all()).await;
    // Mallory gets a guest from the server, plants its cookie, and waits at the table.
    let planted = open.guest_cookie().await;
    let secret = planted.split_once('=').unwrap().1;
    let (secret, _) = secret.split_once('.').unwrap();
    let new = r#"{"side":"white"}"#;
    let made = open.browse(&planted, "POST", "/v1/tables", new).await;
    let game = made.json()["game"].as_str().unwrap().to_owned();
    let path = format!("/v1/tables/{game}/seat");
    open.json(&guest("bea"), "POST", &path, "").await;
    let path = format!("/v1/tables/{game}/ask");
    for bearer in [secret, planted.split_once('=').unwrap().1] {
        let (status, body) = open.ask(bearer, "POST", &path, r#"{"move":"e4"}"#).await;
        assert_eq!(status, 401, "a browser's secret is no program's: {body}");
    }
    let origin = format!("http://{}", open.address);
    let headers = [("cookie", planted.as_str()), ("origin", origin.as_str())];
    let live = format!("/v1/tables/{game}/live");
    let mut socket = open.socket(&live, &headers).await;
    assert_eq!(socket.hear_of("state").await["you"], "white");
    let anna = r#"{"name":"Anna","password":"1. e4 e5 2. f4"}"#;
    let signed_up = open.browse(&planted, "POST", "/v1/account", anna).await;
    assert_eq!(signed_up.status, 201, "{}", signed_up.body);
    assert!(!signed_up.head.contains(secret), "{}", signed_up.head);
    let stolen = open
        .browse(&planted, "POST", &path, r#"{"move":"e4"}"#)
        .await;
    assert_eq!(stolen.status, 403, "{}", stolen.body);
    let closed = tokio::time::timeout(std::time::Duration::from_secs(1), async {
        while let Some(Ok(message)) = futures_util::StreamExt::next(&mut socket.socket).await {
            if message.is_close() {
                break;
            }
        }
    });
    closed.await.expect("his socket closes within a second");
    let mut again = open.socket(&live, &headers).await;
    assert_eq!(again.hear_of("state").await["you"], serde_json::Value::Null);
    let session = signed_up.cookie().unwrap();
    let own = open
        .browse(&session, "POST", &path, r#"{"move":"e4"}"#)
        .await;
    assert_eq!(own.status, 200, "{}", own.body);
    open.close().await;
}

#[tokio::test]
async fn a_guest_with_hundreds_of_games_takes_all_of_them_with_him() {
    let open = Open::with(open_to_all()).await;
    let cookie = open.guest_cookie().await;
    let made = open
        .browse(&cookie, "POST", "/v1/tables", r#"{"side":"white"}"#)
        .await;
    assert_eq!(made.status, 201, "{}", made.body);
    // More seats than two transactions move.
    let db = rusqlite::Connection::open(open.file()).unwrap();
    db.execute_batch(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
         INSERT INTO games (id, created, variant, source, public, phase, status, plies, last_activity)
         SELECT printf('%08d', n), created, variant, source, public, phase, status, plies, last_activity
         FROM games, numbers;
         INSERT INTO seats (game, seat, person, guest, game_phase, game_created, game_id)
         SELECT games.key, seats.seat, NULL, seats.guest, seats.game_phase, games.created, games.id
         FROM games, seats WHERE games.key <> seats.game",
    )
    .unwrap();
    let count = |sql| -> i64 { db.query_row(sql, [], |row| row.get(0)).unwrap() };
    let of_guest = "SELECT count(*) FROM seats WHERE guest IS NOT NULL";
    assert_eq!(count(of_guest), 1201);
    let anna = r#"{"name":"Anna","password":"a secret of Anna"}"#;
    let signed_up = open.browse(&cookie, "POST", "/v1/account", anna).await;
    assert_eq!(signed_up.status, 201, "{}", signed_up.body);
    let of_person = "SELECT count(*) FROM seats WHERE person IS NOT NULL";
    assert_eq!((count(of_guest), count(of_person)), (0, 1201));
    // Each transaction has published that the guest's secret is revoked.
    assert_eq!(count("SELECT count(*) FROM revocations"), 3);
    drop(db);
    open.close().await;
}

#[tokio::test]
async fn the_second_cookie_of_earlier_versions_gives_its_seats_to_who_is_signed_in() {
    let open = Open::with(open_to_all()).await;
    let old = guest("earlier");
    let game = open.table(&old, &guest("bea"), "{}").await;
    let db = rusqlite::Connection::open(open.file()).unwrap();
    db.execute("UPDATE seats SET game_created = 1000", [])
        .unwrap();
    db.execute("UPDATE games SET created = 1000", []).unwrap();
    drop(db);
    let session = open.account("Anna").await;
    let both = format!("{session}; touchmove_guest={old}");
    let me = open.browse(&both, "GET", "/v1/me", "").await;
    assert_eq!(me.cookies(), ["touchmove_guest="], "{}", me.head);
    let path = format!("/v1/tables/{game}/ask");
    let own = open
        .browse(&session, "POST", &path, r#"{"move":"e4"}"#)
        .await;
    assert_eq!(own.status, 200, "{}", own.body);
    assert_eq!(
        open.ask(&old, "POST", &path, r#"{"move":"e4"}"#).await.0,
        403
    );
    open.close().await;
}

#[tokio::test]
async fn a_cookie_without_a_tag_is_taken_for_some_weeks_only() {
    let open = Open::new().await;
    let old = guest("old");
    open.json(&old, "POST", "/v1/tables", r#"{"side":"white"}"#)
        .await;
    let db = rusqlite::Connection::open(open.file()).unwrap();
    db.execute("UPDATE seats SET game_created = 1000", [])
        .unwrap();
    db.execute("UPDATE games SET created = 1000", []).unwrap();
    db.execute(
        "UPDATE server_keys SET created = created - 31 * 86400000",
        [],
    )
    .unwrap();
    drop(db);
    let open = open.again().await;
    let cookie = format!("touchmove={old}");
    let me = open.browse(&cookie, "GET", "/v1/me", "").await.json();
    assert_eq!(me["kind"], "nobody");
    open.close().await;
}

#[tokio::test]
async fn a_guest_of_an_earlier_version_keeps_his_seat_and_is_given_a_tagged_cookie() {
    let open = Open::new().await;
    let old = guest("old");
    let made = open
        .json(&old, "POST", "/v1/tables", r#"{"side":"white"}"#)
        .await;
    let game = made["game"].as_str().unwrap().to_owned();
    // The game is older than the server key.
    let db = rusqlite::Connection::open(open.file()).unwrap();
    db.execute("UPDATE seats SET game_created = 1000", [])
        .unwrap();
    db.execute("UPDATE games SET created = 1000", []).unwrap();
    drop(db);
    let cookie = format!("touchmove={old}");
    let me = open.browse(&cookie, "GET", "/v1/me", "").await;
    assert_eq!(me.json()["kind"], "guest");
    let tagged = me.cookie().unwrap();
    assert!(tagged.starts_with(&format!("{cookie}.")), "{tagged}");
    let path = format!("/v1/tables/{game}/seat");
    let seat = open.browse(&tagged, "POST", &path, "").await;
    assert_eq!(seat.json()["seat"], "white");
    open.close().await;
}

#[tokio::test]
async fn under_https_cookies_are_bound_to_the_host_and_old_names_are_not_believed() {
    let settings = ServerConfig {
        public_url: Some("https://chess.example".to_owned()),
        ..open_to_all()
    };
    let open = Open::with(settings).await;
    let ours = [
        ("Origin", "https://chess.example"),
        ("Sec-Fetch-Site", "same-origin"),
    ];
    let new = r#"{"name":"Anna","password":"a secret of Anna"}"#;
    let heard = open.request("POST", "/v1/account", &ours, new).await;
    assert_eq!(heard.status, 201, "{}", heard.body);
    let cookie = heard.cookie().unwrap();
    assert!(cookie.starts_with("__Host-touchmove="), "{cookie}");
    let set = heard.head.lines().find(|line| line.contains(&cookie));
    let set = set.unwrap();
    assert!(set.contains("Path=/") && set.contains("; Secure") && !set.contains("Domain"));
    assert!(heard.head.contains("strict-transport-security: max-age="));
    let kind = async |cookie: &str| {
        let headers = [("Cookie", cookie)];
        let heard = open.request("GET", "/v1/me", &headers, "").await;
        heard.json()["kind"].clone()
    };
    assert_eq!(kind(&cookie).await, "human");
    // A neighbouring site can plant a cookie without the prefix: it is ignored.
    let planted = cookie.replace("__Host-", "");
    assert_eq!(kind(&planted).await, "nobody");
    // One from before the prefix is accepted, and replaced.
    let db = rusqlite::Connection::open(open.file()).unwrap();
    db.execute("UPDATE sessions SET created = 1000", [])
        .unwrap();
    drop(db);
    let heard = open
        .request("GET", "/v1/me", &[("Cookie", &planted)], "")
        .await;
    assert_eq!(heard.json()["kind"], "human");
    assert_eq!(heard.cookies(), [cookie.as_str(), "touchmove="]);
    open.close().await;
}

#[tokio::test]
async fn who_names_himself_is_written_down_only_when_he_takes_a_seat_or_makes_an_offer() {
    let open = Open::new().await;
    for number in 0..20 {
        let who = guest(&format!("visitor{number}"));
        let name = format!(r#"{{"name":"Visitor {number}"}}"#);
        let called = open.json(&who, "POST", "/v1/me", &name).await;
        assert_eq!(called["name"], format!("Visitor {number}"));
    }
    assert_eq!(rows(&open, "sessions"), 0);
    let (zoe, max) = (guest("visitor1"), guest("visitor2"));
    open.json(&zoe, "POST", "/v1/seeks", "").await;
    assert_eq!(rows(&open, "sessions"), 1);
    open.table(&max, &zoe, "{}").await;
    assert_eq!(rows(&open, "sessions"), 2);
    let open = open.again().await;
    let me = open.json(&max, "GET", "/v1/me", "").await;
    assert_eq!(me["name"], "Visitor 2");
    // From now on another name replaces the first.
    open.json(&max, "POST", "/v1/me", r#"{"name":"Max"}"#).await;
    let me = open.json(&max, "GET", "/v1/me", "").await;
    assert_eq!((&me["name"], rows(&open, "sessions")), (&"Max".into(), 2));
    open.close().await;
}

/// The private data of its owner that a token with each single scope, and with none, may read.
#[tokio::test]
async fn every_reading_route_asks_for_its_scope() {
    let open = Open::with(open_to_all()).await;
    let anna = open.account("Anna").await;
    let bea = open.account("Bea").await;
    let all = open
        .token(
            &anna,
            "board:play bot:play challenge:read challenge:write account:read host",
        )
        .await;
    let other = open.token(&bea, "board:play").await;
    let game = open.table(&all, &other, "{}").await;
    let sent = open
        .browse(&anna, "POST", "/v1/challenges", r#"{"to":"Bea"}"#)
        .await;
    let challenge = sent.json()["id"].as_str().unwrap().to_owned();
    let mut socket = open.come(&all, &game).await;
    socket
        .say(r#"{"command":"chat","text":"between us","id":"c1"}"#)
        .await;
    socket.answer("c1").await;

    let games = ["account:read", "board:play", "bot:play"].as_slice();
    let account = ["account:read"].as_slice();
    let challenges = ["challenge:read"].as_slice();
    // The route, what is private in its response, and the scopes that show it.
    let routes = [
        ("/v1/tables?mine=true".to_owned(), game.as_str(), account),
        ("/v1/account/tokens".to_owned(), "a test", account),
        ("/v1/players/Anna/games".to_owned(), &game, account),
        (format!("/v1/tables/{game}"), "between us", games),
        (format!("/{game}"), "between us", games),
        ("/v1/challenges".to_owned(), &challenge, challenges),
        (
            format!("/v1/challenges/{challenge}"),
            &challenge,
            challenges,
        ),
        ("/api/account/playing".to_owned(), &game, games),
        ("/api/user/Anna/current-game".to_owned(), &game, games),
        ("/api/games/user/Anna?ongoing=true".to_owned(), &game, games),
        ("/api/challenge".to_owned(), &challenge, challenges),
        (
            format!("/api/challenge/{challenge}/show"),
            &challenge,
            challenges,
        ),
    ];
    let scopes = [
        "",
        "account:read",
        "board:play",
        "bot:play",
        "challenge:read",
        "challenge:write",
        "host",
    ];
    for scope in scopes {
        let token = open.token(&anna, scope).await;
        for (path, private, needed) in &routes {
            let (status, body) = open.ask(&token, "GET", path, "").await;
            let is_shown = status == 200 && body.contains(private);
            assert_eq!(
                is_shown,
                needed.contains(&scope),
                "{path} with {scope:?}: {status} {body:.200}"
            );
        }
        // The live lobby sends the client's own games and challenges by the same rule.
        let mut lobby = open.lobby(&token).await;
        let mine = lobby.hear_of("mine").await;
        let has = |key: &str| !mine[key].as_array().unwrap().is_empty();
        assert_eq!(has("games"), games.contains(&scope), "{scope:?}: {mine}");
        assert_eq!(has("challenges"), challenges.contains(&scope), "{scope:?}");
        // The event stream is for players, as clients of Lichess without another scope need it: it includes
        // challenges. A token for challenges alone is sent no games.
        let may_play = ["board:play", "bot:play"].contains(&scope);
        let may_listen = may_play || scope == "challenge:read";
        let mut stream = open.lines(&token, "GET", "/api/stream/event", "").await;
        assert_eq!(
            stream.status,
            if may_listen { 200 } else { 403 },
            "{scope:?}"
        );
        if may_play {
            let begun = stream.next().await.unwrap();
            assert_eq!(begun["type"], "gameStart", "{scope:?}: {begun}");
        }
        if may_listen {
            let told = stream.next().await.unwrap();
            assert_eq!(told["type"], "challenge", "{scope:?}: {told}");
            assert_eq!(told["challenge"]["id"], challenge.as_str(), "{scope:?}");
        }
        // And so do the messages at a live table.
        let mut table = open.come(&token, &game).await;
        let first = table.hear().await.to_string();
        assert_eq!(first.contains("between us"), may_play, "{scope:?}");
    }
    open.close().await;
}

#[tokio::test]
async fn what_depends_on_who_asks_is_not_kept_by_caches() {
    let open = Open::with(open_to_all()).await;
    let anna = open.account("Carla").await;
    let game = open.table(&guest("a"), &guest("b"), "{}").await;
    for path in [
        "/v1/me",
        "/v1/account/tokens",
        "/v1/tables?mine=true",
        "/v1/challenges",
        "/api/account",
        "/api/account/playing",
        "/api/challenge",
        "/v1/lobby/live",
        "/connect",
        "/",
        &format!("/v1/tables/{game}"),
        &format!("/{game}"),
        "/nothing/here",
    ] {
        let heard = open.browse(&anna, "GET", path, "").await;
        assert!(
            heard.head.contains("cache-control: no-store"),
            "{path}: {}",
            heard.head
        );
        for header in [
            "permissions-policy: ",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(heard.head.contains(header), "{path}: {}", heard.head);
        }
        assert!(!heard.head.contains("strict-transport-security"), "{path}");
    }
    let body = r#"{"label":"a board"}"#;
    let made = open.browse(&anna, "POST", "/v1/account/tokens", body).await;
    assert!(made.head.contains("cache-control: no-store"));
    let path = "/diagram.svg?fen=4k3/8/8/8/8/8/8/4K3%20w%20-%20-%200%201";
    let picture = open.request("GET", path, &[], "").await;
    assert!(
        picture.head.contains("cache-control: public"),
        "{}",
        picture.head
    );
    open.close().await;
}

#[tokio::test]
async fn a_new_password_revokes_the_tokens_unless_they_are_to_stay() {
    let open = Open::with(open_to_all()).await;
    let cookie = open.account("Anna").await;
    let token = open.token(&cookie, "board:play").await;
    let path = "/v1/account/password";
    let keeping = r#"{"old":"a secret of Anna","new":"1. d4 d5 2. c4","keep_tokens":true}"#;
    let changed = open.browse(&cookie, "POST", path, keeping).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(open.ask(&token, "GET", "/v1/me", "").await.0, 200);
    let cookie = changed.cookie().unwrap();
    let again = r#"{"old":"1. d4 d5 2. c4","new":"1. c4 e5 2. g3"}"#;
    let changed = open.browse(&cookie, "POST", path, again).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(open.ask(&token, "GET", "/v1/me", "").await.0, 401);
    open.close().await;
}

#[tokio::test]
async fn tokens_last_a_year_unless_told_otherwise_and_are_revoked_together() {
    let open = Open::with(open_to_all()).await;
    let cookie = open.account("Anna").await;
    let year = 365 * 24 * 60 * 60 * 1_000_i64;
    for (days, lasts) in [
        ("", Some(year)),
        (r#","days":30"#, Some(year / 365 * 30)),
        (r#","days":0"#, None),
    ] {
        let body = format!(r#"{{"label":"a board"{days}}}"#);
        let made = open
            .browse(&cookie, "POST", "/v1/account/tokens", &body)
            .await
            .json();
        let lasting = made["expires"]
            .as_i64()
            .map(|expires| expires - made["created"].as_i64().unwrap());
        let is_near = |(a, b): (i64, i64)| (a - b).abs() < 60_000;
        assert!(lasting.zip(lasts).is_none_or(is_near), "{made}");
        assert_eq!(lasting.is_some(), lasts.is_some(), "{made}");
    }
    let token = open.token(&cookie, "account:read").await;
    let path = "/v1/account/tokens";
    assert_eq!(open.ask(&token, "DELETE", path, "").await.0, 403);
    let revoked = open.browse(&cookie, "DELETE", path, "").await;
    assert_eq!(revoked.json()["revoked"], 4);
    assert_eq!(open.ask(&token, "GET", "/v1/me", "").await.0, 401);
    open.close().await;
}

#[tokio::test]
async fn long_after_signing_in_a_token_takes_the_password_again() {
    let open = Open::with(open_to_all()).await;
    let cookie = open.account("Anna").await;
    let db = rusqlite::Connection::open(open.file()).unwrap();
    db.execute("UPDATE sessions SET created = created - 700000", [])
        .unwrap();
    drop(db);
    let path = "/v1/account/tokens";
    for (body, status, reason) in [
        ("{}", 403, "password_needed"),
        (r#"{"password":"guessed it"}"#, 401, "password"),
        (r#"{"password":"a secret of Anna"}"#, 201, "tm_"),
    ] {
        let heard = open.browse(&cookie, "POST", path, body).await;
        assert_eq!(heard.status, status, "{body}: {}", heard.body);
        assert!(heard.body.contains(reason), "{body}: {}", heard.body);
    }
    open.close().await;
}

/// Authorizes a program with this redirect URI, and returns the code.
async fn code_for(open: &Open, cookie: &str, redirect: &str) -> String {
    let query = format!(
        "response_type=code&client_id=a+board&redirect_uri={redirect}&code_challenge_method=S256\
         &scope=board:play+challenge:read+challenge:write&code_challenge={CHALLENGE}"
    );
    let origin = format!("http://{}", open.address);
    let headers = [("Cookie", cookie), ("Origin", origin.as_str()), FORM];
    let answered = open
        .request("POST", "/oauth", &headers, &format!("{query}&answer=yes"))
        .await;
    assert_eq!(answered.status, 303, "{}", answered.body);
    let code = answered.head.split_once("code=").unwrap().1;
    code.split_once('&').unwrap().0.to_owned()
}

#[tokio::test]
async fn a_code_that_comes_twice_revokes_the_token_that_it_gave() {
    let open = Open::with(open_to_all()).await;
    let cookie = open.account("Anna").await;
    // A long URI does no harm.
    let redirect = format!("https://board.example/{}", "x".repeat(600));
    let code = code_for(&open, &cookie, &redirect).await;
    let exchange = format!(
        "grant_type=authorization_code&code={code}&code_verifier={VERIFIER}&client_id=a+board\
         &redirect_uri={redirect}"
    );
    let told = open.request("POST", "/api/token", &[FORM], &exchange).await;
    assert_eq!(told.status, 200, "{}", told.body);
    let token = told.json()["access_token"].as_str().unwrap().to_owned();
    assert_eq!(open.ask(&token, "GET", "/v1/me", "").await.0, 200);
    let again = open.request("POST", "/api/token", &[FORM], &exchange).await;
    assert_eq!(again.status, 400, "{}", again.body);
    assert_eq!(open.ask(&token, "GET", "/v1/me", "").await.0, 401);
    open.close().await;
}

#[tokio::test]
async fn a_code_ends_with_all_tokens_and_with_the_session() {
    let open = Open::with(open_to_all()).await;
    let cookie = open.account("Anna").await;
    let redirect = "https://board.example/done";
    for path in ["/v1/account/tokens", "/v1/session"] {
        let code = code_for(&open, &cookie, redirect).await;
        let ended = open.browse(&cookie, "DELETE", path, "").await;
        assert!((200..300).contains(&ended.status), "{}", ended.body);
        let exchange = format!(
            "grant_type=authorization_code&code={code}&code_verifier={VERIFIER}\
             &client_id=a+board&redirect_uri={redirect}"
        );
        let told = open.request("POST", "/api/token", &[FORM], &exchange).await;
        assert_eq!(told.status, 400, "{path}: {}", told.body);
    }
    open.close().await;
}

#[tokio::test]
async fn a_code_is_exchanged_only_for_the_very_address_that_it_was_sent_to() {
    let open = Open::with(open_to_all()).await;
    let cookie = open.account("Anna").await;
    let code = code_for(&open, &cookie, "https://board.example/done").await;
    let exchange = format!(
        "grant_type=authorization_code&code={code}&code_verifier={VERIFIER}&client_id=a+board\
         &redirect_uri=https://board.example/done/"
    );
    let told = open.request("POST", "/api/token", &[FORM], &exchange).await;
    assert_eq!(told.status, 400, "{}", told.body);
    open.close().await;
}

#[tokio::test]
async fn the_consent_page_shows_the_host_and_says_that_the_name_is_only_claimed() {
    let open = Open::with(open_to_all()).await;
    let cookie = open.account("Anna").await;
    let ask = |redirect: &str| {
        format!(
            "/oauth?response_type=code&client_id=Your%E2%80%AE+bank&redirect_uri={redirect}\
             &code_challenge_method=S256&code_challenge={CHALLENGE}"
        )
    };
    let path = ask("https%3A%2F%2Fboard.example%2Fdone%3Fgood.example");
    let page = open.browse(&cookie, "GET", &path, "").await;
    assert_eq!(page.status, 200);
    let shown = "calls itself <strong>Your\u{fffd} bank</strong>";
    assert!(page.body.contains(shown), "{}", page.body);
    assert!(page.body.contains("at <strong>board.example</strong>"));
    // A scheme may look like a host.
    for (redirect, where_) in [
        ("bank.example:/done", "<code>bank.example:</code>"),
        (
            "http://localhost:8123/",
            "by a program on <strong>this machine",
        ),
    ] {
        let page = open.browse(&cookie, "GET", &ask(redirect), "").await;
        assert!(page.body.contains(where_) && page.body.contains("this machine"));
        assert!(!page.body.contains("<strong>bank.example"), "{}", page.body);
    }
    let path = ask("https%3A%2F%2Fgood.example%40evil.example%2F");
    assert_eq!(open.browse(&cookie, "GET", &path, "").await.status, 400);
    open.close().await;
}

#[tokio::test]
async fn what_is_over_is_deleted_without_anybody_asking() {
    let open = Open::new().await;
    let session = |byte: u8, expires| LoginSession {
        hash: Digest([byte; 32]),
        holder: Holder::Guest(Digest([byte; 32])),
        name: None,
        created: Moment(1),
        expires,
    };
    let now = open.server.pulse.to_moment();
    // More than one batch.
    for byte in 0..250 {
        let old = session(byte, now.plus_millis(-1));
        open.server.store.add_session(old).await.unwrap();
    }
    let lasting = session(255, now.plus_millis(3_600_000));
    open.server.store.add_session(lasting).await.unwrap();
    // The server does it at startup.
    let open = open.again().await;
    for _ in 0..200 {
        if rows(&open, "sessions") == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(rows(&open, "sessions"), 1);
    assert_eq!(open.server.delete_expired().await, Ok(0));
    open.close().await;
}

#[tokio::test]
async fn two_who_resign_and_play_again_are_counted_like_two_who_make_tables() {
    let settings = ServerConfig {
        trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
        limits: Limits {
            create: Rate::new(10, 1),
            ..Limits::default()
        },
        ..ServerConfig::default()
    };
    let open = Open::with(settings).await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let mut game = open.table(&anna, &bea, "{}").await;
    let come = async |who: &str, game: &str| {
        use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
        let url = format!("ws://{}/v1/tables/{game}/live", open.address);
        let mut request = url.into_client_request().unwrap();
        let headers = request.headers_mut();
        headers.insert("authorization", format!("Bearer {who}").parse().unwrap());
        headers.insert("x-forwarded-for", "203.0.113.7".parse().unwrap());
        let (socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
        support::Client { socket }
    };
    let mut games = 1;
    let refused = loop {
        assert!(games < 10, "nobody stops them");
        let mut white = come(&anna, &game).await;
        let mut black = come(&bea, &game).await;
        if games % 2 == 0 {
            std::mem::swap(&mut white, &mut black);
        }
        for (number, mv) in ["Nf3", "Nf6", "Ng1", "Ng8", "Nc3", "Nc6"]
            .iter()
            .enumerate()
        {
            let player = match number % 2 {
                0 => &mut white,
                _ => &mut black,
            };
            let text = format!(r#"{{"move":"{mv}","id":"m{number}"}}"#);
            player.say(&text).await;
            let answer = player.answer(&format!("m{number}")).await;
            assert_eq!(answer["accepted"], true, "{answer}");
        }
        white.say(r#"{"command":"resign","id":"r"}"#).await;
        white.answer("r").await;
        white.say(r#"{"command":"rematch","id":"w"}"#).await;
        let first = white.answer("w").await;
        black.say(r#"{"command":"rematch","id":"b"}"#).await;
        let second = black.answer("b").await;
        if let Some(refused) = [first, second]
            .into_iter()
            .find(|answer| answer["accepted"] == false)
        {
            break refused;
        }
        let state = open
            .json(&anna, "GET", &format!("/v1/tables/{game}"), "")
            .await;
        game = state["rematch"]["game"].as_str().unwrap().to_owned();
        games += 1;
    };
    assert_eq!(refused["reason"], "too_often", "{refused}");
    open.close().await;
}
