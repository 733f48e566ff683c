//! What a client is told when it is not given what it asked for: a status, a code, a sentence.

use std::fmt;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use touchmove_game::protocol::Denial;
use touchmove_store::Error;

use crate::api::bounds::LimitError;
use crate::api::form::FormError;
use crate::games::new_game::FoundError;
use crate::games::table::Trouble;
use crate::work_queue::WorkError;

/// Why not.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    denial: Denial,
    /// After how many seconds it is worth trying again, where that is known.
    retry_after: Option<u64>,
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
            retry_after: None,
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

    /// Everybody comes at once: later there is room again.
    #[must_use]
    pub fn busy(text: impl Into<String>) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", text)
    }

    /// It was too often: after this time it is allowed again.
    #[must_use]
    pub fn too_often(wait: Duration) -> Problem {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        let seconds = seconds.max(1);
        let unit = if seconds == 1 { "second" } else { "seconds" };
        let text = format!("that was too often from your address: wait {seconds} {unit}");
        Problem {
            retry_after: Some(seconds),
            ..Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_often", text)
        }
    }

    /// What is asked for clashes with how things are.
    #[must_use]
    pub fn conflict(reason: &'static str, text: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, reason, text)
    }

    /// What was offered is not open any more; in an API whose clients expect it, that it is not there.
    #[must_use]
    pub(crate) fn gone_is_missing(self) -> Problem {
        match self.denial.reason {
            "gone" => Problem {
                status: StatusCode::NOT_FOUND,
                ..self
            },
            _ => self,
        }
    }

    /// What was sent is more than is read.
    #[must_use]
    pub fn too_large(most: usize) -> Problem {
        let text = format!("a request has {most} bytes at most");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", text)
    }

    /// It is known who asks, and he may not.
    #[must_use]
    pub fn forbidden(text: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, "forbidden", text)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.denial.text)
    }
}

impl From<Denial> for Problem {
    fn from(denial: Denial) -> Problem {
        Problem {
            status: StatusCode::BAD_REQUEST,
            denial,
            retry_after: None,
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
            Trouble::Work(error) => Problem::from(error),
            // These are the asker's to mend, and asking again mends nothing.
            Trouble::Store(
                error @ (Error::TooLong { .. } | Error::TooMany { .. } | Error::Nul { .. }),
            ) => Problem::unreadable(error.to_string()),
            Trouble::Store(error) if error.is_final() => Problem::unreadable(error.to_string()),
            Trouble::Store(_) | Trouble::Crowded | Trouble::Unasked => Problem::new(
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

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        Problem::from(Trouble::from(error))
    }
}

impl From<WorkError> for Problem {
    fn from(error: WorkError) -> Problem {
        Problem::busy(error.to_string())
    }
}

impl From<touchmove_accounts::Error> for Problem {
    fn from(error: touchmove_accounts::Error) -> Problem {
        use touchmove_accounts::Error as People;
        let text = error.to_string();
        let mend = |reason| Problem::new(StatusCode::BAD_REQUEST, reason, text.clone());
        match error {
            People::Store(error) => Problem::from(error),
            People::Name(_) => mend("bad_name"),
            People::Password(bad) if bad.is_refused() => mend("bad_password"),
            People::Label { .. } => mend("bad_label"),
            People::NameTaken { .. } => Problem::conflict("name_taken", text),
            People::TooManyTokens { .. } => Problem::conflict("too_many", text),
            People::Nobody { .. } | People::Handle { .. } => Problem::not_found(text),
            People::Wrong => Problem::new(StatusCode::UNAUTHORIZED, "wrong", text),
            People::Disabled { .. } => Problem::new(StatusCode::FORBIDDEN, "disabled", text),
            _ => {
                tracing::error!(%text, "an account could not be seen to");
                Problem::busy("this could not be done just now: try again in a moment")
            }
        }
    }
}

impl From<LimitError> for Problem {
    fn from(error: LimitError) -> Problem {
        Problem::unreadable(error.to_string())
    }
}

impl From<FormError> for Problem {
    fn from(error: FormError) -> Problem {
        Problem::unreadable(error.to_string())
    }
}

impl From<touchmove_arbiter::Trouble> for Problem {
    fn from(trouble: touchmove_arbiter::Trouble) -> Problem {
        let status = match trouble {
            touchmove_arbiter::Trouble::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            _ => StatusCode::BAD_REQUEST,
        };
        Problem::new(status, trouble.code(), trouble.to_string())
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
