//! `touchmove play`: a game between two people at one keyboard, or between programs by pipe.

use std::fs;
use std::io::{self, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use touchmove_diagram::Men;
use touchmove_game::{
    Budget, ClockStart, Command, Game, Players, Terms, Times, Timestamp, Verdict, resume,
};
use touchmove_pgn::Document;
use touchmove_rules::{AnyPosition, Setup, Variant, Weight};
use touchmove_tui::sparring::Customs;
use touchmove_tui::{plain, protocol};

use crate::cli::{Answer, Refused};
use crate::config;
use crate::luck::Luck;
use crate::position::{PositionArgs, illegal, warn};
use crate::screen::{self, LookArgs};
use crate::seats::SeatArgs;
use crate::terms::LawArgs;

/// Play a game, two people at one keyboard or one against the computer.
///
/// Chess960 is played from a start drawn by lot, unless --start, --fen or --moves is given.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove play --time 5+3 --white Anna --black Ben
  touchmove play --black engine:casual
  touchmove play --black stockfish --engine-option UCI_LimitStrength=true --engine-option UCI_Elo=1500
  touchmove play --white \"gnuchess --uci\" --black engine --time 3+2
  touchmove play --variant atomic --plain
  touchmove play --variant chess960
  touchmove play --start 579
  touchmove play --load adjourned.pgn
  printf 'f3\\ne5\\ng4\\nQh4\\n' | touchmove play --plain
  printf '{\"move\":\"e2e4\",\"at\":1500}\\n' | touchmove play --json --time 3+2")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    laws: LawArgs,

    /// The time for each player: 5+3, 5d3 (delay), 5b3 (Bronstein), 0:30, 40/90+30,30+30, 3d (days for
    /// each move); "5 v 2+1" gives White and Black different times.
    #[arg(long, value_name = "CONTROL")]
    time: Option<Times>,

    /// When the clocks begin to run: with the game, with its first move, or when both have moved.
    #[arg(long, value_name = "at-once|first-move|both-moved", default_value_t)]
    clock_start: ClockStart,

    /// Go on with the last game of this PGN file, with its terms and clocks.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "start", "moves", "variant", "white", "black"])]
    load: Option<PathBuf>,

    /// Nobody may take back a move.
    #[arg(long)]
    no_takebacks: bool,

    #[command(flatten)]
    seats: SeatArgs,

    /// Draw lots for the colours.
    #[arg(long)]
    random_colors: bool,

    /// Draw the lots, for colours and Chess960, from this seed: the same seed, the same lots.
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

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
    let mut luck = Luck::new(args.seed);
    let document = args.load.as_deref().map(read).transpose()?;
    let (setup, variant) = match &document {
        Some((name, document)) => {
            let start = document
                .start()
                .map_err(|error| Refused(format!("{name}: {error}")))?;
            (start.setup(), start.variant())
        }
        None => (setup(args, &mut luck)?, args.position.variant()),
    };
    let faults = setup.faults_at_start(variant);
    if faults.weight() == Some(Weight::Impossible) {
        return refuse_start(args, &Verdict::of_illegal(variant, &setup, &faults));
    }
    warn(&touchmove_desk::warnings(&setup, variant));
    let settings = config::read().map(|(settings, _)| settings);
    let settings = settings.unwrap_or_default();
    let mut customs = args.seats.customs(&settings, args.seed);
    let mut game = match &document {
        Some((name, document)) => {
            let usual = terms(args, AnyPosition::start(variant));
            resume(document, &usual).map_err(|error| Refused(format!("{name}: {error}")))?
        }
        None => {
            let start = AnyPosition::from_setup(&setup, variant).map_err(illegal)?;
            let players = players(args, &start, &mut luck, &mut customs)?;
            prepare(args, start, players)?
        }
    };
    if args.json || !style.interactive {
        game = game.with_patience(FOR_PROGRAMS);
    }
    if args.json || args.plain || !screen::is_there() {
        customs.seed = Some(customs.seed.unwrap_or_else(|| luck.number()));
    }
    if args.json {
        protocol::run(
            game,
            &customs,
            &mut io::stdin().lock(),
            &mut io::stdout().lock(),
        )?;
    } else if !args.plain && screen::is_there() {
        return screen::play_game(game, customs, &args.look, args.ascii);
    } else {
        let stdin = BufReader::new(io::stdin());
        let signal = plain::run(game, &customs, style, stdin, &mut io::stdout().lock())?;
        return Ok(signal.map_or(Answer::Yes, Answer::Left));
    }
    Ok(Answer::Yes)
}

/// The terms that the arguments name, from this position.
fn terms(args: &Args, start: AnyPosition) -> Terms {
    Terms {
        time: args.time.clone(),
        clock_start: args.clock_start,
        takebacks: !args.no_takebacks,
        ..args.laws.terms(start)
    }
}

/// The last game of a file, to go on with, and the name of the file.
fn read(path: &Path) -> Result<(String, Document)> {
    let name = path.display().to_string();
    let text = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let document = Document::read_all(&text)
        .pop()
        .with_context(|| format!("there is no game in {name}"))?;
    Ok((name, document))
}

/// What the game begins with. In Chess960 that is drawn by lot, unless somebody says where to begin or
/// what to play.
fn setup(args: &Args, luck: &mut Luck) -> Result<Setup> {
    let drawn = match args.position.variant() {
        Variant::Chess960 => Setup::chess960(luck.below(960)),
        _ => None,
    };
    let given = args.position.given_setup()?;
    Ok(given.or(drawn).unwrap_or_else(Setup::start))
}

/// The game with the moves that were given already played.
fn prepare(args: &Args, start: AnyPosition, players: Players) -> Result<Game> {
    let mut game = Game::begin(terms(args, start), players, Timestamp::default());
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

/// Who plays with which men; programs are tried first.
fn players(
    args: &Args,
    start: &AnyPosition,
    luck: &mut Luck,
    customs: &mut Customs,
) -> Result<Players> {
    let [white, black] = args.seats.names(customs, start)?;
    Ok(match args.random_colors && luck.coin() {
        true => Players {
            white: black,
            black: white,
        },
        false => Players { white, black },
    })
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
