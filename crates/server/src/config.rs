//! What the host has chosen.

use std::net::SocketAddr;

use touchmove_engine::Level;

use crate::security::{IpNetwork, Limits};

/// The choices of a host.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Where to listen.
    pub listen: SocketAddr,
    /// How people reach it, without a slash at the end; by default where it listens.
    pub public_url: Option<String>,
    /// Whether anybody may make an account.
    pub is_registration_open: bool,
    /// The proxies whose word about a client's address counts.
    pub trusted_proxies: Vec<IpNetwork>,
    /// Names in `Host` that are answered beside the public one, in lower case.
    pub allowed_hosts: Vec<String>,
    /// Where the counts are read; nowhere by default.
    pub metrics: Option<SocketAddr>,
    /// The most connections at once.
    pub most_connections: usize,
    /// How much of everything.
    pub limits: Limits,
    /// The levels of the built-in opponent that may be seated at a table.
    pub levels: Vec<Level>,
    /// Those of them that have accounts, which can be challenged by their names.
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
    /// Whether a connection from this machine may be its host's own: not where there may be a proxy before the server.
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
