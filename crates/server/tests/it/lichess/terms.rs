//! Terms in Lichess's API: challenges with every kind of terms, and the games that they become.

use serde_json::{Value, json};
use touchmove_store::PersonKind;

use crate::support::Open;

/// Two bots; returns their tokens.
async fn bots(open: &Open) -> (String, String) {
    (
        open.member("Anna", PersonKind::Bot).await,
        open.member("Bea", PersonKind::Bot).await,
    )
}

/// The `gameFull` object of a game.
async fn full(open: &Open, token: &str, game: &str) -> Value {
    let path = format!("/api/bot/game/stream/{game}");
    let mut lines = open.lines(token, "GET", &path, "").await;
    lines.next().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_clock_is_told_as_clients_read_it() {
    let open = Open::new().await;
    let (anna, bea) = bots(&open).await;
    for (form, speed, control, clock) in [
        (
            "clock.limit=15&clock.increment=0",
            "ultraBullet",
            json!({ "type": "clock", "limit": 15, "increment": 0, "show": "¼+0" }),
            json!({ "initial": 15_000, "increment": 0 }),
        ),
        (
            "clock.limit=0&clock.increment=3",
            "bullet",
            json!({ "type": "clock", "limit": 3, "increment": 3, "show": "0:03+3" }),
            json!({ "initial": 3_000, "increment": 3_000 }),
        ),
        (
            "clock.limit=10800&clock.increment=180",
            "classical",
            json!({ "type": "clock", "limit": 10_800, "increment": 180, "show": "180+180" }),
            json!({ "initial": 10_800_000, "increment": 180_000 }),
        ),
        (
            "days=14",
            "correspondence",
            json!({ "type": "correspondence", "daysPerTurn": 14 }),
            Value::Null,
        ),
        (
            "",
            "correspondence",
            json!({ "type": "unlimited" }),
            Value::Null,
        ),
    ] {
        let form = format!("{form}&color=white&rated=false");
        let made = open.granted(&anna, "/api/challenge/bea", &form).await;
        assert_eq!(
            (&made["speed"], &made["timeControl"]),
            (&json!(speed), &control)
        );
        let id = made["id"].as_str().unwrap();
        open.granted(&bea, &format!("/api/challenge/{id}/accept"), "")
            .await;
        let full = full(&open, &anna, id).await;
        assert_eq!(
            (&full["speed"], &full["clock"]),
            (&json!(speed), &clock),
            "{form}"
        );
        let state = &full["state"];
        let initial = clock["initial"].as_u64();
        match speed {
            "correspondence" => {
                let days = control["daysPerTurn"].as_u64();
                assert_eq!(full["daysPerTurn"].as_u64(), days);
                let time = days.map_or(2_147_483_647, |days| days * 24 * 3_600_000);
                assert_eq!(state["wtime"].as_u64(), Some(time), "{form}");
            }
            _ => assert!(state["wtime"].as_u64() >= initial, "{form}: {state}"),
        }
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_begins_where_the_challenger_said() {
    let open = Open::new().await;
    let (anna, bea) = bots(&open).await;
    let endgame = "4k3/4p3/8/8/8/8/4P3/4K2R b K - 0 1";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (variant, fen, key, initial) in [
        ("standard", "", "standard", "startpos"),
        ("standard", start, "standard", "startpos"),
        ("standard", endgame, "fromPosition", endgame),
        ("fromPosition", endgame, "fromPosition", endgame),
        ("atomic", "", "atomic", "startpos"),
        ("atomic", endgame, "atomic", endgame),
        ("simpleAtomic", "", "simpleAtomic", "startpos"),
        ("chess960", start, "chess960", start),
    ] {
        let fen = fen.replace(' ', "+");
        let form =
            format!("variant={variant}&fen={fen}&color=white&clock.limit=60&clock.increment=0");
        let made = open.granted(&anna, "/api/challenge/bea", &form).await;
        assert_eq!(made["variant"]["key"], key, "{form}");
        let told = made.get("initialFen").and_then(Value::as_str);
        assert_eq!(told.unwrap_or("startpos"), initial, "{form}");
        let id = made["id"].as_str().unwrap();
        open.granted(&bea, &format!("/api/challenge/{id}/accept"), "")
            .await;
        let full = full(&open, &bea, id).await;
        assert_eq!(
            (&full["variant"]["key"], &full["initialFen"]),
            (&json!(key), &json!(initial))
        );
        let playing = open.read(&bea, "/api/account/playing?nb=1").await;
        let game = &playing["nowPlaying"][0];
        // In the endgame Black moves first.
        assert_eq!(game["isMyTurn"], initial == endgame, "{form}");
        assert_eq!(game["hasMoved"], false, "{form}");
    }
    // The start position of Chess960 is random, and both players get the same.
    let form = "variant=chess960&color=white";
    let made = open.granted(&anna, "/api/challenge/bea", form).await;
    let id = made["id"].as_str().unwrap();
    open.granted(&bea, &format!("/api/challenge/{id}/accept"), "")
        .await;
    let (one, other) = (full(&open, &anna, id).await, full(&open, &bea, id).await);
    assert_eq!(one["initialFen"], other["initialFen"]);
    assert_eq!(
        one["variant"],
        json!({ "key": "chess960", "name": "Chess960", "short": "960" })
    );
    for form in [
        "variant=fromPosition",
        "variant=crazyhouse",
        "fen=8/8/8/8/8/8/8/8+w+-+-+0+1",
        "fen=7k/5Q2/6K1/8/8/8/8/8+b+-+-+0+1",
        "clock.limit=abc&clock.increment=1",
        "clock.limit=-5&clock.increment=1",
        "days=0",
        "color=green",
    ] {
        let (status, told) = open.form(&anna, "/api/challenge/bea", form).await;
        assert_eq!(status, 400, "{form}: {told}");
        assert!(told["error"].as_str().unwrap().len() > 10, "{form}: {told}");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_a_rated_game_is_told_of_a_casual_one() {
    let open = Open::new().await;
    let (anna, bea) = bots(&open).await;
    // As lichess-bot sends it.
    let body = r#"{"rated":true,"variant":"standard","clock.limit":180,"clock.increment":2}"#;
    let made = open.json(&anna, "POST", "/api/challenge/Bea", body).await;
    assert_eq!(
        (&made["rated"], &made["status"]),
        (&json!(false), &json!("created"))
    );
    let id = made["id"].as_str().unwrap();
    open.granted(&bea, &format!("/api/challenge/{id}/accept"), "")
        .await;
    assert_eq!(full(&open, &anna, id).await["rated"], false);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_declined_for_every_reason_that_clients_know() {
    let open = Open::new().await;
    let (anna, bea) = bots(&open).await;
    let mut events = open.lines(&anna, "GET", "/api/stream/event", "").await;
    let mut seen = std::collections::HashSet::new();
    for (reason, key) in [
        ("generic", "generic"),
        ("later", "later"),
        ("tooFast", "toofast"),
        ("tooSlow", "tooslow"),
        ("timeControl", "timecontrol"),
        ("rated", "rated"),
        ("casual", "casual"),
        ("standard", "standard"),
        ("variant", "variant"),
        ("noBot", "nobot"),
        ("onlyBot", "onlybot"),
        ("nobot", "nobot"),
        ("becauseIDoNotLikeYou", "generic"),
        ("", "generic"),
    ] {
        let made = open.granted(&anna, "/api/challenge/bea", "days=1").await;
        let path = format!("/api/challenge/{}/decline", made["id"].as_str().unwrap());
        open.granted(&bea, &path, &format!("reason={reason}")).await;
        let told = events.of("challengeDeclined").await["challenge"].clone();
        assert_eq!(
            (&told["id"], &told["status"]),
            (&made["id"], &json!("declined"))
        );
        assert_eq!(told["declineReasonKey"], key);
        seen.insert(told["declineReason"].as_str().unwrap().to_owned());
        assert_eq!(told["destUser"]["name"], "Bea");
        assert_eq!(
            (&told["timeControl"]["type"], &told["perf"]["name"]),
            (&json!("correspondence"), &json!("Correspondence"))
        );
    }
    assert_eq!(seen.len(), 11, "each reason has words of its own");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_can_be_withdrawn_by_its_maker_only_and_even_when_it_was_accepted() {
    let open = Open::new().await;
    let (anna, bea) = bots(&open).await;
    let cleo = open.member("Cleo", PersonKind::Human).await;
    let mut of_bea = open.lines(&bea, "GET", "/api/stream/event", "").await;
    let made = open.granted(&anna, "/api/challenge/bea", "days=1").await;
    let path = |what: &str| format!("/api/challenge/{}/{what}", made["id"].as_str().unwrap());
    for (token, what, status) in [
        (&bea, "cancel", 400),
        (&anna, "decline", 400),
        (&anna, "accept", 400),
        (&cleo, "accept", 404),
        (&cleo, "decline", 404),
        (&cleo, "cancel", 404),
    ] {
        let (found, told) = open.form(token, &path(what), "").await;
        assert_eq!(found, status, "{what}: {told}");
        assert!(told["error"].is_string());
    }
    assert_eq!(open.ask(&cleo, "GET", &path("show"), "").await.0, 404);
    open.granted(&anna, &path("cancel"), "").await;
    assert_eq!(
        of_bea.of("challengeCanceled").await["challenge"]["status"],
        "canceled"
    );
    for what in ["decline", "accept"] {
        let (status, told) = open.form(&bea, &path(what), "").await;
        assert_eq!((status, &told["reason"]), (404, &json!("gone")), "{what}");
    }
    assert_eq!(open.read(&anna, &path("show")).await["status"], "canceled");

    // A client that cancels does not know yet that the challenge was accepted.
    let game = open.paired(&anna, &bea, "bea", "days=1&color=white").await;
    of_bea.of("gameStart").await;
    open.granted(&anna, &format!("/api/challenge/{game}/cancel"), "")
        .await;
    let over = of_bea.of("gameFinish").await;
    assert_eq!(
        over["game"]["status"],
        json!({ "id": 25, "name": "aborted" })
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_challenge_takes_two_whoever_they_are() {
    let open = Open::new().await;
    let (anna, bea) = bots(&open).await;
    let form = "variant=fromPosition&fen=4k3/8/8/8/8/8/8/4K2R+w+K+-+0+1&days=2";
    // No identity is needed to create one.
    let headers = [("Content-Type", "application/x-www-form-urlencoded")];
    let made = open
        .request("POST", "/api/challenge/open", &headers, form)
        .await;
    assert_eq!(made.status, 200, "{}", made.body);
    let made = made.json();
    assert_eq!(made["variant"]["key"], "fromPosition");
    assert_eq!(
        (&made["challenger"], &made["destUser"]),
        (&Value::Null, &Value::Null)
    );
    let path = format!("/api/challenge/{}/accept", made["id"].as_str().unwrap());
    assert_eq!(open.form("", &path, "").await.0, 401);
    open.granted(&anna, &path, "").await;
    open.granted(&anna, &path, "").await;
    open.granted(&bea, &path, "").await;
    let cleo = open.member("Cleo", PersonKind::Bot).await;
    assert_eq!(open.form(&cleo, &path, "").await.0, 409);
    let game = made["id"].as_str().unwrap();
    assert_eq!(full(&open, &bea, game).await["state"]["status"], "started");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_stays_on_the_line_is_told_the_answer_and_who_goes_withdraws() {
    let open = Open::new().await;
    let (anna, bea) = bots(&open).await;
    let form = "days=1&keepAliveStream=true";
    for (what, done) in [("accept", "accepted"), ("decline", "declined")] {
        let mut kept = open.lines(&anna, "POST", "/api/challenge/bea", form).await;
        let made = kept.next().await.unwrap();
        assert_eq!(made["status"], "created");
        let path = format!("/api/challenge/{}/{what}", made["id"].as_str().unwrap());
        open.granted(&bea, &path, "").await;
        assert_eq!(kept.rest().await, [json!({ "done": done })]);
    }
    let mut of_bea = open.lines(&bea, "GET", "/api/stream/event", "").await;
    let mut kept = open.lines(&anna, "POST", "/api/challenge/bea", form).await;
    let made = kept.next().await.unwrap();
    assert_eq!(of_bea.of("challenge").await["challenge"]["id"], made["id"]);
    drop(kept);
    let gone = of_bea.of("challengeCanceled").await;
    assert_eq!(gone["challenge"]["id"], made["id"]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_accepts_hears_of_the_beginning_even_if_it_is_over() {
    let open = Open::new().await;
    let (anna, bea) = bots(&open).await;
    let mut events = open.lines(&bea, "GET", "/api/stream/event", "").await;
    for _ in 0..20 {
        let game = open.paired(&anna, &bea, "bea", "days=1&color=white").await;
        open.granted(&anna, &format!("/api/bot/game/{game}/abort"), "")
            .await;
        assert_eq!(events.of("gameStart").await["game"]["id"], game.as_str());
        let over = events.of("gameFinish").await;
        assert_eq!(over["game"]["id"], game.as_str());
        assert_eq!(over["game"]["status"]["name"], "aborted");
        // A request whose answer was lost is repeated, and nothing starts anew.
        open.granted(&bea, &format!("/api/challenge/{game}/accept"), "")
            .await;
    }
    open.granted(&anna, "/api/challenge/bea", "days=1").await;
    assert_eq!(events.next().await.unwrap()["type"], "challenge");
    open.close().await;
}
