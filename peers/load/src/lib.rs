//! The load generator: it plays many games on `touchmove serve`, kills it, takes its disk away, sends it bad
//! clients, and holds what the players know against what the server has kept. Its players, sockets and servers
//! are public for the attack suite.

mod api;
mod bad;
pub mod check;
pub mod club;
mod faults;
pub mod folder;
mod game;
mod idle;
mod kill;
pub mod measure;
pub mod net;
mod nodes;
mod play;
mod player;
pub mod record;
pub mod scan;
pub mod server;
pub mod socket;
pub mod tables;

use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::task::LocalSet;

/// Load, faults and bad clients for touchmove's server.
#[derive(Parser)]
#[command(name = "load", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play many games at once and print moves per second, CPU time, percentiles and memory
    Play(play::Arguments),
    /// Play through the API that clients of Lichess speak, a stream for each player
    Api(api::Arguments),
    /// Hold many connections that do nothing and print what each costs
    Idle(idle::Arguments),
    /// Kill the server under load, again and again, and check that nothing is lost
    Kill(kill::Arguments),
    /// Take the disk, the time or the processor away, and check that nothing is lost
    Faults(faults::Arguments),
    /// Play at three nodes on one PostgreSQL and one NATS while everything fails in random order
    Nodes(nodes::Arguments),
    /// Play at one, two or three nodes on one PostgreSQL and print what a move costs
    Scale(nodes::scale::Arguments),
    /// Let bad clients in while others play, and print what they are answered
    Bad(bad::Arguments),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    run(Arguments::parse().command).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    more_files();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("no runtime")?;
    LocalSet::new().block_on(&runtime, async {
        match command {
            Command::Play(arguments) => play::run(&arguments).await,
            Command::Api(arguments) => api::run(&arguments).await,
            Command::Idle(arguments) => idle::run(&arguments).await,
            Command::Kill(arguments) => kill::run(&arguments).await,
            Command::Faults(arguments) => faults::run(&arguments).await,
            Command::Nodes(arguments) => nodes::run(&arguments).await,
            Command::Scale(arguments) => nodes::scale::run(&arguments).await,
            Command::Bad(arguments) => bad::run(&arguments).await,
        }
    })
}

/// Allows as many open files as the system gives, to the server too, which inherits it.
pub fn more_files() {
    let wanted = Some(200_000);
    let all = Rlimit {
        current: wanted,
        maximum: wanted,
    };
    if setrlimit(Resource::Nofile, all).is_err() {
        let maximum = getrlimit(Resource::Nofile).maximum;
        let most = Rlimit {
            current: maximum,
            maximum,
        };
        // Whoever gets no more will be told when he opens one too many.
        let _ = setrlimit(Resource::Nofile, most);
    }
}
