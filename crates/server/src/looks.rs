//! Longer looks at positions than the way of a move allows: is this one dead, and what does the fallen flag
//! mean? They are taken on a thread of their own, one after another; what follows is the game's business.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use touchmove_game::{About, Budget, Game, Question};

use crate::House;
use crate::sync::Locked as _;
use crate::table::Table;

/// How long a position stands before somebody looks: most are gone again by then.
const QUIET: Duration = Duration::from_millis(50);

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
    others: VecDeque<Waiting>,
    is_closed: bool,
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
        if !table.queue() {
            return;
        }
        let mut queue = self.queue.locked();
        let is_idle = queue.flags.is_empty() && queue.others.is_empty();
        match question.about {
            About::Flag(_) => queue.flags.push_back(Arc::downgrade(table)),
            About::Dead => queue.wait(table, game.seq()),
        }
        drop(queue);
        // Whoever waits for the first in line wakes by himself.
        if is_idle || matches!(question.about, About::Flag(_)) {
            self.wake.notify_one();
        }
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
            let left = queue
                .others
                .front()
                .map(|first| first.until.saturating_duration_since(Instant::now()));
            match left {
                None => {
                    let woken = self.wake.wait(queue);
                    queue = woken.unwrap_or_else(PoisonError::into_inner);
                }
                Some(left) if !left.is_zero() => {
                    let woken = self.wake.wait_timeout(queue, left);
                    queue = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
                Some(_) => {
                    let first = queue.others.pop_front();
                    let Some(table) = first.as_ref().and_then(|first| first.table.upgrade()) else {
                        continue;
                    };
                    // A position that is gone again was of no interest; what came after it may be.
                    let seq = table.seq();
                    match first.is_some_and(|first| first.seq == seq) {
                        true => return Some(table),
                        false => queue.wait(&table, seq),
                    }
                }
            }
        }
    }
}

impl Queue {
    fn wait(&mut self, table: &Arc<Table>, seq: u64) {
        self.others.push_back(Waiting {
            table: Arc::downgrade(table),
            seq,
            until: Instant::now() + QUIET,
        });
    }
}

/// Begins to look, until the house closes.
pub(crate) fn begin(house: &Arc<House>) -> std::io::Result<()> {
    let (house, runtime) = (Arc::clone(house), Handle::current());
    let thread = thread::Builder::new().name("longer looks".to_owned());
    thread.spawn(move || {
        while let Some(table) = house.looks.next() {
            look(&house, &runtime, &table);
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
