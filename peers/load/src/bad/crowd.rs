//! Those who take places and give nothing: half requests, readers that never read.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::{AttackContext, Outcome};
use crate::socket::{Socket, text_frame};
use crate::tables::live;

/// How many come.
const SLOWLORIS_CLIENTS: usize = 500;
/// How long they are waited for.
const MAX_WAIT: Duration = Duration::from_secs(30);
/// How many never read.
const NON_READING_CLIENTS: usize = 50;

/// Requests of which a byte comes each second.
pub(super) async fn slowloris(hall: &AttackContext) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut lorises = JoinSet::new();
    for _ in 0..SLOWLORIS_CLIENTS {
        let way = hall.way();
        lorises.spawn_local(async move {
            let mut stream = way.connect().await.ok()?;
            let begun = Instant::now();
            stream
                .write_all(b"GET /healthz HTTP/1.1\r\nHost: slow\r\nX-Slow: ")
                .await
                .ok()?;
            while begun.elapsed() < MAX_WAIT {
                let mut answer = [0; 256];
                match timeout(Duration::from_secs(1), stream.read(&mut answer)).await {
                    Ok(_) => return Some(begun.elapsed()),
                    Err(_) if stream.write_all(b"a").await.is_err() => {
                        return Some(begun.elapsed());
                    }
                    Err(_) => {}
                }
            }
            None
        });
    }
    let ended = lorises.join_all().await;
    let let_go: Vec<Duration> = ended.into_iter().flatten().collect();
    let slowest = let_go.iter().max().copied().unwrap_or_default();
    outcome.say(format!(
        "{} of {SLOWLORIS_CLIENTS} half requests were ended, the last after {:.1} s",
        let_go.len(),
        slowest.as_secs_f64()
    ));
    outcome.must(
        let_go.len() == SLOWLORIS_CLIENTS,
        "half requests stay open for ever",
    );
    Ok(outcome)
}

/// Asks for the state again and again, and never reads it.
pub(super) async fn never_read(hall: &AttackContext) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let before = hall.server.memory()?;
    let den = hall.den().await?;
    let mut silent = JoinSet::new();
    for number in 0..NON_READING_CLIENTS {
        let way = hall.way();
        let path = live(&den.game);
        let secret = den.secrets[number % 2].clone();
        silent.spawn_local(async move {
            let socket = TcpSocket::new_v4().ok()?;
            socket.set_recv_buffer_size(4096).ok()?;
            let stream = way.connect_with(socket).await.ok()?;
            let lines = format!("Authorization: Bearer {secret}\r\n");
            let mut socket = Socket::open_with(stream, &path, &lines).await.ok()?;
            let begun = Instant::now();
            let ask = text_frame(br#"{"command":"state"}"#);
            while begun.elapsed() < MAX_WAIT + Duration::from_secs(15) {
                match timeout(Duration::from_secs(1), socket.send_raw(&ask)).await {
                    Ok(Err(_)) => return Some(begun.elapsed()),
                    Ok(Ok(())) => sleep(Duration::from_millis(1)).await,
                    Err(_) => {}
                }
            }
            None
        });
    }
    let mut most = before;
    let mut ended = Vec::new();
    loop {
        match timeout(Duration::from_millis(200), silent.join_next()).await {
            Ok(Some(end)) => ended.extend(end.ok().flatten()),
            Ok(None) => break,
            Err(_) => most = most.max(hall.server.memory()?),
        }
    }
    let slowest = ended.iter().max().copied().unwrap_or_default();
    let grown = most.saturating_sub(before);
    outcome.say(format!(
        "{} of {NON_READING_CLIENTS} were let go, the last after {:.1} s; the server grew by {} KiB, {} KiB each",
        ended.len(),
        slowest.as_secs_f64(),
        grown / 1024,
        grown / 1024 / NON_READING_CLIENTS as u64
    ));
    outcome.must(
        ended.len() == NON_READING_CLIENTS,
        "who never reads is kept for ever",
    );
    Ok(outcome)
}
