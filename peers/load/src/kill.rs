//! `load kill`: the server is killed under load at random moments and started again on the same store.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use tokio::time::sleep;

use crate::check::{ClockHold, Journal, TOLERANCE_MILLIS};
use crate::club::{GameSpeed, LoadGenerator, Plan, Time};
use crate::folder::TempDir;
use crate::net::NodeAddress;
use crate::play::{LONG_TIME_CONTROL, conclude};
use crate::record::wall;
use crate::server::Program;
use crate::tables::journal;

/// One round in so many has an outage that is long enough to be given back.
const LONG_OUTAGE_EVERY: usize = 10;
/// How long such an outage is, in milliseconds: the server's threshold and its beat, and some more.
const LONG_OUTAGE_MILLIS: std::ops::Range<u64> = 4_200..5_500;
/// How long games may take to go on.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(15);

#[derive(Args)]
pub struct Arguments {
    /// The program
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// How often it is killed
    #[arg(long, default_value_t = 200)]
    rounds: usize,

    /// Games at once
    #[arg(long, default_value_t = 50)]
    games: usize,

    /// Moves per second of all games together
    #[arg(long, default_value_t = 1000.0)]
    rate: f64,

    /// After how many plies a player resigns
    #[arg(long, default_value_t = 300)]
    plies: usize,

    /// For the moves and the moments of the kills
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Kills and checks.
pub async fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut folder = TempDir::new()?;
    let mut luck = fastrand::Rng::with_seed(arguments.seed);
    let program = Program::new(&arguments.server, folder.path().join("data"))?;
    let pace = GameSpeed::Every(Duration::from_secs_f64(
        arguments.games as f64 / arguments.rate,
    ));
    let club = LoadGenerator::new(
        Plan {
            games: arguments.games,
            variant: "mixed".to_owned(),
            clock: LONG_TIME_CONTROL,
            pace,
            most_plies: arguments.plies,
            seed: arguments.seed,
            roams: false,
        },
        vec![program.listen],
    );
    let mut server = program.start().await?;
    club.begin();
    club.seated(Duration::from_secs(60)).await?;
    let mut violations = Vec::new();
    let mut outages = Vec::new();
    for round in 1..=arguments.rounds {
        sleep(Duration::from_millis(luck.u64(50..800))).await;
        server.kill().await?;
        let killed = wall();
        // Whoever reads his socket to the end knows what was acknowledged before the kill.
        club.close(true);
        sleep(Duration::from_millis(20)).await;
        if round % LONG_OUTAGE_EVERY == 0 {
            sleep(Duration::from_millis(luck.u64(LONG_OUTAGE_MILLIS))).await;
        }
        server = program.start().await?;
        if round % LONG_OUTAGE_EVERY == 0 {
            outages.push((killed, wall()));
        }
        let findings = club.check(false, Time::Ours).await?;
        let found = findings.violations.len();
        violations.extend(findings.violations);
        club.close(false);
        if round % 10 == 0 || found > 0 {
            let tally = club.tally.borrow();
            println!(
                "round {round}: {} granted, {} of them found again after a lost answer, {} games ended, {found} violations",
                tally.granted, tally.repeated, tally.ended
            );
        }
        if found > 0 {
            break;
        }
    }
    let stuck = club.goes_on(RECOVERY_TIMEOUT).await;
    println!("{} games do not go on after the last restart", stuck.len());
    violations.extend(stuck);
    club.end().await;
    let mut findings = club.check(true, Time::Ours).await?;
    let credit = credit(&club, &outages).await?;
    for line in &credit.lines {
        println!("{line}");
    }
    findings.violations.extend(credit.wrong);
    findings
        .violations
        .extend(club.judge(&arguments.server, folder.path()).await?);
    findings.violations.extend(program.panics());
    findings.violations.extend(violations);
    server.stop().await?;
    let tally = club.tally.take();
    println!(
        "{} × kill -9, seed {}: {} commands granted, {} of them after a lost answer, refusals: {:?}",
        arguments.rounds, arguments.seed, tally.granted, tally.repeated, tally.refusals
    );
    Ok(conclude(&club, &findings, &mut folder))
}

/// What was given back of outages.
#[derive(Default)]
pub struct OutageCredit {
    /// A sentence for each outage.
    pub lines: Vec<String>,
    /// Those of which too little was given back.
    pub wrong: Vec<String>,
}

/// What was given back of these outages, in the games that went on through them.
pub async fn credit(club: &LoadGenerator, outages: &[(u64, u64)]) -> anyhow::Result<OutageCredit> {
    let way = NodeAddress::new(club.node(0), 0);
    let records = club.records.borrow().clone();
    // For each outage, what was not given back in each game that went on through it.
    let mut lost: Vec<Vec<u64>> = vec![Vec::new(); outages.len()];
    for record in records {
        let game = record.borrow().game.clone();
        let Ok(journal) = Journal::read(&journal(&way, &game).await?) else {
            continue;
        };
        let (Some((first, last)), held) = (journal.played(), journal.held()) else {
            continue;
        };
        for (&(from, until), lost) in outages.iter().zip(&mut lost) {
            // The clocks ran if there were moves before it and after it.
            if first < from && last > until {
                let covered: u64 = held.iter().map(|held| overlap(held, from, until)).sum();
                lost.push((until - from).saturating_sub(covered));
            }
        }
    }
    let mut credit = OutageCredit::default();
    for (&(from, until), lost) in outages.iter().zip(&lost) {
        let most = lost.iter().max().copied().unwrap_or(0);
        let least = lost.iter().min().copied().unwrap_or(0);
        let text = format!(
            "of an outage of {} ms, between {least} and {most} ms were not given back in {} games",
            until - from,
            lost.len()
        );
        if most > TOLERANCE_MILLIS {
            credit.wrong.push(text.clone());
        }
        credit.lines.push(text);
    }
    Ok(credit)
}

fn overlap(held: &ClockHold, from: u64, until: u64) -> u64 {
    held.until.min(until).saturating_sub(held.from.max(from))
}
