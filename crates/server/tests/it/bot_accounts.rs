//! Bot accounts: levels of the built-in engine that the host has enabled, challenged by name like any other bot.

use serde_json::json;
use touchmove_engine::Level;
use touchmove_server::ServerConfig;
use touchmove_store::PersonKind;

use crate::support::openapi_schema::Description;
use crate::support::{Open, guest};

fn with_bots(levels: &[Level]) -> ServerConfig {
    ServerConfig {
        levels: levels.to_vec(),
        bots: levels.to_vec(),
        ..ServerConfig::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_of_the_house_takes_a_challenge_and_plays_in_every_variant() {
    let open = Open::with(with_bots(&[Level::FirstSteps, Level::Casual])).await;
    let anna = open.member("Anna", PersonKind::Human).await;
    let online = open.request("GET", "/api/bot/online", &[], "").await;
    let mut names: Vec<_> = online.body.lines().map(str::to_owned).collect();
    names.sort();
    assert_eq!(names.len(), 2, "{}", online.body);
    assert!(names[0].contains(r#""id":"casual""#) && names[0].contains(r#""title":"BOT""#));
    let user = open.read(&anna, "/api/user/first-steps").await;
    assert_eq!(
        (&user["title"], &user["online"]),
        (&json!("BOT"), &json!(true))
    );

    let mut events = open.lines(&anna, "GET", "/api/stream/event", "").await;
    let own = "variant=fromPosition&fen=4k3/4p3/8/8/8/8/4P3/4K3%20w%20-%20-%200%201";
    for variant in [
        "variant=standard",
        "variant=chess960",
        "variant=atomic",
        "variant=simpleAtomic",
        own,
    ] {
        let terms = format!("clock.limit=300&clock.increment=3&color=black&{variant}");
        let asked = open.granted(&anna, "/api/challenge/casual", &terms).await;
        assert_eq!(asked["destUser"]["title"], "BOT", "{asked}");
        let begins = events.of("gameStart").await;
        let game = begins["game"]["id"].as_str().unwrap().to_owned();
        assert_eq!(begins["game"]["opponent"]["username"], "casual");
        // It has White, and moves first by itself.
        let stream = format!("/api/board/game/stream/{game}");
        let mut table = open.lines(&anna, "GET", &stream, "").await;
        let mut state = table.next().await.unwrap();
        while state["moves"].as_str().or(state["state"]["moves"].as_str()) == Some("") {
            state = table.next().await.unwrap();
        }
        let resign = format!("/api/board/game/{game}/resign");
        open.granted(&anna, &resign, "").await;
        assert_eq!(events.of("gameFinish").await["game"]["id"], game.as_str());
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_seats_the_account_of_a_level_and_refuses_what_the_host_has_not_switched_on() {
    let open = Open::with(with_bots(&[Level::Club])).await;
    let made = |level: &str| format!(r#"{{"side":"white","computer":"{level}"}}"#);
    let heard = open.request("POST", "/v1/tables", &[], &made("club")).await;
    assert_eq!(heard.status, 201, "{}", heard.body);
    let game = heard.json()["game"].as_str().unwrap().to_owned();
    let shown = open
        .request("GET", &format!("/v1/tables/{game}"), &[], "")
        .await;
    assert_eq!(
        shown.json()["state"]["players"]["black"],
        "club",
        "{}",
        shown.body
    );
    let refused = open.request("POST", "/v1/tables", &[], &made("full")).await;
    assert_eq!(refused.status, 403);
    assert!(refused.body.contains("but as club"), "{}", refused.body);
    let home = open.request("GET", "/", &[], "").await;
    assert!(home.body.contains("value=\"club\"") && !home.body.contains("value=\"full\""));
    open.close().await;

    let open = Open::with(with_bots(&[])).await;
    let refused = open.request("POST", "/v1/tables", &[], &made("club")).await;
    assert_eq!(refused.status, 403);
    let home = open.request("GET", "/", &[], "").await;
    assert!(home.body.contains("data-t=\"home.computer\" hidden"));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_keep_their_accounts_and_never_play_for_somebody_else_s() {
    let open = Open::new().await;
    let beginner = open.member("Beginner", PersonKind::Bot).await;
    let open = open
        .again_with(with_bots(&[Level::Beginner, Level::Casual]))
        .await;
    let before = open.server.people.find_existing("casual").await.unwrap();
    let anna = open.member("Anna", PersonKind::Human).await;
    let status = open
        .read(&anna, "/api/users/status?ids=beginner,casual")
        .await;
    assert_eq!(status[0].get("online"), None, "{status}");
    assert_eq!(status[1]["online"], true, "{status}");
    assert_eq!(open.read(&beginner, "/api/account").await["id"], "beginner");
    let open = open.again_with(with_bots(&[Level::Casual])).await;
    let after = open.server.people.find_existing("casual").await.unwrap();
    assert_eq!(before.id, after.id);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_ask_for_the_computer_by_a_number_play_the_bot_of_that_level() {
    let open = Open::with(with_bots(&[Level::FirstSteps])).await;
    let anna = open.member("Anna", PersonKind::Human).await;
    let (status, told) = open
        .form(&anna, "/api/challenge/ai", "level=1&color=white")
        .await;
    assert_eq!(status, 201, "{told}");
    assert_eq!(told["opponent"]["title"], "BOT");
    assert_eq!(
        (&told["player"], &told["source"]),
        (&json!("white"), &json!("ai"))
    );
    let (status, told) = open.form(&anna, "/api/challenge/ai", "level=9").await;
    assert_eq!(status, 403, "{told}");
    let (status, _) = open.form(&anna, "/api/challenge/ai", "level=10").await;
    assert_eq!(status, 400);
    open.close().await;
}

/// Repeats a request as a guest until the answer is as wanted, for a minute at most.
async fn until(
    open: &Open,
    method: &str,
    path: &str,
    is_wanted: impl Fn(&serde_json::Value) -> bool,
) -> serde_json::Value {
    for _ in 0..1_200 {
        let heard = open.request(method, path, &[], "").await;
        if heard.status == 200 {
            let told = heard.json();
            if is_wanted(&told) {
                return told;
            }
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{path} was never as wanted");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_computer_takes_back_both_moves_declines_an_early_draw_and_gives_up_what_is_hopeless() {
    let open = Open::new().await;
    let anna = guest("anna");
    // A level that overlooks nothing, so that its first move gives it no reason to accept a draw.
    let made = r#"{"side":"white","computer":"expert","seed":1}"#;
    let (status, told) = open.ask(&anna, "POST", "/v1/tables", made).await;
    assert_eq!(status, 201, "{told}");
    let game: serde_json::Value = serde_json::from_str(&told).unwrap();
    let table = format!("/v1/tables/{}", game["game"].as_str().unwrap());
    let ask = format!("{table}/ask");
    assert_eq!(
        open.ask(&anna, "POST", &ask, r#"{"move":"e4"}"#).await.0,
        200
    );
    until(&open, "GET", &table, |told| told["state"]["plies"] == 2).await;
    let takeback = r#"{"command":"takeback"}"#;
    assert_eq!(open.ask(&anna, "POST", &ask, takeback).await.0, 200);
    until(&open, "GET", &table, |told| told["state"]["plies"] == 0).await;
    assert_eq!(
        open.ask(&anna, "POST", &ask, r#"{"move":"d4"}"#).await.0,
        200
    );
    until(&open, "GET", &table, |told| told["state"]["plies"] == 2).await;
    let draw = r#"{"command":"draw"}"#;
    assert_eq!(open.ask(&anna, "POST", &ask, draw).await.0, 200);
    let told = until(&open, "GET", &table, |told| {
        told["state"]["offers"]["draw"].is_null()
    });
    assert_eq!(told.await["state"]["status"], "ongoing");

    // A king and pawns against everything.
    let start = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
    let made =
        format!(r#"{{"side":"white","computer":"casual","seed":7,"terms":{{"start":"{start}"}}}}"#);
    let (_, told) = open.ask(&anna, "POST", "/v1/tables", &made).await;
    let game: serde_json::Value = serde_json::from_str(&told).unwrap();
    let table = format!("/v1/tables/{}", game["game"].as_str().unwrap());
    let (ask, review) = (format!("{table}/ask"), format!("{table}/review"));
    let description = Description::read();
    let early = open.request("POST", &review, &[], "").await;
    assert_eq!(early.status, 409, "{}", early.body);
    description.check("POST", &review, early.status, &early.head, &early.body);
    for (index, mv) in ["g1f3", "f3g1", "g1f3"].into_iter().enumerate() {
        let mv = format!(r#"{{"move":"{mv}"}}"#);
        assert_eq!(open.ask(&anna, "POST", &ask, &mv).await.0, 200);
        until(&open, "GET", &table, |told| {
            told["state"]["plies"] == 2 * (index + 1) || told["state"]["status"] != "ongoing"
        })
        .await;
    }
    let told = until(&open, "GET", &table, |told| {
        told["state"]["status"] != "ongoing"
    })
    .await;
    assert_eq!(
        told["state"]["players"]["black"],
        "Computer (Casual, seed 7)"
    );
    assert_eq!(told["state"]["result"], "1-0", "{told}");
    let done = until(&open, "POST", &review, |told| told["status"] == "done").await;
    let plies = told["state"]["plies"].as_u64().unwrap() as usize;
    assert_eq!(done["review"]["complete"], true);
    assert_eq!(
        done["review"]["positions"].as_array().unwrap().len(),
        plies + 1
    );
    assert!(done["review"]["positions"][0]["chance"].as_f64().unwrap() > 90.0);
    let again = open.request("POST", &review, &[], "").await;
    description.check("POST", &review, again.status, &again.head, &again.body);
    open.close().await;
}
