//! What the screen needs to be at tables on the network: who somebody is there, how a table is served, and
//! the visit that is being made.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use touchmove_client::{
    AccountToken, ConnectOptions, Connection, GuestSecret, GuestSecrets, NewTable, ServerEvent,
    TableLink,
};
use touchmove_game::move_text::sentence;

/// Makes a table on a server of its own, or says why it cannot.
pub type HostTable = Arc<dyn Fn(&NewTable) -> Result<HostedTable, String> + Send + Sync>;

/// A table that this program serves.
pub struct HostedTable {
    /// How to come to it.
    pub visit: ConnectOptions,
    /// The server: it ends when this is dropped.
    pub server: Box<dyn Any + Send>,
}

/// What the screen can do on the network.
#[derive(Clone, Default)]
pub struct Network {
    /// Where the secrets of guests are; without it a guest is forgotten.
    pub guests: Option<GuestSecrets>,
    /// The token of somebody with an account, and the server that it belongs to.
    pub token: Option<AccountToken>,
    /// How a table is served.
    pub host: Option<HostTable>,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No secrets.
        f.debug_struct("Network")
            .field("guests", &self.guests)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// Who somebody of this name is at the server of a link: the owner of the token where it belongs, a guest
    /// elsewhere.
    ///
    /// # Errors
    /// A sentence, if the token may not be sent, or a secret can be neither read nor kept.
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

/// A visit that is being made.
pub(super) struct ActiveConnection {
    connection: Connection,
    link: TableLink,
    guest: GuestSecret,
    name: String,
    only_watches: bool,
}

impl ActiveConnection {
    /// Comes to a table.
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

    /// The visit of the same guest to another table of the same server.
    pub(super) fn next(self, link: TableLink) -> ConnectOptions {
        ConnectOptions {
            name: self.name,
            only_watches: self.only_watches,
            ..ConnectOptions::of(link, self.guest)
        }
    }
}
