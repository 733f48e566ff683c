//! `touchmove join`: a seat at a table on the network, or a place beside it.

use std::io::{self, BufReader, IsTerminal as _};

use anyhow::{Result, anyhow};
use touchmove_client::{AccountToken, Link, Visit};
use touchmove_diagram::Men;
use touchmove_tui::{Signal, VisitError, json_mode, plain};

use crate::cli::{Answer, Refused};
use crate::network;
use crate::output;
use crate::terminal_ui;
use crate::terminal_ui::LookArgs;

/// Play or watch at a table on the network.
///
/// Whoever joins takes the open seat, or watches if there is none. The same link leads back to the same
/// seat. After a break the line comes back by itself, and nothing that was said is lost or happens twice.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove join http://192.168.1.5:8000/Ab3dE6gH
  touchmove join https://chess.example.org/Ab3dE6gH --name Bea
  touchmove join http://127.0.0.1:8000/Ab3dE6gH --watch --plain
  printf '{\"move\":\"e5\",\"id\":\"m1\"}\\n' | touchmove join http://127.0.0.1:8000/Ab3dE6gH --json

With --json the messages of the live protocol (docs/LIVE.md) go in and out, one on each line. At the end of \
the input it leaves when everything is answered; the exit code is 1 if the server does not answer.")]
pub struct Args {
    /// The link of the table, as the server shows it.
    #[arg(value_name = "URL")]
    link: Link,

    #[command(flatten)]
    seat: SeatArgs,

    #[command(flatten)]
    account: AccountArgs,

    /// Only watch, even if a seat is open.
    #[arg(long)]
    watch: bool,
}

/// Who somebody is at a server that knows accounts.
#[derive(clap::Args)]
pub struct AccountArgs {
    /// The token of an account, which is sent to the server of --token-origin only. Other users of this machine can
    /// see it here, in its list of processes; they cannot in the environment.
    #[arg(
        long,
        value_name = "TOKEN",
        env = "TOUCHMOVE_TOKEN",
        hide_env_values = true
    )]
    token: Option<String>,

    /// The server that the token belongs to, as in `https://chess.example.org`; at others you are a guest.
    #[arg(long, value_name = "URL", env = "TOUCHMOVE_TOKEN_ORIGIN")]
    token_origin: Option<String>,

    /// Send the token unencrypted to a private address such as http://192.168.1.5:8000.
    #[arg(long)]
    insecure: bool,
}

impl AccountArgs {
    /// The token, if there is one.
    pub fn token(&self) -> Result<Option<AccountToken>> {
        let Some(token) = self.token.as_ref().filter(|token| !token.is_empty()) else {
            return Ok(None);
        };
        let origin = self.token_origin.as_deref();
        Ok(Some(AccountToken::new(token, origin, self.insecure)?))
    }
}

/// How somebody sits at a table on the network.
#[derive(clap::Args)]
pub struct SeatArgs {
    /// Your name at the table.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    pub name: String,

    /// Lines in, lines out: for pipes, screen readers and slow terminals.
    #[arg(long)]
    plain: bool,

    /// One JSON message per line in and out: for programs.
    #[arg(long, conflicts_with = "plain")]
    json: bool,

    /// Letters instead of figurines.
    #[arg(long)]
    ascii: bool,

    #[command(flatten)]
    look: LookArgs,
}

/// Plays or watches until the player leaves.
pub fn run(args: &Args) -> Result<Answer> {
    let token = args.account.token()?;
    let guest = network::network(token.clone()).guest(&args.link, &args.seat.name);
    let visit = Visit {
        name: args.seat.name.clone(),
        only_watches: args.watch,
        ..Visit::of(args.link.clone(), guest.map_err(|error| anyhow!(error))?)
    };
    sit(&args.seat, visit, None, token)
}

/// Plays or watches at a table, on the full screen or in lines. A server that is handed over ends with it.
pub fn sit(
    args: &SeatArgs,
    visit: Visit,
    server: Option<Box<dyn std::any::Any + Send>>,
    token: Option<AccountToken>,
) -> Result<Answer> {
    let input = BufReader::new(io::stdin());
    let left = if args.json {
        json_mode::visit(visit, input, &mut output::json())
    } else if !args.plain && terminal_ui::is_there() {
        return terminal_ui::visit(visit, server, &args.look, args.ascii, token);
    } else {
        let style = plain::Style {
            men: if args.ascii {
                Men::Letters
            } else {
                Men::Figurines
            },
            interactive: io::stdin().is_terminal() && io::stdout().is_terminal(),
            ..plain::Style::default()
        };
        plain::visit(visit, style, input, &mut output::lines())
    };
    answer(left)
}

fn answer(left: Result<Option<Signal>, VisitError>) -> Result<Answer> {
    match left {
        Ok(signal) => Ok(signal.map_or(Answer::Yes, Answer::Left)),
        Err(VisitError::NoTable(why)) => Err(anyhow!(why)),
        Err(open @ VisitError::Unanswered(_)) => Err(Refused(open.to_string()).into()),
        Err(VisitError::Io(error)) => Err(error.into()),
    }
}
