//! The computer at a table: what it does when it is its turn, when it is offered something, and when the game is
//! over. It thinks beside the threads that serve, for as many games at a time as it has places.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::broadcast::error::RecvError;
use touchmove_engine::{Deed, Opponent, Situation, Watch};
use touchmove_game::protocol;
use touchmove_game::{Game, Millis};
use touchmove_rules::{AnyPosition, Color, Move, with_position};
use touchmove_store::GameId;

use crate::House;
use crate::games::computer::Manner;
use crate::games::table::{Arrival, Place, Table};
use crate::work_queue::WorkOwner;

/// The positions that its strongest level looks at before it moves.
const MOST: u64 = 500_000;
/// How long it takes at least, so that people see what happened.
const PAUSE: Duration = Duration::from_millis(350);
/// How long it thinks at most, on however slow a machine.
const LONGEST: Duration = Duration::from_secs(4);
/// How many moves it divides its time among: of what it has left, it waits and thinks for this part at most.
const MOVES: u32 = 40;
/// How often it looks whether anybody is still there.
const LOOK: Duration = Duration::from_secs(30);
/// What it remembers while it thinks, in megabytes.
const MEMORY: usize = 4;
/// In how many games it remembers that from move to move. In more it begins each move anew, so that its memory is
/// bounded.
pub(crate) const MAX_REMEMBERED_GAMES: usize = 32;

/// What makes one game of the computer unlike another: the game's id, which is drawn by lot, so that it is the
/// same after a restart.
fn by_lot(id: GameId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// What is to be done.
enum Step {
    Over,
    Wait,
    /// A takeback is granted.
    Agree,
    /// A draw is offered.
    Answer(Box<Sight>),
    /// It is its move; perhaps a draw may be claimed.
    Think(Box<Sight>, bool),
}

/// What it sees of a game.
struct Sight {
    position: AnyPosition,
    past: Vec<u64>,
    last: Option<Move>,
}

impl Sight {
    fn of(game: &Game) -> Sight {
        let past = (0..game.plies().len()).filter_map(|plies| game.position_after(plies));
        Sight {
            position: *game.position(),
            past: past
                .map(|position| with_position!(position, p => p.key()))
                .collect(),
            last: game.plies().last().map(|ply| ply.mv),
        }
    }

    fn situation(&self) -> Situation<'_> {
        Situation {
            position: &self.position,
            past: &self.past,
            last: self.last,
        }
    }
}

fn step(game: &Game, color: Color) -> Step {
    if game.ending().is_some() {
        return Step::Over;
    }
    if game.takeback_offer() == Some(!color) {
        return Step::Agree;
    }
    if game.draw_offer() == Some(!color) {
        return Step::Answer(Box::new(Sight::of(game)));
    }
    let waits = game.turn() != color || game.flag().is_some() || game.held().is_some();
    if waits || game.seats()[!color].is_open() {
        return Step::Wait;
    }
    Step::Think(Box::new(Sight::of(game)), !game.claims().is_empty())
}

/// Stops a search when its time is over.
struct Until(Instant);

impl Watch for Until {
    fn stops(&mut self) -> bool {
        Instant::now() >= self.0
    }
}

/// How long it waits before it thinks, and how long it thinks at most, with so much time left.
fn times(left: Option<Millis>) -> (Duration, Duration) {
    let part = left.map_or(LONGEST, |left| Duration::from_millis(left.0) / MOVES);
    (PAUSE.min(part), LONGEST.min(part))
}

/// The computer in its seat.
struct Player {
    color: Color,
    /// On whose behalf it thinks.
    owner: WorkOwner,
    /// What it knows of the game; it is lent to the thread that it thinks on.
    opponent: Option<Box<Opponent>>,
}

impl Player {
    /// Thinks about something, when it is its turn to; nothing, if the house has no room for it any more.
    async fn think<T: Send + 'static>(
        &mut self,
        house: &House,
        longest: Duration,
        about: impl FnOnce(&mut Opponent, &mut Until) -> T + Send + 'static,
    ) -> Option<T> {
        let until = Instant::now() + longest;
        let mut opponent = self.opponent.take()?;
        let remembers = house.computer.games() <= MAX_REMEMBERED_GAMES;
        let thought = house.computer.thinking.run(self.owner, move |_| {
            // Whoever had to wait for his turn has less time to think.
            let thought = about(&mut opponent, &mut Until(until));
            if !remembers {
                opponent.forget();
            }
            (opponent, thought)
        });
        let (opponent, thought) = thought.await.ok()?;
        self.opponent = Some(opponent);
        Some(thought)
    }

    /// What it asks for on its move: a draw that it may claim and is glad of, its move, or to give up.
    async fn moves(
        &mut self,
        house: &House,
        sight: Box<Sight>,
        may_claim: bool,
        seen: u64,
        longest: Duration,
    ) -> Option<String> {
        let color = self.color;
        let thought = self.think(house, longest, move |opponent, until| {
            let situation = sight.situation();
            if may_claim && opponent.takes_draw(&situation, color, until) {
                return Some(r#"{"command":"claim"}"#.to_owned());
            }
            Some(match opponent.choose(&situation, MOST, until)? {
                Deed::Move(mv) => {
                    let mv = sight.position.uci(mv);
                    format!(r#"{{"move":"{mv}","seen":{seen}}}"#)
                }
                Deed::Resign => r#"{"command":"resign"}"#.to_owned(),
            })
        });
        thought.await.flatten()
    }

    /// What it says to a draw that is offered.
    async fn answers(
        &mut self,
        house: &House,
        sight: Box<Sight>,
        longest: Duration,
    ) -> Option<String> {
        let color = self.color;
        let takes = self.think(house, longest, move |opponent, until| {
            opponent.takes_draw(&sight.situation(), color, until)
        });
        let answer = if takes.await? { "accept" } else { "decline" };
        Some(format!(r#"{{"command":"{answer}","offer":"draw"}}"#))
    }
}

/// Plays until the game is over or nobody is there any more.
pub(super) async fn play(
    house: &Arc<House>,
    table: &Arc<Table>,
    color: Color,
    (manner, owner): (Manner, WorkOwner),
) {
    let seed = manner.seed.map_or_else(|| by_lot(table.id()), u64::from);
    let opponent = Opponent::new(manner.level, seed, MEMORY).resigning(manner.resigns);
    let mut player = Player {
        color,
        owner,
        opponent: Some(Box::new(opponent)),
    };
    let mut closing = house.closing();
    let mut news = table.subscribe();
    let _stay = table.come(house, Place::Seat(color));
    loop {
        let core = table.core().await;
        let (todo, seen) = (step(&core.game, color), core.game.seq());
        let (pause, longest) = times(core.game.time_left(color, house.now()));
        drop(core);
        let asks = match todo {
            Step::Over => {
                // It always wants to play again; whether the other does is asked for by the offer.
                let _ = table.rematch(house, color).await;
                return;
            }
            Step::Agree => Some(r#"{"command":"accept","offer":"takeback"}"#.to_owned()),
            Step::Answer(sight) => {
                tokio::time::sleep(pause).await;
                player.answers(house, sight, longest).await
            }
            Step::Think(sight, may_claim) => {
                tokio::time::sleep(pause).await;
                let moves = player.moves(house, sight, may_claim, seen, longest);
                moves.await
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
        let Some(asked) = asks.and_then(|asks| protocol::Asked::read(&asks).ok()) else {
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
