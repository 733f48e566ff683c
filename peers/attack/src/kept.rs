//! Connections that are used again: what comes behind another request, in one write or later, is refused as it is
//! alone, and nothing in one request spoils the next.

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use touchmove_load::net::NodeAddress;

use crate::report::Report;
use crate::wire::{self, Request};

/// How long the next answer is waited for.
const PATIENCE: Duration = Duration::from_secs(3);

/// Sends requests on one connection, in one write or each when the one before is answered; the statuses.
async fn statuses(
    way: &NodeAddress,
    requests: &[&[u8]],
    is_one_write: bool,
) -> anyhow::Result<Vec<u16>> {
    let mut stream = wire::connect(way).await?;
    let mut statuses = Vec::new();
    let writes: Vec<(Vec<u8>, usize)> = match is_one_write {
        true => vec![(requests.concat(), requests.len())],
        false => requests
            .iter()
            .map(|request| (request.to_vec(), 1))
            .collect(),
    };
    for (bytes, count) in writes {
        // The server may have closed already.
        let _ = stream.write_all(&bytes).await;
        let answers = wire::read_answers(&mut stream, count, PATIENCE).await;
        statuses.extend(answers.iter().map(|answer| answer.status));
        if answers.is_empty() {
            break;
        }
    }
    Ok(statuses)
}

/// Tries both on connections of their own.
pub async fn attack(way: &NodeAddress, report: &mut Report) -> anyhow::Result<()> {
    let host = way.to.to_string();
    let get = Request::new("GET", "/healthz").kept_bytes(&host);
    let posted = |body: &str| Request::new("POST", "/v1/me").json(body).kept_bytes(&host);
    let chunked = |lines: &str| {
        format!(
            "POST /v1/me HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{lines}\
             Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"
        )
        .into_bytes()
    };
    let (clean, two) = (chunked(""), chunked("Content-Length: 5\r\n"));
    let long = posted(&format!("{{}}{}", " ".repeat(60_000)));
    let lines = "Transfer-Encoding: x\r\nContent-Length: 1\r\n\r\n";
    let spoiling = posted(&format!("{}\r\n{lines}", " ".repeat(25_000)));
    let trailing = String::from_utf8_lossy(&clean)
        .replace("0\r\n\r\n", &format!("0\r\nX: y\n\r\n{lines}"))
        .into_bytes();
    for is_one_write in [true, false] {
        for before in [&get, &clean, &long, &trailing] {
            let found = statuses(way, &[before, &two, &get], is_one_write).await?;
            report.must(found.len() == 2 && found[0] / 100 == 2 && found[1] == 400, || {
                let shown = String::from_utf8_lossy(&before[..before.len().min(200)]).into_owned();
                format!("a length and pieces behind {shown:?} (one write: {is_one_write}): {found:?}")
            });
        }
        for before in [&spoiling, &trailing, &get, &long] {
            let found = statuses(way, &[before, &clean, &get], is_one_write).await?;
            report.must(
                found.len() == 3 && found[1..].iter().all(|status| status / 100 == 2),
                || {
                    let shown =
                        String::from_utf8_lossy(&before[..before.len().min(200)]).into_owned();
                    format!(
                        "clean requests behind {shown:?} (one write: {is_one_write}): {found:?}"
                    )
                },
            );
        }
    }
    unread_body(way, report).await
}

/// A body that nobody reads: the answer says that the connection ends, or the next request on it is served.
async fn unread_body(way: &NodeAddress, report: &mut Report) -> anyhow::Result<()> {
    let host = way.to.to_string();
    let body = "x".repeat(20_000);
    for path in ["/nothing/here", "/v1/tables/abcdefgh/journal", "/healthz"] {
        let mut stream = wire::connect(way).await?;
        let unread = Request::new("POST", path).json(&body).kept_bytes(&host);
        stream.write_all(&unread).await?;
        let first = wire::read_answers(&mut stream, 1, PATIENCE).await;
        let says_close = first
            .iter()
            .any(|answer| answer.values("connection").any(|value| value == "close"));
        let get = Request::new("GET", "/healthz").kept_bytes(&host);
        let _ = stream.write_all(&get).await;
        let next = wire::read_answers(&mut stream, 1, PATIENCE).await;
        report.must(!first.is_empty() && (says_close || !next.is_empty()), || {
            format!("the connection ends unannounced after a body to {path} that is not read: {first:?}")
        });
    }
    Ok(())
}
