//! Lists of games and of players, and their PGN.

use crate::support::{Open, guest, open_to_all};

async fn play(open: &Open, white: &str, black: &str, public: bool, variant: &str) -> String {
    let new = format!(
        r#"{{"terms":{{"variant":"{variant}","time":"5+3"}},"side":"white","public":{public}}}"#
    );
    let made = open.json(white, "POST", "/v1/tables", &new).await;
    let game = made["game"].as_str().unwrap().to_owned();
    open.json(black, "POST", &format!("/v1/tables/{game}/seat"), "")
        .await;
    let ask = format!("/v1/tables/{game}/ask");
    if variant != "chess" {
        open.json(white, "POST", &ask, r#"{"command":"resign"}"#)
            .await;
        return game;
    }
    for (who, mv) in [(white, "f3"), (black, "e5"), (white, "g4"), (black, "Qh4")] {
        open.json(who, "POST", &ask, &format!(r#"{{"move":"{mv}"}}"#))
            .await;
    }
    game
}

fn ids(page: &serde_json::Value) -> Vec<&str> {
    let games = page["games"].as_array().unwrap().iter();
    games.map(|game| game["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn private_games_are_in_nobodys_list_but_the_players() {
    let open = Open::with(open_to_all()).await;
    let (anna, bea) = (open.account("Anna").await, guest("bea"));
    let anna = open.token(&anna, "board:play account:read host").await;
    let public = play(&open, &anna, &bea, true, "chess").await;
    let private = play(&open, &bea, &anna, false, "atomic").await;
    let nobody = guest("nobody");
    for (who, path, found) in [
        (&nobody, "/v1/tables", vec![&public]),
        (
            &nobody,
            "/v1/tables/?phase=finished&variant=&player=&mine=false",
            vec![&public],
        ),
        (&nobody, "/v1/tables?phase=running", vec![]),
        (&nobody, "/v1/tables?variant=atomic", vec![]),
        (&nobody, "/v1/tables?mine=true", vec![]),
        (&nobody, "/v1/tables?player=Anna", vec![&public]),
        (&nobody, "/v1/tables?player=Nemo", vec![]),
        (&nobody, "/v1/players/anna/games", vec![&public]),
        (&bea, "/v1/tables?mine=true", vec![&private, &public]),
        (&bea, "/v1/tables?mine=true&variant=atomic", vec![&private]),
        (
            &anna,
            "/v1/tables?mine=true&phase=finished",
            vec![&private, &public],
        ),
        (&anna, "/v1/players/Anna/games", vec![&private, &public]),
    ] {
        let page = open.json(who, "GET", path, "").await;
        assert_eq!(ids(&page), found, "{path}");
    }
    // A client that knows its id may read it.
    let (status, _) = open
        .ask(&nobody, "GET", &format!("/v1/tables/{private}/pgn"), "")
        .await;
    assert_eq!(status, 200);
    let page = open.json(&nobody, "GET", "/v1/tables", "").await;
    let row = &page["games"][0];
    assert_eq!(
        (&row["white"]["name"], &row["black"]["name"]),
        (&"Anna".into(), &"Guest".into())
    );
    assert_eq!(
        (&row["result"], &row["status"]),
        (&"0-1".into(), &"checkmate".into())
    );
    assert_eq!(
        (&row["plies"], &row["variant"]),
        (&4.into(), &"chess".into())
    );
    for path in [
        "phase=over",
        "limit=0",
        "limit=1000",
        "after=x",
        "variant=go",
        "mine=1",
        "x=y",
    ] {
        let (status, body) = open
            .ask(&nobody, "GET", &format!("/v1/tables?{path}"), "")
            .await;
        assert!(
            status == 400 && body.contains("unreadable"),
            "{path}: {status} {body}"
        );
    }
    assert_eq!(
        open.request("GET", "/v1/tables?mine=true", &[], "")
            .await
            .status,
        401
    );

    let player = open.json(&nobody, "GET", "/v1/players/ANNA", "").await;
    assert_eq!(
        (&player["games"]["finished"], &player["games"]["lost"]),
        (&1.into(), &1.into())
    );
    let player = open.json(&anna, "GET", "/v1/players/Anna", "").await;
    assert_eq!(
        (&player["games"]["finished"], &player["games"]["won"]),
        (&2.into(), &1.into())
    );
    assert_eq!(
        open.ask(&nobody, "GET", "/v1/players/Nemo", "").await.0,
        404
    );
    open.close().await;
}

#[tokio::test]
async fn pages_follow_each_other_without_gaps() {
    let open = Open::new().await;
    let anna = guest("anna");
    let mut made = Vec::new();
    for _ in 0..5 {
        let table = open
            .json(&anna, "POST", "/v1/tables", r#"{"public":true}"#)
            .await;
        made.insert(0, table["game"].as_str().unwrap().to_owned());
    }
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let path = format!("/v1/tables?phase=waiting&limit=2&after={after}");
        let page = open.json(&anna, "GET", &path, "").await;
        found.extend(ids(&page).into_iter().map(str::to_owned));
        match page["next"].as_str() {
            Some(next) => after = next.to_owned(),
            None => break,
        }
    }
    found.sort();
    made.sort();
    assert_eq!(found, made);
    open.close().await;
}

#[tokio::test]
async fn all_games_of_a_player_are_one_pgn() {
    let open = Open::with(open_to_all()).await;
    let (anna, bea) = (open.account("Anna").await, guest("bea"));
    let anna = open.token(&anna, "board:play account:read host").await;
    let first = play(&open, &anna, &bea, true, "chess").await;
    let second = play(&open, &bea, &anna, true, "chess960").await;
    play(&open, &bea, &anna, false, "chess").await;
    let heard = open.request("GET", "/v1/players/Anna/pgn", &[], "").await;
    assert!(
        heard.head.contains("application/x-chess-pgn"),
        "{}",
        heard.head
    );
    let pgn = heard.body;
    assert_eq!(pgn.matches("[Event ").count(), 2, "{pgn}");
    let at = |text: &str| pgn.find(text).unwrap_or_else(|| panic!("{text} in {pgn}"));
    assert!(at(&second) < at(&first), "newest first");
    for tag in [
        format!("[Site \"http://{}/{first}\"]", open.address),
        "[White \"Anna\"]".to_owned(),
        "[Black \"Guest\"]".to_owned(),
        "[Result \"0-1\"]".to_owned(),
        "[TimeControl \"300+3\"]".to_owned(),
        "[Termination \"normal\"]".to_owned(),
        "[Variant \"Chess960\"]".to_owned(),
        "[UTCDate \"20".to_owned(),
        "[UTCTime \"".to_owned(),
        "2. g4".to_owned(),
    ] {
        at(&tag);
    }
    let own = open.ask(&anna, "GET", "/v1/players/Anna/pgn", "").await.1;
    assert_eq!(own.matches("[Event ").count(), 3);
    let empty = open.request("GET", "/v1/players/Nemo/pgn", &[], "").await;
    assert_eq!(empty.status, 404);
    open.close().await;
}

#[tokio::test]
async fn forms_slashes_and_nothing_at_all_are_understood() {
    let open = Open::new().await;
    let anna = format!("Bearer {}", guest("anna"));
    let form = [
        ("Authorization", anna.as_str()),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let body = "terms.variant=chess960&terms.start=518&terms.time=3%2B2&terms.takebacks=false\
                &side=black&name=Anna&public=true";
    let heard = open.request("POST", "/v1/tables/", &form, body).await;
    assert_eq!(heard.status, 201, "{}", heard.body);
    let path = format!("/v1/tables/{}/", heard.json()["game"].as_str().unwrap());
    let table = open.request("GET", &path, &form[..1], "").await.json();
    assert_eq!(table["terms"]["time"], "3+2");
    assert_eq!(table["terms"]["takebacks"], false);
    assert_eq!(
        (&table["you"], &table["state"]["players"]["black"]),
        (&"black".into(), &"Anna".into())
    );
    let nested = "terms=%7B%22time%22%3A%2210%2B5%22%7D&side=white";
    let heard = open.request("POST", "/v1/tables", &form, nested).await;
    assert_eq!(heard.status, 201, "{}", heard.body);
    // Without parameters all options have their defaults.
    assert_eq!(
        open.request("POST", "/v1/tables", &[], "").await.status,
        201
    );
    for (method, path, body, status) in [
        ("POST", "/v1/tables", "[]", 400),
        ("POST", "/v1/tables", "{\"terms\":", 400),
        ("POST", "/v1/tables", "{\"colour\":1}", 400),
        ("PUT", "/v1/tables", "", 405),
        ("GET", "/v1/nothing", "", 404),
        ("GET", "/v1/tables/%ff", "", 404),
        ("GET", "/v1/tables/short", "", 404),
    ] {
        let heard = open.request(method, path, &[], body).await;
        assert_eq!(
            heard.status, status,
            "{method} {path} {body}: {}",
            heard.body
        );
        assert!(heard.json()["error"].is_string() && heard.json()["reason"].is_string());
    }
    let allowed = open.request("PUT", "/v1/tables", &[], "").await.head;
    assert!(allowed.contains("allow: GET,HEAD,POST"), "{allowed}");
    let huge = format!("{{\"name\":\"{}\"}}", "x".repeat(1_000_000));
    let heard = open.request("POST", "/v1/tables", &[], &huge).await;
    assert_eq!(heard.status, 413, "{}", heard.body);
    open.close().await;
}
