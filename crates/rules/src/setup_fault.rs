//! What can be wrong with a [`Setup`]: every [`SetupFault`], with its [`FaultSeverity`], its
//! squares and a sentence. All faults are found at once; nothing is repaired.

use std::fmt;

use crate::variant::{CastlingMode, Rules};
use crate::{Bitboard, Board, Color, Piece, Rank, Role, Setup, Square, attacks};

/// How serious a fault is.
///
/// ```
/// use touchmove_rules::{Fen, Variant, FaultSeverity};
///
/// let weights = |fen: &str| {
///     let Fen(setup) = fen.parse().unwrap();
///     let faults = setup.faults(Variant::Chess);
///     faults.iter().map(|fault| fault.weight()).collect::<Vec<_>>()
/// };
/// assert_eq!(weights("8/8/8/8/8/8/8/Kk6 w - - 0 1"), [FaultSeverity::Impossible]); // touching kings
/// assert_eq!(weights("4k3/8/8/8/8/PPPPPPPP/P7/4K3 w - - 0 1"), [FaultSeverity::Unreachable]); // nine pawns
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultSeverity {
    /// No game can lead here, but the legal moves are clear: composers of problems and tests of
    /// move generators use such positions. They are accepted, with a warning [004-7].
    Unreachable,
    /// The setup contradicts the rules, which then cannot say what is legal. It is refused
    /// [004-1, 004-6, 004-7].
    Impossible,
}

/// One reason why a setup is not a position of its variant.
///
/// ```
/// use touchmove_rules::{Chess, SetupFault, Position, Setup, Square};
///
/// let mut setup = Setup::start();
/// setup.board.remove(Square::H1);
/// let faults = Position::<Chess>::from_setup(&setup).unwrap_err();
/// assert_eq!(faults.as_slice(), [SetupFault::CastlingWithoutRook { rook: Square::H1 }]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum SetupFault {
    EmptyBoard,
    MissingKing {
        color: Color,
    },
    /// The side that has just moved has no king, in a variant where no move may blow up the mover's own.
    MoverWithoutKing {
        color: Color,
    },
    TooManyKings {
        color: Color,
        kings: Bitboard,
    },
    TouchingKings {
        white: Square,
        black: Square,
    },
    PawnsOnBackRank {
        pawns: Bitboard,
    },
    TooManyMen {
        color: Color,
        count: usize,
    },
    TooManyPawns {
        color: Color,
        count: usize,
    },
    TooManyPromoted {
        color: Color,
        promoted: usize,
        pawns: usize,
    },
    /// More pieces than a side begins with, in a variant without promotion.
    TooManyPieces {
        color: Color,
        extra: usize,
    },
    OpponentInCheck {
        king: Square,
        attackers: Bitboard,
    },
    /// More than two pieces give check; one move can give at most two.
    ImpossibleCheck {
        king: Square,
        checkers: Bitboard,
    },
    /// Two pieces give check that leap or stand on one line, or the two steps of a pawn that were
    /// just made do not explain the check: no game leads to it, but the replies are clear, and
    /// published perft positions have such checks.
    UnexplainedCheck {
        king: Square,
        checkers: Bitboard,
    },
    CastlingWithoutKing {
        color: Color,
        rook: Square,
    },
    CastlingWithoutRook {
        rook: Square,
    },
    CastlingFromElsewhere {
        king: Square,
        rook: Square,
    },
    CastlingTwiceOnOneWing {
        color: Color,
        rooks: Bitboard,
    },
    EnPassantOnWrongRank {
        passed: Square,
        turn: Color,
    },
    EnPassantWithoutPawn {
        passed: Square,
        pawn: Square,
    },
    EnPassantSquareOccupied {
        passed: Square,
        piece: Piece,
    },
    EnPassantOriginOccupied {
        passed: Square,
        origin: Square,
    },
}

impl SetupFault {
    /// A stable code for programs, in snake case.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            SetupFault::EmptyBoard => "empty_board",
            SetupFault::MissingKing { .. } => "missing_king",
            SetupFault::MoverWithoutKing { .. } => "mover_without_king",
            SetupFault::TooManyKings { .. } => "too_many_kings",
            SetupFault::TouchingKings { .. } => "touching_kings",
            SetupFault::PawnsOnBackRank { .. } => "pawns_on_back_rank",
            SetupFault::TooManyMen { .. } => "too_many_men",
            SetupFault::TooManyPawns { .. } => "too_many_pawns",
            SetupFault::TooManyPromoted { .. } => "too_many_promoted",
            SetupFault::TooManyPieces { .. } => "too_many_pieces",
            SetupFault::OpponentInCheck { .. } => "opponent_in_check",
            SetupFault::ImpossibleCheck { .. } => "impossible_check",
            SetupFault::UnexplainedCheck { .. } => "unexplained_check",
            SetupFault::CastlingWithoutKing { .. } => "castling_without_king",
            SetupFault::CastlingWithoutRook { .. } => "castling_without_rook",
            SetupFault::CastlingFromElsewhere { .. } => "castling_from_elsewhere",
            SetupFault::CastlingTwiceOnOneWing { .. } => "castling_twice_on_one_wing",
            SetupFault::EnPassantOnWrongRank { .. } => "en_passant_on_wrong_rank",
            SetupFault::EnPassantWithoutPawn { .. } => "en_passant_without_pawn",
            SetupFault::EnPassantSquareOccupied { .. } => "en_passant_square_occupied",
            SetupFault::EnPassantOriginOccupied { .. } => "en_passant_origin_occupied",
        }
    }

    /// Whether the fault makes the setup impossible, or only keeps any game from reaching it.
    #[must_use]
    pub const fn weight(&self) -> FaultSeverity {
        match self {
            SetupFault::TooManyMen { .. }
            | SetupFault::TooManyPawns { .. }
            | SetupFault::TooManyPromoted { .. }
            | SetupFault::TooManyPieces { .. }
            | SetupFault::UnexplainedCheck { .. } => FaultSeverity::Unreachable,
            SetupFault::EmptyBoard
            | SetupFault::MissingKing { .. }
            | SetupFault::MoverWithoutKing { .. }
            | SetupFault::TooManyKings { .. }
            | SetupFault::TouchingKings { .. }
            | SetupFault::PawnsOnBackRank { .. }
            | SetupFault::OpponentInCheck { .. }
            | SetupFault::ImpossibleCheck { .. }
            | SetupFault::CastlingWithoutKing { .. }
            | SetupFault::CastlingWithoutRook { .. }
            | SetupFault::CastlingFromElsewhere { .. }
            | SetupFault::CastlingTwiceOnOneWing { .. }
            | SetupFault::EnPassantOnWrongRank { .. }
            | SetupFault::EnPassantWithoutPawn { .. }
            | SetupFault::EnPassantSquareOccupied { .. }
            | SetupFault::EnPassantOriginOccupied { .. } => FaultSeverity::Impossible,
        }
    }

    /// The squares to point at.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        match *self {
            SetupFault::EmptyBoard
            | SetupFault::MissingKing { .. }
            | SetupFault::MoverWithoutKing { .. }
            | SetupFault::TooManyMen { .. }
            | SetupFault::TooManyPawns { .. }
            | SetupFault::TooManyPromoted { .. }
            | SetupFault::TooManyPieces { .. } => Bitboard::EMPTY,
            SetupFault::TooManyKings { kings, .. } => kings,
            SetupFault::TouchingKings { white, black } => white.set() | black.set(),
            SetupFault::PawnsOnBackRank { pawns } => pawns,
            SetupFault::OpponentInCheck { king, attackers } => attackers | king.set(),
            SetupFault::ImpossibleCheck { king, checkers }
            | SetupFault::UnexplainedCheck { king, checkers } => checkers | king.set(),
            SetupFault::CastlingWithoutKing { rook, .. }
            | SetupFault::CastlingWithoutRook { rook } => rook.set(),
            SetupFault::CastlingFromElsewhere { king, rook } => king.set() | rook.set(),
            SetupFault::CastlingTwiceOnOneWing { rooks, .. } => rooks,
            SetupFault::EnPassantOnWrongRank { passed, .. }
            | SetupFault::EnPassantSquareOccupied { passed, .. } => passed.set(),
            SetupFault::EnPassantWithoutPawn { passed, pawn } => passed.set() | pawn.set(),
            SetupFault::EnPassantOriginOccupied { passed, origin } => passed.set() | origin.set(),
        }
    }
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SetupFault::EmptyBoard => write!(f, "there is no man on the board"),
            SetupFault::MissingKing { color } => write!(f, "{color} has no king"),
            SetupFault::MoverWithoutKing { color } => write!(
                f,
                "{color} has no king and cannot have lost it: {color} has just moved, and no capture \
                 may blow up the mover's own king"
            ),
            SetupFault::TooManyKings { color, kings } => {
                write!(
                    f,
                    "{color} has {} kings, on {}",
                    kings.len(),
                    SquareListText(kings)
                )
            }
            SetupFault::TouchingKings { white, black } => {
                write!(f, "the kings on {white} and {black} touch each other")
            }
            SetupFault::PawnsOnBackRank { pawns } => {
                let (what, verb) = if pawns.more_than_one() {
                    ("pawns", "stand")
                } else {
                    ("a pawn", "stands")
                };
                write!(
                    f,
                    "{what} {verb} on {}, where no pawn can be",
                    SquareListText(pawns)
                )
            }
            SetupFault::TooManyMen { color, count } => {
                write!(f, "{color} has {count} men, more than 16")
            }
            SetupFault::TooManyPawns { color, count } => {
                write!(f, "{color} has {count} pawns, more than 8")
            }
            SetupFault::TooManyPromoted {
                color,
                promoted,
                pawns,
            } => write!(
                f,
                "{color} has {promoted} pieces that must be promoted pawns and still {pawns} pawns, \
                 more than 8 together"
            ),
            SetupFault::TooManyPieces { color, extra } => {
                let pieces = if extra == 1 { "piece" } else { "pieces" };
                write!(
                    f,
                    "{color} has {extra} {pieces} more than a side begins with, and no pawn is promoted \
                     here"
                )
            }
            SetupFault::OpponentInCheck { king, attackers } => write!(
                f,
                "the king on {king} is in check from {} although its side has just moved",
                SquareListText(attackers)
            ),
            SetupFault::ImpossibleCheck { king, checkers }
            | SetupFault::UnexplainedCheck { king, checkers } => write!(
                f,
                "no move can have given check to the king on {king} from {}",
                SquareListText(checkers)
            ),
            SetupFault::CastlingWithoutKing { color, rook } => write!(
                f,
                "{color} may castle with the rook on {rook}, but has no king on its back rank to do so"
            ),
            SetupFault::CastlingWithoutRook { rook } => {
                write!(
                    f,
                    "a castling right names {rook}, where no rook of that side stands"
                )
            }
            SetupFault::CastlingFromElsewhere { king, rook } => write!(
                f,
                "castling with the king on {king} and the rook on {rook} exists only in Chess960: in \
                 chess the king castles from the e-file with a rook in the corner"
            ),
            SetupFault::CastlingTwiceOnOneWing { color, rooks } => {
                write!(
                    f,
                    "{color} may castle with two rooks on the same side of its king, on {}",
                    SquareListText(rooks)
                )
            }
            SetupFault::EnPassantOnWrongRank { passed, turn } => write!(
                f,
                "with {turn} to move the en passant square is on rank {}, not {passed}",
                Rank::Sixth.of(turn)
            ),
            SetupFault::EnPassantWithoutPawn { passed, pawn } => {
                write!(
                    f,
                    "the en passant square {passed} needs a pawn on {pawn} that has just passed it"
                )
            }
            SetupFault::EnPassantSquareOccupied { passed, piece } => {
                write!(
                    f,
                    "a {piece} stands on the en passant square {passed}, which must be empty"
                )
            }
            SetupFault::EnPassantOriginOccupied { passed, origin } => write!(
                f,
                "the en passant square {passed} needs {origin} to be empty, where the pawn came from"
            ),
        }
    }
}

/// The faults of a setup: none, one or many.
///
/// ```
/// use touchmove_rules::{Setup, Square, Variant, FaultSeverity};
///
/// let mut setup = Setup::start();
/// assert!(setup.faults(Variant::Chess).is_empty());
/// setup.board.remove(Square::E8);
/// let faults = setup.faults(Variant::Chess);
/// assert_eq!(faults.weight(), Some(FaultSeverity::Impossible));
/// assert!(faults.to_string().starts_with("Black has no king"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SetupFaults(Vec<SetupFault>);

impl SetupFaults {
    /// The faults, the most severe first.
    #[must_use]
    pub fn as_slice(&self) -> &[SetupFault] {
        &self.0
    }

    /// Iterates over the faults.
    pub fn iter(&self) -> std::slice::Iter<'_, SetupFault> {
        self.0.iter()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The severity of the most severe fault, if there is one.
    #[must_use]
    pub fn weight(&self) -> Option<FaultSeverity> {
        self.0.iter().map(SetupFault::weight).max()
    }

    /// Their squares together.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        self.0
            .iter()
            .fold(Bitboard::EMPTY, |squares, fault| squares | fault.squares())
    }
}

impl fmt::Display for SetupFaults {
    /// One sentence, the faults separated by semicolons.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            let divider = if index == 0 { "" } else { "; " };
            write!(f, "{divider}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupFaults {}

impl<'a> IntoIterator for &'a SetupFaults {
    type Item = &'a SetupFault;
    type IntoIter = std::slice::Iter<'a, SetupFault>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Squares as people list them: "a1, b2 and c3".
struct SquareListText(Bitboard);

impl fmt::Display for SquareListText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.0.len().saturating_sub(1);
        for (index, square) in self.0.into_iter().enumerate() {
            let divider = match index {
                0 => "",
                _ if index == last => " and ",
                _ => ", ",
            };
            write!(f, "{divider}{square}")?;
        }
        Ok(())
    }
}

/// What a setup is validated for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// As a position, perhaps the last one of a game that an explosion ended.
    Position,
    /// As the start of a game.
    Start,
}

/// Finds every fault of a setup under the rules `R`.
pub(crate) fn examine<R: Rules>(setup: &Setup, purpose: Purpose) -> SetupFaults {
    let mut faults = Vec::new();
    if setup.board.occupied().is_empty() {
        faults.push(SetupFault::EmptyBoard);
    }
    kings::<R>(setup, purpose, &mut faults);
    pawns::<R>(setup, &mut faults);
    for color in Color::ALL {
        material::<R>(setup, color, &mut faults);
    }
    if !matches!(R::CASTLING_MODE, CastlingMode::Never) {
        castling::<R>(setup, &mut faults);
    }
    if R::HAS_EN_PASSANT {
        en_passant(setup, &mut faults);
    }
    if R::HAS_CHECK {
        checks::<R>(setup, &mut faults);
    }
    faults.sort_by_key(|fault| std::cmp::Reverse(fault.weight()));
    SetupFaults(faults)
}

fn kings<R: Rules>(setup: &Setup, purpose: Purpose, faults: &mut Vec<SetupFault>) {
    for color in Color::ALL {
        let kings = setup.board.by_color_and_role(Role::King.of(color));
        let other_stands = setup.board.king_of(!color).is_some();
        match kings.len() {
            0 if purpose == Purpose::Position && is_blown_up::<R>(setup, color) => {}
            0 if purpose == Purpose::Position && R::CAPTURES_EXPLODE && other_stands => {
                faults.push(SetupFault::MoverWithoutKing { color });
            }
            0 => faults.push(SetupFault::MissingKing { color }),
            1 => {}
            _ => faults.push(SetupFault::TooManyKings { color, kings }),
        }
    }
    if R::CAPTURES_EXPLODE {
        return; // No king can capture another there, so kings may touch.
    }
    let kings = Color::ALL.map(|color| setup.board.by_color_and_role(Role::King.of(color)));
    for white in kings[0] {
        for black in kings[1] & attacks::king(white) {
            faults.push(SetupFault::TouchingKings { white, black });
        }
    }
}

/// Whether the king of this colour can be missing because the last move blew it up: the game is
/// over then, but the position is valid. Only where there is no check can that move have been its
/// own side's (002-12, A2).
fn is_blown_up<R: Rules>(setup: &Setup, color: Color) -> bool {
    R::CAPTURES_EXPLODE
        && (setup.turn == color || !R::HAS_CHECK)
        && setup.board.king_of(!color).is_some()
}

fn pawns<R: Rules>(setup: &Setup, faults: &mut Vec<SetupFault>) {
    let on = |color, rank: Rank| setup.board.by_color_and_role(Role::Pawn.of(color)) & rank.into();
    let mut pawns = on(Color::White, Rank::First) | on(Color::Black, Rank::Eighth);
    if R::HAS_PROMOTION {
        pawns |= on(Color::White, Rank::Eighth) | on(Color::Black, Rank::First);
    }
    if pawns.any() {
        faults.push(SetupFault::PawnsOnBackRank { pawns });
    }
}

fn material<R: Rules>(setup: &Setup, color: Color, faults: &mut Vec<SetupFault>) {
    let count = setup.board.by_color(color).len();
    if count > 16 {
        faults.push(SetupFault::TooManyMen { color, count });
    }
    let men = |role: Role| setup.board.by_color_and_role(role.of(color));
    let pawns = men(Role::Pawn).len();
    if pawns > 8 {
        faults.push(SetupFault::TooManyPawns {
            color,
            count: pawns,
        });
        return;
    }
    let promoted = men(Role::Queen).len().saturating_sub(1)
        + men(Role::Rook).len().saturating_sub(2)
        + men(Role::Knight).len().saturating_sub(2)
        + (men(Role::Bishop) & Bitboard::LIGHT)
            .len()
            .saturating_sub(1)
        + (men(Role::Bishop) & Bitboard::DARK).len().saturating_sub(1);
    if !R::HAS_PROMOTION {
        if promoted > 0 {
            let extra = promoted;
            faults.push(SetupFault::TooManyPieces { color, extra });
        }
    } else if promoted + pawns > 8 {
        faults.push(SetupFault::TooManyPromoted {
            color,
            promoted,
            pawns,
        });
    }
}

fn castling<R: Rules>(setup: &Setup, faults: &mut Vec<SetupFault>) {
    for rook in setup.castling - Bitboard::BACK_RANKS {
        faults.push(SetupFault::CastlingWithoutRook { rook });
    }
    for color in Color::ALL {
        let back = Bitboard::from(Rank::First.of(color));
        let rights = setup.castling & back;
        for rook in rights - setup.board.by_color_and_role(Role::Rook.of(color)) {
            faults.push(SetupFault::CastlingWithoutRook { rook });
        }
        let king = setup.board.king_of(color);
        if king.is_none() && !is_blown_up::<R>(setup, color) {
            continue; // A king that is missing, or not alone, is reported as a fault of its own.
        }
        let Some(king) = king.filter(|&king| back.contains(king)) else {
            let without = |rook| SetupFault::CastlingWithoutKing { color, rook };
            faults.extend(rights.into_iter().map(without));
            continue;
        };
        let (right, left): (Bitboard, Bitboard) = (
            rights.into_iter().filter(|&rook| rook > king).collect(),
            rights.into_iter().filter(|&rook| rook < king).collect(),
        );
        for rooks in [right, left] {
            if rooks.more_than_one() {
                faults.push(SetupFault::CastlingTwiceOnOneWing { color, rooks });
            }
        }
        if matches!(R::CASTLING_MODE, CastlingMode::Classic) {
            let is_classic = |rook: Square| {
                king.file() == crate::File::E
                    && matches!(rook.file(), crate::File::A | crate::File::H)
            };
            for rook in rights.into_iter().filter(|&rook| !is_classic(rook)) {
                faults.push(SetupFault::CastlingFromElsewhere { king, rook });
            }
        }
    }
}

/// The squares that a double step over `passed` started from and ended on.
fn double_step(passed: Square, turn: Color) -> (Bitboard, Bitboard) {
    (passed.set().forward(turn), passed.set().forward(!turn))
}

fn en_passant(setup: &Setup, faults: &mut Vec<SetupFault>) {
    let Some(passed) = setup.en_passant else {
        return;
    };
    let turn = setup.turn;
    if passed.rank() != Rank::Sixth.of(turn) {
        faults.push(SetupFault::EnPassantOnWrongRank { passed, turn });
        return;
    }
    if let Some(piece) = setup.board.piece_at(passed) {
        faults.push(SetupFault::EnPassantSquareOccupied { passed, piece });
    }
    let (origin, pawn) = double_step(passed, turn);
    if let Some(pawn) = (pawn - setup.board.by_color_and_role(Role::Pawn.of(!turn))).first() {
        faults.push(SetupFault::EnPassantWithoutPawn { passed, pawn });
    }
    if let Some(origin) = (origin & setup.board.occupied()).first() {
        faults.push(SetupFault::EnPassantOriginOccupied { passed, origin });
    }
}

fn checks<R: Rules>(setup: &Setup, faults: &mut Vec<SetupFault>) {
    let board = &setup.board;
    let (Some(king), Some(other)) = (board.king_of(setup.turn), board.king_of(!setup.turn)) else {
        return;
    };
    if attacks::king(king).contains(other) {
        return; // Touching kings are a fault of their own, or rule out check in Atomic.
    }
    let kings = board.by_role(Role::King);
    let attackers = board.attackers(other, setup.turn, board.occupied()) - kings;
    if attackers.any() {
        faults.push(SetupFault::OpponentInCheck {
            king: other,
            attackers,
        });
    }
    let checkers = board.attackers(king, !setup.turn, board.occupied()) - kings;
    if !R::CAPTURES_EXPLODE && checkers.len() > 2 {
        faults.push(SetupFault::ImpossibleCheck { king, checkers });
    } else if !R::CAPTURES_EXPLODE && !one_move_can_give(board, king, checkers)
        || !two_steps_can_give(setup, king, checkers)
    {
        faults.push(SetupFault::UnexplainedCheck { king, checkers });
    }
}

/// Whether one move can have given these two checks: a piece moves and gives check, and what it leaves
/// may open a line for one more. Where captures explode, an explosion can open any number of lines.
fn one_move_can_give(board: &Board, king: Square, checkers: Bitboard) -> bool {
    let (Some(one), Some(two)) = (checkers.first(), checkers.last()) else {
        return true;
    };
    let sliders = board.bishops_and_queens() | board.rooks_and_queens();
    let both_leap = (checkers & sliders).is_empty();
    one == two || !(both_leap || attacks::between(one, two).contains(king))
}

/// Whether the double step that the en passant square stands for can have given these checks: by
/// the pawn itself, or along a line that it opened.
fn two_steps_can_give(setup: &Setup, king: Square, checkers: Bitboard) -> bool {
    let sixth = Rank::Sixth.of(setup.turn);
    let Some(passed) = setup.en_passant.filter(|passed| passed.rank() == sixth) else {
        return true;
    };
    let (origin, pawn) = double_step(passed, setup.turn);
    let before = (setup.board.occupied() - pawn) | origin;
    let already = setup.board.attackers(king, !setup.turn, before) & checkers;
    (already - pawn).is_empty()
}
