//! The front door: a listener, its connections, and how they end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;
use tower::ServiceExt as _;

use crate::background::in_background;
use crate::house::closed;
use crate::{House, http};

/// How long a client may take to say what it wants.
const SLOWEST_HEADER: Duration = Duration::from_secs(10);
/// How long the house waits for its connections to end when it closes.
const FAREWELL: Duration = Duration::from_secs(10);

/// How many may come at once before they are let in.
const BACKLOG: u32 = 4_096;
/// The most bytes of the head of a request.
const LARGEST_HEADER: usize = 16 * 1024;
/// The most lines in it.
const MOST_HEADERS: usize = 64;

/// Who is at the other end of a connection. A WebSocket keeps it as long as it lasts, for it takes a place.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Where the connection comes from: a client, or a proxy.
    pub address: SocketAddr,
    _place: Arc<OwnedSemaphorePermit>,
}

/// A door. Whoever knocks before people are let in waits.
pub struct Door {
    listener: TcpListener,
    router: Router,
    house: Arc<House>,
    /// Whether people come in here, not only those who count them.
    is_front: bool,
}

impl Door {
    /// Opens a door where the settings say.
    ///
    /// # Errors
    /// If nobody can listen there.
    pub async fn open(house: Arc<House>) -> io::Result<Door> {
        let listener = listen(house.settings.listen)?;
        let router = http::router(Arc::clone(&house));
        house.listens_at(listener.local_addr()?);
        Ok(Door {
            listener,
            router,
            house,
            is_front: true,
        })
    }

    /// Opens the door to the counts, if the settings say where.
    ///
    /// # Errors
    /// If nobody can listen there.
    pub async fn open_to_meters(house: Arc<House>) -> io::Result<Option<Door>> {
        let Some(address) = house.settings.metrics else {
            return Ok(None);
        };
        let router = http::meters_router(Arc::clone(&house));
        Ok(Some(Door {
            listener: listen(address)?,
            router,
            house,
            is_front: false,
        }))
    }

    /// Where it is.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Lets people in until the house closes, and waits for them to leave.
    pub async fn serve(self) {
        let (house, router) = (self.house, self.router);
        let most = house.settings.most_connections;
        let places = Arc::new(Semaphore::new(most));
        let mut closing = house.closing();
        if self.is_front {
            house.opens();
        }
        loop {
            let place = tokio::select! {
                place = Arc::clone(&places).acquire_owned() => place,
                () = closed(&mut closing) => break,
            };
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = closed(&mut closing) => break,
            };
            match (accepted, place) {
                (Ok((stream, address)), Ok(place)) => {
                    let peer = Peer {
                        address,
                        _place: Arc::new(place),
                    };
                    in_background(attend(stream, peer, router.clone(), house.closing()));
                }
                (Err(error), _) => {
                    // Too many open files, most likely: somebody must leave first.
                    tracing::warn!(%error, "a connection could not be taken");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                (Ok(_), Err(_)) => break,
            }
        }
        drop(self.listener);
        let everybody = u32::try_from(most).unwrap_or(u32::MAX);
        if timeout(FAREWELL, places.acquire_many(everybody))
            .await
            .is_err()
        {
            tracing::warn!("some connections did not end by themselves");
        }
    }
}

/// Listens at an address, also where a server has just ended, with room for many who come at once.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves one connection until it ends or becomes a WebSocket.
async fn attend(stream: TcpStream, peer: Peer, router: Router, mut closing: watch::Receiver<bool>) {
    // Moves are small and must not wait for more.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer.clone());
        router.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(SLOWEST_HEADER)
        .max_buf_size(LARGEST_HEADER)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(connection);
    // How a client ends its connection is its own business.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = closed(&mut closing) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
