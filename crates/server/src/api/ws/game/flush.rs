//! When what is on its way to a client is sent. Players are sent everything at once; many who watch a fast game are
//! sent what has happened together, for each write costs more than what is written.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::games::table::ViewerRole;

/// How often somebody who watches is sent what has happened.
pub(crate) const WATCHER_INTERVAL: Duration = Duration::from_millis(100);

/// When what is on its way to one client is sent.
#[derive(Debug)]
pub(super) struct FlushPace {
    /// How long news waits for more after the last time.
    interval: Duration,
    /// Until when it waits.
    next: Instant,
    /// When what waits is sent.
    due: Option<Instant>,
}

impl FlushPace {
    /// For somebody in this place.
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

    /// Whether everything is to be sent now. News may wait, answers do not.
    pub(super) fn is_now(&mut self, is_news: bool, now: Instant) -> bool {
        if is_news && now < self.next {
            self.due = Some(self.next);
            return false;
        }
        self.due = None;
        self.next = now + self.interval;
        true
    }

    /// Waits until what waits is to be sent; for ever if nothing does.
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

    /// How often somebody is sent something of a thousand pieces of news in a second.
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
