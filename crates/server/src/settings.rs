//! What the host has chosen.

use std::net::SocketAddr;

use touchmove_engine::Level;

use crate::guard::Network;

/// The choices of a host.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// How people reach it, without a slash at the end; by default where it listens.
    pub public_url: Option<String>,
    /// Whether anybody may make an account.
    pub is_registration_open: bool,
    /// The proxies whose word about a client's address counts.
    pub trusted_proxies: Vec<Network>,
    /// Where the counts are read; nowhere by default.
    pub metrics: Option<SocketAddr>,
    /// The most connections at once.
    pub most_connections: usize,
    /// The levels of the built-in opponent that may be seated at a table.
    pub levels: Vec<Level>,
    /// Those of them that have accounts, which can be challenged by their names.
    pub bots: Vec<Level>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 8000)),
            public_url: None,
            is_registration_open: false,
            trusted_proxies: Vec::new(),
            metrics: None,
            most_connections: 20_000,
            levels: Level::ALL.to_vec(),
            bots: Vec::new(),
        }
    }
}
