//! Writes that share a commit. What they write is not said here.
//!
//! The writer takes everything that has queued up while the last batch was on its way to the disk, and
//! commits it together: the disk is waited for once, not once per write. Each write succeeds or fails alone
//! all the same: when the database refuses a batch, its writes are done again one by one.

use std::collections::{HashSet, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use deadpool_postgres::Pool;
use futures_util::FutureExt as _;
use tokio::sync::{mpsc, oneshot};

use crate::postgres::columns::QueryError;
use crate::postgres::connection_pool::{ConnectionFuture, Db, STATEMENT_TIMEOUT, with_connection};
use crate::postgres::notify::NotificationQueue;
use crate::{Error, GameId};

/// How many writes may wait; who comes later is told that the store is busy.
const MAX_QUEUED_WRITES: usize = 8_192;

/// The most writes of a batch. The news of that many games fit into one notification.
pub(super) const MAX_BATCH_WRITES: usize = 256;

/// A write that can share a commit with others of its kind.
pub(super) trait BatchedWrite: Send + Sync + Sized + 'static {
    /// What is told to who asked.
    type Answer: Send + 'static;
    /// Whether a batch has only one write of each game, because it depends on the one before.
    const ONE_PER_GAME: bool;

    /// The game.
    fn game(&self) -> GameId;

    /// What other nodes may want to know when it has been answered like this.
    fn news(&self, _answer: &Self::Answer) -> Option<(GameId, u64)> {
        None
    }

    /// Writes a batch, and commits it. The answers are in the order of the writes.
    fn write(db: Db<'_>, batch: Arc<Vec<Self>>) -> ConnectionFuture<'_, Vec<Self::Answer>>;
}

/// A write and who waits for its answer.
struct PendingWrite<W: BatchedWrite> {
    write: W,
    since: Instant,
    answer: oneshot::Sender<Result<W::Answer, Error>>,
}

/// The queue of a writer.
pub(super) struct BatchWriter<W: BatchedWrite> {
    queue: mpsc::Sender<PendingWrite<W>>,
}

impl<W: BatchedWrite> BatchWriter<W> {
    /// The queue, and the writer to run.
    pub(super) fn new(
        pool: Pool,
        desk: Arc<NotificationQueue>,
    ) -> (BatchWriter<W>, impl Future<Output = ()> + Send + 'static) {
        let (queue, asked) = mpsc::channel(MAX_QUEUED_WRITES);
        let writer = BatchTask { pool, desk };
        (BatchWriter { queue }, writer.run(asked))
    }

    /// Puts a write into the queue and waits for its commit.
    pub(super) async fn write(&self, write: W) -> Result<W::Answer, Error> {
        let (answer, told) = oneshot::channel();
        let asked = PendingWrite {
            write,
            since: Instant::now(),
            answer,
        };
        self.queue.try_send(asked).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => Error::Busy,
            mpsc::error::TrySendError::Closed(_) => Error::Closed,
        })?;
        told.await.map_err(|_| Error::Closed)?
    }
}

struct BatchTask {
    pool: Pool,
    desk: Arc<NotificationQueue>,
}

impl BatchTask {
    /// Writes until the queue is closed.
    async fn run<W: BatchedWrite>(self, mut queue: mpsc::Receiver<PendingWrite<W>>) {
        let mut waiting = VecDeque::new();
        loop {
            if waiting.is_empty() {
                match queue.recv().await {
                    Some(asked) => waiting.push_back(asked),
                    None => return,
                }
            }
            while waiting.len() < MAX_QUEUED_WRITES
                && let Ok(asked) = queue.try_recv()
            {
                waiting.push_back(asked);
            }
            // A panic drops the answers of its batch, which tells who asked; the writer goes on, for nobody else
            // writes.
            let written = self.write_batch(next_batch(&mut waiting));
            let _ = AssertUnwindSafe(written).catch_unwind().await;
        }
    }

    async fn write_batch<W: BatchedWrite>(&self, batch: Vec<PendingWrite<W>>) {
        let (writes, answers): (Vec<_>, Vec<_>) = batch
            .into_iter()
            .map(|asked| (asked.write, asked.answer))
            .unzip();
        let writes = Arc::new(writes);
        match self.attempt(&writes).await {
            Ok(told) => {
                for (answer, told) in answers.into_iter().zip(told) {
                    // Nobody may be waiting any more.
                    let _ = answer.send(Ok(told));
                }
            }
            Err(QueryError::Refused(_)) if answers.len() > 1 => {
                let writes = Arc::into_inner(writes).unwrap_or_default();
                for (answer, write) in answers.into_iter().zip(writes) {
                    let told = self.attempt(&Arc::new(vec![write])).await;
                    let told = told.map_err(Error::from);
                    let told = told.and_then(|mut told| told.pop().ok_or(Error::Closed));
                    let _ = answer.send(told);
                }
            }
            Err(trouble) => {
                let error = Error::from(trouble);
                for answer in answers {
                    let _ = answer.send(Err(error.clone()));
                }
            }
        }
    }

    async fn attempt<W: BatchedWrite>(
        &self,
        writes: &Arc<Vec<W>>,
    ) -> Result<Vec<W::Answer>, QueryError> {
        let batch = Arc::clone(writes);
        let told = with_connection(&self.pool, move |db| W::write(db, batch)).await?;
        let news = writes.iter().zip(&told);
        self.desk
            .queue_write(news.filter_map(|(write, told)| write.news(told)));
        Ok(told)
    }
}

/// Takes the next batch out of those that wait, which stay in order.
fn next_batch<W: BatchedWrite>(waiting: &mut VecDeque<PendingWrite<W>>) -> Vec<PendingWrite<W>> {
    let mut games = HashSet::new();
    let mut batch = Vec::new();
    for _ in 0..waiting.len() {
        let Some(asked) = waiting.pop_front() else {
            break;
        };
        if asked.since.elapsed() > STATEMENT_TIMEOUT {
            // Nobody may be waiting any more.
            let _ = asked.answer.send(Err(Error::Busy));
        } else if batch.len() < MAX_BATCH_WRITES
            && (games.insert(asked.write.game()) || !W::ONE_PER_GAME)
        {
            batch.push(asked);
        } else {
            waiting.push_back(asked);
        }
    }
    batch
}
