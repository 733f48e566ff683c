//! Evil files, names of files, arguments, settings and inputs for every command of the program and every option that
//! takes a value, as its own help lists them.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use crate::Plan;
use crate::evil_files::evils;
use crate::help::{self, Command};
use crate::process::Launch;
use crate::report::Report;
use crate::tries::{MAX_MEMORY, PATIENCE, Try};
use crate::try_maker::Maker;
use crate::{archives, engines};

/// Programs at once.
const AT_ONCE: usize = 4;
/// Of so many tries one at least shows what is left of an evil text.
const TRIES_PER_WORD: usize = 20;

/// The commands that the help lists, each with its options.
async fn commands(plan: &Plan, home: &Path) -> anyhow::Result<Vec<Command>> {
    let mut found = Vec::new();
    let mut unread: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(words) = unread.pop() {
        let arguments = words.iter().map(String::as_str).chain(["--help"]);
        let arguments: Vec<OsString> = arguments.map(OsString::from).collect();
        let launch = Launch {
            program: &plan.program,
            arguments: &arguments,
            home,
            input: b"",
            stays: Duration::ZERO,
            until: None,
            environment: &[],
            patience: PATIENCE,
            max_memory: MAX_MEMORY,
            has_terminal: false,
        };
        let help = String::from_utf8_lossy(&launch.run().await?.out).into_owned();
        if words.len() < 3 {
            let names = help::commands(&help);
            unread.extend(
                names
                    .into_iter()
                    .map(|name| [words.as_slice(), &[name]].concat()),
            );
        }
        if !words.is_empty() {
            let options = help::options(&help);
            found.push(Command { words, options });
        }
    }
    Ok(found)
}

/// Runs each command with each evil file in each place where a file or a text may stand.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let home = plan.folder.join("commands");
    std::fs::create_dir_all(&home)?;
    let mut random = fastrand::Rng::with_seed(plan.seed);
    let evils = evils(&mut random);
    let commands = commands(plan, &home).await?;
    let options: usize = commands.iter().map(|command| command.options.len()).sum();
    anyhow::ensure!(
        commands.len() > 15 && options > 60,
        "the help lists only {} commands and {options} options",
        commands.len()
    );
    report.note(format!(
        "{} commands with {options} options, {} evil files",
        commands.len(),
        evils.len()
    ));
    let maker = Maker { evils: &evils };
    let mut tries: Vec<Try> = Vec::new();
    for command in &commands {
        tries.extend(maker.places(command, &mut random));
    }
    if !plan.is_long {
        // The longest of them take the longest, and so do those that draw. Some of the others, for another seed others.
        tries.retain(|tried| tried.input.len() < 1_000_000 && !tried.has_terminal);
        random.shuffle(&mut tries);
        tries.truncate(400);
    }
    tries.extend(maker.known());
    let (home, evils) = (home.as_path(), evils.as_slice());
    let (count, mut shown) = (tries.len(), 0);
    for (number, some) in tries.chunks(AT_ONCE).enumerate() {
        let run = |index: usize| async move {
            match some.get(index) {
                Some(tried) => {
                    let folder = plan
                        .folder
                        .join(format!("try-{}", AT_ONCE * number + index));
                    let verdict = tried.run(plan, home, &folder, evils).await;
                    // It goes with the folder of the whole suite otherwise.
                    let _ = std::fs::remove_dir_all(&folder);
                    Some((tried, verdict))
                }
                None => None,
            }
        };
        let run = tokio::join!(run(0), run(1), run(2), run(3));
        for (tried, verdict) in [run.0, run.1, run.2, run.3].into_iter().flatten() {
            report.count(1);
            let verdict = verdict?;
            shown += usize::from(verdict.shows_word);
            for (is_fall, failure) in verdict.failures {
                let what = format!("touchmove {}: {failure}", tried.shown(evils));
                match is_fall {
                    true => report.fall(&what, &verdict.output),
                    false => report.fail(&what, &verdict.output),
                }
            }
        }
    }
    report.note(format!(
        "{shown} of {count} runs showed what was left of an evil text"
    ));
    report.must(shown * TRIES_PER_WORD >= count, || {
        format!("only {shown} of {count} runs came so far as to show an evil text")
    });
    engines::attack(plan, report).await?;
    archives::attack(plan, report).await
}
