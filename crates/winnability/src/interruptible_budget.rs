//! [`InterruptibleBudget`]: a budget with a callback that can stop the search early.

use std::fmt;

use crate::Budget;

/// A [`Budget`] with a callback that can stop the search before the budget is spent, for a clock or a shutdown.
///
/// ```
/// use touchmove_rules::{AnyPosition, Color, Variant};
/// use touchmove_winnability::{Budget, InterruptibleBudget, winnable};
///
/// let fen = "3k1b2/2p1pBp1/KpP1P1P1/1P6/4B3/8/8/8 w - - 0 1";
/// let position = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
/// let at_once = InterruptibleBudget { interrupted: &|| true, ..InterruptibleBudget::from(Budget::default()) };
/// assert_eq!(winnable(&position, Color::Black, at_once).name(), "undecided");
/// assert!(winnable(&position, Color::Black, Budget::default()).is_unwinnable());
/// ```
#[derive(Clone, Copy)]
pub struct InterruptibleBudget<'a> {
    /// The budget.
    pub budget: Budget,
    /// Called every thousand positions or so; `true` ends the search as undecided.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
}

impl From<Budget> for InterruptibleBudget<'static> {
    /// Never interrupted.
    fn from(budget: Budget) -> InterruptibleBudget<'static> {
        InterruptibleBudget {
            budget,
            interrupted: &|| false,
        }
    }
}

impl fmt::Debug for InterruptibleBudget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Look");
        shown.field("budget", &self.budget).finish_non_exhaustive()
    }
}
