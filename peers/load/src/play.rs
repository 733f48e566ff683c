//! `load play`: many games at once, at a pace or flat out.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use tokio::time::sleep;

use crate::check::Clock;
use crate::club::{Findings, GameSpeed, LoadGenerator, Plan, Time};
use crate::folder::TempDir;
use crate::net::NodeAddress;
use crate::server::{Program, Server, cpu};
use crate::socket::Socket;

/// Where the games are played.
#[derive(Args)]
#[group(required = true)]
pub struct TargetServer {
    /// The program, which is started on a folder of its own
    #[arg(long, value_name = "PROGRAM")]
    server: Option<PathBuf>,

    /// A server that runs already; several of them share the players
    #[arg(long, value_name = "http://ADDRESS:PORT")]
    url: Vec<String>,
}

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    place: TargetServer,

    /// Games at once; each has two players with a socket each
    #[arg(long, default_value_t = 2000)]
    games: usize,

    /// Moves per second of all games together, or `flat` for as many as it gets
    #[arg(long, default_value = "2000", value_parser = rate)]
    rate: Rate,

    /// How long is measured
    #[arg(long, default_value_t = 30)]
    seconds: u64,

    /// chess, chess960, atomic, simple-atomic, or all of them
    #[arg(long, default_value = "mixed")]
    variant: String,

    /// Spectators at the first tables
    #[arg(long, default_value_t = 0)]
    spectators: usize,

    /// After how many plies a player resigns
    #[arg(long, default_value_t = 300)]
    plies: usize,

    /// For everything that is left to luck
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How many moves are wanted.
#[derive(Clone, Copy)]
pub enum Rate {
    /// As many as it gets.
    Flat,
    /// So many.
    PerSecond(f64),
}

/// Reads a rate.
pub fn rate(text: &str) -> Result<Rate, String> {
    match (text, text.parse::<f64>()) {
        ("flat", _) => Ok(Rate::Flat),
        (_, Ok(rate)) if rate > 0.0 => Ok(Rate::PerSecond(rate)),
        _ => Err("say a number of moves per second, or flat".to_owned()),
    }
}

/// Clocks with which nobody runs out of time.
pub const LONG_TIME_CONTROL: Clock = Clock {
    base: 300_000,
    increment: 3_000,
};

/// Plays and prints what it took.
pub async fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut folder = TempDir::new()?;
    let (server, nodes) = open(&arguments.place, &folder).await?;
    let pace = match arguments.rate {
        Rate::Flat => GameSpeed::Flat,
        Rate::PerSecond(rate) => {
            GameSpeed::Every(Duration::from_secs_f64(arguments.games as f64 / rate))
        }
    };
    let club = LoadGenerator::new(
        Plan {
            games: arguments.games,
            variant: arguments.variant.clone(),
            clock: LONG_TIME_CONTROL,
            pace,
            most_plies: arguments.plies,
            seed: arguments.seed,
            roams: false,
        },
        nodes,
    );
    let begun = Instant::now();
    club.begin();
    club.seated(Duration::from_secs(120)).await?;
    println!(
        "{} games with {} sockets are played after {:.1} s",
        arguments.games,
        arguments.games * 2,
        begun.elapsed().as_secs_f64()
    );
    for number in 0..arguments.spectators {
        watch(&club, number).await?;
    }
    sleep(Duration::from_secs(2)).await;

    club.tally.take();
    let used = |server: &Option<Server>| server.as_ref().map(Server::cpu).transpose();
    let (before, own, begun) = (used(&server)?, cpu("self")?, Instant::now());
    sleep(Duration::from_secs(arguments.seconds)).await;
    let tally = club.tally.take();
    let (after, own, took) = (used(&server)?, cpu("self")? - own, begun.elapsed());

    let granted = tally.granted as f64;
    println!(
        "moves acknowledged: {} in {:.1} s, {:.0} per second",
        tally.granted,
        took.as_secs_f64(),
        granted / took.as_secs_f64()
    );
    if let (Some(before), Some(after), Some(server)) = (before, after, &server) {
        let used = (after - before).as_secs_f64();
        println!(
            "server: {used:.2} s of CPU ({:.0} % of one core), {:.1} µs per move, {:.0} moves per server-core-second, {} MiB",
            used / took.as_secs_f64() * 100.0,
            used / granted * 1e6,
            granted / used,
            server.memory()? / (1 << 20)
        );
    }
    println!(
        "generator: {:.2} s of CPU ({:.0} % of one core)",
        own.as_secs_f64(),
        own.as_secs_f64() / took.as_secs_f64() * 100.0
    );
    println!("from sending to the answer:       {}", tally.answered);
    println!("from sending to the opponent:     {}", tally.told);
    println!(
        "games ended: {}, tables opened: {}, connections broken: {}, told to spectators: {}",
        tally.ended, tally.tables, tally.broken, tally.watched
    );
    if !tally.refusals.is_empty() {
        println!("refusals: {:?}", tally.refusals);
    }
    club.end().await;
    let time = match server {
        Some(_) => Time::Ours,
        None => Time::Its,
    };
    let findings = club.check(true, time).await?;
    if let Some(server) = server {
        server.stop().await?;
    }
    Ok(conclude(&club, &findings, &mut folder))
}

/// Starts the server, or takes those that are there.
pub async fn open(
    place: &TargetServer,
    folder: &TempDir,
) -> anyhow::Result<(Option<Server>, Vec<SocketAddr>)> {
    if let Some(path) = &place.server {
        let program = Program::new(path, folder.path().join("data"))?;
        let server = program.start().await?;
        let nodes = vec![server.address];
        return Ok((Some(server), nodes));
    }
    let mut nodes = Vec::new();
    for url in &place.url {
        let address = url.trim_end_matches('/').strip_prefix("http://");
        let address = address.with_context(|| format!("{url:?} is not http://ADDRESS:PORT"))?;
        let found = tokio::net::lookup_host(address).await;
        let found = found.with_context(|| format!("nobody knows {address}"))?;
        nodes.extend(found.take(1));
    }
    Ok((None, nodes))
}

/// Somebody who watches one of the tables.
async fn watch(club: &Rc<LoadGenerator>, number: usize) -> anyhow::Result<()> {
    let game = {
        let records = club.records.borrow();
        records[number % records.len()].borrow().game.clone()
    };
    let path = format!("/v1/tables/{game}/live");
    let mut socket =
        Socket::open(&NodeAddress::new(club.node(number), number), &path, None).await?;
    let club = Rc::clone(club);
    tokio::task::spawn_local(async move {
        while socket.receive().await.is_ok() {
            club.tally.borrow_mut().watched += 1;
        }
    });
    Ok(())
}

/// Prints what a check has found, and the exit code.
pub fn conclude(club: &LoadGenerator, findings: &Findings, folder: &mut TempDir) -> ExitCode {
    println!(
        "checked: {} games, {} moves kept, {} commands granted, {} events told; flags fell in {}; endings: {:?}",
        findings.games,
        findings.moves,
        findings.granted,
        findings.told,
        findings.flags,
        findings.endings
    );
    for trouble in club.troubles().iter().take(8) {
        println!("  trouble: {trouble}");
    }
    for violation in findings.violations.iter().take(20) {
        println!("  VIOLATION: {violation}");
    }
    println!("{} violations", findings.violations.len());
    match findings.violations.is_empty() {
        true => ExitCode::SUCCESS,
        false => {
            folder.keep();
            ExitCode::FAILURE
        }
    }
}
