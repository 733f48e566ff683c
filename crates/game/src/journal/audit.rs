//! Audits a journal by today's laws: would each recorded event have been granted at its moment, and is every
//! event recorded that had to follow? Replaying does not check this.

use std::fmt;

use touchmove_rules::Color;

use crate::position_status;
use crate::position_status::DeadPositionStatus;
use crate::{
    Actor, AnalysisAnswer, AnalysisKind, AnalysisQuestion, ArbiterAction, Budget, Command, Draw,
    Ending, Event, EventKind, FlagLaw, Game, NoResult, Opening, Refusal, Submission, Victory,
};

/// A recorded event that today's laws would have decided otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditFinding {
    /// The event's number.
    pub seq: u64,
    /// What is wrong with it, in a sentence.
    pub text: String,
}

impl fmt::Display for AuditFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {}: {}", self.seq, self.text)
    }
}

/// The result of an audit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Audit {
    /// What today's laws would have decided otherwise.
    pub objections: Vec<AuditFinding>,
    /// What the budget did not suffice to decide.
    pub left_open: Vec<AuditFinding>,
}

impl Audit {
    fn object(&mut self, seq: u64, text: String) {
        self.objections.push(AuditFinding { seq, text });
    }

    fn leave_open(&mut self, seq: u64, text: String) {
        self.left_open.push(AuditFinding { seq, text });
    }
}

/// Audits a replayable game by today's laws. The budget is for each search.
///
/// Sentences may have changed since, and so may what the arbiter can prove: a missed draw is an objection; a
/// proof that was found then but is not found now is left open.
///
/// ```
/// use touchmove_game::{Budget, Game, Opening, Players, Terms, Timestamp, journal};
/// use touchmove_rules::Variant;
///
/// let opening = Opening::of(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// let audit = journal::audit(&opening, &[], Budget::default());
/// assert!(audit.objections.is_empty() && audit.left_open.is_empty());
/// ```
#[must_use]
pub fn audit(opening: &Opening, events: &[Event], budget: Budget) -> Audit {
    let mut game = Game::open(opening.clone()).with_analysis_budget(budget);
    let mut audit = Audit::default();
    // What must follow from the latest decision, and the ending that is missing, to be reported once.
    let mut due = game.decide_start();
    let mut missed = None;
    for (index, event) in events.iter().enumerate() {
        let is_due = due.first().is_some_and(|first| same(first, event));
        if is_due {
            due.remove(0);
        } else {
            let late = due.drain(..).next().filter(|first| {
                let ending = ending_in(first);
                ending.is_none() || std::mem::replace(&mut missed, ending) != ending
            });
            let next = events.get(index + 1);
            let otherwise = match decided(&game, event, next, budget, &mut audit) {
                Ok(decided) => {
                    let mut decided = decided.into_iter();
                    let other = decided.next().filter(|first| !same(first, event));
                    due = decided.collect();
                    other.map(|first| format!("{} would have followed", in_words(&first)))
                }
                Err(refusal) => Some(refusal),
            };
            if otherwise.is_some() {
                due.clear();
            }
            let late = late.map(|first| format!("{} had to follow", in_words(&first)));
            if let Some(text) = late.or(otherwise) {
                audit.object(event.seq, text);
            }
        }
        if let Err(impossible) = game.evolve(event) {
            audit.object(event.seq, impossible.misfit.to_string());
            return audit;
        }
    }
    // Reports what is missing at the end, unless that ending was already reported. In a complete journal only
    // what takes a search can be missing.
    let is_news = |missing: &&Event| ending_in(missing).is_none_or(|end| missed != Some(end));
    if let Some(missing) = due.first().filter(is_news) {
        audit.object(missing.seq, format!("{} had to follow", in_words(missing)));
    }
    if audit.objections.is_empty() && is_perhaps_dead(&game, budget) {
        let text = "whether the position was dead was not decided in time".to_owned();
        audit.leave_open(game.seq(), text);
    }
    audit
}

/// Whether it is undecided that the game was right to go on to its last position. What follows a dead
/// position is dead too, so checking the last position covers all of them.
fn is_perhaps_dead(game: &Game, budget: Budget) -> bool {
    let position = game.position();
    game.ending() != Some(Ending::Draw(Draw::DeadPosition))
        && position_status::decided_on_the_board(position).is_none()
        && matches!(
            position_status::deadness(position, game.terms().dead, budget),
            DeadPositionStatus::Undecided { .. }
        )
}

/// Whether two events are equal except for sentences, proofs and command ids.
fn same(expected: &Event, found: &Event) -> bool {
    let deeds = match (&expected.deed, &found.deed) {
        (EventKind::Ended(expected), EventKind::Ended(found)) => expected.ending == found.ending,
        (
            EventKind::Moved {
                clock: expected_clock,
                attempt: expected,
                san: expected_san,
                lag: expected_lag,
            },
            EventKind::Moved {
                clock,
                attempt,
                san,
                lag,
            },
        ) => {
            let clocks = clock.is_none() || clock == expected_clock;
            clocks && (expected, expected_san, expected_lag) == (attempt, san, lag)
        }
        (expected, found) => expected == found,
    };
    deeds && expected.at == found.at && expected.by == found.by
}

/// The ending, if the event is the end of the game.
fn ending_in(event: &Event) -> Option<Ending> {
    match &event.deed {
        EventKind::Ended(conclusion) => Some(conclusion.ending),
        _ => None,
    }
}

fn in_words(event: &Event) -> String {
    match &event.deed {
        EventKind::Ended(conclusion) => format!("the end of the game ({})", conclusion.ending),
        EventKind::Moved {
            san, lag, clock, ..
        } => match clock {
            Some(clock) => format!(
                "the move {san} with {clock} left and {} ms given back",
                lag.0
            ),
            None => format!("the move {san}"),
        },
        deed => format!("{} at {}", deed.name(), event.at.0),
    }
}

/// The events that today's laws give at this point; empty if they cannot be known. The error is why the laws
/// do not allow the event.
fn decided(
    game: &Game,
    event: &Event,
    next: Option<&Event>,
    budget: Budget,
    audit: &mut Audit,
) -> Result<Vec<Event>, String> {
    let order = |order: &ArbiterAction| game.order(event.at, order).map_err(|why| why.to_string());
    let cause = match &event.deed {
        EventKind::FlagFell { player } => {
            return match game.tick(event.at) {
                fell if fell.is_empty() => Err(format!("{player} had time left")),
                fell => Ok(fell),
            };
        }
        EventKind::TakebackWithdrawn if event.by == Actor::from(game.turn()) => {
            return Ok(Vec::new());
        }
        EventKind::ClocksHeld { reason } => {
            return order(&ArbiterAction::Hold {
                reason: reason.clone(),
            });
        }
        EventKind::ClocksReleased => return order(&ArbiterAction::Release),
        EventKind::TimeGiven { to, time } if event.by == Actor::Arbiter => {
            return order(&ArbiterAction::GiveTime {
                to: *to,
                time: *time,
            });
        }
        EventKind::Ended(conclusion) if event.by == Actor::Arbiter => {
            return arbiter_ended(game, event, conclusion.ending, budget, audit);
        }
        deed => command(deed, next),
    };
    let Some(by) = event.by.player() else {
        return Err("it was not for the arbiter to do it".to_owned());
    };
    let Some(cause) = cause else {
        return Err("nothing that a player can ask for leads to it".to_owned());
    };
    let mut request = Submission::new(event.at, by, cause);
    match &event.deed {
        EventKind::Moved { lag, .. } => request.lag = *lag,
        EventKind::AbsenceClaimed { since } => request.opponent_away = Some(*since),
        _ => {}
    }
    match game.decide(&request) {
        Ok(decision) => Ok(decision.events()),
        // The journal may be older than these limits, which are not laws of the game.
        Err(Refusal::TooOften { .. } | Refusal::TooManyOffers { .. }) => Ok(Vec::new()),
        Err(refusal) => Err(refusal.to_string()),
    }
}

/// The command behind a player's event; some are only clear from the event after it.
fn command(deed: &EventKind, next: Option<&Event>) -> Option<Command> {
    Some(match deed {
        EventKind::Seated { name } => Command::Sit { name: name.clone() },
        EventKind::Moved { attempt, .. } => Command::Move { attempt: *attempt },
        EventKind::DrawOffered => Command::OfferDraw,
        EventKind::DrawDeclined => Command::DeclineDraw,
        EventKind::DrawClaimed { announced, .. } => Command::ClaimDraw {
            announced: *announced,
        },
        EventKind::TakebackOffered => Command::OfferTakeback,
        EventKind::TakebackDeclined => Command::DeclineTakeback,
        EventKind::TakenBack { .. } => Command::AcceptTakeback,
        EventKind::TimeGiven { time, .. } => Command::GiveTime { time: *time },
        EventKind::AbsenceClaimed { .. } => Command::ClaimAbsence {
            draw: next.is_some_and(|next| match &next.deed {
                EventKind::Ended(conclusion) => conclusion.ending.winner().is_none(),
                _ => false,
            }),
        },
        EventKind::Ended(conclusion) => match conclusion.ending {
            Ending::Win {
                by: Victory::Resignation,
                ..
            } => Command::Resign,
            Ending::Win {
                by: Victory::NoShow,
                ..
            } => Command::ClaimNoShow,
            Ending::Draw(Draw::Agreement) => Command::AcceptDraw,
            Ending::NoResult(NoResult::Aborted) => Command::Abort,
            _ => return None,
        },
        EventKind::TakebackWithdrawn
        | EventKind::FlagFell { .. }
        | EventKind::ClocksHeld { .. }
        | EventKind::ClocksReleased => return None,
    })
}

/// An ending that the arbiter declared: what a flag meant, a dead position, a forfeit.
fn arbiter_ended(
    game: &Game,
    event: &Event,
    ending: Ending,
    budget: Budget,
    audit: &mut Audit,
) -> Result<Vec<Event>, String> {
    match (game.flag(), ending) {
        (Some(flagged), ending) => {
            let means = flag_meant(game, flagged, ending, budget);
            if means == Ok(false) {
                let winner = !flagged;
                let text = format!("whether {winner} could still win was not decided in time");
                audit.leave_open(event.seq, text);
            }
            means.map(|_| Vec::new())
        }
        (
            None,
            Ending::Win {
                by: Victory::Forfeit,
                ..
            }
            | Ending::NoResult(_),
        ) => Ok(Vec::new()),
        (None, Ending::Draw(Draw::DeadPosition)) => {
            match position_status::deadness(game.position(), game.terms().dead, budget) {
                DeadPositionStatus::Dead(_) => Ok(Vec::new()),
                DeadPositionStatus::Alive(_) => {
                    Err("by the terms of the game the position is not dead".to_owned())
                }
                DeadPositionStatus::Undecided { .. } => {
                    let text = "whether the position was dead was not decided in time".to_owned();
                    audit.leave_open(event.seq, text);
                    Ok(Vec::new())
                }
            }
        }
        (None, ending) => {
            let seen = game.occurrence().plain_ending(game.terms().draws);
            match seen == Some(ending) && event.at == game.latest() {
                true => Ok(Vec::new()),
                false => Err(format!("the game did not end so: {ending}")),
            }
        }
    }
}

/// Whether a fallen flag means what is recorded; the error is what it means instead.
fn flag_meant(game: &Game, flagged: Color, ending: Ending, budget: Budget) -> Result<bool, String> {
    let question = AnalysisQuestion {
        position: *game.position(),
        about: AnalysisKind::Flag(flagged),
    };
    let wins = Ending::Win {
        winner: !flagged,
        by: Victory::FlagFall,
    };
    let drawn = Ending::Draw(Draw::FlagFall { flagged });
    let (means, is_decided) = match (game.terms().flag, question.answer(budget).answer) {
        (FlagLaw::Loses, _) | (FlagLaw::Fide, AnalysisAnswer::Winnable(_)) => (wins, true),
        (FlagLaw::Fide, AnalysisAnswer::Unwinnable(_)) => (drawn, true),
        (FlagLaw::Fide, AnalysisAnswer::Undecided { .. }) if ending == drawn => (drawn, false),
        (FlagLaw::Fide, AnalysisAnswer::Undecided { .. }) => (wins, false),
    };
    match means == ending {
        true => Ok(is_decided),
        false => Err(format!("the fallen flag means otherwise: {means}")),
    }
}
