//! `load api`: games through the API that clients of Lichess speak. Each player reads a stream of his game
//! and sends his moves over a connection of his own, one request after the other, as bots do.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use bytes::{Buf as _, BytesMut};
use clap::Args;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::folder::TempDir;
use crate::measure::Latencies;
use crate::net::{NodeAddress, REQUEST_TIMEOUT};
use crate::server::{Program, cpu};
use crate::tables::{self, SeatedPlayer};

/// The terms of games that are made through this API.
const TERMS: &str =
    r#"{"variant":"chess","time":"5+3","draws":"claim","clock_start":"both-moved"}"#;

#[derive(Args)]
pub struct Arguments {
    /// The program, which is started on a folder of its own
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// Games at once; each has two players with a stream and a connection for moves each
    #[arg(long, default_value_t = 200)]
    games: usize,

    /// How long is measured
    #[arg(long, default_value_t = 20)]
    seconds: u64,
}

/// What was measured.
#[derive(Default)]
struct ApiTally {
    moves: Cell<u64>,
    games: Cell<u64>,
    answered: RefCell<Latencies>,
    told: RefCell<Latencies>,
    troubles: RefCell<Vec<String>>,
}

/// Plays and prints what it took.
pub async fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let folder = TempDir::new()?;
    let program = Program::new(&arguments.server, folder.path().join("data"))?;
    let server = program.start().await?;
    let tally = Rc::new(ApiTally::default());
    let mut games = Vec::new();
    for number in 0..arguments.games {
        let (way, tally) = (NodeAddress::new(server.address, number), Rc::clone(&tally));
        games.push(tokio::task::spawn_local(async move {
            loop {
                match play(&way, number, &tally).await {
                    Ok(()) => tally.games.set(tally.games.get() + 1),
                    Err(error) => {
                        tally.troubles.borrow_mut().push(format!("{error:#}"));
                        sleep(Duration::from_millis(100)).await;
                    }
                }
            }
        }));
    }
    sleep(Duration::from_secs(3)).await;
    let (before, own, begun) = (server.cpu()?, cpu("self")?, Instant::now());
    let counted = tally.moves.get();
    tally.answered.take();
    tally.told.take();
    sleep(Duration::from_secs(arguments.seconds)).await;
    let moves = tally.moves.get() - counted;
    let (used, own, took) = (server.cpu()? - before, cpu("self")? - own, begun.elapsed());
    for game in &games {
        game.abort();
    }
    let (moves_f, seconds) = (moves as f64, took.as_secs_f64());
    println!(
        "moves acknowledged: {moves} in {seconds:.1} s, {:.0} per second",
        moves_f / seconds
    );
    println!(
        "server: {:.2} s of CPU, {:.1} µs per move, {:.0} moves per server-core-second, {} MiB",
        used.as_secs_f64(),
        used.as_secs_f64() / moves_f * 1e6,
        moves_f / used.as_secs_f64(),
        server.memory()? / (1 << 20)
    );
    println!("generator: {:.2} s of CPU", own.as_secs_f64());
    println!(
        "from sending to the answer:       {}",
        tally.answered.borrow()
    );
    println!("from sending to the opponent:     {}", tally.told.borrow());
    let troubles = tally.troubles.take();
    println!(
        "games ended: {}, troubles: {}",
        tally.games.get(),
        troubles.len()
    );
    for trouble in troubles.iter().take(8) {
        println!("  trouble: {trouble}");
    }
    let is_fine = troubles.is_empty();
    drop(troubles);
    server.stop().await?;
    Ok(if is_fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// A long game in which no position comes five times: the knights go out and back, and now and then a
/// pawn moves that is not in their way.
fn moves() -> impl Iterator<Item = String> {
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"];
    "abcdegh".chars().flat_map(move |file| {
        let pawns = [format!("{file}2{file}3"), format!("{file}7{file}6")];
        let shuffle = knights.repeat(3).into_iter().map(str::to_owned);
        shuffle.chain(pawns)
    })
}

async fn play(way: &NodeAddress, number: usize, tally: &ApiTally) -> anyhow::Result<()> {
    let secrets = ["white", "black"].map(|side| format!("guest_{side:0>20}{number:08}"));
    let sitter = |side: usize| SeatedPlayer {
        way,
        secret: &secrets[side],
    };
    let game = tables::open(sitter(0), sitter(1), TERMS).await?;
    let path = format!("/api/board/game/stream/{game}");
    let mut readers = Vec::new();
    let mut senders = Vec::new();
    for secret in &secrets {
        let mut reader = Lines::open(way, secret, &path).await?;
        let first = reader.object().await?;
        if !first.contains("\"gameFull\"") {
            bail!("a stream began with {first}");
        }
        readers.push(reader);
        senders.push(HttpConnection::new(way, secret).await?);
    }
    for (ply, uci) in moves().enumerate() {
        let sent = Instant::now();
        let path = format!("/api/board/game/{game}/move/{uci}");
        senders[ply % 2].post(&path).await?;
        tally.answered.borrow_mut().push(sent.elapsed());
        tally.moves.set(tally.moves.get() + 1);
        for side in [1 - ply % 2, ply % 2] {
            loop {
                let state = readers[side].object().await?;
                if plies(&state) > ply {
                    break;
                }
            }
            if side != ply % 2 {
                tally.told.borrow_mut().push(sent.elapsed());
            }
        }
    }
    senders[0]
        .post(&format!("/api/board/game/{game}/resign"))
        .await
}

/// How many moves a state has.
fn plies(state: &str) -> usize {
    let moves = state
        .split_once("\"moves\":\"")
        .map_or("", |(_, rest)| rest);
    let moves = moves.split('"').next().unwrap_or_default();
    moves.split_whitespace().count()
}

/// A stream of lines.
struct Lines {
    stream: TcpStream,
    unread: BytesMut,
}

impl Lines {
    async fn open(way: &NodeAddress, secret: &str, path: &str) -> anyhow::Result<Lines> {
        let mut stream = way.connect().await?;
        let head = format!(
            "GET {path} HTTP/1.0\r\nHost: {}\r\nAuthorization: Bearer {secret}\r\n\r\n",
            way.to
        );
        stream.write_all(head.as_bytes()).await?;
        let mut lines = Lines {
            stream,
            unread: BytesMut::with_capacity(4096),
        };
        let status = lines.line().await?;
        if !status.contains(" 200 ") {
            bail!("{path}: {status}");
        }
        while !lines.line().await?.is_empty() {}
        Ok(lines)
    }

    async fn line(&mut self) -> anyhow::Result<String> {
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.unread) {
                let line = self.unread.split_to(end);
                self.unread.advance(1);
                return Ok(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            self.unread.reserve(2048);
            let read = timeout(REQUEST_TIMEOUT, self.stream.read_buf(&mut self.unread)).await;
            if read.context("nothing came")?? == 0 {
                bail!("the stream ended");
            }
        }
    }

    /// The next line that is not empty.
    async fn object(&mut self) -> anyhow::Result<String> {
        loop {
            let line = self.line().await?;
            if !line.is_empty() {
                return Ok(line);
            }
        }
    }
}

/// A connection on which one request comes after the other.
struct HttpConnection {
    stream: TcpStream,
    head: String,
    read: Vec<u8>,
}

impl HttpConnection {
    async fn new(way: &NodeAddress, secret: &str) -> anyhow::Result<HttpConnection> {
        Ok(HttpConnection {
            stream: way.connect().await?,
            head: format!(
                "HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {secret}\r\nContent-Length: 0\r\n\r\n",
                way.to
            ),
            read: Vec::new(),
        })
    }

    async fn post(&mut self, path: &str) -> anyhow::Result<()> {
        let request = format!("POST {path} {}", self.head);
        self.stream.write_all(request.as_bytes()).await?;
        self.read.clear();
        // The answer is short, and ends with the object that it is.
        while !self.read.ends_with(b"}") {
            let read = timeout(REQUEST_TIMEOUT, self.stream.read_buf(&mut self.read)).await;
            if read.context("no answer came")?? == 0 {
                bail!("{path}: the connection ended");
            }
        }
        if !self.read.starts_with(b"HTTP/1.1 200") {
            bail!("{path}: {}", String::from_utf8_lossy(&self.read));
        }
        Ok(())
    }
}
