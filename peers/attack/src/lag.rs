//! A player who answers pings late in order to be given time back for a network that is not slow.

use std::time::Duration;

use tokio::time::{sleep, timeout};
use touchmove_load::net::NodeAddress;
use touchmove_load::scan;
use touchmove_load::socket::Socket;
use touchmove_load::tables::{self, SeatedPlayer};

use crate::accounts::guest;
use crate::report::Report;
use crate::target::Target;
use crate::wire;

/// How late pings are answered; the time is spent on the clock as well.
const LATE: Duration = Duration::from_millis(3_500);
/// Moves of the player.
const MOVES: usize = 10;
/// The most that may be given back in a game of one minute, in milliseconds.
const MAX_CREDIT: u64 = 3_000;

/// Plays a game of one minute with late answers, and counts what was given back.
pub async fn attack(target: &Target, report: &mut Report) -> anyhow::Result<()> {
    let way = target.way(95);
    let (late, prompt) = (guest(9_500), guest(9_501));
    let sitter = |secret| SeatedPlayer { way: &way, secret };
    let game = tables::open(sitter(&late), sitter(&prompt), r#"{"time":"1+0"}"#).await?;
    let mut white = sit(&way, &game, &late).await?;
    let mut black = sit(&way, &game, &prompt).await?;
    for number in 0..MOVES {
        // A ping is answered when the socket is read, and not before.
        sleep(LATE).await;
        while let Ok(Ok(_)) = timeout(Duration::from_millis(20), white.receive()).await {}
        let (there, back) = [("g1f3", "g8f6"), ("f3g1", "f6g8")][number % 2];
        for (socket, mv) in [(&mut white, there), (&mut black, back)] {
            let command = format!(r#"{{"move":"{mv}","id":"{mv}{number}"}}"#);
            socket.send(&command).await?;
            while let Ok(Ok(text)) = timeout(Duration::from_secs(5), socket.receive()).await {
                if scan::kind(&text) == scan::MessageKind::Answer {
                    break;
                }
            }
        }
    }
    let journal = tables::journal(&way, &game).await?;
    let moves = journal
        .lines()
        .filter(|line| line.contains(r#""event":"moved""#));
    let late: Vec<&str> = moves
        .filter(|line| line.contains(r#""by":"white""#))
        .collect();
    report.must(late.len() == MOVES, || {
        format!("{} moves were played instead of {MOVES}", late.len())
    });
    let credit: u64 = late
        .iter()
        .filter_map(|line| scan::number(line.as_bytes(), "\"lag\":"))
        .sum();
    report.note(format!(
        "late answers to pings: {credit} ms given back in {MOVES} moves"
    ));
    report.must(credit <= MAX_CREDIT, || {
        format!("late answers to pings earned {credit} ms in a game of one minute")
    });
    Ok(())
}

async fn sit(way: &NodeAddress, game: &str, secret: &str) -> anyhow::Result<Socket> {
    let stream = wire::connect(way).await?;
    let lines = format!("Authorization: Bearer {secret}\r\n");
    Socket::open_with(stream, &format!("/v1/tables/{game}/live"), &lines).await
}
