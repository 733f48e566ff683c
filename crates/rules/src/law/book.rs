//! The law book: the fourteen kinds of moves, how each goes and what it needs, as plain data.
//! [`Position::judge`](crate::Position::judge) applies it and the frontends print it; neither adds
//! a law of its own.

use crate::MoveKind;
use crate::law::condition::Condition;
use crate::law::reach::Reach;
use crate::law::ruleset::Ruleset;

/// What the law book says about one kind of move.
///
/// ```
/// use touchmove_rules::{MoveKind, law::book};
///
/// let article = book::article(MoveKind::KnightRegular);
/// assert_eq!(article.conditions, [], "a knight needs nothing more than every move does");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Article {
    /// The kind.
    pub kind: MoveKind,
    /// Where it goes.
    pub reach: Reach,
    /// How it goes, in words, in chess; see [`movement`](Article::movement).
    movement: &'static str,
    /// What it needs beyond what every move needs.
    pub conditions: &'static [Condition],
    /// A position of chess and a move of this kind in it.
    pub example: Example,
}

impl Article {
    /// How the move goes, in words. Where captures explode, kings take nothing.
    #[must_use]
    pub const fn movement(&self, rules: &Ruleset) -> &'static str {
        match self.kind {
            MoveKind::KingRegular if !rules.captures(self.kind) => {
                "One square in any direction, to an empty square."
            }
            _ => self.movement,
        }
    }
}

/// A position with a move.
///
/// ```
/// use touchmove_rules::{Chess, MoveKind, Position, law::book};
///
/// let example = book::article(MoveKind::PawnTwoSteps).example;
/// let position = Position::<Chess>::from_fen(example.fen).unwrap();
/// assert_eq!(position.read_uci(example.uci).unwrap().kind(), MoveKind::PawnTwoSteps);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The position.
    pub fen: &'static str,
    /// The move in UCI form.
    pub uci: &'static str,
}

/// The conditions of any move that are checked before its kind is known, in order.
pub const ANY_MOVE_CONDITIONS: [Condition; 5] = [
    Condition::GameGoesOn,
    Condition::PieceThere,
    Condition::OwnPiece,
    Condition::GoesElsewhere,
    Condition::MovesThatWay,
];

/// What every kind of move needs first.
pub const FIRST_CONDITIONS: [Condition; 2] = [Condition::Exists, Condition::NoOwnPieceThere];

/// What every kind of move needs last: the kings must survive it, and a promotion must name its piece.
pub const LAST_CONDITIONS: [Condition; 8] = [
    Condition::KingTakesNothing,
    Condition::SparesOneKing,
    Condition::SparesOwnKing,
    Condition::CheckAnswered,
    Condition::KingNotExposed,
    Condition::KingSafeThere,
    Condition::PromotionChosen,
    Condition::NothingPromoted,
];

const CASTLING_CONDITIONS: &[Condition] = &[
    Condition::KingNotMoved,
    Condition::RookNotMoved,
    Condition::WayFree,
    Condition::NotInCheck,
    Condition::NoCheckOnPath,
    Condition::NoCheckOnArrival,
];

const EN_PASSANT_CONDITIONS: &[Condition] = &[
    Condition::SquareEmpty,
    Condition::OnItsFifthRank,
    Condition::JustPassed,
];

/// The articles, in the order of [`MoveKind::ALL`].
pub static ARTICLES: [Article; 14] = [
    Article {
        kind: MoveKind::PawnRegular,
        reach: Reach::Ahead,
        movement: "One square straight ahead.",
        conditions: &[Condition::SquareEmpty, Condition::NotOnItsSeventhRank],
        example: Example {
            fen: "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1",
            uci: "e3e4",
        },
    },
    Article {
        kind: MoveKind::PawnTwoSteps,
        reach: Reach::TwoAhead,
        movement: "Two squares straight ahead, as the pawn's first move.",
        conditions: &[
            Condition::PawnNotMoved,
            Condition::SeesSquare,
            Condition::SquareEmpty,
        ],
        example: Example {
            fen: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            uci: "e2e4",
        },
    },
    Article {
        kind: MoveKind::PawnCapture,
        reach: Reach::DiagonallyAhead,
        movement: "One square diagonally ahead, taking what stands there.",
        conditions: &[Condition::OpponentThere, Condition::NotOnItsSeventhRank],
        example: Example {
            fen: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
            uci: "e4d5",
        },
    },
    Article {
        kind: MoveKind::PawnRegularPromotion,
        reach: Reach::Ahead,
        movement: "One square straight ahead to the last rank, where the pawn is exchanged for a \
                   queen, rook, bishop or knight of its colour, as the player chooses.",
        conditions: &[Condition::SquareEmpty, Condition::OnItsSeventhRank],
        example: Example {
            fen: "8/4P3/8/8/8/k7/8/4K3 w - - 0 1",
            uci: "e7e8q",
        },
    },
    Article {
        kind: MoveKind::PawnCapturePromotion,
        reach: Reach::DiagonallyAhead,
        movement: "One square diagonally ahead to the last rank, taking what stands there; the pawn \
                   is exchanged as in Regular Promotion.",
        conditions: &[Condition::OpponentThere, Condition::OnItsSeventhRank],
        example: Example {
            fen: "3r4/4P3/8/8/8/k7/8/4K3 w - - 0 1",
            uci: "e7d8q",
        },
    },
    Article {
        kind: MoveKind::PawnLeftEnPassant,
        reach: Reach::AheadLeft,
        movement: "One square diagonally ahead to the left; the pawn that has just made two steps to \
                   the square on the left, (-1, 0), is taken as though it had made one.",
        conditions: EN_PASSANT_CONDITIONS,
        example: Example {
            fen: "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            uci: "e5d6",
        },
    },
    Article {
        kind: MoveKind::PawnRightEnPassant,
        reach: Reach::AheadRight,
        movement: "One square diagonally ahead to the right; the pawn that has just made two steps \
                   to the square on the right, (1, 0), is taken as though it had made one.",
        conditions: EN_PASSANT_CONDITIONS,
        example: Example {
            fen: "4k3/8/8/4Pp2/8/8/8/4K3 w - f6 0 1",
            uci: "e5f6",
        },
    },
    Article {
        kind: MoveKind::RookRegular,
        reach: Reach::Straight,
        movement: "Any number of squares along a rank or file, taking what stands on the last.",
        conditions: &[Condition::SeesSquare],
        example: Example {
            fen: "7k/8/8/8/3R4/8/8/K7 w - - 0 1",
            uci: "d4d7",
        },
    },
    Article {
        kind: MoveKind::KnightRegular,
        reach: Reach::Leap,
        movement: "Two squares along a rank or file and one across, over whatever stands between, \
                   taking what stands there.",
        conditions: &[],
        example: Example {
            fen: "7k/8/8/8/3N4/8/8/K7 w - - 0 1",
            uci: "d4e6",
        },
    },
    Article {
        kind: MoveKind::BishopRegular,
        reach: Reach::Diagonal,
        movement: "Any number of squares along a diagonal, taking what stands on the last.",
        conditions: &[Condition::SeesSquare],
        example: Example {
            fen: "k7/8/8/8/3B4/8/8/7K w - - 0 1",
            uci: "d4f6",
        },
    },
    Article {
        kind: MoveKind::QueenRegular,
        reach: Reach::StraightOrDiagonal,
        movement: "Any number of squares along a rank, file or diagonal, taking what stands on the \
                   last.",
        conditions: &[Condition::SeesSquare],
        example: Example {
            fen: "k7/8/8/8/3Q4/8/8/6K1 w - - 0 1",
            uci: "d4f6",
        },
    },
    Article {
        kind: MoveKind::KingRegular,
        reach: Reach::Neighbour,
        movement: "One square in any direction, taking what stands there.",
        conditions: &[],
        example: Example {
            fen: "7k/8/8/8/3K4/8/8/8 w - - 0 1",
            uci: "d4e5",
        },
    },
    Article {
        kind: MoveKind::KingLeftCastling,
        reach: Reach::Castling,
        movement: "The king and the rook on its left move together: White's king to c1 and the rook \
                   to d1 (O-O-O), Black's king to g8 and the rook to f8 (O-O).",
        conditions: CASTLING_CONDITIONS,
        example: Example {
            fen: "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            uci: "e1c1",
        },
    },
    Article {
        kind: MoveKind::KingRightCastling,
        reach: Reach::Castling,
        movement: "The king and the rook on its right move together: White's king to g1 and the rook \
                   to f1 (O-O), Black's king to c8 and the rook to d8 (O-O-O).",
        conditions: CASTLING_CONDITIONS,
        example: Example {
            fen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            uci: "e1g1",
        },
    },
];

/// The article about a kind of move.
#[must_use]
pub fn article(kind: MoveKind) -> &'static Article {
    &ARTICLES[kind as usize]
}

/// Everything that a kind of move needs under these rules, in the order in which it is checked.
pub fn conditions(kind: MoveKind, rules: &Ruleset) -> impl Iterator<Item = Condition> {
    let rules = *rules;
    ANY_MOVE_CONDITIONS
        .into_iter()
        .chain(particular(kind))
        .filter(move |condition| condition.applies(kind, &rules))
}

/// The conditions that are checked once the kind of a move is known.
pub(super) fn particular(kind: MoveKind) -> impl Iterator<Item = Condition> {
    let own = article(kind).conditions.iter().copied();
    FIRST_CONDITIONS
        .into_iter()
        .chain(own)
        .chain(LAST_CONDITIONS)
}
