//! `touchmove config`: the path of the configuration, and the effective settings.

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use touchmove_text::{display_line, display_path};
use touchmove_tui::bounded_file;
use touchmove_tui::config::{Config, ConfigFault, MAX_FILE_BYTES};

use crate::cli::AnswerStatus;
use crate::output;

/// Show where the settings are kept, and what takes effect.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove config
  touchmove config | head -1")]
pub struct Args {}

/// Prints the path, the faults and the effective settings; the answer is no if there are faults.
pub fn run() -> Result<AnswerStatus> {
    let mut out = output::lines();
    let path = path()?;
    let state = match path.exists() {
        true => "",
        false => " (not there; these are the usual settings)",
    };
    writeln!(out, "# {}{state}", display_path(&path))?;
    let (config, faults) = read()?;
    for fault in &faults {
        writeln!(out, "# {}", display_line(fault))?;
    }
    write!(out, "{config}")?;
    Ok(if faults.is_empty() {
        AnswerStatus::Yes
    } else {
        AnswerStatus::No
    })
}

/// The configuration and its faults, each with the path.
pub fn read() -> Result<(Config, Vec<String>)> {
    let path = path()?;
    let text = match bounded_file::read_text(&path, MAX_FILE_BYTES as u64) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        // A faulty configuration must not prevent a game.
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            let fault = format!("{}: {error}", display_path(&path));
            return Ok((Config::default(), vec![fault]));
        }
        text => text.with_context(|| format!("{} cannot be read", display_path(&path)))?,
    };
    let (config, faults) = Config::read(&text);
    let named = |fault: &ConfigFault| format!("{}: {fault}", display_path(&path));
    Ok((config, faults.iter().map(named).collect()))
}

fn path() -> Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    match Config::path_for(variable("XDG_CONFIG_HOME"), variable("HOME")) {
        Some(path) => Ok(path),
        None => bail!("there is no place for settings: set HOME or XDG_CONFIG_HOME"),
    }
}
