//! The computer at a table: what it does when it is its turn, when it is offered something, and when the game is
//! over. Its searches run in a queue of their own, not on the threads that serve.

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

/// The positions that its strongest level searches before a move.
const MAX_NODES: u64 = 500_000;
/// The shortest time for a move, so that people see what happened.
const MIN_MOVE_DELAY: Duration = Duration::from_millis(350);
/// The longest time for a search, on however slow a machine.
const MAX_THINK_TIME: Duration = Duration::from_secs(4);
/// How many moves it divides its time among: it waits and thinks for at most this fraction of what it has left.
const MOVES_TO_GO: u32 = 40;
/// How often it checks whether anybody is still present.
const PRESENCE_POLL_INTERVAL: Duration = Duration::from_secs(30);
/// The size of its transposition table, in megabytes.
const TABLE_MEGABYTES: usize = 4;
/// In how many games it keeps the transposition table between moves. In further games it starts each move with an
/// empty one, so that its memory is bounded.
pub(crate) const MAX_REMEMBERED_GAMES: usize = 32;

/// The seed of a game: derived from its random id, so that it is the same after a restart.
fn by_lot(id: GameId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// What the computer has to do.
enum Step {
    Over,
    Wait,
    /// Accept a takeback.
    Agree,
    /// Answer a draw offer.
    Answer(Box<PositionView>),
    /// Move; perhaps a draw may be claimed.
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
    /// The owner of its searches.
    owner: WorkOwner,
    /// The opponent's state; lent to the worker thread during a search.
    opponent: Option<Box<Opponent>>,
}

impl ComputerSeat {
    /// Runs a search on the queue; `None` if the queue is full.
    async fn think<T: Send + 'static>(
        &mut self,
        server: &Server,
        longest: Duration,
        about: impl FnOnce(&mut Opponent, &mut SearchDeadline) -> T + Send + 'static,
    ) -> Option<T> {
        let until = Instant::now() + longest;
        let mut opponent = self.opponent.take()?;
        let remembers = server.computer.active_games() <= MAX_REMEMBERED_GAMES;
        let thought = server.computer.thinking.run(self.owner, move |_| {
            // What was spent waiting in the queue is taken from the time to think.
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

    /// What it does on its move: claim a draw, move, or resign.
    async fn moves(
        &mut self,
        server: &Server,
        sight: Box<PositionView>,
        may_claim: bool,
        seen: u64,
        longest: Duration,
    ) -> Option<String> {
        let color = self.color;
        let thought = self.think(server, longest, move |opponent, until| {
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

    /// How it answers a draw offer.
    async fn answers(
        &mut self,
        server: &Server,
        sight: Box<PositionView>,
        longest: Duration,
    ) -> Option<String> {
        let color = self.color;
        let takes = self.think(server, longest, move |opponent, until| {
            opponent.takes_draw(&sight.situation(), color, until)
        });
        let answer = if takes.await? { "accept" } else { "decline" };
        Some(format!(r#"{{"command":"{answer}","offer":"draw"}}"#))
    }
}

/// Plays until the game is over or nobody is present any more.
pub(super) async fn play(
    server: &Arc<Server>,
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
    let mut closing = server.shutdown_signal();
    let mut news = table.subscribe();
    let _stay = table.connect(server, ViewerRole::Seat(color));
    loop {
        let core = table.lock().await;
        let (todo, seen) = (step(&core.game, color), core.game.seq());
        let (pause, longest) = times(core.game.time_left(color, server.now()));
        drop(core);
        let asks = match todo {
            Step::Over => {
                // It always offers a rematch; the opponent's answer comes with the offer.
                let _ = table.rematch(server, color).await;
                return;
            }
            Step::Agree => Some(r#"{"command":"accept","offer":"takeback"}"#.to_owned()),
            Step::Answer(sight) => {
                tokio::time::sleep(pause).await;
                player.answers(server, sight, longest).await
            }
            Step::Think(sight, may_claim) => {
                tokio::time::sleep(pause).await;
                let moves = player.moves(server, sight, may_claim, seen, longest);
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
            at: server.now(),
            lag: Millis::ZERO,
        };
        if table.submit(server, color, &asked, arrival).await.is_err() {
            // The store could not write it: retry after a pause.
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}
