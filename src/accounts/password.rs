//! `touchmove accounts password`: sets a password, typed without an echo or read from a pipe.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write as _};

use anyhow::{Context as _, Result, bail};
use touchmove_accounts::password;

use crate::accounts::{say, with};
use crate::cli::AnswerStatus;
use crate::data_dir::DataArgs;
use crate::output;

/// Set the password of an account; everybody who is signed in with the old one has to sign in again, and
/// tokens of programs are revoked.
///
/// It is asked for without an echo, twice; or read from standard input, one line, if that is no terminal.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove accounts password Anna
  pwgen -s 20 1 | tee anna.txt | touchmove accounts password Anna")]
pub struct Args {
    /// Whose.
    name: String,

    /// Let programs keep their tokens, which are revoked otherwise.
    #[arg(long)]
    keep_tokens: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Asks for the password and sets it.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    with(args.data.open_shared()?, async |people| {
        // Checked before the password is typed.
        let person = people.find_existing(&args.name).await?;
        let password = match io::stdin().is_terminal() {
            true => typed(&person.name)?,
            false => piped()?,
        };
        let ended = people.set_password(person.id, &password).await?;
        let name = &person.name;
        let revoked = match args.keep_tokens {
            true => 0,
            false => people.revoke_all(person.id).await?,
        };
        say(&format!(
            "{name} has a new password; sessions that ended: {ended}, tokens that were revoked: {revoked}"
        ))
    })
}

fn typed(name: &str) -> Result<String> {
    let first = asked(&format!("Password for {name}: "))?;
    password::validate(&first)?;
    if asked("The same again: ")? != first {
        bail!("these are two passwords: nothing was changed");
    }
    Ok(first)
}

fn asked(prompt: &str) -> Result<String> {
    let mut out = output::errors();
    write!(out, "{prompt}")?;
    out.flush()?;
    rpassword::read_password().context("no password can be read from this terminal")
}

/// The first line of standard input; one longer than any password is cut off, and refused later.
fn piped() -> Result<String> {
    let mut line = Vec::new();
    let longest = u64::try_from(password::MAX_PASSWORD_BYTES)? + 3;
    let mut bounded = io::stdin().lock().take(longest);
    bounded.read_until(b'\n', &mut line)?;
    let Ok(line) = String::from_utf8(line) else {
        bail!("the password on standard input is not UTF-8");
    };
    let line = line.strip_suffix('\n').unwrap_or(&line);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}
