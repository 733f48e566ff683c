//! Runs a search on a thread of its own, with its clock, stop flag and info output. The engine crate searches.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use touchmove_engine::{Engine, Limits, Progress, SearchObserver, TranspositionTable};
use touchmove_rules::{AnyPosition, Outcome};

use crate::uci::go::TimeBudget;
use crate::uci::{print_line, written};

/// The engine with its transposition table, kept from one search to the next.
pub struct EngineState {
    pub engine: Engine,
    pub table: TranspositionTable,
}

impl EngineState {
    pub fn new() -> EngineState {
        EngineState {
            engine: Engine::new(),
            table: TranspositionTable::with_megabytes(16),
        }
    }
}

/// A position to search, with limits.
pub struct SearchTask {
    pub position: AnyPosition,
    pub past: Vec<u64>,
    pub limits: Limits,
    pub budget: Option<TimeBudget>,
    /// Whether the search ends without `stop`.
    pub has_limit: bool,
    /// Whether the move is printed only after `stop`.
    pub is_endless: bool,
    /// Whether the engine is pondering: it is still the opponent's turn.
    pub is_pondering: bool,
    pub castles_to_rook: bool,
}

/// A running search, or a finished one whose thread was not joined.
pub struct SearchThread {
    signals: Arc<SearchSignals>,
    has_limit: bool,
    thread: JoinHandle<Box<EngineState>>,
}

/// State shared by the search thread and its controller.
struct SearchSignals {
    stop: AtomicBool,
    is_pondering: AtomicBool,
    /// Set just before the move is printed: whoever reads it may send the next command at once, before the thread
    /// has ended.
    has_answered: AtomicBool,
    /// When our clock was started.
    since: Mutex<Instant>,
}

impl SearchSignals {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn is_pondering(&self) -> bool {
        self.is_pondering.load(Ordering::Acquire)
    }

    fn elapsed(&self) -> Duration {
        let since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        since.elapsed()
    }
}

/// More than the deepest line needs.
const STACK_BYTES: usize = 16 << 20;

impl SearchThread {
    /// Starts a search; it prints its best move at the end.
    pub fn begin(mut player: Box<EngineState>, task: SearchTask) -> std::io::Result<SearchThread> {
        let signals = Arc::new(SearchSignals {
            stop: AtomicBool::new(false),
            is_pondering: AtomicBool::new(task.is_pondering),
            has_answered: AtomicBool::new(false),
            since: Mutex::new(Instant::now()),
        });
        let has_limit = task.has_limit && !task.is_endless;
        let shared = Arc::clone(&signals);
        let thread = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || {
                think(&mut player, &task, &shared);
                player
            })?;
        Ok(SearchThread {
            signals,
            has_limit,
            thread,
        })
    }

    pub fn is_over(&self) -> bool {
        self.signals.has_answered.load(Ordering::Acquire) || self.thread.is_finished()
    }

    /// Whether the search ends without `stop`.
    pub fn ends_by_itself(&self) -> bool {
        self.has_limit && !self.signals.is_pondering()
    }

    /// The opponent has played the expected move: our clock runs now.
    pub fn ponder_hit(&self) {
        *self
            .signals
            .since
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.signals.is_pondering.store(false, Ordering::Release);
        self.thread.thread().unpark();
    }

    /// Stops the search and returns the engine.
    pub fn stop(self) -> Option<Box<EngineState>> {
        self.signals.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        self.thread.join().ok()
    }

    /// Waits for a search with limits; stops any other.
    pub fn finish(self) -> Option<Box<EngineState>> {
        if !self.is_over() && !self.ends_by_itself() {
            return self.stop();
        }
        self.thread.join().ok()
    }
}

fn think(player: &mut EngineState, task: &SearchTask, signals: &SearchSignals) {
    let started = Instant::now();
    let mut clerk = SearchReporter {
        task,
        signals,
        started,
        has_one_move: task.position.legal_move_count() == 1,
    };
    let found = player.engine.search_any(
        &task.position,
        &task.past,
        &task.limits,
        &player.table,
        &mut clerk,
    );
    // The move must not be printed before it is wanted.
    while (task.is_endless || signals.is_pondering()) && !signals.is_stopped() {
        thread::park();
    }
    let text = |position: &AnyPosition, mv| written(position, mv, task.castles_to_rook);
    let line = match found.best() {
        None => {
            // The player on move has lost, or the game is drawn.
            let winner = task.position.outcome().and_then(Outcome::winner);
            let score = winner.map_or("cp 0", |_| "mate 0");
            format!("info depth 0 score {score}\nbestmove (none)")
        }
        Some(best) => {
            let best_text = text(&task.position, best);
            match found.answer() {
                Some(answer) => {
                    let answer = text(&task.position.after(best), answer);
                    format!("bestmove {best_text} ponder {answer}")
                }
                None => format!("bestmove {best_text}"),
            }
        }
    };
    signals.has_answered.store(true, Ordering::Release);
    // If nobody reads any more, the session ends with its input.
    let _ = print_line(&line);
}

/// Checks the clock and the stop flag, and prints the progress of the search.
struct SearchReporter<'a> {
    task: &'a SearchTask,
    signals: &'a SearchSignals,
    started: Instant,
    has_one_move: bool,
}

impl SearchObserver for SearchReporter<'_> {
    fn should_stop(&mut self) -> bool {
        if self.signals.is_stopped() {
            return true;
        }
        match self.task.budget {
            Some(budget) if !self.signals.is_pondering() => self.signals.elapsed() >= budget.most,
            _ => false,
        }
    }

    fn on_iteration(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        let time = self.started.elapsed();
        let millis = time.as_millis();
        let per_second = (progress.nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
        for (index, line) in progress.lines.iter().enumerate() {
            let mut text = format!(
                "info depth {} seldepth {} multipv {} score {} nodes {} nps {per_second} \
                 hashfull {} time {millis} pv",
                progress.depth,
                progress.longest.max(progress.depth),
                index + 1,
                line.score,
                progress.nodes,
                progress.permille_in_use,
            );
            let mut position = self.task.position;
            for &mv in &line.moves {
                text.push(' ');
                text.push_str(&written(&position, mv, self.task.castles_to_rook));
                position.play(mv);
            }
            let _ = print_line(&text);
        }
        match self.task.budget {
            Some(budget) if !self.signals.is_pondering() => {
                if self.has_one_move || self.signals.elapsed() >= budget.usual {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            }
            _ => ControlFlow::Continue(()),
        }
    }
}
