//! `touchmove serve`: tables on the network. What the host has chosen comes from flags, the environment and
//! a file; what is done with it is the server's business.

mod choices;
mod log;

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;
use serde::Deserialize;
use touchmove_server::guard::Network;
use touchmove_server::{Ground, NatsAddress, Settings};
use touchmove_store::{Postgres, Sqlite};

use crate::cli::Answer;
use crate::data::DataArgs;
use choices::{Bots, Choices};

/// Serve tables to people who are not at one keyboard.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove serve
  touchmove serve --listen 127.0.0.1:0 --data ./games
  touchmove serve --bots               levels of the computer as accounts that can be challenged
  touchmove serve --public-url https://chess.example --trusted-proxy 127.0.0.1
  touchmove serve --store postgres://touchmove@10.0.0.5/touchmove --bus nats://10.0.0.5
  touchmove people add Anna            a token for Anna, also while the server runs
  touchmove backup today.db            a copy of everything, also while the server runs

The first line on standard output says where it is; logs go to standard error. Ctrl-C ends it, and games \
go on when it starts again. A flag counts before its environment variable, and that before the file \
server.toml in the folder of the store. docs/SERVER.md is for people who host, and docs/SCALING.md for \
those who need several machines.")]
pub struct Args {
    #[command(flatten)]
    data: DataArgs,

    #[command(flatten)]
    choices: Choices,

    /// A file with settings; without it, server.toml in the folder of the store, if there is one.
    #[arg(long, value_name = "FILE", env = "TOUCHMOVE_SERVER_CONFIG")]
    config: Option<PathBuf>,
}

/// Whether anybody may make an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Registration {
    /// Only the host makes accounts.
    Off,
    /// Anybody does.
    Open,
}

/// How logs are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogForm {
    /// For people.
    Text,
    /// One object per line.
    Json,
}

/// How much is logged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Only what is broken.
    Error,
    /// What may break.
    Warn,
    /// What happens.
    Info,
    /// Everything.
    Debug,
}

/// Serves until a signal ends it.
pub fn run(args: &Args) -> Result<Answer> {
    let folder = args.data.folder()?;
    let choices = args
        .choices
        .clone()
        .or(Choices::from_file(args.config.as_deref(), &folder)?);
    log::begin(
        choices.log.unwrap_or(LogForm::Text),
        choices.log_level.unwrap_or(LogLevel::Info),
    );
    let settings = settings(&choices)?;
    touchmove_server::run(ground(args, &choices)?, settings, &|url| {
        let mut out = io::stdout().lock();
        writeln!(out, "touchmove is at {url}")?;
        out.flush()
    })?;
    Ok(Answer::Yes)
}

/// What the server stands on: a file of its own, or a database that it shares with others.
fn ground(args: &Args, choices: &Choices) -> Result<Ground> {
    let bus = match &choices.bus {
        Some(address) => Some(address.parse::<NatsAddress>().context("--bus")?),
        None => None,
    };
    match args.data.database().or(choices.store.as_deref()) {
        Some(address) => Ok(Ground::shared(Postgres::open(address)?, bus)),
        None if bus.is_some() => {
            bail!("--bus is for servers that share a database: name it with --store")
        }
        None => Ok(Ground::from(Arc::new(
            Sqlite::open(args.data.store()?).map_err(anyhow::Error::msg)?,
        ))),
    }
}

fn settings(choices: &Choices) -> Result<Settings> {
    let usual = Settings::default();
    let public_url = match &choices.public_url {
        Some(url) => Some(checked_url(url)?),
        None => None,
    };
    let trusted_proxies = choices
        .trusted_proxy
        .iter()
        .flatten()
        .map(|text| text.parse::<Network>())
        .collect::<Result<Vec<_>, _>>()
        .context("--trusted-proxy")?;
    Ok(Settings {
        listen: choices.listen.unwrap_or(usual.listen),
        public_url,
        trusted_proxies,
        is_registration_open: choices.registration == Some(Registration::Open),
        most_connections: choices.connections.unwrap_or(usual.most_connections),
        metrics: choices.metrics,
        levels: match &choices.bots {
            Some(Bots(levels)) => levels.clone(),
            None => usual.levels,
        },
        bots: match &choices.bots {
            Some(Bots(levels)) => levels.clone(),
            None => usual.bots,
        },
    })
}

/// The address that people see, without a slash at its end.
fn checked_url(url: &str) -> Result<String> {
    let url = url.trim_end_matches('/');
    let host = url
        .strip_prefix("http://")
        .or_else(|| url.strip_prefix("https://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', ' ', '@']) => {
            Ok(url.to_owned())
        }
        _ => bail!(
            "--public-url {url:?} is not the address of a server: write https:// and a host, without a path"
        ),
    }
}

/// Reads an address to listen at.
fn address(text: &str) -> Result<SocketAddr, String> {
    let named = text.replace("localhost", "127.0.0.1");
    named
        .parse()
        .map_err(|_| "write an address and a port, as 127.0.0.1:8000 or [::1]:8000".to_owned())
}
