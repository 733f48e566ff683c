//! The parsers of untrusted input as plain functions of a text, for fuzz targets and tests.

use axum::extract::Query;
use axum::http::Uri;
use serde_json::Value;

use crate::api::extract::read_query as read_query_of;
use crate::api::form;
use crate::api::ws::game;

pub use crate::api::bounds::{
    LimitError, MAX_FIELDS, MAX_JSON_DEPTH, MAX_JSON_VALUES, MAX_NAME_BYTES, MAX_NAME_DOTS,
    check_json,
};

/// Parses the body of a form into JSON.
///
/// ```
/// use touchmove_server::readers::read_form;
///
/// let form = read_form("terms.time=5%2B3&public=true").unwrap();
/// assert_eq!(form, serde_json::json!({ "terms": { "time": "5+3" }, "public": true }));
/// assert!(read_form(&"a.".repeat(17_000)).is_err());
/// ```
///
/// # Errors
/// If it exceeds a limit or repeats a field; the error is a sentence.
pub fn read_form(text: &str) -> Result<Value, String> {
    let form = form::read_form(text).map(Value::Object);
    form.map_err(|error| error.to_string())
}

/// Parses the pairs of a query string.
///
/// ```
/// use touchmove_server::readers::read_query;
///
/// let pairs = read_query("fen=8%2F8&side=white").unwrap();
/// assert_eq!(pairs[0], ("fen".to_owned(), "8/8".to_owned()));
/// ```
///
/// # Errors
/// If it is not a query string, or exceeds a limit; the error is a sentence.
pub fn read_query(text: &str) -> Result<Vec<(String, String)>, String> {
    let uri = format!("/?{text}").parse::<Uri>();
    let uri = uri.map_err(|error| error.to_string())?;
    let Query(pairs) = read_query_of(&uri).map_err(|problem| problem.to_string())?;
    Ok(pairs)
}

/// Parses a client's message at a table. Returns whether it is a game command.
///
/// ```
/// use touchmove_server::readers::read_socket_message;
///
/// assert_eq!(read_socket_message(r#"{"command":"resign"}"#), Ok(true));
/// assert_eq!(read_socket_message(r#"{"command":"chat","text":"hi"}"#), Ok(false));
/// ```
///
/// # Errors
/// If it cannot be parsed; the error is a sentence.
pub fn read_socket_message(text: &str) -> Result<bool, String> {
    game::read_message(text)
}
