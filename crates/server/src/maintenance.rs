//! Maintenance: deletes expired rows at the start and every hour, in small batches, so that no move waits for it.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval, sleep};
use touchmove_store::{Error, ExpiredKind};

use crate::Server;
use crate::app::wait_for_shutdown;
use crate::spawn::spawn_boxed;

/// How often expired rows are deleted.
pub const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// The most rows of a batch, which is one write.
const BATCH_ROWS: usize = 100;
/// The pause between two batches, for other writes.
const BATCH_PAUSE: Duration = Duration::from_millis(50);
/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// How many days rows are kept after they have expired. For games and offers the days count from their creation.
#[must_use]
pub const fn retention_days(kind: ExpiredKind) -> i64 {
    match kind {
        // An expired session is of no use.
        ExpiredKind::Sessions => 0,
        // A code that is used twice is detected for a day.
        ExpiredKind::Grants => 1,
        ExpiredKind::Offers => 30,
        // The owner can see a revoked token for a while.
        ExpiredKind::Tokens => 90,
        ExpiredKind::AbortedGames => 30,
        // Every node has read them within seconds.
        ExpiredKind::Revocations => 1,
    }
}

/// Starts the maintenance task, which ends when the server shuts down.
pub(crate) fn begin(server: &Arc<Server>) {
    let weak = Arc::downgrade(server);
    let mut closing = server.shutdown_signal();
    spawn_boxed(async move {
        let mut rounds = interval(MAINTENANCE_INTERVAL);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = rounds.tick() => {}
                () = wait_for_shutdown(&mut closing) => return,
            }
            let Some(server) = weak.upgrade() else {
                return;
            };
            tokio::select! {
                deleted = server.delete_expired() => match deleted {
                    Ok(0) => {}
                    Ok(rows) => tracing::info!(rows, "deleted what is over"),
                    Err(error) => tracing::warn!(%error, "what is over could not be deleted"),
                },
                () = wait_for_shutdown(&mut closing) => return,
            }
        }
    });
}

impl Server {
    /// Deletes every row whose retention is over; returns how many.
    ///
    /// # Errors
    /// If the store fails; what was deleted before stays deleted.
    pub async fn delete_expired(&self) -> Result<u64, Error> {
        let mut all = 0;
        for kind in ExpiredKind::ALL {
            loop {
                let before = self
                    .pulse
                    .to_moment()
                    .plus_millis(-retention_days(kind) * DAY_MS);
                let deleted = self.store.delete_expired(kind, before, BATCH_ROWS).await?;
                all += deleted;
                if deleted < BATCH_ROWS as u64 {
                    break;
                }
                sleep(BATCH_PAUSE).await;
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use touchmove_accounts::{SESSION_LIFETIME_MS, TOKEN_LIFETIME};
    use touchmove_store::limits;

    use super::*;
    use crate::auth::guests::{GUEST_NAME_LIFETIME_MS, MAX_NAMES};
    use crate::lichess::CODE_LIFETIME_MS;

    #[test]
    fn the_manual_says_how_long_everything_is_kept() {
        let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/SERVER.md");
        let manual = std::fs::read_to_string(manual).unwrap();
        let section = manual.split("## What is kept for how long").nth(1);
        let section = section.unwrap().split("\n## ").next().unwrap();
        let days = retention_days;
        let year = TOKEN_LIFETIME.as_secs() / 86_400;
        assert_eq!((year, MAINTENANCE_INTERVAL.as_secs()), (365, 3_600));
        let sessions = SESSION_LIFETIME_MS / DAY_MS + days(ExpiredKind::Sessions);
        for (what, how_long) in [
            (
                "games that were aborted",
                format!("{} days after", days(ExpiredKind::AbortedGames)),
            ),
            (
                "chat of a game",
                format!("newest {} lines", limits::MAX_CHAT_LINES),
            ),
            ("sessions of people", format!("{sessions} days after")),
            (
                "names of guests who took",
                format!("{} days", GUEST_NAME_LIFETIME_MS / DAY_MS),
            ),
            ("names of other guests", format!("latest {MAX_NAMES}")),
            ("tokens", "a year".to_owned()),
            ("tokens", format!("{} days more", days(ExpiredKind::Tokens))),
            (
                "codes of OAuth",
                format!("{} minutes", CODE_LIFETIME_MS / 60_000),
            ),
            (
                "codes of OAuth",
                format!("{} day more", days(ExpiredKind::Grants)),
            ),
            (
                "seeks and challenges",
                format!("{} days after", days(ExpiredKind::Offers)),
            ),
            (
                "notes of sessions",
                format!("{} day", days(ExpiredKind::Revocations)),
            ),
        ] {
            let row = section
                .lines()
                .find(|line| line.starts_with(&format!("| {what}")));
            let row = row.unwrap_or_else(|| panic!("there is no row for {what}"));
            assert!(row.contains(&how_long), "{how_long}: {row}");
        }
    }
}
