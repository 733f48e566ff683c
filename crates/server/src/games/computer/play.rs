//! The computer at a table: what it does when it is its turn, when it is offered something, and when the game is
//! over. It thinks beside the threads that serve, for as many games at a time as it has places.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::broadcast::error::RecvError;
use touchmove_engine::{Opponent, OpponentAction, OpponentView, SearchObserver};
use touchmove_game::protocol;
use touchmove_game::{Game, Millis};
use touchmove_rules::{AnyPosition, Color, Move, with_position};
use touchmove_store::GameId;

use crate::Server;
use crate::games::computer::ComputerStyle;
use crate::games::table::{MessageTiming, Table, ViewerRole};
use crate::work_queue::WorkOwner;

/// The positions that its strongest level looks at before it moves.
const MAX_NODES: u64 = 500_000;
/// How long it takes at least, so that people see what happened.
const MIN_MOVE_DELAY: Duration = Duration::from_millis(350);
/// How long it thinks at most, on however slow a machine.
const MAX_THINK_TIME: Duration = Duration::from_secs(4);
/// How many moves it divides its time among: of what it has left, it waits and thinks for this part at most.
const MOVES_TO_GO: u32 = 40;
/// How often it looks whether anybody is still there.
const PRESENCE_POLL_INTERVAL: Duration = Duration::from_secs(30);
/// What it remembers while it thinks, in megabytes.
const TABLE_MEGABYTES: usize = 4;
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
    Answer(Box<PositionView>),
    /// It is its move; perhaps a draw may be claimed.
    Think(Box<PositionView>, bool),
}

/// What it sees of a game.
struct PositionView {
    position: AnyPosition,
    past: Vec<u64>,
    last: Option<Move>,
}

impl PositionView {
    fn of(game: &Game) -> PositionView {
        let past = (0..game.plies().len()).filter_map(|plies| game.position_after(plies));
        PositionView {
            position: *game.position(),
            past: past
                .map(|position| with_position!(position, p => p.key()))
                .collect(),
            last: game.plies().last().map(|ply| ply.mv),
        }
    }

    fn situation(&self) -> OpponentView<'_> {
        OpponentView {
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
        return Step::Answer(Box::new(PositionView::of(game)));
    }
    let waits = game.turn() != color || game.flag().is_some() || game.held().is_some();
    if waits || game.seats()[!color].is_open() {
        return Step::Wait;
    }
    Step::Think(Box::new(PositionView::of(game)), !game.claims().is_empty())
}

/// Stops a search when its time is over.
struct SearchDeadline(Instant);

impl SearchObserver for SearchDeadline {
    fn should_stop(&mut self) -> bool {
        Instant::now() >= self.0
    }
}

/// How long it waits before it thinks, and how long it thinks at most, with so much time left.
fn times(left: Option<Millis>) -> (Duration, Duration) {
    let part = left.map_or(MAX_THINK_TIME, |left| {
        Duration::from_millis(left.0) / MOVES_TO_GO
    });
    (MIN_MOVE_DELAY.min(part), MAX_THINK_TIME.min(part))
}

/// The computer in its seat.
struct ComputerSeat {
    color: Color,
    /// On whose behalf it thinks.
    owner: WorkOwner,
    /// What it knows of the game; it is lent to the thread that it thinks on.
    opponent: Option<Box<Opponent>>,
}

impl ComputerSeat {
    /// Thinks about something, when it is its turn to; nothing, if the house has no room for it any more.
    async fn think<T: Send + 'static>(
        &mut self,
        house: &Server,
        longest: Duration,
        about: impl FnOnce(&mut Opponent, &mut SearchDeadline) -> T + Send + 'static,
    ) -> Option<T> {
        let until = Instant::now() + longest;
        let mut opponent = self.opponent.take()?;
        let remembers = house.computer.active_games() <= MAX_REMEMBERED_GAMES;
        let thought = house.computer.thinking.run(self.owner, move |_| {
            // Whoever had to wait for his turn has less time to think.
            let thought = about(&mut opponent, &mut SearchDeadline(until));
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
        house: &Server,
        sight: Box<PositionView>,
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
            Some(match opponent.choose(&situation, MAX_NODES, until)? {
                OpponentAction::Move(mv) => {
                    let mv = sight.position.uci(mv);
                    format!(r#"{{"move":"{mv}","seen":{seen}}}"#)
                }
                OpponentAction::Resign => r#"{"command":"resign"}"#.to_owned(),
            })
        });
        thought.await.flatten()
    }

    /// What it says to a draw that is offered.
    async fn answers(
        &mut self,
        house: &Server,
        sight: Box<PositionView>,
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
    house: &Arc<Server>,
    table: &Arc<Table>,
    color: Color,
    (manner, owner): (ComputerStyle, WorkOwner),
) {
    let seed = manner.seed.map_or_else(|| by_lot(table.id()), u64::from);
    let opponent = Opponent::new(manner.level, seed, TABLE_MEGABYTES).resigning(manner.resigns);
    let mut player = ComputerSeat {
        color,
        owner,
        opponent: Some(Box::new(opponent)),
    };
    let mut closing = house.shutdown_signal();
    let mut news = table.subscribe();
    let _stay = table.connect(house, ViewerRole::Seat(color));
    loop {
        let core = table.lock().await;
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
                    () = tokio::time::sleep(PRESENCE_POLL_INTERVAL) => {
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
        let Some(asked) = asks.and_then(|asks| protocol::ClientMessage::read(&asks).ok()) else {
            return;
        };
        let arrival = MessageTiming {
            at: house.now(),
            lag: Millis::ZERO,
        };
        if table.submit(house, color, &asked, arrival).await.is_err() {
            // The store could not write it down: it is asked for again in a while.
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}
