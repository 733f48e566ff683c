//! The other nodes of the house: what they are told, what is done with what they say, and what is looked up
//! in case they have said it in vain.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use touchmove_game::Event;
use touchmove_store::{Decision, GameId, Line, Mark, Seats, limits};

use crate::House;
use crate::background::in_background;
use crate::bus::{Ears, Told, Word};
use crate::house::closed;
use crate::lobby::Note;
use crate::pulse::moment;
use crate::table::{Core, Table, There, Trouble};

/// How often it is looked whether the others can be told, and tables are looked up if they cannot.
const ROUND: Duration = Duration::from_secs(1);
/// How many rounds pass before others are told again who is here, and tables are looked up in any case.
const SLOW: u64 = 5;

/// Hears and tells until the house closes.
pub(crate) fn keep(house: &Arc<House>, mut ears: Ears) {
    let (weak, mut closing) = (Arc::downgrade(house), house.closing());
    in_background(async move {
        loop {
            let told = tokio::select! {
                told = ears.next() => told,
                () = closed(&mut closing) => return,
            };
            let (Some(told), Some(house)) = (told, weak.upgrade()) else {
                return;
            };
            house.hear(told);
        }
    });
    let (weak, mut closing) = (Arc::downgrade(house), house.closing());
    in_background(async move {
        let mut rounds = interval(ROUND);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut count: u64 = 0;
        loop {
            tokio::select! {
                _ = rounds.tick() => {}
                () = closed(&mut closing) => return,
            }
            let Some(house) = weak.upgrade() else {
                return;
            };
            count += 1;
            house.go_round(count.is_multiple_of(SLOW)).await;
        }
    });
}

impl House {
    /// Tells other nodes what was decided.
    pub(crate) fn announce(&self, game: GameId, core: &Core, events: &[Event], text: &str) {
        let (Some(bus), Some(first), Some(last)) = (&self.bus, events.first(), events.last())
        else {
            return;
        };
        bus.say(&Word::Decided {
            game,
            first: first.seq,
            last: last.seq,
            text: text.to_owned(),
        });
        if core.game.ending().is_some() {
            let Seats { white, black } = core.holders;
            for holder in [white, black].into_iter().flatten() {
                self.lobby.tell_elsewhere(holder, Note::Over(game));
            }
        }
    }

    /// Tells other nodes who is at a table by way of this one.
    pub(crate) fn say_who_is_there(&self, table: &Table) {
        if let Some(bus) = &self.bus {
            let There {
                white,
                black,
                watching,
            } = table.there();
            bus.say(&Word::There {
                game: table.id(),
                white,
                black,
                watching,
            });
        }
    }

    fn hear(self: &Arc<House>, told: Told) {
        match told {
            Told::Word { node, word } => self.heed(&node, word),
            Told::Written { game, last } => {
                if let Some(table) = self.tables.live(game).filter(|table| table.seq() < last) {
                    self.look_up(table);
                }
            }
            Told::Gap => {
                let house = Arc::clone(self);
                in_background(async move { house.make_up().await });
            }
        }
    }

    fn heed(self: &Arc<House>, node: &str, word: Word) {
        match word {
            Word::Decided {
                game,
                first,
                last,
                text,
            } => {
                let mark = Mark(0);
                let decision = Decision {
                    first,
                    last,
                    mark,
                    text,
                };
                self.follow(game, decision);
            }
            Word::Chat {
                game,
                is_players,
                number,
                at,
                name,
                text,
            } => {
                if let Some(table) = self.tables.live(game) {
                    let line = Line {
                        number,
                        at: moment(at),
                        name,
                        person: None,
                        text,
                    };
                    table.hear_line(is_players, line);
                }
            }
            Word::Rematch {
                game,
                offer,
                is_begun,
            } => {
                if let Some(table) = self.tables.live(game) {
                    let house = Arc::clone(self);
                    in_background(async move {
                        let heard = table.hear_rematch(&house, offer, is_begun).await;
                        complain(&table, heard);
                    });
                }
            }
            Word::There {
                game,
                white,
                black,
                watching,
            } => {
                if let Some(table) = self.tables.live(game) {
                    let there = There {
                        white,
                        black,
                        watching,
                    };
                    table.hear_who_is_there(node, there, self.now());
                }
            }
            Word::Who { game } => {
                let table = self.tables.live(game);
                if let Some(table) = table.filter(|table| table.there().is_anybody()) {
                    self.say_who_is_there(&table);
                }
            }
            Word::Note { to, note } => self.lobby.tell_here(to.0, note),
            Word::Stir => self.lobby.stir_here(),
            Word::Here { holders } => self.lobby.are_elsewhere(&holders, self.now()),
            Word::Stream { token } => self.streams.end(token.0),
            Word::Alive => {}
        }
    }

    /// Makes a decision of another node part of a game that is in memory here.
    fn follow(self: &Arc<House>, game: GameId, decision: Decision) {
        let Some(table) = self.tables.live(game) else {
            return;
        };
        if table.seq() >= decision.last {
            return;
        }
        let house = Arc::clone(self);
        // Something may be decided there just now, and nobody else shall wait for it.
        in_background(async move {
            let mut core = table.core().await;
            let is_next = decision.first == core.game.seq() + 1;
            let followed = match is_next {
                true => table.catch_up(&house, &mut core, &[decision]).await,
                false if decision.last <= core.game.seq() => Ok(()),
                false => table.read_newer(&house, &mut core).await,
            };
            drop(core);
            complain(&table, followed);
        });
    }

    /// Reads what there is of a game.
    fn look_up(self: &Arc<House>, table: Arc<Table>) {
        let house = Arc::clone(self);
        in_background(async move {
            let found = table.refresh(&house).await;
            complain(&table, found);
        });
    }

    /// What is to be done again and again.
    async fn go_round(self: &Arc<House>, is_slow: bool) {
        let Some(bus) = &self.bus else { return };
        bus.settle();
        let now = self.now();
        if is_slow {
            self.lobby.say_who_is_here();
            for table in self.tables.all() {
                table.forget_silent_nodes(now);
                if table.there().is_anybody() {
                    self.say_who_is_there(&table);
                }
            }
        }
        if is_slow || !bus.is_quick() {
            self.catch_up_with_all().await;
        }
    }

    /// Something may have been missed: everything is looked up.
    async fn make_up(self: &Arc<House>) {
        self.catch_up_with_all().await;
        self.lobby.stir_here();
        for table in self.tables.all() {
            complain(&table, table.read_lines(self).await);
        }
    }

    /// Looks up what is newer in the games that somebody follows here.
    async fn catch_up_with_all(self: &Arc<House>) {
        let mut tables = self.tables.all();
        tables.retain(|table| table.is_heard());
        for tables in tables.chunks(limits::ROWS) {
            let asked = tables.iter().map(|table| (table.id(), table.seq()));
            // Where the store does not say, it is asked again in the next round.
            let Ok(newer) = self.store.newer(asked.collect()).await else {
                return;
            };
            for (table, newer) in tables.iter().zip(newer) {
                if !newer.is_empty() {
                    let mut core = table.core().await;
                    let caught_up = table.catch_up(self, &mut core, &newer).await;
                    drop(core);
                    complain(table, caught_up);
                }
            }
        }
    }
}

fn complain(table: &Table, done: Result<(), Trouble>) {
    if let Err(trouble) = done {
        tracing::warn!(game = %table.id(), %trouble, "what another node has decided cannot be followed yet");
    }
}
