//! The audit of a stream on several threads: batches are audited in any order, and their reports are passed
//! on in the order of the file, in bounded memory.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::batches::{Batch, Batches};

use crate::audit::report::{AuditReport, audit};

/// Maximum number of finished reports per thread that wait for an earlier one.
const MAX_PENDING_PARTS_PER_THREAD: usize = 3;

/// Audits every game of a stream. `hand_on` gets a report for each batch, in the order of the file, with
/// games counted from the start of the stream.
///
/// ```
/// use std::num::NonZeroUsize;
/// use touchmove_pgn::{AuditReport, audit_stream};
///
/// let file = b"[Event \"x\"]\n\n1. e4 e5 *\n\n[Event \"y\"]\n\n1. e4 Ke7 *\n";
/// let threads = NonZeroUsize::new(2).unwrap();
/// let mut errors = Vec::new();
/// audit_stream(&file[..], threads, &AuditReport::default(), |part| {
///     let found = part.findings.iter().filter(|finding| finding.ply.is_some());
///     errors.extend(found.map(|finding| (finding.game, finding.ply)));
///     Ok(())
/// })?;
/// assert_eq!(errors, [(2, Some(2))]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// If the stream cannot be read, or `hand_on` fails.
pub fn audit_stream<R: Read + Send>(
    source: R,
    threads: NonZeroUsize,
    template: &AuditReport,
    mut hand_on: impl FnMut(AuditReport) -> io::Result<()>,
) -> io::Result<()> {
    let mut games = 0;
    let mut count_on = |mut part: AuditReport| {
        part.count_games_from(games);
        games += part.totals.games;
        hand_on(part)
    };
    let mut batches = Batches::new(source);
    if threads.get() == 1 {
        let mut batch = Batch::default();
        while batches.next(&mut batch)? {
            let mut part = template.fresh();
            if batches.was_utf16() && batch.offset == 0 {
                part.note_utf16();
            }
            audit(&batch, &mut part);
            if let Some(excess) = batches.excess() {
                part.note_excess(excess);
            }
            count_on(part)?;
        }
        return Ok(());
    }
    let source = Mutex::new(Source { batches, taken: 0 });
    let desk = OrderedParts::default();
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(|| {
                work(
                    &source,
                    &desk,
                    template,
                    threads.get() * MAX_PENDING_PARTS_PER_THREAD,
                );
            });
        }
        let result = collect(&desk, threads.get(), &mut count_on);
        desk.close();
        result
    })
}

struct Source<R> {
    batches: Batches<R>,
    /// Number of batches taken.
    taken: u64,
}

/// The queue in which finished reports wait for their turn.
#[derive(Default)]
struct OrderedParts {
    state: Mutex<PendingPart>,
    changed: Condvar,
}

#[derive(Default)]
struct PendingPart {
    parts: BTreeMap<u64, AuditReport>,
    /// Number of reports passed on.
    handed_on: u64,
    /// Number of threads that have finished.
    finished: usize,
    failure: Option<io::Error>,
    is_closed: bool,
}

impl OrderedParts {
    fn lock(&self) -> MutexGuard<'_, PendingPart> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, guard: MutexGuard<'a, PendingPart>) -> MutexGuard<'a, PendingPart> {
        self.changed
            .wait(guard)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes all threads stop.
    fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }
}

/// Counts a thread as finished when it is dropped.
struct ThreadGuard<'a>(&'a OrderedParts);

impl Drop for ThreadGuard<'_> {
    fn drop(&mut self) {
        self.0.lock().finished += 1;
        self.0.changed.notify_all();
    }
}

/// The loop of a thread: takes and audits batches until there are none.
fn work<R: Read>(
    source: &Mutex<Source<R>>,
    desk: &OrderedParts,
    template: &AuditReport,
    most_waiting: usize,
) {
    let _leaving = ThreadGuard(desk);
    let mut batch = Batch::default();
    loop {
        let (taken, was_utf16, excess) = {
            let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
            match source.batches.next(&mut batch) {
                Ok(false) => return,
                Ok(true) => {
                    source.taken += 1;
                    let batches = &source.batches;
                    (source.taken - 1, batches.was_utf16(), batches.excess())
                }
                Err(error) => {
                    desk.lock().failure = Some(error);
                    return;
                }
            }
        };
        let mut part = template.fresh();
        if was_utf16 && batch.offset == 0 {
            part.note_utf16();
        }
        audit(&batch, &mut part);
        if let Some(excess) = excess {
            part.note_excess(excess);
        }
        let mut state = desk.lock();
        while taken >= state.handed_on + most_waiting as u64 && !state.is_closed {
            state = desk.wait(state);
        }
        if state.is_closed {
            return;
        }
        state.parts.insert(taken, part);
        desk.changed.notify_all();
    }
}

/// Passes on the reports in order.
fn collect(
    desk: &OrderedParts,
    threads: usize,
    hand_on: &mut impl FnMut(AuditReport) -> io::Result<()>,
) -> io::Result<()> {
    let mut state = desk.lock();
    loop {
        let next = state.handed_on;
        if let Some(part) = state.parts.remove(&next) {
            state.handed_on += 1;
            drop(state);
            desk.changed.notify_all();
            hand_on(part)?;
            state = desk.lock();
        } else if state.finished == threads {
            return state.failure.take().map_or(Ok(()), Err);
        } else {
            state = desk.wait(state);
        }
    }
}
