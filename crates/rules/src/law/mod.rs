//! Applies the law book: why a move is legal, or which law it breaks and what proves it.
//!
//! The [book] says what each of the fourteen kinds of moves needs, as data. [`Position::judge`]
//! checks the conditions one after the other, in the order in which a teacher would name them. It
//! is slow, plain code that shares nothing with the generator but the board: tests compare the two
//! over millions of UCI moves.
//!
//! ```
//! use touchmove_rules::{UciMove, Chess, MoveKind, Position, Square, CastlingSide};
//!
//! let start = Position::<Chess>::start();
//! let mv = start.judge(UciMove::new(Square::E2, Square::E4)).unwrap();
//! assert_eq!(mv.kind(), MoveKind::PawnTwoSteps);
//!
//! let illegal = start.judge(UciMove::new(Square::A1, Square::A5)).unwrap_err();
//! assert_eq!(illegal.to_string(), "the rook on a1 cannot reach a5: the pawn on a2 is in the way");
//!
//! let illegal = start.judge(CastlingSide::King).unwrap_err();
//! assert_eq!(illegal.code(), "castling_blocked");
//! ```

pub mod book;
mod case;
pub mod chapters;
mod condition;
mod effect;
mod examine;
mod explanation;
mod illegal;
mod piece_on_square;
mod reach;
mod ruleset;
mod sentence;

pub use condition::Condition;
pub use effect::MoveEffect;
pub use explanation::{ConditionResult, Explanation};
pub use illegal::Illegal;
pub use piece_on_square::{PieceOnSquare, PiecesOnSquares};
pub use reach::Reach;
pub use ruleset::Ruleset;

use case::{Case, Castle, MoveContext};
use examine::ConditionFinding;

use crate::variant::Rules;
use crate::{CastlingSide, Move, Position, UciMove};

/// A requested move: from square to square, or castling to a side.
///
/// ```
/// use touchmove_rules::{UciMove, Square, CastlingSide, MoveRequest};
///
/// assert_eq!(MoveRequest::from(CastlingSide::King), MoveRequest::Castle(CastlingSide::King));
/// let attempt = UciMove::new(Square::E2, Square::E4);
/// assert_eq!(MoveRequest::from(attempt), MoveRequest::Attempt(attempt));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum MoveRequest {
    Attempt(UciMove),
    Castle(CastlingSide),
}

impl From<UciMove> for MoveRequest {
    fn from(attempt: UciMove) -> MoveRequest {
        MoveRequest::Attempt(attempt)
    }
}

impl From<CastlingSide> for MoveRequest {
    fn from(wing: CastlingSide) -> MoveRequest {
        MoveRequest::Castle(wing)
    }
}

impl<R: Rules> Position<R> {
    /// The legal move that is requested, or the first law that it breaks.
    ///
    /// ```
    /// use touchmove_rules::{UciMove, Chess, Position, Square};
    ///
    /// let start = Position::<Chess>::start();
    /// assert!(start.judge(UciMove::new(Square::G1, Square::F3)).is_ok());
    /// let illegal = start.judge(UciMove::new(Square::E2, Square::D3)).unwrap_err();
    /// assert_eq!(illegal.code(), "pawn_needs_capture");
    /// ```
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn judge(&self, wish: impl Into<MoveRequest>) -> Result<Move, Illegal> {
        self.judge_after(&[], wish)
    }

    /// The same, with the moves that led to this position, the last one last. They may begin
    /// anywhere; the more are known, the more exact are the reasons about en passant and castling.
    ///
    /// ```
    /// use touchmove_rules::{UciMove, Chess, Position, Square};
    ///
    /// let mut position = Position::<Chess>::start();
    /// let mut past = Vec::new();
    /// for san in ["e4", "a6", "e5", "d5", "h3", "h6"] {
    ///     let mv = position.read_san(san).unwrap();
    ///     past.push(mv);
    ///     position.play(mv);
    /// }
    /// let illegal = position.judge_after(&past, UciMove::new(Square::E5, Square::D6)).unwrap_err();
    /// assert_eq!(
    ///     illegal.to_string(),
    ///     "the pawn on e5 can no longer take the pawn on d5 en passant: that was possible only on \
    ///      move 3, right after its two steps",
    /// );
    /// ```
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn judge_after(
        &self,
        past: &[Move],
        wish: impl Into<MoveRequest>,
    ) -> Result<Move, Illegal> {
        let scene = self.scene(past);
        let (case, other) = scene
            .cases(wish.into())
            .map_err(|refused| refused.illegal)?;
        let Some(illegal) = case.first_broken() else {
            return Ok(case.build_move());
        };
        match other {
            Some(other) if other.first_broken().is_none() => Ok(other.build_move()),
            _ => Err(illegal),
        }
    }

    /// The verdict with every condition that was checked, and every law that is broken.
    ///
    /// ```
    /// use touchmove_rules::{UciMove, Chess, Position, Square};
    ///
    /// let position = Position::<Chess>::from_fen("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1").unwrap();
    /// let explanation = position.explain(&[], UciMove::new(Square::A1, Square::G1));
    /// let broken: Vec<_> = explanation.broken().map(|illegal| illegal.code()).collect();
    /// assert_eq!(broken, ["path_blocked", "leaves_check"]);
    /// assert_eq!(explanation.verdict().unwrap_err().code(), "path_blocked");
    /// ```
    #[must_use]
    pub fn explain(&self, past: &[Move], wish: impl Into<MoveRequest>) -> Explanation {
        let scene = self.scene(past);
        match scene.cases(wish.into()) {
            Err(refused) => Explanation::refused(&scene, refused),
            Ok((case, other)) => {
                let legal = |case: &Case<'_>| case.first_broken().is_none();
                Explanation::of(
                    &other
                        .filter(|other| legal(other) && !legal(&case))
                        .unwrap_or(case),
                )
            }
        }
    }

    fn scene<'a>(&'a self, past: &'a [Move]) -> MoveContext<'a> {
        MoveContext {
            state: &self.state,
            rules: Ruleset::from_rules::<R>(),
            past,
        }
    }
}

/// A request that failed before its kind of move was known.
struct UnresolvedMove {
    /// The condition that failed.
    condition: Condition,
    /// The piece that was to move, where there is one.
    man: Option<PieceOnSquare>,
    illegal: Illegal,
}

impl<'a> MoveContext<'a> {
    /// What a request can mean, the likelier first.
    fn cases(&self, wish: MoveRequest) -> Result<(Case<'a>, Option<Case<'a>>), UnresolvedMove> {
        let refuse = |condition, man, illegal| {
            Err(UnresolvedMove {
                condition,
                man,
                illegal,
            })
        };
        if let Some(illegal) = self.game_over() {
            return refuse(Condition::GameGoesOn, None, illegal);
        }
        let attempt = match wish {
            MoveRequest::Attempt(attempt) => attempt,
            MoveRequest::Castle(wing) => {
                let home = |king: PieceOnSquare| self.rook_home(king.square, wing);
                let castle = |king| {
                    self.castling(
                        king,
                        Castle {
                            wing,
                            home: home(king),
                        },
                        None,
                    )
                };
                return match self.king() {
                    Some(king) => Ok((castle(king), None)),
                    None => refuse(
                        Condition::GameGoesOn,
                        None,
                        Illegal::GameOver { loser: self.us() },
                    ),
                };
            }
        };
        let (from, to) = (attempt.from, attempt.to);
        let Some(man) = PieceOnSquare::on(self.board(), from) else {
            return refuse(Condition::PieceThere, None, Illegal::NoPiece { from });
        };
        if man.piece.color != self.us() {
            return refuse(
                Condition::OwnPiece,
                Some(man),
                Illegal::NotYourPiece { man },
            );
        }
        match self.meanings(man, attempt) {
            [Some(case), other] => Ok((case, other)),
            // Only a castling can leave its king where it stands.
            [None, _] if from == to => refuse(
                Condition::GoesElsewhere,
                Some(man),
                Illegal::SameSquare { man },
            ),
            [None, _] => refuse(
                Condition::MovesThatWay,
                Some(man),
                Illegal::WrongWay { man, to },
            ),
        }
    }
}

impl Case<'_> {
    /// The conditions that are checked now that the kind is known, and the results.
    fn findings(&self) -> impl Iterator<Item = (Condition, ConditionFinding)> {
        book::particular(self.kind)
            .filter(|condition| condition.applies(self.kind, &self.scene.rules))
            .map(|condition| (condition, self.examine(condition)))
    }

    fn first_broken(&self) -> Option<Illegal> {
        self.findings().find_map(|(_, finding)| match finding {
            ConditionFinding::Broken(illegal) => Some(illegal),
            ConditionFinding::Met | ConditionFinding::Moot => None,
        })
    }
}
