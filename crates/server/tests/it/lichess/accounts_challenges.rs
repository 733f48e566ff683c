//! Accounts, events, challenges and seeks in Lichess's API.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use touchmove_store::PersonKind;

use crate::support::{self, Open};

const BLITZ: &str = "clock.limit=300&clock.increment=3&color=white";

#[tokio::test(flavor = "multi_thread")]
async fn a_token_says_whose_it_is_and_an_account_becomes_a_bot_s() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Human).await;
    let test = format!("{anna},lip_unknown");
    let heard = open
        .request("POST", "/api/token/test", &[], &test)
        .await
        .json();
    assert_eq!(heard[&anna]["userId"], "anna");
    let scopes = heard[&anna]["scopes"].as_str().unwrap();
    assert!(
        scopes.split(',').any(|scope| scope == "board:play"),
        "{scopes}"
    );
    assert_eq!(heard["lip_unknown"], Value::Null);
    let account = open.read(&anna, "/api/account").await;
    assert_eq!(
        (&account["id"], &account["username"]),
        (&json!("anna"), &json!("Anna"))
    );
    assert_eq!(account.get("title"), None);
    assert!(account["perfs"]["blitz"]["rating"].is_number());
    let bot = "/api/bot/game/stream/nogame00";
    assert_eq!(
        open.ask(&anna, "GET", bot, "").await.0,
        400,
        "not a bot yet"
    );
    open.granted(&anna, "/api/bot/account/upgrade", "").await;
    open.granted(&anna, "/api/bot/account/upgrade", "").await;
    assert_eq!(open.read(&anna, "/api/account/").await["title"], "BOT");
    assert_eq!(open.ask(&anna, "GET", bot, "").await.0, 404);
    let (status, body) = open.ask("lip_unknown", "GET", "/api/account", "").await;
    assert_eq!(status, 401);
    assert!(body.contains("\"error\""));
    let nobody = open.request("GET", "/api/account", &[], "").await;
    assert_eq!(nobody.status, 401);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_tell_of_challenges_and_games() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Human).await;
    let mut of_anna = open.lines(&anna, "GET", "/api/stream/event", "").await;
    let mut of_bea = open.lines(&bea, "GET", "/api/stream/event", "").await;
    assert_eq!(of_anna.line().await.as_deref(), Some(""));
    let status = open.read(&bea, "/api/users/status?ids=ANNA,nobody").await;
    assert_eq!(
        status,
        json!([{ "id": "anna", "name": "Anna", "title": "BOT", "online": true }])
    );
    let online = open.request("GET", "/api/bot/online", &[], "").await;
    assert_eq!(online.json()["id"], "anna");

    let made = open.granted(&anna, "/api/challenge/BEA", BLITZ).await;
    let heard = of_bea.of("challenge").await;
    let challenge = &heard["challenge"];
    assert_eq!(challenge["id"], made["id"]);
    assert_eq!(challenge["challenger"]["name"], "Anna");
    assert_eq!(challenge["destUser"]["id"], "bea");
    assert_eq!(
        (&challenge["direction"], &made["direction"]),
        (&json!("in"), &json!("out"))
    );
    assert_eq!(
        (&challenge["color"], &challenge["finalColor"]),
        (&json!("white"), &json!("white"))
    );
    let clock = json!({ "type": "clock", "limit": 300, "increment": 3, "show": "5+3" });
    assert_eq!(challenge["timeControl"], clock);
    let id = made["id"].as_str().unwrap();
    let path = |what: &str| format!("/api/challenge/{id}/{what}");
    assert_eq!(
        open.form(&anna, &path("accept"), "").await.0,
        400,
        "one's own"
    );
    open.granted(&bea, &path("decline"), "reason=tooFast").await;
    of_anna.of("challenge").await;
    let declined = of_anna.of("challengeDeclined").await;
    assert_eq!(declined["challenge"]["declineReasonKey"], "toofast");
    assert!(
        declined["challenge"]["declineReason"]
            .as_str()
            .unwrap()
            .contains("too fast")
    );

    let made = open.granted(&anna, "/api/challenge/bea", BLITZ).await;
    let id = made["id"].as_str().unwrap();
    open.granted(&anna, &format!("/api/challenge/{id}/cancel"), "")
        .await;
    let heard = of_bea.of("challengeCanceled").await;
    assert_eq!(heard["challenge"]["id"], made["id"]);
    assert_eq!(
        open.form(&bea, &format!("/api/challenge/{id}/accept"), "")
            .await
            .0,
        404,
        "bots pass over what is missing"
    );

    let made = open
        .granted(
            &anna,
            "/api/challenge/bea",
            "color=black&clock.limit=60&clock.increment=0",
        )
        .await;
    let id = made["id"].as_str().unwrap();
    let mine = open.read(&bea, "/api/challenge").await;
    assert_eq!(
        (mine["in"].as_array().unwrap().len(), &mine["out"]),
        (1, &json!([]))
    );
    open.granted(&bea, &format!("/api/challenge/{id}/accept"), "")
        .await;
    open.granted(&bea, &format!("/api/challenge/{id}/accept"), "")
        .await;
    let begun = of_anna.of("gameStart").await["game"].clone();
    assert_eq!(
        begun["id"], made["id"],
        "the game has the id of its challenge"
    );
    assert_eq!(
        (&begun["gameId"], &begun["color"]),
        (&made["id"], &json!("black"))
    );
    assert_eq!(begun["compat"], json!({ "bot": true, "board": true }));
    assert_eq!(
        (&begun["opponent"]["id"], &begun["opponent"]["username"]),
        (&json!("bea"), &json!("Bea"))
    );
    assert_eq!(begun["status"], json!({ "id": 20, "name": "started" }));
    assert_eq!(
        (&begun["isMyTurn"], &begun["hasMoved"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(
        (&begun["speed"], &begun["secondsLeft"]),
        (&json!("bullet"), &json!(60))
    );
    of_bea.of("gameStart").await;
    let playing = open.read(&bea, "/api/account/playing").await;
    assert_eq!(playing["nowPlaying"][0]["gameId"], made["id"]);
    assert_eq!(playing["nowPlaying"][0]["isMyTurn"], true);
    assert_eq!(playing["nbMyTurn"], 1);
    open.granted(&bea, &format!("/api/board/game/{id}/resign"), "")
        .await;
    for events in [&mut of_anna, &mut of_bea] {
        let over = events.of("gameFinish").await;
        assert_eq!(
            over["game"]["status"],
            json!({ "id": 31, "name": "resign" })
        );
        assert_eq!(over["game"]["winner"], "black");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_again_is_told_everything_and_takes_the_place_of_the_stream_before() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    let game = open.paired(&anna, &bea, "bea", BLITZ).await;
    open.granted(&anna, "/api/challenge/bea", "variant=atomic")
        .await;
    let mut first = open.lines(&bea, "GET", "/api/stream/event", "").await;
    assert_eq!(first.of("gameStart").await["game"]["id"], game.as_str());
    assert_eq!(
        first.of("challenge").await["challenge"]["variant"]["key"],
        "atomic"
    );
    let mut second = open.lines(&bea, "GET", "/api/stream/event", "").await;
    assert_eq!(second.of("gameStart").await["game"]["id"], game.as_str());
    assert!(first.rest().await.is_empty(), "the first one ends");
    open.granted(&anna, &format!("/api/bot/game/{game}/abort"), "")
        .await;
    second.of("gameFinish").await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_with_one_token_do_not_drive_each_other_out_all_the_time() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Bot).await;
    let first = open.lines(&anna, "GET", "/api/stream/event", "").await;
    let began = Instant::now();
    let second = open.lines(&anna, "GET", "/api/stream/event", "").await;
    assert!(first.rest().await.is_empty());
    let third = open.lines(&anna, "GET", "/api/stream/event", "").await;
    assert!(began.elapsed() > Duration::from_secs(1));
    assert_eq!((second.status, third.status), (200, 200));
    assert!(second.rest().await.is_empty());
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_seek_the_same_are_paired_and_who_goes_leaves_nothing() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Human).await;
    let bea = open.member("Bea", PersonKind::Human).await;
    let mut events = open.lines(&anna, "GET", "/api/stream/event", "").await;
    let form = "time=5&increment=3&variant=standard&color=random&rated=false&ratingRange=";
    let waiting = open.lines(&anna, "POST", "/api/board/seek", form).await;
    assert_eq!(waiting.status, 200);
    let seeks = open.read(&bea, "/v1/seeks").await;
    assert_eq!(seeks["seeks"].as_array().unwrap().len(), 1);
    let taken = open.lines(&bea, "POST", "/api/board/seek", form).await;
    assert_eq!(taken.status, 200);
    let game = events.of("gameStart").await;
    assert_eq!(game["game"]["opponent"]["username"], "Bea");
    assert!(waiting.rest().await.is_empty() && taken.rest().await.is_empty());

    let lonely = open
        .lines(&anna, "POST", "/api/board/seek", "time=1&increment=0")
        .await;
    assert_eq!(
        open.read(&bea, "/v1/seeks").await["seeks"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    drop(lonely);
    let mut tries = 0;
    while !open.read(&bea, "/v1/seeks").await["seeks"]
        .as_array()
        .unwrap()
        .is_empty()
    {
        tries += 1;
        assert!(tries < 100, "a seek is left behind");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let slow = open.granted(&anna, "/api/board/seek", "days=3").await;
    assert_eq!(slow["id"].as_str().unwrap().len(), 8);
    assert_eq!(open.form(&anna, "/api/board/seek", "").await.0, 400);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_challenge_is_a_table_with_two_free_seats() {
    let open = Open::new().await;
    let anna = open.member("Anna", PersonKind::Bot).await;
    let bea = open.member("Bea", PersonKind::Bot).await;
    let made = open
        .granted(
            &anna,
            "/api/challenge/open",
            "clock.limit=60&clock.increment=1",
        )
        .await;
    assert!(made["urlWhite"].as_str().unwrap().ends_with("?color=white"));
    let id = made["id"].as_str().unwrap();
    let mut events = open.lines(&anna, "GET", "/api/stream/event", "").await;
    open.granted(
        &anna,
        &format!("/api/challenge/{id}/accept?color=black"),
        "",
    )
    .await;
    let taken = format!("/api/challenge/{id}/accept?color=black");
    assert_eq!(open.form(&bea, &taken, "").await.0, 409);
    open.granted(&bea, &format!("/api/challenge/{id}/accept"), "")
        .await;
    let begun = events.of("gameStart").await;
    assert_eq!(
        (&begun["game"]["id"], &begun["game"]["color"]),
        (&made["id"], &json!("black"))
    );
    let (status, told) = open.form(&anna, "/api/challenge/ai", "level=3").await;
    assert_eq!(status, 400);
    assert!(told["error"].as_str().unwrap().contains("bot"));
    for (path, form, status) in [
        ("/api/challenge/nobody", BLITZ, 404),
        ("/api/challenge/anna", BLITZ, 400),
        ("/api/challenge/bea", "variant=crazyhouse", 400),
        ("/api/challenge/bea", "fen=nonsense", 400),
        ("/api/challenge/notthere/accept", "", 404),
        ("/api/challenge/notthere/decline", "", 404),
    ] {
        let (found, told) = open.form(&anna, path, form).await;
        assert_eq!(found, status, "{path} {form}: {told}");
        assert!(told["error"].is_string(), "{path}: {told}");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_s_scopes_are_respected() {
    let open = Open::with(support::open_to_all()).await;
    let cookie = open.account("Anna").await;
    let reader = open.token(&cookie, "challenge:read").await;
    open.member("Bea", PersonKind::Human).await;
    for (method, path) in [
        ("POST", "/api/challenge/bea"),
        ("POST", "/api/board/seek"),
        ("POST", "/api/bot/account/upgrade"),
        ("GET", "/api/board/game/stream/nogame00"),
    ] {
        let (status, body) = open.ask(&reader, method, path, "").await;
        assert_eq!(status, 403, "{path}");
        assert!(body.contains("scope"), "{path}: {body}");
    }
    assert_eq!(open.ask(&reader, "GET", "/api/challenge", "").await.0, 200);
    let events = open.lines(&reader, "GET", "/api/stream/event", "").await;
    assert_eq!(events.status, 200);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_is_granted_a_token_by_a_browser() {
    let open = Open::with(support::open_to_all()).await;
    let cookie = open.account("Anna").await;
    let query = "response_type=code&client_id=a+bot&redirect_uri=http%3A%2F%2Flocalhost%3A9%2Fback\
                 &code_challenge_method=S256&scope=board%3Aplay&state=s%261\
                 &code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    let page = open
        .browse(&cookie, "GET", &format!("/oauth?{query}"), "")
        .await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("board:play") && page.body.contains("<strong>Anna</strong>"));
    let signed_out = open
        .request("GET", &format!("/oauth?{query}"), &[], "")
        .await;
    assert!(signed_out.body.contains("Sign in"));
    let origin = format!("http://{}", open.address);
    let kind = "application/x-www-form-urlencoded";
    let headers = [
        ("Cookie", cookie.as_str()),
        ("Origin", &origin),
        ("Content-Type", kind),
    ];
    let answered = open
        .request("POST", "/oauth", &headers, &format!("{query}&answer=yes"))
        .await;
    assert_eq!(answered.status, 303, "{}", answered.body);
    let location = answered
        .head
        .lines()
        .find_map(|line| line.strip_prefix("location: "))
        .unwrap();
    let (code, state) = location
        .strip_prefix("http://localhost:9/back?code=")
        .and_then(|rest| rest.split_once("&state="))
        .unwrap();
    assert_eq!(state, "s%261");
    let exchange = |verifier: &str| {
        format!(
            "grant_type=authorization_code&code={code}&code_verifier={verifier}&client_id=a+bot\
             &redirect_uri=http%3A%2F%2Flocalhost%3A9%2Fback"
        )
    };
    let right = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    let told = open
        .request("POST", "/api/token", &headers[2..], &exchange(right))
        .await;
    assert_eq!(told.status, 200, "{}", told.body);
    let token = told.json()["access_token"].as_str().unwrap().to_owned();
    assert_eq!(open.read(&token, "/api/account").await["id"], "anna");
    let bearer = format!("Bearer {token}");
    let gone = open
        .request("DELETE", "/api/token", &[("Authorization", &bearer)], "")
        .await;
    assert_eq!(gone.status, 204);
    assert_eq!(open.ask(&token, "GET", "/api/account", "").await.0, 401);
    let again = open
        .request("POST", "/api/token", &headers[2..], &exchange(right))
        .await;
    assert_eq!(again.status, 400, "a code is used once");
    let refused = open
        .request("POST", "/oauth", &headers, &format!("{query}&answer=no"))
        .await;
    assert!(refused.head.contains("error=access_denied"));
    let evil = query.replace("http%3A%2F%2Flocalhost%3A9%2Fback", "javascript%3Aalert(1)");
    assert_eq!(
        open.browse(&cookie, "GET", &format!("/oauth?{evil}"), "")
            .await
            .status,
        400
    );
    open.close().await;
}
