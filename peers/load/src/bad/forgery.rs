//! Those who say what is not theirs to say: old commands, second windows, other people's seats and cookies.

use anyhow::Context as _;

use super::{AttackContext, AttackerTable, Outcome, hear, short};
use crate::net::NodeAddress;
use crate::socket::Socket;
use crate::tables::{journal, live};

/// How often an old command is sent again.
const REPLAY_COUNT: usize = 500;

fn is_granted(answer: &str) -> bool {
    answer.contains("\"accepted\":true")
}

/// The moves that a table has.
async fn moves(den: &AttackerTable) -> anyhow::Result<usize> {
    let journal = journal(&den.ways[0], &den.game).await?;
    Ok(journal.matches("\"event\":\"moved\"").count())
}

/// A command that was granted comes again, as it was and with another move.
pub(super) async fn replays(hall: &AttackContext) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let den = hall.den().await?;
    let (mut white, mut black) = (den.sit(0).await?, den.sit(1).await?);
    let command = r#"{"move":"e2e4","id":"old"}"#;
    white.send(command).await?;
    let first = hear(&mut white, "answer").await;
    outcome.must(
        is_granted(&first),
        format!("a move was refused: {}", short(&first)),
    );
    black.send(r#"{"move":"e7e5","id":"b0"}"#).await?;
    hear(&mut black, "answer").await;
    let mut repeated = 0;
    for _ in 0..REPLAY_COUNT {
        white.send(command).await?;
        let again = hear(&mut white, "answer").await;
        let is_same = crate::scan::number(again.as_bytes(), "\"seq\":")
            == crate::scan::number(first.as_bytes(), "\"seq\":");
        repeated += usize::from(is_same && again.contains("\"repeated\":true"));
    }
    outcome.say(format!(
        "{repeated} of {REPLAY_COUNT} replays were known as such"
    ));
    outcome.must(repeated == REPLAY_COUNT, "a replay was not known");
    white.send(r#"{"move":"d2d4","id":"old"}"#).await?;
    let other = hear(&mut white, "answer").await;
    outcome.say(format!(
        "another move under the same name: {}",
        short(&other)
    ));
    black.send(command).await?;
    let stolen = hear(&mut black, "answer").await;
    outcome.say(format!(
        "the same command from the opponent: {}",
        short(&stolen)
    ));
    let moves = moves(&den).await?;
    outcome.must(moves == 2, format!("there are {moves} moves instead of 2"));
    Ok(outcome)
}

/// Two windows of one player move at once.
pub(super) async fn two_tabs(hall: &AttackContext) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let den = hall.den().await?;
    let (mut one, mut two) = (den.sit(0).await?, den.sit(0).await?);
    let (first, second) = tokio::join!(
        one.send(r#"{"move":"e2e4","id":"one"}"#),
        two.send(r#"{"move":"d2d4","id":"two"}"#)
    );
    first.and(second)?;
    let (first, second) = tokio::join!(hear(&mut one, "answer"), hear(&mut two, "answer"));
    let granted = [&first, &second]
        .into_iter()
        .filter(|answer| is_granted(answer))
        .count();
    outcome.say(format!("{granted} of two moves at once was granted"));
    for answer in [&first, &second]
        .into_iter()
        .filter(|answer| !is_granted(answer))
    {
        outcome.say(short(answer));
    }
    let moves = moves(&den).await?;
    outcome.must(
        granted == 1 && moves == 1,
        format!("{granted} granted, {moves} happened"),
    );
    Ok(outcome)
}

/// People without a seat, and opponents, move for others.
pub(super) async fn forged_seats(hall: &AttackContext) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let den = hall.den().await?;
    let right = &den.secrets[0];
    let upper = right.to_uppercase();
    let forged: [Option<&str>; 6] = [
        None,
        Some("guest_somebodyelsesomebodyelse"),
        Some(&upper),
        Some(&right[..right.len() - 1]),
        Some("white"),
        Some(""),
    ];
    let command = r#"{"move":"e2e4","id":"forged","by":"white"}"#;
    let mut answers = Vec::new();
    for secret in forged {
        let way = hall.way();
        let answer = match Socket::open(&way, &live(&den.game), secret).await {
            Ok(mut socket) => {
                hear(&mut socket, "state").await;
                socket.send(r#"{"move":"e2e4","id":"forged"}"#).await?;
                hear(&mut socket, "answer").await
            }
            Err(error) => format!("{error:#}"),
        };
        outcome.must(
            !is_granted(&answer),
            format!("{secret:?} moved for another"),
        );
        answers.push(answer);
        let path = format!("/v1/tables/{}/ask", den.game);
        let asked = way
            .ask(secret.unwrap_or(""), "POST", &path, command)
            .await?;
        let status = asked.status;
        outcome.must(
            (400..500).contains(&status),
            format!("{secret:?} over HTTP: {status}"),
        );
        let path = format!("/v1/tables/{}/seat", den.game);
        let sat = way.ask(secret.unwrap_or(""), "POST", &path, "{}").await?;
        let status = sat.status;
        outcome.must(
            (400..500).contains(&status),
            format!("{secret:?} sat down: {status}"),
        );
    }
    outcome.say(format!("another's secret: {}", short(&answers[1])));
    let mut black = den.sit(1).await?;
    black.send(command).await?;
    let answer = hear(&mut black, "answer").await;
    outcome.say(format!("Black for White: {}", short(&answer)));
    outcome.must(!is_granted(&answer), "Black moved for White");
    let moves = moves(&den).await?;
    outcome.must(moves == 0, format!("{moves} moves happened"));
    Ok(outcome)
}

/// Pages of other sites come with the player's cookie.
pub(super) async fn cross_origin(hall: &AttackContext) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    // A browser has its secret from the server, by a cookie.
    let new = br#"{"side":"white","terms":{"time":"30+30"}}"#;
    let made = hall.way().ask_with("", "POST", "/v1/tables", new).await?;
    let game = made
        .body
        .split("\"game\":\"")
        .nth(1)
        .and_then(|rest| rest.get(..8));
    let game = game.with_context(|| format!("no table: {}", made.body))?;
    let cookie = made
        .cookie
        .as_deref()
        .context("the server sets no cookie")?;
    let cookie = format!("Cookie: {cookie}\r\n");
    let own = format!("{cookie}Origin: http://{}\r\n", hall.server.address);
    let foreign = [
        format!("{cookie}Origin: https://evil.example\r\n"),
        format!("{cookie}Origin: null\r\n"),
        format!(
            "{cookie}Origin: http://{}.evil.example\r\n",
            hall.server.address.ip()
        ),
        format!("{cookie}Origin: http://{}\r\n", hall.server.address.ip()),
        cookie.clone(),
    ];
    for lines in &foreign {
        let named = lines.lines().nth(1).unwrap_or("no Origin").to_owned();
        let (is_in, answer) = seat_by(&hall.way(), game, lines).await?;
        outcome.say(format!("a socket with {named}: {}", short(&answer)));
        outcome.must(!is_in, format!("the cookie counts with {named}"));
    }
    let (is_in, answer) = seat_by(&hall.way(), game, &own).await?;
    outcome.must(
        is_in,
        format!(
            "the cookie does not count with the own Origin: {}",
            short(&answer)
        ),
    );
    let path = format!("/v1/tables/{game}/ask");
    for lines in [
        format!("{cookie}Origin: https://evil.example\r\n"),
        format!("{cookie}Sec-Fetch-Site: cross-site\r\n"),
    ] {
        let command = br#"{"move":"e2e4","id":"forged"}"#;
        let answer = hall.way().ask_with(&lines, "POST", &path, command).await?;
        let named = lines.lines().nth(1).unwrap_or_default().to_owned();
        outcome.say(format!(
            "a request with {named}: {} {}",
            answer.status,
            short(&answer.body)
        ));
        outcome.must(
            (400..500).contains(&answer.status),
            format!("a request with {named} was granted"),
        );
    }
    Ok(outcome)
}

/// Whether somebody with these lines is in White's seat, and what he was told.
async fn seat_by(way: &NodeAddress, game: &str, lines: &str) -> anyhow::Result<(bool, String)> {
    match Socket::open_with(way.connect().await?, &live(game), lines).await {
        Ok(mut socket) => {
            let state = hear(&mut socket, "state").await;
            let is_in = state.contains("\"you\":\"white\"");
            let said = if is_in { "in the seat" } else { "may watch" };
            Ok((is_in, said.to_owned()))
        }
        Err(error) => Ok((false, format!("{error:#}"))),
    }
}
