//! Connection limits: in total, per address, and a few places reserved for players with a seat.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use crate::config::ServerConfig;
use crate::lock_ext::LockExt as _;
use crate::security::ClientAddress;

/// One address may take this fraction of the reserved places.
const RESERVED_SHARE: usize = 4;

/// Counts connections, or streams.
#[derive(Debug)]
pub struct Connections {
    max: usize,
    /// How many of the places are reserved.
    reserved: usize,
    max_per_address: usize,
    counts: Mutex<Counts>,
    emptied: Notify,
}

#[derive(Default, Debug)]
struct Counts {
    all: usize,
    by_address: HashMap<ClientAddress, Count>,
}

/// The connections from one address.
#[derive(Default, Debug)]
struct Count {
    all: usize,
    reserved: usize,
}

/// Why a connection gets no place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoPlaceError {
    /// The server has its maximum number of connections.
    Full,
    /// The address has its maximum number of connections.
    AddressFull,
}

/// A place for one connection, held until dropped.
#[derive(Debug)]
pub struct ConnectionPlace {
    connections: Arc<Connections>,
    address: Option<ClientAddress>,
    /// Whether it is one of the places reserved for players with a seat.
    pub is_reserved: bool,
}

impl Connections {
    /// Places for connections as configured.
    #[must_use]
    pub fn new(settings: &ServerConfig) -> Arc<Connections> {
        let limits = &settings.limits;
        let max = settings.most_connections;
        let reserved = max.saturating_mul(limits.reserved_percent as usize) / 100;
        Connections::with(max, reserved, limits.connections_per_address as usize)
    }

    /// Places for the streams of each address, with no limit in total.
    #[must_use]
    pub fn per_address(max_per_address: usize) -> Arc<Connections> {
        Connections::with(usize::MAX, 0, max_per_address)
    }

    fn with(max: usize, reserved: usize, max_per_address: usize) -> Arc<Connections> {
        Arc::new(Connections {
            max,
            reserved,
            max_per_address,
            counts: Mutex::default(),
            emptied: Notify::new(),
        })
    }

    /// Takes a place. `address` is `None` for proxies and the machine itself, which have no limit per address.
    ///
    /// # Errors
    /// If no place is free.
    pub fn enter(
        self: &Arc<Self>,
        address: Option<ClientAddress>,
    ) -> Result<ConnectionPlace, NoPlaceError> {
        let address = address.map(ClientAddress::host);
        let mut counts = self.counts.locked();
        let is_reserved = counts.all >= self.max - self.reserved;
        if counts.all >= self.max {
            return Err(NoPlaceError::Full);
        }
        if let Some(address) = address {
            let held = counts.by_address.get(&address);
            let (all, reserved) = held.map_or((0, 0), |count| (count.all, count.reserved));
            if all >= self.max_per_address {
                return Err(NoPlaceError::AddressFull);
            }
            if is_reserved && reserved >= self.reserved.div_ceil(RESERVED_SHARE) {
                return Err(NoPlaceError::Full);
            }
            let count = counts.by_address.entry(address).or_default();
            count.all += 1;
            count.reserved += usize::from(is_reserved);
        }
        counts.all += 1;
        Ok(ConnectionPlace {
            connections: Arc::clone(self),
            address,
            is_reserved,
        })
    }

    /// Waits until all places are free.
    pub async fn wait_until_empty(&self) {
        loop {
            let emptied = self.emptied.notified();
            if self.counts.locked().all == 0 {
                return;
            }
            emptied.await;
        }
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        let mut counts = self.connections.counts.locked();
        counts.all -= 1;
        if let Some(address) = self.address
            && let Some(count) = counts.by_address.get_mut(&address)
        {
            count.all -= 1;
            count.reserved -= usize::from(self.is_reserved);
            if count.all == 0 {
                counts.by_address.remove(&address);
            }
        }
        if counts.all == 0 {
            self.connections.emptied.notify_waiters();
        }
    }
}

/// The address that a connection counts for before it has sent anything: none for a trusted proxy, which brings many
/// clients, and for the machine itself.
#[must_use]
pub fn counted_address(peer: IpAddr, settings: &ServerConfig) -> Option<ClientAddress> {
    let peer = peer.to_canonical();
    let is_proxy = settings
        .trusted_proxies
        .iter()
        .any(|network| network.contains(peer));
    let is_local = peer.is_loopback() && settings.trusts_loopback();
    (!is_proxy && !is_local).then_some(ClientAddress::Known(peer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(host: u8) -> Option<ClientAddress> {
        Some(ClientAddress::Known([192, 0, 2, host].into()))
    }

    #[test]
    fn an_address_has_so_many_connections_and_others_have_theirs() {
        let connections = Connections::with(100, 0, 3);
        let held: Vec<_> = (0..3)
            .map(|_| connections.enter(from(1)).unwrap())
            .collect();
        let refused = connections.enter(from(1)).map(drop);
        assert_eq!(refused, Err(NoPlaceError::AddressFull));
        assert!(connections.enter(from(2)).is_ok());
        assert!(connections.enter(None).is_ok());
        drop(held);
        assert!(connections.enter(from(1)).is_ok());
        let counts = connections.counts.locked();
        assert!(counts.all == 0 && counts.by_address.is_empty());
    }

    #[test]
    fn the_last_places_are_reserved_and_no_address_takes_them_all() {
        let connections = Connections::with(20, 8, 100);
        let usual: Vec<_> = (0..12)
            .map(|_| connections.enter(from(1)).unwrap())
            .collect();
        assert!(usual.iter().all(|place| !place.is_reserved));
        let greedy: Vec<_> = (0..10)
            .map_while(|_| connections.enter(from(1)).ok())
            .collect();
        assert!(greedy.len() == 2 && greedy.iter().all(|place| place.is_reserved));
        let returning = connections.enter(from(2)).unwrap();
        assert!(returning.is_reserved);
        let rest: Vec<_> = (3..20)
            .map_while(|host| connections.enter(from(host)).ok())
            .collect();
        assert_eq!(rest.len(), 5);
        assert_eq!(
            connections.enter(from(99)).map(drop),
            Err(NoPlaceError::Full)
        );
    }
}
