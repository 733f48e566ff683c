//! Runs the server in the foreground: opens it, serves, and shuts down on a signal.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use thiserror::Error;
use tokio::signal::unix::{SignalKind, signal};

use crate::listener::descriptors;
use crate::spawn::spawn_boxed;
use crate::{Backend, HttpListener, Server, ServerConfig, ServerOpenError};

/// Why the server could not run.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The store, or a thread, failed.
    #[error(transparent)]
    Open(#[from] ServerOpenError),
    /// The address could not be bound.
    #[error("cannot listen at {address}: {}", told(.error))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        error: io::Error,
    },
    /// The listener ended by itself.
    #[error("the server accepts no connections any more, by a mistake of its own: start it again")]
    Listener,
    /// The system failed.
    #[error("the system refuses: {0}")]
    System(#[from] io::Error),
}

/// Serves until the system sends SIGTERM or SIGINT. `ready` is called with the address of the listener.
///
/// # Errors
/// If the server cannot be opened.
pub fn run(
    ground: Backend,
    settings: ServerConfig,
    ready: &dyn Fn(&str) -> io::Result<()>,
) -> Result<(), ServeError> {
    let wanted = settings.most_connections;
    let settings = settings.within_descriptors(descriptors::raise_limit());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let address = settings.listen;
        let server = Server::open(ground, settings).await?;
        let door = HttpListener::open(Arc::clone(&server))
            .await
            .map_err(|error| ServeError::Listen { address, error })?;
        tracing::info!(address = %door.address()?, "it listens");
        let connections = server.settings.most_connections;
        if connections < wanted {
            tracing::warn!(
                wanted,
                connections,
                "the system allows fewer open files than --connections needs: raise its limit (LimitNOFILE, \
                 ulimit -n) for more"
            );
        }
        let listen = server.settings.metrics.unwrap_or(address);
        let meters = HttpListener::open_metrics(Arc::clone(&server))
            .await
            .map_err(|error| ServeError::Listen {
                address: listen,
                error,
            })?;
        if let Some(meters) = meters {
            tracing::info!(address = %meters.address()?, "the counts are at /metrics");
            spawn_boxed(meters.serve());
        }
        ready(&server.url("/"))?;
        let mut served = spawn_boxed(door.serve());
        tokio::select! {
            _ = terminate.recv() => tracing::info!("asked to stop"),
            _ = interrupt.recv() => tracing::info!("interrupted"),
            // The listener is gone: to exit is better than to look alive.
            _ = &mut served => return Err(ServeError::Listener),
        }
        server.shut_down();
        let _ = served.await;
        Ok(())
    })
}

/// The error with what a host can do about it.
fn told(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another program is there already; choose another port, or 0 for any free one"
                .to_owned()
        }
        io::ErrorKind::PermissionDenied => {
            "that needs more rights; choose a port above 1023 and put a proxy before it".to_owned()
        }
        io::ErrorKind::AddrNotAvailable => "this machine has no such address".to_owned(),
        _ => error.to_string(),
    }
}
