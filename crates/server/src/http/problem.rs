//! What a client is told when it is not given what it asked for: a status, a code, a sentence.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use touchmove_game::protocol::Denial;

use crate::found::FoundError;
use crate::table::Trouble;

/// Why not.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    denial: Denial,
}

/// A problem as it is written: `error` is the sentence, because that is where clients look.
#[derive(Serialize)]
struct Written<'a> {
    error: &'a str,
    reason: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    squares: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    did_you_mean: &'a [String],
}

impl Problem {
    /// A problem with a code and a sentence.
    #[must_use]
    pub fn new(status: StatusCode, reason: &'static str, text: impl Into<String>) -> Problem {
        Problem {
            status,
            denial: Denial::new(reason, text),
        }
    }

    /// What was sent cannot be understood.
    #[must_use]
    pub fn unreadable(text: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "unreadable", text)
    }

    /// There is nothing here.
    #[must_use]
    pub fn not_found(text: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not_found", text)
    }

    /// There is no game with this id.
    #[must_use]
    pub fn no_game() -> Problem {
        Problem::not_found("there is no game with this id")
    }

    /// Somebody must say who he is first.
    #[must_use]
    pub fn unknown(text: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNAUTHORIZED, "unknown", text)
    }

    /// It is known who asks, and he may not.
    #[must_use]
    pub fn forbidden(text: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, "forbidden", text)
    }
}

impl From<Denial> for Problem {
    fn from(denial: Denial) -> Problem {
        Problem {
            status: StatusCode::BAD_REQUEST,
            denial,
        }
    }
}

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Problem {
        match trouble {
            Trouble::NoGame => Problem::no_game(),
            Trouble::Torn(torn) => {
                tracing::error!(%torn, "a game cannot be read");
                let text = "the record of this game is damaged: the host must look at it";
                Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "damaged", text)
            }
            Trouble::Store(_) | Trouble::Crowded => Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "try_again",
                format!("{trouble}: try again in a moment"),
            ),
        }
    }
}

impl From<FoundError> for Problem {
    fn from(error: FoundError) -> Problem {
        match error {
            FoundError::Senseless(text) => Problem::unreadable(text),
            FoundError::Trouble(trouble) => Problem::from(trouble),
        }
    }
}

impl From<touchmove_store::Error> for Problem {
    fn from(error: touchmove_store::Error) -> Problem {
        Problem::from(Trouble::from(error))
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let written = Written {
            error: &self.denial.text,
            reason: self.denial.reason,
            squares: &self.denial.squares,
            did_you_mean: &self.denial.did_you_mean,
        };
        (self.status, Json(written)).into_response()
    }
}
