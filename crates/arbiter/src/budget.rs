//! Limits of requests: maximum lengths of fields, and the [`BudgetCap`] on work that the caller sets.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Error;

/// Maximum length of a request in bytes.
pub const MAX_REQUEST_BYTES: usize = 160 * 1024;

/// Maximum length of a PGN or a list of moves in bytes.
pub const MAX_PGN_BYTES: usize = 64 * 1024;

/// Maximum number of plies: twice as many as the longest game ever played in a tournament.
pub const MAX_PLIES: usize = 1_200;

/// Maximum length of a FEN in bytes. No FEN of a real position has more than a hundred.
pub const MAX_FEN_BYTES: usize = 200;

/// Maximum length of a move or of a search text in bytes.
pub const MAX_TEXT_BYTES: usize = 200;

/// Returns the text of a field, or an error if it is too long.
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

/// The work that a client asks for. The [`BudgetCap`] limits it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RequestedBudget {
    /// Maximum number of different positions for one verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// Maximum milliseconds for one verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub millis: Option<u64>,
}

/// The budget that one verdict was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct GrantedBudget {
    /// Number of different positions.
    pub positions: u64,
    /// Milliseconds.
    pub millis: u64,
}

impl GrantedBudget {
    /// A budget of this many positions and this much time.
    #[must_use]
    pub fn new(positions: u64, time: Duration) -> GrantedBudget {
        GrantedBudget {
            positions,
            millis: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// The time as a [`Duration`].
    pub(crate) const fn time(self) -> Duration {
        Duration::from_millis(self.millis)
    }
}

/// The cap on work for one request, and the caller's clock. The crate reads no clock of its own.
///
/// ```
/// use std::time::{Duration, Instant};
/// use touchmove_arbiter::{BudgetCap, RequestKind, Request, answer};
///
/// let begin = Instant::now();
/// let clock = || begin.elapsed();
/// let cap = BudgetCap { positions: 200_000, time: Duration::from_secs(1), clock: &clock };
/// let request = Request::read(RequestKind::Judge, b"{}").unwrap();
/// assert!(answer(&request, &cap).is_ok());
/// ```
#[derive(Clone, Copy)]
pub struct BudgetCap<'a> {
    /// Maximum number of different positions for one verdict. Each takes up to 128 bytes of memory.
    pub positions: u64,
    /// Maximum time of all verdicts of one request together. The solver reads the clock every thousand
    /// positions or so, so a request may take some milliseconds longer.
    pub time: Duration,
    /// The time since any fixed moment that the caller chooses. To cancel a search from outside, let it jump
    /// ahead.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
}

impl BudgetCap<'_> {
    /// The positions that a verdict may visit: what the client asks for (by default `usual`), up to the cap.
    pub(crate) fn positions(&self, effort: RequestedBudget, usual: u64) -> u64 {
        effort.positions.unwrap_or(usual).min(self.positions)
    }

    /// The time that a verdict may take: what the client asks for, up to what is left of the cap.
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
