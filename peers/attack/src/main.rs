//! The attack suite: it starts `touchmove` on loopback with temporary data, attacks it in every way that we
//! know and in random ones, and says what fell. It attacks only what it has started itself.

mod accounts;
mod archives;
mod bodies;
mod bus;
mod class;
mod commands;
mod engines;
mod evil_engine;
mod evil_files;
mod evil_line;
mod evil_server;
mod evil_talk;
mod expensive;
mod frames;
mod harm;
mod headers;
mod help;
mod kept;
mod lag;
mod limits;
mod long_games;
mod lost_messages;
mod malformed;
mod oauth;
mod payload;
mod process;
mod report;
mod rights;
mod routes;
mod target;
mod tries;
mod try_maker;
mod wire;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::{Parser, ValueEnum};
use tokio::task::LocalSet;
use touchmove_load::folder::TempDir;

use report::Report;

/// Attack a touchmove server and program that this command starts itself, on loopback only.
#[derive(Parser)]
#[command(name = "attack", version)]
struct Arguments {
    /// How much is tried
    form: Form,

    /// The program
    #[arg(
        long,
        value_name = "PROGRAM",
        default_value = "target/release/touchmove"
    )]
    server: PathBuf,

    /// For everything that is random
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many processors the server may use; without it, all
    #[arg(long)]
    cores: Option<usize>,

    /// Only these kinds
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Kind>,

    /// How many random requests and frames are sent instead of the usual number
    #[arg(long)]
    requests: Option<usize>,

    /// A file with the routes, for programs without `serve --routes`
    #[arg(long, value_name = "FILE")]
    routes: Option<PathBuf>,

    /// The most memory that the server may ever have had
    #[arg(long, value_name = "MB", default_value_t = 400)]
    max_memory: u64,

    /// What may be added to twice the usual p99 of honest players' moves
    #[arg(long, value_name = "MS", default_value_t = 5)]
    slack: u64,

    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    /// About two minutes, for every change
    Short,
    /// Everything, and more than 100,000 random requests
    Long,
}

/// The kinds of attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
enum Kind {
    /// Deep and wide bodies, queries and cookies at every route
    Bodies,
    /// Malformed HTTP
    Malformed,
    /// Malformed WebSocket frames
    Frames,
    /// Headers of answers, HTTP oddities, rights of files
    Headers,
    /// Expensive requests of one address while others play
    Expensive,
    /// Rate limits, connections, hosts
    Limits,
    /// Rights that end, seats and scopes of others, OAuth, planted cookies
    Rights,
    /// Forged, replayed, reordered and lost messages between nodes
    Bus,
    /// Evil servers for `join` and `host --at`
    EvilServers,
    /// Evil files, arguments, variables, engines and archives for every command
    Commands,
    /// Forty pupils behind one address
    Class,
}

/// What every attack needs to know.
struct Plan {
    program: PathBuf,
    folder: PathBuf,
    routes: Vec<routes::Route>,
    seed: u64,
    cores: Option<usize>,
    requests: usize,
    is_long: bool,
    max_memory: u64,
    slack: Duration,
}

fn main() -> ExitCode {
    // What the program under attack starts as an engine is this program too.
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, kind, heard] = words.as_slice()
        && first == evil_engine::ARGUMENT
    {
        // Who started it may stop to listen at any time.
        let _ = evil_engine::run(kind, Path::new(heard));
        return ExitCode::SUCCESS;
    }
    let arguments = Arguments::parse();
    run(&arguments).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    touchmove_load::more_files();
    let mut folder = TempDir::new()?;
    let is_long = arguments.form == Form::Long;
    let program = std::path::absolute(&arguments.server)?;
    let plan = Plan {
        routes: routes::read(&program, arguments.routes.as_deref())?,
        program,
        folder: folder.path().to_owned(),
        seed: arguments.seed,
        cores: arguments.cores,
        requests: arguments
            .requests
            .unwrap_or(if is_long { 120_000 } else { 6_000 }),
        is_long,
        max_memory: arguments.max_memory << 20,
        slack: Duration::from_millis(arguments.slack),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("no runtime")?;
    let report = LocalSet::new().block_on(&runtime, attack(&plan, &arguments.only));
    match arguments.json {
        true => println!("{}", report.json(&plan)),
        false => report.print(&plan),
    }
    if report.is_clean() {
        return Ok(ExitCode::SUCCESS);
    }
    folder.keep();
    Ok(ExitCode::FAILURE)
}

/// Tries one kind after the other. A kind that cannot be tried to its end is a failure.
async fn attack(plan: &Plan, only: &[Kind]) -> Report {
    let mut report = Report::default();
    for &kind in Kind::value_variants() {
        if !only.is_empty() && !only.contains(&kind) {
            continue;
        }
        let begun = Instant::now();
        report.begin(kind);
        let tried = match kind {
            Kind::Bodies => bodies::attack(plan, &mut report).await,
            Kind::Malformed => malformed::attack(plan, &mut report).await,
            Kind::Frames => frames::attack(plan, &mut report).await,
            Kind::Headers => headers::attack(plan, &mut report).await,
            Kind::Expensive => expensive::attack(plan, &mut report).await,
            Kind::Limits => limits::attack(plan, &mut report).await,
            Kind::Rights => rights::attack(plan, &mut report).await,
            Kind::Bus => bus::attack(plan, &mut report).await,
            Kind::EvilServers => evil_server::attack(plan, &mut report).await,
            Kind::Commands => commands::attack(plan, &mut report).await,
            Kind::Class => class::attack(plan, &mut report).await,
        };
        if let Err(error) = tried {
            report.fail(&format!("it could not be tried to the end: {error:#}"), b"");
        }
        report.end(begun.elapsed());
    }
    report
}
