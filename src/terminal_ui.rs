//! Starts the full-screen game with settings from the configuration, the environment and the arguments.

use std::io::{self, IsTerminal as _, Write as _};

use anyhow::{Context as _, Result};
use touchmove_client::{AccountToken, ConnectOptions};
use touchmove_game::move_text::sentence;
use touchmove_tui::NetworkGameError;
use touchmove_tui::autosave::SaveDir;
use touchmove_tui::config::{BLOCK_WORDS, Config, block_choice};
use touchmove_tui::opponents::ComputerOptions;
use touchmove_tui::screen::board::Blocks;
use touchmove_tui::screen::{
    self, Appearance, ColorDepth, ExitSummary, GameCollection, InitialScreen, OpenFileError,
    PieceRendering, ScreenTheme,
};

use crate::cli::{AnswerStatus, NegativeAnswer};
use crate::output;
use crate::{config, data_dir, network, seats};

/// How the screen looks.
#[derive(clap::Args)]
pub struct AppearanceArgs {
    /// The colours of the full screen; auto is wood, or paper where the background is light.
    #[arg(long, value_name = "auto|wood|slate|paper|clear|tournament", value_parser = theme)]
    theme: Option<ThemeChoice>,

    /// How men are drawn on the full screen; auto is as pictures where the terminal shows any, else as
    /// blocks.
    #[arg(long, value_name = "auto|image|blocks|braille|figurines|letters", value_parser = pieces)]
    pieces: Option<PieceRendering>,

    /// The characters that men are made of; auto is the finest that the terminal is known to draw.
    #[arg(long, value_name = "auto|half|quadrants|sextants|octants", value_parser = blocks)]
    blocks: Option<BlockChoice>,

    /// No moving pictures.
    #[arg(long)]
    no_animation: bool,
}

/// A theme, or `None` to follow the terminal's background.
#[derive(Clone, Copy)]
struct ThemeChoice(Option<ScreenTheme>);

/// Block characters, or `None` for the finest that the terminal is known to draw.
#[derive(Clone, Copy)]
struct BlockChoice(Option<Blocks>);

fn theme(name: &str) -> Result<ThemeChoice, String> {
    let found = Appearance::theme_choice(name).map(ThemeChoice);
    found.ok_or_else(|| format!("the themes are {}", Appearance::themes().join(", ")))
}

fn pieces(word: &str) -> Result<PieceRendering, String> {
    let words = PieceRendering::ALL.map(PieceRendering::word).join(", ");
    PieceRendering::named(word).ok_or_else(|| format!("it is one of {words}"))
}

fn blocks(word: &str) -> Result<BlockChoice, String> {
    let found = block_choice(word).map(BlockChoice);
    found.ok_or_else(|| format!("it is one of {}", BLOCK_WORDS.join(", ")))
}

/// Whether standard input and output are a terminal that can show the full screen, not `TERM=dumb`.
pub fn is_available() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
}

/// Whether standard output is a terminal with colours.
pub fn has_color() -> bool {
    let says = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    io::stdout().is_terminal()
        && says("NO_COLOR").is_none()
        && says("TERM").is_none_or(|term| term != "dumb")
}

/// The locale, with the variable that sets it, if it is not a UTF-8 locale.
pub fn other_encoding() -> Option<String> {
    let named = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| {
        let value = std::env::var(name).ok()?;
        (!value.is_empty()).then_some((name, value))
    });
    let (name, value) = named?;
    let lower = value.to_ascii_lowercase();
    let is_utf8 = lower.contains("utf-8") || lower.contains("utf8");
    (!is_utf8).then(|| format!("{name}={value}"))
}

/// The save directory, if there is one.
pub fn save_dir() -> Option<SaveDir> {
    data_dir::folder().map(SaveDir::new)
}

/// Opens the start screen.
pub fn start() -> Result<AnswerStatus> {
    run(InitialScreen::StartScreen, settings(), save_dir())
}

/// Plays a game that was set up by arguments, or resumes one, with a banner and saving if these are wanted.
pub fn play(
    opening: InitialScreen,
    args: &AppearanceArgs,
    ascii: bool,
    banner: bool,
    keeps: bool,
    customs: ComputerOptions,
) -> Result<AnswerStatus> {
    let mut config = settings_with(args, ascii);
    config.look.banner &= banner;
    config.keeps = keeps;
    config.customs = customs;
    run(opening, config, save_dir())
}

/// Opens the library.
pub fn library() -> Result<AnswerStatus> {
    run(InitialScreen::Library, settings(), save_dir())
}

/// Plays or watches at a table on the network. A server that is passed in stops afterwards.
pub fn run_network_game(
    visit: ConnectOptions,
    server: Option<Box<dyn std::any::Any + Send>>,
    args: &AppearanceArgs,
    ascii: bool,
    token: Option<AccountToken>,
) -> Result<AnswerStatus> {
    let config = settings_with(args, ascii);
    match screen::run_network_game(visit, server, config, save_dir(), network::network(token)) {
        Ok(farewell) => part(farewell),
        Err(NetworkGameError::NoTable(why)) => Err(anyhow::anyhow!(why)),
        Err(open @ NetworkGameError::Unanswered(_)) => Err(NegativeAnswer(open.to_string()).into()),
        Err(NetworkGameError::Io(error)) => Err(error).context(NO_TERMINAL_TEXT),
    }
}

/// The configuration with the changes by arguments.
fn settings_with(args: &AppearanceArgs, ascii: bool) -> Config {
    let mut config = settings();
    let look = &mut config.look;
    if let Some(ThemeChoice(theme)) = args.theme {
        look.choose_theme(theme);
    }
    look.pieces = args.pieces.unwrap_or(look.pieces);
    if let Some(BlockChoice(blocks)) = args.blocks {
        look.blocks = blocks;
    }
    look.ascii |= ascii;
    look.animation &= !args.no_animation;
    config
}

/// The configuration, with the terminal's colour depth. Its faults are shown on the screen, and prevent nothing.
fn settings() -> Config {
    let (mut config, faults) = settings_and_faults();
    config.faults = faults;
    let says = |name: &str| std::env::var(name).ok();
    config.customs = seats::computer_options(&config);
    config.look.depth = ColorDepth::from_environment(
        says("NO_COLOR").as_deref(),
        says("COLORTERM").as_deref(),
        says("TERM").as_deref(),
    );
    if says("TERM").as_deref() == Some("linux") && config.look.pieces == PieceRendering::Auto {
        config.look.pieces = PieceRendering::Letters;
    }
    if let Some(hint) = encoding_hint() {
        config.look.ascii = true;
        config.encoding = Some(hint);
    }
    config
}

/// The configuration faults, as sentences.
pub fn setting_faults() -> Vec<String> {
    settings_and_faults().1
}

/// Why only ASCII is written, if that is because of the locale.
pub fn encoding_hint() -> Option<String> {
    let locale = other_encoding()?;
    Some(format!(
        "Only ASCII is written, because {locale} is not UTF-8; LANG=C.UTF-8 shows men."
    ))
}

fn settings_and_faults() -> (Config, Vec<String>) {
    let (config, faults) =
        config::read().unwrap_or_else(|error| (Config::default(), vec![format!("{error:#}")]));
    // The fault comes before the path, which is named once: there may not be room for both.
    let named = |(at, fault): (usize, String)| match (fault.split_once(": line "), at) {
        (Some((path, what)), 0) => format!("Settings, line {what} ({path})."),
        (Some((_, what)), _) => format!("Line {what}."),
        (None, _) => sentence(&fault),
    };
    (config, faults.into_iter().enumerate().map(named).collect())
}

/// Opens the games of a file on the full screen: the one with this number, counted from 0, or the list of all.
pub fn open_file(games: GameCollection, game: Option<usize>) -> Result<AnswerStatus> {
    match screen::open_file(games, game, settings()) {
        Ok(farewell) => part(farewell),
        Err(OpenFileError::NoGame(sentence)) => Err(NegativeAnswer(sentence).into()),
        Err(OpenFileError::Terminal(error)) => Err(error).context(NO_TERMINAL_TEXT),
    }
}

const NO_TERMINAL_TEXT: &str = "the terminal cannot be used; --plain needs less of it";

fn run(opening: InitialScreen, config: Config, shelf: Option<SaveDir>) -> Result<AnswerStatus> {
    let network = network::network(None);
    part(screen::run(opening, config, shelf, network).context(NO_TERMINAL_TEXT)?)
}

/// Prints the exit message after the screen is closed.
fn part(farewell: ExitSummary) -> Result<AnswerStatus> {
    if let Some(words) = farewell.words {
        writeln!(output::lines(), "{words}")?;
    }
    Ok(farewell
        .signal
        .map_or(AnswerStatus::Yes, AnswerStatus::Left))
}
