//! Background tasks. Futures are boxed here, so that the runtime's generics are instantiated once; a panic in a task
//! is logged and does not stop essential tasks.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::task::JoinHandle;

/// How long to wait before a task that panicked is restarted.
const RESTART_DELAY: Duration = Duration::from_secs(1);

/// Spawns a background task.
pub(crate) fn spawn_boxed(work: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    let work: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(work);
    tokio::spawn(work)
}

/// Runs an essential task until it ends by itself. A panic is logged, and the task is restarted from the beginning.
pub(crate) fn keep_running<F>(
    name: &'static str,
    start: impl Fn() -> F + Send + 'static,
) -> JoinHandle<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    spawn_boxed(async move {
        while catch_panic(name, start()).await.is_none() {
            tokio::time::sleep(RESTART_DELAY).await;
        }
    })
}

/// Runs a future to its end; `None` if it panics, which is logged. For one item among many, so that the others are
/// still processed.
pub(crate) async fn catch_panic<T>(name: &str, work: impl Future<Output = T>) -> Option<T> {
    let done = AssertUnwindSafe(work).catch_unwind().await;
    done.map_err(|panic| log_panic(name, &*panic)).ok()
}

/// The same for work that blocks its thread.
pub(crate) fn catch_panic_blocking<T>(name: &str, work: impl FnOnce() -> T) -> Option<T> {
    let done = catch_unwind(AssertUnwindSafe(work));
    done.map_err(|panic| log_panic(name, &*panic)).ok()
}

fn log_panic(name: &str, panic: &(dyn Any + Send)) {
    tracing::error!(task = name, panic = panic_text(panic), "a task panicked");
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_task_that_panics_starts_again() {
        let starts = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&starts);
        let task = keep_running("a test", move || {
            let start = counted.fetch_add(1, Ordering::Relaxed);
            async move { assert!(start == 2, "start {start}") }
        });
        task.await.unwrap();
        assert_eq!(starts.load(Ordering::Relaxed), 3);
    }

    #[tokio::test]
    async fn one_piece_of_work_that_panics_leaves_the_others() {
        let mut done = Vec::new();
        for number in 0..4 {
            let work = async { assert_ne!(number, 2, "number {number}") };
            done.push(catch_panic("a test", work).await.is_some());
        }
        assert_eq!(done, [true, true, false, true]);
        assert!(catch_panic_blocking("a test", || panic!("no")).is_none());
    }
}
