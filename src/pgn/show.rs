//! `touchmove pgn show`: steps through a game in the terminal, or prints one of its positions.

use std::io::{self, Read as _, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use touchmove_pgn::{Document, MoveId, read_documents};
use touchmove_rules::{AnyPosition, Move};
use touchmove_text::{display_line, display_path};
use touchmove_tui::bounded_file::{Bounded, MAX_FILE_BYTES};
use touchmove_tui::screen::GameCollection;

use crate::board::BoardArgs;
use crate::cli::{AnswerStatus, NegativeAnswer};
use crate::output;
use crate::pgn::source;
use crate::terminal_ui;

/// Step through games on the full screen, or print the position after one of a game's plies.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove pgn show games.pgn                     the list of games, and each to step through
  touchmove pgn show games.pgn --game 3            step through the third game, its variations (v),
                                                   and add to it: c comment, a move, g sign, s save
  touchmove pgn show games.pgn --game 3 --ply 12   the position after six moves of each side")]
pub struct Args {
    /// A file of games, plain or compressed; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The game, counted from 1; otherwise the first, or on the full screen a list of all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,

    /// Print the position after so many plies and stop; 0 is the start.
    #[arg(long, value_name = "K")]
    ply: Option<usize>,

    /// Print the last position instead of opening the full screen.
    #[arg(long)]
    plain: bool,

    #[command(flatten)]
    board: BoardArgs,
}

/// Opens the full screen on a terminal, and prints otherwise.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    if args.ply.is_none() && !args.plain && terminal_ui::is_available() {
        return step(args);
    }
    let number = args.game.unwrap_or(1);
    let mut game = find(args, number)?;
    game.normalise();
    let replay = Replay::new(&game)?;
    let last = replay.plies.len();
    let ply = args.ply.unwrap_or(last);
    if ply > last {
        return Err(NegativeAnswer(format!("game {number} has {last} plies, not {ply}")).into());
    }
    replay.print(&mut output::lines(), args, ply)?;
    Ok(AnswerStatus::Yes)
}

/// Opens the games on the full screen.
fn step(args: &Args) -> Result<AnswerStatus> {
    let source = source::open(&args.file)?;
    let mut text = Vec::new();
    let read = Bounded::new(source.bytes, MAX_FILE_BYTES).read_to_end(&mut text);
    read.with_context(|| format!("cannot read {}", display_path(&args.file)))?;
    source.progress.finish_and_clear();
    let name = display_path(&args.file).to_string();
    let game = args.game.map(|number| number as usize - 1);
    let games = GameCollection::read(name, text);
    let games = match can_be_changed(&args.file) {
        true => games.in_file(args.file.clone()),
        false => games,
    };
    terminal_ui::open_file(games, game)
}

/// Whether annotations can be saved into a file: it is a regular file, and not compressed.
fn can_be_changed(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    path.is_file() && !matches!(ending, Some("gz" | "zst" | "bz2" | "xz"))
}

/// Reads the file up to the game asked for.
fn find(args: &Args, number: u64) -> Result<Document> {
    let source = source::open(&args.file)?;
    let (mut count, mut found) = (0, None);
    read_documents(source.bytes, |game| {
        count += 1;
        if count < number {
            return ControlFlow::Continue(());
        }
        found = Some(game);
        ControlFlow::Break(())
    })
    .with_context(|| format!("cannot read {}", display_path(&args.file)))?;
    source.progress.finish_and_clear();
    let missing = || NegativeAnswer(format!("{} has {count} games", display_path(&args.file)));
    let game = found.ok_or_else(missing)?;
    source::check_length(&game, number, &args.file)?;
    Ok(game)
}

/// A game replayed as far as its moves are legal.
struct Replay<'a> {
    game: &'a Document,
    start: AnyPosition,
    /// Each ply with the position after it.
    plies: Vec<(MoveId, Move, AnyPosition)>,
}

impl<'a> Replay<'a> {
    fn new(game: &'a Document) -> Result<Replay<'a>> {
        let start = game
            .start()
            .map_err(|error| NegativeAnswer(error.to_string()))?;
        let mut plies = Vec::new();
        let mut now = start;
        for id in game.main_line() {
            let Ok(mv) = now.read_san(game.node(id).san()) else {
                break;
            };
            now = now.after(mv);
            plies.push((id, mv, now));
        }
        Ok(Replay { game, start, plies })
    }

    fn position(&self, ply: usize) -> &AnyPosition {
        match ply.checked_sub(1) {
            Some(index) => &self.plies[index].2,
            None => &self.start,
        }
    }

    /// Prints the players, the board and the move that led to it.
    fn print(&self, out: &mut impl Write, args: &Args, ply: usize) -> io::Result<()> {
        let tag = |name: &str| display_line(self.game.tags.get(name).unwrap_or("?"));
        let result = self.game.result;
        writeln!(out, "{} - {}  {result}", tag("White"), tag("Black"))?;
        writeln!(out, "{}, {}, {}", tag("Event"), tag("Site"), tag("Date"))?;
        writeln!(out)?;
        let position = self.position(ply);
        let last = ply.checked_sub(1).map(|index| self.plies[index].1);
        let diagram = args.board.diagram(position, last);
        write!(out, "{}", args.board.text(&diagram))?;
        writeln!(out)?;
        writeln!(
            out,
            "ply {ply} of {}{}",
            self.plies.len(),
            self.caption(ply)
        )?;
        writeln!(out, "{}", position.fen())?;
        let written = self.game.main_line().count();
        if ply == self.plies.len() && written > ply {
            let next = self
                .game
                .main_line()
                .nth(ply)
                .map(|id| self.game.node(id).san().to_owned());
            let next = next.unwrap_or_default();
            writeln!(
                out,
                "the next move, {}, cannot be played here: see touchmove pgn check",
                display_line(&next)
            )?;
        }
        Ok(())
    }

    /// The move before a position, with its comments.
    fn caption(&self, ply: usize) -> String {
        let Some(index) = ply.checked_sub(1) else {
            return String::new();
        };
        let before = self.position(index);
        let dots = if before.turn().is_white() { "." } else { "..." };
        let node = self.game.node(self.plies[index].0);
        let mut caption = format!(
            ": {}{dots} {}",
            before.fullmoves(),
            display_line(node.san())
        );
        for nag in node.nags() {
            caption += nag.glyph().unwrap_or_default();
        }
        for comment in node.comments() {
            caption += &format!(" {{{}}}", display_line(comment));
        }
        caption
    }
}
