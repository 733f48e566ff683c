//! Requests beyond the limits on depth, count and size: every route refuses them, and the server survives.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::support::{Heard, Open, guest};

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");
const JSON: (&str, &str) = ("Content-Type", "application/json");

/// Every method and path, with a name for each parameter.
fn routes() -> Vec<(&'static str, String)> {
    let fill = |path: &str| {
        let steps = path.split('/').map(|step| match step.starts_with('{') {
            true => "abcdefgh",
            false => step,
        });
        steps.collect::<Vec<_>>().join("/")
    };
    let routes = touchmove_server::api::route_list().into_iter();
    routes.map(|(method, path)| (method, fill(&path))).collect()
}

/// The routes that parse a form.
const FORM_ROUTES: [&str; 17] = [
    "/v1/me",
    "/v1/session",
    "/v1/account",
    "/v1/account/password",
    "/v1/account/tokens",
    "/v1/tables",
    "/v1/tables/abcdefgh/seat",
    "/v1/tables/abcdefgh/ask",
    "/v1/seeks",
    "/v1/seeks/abcdefgh/take",
    "/v1/challenges",
    "/v1/challenges/abcdefgh/decline",
    "/api/challenge/anna",
    "/api/challenge/open",
    "/api/challenge/ai",
    "/api/token",
    "/oauth",
];

/// Sends a body to a route that parses one; the answer is JSON with an error.
async fn refused(open: &Open, path: &str, kind: (&str, &str), body: &str) -> Heard {
    let heard = open.request("POST", path, &[kind], body).await;
    assert_eq!(heard.status, 400, "{path}: {}", heard.body);
    assert!(heard.json()["error"].is_string(), "{path}: {}", heard.body);
    heard
}

#[tokio::test]
async fn a_form_with_sixty_kilobytes_of_dots_is_refused() {
    let open = Open::new().await;
    let dots = "a.".repeat(30_000) + "x=1";
    let escaped = "a%2E".repeat(15_000) + "x=1";
    let many = "a=1&".repeat(15_000);
    for path in FORM_ROUTES {
        for body in [&dots, &escaped, &many] {
            refused(&open, path, FORM, body).await;
        }
    }
    open.close().await;
}

#[tokio::test]
async fn json_that_is_nested_or_counted_without_end_is_refused() {
    let open = Open::new().await;
    let lists = "[".repeat(60_000);
    let objects = r#"{"terms":"#.repeat(6_000);
    let unknown = format!(r#"{{"x":{}{}}}"#, "[".repeat(30_000), "]".repeat(30_000));
    let wide = format!(r#"{{"x":[{}0]}}"#, "0,".repeat(30_000));
    for path in FORM_ROUTES {
        for body in [&lists, &objects, &unknown, &wide] {
            refused(&open, path, JSON, body).await;
            refused(&open, path, FORM, body).await;
        }
    }
    for path in ["judge", "explain", "winnable", "rules"] {
        for body in [&objects, &unknown, &wide] {
            refused(&open, &format!("/arbiter/{path}"), JSON, body).await;
        }
    }
    open.close().await;
}

/// The status of a response that may be endless.
async fn status_of(open: &Open, method: &str, path: &str, kind: &str, body: &str) -> u16 {
    let mut stream = TcpStream::connect(open.address).await.unwrap();
    let (host, length) = (open.address, body.len());
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // A server that refuses a body may close the connection before it has all of it.
    let _ = stream.write_all(body.as_bytes()).await;
    let mut answer = [0; 12];
    let read = timeout(Duration::from_secs(15), stream.read_exact(&mut answer)).await;
    let read = read.unwrap_or_else(|_| panic!("{method} {path}: no answer"));
    read.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
    status(&String::from_utf8_lossy(&answer))
}

#[tokio::test]
async fn every_route_answers_deep_and_wide_requests() {
    let open = Open::new().await;
    let dots = "a.".repeat(20_000) + "x=1";
    let lists = "[".repeat(40_000);
    let queries = ["a=1&".repeat(1_500), "a.".repeat(3_000)];
    for (method, path) in routes() {
        for (kind, body) in [(FORM.1, &dots), (JSON.1, &lists)] {
            let status = status_of(&open, method, &path, kind, body).await;
            assert!((200..500).contains(&status), "{method} {path}: {status}");
        }
        for query in &queries {
            let path = format!("{path}?{query}");
            let status = status_of(&open, method, &path, JSON.1, "").await;
            assert!((200..500).contains(&status), "{method} {path}: {status}");
        }
    }
    let (status, _) = open.ask("", "GET", "/healthz", "").await;
    assert_eq!(status, 200);
    open.close().await;
}

#[tokio::test]
async fn a_query_with_too_many_fields_is_refused() {
    let open = Open::new().await;
    let query = "a=1&".repeat(101);
    for path in [
        "/v1/tables",
        "/arbiter",
        "/arbiter/rules",
        "/diagram.svg",
        "/api/users/status",
        "/oauth",
    ] {
        let heard = open
            .request("GET", &format!("{path}?{query}"), &[], "")
            .await;
        assert_eq!(heard.status, 400, "{path}: {}", heard.body);
        assert!(heard.json()["error"].is_string(), "{path}: {}", heard.body);
    }
    open.close().await;
}

/// Sends raw bytes; returns the status lines and heads of all responses until the connection closes.
async fn raw(open: &Open, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(open.address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    let read = timeout(Duration::from_secs(15), stream.read_to_end(&mut answer)).await;
    // A connection that is reset has sent its response before.
    let _ = read.expect("the connection ends");
    String::from_utf8_lossy(&answer).into_owned()
}

/// The status of the first response.
fn status(answer: &str) -> u16 {
    answer
        .get(9..12)
        .and_then(|code| code.parse().ok())
        .unwrap_or_else(|| panic!("no answer: {answer:?}"))
}

#[tokio::test]
async fn a_request_that_two_programs_could_read_differently_is_refused() {
    let open = Open::new().await;
    let chunked = "Transfer-Encoding: chunked\r\n";
    let body = "\r\n2\r\n{}\r\n0\r\n\r\n";
    for request in [
        "GET /v1/me HTTP/1.1\r\n\r\n".to_owned(),
        "GET /v1/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n".to_owned(),
        "GET /v1/me HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n".to_owned(),
        "GET http://b.example/v1/me HTTP/1.1\r\nHost: a.example\r\n\r\n".to_owned(),
        format!("POST /v1/me HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n{chunked}{body}"),
        format!("POST /v1/me HTTP/1.1\r\nHost: a\r\n{chunked}Content-Length: 2\r\n{body}"),
        "POST /v1/me HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} "
            .to_owned(),
        "POST /v1/me HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n".to_owned(),
        "POST /v1/me HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n".to_owned(),
        format!("POST /v1/me HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n{body}"),
        format!("POST /v1/me HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n{chunked}{body}"),
        format!("POST /v1/me HTTP/1.1\r\nHost: a\r\n{chunked}{chunked}{body}"),
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n".to_owned(),
        "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n".to_owned(),
        "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n".to_owned(),
    ] {
        let answer = raw(&open, request.as_bytes()).await;
        assert_eq!(status(&answer), 400, "{request:?}: {answer}");
        let answers = answer.matches("HTTP/1.1 ").count();
        assert_eq!(answers, 1, "{request:?}: {answer}");
    }
    open.close().await;
}

#[tokio::test]
async fn a_chunked_body_alone_is_read() {
    let open = Open::new().await;
    let host = open.address;
    let request = format!(
        "POST /v1/me HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Transfer-Encoding: chunked\r\n\r\n10\r\n{{\"name\":\"Anna B\"\r\n1\r\n}}\r\n0\r\n\r\n"
    );
    let answer = raw(&open, request.as_bytes()).await;
    assert_eq!(status(&answer) / 100, 2, "{answer}");
    open.close().await;
}

/// A chunked request that names a guest, with these additional header lines.
fn chunked(host: SocketAddr, lines: &str) -> String {
    format!(
        "POST /v1/me HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{lines}\
         Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{{}}\r\n0\r\nX: y\r\n\r\n"
    )
}

/// A request with this body, which `POST /v1/me` cannot parse.
fn with_body(host: SocketAddr, body: &str) -> String {
    let length = body.len();
    format!(
        "POST /v1/me HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

/// The statuses of all responses.
fn statuses(answers: &str) -> Vec<u16> {
    let begins = answers.match_indices("HTTP/1.1 ");
    begins.map(|(at, _)| status(&answers[at..])).collect()
}

/// Sends requests one after another on one connection, each when the one before is answered; returns the statuses.
async fn one_by_one(open: &Open, requests: &[String]) -> Vec<u16> {
    let mut stream = TcpStream::connect(open.address).await.unwrap();
    let mut codes = Vec::new();
    for request in requests {
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        while !is_whole(&answer) {
            let read = timeout(Duration::from_secs(15), stream.read_buf(&mut answer)).await;
            assert!(read.unwrap().unwrap() > 0, "the connection has ended");
        }
        codes.push(status(&String::from_utf8_lossy(&answer)));
    }
    codes
}

/// Whether a response with a `Content-Length` is complete.
fn is_whole(answer: &[u8]) -> bool {
    let answer = String::from_utf8_lossy(answer);
    answer.split_once("\r\n\r\n").is_some_and(|(head, body)| {
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        length.is_none_or(|length| body.len() >= length.parse().unwrap())
    })
}

#[tokio::test]
async fn two_lengths_are_refused_on_a_used_connection_too() {
    let open = Open::new().await;
    let host = open.address;
    let get = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let two = chunked(host, "Content-Length: 5\r\n");
    let long = with_body(host, &format!("{{}}{}", " ".repeat(60_000)));
    // In one write after requests of every kind.
    for before in [&get, &chunked(host, ""), &with_body(host, "{}"), &long] {
        let answers = raw(&open, format!("{before}{two}{get}").as_bytes()).await;
        let codes = statuses(&answers);
        assert_eq!((codes.len(), codes[1]), (2, 400), "{before}: {answers}");
        assert_eq!(codes[0] / 100, 2, "{before}: {answers}");
    }
    // In a write of its own, after others.
    let codes = one_by_one(&open, &[long, get, chunked(host, ""), two]).await;
    assert_eq!(codes, [200, 200, 200, 400]);
    open.close().await;
}

#[tokio::test]
async fn clean_requests_are_served_whatever_came_before_on_their_connection() {
    let open = Open::new().await;
    let host = open.address;
    let lines = "Transfer-Encoding: x\r\nContent-Length: 1\r\n\r\n";
    let get = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let clean = chunked(host, "");
    // Bodies that look like heads: they are not JSON, which is refused, and the connection is kept.
    let short = with_body(host, lines);
    let long = with_body(host, &format!("{}\r\n{lines}", " ".repeat(25_000)));
    // Trailers that look like the end of the body followed by a head.
    let trailers = clean.replace("X: y\r\n\r\n", &format!("X: y\n\r\n{lines}"));
    let requests = [
        &short, &clean, &long, &clean, &trailers, &clean, &get, &clean,
    ]
    .map(String::clone);
    let expected = [400, 200, 400, 200, 200, 200, 200, 200];
    assert_eq!(one_by_one(&open, &requests).await, expected);
    // The same in one write, and several at once.
    let last = get.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    let answers = raw(&open, (requests.concat() + &last).as_bytes()).await;
    assert_eq!(statuses(&answers), [&expected[..], &[200]].concat());
    let answers = raw(&open, (clean.repeat(600) + &last).as_bytes()).await;
    assert_eq!(statuses(&answers), [200; 601]);
    open.close().await;
}

#[tokio::test]
async fn a_head_or_an_address_that_is_too_long_is_answered() {
    let open = Open::new().await;
    let host = open.address;
    for (code, target, header) in [
        (414, "a".repeat(9_000), String::new()),
        (414, format!("?{}", "a".repeat(9_000)), String::new()),
        (431, String::new(), format!("X: {}\r\n", "x".repeat(17_000))),
        (431, "a".repeat(17_000), String::new()),
        (431, String::new(), "X: y\r\n".repeat(80)),
    ] {
        let request =
            format!("GET /{target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{header}\r\n");
        let answer = raw(&open, request.as_bytes()).await;
        assert_eq!(status(&answer), code, "{answer}");
    }
    open.close().await;
}

#[tokio::test]
async fn odd_methods_and_targets_are_answered_and_nothing_falls() {
    let open = Open::new().await;
    let host = open.address;
    for line in [
        "TRACE / HTTP/1.1",
        "CONNECT example.com:443 HTTP/1.1",
        "OPTIONS * HTTP/1.1",
        "BREW /v1/me HTTP/1.1",
        "GET //v1//me HTTP/1.1",
        "GET /%00 HTTP/1.1",
        "GET /%0d%0aSet-Cookie:%20a=b HTTP/1.1",
        "GET /v1/players/%ff%fe HTTP/1.1",
        "GET /v1/players/%zz HTTP/1.1",
        "GET /v1/players/%0d%0a HTTP/1.1",
        "GET /v1/players/%00 HTTP/1.1",
        "GET /v1/tables?limit=%00&phase=%ff HTTP/1.1",
        "GET /../../etc/passwd HTTP/1.1",
        "GET /assets/..%2f..%2f/etc%2fpasswd HTTP/1.1",
        "GET /? HTTP/1.1",
        "GET /#fragment HTTP/1.1",
    ] {
        let request = format!("{line}\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let answer = raw(&open, request.as_bytes()).await;
        let status = status(&answer);
        assert!((200..500).contains(&status), "{line}: {answer}");
        assert!(!answer.contains("\r\nset-cookie: a=b"), "{answer}");
    }
    let absolute =
        format!("GET http://{host}/healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    assert_eq!(status(&raw(&open, absolute.as_bytes()).await), 200);
    open.close().await;
}

#[tokio::test]
async fn a_body_that_is_not_read_ends_the_connection_and_the_answer_says_so() {
    let open = Open::new().await;
    let host = open.address;
    let body = "x".repeat(20_000);
    for path in [
        "/nothing/here",
        "/v1/tables/abcdefgh/review",
        "/api/account",
    ] {
        let request =
            format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 20000\r\n\r\n{body}");
        let answer = raw(&open, request.as_bytes()).await;
        assert!((400..500).contains(&status(&answer)), "{answer}");
        let head = answer.split("\r\n\r\n").next().unwrap_or_default();
        assert!(head.contains("\r\nconnection: close"), "{path}: {head}");
    }
    // A body that is read to its end leaves the connection open for the next request.
    let read = format!(
        "POST /v1/tables/abcdefgh/ask HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\n\r\n{{}}"
    );
    let last = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let answer = raw(&open, (read + &last).as_bytes()).await;
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 2, "{answer}");
    open.close().await;
}

#[tokio::test]
async fn a_client_that_floods_a_socket_is_read_slowly_and_others_are_not() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open.table(&anna, &bea, "{}").await;
    let mut flooders = [open.lobby(&anna).await, open.come(&anna, &game).await];
    for client in &mut flooders {
        let begun = Instant::now();
        let (pings, texts) = (250, 150);
        for _ in 0..pings {
            client.socket.feed(Message::Ping("x".into())).await.unwrap();
        }
        for _ in 0..texts {
            let ping = Message::text(r#"{"command":"ping"}"#);
            client.socket.feed(ping).await.unwrap();
        }
        client.socket.flush().await.unwrap();
        for _ in 0..texts {
            client.hear_of("pong").await;
        }
        // 200 at once, and 100 per second from then on.
        let took = begun.elapsed();
        assert!(took > Duration::from_millis(1_500), "{took:?}");
    }
    open.close().await;
}

#[tokio::test]
async fn a_message_that_is_too_long_or_too_deep_ends_or_is_refused() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open.table(&anna, &bea, "{}").await;
    for text in [
        "[".repeat(4_000),
        r#"{"a":"#.repeat(800),
        format!(r#"{{"id":{}1{}}}"#, "[".repeat(1_500), "]".repeat(1_500)),
        "{\"move\":\"e4\",\"move\":\"e5\"}".to_owned(),
        "{\"command\":\"give\",\"seconds\":1e999}".to_owned(),
        "{\"command\":\"give\",\"seconds\":99999999999999999999999}".to_owned(),
    ] {
        let mut client = open.come(&anna, &game).await;
        client.say(&text).await;
        let answer = client.hear_of("answer").await;
        assert_eq!(answer["accepted"], false, "{answer}");
        let mut client = open.lobby(&anna).await;
        client.say(&text).await;
        assert_eq!(client.hear_of("answer").await["accepted"], false);
    }
    for mut client in [open.come(&anna, &game).await, open.lobby(&anna).await] {
        client.say(&"x".repeat(5_000)).await;
        let ends = async {
            while let Some(Ok(message)) = client.socket.next().await {
                if message.is_close() {
                    break;
                }
            }
        };
        timeout(Duration::from_secs(10), ends)
            .await
            .expect("it ends");
    }
    open.close().await;
}
