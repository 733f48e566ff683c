//! A connection that is read at a bounded speed. Whatever a client floods the server with (bodies that nobody reads,
//! pings, empty fragments of a WebSocket message that never ends), it costs one connection's share and no more.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// The most bytes that are read in one [`WINDOW`]: 1 MiB a second, where the largest request has 160 KiB.
const WINDOW_BYTES: usize = 64 * 1024;
/// How long so many bytes take at least. The time is looked at once in so many bytes, and so never for who plays.
const WINDOW: Duration = Duration::from_micros(62_500);

/// Such a connection.
#[derive(Debug)]
pub(crate) struct PacedStream<S> {
    stream: S,
    /// What was read since the window began.
    bytes: usize,
    began: Instant,
    /// Until when nothing is read.
    pause: Option<Pin<Box<Sleep>>>,
}

impl<S> PacedStream<S> {
    /// Reads this connection at a bounded speed from now on.
    pub(crate) fn new(stream: S) -> PacedStream<S> {
        PacedStream {
            stream,
            bytes: 0,
            began: Instant::now(),
            pause: None,
        }
    }

    fn count(&mut self, read: usize) {
        self.bytes += read;
        if self.bytes >= WINDOW_BYTES {
            let windows = u32::try_from(self.bytes / WINDOW_BYTES).unwrap_or(u32::MAX);
            let (now, end) = (Instant::now(), self.began + WINDOW * windows);
            if now < end {
                self.pause = Some(Box::pin(sleep_until(end)));
            }
            self.bytes %= WINDOW_BYTES;
            self.began = now.max(end);
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

    #[tokio::test(start_paused = true)]
    async fn a_flood_is_read_at_a_megabyte_a_second_and_a_request_at_once() {
        let (mut client, server) = duplex(256 * 1024);
        let mut server = PacedStream::new(server);
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
