//! The position arguments of all subcommands, and the errors about them, the same everywhere.

use std::io::Write as _;

use anyhow::{Context as _, Result};
use touchmove_arbiter::{Error, MoveSequence, StartInput};
use touchmove_rules::{Setup, SetupFaults, Variant};

use crate::cli::NegativeAnswer;
use crate::output;

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
    /// The variant asked for.
    pub fn variant(&self) -> Variant {
        self.source().variant()
    }

    /// The setup asked for, if one is.
    pub fn setup(&self) -> Result<Option<Setup>> {
        self.source().setup().context("--fen")
    }

    fn source(&self) -> StartInput<'_> {
        StartInput {
            fen: self.fen.as_deref(),
            start: self.start,
            variant: self.variant,
        }
    }
}

impl PositionArgs {
    /// The variant.
    pub fn variant(&self) -> Variant {
        self.source.variant()
    }

    /// The setup before any move.
    pub fn setup(&self) -> Result<Setup> {
        Ok(self.source.setup()?.unwrap_or_else(Setup::start))
    }

    /// The same, or `None` if neither a setup nor moves are given.
    pub fn given_setup(&self) -> Result<Option<Setup>> {
        match (self.source.setup()?, self.moves.trim()) {
            (None, "") => Ok(None),
            (setup, _) => Ok(Some(setup.unwrap_or_else(Setup::start))),
        }
    }

    /// The moves as typed, one by one, without move numbers.
    pub fn words(&self) -> Vec<&str> {
        touchmove_arbiter::split_moves(&self.moves).collect()
    }

    /// The position after the moves. Warns of unreachable positions, refuses impossible ones.
    pub fn line(&self) -> Result<MoveSequence> {
        let mut line = MoveSequence::begin(&self.setup()?, self.variant()).map_err(illegal)?;
        warn(&line.warnings);
        let played = line.play_moves(self.words());
        played.map_err(|illegal| NegativeAnswer(format!("--moves, {illegal}")))?;
        Ok(line)
    }
}

/// The refusal of an impossible position, in the same words everywhere.
pub fn illegal(faults: SetupFaults) -> NegativeAnswer {
    NegativeAnswer(Error::IllegalPosition(faults).to_string())
}

/// Warns on standard error of every fault in an accepted setup.
pub fn warn(warnings: &[String]) {
    for warning in warnings {
        // Nobody reads standard error.
        let _ = writeln!(
            output::errors(),
            "touchmove: warning: no game can lead to this position: {warning}"
        );
    }
}
