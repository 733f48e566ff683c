//! Errors in the form of Lichess's API: the sentence, a code for programs, and for moves the squares that prove it.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use touchmove_game::protocol::RefusalMessage;

use crate::api::ApiError;
use crate::games::new_game::NewGameError;
use crate::games::table::GameError;

/// Why a request failed.
#[derive(Debug)]
pub(super) enum LichessError {
    /// A refusal by the rules, the terms, or the state of the game.
    Denied(RefusalMessage),
    /// Any other error.
    Problem(ApiError),
}

impl<T: Into<ApiError>> From<T> for LichessError
where
    T: OrApiError,
{
    fn from(problem: T) -> LichessError {
        LichessError::Problem(problem.into())
    }
}

/// Converts to an API error.
pub(super) trait OrApiError {}

impl OrApiError for ApiError {}
impl OrApiError for GameError {}
impl OrApiError for NewGameError {}
impl OrApiError for touchmove_store::Error {}
impl OrApiError for touchmove_accounts::Error {}

impl IntoResponse for LichessError {
    fn into_response(self) -> Response {
        match self {
            LichessError::Problem(problem) => problem.into_response(),
            LichessError::Denied(denial) => {
                let told = json!({
                    "error": denial.text,
                    "reason": denial.reason,
                    "evidence": denial.squares,
                });
                (StatusCode::BAD_REQUEST, Json(told)).into_response()
            }
        }
    }
}
