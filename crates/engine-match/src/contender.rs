//! [`Contender`]: a player of a match as users write it, and [`MatchPlayer`]: the running player.

use std::str::FromStr as _;

use touchmove_engine::{Engine, Level, Limits, NoObserver, ParseLevelError, TranspositionTable};
use touchmove_rules::{AnyPosition, Move, Variant};
use touchmove_uci_client::{
    CommandLine, CommandLineError, Error, GoLimits, UciEngine, UciTimeouts,
};

use crate::{EngineMatch, SplitMix64, greedy};

/// A player of a match, not yet started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contender {
    /// The name in the results.
    pub name: String,
    /// Which kind of player it is.
    kind: ContenderKind,
    /// The number of nodes for each move.
    nodes: u64,
    /// Options for a UCI engine.
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

/// The error for a text that names no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseContenderError {
    /// There is no such level after `level:`.
    #[error("{0}")]
    Level(ParseLevelError),
    /// The text is no command line.
    #[error("{0}; the built-in players are engine, level:NAME, greedy and random")]
    Command(#[from] CommandLineError),
}

impl Contender {
    /// Parses a player: `engine` is the built-in engine at full strength, `level:NAME` one of its levels, `random`
    /// plays random legal moves, `greedy` [counts material](crate::greedy()); everything else is the command line of a
    /// UCI engine.
    ///
    /// # Errors
    /// If the level is unknown or the command line is invalid.
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

    /// Sets the number of nodes for each move.
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Contender {
        self.nodes = nodes;
        self
    }

    /// Adds an option, which only UCI engines have.
    #[must_use]
    pub fn with_option(mut self, name: impl Into<String>, value: impl Into<String>) -> Contender {
        self.options.push((name.into(), value.into()));
        self
    }

    /// Whether it is a UCI engine, which may have options.
    #[must_use]
    pub fn is_program(&self) -> bool {
        matches!(self.kind, ContenderKind::Program(_))
    }

    /// Starts the player.
    ///
    /// # Errors
    /// If an engine does not start, or does not accept an option.
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

/// A running player.
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

/// What the player on move sees.
#[derive(Clone, Copy, Debug)]
pub struct PlayerView<'a> {
    /// The position.
    pub position: &'a AnyPosition,
    /// The keys of the positions before it, the oldest first.
    pub keys: &'a [u64],
    /// The start position of the game.
    pub start: &'a AnyPosition,
    /// The moves so far.
    pub moves: &'a [Move],
}

impl MatchPlayer {
    /// Starts a game. The seed is for players that use random numbers.
    ///
    /// # Errors
    /// If an engine cannot play the variant, or does not answer.
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

    /// Chooses a move; `None` if there is no legal one.
    ///
    /// # Errors
    /// If an engine makes no legal move in time.
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
