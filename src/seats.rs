//! The players of a game: people, levels of the built-in engine, and UCI engines. An engine is tried out before the
//! game begins, and remembered, so that the game can be resumed.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use touchmove_rules::AnyPosition;
use touchmove_text::{display_path, sanitize_line};
use touchmove_tui::config::Config;
use touchmove_tui::disk::{create_private_folder, private};
use touchmove_tui::opponents::{
    ComputerOptions, ComputerSpec, ENGINE_TIMEOUTS, EngineProgram, start,
};

use crate::data_dir;

/// The file of UCI engines that were used before.
const USED_ENGINES_FILE: &str = "engines.txt";

/// Who plays, and what was agreed on about computers.
#[derive(clap::Args)]
pub struct SeatArgs {
    /// Who has the white men: a name, engine (the built-in one), engine:LEVEL (first-steps, beginner,
    /// casual, club-novice, club, strong-club, expert, master, full), an engine of the settings, or the
    /// command of a UCI engine; uci:COMMAND is always a command, a name with a capital a person.
    #[arg(
        long,
        value_name = "WHO",
        default_value = "",
        hide_default_value = true
    )]
    pub white: String,

    /// Who has the black men, likewise.
    #[arg(
        long,
        value_name = "WHO",
        default_value = "",
        hide_default_value = true
    )]
    pub black: String,

    /// Set an option of the UCI engines, as Name=Value; can be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    engine_option: Vec<String>,

    /// Two people have agreed that both may ask for hints.
    #[arg(long)]
    hints: bool,

    /// Computers play hopeless games to their end.
    #[arg(long)]
    no_resign: bool,
}

impl SeatArgs {
    /// The computers' options from the configuration and the arguments.
    pub fn computer_options(&self, config: &Config, seed: Option<u64>) -> ComputerOptions {
        let mut customs = computer_options(config);
        customs.hints |= self.hints;
        customs.plays_on |= self.no_resign;
        customs.seed = seed;
        customs
    }

    /// The names of both seats. UCI engines are started once, to test that they can play, and are remembered.
    pub fn names(&self, customs: &mut ComputerOptions, begin: &AnyPosition) -> Result<[String; 2]> {
        let mut names = [self.white.clone(), self.black.clone()];
        let mut takes_options = false;
        for name in &mut names {
            let read = ComputerSpec::read(name, &customs.engines, &is_program);
            let Some(contestant) = read.map_err(anyhow::Error::msg)? else {
                *name = sanitize_line(name).into_owned();
                continue;
            };
            let contestant = match contestant {
                ComputerSpec::Level(level) => ComputerSpec::Level(level),
                ComputerSpec::EngineProgram(program) => {
                    takes_options = true;
                    let options = &self.engine_option;
                    let program = program.with_options(options).map_err(anyhow::Error::msg)?;
                    drop(start(&program, begin, ENGINE_TIMEOUTS)?);
                    customs.engines = remember(&customs.engines, &program)?;
                    ComputerSpec::EngineProgram(program)
                }
            };
            *name = contestant.to_string();
        }
        if !takes_options && !self.engine_option.is_empty() {
            bail!("--engine-option is for UCI engines, and none plays");
        }
        Ok(names)
    }
}

/// The computers' options from the configuration, with the engines that were used before.
pub fn computer_options(config: &Config) -> ComputerOptions {
    let mut customs = config.customs.clone();
    let text = used().and_then(|path| fs::read_to_string(path).ok());
    for line in text.unwrap_or_default().lines() {
        // A line that cannot be parsed was not written by this program.
        if let Ok(program) = EngineProgram::read(line, line)
            && !customs
                .engines
                .iter()
                .any(|known| known.name == program.name)
        {
            customs.engines.push(program);
        }
    }
    customs
}

fn used() -> Option<PathBuf> {
    Some(data_dir::folder()?.join(USED_ENGINES_FILE))
}

/// Remembers an engine.
fn remember(engines: &[EngineProgram], program: &EngineProgram) -> Result<Vec<EngineProgram>> {
    let mut engines = engines.to_vec();
    if engines.iter().any(|known| known.name == program.name) {
        return Ok(engines);
    }
    engines.push(program.clone());
    if let Some(path) = used() {
        let folder = path.parent().unwrap_or(Path::new("."));
        let write = || {
            create_private_folder(folder)?;
            let mut file = private().create(true).append(true).open(&path)?;
            writeln!(file, "{}", program.text())
        };
        write().with_context(|| format!("{} cannot be written", display_path(&path)))?;
    }
    Ok(engines)
}

/// Whether there is a program of this name in `PATH`.
fn is_program(name: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| is_executable(&folder.join(name)))
}

fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = fs::metadata(path) else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    metadata.is_file()
}
