//! What follows from a player's command: events, or a refusal. Decisions change nothing; the
//! events do, when the game [evolves](Game::evolve) by them.

use touchmove_rules::{AnyPosition, Attempt, Color, Move};

use crate::arbiter::{self, Occurrence};
use crate::{
    Command, DeadLaw, Deed, Draw, Draws, Ending, Event, Game, Refusal, Timestamp, Victory, Void,
};

/// What came of a command that was submitted to a game.
#[derive(Clone, PartialEq, Debug)]
#[must_use]
pub struct Answer {
    /// What happened, in order. A flag that had fallen before the command came is here too.
    pub events: Vec<Event>,
    /// Why the command was not granted.
    pub refusal: Option<Refusal>,
}

impl Answer {
    /// Whether the command was granted.
    #[must_use]
    pub const fn accepted(&self) -> bool {
        self.refusal.is_none()
    }
}

impl Game {
    /// Lets time pass until `now`, then grants or refuses a command, and evolves accordingly.
    ///
    /// This is how a frontend plays; [`decide`](Game::decide), [`tick`](Game::tick) and
    /// [`evolve`](Game::evolve) are its parts.
    pub fn submit(&mut self, now: Timestamp, who: Color, command: Command) -> Answer {
        let (events, refusal) = match self.decide(now, who, command) {
            Ok(events) => (events, None),
            Err(refusal) => (self.tick(now).into_iter().collect(), Some(refusal)),
        };
        for event in &events {
            self.evolve(event);
        }
        Answer { events, refusal }
    }

    /// The fall of the flag, if that has happened by `now`.
    ///
    /// The event bears the moment of the deadline, however late somebody looks.
    #[must_use]
    pub fn tick(&self, now: Timestamp) -> Option<Event> {
        let at = self.deadline().filter(|&deadline| deadline <= now)?;
        let ending = arbiter::flag_fall(self.position(), self.turn(), self.terms().flag);
        Some(Event {
            at,
            deed: Deed::Ended(ending),
        })
    }

    /// The end of the game because its position was proved dead, by a longer look than a move at
    /// the table may take; `None` if the game has ended or gone on from that position.
    ///
    /// The proof is the caller's: [`arbiter::dead_proof`] with a budget of its own, on a thread of
    /// its own.
    #[must_use]
    pub fn proved_dead(&self, now: Timestamp, position: &AnyPosition) -> Option<Event> {
        let at = now.max(self.latest());
        let in_time = self.deadline().is_none_or(|deadline| at < deadline);
        let stands = self.ending().is_none() && self.position() == position && in_time;
        let deed = Deed::Ended(Ending::Draw(Draw::DeadPosition));
        (stands && self.terms().dead == DeadLaw::Exact).then_some(Event { at, deed })
    }

    /// What follows from a command of `who` at `now`.
    ///
    /// # Errors
    /// A refusal if the laws, the terms or the clock stand against it.
    pub fn decide(
        &self,
        now: Timestamp,
        who: Color,
        command: Command,
    ) -> Result<Vec<Event>, Refusal> {
        if let Some(ending) = self.ending() {
            return Err(Refusal::GameOver(ending));
        }
        let now = now.max(self.latest());
        if let Some(deadline) = self.deadline().filter(|&deadline| deadline <= now) {
            return Err(Refusal::FlagFallen {
                player: self.turn(),
                late: now.since(deadline),
            });
        }
        let deeds = match command {
            Command::Move(attempt) => self.decide_move(who, attempt)?,
            Command::OfferDraw => vec![self.decide_draw_offer(who)?],
            Command::AcceptDraw => {
                self.answerable_draw_offer(who)?;
                vec![Deed::Ended(Ending::Draw(Draw::Agreement))]
            }
            Command::DeclineDraw => {
                self.answerable_draw_offer(who)?;
                vec![Deed::DrawDeclined { by: who }]
            }
            Command::ClaimDraw { announced } => self.decide_claim(who, announced)?,
            Command::Resign => {
                vec![Deed::Ended(Ending::Win {
                    winner: !who,
                    by: Victory::Resignation,
                })]
            }
            Command::OfferTakeback => vec![self.decide_takeback_offer(who)?],
            Command::AcceptTakeback => vec![self.decide_takeback(who)?],
            Command::DeclineTakeback => {
                self.answerable_takeback_offer(who)?;
                vec![Deed::TakebackDeclined { by: who }]
            }
            Command::Abort => vec![self.decide_abort()?],
        };
        Ok(deeds
            .into_iter()
            .map(|deed| Event { at: now, deed })
            .collect())
    }

    fn decide_move(&self, who: Color, attempt: Attempt) -> Result<Vec<Deed>, Refusal> {
        if who != self.turn() {
            return Err(Refusal::NotYourTurn { who });
        }
        let mv = self.judge(attempt)?;
        let mut deeds = Vec::new();
        if self.draw_offer() == Some(!who) {
            deeds.push(Deed::DrawDeclined { by: who });
        }
        match self.takeback_offer() {
            Some(by) if by == who => deeds.push(Deed::TakebackWithdrawn { by }),
            Some(_) => deeds.push(Deed::TakebackDeclined { by: who }),
            None => {}
        }
        deeds.push(Deed::Moved(mv));
        let position = self.position().after(mv);
        let repetitions = 1 + self.earlier_occurrences(&position, self.plies().len() + 1);
        let ending = Occurrence {
            position: &position,
            repetitions,
        }
        .ending(self.terms(), self.patience());
        deeds.extend(ending.map(Deed::Ended));
        Ok(deeds)
    }

    fn judge(&self, attempt: Attempt) -> Result<Move, Refusal> {
        self.position()
            .judge_after(&self.past(), attempt)
            .map_err(Refusal::Illegal)
    }

    /// FIDE 9.1.1 with the usual tournament rule that each side moves first. An offer that meets
    /// the opponent's offer is agreement.
    fn decide_draw_offer(&self, who: Color) -> Result<Deed, Refusal> {
        match self.draw_offer() {
            Some(by) if by == who => Err(Refusal::DrawAlreadyOffered { who }),
            Some(_) => Ok(Deed::Ended(Ending::Draw(Draw::Agreement))),
            None if self.plies().len() < 2 => Err(Refusal::DrawOfferTooEarly),
            None => Ok(Deed::DrawOffered { by: who }),
        }
    }

    fn answerable_draw_offer(&self, who: Color) -> Result<(), Refusal> {
        match self.draw_offer() {
            Some(by) if by != who => Ok(()),
            _ => Err(Refusal::NoDrawOffer { who }),
        }
    }

    fn decide_claim(&self, who: Color, announced: Option<Attempt>) -> Result<Vec<Deed>, Refusal> {
        if self.terms().draws == Draws::Auto {
            return Err(Refusal::ClaimNeedless);
        }
        if who != self.turn() {
            return Err(Refusal::ClaimOffTurn { who });
        }
        let announced = announced.map(|attempt| self.judge(attempt)).transpose()?;
        let (position, repetitions) = match announced {
            None => (*self.position(), self.repetitions()),
            Some(mv) => {
                let position = self.position().after(mv);
                let earlier = self.earlier_occurrences(&position, self.plies().len() + 1);
                (position, 1 + earlier)
            }
        };
        let claimed = Occurrence {
            position: &position,
            repetitions,
        };
        match claimed.grounds().next() {
            Some(claim) => Ok(vec![
                Deed::DrawClaimed {
                    by: who,
                    claim,
                    announced,
                },
                Deed::Ended(Ending::Draw(claim.draw())),
            ]),
            None => Err(Refusal::ClaimUnfounded {
                repetitions,
                quiet_plies: claimed.quiet_plies(),
                announced: announced.map(|mv| self.position().san(mv).to_string()),
            }),
        }
    }

    fn decide_takeback_offer(&self, who: Color) -> Result<Deed, Refusal> {
        if !self.terms().takebacks {
            return Err(Refusal::TakebacksOff);
        }
        if let Some(by) = self.takeback_offer() {
            return Err(Refusal::TakebackAlreadyOffered { by });
        }
        match self.takeback_plies(who) {
            Some(_) => Ok(Deed::TakebackOffered { by: who }),
            None => Err(Refusal::NothingToTakeBack { who }),
        }
    }

    fn answerable_takeback_offer(&self, who: Color) -> Result<Color, Refusal> {
        match self.takeback_offer() {
            Some(by) if by != who => Ok(by),
            _ => Err(Refusal::NoTakebackOffer { who }),
        }
    }

    fn decide_takeback(&self, who: Color) -> Result<Deed, Refusal> {
        let by = self.answerable_takeback_offer(who)?;
        match self.takeback_plies(by) {
            Some(plies) => Ok(Deed::TakenBack { plies }),
            None => Err(Refusal::NothingToTakeBack { who: by }),
        }
    }

    fn decide_abort(&self) -> Result<Deed, Refusal> {
        match self.plies().len() {
            0 | 1 => Ok(Deed::Ended(Ending::Void(Void::Aborted))),
            _ => Err(Refusal::TooLateToAbort),
        }
    }
}
