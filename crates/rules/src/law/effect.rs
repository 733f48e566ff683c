//! [`MoveEffect`]: what a legal move does beyond going from one square to another: captures,
//! explosions, checks and the end of the game. That the move is legal is known before.

use std::fmt;

use crate::any::Outcome;
use crate::law::piece_on_square::{PieceOnSquare, PiecesOnSquares};
use crate::variant::Rules;
use crate::{Bitboard, Color, Move, MoveKind, Position, Role, Square};

/// One effect of a move.
///
/// ```
/// use touchmove_rules::{Atomic, Position};
///
/// let position = Position::<Atomic>::from_fen("7k/8/8/3p4/4P3/8/8/K7 w - - 0 1").unwrap();
/// let effects = position.effects(position.read_san("exd5").unwrap());
/// assert!(effects.iter().any(|effect| effect.to_string().starts_with("blows up")));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum MoveEffect {
    /// A piece is taken.
    Captures { victim: PieceOnSquare },
    /// The explosion removes these pieces, captor and captive among them.
    BlowsUp { men: PiecesOnSquares },
    /// The rook's part of castling.
    MovesRook { rook: PieceOnSquare, to: Square },
    /// The pawn becomes another piece.
    Promotes { to: Square, role: Role },
    /// A side can no longer castle with these rooks.
    EndsCastling { color: Color, rooks: Bitboard },
    /// The pawn can now be taken en passant.
    AllowsEnPassant { passed: Square },
    /// The other king is attacked.
    GivesCheck {
        king: PieceOnSquare,
        checkers: PiecesOnSquares,
    },
    /// The game is over.
    EndsGame(Outcome),
}

impl fmt::Display for MoveEffect {
    /// What the move does, as the rest of a sentence that begins with "It".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveEffect::Captures { victim } => write!(f, "captures {victim}"),
            MoveEffect::BlowsUp { men } => write!(f, "blows up {men}"),
            MoveEffect::MovesRook { rook, to } => write!(f, "brings {rook} to {to}"),
            MoveEffect::Promotes { to, role } => write!(f, "promotes the pawn to a {role} on {to}"),
            MoveEffect::EndsCastling { color, rooks } => {
                write!(f, "ends {color}'s right to castle with the rook on ")?;
                for (index, rook) in rooks.into_iter().enumerate() {
                    let divider = if index == 0 { "" } else { " and " };
                    write!(f, "{divider}{rook}")?;
                }
                Ok(())
            }
            MoveEffect::AllowsEnPassant { passed } => {
                write!(
                    f,
                    "allows the pawn to be taken en passant on {passed}, now or never"
                )
            }
            MoveEffect::GivesCheck { king, checkers } => {
                write!(f, "gives check to {king} from {checkers}")
            }
            MoveEffect::EndsGame(Outcome::Checkmate { winner }) => {
                write!(f, "is checkmate: {winner} wins")
            }
            MoveEffect::EndsGame(Outcome::Stalemate) => {
                write!(f, "is stalemate: the game is drawn")
            }
            MoveEffect::EndsGame(Outcome::KingExploded { winner }) => {
                write!(f, "removes {}'s king: {winner} wins", !*winner)
            }
        }
    }
}

impl<R: Rules> Position<R> {
    /// What a legal move does.
    ///
    /// ```
    /// use touchmove_rules::{Atomic, Position};
    ///
    /// let fen = "4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1";
    /// let position = Position::<Atomic>::from_fen(fen).unwrap();
    /// let effects = position.effects(position.read_san("Rxd7").unwrap());
    /// let said: Vec<_> = effects.iter().map(|effect| effect.to_string()).collect();
    /// assert_eq!(said, [
    ///     "captures the pawn on d7",
    ///     "blows up the rook on d1, the pawn on d7 and the king on e8",
    ///     "removes Black's king: White wins",
    /// ]);
    /// ```
    #[must_use]
    pub fn effects(&self, mv: Move) -> Vec<MoveEffect> {
        let (board, us, after) = (self.board(), self.turn(), self.after(mv));
        let man = |square| PieceOnSquare::on(board, square);
        let mut effects = Vec::new();
        let victim = mv.captured_square().and_then(man);
        effects.extend(victim.map(|victim| MoveEffect::Captures { victim }));
        let casualties = self.exploded_squares(mv);
        if casualties.any() {
            let men = PiecesOnSquares::on(board, casualties);
            effects.push(MoveEffect::BlowsUp { men });
        }
        if let (Some(rook), Some(wing)) = (mv.castling_rook().and_then(man), mv.castling_side()) {
            let to = wing.rook_target(us);
            effects.push(MoveEffect::MovesRook { rook, to });
        }
        effects.extend(
            mv.promotes_to()
                .map(|role| MoveEffect::Promotes { to: mv.to(), role }),
        );
        for color in Color::ALL {
            let rooks = (self.castling_rights() - after.castling_rights()) & board.by_color(color);
            if rooks.any() {
                effects.push(MoveEffect::EndsCastling { color, rooks });
            }
        }
        if let Some(passed) = after
            .en_passant()
            .filter(|_| mv.kind() == MoveKind::PawnTwoSteps)
        {
            effects.push(MoveEffect::AllowsEnPassant { passed });
        }
        let checkers = after.checkers();
        let king = after
            .board()
            .king_of(!us)
            .and_then(|king| PieceOnSquare::on(after.board(), king));
        if let Some(king) = king.filter(|_| checkers.any()) {
            let checkers = PiecesOnSquares::on(after.board(), checkers);
            effects.push(MoveEffect::GivesCheck { king, checkers });
        }
        effects.extend(after.outcome().map(MoveEffect::EndsGame));
        effects
    }
}
