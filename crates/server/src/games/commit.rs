//! Commits a decision: it is stored, then applied to the game, then broadcast. What was not stored has not happened.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use thiserror::Error;
use touchmove_game::{AnalysisResult, Event, EventKind, Game, journal};
use touchmove_rules::Color;
use touchmove_store::{
    AppendDecision, AppendResult, DueChange, Error, GameChanges, GamePhase, Holder, PersonId,
    PlayerSummary, SeatHolders, StoredDecision,
};

use crate::clock::to_moment;
use crate::games::live_game::{CorruptGame, LiveGame, seat};
use crate::games::table::{Table, TableUpdate};
use crate::lobby::LobbyNotice;
use crate::work_queue::WorkError;
use crate::{Server, random};

/// How long after a deadline another node looks at a game, in milliseconds: a move that came in time and waits for
/// its commit must not lose to the flag.
pub(crate) const DUE_GRACE_MILLIS: u64 = 500;

/// Why something failed at a table, through no fault of the player.
#[derive(Debug, Error)]
pub enum GameError {
    /// The store failed.
    #[error("{0}")]
    Store(#[from] Error),
    /// The game no longer exists.
    #[error("there is no such game")]
    NoGame,
    /// The stored game is corrupt.
    #[error("{0}")]
    Torn(#[from] CorruptGame),
    /// A queue is full, or a job failed.
    #[error("{0}")]
    Work(#[from] WorkError),
    /// Others were faster, again and again.
    #[error("others were faster, again and again: try once more")]
    Crowded,
    /// Other nodes cannot be asked whether the opponent is present.
    #[error("it is not known just now whether the other player is there: try once more")]
    Unasked,
}

/// The player who takes a seat with a decision.
#[derive(Clone, Debug)]
pub(crate) struct SeatClaim {
    pub(crate) color: Color,
    pub(crate) holder: Holder,
    pub(crate) person: Option<PersonId>,
}

/// The outcome of a commit.
pub(crate) enum CommitOutcome {
    /// It was stored and applied to the game.
    Kept,
    /// Others decided something first, which is applied now. Decide again.
    Overtaken,
    /// The seat is taken.
    SeatHeld,
}

impl Table {
    /// Stores a decision, applies it to the game, and broadcasts it.
    pub(crate) async fn commit(
        self: &Arc<Table>,
        server: &Arc<Server>,
        core: &mut LiveGame,
        events: Vec<Event>,
        sitter: Option<&SeatClaim>,
    ) -> Result<CommitOutcome, GameError> {
        let (Some(first), Some(last)) = (events.first(), events.last()) else {
            return Ok(CommitOutcome::Kept);
        };
        let decision = StoredDecision {
            first: first.seq,
            last: last.seq,
            mark: random::write_id(),
            text: written(&events),
        };
        let text = decision.text.clone();
        let due = due(&core.game, &events);
        // In a cluster this node cannot know what the store has now.
        let known = core.due.take().filter(|_| server.bus.is_none());
        let append = AppendDecision {
            game: self.id(),
            decision,
            seat: sitter.map(|sitter| (seat(sitter.color), sitter.holder)),
            changes: changes(&core.game, &events, sitter),
            due: match (due, known) {
                (DueChange::By(at), Some(known)) if known <= at => DueChange::Keep,
                _ => due,
            },
        };
        let appended = self.append(server, append).await?;
        match appended {
            AppendResult::Written | AppendResult::Already => {
                core.due = match (due, known) {
                    (DueChange::By(at), Some(known)) => Some(known.min(at)),
                    (DueChange::By(at), None) => Some(at),
                    (DueChange::Keep, known) => known,
                    (DueChange::Never, _) => None,
                };
                core.evolve(&events)?;
                if server.bus.is_some() {
                    core.note_text(&text);
                }
                if let Some(sitter) = sitter {
                    match sitter.color {
                        Color::White => core.holders.white = Some(sitter.holder),
                        Color::Black => core.holders.black = Some(sitter.holder),
                    }
                }
                server.publish_decision(self.id(), core, &events, &text);
                self.after_commit(server, core, events, &text);
                Ok(CommitOutcome::Kept)
            }
            AppendResult::Behind { newer, .. } => {
                let is_behind = newer.first().map(|next| next.first) == Some(core.game.seq() + 1);
                match is_behind {
                    true => self.catch_up(server, core, &newer).await?,
                    // Memory and store disagree.
                    false => self.reload(server, core).await?,
                }
                Ok(CommitOutcome::Overtaken)
            }
            AppendResult::SeatHeld => Ok(CommitOutcome::SeatHeld),
            AppendResult::NoGame => Err(GameError::NoGame),
        }
    }
}

impl Table {
    /// Appends a decision to the store, and records whether the write succeeded.
    async fn append(
        &self,
        server: &Server,
        append: AppendDecision,
    ) -> Result<AppendResult, GameError> {
        let began = Instant::now();
        let appended = server.store.append_decision(append).await;
        match &appended {
            Ok(_) => {
                server.meters.decisions.count();
                server.meters.writes.note(began.elapsed());
                server.pulse.record_write_success(server.now());
            }
            Err(error) if error.is_final() => {}
            Err(error) => {
                server.meters.failures.count();
                server.pulse.record_write_failure(server.now());
                tracing::error!(game = %self.id(), %error, "a decision was not kept");
            }
        }
        Ok(appended?)
    }

    /// Applies decisions that others have stored. If one contradicts what is in memory, the game is loaded anew.
    pub(crate) async fn catch_up(
        self: &Arc<Table>,
        server: &Arc<Server>,
        core: &mut LiveGame,
        newer: &[StoredDecision],
    ) -> Result<(), GameError> {
        for decision in newer {
            if decision.first == core.game.seq() + 1 {
                let Ok(events) = core.fold(decision) else {
                    return self.reload(server, core).await;
                };
                if events.iter().any(is_seated) {
                    // Seat holders are not part of the journal.
                    core.holders = self.stored_holders(server).await?;
                }
                self.after_commit(server, core, events, &decision.text);
            }
        }
        Ok(())
    }

    async fn stored_holders(&self, server: &Server) -> Result<SeatHolders, GameError> {
        let heads = server.store.heads(vec![self.id()]).await?;
        Ok(heads.first().ok_or(GameError::NoGame)?.seats)
    }

    /// Reads the seat holders from the store, after a seat has changed hands.
    pub(crate) async fn read_holders(&self, server: &Server) -> Result<(), GameError> {
        let mut core = self.lock().await;
        core.holders = self.stored_holders(server).await?;
        Ok(())
    }

    /// The same where one of these guests holds a seat in memory.
    pub(crate) async fn read_holders_of(
        &self,
        server: &Server,
        guests: &[Holder],
    ) -> Result<(), GameError> {
        let mut core = self.lock().await;
        if guests.iter().any(|&guest| core.seat_of(guest).is_some()) {
            core.holders = self.stored_holders(server).await?;
        }
        Ok(())
    }

    /// Reads what others have stored, and compares the latest decision in memory with the store's.
    pub(crate) async fn read_newer(
        self: &Arc<Table>,
        server: &Arc<Server>,
        core: &mut LiveGame,
    ) -> Result<(), GameError> {
        let after = core.game.seq().saturating_sub(1);
        let stored = server.store.decisions_after(vec![(self.id(), after)]);
        let stored: Vec<_> = stored.await?.into_iter().flatten().collect();
        match self.agrees_with(core, &stored) {
            true => self.catch_up(server, core, &stored).await,
            false => self.reload(server, core).await,
        }
    }

    /// Whether the first of these decisions, which has the latest event in memory, equals the latest decision in
    /// memory.
    fn agrees_with(&self, core: &LiveGame, stored: &[StoredDecision]) -> bool {
        let seq = core.game.seq();
        let is_latest =
            |first: &StoredDecision| first.last == seq && core.is_latest_text(&first.text);
        // The first decision, which opens the game, has no number of its own.
        let agrees = self.seq() == seq && (seq == 0 || stored.first().is_some_and(is_latest));
        if agrees {
            self.verified.store(seq, Ordering::Release);
        }
        agrees
    }

    /// The event after which to ask the store for newer decisions. This includes the latest decision, unless that was
    /// compared before.
    pub(crate) fn ask_after(&self) -> u64 {
        let seq = self.seq();
        match self.verified.load(Ordering::Acquire) == seq {
            true => seq,
            false => seq.saturating_sub(1),
        }
    }

    /// Whether the answer to [`ask_after`](Table::ask_after) has nothing new and agrees with memory. False while a
    /// decision is being made.
    pub(crate) fn is_confirmed_by(&self, asked_after: u64, found: &[StoredDecision]) -> bool {
        let Ok(core) = self.game.try_lock() else {
            return false;
        };
        match asked_after == self.seq() {
            true => found.is_empty() && core.game.seq() == asked_after,
            false => found.len() == 1 && self.agrees_with(&core, found),
        }
    }

    /// Applies a decision of another node if it is the next one; otherwise reads from the store.
    pub(crate) async fn follow(
        self: &Arc<Table>,
        server: &Arc<Server>,
        decision: &StoredDecision,
    ) -> Result<(), GameError> {
        let mut core = self.lock().await;
        let seq = core.game.seq();
        let is_known =
            decision.last < seq || decision.last == seq && core.is_latest_text(&decision.text);
        let is_next = decision.first == seq + 1;
        match self.seq() == seq {
            true if is_known => Ok(()),
            true if is_next => {
                self.catch_up(server, &mut core, std::slice::from_ref(decision))
                    .await
            }
            _ => self.read_newer(server, &mut core).await,
        }
    }

    /// Drops what is in memory and loads the game from the store, which is right. All connections are sent the whole
    /// state.
    pub(super) async fn reload(
        self: &Arc<Table>,
        server: &Arc<Server>,
        core: &mut LiveGame,
    ) -> Result<(), GameError> {
        let before = core.game.seq();
        *core = server
            .load_core(self.id())
            .await?
            .ok_or(GameError::NoGame)?;
        let seq = core.game.seq();
        tracing::warn!(game = %self.id(), before, seq, "a game in memory did not agree with the store and was read anew");
        self.seq.store(seq, Ordering::Release);
        self.verified.store(seq, Ordering::Release);
        self.broadcast(TableUpdate::reset());
        self.look_ahead(server, core);
        Ok(())
    }

    /// Tells all connections that an analysis was undecided, if it was.
    pub(super) fn broadcast_undecided(
        &self,
        server: &Server,
        core: &mut LiveGame,
        finding: &AnalysisResult,
    ) {
        let is_about_this = core.game.pending_analysis() == Some(finding.question);
        if is_about_this && finding.left_open().is_some() {
            core.finding = Some(finding.clone());
            let told = TableUpdate::decided(core, server.now(), Vec::new(), "", &self.listeners);
            self.broadcast(told);
        }
    }

    /// Broadcasts what was committed, and schedules what follows from it.
    fn after_commit(
        self: &Arc<Table>,
        server: &Arc<Server>,
        core: &LiveGame,
        events: Vec<Event>,
        written: &str,
    ) {
        let has_ended = core.game.ending().is_some();
        self.seq.store(core.game.seq(), Ordering::Release);
        self.broadcast(TableUpdate::decided(
            core,
            server.now(),
            events,
            written,
            &self.listeners,
        ));
        if has_ended {
            let SeatHolders { white, black } = core.holders;
            for holder in [white, black].into_iter().flatten() {
                server
                    .lobby
                    .send_notice_local(holder, LobbyNotice::Over(self.id()));
            }
            return;
        }
        self.look_ahead(server, core);
    }

    /// Schedules what may happen to a running game by itself: flags, analysis.
    pub(super) fn look_ahead(self: &Arc<Table>, server: &Arc<Server>, core: &LiveGame) {
        if core.game.ending().is_none() {
            server.consider(self, &core.game);
            server.watch_clock(self, core.game.deadline());
        }
    }
}

const fn is_seated(event: &Event) -> bool {
    matches!(event.deed, EventKind::Seated { .. })
}

/// Events in the store's format: one JSON object per line.
fn written(events: &[Event]) -> String {
    let mut text = String::new();
    for event in events {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(journal::line(event).trim_end());
    }
    text
}

/// What a decision changes in the game's row for lists. A move changes only the number of plies, which needs no
/// second write.
fn changes(game: &Game, events: &[Event], sitter: Option<&SeatClaim>) -> GameChanges {
    let mut changes = GameChanges::default();
    let mut plies = game.plies().len();
    for event in events {
        match &event.deed {
            EventKind::Seated { name } => {
                let player = Some(PlayerSummary {
                    name: Some(name.clone()),
                    person: sitter.and_then(|sitter| sitter.person),
                });
                let other = match event.by.player() {
                    Some(Color::Black) => {
                        changes.black = player;
                        Color::White
                    }
                    _ => {
                        changes.white = player;
                        Color::Black
                    }
                };
                if !game.seats()[other].is_open() {
                    changes.phase = Some(GamePhase::Running);
                    changes.status = Some("started".to_owned());
                }
            }
            EventKind::Moved { .. } => plies += 1,
            EventKind::TakenBack { plies: back } => plies = plies.saturating_sub(*back),
            EventKind::Ended(conclusion) => {
                changes.phase = Some(GamePhase::Finished);
                changes.status = Some(conclusion.ending.status().to_owned());
                changes.result = Some(conclusion.ending.result().to_owned());
                changes.last_activity = Some(to_moment(event.at));
            }
            _ => {}
        }
    }
    changes.plies = u32::try_from(plies).ok();
    changes
}

/// When another node must look at the game if this one does not: perhaps too early, never too late.
fn due(game: &Game, events: &[Event]) -> DueChange {
    let mut due = DueChange::Keep;
    for event in events {
        let in_time = |player| {
            let left = game
                .time_left(player, event.at)?
                .0
                .saturating_add(DUE_GRACE_MILLIS);
            Some(DueChange::By(
                to_moment(event.at).plus_millis(i64::try_from(left).ok()?),
            ))
        };
        due = match &event.deed {
            EventKind::Ended(_) => return DueChange::Never,
            EventKind::FlagFell { .. } => DueChange::By(to_moment(event.at).plus_millis(2_000)),
            EventKind::Moved { .. } => in_time(!game.turn()).unwrap_or(due),
            EventKind::Seated { .. } | EventKind::ClocksReleased | EventKind::TakenBack { .. } => {
                in_time(game.turn()).unwrap_or(due)
            }
            _ => due,
        };
    }
    due
}
