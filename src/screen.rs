//! The full-screen game: settings from the configuration, the environment and the arguments, put
//! together for the terminal.

use std::io::{self, IsTerminal as _, Write as _};

use anyhow::{Context as _, Result};
use touchmove_client::Visit;
use touchmove_game::Game;
use touchmove_tui::VisitError;
use touchmove_tui::autosave::Shelf;
use touchmove_tui::config::Config;
use touchmove_tui::screen::{
    self, Collection, Depth, Farewell, LookThroughError, Opening, Pieces, Theme,
};
use touchmove_tui::sparring::Customs;

use crate::cli::{Answer, Refused};
use crate::{config, data, network, seats};

/// How the screen looks.
#[derive(clap::Args)]
pub struct LookArgs {
    /// The colours of the full screen.
    #[arg(long, value_name = "NAME", value_parser = theme)]
    theme: Option<Theme>,

    /// How men are drawn on the full screen.
    #[arg(long, value_name = "HOW", value_parser = pieces)]
    pieces: Option<Pieces>,

    /// No moving pictures.
    #[arg(long)]
    no_animation: bool,
}

fn theme(name: &str) -> Result<Theme, String> {
    let names = Theme::ALL.map(|theme| theme.name).join(", ");
    Theme::named(name).ok_or_else(|| format!("the themes are {names}"))
}

fn pieces(word: &str) -> Result<Pieces, String> {
    let words = Pieces::ALL.map(Pieces::word).join(", ");
    let found = Pieces::ALL.into_iter().find(|pieces| pieces.word() == word);
    found.ok_or_else(|| format!("it is one of {words}"))
}

/// Whether there is a terminal to play on, and not one that can only write line after line.
pub fn is_there() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
}

/// Opens the start screen.
pub fn start() -> Result<Answer> {
    play(Opening::StartScreen, settings()?)
}

/// Plays a game that was set up by arguments.
pub fn play_game(game: Game, customs: Customs, args: &LookArgs, ascii: bool) -> Result<Answer> {
    let config = Config {
        customs,
        ..settings_with(args, ascii)?
    };
    play(Opening::Game(Box::new(game)), config)
}

/// Plays or watches at a table on the network. A server that is handed over ends with the visit.
pub fn visit(
    visit: Visit,
    server: Option<Box<dyn std::any::Any + Send>>,
    args: &LookArgs,
    ascii: bool,
    token: Option<String>,
) -> Result<Answer> {
    let shelf = data::folder().map(Shelf::new);
    let config = settings_with(args, ascii)?;
    match screen::visit(visit, server, config, shelf, network::network(token)) {
        Ok(farewell) => part(farewell),
        Err(VisitError::NoTable(why)) => Err(anyhow::anyhow!(why)),
        Err(VisitError::Io(error)) => Err(error).context(NO_TERMINAL),
    }
}

/// The configuration with what the arguments change.
fn settings_with(args: &LookArgs, ascii: bool) -> Result<Config> {
    let mut config = settings()?;
    let look = &mut config.look;
    look.theme = args.theme.unwrap_or(look.theme);
    look.pieces = args.pieces.unwrap_or(look.pieces);
    look.ascii |= ascii;
    look.animation &= !args.no_animation;
    Ok(config)
}

/// The configuration, in the colours that the terminal has. Its faults are told before the screen
/// opens; they keep nobody from playing.
fn settings() -> Result<Config> {
    let (mut config, faults) =
        config::read().unwrap_or_else(|error| (Config::default(), vec![format!("{error:#}")]));
    for fault in faults {
        writeln!(io::stderr(), "touchmove: {fault}")?;
    }
    let says = |name: &str| std::env::var(name).ok();
    config.customs = seats::customs(&config);
    config.look.depth = Depth::from_environment(
        says("NO_COLOR").as_deref(),
        says("COLORTERM").as_deref(),
        says("TERM").as_deref(),
    );
    Ok(config)
}

/// Looks through the games of a file: from the game with this number, counted from 0, or from the
/// list of all.
pub fn look_through(games: Collection, game: Option<usize>) -> Result<Answer> {
    match screen::look_through(games, game, settings()?) {
        Ok(farewell) => part(farewell),
        Err(LookThroughError::NoGame(sentence)) => Err(Refused(sentence).into()),
        Err(LookThroughError::Terminal(error)) => Err(error).context(NO_TERMINAL),
    }
}

const NO_TERMINAL: &str = "the terminal cannot be used; --plain needs less of it";

fn play(opening: Opening, config: Config) -> Result<Answer> {
    let shelf = data::folder().map(Shelf::new);
    let network = network::network(None);
    part(screen::run(opening, config, shelf, network).context(NO_TERMINAL)?)
}

/// Says what is left to say once the screen is gone.
fn part(farewell: Farewell) -> Result<Answer> {
    if let Some(words) = farewell.words {
        writeln!(io::stdout(), "{words}")?;
    }
    Ok(farewell.signal.map_or(Answer::Yes, Answer::Left))
}
