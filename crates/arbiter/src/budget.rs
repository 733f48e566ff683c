//! The largest that is read and the longest that is looked: bounds of single fields, and the [`BudgetCap`] on
//! work that the caller sets.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Error;

/// The most bytes of a whole request.
pub const MAX_REQUEST_BYTES: usize = 160 * 1024;

/// The most bytes of a PGN, and of a list of moves.
pub const MAX_PGN_BYTES: usize = 64 * 1024;

/// The most plies that are followed: twice as many as the longest game of a tournament had.
pub const MAX_PLIES: usize = 1_200;

/// The most bytes of a FEN: those of any position have fewer than a hundred.
pub const MAX_FEN_BYTES: usize = 200;

/// The most bytes of a move, and of the words that are searched for.
pub const MAX_TEXT_BYTES: usize = 200;

/// The text of a field, if it is not too long.
pub(crate) fn bounded<'a>(
    field: &'static str,
    text: &'a str,
    most: usize,
) -> Result<&'a str, Error> {
    match text.len() {
        bytes if bytes > most => Err(Error::TooLong { field, bytes, most }),
        _ => Ok(text),
    }
}

/// How much work the asker would like at most. More than the [`BudgetCap`] is not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RequestedBudget {
    /// So many different positions for one verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// So many milliseconds for one verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub millis: Option<u64>,
}

/// How much work one verdict was allowed to cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct GrantedBudget {
    /// So many different positions.
    pub positions: u64,
    /// So many milliseconds.
    pub millis: u64,
}

impl GrantedBudget {
    /// So many positions in so much time.
    #[must_use]
    pub fn new(positions: u64, time: Duration) -> GrantedBudget {
        GrantedBudget {
            positions,
            millis: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// The time.
    pub(crate) const fn time(self) -> Duration {
        Duration::from_millis(self.millis)
    }
}

/// How much work any request may cause, and the caller's clock. The desk has none of its own.
///
/// ```
/// use std::time::{Duration, Instant};
/// use touchmove_arbiter::{BudgetCap, Question, Request, answer};
///
/// let begin = Instant::now();
/// let clock = || begin.elapsed();
/// let cap = BudgetCap { positions: 200_000, time: Duration::from_secs(1), clock: &clock };
/// let request = Request::read(Question::Judge, b"{}").unwrap();
/// assert!(answer(&request, &cap).is_ok());
/// ```
#[derive(Clone, Copy)]
pub struct BudgetCap<'a> {
    /// The most different positions of one verdict, each at up to 128 bytes of memory.
    pub positions: u64,
    /// The longest that all verdicts of one request may take together. Looks are ended after a thousand
    /// positions or so, so that some milliseconds more may pass.
    pub time: Duration,
    /// The time that has passed since any moment that the caller chooses. A caller who wants to end a look
    /// from outside lets it jump ahead.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
}

impl BudgetCap<'_> {
    /// How many positions a verdict may visit, where the asker would like so many.
    pub(crate) fn positions(&self, effort: RequestedBudget, usual: u64) -> u64 {
        effort.positions.unwrap_or(usual).min(self.positions)
    }

    /// How long a verdict may take, where so much of the cap is left.
    pub(crate) fn time(&self, effort: RequestedBudget, left: Duration) -> Duration {
        effort
            .millis
            .map_or(left, |millis| Duration::from_millis(millis).min(left))
    }
}

impl fmt::Debug for BudgetCap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Cap");
        shown.field("positions", &self.positions);
        shown.field("time", &self.time).finish_non_exhaustive()
    }
}
