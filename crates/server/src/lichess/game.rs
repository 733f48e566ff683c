//! The stream of a game for one of its players: everything first, then how it stands after each decision,
//! what is said, and whether the opponent is still there.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use serde_json::{Value, json};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::time::{Instant, sleep_until};
use touchmove_game::{Game, Timestamp};
use touchmove_rules::Color;
use touchmove_store::GameId;

use super::Sitting;
use super::flow::{self, Gone, NDJSON, Pen};
use super::forms::{self, Light, Speed, UNLIMITED};
use super::refused::Refused;
use crate::House;
use crate::background::in_background;
use crate::house::closed;
use crate::table::{News, Place, Table};

/// How long an opponent may be away before that is told: a client that reconnects takes less.
const NOTICED: Duration = Duration::from_secs(10);

/// How a game stands, as `gameState`.
pub(super) fn state(game: &Game, now: Timestamp) -> Value {
    let time = |color| game.time_left(color, now).map_or(UNLIMITED, |left| left.0);
    let bonus = |color| forms::clock(game.terms(), color).map_or(0, |(_, bonus)| bonus.0);
    let mut state = json!({
        "type": "gameState",
        "moves": forms::moves(game),
        "wtime": time(Color::White),
        "btime": time(Color::Black),
        "winc": bonus(Color::White),
        "binc": bonus(Color::Black),
        "status": forms::status_of(game).1,
    });
    if let Some(winner) = game.ending().and_then(touchmove_game::Ending::winner) {
        state["winner"] = forms::color(winner).into();
    }
    for (offer, white, black) in [
        (game.draw_offer(), "wdraw", "bdraw"),
        (game.takeback_offer(), "wtakeback", "btakeback"),
    ] {
        match offer {
            Some(Color::White) => state[white] = true.into(),
            Some(Color::Black) => state[black] = true.into(),
            None => {}
        }
    }
    state
}

/// Everything about a game, as `gameFull`.
fn full(id: GameId, game: &Game, white: &Light, black: &Light, now: Timestamp) -> Value {
    let terms = game.terms();
    let clock = forms::clock(terms, Color::White);
    let mut full = json!({
        "type": "gameFull",
        "id": id.to_string(),
        "variant": forms::variant(terms),
        "clock": clock.map(|(base, bonus)| json!({ "initial": base.0, "increment": bonus.0 })),
        "speed": Speed::of(terms.time.as_ref()).key(),
        "perf": { "name": forms::perf(terms).1 },
        "rated": false,
        "createdAt": game.started().0,
        "white": white.player(),
        "black": black.player(),
        "initialFen": forms::initial_fen(terms),
        "state": state(game, now),
    });
    if let Some(days) = forms::days(terms) {
        full["daysPerTurn"] = days.into();
    }
    full
}

/// `GET …/game/stream/{id}`
pub(super) async fn stream(sitting: Sitting) -> Result<Response, Refused> {
    let Sitting {
        house,
        table,
        color,
        ..
    } = sitting;
    let core = table.core().await;
    let white = house.light_at(&core, Color::White).await?;
    let black = house.light_at(&core, Color::Black).await?;
    let first = full(table.id(), &core.game, &white, &black, house.now());
    let (is_over, told) = (core.game.ending().is_some(), core.game.seq());
    let news = table.subscribe();
    drop(core);
    let (mut pen, response) = flow::open(NDJSON);
    let reader = Reader {
        house,
        table,
        color,
        told,
        is_gone_told: false,
        looks: Instant::now() + NOTICED,
    };
    in_background(async move {
        // How it ends is the client's business.
        if pen.write(&first).await.is_ok() && !is_over {
            let _ = reader.read(&mut pen, news).await;
        }
    });
    Ok(response)
}

/// A player who reads his game.
struct Reader {
    house: Arc<House>,
    table: Arc<Table>,
    color: Color,
    /// The last event that the client was told of: nothing is told twice, or a bot would move twice.
    told: u64,
    /// Whether the client was told that the opponent is gone.
    is_gone_told: bool,
    /// When to look next whether he is.
    looks: Instant,
}

impl Reader {
    async fn read(mut self, pen: &mut Pen, mut news: Receiver<Arc<News>>) -> Result<(), Gone> {
        let _stay = self.table.come(&self.house, Place::Seat(self.color));
        let mut closing = self.house.closing();
        loop {
            tokio::select! {
                next = news.recv() => {
                    let (mut next, mut has_changed) = (Some(next), false);
                    while let Some(one) = next {
                        match one {
                            Ok(one) => has_changed |= self.pass_on(pen, &one).await?,
                            Err(RecvError::Lagged(_)) => has_changed = true,
                            Err(RecvError::Closed) => return Err(Gone),
                        }
                        next = news.try_recv().ok().map(Ok);
                    }
                    if has_changed && self.tell(pen).await? {
                        return Ok(());
                    }
                }
                () = sleep_until(self.looks) => {
                    self.looks = Instant::now() + NOTICED;
                    self.look(pen).await?;
                }
                () = pen.silent() => pen.blank().await?,
                () = pen.gone() => return Err(Gone),
                () = closed(&mut closing) => return Err(pen.break_off()),
            }
        }
    }

    /// Passes on what is not about the board; whether it is.
    async fn pass_on(&mut self, pen: &mut Pen, news: &News) -> Result<bool, Gone> {
        if !news.events.is_empty() {
            return Ok(true);
        }
        match news.said() {
            Some(said) => {
                let room = match said.room {
                    "players" => "player",
                    _ => "spectator",
                };
                let line = json!({
                    "type": "chatLine",
                    "room": room,
                    "username": said.name,
                    "text": said.text,
                });
                pen.write(&line).await?;
            }
            // Somebody has come or gone.
            None => self.look(pen).await?,
        }
        Ok(false)
    }

    /// Tells how the game stands, and whether it is over.
    async fn tell(&mut self, pen: &mut Pen) -> Result<bool, Gone> {
        let core = self.table.core().await;
        let seq = core.game.seq();
        if seq == self.told {
            return Ok(false);
        }
        let state = state(&core.game, self.house.now());
        let is_over = core.game.ending().is_some();
        drop(core);
        self.told = seq;
        pen.write(&state).await?;
        Ok(is_over)
    }

    /// Looks whether the opponent is there, and tells if that is new.
    async fn look(&mut self, pen: &mut Pen) -> Result<(), Gone> {
        let core = self.table.core().await;
        let patience = core.game.terms().absence;
        drop(core);
        let Some(patience) = patience else {
            return Ok(());
        };
        let away = self.table.presence().away(!self.color);
        let away = away.map(|since| self.house.now().since(since));
        let left = away.map(|away| NOTICED.saturating_sub(Duration::from_millis(away.0)));
        let is_gone = left.is_some_and(|left| left.is_zero());
        if let Some(left) = left.filter(|_| !is_gone) {
            self.looks = self.looks.min(Instant::now() + left);
        }
        if is_gone != self.is_gone_told {
            let mut told = json!({ "type": "opponentGone", "gone": is_gone });
            if let Some(away) = away.filter(|_| is_gone) {
                told["claimWinInSeconds"] = patience.less(away).0.div_ceil(1_000).into();
            }
            pen.write(&told).await?;
            self.is_gone_told = is_gone;
        }
        Ok(())
    }
}
