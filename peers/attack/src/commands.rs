//! Evil files, names of files, arguments, settings and inputs for every command of the program and every option that
//! takes a value, as its own help lists them.

use std::path::Path;
use std::time::Duration;

use crate::Plan;
use crate::evil_files::{Evil, evils};
use crate::help::{self, Command};
use crate::process::{EVIL, Launch, PASSWORD, harm};
use crate::report::Report;

/// How long a command may take with an evil input.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most memory that it may take.
const MAX_MEMORY: u64 = 700 << 20;
/// Commands that go on until they are told to stop: they are told so after a moment.
const ENDLESS: &[&str] = &["serve", "host", "bench", "arena", "play", "join", "uci"];
/// How long these run.
const MOMENT: Duration = Duration::from_secs(3);
/// Stands for the path of the evil file in arguments.
const FILE: &str = "{file}";
/// How many evil files each option is given in the long form; the whole list is given to each command.
const FILES_PER_OPTION: usize = 4;

/// The commands that the help lists, each with its options.
async fn commands(plan: &Plan, home: &Path) -> anyhow::Result<Vec<Command>> {
    let mut found = Vec::new();
    let mut unread: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(words) = unread.pop() {
        let arguments: Vec<String> = words.iter().cloned().chain(["--help".to_owned()]).collect();
        let launch = Launch {
            program: &plan.program,
            arguments: &arguments,
            home,
            input: b"",
            stays: Duration::ZERO,
            environment: &[],
            patience: PATIENCE,
            has_terminal: false,
        };
        let help = String::from_utf8_lossy(&launch.run().await?.output).into_owned();
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
    for (number, pair) in tries.chunks(2).enumerate() {
        let run = |index: usize| async move {
            match pair.get(index) {
                Some(tried) => {
                    let folder = plan.folder.join(format!("try-{}", 2 * number + index));
                    let verdict = tried.run(plan, home, &folder, evils).await;
                    // It goes with the folder of the whole suite otherwise.
                    let _ = std::fs::remove_dir_all(&folder);
                    Some((tried, verdict))
                }
                None => None,
            }
        };
        let (one, two) = tokio::join!(run(0), run(1));
        for (tried, verdict) in [one, two].into_iter().flatten() {
            report.count(1);
            let (failures, output) = verdict?;
            for (is_fall, failure) in failures {
                let what = format!("touchmove {}: {failure}", tried.shown(evils));
                match is_fall {
                    true => report.fall(&what, &output),
                    false => report.fail(&what, &output),
                }
            }
        }
    }
    Ok(())
}

/// Variables of an environment.
type Variables = Vec<(&'static str, String)>;

/// One run of the program.
#[derive(Clone, Default)]
struct Try {
    words: Vec<String>,
    /// The evil file that [`FILE`] stands for, by its number.
    file: Option<usize>,
    input: Vec<u8>,
    /// The evil file that is the player's own settings.
    settings: Option<usize>,
    /// Whether evil files lie where the player's games are kept.
    has_evil_games: bool,
    has_terminal: bool,
}

impl Try {
    /// The arguments, as far as people can read them.
    fn shown(&self, evils: &[Evil]) -> String {
        let short = self
            .words
            .iter()
            .map(|word| word.chars().take(80).collect::<String>());
        let mut shown = short.collect::<Vec<_>>().join(" ");
        if let Some(file) = self.file {
            shown = shown.replace(FILE, evils[file].name);
        }
        if let Some(settings) = self.settings {
            shown += &format!(" (with {} as settings)", evils[settings].name);
        }
        if self.has_evil_games {
            shown += " (with evil games in its folder)";
        }
        if self.has_terminal {
            shown += " (on a terminal)";
        }
        shown.escape_debug().to_string()
    }

    /// Puts the evil files where this run finds them: the arguments, and the environment.
    fn prepare(&self, folder: &Path, evils: &[Evil]) -> anyhow::Result<(Vec<String>, Variables)> {
        std::fs::create_dir_all(folder)?;
        let mut words = self.words.clone();
        if let Some(file) = self.file {
            let Evil { name, content } = &evils[file];
            // Its name is as evil as what is in it.
            let path = folder.join(format!("{EVIL} {name}"));
            std::fs::write(&path, content)?;
            let path = path.to_string_lossy();
            words = words.iter().map(|word| word.replace(FILE, &path)).collect();
        }
        let mut environment = Vec::new();
        let mut variable = |name, folder: std::path::PathBuf| {
            environment.push((name, folder.to_string_lossy().into_owned()));
        };
        if let Some(settings) = self.settings {
            let config = folder.join("config");
            std::fs::create_dir_all(config.join("touchmove"))?;
            std::fs::write(
                config.join("touchmove/config.toml"),
                &evils[settings].content,
            )?;
            variable("XDG_CONFIG_HOME", config);
        }
        if self.has_evil_games {
            let data = folder.join("data");
            let games = data.join("touchmove/games");
            std::fs::create_dir_all(&games)?;
            for (number, evil) in evils.iter().enumerate() {
                let ending = evil.name.rsplit('.').next();
                let path = match ending {
                    Some("pgn") => data.join("touchmove").join(evil.name),
                    Some("jsonl") => games.join(format!("2026-01-01-0000{number:02}.jsonl")),
                    _ => continue,
                };
                std::fs::write(path, &evil.content)?;
            }
            std::fs::write(data.join("touchmove/engines.txt"), format!("{EVIL}\n"))?;
            variable("XDG_DATA_HOME", data);
        }
        Ok((words, environment))
    }

    /// What went wrong: each with whether the program fell.
    async fn run(
        &self,
        plan: &Plan,
        home: &Path,
        folder: &Path,
        evils: &[Evil],
    ) -> anyhow::Result<(Vec<(bool, String)>, Vec<u8>)> {
        let first = self.words.first().map(String::as_str);
        let is_endless = first.is_none_or(|word| ENDLESS.contains(&word));
        let patience = match is_endless || self.has_terminal {
            true => MOMENT,
            false => PATIENCE,
        };
        let (arguments, environment) = self.prepare(folder, evils)?;
        let launch = Launch {
            program: &plan.program,
            arguments: &arguments,
            home,
            input: &self.input,
            // The end of the input ends the terminal; the program may still be drawing.
            stays: match self.has_terminal {
                true => MOMENT,
                false => Duration::ZERO,
            },
            environment: &environment,
            patience,
            has_terminal: self.has_terminal,
        };
        let run = launch.run().await?;
        let mut failures = Vec::new();
        if run.is_late && !is_endless && !self.has_terminal {
            failures.push((false, format!("did not end within {patience:?}")));
        }
        if !run.is_late && !matches!(run.code, Some(0..=2)) {
            failures.push((true, format!("exit code {:?}", run.code)));
        }
        if String::from_utf8_lossy(&run.output).contains("panicked at") {
            failures.push((true, "it panicked".to_owned()));
        }
        if first == Some("serve") && String::from_utf8_lossy(&run.output).contains(PASSWORD) {
            failures.push((false, "it repeats a password of its settings".to_owned()));
        }
        if run.peak_memory > MAX_MEMORY {
            failures.push((false, format!("{} MB of memory", run.peak_memory >> 20)));
        }
        // What rewrites a file into another gives back what was in it, unless it prints on a terminal.
        let copies = self
            .words
            .iter()
            .any(|word| word == "fmt" || word == "export")
            || self
                .words
                .starts_with(&["library".to_owned(), "show".to_owned()]);
        if self.has_terminal || !copies {
            failures.extend(harm(&run.output, self.has_terminal).map(|harm| (false, harm)));
        }
        Ok((failures, run.output))
    }
}

/// Makes tries.
struct Maker<'a> {
    evils: &'a [Evil],
}

impl Maker<'_> {
    fn number(&self, name: &str) -> Option<usize> {
        self.evils.iter().position(|evil| evil.name == name)
    }

    /// Where evil texts may stand behind a command.
    fn places(&self, command: &Command, random: &mut fastrand::Rng) -> Vec<Try> {
        let mut tries = Vec::new();
        let with = |more: &[&str]| Try {
            words: command
                .words
                .iter()
                .map(String::as_str)
                .chain(more.iter().copied())
                .map(str::to_owned)
                .collect(),
            ..Try::default()
        };
        for (number, evil) in self.evils.iter().enumerate() {
            let file = Some(number);
            tries.push(Try {
                file,
                ..with(&[FILE])
            });
            for more in [&["-"][..], &[]] {
                tries.push(Try {
                    input: evil.content.clone(),
                    ..with(more)
                });
            }
            if evil.name.ends_with(".toml") {
                tries.push(Try {
                    settings: file,
                    ..with(&[])
                });
            }
        }
        for name in ["escapes.pgn", "escapes.fen", "journal.jsonl"] {
            tries.push(Try {
                file: self.number(name),
                input: b"q".to_vec(),
                has_terminal: true,
                ..with(&[FILE])
            });
        }
        let long = "x".repeat(100_000);
        let slashes = "8/".repeat(50_000);
        let moves = "e4 ".repeat(30_000);
        let texts = [
            EVIL,
            "",
            "\u{202e}",
            &long,
            &slashes,
            "99999999999999999999",
            "-1",
            "%s%n",
            &moves,
        ];
        tries.extend(texts.map(|text| with(&[text])));
        for option in &command.options {
            tries.extend(texts.map(|text| with(&[option, text])));
            for _ in 0..FILES_PER_OPTION {
                tries.push(Try {
                    file: Some(random.usize(..self.evils.len())),
                    ..with(&[option, FILE])
                });
            }
        }
        tries
    }

    /// What is always tried: the ways that were open once.
    fn known(&self) -> Vec<Try> {
        let with = |words: &[&str], file: &str| Try {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            file: self.number(file),
            ..Try::default()
        };
        let mut tries = vec![
            with(&["judge", "--moves", EVIL], ""),
            with(&["explain", EVIL], ""),
            with(&["moves", "--fen", EVIL], ""),
            with(&["winnable", EVIL], ""),
        ];
        for words in [
            &["pgn", "show", "--plain", FILE][..],
            &["pgn", "show", FILE],
            &["pgn", "show", FILE, "--game", "9"],
            &["pgn", "check", FILE],
            &["pgn", "check", FILE, FILE],
            &["pgn", "stats", FILE],
            &["review", FILE, "--nodes", "100"],
            &["review", FILE, "--nodes", "100", "--output", FILE],
            &["winnable", "--verify", FILE],
            &["winnable", "--file", FILE],
            &["library", "export", FILE],
            &["show", "--svg", FILE],
            &["backup", FILE],
            &["people", "list", "--data", FILE],
            &["play", "--plain", "--load", FILE],
            &[
                "play",
                "--plain",
                "--white",
                "engine",
                "--engine-option",
                EVIL,
            ],
            &[
                "join",
                "http://127.0.0.1:9/Ab3dE6gH",
                "--token-origin",
                EVIL,
            ],
            &[
                "serve",
                "--allowed-host",
                EVIL,
                "--listen",
                "127.0.0.1:0",
                "--data",
                "served",
            ],
        ] {
            tries.push(with(words, "escapes.pgn"));
        }
        tries.push(with(&["pgn", "check", FILE], "illegal.pgn"));
        tries.push(with(&["pgn", "check", FILE], "deep.pgn"));
        for file in ["deep.jsonl", "objects.jsonl", "wide.jsonl"] {
            tries.push(with(&["judge", "--journal", FILE], file));
        }
        for file in ["deep.toml", "password.toml"] {
            tries.push(with(&["serve", "--config", FILE], file));
        }
        for words in [&["config"][..], &["play", "--plain", "--no-keep"]] {
            for settings in ["escapes.toml", "deep.toml"] {
                tries.push(Try {
                    settings: self.number(settings),
                    ..with(words, "")
                });
            }
        }
        for words in [
            &["library"][..],
            &["library", "stats"],
            &["library", "show", "1"],
            &["play", "--plain", "--resume"],
        ] {
            tries.push(Try {
                has_evil_games: true,
                input: b"board\nmoves\nquit\n".to_vec(),
                ..with(words, "")
            });
        }
        for words in [
            &["pgn", "fmt", FILE][..],
            &["pgn", "show", "--plain", FILE],
            &["pgn", "show", FILE],
            &["pgn", "check", FILE],
            &["judge", "--moves", EVIL],
        ] {
            tries.push(Try {
                input: b"q".to_vec(),
                has_terminal: true,
                ..with(words, "escapes.pgn")
            });
        }
        for words in [&["play"][..], &["config"], &[]] {
            tries.push(Try {
                settings: self.number("escapes.toml"),
                input: b"q".to_vec(),
                has_terminal: true,
                ..with(words, "")
            });
        }
        tries.push(Try {
            has_evil_games: true,
            input: b"q".to_vec(),
            has_terminal: true,
            ..with(&["library"], "")
        });
        tries
    }
}
