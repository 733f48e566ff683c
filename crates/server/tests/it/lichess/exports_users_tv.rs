//! Exports, users and TV in Lichess's API.

use serde_json::{Value, json};
use touchmove_store::PersonKind;

use crate::support::Open;

const BLITZ: &str = "clock.limit=300&clock.increment=3&color=white";

#[tokio::test(flavor = "multi_thread")]
async fn games_are_exported_as_pgn_and_json_with_filters() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    let cleo = open.member("Cleo", PersonKind::Bot).await;
    let mut games = Vec::new();
    for (by, to, name) in [
        (&anna, &bea, "bea"),
        (&bea, &anna, "anna"),
        (&anna, &cleo, "cleo"),
    ] {
        let game = open.paired(by, to, name, BLITZ).await;
        for (token, mv) in [(by, "e2e4"), (to, "e7e5")] {
            open.granted(token, &format!("/api/bot/game/{game}/move/{mv}"), "")
                .await;
        }
        open.granted(by, &format!("/api/bot/game/{game}/resign"), "")
            .await;
        games.push(game);
    }
    let running = open.paired(&anna, &bea, "bea", BLITZ).await;
    let pgn = [("Accept", "application/x-chess-pgn")];
    let heard = open
        .request("GET", &format!("/game/export/{}", games[0]), &pgn, "")
        .await;
    assert!(heard.body.contains("[White \"Anna\"]") && heard.body.contains("[%clk"));
    assert!(heard.body.contains("1. e4") && heard.body.contains("0-1"));
    let plain = format!("/game/export/{}?clocks=false&tags=false", games[0]);
    let heard = open.request("GET", &plain, &pgn, "").await;
    assert!(
        !heard.body.contains('[') && heard.body.starts_with("1. e4 e5"),
        "{}",
        heard.body
    );
    let json = open
        .read(
            &anna,
            &format!("/game/export/{}?pgnInJson=true&clocks=true", games[0]),
        )
        .await;
    assert_eq!(
        (&json["moves"], &json["winner"]),
        (&json!("e4 e5"), &json!("black"))
    );
    assert_eq!(json["players"]["white"]["user"]["id"], "anna");
    assert_eq!(json["clocks"], json!([30_000, 30_000]));
    assert_eq!(
        json["clock"],
        json!({ "initial": 300, "increment": 3, "totalTime": 420 })
    );
    assert!(json["pgn"].as_str().unwrap().contains("1. e4"));

    let ids = async |query: &str| -> Vec<String> {
        let path = format!("/api/games/user/anna?{query}");
        let ndjson = [("Accept", "application/x-ndjson")];
        let heard = open.request("GET", &path, &ndjson, "").await;
        assert_eq!(heard.status, 200);
        let lines = heard
            .body
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .map(|game| game["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let newest_first = vec![games[2].clone(), games[1].clone(), games[0].clone()];
    assert_eq!(ids("").await, newest_first);
    assert_eq!(ids("max=1").await, newest_first[..1]);
    assert_eq!(ids("vs=Cleo").await, newest_first[..1]);
    assert_eq!(ids("color=black").await, newest_first[1..2]);
    assert_eq!(ids("since=99999999999999").await, Vec::<String>::new());
    assert_eq!(
        ids("finished=false&ongoing=true").await,
        vec![running.clone()]
    );
    assert_eq!(ids("perfType=atomic").await, Vec::<String>::new());
    assert_eq!(
        ids("perfType=blitz,rapid&sort=dateAsc&max=1").await,
        newest_first[2..]
    );
    let heard = open.request("GET", "/api/games/user/anna", &pgn, "").await;
    assert_eq!(heard.body.matches("[Result \"0-1\"]").count(), 3);
    assert!(heard.body.contains("\n\n\n"));
    let body = format!("{},{}", games[0], games[2]);
    let heard = open
        .request("POST", "/api/games/export/_ids", &pgn, &body)
        .await;
    assert_eq!(heard.body.matches("[Result ").count(), 2);
    let now = open.read(&anna, "/api/user/anna/current-game").await;
    assert_eq!(now["id"], running.as_str());
    let user = open.read(&anna, "/api/user/Anna").await;
    assert_eq!(
        (&user["count"]["win"], &user["count"]["loss"]),
        (&json!(1), &json!(2))
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_game_is_on_television() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    let game = open
        .paired(
            &anna,
            &bea,
            "bea",
            "variant=atomic&clock.limit=180&clock.increment=0&color=white",
        )
        .await;
    let mut best = open.lines(&anna, "GET", "/api/tv/feed", "").await;
    let mut atomic = open.lines(&anna, "GET", "/api/tv/atomic/feed", "").await;
    let mut watched = open
        .lines(&anna, "GET", &format!("/api/stream/game/{game}"), "")
        .await;
    for feed in [&mut best, &mut atomic] {
        let featured = feed.next().await.unwrap();
        assert_eq!(
            (&featured["t"], &featured["d"]["id"]),
            (&json!("featured"), &json!(game))
        );
        assert_eq!(featured["d"]["players"][1]["user"]["name"], "Bea");
        assert_eq!(feed.next().await.unwrap()["t"], "fen");
    }
    assert_eq!(watched.next().await.unwrap()["id"], game.as_str());
    watched.next().await.unwrap();
    open.granted(&anna, &format!("/api/bot/game/{game}/move/e2e4"), "")
        .await;
    assert_eq!(best.next().await.unwrap()["d"]["lm"], "e2e4");
    assert_eq!(watched.next().await.unwrap()["lm"], "e2e4");
    let channels = open.read(&anna, "/api/tv/channels").await;
    assert_eq!(channels["atomic"]["gameId"], game.as_str());
    let games = open.read(&anna, "/api/tv/atomic?nb=5&clocks=true").await;
    assert_eq!(
        (&games["id"], &games["moves"]),
        (&json!(game), &json!("e4"))
    );
    let pgn = open.request("GET", "/api/tv/best", &[], "").await.body;
    assert!(pgn.contains("[Variant \"Atomic\"]"), "{pgn}");
    for path in ["/api/tv/best?nb=0", "/api/tv/chess960"] {
        let heard = open.request("GET", path, &[], "").await;
        assert_eq!((heard.status, heard.body.as_str()), (200, ""), "{path}");
    }
    for path in ["/api/tv/nothing/feed", "/api/tv/nothing"] {
        assert_eq!(open.ask(&anna, "GET", path, "").await.0, 404);
    }
    open.close().await;
}

/// Plays the first moves and resigns; returns the id of the game.
async fn short_game(open: &Open, (white, black, name): (&str, &str, &str), terms: &str) -> String {
    let terms = format!("{terms}&color=white");
    let game = open.paired(white, black, name, &terms).await;
    for (token, mv) in [(white, "e2e4"), (black, "e7e5")] {
        open.granted(token, &format!("/api/bot/game/{game}/move/{mv}"), "")
            .await;
    }
    open.granted(black, &format!("/api/bot/game/{game}/resign"), "")
        .await;
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn every_filter_of_an_export_does_what_it_says() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    let terms = [
        "clock.limit=60&clock.increment=0",
        "clock.limit=600&clock.increment=5",
        "variant=atomic&clock.limit=180&clock.increment=2",
        "days=2",
        "",
    ];
    let mut games = Vec::new();
    for terms in terms {
        games.push(short_game(&open, (&anna, &bea, "bea"), terms).await);
        tokio::time::sleep(std::time::Duration::from_millis(3)).await;
    }
    let aborted = open.paired(&anna, &bea, "bea", BLITZ).await;
    open.granted(&anna, &format!("/api/bot/game/{aborted}/abort"), "")
        .await;
    let told = async |query: &str| -> Vec<Value> {
        let path = format!("/api/games/user/Anna?{query}");
        let ndjson = [("Accept", "application/x-ndjson")];
        let heard = open.request("GET", &path, &ndjson, "").await;
        assert_eq!(heard.status, 200, "{query}: {}", heard.body);
        let lines = heard.body.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let all = told("").await;
    assert_eq!(all.len(), 5, "an aborted game is none");
    let perfs: Vec<_> = all.iter().map(|game| game["perf"].as_str()).collect();
    let newest_first = [
        "correspondence",
        "correspondence",
        "atomic",
        "rapid",
        "bullet",
    ];
    assert_eq!(perfs, newest_first.map(Some));
    let created: Vec<_> = all
        .iter()
        .map(|game| game["createdAt"].as_i64().unwrap())
        .collect();
    for (query, wanted) in [
        (format!("since={}", created[1]), vec![4, 3]),
        (format!("until={}", created[3]), vec![1, 0]),
        (
            format!("since={}&until={}", created[3], created[1]),
            vec![3, 2, 1],
        ),
        ("max=2".to_owned(), vec![4, 3]),
        ("max=2&sort=dateAsc".to_owned(), vec![0, 1]),
        ("max=2&sort=dateDesc".to_owned(), vec![4, 3]),
        ("max=0".to_owned(), vec![]),
        ("perfType=bullet".to_owned(), vec![0]),
        ("perfType=bullet,atomic".to_owned(), vec![2, 0]),
        ("perfType=bullet%2Catomic&max=1".to_owned(), vec![2]),
        ("perfType=correspondence".to_owned(), vec![4, 3]),
        ("perfType=horde".to_owned(), vec![]),
        ("color=white&max=1".to_owned(), vec![4]),
        ("color=black".to_owned(), vec![]),
        ("vs=bea&max=1".to_owned(), vec![4]),
        ("vs=anna&color=black".to_owned(), vec![]),
        ("rated=true".to_owned(), vec![]),
        ("rated=true&ongoing=true".to_owned(), vec![]),
        ("rated=false&max=1".to_owned(), vec![4]),
        ("analysed=true".to_owned(), vec![]),
        ("finished=false".to_owned(), vec![]),
        ("ongoing=true&max=1".to_owned(), vec![4]),
        (
            "evals=true&opening=true&literate=true&withBookmarked=true&max=1".to_owned(),
            vec![4],
        ),
    ] {
        let found = told(&query).await;
        let ids: Vec<_> = found
            .iter()
            .map(|game| game["id"].as_str().unwrap())
            .collect();
        let wanted: Vec<_> = wanted
            .iter()
            .map(|&index: &usize| games[index].as_str())
            .collect();
        assert_eq!(ids, wanted, "{query}");
    }
    let bare = &told("moves=false&max=1").await[0];
    assert_eq!(bare.get("moves"), None);
    let rich = &told("perfType=rapid&clocks=true&pgnInJson=true&lastFen=true&tags=false").await[0];
    assert_eq!(rich["clocks"].as_array().unwrap().len(), 2);
    let pgn = rich["pgn"].as_str().unwrap();
    assert!(pgn.contains("[%clk") && !pgn.contains("[White"), "{pgn}");
    assert!(
        rich["lastFen"]
            .as_str()
            .unwrap()
            .starts_with("rnbqkbnr/pppp1ppp")
    );
    assert_eq!(rich["players"]["white"]["rating"], 1500);
    let slow = &told("perfType=correspondence").await;
    assert_eq!(
        (slow[0].get("daysPerTurn"), &slow[1]["daysPerTurn"]),
        (None, &json!(2))
    );
    for query in ["max=many", "since=yesterday", "until=-", "vs=nobody"] {
        let (status, body) = open
            .ask("", "GET", &format!("/api/games/user/anna?{query}"), "")
            .await;
        assert!(
            (400..500).contains(&status) && body.contains("\"error\""),
            "{query}: {body}"
        );
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_found_with_what_clients_read_of_them() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Human).await;
    let text = [("Content-Type", "text/plain")];
    let users = open
        .request("POST", "/api/users", &text, "ANNA, nobody ,bea")
        .await
        .json();
    let users = users.as_array().unwrap();
    assert_eq!(users.len(), 2);
    assert_eq!(
        (&users[0]["id"], &users[0]["title"]),
        (&json!("anna"), &json!("BOT"))
    );
    assert_eq!(
        (&users[1]["username"], users[1].get("title")),
        (&json!("Bea"), None)
    );
    let nobody = open.request("GET", "/api/bot/online?nb=5", &[], "").await;
    assert_eq!((nobody.status, nobody.body.as_str()), (200, ""));
    let _here = open.lines(&anna, "GET", "/api/stream/event", "").await;
    let _there = open.lines(&bea, "GET", "/api/stream/event", "").await;
    let bots = open.request("GET", "/api/bot/online?nb=5", &[], "").await;
    assert_eq!(bots.body.lines().count(), 1, "people are no bots");
    let bot = bots.json();
    // A bot that seeks an opponent wants one that has played, with a rating.
    for kind in [
        "bullet",
        "blitz",
        "rapid",
        "classical",
        "correspondence",
        "atomic",
        "chess960",
    ] {
        let perf = &bot["perfs"][kind];
        assert!(
            perf["games"].as_u64().unwrap() > 0 && perf["rating"] == 1500,
            "{kind}"
        );
    }
    assert_eq!(
        open.read(&bea, "/api/user/anna").await.get("blocking"),
        None
    );
    let game = open.paired(&anna, &bea, "bea", BLITZ).await;
    let status = open
        .read(&bea, "/api/users/status?ids=bea&withGameIds=true")
        .await;
    let playing = json!([{
        "id": "bea", "name": "Bea", "online": true, "playing": true, "playingId": game,
    }]);
    assert_eq!(status, playing);
    assert_eq!(open.read(&bea, "/api/users/status").await, json!([]));
    assert_eq!(open.read(&bea, "/api/account/email").await["email"], "");
    let (status, body) = open.ask(&bea, "GET", "/api/user/nobody", "").await;
    assert!(status == 404 && body.contains("\"error\""), "{body}");
    let page = open.request("GET", "/@/ANNA", &[], "").await;
    assert!(page.status == 303 && page.head.contains("location: /api/user/anna\r\n"));
    assert_eq!(open.request("GET", "/@/nobody", &[], "").await.status, 404);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_followed_is_told_as_a_whole_before_and_after() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    let game = open.paired(&anna, &bea, "bea", BLITZ).await;
    let mut feed = open.lines("", "GET", "/api/tv/blitz/feed", "").await;
    feed.next().await.unwrap();
    let path = format!("/api/stream/game/{game}");
    let mut watched = open.lines("", "GET", &path, "").await;
    let first = watched.next().await.unwrap();
    assert_eq!(first["variant"]["key"], "standard");
    assert_eq!(first["status"], json!({ "id": 20, "name": "started" }));
    assert_eq!(
        (&first["player"], &first["turns"]),
        (&json!("white"), &json!(0))
    );
    for (token, mv) in [(&anna, "e2e4"), (&bea, "e7e5")] {
        open.granted(token, &format!("/api/bot/game/{game}/move/{mv}"), "")
            .await;
    }
    open.granted(&anna, &format!("/api/bot/game/{game}/resign"), "")
        .await;
    let rest = watched.rest().await;
    let last = rest.last().unwrap();
    assert_eq!(last["status"], json!({ "id": 31, "name": "resign" }));
    assert_eq!(
        (&last["winner"], &last["lastMove"]),
        (&json!("black"), &json!("e7e5"))
    );
    // A later viewer is sent every move.
    let late = open.lines("", "GET", &path, "").await.rest().await;
    let moves: Vec<_> = late.iter().map(|line| line.get("lm").cloned()).collect();
    let (e4, e5) = (Some(json!("e2e4")), Some(json!("e7e5")));
    assert_eq!(moves, [None, None, e4, e5, None]);
    let start = late[1]["fen"].as_str().unwrap();
    assert!(start.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"));
    assert_eq!((&late[1]["wc"], &late[2]["bc"]), (&json!(300), &json!(300)));
    // The next game is shown when there is one.
    let next = open.paired(&anna, &bea, "bea", BLITZ).await;
    loop {
        let shown = feed.next().await.unwrap();
        if shown["t"] == "featured" {
            assert_eq!(shown["d"]["id"], next.as_str());
            break;
        }
    }
    open.close().await;
}
