//! Limits that must hold: whatever a client says about its address, however many it has, and however it uses its
//! connections.

use std::path::Path;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;
use tokio::time::timeout;
use touchmove_load::net::NodeAddress;
use touchmove_load::scan;
use touchmove_load::socket::Socket;

use crate::accounts::{guest, table};
use crate::report::Report;
use crate::target::Target;
use crate::wire::{self, Outcome, Request};
use crate::{Plan, accounts, lag};

/// So many wrong passwords in a row are never judged.
const GUESSES: usize = 60;
/// So many from one network of addresses are never judged.
const NETWORK_GUESSES: usize = 700;
/// Spectators of one address who talk.
const SPECTATORS: usize = 60;
/// Seeks that one address tries to have open.
const SEEKS: usize = 110;
/// Connections of one address that try to leave no place for others.
const FLOOD: usize = 400;

/// Tries them all, each at a server with the arguments that it needs.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    forwarding(plan, report).await?;
    trusted_proxy(plan, report).await?;
    hosts(plan, report).await?;
    connections(plan, report).await?;
    Ok(())
}

fn guess(name: &str, number: usize) -> Request {
    let body = format!(r#"{{"name":"{name}","password":"wrong {number}"}}"#);
    Request::new("POST", "/v1/session").json(&body)
}

fn new_table(number: usize) -> Request {
    let body = r#"{"terms":{"time":"5+3"},"side":"white"}"#;
    Request::new("POST", "/v1/tables")
        .bearer(&guest(number))
        .json(body)
}

/// Sends requests until one is refused for being too many. Says how many were let pass.
async fn until_refused(
    way: &NodeAddress,
    report: &mut Report,
    requests: impl Iterator<Item = Request>,
) -> Option<usize> {
    for (passed, request) in requests.enumerate() {
        report.count(1);
        if request.send(way).await.status() == Some(429) {
            return Some(passed);
        }
    }
    None
}

/// A proxy in front of a server that was not told of it: what comes through it is limited all the same.
async fn forwarding(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let target = Target::start(plan, "limits/untrusted", &["--registration", "open"]).await?;
    accounts::register(&target.way(0), "Victim").await?;
    let way = target.proxy();
    for (name, value) in [
        ("X-Forwarded-For", "203.0.113.5"),
        ("Forwarded", "for=203.0.113.5"),
        ("Via", "1.1 proxy"),
        ("X-Real-IP", "203.0.113.5"),
    ] {
        let tables = (0..200).map(|number| new_table(number).header(name, value));
        let passed = until_refused(&way, report, tables).await;
        // A header that is not a standard's need not be known.
        report.must(passed.is_some() || name == "X-Real-IP", || {
            format!("200 of 200 tables with {name}: {value} from a proxy that is not trusted")
        });
    }
    let guesses = (0..GUESSES).map(|number| guess("Victim", number));
    let passed = until_refused(&way, report, guesses).await;
    report.must(passed.is_some(), || {
        format!("{GUESSES} of {GUESSES} wrong passwords from loopback were judged")
    });
    target.finish(report).await
}

/// A trusted proxy says something that is no address, or says nothing.
async fn trusted_proxy(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let arguments = ["--registration", "open", "--trusted-proxy", "127.0.0.1"];
    let target = Target::start(plan, "limits/trusted", &arguments).await?;
    for number in 0..12 {
        accounts::register(&target.way(number), &format!("Victim{number}")).await?;
    }
    let way = target.proxy();
    let forms = [
        Some("203.0.113.78:5555"),
        Some("unknown"),
        Some("[2001:db8::1]"),
        Some("[2001:db8::1]:80"),
        Some("127.0.0.1"),
        Some("::1"),
        Some("::ffff:127.0.0.1"),
        Some(""),
        Some("evil, ,"),
        Some("203.0.113.99, 127.0.0.1"),
        None,
    ];
    for (index, form) in forms.into_iter().enumerate() {
        let from = |request: Request| match form {
            Some(form) => request.from(form),
            None => request,
        };
        let guesses = (0..GUESSES).map(|number| from(guess(&format!("Victim{index}"), number)));
        let passed = until_refused(&way, report, guesses).await;
        report.must(passed.is_some(), || {
            format!("{GUESSES} wrong passwords were judged with X-Forwarded-For: {form:?}")
        });
        let tables = (0..200).map(|number| from(new_table(1_000 + number)));
        let passed = until_refused(&way, report, tables).await;
        report.must(passed.is_some(), || {
            format!("200 of 200 tables with X-Forwarded-For: {form:?}")
        });
    }
    let addresses =
        (0..GUESSES).map(|number| guess("Victim11", number).from(&format!("198.18.0.{number}")));
    let passed = until_refused(&way, report, addresses).await;
    report.must(passed.is_some(), || {
        format!("{GUESSES} addresses guessed at one account: all were judged")
    });
    let log = std::fs::read_to_string(target.program.log()).unwrap_or_default();
    report.must(log.contains("198.18.0."), || {
        "the log does not say who guessed at passwords".to_owned()
    });
    weak_passwords(&way, report).await;
    let before = size(&target.program.data)?;
    let names = (0..2_000).map(|number| {
        let request = Request::new("POST", "/v1/me").json(&format!(r#"{{"name":"Eve {number}"}}"#));
        request.from("203.0.113.200")
    });
    let passed = until_refused(&way, report, names).await;
    report.must(passed.is_some(), || {
        "2,000 of 2,000 guests of one address".to_owned()
    });
    let grown = size(&target.program.data)?.saturating_sub(before);
    report.note(format!(
        "guests who only name themselves: {grown} bytes in the store"
    ));
    report.must(grown < 64 * 1024, || {
        format!("guests who only name themselves take {grown} bytes in the store")
    });
    sockets_flood(&target, report).await?;
    chat_flood(&target, report).await?;
    rematches(&target, report).await?;
    seeks(&target, report).await?;
    if plan.is_long {
        lag::attack(&target, report).await?;
        one_network(&target, report).await;
        bucket_map(&target, report).await?;
    }
    target.finish(report).await
}

/// How many bytes the files of a folder have.
fn size(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let metadata = entry?.metadata()?;
        if metadata.is_file() {
            bytes += metadata.len();
        }
    }
    Ok(bytes)
}

/// A whole network of addresses, as one household may have: each guesses once.
async fn one_network(target: &Target, report: &mut Report) {
    let guesses = (0..NETWORK_GUESSES).map(|number| {
        guess(&format!("nobody{number}"), number).from(&format!("2001:db8:7:{number:x}::1"))
    });
    let passed = until_refused(&target.proxy(), report, guesses).await;
    report.note(format!(
        "guesses of one /48 of addresses: {passed:?} judged"
    ));
    report.must(passed.is_some(), || {
        format!("{NETWORK_GUESSES} guesses from one /48 of addresses: all were judged")
    });
}

/// Passwords that are tried first by whoever guesses.
async fn weak_passwords(way: &NodeAddress, report: &mut Report) {
    let passwords = [
        "password",
        "12345678",
        "aaaaaaaa",
        "        ",
        "qwertyui",
        "Weak000001",
        "iloveyou",
    ];
    for (number, password) in passwords.into_iter().enumerate() {
        let body = format!(r#"{{"name":"Weak00000{number}","password":"{password}"}}"#);
        // One of them is the name itself.
        let body = body.replace("Weak000005", "Weak000001");
        let request = Request::new("POST", "/v1/account").json(&body);
        let status = request
            .from(&format!("198.19.0.{number}"))
            .send(way)
            .await
            .status();
        report.must(matches!(status, Some(400 | 422)), || {
            format!("the password {password:?} is answered {status:?}")
        });
    }
}

/// A lobby socket that pings without a pause.
async fn sockets_flood(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let stream = wire::connect(&target.way(70)).await?;
    let mut socket = Socket::open_with(stream, "/v1/lobby/live", "").await?;
    let begun = Instant::now();
    let (seconds, mut pongs) = (3, 0_usize);
    while begun.elapsed() < Duration::from_secs(seconds) {
        let send = async {
            for _ in 0..64 {
                socket.send(r#"{"command":"ping"}"#).await?;
            }
            anyhow::Ok(())
        };
        // Who is not read any more waits, or is let go.
        if !matches!(timeout(Duration::from_millis(500), send).await, Ok(Ok(()))) {
            break;
        }
        while let Ok(Ok(text)) = timeout(Duration::from_millis(1), socket.receive()).await {
            pongs += usize::from(scan::has(&text, "pong"));
        }
    }
    report.must(pongs > 0, || "a lobby socket got no pong".to_owned());
    report.must(pongs < 1_000, || {
        format!("a lobby socket got {pongs} pongs in {seconds} s")
    });
    Ok(())
}

/// Spectators of one address, each with a secret of his own, who talk without a pause.
async fn chat_flood(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let game = table(target, 80).await?;
    let mut talking = JoinSet::new();
    for number in 0..SPECTATORS {
        let (way, game) = (target.proxy(), game.clone());
        talking.spawn_local(async move {
            let lines = format!(
                "Authorization: Bearer {}\r\nX-Forwarded-For: 203.0.113.210\r\n",
                guest(5_000 + number)
            );
            let mut accepted = 0_usize;
            let stream = wire::connect(&way).await?;
            let path = format!("/v1/tables/{game}/live");
            let mut socket = Socket::open_with(stream, &path, &lines).await?;
            let begun = Instant::now();
            let mut line = 0;
            while begun.elapsed() < Duration::from_secs(4) {
                line += 1;
                let text =
                    format!(r#"{{"command":"chat","text":"spam {line}","id":"s{number}-{line}"}}"#);
                socket.send(&text).await?;
                while let Ok(Ok(text)) = timeout(Duration::from_millis(20), socket.receive()).await
                {
                    if scan::kind(&text) == scan::MessageKind::Answer {
                        accepted += usize::from(scan::has(&text, "\"accepted\":true"));
                        break;
                    }
                }
            }
            anyhow::Ok(accepted)
        });
    }
    let accepted: usize = talking.join_all().await.into_iter().flatten().sum();
    report.note(format!(
        "chat of {SPECTATORS} spectators of one address: {accepted} lines in 4 s"
    ));
    report.must(accepted > 0, || {
        "no line of chat of a spectator was taken".to_owned()
    });
    report.must(accepted < 120, || {
        format!("one address wrote {accepted} lines of chat in 4 s")
    });
    Ok(())
}

/// The game after a game as it once followed from its id alone.
fn guessed_rematch(game: &str) -> String {
    let hash = Sha256::digest(format!("rematch of {game} 0").as_bytes());
    let digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let chosen = hash.iter().filter(|byte| **byte < 248);
    let letters = chosen.map(|byte| char::from(digits[usize::from(byte % 62)]));
    letters.take(8).collect()
}

/// Streams of seeks that never fit each other, each with a secret of its own, all from one address behind the proxy.
async fn seeks(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let way = target.proxy();
    let host = way.to.to_string();
    let (mut streams, mut refused) = (Vec::new(), 0_usize);
    for number in 0..SEEKS {
        report.count(1);
        let seek = Request::new("POST", "/api/board/seek")
            .bearer(&guest(8_000 + number))
            .body(
                "application/x-www-form-urlencoded",
                "time=5&increment=3&color=white",
            )
            .from("203.0.113.220");
        let mut stream = wire::connect(&way).await?;
        stream.write_all(&seek.bytes(&host)).await?;
        let mut head = [0; 12];
        timeout(wire::PATIENCE, stream.read_exact(&mut head)).await??;
        match &head[9..] {
            b"200" => streams.push(stream),
            _ => refused += 1,
        }
    }
    let used = target.server()?.cpu()?;
    let begun = Instant::now();
    tokio::time::sleep(Duration::from_secs(4)).await;
    let used = target.server()?.cpu()?.saturating_sub(used);
    let share = used.as_secs_f64() / begun.elapsed().as_secs_f64();
    let honest = Request::new("POST", "/v1/seeks")
        .bearer(&guest(8_999))
        .json(r#"{"terms":{"time":"3+2"}}"#)
        .from("198.51.100.220");
    let made = honest.send(&way).await.success()?.text("id");
    let list = Request::new("GET", "/v1/seeks")
        .send(&way)
        .await
        .success()?;
    report.note(format!(
        "seeks of one address: {} streams, {refused} refused, {:.0} % of a core while they wait",
        streams.len(),
        share * 100.0
    ));
    report.must(!streams.is_empty(), || {
        "no seek of one address was let in".to_owned()
    });
    report.must(streams.len() <= 50, || {
        format!("one address has {} open seeks", streams.len())
    });
    report.must(made.is_some_and(|id| list.body.contains(&id)), || {
        "the seek of somebody else is not shown".to_owned()
    });
    report.must(share < 0.25, || {
        format!("waiting seeks of one address take {share:.2} of a core")
    });
    Ok(())
}

/// Resign, play again, resign, play again.
async fn rematches(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let way = target.way(90);
    let mut game = table(target, 90).await?;
    let secrets = [guest(180), guest(181)];
    let begun = Instant::now();
    let mut games = 0;
    'games: while begun.elapsed() < Duration::from_secs(8) && games < 400 {
        let path = format!("/v1/tables/{game}/live");
        let mut sockets = Vec::new();
        for secret in &secrets {
            let stream = wire::connect(&way).await?;
            let lines = format!("Authorization: Bearer {secret}\r\n");
            match Socket::open_with(stream, &path, &lines).await {
                Ok(socket) => sockets.push(socket),
                Err(_) => break 'games,
            }
        }
        sockets[0].send(r#"{"command":"resign","id":"r"}"#).await?;
        let is_over = |text: &[u8]| scan::has(text, "resignation");
        while let Ok(Ok(text)) = timeout(Duration::from_millis(1_500), sockets[1].receive()).await {
            if is_over(&text) {
                break;
            }
        }
        for socket in &mut sockets {
            socket.send(r#"{"command":"rematch","id":"m"}"#).await?;
        }
        let next = loop {
            match timeout(Duration::from_millis(1_500), sockets[1].receive()).await {
                Ok(Ok(text)) if scan::has(&text, r#""type":"rematch""#) => {
                    if let Some(next) = scan::word(&text, "\"game\":\"") {
                        break Some(next.to_owned());
                    }
                }
                Ok(Ok(_)) => {}
                _ => break None,
            }
        };
        let Some(next) = next else {
            break;
        };
        report.must(next != guessed_rematch(&game), || {
            format!("the game after {game} can be guessed: {next}")
        });
        game = next;
        games += 1;
    }
    report.note(format!(
        "rematches one after another: {games} in {:.1} s",
        begun.elapsed().as_secs_f64()
    ));
    report.must(games > 0, || "no rematch has begun".to_owned());
    report.must(games <= 60, || format!("{games} games by rematches in 8 s"));
    Ok(())
}

/// More networks than are remembered: whoever was refused stays refused.
async fn bucket_map(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let way = target.proxy();
    let eve = || (0..200).map(|number| new_table(number).from("203.0.113.240"));
    until_refused(&way, report, eve()).await;
    let mut number = 0_u32;
    while number < 60_000 {
        let mut sending = JoinSet::new();
        for _ in 0..64 {
            let [a, b] = [number >> 16, number & 0xffff];
            let request = new_table(7).from(&format!("2001:db9:{a:x}:{b:x}::1"));
            sending.spawn_local(async move { request.send(&way).await.status() });
            number += 1;
        }
        report.count(sending.len());
        sending.join_all().await;
    }
    let passed = until_refused(&way, report, eve()).await;
    report.note(format!(
        "after {number} other networks: {passed:?} let pass"
    ));
    // A bucket fills by and by meanwhile.
    report.must(passed.is_some_and(|passed| passed < 29), || {
        format!("{number} networks made the server forget a refusal: {passed:?} let pass")
    });
    Ok(())
}

/// Names of other hosts, as after DNS rebinding.
async fn hosts(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let foreign = [
        "attacker.example",
        "attacker.example:80",
        "127.0.0.1.attacker.example",
        "localhost.attacker.example",
        "attacker.example@127.0.0.1",
        "127.0.0.1, attacker.example",
        "0.attacker.example:8000",
    ];
    let target = Target::start(plan, "limits/hosts", &[]).await?;
    let way = target.way(0);
    let port = way.to.port();
    let get = |host: &str| Request::new("GET", "/v1/me").header("Host", host);
    for host in foreign {
        let status = get(host).send(&way).await.status();
        report.must(matches!(status, Some(400 | 421)), || {
            format!("a loopback server answers Host: {host} with {status:?}")
        });
    }
    for host in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        "localhost".to_owned(),
    ] {
        let status = get(&host).send(&way).await.status();
        report.must(status == Some(200), || {
            format!("Host: {host} is answered {status:?}")
        });
    }
    target.finish(report).await?;
    let target = Target::start(
        plan,
        "limits/public",
        &["--public-url", "https://chess.example"],
    )
    .await?;
    let way = target.way(0);
    for host in foreign
        .into_iter()
        .chain(["chess.example.attacker.example", "achess.example"])
    {
        let status = get(host).send(&way).await.status();
        report.must(matches!(status, Some(400 | 421)), || {
            format!("https://chess.example answers Host: {host} with {status:?}")
        });
    }
    let status = get("chess.example").send(&way).await.status();
    report.must(status == Some(200), || {
        format!("its own host is answered {status:?}")
    });
    target.finish(report).await
}

/// One address takes all the places there are, and does not read.
async fn connections(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    // A server that trusts no proxy lets loopback do what it likes.
    let arguments = ["--connections", "300", "--trusted-proxy", "127.0.0.1"];
    let target = Target::start(plan, "limits/connections", &arguments).await?;
    let eve = target.way(1);
    let mut held = Vec::new();
    for _ in 0..FLOOD {
        report.count(1);
        let Ok(Ok(mut stream)) = timeout(Duration::from_secs(2), wire::connect(&eve)).await else {
            break;
        };
        // Half of them say something and wait, half of them nothing.
        if held.len() % 2 == 0 {
            let _ = stream
                .write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
                .await;
        }
        held.push(stream);
    }
    report.must(held.len() > 100, || {
        format!("one address was given {} connections only", held.len())
    });
    let begun = Instant::now();
    let outcome = wire::exchange(
        &target.way(2),
        &Request::new("GET", "/healthz").bytes(&eve.to.to_string()),
        Duration::from_secs(5),
    )
    .await;
    report.must(outcome.status() == Some(200), || {
        format!(
            "one address with {} connections leaves no place for others: {outcome:?}",
            held.len()
        )
    });
    report.note(format!(
        "somebody else beside {} connections of one address: {:.0} ms",
        held.len(),
        begun.elapsed().as_secs_f64() * 1e3
    ));
    drop(held);
    if plan.is_long {
        tokio::time::sleep(Duration::from_millis(500)).await;
        non_reader(&target, report).await?;
    }
    target.finish(report).await
}

/// Somebody asks again and again and never reads: the connection is closed in the end.
async fn non_reader(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let mut stream = wire::connect(&target.way(3)).await?;
    let request = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200);
    let begun = Instant::now();
    let limit = Duration::from_secs(90);
    let mut is_closed = false;
    while begun.elapsed() < limit && !is_closed {
        match timeout(Duration::from_secs(1), stream.write_all(&request)).await {
            Ok(Err(_)) => is_closed = true,
            Ok(Ok(())) | Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
    report.note(format!(
        "who never reads is held for {:.0} s",
        begun.elapsed().as_secs_f64()
    ));
    report.must(is_closed, || {
        format!("who never reads is held for more than {limit:?}")
    });
    let after: Outcome = Request::new("GET", "/healthz").send(&target.way(4)).await;
    report.must(after.status() == Some(200), || {
        format!("afterwards: {after:?}")
    });
    Ok(())
}
