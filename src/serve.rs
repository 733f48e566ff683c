//! `touchmove serve`: tables on the network.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use touchmove_server::Settings;
use touchmove_store::Sqlite;

use crate::cli::Answer;

/// Serve tables to people who are not at one keyboard.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove serve
  touchmove serve --listen 127.0.0.1:0 --data /var/lib/touchmove

The first line on standard output says where it is. Ctrl-C ends it; games go on when it starts again.")]
pub struct Args {
    /// Where to listen; port 0 takes any free one.
    #[arg(long, default_value = "127.0.0.1:8000", value_name = "ADDRESS:PORT")]
    listen: SocketAddr,

    /// The folder that games are kept in.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// How people reach it, if that is not where it listens.
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
}

/// Serves until a signal ends it.
pub fn run(args: &Args) -> Result<Answer> {
    let folder = args.data.clone().unwrap_or_else(|| PathBuf::from("."));
    let store = Sqlite::open(folder.join("touchmove.db"))?;
    let settings = Settings {
        listen: args.listen,
        public_url: args.public_url.clone(),
        ..Settings::default()
    };
    touchmove_server::run(Arc::new(store), settings, |url| {
        let mut out = io::stdout().lock();
        writeln!(out, "touchmove is at {url}")?;
        out.flush()
    })?;
    Ok(Answer::Yes)
}
