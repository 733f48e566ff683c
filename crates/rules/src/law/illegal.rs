//! [`Illegal`]: every reason why a move is not allowed, each with its evidence. The sentence for
//! each is in [`sentence`](crate::law::sentence); which reason holds is decided in `examine.rs`.

use crate::law::piece_on_square::{PieceOnSquare, PiecesOnSquares};
use crate::{Bitboard, CastlingSide, Color, Role, Square, Variant};

/// Why a move is not allowed, with the pieces and squares that prove it.
///
/// ```
/// use touchmove_rules::{UciMove, Chess, Illegal, Position, Square};
///
/// let position = Position::<Chess>::from_fen("3rk3/8/8/8/8/3B4/8/3K4 w - - 0 1").unwrap();
/// let illegal = position.judge(UciMove::new(Square::D3, Square::E4)).unwrap_err();
/// assert_eq!(illegal.code(), "pinned");
/// assert_eq!(
///     illegal.to_string(),
///     "the bishop on d3 is pinned to its king on d1 by the rook on d8",
/// );
/// assert_eq!(illegal.squares().into_iter().collect::<Vec<_>>(), [Square::D1, Square::D3, Square::D8]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Illegal {
    /// A king has exploded: the game is over.
    GameOver { loser: Color },
    /// The square is empty.
    NoPiece { from: Square },
    /// The piece is the opponent's.
    NotYourPiece { man: PieceOnSquare },
    /// A move that goes nowhere.
    SameSquare { man: PieceOnSquare },
    /// No piece of its kind goes there from here, on any board.
    WrongWay { man: PieceOnSquare, to: Square },
    /// One's own piece stands on the target.
    OwnPieceThere {
        man: PieceOnSquare,
        blocker: PieceOnSquare,
    },
    /// Something stands in the way.
    PathBlocked {
        man: PieceOnSquare,
        to: Square,
        blocker: PieceOnSquare,
    },
    /// A pawn walks into an enemy piece in front of it.
    PawnCannotCaptureStraight {
        pawn: PieceOnSquare,
        blocker: PieceOnSquare,
    },
    /// A pawn goes diagonally to an empty square.
    PawnNeedsCapture { pawn: PieceOnSquare, to: Square },
    /// Two steps by a pawn that has moved.
    TwoStepsNotFirst { pawn: PieceOnSquare },
    /// The move does not say what the pawn promotes to.
    PromotionMissing { pawn: PieceOnSquare, to: Square },
    /// A pawn cannot promote to that.
    PromotionNotAllowed { pawn: PieceOnSquare, role: Role },
    /// A pawn is to promote before the last rank.
    PromotionNotOnLastRank { pawn: PieceOnSquare, to: Square },
    /// Something other than a pawn is to promote.
    PromotionNotAPawn { man: PieceOnSquare },
    /// The variant has no promotion.
    NoPromotion {
        man: PieceOnSquare,
        to: Square,
        variant: Variant,
    },
    /// The variant has no capture en passant.
    NoEnPassant {
        pawn: PieceOnSquare,
        victim: PieceOnSquare,
        variant: Variant,
    },
    /// No pawn stands where one could be taken en passant.
    EnPassantNoPawn {
        pawn: PieceOnSquare,
        to: Square,
        beside: Square,
    },
    /// The pawn did not make its two steps with the last move.
    EnPassantNoTwoSteps {
        pawn: PieceOnSquare,
        victim: PieceOnSquare,
    },
    /// The pawn made its two steps earlier, and could be taken only on the move of this number.
    EnPassantTooLate {
        pawn: PieceOnSquare,
        victim: PieceOnSquare,
        was_possible_on_move: u32,
    },
    /// The variant has no castling.
    NoCastling {
        king: PieceOnSquare,
        variant: Variant,
    },
    /// The king has moved, on the move of this number if that is known.
    CastlingKingMoved {
        king: PieceOnSquare,
        on_move: Option<u32>,
    },
    /// The rook has moved, on the move of this number if that is known.
    CastlingRookMoved {
        rook: PieceOnSquare,
        on_move: Option<u32>,
    },
    /// There is no rook to castle with, on the square where one would be if that is known.
    CastlingRookGone {
        king: PieceOnSquare,
        wing: CastlingSide,
        home: Option<Square>,
    },
    /// King or rook have moved; nothing tells which.
    CastlingRightLost {
        king: PieceOnSquare,
        rook: PieceOnSquare,
    },
    /// Something stands in the way of king or rook.
    CastlingBlocked {
        rook: PieceOnSquare,
        blocker: PieceOnSquare,
    },
    /// The king castles out of check.
    CastlingInCheck {
        king: PieceOnSquare,
        checkers: PiecesOnSquares,
    },
    /// The king crosses an attacked square.
    CastlingThroughCheck {
        king: PieceOnSquare,
        square: Square,
        attackers: PiecesOnSquares,
    },
    /// The king arrives on an attacked square.
    CastlingIntoCheck {
        king: PieceOnSquare,
        square: Square,
        attackers: PiecesOnSquares,
    },
    /// The piece shields its king and may not leave the line.
    Pinned {
        man: PieceOnSquare,
        king: PieceOnSquare,
        pinner: PieceOnSquare,
    },
    /// The king is in check and stays so.
    LeavesCheck {
        king: PieceOnSquare,
        checkers: PiecesOnSquares,
    },
    /// The king goes where it is attacked.
    KingIntoAttack {
        king: PieceOnSquare,
        to: Square,
        attackers: PiecesOnSquares,
    },
    /// With both pawns gone from their squares, the king is attacked.
    EnPassantExposesKing {
        pawn: PieceOnSquare,
        victim: PieceOnSquare,
        king: PieceOnSquare,
        attackers: PiecesOnSquares,
    },
    /// With the pieces gone that the explosion removes, the king is attacked.
    BlastExposesKing {
        centre: Square,
        king: PieceOnSquare,
        attackers: PiecesOnSquares,
    },
    /// Where captures explode, a king never captures.
    KingCannotCapture {
        king: PieceOnSquare,
        victim: PieceOnSquare,
        variant: Variant,
    },
    /// The explosion would remove the mover's own king.
    OwnKingExplodes { king: PieceOnSquare, centre: Square },
    /// The explosion would remove both kings.
    BothKingsExplode {
        king: PieceOnSquare,
        other: PieceOnSquare,
        centre: Square,
    },
}

impl Illegal {
    /// Every [`code`](Illegal::code), in the order of the reasons.
    pub const CODES: [&'static str; 36] = [
        "game_over",
        "no_piece",
        "not_your_piece",
        "same_square",
        "wrong_way",
        "own_piece_there",
        "path_blocked",
        "pawn_cannot_capture_straight",
        "pawn_needs_capture",
        "two_steps_not_first",
        "promotion_missing",
        "promotion_not_allowed",
        "promotion_not_on_last_rank",
        "promotion_not_a_pawn",
        "no_promotion_in_variant",
        "no_en_passant_in_variant",
        "en_passant_no_pawn",
        "en_passant_no_two_steps",
        "en_passant_too_late",
        "no_castling_in_variant",
        "castling_king_moved",
        "castling_rook_moved",
        "castling_rook_gone",
        "castling_right_lost",
        "castling_blocked",
        "castling_in_check",
        "castling_through_check",
        "castling_into_check",
        "pinned",
        "leaves_check",
        "king_into_attack",
        "en_passant_exposes_king",
        "blast_exposes_king",
        "king_cannot_capture",
        "own_king_explodes",
        "both_kings_explode",
    ];

    /// The stable code of the reason for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        Illegal::CODES[self.number()]
    }

    const fn number(&self) -> usize {
        match self {
            Illegal::GameOver { .. } => 0,
            Illegal::NoPiece { .. } => 1,
            Illegal::NotYourPiece { .. } => 2,
            Illegal::SameSquare { .. } => 3,
            Illegal::WrongWay { .. } => 4,
            Illegal::OwnPieceThere { .. } => 5,
            Illegal::PathBlocked { .. } => 6,
            Illegal::PawnCannotCaptureStraight { .. } => 7,
            Illegal::PawnNeedsCapture { .. } => 8,
            Illegal::TwoStepsNotFirst { .. } => 9,
            Illegal::PromotionMissing { .. } => 10,
            Illegal::PromotionNotAllowed { .. } => 11,
            Illegal::PromotionNotOnLastRank { .. } => 12,
            Illegal::PromotionNotAPawn { .. } => 13,
            Illegal::NoPromotion { .. } => 14,
            Illegal::NoEnPassant { .. } => 15,
            Illegal::EnPassantNoPawn { .. } => 16,
            Illegal::EnPassantNoTwoSteps { .. } => 17,
            Illegal::EnPassantTooLate { .. } => 18,
            Illegal::NoCastling { .. } => 19,
            Illegal::CastlingKingMoved { .. } => 20,
            Illegal::CastlingRookMoved { .. } => 21,
            Illegal::CastlingRookGone { .. } => 22,
            Illegal::CastlingRightLost { .. } => 23,
            Illegal::CastlingBlocked { .. } => 24,
            Illegal::CastlingInCheck { .. } => 25,
            Illegal::CastlingThroughCheck { .. } => 26,
            Illegal::CastlingIntoCheck { .. } => 27,
            Illegal::Pinned { .. } => 28,
            Illegal::LeavesCheck { .. } => 29,
            Illegal::KingIntoAttack { .. } => 30,
            Illegal::EnPassantExposesKing { .. } => 31,
            Illegal::BlastExposesKing { .. } => 32,
            Illegal::KingCannotCapture { .. } => 33,
            Illegal::OwnKingExplodes { .. } => 34,
            Illegal::BothKingsExplode { .. } => 35,
        }
    }

    /// The squares to point at: the pieces and squares that the sentence names.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        let of = |men: &[PieceOnSquare]| men.iter().map(|man| man.square).collect::<Bitboard>();
        match *self {
            Illegal::GameOver { .. } => Bitboard::EMPTY,
            Illegal::NoPiece { from } => from.set(),
            Illegal::NotYourPiece { man }
            | Illegal::SameSquare { man }
            | Illegal::PromotionNotAPawn { man } => of(&[man]),
            Illegal::WrongWay { man, to } | Illegal::NoPromotion { man, to, .. } => {
                of(&[man]) | to.set()
            }
            Illegal::OwnPieceThere { man, blocker } => of(&[man, blocker]),
            Illegal::PathBlocked { man, blocker, .. } => of(&[man, blocker]),
            Illegal::PawnCannotCaptureStraight { pawn, blocker } => of(&[pawn, blocker]),
            Illegal::TwoStepsNotFirst { pawn } | Illegal::PromotionNotAllowed { pawn, .. } => {
                of(&[pawn])
            }
            Illegal::PawnNeedsCapture { pawn, to }
            | Illegal::PromotionMissing { pawn, to }
            | Illegal::PromotionNotOnLastRank { pawn, to } => of(&[pawn]) | to.set(),
            Illegal::EnPassantNoPawn { to, beside, .. } => to.set() | beside.set(),
            Illegal::NoEnPassant { pawn, victim, .. }
            | Illegal::EnPassantNoTwoSteps { pawn, victim }
            | Illegal::EnPassantTooLate { pawn, victim, .. } => of(&[pawn, victim]),
            Illegal::NoCastling { king, .. } | Illegal::CastlingKingMoved { king, .. } => {
                of(&[king])
            }
            Illegal::CastlingRookMoved { rook, .. } => of(&[rook]),
            Illegal::CastlingRookGone { king, home, .. } => home.unwrap_or(king.square).set(),
            Illegal::CastlingRightLost { king, rook } => of(&[king, rook]),
            Illegal::CastlingBlocked { rook, blocker } => of(&[rook, blocker]),
            Illegal::CastlingInCheck { king, checkers }
            | Illegal::LeavesCheck { king, checkers } => of(&[king]) | checkers.squares(),
            Illegal::CastlingThroughCheck {
                square, attackers, ..
            }
            | Illegal::CastlingIntoCheck {
                square, attackers, ..
            } => square.set() | attackers.squares(),
            Illegal::KingIntoAttack { to, attackers, .. } => to.set() | attackers.squares(),
            Illegal::Pinned { man, king, pinner } => of(&[man, king, pinner]),
            Illegal::EnPassantExposesKing {
                pawn,
                victim,
                king,
                attackers,
            } => of(&[pawn, victim, king]) | attackers.squares(),
            Illegal::BlastExposesKing {
                centre,
                king,
                attackers,
            } => of(&[king]) | centre.set() | attackers.squares(),
            Illegal::KingCannotCapture { king, victim, .. } => of(&[king, victim]),
            Illegal::OwnKingExplodes { king, centre } => of(&[king]) | centre.set(),
            Illegal::BothKingsExplode {
                king,
                other,
                centre,
            } => of(&[king, other]) | centre.set(),
        }
    }
}
