//! `load bad`: bad clients come while others play. What they are answered is printed, and whether anybody
//! else was slowed.

mod crowd;
mod forgery;
mod nonsense;
mod others;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use tokio::time::{sleep, timeout};

use crate::club::{GameSpeed, LoadGenerator, Plan, Time};
use crate::folder::TempDir;
use crate::net::NodeAddress;
use crate::play::{LONG_TIME_CONTROL, conclude};
use crate::server::{Program, Server};
use crate::socket::Socket;
use crate::tables::{self, SeatedPlayer, live};
use others::StallCounter;

#[derive(Args)]
pub struct Arguments {
    /// The program
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// Games of the others
    #[arg(long, default_value_t = 200)]
    games: usize,

    /// Moves per second of the others
    #[arg(long, default_value_t = 200.0)]
    rate: f64,

    /// How long the others are measured at a time, without and with each kind of bad client
    #[arg(long, default_value_t = 5)]
    seconds: u64,

    /// How often they are measured without and with each kind, in turns
    #[arg(long, default_value_t = 4)]
    rounds: u32,

    /// Only these
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Attack>,

    /// For everything that is left to luck
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What bad clients do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Attack {
    /// 500 requests that never end
    Slowloris,
    /// Names and messages of a million characters
    LongNames,
    /// Frames and bodies that are no UTF-8
    InvalidUtf8,
    /// JSON of the wrong shape
    WrongTypes,
    /// Illegal moves in one seat, as fast as they are answered
    IllegalMoves,
    /// Old commands, again and again
    Replays,
    /// Two windows of one player
    TwoTabs,
    /// Other people's seats
    ForgedSeats,
    /// Pages of other sites with the player's cookie
    CrossOrigin,
    /// Readers that never read
    NeverRead,
}

/// What became of an attack.
#[derive(Default)]
struct Outcome {
    /// What was answered.
    lines: Vec<String>,
    /// What should not have been.
    wrong: Vec<String>,
    /// How many things were asked for, where that is counted.
    count: usize,
}

impl Outcome {
    fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Notes something that must be so.
    fn must(&mut self, is_so: bool, otherwise: impl Into<String>) {
        if !is_so {
            self.wrong.push(otherwise.into());
        }
    }
}

/// The server with those who come to it.
struct AttackContext {
    server: Server,
    seconds: u64,
    count: AtomicUsize,
}

/// A table of the bad clients themselves.
struct AttackerTable {
    game: String,
    ways: [NodeAddress; 2],
    secrets: [String; 2],
}

impl AttackContext {
    /// The way of somebody who has not come before.
    fn way(&self) -> NodeAddress {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        NodeAddress::new(self.server.address, number)
    }

    /// A new table.
    async fn den(&self) -> anyhow::Result<AttackerTable> {
        let ways = [self.way(), self.way()];
        let count = self.count.load(Ordering::Relaxed);
        let secrets = ["white", "black"].map(|side| format!("guest_den{count:020}{side}"));
        let [white, black] = [0, 1].map(|side| SeatedPlayer {
            way: &ways[side],
            secret: &secrets[side],
        });
        let game = tables::open(white, black, r#"{"time":"30+30"}"#).await?;
        Ok(AttackerTable {
            game,
            ways,
            secrets,
        })
    }
}

impl AttackerTable {
    /// Comes to one of the seats.
    async fn come(&self, side: usize) -> anyhow::Result<Socket> {
        let secret = Some(self.secrets[side].as_str());
        Socket::open(&self.ways[side], &live(&self.game), secret).await
    }

    /// Comes and waits until everything is said that is said on coming.
    async fn sit(&self, side: usize) -> anyhow::Result<Socket> {
        let mut socket = self.come(side).await?;
        hear(&mut socket, "state").await;
        Ok(socket)
    }
}

/// The next message of this type, or how the connection ended.
async fn hear(socket: &mut Socket, kind: &str) -> String {
    let begins = format!(r#"{{"v":1,"type":"{kind}""#);
    loop {
        match timeout(Duration::from_secs(5), socket.receive()).await {
            Ok(Ok(text)) if text.starts_with(begins.as_bytes()) => {
                return String::from_utf8_lossy(&text).into_owned();
            }
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return format!("({error})"),
            Err(_) => return "(no answer within 5 s)".to_owned(),
        }
    }
}

/// A long answer, shortened.
fn short(text: &str) -> String {
    let text: String = text.chars().take(140).collect();
    text.replace('\n', " ")
}

/// Lets them all in, one kind after the other.
pub async fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut folder = TempDir::new()?;
    let program = Program::new(&arguments.server, folder.path().join("data"))?;
    let hall = Arc::new(AttackContext {
        server: program.start().await?,
        seconds: arguments.seconds,
        count: AtomicUsize::new(30_000),
    });
    let plan = Plan {
        games: arguments.games,
        variant: "mixed".to_owned(),
        clock: LONG_TIME_CONTROL,
        pace: GameSpeed::Every(Duration::from_secs_f64(
            arguments.games as f64 / arguments.rate,
        )),
        most_plies: 300,
        seed: arguments.seed,
        roams: false,
    };
    let club = LoadGenerator::new(plan, vec![program.listen]);
    club.begin();
    club.seated(Duration::from_secs(60)).await?;
    sleep(Duration::from_secs(2)).await;

    let standstills = StallCounter::begin();
    let mut failed = 0;
    for &attack in Attack::value_variants() {
        if !arguments.only.is_empty() && !arguments.only.contains(&attack) {
            continue;
        }
        failed +=
            others::endure(&hall, &club, &standstills, attack, arguments.rounds.max(1)).await?;
    }
    club.end().await;
    let mut findings = club.check(true, Time::Ours).await?;
    findings.violations.extend(program.panics());
    println!("server: {} MiB", hall.server.memory()? / (1 << 20));
    if let Some(hall) = Arc::into_inner(hall) {
        hall.server.stop().await?;
    }
    let code = conclude(&club, &findings, &mut folder);
    println!("{failed} answers or times of bad clients were wrong");
    Ok(match failed {
        0 => code,
        _ => ExitCode::FAILURE,
    })
}

/// Does it for as long as is measured. What takes less is done again.
async fn attempt(hall: &AttackContext, attack: Attack) -> anyhow::Result<Outcome> {
    let begun = Instant::now();
    let mut times = 0_u32;
    loop {
        let mut outcome = match attack {
            Attack::Slowloris => crowd::slowloris(hall).await,
            Attack::NeverRead => crowd::never_read(hall).await,
            Attack::LongNames => nonsense::long_names(hall).await,
            Attack::InvalidUtf8 => nonsense::invalid_utf8(hall).await,
            Attack::WrongTypes => nonsense::wrong_types(hall).await,
            Attack::IllegalMoves => nonsense::illegal_moves(hall).await,
            Attack::Replays => forgery::replays(hall).await,
            Attack::TwoTabs => forgery::two_tabs(hall).await,
            Attack::ForgedSeats => forgery::forged_seats(hall).await,
            Attack::CrossOrigin => forgery::cross_origin(hall).await,
        }?;
        times += 1;
        if begun.elapsed() > Duration::from_secs(hall.seconds) || !outcome.wrong.is_empty() {
            outcome.say(format!("done {times} times"));
            return Ok(outcome);
        }
        sleep(Duration::from_millis(50)).await;
    }
}
