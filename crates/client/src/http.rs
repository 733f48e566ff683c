//! HTTP requests: taking a seat, creating a table, reading a journal.

use std::time::Duration;

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, HOST};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::time::timeout;
use touchmove_game::{Game, journal};

use crate::dial::dial;
use crate::foreign::sentence;
use crate::{Error, NewTable, TableLink};

/// The timeout of a request.
const HTTP_TIMEOUT: Duration = Duration::from_secs(20);
/// The most bytes of a response: more than the journal of any game.
const MAX_RESPONSE_BYTES: usize = 4 * 1024 * 1024;
/// The most events of a game. With the 75-move rule a game has some 18,000 plies at most, and both players may
/// make a thousand offers.
pub(crate) const MAX_GAME_EVENTS: usize = 30_000;

/// The response to a new table.
#[derive(Deserialize)]
pub(crate) struct TableCreated {
    pub(crate) game: String,
}

/// An error response.
#[derive(Deserialize)]
struct ErrorBody {
    error: String,
    #[serde(default)]
    reason: String,
}

/// The sanitized sentence of an error response, if it has one.
pub(crate) fn error_text(body: &[u8]) -> Option<String> {
    let problem: ErrorBody = serde_json::from_slice(body).ok()?;
    Some(sentence(&problem.error))
}

/// Sends a request, and returns the status and the body of the response.
async fn ask(
    link: &TableLink,
    method: Method,
    path: String,
    secret: &str,
    body: String,
) -> Result<(u16, Bytes), Error> {
    let lost = |why: String| Error::Passing(format!("{}: {why}", link.authority()));
    let asking = async {
        let stream = dial(link).await?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|error| lost(error.to_string()))?;
        let driver = tokio::spawn(connection);
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, link.authority())
            .header(AUTHORIZATION, format!("Bearer {secret}"))
            .header(CONTENT_TYPE, "application/json")
            .header(CONNECTION, "close")
            .body(Full::new(Bytes::from(body)))
            .map_err(|error| Error::Final(error.to_string()))?;
        let answer = sender
            .send_request(request)
            .await
            .map_err(|error| lost(error.to_string()))?;
        let status = answer.status().as_u16();
        let body = Limited::new(answer.into_body(), MAX_RESPONSE_BYTES)
            .collect()
            .await;
        driver.abort();
        let body = body.map_err(|error| lost(error.to_string()))?;
        Ok((status, body.to_bytes()))
    };
    timeout(HTTP_TIMEOUT, asking)
        .await
        .map_err(|_| lost("the server does not answer".to_owned()))?
}

fn granted(status: u16, body: &[u8]) -> Result<(), Error> {
    match status {
        200..=299 => Ok(()),
        _ => Err(Error::of_status(status, error_text(body))),
    }
}

fn read<T: for<'de> Deserialize<'de>>(body: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|error| {
        Error::Final(format!(
            "what answers there is no touchmove server of this version: {}",
            sentence(&error.to_string())
        ))
    })
}

/// Codes of refusals after which the client becomes a spectator.
const NO_SEAT: [&str; 2] = ["seat_taken", "game_over"];

/// Takes a seat at a table, if one is free.
pub(crate) async fn take_seat(link: &TableLink, secret: &str, name: &str) -> Result<(), Error> {
    let body = match name {
        "" => "{}".to_owned(),
        name => serde_json::json!({ "name": name }).to_string(),
    };
    let (status, body) = ask(link, Method::POST, link.table("/seat"), secret, body).await?;
    let problem: Option<ErrorBody> = serde_json::from_slice(&body).ok();
    if problem.is_some_and(|problem| NO_SEAT.contains(&problem.reason.as_str())) {
        return Ok(());
    }
    granted(status, &body)
}

/// Creates a table.
pub(crate) async fn create_table(
    link: &TableLink,
    secret: &str,
    proposal: &NewTable,
) -> Result<TableCreated, Error> {
    let body = serde_json::to_string(proposal).map_err(|error| Error::Final(error.to_string()))?;
    let (status, body) = ask(link, Method::POST, link.path(""), secret, body).await?;
    granted(status, &body)?;
    read(&body)
}

/// Loads the game by its journal.
pub(crate) async fn game(link: &TableLink, secret: &str) -> Result<Game, Error> {
    let path = link.table("/journal");
    let (status, body) = ask(link, Method::GET, path, secret, String::new()).await?;
    granted(status, &body)?;
    let text = String::from_utf8_lossy(&body);
    if text.lines().nth(MAX_GAME_EVENTS + 1).is_some() {
        let why = "the game of this server has more moves than any game";
        return Err(Error::Final(why.to_owned()));
    }
    journal::replay(&text).map_err(|torn| {
        let why = sentence(&torn.to_string());
        Error::Final(format!("the game of this server cannot be read: {why}"))
    })
}
