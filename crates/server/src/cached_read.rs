//! Reads of the store that many ask for at once: one of them reads, and the others are given the same for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

/// What was read last, and when.
pub(crate) struct CachedRead<T> {
    max_age: Duration,
    latest: Mutex<Option<(Instant, Arc<T>)>>,
    is_stale: AtomicBool,
}

impl<T> CachedRead<T> {
    /// Nothing has been read; what is read is good for so long.
    pub(crate) fn new(max_age: Duration) -> CachedRead<T> {
        CachedRead {
            max_age,
            latest: Mutex::default(),
            is_stale: AtomicBool::new(false),
        }
    }

    /// What was read last, or what is read now if that is too old. Who reads is given what was read before.
    ///
    /// # Errors
    /// If it cannot be read. Nobody is given that error but who asks now.
    pub(crate) async fn get<E, F>(
        &self,
        read: impl FnOnce(Option<Arc<T>>) -> F,
    ) -> Result<Arc<T>, E>
    where
        F: Future<Output = Result<Arc<T>, E>>,
    {
        let mut latest = self.latest.lock().await;
        // What changes while it is read may not be in it: then it is read again.
        let is_stale = self.is_stale.swap(false, Ordering::AcqRel);
        // If nobody waits for the read to its end, nothing is left: the next one reads.
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

    /// Has it read again when somebody asks next.
    pub(crate) fn invalidate(&self) {
        self.is_stale.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    const MAX_AGE: Duration = Duration::from_secs(1);

    /// Counts how often it is read.
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
