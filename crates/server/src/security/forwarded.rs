//! What proxies say about a client's address: `X-Forwarded-For` and `Forwarded` (RFC 7239), read strictly.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::{HeaderMap, HeaderValue};

use crate::security::client_ip::{ClientAddress, IpNetwork};

/// The header that most proxies send.
const X_FORWARDED_FOR: &str = "x-forwarded-for";
/// The standard one.
const FORWARDED: &str = "forwarded";
/// Other headers that only a proxy sends. All that begin with `x-forwarded` count too.
const PROXY_HEADERS: [&str; 10] = [
    FORWARDED,
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-original-forwarded-for",
    "true-client-ip",
    "cf-connecting-ip",
    "fastly-client-ip",
    "x-envoy-external-address",
];

/// The address of one hop; `None` if it cannot be parsed.
type Hop = Option<IpAddr>;

/// Whether a proxy has handled this request, by its own headers.
#[must_use]
pub(super) fn has_proxy_header(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| {
        let name = name.as_str();
        name.starts_with("x-forwarded") || PROXY_HEADERS.contains(&name)
    })
}

/// The client of a request. Each proxy appends the address it was contacted from: read from the right end, the first
/// address that is not a trusted proxy's is the client. Whatever is to the left of it may be forged. Where a trusted
/// proxy's header cannot be parsed, or the two headers disagree, the client is unknown.
#[must_use]
pub(super) fn client_address(
    peer: IpAddr,
    headers: &HeaderMap,
    trusted: &[IpNetwork],
) -> ClientAddress {
    let by = |name: &str, read: fn(&str) -> Vec<Hop>| {
        headers
            .contains_key(name)
            .then(|| follow(peer, headers.get_all(name).into_iter(), read, trusted))
    };
    match (
        by(X_FORWARDED_FOR, read_addresses),
        by(FORWARDED, read_forwarded),
    ) {
        (None, None) => ClientAddress::Known(peer.to_canonical()),
        (Some(client), None) | (None, Some(client)) => client,
        // A proxy writes one of them and passes the other on as the client sent it: which one is not known here.
        (Some(one), Some(other)) if one == other => one,
        (Some(_), Some(_)) => ClientAddress::Unknown,
    }
}

/// Goes from the peer through the header lines, from right to left, as long as the hops are trusted proxies.
fn follow<'a>(
    peer: IpAddr,
    lines: impl DoubleEndedIterator<Item = &'a HeaderValue>,
    read: fn(&str) -> Vec<Hop>,
    trusted: &[IpNetwork],
) -> ClientAddress {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut client = peer.to_canonical();
    let hops = lines.rev().flat_map(|line| {
        line.to_str()
            .map_or_else(|_| vec![None], read)
            .into_iter()
            .rev()
    });
    for hop in hops {
        if !is_trusted(client) {
            break;
        }
        match hop {
            Some(address) => client = address,
            None => return ClientAddress::Unknown,
        }
    }
    ClientAddress::Known(client)
}

/// The addresses in a line of `X-Forwarded-For`. It has no standard: with and without ports and brackets is common.
fn read_addresses(line: &str) -> Vec<Hop> {
    let hops = line.split(',').map(|text| {
        let text = text.trim_matches([' ', '\t']);
        match text.parse::<Ipv6Addr>() {
            Ok(address) => usable(address.into()),
            Err(_) => read_node(text),
        }
    });
    hops.collect()
}

/// The addresses in a line of `Forwarded`; a line that breaks the grammar counts as one unparsable hop.
fn read_forwarded(line: &str) -> Vec<Hop> {
    parse_forwarded(line).unwrap_or_else(|| vec![None])
}

fn parse_forwarded(line: &str) -> Option<Vec<Hop>> {
    let skip = |text: &'_ str| text.len() - text.trim_start_matches([' ', '\t']).len();
    let mut hops = Vec::new();
    let mut rest = line;
    loop {
        // One element: pairs with semicolons between.
        let mut node = None;
        loop {
            rest = &rest[skip(rest)..];
            let (name, after) = split_token(rest)?;
            let (value, after) = split_value(after.strip_prefix('=')?)?;
            if name.eq_ignore_ascii_case("for") && node.replace(value).is_some() {
                return None;
            }
            rest = &after[skip(after)..];
            match rest.strip_prefix(';') {
                Some(after) => rest = after,
                None => break,
            }
        }
        hops.push(node.and_then(|node| read_node(&node)));
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None => return rest.is_empty().then_some(hops),
        }
    }
}

/// Splits off an HTTP token; returns it and the rest.
fn split_token(text: &str) -> Option<(&str, &str)> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let end = text.bytes().position(|byte| !is_token(byte));
    let (token, rest) = text.split_at(end.unwrap_or(text.len()));
    (!token.is_empty()).then_some((token, rest))
}

/// Splits off a token or a quoted string; returns it and the rest.
fn split_value(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (token, rest) = split_token(text)?;
        return Some((token.to_owned(), rest));
    };
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    loop {
        match chars.next()? {
            (at, '"') => return Some((value, &quoted[at + 1..])),
            (_, '\\') => value.push(chars.next()?.1),
            (_, c) => value.push(c),
        }
    }
}

/// Parses an address with or without a port: `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`. Hidden
/// ones (`unknown`, `_name`) and everything else have no address.
fn read_node(text: &str) -> Hop {
    let (address, port): (IpAddr, Option<&str>) = match text.strip_prefix('[') {
        Some(text) => {
            let (address, rest) = text.split_once(']')?;
            let port = match rest {
                "" => None,
                rest => Some(rest.strip_prefix(':')?),
            };
            (address.parse::<Ipv6Addr>().ok()?.into(), port)
        }
        None => {
            let (address, port) = match text.split_once(':') {
                Some((address, port)) => (address, Some(port)),
                None => (text, None),
            };
            (address.parse::<Ipv4Addr>().ok()?.into(), port)
        }
    };
    if port.is_some_and(|port| !is_port(port)) {
        return None;
    }
    usable(address)
}

/// Whether this is a port, or a hidden port as `_name`.
fn is_port(text: &str) -> bool {
    let is_hidden = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    match text.strip_prefix('_') {
        Some(name) => !name.is_empty() && name.chars().all(is_hidden),
        None => text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok(),
    }
}

/// The address, if it can be a client's.
fn usable(address: IpAddr) -> Hop {
    let address = address.to_canonical();
    let is_broadcast = address == IpAddr::V4(Ipv4Addr::BROADCAST);
    let is_nobody = address.is_unspecified() || address.is_multicast() || is_broadcast;
    (!is_nobody).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(peer: &str, lines: &[(&'static str, &[u8])], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for &(name, value) in lines {
            headers.append(name, HeaderValue::from_bytes(value).unwrap());
        }
        let trusted: Vec<IpNetwork> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        client_address(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    /// What one line of a proxy at 10.0.0.1 says.
    fn said(name: &'static str, value: &str) -> String {
        from("10.0.0.1", &[(name, value.as_bytes())], &["10.0.0.0/8"])
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let line: &[(&str, &[u8])] = &[(X_FORWARDED_FOR, b"9.9.9.9")];
        assert_eq!(from("1.2.3.4", line, &[]), "1.2.3.4");
        assert_eq!(from("10.0.0.1", line, &["10.0.0.0/8"]), "9.9.9.9");
        assert_eq!(from("11.0.0.1", line, &["10.0.0.0/8"]), "11.0.0.1");
        assert_eq!(from("::ffff:10.0.0.1", line, &["10.0.0.1"]), "9.9.9.9");
        assert_eq!(from("10.0.0.1", &[], &["10.0.0.1"]), "10.0.0.1");
    }

    #[test]
    fn what_a_client_writes_itself_does_not_count() {
        assert_eq!(
            said(X_FORWARDED_FOR, "6.6.6.6, 9.9.9.9, 10.0.0.2"),
            "9.9.9.9"
        );
        assert_eq!(said(X_FORWARDED_FOR, "rubbish, 9.9.9.9"), "9.9.9.9");
        let lines: &[(&str, &[u8])] =
            &[(X_FORWARDED_FOR, b"6.6.6.6"), (X_FORWARDED_FOR, b"9.9.9.9")];
        assert_eq!(from("10.0.0.1", lines, &["10.0.0.1"]), "9.9.9.9");
        assert_eq!(
            said(
                FORWARDED,
                "for=6.6.6.6, for=9.9.9.9;proto=https, for=10.0.0.2"
            ),
            "9.9.9.9"
        );
    }

    #[test]
    fn ports_and_brackets_are_read() {
        for (line, client) in [
            ("192.0.2.7:4711", "192.0.2.7"),
            ("2001:db8::7", "2001:db8::7"),
            ("[2001:db8::7]", "2001:db8::7"),
            ("[2001:db8::7]:4711", "2001:db8::7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("[::ffff:192.0.2.7]:1", "192.0.2.7"),
            ("  192.0.2.7\t", "192.0.2.7"),
        ] {
            assert_eq!(said(X_FORWARDED_FOR, line), client, "{line}");
        }
        for (line, client) in [
            ("for=192.0.2.7", "192.0.2.7"),
            ("For=\"192.0.2.7:4711\"", "192.0.2.7"),
            ("FOR=\"[2001:db8::7]\"", "2001:db8::7"),
            ("for=\"[2001:db8::7]:4711\"", "2001:db8::7"),
            ("for=\"192.0.2.7:_port\"", "192.0.2.7"),
            (
                "by=10.0.0.1 ; for=192.0.2.7;host=\"a,b;for=1.1.1.1\"",
                "192.0.2.7",
            ),
        ] {
            assert_eq!(said(FORWARDED, line), client, "{line}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_one_unknown_client() {
        for line in [
            "",
            ",",
            "9.9.9.9,",
            "9.9.9.9, ,10.0.0.2",
            "unknown",
            "_hidden",
            "9.9.9",
            "9.9.9.9.9",
            "09.9.9.9",
            "9.9.9.9:",
            "9.9.9.9:99999",
            "9.9.9.9:+1",
            "9.9.9.9:8o",
            "[9.9.9.9]",
            "[::1",
            "::1]",
            "[2001:db8::7]4711",
            "fe80::1%eth0",
            "\"9.9.9.9\"",
            "9.9.9.9 8.8.8.8",
            "localhost",
            "0.0.0.0",
            "::",
            "255.255.255.255",
            "224.0.0.1",
            "0x7f.1",
            "http://9.9.9.9",
        ] {
            assert_eq!(said(X_FORWARDED_FOR, line), "unknown", "{line:?}");
        }
        for line in [
            "",
            ";",
            "for",
            "for=",
            "=9.9.9.9",
            "for=unknown",
            "for=_hidden",
            "for=\"9.9.9.9",
            "for=9.9.9.9:80",
            "for=[::1]",
            "for=2001:db8::7",
            "for=\"2001:db8::7\"",
            "for=9.9.9.9;for=8.8.8.8",
            "proto=https",
            "for=9.9.9.9,",
            "for=9.9.9.9;",
            "for =9.9.9.9",
            "for=9.9.9.9 x",
            "9.9.9.9",
        ] {
            assert_eq!(said(FORWARDED, line), "unknown", "{line:?}");
        }
        let lines: &[(&str, &[u8])] = &[(X_FORWARDED_FOR, b"9.9.9.9"), (X_FORWARDED_FOR, b"\xff")];
        assert_eq!(from("10.0.0.1", lines, &["10.0.0.1"]), "unknown");
    }

    #[test]
    fn two_headers_that_disagree_say_nothing() {
        let both = |one: &[u8], other: &[u8]| {
            let lines: &[(&str, &[u8])] = &[(X_FORWARDED_FOR, one), (FORWARDED, other)];
            from("10.0.0.1", lines, &["10.0.0.1"])
        };
        assert_eq!(both(b"9.9.9.9", b"for=9.9.9.9"), "9.9.9.9");
        assert_eq!(both(b"9.9.9.9", b"for=8.8.8.8"), "unknown");
        assert_eq!(both(b"9.9.9.9", b"rubbish"), "unknown");
    }

    #[test]
    fn a_proxy_is_known_by_any_header_of_its_kind() {
        for name in [
            "X-Forwarded-Host",
            "x-forwarded-proto",
            "via",
            "X-Real-IP",
            "forwarded",
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(
                name.parse::<axum::http::HeaderName>().unwrap(),
                HeaderValue::from_static("x"),
            );
            assert!(has_proxy_header(&headers), "{name}");
        }
        assert!(!has_proxy_header(&HeaderMap::new()));
    }
}
