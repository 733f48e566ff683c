//! What an arbiter says about a position: the request and the answer of `touchmove judge --json`.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use touchmove_game::{
    Budget, DeadLaw, Draws, FlagLaw, InterruptibleBudget, Terms, Verdict, laws_of,
};
use touchmove_rules::{AnyPosition, Color, Setup, SetupFaults, Variant};

use crate::budget::{BudgetCap, GrantedBudget, RequestedBudget};
use crate::position_input::ParsedPosition;
use crate::{Error, PositionInput, warnings};

/// Judge a position: is it legal, is it over, who has won, what may be claimed, and why. The laws are
/// those of the command line; what is not said is taken from the tags of the PGN, if there is one, and
/// then from the usual terms.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JudgeRequest {
    /// The position.
    pub position: PositionInput,
    /// Whether repetition and the fifty-move rule end the game or may be claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<Draws>,
    /// What a fallen flag means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<FlagLaw>,
    /// Which positions are dead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead: Option<DeadLaw>,
    /// The flag of this player falls now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flagged: Option<Color>,
    /// How hard to look for a proof that the position is dead, or that a flag makes a draw.
    pub budget: RequestedBudget,
}

/// The verdict. An illegal position or move is one too.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JudgeReport {
    /// What the arbiter says.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// How far it was looked, where that did not suffice to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<GrantedBudget>,
    /// Why no game can lead to where the moves begin, if none can.
    pub warnings: Vec<String>,
    /// If the position or a move is illegal, why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl JudgeReport {
    /// Judges the position that moves lead to, by a look that lasts no longer than the limit by this
    /// clock. `field` is what the asker calls the moves, and the warnings are those of the setup before
    /// them.
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
    /// The verdict, as far as the cap lets one see.
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
