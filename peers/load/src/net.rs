//! The way to a server: plain TCP and a request at a time. On loopback everybody comes from an address of
//! his own, as people do: a server may count by address.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

/// How long anything may take that is no move.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Where a node is, and from which address somebody comes to it.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The node.
    pub to: SocketAddr,
    from: Option<IpAddr>,
}

/// What was answered to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: String,
}

impl Way {
    /// The way of somebody with this number.
    pub fn new(to: SocketAddr, number: usize) -> Way {
        let [high, low] = u16::try_from(number % 65_536).unwrap_or(0).to_be_bytes();
        let own = IpAddr::V4(Ipv4Addr::new(127, 1, high, low));
        Way {
            to,
            from: to.ip().is_loopback().then_some(own),
        }
    }

    /// A connection.
    pub async fn connect(&self) -> io::Result<TcpStream> {
        let socket = match self.to {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        self.connect_with(socket).await
    }

    /// The same with a socket that has settings of its own.
    pub async fn connect_with(&self, socket: TcpSocket) -> io::Result<TcpStream> {
        if let (Some(from), SocketAddr::V4(_)) = (self.from, self.to) {
            socket.bind(SocketAddr::new(from, 0))?;
        }
        let connecting = timeout(PATIENCE, socket.connect(self.to));
        let stream = connecting.await.map_err(io::Error::from)??;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// Asks over HTTP, with these lines in the head.
    pub async fn ask_with(
        &self,
        lines: &str,
        method: &str,
        path: &str,
        body: &[u8],
    ) -> anyhow::Result<Answer> {
        let asking = async {
            let mut stream = self.connect().await?;
            let head = format!(
                "{method} {path} HTTP/1.1\r\nHost: {}\r\n{lines}Content-Type: application/json\r\n\
                 Content-Length: {}\r\nConnection: close\r\n\r\n",
                self.to,
                body.len()
            );
            stream.write_all(head.as_bytes()).await?;
            // A server may answer before it has read everything, and close.
            let _ = stream.write_all(body).await;
            let mut answer = Vec::new();
            let read = stream.read_to_end(&mut answer).await;
            if answer.is_empty() {
                read?;
            }
            Ok::<Vec<u8>, io::Error>(answer)
        };
        let answer = timeout(PATIENCE, asking)
            .await
            .with_context(|| format!("{method} {path} was not answered"))??;
        let answer = String::from_utf8_lossy(&answer);
        let Some((head, body)) = answer.split_once("\r\n\r\n") else {
            bail!("{method} {path}: no answer");
        };
        let status = head.get(9..12).and_then(|digits| digits.parse().ok());
        Ok(Answer {
            status: status.with_context(|| format!("no status in {head:?}"))?,
            body: body.to_owned(),
        })
    }

    /// Asks over HTTP as somebody.
    pub async fn ask(
        &self,
        secret: &str,
        method: &str,
        path: &str,
        body: &str,
    ) -> anyhow::Result<Answer> {
        let lines = format!("Authorization: Bearer {secret}\r\n");
        self.ask_with(&lines, method, path, body.as_bytes()).await
    }
}
