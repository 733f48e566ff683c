//! Commands at a table: what players ask for, and what the clock, the arbiter and analysis bring about.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep;
use touchmove_game::protocol::{ClientMessage, RefusalMessage, ResolvedRequest};
use touchmove_game::{
    AnalysisResult, ArbiterAction, Command, Decision, Event, Millis, Submission, Timestamp,
};
use touchmove_rules::Color;
use touchmove_store::{Holder, PersonId};

use crate::Server;
use crate::cluster::ClusterMessage;
use crate::games::commit::{CommitOutcome, SeatClaim};
use crate::games::live_game::LiveGame;
use crate::games::table::{GameError, Table};

/// How often a decision is retried after others were faster.
const MAX_COMMIT_ATTEMPTS: usize = 8;
/// How long other nodes have to report that a player is present.
const ANSWER_TIME: Duration = Duration::from_millis(1_500);
/// How often their reports are checked meanwhile.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// The reply to a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandReply {
    /// It was granted and stored.
    Granted {
        /// The number of the first event it caused.
        seq: u64,
        /// Whether it was a repeat with the same id.
        repeated: bool,
    },
    /// It was a query, which changes nothing.
    Query,
    /// It was refused.
    Denied(RefusalMessage),
}

/// When a message arrived, and after what delay.
#[derive(Clone, Copy, Debug)]
pub struct MessageTiming {
    /// The time of arrival.
    pub at: Timestamp,
    /// How long it was on its way, as the server measured it.
    pub lag: Millis,
}

impl Table {
    /// Decides a player's command.
    ///
    /// # Errors
    /// If it could not be stored. Then it has not happened, or a repeat is recognised by its id.
    pub async fn submit(
        self: &Arc<Table>,
        server: &Arc<Server>,
        by: Color,
        asked: &ClientMessage,
        arrival: MessageTiming,
    ) -> Result<CommandReply, GameError> {
        let reply = self.try_submit(server, by, asked, arrival).await;
        if let Ok(CommandReply::Denied(_)) = reply {
            server.meters.refusals.count();
        }
        reply
    }

    async fn try_submit(
        self: &Arc<Table>,
        server: &Arc<Server>,
        by: Color,
        asked: &ClientMessage,
        arrival: MessageTiming,
    ) -> Result<CommandReply, GameError> {
        let mut core = self.lock().await;
        let mut is_up_to_date = server.bus.is_none();
        let mut is_confirmed = server.bus.is_none();
        for _ in 0..MAX_COMMIT_ATTEMPTS {
            self.note_outages(server, &mut core).await?;
            let meant = match asked.resolve(&core.game, Some(by)) {
                Ok(meant) => meant,
                // Another node may have decided something that makes it legal.
                Err(_) if !is_up_to_date => {
                    self.read_newer(server, &mut core).await?;
                    is_up_to_date = true;
                    continue;
                }
                Err(denial) => return Ok(CommandReply::Denied(denial)),
            };
            let command = match meant {
                ResolvedRequest::Query => return Ok(CommandReply::Query),
                ResolvedRequest::Repeated { seq } => return Ok(repeated(seq)),
                ResolvedRequest::Command { command, .. } => command,
            };
            if matches!(command, Command::ClaimAbsence { .. }) && !is_confirmed {
                drop(core);
                self.confirm_absence(server, !by).await?;
                core = self.lock().await;
                is_confirmed = true;
                continue;
            }
            let request = Submission {
                at: arrival.at,
                by,
                command,
                id: asked.id.clone(),
                seen: asked.seen,
                lag: arrival.lag,
                opponent_away: self.presence().away(!by),
            };
            let (events, reply) = match core.game.decide(&request) {
                Ok(Decision::Repeated { seq }) => return Ok(repeated(seq)),
                Ok(Decision::Granted(events)) => {
                    let seq = events.first().map_or(core.game.seq(), |event| event.seq);
                    let repeated = false;
                    (events, CommandReply::Granted { seq, repeated })
                }
                Err(_) if !is_up_to_date => {
                    self.read_newer(server, &mut core).await?;
                    is_up_to_date = true;
                    continue;
                }
                // A flag that had fallen before the command came is recorded now.
                Err(refusal) => (
                    core.game.tick(arrival.at),
                    CommandReply::Denied(RefusalMessage::from(&refusal)),
                ),
            };
            if let CommitOutcome::Kept = self.commit(server, &mut core, events, None).await? {
                return Ok(reply);
            }
        }
        // Losing the race so often is no accident.
        self.reload(server, &mut core).await?;
        Err(GameError::Crowded)
    }

    /// Asks other nodes through the store whether a player is present: cluster messages may have been lost, and the
    /// game depends on the answer.
    async fn confirm_absence(&self, server: &Server, player: Color) -> Result<(), GameError> {
        let Some(bus) = &server.bus else {
            return Ok(());
        };
        if !bus.can_ask() {
            return Err(GameError::Unasked);
        }
        bus.say_through_store(&ClusterMessage::Who {
            game: self.id(),
            through_store: true,
        });
        let begun = Instant::now();
        while self.presence().away(player).is_some() && begun.elapsed() < ANSWER_TIME {
            sleep(LOOK_INTERVAL).await;
        }
        Ok(())
    }

    /// Takes an open seat.
    ///
    /// # Errors
    /// If it could not be stored.
    pub async fn sit(
        self: &Arc<Table>,
        server: &Arc<Server>,
        color: Color,
        name: &str,
        holder: Holder,
        person: Option<PersonId>,
    ) -> Result<CommandReply, GameError> {
        let mut core = self.lock().await;
        for _ in 0..MAX_COMMIT_ATTEMPTS {
            let sit = Command::Sit {
                name: name.to_owned(),
            };
            if server.bus.is_some() {
                self.read_newer(server, &mut core).await?;
            }
            let events = match core.game.decide(&Submission::new(server.now(), color, sit)) {
                Ok(decision) => decision.events(),
                Err(refusal) => return Ok(CommandReply::Denied(RefusalMessage::from(&refusal))),
            };
            let seq = events.first().map_or(0, |event| event.seq);
            let sitter = SeatClaim {
                color,
                holder,
                person,
            };
            match self
                .commit(server, &mut core, events, Some(&sitter))
                .await?
            {
                CommitOutcome::Kept => {
                    let repeated = false;
                    return Ok(CommandReply::Granted { seq, repeated });
                }
                CommitOutcome::Overtaken => {}
                CommitOutcome::SeatHeld => {
                    let taken = touchmove_game::Refusal::SeatTaken { who: color };
                    return Ok(CommandReply::Denied(RefusalMessage::from(&taken)));
                }
            }
        }
        // Losing the race so often is no accident.
        self.reload(server, &mut core).await?;
        Err(GameError::Crowded)
    }

    /// Lets time pass: a flag falls if it is due.
    ///
    /// # Errors
    /// If it could not be stored.
    pub async fn tick(self: &Arc<Table>, server: &Arc<Server>) -> Result<(), GameError> {
        self.decide(server, |core, now| core.game.tick(now)).await
    }

    /// Applies the result of an analysis, or tells the table that there is none.
    ///
    /// # Errors
    /// If it could not be stored.
    pub async fn conclude(
        self: &Arc<Table>,
        server: &Arc<Server>,
        finding: &AnalysisResult,
    ) -> Result<(), GameError> {
        self.decide(server, |core, now| core.game.conclude(now, finding))
            .await?;
        let mut core = self.lock().await;
        self.broadcast_undecided(server, &mut core, finding);
        Ok(())
    }

    /// Applies an arbiter action; one that is not possible now is skipped.
    ///
    /// # Errors
    /// If it could not be stored.
    pub async fn apply_arbiter_action(
        self: &Arc<Table>,
        server: &Arc<Server>,
        order: &ArbiterAction,
    ) -> Result<(), GameError> {
        self.decide(server, |core, now| {
            core.game.order(now, order).unwrap_or_default()
        })
        .await
    }

    /// Records outages of the server in the game.
    ///
    /// # Errors
    /// If it could not be stored.
    pub async fn record_outages(self: &Arc<Table>, server: &Arc<Server>) -> Result<(), GameError> {
        self.decide(server, |_, _| Vec::new()).await
    }

    async fn decide(
        self: &Arc<Table>,
        server: &Arc<Server>,
        decide: impl Fn(&LiveGame, Timestamp) -> Vec<Event>,
    ) -> Result<(), GameError> {
        let mut core = self.lock().await;
        for _ in 0..MAX_COMMIT_ATTEMPTS {
            self.note_outages(server, &mut core).await?;
            let events = decide(&core, server.now());
            if let CommitOutcome::Kept = self.commit(server, &mut core, events, None).await? {
                return Ok(());
            }
        }
        // Losing the race so often is no accident.
        self.reload(server, &mut core).await?;
        Err(GameError::Crowded)
    }

    /// Holds and releases the clocks for each outage, before anything else happens.
    async fn note_outages(
        self: &Arc<Table>,
        server: &Arc<Server>,
        core: &mut LiveGame,
    ) -> Result<(), GameError> {
        // An outage before the start is not over yet.
        server.pulse.wait_until_listening().await;
        // Reading the time finds an outage that has just ended.
        let _ = server.now();
        // If writes were failing, that must be over before any time is charged to a clock.
        server.ensure_heartbeat().await?;
        while let Some(outage) = server.pulse.outage_after(core.outages) {
            let events = core.game.outage(outage.from, outage.until, outage.reason);
            match self.commit(server, core, events, None).await? {
                CommitOutcome::Kept => core.outages += 1,
                CommitOutcome::Overtaken | CommitOutcome::SeatHeld => {}
            }
        }
        Ok(())
    }
}

const fn repeated(seq: u64) -> CommandReply {
    CommandReply::Granted {
        seq,
        repeated: true,
    }
}
