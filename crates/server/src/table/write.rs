//! The way of a decision: into the store, then into the game, then to everybody. What was not written has
//! not happened.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use thiserror::Error;
use touchmove_game::{Deed, Event, Finding, Game, journal};
use touchmove_rules::Color;
use touchmove_store::{
    Append, Appended, Changes, Decision, Due, Error, Holder, PersonId, Phase, Player, Seats,
};

use super::core::{Core, Torn, seat};
use super::{News, Table};
use crate::lobby::Note;
use crate::pulse::moment;
use crate::{House, chance};

/// How long after a deadline somebody else looks at a game, in milliseconds: a move that came in time and
/// waits for its commit is not beaten.
pub(crate) const GRACE: u64 = 500;

/// Why something could not be done, through no fault of who asked.
#[derive(Debug, Error)]
pub enum Trouble {
    /// The store could not.
    #[error("{0}")]
    Store(#[from] Error),
    /// The game is not there any more.
    #[error("there is no such game")]
    NoGame,
    /// What is kept of the game cannot be read.
    #[error("{0}")]
    Torn(#[from] Torn),
    /// Others were faster, again and again.
    #[error("others were faster, again and again: try once more")]
    Crowded,
}

/// Somebody who sits down with a decision.
#[derive(Clone, Debug)]
pub(crate) struct Sitter {
    pub(crate) color: Color,
    pub(crate) holder: Holder,
    pub(crate) person: Option<PersonId>,
}

/// What became of a decision.
pub(crate) enum Outcome {
    /// It is kept, and part of the game.
    Kept,
    /// Somebody else has decided something before; that is part of the game now. Decide again.
    Overtaken,
    /// Somebody else has the seat.
    SeatHeld,
}

impl Table {
    /// Writes a decision down, makes it part of the game, and tells everybody.
    pub(crate) async fn write(
        self: &Arc<Table>,
        house: &Arc<House>,
        core: &mut Core,
        events: Vec<Event>,
        sitter: Option<&Sitter>,
    ) -> Result<Outcome, Trouble> {
        let (Some(first), Some(last)) = (events.first(), events.last()) else {
            return Ok(Outcome::Kept);
        };
        let decision = Decision {
            first: first.seq,
            last: last.seq,
            mark: chance::mark(),
            text: written(&events),
        };
        let text = decision.text.clone();
        let due = due(&core.game, &events);
        // Nodes that share a store cannot know what it says now.
        let known = core.due.take().filter(|_| house.bus.is_none());
        let append = Append {
            game: self.id(),
            decision,
            seat: sitter.map(|sitter| (seat(sitter.color), sitter.holder)),
            changes: changes(&core.game, &events, sitter),
            due: match (due, known) {
                (Due::By(at), Some(known)) if known <= at => Due::Keep,
                _ => due,
            },
        };
        let appended = self.append(house, append).await?;
        match appended {
            Appended::Written | Appended::Already => {
                core.due = match (due, known) {
                    (Due::By(at), Some(known)) => Some(known.min(at)),
                    (Due::By(at), None) => Some(at),
                    (Due::Keep, known) => known,
                    (Due::Never, _) => None,
                };
                core.evolve(&events)?;
                if let Some(sitter) = sitter {
                    match sitter.color {
                        Color::White => core.holders.white = Some(sitter.holder),
                        Color::Black => core.holders.black = Some(sitter.holder),
                    }
                }
                house.announce(self.id(), core, &events, &text);
                self.told(house, core, events, &text);
                Ok(Outcome::Kept)
            }
            Appended::Behind { newer, .. } => {
                self.catch_up(house, core, &newer).await?;
                Ok(Outcome::Overtaken)
            }
            Appended::SeatHeld => Ok(Outcome::SeatHeld),
            Appended::NoGame => Err(Trouble::NoGame),
        }
    }
}

impl Table {
    /// Appends a decision, and notes whether the store can write.
    async fn append(&self, house: &House, append: Append) -> Result<Appended, Trouble> {
        let began = Instant::now();
        let appended = house.store.append(append).await;
        match &appended {
            Ok(_) => {
                house.meters.decisions.count();
                house.meters.writes.note(began.elapsed());
                house.pulse.works(house.now());
            }
            Err(error) if error.is_final() => {}
            Err(error) => {
                house.meters.failures.count();
                house.pulse.fails(house.now());
                tracing::error!(game = %self.id(), %error, "a decision was not kept");
            }
        }
        Ok(appended?)
    }

    /// Makes decisions that others have written part of the game.
    pub(crate) async fn catch_up(
        self: &Arc<Table>,
        house: &Arc<House>,
        core: &mut Core,
        newer: &[Decision],
    ) -> Result<(), Trouble> {
        for decision in newer {
            if decision.first == core.game.seq() + 1 {
                let events = core.fold(decision)?;
                if events.iter().any(is_seated) {
                    // Who it is is not part of the game.
                    let stored = house.store.load(vec![self.id()]).await?;
                    core.holders = stored.first().ok_or(Trouble::NoGame)?.seats;
                }
                self.told(house, core, events, &decision.text);
            }
        }
        Ok(())
    }

    /// Reads what others have written.
    pub(crate) async fn read_newer(
        self: &Arc<Table>,
        house: &Arc<House>,
        core: &mut Core,
    ) -> Result<(), Trouble> {
        let newer = house.store.newer(vec![(self.id(), core.game.seq())]);
        let newer: Vec<_> = newer.await?.into_iter().flatten().collect();
        self.catch_up(house, core, &newer).await
    }

    /// Tells everybody who is there that a longer look has found nothing out, if it has not.
    pub(super) fn admit(&self, house: &House, core: &mut Core, finding: &Finding) {
        let is_about_this = core.game.question() == Some(finding.question);
        if is_about_this && finding.left_open().is_some() {
            core.finding = Some(finding.clone());
            self.tell(News::decided(core, house.now(), Vec::new(), ""));
        }
    }

    /// Tells everybody what has become part of the game, and sees to what follows from it.
    fn told(self: &Arc<Table>, house: &Arc<House>, core: &Core, events: Vec<Event>, written: &str) {
        let has_ended = core.game.ending().is_some();
        self.seq.store(core.game.seq(), Ordering::Release);
        self.tell(News::decided(core, house.now(), events, written));
        if has_ended {
            let Seats { white, black } = core.holders;
            for holder in [white, black].into_iter().flatten() {
                house.lobby.tell_here(holder, Note::Over(self.id()));
            }
            return;
        }
        house.looks.consider(self, &core.game);
        house.watch_clock(self, core.game.deadline());
    }
}

const fn is_seated(event: &Event) -> bool {
    matches!(event.deed, Deed::Seated { .. })
}

/// Events as the store keeps them: one per line.
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

/// What a decision changes for lists. A move changes nothing there: it would cost a second write.
fn changes(game: &Game, events: &[Event], sitter: Option<&Sitter>) -> Changes {
    let mut changes = Changes::default();
    let mut plies = game.plies().len();
    for event in events {
        match &event.deed {
            Deed::Seated { name } => {
                let player = Some(Player {
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
                    changes.phase = Some(Phase::Running);
                    changes.status = Some("started".to_owned());
                }
            }
            Deed::Moved { .. } => plies += 1,
            Deed::TakenBack { plies: back } => plies = plies.saturating_sub(*back),
            Deed::Ended(conclusion) => {
                changes.phase = Some(Phase::Finished);
                changes.status = Some(conclusion.ending.status().to_owned());
                changes.result = Some(conclusion.ending.result().to_owned());
                changes.plies = u32::try_from(plies).ok();
                changes.last_activity = Some(moment(event.at));
            }
            _ => {}
        }
    }
    changes
}

/// When somebody must look at the game if this house does not. It may be too early, never too late.
fn due(game: &Game, events: &[Event]) -> Due {
    let mut due = Due::Keep;
    for event in events {
        let in_time = |player| {
            let left = game.time_left(player, event.at)?.0.saturating_add(GRACE);
            Some(Due::By(
                moment(event.at).plus_millis(i64::try_from(left).ok()?),
            ))
        };
        due = match &event.deed {
            Deed::Ended(_) => return Due::Never,
            Deed::FlagFell { .. } => Due::By(moment(event.at).plus_millis(2_000)),
            Deed::Moved { .. } => in_time(!game.turn()).unwrap_or(due),
            Deed::Seated { .. } | Deed::ClocksReleased | Deed::TakenBack { .. } => {
                in_time(game.turn()).unwrap_or(due)
            }
            _ => due,
        };
    }
    due
}
