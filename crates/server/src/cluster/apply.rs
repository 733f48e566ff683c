//! The other nodes of the house: what they are told, what is done with what they say, and what is looked up
//! in case they have said it in vain.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval, sleep};
use touchmove_game::Event;
use touchmove_store::{ChatLine, GameId, SeatHolders, StoredDecision, WriteId, limits};

use crate::Server;
use crate::app::wait_for_shutdown;
use crate::clock::to_moment;
use crate::cluster::{ClusterEvent, ClusterMessage, ClusterSubscriber};
use crate::games::table::{GameError, LiveGame, NodePresence, Table};
use crate::lobby::LobbyNotice;
use crate::spawn::{catch_panic, spawn_boxed};

/// How often it is looked whether the others can be told, and tables are looked up if they cannot.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How many rounds pass before others are told again who is here, and tables are looked up in any case.
const FULL_POLL_ROUNDS: u64 = 5;

/// How long it is from one making up for lost messages to the next: whoever can make us miss some shall not make
/// us read everything all the time.
const GAP_INTERVAL: Duration = Duration::from_millis(500);

/// Hears and tells until the house closes.
pub(crate) fn run(house: &Arc<Server>, mut ears: ClusterSubscriber) {
    let (weak, mut closing) = (Arc::downgrade(house), house.shutdown_signal());
    let gap = Arc::clone(&house.gap);
    spawn_boxed(async move {
        loop {
            tokio::select! {
                () = gap.notified() => {}
                () = wait_for_shutdown(&mut closing) => return,
            }
            let Some(house) = weak.upgrade() else {
                return;
            };
            house.make_up().await;
            drop(house);
            sleep(GAP_INTERVAL).await;
        }
    });
    let (weak, mut closing) = (Arc::downgrade(house), house.shutdown_signal());
    spawn_boxed(async move {
        loop {
            let told = tokio::select! {
                told = ears.next() => told,
                () = wait_for_shutdown(&mut closing) => return,
            };
            let (Some(told), Some(house)) = (told, weak.upgrade()) else {
                return;
            };
            // A message that makes the program panic is lost like any other that is lost.
            catch_panic("a cluster message", async { house.on_message(told) }).await;
        }
    });
    let (weak, mut closing) = (Arc::downgrade(house), house.shutdown_signal());
    spawn_boxed(async move {
        let mut rounds = interval(POLL_INTERVAL);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut count: u64 = 0;
        loop {
            tokio::select! {
                _ = rounds.tick() => {}
                () = wait_for_shutdown(&mut closing) => return,
            }
            let Some(house) = weak.upgrade() else {
                return;
            };
            count += 1;
            let round = house.poll(count.is_multiple_of(FULL_POLL_ROUNDS));
            catch_panic("the round of the cluster", round).await;
        }
    });
}

impl Server {
    /// Tells other nodes what was decided.
    pub(crate) fn publish_decision(
        &self,
        game: GameId,
        core: &LiveGame,
        events: &[Event],
        text: &str,
    ) {
        let (Some(bus), Some(first), Some(last)) = (&self.bus, events.first(), events.last())
        else {
            return;
        };
        bus.publish(&ClusterMessage::Decided {
            game,
            first: first.seq,
            last: last.seq,
            text: text.to_owned(),
        });
        if core.game.ending().is_some() {
            let SeatHolders { white, black } = core.holders;
            for holder in [white, black].into_iter().flatten() {
                self.lobby
                    .send_notice_remote(holder, LobbyNotice::Over(game));
            }
        }
    }

    /// Tells other nodes who is at a table by way of this one.
    pub(crate) fn publish_presence(&self, table: &Table) {
        if let Some(bus) = &self.bus {
            bus.publish(&who_is_there(table));
        }
    }

    fn on_message(self: &Arc<Server>, told: ClusterEvent) {
        match told {
            ClusterEvent::Word { node, word } => self.apply(&node, word),
            ClusterEvent::Written { game, last } => {
                if let Some(table) = self.tables.get(game).filter(|table| table.seq() < last) {
                    self.look_up(table);
                }
            }
            ClusterEvent::Gap => self.gap.notify_one(),
        }
    }

    fn apply(self: &Arc<Server>, node: &str, word: ClusterMessage) {
        match word {
            ClusterMessage::Decided {
                game,
                first,
                last,
                text,
            } => {
                let mark = WriteId(0);
                let decision = StoredDecision {
                    first,
                    last,
                    mark,
                    text,
                };
                self.follow(game, decision);
            }
            ClusterMessage::Chat {
                game,
                is_players,
                number,
                at,
                name,
                text,
            } => {
                if let Some(table) = self.tables.get(game) {
                    let line = ChatLine {
                        number,
                        at: to_moment(at),
                        name,
                        person: None,
                        text,
                    };
                    table.receive_chat(is_players, &line);
                }
            }
            ClusterMessage::Rematch {
                game,
                offer,
                is_begun,
            } => {
                if let Some(table) = self.tables.get(game) {
                    let house = Arc::clone(self);
                    spawn_boxed(async move {
                        let heard = table.receive_rematch(&house, offer, is_begun).await;
                        complain(&table, heard);
                    });
                }
            }
            ClusterMessage::There {
                game,
                white,
                black,
                watching,
            } => {
                if let Some(table) = self.tables.get(game) {
                    let there = NodePresence {
                        white,
                        black,
                        watching,
                    };
                    table.record_remote_presence(node, there, self.now());
                }
            }
            ClusterMessage::Who {
                game,
                through_store,
            } => {
                let table = self.tables.get(game);
                if let Some(table) = table.filter(|table| table.local_presence().is_anybody()) {
                    match &self.bus {
                        Some(bus) if through_store => bus.say_through_store(&who_is_there(&table)),
                        _ => self.publish_presence(&table),
                    }
                }
            }
            ClusterMessage::Note { to, note } => self.lobby.send_notice_local(to.0, note),
            ClusterMessage::Stir => self.lobby.notify_changed_locally(),
            ClusterMessage::Here { holders } => self.lobby.record_remote(&holders, self.now()),
            ClusterMessage::Stream { token } => self.streams.end(token.0),
            ClusterMessage::Revoked => self.revocation_poll.poll_now(),
            ClusterMessage::AreHere { holders } => self.lobby.say_which_are_here(&holders),
            ClusterMessage::Alive | ClusterMessage::Heartbeat => {}
        }
    }

    /// Makes a decision of another node part of a game that is in memory here.
    fn follow(self: &Arc<Server>, game: GameId, decision: StoredDecision) {
        let Some(table) = self.tables.get(game) else {
            return;
        };
        if table.seq() > decision.last {
            return;
        }
        let house = Arc::clone(self);
        // Something may be decided there just now, and nobody else shall wait for it.
        spawn_boxed(async move {
            let followed = table.follow(&house, &decision).await;
            complain(&table, followed);
        });
    }

    /// Reads what there is of a game. One who waits for his turn reads for all who ask meanwhile.
    fn look_up(self: &Arc<Server>, table: Arc<Table>) {
        if !table.begin_refresh() {
            return;
        }
        let house = Arc::clone(self);
        spawn_boxed(async move {
            let found = table.refresh(&house).await;
            complain(&table, found);
        });
    }

    /// What is to be done again and again.
    async fn poll(self: &Arc<Server>, is_slow: bool) {
        let Some(bus) = &self.bus else { return };
        bus.refresh_transport();
        let now = self.now();
        if is_slow {
            bus.send_heartbeat();
            self.lobby.publish_presence();
            self.lobby.make_up_for_notes();
            for table in self.tables.all() {
                table.expire_remote_presence(now);
                if table.local_presence().is_anybody() {
                    self.publish_presence(&table);
                    table.repeat_rematch(self);
                }
            }
        }
        if is_slow || !bus.has_nats() {
            self.catch_up_with_all().await;
        }
    }

    /// Something may have been missed: everything is looked up.
    async fn make_up(self: &Arc<Server>) {
        self.catch_up_with_all().await;
        self.lobby.notify_changed_locally();
        self.lobby.has_missed_notes();
        for table in self.tables.all() {
            complain(&table, table.read_lines(self).await);
        }
    }

    /// Looks up what is newer in the games that somebody follows here.
    async fn catch_up_with_all(self: &Arc<Server>) {
        let mut tables = self.tables.all();
        tables.retain(|table| table.has_subscribers());
        for tables in tables.chunks(limits::MAX_ROWS) {
            let asked = tables.iter().map(|table| (table.id(), table.ask_after()));
            let asked: Vec<_> = asked.collect();
            // Where the store does not say, it is asked again in the next round.
            let Ok(found) = self.store.decisions_after(asked.clone()).await else {
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
fn who_is_there(table: &Table) -> ClusterMessage {
    let NodePresence {
        white,
        black,
        watching,
    } = table.local_presence();
    ClusterMessage::There {
        game: table.id(),
        white,
        black,
        watching,
    }
}

fn complain(table: &Table, done: Result<(), GameError>) {
    if let Err(trouble) = done {
        tracing::warn!(game = %table.id(), %trouble, "what another node has decided cannot be followed yet");
    }
}
