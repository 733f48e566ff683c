//! `touchmove play`: a game between two people at one keyboard, against the computer, or between programs by pipe.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use touchmove_diagram::PieceStyle;
use touchmove_game::{
    Budget, ClockStart, Command, Game, Players, Terms, TimeControls, Timestamp, Verdict, resume,
};
use touchmove_pgn::{Document, read_documents};
use touchmove_rules::{AnyPosition, FaultSeverity, Setup, Variant};
use touchmove_text::display_path;
use touchmove_tui::bounded_file::{Bounded, MAX_FILE_BYTES};
use touchmove_tui::json_mode;
use touchmove_tui::opponents::ComputerOptions;
use touchmove_tui::plain::{self, BoardDisplay, PlainStart};
use touchmove_tui::screen::InitialScreen;

use crate::cli::{AnswerStatus, NegativeAnswer};
use crate::config;
use crate::output;
use crate::pgn::source;
use crate::position::{PositionArgs, illegal, warn};
use crate::random::SplitMix64;
use crate::seats::SeatArgs;
use crate::terminal_ui;
use crate::terminal_ui::AppearanceArgs;
use crate::terms::LawArgs;

/// Play a game, two people at one keyboard or one against the computer.
///
/// Chess960 is played from a start drawn by lot, unless --start, --fen or --moves is given.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove play --time 5+3 --white Anna --black Ben
  touchmove play --black engine:casual
  touchmove play --black stockfish --engine-option UCI_LimitStrength=true \\
      --engine-option UCI_Elo=1500
  touchmove play --white \"gnuchess --uci\" --black engine --time 3+2
  touchmove play --variant atomic --plain
  touchmove play --variant chess960
  touchmove play --start 579
  touchmove play --load adjourned.pgn
  touchmove play --resume                  the unfinished game that was begun last
  touchmove play --plain --board asked     for a screen reader: boards only when asked for
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
    time: Option<TimeControls>,

    /// When the clocks begin to run: with the game, with its first move, or when both have moved.
    #[arg(long, value_name = "at-once|first-move|both-moved", default_value_t)]
    clock_start: ClockStart,

    /// Go on with the last game of this PGN file, with its terms and clocks.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "start", "moves", "variant", "white", "black"])]
    load: Option<PathBuf>,

    /// Go on with an unfinished game: the newest, or the N-th newest.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1",
        value_parser = clap::value_parser!(u64).range(1..),
        conflicts_with_all = ["load", "fen", "start", "moves", "variant", "white", "black", "time", "json"])]
    resume: Option<u64>,

    /// Do not keep the game: no journal while it is played, nothing in the library at its end.
    #[arg(long, conflicts_with = "resume")]
    no_keep: bool,

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

    /// When the plain mode shows the board: always, asked (by the word board) or never. Without it,
    /// always; asked if the settings say screen_reader.
    #[arg(long, value_name = "always|asked|never", value_parser = boards)]
    board: Option<BoardDisplay>,

    /// Letters instead of figurines.
    #[arg(long)]
    ascii: bool,

    /// No banner at the start.
    #[arg(long)]
    no_banner: bool,

    #[command(flatten)]
    look: AppearanceArgs,
}

/// The analysis budget for dead positions in JSON mode, where no player waits at a board: a tenth of a second at
/// worst.
const JSON_ANALYSIS_BUDGET: Budget = Budget::of_positions(100_000);

/// Plays until the game or the input ends; the answer is no if the start position cannot be played.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    if let Some(number) = args.resume {
        return resume_waiting(args, number);
    }
    let style = style(args);
    let mut luck = SplitMix64::new(args.seed);
    let document = args.load.as_deref().map(read).transpose()?;
    let (setup, variant) = match &document {
        Some((name, document)) => {
            let start = document
                .start()
                .map_err(|error| NegativeAnswer(format!("{name}: {error}")))?;
            (start.setup(), start.variant())
        }
        None => (setup(args, &mut luck)?, args.position.variant()),
    };
    let faults = setup.faults_at_start(variant);
    if faults.weight() == Some(FaultSeverity::Impossible) {
        return refuse_start(args, &Verdict::of_illegal(variant, &setup, &faults));
    }
    warn(&touchmove_arbiter::warnings(&setup, variant));
    let settings = config::read().map(|(settings, _)| settings);
    let settings = settings.unwrap_or_default();
    let mut customs = args.seats.computer_options(&settings, args.seed);
    let mut game = match &document {
        Some((name, document)) => {
            let usual = terms(args, AnyPosition::start(variant));
            resume(document, &usual).map_err(|error| NegativeAnswer(format!("{name}: {error}")))?
        }
        None => {
            let start = AnyPosition::from_setup(&setup, variant).map_err(illegal)?;
            let players = players(args, &start, &mut luck, &mut customs)?;
            prepare(args, start, players)?
        }
    };
    if args.json || !style.interactive {
        game = game.with_analysis_budget(JSON_ANALYSIS_BUDGET);
    }
    if args.json {
        json_mode::run(game, &customs, &mut io::stdin().lock(), &mut output::json())?;
    } else if !args.plain && terminal_ui::is_available() {
        let opening = InitialScreen::Game(Box::new(game));
        let banner = !args.no_banner;
        return terminal_ui::play(
            opening,
            &args.look,
            args.ascii,
            banner,
            !args.no_keep,
            customs,
        );
    } else {
        let beginning = match document.is_some() || args.position.given_setup()?.is_some() {
            true => PlainStart::OnlyGame(Box::new(game)),
            false => PlainStart::Game(Box::new(game)),
        };
        return play_plain(args, beginning, &customs, style);
    }
    Ok(AnswerStatus::Yes)
}

fn play_plain(
    args: &Args,
    beginning: PlainStart,
    customs: &ComputerOptions,
    style: plain::PlainStyle,
) -> Result<AnswerStatus> {
    let mut notices = terminal_ui::setting_faults();
    if style.interactive {
        notices.extend(terminal_ui::encoding_hint());
    } else {
        for fault in notices.drain(..) {
            output::complain(&fault);
        }
    }
    let stdin = BufReader::new(io::stdin());
    let keeping = (!args.no_keep).then(terminal_ui::save_dir);
    let signal = plain::run(
        beginning,
        customs,
        style,
        keeping,
        &notices,
        stdin,
        &mut output::lines().allow(plain::RED_GAME_OVER),
    )?;
    Ok(signal.map_or(AnswerStatus::Yes, AnswerStatus::Left))
}

/// Resumes an unfinished game, counted from the newest.
fn resume_waiting(args: &Args, number: u64) -> Result<AnswerStatus> {
    let Some(shelf) = terminal_ui::save_dir() else {
        bail!("there is no place for games: set HOME or XDG_DATA_HOME to a full path");
    };
    let place = display_path(&shelf.journals()).to_string();
    let survey = shelf.scan_journals().with_context(|| place.clone())?;
    for warning in &survey.warnings {
        output::complain(warning);
    }
    let count = survey.waiting.len();
    let at = usize::try_from(number - 1).unwrap_or(usize::MAX);
    let Some(waiting) = survey.waiting.into_iter().nth(at) else {
        let words = match count {
            0 => format!("there is no unfinished game in {place}"),
            count => format!("there are {count} unfinished games in {place}, not {number}"),
        };
        return Err(NegativeAnswer(words).into());
    };
    let settings = config::read().map(|(settings, _)| settings);
    let customs = args
        .seats
        .computer_options(&settings.unwrap_or_default(), args.seed);
    if !args.plain && terminal_ui::is_available() {
        let opening = InitialScreen::Resume(waiting.path);
        let banner = !args.no_banner;
        return terminal_ui::play(opening, &args.look, args.ascii, banner, true, customs);
    }
    play_plain(
        args,
        PlainStart::Resume(waiting.path),
        &customs,
        style(args),
    )
}

fn boards(word: &str) -> Result<BoardDisplay, String> {
    let found = BoardDisplay::ALL
        .into_iter()
        .find(|boards| boards.word() == word);
    found.ok_or_else(|| {
        format!(
            "it is {}",
            BoardDisplay::ALL.map(BoardDisplay::word).join(", ")
        )
    })
}

/// The terms in the arguments, from this position.
fn terms(args: &Args, start: AnyPosition) -> Terms {
    Terms {
        time: args.time.clone(),
        clock_start: args.clock_start,
        takebacks: !args.no_takebacks,
        ..args.laws.terms(start)
    }
}

/// The last game of a file, to be resumed, and the name of the file.
fn read(path: &Path) -> Result<(String, Document)> {
    let name = display_path(path).to_string();
    let cannot = || format!("cannot read {name}");
    let file = File::open(path).with_context(cannot)?;
    let (mut count, mut last) = (0, None);
    read_documents(Bounded::new(file, MAX_FILE_BYTES), |game| {
        count += 1;
        last = Some(game);
        ControlFlow::Continue(())
    })
    .with_context(cannot)?;
    let document = last.with_context(|| format!("there is no game in {name}"))?;
    source::check_length(&document, count, path)?;
    Ok((name, document))
}

/// The start position. Random in Chess960, unless a position or moves are given.
fn setup(args: &Args, luck: &mut SplitMix64) -> Result<Setup> {
    let drawn = match args.position.variant() {
        Variant::Chess960 => Setup::chess960(luck.below(960)),
        _ => None,
    };
    let given = args.position.given_setup()?;
    Ok(given.or(drawn).unwrap_or_else(Setup::start))
}

/// The game, with the given moves played.
fn prepare(args: &Args, start: AnyPosition, players: Players) -> Result<Game> {
    let mut game = Game::begin(terms(args, start), players, Timestamp::default());
    for (index, word) in args.position.words().into_iter().enumerate() {
        let refused =
            |reason: String| NegativeAnswer(format!("--moves, ply {}: {reason}", index + 1));
        let mv = game
            .read_move(word)
            .map_err(|error| refused(error.to_string()))?;
        let command = Command::from(game.position().uci(mv));
        let answer = game.submit(Timestamp::default(), game.turn(), command);
        if let Some(refusal) = answer.refusal {
            return Err(refused(refusal.to_string()).into());
        }
    }
    Ok(game)
}

/// The players by colour; engines are tried out first.
fn players(
    args: &Args,
    start: &AnyPosition,
    luck: &mut SplitMix64,
    customs: &mut ComputerOptions,
) -> Result<Players> {
    let [white, black] = args.seats.names(customs, start)?;
    Ok(match args.random_colors && luck.next_bool() {
        true => Players {
            white: black,
            black: white,
        },
        false => Players { white, black },
    })
}

fn style(args: &Args) -> plain::PlainStyle {
    plain::PlainStyle {
        men: if args.ascii || terminal_ui::other_encoding().is_some() {
            PieceStyle::Letters
        } else {
            PieceStyle::Figurines
        },
        color: terminal_ui::has_color(),
        interactive: io::stdin().is_terminal() && io::stdout().is_terminal(),
        banner: !args.no_banner && !listens(),
        boards: args.board.unwrap_or(match listens() {
            true => BoardDisplay::Asked,
            false => BoardDisplay::Always,
        }),
    }
}

/// Whether the configuration has `screen_reader` set.
fn listens() -> bool {
    config::read().is_ok_and(|(config, _)| config.screen_reader)
}

/// "Game Over" before the first move [004-1].
fn refuse_start(args: &Args, verdict: &Verdict) -> Result<AnswerStatus> {
    let mut out = output::answer(args.json).allow(plain::RED_GAME_OVER);
    if args.json {
        writeln!(out, "{}", json_mode::illegal_start(verdict))?;
    } else {
        write!(
            out,
            "{}",
            plain::illegal_start(verdict, terminal_ui::has_color())
        )?;
    }
    Ok(AnswerStatus::No)
}
