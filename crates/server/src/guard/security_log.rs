//! The security log: sign-ins, refusals and new accounts, one line each in a format that does not change, for people
//! and for programs as fail2ban. docs/SERVER.md describes it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::address::{Client, ClientAddress};
use super::bucket::{Bucket, Buckets, Rate};
use super::limits::Limits;
use crate::sync::Locked as _;

/// What is worth a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecurityEvent {
    /// A wrong name or password.
    SignInFailed,
    /// The right password of an account that is closed.
    SignInDisabled,
    /// Somebody has signed in.
    SignIn,
    /// Somebody has made an account.
    Registered,
    /// Somebody has changed his password.
    PasswordChanged,
    /// A rate limit has refused something.
    Limited(&'static str),
    /// There were too many connections from one address.
    ConnectionsLimited,
    /// There was no place for a connection.
    ServerFull,
    /// A request for a name that is not this server's.
    WrongHost,
    /// Another site made a browser send this.
    Forged,
}

impl SecurityEvent {
    /// Its name in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SecurityEvent::SignInFailed => "sign_in_failed",
            SecurityEvent::SignInDisabled => "sign_in_disabled",
            SecurityEvent::SignIn => "sign_in",
            SecurityEvent::Registered => "registered",
            SecurityEvent::PasswordChanged => "password_changed",
            SecurityEvent::Limited(_) => "limited",
            SecurityEvent::ConnectionsLimited => "connections_limited",
            SecurityEvent::ServerFull => "server_full",
            SecurityEvent::WrongHost => "wrong_host",
            SecurityEvent::Forged => "forged",
        }
    }

    /// Whether it is only to be known, not to be worried about.
    const fn is_usual(self) -> bool {
        matches!(
            self,
            SecurityEvent::SignIn | SecurityEvent::Registered | SecurityEvent::PasswordChanged
        )
    }
}

/// Writes the lines, and not more of them than a disk can bear.
#[derive(Debug)]
pub struct SecurityLog {
    rate: Rate,
    all: Mutex<Bucket>,
    addresses: Buckets<ClientAddress>,
    suppressed: AtomicU64,
}

impl SecurityLog {
    pub(super) fn new(limits: &Limits) -> SecurityLog {
        let max_addresses = limits.remembered_addresses as usize;
        SecurityLog {
            rate: limits.log,
            all: Mutex::new(Bucket::full(limits.log, Instant::now())),
            addresses: Buckets::new(limits.log_per_address, max_addresses),
            suppressed: AtomicU64::new(0),
        }
    }

    /// Writes a line about a client, and the account that it is about. An account is named only if there is one: what
    /// people type in the wrong field may be a password.
    pub fn write(&self, event: SecurityEvent, client: Client, account: Option<&str>) {
        if !self.has_room(client.address) {
            self.suppressed.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let suppressed = self.suppressed.swap(0, Ordering::Relaxed);
        if suppressed > 0 {
            tracing::warn!(parent: None, event = %"suppressed", lines = suppressed, "security");
        }
        let (name, address) = (event.name(), client.address);
        let account = account.unwrap_or_default();
        // Without the span of the request: what stands before the address is the same in every line.
        match event {
            SecurityEvent::Limited(limit) => {
                tracing::warn!(parent: None, event = %name, %address, account, %limit, "security");
            }
            event if event.is_usual() => {
                tracing::info!(parent: None, event = %name, %address, account, "security");
            }
            _ => tracing::warn!(parent: None, event = %name, %address, account, "security"),
        }
    }

    fn has_room(&self, address: ClientAddress) -> bool {
        self.addresses.take(address.host()) && self.all.locked().take(self.rate, Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_cannot_fill_the_log_and_neither_can_many() {
        let log = SecurityLog::new(&Limits::default());
        let lines = |network: [u8; 3], count: usize| {
            let hosts = (0..count).map(|number| {
                let [a, b, c] = network;
                ClientAddress::Known([a, b, c, (number % 256) as u8].into())
            });
            hosts.filter(|&host| log.has_room(host)).count()
        };
        let one = ClientAddress::Known([192, 0, 2, 1].into());
        let of_one = (0..10_000).filter(|_| log.has_room(one)).count();
        assert!((20..=21).contains(&of_one), "{of_one}");
        let of_many = lines([198, 51, 100], 10_000);
        assert!(of_many <= 185, "{of_many}");
    }
}
