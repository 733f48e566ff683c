//! NDJSON streams: one object per line, with an empty line now and then as a heartbeat. A failed send ends the
//! stream. On shutdown, streams are cut off without a proper end: many clients take a proper end for the end of the
//! game, and never reconnect. When the client's identity is revoked, a last line says so.

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

/// The longest silence of a stream.
pub(super) const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(7);
/// The lines that are queued for a slow client. Then the producer waits.
const STREAM_QUEUE_SIZE: usize = 8;

/// The media type of NDJSON.
pub(super) const NDJSON_CONTENT_TYPE: &str = "application/x-ndjson";

/// The client is gone, or its stream has ended.
pub(super) struct ClientGone;

/// The server shuts down: the stream is incomplete.
#[derive(Debug)]
pub(super) struct StreamAborted;

impl fmt::Display for StreamAborted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server closes")
    }
}

impl Error for StreamAborted {}

/// A line, or the abort of the stream.
pub(super) type NdjsonLine = Result<Bytes, StreamAborted>;

/// The writing end of a stream.
pub(super) struct NdjsonWriter {
    lines: mpsc::Sender<NdjsonLine>,
    /// When a line was last written.
    spoken: Instant,
    /// The identity of the client.
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

    /// Aborts the stream, so that the client knows that it is incomplete. A client that does not read is not waited
    /// for.
    pub(super) fn abort(&self) -> ClientGone {
        // If the queue is full or the client is gone, there is nothing to do.
        let _ = self.lines.try_send(Err(StreamAborted));
        ClientGone
    }

    /// Waits until a heartbeat line is due.
    pub(super) async fn keepalive_due(&self) {
        sleep_until(self.spoken + KEEPALIVE_INTERVAL).await;
    }

    /// Waits until the client is gone, or its identity is revoked.
    pub(super) async fn closed(&self) {
        tokio::select! {
            () = self.lines.closed() => {}
            () = self.connection.revoked() => drop(self.end_revoked()),
        }
    }

    /// Writes the last line of a stream whose identity was revoked.
    fn end_revoked(&self) -> ClientGone {
        if self.is_json {
            let last = revoked();
            // A client that does not read is not waited for.
            let _ = self.lines.try_send(Ok(format!("{last}\n").into()));
        }
        ClientGone
    }
}

/// The last object of a stream whose identity was revoked.
pub(super) fn revoked() -> Value {
    json!({ "type": "revoked", "error": REVOKED_REASON })
}

/// Opens a stream; returns its writer and the response.
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

/// A response of these lines, each sent as soon as it is there.
pub(super) fn answer(
    kind: &'static str,
    lines: impl Stream<Item = NdjsonLine> + Send + 'static,
) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        // Proxies must not buffer the stream.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, Body::from_stream(lines.fuse())).into_response()
}
