//! An engine for chess, Chess960, Atomic and simple Atomic: search and evaluation, for every variant of the rules
//! crate.
//!
//! The crate is pure. It reads no clock and starts no thread: a search ends by its [`Limits`], or when the caller's
//! [`SearchObserver`] stops it. With a limit of nodes or depth and a new [`TranspositionTable`], the same position
//! always gets the same answer.
//!
//! ```
//! use touchmove_engine::{Engine, Limits, Score, TranspositionTable, NoObserver};
//! use touchmove_rules::{Chess, Position};
//!
//! let position = Position::<Chess>::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let table = TranspositionTable::with_megabytes(1);
//! let found = Engine::new().search(&position, &[], &limits, &table, &mut NoObserver);
//! assert_eq!(position.san(found.best().unwrap()).to_string(), "Ra8#");
//! assert_eq!(found.lines[0].score, Score::Mate(1));
//! ```

mod blunder_model;
mod engine;
mod evaluation;
mod explosion;
mod history;
mod level;
mod limits;
mod move_ordering;
mod node;
mod opponent;
mod quiescence;
mod score;
mod static_exchange;
mod transposition_table;
mod weights;

pub use blunder_model::BlunderModel;
pub use engine::{Engine, SearchResult};
pub use evaluation::Evaluator;
pub use level::{Level, ParseLevelError};
pub use limits::{Limits, NoObserver, PrincipalVariation, Progress, SearchObserver};
pub use opponent::{Opponent, OpponentAction, OpponentView};
pub use score::Score;
pub use transposition_table::TranspositionTable;
pub use weights::{Tapered, Weights};
