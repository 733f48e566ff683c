//! A stream with a timeout for writing: it fails when the peer has not read anything for too long.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// A stream with a write timeout. The timer runs only while a write is blocked: a client that is sent nothing may
/// stay idle as long as it likes.
#[derive(Debug)]
pub struct WriteTimeout<S> {
    stream: S,
    timeout: Duration,
    /// The timer, created when a write blocks for the first time, which most streams never see.
    alarm: Option<Pin<Box<Sleep>>>,
    is_waiting: bool,
}

impl<S> WriteTimeout<S> {
    /// Wraps a stream.
    pub const fn new(stream: S, timeout: Duration) -> WriteTimeout<S> {
        WriteTimeout {
            stream,
            timeout,
            alarm: None,
            is_waiting: false,
        }
    }

    /// Passes on the result of a write, or fails if writes have been blocked for too long.
    fn watch<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.is_waiting = false;
            return written;
        }
        let deadline = Instant::now() + self.timeout;
        let alarm = self
            .alarm
            .get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if !self.is_waiting {
            self.is_waiting = true;
            alarm.as_mut().reset(deadline);
        }
        ready!(alarm.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_flush(context) {
            Poll::Pending => self.watch(context, Poll::Pending),
            // Flushing a socket does nothing, so its success says nothing about blocked writes.
            flushed => flushed,
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watch(context, closed)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(25);

    #[tokio::test(start_paused = true)]
    async fn who_never_reads_is_let_go() {
        let (ours, _theirs) = duplex(64);
        let mut stream = WriteTimeout::new(ours, TIMEOUT);
        let begun = Instant::now();
        let error = stream.write_all(&[0; 1_000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begun.elapsed() >= TIMEOUT && begun.elapsed() < TIMEOUT * 2);
    }

    #[tokio::test(start_paused = true)]
    async fn who_reads_slowly_or_has_nothing_to_read_stays() {
        let (ours, mut theirs) = duplex(64);
        let mut stream = WriteTimeout::new(ours, TIMEOUT);
        stream.write_all(b"hello").await.unwrap();
        tokio::time::sleep(TIMEOUT * 100).await;
        let reading = tokio::spawn(async move {
            let mut read = 0;
            let mut buffer = [0; 64];
            while read < 1_005 {
                tokio::time::sleep(TIMEOUT / 2).await;
                read += theirs.read(&mut buffer).await.unwrap();
            }
        });
        stream.write_all(&[0; 1_000]).await.unwrap();
        reading.await.unwrap();
    }
}
