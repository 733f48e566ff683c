//! Whole games over two WebSockets, in every variant.

mod common;

use common::{Open, guest};

async fn play(terms: &str, moves: &[&str]) -> (String, u64) {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open.table(&anna, &bea, terms).await;
    let mut white = open.come(&anna, &game).await;
    let mut black = open.come(&bea, &game).await;
    assert_eq!(white.hear_of("state").await["you"], "white");
    assert_eq!(black.hear_of("state").await["you"], "black");
    let mut last = serde_json::Value::Null;
    for (ply, mv) in moves.iter().enumerate() {
        let (mover, other) = match ply % 2 {
            0 => (&mut white, &mut black),
            _ => (&mut black, &mut white),
        };
        mover
            .say(&format!(r#"{{"move":"{mv}","id":"m{ply}"}}"#))
            .await;
        let told = mover.hear_of("decided").await;
        let answer = mover.hear_of("answer").await;
        assert_eq!(answer["accepted"], true, "{mv}: {answer}");
        let seen = other.hear_of("decided").await;
        assert_eq!(seen["state"]["fen"], told["state"]["fen"]);
        if seen["state"]["status"] == "ongoing" {
            assert!(!seen["moves"].as_array().unwrap().is_empty());
        }
        last = seen;
    }
    let status = last["state"]["status"].as_str().unwrap().to_owned();
    let plies = last["state"]["plies"].as_u64().unwrap();
    let (ok, pgn) = open
        .ask(&anna, "GET", &format!("/v1/tables/{game}/pgn"), "")
        .await;
    assert!(ok == 200 && pgn.contains("[White \"Anna\"]"), "{pgn}");
    open.close().await;
    (status, plies)
}

#[tokio::test]
async fn fools_mate() {
    let ended = play(r#"{"time":"5+3"}"#, &["f3", "e5", "g4", "Qh4"]).await;
    assert_eq!(ended, ("checkmate".to_owned(), 4));
}
