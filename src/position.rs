//! The position that a subcommand is about, as it is given on the command line, and what is said if
//! something is wrong with it: the same everywhere.

use std::io::{self, Write as _};

use anyhow::{Context as _, Result};
use touchmove_rules::{AnyPosition, Faults, Fen, Move, Setup, Variant};

use crate::cli::Refused;

/// Arguments that give a position.
#[derive(clap::Args)]
pub struct PositionArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// Moves to play from there, in SAN or UCI, divided by spaces; move numbers are skipped.
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,
}

/// Arguments that give a position without moves.
#[derive(clap::Args)]
pub struct SourceArgs {
    /// The position as FEN, with six fields or only the first four; without it, the start of a game.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// The start of Chess960 with this number, 0 to 959; 518 is the start of chess.
    #[arg(long, value_name = "N", conflicts_with = "fen", value_parser = clap::value_parser!(u16).range(0..=959))]
    start: Option<u16>,

    /// The rules: chess, chess960, atomic or simple-atomic [default: chess; with --start, chess960].
    #[arg(long, value_name = "VARIANT")]
    variant: Option<Variant>,
}

impl SourceArgs {
    /// The rules that are asked for.
    pub fn variant(&self) -> Variant {
        self.variant.unwrap_or(match self.start {
            Some(_) => Variant::Chess960,
            None => Variant::default(),
        })
    }

    /// The setup that is asked for, if one is.
    pub fn setup(&self) -> Result<Option<Setup>> {
        match (self.fen.as_deref(), self.start) {
            (Some("startpos"), _) => Ok(Some(Setup::start())),
            (Some(fen), _) => Ok(Some(Fen::read_short(fen).context("--fen")?.0)),
            (None, Some(number)) => Ok(Setup::chess960(number)),
            (None, None) => Ok(None),
        }
    }
}

/// A position and how it came about.
pub struct Line {
    pub position: AnyPosition,
    /// The moves played on the way, the last one last.
    pub past: Vec<Move>,
    /// Why no game can lead to where it began, if none can.
    pub warnings: Vec<String>,
}

impl PositionArgs {
    /// The rules.
    pub fn variant(&self) -> Variant {
        self.source.variant()
    }

    /// The setup before any move.
    pub fn setup(&self) -> Result<Setup> {
        Ok(self.source.setup()?.unwrap_or_else(Setup::start))
    }

    /// The same, unless neither a setup nor moves are given.
    pub fn given_setup(&self) -> Result<Option<Setup>> {
        match (self.source.setup()?, self.moves.trim()) {
            (None, "") => Ok(None),
            (setup, _) => Ok(Some(setup.unwrap_or_else(Setup::start))),
        }
    }

    /// The moves as they were typed, one by one, without their numbers.
    pub fn words(&self) -> Vec<&str> {
        self.moves
            .split_whitespace()
            .filter_map(without_number)
            .collect()
    }

    /// The position after the moves. What is unreachable is warned of, what is impossible refused.
    pub fn line(&self) -> Result<Line> {
        let setup = self.setup()?;
        let mut position = AnyPosition::from_setup(&setup, self.variant()).map_err(illegal)?;
        let warnings = warn(&setup, self.variant());
        let mut past = Vec::new();
        for (index, word) in self.words().into_iter().enumerate() {
            let mv = position
                .read_typed_after(&past, word)
                .map_err(|reason| Refused(format!("--moves, ply {}: {reason}", index + 1)))?;
            position.play(mv);
            past.push(mv);
        }
        Ok(Line {
            position,
            past,
            warnings,
        })
    }
}

/// The refusal of an impossible position, in the same words everywhere.
pub fn illegal(faults: Faults) -> Refused {
    Refused(format!("illegal position: {faults}"))
}

/// Warns on standard error of every fault of a setup that is taken all the same, and gives the
/// sentences back for those who read JSON.
pub fn warn(setup: &Setup, variant: Variant) -> Vec<String> {
    let faults = setup.faults(variant);
    let warnings: Vec<String> = faults.iter().map(ToString::to_string).collect();
    for warning in &warnings {
        // Who does not listen is not forced to.
        let _ = writeln!(
            io::stderr(),
            "touchmove: warning: no game can lead to this position: {warning}"
        );
    }
    warnings
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
