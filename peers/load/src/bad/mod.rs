//! `load bad`: bad clients come while others play. What they are answered is printed, and whether anybody
//! else was slowed.

mod crowd;
mod forgery;
mod nonsense;

use std::cell::Cell;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use tokio::time::{sleep, timeout};

use crate::club::{Club, Pace, Plan, Time};
use crate::folder::Folder;
use crate::measure::{Tally, millis};
use crate::net::Way;
use crate::play::{CLOCK, conclude};
use crate::server::{Program, Server};
use crate::socket::Socket;
use crate::tables::{self, Sitter, live};

/// Nobody is slowed by less than this, whatever the ratio.
const NOTICEABLE: Duration = Duration::from_millis(5);

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
struct Hall {
    server: Server,
    seconds: u64,
    count: Cell<usize>,
}

/// A table of the bad clients themselves.
struct Den {
    game: String,
    ways: [Way; 2],
    secrets: [String; 2],
}

impl Hall {
    /// The way of somebody who has not come before.
    fn way(&self) -> Way {
        let number = self.count.get();
        self.count.set(number + 1);
        Way::new(self.server.address, number)
    }

    /// A new table.
    async fn den(&self) -> anyhow::Result<Den> {
        let ways = [self.way(), self.way()];
        let count = self.count.get();
        let secrets = ["white", "black"].map(|side| format!("guest_den{count:020}{side}"));
        let [white, black] = [0, 1].map(|side| Sitter {
            way: &ways[side],
            secret: &secrets[side],
        });
        let game = tables::open(white, black, r#"{"time":"30+30"}"#).await?;
        Ok(Den {
            game,
            ways,
            secrets,
        })
    }
}

impl Den {
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
        match timeout(Duration::from_secs(5), socket.hear()).await {
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
    let mut folder = Folder::new()?;
    let program = Program::new(&arguments.server, folder.path().join("data"))?;
    let hall = Hall {
        server: program.start().await?,
        seconds: arguments.seconds,
        count: Cell::new(30_000),
    };
    let plan = Plan {
        games: arguments.games,
        variant: "mixed".to_owned(),
        clock: CLOCK,
        pace: Pace::Every(Duration::from_secs_f64(
            arguments.games as f64 / arguments.rate,
        )),
        most_plies: 300,
        seed: arguments.seed,
        roams: false,
    };
    let club = Club::new(plan, vec![program.listen]);
    club.begin();
    club.seated(Duration::from_secs(60)).await?;
    sleep(Duration::from_secs(2)).await;

    let mut failed = 0;
    for &attack in Attack::value_variants() {
        if !arguments.only.is_empty() && !arguments.only.contains(&attack) {
            continue;
        }
        failed += endure(&hall, &club, attack, arguments.rounds.max(1)).await?;
    }
    club.end().await;
    let mut findings = club.check(true, Time::Ours).await?;
    findings.violations.extend(program.panics());
    println!("server: {} MiB", hall.server.memory()? / (1 << 20));
    hall.server.stop().await?;
    let code = conclude(&club, &findings, &mut folder);
    println!("{failed} answers or times of bad clients were wrong");
    Ok(match failed {
        0 => code,
        _ => ExitCode::FAILURE,
    })
}

/// What others saw during some time, and what the server took for it.
#[derive(Default)]
struct Span {
    tally: Tally,
    cpu: Duration,
    took: Duration,
}

impl Span {
    /// Adds what has happened since this moment, when the server had used so much.
    fn add(&mut self, hall: &Hall, club: &Club, since: (Instant, Duration)) -> anyhow::Result<()> {
        let tally = club.tally.take();
        self.tally.answered.extend(&tally.answered);
        self.tally.told.extend(&tally.told);
        self.tally.granted += tally.granted;
        self.tally.broken += tally.broken;
        self.cpu += hall.server.cpu()?.saturating_sub(since.1);
        self.took += since.0.elapsed();
        Ok(())
    }

    /// The share of one core that the server had.
    fn share(&self) -> f64 {
        self.cpu.as_secs_f64() / self.took.as_secs_f64().max(1e-6)
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} moves, p50 {}, p99 {} to the answer, p99 {} to the opponent, {:.1} % of one core",
            self.tally.granted,
            millis(self.tally.answered.within(500)),
            millis(self.tally.answered.within(990)),
            millis(self.tally.told.within(990)),
            self.share() * 100.0
        )
    }
}

/// Lets one kind in, in turns with quiet times: a disk that is slow for a while is slow for both. Says how
/// many things were wrong.
async fn endure(hall: &Hall, club: &Club, attack: Attack, rounds: u32) -> anyhow::Result<usize> {
    let (mut without, mut with) = (Span::default(), Span::default());
    let mut outcome = Outcome::default();
    let mut count = 0;
    for _ in 0..rounds {
        for is_quiet in [true, false] {
            club.tally.take();
            let since = (Instant::now(), hall.server.cpu()?);
            if !is_quiet {
                outcome = attempt(hall, attack).await.unwrap_or_else(|error| Outcome {
                    wrong: vec![format!("it could not be tried to the end: {error:#}")],
                    ..Outcome::default()
                });
                count += outcome.count;
            }
            sleep(Duration::from_secs(hall.seconds).saturating_sub(since.0.elapsed())).await;
            match is_quiet {
                true => without.add(hall, club, since)?,
                false => with.add(hall, club, since)?,
            }
        }
        if !outcome.wrong.is_empty() {
            break;
        }
    }
    let p99 = |span: &Span| span.tally.answered.within(990);
    let ratio = p99(&with).as_secs_f64() / p99(&without).as_secs_f64().max(1e-6);
    outcome.must(
        ratio <= 2.0 || p99(&with) < NOTICEABLE,
        "others were slowed",
    );
    outcome.must(with.tally.broken == 0, "connections of others broke");
    println!("{attack:?}: p99 of the others {ratio:.2} × what it is without");
    println!("  without: {without}");
    println!("  with:    {with}");
    if count > 0 {
        let extra = (with.share() - without.share()).max(0.0) * with.took.as_secs_f64();
        println!(
            "  {count} were answered, about {:.0} µs of the server's CPU for each",
            extra / count as f64 * 1e6
        );
    }
    for line in &outcome.lines {
        println!("  {line}");
    }
    for wrong in &outcome.wrong {
        println!("  WRONG: {wrong}");
    }
    Ok(outcome.wrong.len())
}

/// Does it for as long as is measured. What takes less is done again.
async fn attempt(hall: &Hall, attack: Attack) -> anyhow::Result<Outcome> {
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
