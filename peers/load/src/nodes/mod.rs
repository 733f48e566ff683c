//! `load nodes`: three nodes on one PostgreSQL and one NATS, the two sides of each game at different nodes,
//! spectators everywhere, and faults in random order; then everything is checked.

mod fault;
mod lie;
pub mod scale;
mod services;
mod watch;
mod wire;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use rustix::process::Signal;
use tokio::time::sleep;

use crate::check::Clock;
use crate::club::{GameSpeed, LoadGenerator, Plan, Time};
use crate::folder::TempDir;
use crate::play::{LONG_TIME_CONTROL, conclude};
use crate::server::{Program, Server};
use fault::Fault;
use lie::Corruption;
use services::{Service, Services};
use wire::TcpProxy;

/// How many nodes there are.
const NODE_COUNT: usize = 3;
/// Clocks with which players run out of time, whatever fails.
const SHORT_TIME_CONTROL: Clock = Clock {
    base: 3_000,
    increment: 0,
};
/// How long games may take to go on when nothing fails any more.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(30);
/// Where Debian puts the library that shifts a program's time.
const FAKETIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

#[derive(Args)]
pub struct Arguments {
    /// The program
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// The script that starts PostgreSQL and NATS
    #[arg(long, value_name = "SCRIPT", default_value = ".ci/services")]
    services: PathBuf,

    /// For how long things fail
    #[arg(long, default_value_t = 120)]
    seconds: u64,

    /// Games at once
    #[arg(long, default_value_t = 40)]
    games: usize,

    /// Moves per second of all games together
    #[arg(long, default_value_t = 200.0)]
    rate: f64,

    /// Games at once whose players run out of time
    #[arg(long, default_value_t = 10)]
    short: usize,

    /// Spectators
    #[arg(long, default_value_t = 12)]
    spectators: usize,

    /// The longest rest between two faults, in milliseconds
    #[arg(long, default_value_t = 3_000)]
    rest: u64,

    /// Only these faults happen: restarts, one node after another
    #[arg(long)]
    rolling: bool,

    /// Nothing fails, but the database lies: the check must find it out
    #[arg(long, value_name = "HOW", conflicts_with = "rolling")]
    lying: Option<Corruption>,

    /// For the moves, the faults and their moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The nodes and what they stand on.
pub struct Nodes {
    services: Services,
    /// The wires of each node: to the database, and to the messenger.
    wires: Vec<(TcpProxy, TcpProxy)>,
    programs: Vec<Program>,
    servers: Vec<Option<Server>>,
    /// The files that say how wrong the clock of each machine is.
    shifts: Vec<PathBuf>,
}

impl Nodes {
    async fn new(script: &Path, folder: &Path) -> anyhow::Result<Nodes> {
        let services = Services::start(script, folder.join("services")).await?;
        Ok(Nodes {
            services,
            wires: Vec::new(),
            programs: Vec::new(),
            servers: Vec::new(),
            shifts: Vec::new(),
        })
    }

    /// Starts the nodes.
    async fn begin(&mut self, server: &Path, count: usize, folder: &Path) -> anyhow::Result<()> {
        for number in 0..count {
            let database = TcpProxy::to(self.services.place(Service::Postgres)?).await?;
            let messenger = TcpProxy::to(self.services.place(Service::Nats)?).await?;
            let mut program = Program::new(server, folder.join(format!("node{number}")))?;
            let store = self.services.address_by(Service::Postgres, database.near)?;
            let bus = self.services.address_by(Service::Nats, messenger.near)?;
            let shift = folder.join(format!("shift{number}"));
            std::fs::write(&shift, "+0")?;
            program.environment = vec![
                ("TOUCHMOVE_STORE".to_owned(), store),
                ("TOUCHMOVE_NATS".to_owned(), bus),
            ];
            if can_skew() {
                let words = [
                    ("LD_PRELOAD", FAKETIME.to_owned()),
                    (
                        "FAKETIME_TIMESTAMP_FILE",
                        shift.to_string_lossy().into_owned(),
                    ),
                    ("FAKETIME_CACHE_DURATION", "1".to_owned()),
                    ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
                ];
                let words = words.map(|(name, value)| (name.to_owned(), value));
                program.environment.extend(words);
            }
            self.wires.push((database, messenger));
            self.programs.push(program);
            self.servers.push(None);
            self.shifts.push(shift);
            self.start(number).await?;
        }
        Ok(())
    }

    async fn start(&mut self, node: usize) -> anyhow::Result<()> {
        self.servers[node] = Some(self.programs[node].start().await?);
        Ok(())
    }

    /// Ends a node, with or without a warning.
    async fn end(&mut self, node: usize, is_killed: bool) -> anyhow::Result<()> {
        let server = self.servers[node].take().context("the node is not there")?;
        match is_killed {
            true => server.kill().await,
            false => server.stop().await,
        }
    }

    fn signal(&self, node: usize, signal: Signal) -> anyhow::Result<()> {
        let server = self.servers[node].as_ref();
        server.context("the node is not there")?.signal(signal)
    }

    fn skew(&self, node: usize, shift: &str) -> anyhow::Result<()> {
        std::fs::write(&self.shifts[node], shift).context("no clock can be set")
    }

    fn panics(&self) -> Vec<String> {
        self.programs.iter().flat_map(Program::panics).collect()
    }

    /// Ends everything.
    async fn close(mut self) -> anyhow::Result<()> {
        let mut ended = Ok(());
        for node in 0..self.servers.len() {
            if self.servers[node].is_some() {
                ended = ended.and(self.end(node, false).await);
            }
        }
        self.services.stop().await?;
        ended
    }
}

fn can_skew() -> bool {
    Path::new(FAKETIME).exists()
}

/// Lets things fail, and checks.
pub async fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut folder = TempDir::new()?;
    open_to_all(folder.path())?;
    let mut nodes = Nodes::new(&arguments.services, folder.path()).await?;
    let tried = match nodes
        .begin(&arguments.server, NODE_COUNT, folder.path())
        .await
    {
        Ok(()) => fail(arguments, &mut nodes, &mut folder).await,
        Err(error) => Err(error),
    };
    let panics = nodes.panics();
    for panic in &panics {
        println!("  VIOLATION: {panic}");
    }
    nodes.close().await?;
    Ok(match panics.is_empty() {
        true => tried?,
        false => ExitCode::FAILURE,
    })
}

/// PostgreSQL does not run as root, and must get at its folder.
fn open_to_all(folder: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder, permissions).context("the folder cannot be opened")
}

async fn fail(
    arguments: &Arguments,
    nodes: &mut Nodes,
    folder: &mut TempDir,
) -> anyhow::Result<ExitCode> {
    if !can_skew() {
        println!("no clock is set wrong: libfaketime is not there");
    }
    let places: Vec<_> = nodes
        .programs
        .iter()
        .map(|program| program.listen)
        .collect();
    let club = |games: usize, clock: Clock, pace: Duration, seed: u64| {
        let plan = Plan {
            games,
            variant: "mixed".to_owned(),
            clock,
            pace: GameSpeed::Every(pace),
            most_plies: 300,
            seed,
            roams: true,
        };
        LoadGenerator::new(plan, places.clone())
    };
    let seed = arguments.seed;
    let pace = Duration::from_secs_f64(arguments.games as f64 / arguments.rate);
    let long = club(arguments.games, LONG_TIME_CONTROL, pace, seed);
    let short = club(
        arguments.short,
        SHORT_TIME_CONTROL,
        Duration::from_millis(900),
        !seed,
    );
    long.begin();
    short.begin();
    long.seated(Duration::from_secs(60)).await?;
    for number in 0..arguments.spectators {
        tokio::task::spawn_local(watch::watch(Rc::clone(&long), number));
    }
    let mut luck = fastrand::Rng::with_seed(seed);
    let mut faults: BTreeMap<String, usize> = BTreeMap::new();
    if let Some(lie) = arguments.lying {
        lie.begin(&nodes.services).await?;
    }
    let begun = Instant::now();
    let mut next = 0;
    while begun.elapsed() < Duration::from_secs(arguments.seconds) {
        sleep(Duration::from_millis(
            luck.u64(100..arguments.rest.max(101)),
        ))
        .await;
        if arguments.lying.is_some() {
            continue;
        }
        if arguments.rolling {
            nodes.end(next % NODE_COUNT, false).await?;
            nodes.start(next % NODE_COUNT).await?;
            next += 1;
            *faults.entry("restarts".to_owned()).or_default() += 1;
            continue;
        }
        let fault = Fault::draw(&mut luck, NODE_COUNT, can_skew());
        println!("{:7.1} s: {fault}", begun.elapsed().as_secs_f64());
        fault
            .happen(nodes)
            .await
            .with_context(|| fault.to_string())?;
        *faults.entry(format!("{:?}", fault.kind)).or_default() += 1;
    }
    let stuck = long.goes_on(RECOVERY_TIMEOUT).await;
    println!(
        "{} games do not go on when nothing fails any more",
        stuck.len()
    );
    long.end().await;
    short.end().await;
    // What is checked is what is kept, and not what a node remembers.
    for node in 0..NODE_COUNT {
        nodes.end(node, false).await?;
        nodes.start(node).await?;
    }
    let mut findings = long.check(true, Time::Ours).await?;
    let flags = short.check(true, Time::Ours).await?;
    println!(
        "short clocks: {} games, {} moves kept, flags fell in {}, endings {:?}",
        flags.games, flags.moves, flags.flags, flags.endings
    );
    findings.violations.extend(flags.violations);
    findings.violations.extend(stuck);
    let judged = long.judge(&arguments.server, folder.path()).await?;
    findings.violations.extend(judged);
    let (tally, other) = (long.tally.take(), short.tally.take());
    println!(
        "seed {seed}: {} faults {faults:?}; {} commands granted, {} of them after a lost answer, refusals {:?}; \
         connections broken: {}; told to spectators: {}",
        faults.values().sum::<usize>(),
        tally.granted + other.granted,
        tally.repeated + other.repeated,
        tally.refusals,
        tally.broken + other.broken,
        tally.watched
    );
    println!("from sending to the answer: {}", tally.answered);
    let concluded = conclude(&long, &findings, folder);
    Ok(match arguments.lying {
        Some(lie) => lie.conclude(findings.violations.len()),
        None => concluded,
    })
}
