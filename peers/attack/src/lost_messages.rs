//! Two nodes whose messages get lost, every one of them: a messenger that answers pings and delivers nothing. Who is
//! connected at one node must not be missing at the other.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::error::Elapsed;
use tokio::time::{Instant, sleep};
use touchmove_load::scan::{self, MessageKind};
use touchmove_load::socket::Socket;
use touchmove_load::tables::{self, SeatedPlayer};

use crate::Plan;
use crate::accounts::guest;
use crate::bus::{Seat, play, sit};
use crate::report::Report;
use crate::target::Target;
use crate::wire::{self, Request};

/// For so long a player may be away before the other may claim the game.
const ABSENCE: Duration = Duration::from_secs(10);
/// How much later it is claimed, and how often, each time so much later.
const MARGIN: Duration = Duration::from_secs(3);
const CLAIMS: u32 = 4;
/// How long a seek of somebody who is there must stay.
const SEEK_STAY: Duration = Duration::from_secs(45);

/// A messenger that delivers nothing: where it is, and how many messages it has swallowed.
async fn swallow() -> anyhow::Result<(SocketAddr, Rc<Cell<usize>>)> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let swallowed = Rc::new(Cell::new(0));
    let count = Rc::clone(&swallowed);
    tokio::task::spawn_local(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let count = Rc::clone(&count);
            tokio::task::spawn_local(async move {
                // A node may leave at any time.
                let _ = attend(stream, &count).await;
            });
        }
    });
    Ok((address, swallowed))
}

/// Speaks NATS with a node.
async fn attend(stream: TcpStream, swallowed: &Cell<usize>) -> anyhow::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let info = "INFO {\"server_id\":\"swallow\",\"server_name\":\"swallow\",\"version\":\"2.10.0\",\"go\":\"\",\
                \"host\":\"127.0.0.1\",\"port\":4222,\"headers\":true,\"max_payload\":1048576,\"proto\":1,\
                \"client_id\":1,\"auth_required\":false,\"tls_required\":false}\r\n";
    writer.write_all(info.as_bytes()).await?;
    let mut reader = BufReader::new(reader);
    let mut line = String::new();
    loop {
        line.clear();
        if reader.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let mut words = line.split_whitespace();
        match words.next().unwrap_or_default() {
            "PING" => writer.write_all(b"PONG\r\n").await?,
            "PUB" | "HPUB" => {
                let length: usize = words.next_back().context("no length")?.parse()?;
                let mut payload = vec![0; length + 2];
                reader.read_exact(&mut payload).await?;
                swallowed.set(swallowed.get() + 1);
            }
            _ => {}
        }
    }
}

/// Two nodes on one database, and nothing between them.
pub async fn attack(plan: &Plan, report: &mut Report, store: &str) -> anyhow::Result<()> {
    let (messenger, swallowed) = swallow().await?;
    let nats = format!("nats://{messenger}");
    let arguments = ["--store", store, "--nats", &nats];
    let one = Target::start(plan, "lost/one", &arguments).await?;
    let two = Target::start(plan, "lost/two", &arguments).await?;
    match plan.is_long {
        true => {
            absence(&one, &two, report).await?;
            seek(&one, &two, report).await?;
        }
        false => absence(&one, &two, report).await?,
    }
    let swallowed = swallowed.get();
    report.note(format!("{swallowed} messages between two nodes were lost"));
    report.must(swallowed > 0, || {
        "no message between the nodes came to the messenger".to_owned()
    });
    one.finish(report).await?;
    two.finish(report).await
}

/// White claims at one node that Black, who is at the other one, has left.
async fn absence(one: &Target, two: &Target, report: &mut Report) -> anyhow::Result<()> {
    let (white, black) = (guest(1_500), guest(1_501));
    let (at_one, at_two) = (one.way(750), two.way(751));
    let sitter = |way, secret| SeatedPlayer { way, secret };
    let terms = format!(r#"{{"time":"30+30","absence":{}}}"#, ABSENCE.as_secs());
    let game = tables::open(sitter(&at_one, &white), sitter(&at_two, &black), &terms).await?;
    let mut white = sit(one, &game, Some(&white)).await?;
    let mut black = sit(two, &game, Some(&black)).await?;
    play(&mut white, "e2e4", "a").await?;
    play(&mut black, "e7e5", "b").await?;
    let begun = Instant::now();
    let mut answer = String::new();
    // Each time a little later: a node that counts from when it came to know of the table counts for longer.
    for claim in 1..=CLAIMS {
        let until = ABSENCE + MARGIN * claim;
        while begun.elapsed() < until {
            // Pings are answered by who hears.
            let glance = Duration::from_millis(250);
            let (_, hears) = tokio::join!(white.hear(glance), black.hear(glance));
            let is_there = hears.map_or_else(|error| error.is::<Elapsed>(), |_| true);
            anyhow::ensure!(is_there, "Black's socket was closed");
        }
        answer = claim_absence(&mut white, claim).await?;
        if answer.contains("\"accepted\":true") {
            break;
        }
    }
    report.must(answer.contains("\"accepted\":false"), || {
        format!("Black, who is there at another node, was claimed to have left: {answer}")
    });
    // Of what is refused for another reason nothing can be seen.
    let is_judged = ["true", "opponent_present", "absence_not_yet"];
    report.must(is_judged.iter().any(|word| answer.contains(word)), || {
        format!("whether Black is there was not looked at: {answer}")
    });
    report.note(format!("the claim that Black has left: {answer}"));
    Ok(())
}

/// Claims that Black has left, and gives the answer.
async fn claim_absence(white: &mut Seat, claim: u32) -> anyhow::Result<String> {
    let id = format!("\"id\":\"c{claim}\"");
    let command = format!(r#"{{"command":"claim_absence",{id}}}"#);
    white.socket.send(&command).await?;
    loop {
        let text = white.hear(Duration::from_secs(10)).await?;
        if scan::kind(&text) == MessageKind::Answer && scan::has(&text, &id) {
            return Ok(String::from_utf8_lossy(&text).into_owned());
        }
    }
}

/// A guest at one node seeks a game and stays: the seek stays too, at both.
async fn seek(one: &Target, two: &Target, report: &mut Report) -> anyhow::Result<()> {
    let way = two.way(752);
    let secret = guest(1_502);
    let lines = format!("Authorization: Bearer {secret}\r\n");
    let stream = wire::connect(&way).await?;
    let mut lobby = Socket::open_with(stream, "/v1/lobby/live", &lines).await?;
    let made = Request::new("POST", "/v1/seeks").bearer(&secret).json("{}");
    let made = made.send(&way).await.success()?;
    let id = made.text("id").context("no seek")?;
    let begun = Instant::now();
    while begun.elapsed() < SEEK_STAY {
        let heard = tokio::time::timeout(Duration::from_millis(250), lobby.receive()).await;
        anyhow::ensure!(
            !matches!(heard, Ok(Err(_))),
            "the socket of the lobby was closed"
        );
    }
    sleep(MARGIN).await;
    for (name, target) in [("the other node", one), ("its own node", two)] {
        let seeks = Request::new("GET", "/v1/seeks")
            .send(&target.way(753))
            .await;
        let seeks = seeks.success()?;
        report.must(seeks.body.contains(&id), || {
            format!(
                "the seek of a guest who is there is gone at {name}: {}",
                seeks.body
            )
        });
    }
    Ok(())
}
