//! The NATS transport, on the official client (`async-nats`), which reconnects for ever. Messages may be lost; the
//! receiver is told when that may have happened. Nothing is verified here.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event, Subscriber};
use futures_util::StreamExt as _;
use thiserror::Error;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Notify, mpsc};
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::cluster::envelope::MAX_MESSAGE_BYTES;
use crate::spawn::spawn_boxed;

/// The port of NATS.
const DEFAULT_PORT: u16 = 4222;
/// The timeout for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// How often the NATS server is pinged. After two pings without an answer the connection is lost.
const PING_INTERVAL: Duration = Duration::from_secs(1);
/// The delay between two attempts to connect: the first, and the longest.
const RECONNECT_DELAYS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));
/// How long after connecting the NATS server is sure to know our subscriptions.
const SUBSCRIBE_DELAY: Duration = Duration::from_millis(100);
/// How often the state of the connection is checked: the client reports a connection a moment before it is usable.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// How many outgoing messages are queued; more are dropped.
const MAX_OUTGOING: usize = 8_192;
/// How many incoming messages are queued; more are dropped, and the receiver is told so.
const MAX_INCOMING: usize = 4_096;

/// The address of a NATS server, with credentials.
///
/// ```
/// use touchmove_server::NatsAddress;
///
/// let address: NatsAddress = "nats://anna:sesame@10.0.0.5".parse()?;
/// assert_eq!(address.to_string(), "nats://10.0.0.5:4222");
/// assert!("http://10.0.0.5".parse::<NatsAddress>().is_err());
/// # Ok::<(), touchmove_server::ParseNatsAddressError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct NatsAddress {
    /// Whether TLS is required before anything is sent.
    is_tls: bool,
    /// The servers of one NATS cluster, with their ports.
    hosts: Vec<String>,
    credentials: Credentials,
}

#[derive(Clone, PartialEq, Eq)]
enum Credentials {
    None,
    Token(String),
    User(String, String),
}

impl NatsAddress {
    const fn scheme(&self) -> &'static str {
        match self.is_tls {
            true => "tls",
            false => "nats",
        }
    }
}

impl fmt::Display for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme(), self.hosts.join(","))
    }
}

impl fmt::Debug for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NatsAddress({self})")
    }
}

/// The text is not the address of a NATS server. The error does not repeat it: it may contain a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "this is no address of a NATS server; it is written as nats://user:password@host:4222 or \
     tls://user:password@host:4222, with commas between several hosts"
)]
pub struct ParseNatsAddressError;

impl FromStr for NatsAddress {
    type Err = ParseNatsAddressError;

    fn from_str(text: &str) -> Result<NatsAddress, ParseNatsAddressError> {
        let (scheme, rest) = text.split_once("://").ok_or(ParseNatsAddressError)?;
        let is_tls = match scheme {
            "nats" => false,
            "tls" => true,
            _ => return Err(ParseNatsAddressError),
        };
        let (credentials, hosts) = match rest.rsplit_once('@') {
            None => (Credentials::None, rest),
            Some((secret, hosts)) => match secret.split_once(':') {
                Some((user, password)) => (
                    Credentials::User(user.to_owned(), password.to_owned()),
                    hosts,
                ),
                None => (Credentials::Token(secret.to_owned()), hosts),
            },
        };
        let hosts = hosts.trim_end_matches('/').split(',').map(with_port);
        Ok(NatsAddress {
            is_tls,
            hosts: hosts.collect::<Result<_, _>>()?,
            credentials,
        })
    }
}

/// Adds the default port to a host without one.
fn with_port(host: &str) -> Result<String, ParseNatsAddressError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    if host.is_empty() || !host.chars().all(is_plain) {
        return Err(ParseNatsAddressError);
    }
    let is_bare = !host.contains(':') || host.ends_with(']');
    match host.rsplit_once(':') {
        _ if is_bare => Ok(format!("{host}:{DEFAULT_PORT}")),
        Some((name, port)) if !name.is_empty() && port.parse::<u16>().is_ok() => {
            Ok(host.to_owned())
        }
        _ => Err(ParseNatsAddressError),
    }
}

/// What the NATS connection delivers.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum NatsEvent {
    /// A message.
    Message(String),
    /// Messages may have been lost: the client has reconnected, or messages came too fast.
    Gap,
}

/// A connection to NATS.
pub(super) struct NatsClient {
    root: String,
    outgoing: mpsc::Sender<(String, String)>,
    status: Arc<Status>,
}

/// The state of the connection.
#[derive(Default)]
struct Status {
    is_up: AtomicBool,
    /// Whether messages were dropped since that was last reported.
    has_dropped: AtomicBool,
    /// Whether the failure was logged since the connection was last up.
    is_logged: AtomicBool,
    changed: Notify,
}

impl Status {
    /// Handles an event of the client.
    fn on_event(&self, address: &NatsAddress, event: Event) {
        match event {
            Event::Connected => {}
            Event::Disconnected | Event::Closed => {
                if self.is_up.swap(false, Ordering::Relaxed) {
                    self.is_logged.store(true, Ordering::Relaxed);
                    tracing::warn!(%address, "NATS is lost: other nodes are told by the database");
                }
            }
            Event::SlowConsumer(_) => self.has_dropped.store(true, Ordering::Relaxed),
            Event::ClientError(_) | Event::ServerError(_) => {
                if !self.is_logged.swap(true, Ordering::Relaxed) {
                    tracing::warn!(%address, reason = %event, "NATS cannot be reached");
                }
            }
            Event::LameDuckMode | Event::Draining => {}
        }
        self.changed.notify_one();
    }
}

impl NatsClient {
    /// Connects in the background, and receives everything below a subject. The connection ends when the receiver is
    /// dropped.
    pub(super) fn connect(
        address: NatsAddress,
        root: &str,
    ) -> (NatsClient, mpsc::Receiver<NatsEvent>) {
        let (outgoing, waiting) = mpsc::channel(MAX_OUTGOING);
        let (heard, hearing) = mpsc::channel(MAX_INCOMING);
        let status = Arc::new(Status::default());
        let nats = NatsClient {
            root: root.to_owned(),
            outgoing,
            status: Arc::clone(&status),
        };
        let subject = format!("{root}.>");
        spawn_boxed(async move {
            if let Err(error) = run(&address, subject, waiting, heard, status).await {
                tracing::error!(%address, %error, "NATS cannot be used");
            }
        });
        (nats, hearing)
    }

    /// Whether the connection is up, as far as is known.
    pub(super) fn is_up(&self) -> bool {
        self.status.is_up.load(Ordering::Relaxed)
    }

    /// Publishes a message under a subject below the root. This never blocks: when the queue is full, the message is
    /// dropped.
    pub(super) fn publish(&self, subject: &str, text: String) {
        if self.is_up() {
            let subject = format!("{}.{subject}", self.root);
            let _ = self.outgoing.try_send((subject, text));
        }
    }
}

/// Runs the connection until the receiver is dropped.
async fn run(
    address: &NatsAddress,
    subject: String,
    waiting: mpsc::Receiver<(String, String)>,
    heard: mpsc::Sender<NatsEvent>,
    status: Arc<Status>,
) -> Result<(), async_nats::Error> {
    let servers: Vec<async_nats::ServerAddr> = address
        .hosts
        .iter()
        .map(|host| format!("{}://{host}", address.scheme()).parse())
        .collect::<Result<_, _>>()?;
    let client = async_nats::connect_with_options(servers, options(address, &status)).await?;
    let messages = client.subscribe(subject).await?;
    tokio::select! {
        () = read(messages, &heard) => {}
        () = write(&client, waiting) => {}
        () = watch_connection(&client, address, &status, &heard) => {}
        () = heard.closed() => {}
    }
    Ok(())
}

fn options(address: &NatsAddress, status: &Arc<Status>) -> ConnectOptions {
    let (shown, status) = (address.clone(), Arc::clone(status));
    let options = ConnectOptions::new()
        .name("touchmove")
        .no_echo()
        // The password goes only to the configured servers.
        .ignore_discovered_servers()
        .require_tls(address.is_tls)
        .retry_on_initial_connect()
        .max_reconnects(None)
        .reconnect_delay_callback(reconnect_delay)
        .connection_timeout(CONNECT_TIMEOUT)
        .ping_interval(PING_INTERVAL)
        .subscription_capacity(MAX_INCOMING)
        .event_callback(move |event| {
            status.on_event(&shown, event);
            std::future::ready(())
        });
    match &address.credentials {
        Credentials::None => options,
        Credentials::Token(token) => options.token(token.clone()),
        Credentials::User(user, password) => {
            options.user_and_password(user.clone(), password.clone())
        }
    }
}

fn reconnect_delay(attempts: usize) -> Duration {
    let (first, longest) = RECONNECT_DELAYS;
    let doubled = u32::try_from(attempts.saturating_sub(2)).unwrap_or(u32::MAX);
    match attempts {
        0 | 1 => Duration::ZERO,
        _ => first
            .saturating_mul(2_u32.saturating_pow(doubled.min(16)))
            .min(longest),
    }
}

/// Passes messages on. If they come faster than they are read, some are dropped, which is reported.
async fn read(mut messages: Subscriber, heard: &mpsc::Sender<NatsEvent>) {
    while let Some(message) = messages.next().await {
        if message.payload.len() > MAX_MESSAGE_BYTES {
            continue;
        }
        let Ok(text) = String::from_utf8(message.payload.into()) else {
            continue;
        };
        let is_dropped = match heard.try_send(NatsEvent::Message(text)) {
            Ok(()) => false,
            Err(TrySendError::Full(_)) => true,
            Err(TrySendError::Closed(_)) => return,
        };
        if is_dropped && heard.send(NatsEvent::Gap).await.is_err() {
            return;
        }
    }
}

/// Sends queued messages.
async fn write(client: &Client, mut waiting: mpsc::Receiver<(String, String)>) {
    while let Some((subject, text)) = waiting.recv().await {
        // While the server is away messages are dropped: they would be too old later.
        if client.connection_state() == State::Connected {
            let _ = client.publish(subject, text.into()).await;
        }
    }
}

/// Watches the state of the connection, and reports when messages may have been lost.
async fn watch_connection(
    client: &Client,
    address: &NatsAddress,
    status: &Status,
    heard: &mpsc::Sender<NatsEvent>,
) {
    let mut checks = interval(CHECK_INTERVAL);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut known_connects = 0;
    loop {
        tokio::select! {
            _ = checks.tick() => {}
            () = status.changed.notified() => {}
        }
        let connects = client.statistics().connects.load(Ordering::Relaxed);
        let is_connected = client.connection_state() == State::Connected;
        let is_new = is_connected && connects != known_connects;
        if is_new {
            known_connects = connects;
            sleep(SUBSCRIBE_DELAY).await;
            status.is_logged.store(false, Ordering::Relaxed);
            tracing::info!(%address, "NATS is connected");
        }
        let is_up = client.connection_state() == State::Connected;
        status.is_up.store(is_up, Ordering::Relaxed);
        let has_dropped = status.has_dropped.swap(false, Ordering::Relaxed);
        if (is_new || has_dropped) && heard.send(NatsEvent::Gap).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_shown_without_secrets() {
        for (text, shown) in [
            ("nats://127.0.0.1:4333", "nats://127.0.0.1:4333"),
            ("nats://anna:se@same@one:1,two/", "nats://one:1,two:4222"),
            ("nats://sesame@[::1]", "nats://[::1]:4222"),
            ("tls://anna:sesame@[::1]:99", "tls://[::1]:99"),
            (
                "tls://one.example,two.example:7",
                "tls://one.example:4222,two.example:7",
            ),
        ] {
            let address: NatsAddress = text.parse().unwrap();
            assert_eq!(address.to_string(), shown);
            assert!(!format!("{address:?}").contains("same"));
            let options = options(&address, &Arc::new(Status::default()));
            assert!(!format!("{options:?}").contains("same"), "{options:?}");
        }
        for text in [
            "one",
            "http://one",
            "ws://one",
            "nats://",
            "nats://one:port",
            "nats://one,",
            "nats://:1",
            "tls://o ne",
        ] {
            let refused: Result<NatsAddress, _> = text.parse();
            assert_eq!(refused, Err(ParseNatsAddressError), "{text}");
        }
    }

    #[test]
    fn attempts_to_connect_become_rare_and_never_end() {
        assert_eq!(reconnect_delay(1), Duration::ZERO);
        assert_eq!(reconnect_delay(2), RECONNECT_DELAYS.0);
        for attempts in [20, 1_000, usize::MAX] {
            assert_eq!(reconnect_delay(attempts), RECONNECT_DELAYS.1);
        }
    }

    #[tokio::test]
    async fn who_cannot_connect_waits_for_nobody_and_sends_nothing() {
        // A server that accepts connections and never answers.
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("nats://anna:sesame@{}", silent.local_addr().unwrap());
        let (nats, mut heard) = NatsClient::connect(address.parse().unwrap(), "here");
        for _ in 0..3 * MAX_OUTGOING {
            nats.publish("house", "word".to_owned());
        }
        assert!(!nats.is_up());
        assert!(heard.try_recv().is_err());
    }
}
