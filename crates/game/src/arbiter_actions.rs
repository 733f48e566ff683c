//! Events that no player asked for: flags fall, and the arbiter holds clocks, gives time or aborts a game.
//! For the commands of players see [`decide`](Game::decide).

use crate::{
    Actor, ArbiterAction, Conclusion, Ending, Event, EventKind, Game, NoResult, Refusal, Timestamp,
    Victory,
};

impl Game {
    /// The fall of the flag, if it has fallen by `now`, and what it means if that needs no search. Otherwise
    /// the game is stopped, and [`pending_analysis`](Game::pending_analysis) asks what the fall means.
    ///
    /// The events carry the time of the deadline, however late this is called.
    #[must_use]
    pub fn tick(&self, now: Timestamp) -> Vec<Event> {
        let Some(at) = self.deadline().filter(|&deadline| deadline <= now) else {
            return Vec::new();
        };
        let player = self.turn();
        let mut deeds = vec![EventKind::FlagFell { player }];
        deeds.extend(self.flag_means_at_once(player).map(EventKind::Ended));
        self.events(at.max(self.latest()), Actor::Arbiter, deeds)
    }

    /// The events that follow from an action of the arbiter at `now`.
    ///
    /// # Errors
    /// If the game is over or its flag has fallen, or if there is nothing to hold, release or give.
    pub fn order(&self, now: Timestamp, order: &ArbiterAction) -> Result<Vec<Event>, Refusal> {
        let at = self.running_at(now)?;
        let deed = match order {
            ArbiterAction::Hold { reason } => match self.held() {
                None => EventKind::ClocksHeld {
                    reason: reason.clone(),
                },
                Some(reason) => {
                    return Err(Refusal::ClocksHeld {
                        reason: reason.to_owned(),
                    });
                }
            },
            ArbiterAction::Release => match self.held() {
                Some(_) => EventKind::ClocksReleased,
                None => return Err(Refusal::ClocksNotHeld),
            },
            ArbiterAction::GiveTime { to, time } => match self.clocks() {
                Some(_) => EventKind::TimeGiven {
                    to: *to,
                    time: *time,
                },
                None => return Err(Refusal::NoClocks),
            },
            ArbiterAction::Forfeit { player, reason } => {
                let ending = Ending::Win {
                    winner: !*player,
                    by: Victory::Forfeit,
                };
                let text = format!("{player} forfeits the game: {reason}; {} wins.", !*player);
                EventKind::Ended(Conclusion::new(ending, text))
            }
            ArbiterAction::Abort { reason } => {
                let text = format!("The arbiter broke the game off: {reason}; there is no result.");
                EventKind::Ended(Conclusion::new(Ending::NoResult(NoResult::Aborted), text))
            }
        };
        Ok(self.events(at, Actor::Arbiter, vec![deed]))
    }

    /// The events that follow from an outage of the server between two moments: the clocks stood still, and
    /// nobody could connect. A flag whose deadline was before the outage fell at its deadline.
    #[must_use]
    pub fn outage(&self, from: Timestamp, until: Timestamp, reason: &str) -> Vec<Event> {
        let from = from.max(self.latest());
        let runs = self.clocks().is_some_and(|clocks| clocks.run());
        let waits = self.terms().no_show.is_some() && self.plies().len() < 2;
        let goes_on = self.held().is_none() && (runs || waits);
        if !goes_on || until <= from || self.running_at(from).is_err() {
            return Vec::new();
        }
        let held = EventKind::ClocksHeld {
            reason: reason.to_owned(),
        };
        vec![
            self.event(1, from, Actor::Arbiter, held),
            self.event(2, until, Actor::Arbiter, EventKind::ClocksReleased),
        ]
    }
}
