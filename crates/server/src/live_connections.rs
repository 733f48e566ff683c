//! Live connections (sockets and streams), so that they close when the right that they were opened with ends: that of a
//! session, of a token, or of a guest whose seats are a person's now.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::http::HeaderMap;
use tokio::sync::watch;
use touchmove_store::{Digest, Holder, RevocationTarget};

use crate::Server;
use crate::api::ApiError;
use crate::auth::identity::Identity;
use crate::lock_ext::LockExt as _;

/// What somebody is told whose connection closes because his right has ended. It fits into the close frame
/// of a WebSocket.
pub(crate) const REVOKED_REASON: &str =
    "your sign-in or token is no longer valid here: sign in again to go on";

/// The connections that are open, each with what it was opened with.
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

/// By what right a connection is open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ConnectionIdentity {
    /// Whose it is.
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
    /// Enters a connection; it leaves when what is given back is dropped.
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

    /// Tells those connections to close whose right has ended.
    pub(crate) fn close(&self, is_ended: impl Fn(&ConnectionIdentity) -> bool) {
        for entry in self.open.locked().entries.values() {
            if is_ended(&entry.identity) {
                entry.is_revoked.send_replace(true);
            }
        }
    }

    /// The same by what was revoked.
    pub(crate) fn close_revoked(&self, targets: &[RevocationTarget]) {
        self.close(|identity| targets.iter().any(|target| identity.is_ended_by(target)));
    }

    /// By what rights connections are open, each once.
    pub(crate) fn identities(&self) -> Vec<ConnectionIdentity> {
        let open = self.open.locked();
        let identities = open.entries.values().map(|entry| entry.identity);
        let distinct: std::collections::HashSet<_> = identities.collect();
        distinct.into_iter().collect()
    }
}

/// A live connection, which may have to close because its right has ended. That of nobody in particular has none that
/// could end.
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
    /// One that nobody can revoke.
    pub(crate) const fn anonymous() -> Connection {
        Connection(None)
    }

    /// Whether its right has ended.
    pub(crate) fn is_revoked(&self) -> bool {
        self.0.as_ref().is_some_and(|one| *one.revoked.borrow())
    }

    /// Waits until its right has ended.
    pub(crate) async fn revoked(&self) {
        if let Some(registration) = &self.0 {
            let mut revoked = registration.revoked.clone();
            // The sender is there as long as the connection is registered.
            if revoked.wait_for(|&is_revoked| is_revoked).await.is_ok() {
                return;
            }
        }
        std::future::pending::<()>().await;
    }
}

impl Server {
    /// Registers a connection that somebody is about to open who was identified by these headers. No end of
    /// his right is missed: before this he is refused, after it the connection is closed.
    ///
    /// # Errors
    /// If his right has ended meanwhile, or the store cannot say.
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
        // It is closed by every revocation from now on. Those before have made this node forget who he is:
        // then the store is asked.
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
