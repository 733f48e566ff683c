//! `touchmove show`: prints a position as a text board, and draws it as a diagram into a file.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::json;
use touchmove_diagram::Diagram;
use touchmove_rules::law::Ruleset;
use touchmove_rules::{
    AnyPosition, Bitboard, Color, FaultSeverity, Fen, Setup, SetupFaults, Variant,
};
use touchmove_text::display_path;

use crate::board::BoardArgs;
use crate::cli::AnswerStatus;
use crate::output;
use crate::position::PositionArgs;

/// Show a position as a board of text, or draw it as SVG or PNG.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove show --moves \"e4 e5 Nf3\"
  touchmove show --variant atomic --fen \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\" --flip
  touchmove show --start 579
  touchmove show --even-if-impossible --fen \"8/8/8/8/8/8/8/Kk5P w - - 0 1\"
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

    /// Show an impossible position too, with its faults marked.
    #[arg(long, conflicts_with = "moves")]
    even_if_impossible: bool,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Prints the board and writes the diagrams asked for.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    if args.even_if_impossible {
        let (setup, variant) = (args.position.setup()?, args.position.variant());
        let faults = setup.faults(variant);
        if faults.weight() == Some(FaultSeverity::Impossible) {
            return show_impossible(args, &setup, variant, &faults);
        }
    }
    let line = args.position.line()?;
    let diagram = args
        .board
        .diagram(&line.position, line.past.last().copied());
    draw(args, &diagram)?;
    let position = &line.position;
    let mut out = output::answer(args.json);
    if args.json {
        let mut answer = to_json(position);
        answer["faults"] = json!([]);
        answer["warnings"] = line.warnings.into();
        writeln!(out, "{answer}")?;
        return Ok(AnswerStatus::Yes);
    }
    write!(out, "{}", args.board.text(&diagram))?;
    writeln!(out)?;
    writeln!(out, "variant     {}", position.variant().title())?;
    if let Some(number) = numbered(position) {
        writeln!(out, "start       {number}")?;
    }
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
    if Ruleset::of(position.variant()).has_castling() {
        writeln!(out, "castling    {}", castling_words(position))?;
        let passed = position
            .en_passant()
            .map_or("none".into(), |square| format!("on {square}"));
        writeln!(out, "en passant  {passed}")?;
    }
    writeln!(out, "FEN         {}", position.fen())?;
    Ok(AnswerStatus::Yes)
}

/// The number of a Chess960 start position, in that variant.
fn numbered(position: &AnyPosition) -> Option<u16> {
    let number = position.chess960_number()?;
    (position.variant() == Variant::Chess960).then_some(number)
}

/// Writes the diagrams asked for.
fn draw(args: &Args, diagram: &Diagram) -> Result<()> {
    if let Some(path) = &args.svg {
        fs::write(path, diagram.svg())
            .with_context(|| format!("cannot write {}", display_path(path)))?;
    }
    if let Some(path) = &args.png {
        let image = diagram.png(args.size)?;
        fs::write(path, image).with_context(|| format!("cannot write {}", display_path(path)))?;
    }
    Ok(())
}

/// Shows an impossible setup, with the squares of its faults marked.
fn show_impossible(
    args: &Args,
    setup: &Setup,
    variant: Variant,
    faults: &SetupFaults,
) -> Result<AnswerStatus> {
    let diagram = args.board.men(&setup.board).marks(faults.squares());
    draw(args, &diagram)?;
    let mut out = output::answer(args.json);
    if args.json {
        let faults: Vec<_> = faults
            .iter()
            .map(|fault| {
                json!({
                    "reason": fault.code(),
                    "impossible": fault.weight() == FaultSeverity::Impossible,
                    "evidence": names(fault.squares()),
                    "text": fault.to_string(),
                })
            })
            .collect();
        let answer = json!({
            "variant": variant.name(),
            "fen": Fen(*setup).to_string(),
            "turn": setup.turn.to_string().to_lowercase(),
            "faults": faults,
            "warnings": [],
        });
        writeln!(out, "{answer}")?;
        return Ok(AnswerStatus::Yes);
    }
    write!(out, "{}", args.board.text(&diagram))?;
    writeln!(out)?;
    writeln!(out, "variant     {}", variant.title())?;
    writeln!(out, "turn        {}", setup.turn)?;
    writeln!(out, "FEN         {}", Fen(*setup))?;
    for fault in faults {
        writeln!(out, "fault       {fault}")?;
    }
    Ok(AnswerStatus::Yes)
}

fn names(squares: Bitboard) -> Vec<String> {
    squares
        .into_iter()
        .map(|square| square.to_string())
        .collect()
}

fn to_json(position: &AnyPosition) -> serde_json::Value {
    json!({
        "variant": position.variant().name(),
        "fen": position.fen().to_string(),
        "start": numbered(position),
        "turn": position.turn().to_string().to_lowercase(),
        "check": position.is_check(),
        "checkers": names(position.checkers()),
        "castling_rooks": names(position.castling_rights()),
        "en_passant": position.en_passant().map(|square| square.to_string()),
        "halfmove_clock": position.halfmoves(),
        "move_number": position.fullmoves(),
        "legal_moves": position.legal_move_count(),
    })
}

/// Castling rights in words: "White with the rooks on a1 and h1; Black with the rook on a8".
fn castling_words(position: &AnyPosition) -> String {
    let side = |color: Color| {
        let rooks = position.castling_rights() & position.board().by_color(color);
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
