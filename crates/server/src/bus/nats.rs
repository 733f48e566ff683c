//! A small client of NATS: what this house needs of the text protocol, and nothing else. Messages may get
//! lost; whoever hears is told when that may have happened. A lost connection is made again for ever.

use crate::background::in_background;
use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use thiserror::Error;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Notify, mpsc};
use tokio::time::{interval, sleep, timeout};

/// The port of NATS.
const PORT: u16 = 4222;
/// How long a connection may take to be made, and a message to be taken.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the server is asked whether it is still there. One that does not answer until it is asked
/// again is not.
const PING: Duration = Duration::from_secs(2);
/// The rest between two attempts: the first, and the longest.
const RESTS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));
/// How many messages may wait to be sent; what comes later is lost.
const WAITING: usize = 8_192;
/// How many messages may wait to be heard.
const HEARD: usize = 4_096;
/// The most bytes that are sent at once.
const GATHERED: usize = 64 * 1024;
/// The largest message, and the longest line, that is read.
const LARGEST: usize = 1024 * 1024;

/// Where a NATS server is, and who we are there.
///
/// ```
/// use touchmove_server::NatsAddress;
///
/// let address: NatsAddress = "nats://anna:sesame@10.0.0.5".parse()?;
/// assert_eq!(address.to_string(), "10.0.0.5:4222");
/// assert!("http://10.0.0.5".parse::<NatsAddress>().is_err());
/// # Ok::<(), touchmove_server::BadNatsAddress>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct NatsAddress {
    /// Servers of one cluster, tried in turn.
    hosts: Vec<String>,
    who: Who,
}

#[derive(Clone, PartialEq, Eq)]
enum Who {
    Anybody,
    Token(String),
    User(String, String),
}

impl fmt::Display for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hosts.join(","))
    }
}

impl fmt::Debug for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NatsAddress({self})")
    }
}

/// A text that is no address of a NATS server. What it is is not repeated: there may be a password in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "this is no address of a NATS server; it is written as nats://user:password@host:4222, without TLS"
)]
pub struct BadNatsAddress;

impl FromStr for NatsAddress {
    type Err = BadNatsAddress;

    fn from_str(text: &str) -> Result<NatsAddress, BadNatsAddress> {
        let rest = text.strip_prefix("nats://").ok_or(BadNatsAddress)?;
        let (who, hosts) = match rest.rsplit_once('@') {
            None => (Who::Anybody, rest),
            Some((secret, hosts)) => match secret.split_once(':') {
                Some((user, password)) => (Who::User(user.to_owned(), password.to_owned()), hosts),
                None => (Who::Token(secret.to_owned()), hosts),
            },
        };
        let hosts = hosts.trim_end_matches('/').split(',').map(with_port);
        let hosts = hosts.collect::<Result<_, _>>()?;
        Ok(NatsAddress { hosts, who })
    }
}

/// A host with its port, also if only the host is named.
fn with_port(host: &str) -> Result<String, BadNatsAddress> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    if host.is_empty() || !host.chars().all(is_plain) {
        return Err(BadNatsAddress);
    }
    let is_bare = !host.contains(':') || host.ends_with(']');
    match host.rsplit_once(':') {
        _ if is_bare => Ok(format!("{host}:{PORT}")),
        Some((name, port)) if !name.is_empty() && port.parse::<u16>().is_ok() => {
            Ok(host.to_owned())
        }
        _ => Err(BadNatsAddress),
    }
}

/// What is heard.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Heard {
    /// A message.
    Message(String),
    /// A connection was made: what was said before is not known.
    Gap,
}

/// A messenger.
pub(super) struct Nats {
    root: String,
    out: mpsc::Sender<(String, String)>,
    is_up: Arc<AtomicBool>,
}

impl Nats {
    /// Connects, as soon as there is somebody to connect to, and hears everything below a subject. It ends
    /// when nobody hears any more.
    pub(super) fn connect(address: NatsAddress, root: &str) -> (Nats, mpsc::Receiver<Heard>) {
        let (out, waiting) = mpsc::channel(WAITING);
        let (heard, hearing) = mpsc::channel(HEARD);
        let is_up = Arc::new(AtomicBool::new(false));
        let line = Line {
            address,
            root: root.to_owned(),
            heard,
            is_up: Arc::clone(&is_up),
        };
        in_background(line.keep(waiting));
        let root = root.to_owned();
        (Nats { root, out, is_up }, hearing)
    }

    /// Whether there is a connection, as far as is known.
    pub(super) fn is_up(&self) -> bool {
        self.is_up.load(Ordering::Relaxed)
    }

    /// Says something under a subject below the root.
    pub(super) fn say(&self, subject: &str, text: String) {
        // What does not fit is lost, as messages may be.
        let _ = self
            .out
            .try_send((format!("{}.{subject}", self.root), text));
    }
}

/// What a server says of itself.
#[derive(Deserialize)]
#[serde(default)]
struct Info {
    tls_required: bool,
    max_payload: usize,
}

impl Default for Info {
    fn default() -> Info {
        Info {
            tls_required: false,
            max_payload: LARGEST,
        }
    }
}

struct Line {
    address: NatsAddress,
    root: String,
    heard: mpsc::Sender<Heard>,
    is_up: Arc<AtomicBool>,
}

impl Line {
    /// Keeps a connection, until nobody hears any more.
    async fn keep(self, mut waiting: mpsc::Receiver<(String, String)>) {
        let mut rest = RESTS.0;
        for host in self.address.hosts.iter().cycle() {
            let talk = tokio::select! {
                talk = self.talk(host, &mut waiting) => talk,
                () = self.heard.closed() => return,
            };
            let Err(error) = talk;
            if self.is_up.swap(false, Ordering::Relaxed) {
                rest = RESTS.0;
                tracing::warn!(%host, %error, "the messenger is lost: other nodes are told by the database");
            } else if rest == RESTS.0 {
                tracing::warn!(%host, %error, "the messenger cannot be reached");
            }
            tokio::select! {
                () = sleep(rest) => {}
                () = self.heard.closed() => return,
            }
            rest = (rest * 2).min(RESTS.1);
            // What waited is old by now.
            while waiting.try_recv().is_ok() {}
        }
    }

    /// Talks with one server until the connection is lost.
    async fn talk(
        &self,
        host: &str,
        waiting: &mut mpsc::Receiver<(String, String)>,
    ) -> io::Result<std::convert::Infallible> {
        let stream = in_time(TcpStream::connect(host)).await?;
        stream.set_nodelay(true)?;
        let (reader, mut writer) = stream.into_split();
        let mut reader = Reader {
            reader: BufReader::new(reader),
            line: Vec::new(),
        };
        let greeting = in_time(reader.line()).await?;
        let info: Info = match greeting.strip_prefix("INFO ") {
            Some(info) => serde_json::from_str(info)?,
            None => return Err(io::Error::other("this is no NATS server")),
        };
        if info.tls_required {
            return Err(io::Error::other(
                "it insists on TLS, which is not spoken here",
            ));
        }
        let hello = format!(
            "CONNECT {}\r\nSUB {}.> 1\r\nPING\r\n",
            self.hello(),
            self.root
        );
        in_time(writer.write_all(hello.as_bytes())).await?;
        loop {
            let line = in_time(reader.line()).await?;
            match line.as_str() {
                "PONG" => break,
                line if line.starts_with("-ERR") => return Err(io::Error::other(line.to_owned())),
                _ => {}
            }
        }
        self.is_up.store(true, Ordering::Relaxed);
        tracing::info!(%host, "the messenger is there");
        self.pass_on(Heard::Gap).await?;
        let (ping, pong) = (Notify::new(), Notify::new());
        tokio::select! {
            read = self.read(&mut reader, &ping, &pong) => read,
            written = write(&mut writer, waiting, info.max_payload, &ping, &pong) => written,
        }
    }

    fn hello(&self) -> serde_json::Value {
        let mut hello = json!({
            "verbose": false, "pedantic": false, "echo": false, "protocol": 1,
            "name": "touchmove", "lang": "rust", "version": env!("CARGO_PKG_VERSION"),
        });
        match &self.address.who {
            Who::Anybody => {}
            Who::Token(token) => hello["auth_token"] = token.as_str().into(),
            Who::User(user, password) => {
                hello["user"] = user.as_str().into();
                hello["pass"] = password.as_str().into();
            }
        }
        hello
    }

    async fn pass_on(&self, heard: Heard) -> io::Result<()> {
        let sent = self.heard.send(heard).await;
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    async fn read(
        &self,
        reader: &mut Reader,
        ping: &Notify,
        pong: &Notify,
    ) -> io::Result<std::convert::Infallible> {
        loop {
            let line = reader.line().await?;
            match line.split_once(' ').unwrap_or((line.as_str(), "")) {
                ("MSG", rest) => {
                    let size = rest.rsplit(' ').next().and_then(|size| size.parse().ok());
                    let size = size.filter(|&size: &usize| size <= LARGEST);
                    let size = size.ok_or_else(|| io::Error::other("a message without a size"))?;
                    if let Some(text) = reader.payload(size).await? {
                        self.pass_on(Heard::Message(text)).await?;
                    }
                }
                ("PING", _) => ping.notify_one(),
                ("PONG", _) => pong.notify_one(),
                ("-ERR", said) => return Err(io::Error::other(said.to_owned())),
                _ => {}
            }
        }
    }
}

struct Reader {
    reader: BufReader<OwnedReadHalf>,
    line: Vec<u8>,
}

impl Reader {
    /// The next line.
    async fn line(&mut self) -> io::Result<String> {
        self.line.clear();
        let mut bounded = (&mut self.reader).take(LARGEST as u64);
        bounded.read_until(b'\n', &mut self.line).await?;
        if self.line.pop() != Some(b'\n') {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let line = String::from_utf8_lossy(&self.line);
        Ok(line.trim_end().to_owned())
    }

    /// A message of this size; nothing if it is no text.
    async fn payload(&mut self, size: usize) -> io::Result<Option<String>> {
        let mut bytes = vec![0; size + 2];
        self.reader.read_exact(&mut bytes).await?;
        bytes.truncate(size);
        Ok(String::from_utf8(bytes).ok())
    }
}

/// Sends what waits, gathered; answers pings, and asks for pongs.
async fn write(
    writer: &mut OwnedWriteHalf,
    waiting: &mut mpsc::Receiver<(String, String)>,
    largest: usize,
    ping: &Notify,
    pong: &Notify,
) -> io::Result<std::convert::Infallible> {
    let mut ticks = interval(PING);
    ticks.tick().await;
    let mut is_asked = false;
    let mut text = String::new();
    loop {
        text.clear();
        tokio::select! {
            message = waiting.recv() => {
                let Some(message) = message else {
                    return Err(io::ErrorKind::BrokenPipe.into());
                };
                publish(&mut text, &message, largest);
                while text.len() < GATHERED
                    && let Ok(message) = waiting.try_recv()
                {
                    publish(&mut text, &message, largest);
                }
            }
            () = ping.notified() => text.push_str("PONG\r\n"),
            () = pong.notified() => is_asked = false,
            _ = ticks.tick() => {
                if is_asked {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                is_asked = true;
                text.push_str("PING\r\n");
            }
        }
        in_time(writer.write_all(text.as_bytes())).await?;
    }
}

/// A message as it is sent; what the server would not take is left out.
fn publish(text: &mut String, (subject, payload): &(String, String), largest: usize) {
    if payload.len() <= largest.min(LARGEST) {
        let size = payload.len().to_string();
        for part in ["PUB ", subject, " ", &size, "\r\n", payload, "\r\n"] {
            text.push_str(part);
        }
    }
}

async fn in_time<T>(deed: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    timeout(PATIENCE, deed)
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn addresses_are_read_and_shown_without_secrets() {
        for (text, shown) in [
            ("nats://127.0.0.1:4333", "127.0.0.1:4333"),
            ("nats://anna:se@same@one:1,two/", "one:1,two:4222"),
            ("nats://token@[::1]", "[::1]:4222"),
            ("nats://[::1]:99", "[::1]:99"),
        ] {
            let address: NatsAddress = text.parse().unwrap();
            assert_eq!(address.to_string(), shown);
            assert!(!format!("{address:?}").contains("same"));
        }
        for text in [
            "tls://one",
            "nats://",
            "nats://one:port",
            "nats://one,",
            "nats://:1",
            "nats://o ne",
        ] {
            assert_eq!(text.parse::<NatsAddress>(), Err(BadNatsAddress), "{text}");
        }
    }

    /// A server that says what it is told to, and gives back what it has heard.
    async fn serve(listener: &TcpListener, says: &str) -> (TcpStream, String) {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream
            .write_all(b"INFO {\"max_payload\":64}\r\n")
            .await
            .unwrap();
        let mut heard = vec![0; 4096];
        let size = stream.read(&mut heard).await.unwrap();
        stream
            .write_all(format!("PONG\r\n{says}").as_bytes())
            .await
            .unwrap();
        (stream, String::from_utf8(heard[..size].to_vec()).unwrap())
    }

    #[tokio::test]
    async fn a_lost_server_is_found_again_and_nonsense_ends_a_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("nats://anna:sesame@{}", listener.local_addr().unwrap());
        let (nats, mut heard) = Nats::connect(address.parse().unwrap(), "here");
        let says = "PING\r\nMSG here.house 1 5\r\nhello\r\nMSG here.x 1 r 2\r\n\u{e9}\r\n";
        let (mut stream, hello) = serve(&listener, says).await;
        assert!(hello.contains("\"user\":\"anna\"") && hello.contains("SUB here.> 1\r\n"));
        for expected in [
            Heard::Gap,
            Heard::Message("hello".to_owned()),
            Heard::Message("\u{e9}".to_owned()),
        ] {
            assert_eq!(heard.recv().await, Some(expected));
        }
        assert!(nats.is_up());
        nats.say("house", "x".repeat(65));
        nats.say("house", "word".to_owned());
        let mut told = String::new();
        while !(told.contains("PONG\r\n") && told.contains("PUB here.house 4\r\nword\r\n")) {
            let mut bytes = [0; 256];
            let size = stream.read(&mut bytes).await.unwrap();
            assert_ne!(size, 0, "{told}");
            told.push_str(std::str::from_utf8(&bytes[..size]).unwrap());
        }
        assert!(!told.contains("xx"));
        drop(stream);
        let (stream, _) = serve(&listener, "MSG here.house 1 many\r\n").await;
        assert_eq!(heard.recv().await, Some(Heard::Gap));
        let (_stream, _) = serve(&listener, "-ERR 'Slow'\r\n").await;
        drop(stream);
        assert_eq!(heard.recv().await, Some(Heard::Gap));
        let (_stream, _) = serve(&listener, "").await;
        assert_eq!(heard.recv().await, Some(Heard::Gap));
    }
}
