//! Clocks, flags and outages: the server keeps the time, and its own absence is charged to no player.

use std::time::Duration;

use crate::support::{Open, guest};

#[tokio::test]
async fn a_flag_falls_by_itself() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let terms = r#"{"time":"0:01","clock_start":"at-once"}"#;
    let game = open.table(&anna, &bea, terms).await;
    let mut white = open.come(&anna, &game).await;
    white.hear_of("state").await;
    let mut told = white.hear_of("decided").await;
    assert_eq!(told["state"]["flag"], "white");
    let (fell, deadline) = (&told["events"][0]["at"], told["events"][0]["event"].clone());
    assert_eq!(deadline, "flag_fell");
    let at = fell.as_u64().unwrap();
    if told["state"]["status"] == "ongoing" {
        told = white.hear_of("decided").await;
    }
    assert_eq!(told["state"]["status"], "flag_fall");
    assert_eq!(told["state"]["winner"], "black");
    let state = open
        .json(&anna, "GET", &format!("/v1/tables/{game}"), "")
        .await;
    let started = state["started"].as_u64().unwrap();
    assert!(
        (1_000..1_200).contains(&(at - started)),
        "{at} after {started}"
    );
    open.close().await;
}

#[tokio::test]
async fn a_flag_against_a_bare_king_is_a_draw_with_its_reason() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let terms = r#"{"time":"0:01","clock_start":"at-once","start":"7k/8/8/8/8/8/P7/K7 w - - 0 1"}"#;
    let game = open.table(&anna, &bea, terms).await;
    let mut white = open.come(&anna, &game).await;
    white.hear_of("state").await;
    let told = white.hear_of("decided").await;
    assert_eq!(told["state"]["status"], "flag_fall_draw");
    open.close().await;
}

#[tokio::test]
async fn a_client_that_answers_pings_late_gains_a_small_share_of_its_clock_and_everybody_sees_it() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open.table(&anna, &bea, r#"{"time":"0:15"}"#).await;
    let mut black = open.come(&bea, &game).await;
    black.hear_of("state").await;
    let mut white = open.come(&anna, &game).await;
    // The pong is delayed, as if the network were slow.
    tokio::time::sleep(Duration::from_millis(600)).await;
    white.hear_of("state").await;
    let moves = [("e4", "e5"), ("Nf3", "Nc6"), ("Bb5", "a6"), ("Ba4", "Nf6")];
    let mut given = Vec::new();
    for (number, (mine, theirs)) in moves.into_iter().enumerate() {
        if number > 0 {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        white.say(&format!(r#"{{"move":"{mine}"}}"#)).await;
        let told = black.hear_of("decided").await;
        given.push(told["events"][0]["lag"].as_u64().unwrap_or(0));
        black.say(&format!(r#"{{"move":"{theirs}"}}"#)).await;
        while black.hear_of("decided").await["state"]["turn"] != "white" {}
        while white.hear_of("decided").await["state"]["turn"] != "white" {}
    }
    let all: u64 = given.iter().sum();
    assert_eq!(
        all, 300,
        "two percent of fifteen seconds, no more: {given:?}"
    );
    let path = format!("/v1/tables/{game}");
    let history = open.json(&bea, "GET", &path, "").await["history"].clone();
    let shown = history.as_array().unwrap().iter().step_by(2);
    let shown: Vec<u64> = shown.map(|ply| ply["lag"].as_u64().unwrap_or(0)).collect();
    assert_eq!(shown, given, "both players see what was given back");
    open.close().await;
}

#[tokio::test]
async fn a_dead_position_that_takes_a_longer_look_ends_the_game_later() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    // Without the knight neither side can ever get through.
    let terms = r#"{"start":"8/1p5k/1Pp5/p1Pp4/P2Pp1p1/4PpPp/1n3P1P/K7 w - - 0 1"}"#;
    let game = open.table(&anna, &bea, terms).await;
    let mut white = open.come(&anna, &game).await;
    white.hear_of("state").await;
    white.say(r#"{"move":"Kxb2"}"#).await;
    let mut told = white.hear_of("decided").await;
    if told["state"]["status"] == "ongoing" {
        told = white.hear_of("decided").await;
    }
    assert_eq!(told["state"]["status"], "dead_position", "{told}");
    assert!(told["state"]["grounds"].is_object());
    open.close().await;
}

#[tokio::test]
async fn a_game_goes_on_after_the_house_was_closed() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open
        .table(&anna, &bea, r#"{"time":"5","clock_start":"at-once"}"#)
        .await;
    let mut white = open.come(&anna, &game).await;
    white.hear_of("state").await;
    white.say(r#"{"move":"e4","id":"m1"}"#).await;
    let answer = white.hear_of("answer").await;
    let seq = answer["seq"].as_u64().unwrap();
    let before = open
        .json(&bea, "GET", &format!("/v1/tables/{game}"), "")
        .await;
    let open = open.again().await;
    let mut white = open.come_back(&anna, &game, &format!("?seen={seq}")).await;
    let state = white.hear_of("state").await;
    assert_eq!(state["you"], "white");
    assert_eq!(state["state"]["fen"], before["state"]["fen"]);
    assert_eq!(state["events"], serde_json::json!([]));
    white.say(r#"{"move":"e4","id":"m1"}"#).await;
    let again = white.hear_of("answer").await;
    assert_eq!(
        (&again["repeated"], &again["seq"]),
        (&true.into(), &seq.into())
    );
    let mut black = open.come_back(&bea, &game, "?seen=0").await;
    let state = black.hear_of("state").await;
    let events = state["events"].as_array().unwrap();
    let numbers: Vec<u64> = events
        .iter()
        .map(|event| event["seq"].as_u64().unwrap())
        .collect();
    let expected: Vec<u64> = (1..=state["state"]["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, expected);
    black.say(r#"{"move":"e5"}"#).await;
    assert_eq!(black.hear_of("answer").await["accepted"], true);
    open.close().await;
}

#[tokio::test]
async fn who_leaves_for_too_long_can_be_claimed_against() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open
        .table(&anna, &bea, r#"{"time":"5","absence":10}"#)
        .await;
    let mut white = open.come(&anna, &game).await;
    white.hear_of("state").await;
    let mut black = open.come(&bea, &game).await;
    black.hear_of("state").await;
    let told = white.hear_of("presence").await;
    assert!(told["black_away"].is_null(), "{told}");
    white.say(r#"{"move":"e4"}"#).await;
    black.hear_of("decided").await;
    black.say(r#"{"move":"e5"}"#).await;
    black.hear_of("answer").await;
    white
        .say(r#"{"command":"claim_absence","id":"present"}"#)
        .await;
    assert_eq!(white.answer("present").await["reason"], "opponent_present");
    white.say(r#"{"move":"d4"}"#).await;
    black.hear_of("decided").await;
    drop(black);
    let told = white.hear_of("presence").await;
    assert!(told["black_away"].is_u64(), "{told}");
    // A player who stays reads, and so answers pings.
    let stays = async {
        loop {
            white.hear().await;
        }
    };
    let stays: Result<(), _> = tokio::time::timeout(Duration::from_millis(10_300), stays).await;
    assert!(stays.is_err(), "nothing ends by itself");
    white
        .say(r#"{"command":"claim_absence","id":"gone"}"#)
        .await;
    let told = white.hear_of("decided").await;
    assert_eq!(told["state"]["status"], "abandonment", "{told}");
    open.close().await;
}

#[tokio::test]
async fn an_invitation_is_withdrawn_and_leaves_nothing_open() {
    let open = Open::new().await;
    let anna = guest("anna");
    let made = open.json(&anna, "POST", "/v1/tables", "").await;
    let path = format!("/v1/tables/{}", made["game"].as_str().unwrap());
    let ask = format!("{path}/ask");
    open.json(&anna, "POST", &ask, r#"{"command":"abort"}"#)
        .await;
    let state = open.json(&anna, "GET", &path, "").await;
    assert_eq!(state["state"]["status"], "aborted");
    assert_eq!(
        state["open"],
        serde_json::json!({ "white": false, "black": false })
    );
    let mut table = open.come(&anna, made["game"].as_str().unwrap()).await;
    table.say(r#"{"command":"rematch","id":"r"}"#).await;
    assert_eq!(table.answer("r").await["reason"], "no_rematch");
    let page = format!("/{}", made["game"].as_str().unwrap());
    let (_, html) = open.ask("", "GET", &page, "").await;
    assert!(html.contains("nobody") && !html.contains("an open seat"));
    open.close().await;
}

#[tokio::test]
async fn an_open_table_waits_and_its_clock_stands() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let new = r#"{"terms":{"time":"0:02","clock_start":"at-once"},"side":"white"}"#;
    let made = open.json(&anna, "POST", "/v1/tables", new).await;
    let path = format!("/v1/tables/{}", made["game"].as_str().unwrap());
    tokio::time::sleep(Duration::from_millis(300)).await;
    let state = open.json(&anna, "GET", &path, "").await;
    assert_eq!(state["state"]["running"], false);
    assert_eq!(state["state"]["clocks"]["white"], 2_000);
    let (status, text) = open
        .ask(&anna, "POST", &format!("{path}/ask"), r#"{"move":"e4"}"#)
        .await;
    assert!(status == 400 && text.contains("seat_open"), "{text}");
    let resign = r#"{"command":"resign"}"#;
    let (status, text) = open
        .ask(&anna, "POST", &format!("{path}/ask"), resign)
        .await;
    assert!(status == 400 && text.contains("seat_open"), "{text}");
    open.json(&bea, "POST", &format!("{path}/seat"), "").await;
    let state = open.json(&anna, "GET", &path, "").await;
    assert_eq!(state["state"]["running"], true);
    open.close().await;
}
