//! [`Position`]: a setup that passed validation under the rules of one variant, and its legal
//! moves. Clocks, offers and the history of a game are elsewhere.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use crate::any::Outcome;
use crate::dispatch;
use crate::movegen::{FnVisitor, MoveFilter};
use crate::setup_fault;
use crate::setup_fault::{FaultSeverity, Purpose, SetupFaults};
use crate::state::State;
use crate::variant::{Rules, Variant};
use crate::zobrist;
use crate::{Bitboard, Board, Color, Move, MoveList, Role, Setup, Square, UciMove, attacks};

/// A valid position of the variant `R`.
///
/// Two positions are equal, and hash alike, when they are the same by the laws on repetition: the
/// same pieces, side to move, castling rights, and the same capture en passant if one is legal. The
/// counters do not matter.
///
/// ```
/// use touchmove_rules::{Atomic, Position};
///
/// let position = Position::<Atomic>::start();
/// assert_eq!(position.legal_move_count(), 20);
/// let mv = position.read_san("Nf3").unwrap();
/// assert_eq!(position.after(mv).legal_move_count(), 20);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Position<R: Rules> {
    pub(crate) state: State,
    rules: PhantomData<R>,
}

impl<R: Rules> Position<R> {
    /// The starting position of chess, which every variant has as its usual start.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let start = Position::<Chess>::start();
    /// assert_eq!(start.fen().to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// ```
    #[must_use]
    pub fn start() -> Position<R> {
        let castling = match R::CASTLING_MODE {
            crate::CastlingMode::Never => 0,
            _ => 0x8100_0000_0000_0081,
        };
        Position::from_state(State {
            board: Board::START,
            castling,
            men_key: zobrist::of_board(&Board::START),
            halfmoves: 0,
            fullmoves: 1,
            turn: Color::White,
            en_passant: None,
        })
    }

    /// The position of a setup, unless it is impossible.
    ///
    /// A setup that no game can [reach](FaultSeverity::Unreachable) is accepted all the same: nine
    /// pawns or three checkers leave no doubt about the moves, and problems and tests are full of
    /// them. To warn of them call [`Setup::faults`]; to refuse them call
    /// [`from_setup_strictly`](Position::from_setup_strictly). Before a game begins, check
    /// [`Setup::faults_at_start`] as well: in the Atomic variants a setup without one of its kings
    /// is the end of a game.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Fen, Position};
    ///
    /// let Fen(nine_pawns) = "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1".parse().unwrap();
    /// assert!(Position::<Chess>::from_setup(&nine_pawns).is_ok());
    /// assert!(Position::<Chess>::from_setup_strictly(&nine_pawns).is_err());
    /// let Fen(touching_kings) = "8/8/8/8/8/8/8/Kk6 w - - 0 1".parse().unwrap();
    /// assert!(Position::<Chess>::from_setup(&touching_kings).is_err());
    /// ```
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position, Setup};
    ///
    /// assert!(Position::<Chess>::from_setup(&Setup::start()).is_ok());
    /// assert!(Position::<Chess>::from_setup(&Setup::empty()).is_err());
    /// ```
    ///
    /// # Errors
    /// Every fault, if one of them makes the setup [impossible](FaultSeverity::Impossible) under the rules
    /// of the variant.
    pub fn from_setup(setup: &Setup) -> Result<Position<R>, SetupFaults> {
        let faults = setup_fault::examine::<R>(setup, Purpose::Position);
        match faults.weight() {
            Some(FaultSeverity::Impossible) => Err(faults),
            Some(FaultSeverity::Unreachable) | None => Ok(Position::believe(setup)),
        }
    }

    /// The position of a setup without any fault. That does not prove that a game can lead to it:
    /// only what can be seen at a glance is checked.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Fen, Position};
    ///
    /// let Fen(setup) = "k7/8/8/8/8/8/8/r2K3r w - - 0 1".parse().unwrap();
    /// let strict = Position::<Chess>::from_setup_strictly(&setup);
    /// assert!(strict.is_err(), "no move lets two rooks give check along one rank");
    /// assert_eq!(Position::<Chess>::from_setup(&setup).unwrap().checkers().len(), 2);
    /// ```
    ///
    /// # Errors
    /// Every fault, if there is one of either severity.
    pub fn from_setup_strictly(setup: &Setup) -> Result<Position<R>, SetupFaults> {
        let faults = setup_fault::examine::<R>(setup, Purpose::Position);
        match faults.is_empty() {
            true => Ok(Position::believe(setup)),
            false => Err(faults),
        }
    }

    /// The number of this position among the starts of Chess960, if it is one; see
    /// [`Setup::chess960_number`].
    ///
    /// ```
    /// use touchmove_rules::{Chess960, Position, Setup};
    ///
    /// let start = Position::<Chess960>::start();
    /// assert_eq!(start.chess960_number(), Some(518));
    /// let e4 = start.read_san("e4").unwrap();
    /// assert_eq!(start.after(e4).chess960_number(), None);
    /// ```
    #[must_use]
    pub fn chess960_number(&self) -> Option<u16> {
        self.setup().chess960_number()
    }

    fn believe(setup: &Setup) -> Position<R> {
        // Castling rights that a variant does not have are no fault; they are ignored.
        let castling = match R::CASTLING_MODE {
            crate::CastlingMode::Never => 0,
            _ => setup.castling.0,
        };
        let en_passant = setup.en_passant.filter(|&passed| {
            R::HAS_EN_PASSANT
                && (attacks::pawn(!setup.turn, passed)
                    & setup.board.by_color_and_role(Role::Pawn.of(setup.turn)))
                .any()
        });
        Position::from_state(State {
            board: setup.board,
            castling,
            men_key: zobrist::of_board(&setup.board),
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves.max(1),
            turn: setup.turn,
            en_passant,
        })
    }

    pub(crate) fn from_state(state: State) -> Position<R> {
        #[cfg(debug_assertions)]
        state.assert_consistent::<R>();
        Position {
            state,
            rules: PhantomData,
        }
    }

    /// The position as a setup, with all that a FEN can say. The en passant square is set only if
    /// the capture is legal.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position, Setup};
    ///
    /// assert_eq!(Position::<Chess>::start().setup(), Setup::start());
    /// ```
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.state.board,
            turn: self.state.turn,
            castling: Bitboard(self.state.castling),
            en_passant: self.en_passant(),
            halfmoves: self.state.halfmoves,
            fullmoves: self.state.fullmoves,
        }
    }

    /// The variant.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        R::VARIANT
    }

    /// The pieces.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Color, Position, Role, Square};
    ///
    /// let position = Position::<Chess>::start();
    /// assert_eq!(position.board().piece_at(Square::D8), Some(Role::Queen.of(Color::Black)));
    /// ```
    #[inline]
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.state.board
    }

    /// Who is on move.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Color, Position};
    ///
    /// assert_eq!(Position::<Chess>::start().turn(), Color::White);
    /// ```
    #[inline]
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.state.turn
    }

    /// The squares of the rooks that may still castle.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position, Square};
    ///
    /// let position = Position::<Chess>::from_fen("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1").unwrap();
    /// assert_eq!(position.castling_rights(), Square::H1.set() | Square::A8.set());
    /// ```
    #[inline]
    #[must_use]
    pub const fn castling_rights(&self) -> Bitboard {
        Bitboard(self.state.castling)
    }

    /// The square where a pawn can now legally be taken en passant.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position, Square};
    ///
    /// let legal = Position::<Chess>::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap();
    /// assert_eq!(legal.en_passant(), Some(Square::D6));
    /// let pinned = Position::<Chess>::from_fen("4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1").unwrap();
    /// assert_eq!(pinned.en_passant(), None);
    /// ```
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        let passed = self.state.en_passant?;
        let pawns = self.state.board.pawns & self.state.board.by_color(self.turn()).0;
        let wanted = MoveFilter {
            quiet: 0,
            ..MoveFilter::to(pawns, passed)
        };
        let mut legal = false;
        self.visit(wanted, &mut (|mv: Move| legal |= mv.kind().is_en_passant()));
        legal.then_some(passed)
    }

    /// The square that a pawn has just passed over with an enemy pawn ready to take it there,
    /// whether or not that capture would be legal.
    #[must_use]
    pub const fn passed_square(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub const fn halfmoves(&self) -> u32 {
        self.state.halfmoves
    }

    /// The number of the move, counted up after Black's.
    #[inline]
    #[must_use]
    pub const fn fullmoves(&self) -> u32 {
        self.state.fullmoves
    }

    /// Calls `visit` for every legal move.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position, Role};
    ///
    /// let mut knight_moves = 0;
    /// Position::<Chess>::start().for_each_legal_move(|mv| knight_moves += (mv.role() == Role::Knight) as u32);
    /// assert_eq!(knight_moves, 4);
    /// ```
    #[inline]
    pub fn for_each_legal_move(&self, visit: impl FnMut(Move)) {
        dispatch::walk::<R>(&self.state, MoveFilter::ALL, &mut FnVisitor(visit));
    }

    /// All legal moves.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let position = Position::<Chess>::from_fen("7k/8/8/8/8/8/5K2/6R1 b - - 0 1").unwrap();
    /// let moves: Vec<String> =
    ///     position.legal_moves().iter().map(|&mv| position.san(mv).to_string()).collect();
    /// assert_eq!(moves, ["Kh7"]);
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        self.list(MoveFilter::ALL)
    }

    /// Clears the list and fills it with all legal moves: for loops that reuse one list.
    ///
    /// ```
    /// use touchmove_rules::{Chess, MoveList, Position};
    ///
    /// let mut moves = MoveList::new();
    /// Position::<Chess>::start().list_moves(&mut moves);
    /// assert_eq!(moves.len(), 20);
    /// ```
    #[inline]
    pub fn list_moves(&self, moves: &mut MoveList) {
        R::list(&self.state, MoveFilter::ALL, moves);
    }

    /// Clears the list and fills it with all legal captures; see [`captures`](Position::captures).
    ///
    /// ```
    /// use touchmove_rules::{Chess, MoveList, Position};
    ///
    /// let mut moves = MoveList::new();
    /// Position::<Chess>::start().list_captures(&mut moves);
    /// assert!(moves.is_empty());
    /// ```
    #[inline]
    pub fn list_captures(&self, moves: &mut MoveList) {
        R::list(&self.state, MoveFilter::CAPTURES, moves);
    }

    /// All legal captures, en passant and promoting captures included.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let position = Position::<Chess>::from_fen("4k3/8/8/3pPp2/8/8/8/4K3 w - d6 0 1").unwrap();
    /// assert_eq!(position.captures().len(), 1, "exd6 en passant");
    /// ```
    #[must_use]
    pub fn captures(&self) -> MoveList {
        self.list(MoveFilter::CAPTURES)
    }

    /// All legal moves of the piece on this square.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position, Square};
    ///
    /// assert_eq!(Position::<Chess>::start().moves_from(Square::E2).len(), 2);
    /// assert_eq!(Position::<Chess>::start().moves_from(Square::E7).len(), 0);
    /// ```
    #[must_use]
    pub fn moves_from(&self, square: Square) -> MoveList {
        self.list(MoveFilter {
            from: square.bit(),
            ..MoveFilter::ALL
        })
    }

    fn list(&self, wanted: MoveFilter) -> MoveList {
        let mut moves = MoveList::new();
        R::list(&self.state, wanted, &mut moves);
        moves
    }

    pub(crate) fn visit(&self, wanted: MoveFilter, visit: &mut dyn FnMut(Move)) {
        // Filled in place: a list that is passed on by value would be copied whole.
        let mut moves = MoveList::new();
        R::list(&self.state, wanted, &mut moves);
        moves.iter().for_each(|&mv| visit(mv));
    }

    /// How many legal moves there are, without listing them.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// assert_eq!(Position::<Chess>::start().legal_move_count(), 20);
    /// ```
    #[must_use]
    pub fn legal_move_count(&self) -> u32 {
        R::count(&self.state)
    }

    /// How many legal replies there are to all legal moves together: the last two plies of a
    /// [`perft`](crate::perft), counted without making most of the moves.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    /// assert_eq!(Position::<Chess>::start().count_replies(), 20 * 20);
    /// ```
    #[must_use]
    pub fn count_replies(&self) -> u64 {
        R::perft(&self.state, 2)
    }

    /// The legal move that a UCI move asks for, if there is one. Castling may be given as the
    /// king's steps (where they are not also an ordinary move of the king) or as king takes rook.
    ///
    /// ```
    /// use touchmove_rules::{UciMove, Chess, Position, Square};
    ///
    /// let position = Position::<Chess>::start();
    /// assert!(position.find_uci(UciMove::new(Square::G1, Square::F3)).is_some());
    /// assert!(position.find_uci(UciMove::new(Square::G1, Square::G3)).is_none());
    /// ```
    #[must_use]
    pub fn find_uci(&self, attempt: UciMove) -> Option<Move> {
        if attempt.from == attempt.to {
            return None; // In Chess960 a king can castle without leaving its square.
        }
        let mut found = None;
        let takes_own_rook = self.castling_rights().contains(attempt.to)
            && self.board().color_at(attempt.to) == Some(self.turn());
        if takes_own_rook {
            let wanted = MoveFilter {
                from: attempt.from.bit(),
                quiet: !0,
                capture: 0,
            };
            self.visit(
                wanted,
                &mut (|mv: Move| {
                    if mv.castling_rook() == Some(attempt.to) && attempt.promotion.is_none() {
                        found = Some(mv);
                    }
                }),
            );
            return found;
        }
        self.visit(
            MoveFilter::to(attempt.from.bit(), attempt.to),
            &mut (|mv: Move| {
                let is_better = found.is_none_or(|other: Move| other.kind().is_castling());
                if mv.promotes_to() == attempt.promotion && is_better {
                    found = Some(mv);
                }
            }),
        );
        found
    }

    /// Whether the move is one of this position's legal moves.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let start = Position::<Chess>::start();
    /// let e4 = start.read_san("e4").unwrap();
    /// assert!(start.is_legal(e4));
    /// assert!(!start.after(e4).is_legal(e4));
    /// ```
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let mut listed = false;
        let wanted = MoveFilter::to(mv.from().bit(), mv.to());
        self.visit(wanted, &mut (|other| listed |= other == mv));
        listed
    }

    /// Plays a move that is legal here.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let mut position = Position::<Chess>::start();
    /// position.play(position.read_san("e4").unwrap());
    /// assert_eq!(position.fullmoves(), 1);
    /// ```
    ///
    /// # A move of another position
    ///
    /// The move must be one of this position's. Nothing checks that in a release build, because the
    /// check would cost more than the move: the board, the rights and the counters change as if the
    /// moving piece stood where the move begins and its victim where it ends. The result is a
    /// position that no game has, perhaps with two pieces on one square or without a king. Memory
    /// safety is not at risk, but answers about it mean nothing, and methods may panic. Debug
    /// builds panic here, at once. Check moves that come from elsewhere with
    /// [`is_legal`](Position::is_legal) or [`find_uci`](Position::find_uci) first.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {}", self.fen());
        R::play(&mut self.state, mv);
        #[cfg(debug_assertions)]
        self.state.assert_consistent::<R>();
    }

    /// The position after a move that is legal here; see [`play`](Position::play).
    ///
    /// ```
    /// use touchmove_rules::{Chess, Color, Position};
    ///
    /// let start = Position::<Chess>::start();
    /// let next = start.after(start.read_san("e4").unwrap());
    /// assert_eq!((start.turn(), next.turn()), (Color::White, Color::Black));
    /// ```
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Position<R> {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {}", self.fen());
        Position::from_state(R::after(&self.state, mv))
    }

    /// The position after a null move: the same with the other side on move. `None` if the side on
    /// move is in check, or its opponent would be.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Color, Position};
    ///
    /// let passed = Position::<Chess>::start().null_move().unwrap();
    /// assert_eq!(passed.turn(), Color::Black);
    /// ```
    #[must_use]
    pub fn null_move(&self) -> Option<Position<R>> {
        if self.is_check() {
            return None;
        }
        let state = State {
            turn: !self.state.turn,
            en_passant: None,
            halfmoves: self.state.halfmoves.saturating_add(1),
            fullmoves: self
                .state
                .fullmoves
                .saturating_add(!self.state.turn.is_white() as u32),
            ..self.state
        };
        Some(Position::from_state(state))
    }

    /// The enemy pieces that give check. None where there is no check: in simple Atomic, and in Atomic
    /// while the kings touch.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position, Square};
    ///
    /// let position = Position::<Chess>::from_fen("4k3/8/8/8/1b6/8/4r3/4K3 w - - 0 1").unwrap();
    /// assert_eq!(position.checkers(), Square::B4.set() | Square::E2.set());
    /// ```
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        Bitboard(R::checkers(&self.state))
    }

    /// Whether the side on move is in check.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position, SimpleAtomic};
    ///
    /// let fen = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
    /// assert!(Position::<Chess>::from_fen(fen).unwrap().is_check());
    /// assert!(!Position::<SimpleAtomic>::from_fen(fen).unwrap().is_check());
    /// ```
    #[inline]
    #[must_use]
    pub fn is_check(&self) -> bool {
        R::is_check(&self.state)
    }

    /// Whether the side on move is checkmated.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let mated = Position::<Chess>::from_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
    /// assert!(mated.is_checkmate() && !mated.is_stalemate());
    /// ```
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && self.legal_move_count() == 0
    }

    /// Whether the side on move has no legal move and is not in check, with both kings there.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let stalemate = Position::<Chess>::from_fen("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1").unwrap();
    /// assert!(stalemate.is_stalemate() && !stalemate.is_checkmate());
    /// ```
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        self.outcome() == Some(Outcome::Stalemate)
    }

    /// How the game has ended by the position alone: mate, stalemate, or a king gone.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Outcome, Position};
    ///
    /// assert_eq!(Position::<Chess>::start().outcome(), None);
    /// let stalemate = Position::<Chess>::from_fen("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1").unwrap();
    /// assert_eq!(stalemate.outcome(), Some(Outcome::Stalemate));
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        for color in Color::ALL {
            if self.board().king_of(color).is_none() {
                return Some(Outcome::KingExploded { winner: !color });
            }
        }
        if self.legal_move_count() > 0 {
            None
        } else if self.is_check() {
            Some(Outcome::Checkmate {
                winner: !self.turn(),
            })
        } else {
            Some(Outcome::Stalemate)
        }
    }

    /// The squares of the pieces that a capture blows up, the captor's included; empty where
    /// captures do not explode, and for other moves.
    ///
    /// ```
    /// use touchmove_rules::{Atomic, Position, Square};
    ///
    /// let position = Position::<Atomic>::from_fen("7k/8/2n5/3p4/4P3/8/8/K7 w - - 0 1").unwrap();
    /// let casualties = position.exploded_squares(position.read_san("exd5").unwrap());
    /// assert_eq!(casualties, Square::E4.set() | Square::D5.set() | Square::C6.set());
    /// ```
    #[must_use]
    pub fn exploded_squares(&self, mv: Move) -> Bitboard {
        if R::CAPTURES_EXPLODE && mv.is_capture() {
            Bitboard(self.state.exploded_squares(mv))
        } else {
            Bitboard::EMPTY
        }
    }

    /// A hash key for detecting repetitions: equal positions have equal keys.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let mut position = Position::<Chess>::start();
    /// let first = position.key();
    /// for san in ["Nf3", "Nf6", "Ng1", "Ng8"] {
    ///     position.play(position.read_san(san).unwrap());
    /// }
    /// assert_eq!(position.key(), first);
    /// ```
    #[must_use]
    pub fn key(&self) -> u64 {
        self.state.repetition_key(self.en_passant())
    }

    /// The key of the Polyglot opening book format, which includes an en passant square as soon as
    /// a pawn stands ready to capture, legally or not.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    /// assert_eq!(Position::<Chess>::start().polyglot_key(), 0x463b_9618_1691_fc9c);
    /// ```
    #[must_use]
    pub fn polyglot_key(&self) -> u64 {
        self.state.polyglot_key(self.state.en_passant)
    }
}

impl<R: Rules> Default for Position<R> {
    fn default() -> Position<R> {
        Position::start()
    }
}

impl<R: Rules> PartialEq for Position<R> {
    fn eq(&self, other: &Position<R>) -> bool {
        self.state.board == other.state.board
            && self.state.turn == other.state.turn
            && self.state.castling == other.state.castling
            && (self.state.en_passant == other.state.en_passant
                || self.en_passant() == other.en_passant())
    }
}

impl<R: Rules> Eq for Position<R> {}

impl<R: Rules> Hash for Position<R> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
    }
}
