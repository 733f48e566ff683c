//! The other nodes of the house: what they are told, what is done with what they say, and what is looked up
//! in case they have said it in vain.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval, sleep};
use touchmove_game::Event;
use touchmove_store::{Decision, GameId, Line, Mark, Seats, limits};

use crate::House;
use crate::app::closed;
use crate::clock::moment;
use crate::cluster::{Ears, Told, Word};
use crate::games::table::{Core, Table, There, Trouble};
use crate::lobby::Note;
use crate::spawn::{catch_panic, in_background};

/// How often it is looked whether the others can be told, and tables are looked up if they cannot.
const ROUND: Duration = Duration::from_secs(1);
/// How many rounds pass before others are told again who is here, and tables are looked up in any case.
const SLOW: u64 = 5;

/// How long it is from one making up for lost messages to the next: whoever can make us miss some shall not make
/// us read everything all the time.
const GAP_INTERVAL: Duration = Duration::from_millis(500);

/// Hears and tells until the house closes.
pub(crate) fn keep(house: &Arc<House>, mut ears: Ears) {
    let (weak, mut closing) = (Arc::downgrade(house), house.closing());
    let gap = Arc::clone(&house.gap);
    in_background(async move {
        loop {
            tokio::select! {
                () = gap.notified() => {}
                () = closed(&mut closing) => return,
            }
            let Some(house) = weak.upgrade() else {
                return;
            };
            house.make_up().await;
            drop(house);
            sleep(GAP_INTERVAL).await;
        }
    });
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
            // A message that makes the program panic is lost like any other that is lost.
            catch_panic("a cluster message", async { house.hear(told) }).await;
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
            let round = house.go_round(count.is_multiple_of(SLOW));
            catch_panic("the round of the cluster", round).await;
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
            bus.say(&who_is_there(table));
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
            Told::Gap => self.gap.notify_one(),
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
                    table.hear_line(is_players, &line);
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
            Word::Who {
                game,
                through_store,
            } => {
                let table = self.tables.live(game);
                if let Some(table) = table.filter(|table| table.there().is_anybody()) {
                    match &self.bus {
                        Some(bus) if through_store => bus.say_through_store(&who_is_there(&table)),
                        _ => self.say_who_is_there(&table),
                    }
                }
            }
            Word::Note { to, note } => self.lobby.tell_here(to.0, note),
            Word::Stir => self.lobby.stir_here(),
            Word::Here { holders } => self.lobby.are_elsewhere(&holders, self.now()),
            Word::Stream { token } => self.streams.end(token.0),
            Word::Revoked => self.revocation_poll.poll_now(),
            Word::AreHere { holders } => self.lobby.say_which_are_here(&holders),
            Word::Alive | Word::Heartbeat => {}
        }
    }

    /// Makes a decision of another node part of a game that is in memory here.
    fn follow(self: &Arc<House>, game: GameId, decision: Decision) {
        let Some(table) = self.tables.live(game) else {
            return;
        };
        if table.seq() > decision.last {
            return;
        }
        let house = Arc::clone(self);
        // Something may be decided there just now, and nobody else shall wait for it.
        in_background(async move {
            let followed = table.follow(&house, &decision).await;
            complain(&table, followed);
        });
    }

    /// Reads what there is of a game. One who waits for his turn reads for all who ask meanwhile.
    fn look_up(self: &Arc<House>, table: Arc<Table>) {
        if !table.begin_refresh() {
            return;
        }
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
            bus.send_heartbeat();
            self.lobby.say_who_is_here();
            self.lobby.make_up_for_notes();
            for table in self.tables.all() {
                table.forget_silent_nodes(now);
                if table.there().is_anybody() {
                    self.say_who_is_there(&table);
                    table.repeat_rematch(self);
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
        self.lobby.has_missed_notes();
        for table in self.tables.all() {
            complain(&table, table.read_lines(self).await);
        }
    }

    /// Looks up what is newer in the games that somebody follows here.
    async fn catch_up_with_all(self: &Arc<House>) {
        let mut tables = self.tables.all();
        tables.retain(|table| table.is_heard());
        for tables in tables.chunks(limits::ROWS) {
            let asked = tables.iter().map(|table| (table.id(), table.ask_after()));
            let asked: Vec<_> = asked.collect();
            // Where the store does not say, it is asked again in the next round.
            let Ok(found) = self.store.newer(asked.clone()).await else {
                return;
            };
            for ((table, (_, after)), found) in tables.iter().zip(asked).zip(found) {
                if !table.is_confirmed_by(after, &found) {
                    complain(table, table.refresh(self).await);
                }
            }
        }
    }
}

/// Who is at a table by way of this node.
fn who_is_there(table: &Table) -> Word {
    let There {
        white,
        black,
        watching,
    } = table.there();
    Word::There {
        game: table.id(),
        white,
        black,
        watching,
    }
}

fn complain(table: &Table, done: Result<(), Trouble>) {
    if let Err(trouble) = done {
        tracing::warn!(game = %table.id(), %trouble, "what another node has decided cannot be followed yet");
    }
}
