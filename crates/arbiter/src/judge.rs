//! The arbiter's verdict on a position: the request and the answer of `touchmove judge --json`.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use touchmove_game::{
    Budget, DeadLaw, Draws, FlagLaw, InterruptibleBudget, Terms, Verdict, laws_of,
};
use touchmove_rules::{AnyPosition, Color, Setup, SetupFaults, Variant};

use crate::budget::{BudgetCap, GrantedBudget, RequestedBudget};
use crate::position_input::ParsedPosition;
use crate::{Error, PositionInput, warnings};

/// Judge a position: is it legal, is it over, who has won, what may be claimed, and why. The terms are those
/// of the command line; a missing one is read from the tags of the PGN, if there is one, and is otherwise the
/// default.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JudgeRequest {
    /// The position.
    pub position: PositionInput,
    /// Whether repetition and the fifty-move rule end the game or must be claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<Draws>,
    /// What a fallen flag means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<FlagLaw>,
    /// Which law decides that a position is dead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead: Option<DeadLaw>,
    /// The player whose flag falls in this position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flagged: Option<Color>,
    /// How much work to spend on a proof that the position is dead or that a fallen flag means a draw.
    pub budget: RequestedBudget,
}

/// The verdict. An illegal position or move also has one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JudgeReport {
    /// The arbiter's verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The budget of the search, if it did not suffice to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<GrantedBudget>,
    /// Warnings that no game can reach the starting position.
    pub warnings: Vec<String>,
    /// If the position or a move is illegal: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl JudgeReport {
    /// Judges the position that the moves lead to, with a search that is limited to this budget by this
    /// clock. `field` is the request's name for the moves; `warnings` are those of the setup before them.
    #[must_use]
    pub fn of(
        (limit, clock): (GrantedBudget, &(dyn Fn() -> Duration + Sync)),
        terms: Terms,
        (field, moves): (&str, &[&str]),
        flagged: Option<Color>,
        warnings: Vec<String>,
    ) -> JudgeReport {
        let begin = clock();
        let look = InterruptibleBudget {
            budget: Budget::of_positions(limit.positions),
            interrupted: &|| clock().saturating_sub(begin) >= limit.time(),
        };
        let verdict = Verdict::by(look, terms, moves, flagged);
        let fault = verdict.faults.first();
        JudgeReport {
            error: fault.map(|fault| format!("{field}, {fault}")),
            budget: (!verdict.proved).then_some(limit),
            warnings,
            verdict,
        }
    }

    /// The verdict on a setup that cannot be played.
    #[must_use]
    pub fn of_illegal(variant: Variant, setup: &Setup, faults: SetupFaults) -> JudgeReport {
        JudgeReport {
            verdict: Verdict::of_illegal(variant, setup, &faults),
            budget: None,
            warnings: Vec::new(),
            error: Some(Error::IllegalPosition(faults).to_string()),
        }
    }
}

impl JudgeRequest {
    /// Computes the verdict within the cap.
    pub(crate) fn answer(&self, cap: &BudgetCap<'_>) -> Result<JudgeReport, Error> {
        let found = self.position.parse()?;
        let (setup, variant) = (&found.setup, found.variant);
        let start = match AnyPosition::from_setup(setup, variant) {
            Ok(start) => start,
            Err(faults) => return Ok(JudgeReport::of_illegal(variant, setup, faults)),
        };
        let terms = self.terms(&found, start)?;
        let moves: Vec<&str> = found.moves.iter().map(String::as_str).collect();
        let usual = Budget::default().positions;
        let positions = cap.positions(self.budget, usual);
        let limit = GrantedBudget::new(positions, cap.time(self.budget, cap.time));
        Ok(JudgeReport::of(
            (limit, cap.clock),
            terms,
            (found.field, &moves),
            self.flagged,
            warnings(setup, variant),
        ))
    }

    fn terms(&self, found: &ParsedPosition, start: AnyPosition) -> Result<Terms, Error> {
        let usual = Terms::from(start);
        let terms = match &found.record {
            Some(record) => laws_of(record, usual)?,
            None => usual,
        };
        Ok(Terms {
            draws: self.draws.unwrap_or(terms.draws),
            flag: self.flag.unwrap_or(terms.flag),
            dead: self.dead.unwrap_or(terms.dead),
            ..terms
        })
    }
}
