//! `touchmove serve`: runs a server. The configuration comes from flags, the environment and a file; the server
//! crate does the rest.

mod config;
mod log;
mod values;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use touchmove_server::security::IpNetwork;
use touchmove_server::{Backend, NatsAddress, ServerConfig};
use touchmove_store::{Postgres, Sqlite};

use crate::cli::AnswerStatus;
use crate::data_dir::{DataArgs, is_open_to_others};
use crate::output;
use config::{Bots, ServeConfig};
use touchmove_text::display_path;
use values::{LogForm, LogLevel, Registration};

/// Serve tables to people who are not at one keyboard.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove serve
  touchmove serve --listen 127.0.0.1:0 --data ./games
  touchmove serve --bots               levels of the computer as accounts that can be challenged
  touchmove serve --public-url https://chess.example --trusted-proxy 127.0.0.1
  touchmove serve --store postgres://touchmove@10.0.0.5/touchmove --nats nats://10.0.0.5
  touchmove accounts add Anna          a token for Anna, also while the server runs
  touchmove backup today.db            a copy of everything, also while the server runs

The first line on standard output says where it is; logs go to standard error. Ctrl-C ends it, and games \
go on when it starts again. A flag counts before its environment variable, and that before the file \
server.toml in the folder of the store. docs/SERVER.md is for people who host, and docs/SCALING.md for \
those who need several machines.")]
pub struct Args {
    #[command(flatten)]
    data: DataArgs,

    #[command(flatten)]
    choices: ServeConfig,

    /// A file with settings; without it, server.toml in the folder of the store, if there is one.
    #[arg(long, value_name = "FILE", env = "TOUCHMOVE_SERVER_CONFIG")]
    config: Option<PathBuf>,

    /// Print every method and path that the server answers, one on each line, and end.
    #[arg(long)]
    routes: bool,
}

/// Serves until a signal ends it.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    if args.routes {
        return print_routes();
    }
    let folder = args.data.folder()?;
    let choices = args
        .choices
        .clone()
        .or(ServeConfig {
            // Its former name.
            nats: std::env::var("TOUCHMOVE_BUS").ok(),
            ..ServeConfig::default()
        })
        .or(ServeConfig::from_file(args.config.as_deref(), &folder)?);
    log::init(
        choices.log.unwrap_or(LogForm::Text),
        choices.log_level.unwrap_or(LogLevel::Info),
    );
    let settings = settings(&choices)?;
    let ground = ground(args, &choices)?;
    let has_database = args.data.database().or(choices.store.as_deref()).is_some();
    if !has_database && is_open_to_others(&folder) {
        let folder = display_path(&folder);
        tracing::warn!(
            "other users of this machine can look into {folder}: chmod 700 {folder} closes it"
        );
    }
    touchmove_server::run(ground, settings, &|url| {
        let mut out = output::lines();
        writeln!(out, "touchmove is at {url}")?;
        out.flush()
    })?;
    Ok(AnswerStatus::Yes)
}

fn print_routes() -> Result<AnswerStatus> {
    let mut out = output::lines();
    for (method, path) in touchmove_server::api::route_list() {
        writeln!(out, "{method} {path}")?;
    }
    Ok(AnswerStatus::Yes)
}

/// The backend of the store: a file, or a database that several servers share.
fn ground(args: &Args, choices: &ServeConfig) -> Result<Backend> {
    let nats = match &choices.nats {
        Some(address) => Some(address.parse::<NatsAddress>().context("--nats")?),
        None => None,
    };
    match args.data.database().or(choices.store.as_deref()) {
        Some(address) => Ok(Backend::shared(Postgres::open(address)?, nats)),
        None if nats.is_some() => {
            bail!("--nats is for servers that share a database: name it with --store")
        }
        None => Ok(Backend::from(Arc::new(
            Sqlite::open(args.data.store()?).map_err(anyhow::Error::msg)?,
        ))),
    }
}

fn settings(choices: &ServeConfig) -> Result<ServerConfig> {
    let usual = ServerConfig::default();
    let public_url = match &choices.public_url {
        Some(url) => Some(checked_url(url)?),
        None => None,
    };
    let trusted_proxies = choices
        .trusted_proxy
        .iter()
        .flatten()
        .map(|text| text.parse::<IpNetwork>())
        .collect::<Result<Vec<_>, _>>()
        .context("--trusted-proxy")?;
    let allowed_hosts = choices.allowed_host.iter().flatten();
    let allowed_hosts = allowed_hosts
        .map(|host| checked_host(host))
        .collect::<Result<Vec<_>>>()?;
    Ok(ServerConfig {
        listen: choices.listen.unwrap_or(usual.listen),
        public_url,
        trusted_proxies,
        allowed_hosts,
        limits: choices.limits.as_deref().cloned().unwrap_or(usual.limits),
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

/// The public URL, without a trailing slash.
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

/// A host name that is accepted, in lower case and without a port.
fn checked_host(host: &str) -> Result<String> {
    let name = host.trim().trim_end_matches('.').to_ascii_lowercase();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.[]:".contains(c);
    let has_port = !name.starts_with('[') && name.contains(':');
    if name.is_empty() || has_port || !name.chars().all(is_name) {
        bail!(
            "--allowed-host {host:?} is not the name of a host: write it without https:// and without a port"
        );
    }
    Ok(name)
}
