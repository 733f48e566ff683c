//! `touchmove host`: hosts a table and joins it, in one step.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Result;
use touchmove_client::{NewTable, ParseLinkError, SideRequest, TableLink, TermsRequest};
use touchmove_game::{ClockStart, TimeControls};

use crate::cli::AnswerStatus;
use crate::join::{self, AccountArgs, NetworkSeatArgs};
use crate::network;
use crate::output;
use crate::position::SourceArgs;
use crate::terms::LawArgs;

/// Play with somebody on the same network: serve a table, and sit down at it.
///
/// The link to send is shown. The server ends when you leave; the game is kept, and --resume goes on with
/// it. With --at the table is set up on a server that runs already, and stays there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove host --time 5+3 --name Anna
  touchmove host --variant atomic --side black
  touchmove host --listen 127.0.0.1:0 --plain
  touchmove host --resume Ab3dE6gH
  touchmove host --at https://chess.example.org --time 10+5

The other one opens the link in a browser, or says: touchmove join LINK")]
pub struct Args {
    #[command(flatten)]
    source: SourceArgs,

    #[command(flatten)]
    laws: LawArgs,

    /// The time for each player: 5+3, 5d3 (delay), 5b3 (Bronstein), 0:30, 40/90+30,30+30, 3d (days for
    /// each move); "5 v 2+1" gives White and Black different times.
    #[arg(long, value_name = "CONTROL")]
    time: Option<TimeControls>,

    /// When the clocks begin to run: with the game, with its first move, or when both have moved.
    #[arg(long, value_name = "at-once|first-move|both-moved")]
    clock_start: Option<ClockStart>,

    /// Nobody may take back a move.
    #[arg(long)]
    no_takebacks: bool,

    /// Your side.
    #[arg(long, value_name = "white|black|random", value_parser = side, default_value = "random")]
    side: SideRequest,

    /// Go on with this game, which was hosted before.
    #[arg(
        long,
        value_name = "GAME",
        conflicts_with_all = ["fen", "start", "variant", "time", "clock_start", "no_takebacks"]
    )]
    resume: Option<String>,

    /// Set up the table on this server instead of serving it here.
    #[arg(
        long,
        value_name = "URL",
        value_parser = server,
        conflicts_with_all = ["listen", "data", "resume"]
    )]
    at: Option<TableLink>,

    #[command(flatten)]
    account: AccountArgs,

    /// Where to listen; port 0 takes any free one [default: 0.0.0.0:8000, or any port if that is taken].
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,

    /// The folder that games are kept in.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    #[command(flatten)]
    seat: NetworkSeatArgs,
}

fn side(word: &str) -> Result<SideRequest, String> {
    match word {
        "white" => Ok(SideRequest::White),
        "black" => Ok(SideRequest::Black),
        "random" => Ok(SideRequest::Random),
        _ => Err("it is white, black or random".to_owned()),
    }
}

/// Parses the URL of a server, as the link of a table that does not exist yet.
fn server(url: &str) -> Result<TableLink, &'static str> {
    let link = format!("{}/new", url.trim_end_matches('/')).parse();
    link.map_err(|_: ParseLinkError| "a server is http://HOST:PORT or https://HOST")
}

/// Hosts and plays until the player leaves.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let proposal = proposal(args)?;
    if let Some(server) = &args.at {
        let token = args.account.token()?;
        let visit = network::host_at(server, &proposal, token.clone())?;
        writeln!(output::errors(), "the table is at {}", visit.link)?;
        return join::play_at_table(&args.seat, visit, None, token);
    }
    let proposal = Some(&proposal).filter(|_| args.resume.is_none());
    let hosted = network::host(
        args.listen,
        args.data.as_deref(),
        &args.seat.name,
        proposal,
        args.resume.as_deref(),
    )?;
    // On standard error, because programs read standard output.
    writeln!(output::errors(), "touchmove is at {}", hosted.visit.link)?;
    join::play_at_table(&args.seat, hosted.visit, Some(hosted.server), None)
}

fn proposal(args: &Args) -> Result<NewTable> {
    let variant = args.source.variant();
    let setup = args.source.setup()?;
    let start = setup.map(|setup| touchmove_rules::Fen(setup).to_string());
    let laws = &args.laws;
    Ok(NewTable {
        terms: TermsRequest {
            variant: Some(variant.to_string()),
            start: start.map(Into::into),
            time: args.time.as_ref().map(ToString::to_string),
            draws: Some(laws.draws),
            flag: Some(laws.flag),
            dead: Some(laws.dead),
            clock_start: args.clock_start,
            takebacks: Some(!args.no_takebacks),
        },
        side: args.side,
        name: Some(args.seat.name.clone()).filter(|name| !name.is_empty()),
    })
}
