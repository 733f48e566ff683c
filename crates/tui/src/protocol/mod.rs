//! The line protocol for programs: one JSON request per line in, one JSON answer per line out. It is
//! documented in `docs/PROTOCOL.md`. [`Session`] is pure; only [`run`] reads and writes.

mod answer;
mod request;
mod run;

use touchmove_game::journal::Record;
use touchmove_game::{Game, Refusal, Timestamp, Verdict, scoresheet};

use crate::hot_seat::{TwoOffers, Wish};
pub use answer::{Answer, Clocks, Offers, State};
use request::{Ask, Request};
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
/// assert!(!answer.accepted && answer.reason.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    game: Game,
}

impl Session {
    /// Opens a game that has just begun or goes on from where it stood.
    #[must_use]
    pub const fn open(game: Game) -> Session {
        Session { game }
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
        Some(match request::read(line) {
            Ok(request) => self.answer(request.at.unwrap_or(now), &request),
            Err(text) => self.unreadable(now, &text),
        })
    }

    /// Answers a line that could not be read, for this reason.
    pub fn unreadable(&mut self, now: Timestamp, why: &str) -> Answer {
        let events = self.let_time_pass(now);
        self.refuse(now, events, "unreadable", why)
    }

    fn answer(&mut self, now: Timestamp, request: &Request) -> Answer {
        // Whose turn it is comes before what the move is, but over is over.
        let runs = self.game.ending().is_none();
        let off_turn = runs && request.by.is_some_and(|by| by != self.game.turn());
        let wish = match &request.ask {
            Ask::State => return self.tell(now, |answer, _| answer),
            Ask::Moves => {
                return self.tell(now, |answer, game| Answer {
                    moves: Some(moves(game)),
                    ..answer
                });
            }
            Ask::Pgn => {
                return self.tell(now, |answer, game| {
                    let pgn = scoresheet::document(game).to_string();
                    Answer {
                        pgn: Some(pgn),
                        ..answer
                    }
                });
            }
            Ask::Move(_) if off_turn => {
                let refusal = Refusal::NotYourTurn {
                    who: !self.game.turn(),
                };
                Err((refusal.code(), refusal.to_string()))
            }
            Ask::Move(text) => self.read(text).map(Wish::Move),
            // What was announced does not matter if it is not the player's turn.
            Ask::Claim(_) if off_turn => Ok(Wish::ClaimDraw(None)),
            Ask::Claim(None) => Ok(Wish::ClaimDraw(None)),
            Ask::Claim(Some(text)) => self.read(text).map(|mv| Wish::ClaimDraw(Some(mv))),
            Ask::Wish(wish) => Ok(*wish),
        };
        let wish = match wish {
            Ok(wish) => wish,
            Err((code, text)) => {
                let events = self.let_time_pass(now);
                return self.refuse(now, events, code, &text);
            }
        };
        match wish.command(&self.game, request.by) {
            Err(TwoOffers) => {
                let text = "a draw and a takeback are offered: name one with \"offer\"";
                self.refuse(now, Vec::new(), "two_offers", text)
            }
            Ok((who, command)) => {
                let before = self.game.clone();
                let answer = self.game.submit(now, who, command);
                let events = records(before, &answer.events);
                match answer.refusal {
                    None => Answer::granted(&self.game, now, events),
                    Some(refusal) => self.refuse(now, events, refusal.code(), &refusal.to_string()),
                }
            }
        }
    }

    /// Reads a move, or says why it is none; a finished game has none.
    fn read(&self, text: &str) -> Result<touchmove_rules::Attempt, (&'static str, String)> {
        if let Some(ending) = self.game.ending() {
            let refusal = Refusal::GameOver(ending);
            return Err((refusal.code(), refusal.to_string()));
        }
        let position = self.game.position();
        match self.game.read(text) {
            Ok(mv) => Ok(position.uci(mv)),
            Err(misread) => Err((misread.code(), misread.to_string())),
        }
    }

    fn tell(&mut self, now: Timestamp, add: impl Fn(Answer, &Game) -> Answer) -> Answer {
        let events = self.let_time_pass(now);
        add(Answer::granted(&self.game, now, events), &self.game)
    }

    fn refuse(&self, now: Timestamp, events: Vec<Record>, code: &str, text: &str) -> Answer {
        Answer {
            accepted: false,
            reason: Some(code.to_owned()),
            text: Some(text.to_owned()),
            ..Answer::granted(&self.game, now, events)
        }
    }

    fn let_time_pass(&mut self, now: Timestamp) -> Vec<Record> {
        let fallen = self.game.tick(now);
        let records = records(self.game.clone(), fallen.as_slice());
        fallen.iter().for_each(|event| self.game.evolve(event));
        records
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

/// Events as they are written down, the first of which happens in this game.
fn records(mut game: Game, events: &[touchmove_game::Event]) -> Vec<Record> {
    let record = |event| {
        let record = Record::of(&game, event);
        game.evolve(event);
        record
    };
    events.iter().map(record).collect()
}

fn moves(game: &Game) -> Vec<String> {
    if game.ending().is_some() {
        return Vec::new();
    }
    let position = game.position();
    position
        .legal_moves()
        .iter()
        .map(|&mv| position.uci(mv).to_string())
        .collect()
}
