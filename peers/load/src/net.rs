//! The way to a server: plain TCP and a request at a time. On loopback everybody comes from an address of
//! his own, as people do: a server may count by address.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, bail};
use memchr::memmem;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

/// How long anything may take that is no move.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// Where a node is, and from which address somebody comes to it.
#[derive(Clone, Copy, Debug)]
pub struct NodeAddress {
    /// The node.
    pub to: SocketAddr,
    from: Option<IpAddr>,
}

/// What was answered to a request.
#[derive(Clone, Debug)]
pub struct HttpResponse {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: String,
    /// The first cookie that it sets, as a name and a value.
    pub cookie: Option<String>,
}

impl NodeAddress {
    /// The way of somebody with this number.
    pub fn new(to: SocketAddr, number: usize) -> NodeAddress {
        let [high, low] = u16::try_from(number % 65_536).unwrap_or(0).to_be_bytes();
        let own = IpAddr::V4(Ipv4Addr::new(127, 1, high, low));
        NodeAddress {
            to,
            from: to.ip().is_loopback().then_some(own),
        }
    }

    /// The way of somebody who comes from the system's own address, as a proxy does.
    pub fn from_loopback(to: SocketAddr) -> NodeAddress {
        NodeAddress { to, from: None }
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
        let connecting = timeout(REQUEST_TIMEOUT, socket.connect(self.to));
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
    ) -> anyhow::Result<HttpResponse> {
        let asking = async {
            let mut stream = self.connect().await?;
            // In this version the end of the answer is the end of the connection: long ones come in no chunks.
            let head = format!(
                "{method} {path} HTTP/1.0\r\nHost: {}\r\n{lines}Content-Type: application/json\r\n\
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
        let answer = timeout(REQUEST_TIMEOUT, asking)
            .await
            .with_context(|| format!("{method} {path} was not answered"))??;
        let Some((head, body)) = split(&answer) else {
            bail!("{method} {path}: no answer");
        };
        let status = head.get(9..12).and_then(|digits| digits.parse().ok());
        let cookie = head
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "))
            .and_then(|cookie| cookie.split(';').next());
        Ok(HttpResponse {
            status: status.with_context(|| format!("no status in {head:?}"))?,
            body: String::from_utf8_lossy(&body).into_owned(),
            cookie: cookie.map(str::to_owned),
        })
    }

    /// Asks over HTTP as somebody.
    pub async fn ask(
        &self,
        secret: &str,
        method: &str,
        path: &str,
        body: &str,
    ) -> anyhow::Result<HttpResponse> {
        let lines = format!("Authorization: Bearer {secret}\r\n");
        self.ask_with(&lines, method, path, body.as_bytes()).await
    }
}

/// The head and the body of an answer; a body in chunks is put together.
pub fn split(answer: &[u8]) -> Option<(String, Vec<u8>)> {
    let end = memmem::find(answer, b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let body = &answer[end + 4..];
    let is_chunked = head
        .to_ascii_lowercase()
        .contains("\r\ntransfer-encoding: chunked");
    let body = match is_chunked {
        true => joined(body),
        false => body.to_owned(),
    };
    Some((head, body))
}

/// What is in the chunks, as far as they have come.
fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(line) = memmem::find(chunks, b"\r\n") {
        let size = String::from_utf8_lossy(&chunks[..line]);
        let size = usize::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16);
        let rest = &chunks[line + 2..];
        match size {
            Ok(size @ 1..) => {
                body.extend_from_slice(&rest[..size.min(rest.len())]);
                chunks = rest.get(size + 2..).unwrap_or_default();
            }
            _ => break,
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_in_chunks_is_put_together() {
        let answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        let (head, body) = split(answer).expect("an answer");
        assert!(head.starts_with("HTTP/1.1 200"));
        assert_eq!(body, b"abcde");
        let (_, body) = split(b"HTTP/1.1 200 OK\r\n\r\nplain").expect("an answer");
        assert_eq!(body, b"plain");
    }
}
