//! The least of a WebSocket that a client needs. Frames are masked with zeros, which costs nothing here and
//! the server as much as any other mask.

use std::io;

use anyhow::{Context, bail};
use bytes::{Buf as _, Bytes, BytesMut};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::net::{NodeAddress, REQUEST_TIMEOUT};

/// The kinds of frames that are spoken of.
const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// An open WebSocket.
pub struct Socket {
    stream: TcpStream,
    unread: BytesMut,
}

impl Socket {
    /// Opens one as somebody, or as nobody.
    pub async fn open(
        way: &NodeAddress,
        path: &str,
        secret: Option<&str>,
    ) -> anyhow::Result<Socket> {
        let lines = match secret {
            Some(secret) => format!("Authorization: Bearer {secret}\r\n"),
            None => String::new(),
        };
        Socket::open_with(way.connect().await?, path, &lines).await
    }

    /// Opens one on a connection, with these lines in the head.
    pub async fn open_with(
        mut stream: TcpStream,
        path: &str,
        lines: &str,
    ) -> anyhow::Result<Socket> {
        let host = stream.peer_addr()?;
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\n{lines}Connection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dG91Y2htb3ZlIGlzIGZhaQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await?;
        let mut unread = BytesMut::with_capacity(4096);
        let end = loop {
            let read = timeout(REQUEST_TIMEOUT, stream.read_buf(&mut unread))
                .await
                .context("a WebSocket was not opened in time")??;
            if let Some(end) = memchr::memmem::find(&unread, b"\r\n\r\n") {
                break end;
            }
            if read == 0 {
                bail!("the connection ended before it became a WebSocket");
            }
        };
        if !unread.starts_with(b"HTTP/1.1 101") {
            let answer = String::from_utf8_lossy(&unread);
            bail!("no WebSocket: {}", answer.replace("\r\n", " "));
        }
        unread.advance(end + 4);
        Ok(Socket { stream, unread })
    }

    /// The next text. Pings are answered on the way. May be dropped while it waits: nothing is lost.
    pub async fn receive(&mut self) -> io::Result<Bytes> {
        loop {
            while let Some((kind, payload)) = self.frame()? {
                match kind {
                    TEXT => return Ok(payload),
                    PING => {
                        // What does not fit into the system's buffer is not worth waiting for.
                        let _ = self.stream.try_write(&framed(PONG, &payload));
                    }
                    CLOSE => {
                        let code = payload
                            .get(..2)
                            .map_or(0, |code| u16::from_be_bytes([code[0], code[1]]));
                        let why = String::from_utf8_lossy(payload.get(2..).unwrap_or_default());
                        let text = format!("closed with {code} {why}");
                        return Err(io::Error::new(io::ErrorKind::ConnectionAborted, text));
                    }
                    _ => {}
                }
            }
            self.unread.reserve(2048);
            if self.stream.read_buf(&mut self.unread).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Says something.
    pub async fn send(&mut self, text: &str) -> io::Result<()> {
        self.stream.write_all(&framed(TEXT, text.as_bytes())).await
    }

    /// Sends bytes as they are, frames or not.
    pub async fn send_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Breaks the connection off, so that the other end is told by a reset.
    pub fn reset(self) -> io::Result<()> {
        self.stream.set_zero_linger()
    }

    /// Takes a whole frame out of what was read.
    fn frame(&mut self) -> io::Result<Option<(u8, Bytes)>> {
        let &[first, second, ..] = self.unread.as_ref() else {
            return Ok(None);
        };
        let (head, length) = match second {
            0..=125 => (2, usize::from(second)),
            126 => match self.unread.get(2..4) {
                Some(length) => (4, usize::from(u16::from_be_bytes([length[0], length[1]]))),
                None => return Ok(None),
            },
            127 => match self.unread.get(2..10) {
                Some(length) => {
                    let mut bytes = [0; 8];
                    bytes.copy_from_slice(length);
                    let length = usize::try_from(u64::from_be_bytes(bytes));
                    (10, length.map_err(io::Error::other)?)
                }
                None => return Ok(None),
            },
            _ => return Err(io::Error::other("the server's frames are not masked")),
        };
        if first & 0x80 == 0 {
            return Err(io::Error::other("the server's messages are one frame each"));
        }
        if self.unread.len() < head + length {
            return Ok(None);
        }
        self.unread.advance(head);
        Ok(Some((first & 0x0f, self.unread.split_to(length).freeze())))
    }
}

/// A whole text frame, for those who send it in pieces or spoil it.
pub fn text_frame(payload: &[u8]) -> Vec<u8> {
    framed(TEXT, payload)
}

fn framed(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(payload.len() + 14);
    frame.push(0x80 | kind);
    match payload.len() {
        length @ 0..=125 => frame.push(0x80 | length as u8),
        length @ 126..=0xffff => {
            frame.push(0x80 | 126);
            frame.extend_from_slice(&(length as u16).to_be_bytes());
        }
        length => {
            frame.push(0x80 | 127);
            frame.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(&[0; 4]);
    frame.extend_from_slice(payload);
    frame
}
