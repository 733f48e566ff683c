//! The security log: sign-ins, refusals and new accounts, one line each in a stable format, for people and for
//! programs such as fail2ban. docs/SERVER.md describes it.

use std::fmt;
use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::lock_ext::LockExt as _;
use crate::security::client_ip::{Client, ClientAddress};
use crate::security::limits::Limits;
use crate::security::rate_limit::{PerClient, Rate, TokenBucket};

/// An event for the security log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecurityEvent {
    /// A wrong name or password.
    SignInFailed,
    /// The right password of a closed account.
    SignInDisabled,
    /// A sign-in.
    SignIn,
    /// A new account.
    Registered,
    /// A changed password.
    PasswordChanged,
    /// A rate limit was exceeded.
    Limited(&'static str),
    /// Too many connections from one address.
    ConnectionsLimited,
    /// No place for a connection.
    ServerFull,
    /// A request for another host name.
    WrongHost,
    /// Another site made a browser send this (CSRF).
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

    /// Whether it is information rather than a warning.
    const fn is_usual(self) -> bool {
        matches!(
            self,
            SecurityEvent::SignIn | SecurityEvent::Registered | SecurityEvent::PasswordChanged
        )
    }

    /// Whether programs such as fail2ban count it. These lines have a budget of their own: nothing that is cheap to
    /// cause, or common, keeps them out of the log.
    const fn is_counted(self) -> bool {
        matches!(
            self,
            SecurityEvent::SignInFailed
                | SecurityEvent::Limited(_)
                | SecurityEvent::ConnectionsLimited
        )
    }
}

/// The log's rate limits: per client, per network, and in total.
#[derive(Debug)]
struct LineBudget {
    rate: Rate,
    all: Mutex<TokenBucket>,
    clients: PerClient,
}

impl LineBudget {
    fn new(rate: Rate, limits: &Limits) -> LineBudget {
        LineBudget {
            rate,
            all: Mutex::new(TokenBucket::full(rate, Instant::now())),
            clients: PerClient::new(
                limits.log_per_address,
                limits.log_network_factor,
                limits.remembered_addresses as usize,
            ),
        }
    }

    fn take(&self, address: ClientAddress) -> bool {
        self.clients.try_take(address).is_ok() && self.all.locked().take(self.rate, Instant::now())
    }
}

/// Writes the log, within its rate limits.
#[derive(Debug)]
pub struct SecurityLog {
    counted: LineBudget,
    others: LineBudget,
    suppressed: AtomicU64,
}

impl SecurityLog {
    pub(super) fn new(limits: &Limits) -> SecurityLog {
        SecurityLog {
            counted: LineBudget::new(limits.log, limits),
            others: LineBudget::new(limits.log_others, limits),
            suppressed: AtomicU64::new(0),
        }
    }

    /// Logs an event about a client and an account. An account is named only if it exists: what people type in the
    /// wrong field may be a password.
    pub fn write(&self, event: SecurityEvent, client: Client, account: Option<&str>) {
        if !self.has_room(event, client.address) {
            self.suppressed.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let suppressed = self.suppressed.swap(0, Ordering::Relaxed);
        if suppressed > 0 {
            tracing::warn!(parent: None, event = %"suppressed", lines = suppressed, "security");
        }
        let (name, address) = (event.name(), client.address);
        let account = account.unwrap_or_default();
        let network = HostNetwork(address.host());
        // Outside the span of the request: the text before the address is the same in every line.
        match event {
            SecurityEvent::Limited(limit) => {
                tracing::warn!(parent: None, event = %name, %address, account, %network, %limit, "security");
            }
            event if event.is_usual() => {
                tracing::info!(parent: None, event = %name, %address, account, %network, "security");
            }
            _ => {
                tracing::warn!(parent: None, event = %name, %address, account, %network, "security");
            }
        }
    }

    fn has_room(&self, event: SecurityEvent, address: ClientAddress) -> bool {
        match event.is_counted() {
            true => self.counted.take(address),
            false => self.others.take(address),
        }
    }
}

/// What one household has, as it is logged: an IPv4 address, or an IPv6 network of 64 bits, whose owner can use all
/// of its addresses.
struct HostNetwork(ClientAddress);

impl fmt::Display for HostNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HostNetwork(address) = self;
        match address {
            ClientAddress::Known(IpAddr::V6(_)) => write!(f, "{address}/64"),
            _ => address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(text: &str) -> ClientAddress {
        ClientAddress::Known(text.parse().unwrap())
    }

    #[test]
    fn one_address_cannot_fill_the_log_and_neither_can_many() {
        let log = SecurityLog::new(&Limits::default());
        let failed = SecurityEvent::SignInFailed;
        let one = known("192.0.2.1");
        let of_one = (0..10_000).filter(|_| log.has_room(failed, one)).count();
        assert!((20..=21).contains(&of_one), "{of_one}");
        let network = (0..10_000).map(|number| [198, 51, 100, (number % 256) as u8]);
        let of_network =
            network.filter(|&host| log.has_room(failed, ClientAddress::Known(host.into())));
        let of_network = of_network.count();
        assert!((80..=85).contains(&of_network), "{of_network}");
        let all = (0..10_000_u16).map(|number| {
            let [high, low] = number.to_be_bytes();
            ClientAddress::Known([198, high, low, 1].into())
        });
        let of_all = all.filter(|&host| log.has_room(failed, host)).count();
        assert!(of_all <= 105, "{of_all}");
    }

    #[test]
    fn who_is_refused_often_does_not_keep_wrong_passwords_out_of_the_log() {
        let log = SecurityLog::new(&Limits::default());
        let guesser = known("203.0.113.9");
        let events = [
            SecurityEvent::WrongHost,
            SecurityEvent::Forged,
            SecurityEvent::SignIn,
            SecurityEvent::Registered,
        ];
        for number in 0..400_u16 {
            let site = [0x2001, 0xdb8, 7, number, 0, 0, 0, 1];
            let elsewhere = [0x2001, 0xdb8, number, 0, 0, 0, 0, 1];
            for event in events {
                log.has_room(event, ClientAddress::Known(site.into()));
                log.has_room(event, ClientAddress::Known(elsewhere.into()));
                log.has_room(event, guesser);
            }
            // Lines that count have a limit for each network.
            let limited = SecurityEvent::Limited("request");
            log.has_room(limited, ClientAddress::Known(site.into()));
        }
        let guesses = (0..15).filter(|_| log.has_room(SecurityEvent::SignInFailed, guesser));
        assert_eq!(guesses.count(), 15);
    }

    #[test]
    fn an_ipv6_address_is_logged_with_its_network() {
        let network = |text: &str| HostNetwork(known(text).host()).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(network("203.0.113.9"), "203.0.113.9");
        assert_eq!(network("::ffff:203.0.113.9"), "203.0.113.9");
        assert_eq!(HostNetwork(ClientAddress::Unknown).to_string(), "unknown");
    }
}
