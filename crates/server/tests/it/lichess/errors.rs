//! Errors in Lichess's API: of the server, of requests, of authentication.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use touchmove_store::PersonKind;

use crate::support::Open;

const BLITZ: &str = "clock.limit=300&clock.increment=3&color=white";

/// Two bots and their game, the first with White.
async fn bots(open: &Open) -> (String, String, String) {
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    let game = open.paired(&anna, &bea, "bea", BLITZ).await;
    (anna, bea, game)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_written_may_be_sent_again_and_happens_once() {
    let open = Open::new().await;
    let (anna, bea, game) = bots(&open).await;
    let path = |what: &str| format!("/api/bot/game/{game}/{what}");
    let mut lines = open
        .lines(&bea, "GET", &format!("/api/bot/game/stream/{game}"), "")
        .await;
    lines.of("gameFull").await;
    // The store cannot write decisions or chat: their tables are renamed away.
    let other = rusqlite::Connection::open(open.file()).unwrap();
    let rename = |from: &str, to: &str| {
        let tables = ["decisions", "chat"];
        let rename =
            tables.map(|table| format!("ALTER TABLE {table}{from} RENAME TO {table}{to};"));
        other.execute_batch(&rename.concat()).unwrap();
    };
    rename("", "_away");
    let bearer = format!("Bearer {anna}");
    let headers = [("Authorization", bearer.as_str())];
    let (chat, moved) = (path("chat"), path("move/e2e4"));
    let (said, refused) = tokio::join!(
        open.form(&bea, &chat, "room=player&text=hello"),
        open.request("POST", &moved, &headers, ""),
    );
    assert_eq!(said.0, 503, "{}", said.1);
    assert_eq!(refused.status, 503, "{}", refused.body);
    assert!(refused.head.contains("retry-after:"), "{}", refused.head);
    assert!(refused.json()["error"].is_string());
    // Reads still work, apart from games.
    assert_eq!(open.read(&anna, "/api/account/kid").await["kid"], false);
    rename("_away", "");
    let told = open.read(&anna, &format!("/game/export/{game}")).await;
    assert_eq!(told["moves"], "", "it has not happened");
    open.granted(&anna, &moved, "").await;
    open.granted(&anna, &moved, "").await;
    assert_eq!(lines.of("gameState").await["moves"], "e2e4");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_said_in_json() {
    let open = Open::new().await;
    let (anna, _, game) = bots(&open).await;
    for (method, path, status) in [
        ("GET", "/api/nothing".to_owned(), 404),
        ("GET", "/api/puzzle/daily".to_owned(), 404),
        ("GET", "/api/tournament".to_owned(), 404),
        ("GET", "/api/team/all".to_owned(), 404),
        ("POST", "/api/import".to_owned(), 404),
        ("GET", "/api/bot/game/stream/nogame00".to_owned(), 404),
        ("GET", "/api/bot/game/stream/x".to_owned(), 404),
        ("GET", "/api/bot/game/stream/%FF%FE".to_owned(), 404),
        ("POST", "/api/bot/game/nogame00/move/e2e4".to_owned(), 404),
        ("POST", format!("/api/bot/game/{game}/jump"), 404),
        ("POST", format!("/api/bot/game/{game}/draw/maybe"), 404),
        ("GET", format!("/api/bot/game/{game}/move/e2e4"), 405),
        ("POST", format!("/api/bot/game/{game}/berserk"), 400),
        ("POST", format!("/api/board/game/{game}/berserk/"), 400),
        ("POST", format!("/api/bot/game/{game}/move/"), 404),
        ("POST", format!("/api/bot/game/{game}/move/e2"), 400),
        ("POST", format!("/api/bot/game/{game}/move/e2e4e5"), 400),
        ("POST", "/api/challenge/nobody".to_owned(), 404),
        ("POST", "/api/challenge/ai".to_owned(), 400),
        ("GET", "/api/challenge/nooffer0/show".to_owned(), 404),
        ("GET", "/game/export/nogame00".to_owned(), 404),
        ("GET", "/api/games/user/nobody".to_owned(), 404),
        ("GET", "/api/user/nobody".to_owned(), 404),
        ("GET", "/api/user/nobody/current-game".to_owned(), 404),
        ("GET", "/api/tv/horde/feed".to_owned(), 404),
        ("GET", "/api/stream/game/nogame00".to_owned(), 404),
    ] {
        let (found, body) = open.ask(&anna, method, &path, "").await;
        assert_eq!(found, status, "{method} {path}: {body}");
        let told: Value = serde_json::from_str(&body).expect(&body);
        let error = told["error"].as_str().expect(&body);
        assert!(
            error.len() > 5 && told["reason"].is_string(),
            "{path}: {body}"
        );
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_else_s_game_is_nobody_s_to_play() {
    let open = Open::new().await;
    let (_, _, game) = bots(&open).await;
    let cleo = open.member("Cleo", PersonKind::Bot).await;
    for what in [
        "move/e2e4",
        "abort",
        "resign",
        "draw/yes",
        "takeback/yes",
        "claim-victory",
        "claim-draw",
        "chat",
    ] {
        let path = format!("/api/bot/game/{game}/{what}");
        let (status, told) = open.form(&cleo, &path, "room=player&text=hello").await;
        assert_eq!(status, 404, "{what}: {told}");
        let (status, _) = open.form("tm_nobody", &path, "").await;
        assert_eq!(status, 401, "{what}");
    }
    let stream = format!("/api/bot/game/stream/{game}");
    assert_eq!(open.ask(&cleo, "GET", &stream, "").await.0, 404);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_becomes_one_plays_on_the_streams_it_has() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Human).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    let mut events = open.lines(&anna, "GET", "/api/stream/event", "").await;
    assert_eq!(events.line().await.as_deref(), Some(""));
    open.granted(&anna, "/api/bot/account/upgrade", "").await;
    let game = open.paired(&bea, &anna, "anna", BLITZ).await;
    assert_eq!(events.of("gameStart").await["game"]["id"], game.as_str());
    let path = format!("/api/bot/game/stream/{game}");
    let mut lines = open.lines(&anna, "GET", &path, "").await;
    assert_eq!(lines.of("gameFull").await["black"]["title"], "BOT");
    let online = open.request("GET", "/api/bot/online", &[], "").await;
    assert_eq!(online.json()["id"], "anna");
    // An account that has played as a human stays one.
    let cleo = open.member("Cleo", PersonKind::Human).await;
    open.paired(&bea, &cleo, "cleo", BLITZ).await;
    let (status, told) = open.form(&cleo, "/api/bot/account/upgrade", "").await;
    assert_eq!(status, 400, "{told}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_greet_and_say_goodbye_after_the_end() {
    let open = Open::new().await;
    let (anna, bea, game) = bots(&open).await;
    let path = |what: &str| format!("/api/bot/game/{game}/{what}");
    for (room, text) in [("player", "Hello!"), ("spectator", "Hello+all!")] {
        let form = format!("room={room}&text={text}");
        open.granted(&anna, &path("chat"), &form).await;
    }
    open.granted(&bea, &path("abort"), "").await;
    for room in ["player", "spectator"] {
        let form = format!("room={room}&text=Good+game!");
        open.granted(&anna, &path("chat"), &form).await;
    }
    let lines = open.read(&bea, &path("chat")).await;
    let said =
        json!([{ "user": "Anna", "text": "Hello!" }, { "user": "Anna", "text": "Good game!" }]);
    assert_eq!(lines, said);
    let long = "x".repeat(1_000);
    let form = format!("room=player&text={long}");
    let (status, told) = open.form(&anna, &path("chat"), &form).await;
    assert_eq!(status, 400, "{told}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_another_site_reads_what_it_has_a_token_for() {
    let open = Open::new().await;
    let (anna, _, game) = bots(&open).await;
    let origin = ("Origin", "https://board.example");
    let path = format!("/api/board/game/{game}/move/e2e4");
    let asks = [
        origin,
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "authorization"),
    ];
    let heard = open.request("OPTIONS", &path, &asks, "").await;
    assert_eq!(heard.status, 204, "{}", heard.body);
    for line in [
        "access-control-allow-origin: *",
        "access-control-allow-methods: GET, POST, DELETE",
        "access-control-allow-headers: Authorization, Content-Type",
    ] {
        assert!(heard.head.contains(line), "{}", heard.head);
    }
    let bearer = format!("Bearer {anna}");
    let shown = "access-control-allow-origin: *";
    for (method, path, headers, is_shown) in [
        (
            "POST",
            path.as_str(),
            &[origin, ("Authorization", &bearer)][..],
            true,
        ),
        (
            "GET",
            "/api/account",
            &[origin, ("Authorization", "Bearer no")],
            true,
        ),
        ("POST", "/api/token", &[origin], true),
        ("GET", "/api/tv/channels", &[origin], false),
        (
            "GET",
            "/api/account",
            &[origin, ("Cookie", "touchmove=x")],
            false,
        ),
        (
            "GET",
            "/v1/seeks",
            &[origin, ("Authorization", &bearer)],
            false,
        ),
    ] {
        let heard = open.request(method, path, headers, "").await;
        assert_eq!(
            heard.head.contains(shown),
            is_shown,
            "{path}: {}",
            heard.head
        );
        assert!(!heard.head.contains("allow-credentials"));
    }
    open.close().await;
}

/// Opens a stream as current clients do, and reads until it has begun.
async fn begun(open: &Open, token: &str, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(open.address).await.unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n",
        open.address
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut heard = String::new();
    while heard
        .split_once("\r\n\r\n")
        .is_none_or(|(_, body)| body.is_empty())
    {
        let mut some = [0; 1024];
        let count = stream.read(&mut some).await.unwrap();
        assert!(count > 0, "{heard}");
        heard += str::from_utf8(&some[..count]).unwrap();
    }
    assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
    stream
}

/// Whether a stream ended properly: by the last chunk of its body, which is empty.
async fn ends_well(mut stream: TcpStream) -> bool {
    let mut rest = Vec::new();
    // A connection that is cut returns an error.
    let _ = stream.read_to_end(&mut rest).await;
    rest.ends_with(b"0\r\n\r\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_is_broken_off_where_the_house_closes_and_ends_with_its_game() {
    let open = Open::new().await;
    let (anna, bea, game) = bots(&open).await;
    let path = format!("/api/bot/game/stream/{game}");
    let over = begun(&open, &anna, &path).await;
    open.granted(&bea, &format!("/api/bot/game/{game}/resign"), "")
        .await;
    assert!(ends_well(over).await);
    let next = open.paired(&anna, &bea, "bea", BLITZ).await;
    let paths = [
        "/api/stream/event".to_owned(),
        format!("/api/bot/game/stream/{next}"),
        format!("/api/stream/game/{next}"),
        "/api/tv/feed".to_owned(),
    ];
    let mut streams = Vec::new();
    for path in paths {
        streams.push((begun(&open, &anna, &path).await, path));
    }
    open.close().await;
    for (stream, path) in streams {
        assert!(!ends_well(stream).await, "{path}");
    }
}
