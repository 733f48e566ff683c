//! Decides commands of players: events or a refusal. Deciding changes nothing; the game changes when its
//! events are [applied](Game::evolve).

use touchmove_rules::{Color, Move, UciMove};
use touchmove_text::is_invisible;

use crate::game::PendingOffer;
use crate::position_status;
use crate::position_status::Occurrence;
use crate::seat::open_seat;
use crate::{
    Actor, Command, CommandId, Conclusion, Draw, Draws, Ending, Event, EventKind, Game,
    GrantedDrawClaim, Grounds, Millis, NoResult, Refusal, Submission, Timestamp, Victory, explain,
    serde_impls,
};

/// Maximum time that a player may give the opponent at once.
pub const MAX_TIME_GIFT: Millis = Millis::seconds(600);

/// Maximum length of a player's name in characters.
pub const MAX_NAME_CHARS: usize = 80;

/// The outcome of a command that is granted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Decision {
    /// New events, in order.
    Granted(Vec<Event>),
    /// A repeat: the same command came before and led to this event.
    Repeated {
        /// The first event that it led to.
        seq: u64,
    },
}

impl Decision {
    /// The new events.
    #[must_use]
    pub fn events(self) -> Vec<Event> {
        match self {
            Decision::Granted(events) => events,
            Decision::Repeated { .. } => Vec::new(),
        }
    }
}

/// The outcome of a command that was submitted to a game.
#[derive(Clone, PartialEq, Debug)]
#[must_use]
pub struct SubmitResult {
    /// What happened, in order, including a flag that had fallen before the command came.
    pub events: Vec<Event>,
    /// Why the command was refused, if it was.
    pub refusal: Option<Refusal>,
}

impl SubmitResult {
    /// Whether the command was granted.
    #[must_use]
    pub const fn accepted(&self) -> bool {
        self.refusal.is_none()
    }
}

impl Game {
    /// Lets time pass until `now`, then decides a command and applies the events.
    ///
    /// Frontends use this; [`decide`](Game::decide), [`tick`](Game::tick) and [`evolve`](Game::evolve) are
    /// its parts.
    pub fn submit(&mut self, now: Timestamp, who: Color, command: Command) -> SubmitResult {
        self.submit_full(&Submission::new(now, who, command))
    }

    /// Like [`submit`](Game::submit), for a full [`Submission`].
    pub fn submit_full(&mut self, request: &Submission) -> SubmitResult {
        let (events, refusal) = match self.decide(request) {
            Ok(decision) => (decision.events(), None),
            Err(refusal) => (self.tick(request.at), Some(refusal)),
        };
        self.evolve_all(&events);
        SubmitResult { events, refusal }
    }

    /// Decides a command. Takes some milliseconds at most in any position; what may need a longer search is
    /// left to [`pending_analysis`](Game::pending_analysis).
    ///
    /// # Errors
    /// A refusal if the laws, the terms or the clock do not allow the command.
    pub fn decide(&self, request: &Submission) -> Result<Decision, Refusal> {
        let who = request.by;
        let repeated = request
            .id
            .as_ref()
            .and_then(|id| self.first_event_of(who, id));
        if let Some(seq) = repeated {
            return Ok(Decision::Repeated { seq });
        }
        let now = self.running_at(request.at)?;
        self.not_too_late(request)?;
        let deeds = match &request.command {
            Command::Sit { name } => vec![self.decide_seat(who, name)?],
            Command::Move { attempt } => self.decide_move(request, now, *attempt)?,
            Command::OfferDraw => vec![self.decide_draw_offer(who)?],
            Command::AcceptDraw => {
                answerable(who, self.draw_offer).ok_or(Refusal::NoDrawOffer { who })?;
                vec![self.agreed()]
            }
            Command::DeclineDraw => {
                answerable(who, self.draw_offer).ok_or(Refusal::NoDrawOffer { who })?;
                vec![EventKind::DrawDeclined]
            }
            Command::ClaimDraw { announced } => self.decide_claim(request, now, *announced)?,
            Command::Resign => vec![self.decide_resignation(who)?],
            Command::OfferTakeback => vec![self.decide_takeback_offer(who)?],
            Command::AcceptTakeback => vec![self.decide_takeback(who)?],
            Command::DeclineTakeback => {
                answerable(who, self.takeback_offer).ok_or(Refusal::NoTakebackOffer { who })?;
                vec![EventKind::TakebackDeclined]
            }
            Command::Abort => vec![self.decide_abort(who)?],
            Command::GiveTime { time } => vec![self.decide_gift(who, *time)?],
            Command::ClaimNoShow => vec![self.decide_no_show(who, now)?],
            Command::ClaimAbsence { draw } => self.decide_absence(request, now, *draw)?,
        };
        let mut events = self.events(now, Actor::from(who), deeds);
        if let (Some(first), Some(id)) = (events.first_mut(), &request.id) {
            first.id = Some(id.clone());
        }
        Ok(Decision::Granted(events))
    }

    /// The first event of this player's command with this id, if the command is a repeat.
    #[must_use]
    pub fn first_event_of(&self, by: Color, id: &CommandId) -> Option<u64> {
        self.done.led_to(Actor::from(by), id)
    }

    /// The time to decide at: `at`, but not before the latest event. Refuses if the game is over or a flag
    /// has fallen by then.
    pub(crate) fn running_at(&self, at: Timestamp) -> Result<Timestamp, Refusal> {
        let claimed = |claimed: GrantedDrawClaim| Ending::Draw(claimed.claim.draw());
        if let Some(ending) = self.ending().or(self.claimed().map(claimed)) {
            return Err(Refusal::GameOver(ending));
        }
        let now = at.max(self.latest());
        let fell = match self.flag() {
            Some(_) => Some(self.latest()),
            None => self.deadline().filter(|&deadline| deadline <= now),
        };
        match fell {
            None => Ok(now),
            Some(deadline) => Err(Refusal::FlagFallen {
                player: self.flag().unwrap_or(self.turn()),
                late: now.since(deadline),
            }),
        }
    }

    /// Refuses a command if what it is about has changed since its sender saw it. Resigning is never too
    /// late.
    fn not_too_late(&self, request: &Submission) -> Result<(), Refusal> {
        let Some(seen) = request.seen else {
            return Ok(());
        };
        if seen > self.seq {
            return Err(Refusal::NotYetSeen {
                seen,
                seq: self.seq,
            });
        }
        let about = match request.command {
            Command::Move { .. }
            | Command::ClaimDraw { .. }
            | Command::OfferDraw
            | Command::OfferTakeback
            | Command::ClaimNoShow => self.board_seq,
            Command::AcceptDraw | Command::DeclineDraw => {
                self.draw_offer.map_or(0, |offer| offer.seq)
            }
            Command::AcceptTakeback | Command::DeclineTakeback => {
                self.takeback_offer.map_or(0, |offer| offer.seq)
            }
            Command::Sit { .. }
            | Command::Resign
            | Command::Abort
            | Command::GiveTime { .. }
            | Command::ClaimAbsence { .. } => 0,
        };
        match seen < about {
            true => Err(Refusal::TooLate { seen, seq: about }),
            false => Ok(()),
        }
    }

    /// Numbers these event kinds as the next events.
    pub(crate) fn events(&self, at: Timestamp, by: Actor, deeds: Vec<EventKind>) -> Vec<Event> {
        let numbered = (1..).zip(deeds);
        numbered
            .map(|(ahead, deed)| self.event(ahead, at, by, deed))
            .collect()
    }

    /// The event that comes `ahead` events after the latest one.
    pub(crate) const fn event(
        &self,
        ahead: u64,
        at: Timestamp,
        by: Actor,
        deed: EventKind,
    ) -> Event {
        Event {
            seq: self.seq + ahead,
            at,
            by,
            id: None,
            deed,
        }
    }

    /// The end of the game in the current position, with its sentence.
    pub(crate) fn ended(&self, ending: Ending) -> EventKind {
        EventKind::Ended(explain::ended(self, ending))
    }

    pub(crate) fn agreed(&self) -> EventKind {
        self.ended(Ending::Draw(Draw::Agreement))
    }

    /// Refuses play and claims while a seat is open or the clocks are held.
    pub(crate) fn in_play(&self) -> Result<(), Refusal> {
        if let Some(open) = open_seat(self.seats()) {
            return Err(Refusal::SeatOpen { open });
        }
        match self.held() {
            Some(reason) => Err(Refusal::ClocksHeld {
                reason: reason.to_owned(),
            }),
            None => Ok(()),
        }
    }

    fn decide_seat(&self, who: Color, name: &str) -> Result<EventKind, Refusal> {
        if !self.seats()[who].is_open() {
            return Err(Refusal::SeatTaken { who });
        }
        let fits = name.chars().count() <= MAX_NAME_CHARS && !name.chars().any(is_invisible);
        match fits {
            true => Ok(EventKind::Seated {
                name: serde_impls::name_of(name.trim().to_owned()),
            }),
            false => Err(Refusal::BadName),
        }
    }

    fn decide_move(
        &self,
        request: &Submission,
        now: Timestamp,
        attempt: UciMove,
    ) -> Result<Vec<EventKind>, Refusal> {
        let who = request.by;
        if who != self.turn() {
            return Err(Refusal::NotYourTurn { who });
        }
        self.in_play()?;
        let mv = self.judge(attempt)?;
        Ok(self.deeds_of(mv, now, request.lag))
    }

    /// The events of this legal move by the player on move.
    fn deeds_of(&self, mv: Move, now: Timestamp, lag: Millis) -> Vec<EventKind> {
        let who = self.turn();
        let mut deeds = Vec::new();
        if self.draw_offer() == Some(!who) {
            deeds.push(EventKind::DrawDeclined);
        }
        match self.takeback_offer() {
            Some(by) if by == who => deeds.push(EventKind::TakebackWithdrawn),
            Some(_) => deeds.push(EventKind::TakebackDeclined),
            None => {}
        }
        deeds.push(self.moved(mv, now, lag));
        deeds.extend(self.end_after(mv));
        deeds
    }

    fn moved(&self, mv: Move, now: Timestamp, measured: Millis) -> EventKind {
        let who = self.turn();
        let terms = self.terms();
        let (lag, clock) = match (self.clocks(), &terms.time) {
            (Some(mut clocks), Some(times)) => {
                let lag = terms.lag.grant(measured, clocks.lag(who));
                let lag = lag.min(clocks.spent(now));
                let started = self.clocks_run_after(self.plies().len() + 1);
                clocks.press(times, now, lag, started);
                (lag, Some(clocks.left(times, who, now)))
            }
            _ => (Millis::ZERO, None),
        };
        EventKind::Moved {
            attempt: self.position().uci(mv),
            san: self.position().san(mv).to_string(),
            lag,
            clock,
        }
    }

    /// The end of the game that this move brings about.
    fn end_after(&self, mv: Move) -> Option<EventKind> {
        let position = self.position().after(mv);
        let occurrence = Occurrence {
            position: &position,
            repetitions: 1 + self.earlier_occurrences(&position, self.plies().len() + 1),
        };
        let (ending, proof) = occurrence
            .status(self.terms(), self.analysis_budget())
            .ended()?;
        let mut after = self.clone();
        after.play_on(mv);
        Some(EventKind::Ended(
            after.conclusion_of(ending, proof.as_ref()),
        ))
    }

    /// An ending by the position on the board, with its sentence.
    pub(crate) fn conclusion_of(
        &self,
        ending: Ending,
        proof: Option<&position_status::DeadProof>,
    ) -> Conclusion {
        match proof {
            None => explain::ended(self, ending),
            Some(proof) => Conclusion {
                ending,
                text: explain::dead(self.position(), proof),
                grounds: Some(Grounds::from(proof)),
            },
        }
    }

    /// The events that follow from the start of the game: its end, if the starting position is already
    /// decided.
    pub(crate) fn decide_start(&self) -> Vec<Event> {
        let fate = self
            .occurrence()
            .status(self.terms(), self.analysis_budget());
        let deeds = fate
            .ended()
            .map(|(ending, proof)| EventKind::Ended(self.conclusion_of(ending, proof.as_ref())))
            .into_iter();
        self.events(self.latest(), Actor::Arbiter, deeds.collect())
    }

    /// The end that is visible on the board, in the move counters or in a claim but was not recorded: what is
    /// missing from a journal that was cut off after the last move or the claim.
    #[must_use]
    pub fn pending_ending(&self) -> Vec<Event> {
        let ended = match (self.ending(), self.claimed()) {
            (Some(_), _) => None,
            (None, Some(claimed)) => {
                let conclusion = explain::claimed(self.position(), claimed);
                Some((Actor::from(claimed.by), EventKind::Ended(conclusion)))
            }
            (None, None) => {
                let ending = self.occurrence().plain_ending(self.terms().draws);
                ending.map(|ending| (Actor::Arbiter, self.ended(ending)))
            }
        };
        let ended = ended.map(|(by, deed)| self.event(1, self.latest(), by, deed));
        ended.into_iter().collect()
    }

    /// The legal move of this UCI move. The law book is only asked if the move is illegal, to name the law.
    fn judge(&self, attempt: UciMove) -> Result<Move, Refusal> {
        let position = self.position();
        match position.find_uci(attempt) {
            Some(mv) => Ok(mv),
            None => position
                .judge_after(&self.moves_played(), attempt)
                .map_err(Refusal::Illegal),
        }
    }

    /// Decides a draw claim (FIDE 9.2, 9.3). A mate that completes the claimed position stands: the announced
    /// move is played (REQUIREMENTS, decision on 004-24).
    fn decide_claim(
        &self,
        request: &Submission,
        now: Timestamp,
        announced: Option<UciMove>,
    ) -> Result<Vec<EventKind>, Refusal> {
        let who = request.by;
        if self.terms().draws == Draws::Auto {
            return Err(Refusal::ClaimNeedless);
        }
        if who != self.turn() {
            return Err(Refusal::ClaimOffTurn { who });
        }
        self.in_play()?;
        let announced = announced.map(|attempt| self.judge(attempt)).transpose()?;
        let (position, repetitions) = match announced {
            None => (*self.position(), self.repetitions()),
            Some(mv) => {
                let position = self.position().after(mv);
                let earlier = self.earlier_occurrences(&position, self.plies().len() + 1);
                (position, 1 + earlier)
            }
        };
        let wins = |ending: Ending| ending.winner().is_some();
        if let Some(mv) = announced
            && position_status::decided_on_the_board(&position).is_some_and(wins)
        {
            return Ok(self.deeds_of(mv, now, request.lag));
        }
        let claimed = Occurrence {
            position: &position,
            repetitions,
        };
        let Some(claim) = claimed.supported_claims().next() else {
            return Err(Refusal::ClaimUnfounded {
                repetitions,
                quiet_plies: claimed.quiet_plies(),
                announced: announced.map(|mv| self.position().san(mv).to_string()),
            });
        };
        let claimed = GrantedDrawClaim {
            by: who,
            claim,
            announced,
        };
        Ok(vec![
            EventKind::DrawClaimed {
                claim,
                announced: announced.map(|mv| self.position().uci(mv)),
            },
            EventKind::Ended(explain::claimed(self.position(), claimed)),
        ])
    }

    /// A player may always resign, also while the clocks are held; but an opponent who never came does not
    /// win.
    fn decide_resignation(&self, who: Color) -> Result<EventKind, Refusal> {
        match open_seat(self.seats()) {
            Some(open) => Err(Refusal::SeatOpen { open }),
            None => Ok(self.ended(Ending::Win {
                winner: !who,
                by: Victory::Resignation,
            })),
        }
    }

    fn decide_abort(&self, who: Color) -> Result<EventKind, Refusal> {
        match self.plies().len() {
            0 | 1 => {
                let text = format!(
                    "{who} broke the game off before both sides had moved; there is no result."
                );
                let ending = Ending::NoResult(NoResult::Aborted);
                Ok(EventKind::Ended(Conclusion::new(ending, text)))
            }
            _ => Err(Refusal::TooLateToAbort),
        }
    }

    /// From when on the waiting player may claim the game, because the player on move has not come to make a
    /// first move (FIDE 6.7). `None` if the terms have no such claim or that player has come.
    ///
    /// ```
    /// use touchmove_game::{Game, Millis, Players, Terms, Timestamp};
    /// use touchmove_rules::Variant;
    ///
    /// let terms = Terms { no_show: Some(Millis(900)), ..Terms::of(Variant::Chess) };
    /// let game = Game::begin(terms, Players::default(), Timestamp(100));
    /// assert_eq!(game.no_show_due(), Some(Timestamp(1_000)));
    /// ```
    #[must_use]
    pub fn no_show_due(&self) -> Option<Timestamp> {
        let patience = self.terms().no_show?;
        let is_over = self.ending().is_some() || self.flag().is_some();
        let waits = !is_over && self.in_play().is_ok() && !self.has_come();
        waits.then(|| self.waits_since + patience)
    }

    /// Whether the player on move has shown up.
    fn has_come(&self) -> bool {
        self.plies().len() >= 2 || self.taken_back
    }

    /// Decides a no-show claim (FIDE 6.7): the opponent is on move and has not made a first move.
    fn decide_no_show(&self, who: Color, now: Timestamp) -> Result<EventKind, Refusal> {
        let Some(patience) = self.terms().no_show else {
            return Err(Refusal::NoShowOff);
        };
        self.in_play()?;
        if self.turn() == who || self.has_come() {
            return Err(Refusal::NoNoShow { who: !who });
        }
        let waited = now.since(self.waits_since);
        match patience.saturating_sub(waited) {
            Millis::ZERO => Ok(self.ended(Ending::Win {
                winner: who,
                by: Victory::NoShow,
            })),
            left => Err(Refusal::NoShowNotYet { who: !who, left }),
        }
    }

    fn decide_absence(
        &self,
        request: &Submission,
        now: Timestamp,
        draw: bool,
    ) -> Result<Vec<EventKind>, Refusal> {
        let who = request.by;
        let Some(patience) = self.terms().absence else {
            return Err(Refusal::AbsenceOff);
        };
        self.in_play()?;
        let Some(since) = request.opponent_away else {
            return Err(Refusal::OpponentPresent { who: !who });
        };
        let since = since.min(now);
        match patience.saturating_sub(now.since(since)) {
            Millis::ZERO => {
                let ending = match draw {
                    true => Ending::Draw(Draw::Abandonment { gone: !who }),
                    false => Ending::Win {
                        winner: who,
                        by: Victory::Abandonment,
                    },
                };
                Ok(vec![
                    EventKind::AbsenceClaimed { since },
                    self.ended(ending),
                ])
            }
            left => Err(Refusal::AbsenceNotYet { who: !who, left }),
        }
    }
}

/// Who made this offer, if this player may answer it.
pub(crate) fn answerable(who: Color, offer: Option<PendingOffer>) -> Option<Color> {
    offer.map(|offer| offer.by).filter(|&by| by != who)
}
