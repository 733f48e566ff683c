//! Longer looks at positions than the way of a move allows: is this one dead, and what does the fallen flag
//! mean? They are taken on a thread of their own, one after another; what follows is the game's business.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use touchmove_game::{About, Budget, Game, Question};

use touchmove_rules::{AnyPosition, Move, Role};

use crate::House;
use crate::background::catch_panic_blocking;
use crate::sync::Locked as _;
use crate::table::Table;

/// How long a position stands before somebody looks: most are gone again by then.
const SOON: Duration = Duration::from_millis(50);
/// The same for a position that is hardly ever dead: there are many men, and a pawn can move or a man be
/// taken.
const LATER: Duration = Duration::from_secs(2);
/// With as many men a position may well be dead.
const FEW_MEN: usize = 10;

/// Tables that wait for a longer look. Each is there once at most, so the queue is bounded by them.
#[derive(Default)]
pub struct Looks {
    queue: Mutex<Queue>,
    wake: Condvar,
}

#[derive(Default)]
struct Queue {
    /// Fallen flags come first: two people wait for each.
    flags: VecDeque<Weak<Table>>,
    /// Positions that may be dead, in the order in which they will have stood for long enough.
    soon: VecDeque<Waiting>,
    /// The same for those that hardly are.
    later: VecDeque<Waiting>,
    is_closed: bool,
}

/// When somebody will look at a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Turn {
    /// Nobody will.
    None,
    /// If its position stands for long.
    Later,
    /// In a moment.
    Soon,
}

/// A table with a position that may be dead.
struct Waiting {
    table: Weak<Table>,
    /// The event that brought the position about.
    seq: u64,
    until: Instant,
}

impl Looks {
    /// Puts a table into the queue if there is something to look for.
    pub(crate) fn consider(&self, table: &Arc<Table>, game: &Game) {
        let Some(question) = game.question() else {
            return;
        };
        let turn = match question.about {
            About::Dead if !is_suspect(&question.position) => Turn::Later,
            About::Flag(_) | About::Dead => Turn::Soon,
        };
        if !table.queue(turn) {
            return;
        }
        let mut queue = self.queue.locked();
        match question.about {
            About::Flag(_) => queue.flags.push_back(Arc::downgrade(table)),
            About::Dead => queue.wait(table, game.seq(), turn),
        }
        drop(queue);
        self.wake.notify_one();
    }

    /// Ends the thread when it comes to it.
    pub(crate) fn close(&self) {
        self.queue.locked().is_closed = true;
        self.wake.notify_all();
    }

    /// The next table to look at; `None` when the house closes.
    fn next(&self) -> Option<Arc<Table>> {
        let mut queue = self.queue.locked();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(table) = queue.flags.pop_front() {
                match table.upgrade() {
                    Some(table) => return Some(table),
                    None => continue,
                }
            }
            match queue.left(Instant::now()) {
                None => {
                    let woken = self.wake.wait(queue);
                    queue = woken.unwrap_or_else(PoisonError::into_inner);
                }
                Some(left) if !left.is_zero() => {
                    let woken = self.wake.wait_timeout(queue, left);
                    queue = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
                Some(_) => {
                    if let Some(table) = queue.take(Instant::now()) {
                        return Some(table);
                    }
                }
            }
        }
    }
}

impl Queue {
    fn wait(&mut self, table: &Arc<Table>, seq: u64, turn: Turn) {
        let (line, delay) = match turn {
            Turn::Soon => (&mut self.soon, SOON),
            Turn::Later | Turn::None => (&mut self.later, LATER),
        };
        line.push_back(Waiting {
            table: Arc::downgrade(table),
            seq,
            until: Instant::now() + delay,
        });
    }

    /// How long until the next position has stood for long enough.
    fn left(&self, now: Instant) -> Option<Duration> {
        let fronts = [self.soon.front(), self.later.front()];
        let left = fronts.into_iter().flatten();
        left.map(|first| first.until.saturating_duration_since(now))
            .min()
    }

    /// The next position that has stood for long enough. One that is gone again was of no interest; what
    /// came after it may be.
    fn take(&mut self, now: Instant) -> Option<Arc<Table>> {
        let is_due =
            |line: &VecDeque<Waiting>| line.front().is_some_and(|first| first.until <= now);
        let (turn, line) = match is_due(&self.soon) {
            true => (Turn::Soon, &mut self.soon),
            false => (Turn::Later, &mut self.later),
        };
        let first = line.pop_front()?;
        let table = first.table.upgrade()?;
        // It may have come into the other line since, or have had its turn there.
        if table.turn() != turn {
            return None;
        }
        let seq = table.seq();
        if first.seq == seq {
            return Some(table);
        }
        self.wait(&table, seq, turn);
        None
    }
}

/// Whether a position may well be dead: there are few men, or nobody on move can take one or push a pawn.
fn is_suspect(position: &AnyPosition) -> bool {
    if position.board().occupied().len() <= FEW_MEN {
        return true;
    }
    let is_lasting = |&mv: &Move| mv.is_capture() || mv.role() == Role::Pawn;
    !position.legal_moves().iter().any(is_lasting)
}

/// Begins to look, until the house closes.
pub(crate) fn begin(house: &Arc<House>) -> std::io::Result<()> {
    let (house, runtime) = (Arc::clone(house), Handle::current());
    let thread = thread::Builder::new().name("longer looks".to_owned());
    thread.spawn(move || {
        while let Some(table) = house.looks.next() {
            // Whatever goes wrong at one table, the others are looked at.
            catch_panic_blocking("a longer look", || look(&house, &runtime, &table));
        }
    })?;
    Ok(())
}

fn look(house: &Arc<House>, runtime: &Handle, table: &Arc<Table>) {
    // Whatever happens at the table from now on puts it into the queue again.
    table.unqueue();
    let question: Option<Question> = table.blocking_core().game.question();
    let Some(question) = question else {
        return;
    };
    let finding = question.answer(Budget::default());
    if let Err(trouble) = runtime.block_on(table.conclude(house, &finding)) {
        tracing::warn!(game = %table.id(), %trouble, "a conclusion was not kept");
    }
}
