//! [`UciMove`]: a requested move, not yet known to be legal. [`Move`]: a legal move, of one of
//! fourteen [`MoveKind`]s. The generator and the law book decide which UCI moves are legal.

use std::fmt;

use crate::{Color, Role, Square};

/// A requested move, not yet known to be legal: from, to, and what a pawn promotes to. Castling may
/// be written as the king's two steps (`e1g1`) or as king takes rook (`e1h1`).
///
/// ```
/// use touchmove_rules::{UciMove, Role, Square};
///
/// let attempt: UciMove = "e7e8q".parse().unwrap();
/// assert_eq!(attempt, UciMove::new(Square::E7, Square::E8).promoting(Role::Queen));
/// assert_eq!(attempt.to_string(), "e7e8q");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub struct UciMove {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Role>,
}

impl UciMove {
    /// A UCI move without promotion.
    #[must_use]
    pub const fn new(from: Square, to: Square) -> UciMove {
        UciMove {
            from,
            to,
            promotion: None,
        }
    }

    /// The same move, promoting to this role.
    #[must_use]
    pub const fn promoting(self, role: Role) -> UciMove {
        UciMove {
            promotion: Some(role),
            ..self
        }
    }
}

impl fmt::Display for UciMove {
    /// Writes the UCI form: `e7e8q`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion
            .map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}

/// The fourteen kinds of moves. Left and right are as the mover sees the board: White castles left
/// on the queenside, Black on the kingside.
///
/// ```
/// use touchmove_rules::{MoveKind, Role};
///
/// assert_eq!(MoveKind::PawnTwoSteps.to_string(), "Pawn Two Steps");
/// assert_eq!(MoveKind::KingLeftCastling.role(), Role::King);
/// assert!(MoveKind::KingLeftCastling.is_castling());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum MoveKind {
    PawnRegular,
    PawnTwoSteps,
    PawnCapture,
    PawnRegularPromotion,
    PawnCapturePromotion,
    PawnLeftEnPassant,
    PawnRightEnPassant,
    RookRegular,
    KnightRegular,
    BishopRegular,
    QueenRegular,
    KingRegular,
    KingLeftCastling,
    KingRightCastling,
}

impl MoveKind {
    /// All fourteen, in the order of the law book.
    pub const ALL: [MoveKind; 14] = [
        MoveKind::PawnRegular,
        MoveKind::PawnTwoSteps,
        MoveKind::PawnCapture,
        MoveKind::PawnRegularPromotion,
        MoveKind::PawnCapturePromotion,
        MoveKind::PawnLeftEnPassant,
        MoveKind::PawnRightEnPassant,
        MoveKind::RookRegular,
        MoveKind::KnightRegular,
        MoveKind::BishopRegular,
        MoveKind::QueenRegular,
        MoveKind::KingRegular,
        MoveKind::KingLeftCastling,
        MoveKind::KingRightCastling,
    ];

    /// The role of the piece that makes such a move.
    #[inline(always)]
    #[must_use]
    pub const fn role(self) -> Role {
        match self {
            MoveKind::RookRegular => Role::Rook,
            MoveKind::KnightRegular => Role::Knight,
            MoveKind::BishopRegular => Role::Bishop,
            MoveKind::QueenRegular => Role::Queen,
            MoveKind::KingRegular | MoveKind::KingLeftCastling | MoveKind::KingRightCastling => {
                Role::King
            }
            _ => Role::Pawn,
        }
    }

    /// The name of the kind among the moves of its piece: "Two Steps", "Left Castling".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MoveKind::PawnTwoSteps => "Two Steps",
            MoveKind::PawnCapture => "Capture",
            MoveKind::PawnRegularPromotion => "Regular Promotion",
            MoveKind::PawnCapturePromotion => "Capture Promotion",
            MoveKind::PawnLeftEnPassant => "Left En Passant",
            MoveKind::PawnRightEnPassant => "Right En Passant",
            MoveKind::KingLeftCastling => "Left Castling",
            MoveKind::KingRightCastling => "Right Castling",
            _ => "Regular",
        }
    }

    /// Whether this is one of the two castlings.
    #[must_use]
    pub const fn is_castling(self) -> bool {
        matches!(
            self,
            MoveKind::KingLeftCastling | MoveKind::KingRightCastling
        )
    }

    /// Whether this is one of the two captures en passant.
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        matches!(
            self,
            MoveKind::PawnLeftEnPassant | MoveKind::PawnRightEnPassant
        )
    }

    /// Whether this is one of the two promotions.
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        matches!(
            self,
            MoveKind::PawnRegularPromotion | MoveKind::PawnCapturePromotion
        )
    }
}

impl fmt::Display for MoveKind {
    /// The piece and the kind: "Pawn Two Steps".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let role = self.role().name();
        write!(
            f,
            "{}{} {}",
            role[..1].to_ascii_uppercase(),
            &role[1..],
            self.name()
        )
    }
}

/// The two sides of castling.
///
/// ```
/// use touchmove_rules::{Color, MoveKind, Square, CastlingSide};
///
/// assert_eq!(CastlingSide::King.king_target(Color::Black), Square::G8);
/// assert_eq!(CastlingSide::King.move_kind(Color::Black), MoveKind::KingLeftCastling);
/// assert_eq!(CastlingSide::Queen.notation(), "O-O-O");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum CastlingSide {
    King,
    Queen,
}

impl CastlingSide {
    /// Kingside, then queenside.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The kind of move that castles to this side, for `color`.
    #[inline(always)]
    #[must_use]
    pub const fn move_kind(self, color: Color) -> MoveKind {
        match (self, color) {
            (CastlingSide::King, Color::White) | (CastlingSide::Queen, Color::Black) => {
                MoveKind::KingRightCastling
            }
            (CastlingSide::Queen, Color::White) | (CastlingSide::King, Color::Black) => {
                MoveKind::KingLeftCastling
            }
        }
    }

    /// The king's square after castling.
    #[must_use]
    pub const fn king_target(self, color: Color) -> Square {
        let white = match self {
            CastlingSide::King => Square::G1,
            CastlingSide::Queen => Square::C1,
        };
        if color.is_white() {
            white
        } else {
            white.flip()
        }
    }

    /// The rook's square after castling.
    #[must_use]
    pub const fn rook_target(self, color: Color) -> Square {
        let white = match self {
            CastlingSide::King => Square::F1,
            CastlingSide::Queen => Square::D1,
        };
        if color.is_white() {
            white
        } else {
            white.flip()
        }
    }

    /// The notation: `O-O` or `O-O-O`.
    #[must_use]
    pub const fn notation(self) -> &'static str {
        match self {
            CastlingSide::King => "O-O",
            CastlingSide::Queen => "O-O-O",
        }
    }
}

/// A legal move of one position. Only the generator and the law book make one; it must be played in
/// the position it was made for.
///
/// ```
/// use touchmove_rules::{Chess, MoveKind, Position, Square};
///
/// let position = Position::<Chess>::start();
/// let mv = position.legal_moves().into_iter().find(|mv| mv.to() == Square::E4).unwrap();
/// assert_eq!(mv.kind(), MoveKind::PawnTwoSteps);
/// assert_eq!(mv.from(), Square::E2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    from: Square,
    to: Square,
    kind: MoveKind,
    /// What the kind leaves open: the role promoted to, the castling rook's square, or whether
    /// something is captured.
    extra: u8,
}

impl Move {
    /// A move of a piece, or a pawn's move without promotion.
    #[inline(always)]
    pub(crate) const fn plain(kind: MoveKind, from: Square, to: Square, captures: bool) -> Move {
        Move {
            from,
            to,
            kind,
            extra: captures as u8,
        }
    }

    #[inline(always)]
    pub(crate) const fn promotion(kind: MoveKind, from: Square, to: Square, role: Role) -> Move {
        Move {
            from,
            to,
            kind,
            extra: role as u8,
        }
    }

    #[inline(always)]
    pub(crate) const fn castling(kind: MoveKind, king: Square, to: Square, rook: Square) -> Move {
        Move {
            from: king,
            to,
            kind,
            extra: rook.index() as u8,
        }
    }

    /// The square that the piece (when castling: the king) leaves.
    #[inline(always)]
    #[must_use]
    pub const fn from(self) -> Square {
        self.from
    }

    /// The square that the piece (when castling: the king) goes to.
    #[inline(always)]
    #[must_use]
    pub const fn to(self) -> Square {
        self.to
    }

    /// Which of the fourteen kinds it is.
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        self.kind
    }

    /// The role of the piece that moves.
    #[inline(always)]
    #[must_use]
    pub const fn role(self) -> Role {
        self.kind.role()
    }

    /// The role that the pawn promotes to, if the move is a promotion.
    #[inline(always)]
    #[must_use]
    pub const fn promotes_to(self) -> Option<Role> {
        if self.kind.is_promotion() {
            Some(self.promoted())
        } else {
            None
        }
    }

    /// The role that the pawn promotes to, for a move known to be a promotion.
    #[inline(always)]
    pub(crate) const fn promoted(self) -> Role {
        match self.extra {
            1 => Role::Knight,
            2 => Role::Bishop,
            3 => Role::Rook,
            _ => Role::Queen,
        }
    }

    /// Whether the move captures, en passant included.
    #[inline(always)]
    #[must_use]
    pub const fn is_capture(self) -> bool {
        match self.kind {
            MoveKind::PawnCapture
            | MoveKind::PawnCapturePromotion
            | MoveKind::PawnLeftEnPassant
            | MoveKind::PawnRightEnPassant => true,
            MoveKind::RookRegular
            | MoveKind::KnightRegular
            | MoveKind::BishopRegular
            | MoveKind::QueenRegular
            | MoveKind::KingRegular => self.extra != 0,
            _ => false,
        }
    }

    /// The square of the captured piece: where the move goes, or behind it en passant.
    #[inline]
    #[must_use]
    pub const fn captured_square(self) -> Option<Square> {
        if self.kind.is_en_passant() {
            Some(Square::at(self.to.file(), self.from.rank()))
        } else if self.is_capture() {
            Some(self.to)
        } else {
            None
        }
    }

    /// The square of the rook that castles.
    #[inline(always)]
    #[must_use]
    pub const fn castling_rook(self) -> Option<Square> {
        if self.kind.is_castling() {
            Square::new(self.extra)
        } else {
            None
        }
    }

    /// The side that the king castles to.
    #[inline(always)]
    #[must_use]
    pub const fn castling_side(self) -> Option<CastlingSide> {
        match self.kind {
            MoveKind::KingLeftCastling | MoveKind::KingRightCastling => {
                Some(if (self.to.index() & 7) == 6 {
                    CastlingSide::King
                } else {
                    CastlingSide::Queen
                })
            }
            _ => None,
        }
    }

    /// Whether the move resets the fifty-move count: a capture or a pawn move.
    #[inline]
    #[must_use]
    pub const fn is_irreversible(self) -> bool {
        matches!(self.role(), Role::Pawn) || self.is_capture()
    }

    /// The UCI move that asks for this move, with castling as the king's own steps.
    #[must_use]
    pub const fn to_uci(self) -> UciMove {
        UciMove {
            from: self.from,
            to: self.to,
            promotion: self.promotes_to(),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.kind, self.to_uci())
    }
}
