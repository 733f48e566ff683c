//! The host names that this server answers to, against DNS rebinding: a page of another site can make its own name
//! resolve to this machine, but the browser then sends that name in `Host`, and the request is refused.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri, header};

use crate::config::ServerConfig;

/// Domains of private networks, which nobody can register.
const PRIVATE_DOMAINS: [&str; 7] = [
    "local",
    "lan",
    "home",
    "home.arpa",
    "internal",
    "localdomain",
    "fritz.box",
];

/// The names and addresses that are accepted in `Host`.
#[derive(Clone, Debug)]
pub struct HostNames {
    /// In lower case.
    names: Vec<String>,
    /// The address of the listener.
    listen: IpAddr,
    /// Whether any IP address is accepted: a machine may be reached by addresses that it does not know itself (port
    /// forwarding, containers), and DNS rebinding needs a name.
    takes_any_address: bool,
}

impl HostNames {
    /// The names from the settings, and the machine's host name.
    #[must_use]
    pub fn new(settings: &ServerConfig, machine: Option<&str>) -> HostNames {
        let listen = settings.listen.ip().to_canonical();
        let is_private = settings.public_url.is_none() && listen.is_loopback();
        let is_network = settings.public_url.is_none() && !is_private;
        let public = settings.public_url.as_deref().and_then(host_of_url);
        let machine = machine.filter(|_| is_network).map(machine_names);
        let names = settings
            .allowed_hosts
            .iter()
            .map(String::as_str)
            .chain(public.as_deref())
            .map(str::to_ascii_lowercase)
            .chain(machine.into_iter().flatten());
        HostNames {
            names: names.collect(),
            listen,
            takes_any_address: is_network,
        }
    }

    /// Whether a request is for this server. `local` is the local address of the connection. A request without a host
    /// is not from a browser.
    #[must_use]
    pub fn accept(&self, uri: &Uri, headers: &HeaderMap, local: IpAddr) -> bool {
        let hosts = headers.get_all(header::HOST).into_iter();
        let in_headers = hosts.map(|host| host.as_bytes());
        let in_uri = uri.authority().map(|host| host.as_str().as_bytes());
        in_uri
            .into_iter()
            .chain(in_headers)
            .all(|host| self.is_ours(host, local))
    }

    fn is_ours(&self, host: &[u8], local: IpAddr) -> bool {
        let Ok(authority) = Authority::try_from(host) else {
            return false;
        };
        let name = authority.host();
        let after = authority.as_str().strip_prefix(name);
        if after.is_none_or(|after| !after.is_empty() && authority.port_u16().is_none()) {
            // There is user info before the host, or something other than a port after it.
            return false;
        }
        let name = name.to_ascii_lowercase();
        let literal = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'))
            .unwrap_or(&name);
        if let Ok(address) = literal.parse::<IpAddr>() {
            let address = address.to_canonical();
            return self.takes_any_address
                || address.is_loopback()
                || [self.listen, local.to_canonical()].contains(&address)
                || self.names.contains(&name);
        }
        // A trailing dot marks a fully qualified name.
        let name = name.strip_suffix('.').unwrap_or(&name);
        name == "localhost" || self.names.iter().any(|ours| ours == name)
    }
}

/// The names that a network may have for this machine.
fn machine_names(machine: &str) -> Vec<String> {
    let machine = machine.trim_end_matches('.').to_ascii_lowercase();
    let first = machine.split('.').next().unwrap_or_default().to_owned();
    if first.is_empty() {
        return Vec::new();
    }
    let mut names: Vec<String> = PRIVATE_DOMAINS
        .iter()
        .map(|domain| format!("{first}.{domain}"))
        .collect();
    names.extend([machine, first]);
    names
}

/// The host of a URL, without its port.
fn host_of_url(url: &str) -> Option<String> {
    let uri: Uri = url.parse().ok()?;
    Some(uri.host()?.to_owned())
}

/// The host name of this machine.
#[must_use]
pub fn machine_name() -> Option<String> {
    let system = rustix::system::uname();
    system.nodename().to_str().ok().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(listen: &str, public_url: Option<&str>, allowed: &[&str]) -> HostNames {
        let settings = ServerConfig {
            listen: listen.parse().unwrap(),
            public_url: public_url.map(str::to_owned),
            allowed_hosts: allowed.iter().map(ToString::to_string).collect(),
            ..ServerConfig::default()
        };
        HostNames::new(&settings, Some("Annas-Laptop"))
    }

    fn is_ours(names: &HostNames, host: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        names.accept(&Uri::from_static("/"), &headers, [10, 1, 2, 3].into())
    }

    #[test]
    fn a_server_on_loopback_answers_to_loopback_only() {
        let names = names("127.0.0.1:8000", None, &["chess.test"]);
        for host in [
            "localhost",
            "localhost:8000",
            "LOCALHOST:1",
            "127.0.0.1:8000",
            "127.0.0.1",
            "[::1]:8000",
            "10.1.2.3",
            "chess.test",
            "Chess.Test:8000",
            "localhost.",
        ] {
            assert!(is_ours(&names, host), "{host}");
        }
        for host in [
            "attacker.example",
            "attacker.example:8000",
            "127.0.0.1.attacker.example",
            "192.168.1.5",
            "localhost.attacker.example",
            "evil@localhost",
            "localhost@evil",
            "annas-laptop",
            "",
            "127.1",
            "0x7f000001",
            "localhost:x",
            "a b",
            "[::1",
            "chess.test.evil",
            "0.0.0.0:8000",
        ] {
            assert!(!is_ours(&names, host), "{host}");
        }
    }

    #[test]
    fn a_public_server_answers_to_its_public_name() {
        let names = names(
            "0.0.0.0:8000",
            Some("https://chess.example:8443"),
            &["chess.internal"],
        );
        for host in [
            "chess.example",
            "chess.example:8443",
            "chess.internal",
            "127.0.0.1:8000",
            "10.1.2.3:8000",
        ] {
            assert!(is_ours(&names, host), "{host}");
        }
        for host in [
            "evil.example",
            "192.0.2.1",
            "annas-laptop",
            "chess.example.evil",
        ] {
            assert!(!is_ours(&names, host), "{host}");
        }
    }

    #[test]
    fn a_server_in_a_network_answers_to_addresses_and_the_names_of_the_machine() {
        let names = names("0.0.0.0:8000", None, &[]);
        for host in [
            "192.168.1.5:8000",
            "[2001:db8::5]:8000",
            "annas-laptop:8000",
            "Annas-Laptop.local",
            "annas-laptop.fritz.box",
            "localhost",
            "0.0.0.0:8000",
        ] {
            assert!(is_ours(&names, host), "{host}");
        }
        for host in [
            "attacker.example",
            "annas-laptop.attacker.example",
            "192.168.1.5.nip.io",
        ] {
            assert!(!is_ours(&names, host), "{host}");
        }
    }

    #[test]
    fn every_host_of_a_request_counts() {
        let names = names("127.0.0.1:8000", None, &[]);
        let local = IpAddr::from([127, 0, 0, 1]);
        let mut headers = HeaderMap::new();
        assert!(names.accept(&Uri::from_static("/"), &headers, local));
        headers.append(header::HOST, "localhost".parse().unwrap());
        assert!(names.accept(&Uri::from_static("/"), &headers, local));
        assert!(!names.accept(&Uri::from_static("http://evil.example/"), &headers, local));
        headers.append(header::HOST, "evil.example".parse().unwrap());
        assert!(!names.accept(&Uri::from_static("/"), &headers, local));
    }
}
