//! The threads of an SQLite store: a writer with group commit, some readers, and one that checkpoints the
//! write-ahead log.
//!
//! The writer takes everything that was queued during the previous commit, and commits it together, so that it
//! waits for the disk once per batch and not once per write. Writes still succeed or fail independently: when
//! anything in a batch fails, the batch is rolled back and its writes are retried one by one.
//! alone all the same: when anything in a batch fails, the batch is rolled back and done again one by one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::Error;
use crate::sqlite::write_lock::WriteLock;

/// The most writes that share a commit.
const MAX_BATCH_WRITES: usize = 1_024;
/// After how many writes the log is checkpointed.
const CHECKPOINT_WRITES: usize = 4_000;
/// The size of the log, in pages, at which the writer pauses until it can be restarted.
const MAX_WAL_PAGES: i64 = 16_384;

/// A write in the queue.
pub(super) trait WriteJob: Send {
    /// Runs the write, perhaps for a second time after a rollback.
    fn run(&mut self, db: &Connection) -> rusqlite::Result<()>;
    /// Answers the caller, after the commit or the failure.
    fn answer(self: Box<Self>, result: Result<(), Error>);
}

/// A queued write, and the channel for its answer.
pub(super) struct PendingWrite<T, F> {
    work: F,
    outcome: Option<T>,
    answer: oneshot::Sender<Result<T, Error>>,
}

impl<T, F> PendingWrite<T, F> {
    pub(super) const fn new(
        work: F,
        answer: oneshot::Sender<Result<T, Error>>,
    ) -> PendingWrite<T, F> {
        PendingWrite {
            work,
            outcome: None,
            answer,
        }
    }
}

impl<T, F> WriteJob for PendingWrite<T, F>
where
    T: Send,
    F: FnMut(&Connection) -> rusqlite::Result<T> + Send,
{
    fn run(&mut self, db: &Connection) -> rusqlite::Result<()> {
        self.outcome = Some((self.work)(db)?);
        Ok(())
    }

    fn answer(self: Box<Self>, result: Result<(), Error>) {
        let PendingWrite {
            outcome, answer, ..
        } = *self;
        // The caller may have gone.
        let _ = answer.send(result.and_then(|()| outcome.ok_or(Error::Closed)));
    }
}

/// A queued read.
pub(super) type ReadJob = Box<dyn FnOnce(&Connection) + Send>;

/// The state of the write-ahead log, shared by the writer and the checkpoint thread.
#[derive(Default)]
pub(super) struct WalState {
    /// Writes since the last checkpoint.
    writes: AtomicUsize,
    /// The log is too large although most of it is checkpointed: the writer has to restart it.
    is_too_large: AtomicBool,
}

/// Commits batches of writes until the queue is closed.
pub(super) fn write(
    db: &Connection,
    turn: &WriteLock,
    mut queue: mpsc::Receiver<Box<dyn WriteJob>>,
    log: &WalState,
    committed: &SyncSender<()>,
) {
    let mut batch = Vec::new();
    while queue.blocking_recv_many(&mut batch, MAX_BATCH_WRITES) > 0 {
        log.writes.fetch_add(batch.len(), Ordering::Relaxed);
        write_batch(db, turn, &mut batch);
        // If the channel is full, a signal is already in it.
        let _ = committed.try_send(());
        if log.is_too_large.swap(false, Ordering::Relaxed) {
            begin_log_anew(db);
        }
    }
}

fn write_batch(db: &Connection, turn: &WriteLock, batch: &mut Vec<Box<dyn WriteJob>>) {
    match commit(db, turn, batch) {
        Ok(()) => batch.drain(..).for_each(|write| write.answer(Ok(()))),
        Err(error) if batch.len() == 1 => {
            let write = batch.pop();
            write
                .into_iter()
                .for_each(|write| write.answer(Err(error.clone())));
        }
        Err(_) => {
            for mut write in batch.drain(..) {
                let result = commit(db, turn, std::slice::from_mut(&mut write));
                write.answer(result);
            }
        }
    }
}

/// Commits all of these writes, or none of them.
fn commit(
    db: &Connection,
    turn: &WriteLock,
    writes: &mut [Box<dyn WriteJob>],
) -> Result<(), Error> {
    let attempt = || -> rusqlite::Result<()> {
        let mut begin = db.prepare_cached("BEGIN IMMEDIATE")?;
        turn.take(|| begin.execute([]))?;
        for write in writes {
            write.run(db)?;
        }
        db.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    };
    // A write that panics fails like any other. The thread goes on, because there is no other writer.
    let panicked = |_| Err(Error::Failed("a write made the program panic".to_owned()));
    let result = catch_unwind(AssertUnwindSafe(attempt));
    let result = result.map_or_else(panicked, |done| done.map_err(Error::from));
    // SQLite rolls back by itself only after some failures.
    if result.is_err() && !db.is_autocommit() {
        db.execute_batch("ROLLBACK")?;
    }
    result
}

/// Checkpoints the rest of the log, so that the next write starts again at its beginning, unless a reader still
/// uses it. The log is not truncated: overwriting it is cheaper than allocating disk space again.
fn begin_log_anew(db: &Connection) {
    let without_waiting = || -> rusqlite::Result<()> {
        db.busy_timeout(Duration::ZERO)?;
        db.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(()))
    };
    // If this fails, the log stays large and it is tried again later: no write depends on it.
    let _ = without_waiting();
    let _ = db.busy_timeout(crate::sqlite::BUSY_TIMEOUT);
}

/// Answers reads until the queue is closed.
pub(super) fn read(db: &Connection, queue: &Mutex<mpsc::Receiver<ReadJob>>) {
    loop {
        // One reader holds the lock and waits for the next job; the others wait for the lock.
        let question = queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .blocking_recv();
        let Some(question) = question else { return };
        // A panic drops the answer channel, which the caller notices. The thread goes on.
        let _ = catch_unwind(AssertUnwindSafe(|| question(db)));
    }
}

/// Checkpoints the log whenever it has grown, so that the writer does not have to. When there are no readers
/// and no writes for a moment, SQLite then restarts the log by itself; under a steady stream of writes a little
/// is always left, and the writer is told to pause.
pub(super) fn checkpoint_wal(db: &Connection, log: &WalState, committed: &Receiver<()>) {
    while committed.recv().is_ok() {
        if log.writes.load(Ordering::Relaxed) < CHECKPOINT_WRITES {
            continue;
        }
        log.writes.store(0, Ordering::Relaxed);
        // A full disk makes this fail too; it is retried after as many writes.
        let frames = db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(1));
        if frames.is_ok_and(|frames: i64| frames > MAX_WAL_PAGES) {
            log.is_too_large.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(
        work: impl FnMut(&Connection) -> rusqlite::Result<usize> + Send + 'static,
    ) -> (Box<dyn WriteJob>, oneshot::Receiver<Result<usize, Error>>) {
        let (sender, answer) = oneshot::channel();
        (Box::new(PendingWrite::new(work, sender)), answer)
    }

    fn nobody_else() -> WriteLock {
        WriteLock::at(std::path::Path::new("/dev/null/store"))
    }

    fn count(db: &Connection) -> i64 {
        db.query_row("SELECT count(*) FROM moves", [], |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn a_write_that_fails_takes_nothing_with_it_and_leaves_nothing() {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE moves (ply INTEGER UNIQUE)")
            .unwrap();
        let mut answers = Vec::new();
        let mut batch = Vec::new();
        for ply in 0..10 {
            let (write, answer) = asked(move |db| {
                let done = db.execute("INSERT INTO moves VALUES (?1)", [ply])?;
                if ply == 4 {
                    // This part of the batch is written before it fails.
                    db.execute("INSERT INTO moves VALUES (3)", [])?;
                }
                Ok(done)
            });
            batch.push(write);
            answers.push(answer);
        }
        write_batch(&db, &nobody_else(), &mut batch);
        assert!(batch.is_empty());
        assert_eq!(count(&db), 9);
        for (ply, mut answer) in (0..).zip(answers) {
            let answer = answer.try_recv().unwrap();
            assert_eq!(answer.is_ok(), ply != 4, "{ply}: {answer:?}");
        }
    }

    #[test]
    fn a_commit_that_fails_is_tried_for_each_write_alone() {
        let db = Connection::open_in_memory().unwrap();
        // A deferred constraint fails only at the commit.
        db.execute_batch(
            "PRAGMA foreign_keys = ON; CREATE TABLE games (id INTEGER PRIMARY KEY);
             CREATE TABLE moves (game INTEGER REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED);
             INSERT INTO games VALUES (1)",
        )
        .unwrap();
        let (mut batch, mut answers) = (Vec::new(), Vec::new());
        for game in [1, 2, 1] {
            let (write, answer) =
                asked(move |db| db.execute("INSERT INTO moves VALUES (?1)", [game]));
            batch.push(write);
            answers.push(answer);
        }
        write_batch(&db, &nobody_else(), &mut batch);
        let answers = answers
            .iter_mut()
            .map(|answer| answer.try_recv().unwrap().is_ok());
        assert_eq!(answers.collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(count(&db), 2);
        assert!(db.is_autocommit(), "nothing is left open");
    }

    #[test]
    fn a_write_or_a_question_that_panics_does_not_end_the_thread() {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE moves (ply INTEGER)")
            .unwrap();
        let (mut batch, mut answers) = (Vec::new(), Vec::new());
        for ply in 0..3 {
            let (write, answer) = asked(move |db| {
                let done = db.execute("INSERT INTO moves VALUES (?1)", [ply])?;
                assert_ne!(ply, 1, "this write panics");
                Ok(done)
            });
            batch.push(write);
            answers.push(answer);
        }
        write_batch(&db, &nobody_else(), &mut batch);
        let answers = answers
            .iter_mut()
            .map(|answer| answer.try_recv().unwrap().is_ok());
        assert_eq!(answers.collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(count(&db), 2);

        let (questions, queue) = mpsc::channel::<ReadJob>(2);
        let (sender, answer) = std::sync::mpsc::channel();
        let panics: ReadJob = Box::new(|_| panic!("this question panics"));
        let counts: ReadJob = Box::new(move |db| sender.send(count(db)).unwrap());
        assert!(questions.try_send(panics).is_ok() && questions.try_send(counts).is_ok());
        drop(questions);
        read(&db, &Mutex::new(queue));
        assert_eq!(answer.recv(), Ok(2));
    }

    #[test]
    fn a_log_that_is_not_large_lets_the_writer_go_on() {
        let db = Connection::open_in_memory().unwrap();
        let log = WalState::default();
        log.writes.store(CHECKPOINT_WRITES, Ordering::Relaxed);
        let (committed, heard) = std::sync::mpsc::channel();
        committed.send(()).unwrap();
        drop(committed);
        checkpoint_wal(&db, &log, &heard);
        assert_eq!(log.writes.load(Ordering::Relaxed), 0, "it was copied");
        assert!(!log.is_too_large.load(Ordering::Relaxed));
    }
}
