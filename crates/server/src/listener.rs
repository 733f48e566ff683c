//! The HTTP listener: accepts connections, limits and paces them, and shuts them down. Requests are routed in
//! [`routes`](crate::routes); nothing here knows what a path means.

pub(crate) mod connections;
pub(crate) mod descriptors;
pub(crate) mod paced_stream;
pub(crate) mod recorded_stream;
pub(crate) mod request_framing;
pub(crate) mod write_timeout;

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;
use tower::ServiceExt as _;

use crate::api::request_checks::{TwoLengths, check_request};
use crate::app::wait_for_shutdown;
use crate::listener::connections::{ConnectionPlace, Connections, NoPlaceError, counted_address};
use crate::listener::paced_stream::{PacedStream, ReceiveShare};
use crate::listener::recorded_stream::RecordedStream;
use crate::listener::request_framing::RequestFraming;
use crate::listener::write_timeout::WriteTimeout;
use crate::lock_ext::LockExt as _;
use crate::security::{Client, SecurityEvent};
use crate::spawn::spawn_boxed;
use crate::{Server, ServerConfig, api};

/// How long a client may take to send the head of a request while only players with a seat are accepted.
const RESERVED_HEAD_TIMEOUT: Duration = Duration::from_secs(3);
/// Connections that are answered with a refusal at once; further ones are closed without an answer.
const MAX_REFUSALS: usize = 100;
/// The timeout for such a refusal.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(2);
/// How much of a refused client's request is read.
pub(crate) const MAX_REFUSED_BYTES: u64 = 16 * 1_024;
/// How long accepting pauses after the system has refused a connection, and how often the log says so.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
const ACCEPT_WARNING_INTERVAL: Duration = Duration::from_secs(10);
/// How long a shutdown waits for connections to end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The listen backlog: connections that wait to be accepted.
const LISTEN_BACKLOG: u32 = 4_096;
/// The maximum size of a request's head, in bytes.
pub(crate) const MAX_HEADER_BYTES: usize = 16 * 1024;
/// The maximum number of its header fields.
pub(crate) const MAX_HEADERS: usize = 64;

/// The peer of a connection. A WebSocket keeps this as long as it lasts, because it occupies a place.
#[derive(Clone, Debug)]
pub struct Peer {
    /// The address of the peer: a client, or a proxy.
    pub address: SocketAddr,
    /// The local address of the connection.
    pub local: IpAddr,
    place: Arc<ConnectionPlace>,
    /// The place that a stream occupies among those of its client.
    pub(crate) stream: Option<Arc<ConnectionPlace>>,
}

impl Peer {
    /// Whether the connection has one of the places reserved for players with a seat.
    #[must_use]
    pub fn is_reserved(&self) -> bool {
        self.place.is_reserved
    }
}

/// A listener. Clients that connect before it serves wait in the backlog.
pub struct HttpListener {
    listener: TcpListener,
    router: Router,
    server: Arc<Server>,
    /// Whether this is the listener for clients, not the one for metrics.
    is_front: bool,
}

impl HttpListener {
    /// Binds the listener to the configured address.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub async fn open(server: Arc<Server>) -> io::Result<HttpListener> {
        let listener = listen(server.settings.listen)?;
        let router = api::router(Arc::clone(&server));
        server.set_address(listener.local_addr()?);
        Ok(HttpListener {
            listener,
            router,
            server,
            is_front: true,
        })
    }

    /// Binds the metrics listener, if one is configured.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub async fn open_metrics(server: Arc<Server>) -> io::Result<Option<HttpListener>> {
        let Some(address) = server.settings.metrics else {
            return Ok(None);
        };
        let router = api::metrics_router(Arc::clone(&server));
        Ok(Some(HttpListener {
            listener: listen(address)?,
            router,
            server,
            is_front: false,
        }))
    }

    /// The local address of the listener.
    ///
    /// # Errors
    /// If the system does not know it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Accepts connections until the server shuts down, then waits for them to end.
    pub async fn serve(self) {
        let (server, router) = (self.server, self.router);
        let connections = Connections::new(&server.settings);
        let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
        let mut warned: Option<Instant> = None;
        let mut closing = server.shutdown_signal();
        if self.is_front {
            server.on_listening();
        }
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = wait_for_shutdown(&mut closing) => break,
            };
            let (stream, address) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Too many open files, most likely: a connection must end first.
                    if warned.is_none_or(|at| at.elapsed() >= ACCEPT_WARNING_INTERVAL) {
                        warned = Some(Instant::now());
                        tracing::warn!(%error, "connections cannot be taken");
                    }
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            let counted = match self.is_front {
                true => counted_address(address.ip(), &server.settings),
                false => None,
            };
            match connections.enter(counted) {
                Ok(place) => {
                    let peer = Peer {
                        address,
                        local: stream
                            .local_addr()
                            .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |local| local.ip()),
                        place: Arc::new(place),
                        stream: None,
                    };
                    let timeouts = Timeouts::new(&server.settings, peer.is_reserved());
                    let router = router.clone();
                    let share = counted.map(|address| server.guard.receive_share(address));
                    let ways = (router, share);
                    spawn_boxed(serve_connection(
                        stream,
                        peer,
                        timeouts,
                        ways,
                        server.shutdown_signal(),
                    ));
                }
                Err(error) => {
                    log_refusal(&server, address, error);
                    if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                        spawn_boxed(async move {
                            let _ = timeout(REFUSAL_TIMEOUT, refuse(stream, error)).await;
                            drop(permit);
                        });
                    }
                }
            }
        }
        drop(self.listener);
        if timeout(SHUTDOWN_TIMEOUT, connections.wait_until_empty())
            .await
            .is_err()
        {
            tracing::warn!("some connections did not end by themselves");
        }
    }
}

/// Logs that a connection was refused for want of a place.
fn log_refusal(server: &Server, address: SocketAddr, error: NoPlaceError) {
    let event = match error {
        NoPlaceError::Full => SecurityEvent::ServerFull,
        NoPlaceError::AddressFull => SecurityEvent::ConnectionsLimited,
    };
    let client = Client::from(address.ip());
    server.guard.log.write(event, client, None);
}

/// Answers a client at once that the server is full, whatever it requests.
async fn refuse(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    error: NoPlaceError,
) -> io::Result<()> {
    let (status, reason, text) = match error {
        NoPlaceError::Full => (
            "503 Service Unavailable",
            "busy",
            "the server has as many visitors as it can have: try again later",
        ),
        NoPlaceError::AddressFull => (
            "429 Too Many Requests",
            "too_many",
            "there are too many open connections from your address: close some first",
        ),
    };
    let body = format!(r#"{{"error":"{text}","reason":"{reason}"}}"#);
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Retry-After: 10\r\nConnection: close\r\n\r\n{body}",
        body.len(),
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // The request must be read, or the system discards the answer. A client that sends more than a request needs is
    // cut off.
    let mut sent = stream.take(MAX_REFUSED_BYTES);
    let mut request = [0; 1_024];
    while sent.read(&mut request).await? > 0 {}
    Ok(())
}

/// The timeouts of a connection.
struct Timeouts {
    head: Duration,
    write: Duration,
}

impl Timeouts {
    fn new(settings: &ServerConfig, is_reserved: bool) -> Timeouts {
        let seconds = |count: u32| Duration::from_secs(count.into());
        let head = seconds(settings.limits.head_timeout_seconds);
        Timeouts {
            head: match is_reserved {
                true => head.min(RESERVED_HEAD_TIMEOUT),
                false => head,
            },
            write: seconds(settings.limits.write_timeout_seconds),
        }
    }
}

/// Binds a listener with a large backlog, also to an address where a server has just ended.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(LISTEN_BACKLOG)
}

/// Serves one connection until it ends or becomes a WebSocket.
async fn serve_connection(
    stream: TcpStream,
    peer: Peer,
    timeouts: Timeouts,
    (router, share): (Router, Option<ReceiveShare>),
    mut closing: watch::Receiver<bool>,
) {
    // Moves are small and must not wait for more data.
    let _ = stream.set_nodelay(true);
    let framing = Arc::new(Mutex::new(RequestFraming::default()));
    let is_socket = Arc::new(AtomicBool::new(false));
    let stream = WriteTimeout::new(stream, timeouts.write);
    let stream = PacedStream::new(stream, share, Arc::clone(&is_socket));
    let stream = RecordedStream::new(stream, Arc::clone(&framing));
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer.clone());
        if !framing.locked().begin_request(&request) {
            request.extensions_mut().insert(TwoLengths);
        }
        let (router, framing) = (router.clone(), Arc::clone(&framing));
        let is_socket = Arc::clone(&is_socket);
        async move {
            let response = check_request(request.map(Body::new), async |request| {
                let Ok(response) = router.oneshot(request).await;
                response
            })
            .await;
            if response.status() == StatusCode::SWITCHING_PROTOCOLS {
                framing.locked().stop();
                is_socket.store(true, Ordering::Relaxed);
            }
            Ok::<_, Infallible>(response)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(timeouts.head)
        .max_buf_size(MAX_HEADER_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(connection);
    // How a client ends its connection does not matter here.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = wait_for_shutdown(&mut closing) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_finds_no_place_is_told_so_and_not_read_without_end() {
        let (mut client, server) = tokio::io::duplex(1_024);
        let refused = tokio::spawn(timeout(REFUSAL_TIMEOUT, refuse(server, NoPlaceError::Full)));
        let mut sent = 0;
        while let Ok(bytes @ 1..) = client.write(&[b'x'; 1_024]).await {
            sent += bytes as u64;
            assert!(sent <= MAX_REFUSED_BYTES + 1_024, "{sent}");
        }
        assert!(sent >= MAX_REFUSED_BYTES, "{sent}");
        assert!(refused.await.unwrap().is_ok());
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    }
}
