//! The worker pool of the arbiter endpoints: one question per processor at a time, a short queue, and a limit of one
//! second of processor time per question.

use std::time::{Duration, Instant};

use touchmove_arbiter::{BudgetCap, Report, Request, answer};

use crate::api::ApiError;
use crate::security::Limits;
use crate::work_queue::{Cancel, WorkLimits, WorkOwner, WorkQueue, processors};

/// The most positions that are searched for one verdict.
const MAX_POSITIONS: u64 = 500_000;
/// The most processor time that one question may use.
pub(crate) const MAX_REQUEST_TIME: Duration = Duration::from_secs(1);
/// The most wall-clock time that it may take on a busy machine, as a multiple of [`MAX_REQUEST_TIME`].
const MAX_WALL_TIMES: u32 = 5;

/// The worker pool that answers questions to the arbiter.
pub struct ArbiterPool {
    queue: WorkQueue,
}

impl ArbiterPool {
    /// A pool with all processors.
    #[must_use]
    pub fn new(limits: &Limits) -> ArbiterPool {
        ArbiterPool::of(processors(100), limits)
    }

    /// A pool with this many processors.
    #[must_use]
    pub fn of(processors: usize, limits: &Limits) -> ArbiterPool {
        let limits = WorkLimits {
            threads: processors,
            waiting: processors * limits.waiting_questions as usize,
            per_owner: limits.waiting_questions_per_address as usize,
            is_low_priority: true,
        };
        ArbiterPool {
            queue: WorkQueue::new("arbiter", "the arbiter has too many questions", limits),
        }
    }

    /// Queues a question and waits for the answer.
    ///
    /// # Errors
    /// If the question is invalid, or the queue is full.
    pub async fn answer(&self, owner: WorkOwner, request: Request) -> Result<Report, ApiError> {
        let answered = self.queue.run(owner, move |cancel| {
            let cost = Cost::begin();
            let clock = || cost.so_far(cancel);
            let cap = BudgetCap {
                positions: MAX_POSITIONS,
                time: MAX_REQUEST_TIME,
                clock: &clock,
            };
            answer(&request, &cap)
        });
        Ok(answered.await??)
    }
}

/// What a question has cost so far. A busy machine must not make the arbiter's answers worse, so the processor time
/// of this thread counts, unless the thread hardly gets any.
struct Cost {
    processor: Duration,
    wall: Instant,
}

impl Cost {
    fn begin() -> Cost {
        Cost {
            processor: processor_time(),
            wall: Instant::now(),
        }
    }

    fn so_far(&self, cancel: &Cancel) -> Duration {
        if cancel.is_cancelled() {
            return Duration::MAX;
        }
        let processor = processor_time().saturating_sub(self.processor);
        processor.max(self.wall.elapsed() / MAX_WALL_TIMES)
    }
}

/// The processor time of this thread so far; zero where the system does not say.
fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(time).unwrap_or_default()
    }
    #[cfg(not(unix))]
    Duration::ZERO
}
