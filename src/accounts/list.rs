//! `touchmove accounts list`: all accounts.

use std::io::Write as _;

use anyhow::Result;
use serde_json::{Value, json};
use touchmove_pgn::Timestamp;
use touchmove_store::{Moment, Person, PersonKind, limits};

use crate::accounts::with;
use crate::cli::AnswerStatus;
use crate::data_dir::DataArgs;
use crate::output;

/// List everybody with an account.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove accounts list
  touchmove accounts list --json")]
pub struct Args {
    /// Answer in JSON: an object with all people, moments in milliseconds since 1970.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Prints the list.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    with(args.data.open_shared()?, async |people| {
        let mut all: Vec<Person> = Vec::new();
        loop {
            let after = all.last().map(|person| person.skeleton.clone());
            let page = people.list(after, limits::MAX_ROWS).await?;
            if page.is_empty() {
                break;
            }
            all.extend(page);
        }
        all.sort_by_key(|person| person.name.to_lowercase());
        let mut out = output::answer(args.json);
        if args.json {
            let people: Vec<Value> = all.iter().map(to_json).collect();
            writeln!(out, "{}", json!({ "people": people }))?;
            return Ok(());
        }
        for person in &all {
            let kind = word(person.kind);
            let since = day(person.created);
            let state = match (person.disabled, &person.password) {
                (Some(disabled), _) => format!("closed since {}", day(disabled)),
                (None, Some(_)) => "signs in with a password".to_owned(),
                (None, None) => "has tokens only".to_owned(),
            };
            writeln!(out, "{:20}  {kind:5}  since {since}  {state}", person.name)?;
        }
        Ok(())
    })
}

fn to_json(person: &Person) -> Value {
    json!({
        "id": person.id.as_str(),
        "name": person.name,
        "kind": word(person.kind),
        "created": person.created.0,
        "password": person.password.is_some(),
        "disabled": person.disabled.map(|moment| moment.0),
    })
}

const fn word(kind: PersonKind) -> &'static str {
    match kind {
        PersonKind::Human => "human",
        PersonKind::Bot => "bot",
    }
}

/// The date of a moment, in UTC.
pub(super) fn day(moment: Moment) -> String {
    let stamp = Timestamp(u64::try_from(moment.0).unwrap_or(0));
    stamp.date().replace('.', "-")
}
