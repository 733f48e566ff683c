//! What somebody wants to play, as a server is asked for it.

use serde::Serialize;
use touchmove_game::{ClockStart, DeadLaw, Draws, FlagLaw};

/// A new table: what is played, and who asks for it.
///
/// ```
/// use touchmove_client::{NewTable, TermsRequest, SideRequest};
///
/// let terms = TermsRequest { time: Some("5+3".to_owned()), ..Proposed::default() };
/// let proposal = NewTable { terms, side: SideRequest::White, name: Some("Anna".to_owned()) };
/// let text = serde_json::to_string(&proposal).unwrap();
/// assert_eq!(text, r#"{"terms":{"time":"5+3"},"side":"white","name":"Anna"}"#);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct NewTable {
    /// What is played.
    pub terms: TermsRequest,
    /// The side of who asks.
    pub side: SideRequest,
    /// What who asks is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Terms that are asked for. What is left out is as the server has it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[allow(missing_docs)]
pub struct TermsRequest {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// A FEN, or a number of Chess960.
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

/// Which side somebody wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SideRequest {
    /// White.
    White,
    /// Black.
    Black,
    /// Whatever the lot says.
    #[default]
    Random,
}
