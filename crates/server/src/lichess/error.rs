//! Why a client is not given what it asked for, in the form that this API has: the sentence, a code for
//! programs, and for moves the squares that prove it.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use touchmove_game::protocol::RefusalMessage;

use crate::api::ApiError;
use crate::games::new_game::NewGameError;
use crate::games::table::GameError;

/// Why not.
#[derive(Debug)]
pub(super) enum LichessError {
    /// By the rules, the terms, or because of how the game stands.
    Denied(RefusalMessage),
    /// For another reason.
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

/// What is a problem like everywhere else.
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
