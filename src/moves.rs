//! `touchmove moves`: the legal moves of a position, in SAN and UCI, with their kinds.

use std::io::Write as _;

use anyhow::Result;
use serde_json::{Value, json};
use touchmove_rules::{AnyPosition, Move, Square};

use crate::cli::AnswerStatus;
use crate::output;
use crate::position::PositionArgs;

/// List the legal moves of a position.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove moves
  touchmove moves --moves \"e4 e5\" --from g1
  touchmove moves --variant atomic --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\" --json")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Only the moves of the man on this square.
    #[arg(long, value_name = "SQUARE")]
    from: Option<Square>,

    /// Only captures.
    #[arg(long)]
    captures: bool,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Lists the moves; the answer is always yes, even if there is none.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let line = args.position.line()?;
    let position = line.position;
    let mut moves = position.legal_moves().to_vec();
    moves.retain(|mv| args.from.is_none_or(|from| mv.from() == from));
    moves.retain(|mv| !args.captures || mv.is_capture());
    moves.sort_by_key(|&mv| (mv.kind(), mv.from(), mv.to(), mv));
    let mut out = output::answer(args.json);
    if args.json {
        let moves: Vec<Value> = moves.iter().map(|&mv| to_json(&position, mv)).collect();
        let answer = json!({
            "variant": position.variant().name(),
            "fen": position.fen().to_string(),
            "count": moves.len(),
            "moves": moves,
            "warnings": line.warnings,
        });
        writeln!(out, "{answer}")?;
        return Ok(AnswerStatus::Yes);
    }
    for &mv in &moves {
        let (san, uci) = (position.san(mv).to_string(), position.uci(mv).to_string());
        writeln!(out, "{san:<8} {uci:<6} {}", mv.kind())?;
    }
    let noun = if moves.len() == 1 { "move" } else { "moves" };
    writeln!(out, "{} legal {noun}", moves.len())?;
    Ok(AnswerStatus::Yes)
}

fn to_json(position: &AnyPosition, mv: Move) -> Value {
    let role_name = |square| position.board().role_at(square).map(|role| role.name());
    json!({
        "san": position.san(mv).to_string(),
        "uci": position.uci(mv).to_string(),
        "kind": mv.kind().to_string(),
        "piece": mv.role().name(),
        "from": mv.from().to_string(),
        "to": mv.to().to_string(),
        "captures": mv.captured_square().and_then(role_name),
        "promotes_to": mv.promotes_to().map(|role| role.name()),
        "casualties": position.exploded_squares(mv).into_iter().map(|square| square.to_string()).collect::<Vec<_>>(),
    })
}
