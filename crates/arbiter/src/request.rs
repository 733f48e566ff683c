//! [`Request`] and [`Report`]: the four questions and their answers, for those who pass them on.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::budget::{Cap, LARGEST_REQUEST};
use crate::error::Trouble;
use crate::explain::{ExplainReport, ExplainRequest};
use crate::judge::{JudgeReport, JudgeRequest};
use crate::rules::{RulesReport, RulesRequest};
use crate::winnable::{WinnableReport, WinnableRequest};

/// Which question is asked.
///
/// ```
/// use touchmove_arbiter::Question;
///
/// assert_eq!(Question::named("winnable"), Some(Question::Winnable));
/// assert_eq!(Question::named("forecast"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Question {
    Judge,
    Explain,
    Winnable,
    Rules,
}

impl Question {
    /// All four.
    pub const ALL: [Question; 4] = [
        Question::Judge,
        Question::Explain,
        Question::Winnable,
        Question::Rules,
    ];

    /// The word for it, which is the name of the command too.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Question::Judge => "judge",
            Question::Explain => "explain",
            Question::Winnable => "winnable",
            Question::Rules => "rules",
        }
    }

    /// The question with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Question> {
        let mut all = Question::ALL.into_iter();
        all.find(|question| question.name() == name)
    }
}

/// A question with everything that belongs to it.
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
    /// Reads the JSON of a request.
    ///
    /// # Errors
    /// If it is too large, no JSON, or has fields or values that the question does not know.
    pub fn read(question: Question, json: &[u8]) -> Result<Request, Trouble> {
        if json.len() > LARGEST_REQUEST {
            return Err(Trouble::TooLarge {
                bytes: json.len(),
                most: LARGEST_REQUEST,
            });
        }
        match question {
            Question::Judge => parsed(json).map(Request::Judge),
            Question::Explain => parsed(json).map(Request::Explain),
            Question::Winnable => parsed(json).map(Request::Winnable),
            Question::Rules => parsed(json).map(Request::Rules),
        }
    }
}

fn parsed<T: DeserializeOwned>(json: &[u8]) -> Result<T, Trouble> {
    serde_json::from_slice(json).map_err(|error| Trouble::Unreadable(error.to_string()))
}

/// Answers a request, with no more work than the cap allows.
///
/// # Errors
/// If the asker has to mend something first.
pub fn answer(request: &Request, cap: &Cap<'_>) -> Result<Report, Trouble> {
    match request {
        Request::Judge(request) => request.answer(cap).map(Box::new).map(Report::Judge),
        Request::Explain(request) => request.answer().map(Box::new).map(Report::Explain),
        Request::Winnable(request) => request.answer(cap).map(Box::new).map(Report::Winnable),
        Request::Rules(request) => request.answer().map(Report::Rules),
    }
}
