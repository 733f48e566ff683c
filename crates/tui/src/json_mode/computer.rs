//! Computers and the coach in JSON mode: a computer's command is an answer of its own after the answer to the
//! request; hints and threats are requests like any other.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use touchmove_coach::{Hint, Threat};
use touchmove_engine::Score;
use touchmove_game::protocol::Answer;
use touchmove_game::{Budget, Game, Timestamp};
use touchmove_rules::Move;

use crate::json_mode::JsonSession;
use crate::opponents;
use crate::opponents::{
    CoachQuestion, ComputerOptions, ComputerReply, ComputerSeats, ComputerTask, NO_HELP_TEXT,
    NextStep, ReplyEffect,
};

/// The kind of a request.
#[derive(Deserialize)]
struct Asked {
    command: String,
}

impl JsonSession {
    /// Sets the options of computers and hints; `seed` makes the computers' choices differ from game to game.
    #[must_use]
    pub fn with_customs(mut self, customs: &ComputerOptions, seed: u64) -> JsonSession {
        self.rivals = ComputerSeats::of(&self.game, customs, seed);
        self.is_helped = customs.hints;
        self
    }

    /// Carries out what computers do at once, and returns the answers together with the next question for a
    /// computer.
    pub fn next_computer_task(&mut self, now: Timestamp) -> (Vec<Answer>, Option<ComputerTask>) {
        let mut answers = Vec::new();
        while let Some(due) = self.rivals.next(&self.game, now) {
            match due {
                NextStep::Ask(task) => return (answers, Some(*task)),
                NextStep::Command(who, command) => {
                    let events = self.game.submit(now, who, command).events;
                    if events.is_empty() {
                        break;
                    }
                    answers.push(self.happened(now, events));
                }
            }
        }
        (answers, None)
    }

    /// Applies a computer's answer.
    pub fn on_computer_reply(&mut self, now: Timestamp, reply: &ComputerReply) -> Option<Answer> {
        let events = match self.rivals.on_reply(&self.game, reply)? {
            ReplyEffect::Note(_) => return None,
            ReplyEffect::Order(order) => {
                let events = self.game.order(now, &order).unwrap_or_default();
                self.game.evolve_all(&events);
                events
            }
            ReplyEffect::Command(who, command) => self.game.submit(now, who, command).events,
        };
        (!events.is_empty()).then(|| self.happened(now, events))
    }

    fn happened(&mut self, now: Timestamp, mut events: Vec<touchmove_game::Event>) -> Answer {
        events.extend(self.game.settle_flag(Budget::default()));
        let answer = Answer::granted(&self.game, now, events);
        self.knowing(answer)
    }

    /// The answer to a request to the coach; `None` for other requests.
    #[must_use]
    pub fn answer_coach_question(&self, line: &str) -> Option<String> {
        let asked: Asked = serde_json::from_str(line).ok()?;
        let what = match asked.command.as_str() {
            "hint" => CoachQuestion::Hint,
            "threat" => CoachQuestion::Threat,
            _ => return None,
        };
        let denied = |reason: &str, text: &str| {
            Some(json!({ "accepted": false, "reason": reason, "text": text }).to_string())
        };
        if self.game.ending().is_some() {
            return denied("game_over", "The game is over.");
        }
        if !self.is_helped && !self.rivals.are_there() {
            return denied("no_help", NO_HELP_TEXT);
        }
        let answer = match what {
            CoachQuestion::Threat => written_threat(&self.game, &opponents::threat(&self.game)),
            CoachQuestion::Hint | CoachQuestion::Review => match opponents::hint(&self.game) {
                Some(hint) => written_hint(&self.game, &hint),
                None => return denied("no_move", "There is no legal move."),
            },
        };
        Some(answer.to_string())
    }
}

/// A score as JSON.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ScoreJson {
    Centipawns(i32),
    Mate(i32),
}

fn uci(game: &Game, moves: &[Move], passes: bool) -> Vec<String> {
    let mut position = match game.position().null_move() {
        Some(passed) if passes => passed,
        _ => *game.position(),
    };
    let write = |&mv: &Move| {
        let text = position.uci(mv).to_string();
        position.play(mv);
        text
    };
    moves.iter().map(write).collect()
}

fn written_hint(game: &Game, hint: &Hint) -> Value {
    let score = match hint.score {
        Score::Centipawns(value) => ScoreJson::Centipawns(value),
        Score::Mate(moves) => ScoreJson::Mate(moves),
    };
    json!({
        "accepted": true,
        "hint": {
            "move": game.position().uci(hint.best()).to_string(),
            "line": uci(game, &hint.line, false),
            "score": score,
            "proved": hint.is_proved,
            "text": hint.text,
        },
    })
}

fn written_threat(game: &Game, threat: &Threat) -> Value {
    let squares: Vec<String> = threat
        .squares
        .into_iter()
        .map(|it| it.to_string())
        .collect();
    json!({
        "accepted": true,
        "threat": {
            "line": uci(game, &threat.line, true),
            "squares": squares,
            "text": threat.text,
        },
    })
}
