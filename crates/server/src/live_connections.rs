//! Live connections (sockets and streams), which close when the session, token or guest secret that opened them is
//! revoked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::http::HeaderMap;
use tokio::sync::watch;
use touchmove_store::{Digest, Holder, RevocationTarget};

use crate::Server;
use crate::api::ApiError;
use crate::auth::identity::Identity;
use crate::lock_ext::LockExt as _;

/// What a client is told when its connection closes because of a revocation. It fits into the close frame of a
/// WebSocket.
pub(crate) const REVOKED_REASON: &str =
    "your sign-in or token is no longer valid here: sign in again to go on";

/// The open connections, each with the identity that opened it.
#[derive(Default)]
pub(crate) struct LiveConnections {
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next_id: u64,
    entries: HashMap<u64, Entry>,
}

struct Entry {
    identity: ConnectionIdentity,
    is_revoked: watch::Sender<bool>,
}

/// The identity that opened a connection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ConnectionIdentity {
    /// The account or guest.
    pub(crate) holder: Holder,
    /// The hash of the session, of the token, or of a guest's secret.
    pub(crate) secret: Digest,
    /// Whether it is a session, and not a token.
    pub(crate) is_session: bool,
}

impl ConnectionIdentity {
    fn is_ended_by(&self, target: &RevocationTarget) -> bool {
        match target {
            RevocationTarget::Person(person) => self.holder == Holder::Person(*person),
            RevocationTarget::Secret(secret) => *secret == self.secret,
        }
    }
}

impl LiveConnections {
    /// Registers a connection until the returned guard is dropped.
    fn enter(self: &Arc<LiveConnections>, identity: ConnectionIdentity) -> Connection {
        let (is_revoked, revoked) = watch::channel(false);
        let mut open = self.open.locked();
        let id = open.next_id;
        open.next_id += 1;
        open.entries.insert(
            id,
            Entry {
                identity,
                is_revoked,
            },
        );
        drop(open);
        Connection(Some(Registration {
            id,
            connections: Arc::clone(self),
            revoked,
        }))
    }

    /// Closes the connections whose identity has ended.
    pub(crate) fn close(&self, is_ended: impl Fn(&ConnectionIdentity) -> bool) {
        for entry in self.open.locked().entries.values() {
            if is_ended(&entry.identity) {
                entry.is_revoked.send_replace(true);
            }
        }
    }

    /// Closes the connections that these revocations concern.
    pub(crate) fn close_revoked(&self, targets: &[RevocationTarget]) {
        self.close(|identity| targets.iter().any(|target| identity.is_ended_by(target)));
    }

    /// The identities of open connections, each once.
    pub(crate) fn identities(&self) -> Vec<ConnectionIdentity> {
        let open = self.open.locked();
        let identities = open.entries.values().map(|entry| entry.identity);
        let distinct: std::collections::HashSet<_> = identities.collect();
        distinct.into_iter().collect()
    }
}

/// A live connection, which closes when its identity is revoked. An anonymous one is never revoked.
pub(crate) struct Connection(Option<Registration>);

struct Registration {
    id: u64,
    connections: Arc<LiveConnections>,
    revoked: watch::Receiver<bool>,
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.connections.open.locked().entries.remove(&self.id);
    }
}

impl Connection {
    /// An anonymous connection, which cannot be revoked.
    pub(crate) const fn anonymous() -> Connection {
        Connection(None)
    }

    /// Whether its identity was revoked.
    pub(crate) fn is_revoked(&self) -> bool {
        self.0.as_ref().is_some_and(|one| *one.revoked.borrow())
    }

    /// Waits until its identity is revoked.
    pub(crate) async fn revoked(&self) {
        if let Some(registration) = &self.0 {
            let mut revoked = registration.revoked.clone();
            // The sender lives as long as the connection is registered.
            if revoked.wait_for(|&is_revoked| is_revoked).await.is_ok() {
                return;
            }
        }
        std::future::pending::<()>().await;
    }
}

impl Server {
    /// Registers a connection that is about to be opened by the client that sent these headers. No revocation is
    /// missed: one before this call refuses the connection, one after it closes it.
    ///
    /// # Errors
    /// If the identity has been revoked meanwhile, or the store fails.
    pub(crate) async fn open_connection(
        &self,
        headers: &HeaderMap,
        who: Option<&Identity>,
    ) -> Result<Connection, ApiError> {
        let Some(who) = who else {
            return Ok(Connection::anonymous());
        };
        let connection = self.live_connections.enter(ConnectionIdentity {
            holder: who.holder,
            secret: who.secret,
            is_session: who.by_cookie,
        });
        // From now on every revocation closes the connection. Those before have cleared the identity cache, so the
        // store is asked.
        let now = self.identify(headers).await?;
        match now.is_some_and(|now| now.holder == who.holder) {
            true => Ok(connection),
            false => Err(ApiError::unknown(REVOKED_REASON)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(person: &str, secret: u8) -> ConnectionIdentity {
        ConnectionIdentity {
            holder: Holder::Person(person.parse().unwrap()),
            secret: Digest([secret; 32]),
            is_session: true,
        }
    }

    #[tokio::test]
    async fn only_the_connections_whose_right_has_ended_are_closed() {
        let connections = Arc::new(LiveConnections::default());
        let anna = connections.enter(identity("0000Anna", 1));
        let again = connections.enter(identity("0000Anna", 2));
        let bea = connections.enter(identity("00000Bea", 3));
        connections.close_revoked(&[RevocationTarget::Secret(Digest([2; 32]))]);
        again.revoked().await;
        assert!(again.is_revoked() && !anna.is_revoked() && !bea.is_revoked());
        let person = "0000Anna".parse().unwrap();
        connections.close_revoked(&[RevocationTarget::Person(person)]);
        anna.revoked().await;
        assert!(!bea.is_revoked() && !Connection::anonymous().is_revoked());
        assert_eq!(connections.identities().len(), 3);
        drop((anna, again, bea));
        assert!(connections.identities().is_empty());
    }
}
