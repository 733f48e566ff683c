//! The limits of a search, and the observer that can stop it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use touchmove_rules::Move;

use crate::{BlunderModel, Score};

/// The limits of a search. Without any limit it runs until it is stopped.
///
/// ```
/// use touchmove_engine::Limits;
///
/// let limits = Limits { nodes: Some(10_000), ..Limits::default() };
/// assert_eq!(limits.lines, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum depth, in plies.
    pub depth: Option<u32>,
    /// The maximum number of positions, exact, except that the first iteration is always finished.
    pub nodes: Option<u64>,
    /// Stop as soon as a mate in this many moves is found; nothing is pruned on the way to it.
    pub mate: Option<u32>,
    /// How many best lines to find (MultiPV).
    pub lines: usize,
    /// Search only these moves; all, if empty.
    pub only: Vec<Move>,
    /// What the player overlooks; `None` at full strength.
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
    /// The score for the side on move.
    pub score: Score,
    /// The moves, with best play of both sides.
    pub moves: Vec<Move>,
}

/// The progress of a search.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The iteration, in plies.
    pub depth: u32,
    /// The longest line searched, in plies.
    pub longest: u32,
    /// How many positions were searched so far.
    pub nodes: u64,
    /// How full the transposition table is, in thousandths.
    pub permille_in_use: usize,
    /// The lines, the best first.
    pub lines: &'a [PrincipalVariation],
}

/// Observes a search: can stop it, and is told its progress.
///
/// A flag is enough of an observer:
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use touchmove_engine::{Engine, Limits, TranspositionTable};
/// use touchmove_rules::{Chess, Position};
///
/// let stop = AtomicBool::new(true);
/// let found = Engine::new().search(
///     &Position::<Chess>::start(), &[], &Limits::default(), &TranspositionTable::with_megabytes(1), &mut &stop,
/// );
/// assert!(found.best().is_some(), "a stopped search still has a move");
/// ```
pub trait SearchObserver {
    /// Whether to stop at once; called about every thousand positions.
    fn should_stop(&mut self) -> bool;

    /// Called after each iteration. `Break` ends the search here.
    fn on_iteration(&mut self, _progress: &Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl SearchObserver for &AtomicBool {
    fn should_stop(&mut self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// Observes nothing: only the limits end the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl SearchObserver for NoObserver {
    fn should_stop(&mut self) -> bool {
        false
    }
}
