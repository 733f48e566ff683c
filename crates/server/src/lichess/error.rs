//! Why a client is not given what it asked for, in the form that this API has: the sentence, a code for
//! programs, and for moves the squares that prove it.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use touchmove_game::protocol::Denial;

use crate::api::Problem;
use crate::games::new_game::FoundError;
use crate::games::table::Trouble;

/// Why not.
#[derive(Debug)]
pub(super) enum Refused {
    /// By the rules, the terms, or because of how the game stands.
    Denied(Denial),
    /// For another reason.
    Problem(Problem),
}

impl<T: Into<Problem>> From<T> for Refused
where
    T: NotDenied,
{
    fn from(problem: T) -> Refused {
        Refused::Problem(problem.into())
    }
}

/// What is a problem like everywhere else.
pub(super) trait NotDenied {}

impl NotDenied for Problem {}
impl NotDenied for Trouble {}
impl NotDenied for FoundError {}
impl NotDenied for touchmove_store::Error {}
impl NotDenied for touchmove_accounts::Error {}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Refused::Problem(problem) => problem.into_response(),
            Refused::Denied(denial) => {
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
