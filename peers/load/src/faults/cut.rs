//! Clients that are cut off in the middle of a message, or before the answer comes.

use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::{Arguments, Report, plain};
use crate::check::{Journal, Rules, TOLERANCE_MILLIS};
use crate::club::Time;
use crate::folder::TempDir;
use crate::net::{NodeAddress, REQUEST_TIMEOUT};
use crate::play::LONG_TIME_CONTROL;
use crate::record::{AcceptedCommand, Record, Side, id, wall};
use crate::scan;
use crate::socket::{Socket, text_frame};
use crate::tables::{self, SeatedPlayer, journal, live};

/// How many moves are played this way.
const MOVES: u64 = 100;

/// Each move is first sent by half, then whole but the answer is not waited for, then sent again.
pub(super) async fn cut_off(arguments: &Arguments, folder: &TempDir) -> anyhow::Result<Report> {
    let mut trial = plain(arguments, folder.path().join("data")).await?;
    let ways = [1, 2].map(|number| NodeAddress::new(trial.program.listen, 50_000 + number));
    let secrets = [
        "guest_cutoffcutoffcutoffcutwhite",
        "guest_cutoffcutoffcutoffcutblack",
    ];
    let [white, black] = [0, 1].map(|side| SeatedPlayer {
        way: &ways[side],
        secret: secrets[side],
    });
    let game = tables::open(white, black, r#"{"time":"5+3"}"#).await?;
    let mut record = Record {
        game: game.clone(),
        sent: [MOVES; 2],
        ..Record::default()
    };
    let mut luck = fastrand::Rng::with_seed(arguments.seed);
    let (mut halves, mut repeated) = (0, 0);
    for ply in 0..MOVES {
        let side = Side::BOTH[usize::try_from(ply % 2)?];
        let come = async || {
            let (way, secret) = (&ways[side.index()], secrets[side.index()]);
            let mut socket = Socket::open(way, &live(&game), Some(secret)).await?;
            let state = hear(&mut socket, "state").await?;
            anyhow::Ok((socket, state))
        };
        let (mut socket, state) = come().await?;
        let Some(uci) = scan::pick(&state, &mut luck) else {
            break;
        };
        let name = id(side, ply / 2);
        let text = format!(r#"{{"move":"{uci}","id":"{name}"}}"#);
        let frame = text_frame(text.as_bytes());
        let half = luck.usize(1..frame.len());
        let sent = wall();
        socket.send_raw(&frame[..half]).await?;
        socket.reset()?;
        let (mut socket, state) = come().await?;
        let state: Value = serde_json::from_slice(&state)?;
        if state["state"]["plies"] != ply {
            record.violation(format_args!("half a message became a move: {text}"));
        }
        halves += 1;
        socket.send_raw(&frame).await?;
        // At once, or when the answer is on its way.
        sleep(Duration::from_micros(luck.u64(0..3_000))).await;
        socket.reset()?;
        let (mut socket, _) = come().await?;
        socket.send_raw(&frame[..half]).await?;
        sleep(Duration::from_millis(2)).await;
        socket.send_raw(&frame[half..]).await?;
        let answer = hear(&mut socket, "answer").await?;
        repeated += u64::from(scan::has(&answer, "\"repeated\":true"));
        match scan::number(&answer, "\"seq\":") {
            Some(seq) => record.granted.push(AcceptedCommand {
                by: side,
                number: ply / 2,
                seq,
                uci: Some(uci),
                sent,
                answered: wall(),
            }),
            None => bail!(
                "{text} was answered with {}",
                String::from_utf8_lossy(&answer)
            ),
        }
    }
    let kept = journal(&ways[0], &game).await?;
    let rules = Rules {
        clock: LONG_TIME_CONTROL,
        on_the_wall: true,
        between: TOLERANCE_MILLIS,
    };
    let kept = Journal::read(&kept).map_err(anyhow::Error::msg)?;
    trial.violations.extend(record.violations.iter().cloned());
    trial.violations.extend(kept.check(&record, &rules));
    if kept.moves() != record.granted.len() {
        let (kept, granted) = (kept.moves(), record.granted.len());
        trial
            .violations
            .push(format!("{granted} moves were granted, {kept} kept"));
    }
    trial.say(format!(
        "{halves} half messages, none became a move; {} moves sent twice, {repeated} had happened before the answer was lost, each once",
        record.granted.len()
    ));
    trial.end(Time::Ours, &[], folder.path()).await
}

/// The next message of this type.
pub async fn hear(socket: &mut Socket, kind: &str) -> anyhow::Result<bytes::Bytes> {
    let begins = format!(r#"{{"v":1,"type":"{kind}""#);
    loop {
        let text = timeout(REQUEST_TIMEOUT, socket.receive()).await;
        let text = text.with_context(|| format!("no {kind} in time"))??;
        if text.starts_with(begins.as_bytes()) {
            return Ok(text);
        }
    }
}
