//! Evil engines ([`crate::evil_engine`]) at the table and in the arena.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use tokio::task::JoinSet;

use crate::Plan;
use crate::evil_engine::{ARGUMENT, KINDS, NAME};
use crate::harm::{WORD, harm};
use crate::process::{Launch, Run};
use crate::report::Report;

/// How long the program may take with one.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most memory that it may take.
const MAX_MEMORY: u64 = 700 << 20;
/// How long a player waits for the engine before he leaves.
const STAY: Duration = Duration::from_secs(4);
/// Programs at once.
const AT_ONCE: usize = 4;
/// These wait for a move for so long that it is tried in the long form only.
const LONG: &[&str] = &["still"];

/// A game with an engine.
struct Game {
    kind: &'static str,
    is_asked: bool,
    is_arena: bool,
    /// What the engine was told.
    heard: PathBuf,
}

/// Lets the program play with each of them.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let mut games = Vec::new();
    for &(kind, is_asked) in KINDS {
        for is_arena in [false, true] {
            // An arena gives two minutes to a move.
            let is_endless = LONG.contains(&kind) && is_arena;
            // What an engine says of itself is read by the same code, for twenty seconds.
            let is_slow = LONG.contains(&kind) || (is_arena && !is_asked);
            if is_endless || (is_slow && !plan.is_long) {
                continue;
            }
            games.push(Game {
                kind,
                is_asked,
                is_arena,
                heard: plan.folder.join(format!("engine-{kind}-{is_arena}")),
            });
        }
    }
    let mut playing = JoinSet::new();
    let mut games = games.into_iter();
    loop {
        while playing.len() < AT_ONCE
            && let Some(game) = games.next()
        {
            let (program, home) = (plan.program.clone(), plan.folder.join("engines"));
            playing.spawn_local(async move {
                let run = play(&program, &home, &game).await;
                (game, run)
            });
        }
        let Some(played) = playing.join_next().await else {
            return Ok(());
        };
        let (game, run) = played?;
        judge(&game, &run?, report);
    }
}

async fn play(program: &PathBuf, home: &PathBuf, game: &Game) -> anyhow::Result<Run> {
    std::fs::create_dir_all(home)?;
    let own = std::env::current_exe().context("no program of our own")?;
    let engine = format!(
        "{} {ARGUMENT} {} {}",
        own.display(),
        game.kind,
        game.heard.display()
    );
    let words = match game.is_arena {
        true => vec![
            "arena",
            &engine,
            "random",
            "--games",
            "2",
            "--nodes",
            "10",
            "--threads",
            "1",
        ],
        false => vec!["play", "--plain", "--no-keep", "--black"],
    };
    let mut arguments: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    if !game.is_arena {
        arguments.push(format!("uci:{engine}").into());
    }
    let launch = Launch {
        program,
        arguments: &arguments,
        home,
        input: b"e4\nd4\nmoves\nhint\n",
        // What is told about it in the end comes when the player leaves.
        stays: if game.is_arena { Duration::ZERO } else { STAY },
        until: None,
        environment: &[],
        patience: PATIENCE,
        max_memory: MAX_MEMORY,
        has_terminal: false,
    };
    launch.run().await
}

fn judge(game: &Game, run: &Run, report: &mut Report) {
    report.count(1);
    let place = if game.is_arena {
        "arena"
    } else {
        "play --plain"
    };
    let what = format!("{place} with an evil engine ({})", game.kind);
    let output = run.output();
    if run.peak_memory > MAX_MEMORY {
        let peak = run.peak_memory >> 20;
        report.fail(&format!("{what}: {peak} MB of memory"), b"");
        // It was ended for that.
        return;
    }
    if run.is_late {
        report.fail(&format!("{what}: did not end within {PATIENCE:?}"), &output);
    } else if !matches!(run.code, Some(0..=2)) {
        report.fall(&format!("{what}: exit code {:?}", run.code), &output);
    }
    if run.shows("panicked at") {
        report.fall(&format!("{what}: it panicked"), &output);
    }
    for channel in [&run.out, &run.err] {
        if let Some(harm) = harm(channel, false) {
            report.fail(&format!("{what}: {harm}"), channel);
        }
    }
    // The signs that it was reached.
    let heard = std::fs::read_to_string(&game.heard).unwrap_or_default();
    let wanted = if game.is_asked { "go" } else { "uci" };
    let is_told = heard
        .lines()
        .any(|line| line.split(' ').next() == Some(wanted));
    if !is_told {
        report.fail(
            &format!("{what}: the engine was not told {wanted}"),
            &output,
        );
    }
    let shown = match game.kind {
        "escapes" | "bytes" | "gone" => Some(NAME),
        "illegal" => Some(WORD),
        _ => None,
    };
    if let Some(shown) = shown.filter(|shown| !run.shows(shown)) {
        report.fail(&format!("{what}: {shown} was not shown"), &output);
    }
}
