//! `touchmove accounts`: manages the accounts of a server, also while it runs. Each larger subcommand has a file of
//! its own; the accounts crate decides about sign-in.

mod list;
mod password;
mod token;

use std::io::Write as _;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use touchmove_accounts::{Accounts, Name, Scopes, TOKEN_LIFETIME};
use touchmove_store::{PersonKind, Store};

use crate::cli::AnswerStatus;
use crate::data_dir::DataArgs;
use crate::output;

/// Add, list and close accounts of the server, also while it runs.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove accounts add Anna
  TOKEN=$(touchmove accounts add my-engine --bot)
  touchmove accounts list
  touchmove accounts token Anna --label \"my board\" --scope board:play
  touchmove accounts token Anna --list
  touchmove accounts password Anna
  touchmove accounts disable Anna")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Add(AddArgs),
    List(list::Args),
    Disable(DisableArgs),
    Enable(EnableArgs),
    Token(token::Args),
    Password(password::Args),
}

/// Add an account, and print a token for it that allows everything for a year.
///
/// Only the token goes to standard output; it is not shown again. The account has no password until
/// `touchmove accounts password` gives it one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove accounts add Anna
  TOKEN=$(touchmove accounts add my-engine --bot --data /var/lib/touchmove)")]
struct AddArgs {
    /// The name: letters of one script, digits, - and _.
    name: String,

    /// It is a program.
    #[arg(long)]
    bot: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Close an account: its sessions end, and its tokens open no door.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove accounts disable Anna")]
struct DisableArgs {
    /// Whose.
    name: String,

    #[command(flatten)]
    data: DataArgs,
}

/// Open an account that was closed; its tokens are good again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove accounts enable Anna")]
struct EnableArgs {
    /// Whose.
    name: String,

    #[command(flatten)]
    data: DataArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    match &args.command {
        Command::Add(args) => add(args),
        Command::List(args) => list::run(args),
        Command::Disable(args) => disable(args),
        Command::Enable(args) => enable(args),
        Command::Token(args) => token::run(args),
        Command::Password(args) => password::run(args),
    }
}

fn add(args: &AddArgs) -> Result<AnswerStatus> {
    // Checked before a store is created for it.
    let name = Name::account(&args.name)?;
    let kind = if args.bot {
        PersonKind::Bot
    } else {
        PersonKind::Human
    };
    with(args.data.open_shared_or_create()?, async |people| {
        let person = people.register(&name, kind, None).await?;
        let (secret, _) = people
            .issue_token(&person, "people add", Scopes::ALL, Some(TOKEN_LIFETIME))
            .await?;
        writeln!(output::lines(), "{}", secret.reveal())?;
        let who = if args.bot {
            "the program"
        } else {
            "the person"
        };
        say(&format!(
            "{who} {name} has an account now; this token allows everything for a year, and is not shown again"
        ))
    })
}

fn disable(args: &DisableArgs) -> Result<AnswerStatus> {
    with(args.data.open_shared()?, async |people| {
        let person = people.find_existing(&args.name).await?;
        people.disable(person.id).await?;
        say(&format!("the account {} is closed", person.name))
    })
}

fn enable(args: &EnableArgs) -> Result<AnswerStatus> {
    with(args.data.open_shared()?, async |people| {
        let person = people.find_existing(&args.name).await?;
        people.enable(person.id).await?;
        say(&format!("the account {} is open", person.name))
    })
}

/// Runs a task on the accounts of a store, and waits for it.
fn with(
    store: Arc<dyn Store>,
    work: impl AsyncFnOnce(Accounts) -> Result<()>,
) -> Result<AnswerStatus> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .context("no task can be started")?;
    runtime.block_on(work(Accounts::new(store)))?;
    Ok(AnswerStatus::Yes)
}

/// Reports what was done, on standard error.
fn say(sentence: &str) -> Result<()> {
    writeln!(output::errors(), "touchmove: {sentence}")?;
    Ok(())
}
