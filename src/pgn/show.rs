//! `touchmove pgn show`: steps through a game in the terminal, or prints one of its positions.

use std::io::{self, BufRead as _, IsTerminal as _, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use touchmove_diagram::{Diagram, Men, TextStyle};
use touchmove_pgn::{Batch, Batches, Document, DocumentBuilder, MoveId, read_part};
use touchmove_rules::{AnyPosition, Color, Move};

use super::source;
use crate::cli::{Answer, Refused};

/// Step through a game, or print the position after one of its plies.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove pgn show games.pgn --game 3            step through the third game
  touchmove pgn show games.pgn --game 3 --ply 12   the position after six moves of each side")]
pub struct Args {
    /// A file of games, plain or compressed; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The game, counted from 1.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,

    /// Print the position after so many plies and stop; 0 is the start.
    #[arg(long, value_name = "K")]
    ply: Option<usize>,

    /// See the board from Black's side.
    #[arg(long)]
    flip: bool,

    /// Letters instead of figurines: upper case is White's.
    #[arg(long)]
    ascii: bool,
}

/// Shows the game.
pub fn run(args: &Args) -> Result<Answer> {
    let mut game = find(args)?;
    game.normalise();
    let replay = Replay::new(&game)?;
    let last = replay.plies.len();
    let mut out = io::stdout().lock();
    let is_stepping = args.ply.is_none() && out.is_terminal() && io::stdin().is_terminal();
    let ply = args.ply.unwrap_or(if is_stepping { 0 } else { last });
    if ply > last {
        let number = args.game;
        return Err(Refused(format!("game {number} has {last} plies, not {ply}")).into());
    }
    replay.print(&mut out, args, ply)?;
    if is_stepping {
        step(&mut out, args, &replay)?;
    }
    Ok(Answer::Yes)
}

/// Reads the file up to the game asked for.
fn find(args: &Args) -> Result<Document> {
    let source = source::open(&args.file)?;
    let mut batches = Batches::new(source.bytes);
    let mut batch = Batch::default();
    let mut count = 0;
    let mut found = None;
    while found.is_none()
        && batches
            .next(&mut batch)
            .with_context(|| format!("cannot read {}", args.file.display()))?
    {
        read_part(
            &batch.text,
            batch.offset,
            &mut DocumentBuilder::new(|game| {
                count += 1;
                if count == args.game {
                    found = Some(game);
                }
            }),
        );
    }
    source.progress.finish_and_clear();
    let missing = || Refused(format!("{} has {count} games", args.file.display()));
    Ok(found.ok_or_else(missing)?)
}

/// A game replayed as far as it goes.
struct Replay<'a> {
    game: &'a Document,
    start: AnyPosition,
    /// Each ply with the position after it.
    plies: Vec<(MoveId, Move, AnyPosition)>,
}

impl<'a> Replay<'a> {
    fn new(game: &'a Document) -> Result<Replay<'a>> {
        let start = game.start().map_err(|error| Refused(error.to_string()))?;
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
        let tag = |name: &str| self.game.tags.get(name).unwrap_or("?");
        let result = self.game.result;
        writeln!(out, "{} - {}  {result}", tag("White"), tag("Black"))?;
        writeln!(out, "{}, {}, {}", tag("Event"), tag("Site"), tag("Date"))?;
        writeln!(out)?;
        let position = self.position(ply);
        let side = if args.flip {
            Color::Black
        } else {
            Color::White
        };
        let mut diagram = Diagram::new(position.board()).seen_from(side);
        if let Some((_, mv, _)) = ply.checked_sub(1).map(|index| &self.plies[index]) {
            diagram = diagram.last_move(mv.from(), mv.to());
        }
        let men = if args.ascii {
            Men::Letters
        } else {
            Men::Figurines
        };
        write!(
            out,
            "{}",
            diagram.text(TextStyle {
                men,
                ..TextStyle::default()
            })
        )?;
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
                "the next move, {next}, cannot be played here: see touchmove pgn check"
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
        let mut caption = format!(": {}{dots} {}", before.fullmoves(), node.san());
        for nag in node.nags() {
            caption += nag.glyph().unwrap_or_default();
        }
        for comment in node.comments() {
            caption += &format!(" {{{comment}}}");
        }
        caption
    }
}

/// Lets the reader go back and forth.
fn step(out: &mut impl Write, args: &Args, replay: &Replay<'_>) -> io::Result<()> {
    let last = replay.plies.len();
    let mut ply = 0;
    let mut lines = io::stdin().lock().lines();
    loop {
        write!(out, "Enter: next, b: back, a number: that ply, q: quit > ")?;
        out.flush()?;
        let Some(line) = lines.next().transpose()? else {
            return Ok(());
        };
        ply = match line.trim() {
            "" => (ply + 1).min(last),
            "b" => ply.saturating_sub(1),
            "q" => return Ok(()),
            number => number.parse().unwrap_or(ply).min(last),
        };
        writeln!(out)?;
        replay.print(out, args, ply)?;
    }
}
