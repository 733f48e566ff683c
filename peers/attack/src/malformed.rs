//! Random malformed HTTP: valid requests to every route, spoiled in one to four places.

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::task::JoinSet;
use touchmove_load::net::NodeAddress;

use crate::report::Report;
use crate::target::Target;
use crate::wire::{Outcome, Request, connect, read_answers};
use crate::{Plan, accounts, bodies, payload};

/// Connections at once.
const AT_ONCE: usize = 48;
/// How long an answer to something that may not be a whole request is waited for.
const GLANCE: Duration = Duration::from_millis(120);

/// Values that headers should not have.
const HEADERS: &[&str] = &[
    "Content-Length: -1\r\n",
    "Content-Length: +5\r\n",
    "Content-Length: 99999999999999999999999\r\n",
    "Content-Length: 5\r\nContent-Length: 6\r\n",
    "Content-Length: 0x10\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: xchunked\r\n",
    "Transfer-Encoding: chunked, identity\r\n",
    "Transfer-Encoding : chunked\r\n",
    "Host: evil.example\r\n",
    "Host: a, b\r\n",
    "Host:\r\n",
    "Host: [::1\r\n",
    "Host: \x7f\r\n",
    " folded: header\r\n",
    "NoColonAtAll\r\n",
    ": no name\r\n",
    "Na me: x\r\n",
    "X: \0\r\n",
    "Expect: 100-continue\r\n",
    "Expect: the spanish inquisition\r\n",
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n",
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: =\r\nSec-WebSocket-Version: 99\r\n",
    "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
    "Range: bytes=0-,1-,2-,3-\r\n",
    "If-None-Match: \"\"\"\"\r\n",
    "Accept-Encoding: gzip;q=99, *;q=-1\r\n",
    "Accept: \r\n",
    "Content-Type: application/json; charset=utf-7\r\n",
    "Content-Type: ;;;;\r\n",
    "Content-Encoding: gzip\r\n",
    "Authorization: Bearer\r\n",
    "Authorization: Basic ====\r\n",
    "Authorization: Bearer \u{80}\u{ff}\r\n",
    "Cookie: touchmove\r\nCookie: touchmove=;;;=\r\n",
    "Origin: null\r\n",
    "Origin: \r\n",
    "X-Forwarded-For: ,,,,\r\n",
    "X-Forwarded-For: 999.1.1.1, [::], unknown, _hidden:1\r\n",
    "Forwarded: for=\"[::1\";;;by=\r\n",
    "Connection: close, keep-alive, Host, Content-Length\r\n",
    "Keep-Alive: timeout=-1\r\n",
    "Trailer: Content-Length\r\n",
];

/// Methods, targets and versions that are odd.
const TARGETS: &[&str] = &[
    "*",
    "/",
    "//",
    "/%",
    "/%00",
    "/..;/",
    "/../../../etc/passwd",
    "/%2e%2e/%2e%2e",
    "http://evil.example/v1/tables",
    "https://",
    "evil.example:443",
    "/v1/tables?\u{0}",
    "/v1/tables#fragment",
    "/v1//tables///",
    "/\\evil",
    "?",
    "",
];
const METHODS: &[&str] = &[
    "get", "GETGET", "HEAD", "PUT", "PATCH", "TRACE", "CONNECT", "OPTIONS", "PRI", "M-SEARCH", "",
    "\u{fffd}",
];
const VERSIONS: &[&str] = &[
    "HTTP/0.9",
    "HTTP/1.0",
    "HTTP/1.2",
    "HTTP/2.0",
    "HTTP/9.9",
    "http/1.1",
    "",
    "HTTP/1.1 HTTP/1.1",
];
/// Bodies in pieces that are wrong.
const CHUNKS: &[&str] = &[
    "0\r\n\r\n",
    "5\r\nab\r\n0\r\n\r\n",
    "ffffffffffffffff\r\na\r\n0\r\n\r\n",
    "-1\r\na\r\n",
    "5;ext=\"\r\nabcde\r\n0\r\n\r\n",
    "5\nabcde\n0\n\n",
    "0\r\nContent-Length: 5\r\nHost: evil\r\n\r\n",
    "g\r\n",
    " 5\r\nabcde\r\n0\r\n\r\n",
];

/// Sends them, so many at once.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let mut target = Target::start(
        plan,
        "malformed",
        &["--registration", "open", "--trusted-proxy", "127.0.0.1"],
    )
    .await?;
    let game = accounts::table(&target, 0).await?;
    let mut random = fastrand::Rng::with_seed(plan.seed);
    let maker = Maker {
        plan,
        way: target.proxy(),
        cookies: accounts::register(&target.way(1), "Bodies").await?.cookies,
        game,
        bodies: payload::bodies(),
    };
    let (mut sent, mut answered, mut granted) = (0, 0, 0);
    while sent < plan.requests {
        let batch: Vec<Vec<u8>> = (0..AT_ONCE * 4).map(|_| maker.make(&mut random)).collect();
        let mut is_reached = true;
        for some in batch.chunks(AT_ONCE) {
            let mut sending = JoinSet::new();
            for bytes in some {
                let (way, bytes, slowly) = (maker.way, bytes.clone(), random.u8(..) < 8);
                sending.spawn_local(async move {
                    let outcomes = send(&way, &bytes, slowly).await;
                    (bytes, outcomes)
                });
            }
            let sent = sending.join_all().await;
            let mut outcomes = sent.iter().flat_map(|(_, outcomes)| outcomes);
            is_reached &= outcomes.all(|outcome| !matches!(outcome, Outcome::Unreachable(_)));
            for (bytes, outcomes) in sent.iter().filter(|_| is_reached) {
                for outcome in outcomes {
                    answered += usize::from(outcome.is_answer());
                    granted += usize::from(matches!(outcome.status(), Some(200..=299)));
                    Target::judge(report, outcome, bytes, true);
                }
            }
        }
        sent += batch.len();
        report.count(batch.len());
        if !target.is_alive(is_reached).await {
            target.check(report, true, b"one of a batch:").await?;
            for bytes in &batch {
                let outcomes = send(&maker.way, bytes, false).await;
                let is_answered = outcomes.iter().any(Outcome::is_answer);
                target.check(report, is_answered, bytes).await?;
            }
        }
    }
    report.note(format!(
        "{sent} connections: {answered} answers, {granted} of them granted something"
    ));
    // What is spoiled a little only still means something: who refuses everything at once has read nothing.
    report.must(answered * 4 > sent && granted * 50 > sent, || {
        format!("{answered} answers to {sent} connections, of which {granted} granted something")
    });
    target.finish(report).await
}

/// Sends bytes, some of them in pieces, and looks for answers: there may be several requests in them.
async fn send(way: &NodeAddress, bytes: &[u8], slowly: bool) -> Vec<Outcome> {
    let mut stream = match connect(way).await {
        Ok(stream) => stream,
        Err(error) => return vec![Outcome::Unreachable(error)],
    };
    let pieces = if slowly { 3 } else { 1 };
    for piece in bytes.chunks(bytes.len().div_ceil(pieces).max(1)) {
        // The server may have closed already.
        let _ = stream.write_all(piece).await;
        if slowly {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    let count = bytes.windows(8).filter(|word| word == b" HTTP/1.").count();
    let answers = read_answers(&mut stream, count.max(1), GLANCE).await;
    match answers.is_empty() {
        true => vec![Outcome::Silent],
        false => answers.into_iter().map(Outcome::Answer).collect(),
    }
}

/// Makes requests and spoils them.
struct Maker<'a> {
    plan: &'a Plan,
    way: NodeAddress,
    cookies: String,
    game: String,
    bodies: Vec<payload::Payload>,
}

impl Maker<'_> {
    fn make(&self, random: &mut fastrand::Rng) -> Vec<u8> {
        if random.u8(..) < 6 {
            return (0..random.usize(1..600)).map(|_| random.u8(..)).collect();
        }
        // One in four goes with others on one connection, of which some are valid.
        let before = if random.u8(..4) == 0 {
            random.usize(1..4)
        } else {
            0
        };
        let mut train = Vec::new();
        for _ in 0..before {
            let mut bytes = self.request(random, true);
            if random.bool() {
                self.spoil(&mut bytes, random);
            }
            train.extend(bytes);
        }
        let is_kept = random.bool();
        let mut bytes = self.request(random, is_kept);
        for _ in 0..random.usize(1..=4) {
            self.spoil(&mut bytes, random);
        }
        train.extend(bytes);
        train
    }

    /// A valid request to some route, the last on its connection or not.
    fn request(&self, random: &mut fastrand::Rng, is_kept: bool) -> Vec<u8> {
        let route = &self.plan.routes[random.usize(..self.plan.routes.len())];
        let parts = payload::path_parts();
        let path = route.filled(|name| match random.u8(..4) {
            0 => parts[random.usize(..parts.len())].clone(),
            _ => bodies::place(name, &self.game),
        });
        let from = format!(
            "100.{}.{}.{}",
            random.u8(64..128),
            random.u8(..),
            random.u8(..)
        );
        let mut request = Request::new(&route.method, &path).from(&from);
        if random.bool() {
            request = request
                .header("Cookie", &self.cookies)
                .header("Origin", &format!("http://{}", self.way.to));
        }
        if route.method == "POST" {
            let number = random.u8(..);
            let json = format!(
                r#"{{"name":"Anna{number}","move":"e4","terms":{{"time":"5+3"}},"side":"white"}}"#
            );
            request = match random.u8(..5) {
                0 => request.body(
                    "application/x-www-form-urlencoded",
                    "name=Anna&terms.time=5%2B3&side=white",
                ),
                1 => {
                    let payload = &self.bodies[random.usize(..self.bodies.len())];
                    request.body(payload.content_type, payload.body.clone())
                }
                _ => request.json(&json),
            };
        }
        let host = self.way.to.to_string();
        match is_kept {
            true => request.kept_bytes(&host),
            false => request.bytes(&host),
        }
    }

    /// Spoils one thing.
    fn spoil(&self, bytes: &mut Vec<u8>, random: &mut fastrand::Rng) {
        if bytes.is_empty() {
            bytes.push(random.u8(..));
        }
        let length = bytes.len();
        let line_end = find(bytes, b"\r\n").unwrap_or(0);
        match random.u8(..16) {
            0 => {
                let at = random.usize(..length);
                bytes[at] = random.u8(..);
            }
            1 => bytes.truncate(random.usize(1..=length)),
            2 => {
                let at = random.usize(..length);
                let end = (at + random.usize(1..40)).min(length);
                bytes.drain(at..end);
            }
            3 => {
                let at = random.usize(..length);
                let piece: Vec<u8> = (0..random.usize(1..40)).map(|_| random.u8(..)).collect();
                bytes.splice(at..at, piece);
            }
            4..=7 => {
                let header = HEADERS[random.usize(..HEADERS.len())];
                let at = (line_end + 2).min(bytes.len());
                bytes.splice(at..at, header.bytes());
            }
            8 => {
                let header = format!(
                    "X-{}: {}\r\n",
                    random.u16(..),
                    "v".repeat(random.usize(..300))
                );
                let at = (line_end + 2).min(bytes.len());
                bytes.splice(at..at, header.repeat(random.usize(1..120)).into_bytes());
            }
            9 => {
                let target = TARGETS[random.usize(..TARGETS.len())];
                replace_word(bytes, line_end, 1, target);
            }
            10 => {
                let method = METHODS[random.usize(..METHODS.len())];
                replace_word(bytes, line_end, 0, method);
            }
            11 => {
                let version = VERSIONS[random.usize(..VERSIONS.len())];
                replace_word(bytes, line_end, 2, version);
            }
            12 => {
                // A body in pieces, with whatever length is said already.
                let at = (line_end + 2).min(bytes.len());
                bytes.splice(at..at, b"Transfer-Encoding: chunked\r\n".iter().copied());
                let end = find(bytes, b"\r\n\r\n").map_or(bytes.len(), |end| end + 4);
                bytes.truncate(end);
                bytes.extend_from_slice(CHUNKS[random.usize(..CHUNKS.len())].as_bytes());
            }
            13 => {
                // Another request behind it.
                let is_kept = random.bool();
                let next = self.request(random, is_kept);
                bytes.extend_from_slice(&next);
            }
            14 => {
                let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
                *bytes = text.into_bytes();
            }
            _ => {
                let query = payload::queries();
                let query = format!("/v1/tables?{}", query[random.usize(..query.len())]);
                replace_word(bytes, line_end, 1, &query);
            }
        }
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// Replaces a word of the first line.
fn replace_word(bytes: &mut Vec<u8>, line_end: usize, index: usize, word: &str) {
    let line = String::from_utf8_lossy(&bytes[..line_end.min(bytes.len())]).into_owned();
    let mut words: Vec<&str> = line.splitn(3, ' ').collect();
    if let Some(old) = words.get_mut(index) {
        *old = word;
    }
    bytes.splice(..line_end.min(bytes.len()), words.join(" ").into_bytes());
}
