//! The line protocol for programs: one JSON request per line in, one JSON answer per line out. It is
//! documented in `docs/PROTOCOL.md`; what is asked and answered is the game's. [`Session`] is pure; only
//! [`run`] reads and writes.

mod computer;
mod network_run;
mod run;

use crate::opponents::Rivals;
use touchmove_game::protocol::{Answer, Denial, LocalAsked, Meant};
use touchmove_game::{Budget, Event, Finding, Game, Request, Timestamp, Verdict};

pub use network_run::visit;
pub use run::run;

/// A game played by the line protocol.
///
/// ```
/// use touchmove_game::{Game, Players, Terms, Timestamp};
/// use touchmove_rules::Variant;
/// use touchmove_tui::protocol::Session;
///
/// let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// let mut session = Session::open(game);
/// let answer = session.line(Timestamp(0), r#"{"move":"e2e4"}"#).unwrap();
/// assert!(answer.accepted && answer.state.fen.starts_with("rnbqkbnr/pppppppp/8/8/4P3/"));
/// let answer = session.line(Timestamp(0), "e2e4").unwrap();
/// assert!(!answer.accepted && answer.denial.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    game: Game,
    /// What is known about the position on the board.
    finding: Option<Finding>,
    /// The computers at the table.
    rivals: Rivals,
    /// Whether two people have agreed to be helped.
    is_helped: bool,
}

impl Session {
    /// Opens a game that has just begun or goes on from where it stood.
    #[must_use]
    pub fn open(game: Game) -> Session {
        Session {
            game,
            finding: None,
            rivals: Rivals::default(),
            is_helped: false,
        }
    }

    /// The game that is played.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Answers a line that came in at `now`, unless the line gives its own moment. An empty line
    /// has no answer.
    pub fn line(&mut self, now: Timestamp, line: &str) -> Option<Answer> {
        if line.trim().is_empty() {
            return None;
        }
        Some(match LocalAsked::read(line) {
            Ok(local) => self.answer(local.at.unwrap_or(now), &local),
            Err(text) => self.unreadable(now, &text),
        })
    }

    /// Answers a line that could not be read, for this reason.
    pub fn unreadable(&mut self, now: Timestamp, why: &str) -> Answer {
        let events = self.let_time_pass(now);
        let answer = Answer::denied(&self.game, now, events, Denial::unreadable(why));
        self.knowing(answer)
    }

    fn answer(&mut self, now: Timestamp, local: &LocalAsked) -> Answer {
        let LocalAsked { asked, by, .. } = local;
        let (who, command) = match asked.meant(&self.game, by.or(self.rivals.you())) {
            Ok(Meant::Command { by, command }) => (by, command),
            Ok(Meant::Repeated { .. }) => {
                let events = self.let_time_pass(now);
                let answer = Answer::granted(&self.game, now, events);
                return self.knowing(answer);
            }
            Ok(Meant::Telling) => {
                let events = self.let_time_pass(now);
                let answer = Answer::telling(&self.game, now, events, &asked.ask);
                return self.knowing(answer);
            }
            Err(denial) => {
                let events = self.let_time_pass(now);
                let answer = Answer::denied(&self.game, now, events, denial);
                return self.knowing(answer);
            }
        };
        if let Some(why) = self.rivals.forbid(&self.game, who) {
            let events = self.let_time_pass(now);
            let denial = Denial::new("no_seat", why);
            let answer = Answer::denied(&self.game, now, events, denial);
            return self.knowing(answer);
        }
        let request = Request {
            id: asked.id.clone(),
            seen: asked.seen,
            ..Request::new(now, who, command)
        };
        let answer = self.game.answer(&request);
        let mut events = answer.events;
        events.extend(self.game.settle(Budget::default()));
        let answer = match &answer.refusal {
            None => Answer::granted(&self.game, now, events),
            Some(refusal) => Answer::denied(&self.game, now, events, Denial::from(refusal)),
        };
        self.knowing(answer)
    }

    /// The answer, with a word on whether the position is dead where that was not found out.
    fn knowing(&mut self, answer: Answer) -> Answer {
        let question = self.game.question();
        if self.finding.as_ref().map(|finding| finding.question) != question {
            self.finding = question.map(|question| question.answer(self.game.patience()));
        }
        Answer {
            state: answer.state.knowing(&self.game, self.finding.as_ref()),
            ..answer
        }
    }

    /// A flag may fall, and what that means is found out at once: nobody waits but the program that
    /// asked.
    fn let_time_pass(&mut self, now: Timestamp) -> Vec<Event> {
        let mut events = self.game.tick(now);
        self.game.follow(&events);
        events.extend(self.game.settle(Budget::default()));
        events
    }
}

/// The one answer of a game that cannot begin: why the position cannot be played.
#[must_use]
pub fn illegal_start(verdict: &Verdict) -> String {
    serde_json::json!({
        "accepted": false,
        "reason": verdict.status,
        "text": verdict.explanation,
        "faults": verdict.faults,
        "events": [],
        "state": {
            "fen": verdict.fen,
            "turn": verdict.turn,
            "status": verdict.status,
            "winner": null,
            "result": verdict.result,
        },
    })
    .to_string()
}
