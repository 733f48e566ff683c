//! JSON mode: the line protocol for programs, one JSON request per line in, one JSON answer per line out. It is
//! documented in `docs/PROTOCOL.md`; the game crate defines requests and answers. [`JsonSession`] is pure; only
//! [`run`] does input and output.

mod computer;
mod network_run;
mod run;

use crate::opponents::ComputerSeats;
use touchmove_game::protocol::{Answer, LocalMessage, RefusalMessage, ResolvedRequest};
use touchmove_game::{AnalysisResult, Budget, Event, Game, Submission, Timestamp, Verdict};

pub use network_run::run_network_game;
pub use run::run;

/// A game played by the line protocol.
///
/// ```
/// use touchmove_game::{Game, Players, Terms, Timestamp};
/// use touchmove_rules::Variant;
/// use touchmove_tui::json_mode::JsonSession;
///
/// let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// let mut session = JsonSession::open(game);
/// let answer = session.line(Timestamp(0), r#"{"move":"e2e4"}"#).unwrap();
/// assert!(answer.accepted && answer.state.fen.starts_with("rnbqkbnr/pppppppp/8/8/4P3/"));
/// let answer = session.line(Timestamp(0), "e2e4").unwrap();
/// assert!(!answer.accepted && answer.denial.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct JsonSession {
    game: Game,
    /// The analysis of the position on the board.
    finding: Option<AnalysisResult>,
    /// The computers in the game.
    rivals: ComputerSeats,
    /// Whether both players have agreed to hints.
    is_helped: bool,
}

impl JsonSession {
    /// Opens a session for a new or resumed game.
    #[must_use]
    pub fn open(game: Game) -> JsonSession {
        JsonSession {
            game,
            finding: None,
            rivals: ComputerSeats::default(),
            is_helped: false,
        }
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Answers a line received at `now`, unless the line has its own time. An empty line has no answer.
    pub fn line(&mut self, now: Timestamp, line: &str) -> Option<Answer> {
        if line.trim().is_empty() {
            return None;
        }
        Some(match LocalMessage::read(line) {
            Ok(local) => self.answer(local.at.unwrap_or(now), &local),
            Err(text) => self.unreadable(now, &text),
        })
    }

    /// Answers a line that could not be read; `why` is the reason.
    pub fn unreadable(&mut self, now: Timestamp, why: &str) -> Answer {
        let events = self.let_time_pass(now);
        let answer = Answer::denied(&self.game, now, events, RefusalMessage::unreadable(why));
        self.knowing(answer)
    }

    fn answer(&mut self, now: Timestamp, local: &LocalMessage) -> Answer {
        let LocalMessage { asked, by, .. } = local;
        let (who, command) = match asked.resolve(&self.game, by.or(self.rivals.only_human())) {
            Ok(ResolvedRequest::Command { by, command }) => (by, command),
            Ok(ResolvedRequest::Repeated { .. }) => {
                let events = self.let_time_pass(now);
                let answer = Answer::granted(&self.game, now, events);
                return self.knowing(answer);
            }
            Ok(ResolvedRequest::Query) => {
                let events = self.let_time_pass(now);
                let answer = Answer::query(&self.game, now, events, &asked.ask);
                return self.knowing(answer);
            }
            Err(denial) => {
                let events = self.let_time_pass(now);
                let answer = Answer::denied(&self.game, now, events, denial);
                return self.knowing(answer);
            }
        };
        if let Some(why) = self.rivals.check_allowed(&self.game, who) {
            let events = self.let_time_pass(now);
            let denial = RefusalMessage::new("no_seat", why);
            let answer = Answer::denied(&self.game, now, events, denial);
            return self.knowing(answer);
        }
        let request = Submission {
            id: asked.id.clone(),
            seen: asked.seen,
            ..Submission::new(now, who, command)
        };
        let answer = self.game.submit_full(&request);
        let mut events = answer.events;
        events.extend(self.game.settle_flag(Budget::default()));
        let answer = match &answer.refusal {
            None => Answer::granted(&self.game, now, events),
            Some(refusal) => Answer::denied(&self.game, now, events, RefusalMessage::from(refusal)),
        };
        self.knowing(answer)
    }

    /// Adds to the answer that the position may be dead, where the analysis did not decide it.
    fn knowing(&mut self, answer: Answer) -> Answer {
        let question = self.game.pending_analysis();
        if self.finding.as_ref().map(|finding| finding.question) != question {
            self.finding = question.map(|question| question.answer(self.game.analysis_budget()));
        }
        Answer {
            state: answer
                .state
                .with_analysis(&self.game, self.finding.as_ref()),
            ..answer
        }
    }

    /// Advances the clock. If a flag falls, analyses at once what that means: only the program that asked has to
    /// wait.
    fn let_time_pass(&mut self, now: Timestamp) -> Vec<Event> {
        let mut events = self.game.tick(now);
        self.game.evolve_all(&events);
        events.extend(self.game.settle_flag(Budget::default()));
        events
    }
}

/// The only answer of a game that cannot begin: why the start position is illegal.
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
