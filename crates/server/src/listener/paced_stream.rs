//! A connection that is read at a bounded rate. A client that floods the server (bodies that nobody reads, chunks of
//! one byte, pings, empty fragments of a WebSocket message that never ends) uses up only its own address's share,
//! over however many connections.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::security::{ClientAddress, PerClient};

/// The most bytes that are read in one window. The time is checked once per window, so players' connections never
/// check it.
pub(crate) const WINDOW_BYTES: usize = 64 * 1024;
/// The least time for so many bytes: 1 MiB a second, where the largest request has 160 KiB.
pub(crate) const WINDOW: Duration = Duration::from_micros(62_500);
/// The same for a WebSocket: 16 KiB a second, where a message is rarely longer than 100 bytes.
const SOCKET_WINDOW: Duration = Duration::from_secs(4);
/// What opening a connection counts as, in KiB.
const CONNECTION_KIB: u32 = 4;
/// The longest pause of a connection because of others from its address.
const MAX_SHARE_WAIT: Duration = Duration::from_secs(2);

/// What all connections of one address may send together.
#[derive(Clone, Debug)]
pub(crate) struct ReceiveShare {
    address: ClientAddress,
    /// In KiB.
    received: Arc<PerClient>,
}

impl ReceiveShare {
    pub(crate) const fn new(address: ClientAddress, received: Arc<PerClient>) -> ReceiveShare {
        ReceiveShare { address, received }
    }

    /// Counts received bytes, and returns how long to pause.
    fn count(&self, kib: u32) -> Duration {
        let wait = self.received.reserve(self.address, kib, MAX_SHARE_WAIT);
        wait.unwrap_or(MAX_SHARE_WAIT)
    }
}

/// A stream that is read at a bounded rate.
#[derive(Debug)]
pub(crate) struct PacedStream<S> {
    stream: S,
    /// Whether it has become a WebSocket.
    is_socket: Arc<AtomicBool>,
    /// The share of the address; none where the address is not counted.
    share: Option<ReceiveShare>,
    /// Bytes read since the window began.
    bytes: usize,
    began: Instant,
    /// The end of the current pause.
    pause: Option<Pin<Box<Sleep>>>,
}

impl<S> PacedStream<S> {
    /// Wraps a connection.
    pub(crate) fn new(
        stream: S,
        share: Option<ReceiveShare>,
        is_socket: Arc<AtomicBool>,
    ) -> PacedStream<S> {
        let mut paced = PacedStream {
            stream,
            is_socket,
            share,
            bytes: 0,
            began: Instant::now(),
            pause: None,
        };
        let now = paced.began;
        paced.pause_until(now, now + paced.count_shared(CONNECTION_KIB));
        paced
    }

    fn count(&mut self, read: usize) {
        self.bytes += read;
        if self.bytes >= WINDOW_BYTES {
            let windows = u32::try_from(self.bytes / WINDOW_BYTES).unwrap_or(u32::MAX);
            let window = match self.is_socket.load(Ordering::Relaxed) {
                true => SOCKET_WINDOW,
                false => WINDOW,
            };
            let (now, end) = (Instant::now(), self.began + window * windows);
            let shared = self.count_shared(windows.saturating_mul(WINDOW_BYTES as u32 / 1_024));
            self.pause_until(now, end.max(now + shared));
            self.bytes %= WINDOW_BYTES;
            self.began = now.max(end);
        }
    }

    /// Counts received bytes against the address's share.
    fn count_shared(&self, kib: u32) -> Duration {
        let share = self.share.as_ref();
        share.map_or(Duration::ZERO, |share| share.count(kib))
    }

    fn pause_until(&mut self, now: Instant, end: Instant) {
        if now < end {
            self.pause = Some(Box::pin(sleep_until(end)));
        }
    }
}

impl<S> Drop for PacedStream<S> {
    fn drop(&mut self) {
        // Small amounts over many connections add up.
        if let Ok(kib @ 1..) = u32::try_from(self.bytes / 1_024) {
            self.count_shared(kib);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.count(buffer.filled().len() - before);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;
    use crate::security::Rate;

    fn alone<S>(stream: S, is_socket: bool) -> PacedStream<S> {
        PacedStream::new(stream, None, Arc::new(AtomicBool::new(is_socket)))
    }

    /// How long a server takes to read so many available bytes.
    async fn time_to_read(mut server: impl AsyncRead + Unpin, mut bytes: usize) -> Duration {
        let begun = Instant::now();
        let mut buffer = [0; 16 * 1_024];
        while bytes > 0 {
            let part = bytes.min(buffer.len());
            server.read_exact(&mut buffer[..part]).await.unwrap();
            bytes -= part;
        }
        begun.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_over_a_websocket_is_read_slower() {
        let sent = vec![0; 256 * 1_024];
        let took = time_to_read(alone(sent.as_slice(), true), sent.len()).await;
        assert!(took >= SOCKET_WINDOW * 3, "{took:?}");
        assert!(took <= SOCKET_WINDOW * 4, "{took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn all_connections_of_an_address_share_what_they_may_send_and_others_do_not() {
        // 1 MiB at once, then 256 KiB a second.
        let rate = Rate::new(1_024, 256 * 60);
        let received = Arc::new(PerClient::new(rate, 8, 100));
        let from = |host: u8| {
            let address = ClientAddress::Known([192, 0, 2, host].into());
            ReceiveShare::new(address, Arc::clone(&received))
        };
        let sent = vec![0; 256 * 1_024];
        let connect = |host| PacedStream::new(sent.as_slice(), Some(from(host)), Arc::default());
        let flood: Vec<_> = (0..20).map(|_| connect(1)).collect();
        let flood = flood.into_iter().map(|one| time_to_read(one, sent.len()));
        let took = futures_util::future::join_all(flood).await;
        let longest = took.into_iter().max().unwrap();
        assert!(longest >= MAX_SHARE_WAIT, "{longest:?}");
        let other = time_to_read(connect(2), sent.len()).await;
        assert!(other <= WINDOW * 4, "{other:?}");
        // A new connection of the flooding client waits before it is read.
        assert!(connect(1).pause.is_some() && connect(2).pause.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_is_read_at_a_megabyte_a_second_and_a_request_at_once() {
        let (mut client, server) = duplex(256 * 1024);
        let mut server = alone(server, false);
        let begun = Instant::now();
        client.write_all(&[0; 1_000]).await.unwrap();
        server.read_exact(&mut [0; 1_000]).await.unwrap();
        assert_eq!(begun.elapsed(), Duration::ZERO);
        let flood = tokio::spawn(async move { client.write_all(&vec![0; 4 << 20]).await });
        let mut read = vec![0; 4 << 20];
        server.read_exact(&mut read).await.unwrap();
        flood.await.unwrap().unwrap();
        let took = begun.elapsed();
        assert!(took > Duration::from_millis(3_500), "{took:?}");
        assert!(took < Duration::from_millis(4_500), "{took:?}");
    }
}
