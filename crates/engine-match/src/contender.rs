//! [`Contender`]: who may play, as people write it, and [`MatchPlayer`]: the same at the board.

use std::str::FromStr as _;

use touchmove_engine::{Engine, Level, Limits, NoObserver, ParseLevelError, TranspositionTable};
use touchmove_rules::{AnyPosition, Move, Variant};
use touchmove_uci_client::{
    CommandLine, CommandLineError, Error, GoLimits, UciEngine, UciTimeouts,
};

use crate::{EngineMatch, SplitMix64, greedy};

/// Somebody who can be asked to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contender {
    /// What the results call it.
    pub name: String,
    /// Who it is.
    kind: ContenderKind,
    /// What it may spend on a move.
    nodes: u64,
    /// Options for a program from outside.
    options: Vec<(String, String)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum ContenderKind {
    Full,
    Level(Level),
    Random,
    Greedy,
    Program(CommandLine),
}

/// Why a text names nobody who can play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseContenderError {
    /// After `level:` there is no level.
    #[error("{0}")]
    Level(ParseLevelError),
    /// It is no command.
    #[error("{0}; the built-in players are engine, level:NAME, greedy and random")]
    Command(#[from] CommandLineError),
}

impl Contender {
    /// `engine` is the built-in engine at its full strength, `level:NAME` one of its levels, `random` a
    /// player of random legal moves, `greedy` one who only [counts men](crate::greedy()); everything else is the command of a program that speaks UCI.
    ///
    /// # Errors
    /// If the level is unknown or the command is none.
    pub fn read(text: &str, terms: &EngineMatch) -> Result<Contender, ParseContenderError> {
        let text = text.trim();
        let kind = match text.split_once(':') {
            Some(("level", name)) => {
                ContenderKind::Level(Level::from_str(name).map_err(ParseContenderError::Level)?)
            }
            _ if text == "engine" => ContenderKind::Full,
            _ if text == "random" => ContenderKind::Random,
            _ if text == "greedy" => ContenderKind::Greedy,
            _ => ContenderKind::Program(text.parse()?),
        };
        let name = match &kind {
            ContenderKind::Level(level) => format!("level:{level}"),
            _ => text.to_owned(),
        };
        Ok(Contender {
            name,
            kind,
            nodes: terms.nodes,
            options: Vec::new(),
        })
    }

    /// The same with another number of nodes for each move.
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Contender {
        self.nodes = nodes;
        self
    }

    /// The same with an option, which only programs from outside have.
    #[must_use]
    pub fn with_option(mut self, name: impl Into<String>, value: impl Into<String>) -> Contender {
        self.options.push((name.into(), value.into()));
        self
    }

    /// Whether it is a program from outside, which may have options.
    #[must_use]
    pub fn is_program(&self) -> bool {
        matches!(self.kind, ContenderKind::Program(_))
    }

    /// Comes to the board.
    ///
    /// # Errors
    /// If a program does not start, or does not take an option.
    pub fn start(&self) -> Result<MatchPlayer, Error> {
        let built_in = |level| {
            MoveChooser::BuiltIn(Box::new(BuiltIn {
                engine: Engine::new(),
                table: TranspositionTable::with_megabytes(16),
                level,
                seed: 0,
            }))
        };
        let mind = match &self.kind {
            ContenderKind::Full => built_in(None),
            ContenderKind::Level(level) => built_in(Some(*level)),
            ContenderKind::Random => MoveChooser::Random(SplitMix64::new(0)),
            ContenderKind::Greedy => MoveChooser::Greedy(SplitMix64::new(0)),
            ContenderKind::Program(line) => {
                let mut rival = UciEngine::start(line, UciTimeouts::default())?;
                for (name, value) in &self.options {
                    rival.set(name, value)?;
                }
                MoveChooser::Program(rival)
            }
        };
        Ok(MatchPlayer {
            mind,
            nodes: self.nodes,
        })
    }
}

/// Somebody at the board.
pub struct MatchPlayer {
    mind: MoveChooser,
    nodes: u64,
}

enum MoveChooser {
    BuiltIn(Box<BuiltIn>),
    Random(SplitMix64),
    Greedy(SplitMix64),
    Program(UciEngine),
}

struct BuiltIn {
    engine: Engine,
    table: TranspositionTable,
    level: Option<Level>,
    seed: u64,
}

impl BuiltIn {
    fn choose(&mut self, board: &PlayerView<'_>, nodes: u64) -> Option<Move> {
        let limits = match self.level {
            Some(level) => {
                let last = board.moves.last().copied();
                level.limits_after(board.position, last, self.seed, nodes)
            }
            None => Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
        };
        let (engine, table) = (&mut self.engine, &self.table);
        let found = engine.search_any(board.position, board.keys, &limits, table, &mut NoObserver);
        found.best()
    }
}

/// What somebody on move sees.
#[derive(Clone, Copy, Debug)]
pub struct PlayerView<'a> {
    /// The position.
    pub position: &'a AnyPosition,
    /// The keys of the positions before it, the oldest first.
    pub keys: &'a [u64],
    /// Where the game began.
    pub start: &'a AnyPosition,
    /// The moves since then.
    pub moves: &'a [Move],
}

impl MatchPlayer {
    /// Begins a game. The seed is for those who play by lot.
    ///
    /// # Errors
    /// If a program cannot play the variant, or does not answer.
    pub fn new_game(&mut self, variant: Variant, seed: u64) -> Result<(), Error> {
        match &mut self.mind {
            MoveChooser::BuiltIn(player) => {
                player.engine.forget();
                player.table.clear();
                player.seed = seed;
                Ok(())
            }
            MoveChooser::Random(lots) | MoveChooser::Greedy(lots) => {
                *lots = SplitMix64::new(seed);
                Ok(())
            }
            MoveChooser::Program(rival) => rival.new_game(variant),
        }
    }

    /// The move; nothing, if there is none.
    ///
    /// # Errors
    /// If a program makes no legal move in time.
    pub fn choose(&mut self, board: &PlayerView<'_>) -> Result<Option<Move>, Error> {
        match &mut self.mind {
            MoveChooser::BuiltIn(player) => Ok(player.choose(board, self.nodes)),
            MoveChooser::Random(lots) => {
                let legal = board.position.legal_moves();
                Ok(legal.get(lots.below(legal.len())).copied())
            }
            MoveChooser::Greedy(lots) => Ok(greedy(board.position, lots)),
            MoveChooser::Program(rival) => {
                let thought =
                    rival.search(board.start, board.moves, &GoLimits::nodes(self.nodes))?;
                Ok(Some(thought.best))
            }
        }
    }
}
