//! Network games from a terminal, for `join`, `host` and the start screen: the player's identity, and hosting a
//! table.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use touchmove_client::{
    AccountToken, ConnectOptions, GuestSecret, GuestSecrets, NewTable, TableLink, create_table,
};
use touchmove_server::{RunningServer, ServeError, ServerConfig, start};
use touchmove_store::{GameId, Sqlite, Store as _};
use touchmove_text::display_path;
use touchmove_tui::screen::{HostedTable, Network};

use crate::data_dir::{STORE_FILE, folder};

/// The default address of a host, if it is free: where friends look first.
pub const DEFAULT_HOST_ADDRESS: SocketAddr =
    SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 8000);
/// The key of hosts' guest secrets: fixed, because their address may change.
const HOST_SECRET_KEY: &str = "host";

/// The network for this player.
pub fn network(token: Option<AccountToken>) -> Network {
    Network {
        guests: folder().map(|folder| GuestSecrets::new(folder.join("guests"))),
        token,
        host: Some(Arc::new(|proposal: &NewTable| {
            let name = proposal.name.clone().unwrap_or_default();
            host(None, None, &name, Some(proposal), None).map_err(|error| format!("{error:#}."))
        })),
    }
}

/// Starts a server and connects to a table of it, new or existing.
pub fn host(
    listen: Option<SocketAddr>,
    data: Option<&Path>,
    name: &str,
    proposal: Option<&NewTable>,
    resumed: Option<&str>,
) -> Result<HostedTable> {
    let guest = network_guest(name)?;
    let server = serve(listen, data, resumed)?;
    let address = server.address();
    let link = TableLink::of(
        reachable(address.ip()),
        address.port(),
        resumed.unwrap_or("new"),
    )?;
    let link = match proposal {
        Some(proposal) => create_table(&link, &guest, proposal)?,
        None => link,
    };
    Ok(HostedTable {
        visit: ConnectOptions {
            name: name.to_owned(),
            ..ConnectOptions::of(link, guest)
        },
        server: Box::new(server),
    })
}

/// Creates a table at a running server; returns how to connect to it.
pub fn host_at(
    server: &TableLink,
    proposal: &NewTable,
    token: Option<AccountToken>,
) -> Result<ConnectOptions> {
    let name = proposal.name.clone().unwrap_or_default();
    let guest = network(token).guest(server, &name);
    let guest = guest.map_err(anyhow::Error::msg)?;
    let link = create_table(server, &guest, proposal)?;
    Ok(ConnectOptions {
        name,
        ..ConnectOptions::of(link, guest)
    })
}

/// The identity of the host.
fn network_guest(name: &str) -> Result<GuestSecret> {
    let guests = folder().map(|folder| GuestSecrets::new(folder.join("guests")));
    match guests {
        Some(guests) => guests
            .guest(HOST_SECRET_KEY, name)
            .context("the seat cannot be kept"),
        None => Ok(GuestSecret::new()),
    }
}

/// Starts a server: at the given address, or else at the default one, or else at any free port. A game to be
/// resumed must be in its store.
fn serve(
    listen: Option<SocketAddr>,
    data: Option<&Path>,
    resumed: Option<&str>,
) -> Result<RunningServer> {
    let folder = match data.map(Path::to_owned).or_else(folder) {
        Some(folder) => folder,
        None => bail!("there is no place for games: set HOME or XDG_DATA_HOME, or give --data"),
    };
    let open = |address: SocketAddr| {
        let store = Sqlite::open(folder.join(STORE_FILE)).map_err(anyhow::Error::msg)?;
        if let Some(game) = resumed
            && !is_stored(&store, game)?
        {
            bail!(
                "there is no game {game} in {}: --data names the folder that it is kept in",
                display_path(&folder)
            );
        }
        let address = with_port(address)?;
        let settings = ServerConfig {
            listen: address,
            public_url: Some(format!(
                "http://{}:{}",
                reachable(address.ip()),
                address.port()
            )),
            ..ServerConfig::default()
        };
        Ok::<_, anyhow::Error>(start(Arc::new(store).into(), settings))
    };
    match open(listen.unwrap_or(DEFAULT_HOST_ADDRESS))? {
        Ok(running) => Ok(running),
        Err(ServeError::Listen { error, .. })
            if listen.is_none() && error.kind() == io::ErrorKind::AddrInUse =>
        {
            let any = SocketAddr::new(DEFAULT_HOST_ADDRESS.ip(), 0);
            Ok(open(any)??)
        }
        Err(error) => Err(error.into()),
    }
}

/// Whether a store contains a game.
fn is_stored(store: &Sqlite, game: &str) -> Result<bool> {
    let Ok(game) = game.parse::<GameId>() else {
        return Ok(false);
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .context("no task can be started")?;
    Ok(!runtime.block_on(store.load_games(vec![game]))?.is_empty())
}

/// The same address with a free port instead of port 0: the server must know its own address.
fn with_port(address: SocketAddr) -> io::Result<SocketAddr> {
    match address.port() {
        0 => TcpListener::bind(address)?.local_addr(),
        _ => Ok(address),
    }
}

/// The host name or address under which others on the network reach a server that listens there.
fn reachable(listens: IpAddr) -> String {
    let address = match listens.is_unspecified() {
        true => own_address().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        false => listens,
    };
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// The address of this machine on its network: the source address it would use for the internet. Nothing is sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address that is reserved for documentation.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified()).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_everywhere_is_named_by_an_address_that_others_can_use() {
        assert_eq!(reachable(IpAddr::V4(Ipv4Addr::LOCALHOST)), "127.0.0.1");
        assert_eq!(reachable("::1".parse().unwrap()), "[::1]");
        let own = reachable(DEFAULT_HOST_ADDRESS.ip());
        assert!(
            own.parse::<IpAddr>()
                .is_ok_and(|address| !address.is_unspecified())
        );
    }
}
