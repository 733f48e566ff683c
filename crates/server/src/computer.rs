//! The computer as an opponent. It has a seat like anybody else, is at the table as long as somebody else is,
//! and asks for its moves as everybody does.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::sync::broadcast::error::RecvError;
use touchmove_engine::{Engine, Limits, Table as Memory, Unwatched};
use touchmove_game::protocol::Asked;
use touchmove_game::{Game, Millis};
use touchmove_rules::{AnyPosition, Color, Move, with_position};
use touchmove_store::{GameId, Holder};

use crate::House;
use crate::found::Seated;
use crate::sync::Locked as _;
use crate::table::{Arrival, Core, Place, Table};
use crate::who;

/// How strong it may be: the positions that it looks at before it moves, from the first level on.
const LEVELS: [u64; 5] = [300, 2_000, 10_000, 50_000, 250_000];
/// How long it takes at least, so that people see what happened.
const PAUSE: Duration = Duration::from_millis(350);
/// How often it looks whether anybody is still there.
const LOOK: Duration = Duration::from_secs(30);
/// What it remembers while it thinks, in megabytes.
const MEMORY: usize = 4;

/// What the computer plays.
pub(crate) struct Computer {
    /// The games that it sits at now.
    playing: Mutex<HashSet<GameId>>,
    /// It thinks about one game at a time.
    thinking: Semaphore,
}

impl Default for Computer {
    fn default() -> Computer {
        Computer {
            playing: Mutex::default(),
            thinking: Semaphore::new(1),
        }
    }
}

/// The computer as somebody who has a seat; the error is a sentence.
pub(crate) fn seated(level: u8) -> Result<Seated, String> {
    match (1..=LEVELS.len()).contains(&usize::from(level)) {
        true => Ok(Seated {
            name: format!("Computer {level}"),
            holder: holder(level),
        }),
        false => Err(format!("the computer has the levels 1 to {}", LEVELS.len())),
    }
}

/// Who holds the computer's seats. No guest's secret has this hash, for guests' secrets begin otherwise.
fn holder(level: u8) -> Holder {
    Holder::Guest(who::digest(&format!("the computer, level {level}")))
}

/// The seat that the computer has at a table, and how many positions it looks at there.
fn seat(core: &Core) -> Option<(Color, u64)> {
    (1..).zip(LEVELS).find_map(|(level, nodes)| {
        let color = core.seat_of(holder(level))?;
        Some((color, nodes))
    })
}

/// What is to be done.
enum Step {
    Over,
    Wait,
    Agree,
    Think(Box<AnyPosition>, Vec<u64>),
}

fn step(game: &Game, color: Color) -> Step {
    if game.ending().is_some() {
        return Step::Over;
    }
    if game.takeback_offer() == Some(!color) {
        return Step::Agree;
    }
    let waits = game.turn() != color || game.flag().is_some() || game.held().is_some();
    if waits || game.seats()[!color].is_open() {
        return Step::Wait;
    }
    let past = (0..game.plies().len()).filter_map(|plies| game.position_after(plies));
    let keys = past.map(|position| with_position!(position, p => p.key()));
    Step::Think(Box::new(*game.position()), keys.collect())
}

/// The best move that so many positions show.
fn think(position: &AnyPosition, past: &[u64], nodes: u64) -> Option<Move> {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let memory = Memory::with_megabytes(MEMORY);
    let found = Engine::new().search_any(position, past, &limits, &memory, &mut Unwatched);
    found.best()
}

impl House {
    /// Has the computer come to a table where it has a seat, if it is not there yet.
    pub(crate) async fn seat_computer(self: &Arc<House>, table: &Arc<Table>) {
        let core = table.core().await;
        let found = seat(&core).filter(|_| core.game.ending().is_none());
        drop(core);
        let Some((color, nodes)) = found else { return };
        if self.computer.playing.locked().insert(table.id()) {
            let (house, table) = (Arc::clone(self), Arc::clone(table));
            tokio::spawn(async move {
                play(&house, &table, color, nodes).await;
                house.computer.playing.locked().remove(&table.id());
            });
        }
    }
}

/// Plays until the game is over or nobody is there any more.
async fn play(house: &Arc<House>, table: &Arc<Table>, color: Color, nodes: u64) {
    let mut closing = house.closing();
    let mut news = table.subscribe();
    let _stay = table.come(house, Place::Seat(color));
    loop {
        let core = table.core().await;
        let (todo, seen) = (step(&core.game, color), core.game.seq());
        drop(core);
        let asks = match todo {
            Step::Over => {
                // It always wants to play again; whether the other does is asked for by the offer.
                let _ = table.rematch(house, color).await;
                return;
            }
            Step::Agree => r#"{"command":"accept","offer":"takeback"}"#.to_owned(),
            Step::Think(position, past) => {
                let Ok(_turn) = house.computer.thinking.acquire().await else {
                    return;
                };
                tokio::time::sleep(PAUSE).await;
                let thought = tokio::task::spawn_blocking(move || {
                    let best = think(&position, &past, nodes)?;
                    Some(position.uci(best).to_string())
                });
                let Ok(Some(best)) = thought.await else {
                    return;
                };
                format!(r#"{{"move":"{best}","seen":{seen}}}"#)
            }
            Step::Wait => {
                let is_told = tokio::select! {
                    told = news.recv() => !matches!(told, Err(RecvError::Closed)),
                    () = tokio::time::sleep(LOOK) => {
                        let there = table.presence();
                        there.watching > 0 || there.away(!color).is_none()
                    }
                    _ = closing.changed() => false,
                };
                if !is_told {
                    return;
                }
                continue;
            }
        };
        let Ok(asked) = Asked::read(&asks) else {
            return;
        };
        let arrival = Arrival {
            at: house.now(),
            lag: Millis::ZERO,
        };
        if table.ask(house, color, &asked, arrival).await.is_err() {
            // The store could not write it down: it is asked for again in a while.
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}
