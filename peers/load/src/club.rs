//! What all games of a run share: where to play, what, how fast, and what it adds up to. A club ends with
//! the check of everything that its players know.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::check::{Clock, Journal, Rules, TOLERANCE_MILLIS};
use crate::game::Game;
use crate::measure::Tally;
use crate::net::NodeAddress;
use crate::record::Record;
use crate::tables::journal;

/// The variants, in turns.
const VARIANTS: [&str; 4] = ["chess", "chess960", "atomic", "simple-atomic"];

/// How fast games are played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum GameSpeed {
    /// As soon as it is a player's turn.
    Flat,
    /// A move of each game in this time, give or take.
    Every(Duration),
}

/// How games are played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many at once.
    pub games: usize,
    /// A variant, or `mixed`.
    pub variant: String,
    /// The clocks.
    pub clock: Clock,
    /// How fast.
    pub pace: GameSpeed,
    /// After how many plies a player resigns.
    pub most_plies: usize,
    /// For everything that is left to luck.
    pub seed: u64,
    /// Whether players go to another node when theirs does not serve them.
    pub roams: bool,
}

/// The shared things.
pub struct LoadGenerator {
    /// The pace.
    pub pace: GameSpeed,
    /// The longest game.
    pub most_plies: usize,
    /// For everything that is left to luck.
    pub seed: u64,
    /// Whether players go to another node when theirs does not serve them.
    pub roams: bool,
    /// What was measured.
    pub tally: RefCell<Tally>,
    /// What the players of each game know.
    pub records: RefCell<Vec<Rc<RefCell<Record>>>>,
    /// Why players could not sit down, and how often.
    troubles: RefCell<BTreeMap<String, u64>>,
    plan: Plan,
    nodes: Vec<SocketAddr>,
    is_closed: Cell<bool>,
    is_quiet: Cell<bool>,
    games: RefCell<Vec<JoinHandle<()>>>,
}

/// The time that the server's journals are in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// That of this machine.
    Ours,
    /// That of another.
    Its,
    /// One that was set back, so that it goes on from the last sign of life when the server starts again.
    Shifted,
}

/// What may be missing from a time that was set back: the server's beat, and how long it takes to start.
const CLOCK_SHIFT_TOLERANCE: u64 = 2_000;

/// What the last check found.
#[derive(Default)]
pub struct Findings {
    /// Games that were looked at.
    pub games: usize,
    /// Commands that were granted.
    pub granted: usize,
    /// Moves in all journals.
    pub moves: usize,
    /// Events that players were told.
    pub told: usize,
    /// Games in which a flag fell.
    pub flags: usize,
    /// How the games ended.
    pub endings: BTreeMap<String, usize>,
    /// What is wrong.
    pub violations: Vec<String>,
}

impl LoadGenerator {
    /// A club that plays at these nodes.
    pub fn new(plan: Plan, nodes: Vec<SocketAddr>) -> Rc<LoadGenerator> {
        Rc::new(LoadGenerator {
            pace: plan.pace,
            most_plies: plan.most_plies,
            seed: plan.seed,
            roams: plan.roams,
            tally: RefCell::default(),
            records: RefCell::default(),
            troubles: RefCell::default(),
            plan,
            nodes,
            is_closed: Cell::new(false),
            is_quiet: Cell::new(false),
            games: RefCell::default(),
        })
    }

    /// The node for somebody with this number.
    pub fn node(&self, number: usize) -> SocketAddr {
        self.nodes[number % self.nodes.len()]
    }

    /// The terms of a game, as clients write them.
    pub fn terms(&self, number: usize) -> String {
        let variant = match self.plan.variant.as_str() {
            "mixed" => VARIANTS[number % VARIANTS.len()],
            variant => variant,
        };
        let Clock { base, increment } = self.plan.clock;
        let (minutes, seconds) = (base as f64 / 60_000.0, increment / 1000);
        format!(r#"{{"variant":"{variant}","time":"{minutes}+{seconds}"}}"#)
    }

    /// Whether nobody is to knock at the door now.
    pub fn is_closed(&self) -> bool {
        self.is_closed.get()
    }

    /// Keeps players from the door, or lets them come.
    pub fn close(&self, is_closed: bool) {
        self.is_closed.set(is_closed);
    }

    /// Whether nobody is to move.
    pub fn is_quiet(&self) -> bool {
        self.is_quiet.get()
    }

    /// Notes why somebody could not sit down.
    pub fn trouble(&self, error: &anyhow::Error) {
        let text = format!("{error:#}");
        let text: String = text.chars().take(160).collect();
        *self.troubles.borrow_mut().entry(text).or_default() += 1;
    }

    /// What players could not do apart from moves, with how often.
    pub fn troubles(&self) -> Vec<String> {
        let troubles = self.troubles.borrow();
        let lines = troubles
            .iter()
            .map(|(text, count)| format!("{count} × {text}"));
        lines.collect()
    }

    /// Begins all games.
    pub fn begin(self: &Rc<LoadGenerator>) {
        let mut games = self.games.borrow_mut();
        for number in 0..self.plan.games {
            let game = Game::new(self, number);
            games.push(tokio::task::spawn_local(game.play()));
        }
    }

    /// Waits until everybody sits, or says why not.
    pub async fn seated(&self, within: Duration) -> anyhow::Result<()> {
        let begun = Instant::now();
        loop {
            let playing = {
                let records = self.records.borrow();
                let playing = |record: &&Rc<RefCell<Record>>| !record.borrow().granted.is_empty();
                records.iter().filter(playing).count()
            };
            if playing >= self.plan.games {
                return Ok(());
            }
            if begun.elapsed() > within {
                let troubles = self.troubles().join("; ");
                bail!(
                    "only {playing} of {} games are played: {troubles}",
                    self.plan.games
                );
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Sees that every game that is not over goes on, or says which does not.
    pub async fn goes_on(&self, within: Duration) -> Vec<String> {
        let granted: Vec<usize> = {
            let records = self.records.borrow();
            records
                .iter()
                .map(|record| record.borrow().granted.len())
                .collect()
        };
        let begun = Instant::now();
        loop {
            let stuck: Vec<String> = {
                let records = self.records.borrow();
                let waiting = records.iter().zip(&granted).filter(|(record, before)| {
                    let record = record.borrow();
                    !record.has_ended && record.granted.len() == **before
                });
                let stuck =
                    waiting.map(|(record, _)| format!("game {} is stuck", record.borrow().game));
                stuck.collect()
            };
            if stuck.is_empty() || begun.elapsed() > within {
                return stuck;
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Moves end, what was sent is answered, and everybody leaves.
    pub async fn end(&self) {
        self.is_quiet.set(true);
        sleep(Duration::from_secs(1)).await;
        for game in self.games.take() {
            game.abort();
            let _ = game.await;
        }
    }

    /// Holds the server's journals against what the players know: those of games that are not over, or all.
    pub async fn check(&self, all: bool, time: Time) -> anyhow::Result<Findings> {
        let rules = Rules {
            clock: self.plan.clock,
            on_the_wall: time == Time::Ours,
            between: match time {
                Time::Ours | Time::Its => TOLERANCE_MILLIS,
                Time::Shifted => CLOCK_SHIFT_TOLERANCE,
            },
        };
        let way = NodeAddress::new(self.node(0), 0);
        let mut findings = Findings::default();
        let records: Vec<Rc<RefCell<Record>>> = self.records.borrow().clone();
        for record in records {
            if record.borrow().has_ended && !all {
                continue;
            }
            let game = record.borrow().game.clone();
            let text = journal(&way, &game).await;
            let record = record.borrow();
            findings
                .violations
                .extend(record.violations.iter().cloned());
            findings.games += 1;
            findings.granted += record.granted.len();
            findings.told += record.told.iter().map(Vec::len).sum::<usize>();
            let text = text.map_err(|error| error.to_string());
            match text.and_then(|text| Journal::read(&text)) {
                Ok(journal) => {
                    findings.moves += journal.moves();
                    findings.flags += usize::from(journal.has_flag());
                    if let Some(ending) = journal.ending() {
                        *findings.endings.entry(ending.to_owned()).or_default() += 1;
                    }
                    findings.violations.extend(journal.check(&record, &rules));
                }
                Err(error) => findings.violations.push(format!("game {game}: {error}")),
            }
        }
        Ok(findings)
    }

    /// Asks the arbiter of this program whether every journal is right by its laws. That a position was dead is
    /// found out while the players think: who moves every few milliseconds may have moved on by then.
    pub async fn judge(&self, program: &Path, folder: &Path) -> anyhow::Result<Vec<String>> {
        let way = NodeAddress::new(self.node(0), 0);
        let mut wrong = Vec::new();
        let records: Vec<String> = {
            let records = self.records.borrow();
            records
                .iter()
                .map(|record| record.borrow().game.clone())
                .collect()
        };
        for game in records {
            let file = folder.join(format!("{game}.jsonl"));
            // One that cannot be had is found by the check.
            let Ok(text) = journal(&way, &game).await else {
                continue;
            };
            std::fs::write(&file, text)?;
            let judged = tokio::process::Command::new(program)
                .args(["judge", "--journal"])
                .arg(&file)
                .stdin(Stdio::null())
                .output()
                .await
                .context("the arbiter does not start")?;
            let said = String::from_utf8_lossy(&judged.stdout).into_owned()
                + &String::from_utf8_lossy(&judged.stderr);
            let mut faults = said
                .lines()
                .filter(|line| line.starts_with("By today's laws"));
            let is_late = |line: &str| line.contains("(Draw: the position is d");
            let is_only_late = said.contains("By today's laws") && faults.all(is_late);
            if !judged.status.success() && !is_only_late {
                let said: String = said.chars().take(300).collect();
                wrong.push(format!("game {game}: the arbiter says: {said}"));
            }
            std::fs::remove_file(&file)?;
        }
        Ok(wrong)
    }
}
