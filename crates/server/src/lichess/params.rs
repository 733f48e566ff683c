//! Parameters in Lichess's API, parsed tolerantly: a form, JSON with dots in its keys or with nested objects, nulls
//! for omitted values; and the terms of a game from them.

use std::collections::HashMap;

use axum::extract::{FromRequest, Request};
use serde_json::Value;
use touchmove_game::{ClockStart, Draws, Terms, TimeControl, TimeControls};
use touchmove_rules::Variant;

use crate::api::ApiError;
use crate::api::bounds::{LimitError, MAX_FIELDS, check_name};
use crate::api::extract::RawBody;
use crate::games::terms_request::{SideRequest, StartRequest, TermsRequest};

/// Named values, all of them strings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Params(HashMap<String, String>);

impl<S: Send + Sync> FromRequest<S> for Params {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Params, ApiError> {
        let RawBody(text) = RawBody::from_request(request, state).await?;
        Params::read(&text)
    }
}

impl Params {
    fn read(text: &str) -> Result<Params, ApiError> {
        let mut fields = Params::default();
        if text.trim().is_empty() {
            return Ok(fields);
        }
        match serde_json::from_str(text) {
            Ok(Value::Object(object)) => {
                for (key, value) in object {
                    fields.add(key, value)?;
                }
                Ok(fields)
            }
            _ => Err(ApiError::unreadable(
                "the request is neither a form nor a JSON object",
            )),
        }
    }

    /// Adds a value, and those of an object under dotted names. The limits keep an object from copying a long name
    /// once for each of its many values.
    fn add(&mut self, key: String, value: Value) -> Result<(), ApiError> {
        check_name(&key)?;
        let text = match value {
            Value::Null | Value::Array(_) => return Ok(()),
            Value::Object(object) => {
                for (inner, value) in object {
                    self.add(format!("{key}.{inner}"), value)?;
                }
                return Ok(());
            }
            Value::String(text) => text,
            Value::Bool(_) | Value::Number(_) => value.to_string(),
        };
        if self.0.len() >= MAX_FIELDS {
            return Err(LimitError::Fields.into());
        }
        self.0.insert(key, text);
        Ok(())
    }

    /// The value of a name; an empty one counts as omitted.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        let text = self.0.get(key)?.trim();
        (!text.is_empty()).then_some(text)
    }

    fn number(&self, key: &str) -> Result<Option<u32>, ApiError> {
        let number = self.get(key).map(str::parse).transpose();
        number.map_err(|_| ApiError::unreadable(format!("{key} is a whole number")))
    }

    /// Whether a flag is set.
    pub(super) fn is_true(&self, key: &str) -> bool {
        self.get(key).is_some_and(is_true)
    }

    /// The side that the client wants.
    pub(super) fn side(&self) -> Result<SideRequest, ApiError> {
        side(self.get("color"))
    }

    /// The terms of a challenge: `clock.limit` and `clock.increment` in seconds, or `days`, or neither.
    pub(super) fn challenge_terms(&self) -> Result<Terms, ApiError> {
        let clock = self.number("clock.limit")?.zip(Some(()));
        let increment = self.number("clock.increment")?;
        let time = match (clock, increment, self.number("days")?) {
            (Some((limit, ())), increment, _) => Some(live(limit, increment.unwrap_or(0))?),
            (None, Some(_), _) => {
                return Err(ApiError::unreadable(
                    "clock.increment needs clock.limit beside it",
                ));
            }
            (None, None, Some(days)) => Some(correspondence(days)?),
            (None, None, None) => None,
        };
        self.terms(time)
    }

    /// The terms of a seek: `time` in minutes and `increment` in seconds, or `days`.
    pub(super) fn seek_terms(&self) -> Result<Terms, ApiError> {
        let minutes = self.get("time").map(str::parse::<f64>).transpose();
        let minutes = minutes.map_err(|_| ApiError::unreadable("time is a number of minutes"))?;
        let time = match (minutes, self.number("days")?) {
            (Some(minutes), _) if (0.0..=10_080.0).contains(&minutes) => {
                // At most a week, so it fits into 32 bits.
                let seconds = (minutes * 60.0).round() as u32;
                live(seconds, self.number("increment")?.unwrap_or(0))?
            }
            (Some(_), _) => return Err(ApiError::unreadable("time is at most a week, in minutes")),
            (None, Some(days)) => correspondence(days)?,
            (None, None) => {
                return Err(ApiError::unreadable(
                    "a seek has time and increment, or days for correspondence",
                ));
            }
        };
        self.terms(Some(time))
    }

    /// Terms as users of this API know them: draws are claimed, the clocks run after both first moves. There are no
    /// ratings here: a request for a rated game gets a casual one.
    fn terms(&self, time: Option<TimeControls>) -> Result<Terms, ApiError> {
        let fen = self.get("fen");
        let variant = match self.get("variant") {
            None | Some("standard") => Variant::Chess,
            Some("fromPosition") if fen.is_none() => {
                return Err(ApiError::unreadable(
                    "fromPosition needs the position in fen",
                ));
            }
            Some("fromPosition") => Variant::Chess,
            Some("chess960") => Variant::Chess960,
            Some("atomic") => Variant::Atomic,
            Some("simpleAtomic") => Variant::SimpleAtomic,
            Some(_) => {
                return Err(ApiError::unreadable(
                    "the variant is standard, chess960, atomic, simpleAtomic or fromPosition",
                ));
            }
        };
        let wanted = TermsRequest {
            variant: Some(variant.to_string()),
            start: fen.map(|fen| StartRequest::Fen(fen.to_owned())),
            time: time.map(|times| times.to_string()),
            draws: Some(Draws::Claim),
            clock_start: Some(ClockStart::BothMoved),
            ..TermsRequest::default()
        };
        wanted.terms().map_err(ApiError::unreadable)
    }
}

/// Whether a word means true.
pub(super) fn is_true(word: &str) -> bool {
    matches!(word, "true" | "True" | "1" | "yes" | "on")
}

/// Parses a side.
pub(super) fn side(word: Option<&str>) -> Result<SideRequest, ApiError> {
    match word {
        None | Some("random") => Ok(SideRequest::Random),
        Some("white") => Ok(SideRequest::White),
        Some("black") => Ok(SideRequest::Black),
        Some(_) => Err(ApiError::unreadable("the color is white, black or random")),
    }
}

fn live(limit: u32, increment: u32) -> Result<TimeControls, ApiError> {
    // A player without initial time gets the increment as the first move's time.
    let limit = if limit == 0 { increment } else { limit };
    let control = TimeControl::from_pgn(&format!("{limit}+{increment}"));
    match control {
        Ok(Some(control)) => Ok(TimeControls::from(control)),
        Ok(None) => Err(ApiError::unreadable("the clock needs a time")),
        Err(error) => Err(ApiError::unreadable(format!("the clock: {error}"))),
    }
}

fn correspondence(days: u32) -> Result<TimeControls, ApiError> {
    let control = format!("{days}d").parse::<TimeControl>();
    let control = control.map_err(|error| ApiError::unreadable(format!("days: {error}")))?;
    Ok(TimeControls::from(control))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(json: &str) -> Result<Terms, ApiError> {
        Params::read(json).and_then(|fields| fields.challenge_terms())
    }

    #[test]
    fn a_challenge_is_read_with_dots_objects_and_nulls() {
        for json in [
            r#"{"clock.limit":300,"clock.increment":3,"days":null,"variant":null,"fen":null}"#,
            r#"{"clock":{"limit":"300","increment":"3"},"rated":"false"}"#,
        ] {
            let terms = terms(json).unwrap();
            assert_eq!(terms.time.unwrap().to_string(), "5+3");
            assert_eq!(
                (terms.draws, terms.clock_start),
                (Draws::Claim, ClockStart::BothMoved)
            );
            assert!(terms.takebacks);
        }
        assert!(terms("{}").unwrap().time.is_none());
        let slow = terms(r#"{"days":3}"#).unwrap().time.unwrap();
        assert_eq!(slow.to_string(), "3d");
    }

    #[test]
    fn every_variant_can_be_asked_for_and_no_other() {
        for key in ["standard", "chess960", "atomic", "simpleAtomic"] {
            assert!(terms(&format!(r#"{{"variant":"{key}"}}"#)).is_ok(), "{key}");
        }
        let own = terms(r#"{"variant":"fromPosition","fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1"}"#);
        assert_eq!(own.unwrap().variant(), Variant::Chess);
        assert!(terms(r#"{"rated":true}"#).is_ok(), "it will be casual");
        for json in [
            r#"{"variant":"horde"}"#,
            r#"{"variant":"fromPosition"}"#,
            r#"{"fen":"8/8"}"#,
            r#"{"clock.limit":"soon"}"#,
            r#"{"clock.increment":3}"#,
            r#"{"clock.limit":4294967295}"#,
            r#"{"days":0}"#,
            "[]",
        ] {
            assert!(terms(json).is_err(), "{json}");
        }
    }

    #[test]
    fn an_object_does_not_copy_a_long_name_for_each_of_its_values() {
        let values: Vec<String> = (0..900).map(|number| format!(r#""{number}":1"#)).collect();
        let long = format!(r#"{{"{}":{{{}}}}}"#, "k".repeat(30_000), values.join(","));
        assert!(Params::read(&long).is_err());
        let many = format!(r#"{{"k":{{{}}}}}"#, values.join(","));
        assert!(Params::read(&many).is_err());
    }

    #[test]
    fn a_seek_counts_in_minutes() {
        let fields = Params::read(r#"{"time":"0.5","increment":"0"}"#).unwrap();
        let times = fields.seek_terms().unwrap().time.unwrap();
        assert_eq!(times.base(touchmove_rules::Color::White).0, 30_000);
        for json in [
            r#"{"time":"NaN"}"#,
            r#"{"time":"-1"}"#,
            r#"{"time":"1e9"}"#,
            "{}",
        ] {
            assert!(Params::read(json).unwrap().seek_terms().is_err(), "{json}");
        }
    }
}
