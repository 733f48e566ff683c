//! The games that both programs know, as pairs of types. What is compared in them is not said
//! here.

use clap::ValueEnum;
use shakmaty::{CastlingMode, File, FromSetup, Move};
use touchmove_rules::Rules;

/// A game as touchmove knows it, and as shakmaty does.
pub trait Game {
    /// Its name.
    const NAME: &'static str;
    /// Where shakmaty lets kings and rooks castle from.
    const CASTLING: CastlingMode;
    /// Whether kings may touch.
    const KINGS_TOUCH: bool;
    /// touchmove's rules.
    type Ours: Rules;
    /// shakmaty's position.
    type Theirs: shakmaty::Position + FromSetup + Clone;

    /// How a castling move is written in UCI.
    fn uci_castling(_: Move) -> CastlingMode {
        Self::CASTLING
    }
}

/// Standard chess.
pub struct Chess;

impl Game for Chess {
    const NAME: &'static str = "chess";
    const CASTLING: CastlingMode = CastlingMode::Standard;
    const KINGS_TOUCH: bool = false;
    type Ours = touchmove_rules::Chess;
    type Theirs = shakmaty::Chess;
}

/// Chess with shuffled back ranks.
pub struct Chess960;

impl Game for Chess960 {
    const NAME: &'static str = "chess960";
    const CASTLING: CastlingMode = CastlingMode::Chess960;
    const KINGS_TOUCH: bool = false;
    type Ours = touchmove_rules::Chess960;
    type Theirs = shakmaty::Chess;
}

/// Atomic chess, from the usual array and from shuffled ones.
pub struct Atomic;

impl Game for Atomic {
    const NAME: &'static str = "atomic";
    const CASTLING: CastlingMode = CastlingMode::Chess960;
    const KINGS_TOUCH: bool = true;
    type Ours = touchmove_rules::Atomic;
    type Theirs = shakmaty::variant::Atomic;

    /// As the king's steps from where king and rook stand in chess, else as king takes rook.
    fn uci_castling(mv: Move) -> CastlingMode {
        match mv {
            Move::Castle { king, rook }
                if king.file() != File::E || ![File::A, File::H].contains(&rook.file()) =>
            {
                CastlingMode::Chess960
            }
            _ => CastlingMode::Standard,
        }
    }
}

/// Which of the games a run is about.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Choice {
    /// One after the other
    All,
    Chess,
    #[value(name = "chess960")]
    Chess960,
    Atomic,
}
