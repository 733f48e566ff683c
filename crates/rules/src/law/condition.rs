//! [`Condition`]: what a move needs, in the words of the law book and with the source of each law.
//! Whether a condition holds in a position is decided in `examine.rs`.

use crate::law::ruleset::Ruleset;
use crate::variant::CastlingMode;
use crate::{MoveKind, Role};

/// Something that a move needs to be legal.
///
/// ```
/// use touchmove_rules::{MoveKind, Variant, law::{Condition, Ruleset}};
///
/// let rules = Ruleset::of(Variant::Chess);
/// let condition = Condition::NoCheckOnPath;
/// assert!(condition.applies(MoveKind::KingLeftCastling, &rules));
/// assert_eq!(condition.source(MoveKind::KingLeftCastling, &rules), "FIDE 3.8.2.2.1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Condition {
    GameGoesOn,
    PieceThere,
    OwnPiece,
    GoesElsewhere,
    MovesThatWay,
    Exists,
    NoOwnPieceThere,
    SquareEmpty,
    OpponentThere,
    SeesSquare,
    PawnNotMoved,
    NotOnItsSeventhRank,
    OnItsSeventhRank,
    OnItsFifthRank,
    JustPassed,
    KingNotMoved,
    RookNotMoved,
    WayFree,
    NotInCheck,
    NoCheckOnPath,
    NoCheckOnArrival,
    KingTakesNothing,
    SparesOneKing,
    SparesOwnKing,
    CheckAnswered,
    KingNotExposed,
    KingSafeThere,
    PromotionChosen,
    NothingPromoted,
}

impl Condition {
    /// Whether the condition is checked for this kind of move under these rules.
    #[must_use]
    pub const fn applies(self, kind: MoveKind, rules: &Ruleset) -> bool {
        let is_king = matches!(kind.role(), Role::King);
        let may_blast = rules.blast && rules.captures(kind);
        let takes_nothing = rules.blast && matches!(kind, MoveKind::KingRegular);
        match self {
            Condition::GameGoesOn => rules.blast,
            Condition::Exists => !rules.has(kind),
            // The king that takes nothing needs an empty square, whoever might stand there.
            Condition::NoOwnPieceThere => !takes_nothing,
            Condition::NotOnItsSeventhRank => rules.promotion,
            Condition::KingTakesNothing => takes_nothing,
            Condition::SparesOneKing => may_blast,
            Condition::SparesOwnKing => may_blast && rules.check,
            Condition::CheckAnswered | Condition::KingNotExposed => rules.check && !is_king,
            Condition::KingSafeThere => rules.check && matches!(kind, MoveKind::KingRegular),
            Condition::PromotionChosen => kind.is_promotion(),
            Condition::NothingPromoted => !kind.is_promotion(),
            _ => true,
        }
    }

    /// The condition in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Condition::GameGoesOn => "Both kings are on the board",
            Condition::PieceThere => "A piece stands on the square the move starts from",
            Condition::OwnPiece => "The piece belongs to the player on move",
            Condition::GoesElsewhere => "The move goes to another square",
            Condition::MovesThatWay => "The piece moves that way",
            Condition::Exists => "The variant has this kind of move",
            Condition::NoOwnPieceThere => "Square has nothing or square has opponent's piece",
            Condition::SquareEmpty => "Square has nothing",
            Condition::OpponentThere => "Square has opponent's piece",
            Condition::SeesSquare => "Sees square: every square on the way is empty",
            Condition::PawnNotMoved => "This piece has not moved",
            Condition::NotOnItsSeventhRank => {
                "The rank is not 7 for a white piece, nor 2 for a black piece: from there it promotes"
            }
            Condition::OnItsSeventhRank => {
                "White piece and rank is 7, or black piece and rank is 2"
            }
            Condition::OnItsFifthRank => "White piece and rank is 5, or black piece and rank is 4",
            Condition::JustPassed => {
                "Opponent's move was Two Steps (pawn) to the square beside this piece, on the side \
                 that it captures to"
            }
            Condition::KingNotMoved => "This piece has not moved",
            Condition::RookNotMoved => "Own rook on that side has not moved and is still there",
            Condition::WayFree => {
                "Sees square: nothing stands between king and rook, nor where they go"
            }
            Condition::NotInCheck => "Not in check",
            Condition::NoCheckOnPath => {
                "No check on path: no square that the king crosses is attacked"
            }
            Condition::NoCheckOnArrival => "The square that the king goes to is not attacked",
            Condition::KingTakesNothing => "Square has nothing",
            Condition::SparesOneKing => "The blast does not reach both kings",
            Condition::SparesOwnKing => "The blast does not reach one's own king",
            Condition::CheckAnswered => "If in check: the move ends the check",
            Condition::KingNotExposed => "Does not cause oneself to be in check",
            Condition::KingSafeThere => "The king is not attacked where it goes",
            Condition::PromotionChosen => "The pawn becomes a queen, rook, bishop or knight",
            Condition::NothingPromoted => "Nothing is promoted",
        }
    }

    /// Where the condition comes from: an article of FIDE's Laws of 2023, or a rule of the variant.
    #[must_use]
    pub const fn source(self, kind: MoveKind, rules: &Ruleset) -> &'static str {
        let shuffled = matches!(rules.castling, CastlingMode::Anywhere);
        let [chess, atomic, simple] = match self {
            Condition::GameGoesOn => ["FIDE 5.1", "Atomic A3", "Simple Atomic 002-9"],
            Condition::PieceThere => ["FIDE 1.1"; 3],
            Condition::OwnPiece => ["FIDE 1.3", "FIDE 1.3", "Simple Atomic 002-3"],
            Condition::GoesElsewhere => ["FIDE 3.2 to 3.8"; 3],
            Condition::MovesThatWay => [how(kind); 3],
            Condition::Exists => ["", "", missing_from_simple_atomic(kind)],
            Condition::NoOwnPieceThere => ["FIDE 3.1"; 3],
            Condition::SquareEmpty if kind.is_en_passant() => ["FIDE 3.7.3.1"; 3],
            Condition::SquareEmpty if matches!(kind, MoveKind::PawnTwoSteps) => ["FIDE 3.7.2"; 3],
            Condition::SquareEmpty => ["FIDE 3.7.1"; 3],
            Condition::OpponentThere => ["FIDE 3.7.3"; 3],
            Condition::SeesSquare if matches!(kind, MoveKind::PawnTwoSteps) => ["FIDE 3.7.2"; 3],
            Condition::SeesSquare => ["FIDE 3.5"; 3],
            Condition::PawnNotMoved => ["FIDE 3.7.2", "FIDE 3.7.2", "Simple Atomic 002-8"],
            Condition::NotOnItsSeventhRank | Condition::OnItsSeventhRank => ["FIDE 3.7.3.3"; 3],
            Condition::OnItsFifthRank => ["FIDE 3.7.3.1"; 3],
            Condition::JustPassed => ["FIDE 3.7.3.2"; 3],
            Condition::KingNotMoved => ["FIDE 3.8.2.1.1"; 3],
            Condition::RookNotMoved => ["FIDE 3.8.2.1.2", "Atomic A7", ""],
            Condition::WayFree if shuffled => ["FIDE Guidelines II.3"; 3],
            Condition::WayFree => ["FIDE 3.8.2.2.2"; 3],
            Condition::NotInCheck | Condition::NoCheckOnPath | Condition::NoCheckOnArrival => {
                ["FIDE 3.8.2.2.1", "Atomic A6", ""]
            }
            Condition::KingTakesNothing => ["", "Atomic A2", "Simple Atomic 002-15"],
            Condition::SparesOneKing => ["", "Atomic A2", "Simple Atomic 002-16"],
            Condition::SparesOwnKing => ["", "Atomic A2", ""],
            Condition::CheckAnswered | Condition::KingNotExposed | Condition::KingSafeThere => {
                ["FIDE 3.9.2", "Atomic A4", ""]
            }
            Condition::PromotionChosen => ["FIDE 3.7.3.3"; 3],
            Condition::NothingPromoted => ["FIDE 3.7.3.3", "FIDE 3.7.3.3", "Simple Atomic 002-7"],
        };
        match (rules.blast, rules.check) {
            (false, _) => chess,
            (true, true) => atomic,
            (true, false) => simple,
        }
    }
}

/// The article that says how a kind of move goes.
const fn how(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::PawnRegular | MoveKind::PawnRegularPromotion => "FIDE 3.7.1",
        MoveKind::PawnTwoSteps => "FIDE 3.7.2",
        MoveKind::PawnCapture | MoveKind::PawnCapturePromotion => "FIDE 3.7.3",
        MoveKind::PawnLeftEnPassant | MoveKind::PawnRightEnPassant => "FIDE 3.7.3.1",
        MoveKind::RookRegular => "FIDE 3.3",
        MoveKind::KnightRegular => "FIDE 3.6",
        MoveKind::BishopRegular => "FIDE 3.2",
        MoveKind::QueenRegular => "FIDE 3.4",
        MoveKind::KingRegular => "FIDE 3.8.1",
        MoveKind::KingLeftCastling | MoveKind::KingRightCastling => "FIDE 3.8.2",
    }
}

const fn missing_from_simple_atomic(kind: MoveKind) -> &'static str {
    if kind.is_castling() {
        "Simple Atomic 002-5"
    } else if kind.is_en_passant() {
        "Simple Atomic 002-6"
    } else {
        "Simple Atomic 002-7"
    }
}
