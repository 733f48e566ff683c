//! `touchmove show`: a position as a text board, and as a diagram in a file.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::json;
use touchmove_rules::{AnyPosition, Color, SquareSet};

use crate::board::BoardArgs;
use crate::cli::Answer;
use crate::position::PositionArgs;

/// Show a position as a board of text, or draw it as SVG or PNG.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove show --moves \"e4 e5 Nf3\"
  touchmove show --variant atomic --fen \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\" --flip
  touchmove show --moves \"f3 e5 g4 Qh4\" --svg mate.svg --png mate.png")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    board: BoardArgs,

    /// Draw a diagram into this SVG file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw a diagram into this PNG file.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,

    /// The width and height of the PNG in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = 720, value_parser = clap::value_parser!(u32).range(64..=8192))]
    size: u32,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Prints the board and writes the diagrams asked for.
pub fn run(args: &Args) -> Result<Answer> {
    let line = args.position.line()?;
    let diagram = args
        .board
        .diagram(&line.position, line.past.last().copied());
    if let Some(path) = &args.svg {
        fs::write(path, diagram.svg())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let Some(path) = &args.png {
        let image = diagram.png(args.size)?;
        fs::write(path, image).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let position = &line.position;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", to_json(position))?;
        return Ok(Answer::Yes);
    }
    write!(out, "{}", args.board.text(&diagram))?;
    writeln!(out)?;
    writeln!(out, "variant     {}", position.variant().title())?;
    writeln!(
        out,
        "turn        {}{}",
        position.turn(),
        if position.is_check() {
            ", in check"
        } else {
            ""
        }
    )?;
    writeln!(out, "castling    {}", castling_words(position))?;
    let passed = position
        .en_passant()
        .map_or("none".into(), |square| format!("on {square}"));
    writeln!(out, "en passant  {passed}")?;
    writeln!(out, "FEN         {}", position.fen())?;
    Ok(Answer::Yes)
}

fn to_json(position: &AnyPosition) -> serde_json::Value {
    let squares = |set: SquareSet| {
        set.into_iter()
            .map(|square| square.to_string())
            .collect::<Vec<_>>()
    };
    json!({
        "variant": position.variant().name(),
        "fen": position.fen().to_string(),
        "turn": position.turn().to_string().to_lowercase(),
        "check": position.is_check(),
        "checkers": squares(position.checkers()),
        "castling_rooks": squares(position.castling()),
        "en_passant": position.en_passant().map(|square| square.to_string()),
        "halfmove_clock": position.halfmoves(),
        "move_number": position.fullmoves(),
        "legal_moves": position.count(),
    })
}

/// Castling rights in words: "White with the rooks on a1 and h1; Black with the rook on a8".
fn castling_words(position: &AnyPosition) -> String {
    let side = |color: Color| {
        let rooks = position.castling() & position.board().of(color);
        let names: Vec<_> = rooks.into_iter().map(|rook| rook.to_string()).collect();
        match names.as_slice() {
            [] => None,
            [rook] => Some(format!("{color} with the rook on {rook}")),
            rooks => Some(format!("{color} with the rooks on {}", rooks.join(" and "))),
        }
    };
    let sides: Vec<_> = Color::ALL.into_iter().filter_map(side).collect();
    if sides.is_empty() {
        "none".into()
    } else {
        sides.join("; ")
    }
}
