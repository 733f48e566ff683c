//! Why a move is legal or not: the request and the answer of `touchmove explain --json`. The law book
//! decides; this module asks it and serialises the result.

use serde::{Deserialize, Serialize};
use touchmove_rules::law::ConditionResult;
use touchmove_rules::{
    Bitboard, Explanation, Fen, Illegal, Move, MoveInputError, MoveKind, MoveRequest, UciMove,
    Variant,
};

use crate::budget::{MAX_TEXT_BYTES, bounded};
use crate::{Error, MoveSequence, PositionInput};

/// Say why a move is legal or not: what it does, or the law that it breaks and what proves it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplainRequest {
    /// The position.
    #[serde(default)]
    pub position: PositionInput,
    /// The move as a person types it: `e2e4`, `e2 e4`, `Nf3`, `exd5`, `O-O`, `e8=Q`.
    #[serde(rename = "move")]
    pub typed: String,
}

/// The verdict on a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExplainReport {
    /// The variant.
    pub variant: Variant,
    /// The position before the move.
    pub fen: Fen,
    /// The move as it was typed.
    #[serde(rename = "move")]
    pub typed: String,
    /// Whether it is legal.
    pub legal: bool,
    /// What kind of move it is, or would be.
    pub kind: Option<MoveKind>,
    /// The move in SAN, if it is legal.
    pub san: Option<String>,
    /// Its from and to squares in UCI, if they are clear.
    pub uci: Option<UciMove>,
    /// The code of the reason why it is illegal.
    pub reason: Option<&'static str>,
    /// The squares that prove it; for a legal move, the squares that its explosion empties.
    pub evidence: Bitboard,
    /// The conditions of this kind of move.
    pub conditions: Vec<ConditionReport>,
    /// Every law that the move breaks.
    pub broken: Vec<BrokenLawReport>,
    /// What a legal move does.
    pub effects: Vec<String>,
    /// The verdict in a sentence.
    pub text: String,
    /// What may have been meant.
    pub suggestions: Vec<String>,
    /// Warnings that no game can reach the starting position.
    pub warnings: Vec<String>,
}

/// One condition of a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ConditionReport {
    /// What the condition demands.
    pub name: &'static str,
    /// The law that demands it.
    pub source: &'static str,
    /// Whether it holds.
    pub holds: bool,
}

/// A law that is broken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BrokenLawReport {
    /// The code of the reason.
    pub reason: &'static str,
    /// The squares that prove it.
    pub evidence: Bitboard,
    /// A sentence without its full stop.
    pub text: String,
}

impl ExplainRequest {
    /// Computes the verdict on the move.
    pub(crate) fn answer(&self) -> Result<ExplainReport, Error> {
        let text = bounded("move", &self.typed, MAX_TEXT_BYTES)?;
        if text.trim().is_empty() {
            return Err(Error::NoMove);
        }
        Ok(MoveExplanation::new(self.position.line()?, text.to_owned()).report())
    }
}

/// A typed move with everything that the law book says about it.
///
/// ```
/// use touchmove_arbiter::{MoveExplanation, PositionInput};
///
/// let explained = MoveExplanation::new(PositionInput::default().line().unwrap(), "Bc4".to_owned());
/// assert!(explained.answer.is_err());
/// assert_eq!(
///     explained.sentence(),
///     "Bc4 is illegal: the bishop on f1 cannot reach c4: the pawn on e2 is in the way.",
/// );
/// ```
#[derive(Clone, Debug)]
pub struct MoveExplanation {
    /// The position and the moves that led to it.
    pub line: MoveSequence,
    /// The text as typed.
    pub text: String,
    /// The legal move that it means, or why there is none.
    pub answer: Result<Move, MoveInputError>,
    /// The law book's explanation, if it is clear which move is meant.
    pub explanation: Option<Explanation>,
}

impl MoveExplanation {
    /// Asks the law book.
    #[must_use]
    pub fn new(line: MoveSequence, text: String) -> MoveExplanation {
        let position = &line.position;
        let answer = position.read_input_after(&line.past, &text);
        let wish = match &answer {
            Ok(mv) => Some(MoveRequest::from(position.uci(*mv))),
            Err(MoveInputError::Illegal { wish, .. }) => Some(*wish),
            Err(MoveInputError::PromotionMissing { attempt, .. }) => {
                Some(MoveRequest::from(*attempt))
            }
            Err(_) => None,
        };
        let explanation = wish.map(|wish| position.explain(&line.past, wish));
        MoveExplanation {
            line,
            text,
            answer,
            explanation,
        }
    }

    /// The verdict in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let position = &self.line.position;
        match &self.answer {
            Ok(mv) => {
                let (san, kind) = (position.san(*mv), mv.kind());
                match self.effects().as_slice() {
                    [] => format!("{san} is legal: {kind}."),
                    effects => format!("{san} is legal: {kind}. It {}.", effects.join("; it ")),
                }
            }
            Err(misread @ (MoveInputError::Invalid { .. } | MoveInputError::Ambiguous { .. })) => {
                format!("{misread}.")
            }
            Err(misread) => format!("{} is illegal: {misread}.", self.text.trim()),
        }
    }

    /// What a legal move does.
    fn effects(&self) -> Vec<String> {
        let position = &self.line.position;
        let legal = self.answer.as_ref().ok();
        let effects = legal.map_or(Vec::new(), |mv| position.effects(*mv));
        effects.iter().map(ToString::to_string).collect()
    }

    fn illegal(&self) -> Option<Illegal> {
        self.explanation.as_ref()?.verdict().err()
    }

    /// The squares that prove the verdict; for a legal move, the squares that its explosion empties.
    #[must_use]
    pub fn evidence(&self) -> Bitboard {
        match &self.answer {
            Ok(mv) => self.line.position.exploded_squares(*mv),
            Err(_) => self
                .illegal()
                .map_or(Bitboard::EMPTY, |illegal| illegal.squares()),
        }
    }

    /// The move that the text means, from square to square.
    #[must_use]
    pub fn attempt(&self) -> Option<UciMove> {
        let position = &self.line.position;
        match &self.answer {
            Ok(mv) => Some(position.uci(*mv)),
            Err(MoveInputError::PromotionMissing { attempt, .. }) => Some(*attempt),
            Err(MoveInputError::Illegal { wish, .. }) => match wish {
                MoveRequest::Attempt(attempt) => Some(*attempt),
                MoveRequest::Castle(wing) => {
                    let king = position.board().king_of(position.turn())?;
                    Some(UciMove::new(king, wing.king_target(position.turn())))
                }
            },
            Err(_) => None,
        }
    }

    /// What may have been meant, in SAN.
    #[must_use]
    pub fn suggestions(&self) -> Vec<String> {
        let position = &self.line.position;
        match &self.answer {
            Ok(_) => Vec::new(),
            Err(MoveInputError::Ambiguous { candidates, .. }) => candidates.clone(),
            Err(MoveInputError::PromotionMissing { choices, .. }) => choices.clone(),
            Err(_) => position
                .did_you_mean(&self.text)
                .into_iter()
                .map(|mv| position.san(mv).to_string())
                .collect(),
        }
    }

    /// The conditions of such a move, if it is clear which move is meant.
    #[must_use]
    pub fn checklist(&self) -> &[ConditionResult] {
        self.explanation
            .as_ref()
            .map_or(&[], |explanation| explanation.checklist())
    }

    /// The report, as data to serialise.
    #[must_use]
    pub fn report(&self) -> ExplainReport {
        let position = &self.line.position;
        let legal = self.answer.as_ref().ok();
        let conditions = self.checklist().iter().map(|check| ConditionReport {
            name: check.condition.text(),
            source: check.source,
            holds: check.holds(),
        });
        let broken = self.checklist().iter().filter_map(|check| check.broken);
        let broken = broken.map(|illegal| BrokenLawReport {
            reason: illegal.code(),
            evidence: illegal.squares(),
            text: illegal.to_string(),
        });
        ExplainReport {
            variant: position.variant(),
            fen: position.fen(),
            typed: self.text.clone(),
            legal: legal.is_some(),
            kind: self.explanation.as_ref().and_then(|found| found.kind()),
            san: legal.map(|mv| position.san(*mv).to_string()),
            uci: self.attempt(),
            reason: self.answer.as_ref().err().map(MoveInputError::code),
            evidence: self.evidence(),
            conditions: conditions.collect(),
            broken: broken.collect(),
            effects: self.effects(),
            text: self.sentence(),
            suggestions: self.suggestions(),
            warnings: self.line.warnings.clone(),
        }
    }
}
