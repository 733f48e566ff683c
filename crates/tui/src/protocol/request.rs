//! What a line of the protocol asks for: a JSON object, or a bare move. Whether it is granted is
//! decided elsewhere.

use serde::Deserialize;
use touchmove_game::Timestamp;
use touchmove_game::journal::Side;
use touchmove_rules::Color;

use crate::hot_seat::{Offer, Wish};

/// A request as it is understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub ask: Ask,
    pub by: Option<Color>,
    pub at: Option<Timestamp>,
}

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ask {
    Move(String),
    Claim(Option<String>),
    Wish(Wish),
    State,
    Moves,
    Pgn,
}

/// A request as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "move")]
    mv: Option<String>,
    command: Option<String>,
    offer: Option<String>,
    by: Option<Side>,
    at: Option<Timestamp>,
}

/// Reads a line; the error is a sentence.
pub(super) fn read(line: &str) -> Result<Request, String> {
    let line = line.trim();
    if !line.starts_with(['{', '[', '"']) {
        return Ok(Request {
            ask: Ask::Move(line.to_owned()),
            by: None,
            at: None,
        });
    }
    let written: Written = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let Written {
        mv,
        command,
        offer,
        by,
        at,
    } = written;
    let offer = match offer.as_deref().map(|word| (word, Offer::from_word(word))) {
        None => None,
        Some((_, Some(offer))) => Some(offer),
        Some((word, None)) => {
            return Err(format!("{word:?} is not an offer: it is draw or takeback"));
        }
    };
    let ask = match (command.as_deref(), mv) {
        (None | Some("move"), Some(text)) => Ask::Move(text),
        (None | Some("move"), None) => return Err("the request has no \"move\"".to_owned()),
        (Some("claim"), announced) => Ask::Claim(announced),
        (Some(command), Some(_)) => return Err(format!("{command:?} takes no \"move\"")),
        (Some(command), None) => plain(command, offer)?,
    };
    if offer.is_some() && !matches!(ask, Ask::Wish(Wish::Accept(_) | Wish::Decline(_))) {
        return Err("only accept and decline take an \"offer\"".to_owned());
    }
    Ok(Request {
        ask,
        by: by.map(Color::from),
        at,
    })
}

fn plain(command: &str, offer: Option<Offer>) -> Result<Ask, String> {
    Ok(match command {
        "draw" => Ask::Wish(Wish::OfferDraw),
        "accept" => Ask::Wish(Wish::Accept(offer)),
        "decline" => Ask::Wish(Wish::Decline(offer)),
        "takeback" => Ask::Wish(Wish::Takeback),
        "resign" => Ask::Wish(Wish::Resign),
        "abort" => Ask::Wish(Wish::Abort),
        "state" => Ask::State,
        "moves" => Ask::Moves,
        "pgn" => Ask::Pgn,
        _ => {
            let shown: String = command.chars().take(40).collect();
            return Err(format!(
                "{shown:?} is not a command: there are move, draw, accept, decline, claim, takeback, \
                 resign, abort, state, moves and pgn"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_an_object_or_a_bare_move() {
        let asks = |line| read(line).map(|request| request.ask);
        assert_eq!(asks("e2e4"), Ok(Ask::Move("e2e4".to_owned())));
        assert_eq!(asks(r#"{"move":"Nf3"}"#), Ok(Ask::Move("Nf3".to_owned())));
        assert_eq!(asks(r#"{"command":"claim"}"#), Ok(Ask::Claim(None)));
        assert_eq!(
            asks(r#"{"command":"decline","offer":"takeback"}"#),
            Ok(Ask::Wish(Wish::Decline(Some(Offer::Takeback))))
        );
        let resigns = read(r#"{"command":"resign","by":"black","at":1500}"#).unwrap();
        assert_eq!(
            (resigns.by, resigns.at),
            (Some(Color::Black), Some(Timestamp(1500)))
        );
    }

    #[test]
    fn a_wrong_request_is_told_what_is_wrong() {
        for (line, says) in [
            ("{", "EOF"),
            ("{}", "has no \"move\""),
            (r#"{"move":5}"#, "expected a string"),
            (r#"{"mvoe":"e4"}"#, "unknown field `mvoe`"),
            (r#"{"command":"castle"}"#, "is not a command"),
            (
                r#"{"command":"resign","by":"green"}"#,
                "unknown variant `green`",
            ),
            (r#"{"command":"resign","move":"e4"}"#, "takes no \"move\""),
            (r#"{"command":"accept","offer":"peace"}"#, "is not an offer"),
            (
                r#"{"command":"draw","offer":"draw"}"#,
                "only accept and decline",
            ),
            (r#"{"move":"e4","at":-1}"#, "expected u64"),
            ("[1,2]", "expected a string"),
        ] {
            let error = read(line).expect_err(line);
            assert!(error.contains(says), "{line}: {error}");
        }
    }
}
