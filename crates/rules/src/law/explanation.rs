//! [`Explanation`]: a verdict with the checklist that led to it. The words come from the conditions and reasons.

use crate::law::case::Case;
use crate::law::condition::Condition;
use crate::law::examine::ConditionFinding;
use crate::law::illegal::Illegal;
use crate::law::{MoveContext, UnresolvedMove, book};
use crate::{Move, MoveKind};

/// One condition that was checked, and the result.
///
/// ```
/// use touchmove_rules::{UciMove, Chess, Position, Square};
///
/// let start = Position::<Chess>::start();
/// let explanation = start.explain(&[], UciMove::new(Square::A1, Square::A5));
/// let broken = explanation.checklist().iter().find(|check| !check.holds()).unwrap();
/// assert_eq!(broken.source, "FIDE 3.5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConditionResult {
    /// The condition.
    pub condition: Condition,
    /// The law it comes from.
    pub source: &'static str,
    /// Why it does not hold, if it does not.
    pub broken: Option<Illegal>,
}

impl ConditionResult {
    /// Whether the condition holds.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.broken.is_none()
    }
}

/// The answer of [`Position::explain`](crate::Position::explain): the verdict, the kind of move,
/// and the whole checklist.
///
/// ```
/// use touchmove_rules::{UciMove, Chess, MoveKind, Position, Square};
///
/// let start = Position::<Chess>::start();
/// let explanation = start.explain(&[], UciMove::new(Square::E2, Square::E4));
/// assert!(explanation.verdict().is_ok());
/// assert_eq!(explanation.kind(), Some(MoveKind::PawnTwoSteps));
/// assert!(explanation.checklist().iter().all(|check| check.holds()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    verdict: Result<Move, Illegal>,
    kind: Option<MoveKind>,
    checklist: Vec<ConditionResult>,
}

impl Explanation {
    /// The legal move, or the first law that is broken.
    ///
    /// # Errors
    /// If the move is illegal.
    pub const fn verdict(&self) -> Result<Move, Illegal> {
        self.verdict
    }

    /// The kind of move that was meant, if the piece goes that way at all.
    #[must_use]
    pub const fn kind(&self) -> Option<MoveKind> {
        self.kind
    }

    /// Every condition that could be checked, in order.
    #[must_use]
    pub fn checklist(&self) -> &[ConditionResult] {
        &self.checklist
    }

    /// Every law that is broken, the one to name first first.
    pub fn broken(&self) -> impl Iterator<Item = &Illegal> {
        self.checklist
            .iter()
            .filter_map(|check| check.broken.as_ref())
    }

    pub(super) fn refused(scene: &MoveContext<'_>, refused: UnresolvedMove) -> Explanation {
        // The kind is unknown; any kind of move of the same piece will do here.
        let role = refused.man.map(|man| man.piece.role);
        let kind = MoveKind::ALL
            .into_iter()
            .find(|kind| Some(kind.role()) == role)
            .unwrap_or(MoveKind::PawnRegular);
        let checklist = book::ANY_MOVE_CONDITIONS
            .into_iter()
            .filter(|condition| condition.applies(kind, &scene.rules))
            .take_while(|&condition| condition <= refused.condition)
            .map(|condition| ConditionResult {
                condition,
                source: condition.source(kind, &scene.rules),
                broken: (condition == refused.condition).then_some(refused.illegal),
            })
            .collect();
        Explanation {
            verdict: Err(refused.illegal),
            kind: None,
            checklist,
        }
    }

    pub(super) fn of(case: &Case<'_>) -> Explanation {
        let rules = &case.scene.rules;
        let met = book::ANY_MOVE_CONDITIONS
            .into_iter()
            .filter(|condition| condition.applies(case.kind, rules))
            .map(|condition| (condition, ConditionFinding::Met));
        let checklist: Vec<ConditionResult> = met
            .chain(case.findings())
            .filter_map(|(condition, finding)| {
                Some(ConditionResult {
                    condition,
                    source: condition.source(case.kind, rules),
                    broken: match finding {
                        ConditionFinding::Met => None,
                        ConditionFinding::Broken(illegal) => Some(illegal),
                        ConditionFinding::Moot => return None,
                    },
                })
            })
            .collect();
        let first = checklist.iter().find_map(|check| check.broken);
        Explanation {
            verdict: first.map_or_else(|| Ok(case.build_move()), Err),
            kind: Some(case.kind),
            checklist,
        }
    }
}
