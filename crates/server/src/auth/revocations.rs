//! Applies revocations at once: polls the store for sessions that have ended, tokens that were revoked and accounts
//! that were closed, by whichever process, and closes the connections that were opened with them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::{MissedTickBehavior, interval, sleep};
use touchmove_store::{Error, Holder, RevocationTarget, limits};

use crate::Server;
use crate::app::wait_for_shutdown;
use crate::cluster::ClusterMessage;
use crate::live_connections::ConnectionIdentity;
use crate::spawn::{keep_running, spawn_boxed};

/// How often the store is polled, even without a notification.
const POLL_INTERVAL: Duration = Duration::from_millis(300);
/// How often the identities of all connections are checked again: this finds what has no revocation, such as a
/// session that has expired.
const RECHECK_INTERVAL: Duration = Duration::from_secs(300);

/// Wakes the polling task, and records how far it has come.
pub(crate) struct RevocationPoll {
    wake: Notify,
    /// The newest revocation that was applied.
    newest: AtomicU64,
}

impl RevocationPoll {
    /// Starts after this revocation.
    pub(crate) fn after(newest: u64) -> RevocationPoll {
        RevocationPoll {
            wake: Notify::new(),
            newest: AtomicU64::new(newest),
        }
    }

    /// Polls the store now.
    pub(crate) fn poll_now(&self) {
        self.wake.notify_one();
    }
}

/// Starts the polling task, which ends when the server shuts down.
pub(crate) fn begin(server: &Arc<Server>) {
    let (weak, closing) = (Arc::downgrade(server), server.shutdown_signal());
    let awaited = Arc::clone(&server.revocation_poll);
    keep_running("revocations", move || {
        poll(weak.clone(), Arc::clone(&awaited), closing.clone())
    });
    let (weak, closing) = (Arc::downgrade(server), server.shutdown_signal());
    keep_running("recheck of connections", move || {
        recheck(weak.clone(), closing.clone())
    });
}

async fn poll(
    server: Weak<Server>,
    awaited: Arc<RevocationPoll>,
    mut closing: watch::Receiver<bool>,
) {
    let mut ticks = interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = awaited.wake.notified() => {}
            () = wait_for_shutdown(&mut closing) => return,
        }
        let Some(server) = server.upgrade() else {
            return;
        };
        // If the store fails, nothing changes, and the next round asks again.
        let _ = server.apply_revocations().await;
    }
}

async fn recheck(server: Weak<Server>, mut closing: watch::Receiver<bool>) {
    loop {
        let identities = match server.upgrade() {
            Some(server) => server.live_connections.identities(),
            None => return,
        };
        let pause = RECHECK_INTERVAL / u32::try_from(identities.len() + 1).unwrap_or(u32::MAX);
        for identity in identities.into_iter().map(Some).chain([None]) {
            tokio::select! {
                () = sleep(pause) => {}
                () = wait_for_shutdown(&mut closing) => return,
            }
            let Some(server) = server.upgrade() else {
                return;
            };
            if let Some(identity) = identity
                && let Ok(false) = server.is_valid(&identity).await
            {
                server.live_connections.close(|one| *one == identity);
            }
        }
    }
}

/// The guest whose secret this may be.
const fn guest_of(target: &RevocationTarget) -> Option<Holder> {
    match target {
        RevocationTarget::Secret(hash) => Some(Holder::Guest(*hash)),
        RevocationTarget::Person(_) => None,
    }
}

/// Reads the seat holders of games where one of these guests holds a seat in memory: an account has it now.
async fn read_moved_seats(server: Arc<Server>, guests: Vec<Holder>) {
    for table in server.tables.all() {
        if let Err(trouble) = table.read_holders_of(&server, &guests).await {
            tracing::warn!(game = %table.id(), %trouble, "who holds the seats cannot be read");
        }
    }
}

impl Server {
    /// Announces a revocation made on this node: connections close now, on every node.
    pub(crate) fn announce_revocation(&self) {
        self.revocation_poll.poll_now();
        if let Some(bus) = &self.bus {
            bus.publish(&ClusterMessage::Revoked);
        }
    }

    /// Clears the revoked identities from the cache, and closes their connections.
    async fn apply_revocations(self: &Arc<Server>) -> Result<(), Error> {
        let newest = &self.revocation_poll.newest;
        loop {
            let after = newest.load(Ordering::Relaxed);
            let found = self.store.revocations(after, limits::MAX_ROWS).await?;
            let Some(last) = found.last() else {
                if self.store.newest_revocation().await? >= after {
                    return Ok(());
                }
                // After a failover the database may lack the last revocations and reuse their numbers: the stored
                // ones are applied once more. Or all of them were old and have been deleted.
                newest.store(0, Ordering::Relaxed);
                continue;
            };
            newest.store(last.number, Ordering::Relaxed);
            let targets: Vec<RevocationTarget> = found.iter().map(|one| one.target).collect();
            // The order matters: a client that connects meanwhile is refused, or its connection is closed.
            self.known.forget_revoked(&targets);
            self.live_connections.close_revoked(&targets);
            let is_account =
                |target: &RevocationTarget| matches!(target, RevocationTarget::Person(_));
            if targets.iter().any(is_account) {
                // Its seeks were cancelled.
                self.lobby.notify_changed_locally();
            }
            let guests: Vec<Holder> = targets.iter().filter_map(guest_of).collect();
            if !guests.is_empty() {
                spawn_boxed(read_moved_seats(Arc::clone(self), guests));
            }
        }
    }

    /// Whether the identity that opened a connection is still valid.
    async fn is_valid(&self, identity: &ConnectionIdentity) -> Result<bool, Error> {
        let Holder::Person(person) = identity.holder else {
            return Ok(true);
        };
        let (secret, now) = (identity.secret, self.pulse.to_moment());
        let is_shown = match identity.is_session {
            true => self.store.session(secret, now).await?.is_some(),
            false => {
                let token = self.store.token(secret).await?;
                token.is_some_and(|token| token.is_valid_at(now))
            }
        };
        let person = self.store.person(person).await?;
        Ok(is_shown && person.is_some_and(|person| person.disabled.is_none()))
    }
}
