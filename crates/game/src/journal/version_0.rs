//! Reads journals without a version field, from before it existed, as today's events. They are never written
//! any more.

use serde::Deserialize;
use serde_json::{Map, Value};
use touchmove_rules::{Color, DrawClaim, UciMove};

use crate::conclusion::ending_of;
use crate::serde_impls;
use crate::terms::{read_start, read_times};
use crate::{
    Actor, Conclusion, DeadLaw, Draw, Draws, Ending, Event, EventKind, FlagLaw, Game, Millis,
    Opening, Players, Terms, Timestamp, Victory, explain,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpeningV0 {
    at: Timestamp,
    #[serde(rename = "event")]
    _event: String,
    variant: String,
    start: String,
    #[serde(deserialize_with = "serde_impls::name")]
    white: String,
    #[serde(deserialize_with = "serde_impls::name")]
    black: String,
    draws: Draws,
    flag: FlagLaw,
    dead: DeadLaw,
    time: Option<String>,
    takebacks: bool,
}

/// Parses the opening; the error is a sentence.
pub(super) fn opening(object: Map<String, Value>) -> Result<Opening, String> {
    let started: OpeningV0 =
        serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())?;
    let terms = Terms {
        draws: started.draws,
        flag: started.flag,
        dead: started.dead,
        time: read_times(started.time.as_deref())?,
        takebacks: started.takebacks,
        ..Terms::from(read_start(&started.variant, &started.start)?)
    };
    let players = Players {
        white: started.white,
        black: started.black,
    };
    Ok(Opening::of(terms, players, started.at))
}

#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
enum EventV0 {
    Moved {
        at: Timestamp,
        by: Color,
        #[serde(rename = "move")]
        uci: String,
        #[serde(deserialize_with = "serde_impls::line")]
        san: String,
    },
    DrawOffered {
        at: Timestamp,
        by: Color,
    },
    DrawDeclined {
        at: Timestamp,
        by: Color,
    },
    DrawClaimed {
        at: Timestamp,
        by: Color,
        claim: String,
        announced: Option<String>,
    },
    TakebackOffered {
        at: Timestamp,
        by: Color,
    },
    TakebackDeclined {
        at: Timestamp,
        by: Color,
    },
    TakebackWithdrawn {
        at: Timestamp,
        by: Color,
    },
    TakenBack {
        at: Timestamp,
        plies: usize,
    },
    Ended {
        at: Timestamp,
        status: String,
        winner: Option<Color>,
        result: String,
    },
}

/// Parses the events of one object, as they happen in this game; the error is a sentence.
pub(super) fn events(game: &Game, object: Map<String, Value>) -> Result<Vec<Event>, String> {
    let record: EventV0 =
        serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())?;
    let uci = |text: &str| text.parse::<UciMove>().map_err(|error| error.to_string());
    let (at, by, deed) = match record {
        EventV0::Moved {
            at,
            by,
            uci: text,
            san,
        } => {
            let moved = EventKind::Moved {
                attempt: uci(&text)?,
                san,
                lag: Millis::ZERO,
                clock: None,
            };
            (at, by.into(), moved)
        }
        EventV0::DrawOffered { at, by } => (at, by.into(), EventKind::DrawOffered),
        EventV0::DrawDeclined { at, by } => (at, by.into(), EventKind::DrawDeclined),
        EventV0::DrawClaimed {
            at,
            by,
            claim,
            announced,
        } => {
            let mut claims = DrawClaim::ALL.into_iter();
            let claim = claims
                .find(|known| known.status() == claim)
                .ok_or_else(|| format!("{claim:?} is not a claim"))?;
            let announced = announced.as_deref().map(uci).transpose()?;
            (at, by.into(), EventKind::DrawClaimed { claim, announced })
        }
        EventV0::TakebackOffered { at, by } => (at, by.into(), EventKind::TakebackOffered),
        EventV0::TakebackDeclined { at, by } => (at, by.into(), EventKind::TakebackDeclined),
        EventV0::TakebackWithdrawn { at, by } => (at, by.into(), EventKind::TakebackWithdrawn),
        EventV0::TakenBack { at, plies } => {
            let asked = game.takeback_offer().unwrap_or(game.turn());
            (at, Actor::from(!asked), EventKind::TakenBack { plies })
        }
        EventV0::Ended {
            at,
            status,
            winner,
            result,
        } => return ended(game, at, &status, winner, &result),
    };
    Ok(game.events(at, by, vec![deed]))
}

/// An ending whose sentence needs no search, after the fall of a flag that was not recorded.
fn ended(
    game: &Game,
    at: Timestamp,
    status: &str,
    winner: Option<Color>,
    result: &str,
) -> Result<Vec<Event>, String> {
    let turn = game.turn();
    let flag_draw = Ending::Draw(Draw::FlagFall { flagged: turn });
    let player = (status == flag_draw.status()).then_some(turn);
    let ending = ending_of(status, winner, player)
        .filter(|ending| ending.result() == result)
        .ok_or_else(|| format!("no game ends {result} by {status:?} with such a winner"))?;
    let by = match ending {
        Ending::Win {
            winner,
            by: Victory::Resignation,
        } => Actor::from(!winner),
        Ending::Win {
            winner,
            by: Victory::Checkmate | Victory::KingExploded,
        } => Actor::from(winner),
        Ending::Draw(Draw::Agreement) => game
            .draw_offer()
            .map_or(Actor::Arbiter, |by| Actor::from(!by)),
        _ => Actor::Arbiter,
    };
    let ended = match game.claimed() {
        Some(claimed) => EventKind::Ended(Conclusion {
            ending,
            ..explain::claimed(game.position(), claimed)
        }),
        None => game.ended(ending),
    };
    let fell = matches!(
        ending,
        Ending::Win {
            by: Victory::FlagFall,
            ..
        } | Ending::Draw(Draw::FlagFall { .. })
    );
    let mut deeds = Vec::new();
    if fell {
        deeds.push(EventKind::FlagFell { player: turn });
    }
    deeds.push(ended);
    Ok(game.events(at, by, deeds))
}
