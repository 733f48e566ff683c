//! `load idle`: connections that do nothing but answer pings.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::folder::TempDir;
use crate::net::NodeAddress;
use crate::server::{Program, Server};
use crate::socket::Socket;
use crate::tables::{self, SeatedPlayer, live};

#[derive(Args)]
pub struct Arguments {
    /// The program, which is started on a folder of its own
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// Connections
    #[arg(long, default_value_t = 10_000)]
    sockets: usize,

    /// Of these, players; they sit at half as many tables, the others watch there
    #[arg(long, default_value_t = 2_000)]
    players: usize,

    /// For how long the CPU time is measured
    #[arg(long, default_value_t = 20)]
    seconds: u64,
}

/// Opens the connections and prints what they cost.
pub async fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let folder = TempDir::new()?;
    let program = Program::new(&arguments.server, folder.path().join("data"))?;
    let mut server = program.start().await?;
    let tables = (arguments.players / 2).max(1);
    let mut games = Vec::new();
    for number in 0..tables {
        games.push(table(&server, number).await?);
    }
    let mut sockets: Vec<JoinHandle<()>> = Vec::new();
    sleep(Duration::from_secs(1)).await;
    let empty = server.memory()?;
    println!("{tables} tables: {} KiB", empty / 1024);

    let begun = Instant::now();
    for number in 0..tables * 2 {
        let (game, side) = (&games[number / 2], number % 2);
        sockets.push(sit(&server, number, game, Some(&secret(number / 2, side))).await?);
    }
    sleep(Duration::from_secs(2)).await;
    let with_players = server.memory()?;
    report("players", tables * 2, with_players.saturating_sub(empty));

    let watching = arguments.sockets.saturating_sub(tables * 2);
    for number in 0..watching {
        sockets.push(sit(&server, number, &games[number % tables], None).await?);
    }
    sleep(Duration::from_secs(2)).await;
    let with_all = server.memory()?;
    report(
        "spectators",
        watching,
        with_all.saturating_sub(with_players),
    );
    report("all", sockets.len(), with_all.saturating_sub(empty));
    println!("opened within {:.1} s", begun.elapsed().as_secs_f64());

    let (before, begun) = (server.cpu()?, Instant::now());
    sleep(Duration::from_secs(arguments.seconds)).await;
    let (used, took) = (server.cpu()? - before, begun.elapsed());
    let open = sockets
        .iter()
        .filter(|socket| !socket.is_finished())
        .count();
    println!(
        "idle: {:.2} s of CPU in {:.0} s ({:.2} % of one core), {open} of {} connections still there, {} MiB",
        used.as_secs_f64(),
        took.as_secs_f64(),
        used.as_secs_f64() / took.as_secs_f64() * 100.0,
        sockets.len(),
        server.memory()? / (1 << 20)
    );
    let is_whole = open == sockets.len() && server.poll_alive();
    server.stop().await?;
    Ok(match is_whole {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn report(who: &str, count: usize, bytes: u64) {
    let each = bytes as f64 / 1024.0 / count.max(1) as f64;
    println!("{count} {who}: {} KiB, {each:.2} KiB each", bytes / 1024);
}

fn secret(table: usize, side: usize) -> String {
    format!("guest_{:024}", table * 2 + side)
}

/// Makes a table with two players.
async fn table(server: &Server, number: usize) -> anyhow::Result<String> {
    let way = &NodeAddress::new(server.address, number);
    let secrets = [secret(number, 0), secret(number, 1)];
    let [white, black] = [0, 1].map(|side| SeatedPlayer {
        way,
        secret: &secrets[side],
    });
    tables::open(white, black, r#"{"time":"30+30"}"#).await
}

/// Somebody who is there and does nothing.
async fn sit(
    server: &Server,
    number: usize,
    game: &str,
    secret: Option<&str>,
) -> anyhow::Result<JoinHandle<()>> {
    let way = NodeAddress::new(server.address, number);
    let path = live(game);
    let mut socket = Socket::open(&way, &path, secret).await?;
    Ok(tokio::task::spawn_local(async move {
        while socket.receive().await.is_ok() {}
    }))
}
