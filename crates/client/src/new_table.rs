//! The request for a new table.

use serde::Serialize;
use touchmove_game::{ClockStart, DeadLaw, Draws, FlagLaw};

/// A request for a new table: the terms, and who asks.
///
/// ```
/// use touchmove_client::{NewTable, TermsRequest, SideRequest};
///
/// let terms = TermsRequest { time: Some("5+3".to_owned()), ..TermsRequest::default() };
/// let proposal = NewTable { terms, side: SideRequest::White, name: Some("Anna".to_owned()) };
/// let text = serde_json::to_string(&proposal).unwrap();
/// assert_eq!(text, r#"{"terms":{"time":"5+3"},"side":"white","name":"Anna"}"#);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct NewTable {
    /// The terms.
    pub terms: TermsRequest,
    /// The side of the player who asks.
    pub side: SideRequest,
    /// The name of the player who asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The terms of a new game. What is left out is the server's default.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[allow(missing_docs)]
pub struct TermsRequest {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// A FEN, or the number of a Chess960 starting position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<Draws>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<FlagLaw>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead: Option<DeadLaw>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_start: Option<ClockStart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takebacks: Option<bool>,
}

/// The side that a player asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SideRequest {
    /// White.
    White,
    /// Black.
    Black,
    /// A random side.
    #[default]
    Random,
}
