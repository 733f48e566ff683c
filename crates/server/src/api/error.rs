//! API errors: a status, a code and a sentence.

use std::fmt;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use touchmove_game::protocol::RefusalMessage;
use touchmove_store::Error;

use crate::api::bounds::LimitError;
use crate::api::form::FormError;
use crate::games::new_game::NewGameError;
use crate::games::table::GameError;
use crate::work_queue::WorkError;

/// An error as HTTP answers it.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    denial: RefusalMessage,
    /// Seconds until a retry makes sense, where that is known.
    retry_after: Option<u64>,
}

/// The body of an error: the sentence is in `error`, where clients look for it.
#[derive(Serialize)]
struct ErrorBody<'a> {
    error: &'a str,
    reason: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    squares: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    did_you_mean: &'a [String],
}

impl ApiError {
    /// An error with a code and a sentence.
    #[must_use]
    pub fn new(status: StatusCode, reason: &'static str, text: impl Into<String>) -> ApiError {
        ApiError {
            status,
            denial: RefusalMessage::new(reason, text),
            retry_after: None,
        }
    }

    /// 400: the request cannot be parsed.
    #[must_use]
    pub fn unreadable(text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "unreadable", text)
    }

    /// 404: there is nothing at this path.
    #[must_use]
    pub fn not_found(text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", text)
    }

    /// 404: there is no game with this id.
    #[must_use]
    pub fn no_game() -> ApiError {
        ApiError::not_found("there is no game with this id")
    }

    /// 401: the client must identify itself.
    #[must_use]
    pub fn unknown(text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, "unknown", text)
    }

    /// 503: the server is busy; a retry will help.
    #[must_use]
    pub fn busy(text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", text)
    }

    /// 429: the rate limit is exceeded until `wait` is over.
    #[must_use]
    pub fn too_often(wait: Duration) -> ApiError {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        let seconds = seconds.max(1);
        let unit = if seconds == 1 { "second" } else { "seconds" };
        let text = format!("that was too often from your address: wait {seconds} {unit}");
        ApiError {
            retry_after: Some(seconds),
            ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_often", text)
        }
    }

    /// 409: the request conflicts with the current state.
    #[must_use]
    pub fn conflict(reason: &'static str, text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, reason, text)
    }

    /// Turns "no longer open" into "not found", for an API whose clients expect that.
    #[must_use]
    pub(crate) fn gone_is_missing(self) -> ApiError {
        match self.denial.reason {
            "gone" => ApiError {
                status: StatusCode::NOT_FOUND,
                ..self
            },
            _ => self,
        }
    }

    /// 413: the body is too large.
    #[must_use]
    pub fn too_large(most: usize) -> ApiError {
        let text = format!("a request has {most} bytes at most");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", text)
    }

    /// 403: the client is known and lacks the permission.
    #[must_use]
    pub fn forbidden(text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, "forbidden", text)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.denial.text)
    }
}

impl From<RefusalMessage> for ApiError {
    fn from(denial: RefusalMessage) -> ApiError {
        ApiError {
            status: StatusCode::BAD_REQUEST,
            denial,
            retry_after: None,
        }
    }
}

impl From<GameError> for ApiError {
    fn from(trouble: GameError) -> ApiError {
        match trouble {
            GameError::NoGame => ApiError::no_game(),
            GameError::Torn(torn) => {
                tracing::error!(%torn, "a game cannot be read");
                let text = "the record of this game is damaged: the host must look at it";
                ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "damaged", text)
            }
            GameError::Work(error) => ApiError::from(error),
            // The request itself is at fault, and a retry fixes nothing.
            GameError::Store(
                error @ (Error::TooLong { .. } | Error::TooMany { .. } | Error::Nul { .. }),
            ) => ApiError::unreadable(error.to_string()),
            GameError::Store(error) if error.is_final() => ApiError::unreadable(error.to_string()),
            GameError::Store(_) | GameError::Crowded | GameError::Unasked => ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "try_again",
                format!("{trouble}: try again in a moment"),
            ),
        }
    }
}

impl From<NewGameError> for ApiError {
    fn from(error: NewGameError) -> ApiError {
        match error {
            NewGameError::Senseless(text) => ApiError::unreadable(text),
            NewGameError::Trouble(trouble) => ApiError::from(trouble),
        }
    }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> ApiError {
        ApiError::from(GameError::from(error))
    }
}

impl From<WorkError> for ApiError {
    fn from(error: WorkError) -> ApiError {
        ApiError::busy(error.to_string())
    }
}

impl From<touchmove_accounts::Error> for ApiError {
    fn from(error: touchmove_accounts::Error) -> ApiError {
        use touchmove_accounts::Error as People;
        let text = error.to_string();
        let mend = |reason| ApiError::new(StatusCode::BAD_REQUEST, reason, text.clone());
        match error {
            People::Store(error) => ApiError::from(error),
            People::Name(_) => mend("bad_name"),
            People::Password(bad) if bad.is_refused() => mend("bad_password"),
            People::Label { .. } => mend("bad_label"),
            People::NameTaken { .. } => ApiError::conflict("name_taken", text),
            People::TooManyTokens { .. } => ApiError::conflict("too_many", text),
            People::Nobody { .. } | People::Handle { .. } => ApiError::not_found(text),
            People::Wrong => ApiError::new(StatusCode::UNAUTHORIZED, "wrong", text),
            People::Disabled { .. } => ApiError::new(StatusCode::FORBIDDEN, "disabled", text),
            _ => {
                tracing::error!(%text, "an account could not be seen to");
                ApiError::busy("this could not be done just now: try again in a moment")
            }
        }
    }
}

impl From<LimitError> for ApiError {
    fn from(error: LimitError) -> ApiError {
        ApiError::unreadable(error.to_string())
    }
}

impl From<FormError> for ApiError {
    fn from(error: FormError) -> ApiError {
        ApiError::unreadable(error.to_string())
    }
}

impl From<touchmove_arbiter::Error> for ApiError {
    fn from(trouble: touchmove_arbiter::Error) -> ApiError {
        let status = match trouble {
            touchmove_arbiter::Error::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            _ => StatusCode::BAD_REQUEST,
        };
        ApiError::new(status, trouble.code(), trouble.to_string())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let written = ErrorBody {
            error: &self.denial.text,
            reason: self.denial.reason,
            squares: &self.denial.squares,
            did_you_mean: &self.denial.did_you_mean,
        };
        let mut response = (self.status, Json(written)).into_response();
        let headers = response.headers_mut();
        let retry_after = match self.status {
            StatusCode::UNAUTHORIZED => {
                let bearer = HeaderValue::from_static("Bearer");
                headers.insert(header::WWW_AUTHENTICATE, bearer);
                None
            }
            StatusCode::SERVICE_UNAVAILABLE => Some(self.retry_after.unwrap_or(1)),
            StatusCode::TOO_MANY_REQUESTS => Some(self.retry_after.unwrap_or(60)),
            _ => None,
        };
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
