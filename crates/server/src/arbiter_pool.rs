//! The arbiter's desk, open to everybody: as many questions at once as there are processors, a short queue of
//! those who wait, and no question that takes longer than a second of a processor.

use std::time::{Duration, Instant};

use touchmove_arbiter::{BudgetCap, Report, Request, answer};

use crate::api::ApiError;
use crate::security::Limits;
use crate::work_queue::{Cancel, WorkLimits, WorkOwner, WorkQueue, processors};

/// The most positions that are looked at for one verdict.
const MAX_POSITIONS: u64 = 500_000;
/// The longest that one question may keep a processor.
pub(crate) const MAX_REQUEST_TIME: Duration = Duration::from_secs(1);
/// The longest that it may take where it has to share the processor, as a multiple of [`MAX_REQUEST_TIME`].
const MAX_WALL_TIMES: u32 = 5;

/// Where the arbiter answers.
pub struct ArbiterPool {
    queue: WorkQueue,
}

impl ArbiterPool {
    /// A desk with all processors.
    #[must_use]
    pub fn new(limits: &Limits) -> ArbiterPool {
        ArbiterPool::of(processors(100), limits)
    }

    /// A desk with so many processors.
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

    /// Answers a question, when it is its turn.
    ///
    /// # Errors
    /// If there is something to mend about the question, or too many wait already.
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

/// What a question has cost. Whoever keeps the processors busy shall not make the arbiter know less: it is the time of
/// this thread that counts, unless the thread hardly gets any.
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

/// The time that a processor has given to this thread; where that is not known, nothing.
fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(time).unwrap_or_default()
    }
    #[cfg(not(unix))]
    Duration::ZERO
}
