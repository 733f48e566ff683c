//! Evil servers for `touchmove join` and `host --at`: escapes in everything that they say, answers that never
//! end, are deep, slow or lead elsewhere, floods, and ears for tokens that are not theirs. What the program must have
//! come to see of each stands beside it: an attack that reaches nobody has failed.

use std::ffi::OsString;
use std::time::Duration;

use crate::Plan;
use crate::evil_line::{MAX_MESSAGE_BYTES, Told, listen};
use crate::evil_talk::{LAST, REFUSAL};
use crate::harm::harm;
use crate::process::{Launch, Run};
use crate::report::Report;

/// How long the program may take to give up.
pub const PATIENCE: Duration = Duration::from_secs(40);
/// How long what harms nobody may take to be shown.
const STAY: Duration = Duration::from_secs(8);
/// How long a flood goes on.
const FLOOD_TIME: Duration = Duration::from_secs(3);
/// The most memory that it may take.
const MAX_MEMORY: u64 = 200 << 20;
/// The most tables that somebody is led to one after another without having wished for it.
const MAX_TABLES: usize = 5;
/// A token that no stranger may see.
const TOKEN: &str = "tm_attacktokenattacktokenattack";

/// How a server is evil.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evil {
    /// A refusal with this status and evil sentences.
    Error(u16),
    /// The same with a status line that is evil too.
    ErrorLine,
    Redirect,
    EndlessBody,
    EndlessHead,
    DeepJson,
    Slow,
    Garbage,
    Silent,
    /// A table whose socket is refused.
    Table,
    /// A table where everything that is said is evil.
    Socket,
    /// One where what is said makes no sense in the end.
    Nonsense,
    /// One that closes the line with an evil reason.
    Close,
    Truncated,
    /// Messages with very many values between these two, again and again.
    Costly(&'static str, &'static str),
    /// A journal with a line like that.
    CostlyJournal,
    /// Pings without a pause, whose answers are never read.
    Pings,
    /// Another game at every table, and so on; each of them is over, or goes on.
    Rematches(bool),
}

const ALL: &[Evil] = &[
    Evil::Error(403),
    Evil::Error(500),
    Evil::Error(429),
    Evil::ErrorLine,
    Evil::Redirect,
    Evil::EndlessBody,
    Evil::EndlessHead,
    Evil::DeepJson,
    Evil::Garbage,
    Evil::Table,
    Evil::Socket,
    Evil::Nonsense,
    Evil::Close,
    Evil::Truncated,
    Evil::Costly(r#"{"v":1,"type":"weather","x":["#, "0]}"),
    Evil::Costly(r#"{"v":1,"type":"answer","accepted":false,"x":["#, "0]}"),
    DECIDED,
    Evil::CostlyJournal,
    Evil::Pings,
    Evil::Rematches(false),
    Evil::Rematches(true),
];
/// This message ends the visit: nothing is said after it.
pub const DECIDED: Evil = Evil::Costly(
    r#"{"v":1,"type":"decided","state":{"seq":1,"at":0},"events":[{"v":1,"seq":1,"x":["#,
    "0]}]}",
);

/// How somebody comes to a server; `{}` stands for its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Plain,
    Json,
    Host,
    Screen,
}

impl Way {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Way::Plain => &["join", "{}/Ab3dE6gH", "--plain"],
            Way::Json => &["join", "{}/Ab3dE6gH", "--json"],
            Way::Host => &["host", "--at", "{}", "--plain"],
            Way::Screen => &["join", "{}/Ab3dE6gH"],
        }
    }
}

impl Evil {
    /// What must have been shown.
    fn mark(self, way: Way) -> Option<&'static str> {
        match self {
            // The program hangs up on these, and need not tell what else they have said.
            Evil::Error(_) | Evil::Table => Some(REFUSAL),
            // Who wants the texts only reads no journal.
            Evil::CostlyJournal if way != Way::Json => None,
            Evil::Socket
            | Evil::Nonsense
            | Evil::Close
            | Evil::Costly(..)
            | Evil::CostlyJournal
            | Evil::Pings
            | Evil::Rematches(_) => Some(LAST),
            _ => None,
        }
    }

    /// How many bytes the program must have taken at least.
    fn least_bytes(self, way: Way) -> usize {
        match self {
            Evil::EndlessBody => MAX_MESSAGE_BYTES,
            Evil::DeepJson => 1_000_000,
            Evil::EndlessHead => 50_000,
            Evil::CostlyJournal if way != Way::Json => MAX_MESSAGE_BYTES - 2_000,
            Evil::Costly(..) => MAX_MESSAGE_BYTES,
            Evil::Pings => 1 << 20,
            Evil::Silent => 0,
            _ => 10,
        }
    }

    /// Whether the program is kept there for a while, whatever it has seen.
    fn is_flood(self) -> bool {
        matches!(self, Evil::Pings | Evil::Rematches(_) | Evil::Costly(..))
    }
}

/// Lets the program come to each of them, two at a time.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let slow = [Evil::Slow, Evil::Silent];
    let mut most = 0;
    let all = ALL.iter().chain(slow.iter().filter(|_| plan.is_long));
    let all: Vec<Evil> = all.copied().collect();
    for pair in all.chunks(2) {
        let (one, two) = tokio::join!(visits(plan, pair.first()), visits(plan, pair.get(1)));
        for (evil, visit) in one?.into_iter().chain(two?) {
            most = most.max(visit.run.peak_memory);
            judge(evil, &visit, report);
        }
    }
    report.note(format!(
        "the program had {} MB of memory at most",
        most >> 20
    ));
    Ok(())
}

/// Brings the program to such a server in every way at once.
async fn visits(plan: &Plan, evil: Option<&Evil>) -> anyhow::Result<Vec<(Evil, Visit)>> {
    let Some(&evil) = evil else {
        return Ok(Vec::new());
    };
    let (plain, json, host, screen) = tokio::join!(
        visit(plan, evil, Way::Plain),
        visit(plan, evil, Way::Json),
        visit(plan, evil, Way::Host),
        visit(plan, evil, Way::Screen),
    );
    let all = [plain, json, host, screen].into_iter();
    all.map(|visit| Ok((evil, visit?))).collect()
}

/// What became of a visit.
struct Visit {
    way: Way,
    run: Run,
    told: Told,
}

/// Brings the program to a server that is evil in this way.
async fn visit(plan: &Plan, evil: Evil, way: Way) -> anyhow::Result<Visit> {
    let (server, told) = listen(evil).await?;
    let url = format!("http://{server}");
    let words = way.arguments().iter();
    let arguments: Vec<OsString> = words.map(|word| word.replace("{}", &url).into()).collect();
    let home = plan.folder.join(format!("evil-{way:?}-{}", server.port()));
    std::fs::create_dir_all(&home)?;
    let launch = Launch {
        program: &plan.program,
        arguments: &arguments,
        home: &home,
        input: b"board\nmoves\nsay hello\ne4\n",
        stays: if evil.is_flood() { FLOOD_TIME } else { STAY },
        until: evil.mark(way).filter(|_| !evil.is_flood()),
        environment: &[
            ("TOUCHMOVE_TOKEN", TOKEN.into()),
            ("TOUCHMOVE_TOKEN_ORIGIN", "https://chess.example".into()),
        ],
        patience: PATIENCE,
        max_memory: MAX_MEMORY,
        has_terminal: way == Way::Screen,
    };
    let run = launch.run().await?;
    let told = told.take();
    Ok(Visit { way, run, told })
}

/// Says what was wrong with a visit.
fn judge(evil: Evil, visit: &Visit, report: &mut Report) {
    let Visit { way, run, told } = visit;
    report.count(1);
    let evil_name: String = format!("{evil:?}").chars().take(60).collect();
    let what = format!("{evil_name}: touchmove {}", way.arguments().join(" "));
    let output = run.output();
    if run.peak_memory > MAX_MEMORY {
        let peak = run.peak_memory >> 20;
        report.fail(&format!("{what}: {peak} MB of memory"), b"");
        // It was ended for that.
        return;
    }
    if run.is_late {
        report.fail(&format!("{what}: did not end within {PATIENCE:?}"), b"");
    } else if !matches!(run.code, Some(0..=2)) && !run.is_told {
        report.fall(&format!("{what}: exit code {:?}", run.code), &output);
    }
    if run.shows("panicked at") {
        report.fall(&format!("{what}: it panicked"), &output);
    }
    for channel in [&run.out, &run.err] {
        if let Some(harm) = harm(channel, *way == Way::Screen) {
            report.fail(&format!("{what}: {harm}"), channel);
        }
    }
    if told.heard.contains(TOKEN) {
        report.fail(&format!("{what}: a token for another server was sent"), b"");
    }
    if told.tables > MAX_TABLES {
        let tables = told.tables;
        report.fail(&format!("{what}: it was led to {tables} tables"), b"");
    }
    // The signs that it was reached.
    if !told.heard.contains("/v1/tables") {
        report.fail(&format!("{what}: it has not asked for a table"), &output);
    }
    if told.bytes < evil.least_bytes(*way) {
        let bytes = told.bytes;
        report.fail(&format!("{what}: it has taken {bytes} bytes only"), &output);
    }
    if let Some(mark) = evil.mark(*way).filter(|mark| !run.shows(mark)) {
        report.fail(&format!("{what}: {mark} was not shown"), &output);
    }
}
