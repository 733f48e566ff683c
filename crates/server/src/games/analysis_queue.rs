//! The queue of analysis questions: is this position dead, and what does the fallen flag mean? They need a longer
//! search than a move may wait for, so they are answered on threads of low priority, fairly between owners. The game
//! draws the conclusion from the result.

use std::sync::{Arc, Weak};
use std::time::Duration;

use touchmove_game::{AnalysisKind, AnalysisQuestion, AnalysisResult, Budget, Game};
use touchmove_rules::{AnyPosition, Color, Move, Role};
use touchmove_store::GameId;

use crate::Server;
use crate::games::table::Table;
use crate::security::Limits;
use crate::spawn::{catch_panic, catch_panic_blocking, spawn_boxed};
use crate::work_queue::{WorkLimits, WorkQueue};

/// How long a position must stand before it is analysed: most are gone sooner.
const PRIORITY_DELAY: Duration = Duration::from_millis(50);
/// The same for a position that is hardly ever dead: there are many pieces, and a pawn can move or a piece can be
/// captured.
const NORMAL_DELAY: Duration = Duration::from_secs(2);
/// With at most this many pieces a position may well be dead.
const FEW_PIECES: usize = 10;
/// How long a table waits before it asks again when the queue was full.
const RETRY: Duration = Duration::from_secs(2);

/// The queue of analysis questions.
pub struct AnalysisQueue {
    /// Fallen flags do not wait for dead positions: two players wait for each.
    flags: WorkQueue,
    /// Positions that may be dead.
    positions: WorkQueue,
}

impl AnalysisQueue {
    pub(crate) fn new(limits: &Limits) -> AnalysisQueue {
        let limits = WorkLimits {
            threads: 1,
            waiting: limits.waiting_looks as usize,
            per_owner: limits.waiting_looks_per_address as usize,
            is_low_priority: true,
        };
        let busy = "too many positions are looked at";
        AnalysisQueue {
            flags: WorkQueue::new("fallen flags", busy, limits),
            positions: WorkQueue::new("longer looks", busy, limits),
        }
    }

    /// The queue for questions of this kind.
    const fn queue(&self, about: AnalysisKind) -> &WorkQueue {
        match about {
            AnalysisKind::Flag(_) => &self.flags,
            AnalysisKind::Dead => &self.positions,
        }
    }
}

/// How urgently a table's position is analysed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum AnalysisPriority {
    /// If the position stands for long.
    Later = 1,
    /// After a short delay.
    Soon,
    /// As soon as its turn comes.
    Now,
}

impl AnalysisPriority {
    fn of(question: &AnalysisQuestion) -> AnalysisPriority {
        match question.about {
            AnalysisKind::Flag(_) => AnalysisPriority::Now,
            AnalysisKind::Dead if is_suspect(&question.position) => AnalysisPriority::Soon,
            AnalysisKind::Dead => AnalysisPriority::Later,
        }
    }

    const fn delay(self) -> Duration {
        match self {
            AnalysisPriority::Later => NORMAL_DELAY,
            AnalysisPriority::Soon => PRIORITY_DELAY,
            AnalysisPriority::Now => Duration::ZERO,
        }
    }
}

impl Server {
    /// Queues the analysis of this table, if there is a question to answer.
    pub(crate) fn consider(self: &Arc<Server>, table: &Arc<Table>, game: &Game) {
        let Some(question) = game.pending_analysis() else {
            return;
        };
        let turn = AnalysisPriority::of(&question);
        let Some(ticket) = table.queue(turn) else {
            return;
        };
        let look = Look {
            server: Arc::downgrade(self),
            table: Arc::downgrade(table),
            id: table.id(),
            turn,
            ticket,
        };
        let seq = game.seq();
        spawn_boxed(async move {
            catch_panic("a longer look", look.take(seq)).await;
        });
    }
}

/// A queued analysis. It does not keep its table in memory: if the table is evicted, whoever loads it again queues a
/// new one.
#[derive(Clone)]
struct Look {
    server: Weak<Server>,
    table: Weak<Table>,
    id: GameId,
    turn: AnalysisPriority,
    /// The ticket that the table issued for it; a later ticket replaces it.
    ticket: u64,
}

impl Look {
    /// The table, if the analysis is still wanted.
    fn table(&self, server: &Server) -> Option<Arc<Table>> {
        let table = server.tables.get(self.id)?;
        let is_same = std::ptr::eq(Arc::as_ptr(&table), self.table.as_ptr());
        (is_same && table.is_queued_by(self.ticket)).then_some(table)
    }

    /// Waits until the position has stood for long enough after this event, analyses it, and passes the conclusion to
    /// the game.
    async fn take(self, mut seq: u64) {
        let mut delay = self.turn.delay();
        loop {
            // A sleep of no time would last until the clock's next millisecond.
            if !delay.is_zero() {
                tokio::time::sleep(delay).await;
            }
            let Some(server) = self.server.upgrade() else {
                return;
            };
            let Some(table) = self.table(&server) else {
                return;
            };
            if self.turn != AnalysisPriority::Now && table.seq() != seq {
                // That position is gone and asked no question; the one after it may.
                seq = table.seq();
                continue;
            }
            let question = table.lock().await.game.pending_analysis();
            let Some(question) = question else {
                table.unqueue();
                return;
            };
            let owner = table.owner_of(waiting(&question));
            let look = self.clone();
            let queue = server.looks.queue(question.about);
            let asked = queue.submit(owner, move |_| look.answer());
            drop((table, server));
            match asked {
                Err(_) => delay = RETRY,
                Ok(answer) => {
                    if let Ok(Some((table, finding))) = answer.await {
                        self.conclude(&table, &finding).await;
                    }
                    return;
                }
            }
        }
    }

    /// Analyses the current position. Whatever happens at the table from now on queues a new analysis.
    fn answer(&self) -> Option<(Arc<Table>, AnalysisResult)> {
        let table = self
            .server
            .upgrade()
            .and_then(|server| self.table(&server))?;
        table.unqueue();
        let question = table.blocking_core().game.pending_analysis()?;
        let answer = || question.answer(Budget::default());
        let finding = catch_panic_blocking("a longer look", answer)?;
        Some((table, finding))
    }

    async fn conclude(&self, table: &Arc<Table>, finding: &AnalysisResult) {
        let Some(server) = self.server.upgrade() else {
            return;
        };
        if let Err(trouble) = table.conclude(&server, finding).await {
            tracing::warn!(game = %self.id, %trouble, "a conclusion was not kept");
        }
    }
}

/// The player who waits for the answer. After a fallen flag it is the opponent: a player who lets flags fall at many
/// tables must not delay those they play against.
fn waiting(question: &AnalysisQuestion) -> Color {
    match question.about {
        AnalysisKind::Flag(flagged) => !flagged,
        AnalysisKind::Dead => question.position.turn(),
    }
}

/// Whether a position may well be dead: there are few pieces, or the side to move can neither capture nor push a
/// pawn.
fn is_suspect(position: &AnyPosition) -> bool {
    if position.board().occupied().len() <= FEW_PIECES {
        return true;
    }
    let is_lasting = |&mv: &Move| mv.is_capture() || mv.role() == Role::Pawn;
    !position.legal_moves().iter().any(is_lasting)
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::{Mutex, mpsc};

    use super::*;
    use crate::lock_ext::LockExt as _;
    use crate::security::Client;
    use crate::work_queue::WorkOwner;

    #[tokio::test]
    async fn many_flags_of_one_address_and_any_positions_keep_no_other_flag_waiting() {
        let looks = AnalysisQueue::new(&Limits::default());
        let from = |last: u8| WorkOwner::from(Client::from(IpAddr::from([10, 0, 0, last])));
        let (flag, dead) = (AnalysisKind::Flag(Color::White), AnalysisKind::Dead);
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut ends = Vec::new();
        // Both threads are busy.
        for about in [flag, dead] {
            let (end, ended) = mpsc::channel::<()>();
            let busy = looks.queue(about).submit(from(0), move |_| ended.recv());
            ends.push((end, busy.unwrap()));
        }
        let ask = |about, last: u8| {
            let order = Arc::clone(&order);
            let asked = looks
                .queue(about)
                .submit(from(last), move |_| order.locked().push(last));
            asked.unwrap()
        };
        let positions: Vec<_> = (0..110).map(|_| ask(dead, 3)).collect();
        let mut flags: Vec<_> = (0..110).map(|_| ask(flag, 1)).collect();
        flags.push(ask(flag, 2));
        // Only the thread for flags goes on.
        drop(ends.remove(0));
        for flag in flags {
            flag.await.unwrap();
        }
        assert_eq!(order.locked()[..3], [1, 2, 1]);
        assert!(!order.locked().contains(&3));
        drop((ends, positions));
    }
}
