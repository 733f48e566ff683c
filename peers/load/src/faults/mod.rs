//! `load faults`: everything but the power fails, once, while games are played; then all of it is checked.

mod cut;
mod disk;
mod time;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::check::Clock;
use crate::club::{GameSpeed, LoadGenerator, Plan, Time};
use crate::folder::TempDir;
use crate::kill::credit;
use crate::play::LONG_TIME_CONTROL;
use crate::server::{Program, Server};

/// How long games may take to go on.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Args)]
pub struct Arguments {
    /// The program
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// Games at once
    #[arg(long, default_value_t = 20)]
    games: usize,

    /// For how many seconds the server is stopped
    #[arg(long, default_value_t = 30)]
    stop: u64,

    /// Only these faults
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<ServerFault>,

    /// For everything that is left to luck
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ServerFault {
    /// The disk is full, and has room again
    DiskFull,
    /// The store cannot be written, and can again
    ReadOnly,
    /// The process is stopped by SIGSTOP while clocks run
    Stop,
    /// The clock of the machine is set back by an hour
    SetBack,
    /// Clients are cut off in the middle of a message
    Cut,
}

/// What became of it.
struct Report {
    lines: Vec<String>,
    violations: Vec<String>,
}

/// Lets everything fail in turn.
pub async fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut failed = 0;
    for &fault in ServerFault::value_variants() {
        if !arguments.only.is_empty() && !arguments.only.contains(&fault) {
            continue;
        }
        println!("{fault:?}");
        let mut folder = TempDir::new()?;
        let report = match fault {
            ServerFault::DiskFull => disk::full(arguments, &folder).await,
            ServerFault::ReadOnly => disk::read_only(arguments, &folder).await,
            ServerFault::Stop => time::stopped(arguments, &folder).await,
            ServerFault::SetBack => time::set_back(arguments, &folder).await,
            ServerFault::Cut => cut::cut_off(arguments, &folder).await,
        };
        let report = report.unwrap_or_else(|error| Report {
            lines: Vec::new(),
            violations: vec![format!("it could not be tried to the end: {error:#}")],
        });
        for line in &report.lines {
            println!("  {line}");
        }
        for violation in report.violations.iter().take(10) {
            println!("  VIOLATION: {violation}");
        }
        println!("  {} violations", report.violations.len());
        if !report.violations.is_empty() {
            failed += 1;
            folder.keep();
        }
    }
    Ok(match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// A server under a light load, to which something will happen.
struct Trial {
    program: Program,
    server: Server,
    club: Rc<LoadGenerator>,
    lines: Vec<String>,
    violations: Vec<String>,
}

impl Trial {
    async fn begin(
        arguments: &Arguments,
        data: PathBuf,
        clock: Clock,
        environment: Vec<(String, String)>,
    ) -> anyhow::Result<Trial> {
        let mut program = Program::new(&arguments.server, data)?;
        program.environment = environment;
        let server = program.start().await?;
        let plan = Plan {
            games: arguments.games,
            variant: "mixed".to_owned(),
            clock,
            pace: GameSpeed::Every(Duration::from_millis(100)),
            most_plies: 2_000,
            seed: arguments.seed,
            roams: false,
        };
        let club = LoadGenerator::new(plan, vec![program.listen]);
        club.begin();
        club.seated(Duration::from_secs(30)).await?;
        Ok(Trial {
            program,
            server,
            club,
            lines: Vec::new(),
            violations: Vec::new(),
        })
    }

    fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn granted(&self) -> u64 {
        self.club.tally.borrow().granted
    }

    fn refused(&self, reason: &str) -> u64 {
        let tally = self.club.tally.borrow();
        tally.refusals.get(reason).copied().unwrap_or(0)
    }

    /// Sees that every game goes on.
    async fn goes_on(&mut self) {
        let stuck = self.club.goes_on(RECOVERY_TIMEOUT).await;
        self.violations.extend(stuck);
    }

    /// Kills the server and starts it again.
    async fn restart(mut self) -> anyhow::Result<Trial> {
        self.server.kill().await?;
        self.server = self.program.start().await?;
        Ok(self)
    }

    /// Everybody leaves, and everything is checked. These outages are nobody's time.
    async fn end(
        mut self,
        time: Time,
        outages: &[(u64, u64)],
        folder: &Path,
    ) -> anyhow::Result<Report> {
        self.goes_on().await;
        self.club.end().await;
        let findings = self.club.check(true, time).await?;
        self.violations.extend(findings.violations);
        let credit = credit(&self.club, outages).await?;
        self.lines.extend(credit.lines);
        self.violations.extend(credit.wrong);
        let judged = self.club.judge(&self.program.path, folder).await?;
        self.violations.extend(judged);
        self.violations.extend(self.program.panics());
        self.lines.push(format!(
            "{} games, {} moves kept, {} commands granted, {} of them after a lost answer, refusals {:?}, connections broken: {}, endings {:?}",
            findings.games,
            findings.moves,
            findings.granted,
            self.club.tally.borrow().repeated,
            self.club.tally.borrow().refusals,
            self.club.tally.borrow().broken,
            findings.endings
        ));
        if findings.flags > 0 {
            self.violations
                .push(format!("flags fell in {} games", findings.flags));
        }
        self.server.stop().await?;
        Ok(Report {
            lines: self.lines,
            violations: self.violations,
        })
    }
}

/// A trial with clocks with which nobody runs out of time.
async fn plain(arguments: &Arguments, data: PathBuf) -> anyhow::Result<Trial> {
    Trial::begin(arguments, data, LONG_TIME_CONTROL, Vec::new()).await
}
