//! Tables over HTTP: made, sat down at, read.

use anyhow::{Context as _, bail};

use crate::net::NodeAddress;
use crate::scan;

/// Somebody who sits down: how he comes, and his secret.
#[derive(Clone, Copy)]
pub struct SeatedPlayer<'a> {
    /// How he comes.
    pub way: &'a NodeAddress,
    /// His secret.
    pub secret: &'a str,
}

/// Makes a table at which these two sit.
pub async fn open(
    white: SeatedPlayer<'_>,
    black: SeatedPlayer<'_>,
    terms: &str,
) -> anyhow::Result<String> {
    let new = format!(r#"{{"terms":{terms},"side":"white","name":"White"}}"#);
    let made = white
        .way
        .ask(white.secret, "POST", "/v1/tables", &new)
        .await?;
    if made.status != 201 {
        bail!("no table: {} {}", made.status, made.body);
    }
    let game = scan::word(made.body.as_bytes(), "\"game\":\"").context("no game")?;
    let path = format!("/v1/tables/{game}/seat");
    let sat = black
        .way
        .ask(black.secret, "POST", &path, r#"{"name":"Black"}"#)
        .await?;
    if sat.status != 200 {
        bail!("no seat: {} {}", sat.status, sat.body);
    }
    Ok(game.to_owned())
}

/// The journal of a game.
pub async fn journal(way: &NodeAddress, game: &str) -> anyhow::Result<String> {
    let path = format!("/v1/tables/{game}/journal");
    let answer = way.ask("", "GET", &path, "").await?;
    if answer.status != 200 {
        bail!("no journal of {game}: {} {}", answer.status, answer.body);
    }
    Ok(answer.body)
}

/// Where a table is live.
pub fn live(game: &str) -> String {
    format!("/v1/tables/{game}/live")
}
