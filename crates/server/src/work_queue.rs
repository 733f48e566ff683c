//! A bounded queue for work that takes processor time: fair between its owners, on threads of low priority, so that
//! moves go first.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread;

use thiserror::Error;
use tokio::sync::oneshot;
use touchmove_store::Holder;

use crate::lock_ext::LockExt as _;
use crate::security::{Client, ClientAddress};

/// What is added to the `nice` value of a worker thread. With 10 it gets a tenth of the time of a thread that serves
/// moves.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// The limits of a queue.
#[derive(Clone, Copy, Debug)]
pub struct WorkLimits {
    /// Jobs that run at the same time, each on a thread.
    pub threads: usize,
    /// Jobs that may wait, in total.
    pub waiting: usize,
    /// Jobs that may wait or run for one owner.
    pub per_owner: usize,
    /// Whether the worker threads have a low priority, so that those that serve moves go first.
    pub is_low_priority: bool,
}

impl WorkLimits {
    /// For work that must not be refused, because its callers bound it.
    #[must_use]
    pub const fn unbounded(threads: usize) -> WorkLimits {
        WorkLimits {
            threads,
            waiting: usize::MAX,
            per_owner: usize::MAX,
            is_low_priority: true,
        }
    }
}

/// This percentage of the processors, at least one: the others are left to moves.
#[must_use]
pub fn processors(percent: u32) -> usize {
    let all = thread::available_parallelism().map_or(1, usize::from);
    (all * percent as usize).div_ceil(100).max(1)
}

/// On whose behalf work is done. Owners take turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WorkOwner {
    /// The server itself: its work is never refused.
    Server,
    /// A client's address or network.
    Address(ClientAddress),
    /// An account or guest whose address is not known.
    Holder(Holder),
}

impl From<Client> for WorkOwner {
    fn from(client: Client) -> WorkOwner {
        WorkOwner::Address(client.address.host())
    }
}

/// Why work was not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum WorkError {
    /// The queue is full, in total or for this owner.
    #[error("{0}: ask again in a moment")]
    Busy(&'static str),
    /// The job panicked, or the system could not start a thread.
    #[error("this could not be done just now: try again in a moment")]
    Failed,
}

/// Tells a job that its result is no longer wanted.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Whether the caller has dropped the result. Long jobs check this between their steps.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The result of a queued job. The job is cancelled when this is dropped.
#[derive(Debug)]
pub struct Pending<T> {
    result: oneshot::Receiver<T>,
    cancel: Cancel,
}

impl<T> Future for Pending<T> {
    type Output = Result<T, WorkError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let result = Pin::new(&mut self.result).poll(context);
        result.map_err(|_| WorkError::Failed)
    }
}

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        self.cancel.0.store(true, Ordering::Relaxed);
    }
}

/// A queued job.
struct Job {
    cancel: Cancel,
    work: Box<dyn FnOnce(&Cancel) + Send>,
}

impl Job {
    fn run(self) {
        if self.cancel.is_cancelled() {
            return;
        }
        let Job { cancel, work } = self;
        // The caller learns of a panic by the missing answer; the thread goes on with the next job.
        let _ = catch_unwind(AssertUnwindSafe(|| work(&cancel)));
    }
}

#[derive(Default)]
struct State {
    /// Waiting jobs, by owner.
    waiting: HashMap<WorkOwner, VecDeque<Job>>,
    /// Owners with waiting jobs, in the order of their turns.
    turns: VecDeque<WorkOwner>,
    /// The number of running jobs of each owner.
    running: HashMap<WorkOwner, usize>,
    threads: usize,
    idle_threads: usize,
    is_closed: bool,
}

impl State {
    fn waiting_count(&self) -> usize {
        self.waiting.values().map(VecDeque::len).sum()
    }

    fn has_room(&self, owner: WorkOwner, limits: &WorkLimits) -> bool {
        let running = self.running.get(&owner).copied().unwrap_or(0);
        let waiting = self.waiting.get(&owner).map_or(0, VecDeque::len);
        // A job that finds an idle thread does not wait.
        let in_line = self
            .waiting_count()
            .saturating_sub(self.free_threads(limits));
        running + waiting < limits.per_owner && in_line < limits.waiting
    }

    fn free_threads(&self, limits: &WorkLimits) -> usize {
        let running: usize = self.running.values().sum();
        limits.threads.saturating_sub(running)
    }

    /// Drops the jobs that were cancelled.
    fn drop_cancelled(&mut self) {
        self.waiting.retain(|_, jobs| {
            jobs.retain(|job| !job.cancel.is_cancelled());
            !jobs.is_empty()
        });
        let waiting = &self.waiting;
        self.turns.retain(|owner| waiting.contains_key(owner));
    }

    fn push(&mut self, owner: WorkOwner, job: Job) {
        let jobs = self.waiting.entry(owner).or_default();
        if jobs.is_empty() {
            self.turns.push_back(owner);
        }
        jobs.push_back(job);
    }

    /// Takes the next job, which counts as running from now on. Its owner goes to the end of the line.
    fn next(&mut self) -> Option<(WorkOwner, Job)> {
        let owner = self.turns.pop_front()?;
        let jobs = self.waiting.get_mut(&owner)?;
        let job = jobs.pop_front()?;
        match jobs.is_empty() {
            true => drop(self.waiting.remove(&owner)),
            false => self.turns.push_back(owner),
        }
        *self.running.entry(owner).or_default() += 1;
        Some((owner, job))
    }

    fn finish(&mut self, owner: WorkOwner) {
        if let Some(running) = self.running.get_mut(&owner) {
            *running -= 1;
            if *running == 0 {
                self.running.remove(&owner);
            }
        }
    }
}

struct Shared {
    name: &'static str,
    /// The sentence for a full queue.
    busy: &'static str,
    limits: WorkLimits,
    state: Mutex<State>,
    wake: Condvar,
}

/// A queue and its threads, which start when there is work and end with the queue.
pub struct WorkQueue {
    shared: Arc<Shared>,
}

impl WorkQueue {
    /// A queue with this thread name, and the sentence for when it is full.
    #[must_use]
    pub fn new(name: &'static str, busy: &'static str, limits: WorkLimits) -> WorkQueue {
        WorkQueue {
            shared: Arc::new(Shared {
                name,
                busy,
                limits,
                state: Mutex::default(),
                wake: Condvar::new(),
            }),
        }
    }

    /// Queues a job. It starts when it is its owner's turn, unless it has been cancelled.
    ///
    /// # Errors
    /// If the queue is full.
    pub fn submit<T: Send + 'static>(
        &self,
        owner: WorkOwner,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<Pending<T>, WorkError> {
        let (answer, result) = oneshot::channel();
        let cancel = Cancel::default();
        let job = Job {
            cancel: cancel.clone(),
            work: Box::new(move |cancel| {
                // The caller may have gone.
                let _ = answer.send(work(cancel));
            }),
        };
        self.push(owner, job)?;
        Ok(Pending { result, cancel })
    }

    /// Queues a job and waits for the result.
    ///
    /// # Errors
    /// If the queue is full, or the job failed.
    pub async fn run<T: Send + 'static>(
        &self,
        owner: WorkOwner,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        self.submit(owner, work)?.await
    }

    fn push(&self, owner: WorkOwner, job: Job) -> Result<(), WorkError> {
        let Shared { limits, busy, .. } = &*self.shared;
        let mut state = self.shared.state.locked();
        if owner != WorkOwner::Server && !state.has_room(owner, limits) {
            state.drop_cancelled();
            if !state.has_room(owner, limits) {
                return Err(WorkError::Busy(busy));
            }
        }
        state.push(owner, job);
        if state.waiting_count() > state.idle_threads && state.threads < limits.threads {
            let shared = Arc::clone(&self.shared);
            let thread = thread::Builder::new().name(self.shared.name.to_owned());
            match thread.spawn(move || shared.work()) {
                Ok(_) => state.threads += 1,
                Err(error) => {
                    tracing::error!(%error, queue = self.shared.name, "no thread could be had");
                    if state.threads == 0 {
                        state.waiting.clear();
                        state.turns.clear();
                        return Err(WorkError::Failed);
                    }
                }
            }
        }
        drop(state);
        self.shared.wake.notify_one();
        Ok(())
    }
}

impl Drop for WorkQueue {
    fn drop(&mut self) {
        let mut state = self.shared.state.locked();
        state.is_closed = true;
        // Waiting jobs are dropped outside the lock, because they may hold anything.
        let waiting = std::mem::take(&mut state.waiting);
        state.turns.clear();
        drop(state);
        drop(waiting);
        self.shared.wake.notify_all();
    }
}

impl Shared {
    /// Runs jobs until the queue is closed.
    fn work(&self) {
        if self.limits.is_low_priority {
            lower_priority();
        }
        let mut state = self.state.locked();
        while !state.is_closed {
            let Some((owner, job)) = state.next() else {
                state.idle_threads += 1;
                let woken = self.wake.wait(state);
                state = woken.unwrap_or_else(PoisonError::into_inner);
                state.idle_threads -= 1;
                continue;
            };
            drop(state);
            job.run();
            state = self.state.locked();
            state.finish(owner);
        }
    }
}

/// Lowers the priority of this thread, so that those that serve moves go first.
fn lower_priority() {
    // On Linux this affects only the calling thread; elsewhere it would affect the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "the priority of a worker thread could not be lowered");
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::mpsc;

    use super::*;

    const LIMITS: WorkLimits = WorkLimits {
        threads: 1,
        waiting: 10,
        per_owner: 4,
        is_low_priority: true,
    };

    fn queue() -> WorkQueue {
        WorkQueue::new("test", "too many tests", LIMITS)
    }

    fn address(last: u8) -> WorkOwner {
        Client::from(IpAddr::from([10, 0, 0, last])).into()
    }

    /// Keeps the only thread busy until the returned sender is dropped.
    async fn block(queue: &WorkQueue) -> (mpsc::Sender<()>, Pending<()>) {
        let (end, ended) = mpsc::channel::<()>();
        let (begin, begun) = oneshot::channel();
        let blocked = queue.submit(WorkOwner::Server, move |_| {
            let _ = begin.send(());
            let _ = ended.recv();
        });
        begun.await.unwrap();
        (end, blocked.unwrap())
    }

    #[tokio::test]
    async fn one_address_that_asks_three_hundred_times_has_its_share_and_others_get_theirs() {
        let queue = queue();
        let (end, blocked) = block(&queue).await;
        let greedy: Vec<_> = (0..300)
            .map(|_| queue.submit(address(1), |_| "greedy"))
            .collect();
        let waiting = greedy.iter().filter(|asked| asked.is_ok()).count();
        assert_eq!(waiting, LIMITS.per_owner);
        let busy = WorkError::Busy("too many tests");
        assert_eq!(greedy[299].as_ref().err(), Some(&busy));
        let other = queue.submit(address(2), |_| "modest").unwrap();
        drop((end, blocked));
        assert_eq!(other.await, Ok("modest"));
    }

    #[tokio::test]
    async fn owners_take_turns_however_many_jobs_each_has() {
        let queue = queue();
        let (end, blocked) = block(&queue).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut pending = Vec::new();
        for owner in [1, 1, 1, 2, 2, 3] {
            let order = Arc::clone(&order);
            let job = queue.submit(address(owner), move |_| order.locked().push(owner));
            pending.push(job.unwrap());
        }
        drop((end, blocked));
        for job in pending {
            job.await.unwrap();
        }
        assert_eq!(*order.locked(), [1, 2, 3, 1, 2, 1]);
    }

    #[tokio::test]
    async fn what_waits_is_bounded_in_sum_but_the_server_is_never_refused() {
        let queue = queue();
        let (end, blocked) = block(&queue).await;
        let asked: Vec<_> = (0..100).map(|n| queue.submit(address(n), |_| ())).collect();
        let waiting = asked.iter().filter(|asked| asked.is_ok()).count();
        assert_eq!(waiting, LIMITS.waiting);
        let own = queue.submit(WorkOwner::Server, |_| "done").unwrap();
        drop((end, blocked));
        assert_eq!(own.await, Ok("done"));
    }

    #[tokio::test]
    async fn a_job_whose_caller_is_gone_is_not_begun_and_makes_room() {
        let queue = queue();
        let (end, blocked) = block(&queue).await;
        let began = Arc::new(AtomicBool::new(false));
        for _ in 0..100 {
            let began = Arc::clone(&began);
            let gone = queue.submit(address(1), move |_| began.store(true, Ordering::Relaxed));
            assert!(gone.is_ok(), "those who are gone do not count");
        }
        let last = queue.submit(address(1), |_| ()).unwrap();
        drop((end, blocked));
        last.await.unwrap();
        assert!(!began.load(Ordering::Relaxed));
    }

    #[tokio::test]
    async fn a_long_job_learns_that_its_caller_is_gone() {
        let queue = queue();
        let (begin, begun) = oneshot::channel();
        let (end, ended) = oneshot::channel();
        let long = queue.submit(address(1), move |cancel| {
            let _ = begin.send(());
            while !cancel.is_cancelled() {
                thread::yield_now();
            }
            let _ = end.send(());
        });
        begun.await.unwrap();
        drop(long);
        ended.await.unwrap();
    }

    #[tokio::test]
    async fn a_job_that_panics_fails_alone() {
        let queue = queue();
        let failed = queue.run(address(1), |_| panic!("a job")).await;
        assert_eq!(failed, Err::<(), _>(WorkError::Failed));
        assert_eq!(queue.run(address(1), |_| 5).await, Ok(5));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_the_worker_threads_have_a_low_priority() {
        let before = rustix::process::getpriority_process(None).unwrap();
        let worker = queue()
            .run(address(1), |_| rustix::process::getpriority_process(None))
            .await;
        let worker = worker.unwrap().unwrap();
        assert!(worker > before, "{worker} {before}");
        assert_eq!(rustix::process::getpriority_process(None).unwrap(), before);
    }
}
