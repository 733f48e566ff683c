//! Longer looks at positions than the way of a move allows: is this one dead, and what does the fallen flag mean? They
//! are taken on threads whose priority is low, in turns for those who wait for them; what follows is the game's business.

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

/// How long a position stands before somebody looks: most are gone again by then.
const PRIORITY_DELAY: Duration = Duration::from_millis(50);
/// The same for a position that is hardly ever dead: there are many men, and a pawn can move or a man be
/// taken.
const NORMAL_DELAY: Duration = Duration::from_secs(2);
/// With as many men a position may well be dead.
const FEW_PIECES: usize = 10;
/// How long a table waits that has found no room in the queue.
const RETRY: Duration = Duration::from_secs(2);

/// Where longer looks are taken.
pub struct AnalysisQueue {
    /// Fallen flags wait for no positions: two people wait for each.
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

    /// Where questions of this kind wait.
    const fn queue(&self, about: AnalysisKind) -> &WorkQueue {
        match about {
            AnalysisKind::Flag(_) => &self.flags,
            AnalysisKind::Dead => &self.positions,
        }
    }
}

/// When somebody will look at a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum AnalysisPriority {
    /// If its position stands for long.
    Later = 1,
    /// In a moment.
    Soon,
    /// As soon as it is its turn.
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
    /// Sees to it that somebody looks at this table, if there is something to look for.
    pub(crate) fn consider(self: &Arc<Server>, table: &Arc<Table>, game: &Game) {
        let Some(question) = game.pending_analysis() else {
            return;
        };
        let turn = AnalysisPriority::of(&question);
        let Some(ticket) = table.queue(turn) else {
            return;
        };
        let look = Look {
            house: Arc::downgrade(self),
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

/// A look that waits for its turn. It keeps no table in memory until then: where that is forgotten, whoever brings it
/// back asks again.
#[derive(Clone)]
struct Look {
    house: Weak<Server>,
    table: Weak<Table>,
    id: GameId,
    turn: AnalysisPriority,
    /// What the table has given for it; a later one takes its place.
    ticket: u64,
}

impl Look {
    /// The table, if somebody is still to look.
    fn table(&self, house: &Server) -> Option<Arc<Table>> {
        let table = house.tables.get(self.id)?;
        let is_same = std::ptr::eq(Arc::as_ptr(&table), self.table.as_ptr());
        (is_same && table.is_queued_by(self.ticket)).then_some(table)
    }

    /// Waits until the position has stood for long enough after this event, looks, and draws the conclusion.
    async fn take(self, mut seq: u64) {
        let mut delay = self.turn.delay();
        loop {
            // A sleep of no time would last until the clock's next millisecond.
            if !delay.is_zero() {
                tokio::time::sleep(delay).await;
            }
            let Some(house) = self.house.upgrade() else {
                return;
            };
            let Some(table) = self.table(&house) else {
                return;
            };
            if self.turn != AnalysisPriority::Now && table.seq() != seq {
                // That position is gone again and was of no interest; what came after it may be.
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
            let queue = house.looks.queue(question.about);
            let asked = queue.submit(owner, move |_| look.answer());
            drop((table, house));
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

    /// Looks at the position as it is now. Whatever happens at the table from then on puts it into the queue again.
    fn answer(&self) -> Option<(Arc<Table>, AnalysisResult)> {
        let table = self.house.upgrade().and_then(|house| self.table(&house))?;
        table.unqueue();
        let question = table.blocking_core().game.pending_analysis()?;
        let answer = || question.answer(Budget::default());
        let finding = catch_panic_blocking("a longer look", answer)?;
        Some((table, finding))
    }

    async fn conclude(&self, table: &Arc<Table>, finding: &AnalysisResult) {
        let Some(house) = self.house.upgrade() else {
            return;
        };
        if let Err(trouble) = table.conclude(&house, finding).await {
            tracing::warn!(game = %self.id, %trouble, "a conclusion was not kept");
        }
    }
}

/// The player who waits for an answer: after a fallen flag the other one, for whoever lets flags fall at many tables
/// shall not keep those waiting who play against him.
fn waiting(question: &AnalysisQuestion) -> Color {
    match question.about {
        AnalysisKind::Flag(flagged) => !flagged,
        AnalysisKind::Dead => question.position.turn(),
    }
}

/// Whether a position may well be dead: there are few men, or nobody on move can take one or push a pawn.
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
