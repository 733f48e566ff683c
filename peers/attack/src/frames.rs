//! Malformed WebSocket traffic: frames with wrong lengths, kinds, masks, pieces and texts, to tables and lobby.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;
use touchmove_load::net::NodeAddress;
use touchmove_load::socket::{Socket, text_frame};

use crate::report::Report;
use crate::target::Target;
use crate::{Plan, accounts, wire};

/// Connections at once.
const AT_ONCE: usize = 32;
/// How many frames one connection sends at most.
const MAX_FRAMES: usize = 8;
/// How long an answer is waited for before the connection is left.
const GLANCE: Duration = Duration::from_millis(40);

/// Messages that are valid, or almost.
const MESSAGES: &[&str] = &[
    r#"{"move":"e2e4","id":"a"}"#,
    r#"{"move":"e2e4","id":"a","seen":18446744073709551615}"#,
    r#"{"command":"ping"}"#,
    r#"{"command":"state"}"#,
    r#"{"command":"chat","text":"\u001b]0;ATTACK\u0007","id":"c"}"#,
    r#"{"command":"takeback"}"#,
    r#"{"command":"give","seconds":1e99}"#,
    r#"{"command":"rematch"}"#,
    r#"{"move":null,"command":[]}"#,
    r#"{"v":1,"type":"decided","events":[]}"#,
    "",
    "null",
    "\u{feff}{}",
];

/// Sends them.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let mut target = Target::start(plan, "frames", &["--trusted-proxy", "127.0.0.1"]).await?;
    let game = accounts::table(&target, 0).await?;
    let table = format!("/v1/tables/{game}/live");
    let paths = [table.as_str(), "/v1/lobby/live"];
    let mut random = fastrand::Rng::with_seed(plan.seed ^ 0xf0a3);
    let (mut sent, mut tried, mut heard) = (0, 0, 0);
    while sent < plan.requests / 4 {
        let mut sending = JoinSet::new();
        let mut frames = Vec::new();
        for number in 0..AT_ONCE {
            let some: Vec<Vec<u8>> = (0..random.usize(1..=MAX_FRAMES))
                .map(|_| frame(&mut random))
                .collect();
            sent += some.len();
            report.count(some.len());
            frames.extend_from_slice(&some);
            let from = format!("100.{}.{}.{number}", random.u8(64..128), random.u8(..));
            let secret = random.bool().then(|| accounts::guest(random.usize(..2)));
            let (way, path) = (target.proxy(), paths[random.usize(..2)].to_owned());
            sending.spawn_local(async move {
                // Who is not let in has tried that.
                converse(&way, &path, &from, secret, &some)
                    .await
                    .unwrap_or(0)
            });
        }
        tried += AT_ONCE;
        let texts = sending.join_all().await;
        heard += texts.into_iter().filter(|&texts| texts > 1).count();
        target.check(report, true, &frames.concat()).await?;
    }
    report.note(format!("{heard} of {tried} sockets were answered"));
    report.must(heard * 4 > tried, || {
        format!("only {heard} of {tried} sockets were answered")
    });
    target.finish(report).await
}

/// Opens a socket, sends the frames, and reads a little of what comes back: how many texts.
async fn converse(
    way: &NodeAddress,
    path: &str,
    from: &str,
    secret: Option<String>,
    frames: &[Vec<u8>],
) -> anyhow::Result<usize> {
    let mut lines = format!("X-Forwarded-For: {from}\r\n");
    if let Some(secret) = secret {
        lines += &format!("Authorization: Bearer {secret}\r\n");
    }
    let stream = wire::connect(way).await?;
    let mut socket = Socket::open_with(stream, path, &lines).await?;
    for frame in frames {
        // The server may have closed already.
        if !matches!(
            timeout(wire::PATIENCE, socket.send_raw(frame)).await,
            Ok(Ok(()))
        ) {
            break;
        }
    }
    let mut texts = 0;
    while let Ok(Ok(_)) = timeout(GLANCE, socket.receive()).await {
        texts += 1;
    }
    Ok(texts)
}

/// A frame that is spoiled in some way.
fn frame(random: &mut fastrand::Rng) -> Vec<u8> {
    let message = MESSAGES[random.usize(..MESSAGES.len())].as_bytes();
    let mut frame = text_frame(message);
    match random.u8(..18) {
        0 => frame[0] = random.u8(..),
        1 => frame[1] &= 0x7f,
        2 => frame[1] = random.u8(..),
        3 => frame = [&[0x81, 0xff][..], &u64::MAX.to_be_bytes(), &[0; 4]].concat(),
        4 => frame = [&[0x81, 0xff][..], &(1_u64 << 40).to_be_bytes(), &[0; 64]].concat(),
        5 => frame = [&[0x81, 0xfe, 0, 1][..], &[0; 5]].concat(),
        6 => frame = text_frame(&vec![b'['; 4_000]),
        7 => frame = text_frame("{\"a\":".repeat(800).as_bytes()),
        8 => frame = text_frame(&vec![b'x'; 70_000]),
        9 => frame = text_frame(b"\xff\xfe\xc0\x80\xed\xa0\x80"),
        10 => {
            frame = text_frame(&[b"{\"move\":\"", "a.".repeat(2_000).as_bytes(), b"\"}"].concat());
        }
        11 => {
            // Pieces that never become a message.
            frame = [0x01, 0x81, 0, 0, 0, 0, b'{'].to_vec();
            frame.extend([0x00, 0x81, 0, 0, 0, 0, b'['].repeat(random.usize(1..2_000)));
        }
        12 => frame = [0x80, 0x81, 0, 0, 0, 0, b'x'].to_vec(),
        13 => frame = [0x88, 0x81, 0, 0, 0, 0, 1].to_vec(),
        14 => {
            let code = random.u16(..).to_be_bytes();
            frame = [&[0x88, 0x84, 0, 0, 0, 0][..], &code, b"\xff\xff"].concat();
        }
        15 => frame = [&[0x89, 0xfe, 1, 0, 0, 0, 0, 0][..], &[0; 256]].concat(),
        16 => frame = (0..random.usize(1..200)).map(|_| random.u8(..)).collect(),
        _ => {
            let at = random.usize(..frame.len());
            frame.truncate(at.max(1));
        }
    }
    frame
}
