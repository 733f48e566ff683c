//! A server inside another program: it serves on threads of its own until it is dropped.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::listener::descriptors;
use crate::{Backend, HttpListener, ServeError, Server, ServerConfig};

/// How long a shutdown waits for connections to end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// A running server. It shuts down when this is dropped: games stay stored, clients are told.
pub struct RunningServer {
    server: Arc<Server>,
    address: SocketAddr,
    /// Disconnected when the server has shut down.
    over: Receiver<()>,
}

impl RunningServer {
    /// The address of the listener.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.server.shut_down();
        // Either way the server has ended.
        let _ = self.over.recv_timeout(SHUTDOWN_TIMEOUT);
    }
}

/// Opens a server and serves in the background.
///
/// # Errors
/// If the server cannot be opened.
pub fn start(ground: Backend, settings: ServerConfig) -> Result<RunningServer, ServeError> {
    let settings = settings.within_descriptors(descriptors::raise_limit());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let address = settings.listen;
    let (server, door) = runtime.block_on(async {
        let server = Server::open(ground, settings).await?;
        let door = HttpListener::open(Arc::clone(&server))
            .await
            .map_err(|error| ServeError::Listen { address, error })?;
        Ok::<_, ServeError>((server, door))
    })?;
    let address = door.address()?;
    let (sender, over) = mpsc::channel();
    thread::Builder::new()
        .name("house".to_owned())
        .spawn(move || {
            runtime.block_on(door.serve());
            runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
            drop(sender);
        })?;
    Ok(RunningServer {
        server,
        address,
        over,
    })
}
