//! Forged, replayed and reordered messages between nodes: whoever can publish to NATS changes nothing but how
//! soon something is heard. It needs the PostgreSQL and the NATS of `.ci/services`.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context as _;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use touchmove_load::scan::{self, MessageKind};
use touchmove_load::socket::Socket;
use touchmove_load::tables::journal;

use crate::accounts::{guest, table};
use crate::report::Report;
use crate::target::Target;
use crate::{Plan, lost_messages, wire};

/// Whoever listens to everything and publishes what he likes.
struct Eve {
    writer: OwnedWriteHalf,
    heard: mpsc::UnboundedReceiver<(String, Vec<u8>)>,
}

impl Eve {
    async fn connect(url: &str) -> anyhow::Result<Eve> {
        let rest = url.strip_prefix("nats://").context("no nats:// address")?;
        let (user, host) = match rest.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, rest),
        };
        let address: SocketAddr = host.trim_end_matches('/').parse()?;
        anyhow::ensure!(address.ip().is_loopback(), "only loopback is attacked");
        let (reader, mut writer) = TcpStream::connect(address).await?.into_split();
        let login = match user.and_then(|user| user.split_once(':')) {
            Some((user, password)) => format!(r#","user":"{user}","pass":"{password}""#),
            None => String::new(),
        };
        let hello = format!("CONNECT {{\"verbose\":false{login}}}\r\nSUB > 1\r\nPING\r\n");
        writer.write_all(hello.as_bytes()).await?;
        let (sender, heard) = mpsc::unbounded_channel();
        tokio::task::spawn_local(async move {
            let mut reader = BufReader::new(reader);
            let mut line = String::new();
            loop {
                line.clear();
                if !matches!(reader.read_line(&mut line).await, Ok(1..)) {
                    return;
                }
                let Some(message) = line.trim().strip_prefix("MSG ") else {
                    continue;
                };
                let subject = message.split(' ').next().unwrap_or_default().to_owned();
                let length = message
                    .rsplit(' ')
                    .next()
                    .and_then(|length| length.parse().ok());
                let mut payload = vec![0; length.unwrap_or(0) + 2];
                if reader.read_exact(&mut payload).await.is_err() {
                    return;
                }
                payload.truncate(payload.len() - 2);
                // Nobody may be listening any more.
                let _ = sender.send((subject, payload));
            }
        });
        Ok(Eve { writer, heard })
    }

    async fn publish(&mut self, subject: &str, payload: &[u8]) -> anyhow::Result<()> {
        let head = format!("PUB {subject} {}\r\n", payload.len());
        let message = [head.as_bytes(), payload, b"\r\n"].concat();
        self.writer.write_all(&message).await?;
        Ok(())
    }

    async fn recorded(&mut self) -> Vec<(String, Vec<u8>)> {
        let mut recorded = Vec::new();
        let mut patience = Duration::from_secs(5);
        while let Ok(Some(message)) = timeout(patience, self.heard.recv()).await {
            recorded.push(message);
            patience = Duration::from_millis(300);
        }
        recorded
    }
}

/// Two nodes, a game between them, and Eve.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let services = std::env::var("TOUCHMOVE_TEST_POSTGRES")
        .ok()
        .zip(std::env::var("TOUCHMOVE_TEST_NATS").ok());
    let Some((store, nats)) = services else {
        let why = "TOUCHMOVE_TEST_POSTGRES and TOUCHMOVE_TEST_NATS are not set (.ci/services run)";
        let may_skip = std::env::var("CI").as_deref() != Ok("true");
        anyhow::ensure!(may_skip, "it was not tried, because {why}");
        report.note(format!("skipped, because {why}"));
        return Ok(());
    };
    let arguments = ["--store", &store, "--nats", &nats];
    let one = Target::start(plan, "bus/one", &arguments).await?;
    let two = Target::start(plan, "bus/two", &arguments).await?;
    let mut eve = Eve::connect(&nats).await?;
    let game = table(&one, 700).await?;
    let mut white = sit(&one, &game, Some(&guest(1_400))).await?;
    let mut black = sit(&two, &game, Some(&guest(1_401))).await?;
    let mut watcher = sit(&two, &game, None).await?;
    // Something to record and replay.
    play(&mut white, "e2e4", "a").await?;
    play(&mut black, "e7e5", "b").await?;
    white
        .socket
        .send(r#"{"command":"chat","text":"good luck","id":"c"}"#)
        .await?;
    let recorded = eve.recorded().await;
    report.must(!recorded.is_empty(), || {
        "no message between the nodes was recorded".to_owned()
    });
    let subject = recorded
        .first()
        .map_or("touchmove.house", |(subject, _)| subject);
    let root = subject.split('.').take(2).collect::<Vec<_>>().join(".");
    let forged = forged(&game);
    for (subject, text) in &forged {
        for subject in [
            format!("{root}.{subject}"),
            root.clone(),
            format!("{root}.house"),
        ] {
            eve.publish(&subject, text.as_bytes()).await?;
            report.count(1);
        }
    }
    let mut random = fastrand::Rng::with_seed(plan.seed);
    let mut again: Vec<(String, Vec<u8>)> = Vec::new();
    for (subject, payload) in &recorded {
        again.push((subject.clone(), payload.clone()));
        for _ in 0..20 {
            // What a node has said, with something changed: a number, a colour, a letter.
            let text = String::from_utf8_lossy(payload).into_owned();
            let changed = match random.u8(..5) {
                0 => text.replace("moved", "ended"),
                1 => text.replace("white", "black"),
                2 => text.replace("good luck", "ATTACK"),
                3 => text.replace("e2e4", "d2d4").replace(":2", ":3"),
                _ => {
                    let mut bytes = payload.clone();
                    let at = random.usize(..bytes.len().max(1));
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = random.u8(..);
                    }
                    again.push((subject.clone(), bytes));
                    continue;
                }
            };
            again.push((subject.clone(), changed.into_bytes()));
        }
    }
    random.shuffle(&mut again);
    for (subject, payload) in &again {
        eve.publish(subject, payload).await?;
    }
    for length in [0, 1, 100_000, 900_000] {
        eve.publish(&format!("{root}.house"), &vec![b'['; length])
            .await?;
    }
    report.count(again.len() + 4);
    report.note(format!(
        "{} messages recorded, {} forged and replayed",
        recorded.len(),
        again.len() + 3 * forged.len()
    ));
    sleep(Duration::from_secs(1)).await;
    // The game goes on as if nothing had been said.
    for (number, (mover, mv)) in [(0, "g1f3"), (1, "b8c6"), (0, "f1b5"), (1, "a7a6")]
        .into_iter()
        .enumerate()
    {
        let seat = if mover == 0 { &mut white } else { &mut black };
        let played = play(seat, mv, &format!("n{number}")).await;
        report.must(played.is_ok(), || {
            format!("{mv} after forged messages: {played:?}")
        });
    }
    for (name, seat) in [
        ("White", &mut white),
        ("Black", &mut black),
        ("the watcher", &mut watcher),
    ] {
        while seat.hear(Duration::from_millis(300)).await.is_ok() {}
        for lie in [
            "resignation",
            "\"rematch\",\"offer\":\"",
            "ATTACK",
            "\"move\":\"d2d4\"",
            "clocks_held",
        ] {
            let told = seat
                .told
                .lines()
                .find(|line| line.contains(lie) && !line.contains("\"state\":{\"fen"));
            report.must(told.is_none(), || {
                format!(
                    "{name} was told a lie ({lie}): {}",
                    told.unwrap_or_default()
                )
            });
        }
    }
    let journal = journal(&one.way(700), &game).await?;
    let moves = journal.matches("\"event\":\"moved\"").count();
    report.must(moves == 6, || {
        format!("the journal has {moves} moves instead of 6")
    });
    one.finish(report).await?;
    two.finish(report).await?;
    lost_messages::attack(plan, report, &store).await
}

/// Messages as a node would write them without any proof that it did.
fn forged(game: &str) -> Vec<(String, String)> {
    let event =
        |seq: u64, rest: &str| format!(r#"{{"v":1,"seq":{seq},"at":1,"by":"black",{rest}}}"#);
    let decided = |seq: u64, rest: &str| {
        let text = serde_json::Value::from(event(seq, rest)).to_string();
        format!(
            r#"["evilnode",{{"decided":{{"game":"{game}","first":{seq},"last":{seq},"text":{text}}}}}]"#
        )
    };
    let resigned = r#""event":"ended","status":"resignation","winner":"white","result":"1-0","text":"Black has resigned"#;
    let resigned = format!("{resigned}\"");
    let moved = r#""event":"moved","move":"d2d4","san":"d4","clock":1"#;
    let mut all: Vec<(String, String)> = (3..8)
        .flat_map(|seq| [decided(seq, &resigned), decided(seq, moved)])
        .map(|text| (format!("game.{game}"), text))
        .collect();
    let house = [
        format!(
            r#"{{"chat":{{"game":"{game}","is_players":true,"number":99,"at":1,"name":"ATTACK","text":"ATTACK"}}}}"#
        ),
        format!(r#"{{"rematch":{{"game":"{game}","offer":"black","is_begun":false}}}}"#),
        format!(r#"{{"rematch":{{"game":"{game}","offer":null,"is_begun":true}}}}"#),
        format!(
            r#"{{"there":{{"game":"{game}","white":false,"black":false,"watching":4000000000}}}}"#
        ),
        format!(r#"{{"who":{{"game":"{game}"}}}}"#),
        r#"{"here":{"holders":["person 00000000"]}}"#.to_owned(),
        format!(r#"{{"stream":{{"token":"{}"}}}}"#, "00".repeat(32)),
        r#"{"note":{"to":"person 00000000","note":{"Over":"Ab3dE6gH"}}}"#.to_owned(),
    ];
    let house = house.iter().map(|word| format!(r#"["evilnode",{word}]"#));
    let house = house.chain([
        r#"["evilnode","stir"]"#.to_owned(),
        r#"["evilnode","alive"]"#.to_owned(),
    ]);
    all.extend(house.map(|text| ("house".to_owned(), text)));
    all
}

/// Somebody at the table, with everything that he was told.
pub struct Seat {
    /// How he is connected.
    pub socket: Socket,
    told: String,
}

impl Seat {
    /// The next text.
    pub async fn hear(&mut self, patience: Duration) -> anyhow::Result<Vec<u8>> {
        let text = timeout(patience, self.socket.receive()).await??;
        self.told += &String::from_utf8_lossy(&text);
        self.told.push('\n');
        Ok(text.to_vec())
    }
}

/// Sits down or watches, and is told how everything stands.
pub async fn sit(target: &Target, game: &str, secret: Option<&str>) -> anyhow::Result<Seat> {
    let lines = secret.map_or_else(String::new, |secret| {
        format!("Authorization: Bearer {secret}\r\n")
    });
    let stream = wire::connect(&target.way(701)).await?;
    let socket = Socket::open_with(stream, &format!("/v1/tables/{game}/live"), &lines).await?;
    let told = String::new();
    let mut seat = Seat { socket, told };
    seat.hear(Duration::from_secs(5)).await?;
    Ok(seat)
}

/// Moves, again if the server asks for that, as clients do.
pub async fn play(seat: &mut Seat, mv: &str, id: &str) -> anyhow::Result<()> {
    let command = format!(r#"{{"move":"{mv}","id":"{id}"}}"#);
    for _ in 0..10 {
        seat.socket.send(&command).await?;
        loop {
            let text = seat.hear(Duration::from_secs(10)).await?;
            if scan::kind(&text) != MessageKind::Answer
                || !scan::has(&text, &format!("\"id\":\"{id}\""))
            {
                continue;
            }
            if scan::has(&text, "\"accepted\":true") {
                return Ok(());
            }
            // The other node may not have heard yet that it is his turn.
            if !scan::has(&text, "try_again") && !scan::has(&text, "not_your_turn") {
                anyhow::bail!("{}", String::from_utf8_lossy(&text));
            }
            break;
        }
        sleep(Duration::from_millis(300)).await;
    }
    anyhow::bail!("{mv} was never taken")
}
