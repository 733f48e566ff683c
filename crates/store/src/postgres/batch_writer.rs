//! Group commit: batches of writes that share a transaction.
//!
//! The writer takes everything that was queued while the previous batch was committed, and commits it together,
//! so that it waits for the disk once per batch and not once per write. Writes still succeed or fail
//! independently: when the database refuses a batch, its writes are retried one by one.

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

/// How many writes may wait; beyond that the caller gets [`Error::Busy`].
const MAX_QUEUED_WRITES: usize = 8_192;

/// The most writes of a batch. The notifications of that many games fit into one payload.
pub(super) const MAX_BATCH_WRITES: usize = 256;

/// A write that can share a commit with others of its kind.
pub(super) trait BatchedWrite: Send + Sync + Sized + 'static {
    /// The result of the write.
    type Answer: Send + 'static;
    /// Whether a batch may have only one write per game, because each depends on the one before.
    const ONE_PER_GAME: bool;

    /// The game.
    fn game(&self) -> GameId;

    /// The game and event number to notify other nodes of after this answer.
    fn news(&self, _answer: &Self::Answer) -> Option<(GameId, u64)> {
        None
    }

    /// Writes and commits a batch. The answers are in the order of the writes.
    fn write(db: Db<'_>, batch: Arc<Vec<Self>>) -> ConnectionFuture<'_, Vec<Self::Answer>>;
}

/// A queued write, and the channel for its answer.
struct PendingWrite<W: BatchedWrite> {
    write: W,
    since: Instant,
    answer: oneshot::Sender<Result<W::Answer, Error>>,
}

/// The queue of a batch writer.
pub(super) struct BatchWriter<W: BatchedWrite> {
    queue: mpsc::Sender<PendingWrite<W>>,
}

impl<W: BatchedWrite> BatchWriter<W> {
    /// Creates the queue, and the future of the writer, which the caller spawns.
    pub(super) fn new(
        pool: Pool,
        desk: Arc<NotificationQueue>,
    ) -> (BatchWriter<W>, impl Future<Output = ()> + Send + 'static) {
        let (queue, asked) = mpsc::channel(MAX_QUEUED_WRITES);
        let writer = BatchTask { pool, desk };
        (BatchWriter { queue }, writer.run(asked))
    }

    /// Queues a write and waits for its commit.
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
    /// Writes batches until the queue is closed.
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
            // A panic drops the answer channels of its batch, which the callers notice. The writer goes on,
            // because there is no other.
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
                    // The caller may have gone.
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

/// Takes the next batch from the queue; the rest stays in order. Drops writes that have waited too long.
fn next_batch<W: BatchedWrite>(waiting: &mut VecDeque<PendingWrite<W>>) -> Vec<PendingWrite<W>> {
    let mut games = HashSet::new();
    let mut batch = Vec::new();
    for _ in 0..waiting.len() {
        let Some(asked) = waiting.pop_front() else {
            break;
        };
        if asked.since.elapsed() > STATEMENT_TIMEOUT {
            // The caller may have gone.
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
