//! Deep and wide bodies, queries, paths and cookies at every route.

use tokio::task::JoinSet;
use touchmove_load::net::NodeAddress;

use crate::payload;
use crate::report::Report;
use crate::routes::Route;
use crate::target::Target;
use crate::wire::{Outcome, Request, exchange};
use crate::{Plan, accounts};

/// Requests on their way at once.
const AT_ONCE: usize = 16;
/// How long a stream is read before it is left.
const STREAM_PATIENCE: std::time::Duration = std::time::Duration::from_millis(150);

/// Sends them all.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let mut target = Target::start(
        plan,
        "bodies",
        &["--registration", "open", "--trusted-proxy", "127.0.0.1"],
    )
    .await?;
    let game = accounts::table(&target, 0).await?;
    let account = accounts::register(&target.way(1), "Bodies").await?;
    let way = target.proxy();
    let mut requests = Vec::new();
    for (index, route) in plan.routes.iter().enumerate() {
        let path = route.filled(|name| place(name, &game));
        let bodies = payload::bodies().into_iter().map(|payload| {
            Request::new(&route.method, &path)
                .header("X-Attack", payload.name)
                .body(payload.content_type, payload.body)
        });
        let queries = payload::queries().into_iter();
        let queries = queries.map(|query| Request::new(&route.method, &format!("{path}?{query}")));
        let parts = payload::path_parts();
        let parts = parts
            .iter()
            .filter(|_| route.path.contains('{'))
            .map(|part| Request::new(&route.method, &route.filled(|_| part.clone())));
        let cookies = payload::cookies().into_iter();
        let cookies =
            cookies.map(|cookie| Request::new(&route.method, &path).header("Cookie", &cookie));
        let all = bodies.chain(queries).chain(parts).chain(cookies);
        requests.extend(all.enumerate().map(|(number, request)| {
            // Each from another address, so that no limit keeps it from what it should try; every other one from
            // somebody who is known.
            let from = format!("100.64.{}.{}", index % 256, number % 256);
            let request = request.from(&from);
            match number % 2 == 0 || request.headers.iter().any(|(name, _)| name == "Cookie") {
                true => (route, request),
                false => {
                    let request = request.header("Cookie", &account.cookies);
                    (
                        route,
                        request.header("Origin", &format!("http://{}", way.to)),
                    )
                }
            }
        }));
    }
    let posted = requests.iter().filter(|(route, _)| route.method == "POST");
    let (posted, mut read) = (posted.count(), 0);
    for some in requests.chunks(AT_ONCE) {
        let sent = send(&way, some).await;
        report.count(sent.len());
        let answers = sent.iter().all(|(.., outcome)| outcome.is_answer());
        if target.is_alive(answers).await {
            for (bytes, may_be_silent, outcome) in &sent {
                // Who reads a body says yes, or what is wrong with it.
                let is_read = matches!(outcome.status(), Some(200..=202 | 400 | 413 | 415 | 422));
                read += usize::from(is_read && bytes.starts_with(b"POST"));
                Target::judge(report, outcome, bytes, *may_be_silent);
            }
            continue;
        }
        // Which of them was it? Each is tried again alone.
        target.check(report, true, b"one of a batch:").await?;
        for (route, request) in some {
            for (bytes, _, outcome) in send(&way, &[(*route, request.clone())]).await {
                target.check(report, outcome.is_answer(), &bytes).await?;
            }
        }
    }
    report.note(format!("{read} of {posted} posts came to who reads them"));
    // Not all of them have a body, or somebody who may post it.
    report.must(read * 4 > posted, || {
        format!("only {read} of {posted} posts came to who reads them")
    });
    target.finish(report).await
}

/// What stands in a place of a path, so that as much as possible behind it is reached.
pub fn place(name: &str, game: &str) -> String {
    match name {
        "id" | "game" => game.to_owned(),
        "name" => "Bodies".to_owned(),
        "move" => "e2e4".to_owned(),
        "answer" => "yes".to_owned(),
        "variant" => "chess".to_owned(),
        "version" => "0".to_owned(),
        "seconds" => "5".to_owned(),
        other => other.to_owned(),
    }
}

async fn send(way: &NodeAddress, some: &[(&Route, Request)]) -> Vec<(Vec<u8>, bool, Outcome)> {
    let mut sending = JoinSet::new();
    for (route, request) in some {
        let (way, bytes) = (*way, request.bytes(&way.to.to_string()));
        let is_stream = route.is_stream();
        let patience = match is_stream {
            true => STREAM_PATIENCE,
            false => crate::wire::PATIENCE,
        };
        sending.spawn_local(async move {
            let outcome = exchange(&way, &bytes, patience).await;
            (bytes, is_stream, outcome)
        });
    }
    sending.join_all().await
}
