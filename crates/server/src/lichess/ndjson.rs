//! Streams of JSON, one object per line, with an empty line now and then to show that the connection
//! lives. What cannot be sent because the client is gone ends the stream. When the house closes, streams are
//! broken off: many clients take an end in good order for the end of the game, and never come back. When the
//! right of who reads has ended, a last line says so.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::live_connections::{Connection, REVOKED_REASON};

/// How long a stream is silent at most.
pub(super) const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(7);
/// What may wait for a client that reads slowly. What comes after that waits where it is made.
const STREAM_QUEUE_SIZE: usize = 8;

/// What JSON lines are called.
pub(super) const NDJSON_CONTENT_TYPE: &str = "application/x-ndjson";

/// The client is gone, or does not want more.
pub(super) struct ClientGone;

/// The house closes: there would have been more.
#[derive(Debug)]
pub(super) struct StreamAborted;

impl fmt::Display for StreamAborted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server closes")
    }
}

impl Error for StreamAborted {}

/// A line, or that there will be none.
pub(super) type NdjsonLine = Result<Bytes, StreamAborted>;

/// The end of a stream where objects go in.
pub(super) struct NdjsonWriter {
    lines: mpsc::Sender<NdjsonLine>,
    /// When something was written last.
    spoken: Instant,
    /// By what right the client reads.
    connection: Connection,
    /// Whether the lines are JSON.
    is_json: bool,
}

impl NdjsonWriter {
    /// Writes an object.
    pub(super) async fn write(&mut self, object: &Value) -> Result<(), ClientGone> {
        self.text(format!("{object}\n")).await
    }

    /// Writes an empty line.
    pub(super) async fn blank(&mut self) -> Result<(), ClientGone> {
        self.text("\n".to_owned()).await
    }

    /// Writes text as it is.
    pub(super) async fn text(&mut self, text: String) -> Result<(), ClientGone> {
        let line = Ok(text.into());
        tokio::select! {
            biased;
            () = self.connection.revoked() => return Err(self.end_revoked()),
            sent = self.lines.send(line) => sent.map_err(|_| ClientGone)?,
        }
        self.spoken = Instant::now();
        Ok(())
    }

    /// Breaks the stream off, so that the client knows that it has not heard everything. Whoever does not
    /// read is not waited for.
    pub(super) fn abort(&self) -> ClientGone {
        // Where there is no room, or nobody, there is nothing to be said.
        let _ = self.lines.try_send(Err(StreamAborted));
        ClientGone
    }

    /// Waits until the stream has been silent for as long as it may be.
    pub(super) async fn keepalive_due(&self) {
        sleep_until(self.spoken + KEEPALIVE_INTERVAL).await;
    }

    /// Waits until the client is gone, or may not read on.
    pub(super) async fn closed(&self) {
        tokio::select! {
            () = self.lines.closed() => {}
            () = self.connection.revoked() => drop(self.end_revoked()),
        }
    }

    /// Says why the stream ends whose reader's right has ended.
    fn end_revoked(&self) -> ClientGone {
        if self.is_json {
            let last = revoked();
            // Whoever does not read is not waited for.
            let _ = self.lines.try_send(Ok(format!("{last}\n").into()));
        }
        ClientGone
    }
}

/// The last object of a stream whose reader's right has ended.
pub(super) fn revoked() -> Value {
    json!({ "type": "revoked", "error": REVOKED_REASON })
}

/// A stream, and the answer that it is.
pub(super) fn open(kind: &'static str, connection: Connection) -> (NdjsonWriter, Response) {
    let (lines, waiting) = mpsc::channel(STREAM_QUEUE_SIZE);
    let body = stream::unfold(waiting, |mut waiting| async move {
        let line: NdjsonLine = waiting.recv().await?;
        Some((line, waiting))
    });
    let pen = NdjsonWriter {
        lines,
        spoken: Instant::now(),
        connection,
        is_json: kind == NDJSON_CONTENT_TYPE,
    };
    (pen, answer(kind, body))
}

/// The answer that consists of these lines, each sent as soon as it is there.
pub(super) fn answer(
    kind: &'static str,
    lines: impl Stream<Item = NdjsonLine> + Send + 'static,
) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        // Proxies must not gather what is meant to come at once.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, Body::from_stream(lines.fuse())).into_response()
}
