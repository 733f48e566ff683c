//! One run of the program with something evil: a file, an argument, an input, a setting, a variable.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::time::Duration;

use crate::Plan;
use crate::evil_files::Evil;
use crate::harm::{EVIL, PASSWORD, WORD, harm};
use crate::process::Launch;

/// How long a command may take with an evil input.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// The most memory that it may take.
pub const MAX_MEMORY: u64 = 700 << 20;
/// Commands that go on until they are told to stop: they are told so after a moment.
const ENDLESS: &[&str] = &["serve", "host", "bench", "arena", "play", "join", "uci"];
/// How long these run.
const MOMENT: Duration = Duration::from_secs(3);
/// Stands for the path of the evil file in arguments.
pub const FILE: &str = "{file}";
/// Stands for bytes that are no text in arguments.
pub const BYTES: &str = "{bytes}";
/// These bytes: an eight-bit control, half of a letter, a title.
const NO_TEXT: &[u8] = b"\xff\xfe\x9b31mATTACK\xc3\x1b]0;ATTACK\x07";

/// Variables of an environment.
type Variables = Vec<(&'static str, OsString)>;

/// What became of a run.
pub struct Verdict {
    /// What went wrong: each with whether the program fell.
    pub failures: Vec<(bool, String)>,
    /// What was printed.
    pub output: Vec<u8>,
    /// Whether the word in evil texts was shown that harms nobody.
    pub shows_word: bool,
}

/// One run of the program.
#[derive(Clone, Default)]
pub struct Try {
    /// The arguments.
    pub words: Vec<String>,
    /// The evil file that [`FILE`] stands for, by its number.
    pub file: Option<usize>,
    /// What it reads.
    pub input: Vec<u8>,
    /// The evil file that is the player's own settings.
    pub settings: Option<usize>,
    /// A variable of its environment that is evil.
    pub variable: Option<&'static str>,
    /// Whether evil files lie where the player's games are kept.
    pub has_evil_games: bool,
    /// Whether it is on a terminal.
    pub has_terminal: bool,
    /// Whether it must show what is left of an evil text.
    pub must_show: bool,
}

impl Try {
    /// The arguments, as far as people can read them.
    pub fn shown(&self, evils: &[Evil]) -> String {
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
        if let Some(variable) = self.variable {
            shown += &format!(" (with an evil {variable})");
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
    fn prepare(&self, folder: &Path, evils: &[Evil]) -> anyhow::Result<(Vec<OsString>, Variables)> {
        std::fs::create_dir_all(folder)?;
        let mut path = OsString::new();
        if let Some(file) = self.file {
            let Evil { name, content } = &evils[file];
            // Its name is as evil as what is in it.
            let file = folder.join(format!("{EVIL} {name}"));
            std::fs::write(&file, content)?;
            path = file.into_os_string();
        }
        let words = self.words.iter();
        let words = words.map(|word| filled(word, path.as_bytes())).collect();
        let mut environment = Vec::new();
        environment.extend(self.variable.map(|name| (name, EVIL.into())));
        let mut variable = |name, folder: std::path::PathBuf| {
            environment.push((name, folder.into_os_string()));
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

    /// Runs the program, and says what went wrong.
    pub async fn run(
        &self,
        plan: &Plan,
        home: &Path,
        folder: &Path,
        evils: &[Evil],
    ) -> anyhow::Result<Verdict> {
        let first = self.words.first().map(String::as_str);
        let is_endless = first.is_none_or(|word| ENDLESS.contains(&word));
        let patience = match is_endless && !self.has_terminal {
            true => MOMENT,
            false => PATIENCE,
        };
        let (arguments, environment) = self.prepare(folder, evils)?;
        let launch = Launch {
            program: &plan.program,
            arguments: &arguments,
            home,
            input: &self.input,
            stays: match self.has_terminal {
                true => MOMENT,
                false => Duration::ZERO,
            },
            until: None,
            environment: &environment,
            patience,
            max_memory: MAX_MEMORY,
            has_terminal: self.has_terminal,
        };
        let run = launch.run().await?;
        let mut failures = Vec::new();
        let is_large = run.peak_memory > MAX_MEMORY;
        if run.is_late && (!is_endless || self.has_terminal) {
            failures.push((false, format!("did not end within {patience:?}")));
        }
        // One that was too large was ended for that.
        if !run.is_late && !run.is_told && !is_large && !matches!(run.code, Some(0..=2)) {
            failures.push((true, format!("exit code {:?}", run.code)));
        }
        if run.shows("panicked at") {
            failures.push((true, "it panicked".to_owned()));
        }
        if first == Some("serve") && run.shows(PASSWORD) {
            failures.push((false, "it repeats a password of its settings".to_owned()));
        }
        if is_large {
            failures.push((false, format!("{} MB of memory", run.peak_memory >> 20)));
        }
        let shows_word = run.shows(WORD);
        if self.must_show && !shows_word {
            failures.push((false, format!("{WORD} was not shown: it was not reached")));
        }
        // What rewrites a file into another gives back what was in it, unless it prints on a terminal.
        if self.has_terminal || !self.copies() {
            failures.extend(harm(&run.out, self.has_terminal).map(|harm| (false, harm)));
        }
        failures.extend(harm(&run.err, false).map(|harm| (false, harm)));
        Ok(Verdict {
            failures,
            output: run.output(),
            shows_word,
        })
    }

    /// Whether what it prints as its answer is a file.
    fn copies(&self) -> bool {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        matches!(
            words.as_slice(),
            ["pgn", "fmt", ..] | ["library", "show" | "export", ..]
        )
    }
}

/// A word with a path and with bytes in their places.
fn filled(word: &str, path: &[u8]) -> OsString {
    let mut filled = Vec::new();
    let mut rest = word;
    loop {
        let next = [(FILE, path), (BYTES, NO_TEXT)];
        let next = next
            .into_iter()
            .filter_map(|(name, bytes)| Some((rest.find(name)?, name, bytes)));
        let Some((at, name, bytes)) = next.min_by_key(|(at, ..)| *at) else {
            filled.extend_from_slice(rest.as_bytes());
            return OsString::from_vec(filled);
        };
        filled.extend_from_slice(&rest.as_bytes()[..at]);
        filled.extend_from_slice(bytes);
        rest = &rest[at + name.len()..];
    }
}
