//! `touchmove completions` and `touchmove man`: shell completions and manual pages, generated from the command
//! line's definition.

use std::io::Write as _;

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

use crate::cli::AnswerStatus;
use crate::output;

/// Print the completions of the command line for a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove completions bash > touchmove.bash
  touchmove completions fish | source")]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Print the manual page, as roff.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove man > touchmove.1
  touchmove man | man -l -")]
pub struct ManArgs {
    /// The subcommand to describe; without it, the whole program.
    subcommand: Option<String>,
}

/// Prints completions.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<AnswerStatus> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "touchmove", &mut script);
    output::data().write_all(&script)?;
    Ok(AnswerStatus::Yes)
}

/// Prints the manual page.
pub fn man(args: &ManArgs, mut command: Command) -> Result<AnswerStatus> {
    command.build();
    let described = match &args.subcommand {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            Some(found) => found.clone(),
            None => anyhow::bail!("there is no subcommand {name:?}"),
        },
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(described).render(&mut page)?;
    output::data().write_all(&page)?;
    Ok(AnswerStatus::Yes)
}
