//! Client addresses: trusted proxies' networks, and how an address is counted for limits.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use axum::http::HeaderMap;

use crate::config::ServerConfig;
use crate::security::forwarded::{client_address, has_proxy_header};

/// A network: an address and the length of its prefix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IpNetwork {
    address: IpAddr,
    bits: u8,
}

/// A text that is not a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a network: write an address, or one with bits as 10.0.0.0/8")]
pub struct ParseIpNetworkError(String);

impl FromStr for IpNetwork {
    type Err = ParseIpNetworkError;

    fn from_str(text: &str) -> Result<IpNetwork, ParseIpNetworkError> {
        let bad = || ParseIpNetworkError(text.chars().take(60).collect());
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.trim().parse().map_err(|_| bad())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits: u8 = match bits {
            Some(bits) => bits.trim().parse().map_err(|_| bad())?,
            None => most,
        };
        match bits <= most {
            true => Ok(IpNetwork { address, bits }),
            false => Err(bad()),
        }
    }
}

impl IpNetwork {
    /// Whether an address is in it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let same = |ours: u128, theirs: u128, length: u32| {
            let free = length - u32::from(self.bits).min(length);
            free >= length || ours >> free == theirs >> free
        };
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => {
                same(ours.to_bits().into(), theirs.to_bits().into(), 32)
            }
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => same(ours.to_bits(), theirs.to_bits(), 128),
            _ => false,
        }
    }
}

/// The address of a client, as limits and logs use it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClientAddress {
    /// An address.
    Known(IpAddr),
    /// A proxy did not say which, or it cannot be parsed. All these clients are counted as one.
    Unknown,
}

impl ClientAddress {
    /// What one household has: an IPv4 address, or an IPv6 network of 64 bits.
    #[must_use]
    pub fn host(self) -> ClientAddress {
        self.masked(32, 64)
    }

    /// The wider network of a host: 24 bits of IPv4, or 48 of IPv6, which is what one site has.
    #[must_use]
    pub fn network(self) -> ClientAddress {
        self.masked(24, 48)
    }

    fn masked(self, v4_bits: u32, v6_bits: u32) -> ClientAddress {
        let ClientAddress::Known(address) = self else {
            return self;
        };
        ClientAddress::Known(match address.to_canonical() {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(32 - v4_bits).unwrap_or(0);
                Ipv4Addr::from_bits(address.to_bits() & mask).into()
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(128 - v6_bits).unwrap_or(0);
                Ipv6Addr::from_bits(address.to_bits() & mask).into()
            }
        })
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientAddress::Known(address) => address.fmt(f),
            ClientAddress::Unknown => f.write_str("unknown"),
        }
    }
}

/// The client of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Client {
    /// The address.
    pub address: ClientAddress,
    /// Whether it runs on this machine, without a proxy between: such a client is not limited.
    pub is_local: bool,
}

impl From<IpAddr> for Client {
    /// A client with this address, which is counted like any other.
    fn from(address: IpAddr) -> Client {
        Client {
            address: ClientAddress::Known(address.to_canonical()),
            is_local: false,
        }
    }
}

impl Client {
    /// An unknown client.
    pub const UNKNOWN: Client = Client {
        address: ClientAddress::Unknown,
        is_local: false,
    };

    /// Finds the client of a request. A proxy on this machine has a loopback address too: where the settings or a
    /// header mention a proxy, no client is local, whatever address is forwarded.
    #[must_use]
    pub fn new(peer: IpAddr, headers: &HeaderMap, settings: &ServerConfig) -> Client {
        let trusted = &settings.trusted_proxies;
        let is_local = settings.trusts_loopback()
            && peer.to_canonical().is_loopback()
            && !has_proxy_header(headers);
        Client {
            address: client_address(peer, headers, trusted),
            is_local,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_direct_peer_at_this_machine_is_local() {
        let is_local = |peer: &str, forwarded: Option<&str>, settings: &ServerConfig| {
            let mut headers = HeaderMap::new();
            if let Some(value) = forwarded {
                headers.insert("x-forwarded-for", value.parse().unwrap());
            }
            Client::new(peer.parse().unwrap(), &headers, settings).is_local
        };
        let usual = ServerConfig::default();
        assert!(is_local("127.0.0.1", None, &usual) && is_local("::1", None, &usual));
        assert!(is_local("::ffff:127.0.0.1", None, &usual));
        assert!(!is_local("192.0.2.1", None, &usual));
        assert!(!is_local("127.0.0.1", Some("127.0.0.1"), &usual));
        assert!(!is_local("127.0.0.1", Some("rubbish"), &usual));
        let public = ServerConfig {
            public_url: Some("https://chess.example".to_owned()),
            ..ServerConfig::default()
        };
        assert!(!is_local("127.0.0.1", None, &public));
        let proxied = ServerConfig {
            trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
            ..ServerConfig::default()
        };
        assert!(!is_local("127.0.0.1", None, &proxied));
        assert!(!is_local("127.0.0.1", Some("127.0.0.1"), &proxied));
    }

    #[test]
    fn networks_are_read_strictly() {
        for text in ["", "10", "10.0.0.0/33", "10.0.0.0/x", "::/129"] {
            assert!(text.parse::<IpNetwork>().is_err(), "{text}");
        }
        let everything: IpNetwork = "0.0.0.0/0".parse().unwrap();
        assert!(everything.contains("8.8.8.8".parse().unwrap()));
        assert!(!everything.contains("::1".parse().unwrap()));
    }
}
