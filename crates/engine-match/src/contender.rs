//! [`Contender`]: who may play, as people write it, and [`Player`]: the same at the board.

use std::str::FromStr as _;

use touchmove_engine::{Engine, Level, Limits, Table, UnknownLevel, Unwatched};
use touchmove_rules::{AnyPosition, Move, Variant};
use touchmove_uci_client::{BadCommandLine, CommandLine, Go, Patience, Rival, Trouble};

use crate::{Lots, Match, greedy};

/// Somebody who can be asked to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contender {
    /// What the results call it.
    pub name: String,
    /// Who it is.
    kind: Kind,
    /// What it may spend on a move.
    nodes: u64,
    /// Options for a program from outside.
    options: Vec<(String, String)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Full,
    Level(Level),
    Random,
    Greedy,
    Program(CommandLine),
}

/// Why a text names nobody who can play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnknownContender {
    /// After `level:` there is no level.
    #[error("{0}")]
    Level(UnknownLevel),
    /// It is no command.
    #[error("{0}; the built-in players are engine, level:NAME, greedy and random")]
    Command(#[from] BadCommandLine),
}

impl Contender {
    /// `engine` is the built-in engine at its full strength, `level:NAME` one of its levels, `random` a
    /// player of random legal moves, `greedy` one who only [counts men](crate::greedy()); everything else is the command of a program that speaks UCI.
    ///
    /// # Errors
    /// If the level is unknown or the command is none.
    pub fn read(text: &str, terms: &Match) -> Result<Contender, UnknownContender> {
        let text = text.trim();
        let kind = match text.split_once(':') {
            Some(("level", name)) => {
                Kind::Level(Level::from_str(name).map_err(UnknownContender::Level)?)
            }
            _ if text == "engine" => Kind::Full,
            _ if text == "random" => Kind::Random,
            _ if text == "greedy" => Kind::Greedy,
            _ => Kind::Program(text.parse()?),
        };
        let name = match &kind {
            Kind::Level(level) => format!("level:{level}"),
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
        matches!(self.kind, Kind::Program(_))
    }

    /// Comes to the board.
    ///
    /// # Errors
    /// If a program does not start, or does not take an option.
    pub fn sit_down(&self) -> Result<Player, Trouble> {
        let built_in = |level| {
            Mind::BuiltIn(Box::new(BuiltIn {
                engine: Engine::new(),
                table: Table::with_megabytes(16),
                level,
                seed: 0,
            }))
        };
        let mind = match &self.kind {
            Kind::Full => built_in(None),
            Kind::Level(level) => built_in(Some(*level)),
            Kind::Random => Mind::Random(Lots::new(0)),
            Kind::Greedy => Mind::Greedy(Lots::new(0)),
            Kind::Program(line) => {
                let mut rival = Rival::start(line, Patience::default())?;
                for (name, value) in &self.options {
                    rival.set(name, value)?;
                }
                Mind::Program(rival)
            }
        };
        Ok(Player {
            mind,
            nodes: self.nodes,
        })
    }
}

/// Somebody at the board.
pub struct Player {
    mind: Mind,
    nodes: u64,
}

enum Mind {
    BuiltIn(Box<BuiltIn>),
    Random(Lots),
    Greedy(Lots),
    Program(Rival),
}

struct BuiltIn {
    engine: Engine,
    table: Table,
    level: Option<Level>,
    seed: u64,
}

impl BuiltIn {
    fn choose(&mut self, board: &AtBoard<'_>, nodes: u64) -> Option<Move> {
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
        let found = engine.search_any(board.position, board.keys, &limits, table, &mut Unwatched);
        found.best()
    }
}

/// What somebody on move sees.
#[derive(Clone, Copy, Debug)]
pub struct AtBoard<'a> {
    /// The position.
    pub position: &'a AnyPosition,
    /// The keys of the positions before it, the oldest first.
    pub keys: &'a [u64],
    /// Where the game began.
    pub start: &'a AnyPosition,
    /// The moves since then.
    pub moves: &'a [Move],
}

impl Player {
    /// Begins a game. The seed is for those who play by lot.
    ///
    /// # Errors
    /// If a program cannot play the variant, or does not answer.
    pub fn new_game(&mut self, variant: Variant, seed: u64) -> Result<(), Trouble> {
        match &mut self.mind {
            Mind::BuiltIn(player) => {
                player.engine.forget();
                player.table.clear();
                player.seed = seed;
                Ok(())
            }
            Mind::Random(lots) | Mind::Greedy(lots) => {
                *lots = Lots::new(seed);
                Ok(())
            }
            Mind::Program(rival) => rival.new_game(variant),
        }
    }

    /// The move; nothing, if there is none.
    ///
    /// # Errors
    /// If a program makes no legal move in time.
    pub fn choose(&mut self, board: &AtBoard<'_>) -> Result<Option<Move>, Trouble> {
        match &mut self.mind {
            Mind::BuiltIn(player) => Ok(player.choose(board, self.nodes)),
            Mind::Random(lots) => {
                let legal = board.position.legal_moves();
                Ok(legal.get(lots.below(legal.len())).copied())
            }
            Mind::Greedy(lots) => Ok(greedy(board.position, lots)),
            Mind::Program(rival) => {
                let thought = rival.think(board.start, board.moves, &Go::nodes(self.nodes))?;
                Ok(Some(thought.best))
            }
        }
    }
}
