//! Whether each side can still win: the request and the answer of `touchmove winnable --json`. The
//! `winnability` crate does the search.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use touchmove_rules::{Color, Fen, Move, Position, Rules, Variant, with_position};
use touchmove_winnability::{Budget, Solver, Winnability};

use crate::budget::{BudgetCap, RequestedBudget};
use crate::{Error, PositionInput};

/// Say whether each side can still win, by any series of legal moves.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WinnableRequest {
    /// The position.
    pub position: PositionInput,
    /// The sides to ask about.
    pub side: SideSelection,
    /// How much work to spend.
    pub budget: RequestedBudget,
}

/// The sides to ask about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum SideSelection {
    #[default]
    Both,
    White,
    Black,
}

impl SideSelection {
    /// The sides as a slice.
    #[must_use]
    pub const fn colors(self) -> &'static [Color] {
        match self {
            SideSelection::Both => &Color::ALL,
            SideSelection::White => &[Color::White],
            SideSelection::Black => &[Color::Black],
        }
    }
}

/// The verdicts. A field is null if its side was not asked about or nothing was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WinnableReport {
    /// The position.
    pub fen: Fen,
    /// The variant.
    pub variant: Variant,
    /// `winnable`, `unwinnable` or `undecided` for White.
    pub white: Option<&'static str>,
    /// The same for Black.
    pub black: Option<&'static str>,
    /// Whether the position is dead; null if that is not known.
    pub dead: Option<bool>,
    /// Moves in UCI that end with White's win.
    pub line_white: Option<String>,
    /// Moves in UCI that end with Black's win.
    pub line_black: Option<String>,
    /// Why White cannot win, in a sentence without its full stop.
    pub proof_white: Option<String>,
    /// Why Black cannot win.
    pub proof_black: Option<String>,
    /// Number of positions visited.
    pub nodes: u64,
    /// Microseconds that the search took.
    pub micros: u64,
    /// Warnings that no game can reach the starting position.
    pub warnings: Vec<String>,
}

impl WinnableRequest {
    /// Computes the verdicts within the cap.
    pub(crate) fn answer(&self, cap: &BudgetCap<'_>) -> Result<WinnableReport, Error> {
        let line = self.position.line()?;
        Ok(with_position!(&line.position, p => self.assess(*p, line.warnings.clone(), cap)))
    }

    fn assess<R: Rules>(
        &self,
        position: Position<R>,
        warnings: Vec<String>,
        cap: &BudgetCap<'_>,
    ) -> WinnableReport {
        let budget = Budget::of_positions(cap.positions(self.budget, cap.positions));
        let begin = (cap.clock)();
        let mut solver = Solver::new();
        let sides = self.side.colors();
        let verdicts = sides.iter().enumerate().map(|(index, &side)| {
            // Share the remaining time evenly among the sides that are left.
            let spent = (cap.clock)().saturating_sub(begin);
            let waiting = u32::try_from(sides.len() - index).unwrap_or(1);
            let limit = cap.time(self.budget, cap.time.saturating_sub(spent) / waiting);
            TimedVerdict::of(&mut solver, &position, side, budget, (limit, cap.clock))
        });
        let chances = PositionVerdicts {
            verdicts: verdicts.collect(),
            position,
            warnings,
        };
        chances.report()
    }
}

/// The verdict on one side, and its cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedVerdict {
    /// The side.
    pub side: Color,
    /// Whether it can win.
    pub verdict: Winnability,
    /// Number of positions visited.
    pub nodes: u64,
    /// Duration of the search.
    pub time: Duration,
}

impl TimedVerdict {
    /// Runs the solver until the budget or, by this clock, the time is used up.
    pub fn of<R: Rules>(
        solver: &mut Solver<R>,
        position: &Position<R>,
        side: Color,
        budget: Budget,
        (limit, clock): (Duration, &(dyn Fn() -> Duration + Sync)),
    ) -> TimedVerdict {
        let begin = clock();
        let time = || clock().saturating_sub(begin);
        let verdict = solver.winnable_until(position, side, budget, || time() >= limit);
        TimedVerdict {
            side,
            verdict,
            nodes: solver.visited(),
            time: time(),
        }
    }
}

/// A position with the verdicts on it.
#[derive(Clone, Debug)]
pub struct PositionVerdicts<R: Rules> {
    /// The position.
    pub position: Position<R>,
    /// The verdicts on the sides that were asked about.
    pub verdicts: Vec<TimedVerdict>,
    /// Warnings that no game can reach the position.
    pub warnings: Vec<String>,
}

impl<R: Rules> PositionVerdicts<R> {
    /// The verdict on a side, if the request asked about it.
    #[must_use]
    pub fn verdict(&self, side: Color) -> Option<&Winnability> {
        let found = self.verdicts.iter().find(|costed| costed.side == side)?;
        Some(&found.verdict)
    }

    /// Whether a verdict is undecided.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        self.verdicts
            .iter()
            .any(|costed| matches!(costed.verdict, Winnability::Undecided { .. }))
    }

    /// Whether the position is dead; `None` if that is not known.
    #[must_use]
    pub fn dead(&self) -> Option<bool> {
        let verdicts = Color::ALL.map(|side| self.verdict(side));
        if verdicts
            .iter()
            .flatten()
            .any(|verdict| verdict.is_winnable())
        {
            Some(false)
        } else {
            verdicts
                .iter()
                .all(|verdict| verdict.is_some_and(Winnability::is_unwinnable))
                .then_some(true)
        }
    }

    /// The verdicts as a label such as `WB` or `W-`; `?` stands for undecided.
    #[must_use]
    pub fn label(&self) -> String {
        let letter = |side, can| match self.verdict(side) {
            Some(Winnability::Winnable(_)) => can,
            Some(Winnability::Unwinnable(_)) => '-',
            Some(Winnability::Undecided { .. }) | None => '?',
        };
        [letter(Color::White, 'W'), letter(Color::Black, 'B')]
            .into_iter()
            .collect()
    }

    /// A line in SAN.
    #[must_use]
    pub fn san(&self, line: &[Move]) -> String {
        self.written(line, |at, mv| at.san(mv).to_string())
    }

    /// A line in UCI.
    fn uci(&self, line: &[Move]) -> String {
        self.written(line, |at, mv| at.uci(mv).to_string())
    }

    fn written(&self, line: &[Move], word: impl Fn(&Position<R>, Move) -> String) -> String {
        let mut at = self.position;
        let words = line.iter().map(|&mv| {
            let word = word(&at, mv);
            at.play(mv);
            word
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The report, as data to serialise.
    #[must_use]
    pub fn report(&self) -> WinnableReport {
        let name = |side| self.verdict(side).map(Winnability::name);
        let line = |side| match self.verdict(side) {
            Some(Winnability::Winnable(line)) => Some(self.uci(line)),
            _ => None,
        };
        let proof = |side| match self.verdict(side) {
            Some(Winnability::Unwinnable(proof)) => Some(proof.to_string()),
            _ => None,
        };
        let micros = self
            .verdicts
            .iter()
            .map(|costed| costed.time.as_micros() as u64);
        WinnableReport {
            fen: self.position.fen(),
            variant: R::VARIANT,
            white: name(Color::White),
            black: name(Color::Black),
            dead: self.dead(),
            line_white: line(Color::White),
            line_black: line(Color::Black),
            proof_white: proof(Color::White),
            proof_black: proof(Color::Black),
            nodes: self.verdicts.iter().map(|costed| costed.nodes).sum(),
            micros: micros.sum(),
            warnings: self.warnings.clone(),
        }
    }
}
