//! Streams, flags and absences in Lichess's API, on a clock that only moves when it is told to: an hour passes in
//! seconds.

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, advance, pause};
use touchmove_store::PersonKind;

use crate::support::Open;
use crate::support::ndjson::Lines;

/// A second of the test clock.
const SECOND: Duration = Duration::from_secs(1);

/// Stops the clock while it is held.
struct Still {
    /// A busy blocking thread: while there is one, tokio's paused clock does not advance by itself.
    _busy: mpsc::Sender<()>,
}

impl Still {
    fn new() -> Still {
        let (busy, done) = mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || done.recv());
        pause();
        Still { _busy: busy }
    }
}

/// Lets seconds pass, one after another.
async fn pass(open: &Open, seconds: u64) {
    for _ in 0..seconds {
        advance(SECOND).await;
        // The disk is slower than the clock: that is no outage of the server.
        let _ = open.server.now();
        settle(open).await;
    }
}

/// Lets the server do what is due.
async fn settle(open: &Open) {
    let heard = open
        .request("GET", "/api/users/status?ids=anna", &[], "")
        .await;
    assert_eq!(heard.status, 200);
}

/// Lets the server and its threads do what is due until a condition holds. No time passes meanwhile.
async fn until(open: &Open, what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
        settle(open).await;
    }
    panic!("{what}");
}

/// The lines of a stream, each with its time.
type Record = Arc<Mutex<Vec<(Duration, String)>>>;

fn record(mut lines: Lines) -> Record {
    let (record, began) = (Record::default(), Instant::now());
    let written = Arc::clone(&record);
    tokio::spawn(async move {
        while let Some(line) = lines.line().await {
            written.lock().unwrap().push((began.elapsed(), line));
        }
    });
    record
}

/// The latest object of a recorded stream.
fn latest(record: &Record) -> Value {
    let record = record.lock().unwrap();
    let mut objects = record.iter().filter(|(_, line)| !line.is_empty());
    serde_json::from_str(&objects.next_back().expect("an object").1).unwrap()
}

/// The latest object of a recorded stream, once it is as wanted.
async fn heard(open: &Open, record: &Record, key: &str, wanted: &Value) -> Value {
    let what = format!("{key} does not become {wanted}");
    until(open, &what, || latest(record)[key] == *wanted).await;
    latest(record)
}

/// Two bots and their game, in which both have moved.
async fn begun(open: &Open, terms: &str) -> (String, String, String) {
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    let terms = format!("{terms}&color=white");
    let game = open.paired(&anna, &bea, "bea", &terms).await;
    for (token, mv) in [(&anna, "e2e4"), (&bea, "e7e5")] {
        open.granted(token, &format!("/api/bot/game/{game}/move/{mv}"), "")
            .await;
    }
    (anna, bea, game)
}

#[tokio::test]
async fn streams_hold_for_an_hour_in_which_nothing_happens() {
    let open = Open::new().await;
    let (anna, bea, game) = begun(&open, "days=3").await;
    let _still = Still::new();
    let stream = format!("/api/bot/game/stream/{game}");
    let events = record(open.lines(&anna, "GET", "/api/stream/event", "").await);
    let moves = record(open.lines(&anna, "GET", &stream, "").await);
    let board = record(
        open.lines(&bea, "GET", &format!("/api/stream/game/{game}"), "")
            .await,
    );
    let feed = record(
        open.lines(&bea, "GET", "/api/tv/ultraBullet/feed", "")
            .await,
    );
    let seek = "time=5&increment=3";
    let seek = record(open.lines(&bea, "POST", "/api/board/seek", seek).await);
    let streams = [
        ("events", &events),
        ("a game", &moves),
        ("a game that is followed", &board),
        ("television", &feed),
        ("a seek", &seek),
    ];
    let began = Instant::now();
    for _ in 0..3_600 {
        pass(&open, 1).await;
        for (what, record) in streams {
            // An HTTP client times out after fifteen seconds of silence.
            let is_heard = || {
                let record = record.lock().unwrap();
                let last = record.last().map_or(Duration::ZERO, |(at, _)| *at);
                began.elapsed().saturating_sub(last) <= 8 * SECOND
            };
            let silent = format!("{what} is silent after {:?}", began.elapsed());
            until(&open, &silent, is_heard).await;
        }
    }
    for (what, record) in streams {
        let record = record.lock().unwrap();
        for (at, line) in record.iter() {
            assert!(line.is_empty() || *at < SECOND, "{what}, at {at:?}: {line}");
        }
        let lines = record.len();
        assert!((400..=520).contains(&lines), "{what} had {lines} lines");
    }

    // They still send what happens.
    open.granted(&anna, &format!("/api/bot/game/{game}/move/g1f3"), "")
        .await;
    let made = open.granted(&bea, "/api/challenge/anna", "days=1").await;
    heard(&open, &moves, "moves", &json!("e2e4 e7e5 g1f3")).await;
    let told = heard(&open, &events, "type", &json!("challenge")).await;
    assert_eq!(told["challenge"]["id"], made["id"]);
    // A new stream is sent everything that is open.
    let mut again = open.lines(&anna, "GET", "/api/stream/event", "").await;
    assert_eq!(again.of("gameStart").await["game"]["id"], game.as_str());
    assert_eq!(again.of("challenge").await["challenge"]["id"], made["id"]);
    let mut again = open.lines(&anna, "GET", &stream, "").await;
    let first: Value = serde_json::from_str(&again.line().await.unwrap()).unwrap();
    assert_eq!(first["type"], "gameFull");
    assert_eq!(first["state"]["moves"], "e2e4 e7e5 g1f3");
}

#[tokio::test]
async fn comings_and_goings_do_not_silence_a_stream() {
    let open = Open::new().await;
    let (anna, bea, game) = begun(&open, "days=3").await;
    let _still = Still::new();
    let stream = format!("/api/bot/game/stream/{game}");
    let moves = record(open.lines(&anna, "GET", &stream, "").await);
    for _ in 0..10 {
        let visit = open.lines(&bea, "GET", &stream, "").await;
        pass(&open, 2).await;
        drop(visit);
        pass(&open, 2).await;
    }
    until(&open, "the stream is silent", || {
        moves.lock().unwrap().len() >= 5
    })
    .await;
}

#[tokio::test]
async fn a_flag_falls_in_the_streams() {
    let open = Open::new().await;
    let _still = Still::new();
    let (anna, bea, game) = begun(&open, "clock.limit=30&clock.increment=0").await;
    let stream = format!("/api/bot/game/stream/{game}");
    let events = record(open.lines(&bea, "GET", "/api/stream/event", "").await);
    let moves = record(open.lines(&anna, "GET", &stream, "").await);
    pass(&open, 28).await;
    heard(&open, &moves, "type", &json!("opponentGone")).await;
    heard(&open, &events, "type", &json!("gameStart")).await;
    pass(&open, 4).await;
    let last = heard(&open, &moves, "status", &json!("outoftime")).await;
    assert_eq!(
        (&last["winner"], &last["wtime"]),
        (&json!("black"), &json!(0))
    );
    let over = heard(&open, &events, "type", &json!("gameFinish")).await;
    assert_eq!(
        over["game"]["status"],
        json!({ "id": 35, "name": "outoftime" })
    );
    assert_eq!(over["game"]["winner"], "black");
    let (status, told) = open
        .form(&anna, &format!("/api/bot/game/{game}/move/g1f3"), "")
        .await;
    assert_eq!(status, 400, "{told}");
}

#[tokio::test]
async fn a_game_against_nobody_is_claimed_when_it_is_time() {
    let open = Open::new().await;
    let (anna, bea, game) = begun(&open, "clock.limit=600&clock.increment=0").await;
    let _still = Still::new();
    let path = |what: &str| format!("/api/bot/game/{game}/{what}");
    let stream = format!("/api/bot/game/stream/{game}");
    let moves = record(open.lines(&anna, "GET", &stream, "").await);
    let visit = open.lines(&bea, "GET", &stream, "").await;
    pass(&open, 30).await;
    assert_eq!(latest(&moves)["type"], "gameFull", "both are there");
    let (status, _) = open.form(&anna, &path("claim-victory"), "").await;
    assert_eq!(status, 400, "the opponent is there");
    drop(visit);
    pass(&open, 25).await;
    let gone = heard(&open, &moves, "gone", &json!(true)).await;
    assert_eq!(gone["type"], "opponentGone");
    let claim = gone["claimWinInSeconds"].as_u64().unwrap();
    assert!((35..=50).contains(&claim), "{gone}");
    let (status, told) = open.form(&anna, &path("claim-victory"), "").await;
    assert_eq!(status, 400, "it is too early: {told}");
    assert!(told["error"].is_string());
    // The opponent returns, and the timer starts anew.
    let visit = open.lines(&bea, "GET", &stream, "").await;
    pass(&open, 11).await;
    let back = heard(&open, &moves, "gone", &json!(false)).await;
    assert_eq!(back["type"], "opponentGone");
    assert_eq!(back.get("claimWinInSeconds"), None);
    drop(visit);
    pass(&open, 55).await;
    assert_eq!(open.form(&anna, &path("claim-victory"), "").await.0, 400);
    pass(&open, 10).await;
    let (status, _) = open.form(&bea, &path("claim-victory"), "").await;
    assert_eq!(status, 400, "who is away claims nothing");
    open.granted(&anna, &path("claim-victory"), "").await;
    let last = heard(&open, &moves, "status", &json!("timeout")).await;
    assert_eq!(last["winner"], "white");
}

#[tokio::test]
async fn a_draw_may_be_claimed_against_nobody_and_a_game_that_never_began_is_won() {
    let open = Open::new().await;
    let (anna, bea, game) = begun(&open, "clock.limit=600&clock.increment=0").await;
    let other = open
        .paired(
            &anna,
            &bea,
            "bea",
            "clock.limit=600&clock.increment=0&color=white",
        )
        .await;
    let _still = Still::new();
    let stream = |game: &str| format!("/api/bot/game/stream/{game}");
    let moves = record(open.lines(&anna, "GET", &stream(&game), "").await);
    let waiting = record(open.lines(&bea, "GET", &stream(&other), "").await);
    // White is present, and does not move.
    let _idle = open.lines(&anna, "GET", &stream(&other), "").await;
    let claim = |game: &str, what: &str| format!("/api/bot/game/{game}/claim-{what}");
    pass(&open, 20).await;
    assert_eq!(open.form(&anna, &claim(&game, "draw"), "").await.0, 400);
    assert_eq!(open.form(&bea, &claim(&other, "victory"), "").await.0, 400);
    pass(&open, 45).await;
    open.granted(&anna, &claim(&game, "draw"), "").await;
    pass(&open, 240).await;
    open.granted(&bea, &claim(&other, "victory"), "").await;
    let last = heard(&open, &moves, "status", &json!("timeout")).await;
    assert_eq!(last.get("winner"), None);
    let last = heard(&open, &waiting, "winner", &json!("black")).await;
    assert_eq!(last["status"], "noStart");
}
