//! Where somebody really comes from: behind proxies that the host trusts, what the last of them says.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;

/// A network: an address, and how many of its bits count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

/// A text that is no network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a network: write an address, or one with bits as 10.0.0.0/8")]
pub struct BadNetwork(String);

impl FromStr for Network {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Network, BadNetwork> {
        let bad = || BadNetwork(text.chars().take(60).collect());
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
            true => Ok(Network { address, bits }),
            false => Err(bad()),
        }
    }
}

impl Network {
    /// Whether an address lies in it.
    #[must_use]
    pub fn has(&self, address: IpAddr) -> bool {
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

/// Where a request comes from. Each proxy adds at the right end whom it has spoken to: from there, the
/// first that is not trusted is the client. What stands to its left anybody may have written.
#[must_use]
pub fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.has(address));
    let mut client = peer.to_canonical();
    let told: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    for told in told.into_iter().rev() {
        if !is_trusted(client) {
            break;
        }
        match told.trim().parse::<IpAddr>() {
            Ok(address) => client = address.to_canonical(),
            Err(_) => break,
        }
    }
    client
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        client(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        assert_eq!(from("1.2.3.4", &["9.9.9.9"], &[]), "1.2.3.4");
        assert_eq!(from("10.0.0.1", &["9.9.9.9"], &["10.0.0.0/8"]), "9.9.9.9");
        assert_eq!(from("11.0.0.1", &["9.9.9.9"], &["10.0.0.0/8"]), "11.0.0.1");
    }

    #[test]
    fn what_a_client_writes_itself_does_not_count() {
        let proxied = ["6.6.6.6, 9.9.9.9, 10.0.0.2"];
        assert_eq!(from("10.0.0.1", &proxied, &["10.0.0.0/8"]), "9.9.9.9");
        let lines = ["6.6.6.6", "9.9.9.9"];
        assert_eq!(from("10.0.0.1", &lines, &["10.0.0.1"]), "9.9.9.9");
        assert_eq!(from("10.0.0.1", &["junk"], &["10.0.0.1"]), "10.0.0.1");
        assert_eq!(
            from("::ffff:10.0.0.1", &["9.9.9.9"], &["10.0.0.1"]),
            "9.9.9.9"
        );
    }

    #[test]
    fn networks_are_read_strictly() {
        for text in ["", "10", "10.0.0.0/33", "10.0.0.0/x", "::/129"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
        let everything: Network = "0.0.0.0/0".parse().unwrap();
        assert!(everything.has("8.8.8.8".parse().unwrap()));
        assert!(!everything.has("::1".parse().unwrap()));
    }
}
