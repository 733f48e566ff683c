//! Requests as bytes and what comes back, bounded in time and size. Only loopback is ever called.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use touchmove_load::net::{NodeAddress, split};

/// How long a whole request may take to be answered.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// How much of an answer is read.
const MAX_ANSWER_BYTES: usize = 4 << 20;

/// A request that can be sent, or spoiled first.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// All headers but `Host`, `Content-Length` and `Connection`.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// A request without headers and body.
    pub fn new(method: &str, path: &str) -> Request {
        Request {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    /// With one header more.
    pub fn header(mut self, name: &str, value: &str) -> Request {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With a body of this type.
    pub fn body(mut self, content_type: &str, body: impl Into<Vec<u8>>) -> Request {
        self.body = body.into();
        self.header("Content-Type", content_type)
    }

    /// With a body of JSON.
    pub fn json(self, body: &str) -> Request {
        self.body("application/json", body)
    }

    /// As somebody with a secret.
    pub fn bearer(self, secret: &str) -> Request {
        self.header("Authorization", &format!("Bearer {secret}"))
    }

    /// As if a proxy said that it comes from this address.
    pub fn from(self, address: &str) -> Request {
        self.header("X-Forwarded-For", address)
    }

    /// As it goes over the wire, the last on its connection.
    pub fn bytes(&self, host: &str) -> Vec<u8> {
        self.bytes_with(host, "Connection: close\r\n")
    }

    /// As it goes over the wire, with others to follow on its connection.
    pub fn kept_bytes(&self, host: &str) -> Vec<u8> {
        self.bytes_with(host, "")
    }

    fn bytes_with(&self, host: &str, connection: &str) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        if !self.headers.iter().any(|(name, _)| name == "Host") {
            head += &format!("Host: {host}\r\n");
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !self.body.is_empty() || self.method == "POST" {
            head += &format!("Content-Length: {}\r\n", self.body.len());
        }
        head += &format!("{connection}\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// Sends it on a connection of its own.
    pub async fn send(&self, way: &NodeAddress) -> Outcome {
        exchange(way, &self.bytes(&way.to.to_string()), PATIENCE).await
    }
}

/// What became of a request.
#[derive(Debug)]
pub enum Outcome {
    /// It was answered.
    Answer(Answer),
    /// The connection ended without an answer.
    Closed,
    /// Nothing came in time.
    Silent,
    /// Nobody listens.
    Unreachable(io::Error),
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The status line and the headers, in lower case.
    pub head: String,
    /// The body, as far as it was read.
    pub body: String,
}

impl Answer {
    /// All values of a header, which is named in lower case.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.head.lines().skip(1).filter_map(move |line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// A text of the answer's JSON.
    pub fn text(&self, key: &str) -> Option<String> {
        let value: serde_json::Value = serde_json::from_str(&self.body).ok()?;
        value.get(key)?.as_str().map(str::to_owned)
    }

    /// The cookies that it sets, as a browser sends them back.
    pub fn cookies(&self) -> String {
        let pairs = self.values("set-cookie");
        let pairs = pairs.filter_map(|cookie| cookie.split(';').next());
        let pairs: Vec<&str> = pairs.filter(|pair| !pair.ends_with('=')).collect();
        pairs.join("; ")
    }
}

impl Outcome {
    /// Whether somebody was there to answer.
    pub fn is_answer(&self) -> bool {
        matches!(self, Outcome::Answer(_))
    }

    /// The status, or none.
    pub fn status(&self) -> Option<u16> {
        match self {
            Outcome::Answer(answer) => Some(answer.status),
            _ => None,
        }
    }

    /// The answer, or why there is none.
    pub fn answer(self) -> anyhow::Result<Answer> {
        match self {
            Outcome::Answer(answer) => Ok(answer),
            other => anyhow::bail!("no answer: {other:?}"),
        }
    }

    /// The answer, if it is a success.
    pub fn success(self) -> anyhow::Result<Answer> {
        let answer = self.answer()?;
        match answer.status {
            200..=399 => Ok(answer),
            status => anyhow::bail!("{status} {}", answer.body),
        }
    }
}

/// A connection to loopback.
pub async fn connect(way: &NodeAddress) -> io::Result<TcpStream> {
    if !way.to.ip().is_loopback() {
        let only = "only loopback is attacked";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, only));
    }
    way.connect().await
}

/// Sends bytes on a connection of their own, and reads what comes back.
pub async fn exchange(way: &NodeAddress, bytes: &[u8], patience: Duration) -> Outcome {
    let mut stream = match connect(way).await {
        Ok(stream) => stream,
        Err(error) => return Outcome::Unreachable(error),
    };
    // A server may answer before it has read everything, and close.
    let _ = timeout(patience, stream.write_all(bytes)).await;
    read_answer(&mut stream, patience).await
}

/// Reads one answer: until its end, the end of the connection, or the end of patience.
pub async fn read_answer(stream: &mut TcpStream, patience: Duration) -> Outcome {
    let until = Instant::now() + patience;
    let mut read = Vec::new();
    let mut is_closed = false;
    while read.len() < MAX_ANSWER_BYTES && !is_whole(&read) {
        match timeout_at(until, stream.read_buf(&mut read)).await {
            Ok(Ok(0) | Err(_)) => {
                is_closed = true;
                break;
            }
            Ok(Ok(_)) => {}
            Err(_) => break,
        }
    }
    match parse(&read) {
        Some(answer) => Outcome::Answer(answer),
        None if is_closed => Outcome::Closed,
        None => Outcome::Silent,
    }
}

/// Reads answers one after another: so many, or until the connection ends or nothing comes for so long.
pub async fn read_answers(stream: &mut TcpStream, count: usize, patience: Duration) -> Vec<Answer> {
    let mut read = Vec::new();
    let mut answers = Vec::new();
    while answers.len() < count && read.len() < MAX_ANSWER_BYTES {
        match timeout(patience, stream.read_buf(&mut read)).await {
            Ok(Ok(1..)) => {}
            _ => break,
        }
        while let Some(length) = whole_length(&read) {
            let answer: Vec<u8> = read.drain(..length).collect();
            answers.extend(parse(&answer));
        }
    }
    answers
}

fn parse(read: &[u8]) -> Option<Answer> {
    let (head, body) = split(read)?;
    let status = head.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5));
    Some(Answer {
        status: status?.parse().ok()?,
        head,
        body: String::from_utf8_lossy(&body).into_owned(),
    })
}

/// Whether an answer is read whole, as far as its head says how long it is.
fn is_whole(read: &[u8]) -> bool {
    whole_length(read).is_some()
}

/// How long the first answer in these bytes is, if its head says so and it is there to its end.
fn whole_length(read: &[u8]) -> Option<usize> {
    let head_length = read.windows(4).position(|bytes| bytes == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&read[..head_length]).to_ascii_lowercase();
    // After an answer to HEAD, which has a length and no body, what is read here may be anything.
    let status = head.strip_prefix("http/1.")?.split(' ').nth(1)?;
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"));
    let body = &read[head_length..];
    let body_length = match length.and_then(|length| length.trim().parse::<usize>().ok()) {
        Some(length) => (body.len() >= length).then_some(length)?,
        None if head.contains("transfer-encoding: chunked") => {
            let last = b"0\r\n\r\n";
            body.windows(last.len()).position(|bytes| bytes == last)? + last.len()
        }
        None if ["204", "304"].contains(&status) => 0,
        None => return None,
    };
    Some(head_length + body_length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_whole_when_its_head_says_so() {
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\n"));
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na"));
        assert!(is_whole(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"));
        assert!(is_whole(
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"
        ));
    }

    #[test]
    fn answers_that_come_together_are_told_apart() {
        let two = b"HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na";
        let first = whole_length(two).expect("an answer");
        assert_eq!(whole_length(&two[first..]), Some(two.len() - first));
    }

    #[test]
    fn cookies_come_back_as_a_browser_sends_them() {
        let answer = parse(
            b"HTTP/1.1 201 Created\r\nset-cookie: a=1; Path=/\r\nSet-Cookie: gone=; Max-Age=0\r\n\r\n",
        );
        let answer = answer.expect("an answer");
        assert_eq!((answer.status, answer.cookies().as_str()), (201, "a=1"));
    }
}
