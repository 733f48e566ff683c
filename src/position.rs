//! The position that a subcommand is about, as it is given on the command line.

use anyhow::{Context as _, Result};
use touchmove_rules::{AnyPosition, Faults, Fen, Move, Setup, Variant};

use crate::cli::Refused;

/// Arguments that give a position.
#[derive(clap::Args)]
pub struct PositionArgs {
    /// The position as FEN, with six fields or only the first four; without it, the start of a game.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// The rules: chess, chess960, atomic or simple-atomic.
    #[arg(long, value_name = "VARIANT", default_value_t)]
    pub variant: Variant,

    /// Moves to play from there, in SAN or UCI, divided by spaces; move numbers are skipped.
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,
}

/// A position and how it came about.
pub struct Line {
    pub position: AnyPosition,
    /// The moves played on the way, the last one last.
    pub past: Vec<Move>,
}

impl PositionArgs {
    /// The setup before any move.
    pub fn setup(&self) -> Result<Setup> {
        match self.fen.as_deref() {
            None | Some("startpos") => Ok(Setup::start()),
            Some(fen) => Ok(Fen::read_short(fen).context("--fen")?.0),
        }
    }

    /// The moves as they were typed, one by one, without their numbers.
    pub fn words(&self) -> Vec<&str> {
        self.moves
            .split_whitespace()
            .filter_map(without_number)
            .collect()
    }

    /// The position after the moves.
    pub fn line(&self) -> Result<Line> {
        self.line_from(AnyPosition::from_setup(&self.setup()?, self.variant))
    }

    /// The same, from a position that may be one no game can reach.
    pub fn playable_line(&self) -> Result<Line> {
        self.line_from(AnyPosition::from_playable_setup(
            &self.setup()?,
            self.variant,
        ))
    }

    fn line_from(&self, start: Result<AnyPosition, Faults>) -> Result<Line> {
        let mut position =
            start.map_err(|faults| Refused(format!("illegal position: {faults}")))?;
        let mut past = Vec::new();
        for (index, word) in self.words().into_iter().enumerate() {
            let mv = position
                .read_typed_after(&past, word)
                .map_err(|reason| Refused(format!("--moves, ply {}: {reason}", index + 1)))?;
            position.play(mv);
            past.push(mv);
        }
        Ok(Line { position, past })
    }
}

/// A move without the number before it: `3.Nf3`; nothing for a number alone.
fn without_number(word: &str) -> Option<&str> {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix('.') {
        Some(rest) if rest.len() + 1 < word.len() => {
            Some(rest.trim_start_matches('.')).filter(|rest| !rest.is_empty())
        }
        _ => Some(word),
    }
}
