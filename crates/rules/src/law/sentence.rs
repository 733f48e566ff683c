//! The sentence for every reason, the same in every frontend. It only words what
//! [`Illegal`](crate::law::Illegal) carries.

use std::fmt;

use crate::law::illegal::Illegal;
use crate::law::piece_on_square::PiecesOnSquares;
use crate::{Rank, Role};

/// How a role moves, as a teacher would remind somebody.
const fn reminder(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            "a pawn goes straight ahead, one square or from its first square two, and captures one \
             square diagonally ahead"
        }
        Role::Knight => "a knight goes two squares along a rank or file and one across",
        Role::Bishop => "a bishop goes along diagonals",
        Role::Rook => "a rook goes along ranks and files",
        Role::Queen => "a queen goes along ranks, files and diagonals",
        Role::King => "a king goes to a neighbouring square",
    }
}

/// " on move 12", where that is known.
struct OnMove(Option<u32>);

impl fmt::Display for OnMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .map_or(Ok(()), |number| write!(f, " on move {number}"))
    }
}

/// "the rook on e8 attacks that square".
struct AttackIt<'a>(&'a PiecesOnSquares);

impl fmt::Display for AttackIt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} that square", self.0, self.0.verb("attack"))
    }
}

impl fmt::Display for Illegal {
    /// One sentence without a full stop, naming pieces and squares.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Illegal::GameOver { loser } => {
                write!(f, "the game is over: {loser}'s king has been blown up")
            }
            Illegal::NoPiece { from } => write!(f, "there is no piece on {from} to move"),
            Illegal::NotYourPiece { man } => write!(
                f,
                "{man} is {}'s, and {} is to move",
                man.piece.color, !man.piece.color
            ),
            Illegal::SameSquare { man } => {
                write!(f, "{man} has to go to another square to make a move")
            }
            Illegal::WrongWay { man, to } => write!(
                f,
                "{man} does not move to {to}: {}",
                reminder(man.piece.role)
            ),
            Illegal::OwnPieceThere { man, blocker } => write!(
                f,
                "{man} cannot go to {}: {}'s own {} stands there",
                blocker.square, blocker.piece.color, blocker.piece.role
            ),
            Illegal::PathBlocked { man, to, blocker } => {
                write!(f, "{man} cannot reach {to}: {blocker} is in the way")
            }
            Illegal::PawnCannotCaptureStraight { pawn, blocker } => write!(
                f,
                "{pawn} cannot take {blocker}: a pawn captures diagonally, not straight ahead"
            ),
            Illegal::PawnNeedsCapture { pawn, to } => write!(
                f,
                "{pawn} goes diagonally only to capture, and there is nothing to capture on {to}"
            ),
            Illegal::TwoStepsNotFirst { pawn } => write!(
                f,
                "{pawn} cannot make two steps: it has left rank {}, where a pawn makes its first move",
                Rank::Second.of(pawn.piece.color)
            ),
            Illegal::PromotionMissing { pawn, to } => write!(
                f,
                "{pawn} is promoted on {to}: say whether to queen, rook, bishop or knight"
            ),
            Illegal::PromotionNotAllowed { pawn, role } => write!(
                f,
                "{pawn} cannot become a {role}: it becomes a queen, rook, bishop or knight"
            ),
            Illegal::PromotionNotOnLastRank { pawn, to } => write!(
                f,
                "{pawn} is not promoted on {to}: that happens on rank {}",
                Rank::Eighth.of(pawn.piece.color)
            ),
            Illegal::PromotionNotAPawn { man } => {
                write!(f, "{man} cannot be promoted: only pawns are")
            }
            Illegal::NoPromotion { man, to, variant } => write!(
                f,
                "there is no promotion in {}: {man} stays a {} on {to}",
                variant.title(),
                man.piece.role
            ),
            Illegal::NoEnPassant {
                pawn,
                victim,
                variant,
            } => write!(
                f,
                "there is no capture en passant in {}: {pawn} cannot take {victim} so",
                variant.title()
            ),
            Illegal::EnPassantNoPawn { pawn, to, beside } => write!(
                f,
                "{pawn} has nothing to capture on {to}, and there is no pawn on {beside} to take en \
                 passant"
            ),
            Illegal::EnPassantNoTwoSteps { pawn, victim } => write!(
                f,
                "{pawn} cannot take {victim} en passant: that pawn did not make its two steps with the \
                 last move"
            ),
            Illegal::EnPassantTooLate {
                pawn,
                victim,
                was_possible_on_move,
            } => write!(
                f,
                "{pawn} can no longer take {victim} en passant: that was possible only on move \
                 {was_possible_on_move}, right after its two steps"
            ),
            Illegal::NoCastling { king, variant } => {
                write!(
                    f,
                    "there is no castling in {}: {king} goes to a neighbouring square",
                    variant.title()
                )
            }
            Illegal::CastlingKingMoved { king, on_move } => write!(
                f,
                "{} cannot castle: {king} has moved{}",
                king.piece.color,
                OnMove(*on_move)
            ),
            Illegal::CastlingRookMoved { rook, on_move } => write!(
                f,
                "{} cannot castle with {rook}: it has moved{}",
                rook.piece.color,
                OnMove(*on_move)
            ),
            Illegal::CastlingRookGone { king, wing, home } => {
                write!(
                    f,
                    "{} cannot castle {}: ",
                    king.piece.color,
                    wing.notation()
                )?;
                match home {
                    Some(home) => write!(f, "there is no rook on {home} to castle with"),
                    None => write!(f, "there is no rook on that side of {king}"),
                }
            }
            Illegal::CastlingRightLost { king, rook } => write!(
                f,
                "{} cannot castle with {rook} any more: it or {king} has moved",
                king.piece.color
            ),
            Illegal::CastlingBlocked { rook, blocker } => write!(
                f,
                "{} cannot castle with {rook} now: {blocker} is in the way",
                rook.piece.color
            ),
            Illegal::CastlingInCheck { king, checkers } => {
                write!(f, "{king} cannot castle out of check from {checkers}")
            }
            Illegal::CastlingThroughCheck {
                king,
                square,
                attackers,
            } => write!(
                f,
                "{king} cannot castle across {square}: {}",
                AttackIt(attackers)
            ),
            Illegal::CastlingIntoCheck {
                king,
                square,
                attackers,
            } => write!(
                f,
                "{king} cannot castle to {square}: {}",
                AttackIt(attackers)
            ),
            Illegal::Pinned { man, king, pinner } => write!(
                f,
                "{man} is pinned to its king on {} by {pinner}",
                king.square
            ),
            Illegal::LeavesCheck { king, checkers } => {
                write!(
                    f,
                    "{king} is in check from {checkers}, and this move does not end the check"
                )
            }
            Illegal::KingIntoAttack {
                king,
                to,
                attackers,
            } => write!(f, "{king} cannot go to {to}: {}", AttackIt(attackers)),
            Illegal::EnPassantExposesKing {
                pawn,
                victim,
                king,
                attackers,
            } => write!(
                f,
                "{pawn} cannot take {victim} en passant: with both away, {attackers} {} {king}",
                attackers.verb("attack")
            ),
            Illegal::BlastExposesKing {
                centre,
                king,
                attackers,
            } => write!(
                f,
                "after the blast on {centre}, {attackers} {} {king}",
                attackers.verb("attack")
            ),
            Illegal::KingCannotCapture {
                king,
                victim,
                variant,
            } => write!(
                f,
                "{king} cannot take {victim}: a king never captures in {}, it would explode",
                variant.title()
            ),
            Illegal::OwnKingExplodes { king, centre } => write!(
                f,
                "a capture on {centre} would blow up {}'s own king on {}",
                king.piece.color, king.square
            ),
            Illegal::BothKingsExplode {
                king,
                other,
                centre,
            } => write!(
                f,
                "a capture on {centre} would blow up both kings, on {} and on {}",
                king.square, other.square
            ),
        }
    }
}

impl std::error::Error for Illegal {}
