//! Longer looks at positions than the way of a move allows: is this one dead, and what does the fallen flag
//! mean? They are taken on a thread of their own, one after another; what follows is the game's business.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread;

use tokio::runtime::Handle;
use touchmove_game::{About, Budget, Game, Question};

use crate::House;
use crate::sync::Locked as _;
use crate::table::Table;

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
    others: VecDeque<Weak<Table>>,
    is_closed: bool,
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
        let line = match question.about {
            About::Flag(_) => &mut queue.flags,
            About::Dead => &mut queue.others,
        };
        line.push_back(Arc::downgrade(table));
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
            let next = match queue.flags.pop_front() {
                Some(table) => Some(table),
                None => queue.others.pop_front(),
            };
            match next {
                Some(table) => {
                    if let Some(table) = table.upgrade() {
                        return Some(table);
                    }
                }
                None => {
                    let woken = self.wake.wait(queue);
                    queue = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
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
