//! The server configuration.

use std::net::SocketAddr;

use touchmove_engine::Level;

use crate::security::{IpNetwork, Limits};

/// The server configuration, as the host has chosen it.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The public URL, without a slash at the end; the address of the listener by default.
    pub public_url: Option<String>,
    /// Whether registration of accounts is open.
    pub is_registration_open: bool,
    /// The proxies that are trusted to report a client's address.
    pub trusted_proxies: Vec<IpNetwork>,
    /// Names in `Host` that are accepted beside the public one, in lower case.
    pub allowed_hosts: Vec<String>,
    /// The address of the metrics listener; none by default.
    pub metrics: Option<SocketAddr>,
    /// The maximum number of connections.
    pub most_connections: usize,
    /// Rate limits and queue sizes.
    pub limits: Limits,
    /// The levels of the built-in engine that may be seated at a table.
    pub levels: Vec<Level>,
    /// Those levels that have accounts and can be challenged by name.
    pub bots: Vec<Level>,
}

impl Default for ServerConfig {
    fn default() -> ServerConfig {
        ServerConfig {
            listen: SocketAddr::from(([127, 0, 0, 1], 8000)),
            public_url: None,
            is_registration_open: false,
            trusted_proxies: Vec::new(),
            allowed_hosts: Vec::new(),
            metrics: None,
            most_connections: 20_000,
            limits: Limits::default(),
            levels: Level::ALL.to_vec(),
            bots: Vec::new(),
        }
    }
}

impl ServerConfig {
    /// Whether a loopback connection may be trusted as the host's own: not where a proxy may stand before the server.
    #[must_use]
    pub fn trusts_loopback(&self) -> bool {
        self.public_url.is_none() && self.trusted_proxies.is_empty()
    }

    /// The same with no more connections than the system has file descriptors for.
    #[must_use]
    pub(crate) fn within_descriptors(self, room: Option<usize>) -> ServerConfig {
        let wanted = self.most_connections;
        ServerConfig {
            most_connections: room.map_or(wanted, |room| wanted.min(room)),
            ..self
        }
    }
}
