//! What cannot be understood, and moves that cannot be made.

use std::time::{Duration, Instant};

use super::{AttackContext, Outcome, hear, short};
use crate::socket::text_frame;

/// Bodies and messages of the wrong shape.
const MALFORMED_BODIES: [&str; 18] = [
    "",
    "null",
    "[]",
    "5",
    "\"e4\"",
    "{",
    "{}",
    r#"{"move":5}"#,
    r#"{"move":null}"#,
    r#"{"move":["e2e4"]}"#,
    r#"{"move":"e2e4","id":{"a":1}}"#,
    r#"{"move":"e2e4","seen":-1}"#,
    r#"{"move":"e2e4","seen":1e999}"#,
    r#"{"move":"e2e4","move":"d2d4"}"#,
    r#"{"command":"become_arbiter"}"#,
    r#"{"command":{"move":"e2e4"}}"#,
    r#"{"command":"chat","text":7}"#,
    r#"{"command":"give","seconds":"99999999999999999999"}"#,
];

/// Illegal moves on their way at once.
const IN_FLIGHT_MOVES: usize = 32;

/// Names, bodies and messages of a million characters.
pub(super) async fn long_names(hall: &AttackContext) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let secret = "guest_longlonglonglonglonglong";
    for length in [81, 10_000, 1_000_000] {
        let name = "N".repeat(length);
        let body = format!(r#"{{"name":"{name}"}}"#);
        let answer = hall.way().ask(secret, "POST", "/v1/tables", &body).await;
        let answer = match answer {
            Ok(answer) => {
                let is_refused = (400..500).contains(&answer.status);
                outcome.must(
                    is_refused,
                    format!("a name of {length} was answered {}", answer.status),
                );
                format!("{} {}", answer.status, short(&answer.body))
            }
            Err(error) => format!("({error:#})"),
        };
        outcome.say(format!("a name of {length} characters: {answer}"));
    }
    let den = hall.den().await?;
    let mut socket = den.sit(0).await?;
    let text = format!(r#"{{"move":"{}"}}"#, "e".repeat(1_000_000));
    let _ = socket.send_raw(&text_frame(text.as_bytes())).await;
    let answer = hear(&mut socket, "answer").await;
    outcome.say(format!(
        "a message of 1 000 000 characters: {}",
        short(&answer)
    ));
    outcome.must(!answer.contains("\"accepted\":true"), "it was granted");
    let many = format!("X-Long: {}\r\n", "h".repeat(1_000_000));
    let answer = hall.way().ask_with(&many, "GET", "/healthz", b"").await;
    let answer = answer.map_or_else(
        |error| format!("({error:#})"),
        |answer| answer.status.to_string(),
    );
    outcome.say(format!("a head of 1 000 000 characters: {answer}"));
    outcome.must(answer != "200", "such a head was read");
    Ok(outcome)
}

/// Bytes that are no text.
pub(super) async fn invalid_utf8(hall: &AttackContext) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let den = hall.den().await?;
    let mut socket = den.sit(0).await?;
    socket
        .send_raw(&text_frame(b"{\"move\":\"\xff\xfe\"}"))
        .await?;
    let answer = hear(&mut socket, "answer").await;
    outcome.say(format!("a frame: {}", short(&answer)));
    outcome.must(!answer.contains("\"accepted\":true"), "it was granted");
    let mut binary = text_frame(b"{\"move\":\"e2e4\"}");
    binary[0] = 0x82;
    let mut socket = den.sit(0).await?;
    socket.send_raw(&binary).await?;
    let answer = hear(&mut socket, "answer").await;
    outcome.say(format!("a frame of bytes: {}", short(&answer)));
    outcome.must(!answer.contains("\"accepted\":true"), "it was granted");
    let body = b"{\"name\":\"\xc3\x28\"}";
    let answer = hall.way().ask_with("", "POST", "/v1/tables", body).await?;
    outcome.say(format!("a body: {} {}", answer.status, short(&answer.body)));
    outcome.must((400..500).contains(&answer.status), "such a body was taken");
    Ok(outcome)
}

/// JSON of the wrong shape, in messages and in bodies.
pub(super) async fn wrong_types(hall: &AttackContext) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let den = hall.den().await?;
    let mut socket = den.sit(0).await?;
    let deep = "[".repeat(4_000);
    let (mut refused, mut sentences) = (0, Vec::new());
    for shape in MALFORMED_BODIES.into_iter().chain([deep.as_str()]) {
        socket.send(shape).await?;
        let answer = hear(&mut socket, "answer").await;
        refused += usize::from(answer.contains("\"accepted\":false"));
        let is_refused = answer.contains("\"accepted\":false");
        outcome.must(
            is_refused,
            format!("{} was answered with {}", short(shape), short(&answer)),
        );
        let sentence = crate::scan::word(answer.as_bytes(), "\"text\":\"").unwrap_or_default();
        sentences.push(short(sentence));
    }
    outcome.say(format!(
        "{refused} of {} messages were refused, as with: {}",
        MALFORMED_BODIES.len() + 1,
        sentences[7]
    ));
    for body in [
        r#"{"terms":5}"#,
        r#"{"terms":{"time":5}}"#,
        r#"{"side":"green"}"#,
        "[]",
        "{",
        &deep,
    ] {
        let answer = hall
            .way()
            .ask(&den.secrets[0], "POST", "/v1/tables", body)
            .await?;
        let status = answer.status;
        outcome.must(
            (400..500).contains(&status),
            format!("{} was answered {status}", short(body)),
        );
    }
    Ok(outcome)
}

/// Illegal moves as fast as they are answered.
pub(super) async fn illegal_moves(hall: &AttackContext) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let den = hall.den().await?;
    let mut socket = den.sit(0).await?;
    let moves = ["e2e5", "Ke2", "a1a5", "O-O", "xyz", "e7e5", "Nf6", "e1e8"];
    let begun = Instant::now();
    let (mut sent, mut answered, mut sample) = (0_usize, 0_usize, String::new());
    while begun.elapsed() < Duration::from_secs(hall.seconds) || answered < sent {
        while sent - answered < IN_FLIGHT_MOVES
            && begun.elapsed() < Duration::from_secs(hall.seconds)
        {
            let mv = moves[sent % moves.len()];
            socket
                .send(&format!(r#"{{"move":"{mv}","id":"x{sent}"}}"#))
                .await?;
            sent += 1;
        }
        let answer = hear(&mut socket, "answer").await;
        let is_its = answer.contains(&format!("\"id\":\"x{answered}\""));
        let is_refused = answer.contains("\"accepted\":false");
        if !(is_its && is_refused) {
            outcome.must(
                false,
                format!(
                    "illegal move {answered} was answered with {}",
                    short(&answer)
                ),
            );
            return Ok(outcome);
        }
        if answered == 0 {
            sample = answer;
        }
        answered += 1;
    }
    let took = begun.elapsed().as_secs_f64();
    outcome.say(format!(
        "{answered} illegal moves, each explained, {:.0} per second, {:.1} µs each on the wall",
        answered as f64 / took,
        took / answered as f64 * 1e6,
    ));
    outcome.count = answered;
    outcome.say(short(&sample));
    Ok(outcome)
}
