//! `touchmove accounts token`: issues, lists and revokes the tokens of an account.

use std::io::Write as _;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use touchmove_accounts::{Accounts, Scope, Scopes, TOKEN_LIFETIME, token_handle};
use touchmove_store::{Moment, Person, Token};

use crate::accounts::list::day;
use crate::accounts::{say, with};
use crate::cli::AnswerStatus;
use crate::data_dir::DataArgs;
use crate::output;

/// Print a new token of an account; or list or revoke those that it has.
///
/// Only the token goes to standard output; it is not shown again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove accounts token Anna --label \"my board\" --scope board:play --scope challenge:read
  touchmove accounts token Anna --days 30
  touchmove accounts token Anna --list
  touchmove accounts token Anna --revoke 3fa9
  touchmove accounts token Anna --revoke-all

Scopes: board:play, bot:play, challenge:read, challenge:write, account:read, host; without --scope, all.")]
pub struct Args {
    /// Whose.
    name: String,

    /// What to call the token.
    #[arg(long, default_value = "", conflicts_with_all = ["list", "revoke", "revoke_all"])]
    label: String,

    /// What it allows, given once for each; without it, everything.
    #[arg(long, value_name = "SCOPE", conflicts_with_all = ["list", "revoke", "revoke_all"])]
    scope: Vec<Scope>,

    /// For how many days it is good: a year without this, and 0 until it is revoked.
    #[arg(long, conflicts_with_all = ["list", "revoke", "revoke_all"])]
    days: Option<u16>,

    /// List the tokens of the account.
    #[arg(long)]
    list: bool,

    /// Revoke the token that begins like this in the list.
    #[arg(long, value_name = "PREFIX", conflicts_with = "list")]
    revoke: Option<String>,

    /// Revoke all tokens of the account.
    #[arg(long, conflicts_with_all = ["list", "revoke"])]
    revoke_all: bool,

    /// List them in JSON, moments in milliseconds since 1970.
    #[arg(long, requires = "list")]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Issues, lists or revokes.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let store = args.data.open_shared()?;
    with(store, async |people| {
        let person = people.find_existing(&args.name).await?;
        if args.list {
            return list(&people.list_tokens(person.id).await?, args.json);
        }
        if args.revoke_all {
            let revoked = people.revoke_all(person.id).await?;
            let name = &person.name;
            return say(&format!("tokens of {name} that were revoked: {revoked}"));
        }
        match &args.revoke {
            Some(beginning) => revoke(&people, &person, beginning).await,
            None => issue(&people, &person, args).await,
        }
    })
}

async fn issue(people: &Accounts, person: &Person, args: &Args) -> Result<()> {
    let scopes = match args.scope.is_empty() {
        true => Scopes::ALL,
        false => args.scope.iter().copied().collect(),
    };
    let lasts = match args.days {
        None => Some(TOKEN_LIFETIME),
        Some(0) => None,
        Some(days) => Some(Duration::from_secs(u64::from(days) * 86_400)),
    };
    let issued = people
        .issue_token(person, &args.label, scopes, lasts)
        .await?;
    let (secret, token) = issued;
    writeln!(output::lines(), "{}", secret.reveal())?;
    let (name, until) = (&person.name, until(&token));
    say(&format!(
        "this token of {name} allows {scopes}{until}; it is not shown again"
    ))
}

async fn revoke(people: &Accounts, person: &Person, beginning: &str) -> Result<()> {
    let token = people.revoke_token(person, beginning).await?;
    let handle = token_handle(&token.hash);
    say(&format!("the token {handle} of {} is revoked", person.name))
}

fn list(tokens: &[Token], json: bool) -> Result<()> {
    let mut out = output::answer(json);
    if json {
        let tokens: Vec<Value> = tokens.iter().map(to_json).collect();
        writeln!(out, "{}", json!({ "tokens": tokens }))?;
        return Ok(());
    }
    for token in tokens {
        let (handle, since) = (token_handle(&token.hash), day(token.created));
        let used = match token.last_used {
            Some(used) => format!("used {}", day(used)),
            None => "not used yet".to_owned(),
        };
        let state = match token.revoked {
            Some(revoked) => format!(", revoked {}", day(revoked)),
            None => until(token),
        };
        let (scopes, label) = (&token.scopes, &token.label);
        writeln!(
            out,
            "{handle}  since {since}, {used}{state}: {scopes}  {label}"
        )?;
    }
    Ok(())
}

fn until(token: &Token) -> String {
    let until = |expires: Moment| format!(", until {}", day(expires));
    token.expires.map(until).unwrap_or_default()
}

fn to_json(token: &Token) -> Value {
    let millis = |moment: Option<Moment>| moment.map(|moment| moment.0);
    let scopes: Vec<_> = token.scopes.split(' ').collect();
    json!({
        "token": token_handle(&token.hash),
        "label": token.label,
        "scopes": scopes,
        "created": token.created.0,
        "used": millis(token.last_used),
        "expires": millis(token.expires),
        "revoked": millis(token.revoked),
    })
}
