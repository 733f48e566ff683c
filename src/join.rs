//! `touchmove join`: plays or watches at a table on the network.

use std::io::{self, BufReader, IsTerminal as _};

use anyhow::{Result, anyhow};
use touchmove_client::{AccountToken, ConnectOptions, TableLink};
use touchmove_diagram::PieceStyle;
use touchmove_tui::{NetworkGameError, Signal, json_mode, plain};

use crate::cli::{AnswerStatus, NegativeAnswer};
use crate::network;
use crate::output;
use crate::terminal_ui;
use crate::terminal_ui::AppearanceArgs;

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
    link: TableLink,

    #[command(flatten)]
    seat: NetworkSeatArgs,

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
pub struct NetworkSeatArgs {
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
    look: AppearanceArgs,
}

/// Plays or watches until the player leaves.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let token = args.account.token()?;
    let guest = network::network(token.clone()).guest(&args.link, &args.seat.name);
    let visit = ConnectOptions {
        name: args.seat.name.clone(),
        only_watches: args.watch,
        ..ConnectOptions::of(args.link.clone(), guest.map_err(|error| anyhow!(error))?)
    };
    play_at_table(&args.seat, visit, None, token)
}

/// Plays or watches at a table, on the full screen or in lines. A server that is passed in stops afterwards.
pub fn play_at_table(
    args: &NetworkSeatArgs,
    visit: ConnectOptions,
    server: Option<Box<dyn std::any::Any + Send>>,
    token: Option<AccountToken>,
) -> Result<AnswerStatus> {
    let input = BufReader::new(io::stdin());
    let left = if args.json {
        json_mode::run_network_game(visit, input, &mut output::json())
    } else if !args.plain && terminal_ui::is_available() {
        return terminal_ui::run_network_game(visit, server, &args.look, args.ascii, token);
    } else {
        let style = plain::PlainStyle {
            men: if args.ascii {
                PieceStyle::Letters
            } else {
                PieceStyle::Figurines
            },
            interactive: io::stdin().is_terminal() && io::stdout().is_terminal(),
            ..plain::PlainStyle::default()
        };
        plain::run_network_game(visit, style, input, &mut output::lines())
    };
    answer(left)
}

fn answer(left: Result<Option<Signal>, NetworkGameError>) -> Result<AnswerStatus> {
    match left {
        Ok(signal) => Ok(signal.map_or(AnswerStatus::Yes, AnswerStatus::Left)),
        Err(NetworkGameError::NoTable(why)) => Err(anyhow!(why)),
        Err(open @ NetworkGameError::Unanswered(_)) => Err(NegativeAnswer(open.to_string()).into()),
        Err(NetworkGameError::Io(error)) => Err(error.into()),
    }
}
