//! What answers say to browsers and caches, HTTP oddities, and who may read the data folder.

use std::os::unix::fs::PermissionsExt as _;

use crate::report::Report;
use crate::target::Target;
use crate::wire::{PATIENCE, Request, exchange};
use crate::{Plan, accounts, kept};

/// Asks and looks.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let target = Target::start(plan, "headers/data", &["--registration", "open"]).await?;
    let way = target.way(0);
    let account = accounts::register(&way, "Headers").await?;
    for path in [
        "/v1/me",
        "/v1/account/tokens",
        "/v1/tables?mine=true",
        "/v1/challenges",
        "/api/account",
    ] {
        let answer = account
            .request(&way, "GET", path)
            .send(&way)
            .await
            .answer()?;
        let caching: Vec<&str> = answer.values("cache-control").collect();
        report.must(caching.join(",").contains("no-store"), || {
            format!("GET {path} may be kept by a cache: {caching:?}")
        });
    }
    for path in [
        "/",
        "/connect",
        "/oauth?client_id=x",
        "/@/Headers",
        "/v1/me",
    ] {
        let answer = Request::new("GET", path).send(&way).await.answer()?;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "frame-ancestors 'none'"),
        ] {
            let found: Vec<&str> = answer.values(name).collect();
            report.must(found.join(",").contains(value), || {
                format!("GET {path} has no {name}: {value}")
            });
        }
    }
    let host = way.to.to_string();
    for (what, bytes) in [
        (
            "no Host",
            "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(),
        ),
        (
            "a length and pieces",
            format!(
                "POST /v1/me HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n"
            ),
        ),
        (
            "two hosts",
            format!(
                "GET /healthz HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
            ),
        ),
        (
            "two lengths",
            format!(
                "POST /v1/me HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{{}}"
            ),
        ),
    ] {
        let outcome = exchange(&way, bytes.as_bytes(), PATIENCE).await;
        let is_refused = !matches!(outcome.status(), Some(..400 | 500..));
        report.count(1);
        if !is_refused {
            report.fail(
                &format!("{what}: answered {:?}", outcome.status()),
                bytes.as_bytes(),
            );
        }
    }
    kept::attack(&way, report).await?;
    let rights = std::fs::metadata(&target.program.data)?
        .permissions()
        .mode()
        & 0o777;
    // The folder was there before the server, which may have left it as it was; one that it makes is its own.
    let made = plan.folder.join("headers/made");
    let mut program = target.program.clone();
    program.data = made.clone();
    program.listen.set_port(free_port()?);
    let server = program.start().await?;
    let made = std::fs::metadata(&made)?.permissions().mode() & 0o777;
    server.stop().await?;
    report.note(format!(
        "data folder: {rights:o} as found, {made:o} as made"
    ));
    report.must(made == 0o700, || {
        format!("others may look into the data folder: {made:o}")
    });
    target.finish(report).await?;

    let arguments = [
        "--public-url",
        "https://chess.example",
        "--registration",
        "open",
    ];
    let target = Target::start(plan, "headers/https", &arguments).await?;
    let way = target.way(0);
    let answer = Request::new("POST", "/v1/account")
        .header("Host", "chess.example")
        .header("Origin", "https://chess.example")
        .json(&format!(
            r#"{{"name":"Secure","password":"{}"}}"#,
            accounts::PASSWORD
        ))
        .send(&way)
        .await
        .answer()?;
    // One that is deleted may have an older name.
    let cookies = answer.values("set-cookie");
    let cookies: Vec<&str> = cookies
        .filter(|cookie| !cookie.contains("Max-Age=0"))
        .collect();
    report.must(!cookies.is_empty(), || {
        format!("no cookie under https: {}", answer.status)
    });
    for cookie in cookies {
        let is_safe = cookie.starts_with("__Host-")
            && ["Secure", "HttpOnly", "SameSite", "Path=/"]
                .iter()
                .all(|word| cookie.contains(word));
        report.must(is_safe, || format!("a cookie under https: {cookie}"));
    }
    target.finish(report).await
}

fn free_port() -> anyhow::Result<u16> {
    let free = std::net::TcpListener::bind(("127.0.0.1", 0))?;
    Ok(free.local_addr()?.port())
}
