//! Finds where each request on a connection begins, for the one check that hyper cannot do: a chunked request with a
//! `Content-Length` as well is a way to smuggle requests past a proxy and must be refused (RFC 9112, 6.1), but hyper
//! drops that header before handlers see it. Nothing is parsed twice: hyper says which requests there are and how
//! long their bodies are, and whatever hyper refuses ends the connection.

use axum::http::{HeaderMap, Method, Request, header};

/// The most bytes that are buffered until hyper has parsed them: more than it reads ahead.
const MAX_UNREAD_BYTES: usize = 64 * 1024;

/// The bytes read from a connection, split into requests.
#[derive(Debug, Default)]
pub(crate) struct RequestFraming {
    /// What is still to come of the current request.
    body: Body,
    /// What was read after that: the next request begins here.
    unread: Vec<u8>,
}

/// The rest of a request.
#[derive(Debug, Default)]
enum Body {
    #[default]
    Nothing,
    Bytes(u64),
    /// So many bytes of a chunk and of the end of the line after it, and further chunks.
    Chunk(u64),
    ChunkLine(ChunkLine),
    /// The connection is a WebSocket, or request boundaries are lost.
    Unbounded,
}

/// The state of the parser between the chunks of a body.
#[derive(Clone, Copy, Debug)]
enum ChunkLine {
    /// In the hexadecimal size of a chunk, with its value so far.
    Size(u64),
    /// In the rest of that line, after the digits.
    Extension(u64),
    /// At the last byte of that line.
    SizeEnd(u64),
    /// In a line after the last chunk.
    Trailer { is_empty: bool },
    /// At the last byte of such a line.
    TrailerEnd { is_empty: bool },
}

impl RequestFraming {
    /// Records bytes that were read from the connection.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        let rest = self.body.skip(bytes);
        if self.unread.len() + rest.len() > MAX_UNREAD_BYTES {
            self.stop();
        } else {
            self.unread.extend_from_slice(rest);
        }
    }

    /// Records that hyper has read the head of the next request. Returns whether it may be served: a chunked request
    /// may if its head is known to have no `Content-Length`.
    pub(crate) fn begin_request<B>(&mut self, request: &Request<B>) -> bool {
        let is_chunked = request.headers().contains_key(header::TRANSFER_ENCODING);
        let unread = std::mem::take(&mut self.unread);
        let (Body::Nothing, Some((head, rest))) =
            (&self.body, split_head(&unread, request.method()))
        else {
            self.stop();
            return !is_chunked;
        };
        self.body = Body::of(request.headers());
        self.read(rest);
        !(is_chunked && has_content_length(head))
    }

    /// Stops following requests.
    pub(crate) fn stop(&mut self) {
        self.body = Body::Unbounded;
        self.unread = Vec::new();
    }
}

/// Splits off the head of a request with this method, which hyper has accepted.
fn split_head<'a>(bytes: &'a [u8], method: &Method) -> Option<(&'a [u8], &'a [u8])> {
    let blank = bytes.iter().take_while(|byte| b"\r\n".contains(byte));
    let bytes = &bytes[blank.count()..];
    let after_method = bytes.strip_prefix(method.as_str().as_bytes())?;
    if !after_method.starts_with(b" ") {
        return None;
    }
    let mut length = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        length += line.len();
        if line == b"\r\n" || line == b"\n" {
            return Some(bytes.split_at(length));
        }
    }
    None
}

fn has_content_length(head: &[u8]) -> bool {
    head.split(|&byte| byte == b'\n').any(|line| {
        line.split(|&byte| byte == b':').next().is_some_and(|name| {
            name.eq_ignore_ascii_case(header::CONTENT_LENGTH.as_str().as_bytes())
        })
    })
}

impl Body {
    /// The body of a request that hyper has accepted with these headers.
    fn of(headers: &HeaderMap) -> Body {
        if headers.contains_key(header::TRANSFER_ENCODING) {
            return Body::ChunkLine(ChunkLine::Size(0));
        }
        match headers.get(header::CONTENT_LENGTH) {
            None => Body::Nothing,
            Some(length) => match length.to_str().map(str::parse) {
                Ok(Ok(0)) => Body::Nothing,
                Ok(Ok(length)) => Body::Bytes(length),
                _ => Body::Unbounded,
            },
        }
    }

    /// Skips the bytes that belong to the body; returns the rest.
    fn skip<'a>(&mut self, mut bytes: &'a [u8]) -> &'a [u8] {
        while !bytes.is_empty() {
            match self {
                Body::Nothing => break,
                Body::Unbounded => return &[],
                Body::Bytes(left) => {
                    if skip_bytes(left, &mut bytes) {
                        *self = Body::Nothing;
                    }
                }
                Body::Chunk(left) => {
                    if skip_bytes(left, &mut bytes) {
                        *self = Body::ChunkLine(ChunkLine::Size(0));
                    }
                }
                Body::ChunkLine(line) => {
                    *self = line.after(bytes[0]);
                    bytes = &bytes[1..];
                }
            }
        }
        bytes
    }
}

/// Skips as many bytes as are left; returns whether none is left.
fn skip_bytes(left: &mut u64, bytes: &mut &[u8]) -> bool {
    let count = usize::try_from(*left).map_or(bytes.len(), |left| left.min(bytes.len()));
    *bytes = &bytes[count..];
    *left -= count as u64;
    *left == 0
}

impl ChunkLine {
    /// The state after this byte, parsed as hyper does: lines end with CR LF, or hyper refuses them.
    fn after(self, byte: u8) -> Body {
        Body::ChunkLine(match (self, byte) {
            (ChunkLine::Size(size) | ChunkLine::Extension(size), b'\r') => ChunkLine::SizeEnd(size),
            (ChunkLine::Size(size), _) => match char::from(byte).to_digit(16) {
                Some(digit) => {
                    ChunkLine::Size(size.saturating_mul(16).saturating_add(digit.into()))
                }
                None => ChunkLine::Extension(size),
            },
            (ChunkLine::Extension(size), _) => ChunkLine::Extension(size),
            (ChunkLine::SizeEnd(0), _) => ChunkLine::Trailer { is_empty: true },
            (ChunkLine::SizeEnd(size), _) => return Body::Chunk(size.saturating_add(2)),
            (ChunkLine::Trailer { is_empty }, b'\r') => ChunkLine::TrailerEnd { is_empty },
            (ChunkLine::Trailer { .. }, _) => ChunkLine::Trailer { is_empty: false },
            (ChunkLine::TrailerEnd { is_empty: false }, _) => ChunkLine::Trailer { is_empty: true },
            (ChunkLine::TrailerEnd { is_empty: true }, _) => return Body::Nothing,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request with these lines in its head and this body.
    fn request(lines: &str, body: &str) -> String {
        format!("POST /v1/me HTTP/1.1\r\nHost: a\r\n{lines}\r\n{body}")
    }

    /// The request as hyper parses it.
    fn told(lines: &str) -> Request<()> {
        let mut told = Request::post("/v1/me");
        let is_chunked = lines.to_ascii_lowercase().contains("transfer-encoding:");
        for line in lines.lines() {
            let (name, value) = line.split_once(": ").unwrap();
            if !(is_chunked && name.eq_ignore_ascii_case("content-length")) {
                told = told.header(name, value);
            }
        }
        told.body(()).unwrap()
    }

    const CHUNKED: &str = "Transfer-Encoding: chunked\r\n";
    const CHUNKS: &str = "2;x=y\r\n{}\r\n0\r\n\r\n";

    #[test]
    fn two_lengths_are_seen_in_either_order() {
        for (lines, may_pass) in [
            ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", false),
            (
                "transfer-encoding: chunked\r\nX: y\r\ncontent-length: 5\r\n",
                false,
            ),
            (CHUNKED, true),
            ("Content-Length: 5\r\n", true),
            (
                "X-Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                true,
            ),
        ] {
            let mut framing = RequestFraming::default();
            framing.read(request(lines, CHUNKS).as_bytes());
            assert_eq!(framing.begin_request(&told(lines)), may_pass, "{lines}");
        }
    }

    #[test]
    fn a_chunked_request_that_was_not_seen_is_refused() {
        let mut framing = RequestFraming::default();
        assert!(!framing.begin_request(&told(CHUNKED)));
        let mut framing = RequestFraming::default();
        framing.read(b"GET / HTTP/1.1\r\n\r\n");
        assert!(!framing.begin_request(&told(CHUNKED)));
        framing.read(request(CHUNKED, CHUNKS).as_bytes());
        assert!(!framing.begin_request(&told(CHUNKED)));
        assert!(framing.begin_request(&told("")));
    }

    #[test]
    fn what_hyper_does_not_ask_for_is_not_kept_without_end() {
        let mut framing = RequestFraming::default();
        for _ in 0..100 {
            framing.read(&[b'x'; 10_000]);
        }
        assert!(framing.unread.capacity() <= 2 * MAX_UNREAD_BYTES);
        framing.stop();
        framing.read(&[b'x'; 10_000]);
        assert!(framing.unread.is_empty());
    }

    /// Heads and bodies that hyper accepts, among them bodies that look like heads and trailers that look like the
    /// end of a body; and whether the request has one length.
    fn requests() -> Vec<(&'static str, String, bool)> {
        let two = "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n";
        let tricky = "POST /v1/me HTTP/1.1\r\nContent-Length: 0\n\n";
        let size = tricky.len();
        vec![
            ("", String::new(), true),
            ("Content-Length: 0\r\n", String::new(), true),
            (
                "Content-Length: 42\r\n",
                "Transfer-Encoding: x\r\nContent-Length: 1\r\n\r".to_owned(),
                true,
            ),
            (
                CHUNKED,
                format!(
                    "{size:x} \r\n{tricky}\r\n1\r\n0\r\n00\r\nX: y\n\r\nContent-Length: 1\r\n\r\n"
                ),
                true,
            ),
            (CHUNKED, CHUNKS.to_owned(), true),
            (two, CHUNKS.to_owned(), false),
        ]
    }

    #[test]
    fn each_request_is_found_however_its_bytes_come() {
        for (piece, blank) in (1..200).zip(["", "\r\n", "\n"].into_iter().cycle()) {
            let mut bytes = Vec::new();
            let mut heads = Vec::new();
            let all = requests();
            for (lines, body, may_pass) in all.iter().chain(all.iter().rev()) {
                bytes.extend_from_slice(blank.as_bytes());
                let end_of_head = bytes.len() + request(lines, "").len();
                heads.push((end_of_head, told(lines), *may_pass));
                bytes.extend_from_slice(request(lines, body).as_bytes());
            }
            let mut framing = RequestFraming::default();
            let mut heads = heads.into_iter().peekable();
            let mut read = 0;
            for bytes in bytes.chunks(piece) {
                framing.read(bytes);
                read += bytes.len();
                while let Some((_, told, may_pass)) = heads.next_if(|head| head.0 <= read) {
                    assert_eq!(framing.begin_request(&told), may_pass, "{read}");
                }
            }
            assert!(heads.next().is_none());
            assert!(matches!(framing.body, Body::Nothing) && framing.unread.is_empty());
        }
    }
}
