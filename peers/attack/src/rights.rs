//! Rights: they end at once when they end, nobody has another's, and nobody is given one by planting a cookie.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use touchmove_load::net::NodeAddress;
use touchmove_load::scan;
use touchmove_load::socket::Socket;

use crate::accounts::{self, Account, PASSWORD, guest, people};
use crate::report::Report;
use crate::target::{AT_ONCE, Target};
use crate::wire::{self, Request};
use crate::{Plan, oauth};

/// Every scope that a token can have.
const SCOPES: &str = "account:read board:play bot:play challenge:read challenge:write";

/// Tries them all.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let target = Target::start(plan, "rights", &["--registration", "open"]).await?;
    for (number, end) in [End::Disable, End::Logout, End::Password, End::Revoke]
        .into_iter()
        .enumerate()
    {
        ended(&target, report, number, end).await?;
    }
    seats(&target, report).await?;
    scopes(&target, report).await?;
    planted_cookie(&target, report).await?;
    planted_own_cookie(&target, report).await?;
    signed_out(&target, report).await?;
    let way = target.way(600);
    let account = accounts::register(&way, "Redirected").await?;
    oauth::attack(&way, &account, report).await?;
    oauth::codes(&way, &account, report).await?;
    target.finish(report).await
}

/// How a right ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Disable,
    Logout,
    Password,
    Revoke,
}

/// Something that stays open for as long as its owner has a right to it.
enum Open {
    Socket(Socket),
    Stream(TcpStream),
}

impl Open {
    /// Waits until it closes.
    async fn closed(mut self) {
        let mut chunk = [0; 4096];
        loop {
            let is_open = match &mut self {
                Open::Socket(socket) => socket.receive().await.is_ok(),
                Open::Stream(stream) => matches!(stream.read(&mut chunk).await, Ok(1..)),
            };
            if !is_open {
                return;
            }
        }
    }
}

async fn socket(way: &NodeAddress, path: &str, lines: &str) -> anyhow::Result<Open> {
    let mut socket = Socket::open_with(wire::connect(way).await?, path, lines).await?;
    timeout(Duration::from_secs(5), socket.receive()).await??;
    Ok(Open::Socket(socket))
}

/// Opens everything that somebody can keep open, ends his right to it, and sees it close.
async fn ended(
    target: &Target,
    report: &mut Report,
    number: usize,
    end: End,
) -> anyhow::Result<()> {
    let way = target.way(610 + number);
    let name = format!("Ends{number}");
    let account = accounts::register(&way, &name).await?;
    let (token_id, token) = account.token(&way, SCOPES).await?;
    let by_token = format!("Authorization: Bearer {token}\r\n");
    let by_cookie = format!(
        "Cookie: {}\r\nOrigin: http://{}\r\n",
        account.cookies, way.to
    );
    let made = account
        .request(&way, "POST", "/v1/tables")
        .json(r#"{"terms":{"time":"30+30"},"side":"white"}"#)
        .send(&way)
        .await
        .success()?;
    let game = made.text("game").unwrap_or_default();
    let live = format!("/v1/tables/{game}/live");
    let mut opened = Vec::new();
    if end != End::Revoke {
        opened.push(("the table's socket", socket(&way, &live, &by_cookie).await?));
        opened.push((
            "the lobby's socket",
            socket(&way, "/v1/lobby/live", &by_cookie).await?,
        ));
    }
    if matches!(end, End::Disable | End::Revoke) {
        opened.push((
            "the table's socket by token",
            socket(&way, &live, &by_token).await?,
        ));
        opened.push((
            "the lobby's socket by token",
            socket(&way, "/v1/lobby/live", &by_token).await?,
        ));
        let mut stream = wire::connect(&way).await?;
        let head = format!(
            "GET /api/stream/event HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{by_token}\r\n",
            way.to
        );
        stream.write_all(head.as_bytes()).await?;
        let mut chunk = [0; 1024];
        timeout(Duration::from_secs(5), stream.read(&mut chunk)).await??;
        opened.push(("the stream of events", Open::Stream(stream)));
    }
    match end {
        End::Disable => people(target, &["disable", &name], "").await.map(drop)?,
        End::Logout => drop(
            account
                .request(&way, "DELETE", "/v1/session")
                .send(&way)
                .await
                .success()?,
        ),
        End::Password => {
            let body = format!(r#"{{"old":"{PASSWORD}","new":"{PASSWORD} again"}}"#);
            let other = accounts::sign_in(&way, &name).await?;
            let request = other
                .request(&way, "POST", "/v1/account/password")
                .json(&body);
            request.send(&way).await.success()?;
        }
        End::Revoke => {
            let path = format!("/v1/account/tokens/{token_id}");
            account
                .request(&way, "DELETE", &path)
                .send(&way)
                .await
                .success()?;
        }
    }
    let begun = Instant::now();
    for (what, open) in opened {
        let left = AT_ONCE
            .saturating_sub(begun.elapsed())
            .max(Duration::from_millis(50));
        let is_closed = timeout(left, open.closed()).await.is_ok();
        report.must(is_closed, || {
            format!("{what} stays open {:?} after {end:?}", begun.elapsed())
        });
    }
    if end != End::Logout {
        // A new password ends tokens too, for who has guessed the old one may have made some.
        let request = Request::new("GET", "/v1/me").bearer(&token);
        let status = request.send(&way).await.status();
        report.must(matches!(status, Some(401 | 403)), || {
            format!("a token is answered {status:?} after {end:?}")
        });
    }
    Ok(())
}

/// Seats, offers and tables of others.
async fn seats(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let way = target.way(620);
    let game = accounts::table(target, 620).await?;
    let ask = format!("/v1/tables/{game}/ask");
    for secret in [
        Some(guest(99)),
        Some(guest(2 * 620).to_uppercase()),
        Some(guest(2 * 620)[..20].to_owned()),
        Some(format!("{}x", guest(2 * 620))),
        None,
    ] {
        let mut request = Request::new("POST", &ask).json(r#"{"move":"e2e4","by":"white"}"#);
        if let Some(secret) = &secret {
            request = request.bearer(secret);
        }
        let status = request.send(&way).await.status();
        report.must(matches!(status, Some(400..=499)), || {
            format!("a move in another's seat with {secret:?}: {status:?}")
        });
    }
    let black = Request::new("POST", &ask).bearer(&guest(2 * 620 + 1));
    let answer = black
        .json(r#"{"move":"e2e4","by":"white"}"#)
        .send(&way)
        .await;
    report.must(matches!(answer.status(), Some(400..=499)), || {
        "Black moved for White".to_owned()
    });
    let own = Request::new("POST", &ask).bearer(&guest(2 * 620));
    let status = own.json(r#"{"move":"e2e4"}"#).send(&way).await.status();
    report.must(status == Some(200), || {
        format!("a move in one's own seat is answered {status:?}")
    });
    let seek = Request::new("POST", "/v1/seeks")
        .bearer(&guest(621))
        .json("{}");
    let seek = seek
        .send(&way)
        .await
        .success()?
        .text("id")
        .unwrap_or_default();
    let steal = Request::new("DELETE", &format!("/v1/seeks/{seek}")).bearer(&guest(622));
    let status = steal.send(&way).await.status();
    report.must(matches!(status, Some(400..=499)), || {
        format!("another's seek was withdrawn: {status:?}")
    });
    Ok(())
}

/// What a token without scopes reads.
async fn scopes(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let way = target.way(630);
    let account = accounts::register(&way, "Scopes").await?;
    let other = accounts::register(&target.way(631), "Scopes2").await?;
    let challenge = account
        .request(&way, "POST", "/v1/challenges")
        .json(&format!(r#"{{"to":"{}"}}"#, other.name))
        .send(&way)
        .await
        .success()?
        .text("id")
        .unwrap_or_default();
    let (_, token) = account.token(&way, "").await?;
    for (method, path) in [
        ("GET", "/api/account/playing".to_owned()),
        ("GET", format!("/v1/challenges/{challenge}")),
        ("GET", format!("/api/challenge/{challenge}/show")),
        ("GET", "/v1/challenges".to_owned()),
        ("GET", "/api/challenge".to_owned()),
        ("GET", "/v1/tables?mine=true".to_owned()),
        ("GET", "/v1/account/tokens".to_owned()),
        ("POST", "/v1/tables".to_owned()),
        ("POST", "/v1/seeks".to_owned()),
        ("POST", format!("/v1/challenges/{challenge}/decline")),
        ("POST", "/v1/account/tokens".to_owned()),
    ] {
        let request = Request::new(method, &path).bearer(&token).json("{}");
        let status = request.send(&way).await.status();
        report.must(matches!(status, Some(401 | 403 | 404)), || {
            format!("a token without scopes: {method} {path} is answered {status:?}")
        });
        // Its owner is told, so that it is the token that is refused and not the path.
        if method == "GET" {
            let request = account.request(&way, method, &path);
            let status = request.send(&way).await.status();
            report.must(status == Some(200), || {
                format!("its owner: {method} {path} is answered {status:?}")
            });
        }
    }
    let lines = format!("Authorization: Bearer {token}\r\n");
    if let Ok(mut socket) =
        Socket::open_with(wire::connect(&way).await?, "/v1/lobby/live", &lines).await
    {
        let mut sees = false;
        while let Ok(Ok(text)) = timeout(Duration::from_millis(500), socket.receive()).await {
            sees |= scan::has(&text, r#""type":"mine""#) && scan::has(&text, &challenge);
        }
        report.must(!sees, || {
            "a token without scopes sees its owner's challenges in the lobby".to_owned()
        });
    }
    Ok(())
}

/// A cookie that somebody else has put into a browser: he must not share its seats.
async fn planted_cookie(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let way = target.way(640);
    let planted = guest(6_400);
    let origin = format!("http://{}", way.to);
    let browser = Account {
        name: "planted".to_owned(),
        cookies: format!("touchmove={planted}"),
    };
    let named = browser
        .request(&way, "POST", "/v1/me")
        .json(r#"{"name":"Planted"}"#)
        .send(&way)
        .await
        .success()?;
    let cookies = match named.cookies() {
        none if none.is_empty() => browser.cookies.clone(),
        some => some,
    };
    let made = Request::new("POST", "/v1/tables")
        .header("Cookie", &cookies)
        .header("Origin", &origin)
        .json(r#"{"terms":{"time":"30+30"},"side":"white"}"#)
        .send(&way)
        .await
        .success()?;
    let game = made.text("game").unwrap_or_default();
    let seat = Request::new("POST", &format!("/v1/tables/{game}/seat"))
        .bearer(&guest(6_401))
        .json("{}");
    seat.send(&way).await.success()?;
    let stolen = Request::new("POST", &format!("/v1/tables/{game}/ask"))
        .bearer(&planted)
        .json(r#"{"move":"e2e4"}"#)
        .send(&way)
        .await;
    report.must(matches!(stolen.status(), Some(400..=499)), || {
        format!(
            "who planted a cookie plays its owner's seat: {:?}",
            stolen.status()
        )
    });
    let own = Request::new("POST", &format!("/v1/tables/{game}/ask"))
        .header("Cookie", &cookies)
        .header("Origin", &origin);
    let status = own.json(r#"{"move":"e2e4"}"#).send(&way).await.status();
    report.must(status == Some(200), || {
        format!("the owner of a planted cookie moves and is answered {status:?}")
    });
    Ok(())
}

/// A guest that this server made, whom somebody has planted in a browser: he shares the seats of who plays there until
/// that person signs in, and not after that.
async fn planted_own_cookie(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let way = target.way(650);
    let origin = format!("http://{}", way.to);
    let named = Request::new("POST", "/v1/me").header("Origin", &origin);
    let cookies = named
        .json(r#"{"name":"Mallory"}"#)
        .send(&way)
        .await
        .success()?
        .cookies();
    let browser = Account {
        name: "planted".to_owned(),
        cookies: cookies.clone(),
    };
    let made = browser.request(&way, "POST", "/v1/tables");
    let made = made.json(r#"{"terms":{"time":"30+30"},"side":"white"}"#);
    let game = made
        .send(&way)
        .await
        .success()?
        .text("game")
        .unwrap_or_default();
    let seat = Request::new("POST", &format!("/v1/tables/{game}/seat"));
    seat.bearer(&guest(6_501))
        .json("{}")
        .send(&way)
        .await
        .success()?;
    let ask = format!("/v1/tables/{game}/ask");
    let secret = cookies.split_once('=').map_or("", |(_, value)| value);
    let secret = secret.split('.').next().unwrap_or_default();
    let live = format!("/v1/tables/{game}/live");
    let lines = format!("Cookie: {cookies}\r\nOrigin: {origin}\r\n");
    let open = socket(&way, &live, &lines).await?;
    let credentials = format!(r#"{{"name":"Planted650","password":"{PASSWORD}"}}"#);
    let signed_up = browser
        .request(&way, "POST", "/v1/account")
        .json(&credentials);
    let signed_up = signed_up.send(&way).await.success()?;
    report.must(!signed_up.head.contains(secret), || {
        "the secret of a guest goes on after signing up".to_owned()
    });
    let is_closed = timeout(AT_ONCE, open.closed()).await.is_ok();
    report.must(is_closed, || {
        "the guest's socket stays open after signing up".to_owned()
    });
    let mv = r#"{"move":"e2e4"}"#;
    let by_bearer = Request::new("POST", &ask).bearer(secret).json(mv);
    let by_cookie = browser.request(&way, "POST", &ask).json(mv);
    for (what, stolen) in [("bearer", by_bearer), ("cookie", by_cookie)] {
        let status = stolen.send(&way).await.status();
        report.must(matches!(status, Some(400..=499)), || {
            format!("who planted a guest plays the seat of who signed up, by {what}: {status:?}")
        });
    }
    let own = Account {
        name: "Planted650".to_owned(),
        cookies: signed_up.cookies(),
    };
    let status = own
        .request(&way, "POST", &ask)
        .json(mv)
        .send(&way)
        .await
        .status();
    report.must(status == Some(200), || {
        format!("who signs up does not keep his seat: {status:?}")
    });
    Ok(())
}

/// Who signs out leaves nothing in the browser that whoever comes next could use.
async fn signed_out(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let way = target.way(660);
    let account = accounts::register(&way, "Leaves660").await?;
    let cookies = format!(
        "{}; touchmove_guest=guest_{}",
        account.cookies,
        "a".repeat(22)
    );
    let browser = Account { cookies, ..account };
    let out = browser
        .request(&way, "DELETE", "/v1/session")
        .send(&way)
        .await
        .answer()?;
    for name in ["touchmove=", "touchmove_guest="] {
        let is_gone = out.values("set-cookie").any(|cookie| {
            cookie.starts_with(name) && cookie.to_ascii_lowercase().contains("max-age=0")
        });
        report.must(is_gone, || format!("signing out leaves the cookie {name}"));
    }
    Ok(())
}
