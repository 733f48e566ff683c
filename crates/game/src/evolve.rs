//! The fold: applies each event to the game and refuses those that cannot have happened. It trusts what is
//! recorded: it searches for no proof and judges no ending.

use touchmove_rules::{Color, Move};

use crate::game::{GrantedDrawClaim, PendingOffer};
use crate::offers::OfferLimit;
use crate::replay_error::{ImpossibleEvent, ReplayError};
use crate::seat::open_seat;
use crate::{Actor, Clocks, Event, EventKind, Game, Millis, Ply, Seat, Timestamp};

impl Game {
    /// Applies the events of a decision about this game.
    ///
    /// # Panics
    /// If they were not decided for the current state of this game. For events from elsewhere use
    /// [`evolve`](Game::evolve).
    pub fn evolve_all(&mut self, events: &[Event]) {
        for event in events {
            if let Err(impossible) = self.evolve(event) {
                panic!("a decision that does not fit its game: {impossible}");
            }
        }
    }

    /// Applies an event to the game.
    ///
    /// What was recorded is trusted: endings are not judged again, and clocks that the journal states are not
    /// computed again.
    ///
    /// # Errors
    /// If the event cannot have happened in the current state. The game is unchanged then.
    pub fn evolve(&mut self, event: &Event) -> Result<(), ImpossibleEvent> {
        self.fold(event).map_err(|misfit| ImpossibleEvent {
            seq: event.seq,
            event: event.deed.name(),
            misfit,
        })
    }

    fn fold(&mut self, event: &Event) -> Result<(), ReplayError> {
        let expected = self.seq.saturating_add(1);
        if event.seq != expected || self.seq == u64::MAX {
            return Err(ReplayError::OutOfTurn { expected });
        }
        if self.conclusion.is_some() {
            return Err(ReplayError::Over);
        }
        if event.at < self.now {
            return Err(ReplayError::Backwards);
        }
        match &event.deed {
            EventKind::Seated { name } => self.sit(player(event)?, name, event.at)?,
            EventKind::Moved {
                attempt,
                san,
                lag,
                clock,
            } => {
                let by = player(event)?;
                let mv = self.playable(by, *attempt)?;
                if self.clocks.is_none() && (clock.is_some() || *lag > Millis::ZERO) {
                    return Err(ReplayError::NoClocks);
                }
                self.board_seq = event.seq;
                self.play(mv, san.clone(), event.at, *lag, *clock);
            }
            EventKind::DrawOffered => {
                let by = player(event)?;
                self.running()?;
                none(self.draw_offer)?;
                self.draw_offer = Some(PendingOffer { by, seq: event.seq });
                self.count_offer(by, OfferLimit::Draw);
            }
            EventKind::DrawDeclined => {
                answers(player(event)?, self.draw_offer)?;
                self.draw_offer = None;
            }
            EventKind::DrawClaimed { claim, announced } => {
                let by = player(event)?;
                self.on_move(by)?;
                let announced = match announced {
                    Some(attempt) => Some(self.playable(by, *attempt)?),
                    None => None,
                };
                self.claimed = Some(GrantedDrawClaim {
                    by,
                    claim: *claim,
                    announced,
                });
            }
            EventKind::TakebackOffered => {
                let by = player(event)?;
                self.running()?;
                none(self.takeback_offer)?;
                self.takeback_offer = Some(PendingOffer { by, seq: event.seq });
                self.count_offer(by, OfferLimit::Takeback);
            }
            EventKind::TakebackDeclined => {
                answers(player(event)?, self.takeback_offer)?;
                self.takeback_offer = None;
            }
            EventKind::TakebackWithdrawn => {
                let by = player(event)?;
                match self.takeback_offer {
                    Some(offer) if offer.by == by => self.takeback_offer = None,
                    _ => return Err(ReplayError::NoOffer),
                }
            }
            EventKind::TakenBack { plies } => {
                answers(player(event)?, self.takeback_offer)?;
                self.take_back(*plies, event.at)?;
                self.board_seq = event.seq;
            }
            EventKind::TimeGiven { to, time } => {
                if event.by == Actor::from(*to) {
                    return Err(ReplayError::WrongPlayer);
                }
                self.undecided()?;
                let clocks = self.clocks.as_mut().ok_or(ReplayError::NoClocks)?;
                clocks.give(*to, *time);
                if let Some(by) = event.by.player() {
                    self.count_offer(by, OfferLimit::Gift);
                }
            }
            EventKind::ClocksHeld { reason } => {
                arbiter(event)?;
                self.running()?;
                self.held = Some(reason.clone());
                if let Some(clocks) = &mut self.clocks {
                    clocks.hold(event.at);
                }
            }
            EventKind::ClocksReleased => {
                arbiter(event)?;
                self.held.take().ok_or(ReplayError::NotHeld)?;
                self.waits_since = event.at;
                if let Some(clocks) = &mut self.clocks {
                    clocks.release(event.at);
                }
                self.start_clock(event.at);
            }
            EventKind::FlagFell { player } => {
                arbiter(event)?;
                self.running()?;
                let ran = |clocks: Clocks| clocks.run() && clocks.turn() == *player;
                if !self.clocks.is_some_and(ran) {
                    return Err(ReplayError::NoClocks);
                }
                self.flag = Some(*player);
            }
            EventKind::AbsenceClaimed { since } => {
                player(event)?;
                self.running()?;
                if *since > event.at {
                    return Err(ReplayError::Backwards);
                }
            }
            EventKind::Ended(conclusion) => {
                self.draw_offer = None;
                self.takeback_offer = None;
                self.conclusion = Some(conclusion.clone());
            }
        }
        self.seq = event.seq;
        self.now = event.at;
        if let Some(id) = &event.id {
            self.done.note(event.by, id, event.seq);
        }
        Ok(())
    }

    /// Counts an offer or a gift, even beyond what [`decide`](Game::decide) would grant: a journal may be
    /// older than the limits.
    fn count_offer(&mut self, by: Color, what: OfferLimit) {
        self.offers.count(by, self.plies.len(), what);
    }

    /// Checks that the game is not stopped.
    fn running(&self) -> Result<(), ReplayError> {
        match self.held {
            None => self.undecided(),
            Some(_) => Err(ReplayError::Stopped),
        }
    }

    /// Checks that no flag has fallen and no draw was claimed: after that only the end can come.
    pub(crate) const fn undecided(&self) -> Result<(), ReplayError> {
        match (self.flag, self.claimed) {
            (None, None) => Ok(()),
            _ => Err(ReplayError::Stopped),
        }
    }

    /// Checks that the game goes on and this player is on move.
    fn on_move(&self, by: Color) -> Result<(), ReplayError> {
        self.running()?;
        if by != self.turn() {
            return Err(ReplayError::WrongPlayer);
        }
        match open_seat(&self.seats) {
            None => Ok(()),
            Some(_) => Err(ReplayError::SeatOpen),
        }
    }

    fn sit(&mut self, by: Color, name: &str, at: Timestamp) -> Result<(), ReplayError> {
        if !self.seats[by].is_open() {
            return Err(ReplayError::SeatTaken);
        }
        self.seats[by] = Seat::taken(name);
        self.waits_since = at;
        self.start_clock(at);
        Ok(())
    }

    /// The legal move of the player on move that this UCI move means.
    fn playable(&self, by: Color, attempt: touchmove_rules::UciMove) -> Result<Move, ReplayError> {
        self.on_move(by)?;
        self.position()
            .find_uci(attempt)
            .ok_or(ReplayError::Illegal(attempt))
    }

    fn play(&mut self, mv: Move, san: String, at: Timestamp, lag: Millis, clock: Option<Millis>) {
        let position = self.position().after(mv);
        let started = self.clocks_run_after(self.plies.len() + 1);
        if let (Some(clocks), Some(times)) = (&mut self.clocks, &self.opening.terms.time) {
            clocks.press(times, at, lag, started);
            if let Some(left) = clock {
                clocks.correct(left);
            }
        }
        self.waits_since = at;
        self.plies.push(Ply {
            mv,
            san,
            position,
            clocks: self.clocks,
            at,
            lag,
        });
    }

    /// Plays a legal move whatever the terms say, and whether or not the game has ended, to look at the
    /// resulting position. Creates no event and decides nothing.
    pub fn play_on(&mut self, mv: Move) {
        let san = self.position().san(mv).to_string();
        self.play(mv, san, self.now, Millis::ZERO, None);
    }

    fn take_back(&mut self, plies: usize, at: Timestamp) -> Result<(), ReplayError> {
        self.running()?;
        let left = match self.plies.len().checked_sub(plies) {
            Some(left) if plies > 0 => left,
            _ => return Err(ReplayError::TooManyPlies),
        };
        self.plies.truncate(left);
        let earlier = match self.plies.last() {
            Some(ply) => ply.clocks,
            None => self.clocks_at_start(),
        };
        let started = self.clocks_run_after(left);
        self.clocks = earlier
            .zip(self.clocks)
            .map(|(earlier, later)| earlier.rewind_to(&later, at, started));
        self.draw_offer = None;
        self.takeback_offer = None;
        self.taken_back = true;
        self.waits_since = at;
        Ok(())
    }

    fn clocks_at_start(&self) -> Option<Clocks> {
        let terms = &self.opening.terms;
        let times = terms.time.as_ref()?;
        Some(Clocks::set(times, terms.start.turn()))
    }

    /// Whether the clocks run after this many plies.
    pub(crate) fn clocks_run_after(&self, plies: usize) -> bool {
        let free = self.opening.terms.clock_start.free_plies();
        plies >= free && open_seat(&self.seats).is_none()
    }

    pub(crate) fn start_clock(&mut self, at: Timestamp) {
        let starts = self.held.is_none() && self.clocks_run_after(self.plies.len());
        if let Some(clocks) = self.clocks.as_mut().filter(|_| starts) {
            clocks.start(at);
        }
    }
}

/// The player who caused an event; an error if it was the arbiter.
fn player(event: &Event) -> Result<Color, ReplayError> {
    event.by.player().ok_or(ReplayError::WrongPlayer)
}

/// Checks that the arbiter caused the event.
fn arbiter(event: &Event) -> Result<(), ReplayError> {
    match event.by {
        Actor::Arbiter => Ok(()),
        Actor::White | Actor::Black => Err(ReplayError::WrongPlayer),
    }
}

/// Checks that no such offer is open.
const fn none(offer: Option<PendingOffer>) -> Result<(), ReplayError> {
    match offer {
        None => Ok(()),
        Some(_) => Err(ReplayError::OfferedTwice),
    }
}

/// Checks that an offer of the other player is open.
fn answers(by: Color, offer: Option<PendingOffer>) -> Result<(), ReplayError> {
    match offer {
        Some(offer) if offer.by != by => Ok(()),
        _ => Err(ReplayError::NoOffer),
    }
}
