//! When buffered messages are flushed to a client. Players get everything at once; spectators of a fast game get
//! batches, because each write costs more than its bytes.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::games::table::ViewerRole;

/// The interval of batches for spectators.
pub(crate) const WATCHER_INTERVAL: Duration = Duration::from_millis(100);

/// The flush times of one client.
#[derive(Debug)]
pub(super) struct FlushPace {
    /// The least time between two batches.
    interval: Duration,
    /// When the next batch may be flushed.
    next: Instant,
    /// When the waiting batch is flushed.
    due: Option<Instant>,
}

impl FlushPace {
    /// The flush times for a viewer in this role.
    pub(super) fn new(place: ViewerRole, now: Instant) -> FlushPace {
        FlushPace {
            interval: match place {
                ViewerRole::Seat(_) => Duration::ZERO,
                ViewerRole::Watching => WATCHER_INTERVAL,
            },
            next: now,
            due: None,
        }
    }

    /// Whether to flush now. Updates may wait, answers do not.
    pub(super) fn is_now(&mut self, is_news: bool, now: Instant) -> bool {
        if is_news && now < self.next {
            self.due = Some(self.next);
            return false;
        }
        self.due = None;
        self.next = now + self.interval;
        true
    }

    /// Waits until the batch is due; for ever if nothing waits.
    pub(super) async fn wait(&self) {
        match self.due {
            Some(due) => sleep_until(due).await,
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use touchmove_rules::Color;

    use super::*;

    /// How many flushes a viewer gets of a thousand updates in a second.
    fn flushes_in_a_second(place: ViewerRole) -> usize {
        let now = Instant::now();
        let mut pace = FlushPace::new(place, now);
        let news = (0..1_000).map(|number| now + Duration::from_millis(number));
        news.filter(|&at| pace.is_now(true, at)).count()
    }

    #[test]
    fn players_are_sent_everything_at_once_and_others_ten_times_a_second() {
        assert_eq!(flushes_in_a_second(ViewerRole::Seat(Color::White)), 1_000);
        assert_eq!(flushes_in_a_second(ViewerRole::Watching), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn news_that_waits_is_sent_by_itself_and_answers_do_not_wait() {
        let begun = Instant::now();
        let mut pace = FlushPace::new(ViewerRole::Watching, begun);
        assert!(pace.is_now(true, begun));
        assert!(!pace.is_now(true, begun));
        pace.wait().await;
        assert!(begun.elapsed() >= WATCHER_INTERVAL);
        assert!(pace.is_now(true, Instant::now()));
        assert!(!pace.is_now(true, Instant::now()));
        assert!(pace.is_now(false, Instant::now()));
        assert_eq!(pace.due, None);
    }
}
