//! [`AnyPosition`]: a position whose variant is chosen at run time. Every method delegates to the
//! [`Position`] inside.

use crate::fen::{Fen, FenError};
use crate::law::{Explanation, Illegal, MoveEffect, MoveRequest};
use crate::move_input::MoveInputError;
use crate::movegen::MoveFilter;
use crate::san::{San, SanError, SanPlus};
use crate::setup_fault;
use crate::setup_fault::{Purpose, SetupFaults};
use crate::uci::UciError;
use crate::variant::{Atomic, Chess, Chess960, SimpleAtomic, Variant};
use crate::{Bitboard, Board, Color, Move, MoveList, Position, Setup, Square, UciMove};

/// How a game ends by its position alone.
///
/// ```
/// use touchmove_rules::{Chess, Color, Outcome, Position};
///
/// let mated = Position::<Chess>::from_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
/// assert_eq!(mated.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
/// assert_eq!(mated.outcome().and_then(Outcome::winner), Some(Color::White));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side on move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side on move has no legal move and is not in check: a draw.
    Stalemate,
    /// A king was exploded or captured.
    KingExploded {
        /// The side whose king remains.
        winner: Color,
    },
}

impl Outcome {
    /// The winner, if it is not a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate { winner } | Outcome::KingExploded { winner } => Some(winner),
            Outcome::Stalemate => None,
        }
    }
}

/// A position of any variant.
///
/// ```
/// use touchmove_rules::{AnyPosition, Variant};
///
/// let position = AnyPosition::start(Variant::Atomic);
/// assert_eq!(position.legal_move_count(), 20);
/// assert_eq!(position.variant(), Variant::Atomic);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum AnyPosition {
    Chess(Position<Chess>),
    Chess960(Position<Chess960>),
    Atomic(Position<Atomic>),
    SimpleAtomic(Position<SimpleAtomic>),
}

/// Runs an expression with the [`Position`] inside an [`AnyPosition`], whatever its variant.
///
/// ```
/// use touchmove_rules::{perft, with_position, AnyPosition, Variant};
///
/// let position = AnyPosition::start(Variant::SimpleAtomic);
/// assert_eq!(with_position!(&position, p => perft(p, 2)), 400);
/// ```
#[macro_export]
macro_rules! with_position {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            $crate::AnyPosition::Chess($position) => $body,
            $crate::AnyPosition::Chess960($position) => $body,
            $crate::AnyPosition::Atomic($position) => $body,
            $crate::AnyPosition::SimpleAtomic($position) => $body,
        }
    };
}

macro_rules! from_variant {
    ($($rules:ident)*) => {$(
        impl From<Position<$rules>> for AnyPosition {
            fn from(position: Position<$rules>) -> AnyPosition {
                AnyPosition::$rules(position)
            }
        }
    )*};
}

from_variant! { Chess Chess960 Atomic SimpleAtomic }

/// Runs an expression with the rules of a variant as the type `R`.
macro_rules! in_variant {
    ($variant:expr, $rules:ident => $body:expr) => {
        match $variant {
            Variant::Chess => {
                type $rules = Chess;
                $body
            }
            Variant::Chess960 => {
                type $rules = Chess960;
                $body
            }
            Variant::Atomic => {
                type $rules = Atomic;
                $body
            }
            Variant::SimpleAtomic => {
                type $rules = SimpleAtomic;
                $body
            }
        }
    };
}

/// Delegates methods to the position inside, with their documentation.
macro_rules! pass_on {
    ($($(#[$attribute:meta])* $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        $(#[$attribute])*
        pub fn $name(&self, $($argument: $type),*) -> $result {
            with_position!(self, position => position.$name($($argument),*))
        }
    )*};
}

impl Setup {
    /// Everything that is wrong with the setup as a position of a variant, of either
    /// [severity](crate::FaultSeverity). Where captures explode, the king that the last move blew
    /// up may be missing: then the game is over.
    #[must_use]
    pub fn faults(&self, variant: Variant) -> SetupFaults {
        in_variant!(variant, R => setup_fault::examine::<R>(self, Purpose::Position))
    }

    /// Everything that is wrong with the setup as the start of a game, which has both kings in every
    /// variant [004-6].
    ///
    /// ```
    /// use touchmove_rules::{Fen, Variant};
    ///
    /// let Fen(blown_up) = "8/8/8/3k4/8/8/8/8 w - - 0 1".parse().unwrap();
    /// assert!(blown_up.faults(Variant::Atomic).is_empty());
    /// let faults = blown_up.faults_at_start(Variant::Atomic);
    /// assert_eq!(faults.to_string(), "White has no king");
    /// ```
    #[must_use]
    pub fn faults_at_start(&self, variant: Variant) -> SetupFaults {
        in_variant!(variant, R => setup_fault::examine::<R>(self, Purpose::Start))
    }
}

impl AnyPosition {
    /// The usual starting position of a variant.
    ///
    /// ```
    /// use touchmove_rules::{AnyPosition, Variant};
    ///
    /// assert_eq!(AnyPosition::start(Variant::Chess960).legal_move_count(), 20);
    /// ```
    #[must_use]
    pub fn start(variant: Variant) -> AnyPosition {
        in_variant!(variant, R => Position::<R>::start().into())
    }

    /// The position of a setup in a variant, unless it is impossible there; see
    /// [`Position::from_setup`].
    ///
    /// # Errors
    /// Every fault, if one of them makes the setup impossible.
    pub fn from_setup(setup: &Setup, variant: Variant) -> Result<AnyPosition, SetupFaults> {
        in_variant!(variant, R => Position::<R>::from_setup(setup).map(AnyPosition::from))
    }

    /// The position of a setup in which nothing is wrong; see [`Position::from_setup_strictly`].
    ///
    /// # Errors
    /// Every fault, if there is one of either severity.
    pub fn from_setup_strictly(
        setup: &Setup,
        variant: Variant,
    ) -> Result<AnyPosition, SetupFaults> {
        in_variant!(variant, R => Position::<R>::from_setup_strictly(setup).map(AnyPosition::from))
    }

    /// The position of a FEN with all its six fields.
    ///
    /// Like [`from_setup`](AnyPosition::from_setup) it takes positions that no game can reach.
    ///
    /// ```
    /// use touchmove_rules::{AnyPosition, Variant};
    ///
    /// let touching = "8/8/8/3kK3/8/8/8/8 w - - 0 1";
    /// assert!(AnyPosition::from_fen(touching, Variant::Chess).is_err());
    /// assert!(AnyPosition::from_fen(touching, Variant::Atomic).is_ok());
    /// ```
    ///
    /// # Errors
    /// If the text is not a FEN, or its position is impossible.
    pub fn from_fen(fen: &str, variant: Variant) -> Result<AnyPosition, FenError> {
        let Fen(setup) = fen.parse()?;
        Ok(AnyPosition::from_setup(&setup, variant)?)
    }

    /// The pieces.
    #[must_use]
    pub fn board(&self) -> &Board {
        with_position!(self, position => position.board())
    }

    /// Plays a move that is legal here; see [`Position::play`].
    ///
    /// ```
    /// use touchmove_rules::{AnyPosition, Color, Variant};
    ///
    /// let mut position = AnyPosition::start(Variant::Chess);
    /// position.play(position.read_san("e4").unwrap());
    /// assert_eq!(position.turn(), Color::Black);
    /// ```
    pub fn play(&mut self, mv: Move) {
        with_position!(self, position => position.play(mv));
    }

    /// The position after a move that is legal here; see [`Position::play`].
    #[must_use]
    pub fn after(&self, mv: Move) -> AnyPosition {
        with_position!(self, position => position.after(mv).into())
    }

    /// The position with the other side on move; see [`Position::null_move`].
    #[must_use]
    pub fn null_move(&self) -> Option<AnyPosition> {
        with_position!(self, position => position.null_move().map(AnyPosition::from))
    }

    /// The legal move that is requested, or the first law that it breaks; see [`Position::judge`].
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn judge(&self, wish: impl Into<MoveRequest>) -> Result<Move, Illegal> {
        with_position!(self, position => position.judge(wish))
    }

    /// The same, with the moves that led here; see [`Position::judge_after`].
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn judge_after(
        &self,
        past: &[Move],
        wish: impl Into<MoveRequest>,
    ) -> Result<Move, Illegal> {
        with_position!(self, position => position.judge_after(past, wish))
    }

    /// The verdict with its checklist; see [`Position::explain`].
    #[must_use]
    pub fn explain(&self, past: &[Move], wish: impl Into<MoveRequest>) -> Explanation {
        with_position!(self, position => position.explain(past, wish))
    }

    /// Calls `visit` for every legal move.
    pub fn for_each_legal_move(&self, mut visit: impl FnMut(Move)) {
        with_position!(self, position => position.visit(MoveFilter::ALL, &mut visit));
    }

    pass_on! {
        /// The variant.
        #[must_use]
        variant() -> Variant;
        /// Who is on move.
        #[must_use]
        turn() -> Color;
        /// The squares of the rooks that may still castle.
        #[must_use]
        castling_rights() -> Bitboard;
        /// The square where a pawn can now legally be taken en passant.
        #[must_use]
        en_passant() -> Option<Square>;
        /// The square that a pawn has just passed with an enemy pawn ready to capture there; see
        /// [`Position::passed_square`].
        #[must_use]
        passed_square() -> Option<Square>;
        /// The number among the starts of Chess960; see [`Position::chess960_number`].
        #[must_use]
        chess960_number() -> Option<u16>;
        /// Plies since the last capture or pawn move.
        #[must_use]
        halfmoves() -> u32;
        /// The number of the move, counted up after Black's.
        #[must_use]
        fullmoves() -> u32;
        /// What a FEN can say about the position.
        #[must_use]
        setup() -> Setup;
        /// The position as FEN.
        #[must_use]
        fen() -> Fen;
        /// All legal moves.
        #[must_use]
        legal_moves() -> MoveList;
        /// All legal captures.
        #[must_use]
        captures() -> MoveList;
        /// All legal moves of the piece on this square.
        #[must_use]
        moves_from(square: Square) -> MoveList;
        /// How many legal moves there are.
        #[must_use]
        legal_move_count() -> u32;
        /// How many legal replies there are to all legal moves together.
        #[must_use]
        count_replies() -> u64;
        /// The legal move that a UCI move asks for; see [`Position::find_uci`].
        #[must_use]
        find_uci(attempt: UciMove) -> Option<Move>;
        /// Whether the move is one of this position's legal moves.
        #[must_use]
        is_legal(mv: Move) -> bool;
        /// The enemy pieces that give check.
        #[must_use]
        checkers() -> Bitboard;
        /// Whether the side on move is in check.
        #[must_use]
        is_check() -> bool;
        /// Whether the side on move is checkmated.
        #[must_use]
        is_checkmate() -> bool;
        /// Whether the side on move is stalemated.
        #[must_use]
        is_stalemate() -> bool;
        /// How the game has ended by the position alone.
        #[must_use]
        outcome() -> Option<Outcome>;
        /// The squares of the pieces that a capture blows up; see [`Position::exploded_squares`].
        #[must_use]
        exploded_squares(mv: Move) -> Bitboard;
        /// The pieces whose capture would blow up a king; see [`Position::explosion_targets`].
        #[must_use]
        explosion_targets(us: Color) -> Bitboard;
        /// The pieces that could capture on a square; see [`Position::capturers`].
        #[must_use]
        capturers(target: Square, us: Color) -> Bitboard;
        /// A hash key for detecting repetitions; see [`Position::key`].
        #[must_use]
        key() -> u64;
        /// The key of the Polyglot book format; see [`Position::polyglot_key`].
        #[must_use]
        polyglot_key() -> u64;
        /// A legal move in export SAN; see [`Position::san`].
        #[must_use]
        san(mv: Move) -> SanPlus;
        /// The UCI form of a move of this position; see [`Position::uci`].
        #[must_use]
        uci(mv: Move) -> UciMove;
        /// Reads a legal move in SAN; see [`Position::read_san`].
        ///
        /// # Errors
        /// If the text is not a move, no legal move fits, or several do.
        read_san(text: &str) -> Result<Move, SanError>;
        /// The legal move that a SAN stands for here.
        ///
        /// # Errors
        /// If no legal move fits, or several do.
        resolve_san(san: San) -> Result<Move, SanError>;
        /// What a legal move does; see [`Position::effects`].
        #[must_use]
        effects(mv: Move) -> Vec<MoveEffect>;
        /// Reads a move as people type it; see [`Position::read_input`].
        ///
        /// # Errors
        /// If the text is not a move, the move is illegal, or several fit.
        read_input(text: &str) -> Result<Move, MoveInputError>;
        /// The same, with the moves that led here; see [`Position::read_input_after`].
        ///
        /// # Errors
        /// If the text is not a move, the move is illegal, or several fit.
        read_input_after(past: &[Move], text: &str) -> Result<Move, MoveInputError>;
        /// The legal moves that look most like a typed text; see [`Position::did_you_mean`].
        #[must_use]
        did_you_mean(text: &str) -> Vec<Move>;
        /// Reads a legal move in UCI form.
        ///
        /// # Errors
        /// If the text is not a move, or the move is not legal.
        read_uci(text: &str) -> Result<Move, UciError>;
    }
}
