//! Clients of Lichess that are written in Rust, unmodified, against a server of touchmove's: each plays the
//! same games through its own calls, and believes what it reads only in its own types. The server is started
//! by `.ci/clients`, which also opens the accounts.

mod licheszter;
mod litchee;
mod stream;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::Parser;
use tokio::time::timeout;
use url::Url;

/// How long all games of one client may take.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(120);

/// Clients of Lichess against a server of touchmove's.
#[derive(Parser)]
#[command(name = "clients", version)]
struct Arguments {
    /// Where the server is
    url: Url,
    /// A token of the person Anna
    anna: String,
    /// A token of the person Bea
    bea: String,
    /// A token of the bot AnnaBot
    anna_bot: String,
    /// A token of the bot BeaBot
    bea_bot: String,
    /// A token of Cleo, who has not played and becomes a bot
    cleo: String,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("no runtime")?;
    runtime.block_on(async {
        timeout(CLIENT_TIMEOUT, licheszter::play(arguments))
            .await
            .context("licheszter: it takes too long")?
            .context("licheszter")?;
        println!("licheszter: a mate, draws, takebacks, challenges, seeks and exports");
        timeout(CLIENT_TIMEOUT, litchee::play(arguments))
            .await
            .context("litchee: it takes too long")?
            .context("litchee")?;
        println!("litchee: a mate, draws, takebacks, challenges, seeks and exports");
        Ok(())
    })
}
