//! Publishes and applies cluster messages: what this node publishes, how it applies what others publish, and the
//! polling that makes up for lost messages.

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

/// How often the connection to the others is checked, and tables are read again if it is down.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// After this many rounds presence is published again, and tables are read again in any case.
const FULL_POLL_ROUNDS: u64 = 5;

/// The least time between two recoveries from lost messages: an attacker who drops some must not make this node read
/// everything all the time.
const GAP_INTERVAL: Duration = Duration::from_millis(500);

/// Receives and publishes until the server shuts down.
pub(crate) fn run(server: &Arc<Server>, mut ears: ClusterSubscriber) {
    let (weak, mut closing) = (Arc::downgrade(server), server.shutdown_signal());
    let gap = Arc::clone(&server.gap);
    spawn_boxed(async move {
        loop {
            tokio::select! {
                () = gap.notified() => {}
                () = wait_for_shutdown(&mut closing) => return,
            }
            let Some(server) = weak.upgrade() else {
                return;
            };
            server.make_up().await;
            drop(server);
            sleep(GAP_INTERVAL).await;
        }
    });
    let (weak, mut closing) = (Arc::downgrade(server), server.shutdown_signal());
    spawn_boxed(async move {
        loop {
            let told = tokio::select! {
                told = ears.next() => told,
                () = wait_for_shutdown(&mut closing) => return,
            };
            let (Some(told), Some(server)) = (told, weak.upgrade()) else {
                return;
            };
            // A message that makes the program panic counts as lost.
            catch_panic("a cluster message", async { server.on_message(told) }).await;
        }
    });
    let (weak, mut closing) = (Arc::downgrade(server), server.shutdown_signal());
    spawn_boxed(async move {
        let mut rounds = interval(POLL_INTERVAL);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut count: u64 = 0;
        loop {
            tokio::select! {
                _ = rounds.tick() => {}
                () = wait_for_shutdown(&mut closing) => return,
            }
            let Some(server) = weak.upgrade() else {
                return;
            };
            count += 1;
            let round = server.poll(count.is_multiple_of(FULL_POLL_ROUNDS));
            catch_panic("the round of the cluster", round).await;
        }
    });
}

impl Server {
    /// Publishes a decision.
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

    /// Publishes who is present at a table through this node.
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
                    let server = Arc::clone(self);
                    spawn_boxed(async move {
                        let heard = table.receive_rematch(&server, offer, is_begun).await;
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

    /// Applies a decision of another node to a game that is in memory here.
    fn follow(self: &Arc<Server>, game: GameId, decision: StoredDecision) {
        let Some(table) = self.tables.get(game) else {
            return;
        };
        if table.seq() > decision.last {
            return;
        }
        let server = Arc::clone(self);
        // A decision may be under way there, and other messages must not wait for it.
        spawn_boxed(async move {
            let followed = table.follow(&server, &decision).await;
            complain(&table, followed);
        });
    }

    /// Reads what is newer in a game. A task that waits for the lock reads for all later callers.
    fn look_up(self: &Arc<Server>, table: Arc<Table>) {
        if !table.begin_refresh() {
            return;
        }
        let server = Arc::clone(self);
        spawn_boxed(async move {
            let found = table.refresh(&server).await;
            complain(&table, found);
        });
    }

    /// The regular work.
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

    /// Messages may have been lost: reads everything again.
    async fn make_up(self: &Arc<Server>) {
        self.catch_up_with_all().await;
        self.lobby.notify_changed_locally();
        self.lobby.has_missed_notes();
        for table in self.tables.all() {
            complain(&table, table.read_lines(self).await);
        }
    }

    /// Reads what is newer in the games that have listeners here.
    async fn catch_up_with_all(self: &Arc<Server>) {
        let mut tables = self.tables.all();
        tables.retain(|table| table.has_subscribers());
        for tables in tables.chunks(limits::MAX_ROWS) {
            let asked = tables.iter().map(|table| (table.id(), table.ask_after()));
            let asked: Vec<_> = asked.collect();
            // If the store fails, the next round asks again.
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

/// The message that says who is present at a table through this node.
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
