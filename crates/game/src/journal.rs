//! The written form of a game: one JSON object per line, the opening first, then each event. It
//! is replayed through the judge: a journal that tells of something that cannot have happened is
//! refused. Where the lines are kept is not its business.
//!
//! ```
//! use touchmove_game::journal;
//!
//! let game = journal::replay(concat!(
//!     r#"{"event":"started","at":0,"variant":"chess","#,
//!     r#""start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","#,
//!     r#""white":"Anna","black":"Ben","draws":"auto","flag":"fide","dead":"exact","#,
//!     r#""time":"5+3","takebacks":true}"#, "\n",
//!     r#"{"event":"moved","at":2500,"by":"white","move":"e2e4","san":"e4"}"#, "\n",
//! )).unwrap();
//! assert_eq!(game.plies().len(), 1);
//! assert_eq!(game.players().white, "Anna");
//! ```

use serde::{Deserialize, Serialize};
use touchmove_rules::{AnyPosition, Attempt, Color};

use crate::{
    Budget, Command, DeadLaw, Deed, Draw, Draws, Ending, Event, FlagLaw, Game, Players, Refusal,
    Terms, Timestamp, Victory, Void,
};

/// A line of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Record {
    Started(Opening),
    Moved {
        at: Timestamp,
        by: Side,
        #[serde(rename = "move")]
        uci: String,
        san: String,
    },
    DrawOffered {
        at: Timestamp,
        by: Side,
    },
    DrawDeclined {
        at: Timestamp,
        by: Side,
    },
    DrawClaimed {
        at: Timestamp,
        by: Side,
        claim: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        announced: Option<String>,
    },
    TakebackOffered {
        at: Timestamp,
        by: Side,
    },
    TakebackDeclined {
        at: Timestamp,
        by: Side,
    },
    TakebackWithdrawn {
        at: Timestamp,
        by: Side,
    },
    TakenBack {
        at: Timestamp,
        plies: usize,
    },
    Ended {
        at: Timestamp,
        status: String,
        winner: Option<Side>,
        result: String,
    },
}

/// The first line: who plays, and on what terms.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Opening {
    pub at: Timestamp,
    pub variant: String,
    pub start: String,
    pub white: String,
    pub black: String,
    pub draws: Draws,
    pub flag: FlagLaw,
    pub dead: DeadLaw,
    pub time: Option<String>,
    pub takebacks: bool,
}

/// A colour, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Side {
    White,
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

impl Record {
    /// The first line of a game's journal.
    #[must_use]
    pub fn opening(game: &Game) -> Record {
        let terms = game.terms();
        Record::Started(Opening {
            at: game.started(),
            variant: terms.variant().to_string(),
            start: terms.start.fen().to_string(),
            white: game.players().white.clone(),
            black: game.players().black.clone(),
            draws: terms.draws,
            flag: terms.flag,
            dead: terms.dead,
            time: terms.time.as_ref().map(ToString::to_string),
            takebacks: terms.takebacks,
        })
    }

    /// The line for an event that happens in this game, which has not evolved by it yet.
    #[must_use]
    pub fn of(game: &Game, event: &Event) -> Record {
        let at = event.at;
        let position = game.position();
        match event.deed {
            Deed::Moved(mv) => Record::Moved {
                at,
                by: game.turn().into(),
                uci: position.uci(mv).to_string(),
                san: position.san(mv).to_string(),
            },
            Deed::DrawOffered { by } => Record::DrawOffered { at, by: by.into() },
            Deed::DrawDeclined { by } => Record::DrawDeclined { at, by: by.into() },
            Deed::DrawClaimed {
                by,
                claim,
                announced,
            } => Record::DrawClaimed {
                at,
                by: by.into(),
                claim: claim.status().to_owned(),
                announced: announced.map(|mv| position.uci(mv).to_string()),
            },
            Deed::TakebackOffered { by } => Record::TakebackOffered { at, by: by.into() },
            Deed::TakebackDeclined { by } => Record::TakebackDeclined { at, by: by.into() },
            Deed::TakebackWithdrawn { by } => Record::TakebackWithdrawn { at, by: by.into() },
            Deed::TakenBack { plies } => Record::TakenBack { at, plies },
            Deed::Ended(ending) => Record::Ended {
                at,
                status: ending.status().to_owned(),
                winner: ending.winner().map(Side::from),
                result: ending.result().to_owned(),
            },
        }
    }

    /// The name of the event.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Record::Started(_) => "started",
            Record::Moved { .. } => "moved",
            Record::DrawOffered { .. } => "draw_offered",
            Record::DrawDeclined { .. } => "draw_declined",
            Record::DrawClaimed { .. } => "draw_claimed",
            Record::TakebackOffered { .. } => "takeback_offered",
            Record::TakebackDeclined { .. } => "takeback_declined",
            Record::TakebackWithdrawn { .. } => "takeback_withdrawn",
            Record::TakenBack { .. } => "taken_back",
            Record::Ended { .. } => "ended",
        }
    }

    /// The line as it is written, with its line end.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

/// Why a journal cannot be replayed, and how far it could be.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("line {line} of the journal {fault}")]
pub struct Torn {
    /// The first line that is wrong, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: Fault,
    /// The game up to there, if it began at all.
    pub game: Option<Box<Game>>,
}

/// What can be wrong with a line.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Fault {
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error("should tell how the game began")]
    NoOpening,
    #[error("begins the game a second time")]
    SecondOpening,
    #[error("gives terms that do not hold: {0}")]
    Terms(String),
    #[error("tells of something that the laws refuse: {0}")]
    Refused(Refusal),
    #[error("tells of something that did not follow: {0}")]
    Contradiction(String),
    #[error("goes back in time")]
    Backwards,
}

/// The game that a journal tells. Blank lines are skipped.
///
/// A journal that was cut after a decisive move still ends its game: the end follows from the move.
///
/// # Errors
/// The first line that cannot be read, or tells of something that cannot have happened.
pub fn replay(text: &str) -> Result<Game, Torn> {
    let mut game: Option<Game> = None;
    for (index, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let step = serde_json::from_str::<Record>(line)
            .map_err(|error| Fault::Unreadable(error.to_string()))
            .and_then(|record| match (&mut game, record) {
                (None, Record::Started(opening)) => opening.begin().map(|begun| game = Some(begun)),
                (None, _) => Err(Fault::NoOpening),
                (Some(_), Record::Started(_)) => Err(Fault::SecondOpening),
                (Some(game), record) => follow(game, &record),
            });
        if let Err(fault) = step {
            return Err(Torn {
                line: index + 1,
                fault,
                game: game.map(Box::new),
            });
        }
    }
    game.ok_or(Torn {
        line: 1,
        fault: Fault::NoOpening,
        game: None,
    })
}

impl Opening {
    fn begin(self) -> Result<Game, Fault> {
        let wrong = |error: &dyn std::fmt::Display| Fault::Terms(error.to_string());
        let variant = self.variant.parse().map_err(|error| wrong(&error))?;
        let start = AnyPosition::from_fen(&self.start, variant).map_err(|error| wrong(&error))?;
        let time = self
            .time
            .map(|time| time.parse())
            .transpose()
            .map_err(|error| wrong(&error))?;
        let terms = Terms {
            draws: self.draws,
            flag: self.flag,
            dead: self.dead,
            time,
            takebacks: self.takebacks,
            ..Terms::from(start)
        };
        let players = Players {
            white: self.white,
            black: self.black,
        };
        Ok(Game::begin(terms, players, self.at))
    }
}

/// Lets the game evolve by what a line tells, if the laws let that happen.
fn follow(game: &mut Game, record: &Record) -> Result<(), Fault> {
    let Some(events) = events(game, record)? else {
        return Ok(());
    };
    let mut shown = game.clone();
    let mut told = false;
    for event in &events {
        told |= Record::of(&shown, event) == *record;
        shown.evolve(event);
    }
    if !told {
        return Err(Fault::Contradiction(record.name().to_owned()));
    }
    // That a position is dead may have been seen later than today, or not at all: the journal tells.
    let seen_today = |event: &&Event| event.deed == DEAD && !matches!(record, Record::Ended { .. });
    for event in events.iter().filter(|event| !seen_today(event)) {
        game.evolve(event);
    }
    Ok(())
}

const DEAD: Deed = Deed::Ended(Ending::Draw(Draw::DeadPosition));

/// The events that a line tells one of; `None` if an earlier line has already brought its event
/// about, or a later one will.
fn events(game: &Game, record: &Record) -> Result<Option<Vec<Event>>, Fault> {
    let decide = |at: Timestamp, who: Color, command| match game.decide(at, who, command) {
        Ok(events) if events.iter().all(|event| event.at == at) => Ok(Some(events)),
        Ok(_) => Err(Fault::Backwards),
        Err(refusal) => Err(Fault::Refused(refusal)),
    };
    match record {
        Record::Started(_) => Err(Fault::SecondOpening),
        Record::Moved { at, by, uci, .. } => {
            decide(*at, (*by).into(), Command::Move(attempt(uci)?))
        }
        Record::DrawOffered { at, by } => decide(*at, (*by).into(), Command::OfferDraw),
        Record::DrawDeclined { at, by } => decide(*at, (*by).into(), Command::DeclineDraw),
        Record::DrawClaimed {
            at, by, announced, ..
        } => {
            let announced = announced.as_deref().map(attempt).transpose()?;
            decide(*at, (*by).into(), Command::ClaimDraw { announced })
        }
        Record::TakebackOffered { at, by } => decide(*at, (*by).into(), Command::OfferTakeback),
        Record::TakebackDeclined { at, by } => decide(*at, (*by).into(), Command::DeclineTakeback),
        Record::TakebackWithdrawn { by, .. } => {
            let by = Color::from(*by);
            match game.takeback_offer() == Some(by) && game.turn() == by {
                true => Ok(None),
                false => Err(Fault::Contradiction(record.name().to_owned())),
            }
        }
        Record::TakenBack { at, .. } => {
            let who = game.takeback_offer().map_or(game.turn(), |by| !by);
            decide(*at, who, Command::AcceptTakeback)
        }
        Record::Ended {
            at, status, winner, ..
        } => match game.ending() {
            Some(ending) => {
                let told = Event {
                    at: game.latest(),
                    deed: Deed::Ended(ending),
                };
                match Record::of(game, &told) == *record {
                    true => Ok(None),
                    false => Err(Fault::Refused(Refusal::GameOver(ending))),
                }
            }
            None => match ended_by(game, status, winner.map(Color::from)) {
                Some(EndedBy::Command(who, command)) => decide(*at, who, command),
                Some(EndedBy::Time) => Ok(Some(game.tick(*at).into_iter().collect())),
                Some(EndedBy::Position(ending)) => {
                    let at = (*at).max(game.latest());
                    Ok(Some(vec![Event {
                        at,
                        deed: Deed::Ended(ending),
                    }]))
                }
                None => Err(Fault::Contradiction(format!(
                    "the game did not end by {status}"
                ))),
            },
        },
    }
}

/// What can end a game without a move before it.
enum EndedBy {
    Command(Color, Command),
    Time,
    Position(Ending),
}

fn ended_by(game: &Game, status: &str, winner: Option<Color>) -> Option<EndedBy> {
    let turn = game.turn();
    let resigned = |winner| Ending::Win {
        winner,
        by: Victory::Resignation,
    };
    let flagged = Ending::Win {
        winner: !turn,
        by: Victory::FlagFall,
    };
    let flag_draw = Ending::Draw(Draw::FlagFall { flagged: turn });
    if status == Draw::Agreement.status() {
        let who = game.draw_offer().map_or(turn, |by| !by);
        Some(EndedBy::Command(who, Command::AcceptDraw))
    } else if let Some(winner) = winner.filter(|&winner| status == resigned(winner).status()) {
        Some(EndedBy::Command(!winner, Command::Resign))
    } else if status == Ending::Void(Void::Aborted).status() {
        Some(EndedBy::Command(turn, Command::Abort))
    } else if status == flagged.status() || status == flag_draw.status() {
        Some(EndedBy::Time)
    } else {
        let undead = Terms {
            dead: DeadLaw::Off,
            ..game.terms().clone()
        };
        let by_position = [game.terms(), &undead]
            .into_iter()
            .filter_map(|terms| game.occurrence().ending(terms, Budget::default()));
        by_position
            .into_iter()
            .find(|ending| ending.status() == status)
            .map(EndedBy::Position)
    }
}

fn attempt(uci: &str) -> Result<Attempt, Fault> {
    uci.parse()
        .map_err(|error| Fault::Unreadable(format!("{error}")))
}
