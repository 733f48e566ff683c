//! What the screen needs for network games: the player's identity, how to host a table, and the current connection.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use touchmove_client::{
    AccountToken, ConnectOptions, Connection, GuestSecret, GuestSecrets, NewTable, ServerEvent,
    TableLink,
};
use touchmove_game::move_text::sentence;

/// Hosts a table on a new server, or says why it cannot.
pub type HostTable = Arc<dyn Fn(&NewTable) -> Result<HostedTable, String> + Send + Sync>;

/// A table that this program hosts.
pub struct HostedTable {
    /// How to connect to it.
    pub visit: ConnectOptions,
    /// The server: it stops when this is dropped.
    pub server: Box<dyn Any + Send>,
}

/// The network as the screen uses it.
#[derive(Clone, Default)]
pub struct Network {
    /// The file of guest secrets; without it a guest is not recognised again.
    pub guests: Option<GuestSecrets>,
    /// The token of an account, with the server that it belongs to.
    pub token: Option<AccountToken>,
    /// How to host a table.
    pub host: Option<HostTable>,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Leaves the secrets out.
        f.debug_struct("Network")
            .field("guests", &self.guests)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// The player's identity at the server of a link: the account where the token belongs, a guest elsewhere.
    ///
    /// # Errors
    /// A sentence, if the token must not be sent, or a guest secret can be neither read nor saved.
    pub fn guest(&self, link: &TableLink, name: &str) -> Result<GuestSecret, String> {
        let token = self.token.as_ref().map(|token| token.for_server(link));
        let owner = token
            .transpose()
            .map_err(|error| sentence(&error.to_string()))?;
        let server = link.server();
        match (owner.flatten(), &self.guests) {
            (Some(owner), _) => Ok(owner),
            (None, Some(guests)) => guests
                .guest(&server, name)
                .map_err(|error| format!("The seat at {server} cannot be kept: {error}.")),
            (None, None) => Ok(GuestSecret::new()),
        }
    }
}

/// The current connection to a table.
pub(super) struct ActiveConnection {
    connection: Connection,
    link: TableLink,
    guest: GuestSecret,
    name: String,
    only_watches: bool,
}

impl ActiveConnection {
    /// Connects to a table.
    pub(super) fn begin(
        visit: ConnectOptions,
        tell: impl Fn(ServerEvent) + Send + 'static,
    ) -> ActiveConnection {
        ActiveConnection {
            link: visit.link.clone(),
            guest: visit.guest.clone(),
            name: visit.name.clone(),
            only_watches: visit.only_watches,
            connection: Connection::open(visit, tell),
        }
    }

    pub(super) const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Whether the table of a link is at the same server.
    pub(super) fn is_at(&self, link: &TableLink) -> bool {
        self.link.server() == link.server()
    }

    /// Options for connecting the same guest to another table of the same server.
    pub(super) fn next(self, link: TableLink) -> ConnectOptions {
        ConnectOptions {
            name: self.name,
            only_watches: self.only_watches,
            ..ConnectOptions::of(link, self.guest)
        }
    }
}
