//! What a search may spend and who may stop it. When that is, is decided outside.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use touchmove_rules::Move;

use crate::{BlunderModel, Score};

/// How far a search may go. Without any limit it goes on until it is stopped.
///
/// ```
/// use touchmove_engine::Limits;
///
/// let limits = Limits { nodes: Some(10_000), ..Limits::default() };
/// assert_eq!(limits.lines, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// Plies of the last iteration.
    pub depth: Option<u32>,
    /// Positions looked at, exactly, except that the first iteration is always finished.
    pub nodes: Option<u64>,
    /// Stop as soon as a win in so many moves is found; no move is passed over on the way to it.
    pub mate: Option<u32>,
    /// How many of the best moves shall get a line of their own.
    pub lines: usize,
    /// Look only at these moves; all, if there are none.
    pub only: Vec<Move>,
    /// What is not seen; a strong player sees everything.
    pub blindness: Option<BlunderModel>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: None,
            nodes: None,
            mate: None,
            lines: 1,
            only: Vec::new(),
            blindness: None,
        }
    }
}

/// One line that an iteration has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrincipalVariation {
    /// What it is worth to the side on move.
    pub score: Score,
    /// The moves, best play of both sides.
    pub moves: Vec<Move>,
}

/// How far a search has come.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The iteration, in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub longest: u32,
    /// Positions looked at so far.
    pub nodes: u64,
    /// How full the table is, in thousandths.
    pub permille_in_use: usize,
    /// The lines, the best first.
    pub lines: &'a [PrincipalVariation],
}

/// Somebody outside who watches a search: it can stop it, and is told how far it has come.
///
/// A flag is enough of a watch:
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use touchmove_engine::{Engine, Limits, Table};
/// use touchmove_rules::{Chess, Position};
///
/// let stop = AtomicBool::new(true);
/// let found = Engine::new().search(
///     &Position::<Chess>::start(), &[], &Limits::default(), &Table::with_megabytes(1), &mut &stop,
/// );
/// assert!(found.best().is_some(), "a stopped search still has a move");
/// ```
pub trait SearchObserver {
    /// Whether to stop at once; asked about every thousand positions.
    fn should_stop(&mut self) -> bool;

    /// An iteration is finished. Breaking ends the search here.
    fn on_iteration(&mut self, _progress: &Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl SearchObserver for &AtomicBool {
    fn should_stop(&mut self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// Nobody watches: only the limits end the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl SearchObserver for NoObserver {
    fn should_stop(&mut self) -> bool {
        false
    }
}
