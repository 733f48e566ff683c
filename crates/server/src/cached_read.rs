//! A cache for one read of the store that many clients ask for: one caller reads, the others share the result for a
//! while.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

/// The latest result, and when it was read.
pub(crate) struct CachedRead<T> {
    max_age: Duration,
    latest: Mutex<Option<(Instant, Arc<T>)>>,
    is_stale: AtomicBool,
}

impl<T> CachedRead<T> {
    /// An empty cache whose value expires after `max_age`.
    pub(crate) fn new(max_age: Duration) -> CachedRead<T> {
        CachedRead {
            max_age,
            latest: Mutex::default(),
            is_stale: AtomicBool::new(false),
        }
    }

    /// Returns the cached value, or reads it now if it is too old. The reader is passed the previous value.
    ///
    /// # Errors
    /// If the read fails. Only the caller that read gets the error; nothing is cached.
    pub(crate) async fn get<E, F>(
        &self,
        read: impl FnOnce(Option<Arc<T>>) -> F,
    ) -> Result<Arc<T>, E>
    where
        F: Future<Output = Result<Arc<T>, E>>,
    {
        let mut latest = self.latest.lock().await;
        // The flag is cleared before the read: a change that arrives during it may not be in the result, so it is
        // read again.
        let is_stale = self.is_stale.swap(false, Ordering::AcqRel);
        // If the caller is cancelled during the read, the cache stays empty and the next caller reads.
        let before = latest.take();
        if let Some((at, value)) = &before
            && !is_stale
            && at.elapsed() < self.max_age
        {
            let value = Arc::clone(value);
            *latest = before;
            return Ok(value);
        }
        let now = Instant::now();
        let value = read(before.map(|(_, value)| value)).await?;
        *latest = Some((now, Arc::clone(&value)));
        Ok(value)
    }

    /// Marks the value as stale, so that the next caller reads it again.
    pub(crate) fn invalidate(&self) {
        self.is_stale.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    const MAX_AGE: Duration = Duration::from_secs(1);

    /// Counts the reads.
    async fn ask(cached: &CachedRead<u32>, reads: &AtomicU32) -> u32 {
        let read = async |_| {
            tokio::time::sleep(Duration::from_millis(100)).await;
            Ok::<_, ()>(Arc::new(reads.fetch_add(1, Ordering::Relaxed)))
        };
        *cached.get(read).await.unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn many_who_ask_within_a_second_are_one_read() {
        let (cached, reads) = (CachedRead::new(MAX_AGE), AtomicU32::new(0));
        let all = (0..200).map(|_| ask(&cached, &reads));
        assert_eq!(futures_util::future::join_all(all).await, [0; 200]);
        tokio::time::sleep(MAX_AGE).await;
        assert_eq!(ask(&cached, &reads).await, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn what_has_changed_is_read_again_also_if_it_changes_meanwhile() {
        let (cached, reads) = (CachedRead::new(MAX_AGE), AtomicU32::new(0));
        let change = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            cached.invalidate();
        };
        assert_eq!(tokio::join!(ask(&cached, &reads), change).0, 0);
        assert_eq!(ask(&cached, &reads).await, 1);
        assert_eq!(ask(&cached, &reads).await, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_read_that_nobody_waits_for_leaves_nothing_old() {
        let (cached, reads) = (CachedRead::new(MAX_AGE), AtomicU32::new(0));
        assert_eq!(ask(&cached, &reads).await, 0);
        cached.invalidate();
        let gone = tokio::time::timeout(Duration::from_millis(50), ask(&cached, &reads)).await;
        assert!(gone.is_err());
        assert_eq!(ask(&cached, &reads).await, 1);
    }
}
