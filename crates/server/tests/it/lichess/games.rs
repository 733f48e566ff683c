//! Games through Lichess's API.

use serde_json::json;
use touchmove_store::PersonKind;

use crate::support::{self, Open};

const BLITZ: &str = "clock.limit=300&clock.increment=3&color=white&rated=false";

/// Two bots and their game, the first with White.
async fn bots(open: &Open, form: &str) -> (String, String, String) {
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    let game = open.paired(&anna, &bea, "bea", form).await;
    (anna, bea, game)
}

async fn play(open: &Open, token: &str, game: &str, mv: &str) {
    open.granted(token, &format!("/api/bot/game/{game}/move/{mv}"), "")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_streamed_from_its_beginning_to_its_end() {
    let open = Open::new().await;
    let (anna, bea, game) = bots(&open, BLITZ).await;
    let path = format!("/api/bot/game/stream/{game}");
    let mut stream = open.lines(&anna, "GET", &path, "").await;
    let full = stream.line().await.unwrap();
    let full: serde_json::Value = serde_json::from_str(&full).expect("an object comes first");
    assert_eq!(full["type"], "gameFull");
    assert_eq!(full["id"], game.as_str());
    assert_eq!(full["variant"]["key"], "standard");
    assert_eq!(
        full["clock"],
        json!({ "initial": 300_000, "increment": 3_000 })
    );
    assert_eq!(
        full["white"],
        json!({ "id": "anna", "name": "Anna", "title": "BOT", "rating": 1500, "provisional": true })
    );
    assert_eq!(
        (&full["initialFen"], &full["speed"]),
        (&json!("startpos"), &json!("blitz"))
    );
    assert_eq!(full["state"]["status"], "started");
    assert_eq!(full["state"]["moves"], "");
    for (token, mv) in [(&anna, "f2f3"), (&bea, "e7e5"), (&anna, "g2g4")] {
        play(&open, token, &game, mv).await;
        let state = stream.of("gameState").await;
        assert!(state["moves"].as_str().unwrap().ends_with(mv));
        assert_eq!(
            (&state["winc"], &state["status"]),
            (&json!(3000), &json!("started"))
        );
    }
    play(&open, &bea, &game, "d8h4").await;
    let rest = stream.rest().await;
    let last = rest.last().unwrap();
    assert_eq!(
        (&last["status"], &last["winner"]),
        (&json!("mate"), &json!("black"))
    );
    // A later client is sent the ending, and nothing else.
    let late = open.lines(&bea, "GET", &path, "").await.rest().await;
    assert_eq!(
        (late.len(), &late[0]["state"]["status"]),
        (1, &json!("mate"))
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_and_streams_that_come_to_a_game_are_told_everything_from_then_on() {
    let open = Open::new().await;
    let (anna, bea, game) = bots(&open, BLITZ).await;
    let path = format!("/api/bot/game/stream/{game}");
    let mut white = open.lines(&anna, "GET", &path, "").await;
    white.of("gameFull").await;
    play(&open, &anna, &game, "e2e4").await;
    white.of("gameState").await;
    // No socket has listened so far.
    let mut watcher = open.come(&support::guest("zoe"), &game).await;
    let state = watcher.hear_of("state").await;
    assert_eq!(state["history"].as_array().unwrap().len(), 1);
    play(&open, &bea, &game, "e7e5").await;
    let told = watcher.hear_of("decided").await;
    assert_eq!(told["events"][0]["move"], "e7e5");
    white.of("gameState").await;
    let mut black = open.lines(&bea, "GET", &path, "").await;
    let full = black.of("gameFull").await;
    assert_eq!(full["state"]["moves"], "e2e4 e7e5");
    let takeback = format!("/api/bot/game/{game}/takeback/yes");
    for (token, moves, asks) in [(&anna, "e2e4 e7e5", true), (&bea, "", false)] {
        open.granted(token, &takeback, "").await;
        let [one, other] = [&mut white, &mut black].map(|lines| lines.of("gameState"));
        let (one, other) = (one.await, other.await);
        assert_eq!(one, other, "both are told the same");
        assert_eq!(
            (&one["moves"], one["wtakeback"] == true),
            (&json!(moves), asks)
        );
    }
    play(&open, &anna, &game, "d2d4").await;
    assert_eq!(black.of("gameState").await["moves"], "d2d4");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_illegal_move_is_answered_with_the_reason_and_what_proves_it() {
    let open = Open::new().await;
    let (anna, bea, game) = bots(&open, BLITZ).await;
    let path = |mv: &str| format!("/api/bot/game/{game}/move/{mv}");
    let (status, told) = open.form(&anna, &path("a1a5"), "").await;
    assert_eq!(status, 400);
    assert!(told["error"].as_str().unwrap().len() > 10, "{told}");
    assert_eq!(told["reason"], "path_blocked", "{told}");
    assert_eq!(told["evidence"], json!(["a1", "a2"]), "{told}");
    let (status, told) = open.form(&bea, &path("e7e5"), "").await;
    assert_eq!((status, &told["reason"]), (400, &json!("not_your_turn")));
    let (status, told) = open.form(&anna, &path("castle"), "").await;
    assert_eq!((status, &told["reason"]), (400, &json!("unreadable")));
    // A move whose answer was lost is sent again, before and after the reply to it.
    play(&open, &anna, &game, "e2e4").await;
    play(&open, &anna, &game, "e2e4").await;
    play(&open, &bea, &game, "e7e5").await;
    play(&open, &anna, &game, "e2e4").await;
    let (status, _) = open.form(&anna, &path("e7e5"), "").await;
    assert_eq!(status, 400);
    let state = open.read(&anna, &format!("/game/export/{game}")).await;
    assert_eq!(state["moves"], "e4 e5");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn draws_and_takebacks_are_offered_and_answered() {
    let open = Open::new().await;
    let (anna, bea, game) = bots(&open, BLITZ).await;
    let path = |what: &str| format!("/api/bot/game/{game}/{what}");
    let stream = format!("/api/bot/game/stream/{game}");
    let (status, _) = open.form(&anna, &path("draw/yes"), "").await;
    assert_eq!(status, 400, "nobody has moved");
    play(&open, &anna, &game, "e2e4").await;
    play(&open, &bea, &game, "e7e5").await;
    let mut lines = open.lines(&bea, "GET", &stream, "").await;
    open.granted(&anna, &path("takeback/yes/"), "").await;
    open.granted(&anna, &path("takeback/yes"), "").await;
    assert_eq!(lines.of("gameState").await["wtakeback"], true);
    open.granted(&bea, &path("takeback/yes"), "").await;
    let state = lines.of("gameState").await;
    assert_eq!(
        (&state["moves"], state.get("wtakeback")),
        (&json!(""), None)
    );
    play(&open, &anna, &game, "d2d4").await;
    let with_draw = path("move/d7d5?offeringDraw=true");
    open.granted(&bea, &with_draw, "").await;
    lines.of("gameState").await;
    let state = loop {
        let state = lines.of("gameState").await;
        if state.get("bdraw").is_some() {
            break state;
        }
    };
    assert_eq!(state["moves"], "d2d4 d7d5");
    open.granted(&anna, &path("draw/no"), "").await;
    open.granted(&anna, &path("draw/no"), "").await;
    assert_eq!(lines.of("gameState").await.get("bdraw"), None);
    open.granted(&anna, &path("draw/yes"), "").await;
    open.granted(&bea, &path("draw/yes"), "").await;
    let last = lines.rest().await.pop().unwrap();
    assert_eq!(
        (&last["status"], last.get("winner")),
        (&json!("draw"), None)
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repetition_is_claimed_and_five_times_is_enough() {
    let open = Open::new().await;
    let (anna, bea, game) = bots(&open, BLITZ).await;
    let path = |what: &str| format!("/api/bot/game/{game}/{what}");
    let round = [
        (&anna, "g1f3"),
        (&bea, "g8f6"),
        (&anna, "f3g1"),
        (&bea, "f6g8"),
    ];
    for (token, mv) in round.into_iter().chain(round) {
        play(&open, token, &game, mv).await;
    }
    let told = open.read(&anna, &format!("/game/export/{game}")).await;
    assert_eq!(told["status"], "started", "three times do not end it");
    open.granted(&anna, &path("draw/yes"), "").await;
    let told = open.read(&anna, &format!("/game/export/{game}")).await;
    assert_eq!(told["status"], "draw");

    let game = open.paired(&anna, &bea, "Bea", BLITZ).await;
    let claim = format!("/api/bot/game/{game}/claim-draw");
    for (token, mv) in round.into_iter().chain(round) {
        assert_eq!(open.form(token, &claim, "").await.0, 400, "it is too early");
        play(&open, token, &game, mv).await;
    }
    let (status, _) = open.form(&bea, &claim, "").await;
    assert_eq!(status, 400, "White is on move");
    open.granted(&anna, &claim, "").await;
    let told = open.read(&anna, &format!("/game/export/{game}")).await;
    assert_eq!(
        (&told["status"], told.get("winner")),
        (&json!("draw"), None)
    );

    let game = open.paired(&anna, &bea, "Bea", BLITZ).await;
    for (token, mv) in round.repeat(4) {
        play(&open, token, &game, mv).await;
    }
    let told = open.read(&anna, &format!("/game/export/{game}")).await;
    assert_eq!(told["status"], "draw");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn aborts_resignations_chat_and_what_is_not_there() {
    let open = Open::new().await;
    let (anna, bea, game) = bots(&open, BLITZ).await;
    let path = |what: &str| format!("/api/bot/game/{game}/{what}");
    let stream = format!("/api/bot/game/stream/{game}");
    let mut lines = open.lines(&bea, "GET", &stream, "").await;
    open.granted(&anna, &path("chat"), "room=player&text=good+luck")
        .await;
    let line = lines.of("chatLine").await;
    let said =
        json!({ "type": "chatLine", "room": "player", "username": "Anna", "text": "good luck" });
    assert_eq!(line, said);
    let chat = open.read(&bea, &path("chat")).await;
    assert_eq!(chat, json!([{ "user": "Anna", "text": "good luck" }]));
    assert_eq!(
        open.form(&anna, &path("chat"), "room=player&text=").await.0,
        400
    );
    let (status, told) = open.form(&anna, &path("berserk"), "").await;
    assert_eq!((status, &told["reason"]), (400, &json!("no_berserk")));
    assert_eq!(open.form(&anna, &path("claim-victory/"), "").await.0, 400);
    assert_eq!(open.form(&anna, &path("claim-draw"), "").await.0, 400);
    open.granted(&bea, &path("abort"), "").await;
    assert_eq!(lines.rest().await.pop().unwrap()["status"], "aborted");
    assert_eq!(open.form(&anna, &path("resign"), "").await.0, 400);

    let game = open
        .paired(&anna, &bea, "Bea", "variant=atomic&days=3&color=black")
        .await;
    play(&open, &bea, &game, "e2e4").await;
    play(&open, &anna, &game, "e7e5").await;
    let path = format!("/api/bot/game/{game}/resign");
    open.granted(&bea, &path, "").await;
    let told = open.read(&anna, &format!("/game/export/{game}")).await;
    assert_eq!(
        (&told["status"], &told["winner"]),
        (&json!("resign"), &json!("black"))
    );
    assert_eq!(
        (&told["variant"], &told["speed"]),
        (&json!("atomic"), &json!("correspondence"))
    );
    for (path, status) in [
        ("/api/bot/game/stream/nogame00", 404),
        ("/api/nothing/here", 404),
        ("/game/export/nogame00", 404),
    ] {
        let (found, body) = open.ask(&anna, "GET", path, "").await;
        assert_eq!(found, status, "{path}");
        assert!(body.contains("\"error\""), "{path}: {body}");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn castling_is_read_in_both_ways_and_written_as_clients_know_it() {
    let open = Open::new().await;
    let fen = "fen=r3k2r/8/8/8/8/8/8/R3K2R+w+KQkq+-+0+1&color=white&variant=";
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    for (variant, moves, written) in [
        ("fromPosition", ["e1g1", "e8a8"], "e1g1 e8c8"),
        ("chess960", ["e1h1", "e8a8"], "e1h1 e8a8"),
    ] {
        let game = open
            .paired(&anna, &bea, "Bea", &format!("{fen}{variant}"))
            .await;
        play(&open, &anna, &game, moves[0]).await;
        play(&open, &bea, &game, moves[1]).await;
        let path = format!("/api/bot/game/stream/{game}");
        let full = open
            .lines(&bea, "GET", &path, "")
            .await
            .next()
            .await
            .unwrap();
        assert_eq!(full["state"]["moves"], written, "{variant}");
        assert_eq!(full["variant"]["key"], variant);
        assert!(full["initialFen"].as_str().unwrap().starts_with("r3k2r/8"));
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_position_and_an_explosion_end_the_game() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    let dead = "variant=standard&fen=8/8/8/8/8/k7/1p6/K7+w+-+-+0+1&color=white";
    let game = open.paired(&anna, &bea, "Bea", dead).await;
    let (status, told) = open
        .form(&anna, &format!("/api/bot/game/{game}/move/a1b2"), "")
        .await;
    assert_eq!(status, 400, "the pawn is guarded: {told}");
    let fen = "variant=standard&fen=8/8/8/8/8/2k5/1p6/K7+w+-+-+0+1&color=white";
    let game = open.paired(&anna, &bea, "Bea", fen).await;
    let (status, _) = open
        .form(&anna, &format!("/api/bot/game/{game}/move/a1a2"), "")
        .await;
    assert_eq!(status, 200);
    let atomic = "variant=atomic&color=white&clock.limit=60&clock.increment=0";
    let game = open.paired(&anna, &bea, "Bea", atomic).await;
    for (token, mv) in [
        (&anna, "g1f3"),
        (&bea, "a7a6"),
        (&anna, "f3e5"),
        (&bea, "a6a5"),
    ] {
        play(&open, token, &game, mv).await;
    }
    // The knight captures on f7, and the explosion takes the king beside it.
    play(&open, &anna, &game, "e5f7").await;
    let told = open.read(&anna, &format!("/game/export/{game}")).await;
    assert_eq!(
        (&told["status"], &told["winner"]),
        (&json!("variantEnd"), &json!("white"))
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_after_the_house_was_closed() {
    let open = Open::new().await;
    let (anna, bea, game) = bots(&open, BLITZ).await;
    play(&open, &anna, &game, "e2e4").await;
    let open = open.again().await;
    let mut events = open.lines(&bea, "GET", "/api/stream/event", "").await;
    let begun = events.of("gameStart").await;
    assert_eq!(begun["game"]["id"], game.as_str());
    assert_eq!(
        (&begun["game"]["isMyTurn"], &begun["game"]["lastMove"]),
        (&json!(true), &json!("e2e4"))
    );
    play(&open, &bea, &game, "e7e5").await;
    open.close().await;
}
