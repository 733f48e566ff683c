//! `touchmove play`: a game between two people at one keyboard, or between programs by pipe.

use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use touchmove_diagram::Men;
use touchmove_game::{Budget, Command, Game, Players, Terms, Times, Timestamp, Verdict, resume};
use touchmove_pgn::Document;
use touchmove_rules::AnyPosition;
use touchmove_tui::{plain, protocol};

use crate::cli::{Answer, Refused};
use crate::position::PositionArgs;
use crate::screen::{self, LookArgs};
use crate::terms::LawArgs;

/// Play a game, two people at one keyboard.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove play --time 5+3 --white Anna --black Ben
  touchmove play --variant atomic --plain
  touchmove play --load adjourned.pgn
  printf 'f3\\ne5\\ng4\\nQh4\\n' | touchmove play --plain
  printf '{\"move\":\"e2e4\",\"at\":1500}\\n' | touchmove play --json --time 3+2")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    laws: LawArgs,

    /// The time for each player: 5+3, 5d3 (delay), 5b3 (Bronstein), 0:30, 40/90+30,30+30.
    #[arg(long, value_name = "CONTROL")]
    time: Option<Times>,

    /// Go on with the last game of this PGN file, with its terms and clocks.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "variant", "white", "black"])]
    load: Option<PathBuf>,

    /// Nobody may take back a move.
    #[arg(long)]
    no_takebacks: bool,

    /// The name of the player with the white men.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    white: String,

    /// The name of the player with the black men.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    black: String,

    /// Draw lots for the colours.
    #[arg(long)]
    random_colors: bool,

    /// Lines in, lines out: for pipes, screen readers and slow terminals.
    #[arg(long)]
    plain: bool,

    /// One JSON request per line in, one JSON answer per line out: for programs.
    #[arg(long, conflicts_with = "plain")]
    json: bool,

    /// Letters instead of figurines.
    #[arg(long)]
    ascii: bool,

    /// No banner at the start.
    #[arg(long)]
    no_banner: bool,

    #[command(flatten)]
    look: LookArgs,
}

/// How hard to look whether a position is dead when no player waits at a board: a tenth of a second
/// at worst.
const FOR_PROGRAMS: Budget = Budget::of_positions(100_000);

/// Plays until the game or the input ends; the answer is no if the start cannot be played.
pub fn run(args: &Args) -> Result<Answer> {
    let style = style(args);
    let mut game = match &args.load {
        Some(path) => load(args, path)?,
        None => {
            let setup = args.position.setup()?;
            match AnyPosition::from_setup(&setup, args.position.variant) {
                Ok(start) => prepare(args, start)?,
                Err(faults) => {
                    let verdict = Verdict::of_illegal(args.position.variant, &setup, &faults);
                    return refuse_start(args, &verdict);
                }
            }
        }
    };
    if args.json || !style.interactive {
        game = game.with_patience(FOR_PROGRAMS);
    }
    if args.json {
        protocol::run(game, &mut io::stdin().lock(), &mut io::stdout().lock())?;
    } else if !args.plain && screen::is_there() {
        return screen::play_game(game, &args.look, args.ascii);
    } else {
        let stdin = BufReader::new(io::stdin());
        let signal = plain::run(game, style, stdin, &mut io::stdout().lock())?;
        return Ok(signal.map_or(Answer::Yes, Answer::Left));
    }
    Ok(Answer::Yes)
}

/// The terms that the arguments name, from this position.
fn terms(args: &Args, start: AnyPosition) -> Terms {
    Terms {
        time: args.time.clone(),
        takebacks: !args.no_takebacks,
        ..args.laws.terms(start)
    }
}

/// The last game of a file, to go on with.
fn load(args: &Args, path: &Path) -> Result<Game> {
    let name = path.display();
    let text = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let documents = Document::read_all(&text);
    let document = documents
        .last()
        .with_context(|| format!("there is no game in {name}"))?;
    let usual = terms(args, AnyPosition::start(args.position.variant));
    let game = resume(document, &usual).map_err(|error| Refused(format!("{name}: {error}")))?;
    Ok(game)
}

/// The game with the moves that were given already played.
fn prepare(args: &Args, start: AnyPosition) -> Result<Game> {
    let mut game = Game::begin(terms(args, start), players(args), Timestamp::default());
    for (index, word) in args.position.words().into_iter().enumerate() {
        let refused = |reason: String| Refused(format!("--moves, ply {}: {reason}", index + 1));
        let mv = game
            .read(word)
            .map_err(|error| refused(error.to_string()))?;
        let command = Command::from(game.position().uci(mv));
        let answer = game.submit(Timestamp::default(), game.turn(), command);
        if let Some(refusal) = answer.refusal {
            return Err(refused(refusal.to_string()).into());
        }
    }
    Ok(game)
}

fn players(args: &Args) -> Players {
    let players = Players {
        white: args.white.clone(),
        black: args.black.clone(),
    };
    let heads = RandomState::new().build_hasher().finish() & 1 == 0;
    if args.random_colors && heads {
        Players {
            white: players.black,
            black: players.white,
        }
    } else {
        players
    }
}

fn style(args: &Args) -> plain::Style {
    plain::Style {
        men: if args.ascii {
            Men::Letters
        } else {
            Men::Figurines
        },
        color: has_color(),
        interactive: io::stdin().is_terminal() && io::stdout().is_terminal(),
        banner: !args.no_banner,
    }
}

/// Whether standard output is a terminal that wants colour.
fn has_color() -> bool {
    let says = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    io::stdout().is_terminal()
        && says("NO_COLOR").is_none()
        && says("TERM").is_none_or(|term| term != "dumb")
}

/// Game Over before it began [004-1].
fn refuse_start(args: &Args, verdict: &Verdict) -> Result<Answer> {
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", protocol::illegal_start(verdict))?;
    } else {
        write!(out, "{}", plain::illegal_start(verdict, has_color()))?;
    }
    Ok(Answer::No)
}
