//! The computer as an opponent. It has a seat like anybody else, is at the table as long as somebody else is,
//! and asks for its moves as everybody does.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::sync::Semaphore;
use tokio::sync::broadcast::error::RecvError;
use touchmove_engine::{Engine, Level, Limits, Table as Memory, UnknownLevel, Unwatched};
use touchmove_game::protocol;
use touchmove_game::{Game, Millis};
use touchmove_rules::{AnyPosition, Color, Move, with_position};
use touchmove_store::{GameId, Holder};

use crate::House;
use crate::found::Seated;
use crate::sync::Locked as _;
use crate::table::{Arrival, Core, Place, Table};
use crate::who;

/// The positions that its strongest level looks at before it moves.
const MOST: u64 = 500_000;
/// Once there were five levels without names; games of theirs go on with what is nearest.
const FORMER: [Level; 5] = [
    Level::ClubNovice,
    Level::Club,
    Level::StrongClub,
    Level::Expert,
    Level::Master,
];
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

/// The level that somebody asks for: by its name, or by its number.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Asked")]
pub(crate) struct Wanted(Level);

/// A level as it is sent.
#[derive(Deserialize)]
#[serde(untagged)]
enum Asked {
    Number(u8),
    Name(String),
    Other(IgnoredAny),
}

impl TryFrom<Asked> for Wanted {
    type Error = UnknownLevel;

    fn try_from(asked: Asked) -> Result<Wanted, UnknownLevel> {
        let text = match asked {
            Asked::Number(number) => number.to_string(),
            Asked::Name(name) => name,
            Asked::Other(_) => String::new(),
        };
        text.parse().map(Wanted)
    }
}

/// The computer as somebody who has a seat.
pub(crate) fn seated(Wanted(level): Wanted) -> Seated {
    Seated {
        name: format!("Computer ({})", level.title()),
        holder: holder(&format!("the computer as {level}")),
    }
}

/// Who holds the computer's seats. No guest's secret has this hash, for guests' secrets begin otherwise.
fn holder(text: &str) -> Holder {
    Holder::Guest(who::digest(text))
}

/// The seat that the computer has at a table, and how strong it plays there.
fn seat(core: &Core) -> Option<(Color, Level)> {
    let named = Level::ALL.map(|level| (format!("the computer as {level}"), level));
    let former = (1..).zip(FORMER);
    let former = former.map(|(number, level)| (format!("the computer, level {number}"), level));
    named.into_iter().chain(former).find_map(|(text, level)| {
        let color = core.seat_of(holder(&text))?;
        Some((color, level))
    })
}

/// What makes one game of the computer unlike another: the game's id, so that it is the same after a
/// restart.
fn seed(id: GameId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// What is to be done.
enum Step {
    Over,
    Wait,
    Agree,
    Think(Box<AnyPosition>, Vec<u64>, Option<Move>),
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
    let last = game.plies().last().map(|ply| ply.mv);
    Step::Think(Box::new(*game.position()), keys.collect(), last)
}

/// The best move that the limits show.
fn think(position: &AnyPosition, past: &[u64], limits: &Limits) -> Option<Move> {
    let memory = Memory::with_megabytes(MEMORY);
    let found = Engine::new().search_any(position, past, limits, &memory, &mut Unwatched);
    found.best()
}

impl House {
    /// Has the computer come to a table where it has a seat, if it is not there yet.
    pub(crate) async fn seat_computer(self: &Arc<House>, table: &Arc<Table>) {
        let core = table.core().await;
        let found = seat(&core).filter(|_| core.game.ending().is_none());
        drop(core);
        let Some((color, level)) = found else { return };
        if self.computer.playing.locked().insert(table.id()) {
            let (house, table) = (Arc::clone(self), Arc::clone(table));
            tokio::spawn(async move {
                play(&house, &table, color, level).await;
                house.computer.playing.locked().remove(&table.id());
            });
        }
    }
}

/// Plays until the game is over or nobody is there any more.
async fn play(house: &Arc<House>, table: &Arc<Table>, color: Color, level: Level) {
    let seed = seed(table.id());
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
            Step::Think(position, past, last) => {
                let Ok(_turn) = house.computer.thinking.acquire().await else {
                    return;
                };
                tokio::time::sleep(PAUSE).await;
                let limits = level.limits_after(&position, last, seed, MOST);
                let thought = tokio::task::spawn_blocking(move || {
                    let best = think(&position, &past, &limits)?;
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
        let Ok(asked) = protocol::Asked::read(&asks) else {
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
