//! [`Request`] and [`Report`]: the four kinds of requests and their answers, for servers that dispatch them.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::budget::{BudgetCap, MAX_REQUEST_BYTES};
use crate::error::Error;
use crate::explain::{ExplainReport, ExplainRequest};
use crate::judge::{JudgeReport, JudgeRequest};
use crate::rules::{RulesReport, RulesRequest};
use crate::winnable::{WinnableReport, WinnableRequest};

/// The four kinds of requests.
///
/// ```
/// use touchmove_arbiter::RequestKind;
///
/// assert_eq!(RequestKind::named("winnable"), Some(RequestKind::Winnable));
/// assert_eq!(RequestKind::named("forecast"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum RequestKind {
    Judge,
    Explain,
    Winnable,
    Rules,
}

impl RequestKind {
    /// All four.
    pub const ALL: [RequestKind; 4] = [
        RequestKind::Judge,
        RequestKind::Explain,
        RequestKind::Winnable,
        RequestKind::Rules,
    ];

    /// Its name, which is also the name of the command.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RequestKind::Judge => "judge",
            RequestKind::Explain => "explain",
            RequestKind::Winnable => "winnable",
            RequestKind::Rules => "rules",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<RequestKind> {
        let mut all = RequestKind::ALL.into_iter();
        all.find(|question| question.name() == name)
    }
}

/// A request of one of the four kinds.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Request {
    Judge(JudgeRequest),
    Explain(ExplainRequest),
    Winnable(WinnableRequest),
    Rules(RulesRequest),
}

/// An answer. Serialised, it is what the command of that name prints with `--json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum Report {
    Judge(Box<JudgeReport>),
    Explain(Box<ExplainReport>),
    Winnable(Box<WinnableReport>),
    Rules(RulesReport),
}

impl Request {
    /// Parses the JSON of a request.
    ///
    /// # Errors
    /// If it is too long, is not JSON, or has unknown fields or invalid values.
    pub fn read(question: RequestKind, json: &[u8]) -> Result<Request, Error> {
        if json.len() > MAX_REQUEST_BYTES {
            return Err(Error::TooLarge {
                bytes: json.len(),
                most: MAX_REQUEST_BYTES,
            });
        }
        match question {
            RequestKind::Judge => parsed(json).map(Request::Judge),
            RequestKind::Explain => parsed(json).map(Request::Explain),
            RequestKind::Winnable => parsed(json).map(Request::Winnable),
            RequestKind::Rules => parsed(json).map(Request::Rules),
        }
    }
}

fn parsed<T: DeserializeOwned>(json: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(json).map_err(|error| Error::Unreadable(error.to_string()))
}

/// Answers a request within the cap.
///
/// # Errors
/// If the client has to correct the request.
pub fn answer(request: &Request, cap: &BudgetCap<'_>) -> Result<Report, Error> {
    match request {
        Request::Judge(request) => request.answer(cap).map(Box::new).map(Report::Judge),
        Request::Explain(request) => request.answer().map(Box::new).map(Report::Explain),
        Request::Winnable(request) => request.answer(cap).map(Box::new).map(Report::Winnable),
        Request::Rules(request) => request.answer().map(Report::Rules),
    }
}
