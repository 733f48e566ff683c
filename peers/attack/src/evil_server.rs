//! Evil servers for `touchmove join` and `host --at`: escapes in everything that they say, answers that never
//! end, are deep, slow or lead elsewhere, and ears for tokens that are not theirs.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use crate::Plan;
use crate::process::{EVIL, Launch, harm};
use crate::report::Report;

/// How long the program may take to give up.
const PATIENCE: Duration = Duration::from_secs(40);
/// The most memory that it may take.
const MAX_MEMORY: u64 = 200 << 20;
/// The largest message that it takes.
const MAX_MESSAGE_BYTES: usize = 4 << 20;
/// A token that no stranger may see.
const TOKEN: &str = "tm_attacktokenattacktokenattack";

/// How a server is evil.
#[derive(Clone, Copy, Debug)]
enum Evil {
    Error(u16),
    Redirect,
    EndlessBody,
    EndlessHead,
    DeepJson,
    Slow,
    Garbage,
    Silent,
    Table,
    Socket,
    Truncated,
    /// Messages with very many values between these two, again and again.
    Costly(&'static str, &'static str),
    /// A journal with a line like that.
    CostlyJournal,
}

const ALL: &[Evil] = &[
    Evil::Error(403),
    Evil::Error(500),
    Evil::Error(429),
    Evil::Redirect,
    Evil::EndlessBody,
    Evil::EndlessHead,
    Evil::DeepJson,
    Evil::Garbage,
    Evil::Table,
    Evil::Socket,
    Evil::Truncated,
    Evil::Costly(r#"{"v":1,"type":"weather","x":["#, "0]}"),
    Evil::Costly(r#"{"v":1,"type":"answer","accepted":false,"x":["#, "0]}"),
    Evil::Costly(
        r#"{"v":1,"type":"decided","state":{"seq":1,"at":0},"events":[{"v":1,"seq":1,"x":["#,
        "0]}]}",
    ),
    Evil::CostlyJournal,
];

/// A text of nearly the largest size, full of values.
fn costly(before: &str, after: &str) -> String {
    let item = "[0],";
    let count = (MAX_MESSAGE_BYTES - 1_000) / item.len();
    format!("{before}{}{after}", item.repeat(count))
}

/// Lets the program come to each of them.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let slow = [Evil::Slow, Evil::Silent];
    let mut most = 0;
    let all = ALL.iter().chain(slow.iter().filter(|_| plan.is_long));
    for &evil in all {
        for (number, arguments) in [
            vec!["join", "{}/Ab3dE6gH", "--plain"],
            vec!["join", "{}/Ab3dE6gH", "--watch", "--json"],
            vec!["host", "--at", "{}", "--plain"],
            vec!["join", "{}/Ab3dE6gH"],
        ]
        .into_iter()
        .enumerate()
        {
            let (server, heard) = listen(evil).await?;
            let url = format!("http://{server}");
            let arguments: Vec<String> = arguments
                .iter()
                .map(|word| word.replace("{}", &url))
                .collect();
            let home = plan.folder.join(format!("evil-{number}"));
            std::fs::create_dir_all(&home)?;
            // What costs much takes a moment to be read.
            let is_costly = matches!(evil, Evil::Costly(..) | Evil::CostlyJournal);
            let launch = Launch {
                program: &plan.program,
                arguments: &arguments,
                home: &home,
                input: if is_costly {
                    b""
                } else {
                    b"e4\n:quit\nquit\n\x03"
                },
                stays: match (is_costly, number == 3) {
                    (true, _) => Duration::from_secs(2),
                    (false, true) => Duration::from_secs(3),
                    (false, false) => Duration::ZERO,
                },
                environment: &[
                    ("TOUCHMOVE_TOKEN", TOKEN.to_owned()),
                    ("TOUCHMOVE_TOKEN_ORIGIN", "https://chess.example".to_owned()),
                ],
                patience: PATIENCE,
                has_terminal: number == 3,
            };
            let run = launch.run().await?;
            report.count(1);
            let what = format!("{evil:?}: touchmove {}", arguments.join(" "));
            let draws = number == 3;
            if run.is_late {
                report.fail(&format!("{what}: did not end within {PATIENCE:?}"), b"");
            } else if !matches!(run.code, Some(0..=2)) && !draws {
                report.fall(&format!("{what}: exit code {:?}", run.code), &run.output);
            }
            if let Some(harm) = harm(&run.output, draws) {
                report.fail(&format!("{what}: {harm}"), &run.output);
            }
            most = most.max(run.peak_memory);
            if run.peak_memory > MAX_MEMORY {
                let peak = run.peak_memory >> 20;
                report.fail(&format!("{what}: {peak} MB of memory"), b"");
            }
            if heard.borrow().contains(TOKEN) {
                report.fail(&format!("{what}: a token for another server was sent"), b"");
            }
        }
    }
    report.note(format!(
        "the program had {} MB of memory at most",
        most >> 20
    ));
    Ok(())
}

/// Everything that was sent to a listener.
type Heard = Rc<RefCell<String>>;

/// An evil server on loopback. It goes with the program that it was made for: 16 connections are served.
async fn listen(evil: Evil) -> anyhow::Result<(SocketAddr, Heard)> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let heard = Heard::default();
    let ears = Rc::clone(&heard);
    // Where redirects lead: somebody else, who must not hear the token either.
    let elsewhere = TcpListener::bind(("127.0.0.1", 0)).await?;
    let other = elsewhere.local_addr()?;
    let other_ears = Rc::clone(&heard);
    tokio::task::spawn_local(async move {
        for _ in 0..16 {
            let Ok((stream, _)) = elsewhere.accept().await else {
                return;
            };
            tokio::task::spawn_local(answer(
                stream,
                Evil::Error(403),
                other,
                Rc::clone(&other_ears),
            ));
        }
    });
    tokio::task::spawn_local(async move {
        for _ in 0..16 {
            let Ok((stream, _)) = listener.accept().await else {
                return;
            };
            tokio::task::spawn_local(answer(stream, evil, other, Rc::clone(&ears)));
        }
    });
    Ok((address, heard))
}

async fn answer(mut stream: TcpStream, evil: Evil, other: SocketAddr, heard: Heard) {
    let mut request = vec![0; 16 * 1024];
    let Ok(length) = stream.read(&mut request).await else {
        return;
    };
    let request = String::from_utf8_lossy(&request[..length]).into_owned();
    heard.borrow_mut().push_str(&request);
    // The program may leave at any time.
    let _ = misbehave(&mut stream, evil, other, &request).await;
}

async fn misbehave(
    stream: &mut TcpStream,
    evil: Evil,
    other: SocketAddr,
    request: &str,
) -> std::io::Result<()> {
    let escaped = serde_json::Value::from(format!("{EVIL}\r\nFAKE PROMPT$ ")).to_string();
    let json = |status: &str, body: &str| {
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
    };
    match evil {
        Evil::Error(status) => {
            let body = format!(r#"{{"error":{escaped},"code":{escaped},"reason":{escaped}}}"#);
            let answer = json(
                &format!("{status} {}", EVIL.replace(['\r', '\n'], "")),
                &body,
            );
            stream.write_all(answer.as_bytes()).await
        }
        Evil::Redirect => {
            let head = format!(
                "HTTP/1.1 307 Elsewhere\r\nLocation: http://{other}/\r\nContent-Length: 0\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await
        }
        Evil::EndlessBody => {
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"a\":\"")
                .await?;
            loop {
                stream.write_all(&[b'x'; 64 * 1024]).await?;
            }
        }
        Evil::EndlessHead => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n").await?;
            loop {
                stream
                    .write_all(format!("X: {}\r\n", "x".repeat(4_000)).as_bytes())
                    .await?;
            }
        }
        Evil::DeepJson => {
            let body = "[".repeat(1_000_000);
            stream.write_all(json("200 OK", &body).as_bytes()).await
        }
        Evil::Slow => {
            for byte in json("200 OK", "{}").bytes().cycle().take(2_000) {
                stream.write_all(&[byte]).await?;
                sleep(Duration::from_millis(200)).await;
            }
            Ok(())
        }
        Evil::Garbage => {
            stream
                .write_all(format!("{EVIL}\r\n\r\n{EVIL}").as_bytes())
                .await
        }
        Evil::Silent => {
            sleep(PATIENCE * 2).await;
            Ok(())
        }
        Evil::CostlyJournal if request.contains("/journal") => {
            let line = costly(r#"{"v":1,"seq":0,"at":0,"event":"started","x":["#, "0]}");
            stream.write_all(json("200 OK", &line).as_bytes()).await
        }
        Evil::Socket | Evil::Costly(..) if request.contains("/journal") => {
            stream
                .write_all(json("200 OK", &journal(&escaped)).as_bytes())
                .await
        }
        Evil::Table | Evil::Socket | Evil::Costly(..) | Evil::CostlyJournal
            if !request.to_ascii_lowercase().contains("upgrade: websocket") =>
        {
            let body = format!(
                r#"{{"game":"Ab3dE6gH","url":{escaped},"id":{escaped},"name":{escaped},"white":{{"name":{escaped}}},"black":{{"name":{escaped}}},"open":{{"white":true,"black":true}},"seat":"white","side":"white","you":"white"}}"#
            );
            stream.write_all(json("200 OK", &body).as_bytes()).await
        }
        Evil::Table => {
            let body = format!(r#"{{"error":{escaped}}}"#);
            stream
                .write_all(json("403 Forbidden", &body).as_bytes())
                .await
        }
        Evil::Socket => open_socket(stream, request, &escaped).await,
        Evil::Costly(before, after) => {
            upgrade(stream, request).await?;
            say(stream, &state(&escaped)).await?;
            let message = costly(before, after);
            loop {
                say(stream, &message).await?;
            }
        }
        Evil::CostlyJournal => {
            upgrade(stream, request).await?;
            say(stream, &state(&escaped)).await?;
            sleep(PATIENCE).await;
            Ok(())
        }
        Evil::Truncated => {
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"game\":")
                .await
        }
    }
}

/// Opens a WebSocket.
async fn upgrade(stream: &mut TcpStream, request: &str) -> std::io::Result<()> {
    let key = request
        .lines()
        .find_map(|line| {
            line.to_ascii_lowercase()
                .starts_with("sec-websocket-key:")
                .then(|| line[18..].trim())
        })
        .unwrap_or_default();
    let head = format!(
        "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {}\r\n\r\n",
        tungstenite::handshake::derive_accept_key(key.as_bytes())
    );
    stream.write_all(head.as_bytes()).await
}

async fn say(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    stream.write_all(&unmasked(0x81, text.as_bytes())).await
}

/// The journal of a game between evil names.
fn journal(escaped: &str) -> String {
    format!(
        r#"{{"v":1,"seq":0,"at":0,"event":"started","white":{escaped},"black":{escaped},"terms":{{"variant":"chess","start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","draws":"claim","flag":"fide","dead":"exact","time":"3+2","clock_start":"both-moved","takebacks":true,"gifts":true}}}}"#
    )
}

/// How everything stands at a table with evil names and chat.
fn state(escaped: &str) -> String {
    format!(
        r#"{{"v":1,"type":"state","game":"Ab3dE6gH","you":"white","terms":{{"variant":"chess","white":{escaped},"black":{escaped}}},"started":0,"history":[],"state":{{"seq":0,"at":0,"turn":"white","fen":{escaped},"explanation":{escaped},"status":{escaped}}},"presence":{{"at":0,"white_away":null,"black_away":null,"watching":0}},"open":{{"white":false,"black":false}},"chat":[{{"room":"players","number":1,"at":0,"name":{escaped},"text":{escaped}}}],"rematch":{{"offer":null,"game":null}},"moves":[{escaped}]}}"#
    )
}

/// A WebSocket with evil names, chat, refusals and frames.
async fn open_socket(stream: &mut TcpStream, request: &str, escaped: &str) -> std::io::Result<()> {
    upgrade(stream, request).await?;
    let chat = format!(
        r#"{{"v":1,"type":"chat","room":"players","number":2,"at":0,"name":{escaped},"text":{escaped}}}"#
    );
    let answer = format!(
        r#"{{"v":1,"type":"answer","id":"1","accepted":false,"reason":{escaped},"text":{escaped},"did_you_mean":[{escaped}]}}"#
    );
    let rematch = format!(r#"{{"v":1,"type":"rematch","offer":null,"game":{escaped}}}"#);
    for message in [
        state(escaped),
        chat,
        answer,
        rematch,
        "[".repeat(60_000),
        EVIL.to_owned(),
    ] {
        say(stream, &message).await?;
    }
    let close = [&1008_u16.to_be_bytes()[..], EVIL.as_bytes()].concat();
    stream.write_all(&unmasked(0x88, &close)).await
}

fn unmasked(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match u16::try_from(payload.len()) {
        Ok(length @ ..126) => frame.push(length as u8),
        Ok(length) => {
            frame.push(126);
            frame.extend(length.to_be_bytes());
        }
        Err(_) => {
            frame.push(127);
            frame.extend((payload.len() as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(payload);
    frame
}
