//! Somebody who watches games at whichever node there is, and notes what he is told.

use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::club::LoadGenerator;
use crate::net::NodeAddress;
use crate::record::{ReceivedEvent, Record, mark};
use crate::scan::{self, MessageKind};
use crate::socket::Socket;

/// How long a spectator waits for anything before he looks for another node.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);
/// How long he rests before he knocks again.
const RECONNECT_DELAY: Duration = Duration::from_millis(50);

/// Watches game after game, until it is dropped.
pub async fn watch(club: Rc<LoadGenerator>, number: usize) {
    let mut luck = fastrand::Rng::with_seed(club.seed ^ (number as u64).wrapping_mul(0x517c_c1b7));
    loop {
        let record = {
            let records = club.records.borrow();
            let running: Vec<_> = records
                .iter()
                .filter(|one| !one.borrow().has_ended)
                .collect();
            match running.is_empty() {
                true => None,
                false => Some(Rc::clone(running[luck.usize(..running.len())])),
            }
        };
        let Some(record) = record else {
            sleep(RECONNECT_DELAY).await;
            continue;
        };
        let mut seen = None;
        // From the first to the last event, at many nodes.
        loop {
            let way = NodeAddress::new(club.node(luck.usize(..1_000)), number);
            let game = record.borrow().game.clone();
            let path = match seen {
                None => format!("/v1/tables/{game}/live"),
                Some(seen) => format!("/v1/tables/{game}/live?seen={seen}"),
            };
            let opened = timeout(IDLE_TIMEOUT, Socket::open(&way, &path, None)).await;
            if let Ok(Ok(mut socket)) = opened {
                while let Ok(Ok(text)) = timeout(IDLE_TIMEOUT, socket.receive()).await {
                    club.tally.borrow_mut().watched += 1;
                    hear(&mut record.borrow_mut(), &mut seen, &text);
                }
            }
            if record.borrow().has_ended {
                break;
            }
            sleep(RECONNECT_DELAY).await;
        }
    }
}

/// Notes what he is told, and whether there is a hole in it.
fn hear(record: &mut Record, seen: &mut Option<u64>, text: &[u8]) {
    let kind = scan::kind(text);
    if !matches!(kind, MessageKind::Decided | MessageKind::State) {
        return;
    }
    for event in scan::events(text) {
        let seq = scan::number(event, "\"seq\":").unwrap_or(0);
        if seen.is_some_and(|seen| seq != seen + 1) {
            record.violation(format_args!(
                "a spectator was told event {seq} after {seen:?}"
            ));
        }
        *seen = Some(seq);
        let mark = mark(event);
        record.watched.push(ReceivedEvent { seq, mark });
    }
    if let (MessageKind::State, Ok(stands)) = (kind, serde_json::from_slice::<Value>(text)) {
        let seq = stands["state"]["seq"].as_u64().unwrap_or(0);
        if seen.is_some_and(|seen| seq < seen) {
            record.violation(format_args!(
                "a spectator had seen {seen:?}, and now there are {seq}"
            ));
        }
        *seen = Some(seq);
    }
}
