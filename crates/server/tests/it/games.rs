//! Whole games over two WebSockets, in every variant, from the first move to an ending with its explanation.

use serde_json::Value;

use crate::support::{Client, Open, guest};

/// Two players at a table, and the server.
struct Match {
    open: Open,
    game: String,
    players: [Client; 2],
}

impl Match {
    async fn new(terms: &str) -> Match {
        let open = Open::new().await;
        let (anna, bea) = (guest("anna"), guest("bea"));
        let game = open.table(&anna, &bea, terms).await;
        let mut white = open.come(&anna, &game).await;
        let mut black = open.come(&bea, &game).await;
        assert_eq!(white.hear_of("state").await["you"], "white");
        assert_eq!(black.hear_of("state").await["you"], "black");
        Match {
            open,
            game,
            players: [white, black],
        }
    }

    /// Plays a move; returns what the opponent is sent.
    async fn play(&mut self, ply: usize, text: &str) -> Value {
        let [white, black] = &mut self.players;
        let (mover, other) = if ply.is_multiple_of(2) {
            (white, black)
        } else {
            (black, white)
        };
        let message = format!(r#"{{"move":"{text}","id":"m{ply}"}}"#);
        mover.say(&message).await;
        let told = mover.hear_of("decided").await;
        let answer = mover.hear_of("answer").await;
        assert_eq!(answer["accepted"], true, "{text}: {answer}");
        assert_eq!(answer["id"], format!("m{ply}"));
        let seen = other.hear_of("decided").await;
        assert_eq!(seen["state"]["fen"], told["state"]["fen"]);
        assert!(told.get("moves").is_none(), "not on move any more: {told}");
        if seen["state"]["status"] == "ongoing" {
            assert!(!seen["moves"].as_array().unwrap().is_empty());
        }
        seen
    }

    async fn play_all(&mut self, moves: &str) -> Value {
        let mut last = Value::Null;
        for (ply, text) in moves.split_whitespace().enumerate() {
            last = self.play(ply, text).await;
        }
        last
    }

    async fn close(self) {
        let path = format!("/v1/tables/{}/pgn", self.game);
        let (status, pgn) = self.open.ask("", "GET", &path, "").await;
        assert_eq!(status, 200);
        assert!(
            pgn.contains("[White \"Anna\"]") && pgn.contains("[Black \"Bea\"]"),
            "{pgn}"
        );
        self.open.close().await;
    }
}

#[tokio::test]
async fn chess_ends_with_mate() {
    let mut table = Match::new(r#"{"time":"5+3"}"#).await;
    let last = table.play_all("f3 e5 g4 Qh4").await;
    assert_eq!(last["state"]["status"], "checkmate");
    assert_eq!(last["state"]["winner"], "black");
    table.close().await;
}

#[tokio::test]
async fn chess960_castles_as_it_should() {
    let terms = r#"{"variant":"chess960","start":518,"time":"10"}"#;
    let mut table = Match::new(terms).await;
    let last = table.play_all("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6").await;
    assert_eq!(last["state"]["plies"], 8);
    let [white, _] = &mut table.players;
    white.say(r#"{"command":"resign","id":"r"}"#).await;
    assert_eq!(
        white.hear_of("decided").await["state"]["status"],
        "resignation"
    );
    table.close().await;
}

#[tokio::test]
async fn atomic_ends_with_an_explosion() {
    let mut table = Match::new(r#"{"variant":"atomic"}"#).await;
    let last = table.play_all("Nf3 a6 Ng5 b6 Nxf7").await;
    assert_eq!(last["state"]["status"], "king_exploded");
    assert_eq!(last["state"]["winner"], "white");
    table.close().await;
}

#[tokio::test]
async fn simple_atomic_has_no_check_to_obey() {
    let mut table = Match::new(r#"{"variant":"simple-atomic"}"#).await;
    let last = table.play_all("e4 e5 Qh5 a6 Qxe5").await;
    assert_eq!(last["state"]["status"], "ongoing");
    table.close().await;
}

#[tokio::test]
async fn random_games_of_every_variant_are_told_without_a_gap() {
    let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
    for variant in ["chess", "chess960", "atomic", "simple-atomic"] {
        let mut table = Match::new(&format!(r#"{{"variant":"{variant}"}}"#)).await;
        let mut watcher = table.open.come(&guest("cid"), &table.game).await;
        assert_eq!(watcher.hear_of("state").await["you"], Value::Null);
        let path = format!("/v1/tables/{}", table.game);
        let first = table.open.json(&guest("anna"), "GET", &path, "").await;
        let mut moves = first["moves"].as_array().unwrap().clone();
        let mut next = 1 + first["state"]["seq"].as_u64().unwrap();
        for ply in 0..60 {
            chance = chance
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let index = usize::try_from(chance >> 33).unwrap() % moves.len();
            let text = moves[index].as_str().unwrap().to_owned();
            let seen = table.play(ply, &text).await;
            let watched = watcher.hear_of("decided").await;
            for event in watched["events"].as_array().unwrap() {
                assert_eq!(event["seq"], next, "{variant}");
                next += 1;
            }
            assert!(watched.get("moves").is_none());
            if seen["state"]["status"] != "ongoing" {
                break;
            }
            moves = seen["moves"].as_array().unwrap().clone();
        }
        table.close().await;
    }
}

#[tokio::test]
async fn an_illegal_move_is_explained_and_costs_nothing() {
    let mut table = Match::new(r#"{"time":"5"}"#).await;
    let [white, _] = &mut table.players;
    white.say(r#"{"move":"e1e2","id":"bad"}"#).await;
    let answer = white.hear_of("answer").await;
    assert_eq!(answer["accepted"], false);
    assert_eq!(answer["reason"], "own_piece_there");
    assert_eq!(answer["squares"], serde_json::json!(["e1", "e2"]));
    assert!(
        answer["text"]
            .as_str()
            .unwrap()
            .contains("White's own pawn")
    );
    white.say(r#"{"move":"e1e2","by":"black"}"#).await;
    assert_eq!(white.hear_of("answer").await["reason"], "unreadable");
    table.close().await;
}

#[tokio::test]
async fn a_command_that_comes_again_happens_once() {
    let mut table = Match::new("{}").await;
    let [white, black] = &mut table.players;
    let message = r#"{"move":"e4","id":"first"}"#;
    white.say(message).await;
    let once = white.hear_of("answer").await;
    white.say(message).await;
    let twice = white.hear_of("answer").await;
    assert_eq!((&once["seq"], &twice["seq"]), (&twice["seq"], &once["seq"]));
    assert_eq!(twice["repeated"], true);
    black.say(r#"{"move":"e5","id":"late","seen":0}"#).await;
    assert_eq!(black.hear_of("answer").await["reason"], "too_late");
    table.close().await;
}

#[tokio::test]
async fn offers_claims_and_takebacks_reach_the_other_side() {
    let mut table = Match::new(r#"{"draws":"claim"}"#).await;
    table.play_all("e4 e5").await;
    let [white, black] = &mut table.players;
    white.say(r#"{"command":"takeback"}"#).await;
    let told = black.hear_of("decided").await;
    assert_eq!(told["state"]["offers"]["takeback"], "white");
    black.say(r#"{"command":"accept"}"#).await;
    assert_eq!(black.hear_of("decided").await["state"]["plies"], 0);
    assert_eq!(
        white.hear_of("decided").await["state"]["offers"]["takeback"],
        "white"
    );
    assert_eq!(white.hear_of("decided").await["state"]["plies"], 0);
    white.say(r#"{"command":"claim","id":"claim"}"#).await;
    assert_eq!(white.answer("claim").await["reason"], "claim_unfounded");
    white.say(r#"{"move":"d4"}"#).await;
    black.hear_of("decided").await;
    black.say(r#"{"move":"d5"}"#).await;
    black.say(r#"{"command":"draw","id":"draw"}"#).await;
    assert_eq!(black.answer("draw").await["accepted"], true);
    white.say(r#"{"command":"accept","id":"agreed"}"#).await;
    assert_eq!(white.answer("agreed").await["accepted"], true);
    let path = format!("/v1/tables/{}", table.game);
    let state = table.open.json("", "GET", &path, "").await;
    assert_eq!(state["state"]["status"], "agreement");
    table.close().await;
}

#[tokio::test]
async fn a_rematch_has_the_colours_changed() {
    let mut table = Match::new(r#"{"time":"3+2"}"#).await;
    let [white, black] = &mut table.players;
    white.say(r#"{"command":"rematch"}"#).await;
    assert_eq!(white.hear_of("answer").await["reason"], "no_rematch");
    white.say(r#"{"command":"resign"}"#).await;
    black.hear_of("decided").await;
    black.say(r#"{"command":"rematch"}"#).await;
    assert_eq!(white.hear_of("rematch").await["offer"], "black");
    white.say(r#"{"command":"rematch"}"#).await;
    let told = black.hear_of("rematch").await;
    assert_eq!(told["offer"], "black");
    let told = black.hear_of("rematch").await;
    let next = told["game"].as_str().unwrap().to_owned();
    let mut anna = table.open.come(&guest("anna"), &next).await;
    let state = anna.hear_of("state").await;
    assert_eq!(state["you"], "black");
    assert_eq!(state["terms"]["time"], "3+2");
    let old = table
        .open
        .json("", "GET", &format!("/v1/tables/{}", table.game), "")
        .await;
    assert_eq!(old["rematch"]["game"], next);
    table.close().await;
}

#[tokio::test]
async fn what_is_said_again_under_one_id_is_said_once() {
    let mut table = Match::new("{}").await;
    let [white, black] = &mut table.players;
    let line = r#"{"command":"chat","text":"hello","id":"c1"}"#;
    white.say(line).await;
    assert_eq!(white.answer("c1").await.get("repeated"), None);
    // Also through another connection; and another player's id is a different id.
    let mut again = table.open.come(&guest("anna"), &table.game).await;
    again.say(line).await;
    assert_eq!(again.answer("c1").await["repeated"], true);
    black.say(line).await;
    assert_eq!(black.answer("c1").await.get("repeated"), None);
    white.say(r#"{"command":"resign","id":"r1"}"#).await;
    white.answer("r1").await;
    let rematch = r#"{"command":"rematch","id":"r2"}"#;
    white.say(rematch).await;
    white.answer("r2").await;
    black
        .say(r#"{"command":"decline_rematch","id":"no"}"#)
        .await;
    black.answer("no").await;
    white.say(rematch).await;
    assert_eq!(white.answer("r2").await["repeated"], true);
    let path = format!("/v1/tables/{}", table.game);
    let state = table.open.json(&guest("anna"), "GET", &path, "").await;
    assert_eq!(state["chat"].as_array().unwrap().len(), 2, "{state}");
    assert!(state["rematch"]["offer"].is_null(), "{state}");
    table.close().await;
}

#[tokio::test]
async fn players_talk_to_each_other_and_watchers_apart() {
    let mut table = Match::new("{}").await;
    let mut cid = table.open.come(&guest("cid"), &table.game).await;
    let mut dan = table.open.come(&guest("dan"), &table.game).await;
    let [white, black] = &mut table.players;
    white.say(r#"{"command":"chat","text":"good luck"}"#).await;
    let said = black.hear_of("chat").await;
    assert_eq!(
        (&said["name"], &said["text"]),
        (&"Anna".into(), &"good luck".into())
    );
    cid.say(r#"{"command":"chat","text":"who wins?"}"#).await;
    assert_eq!(dan.hear_of("chat").await["text"], "who wins?");
    cid.say(r#"{"move":"e4","id":"mine"}"#).await;
    assert_eq!(cid.answer("mine").await["reason"], "no_seat");
    let mut late = table.open.come(&guest("eve"), &table.game).await;
    let state = late.hear_of("state").await;
    let lines = state["chat"].as_array().unwrap();
    assert!(
        lines.len() == 1 && lines[0]["text"] == "who wins?",
        "{lines:?}"
    );
    for number in 0..8 {
        white
            .say(&format!(
                r#"{{"command":"chat","text":"{number}","id":"c{number}"}}"#
            ))
            .await;
    }
    let mut refused = 0;
    for _ in 0..9 {
        refused += usize::from(white.hear_of("answer").await["reason"] == "too_fast");
    }
    assert!(refused >= 3, "{refused}");
    // Another connection of the same player is no faster.
    let mut again = table.open.come(&guest("anna"), &table.game).await;
    again
        .say(r#"{"command":"chat","text":"more","id":"more"}"#)
        .await;
    assert_eq!(again.answer("more").await["reason"], "too_fast");
    table.close().await;
}

/// Two accomplices take the same move back for ever: after a while that is refused, and refusals are not recorded.
#[tokio::test]
async fn a_takeback_that_is_repeated_for_ever_is_refused_and_the_journal_stops_growing() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open.table(&anna, &bea, r#"{"time":"5+3"}"#).await;
    let ask = format!("/v1/tables/{game}/ask");
    let journal = format!("/v1/tables/{game}/journal");
    let mut lengths = Vec::new();
    for _ in 0..8 {
        for (who, asked) in [
            (&anna, r#"{"move":"e4"}"#),
            (&anna, r#"{"command":"takeback"}"#),
            (&bea, r#"{"command":"accept"}"#),
        ] {
            open.ask(who, "POST", &ask, asked).await;
        }
        let (_, text) = open.ask(&anna, "GET", &journal, "").await;
        lengths.push(text.lines().count());
    }
    assert!(
        lengths[4] > lengths[3],
        "five times it is granted: {lengths:?}"
    );
    assert_eq!(lengths[6], lengths[7], "and then never again: {lengths:?}");
    let takeback = r#"{"command":"takeback"}"#;
    let (status, told) = open.ask(&anna, "POST", &ask, takeback).await;
    assert_eq!(status, 400, "{told}");
    assert!(
        told.contains("too_often") && told.contains("play on"),
        "{told}"
    );
    open.close().await;
}
