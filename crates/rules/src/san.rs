//! SAN: moves as players write them (`Nf3`, `exd5`, `O-O`, `e8=Q+`). Parsing is exact about what
//! the letters say and tolerant about what they may leave out; writing is the export form.

use std::fmt;
use std::str::FromStr;

use crate::attacks;
use crate::movegen::MoveFilter;
use crate::san_lookup::SanDescription;
use crate::variant::Rules;
use crate::{Bitboard, CastlingSide, File, Move, Position, Rank, Role, Square};

/// A parsed SAN, not yet resolved in a position.
///
/// ```
/// use touchmove_rules::{Role, San, Square};
///
/// let san: San = "Nbd7+".parse().unwrap();
/// assert!(matches!(san, San::Man { role: Role::Knight, to: Square::D7, .. }));
/// assert_eq!(san.to_string(), "Nbd7");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum San {
    /// Castling.
    Castle(CastlingSide),
    /// Any other move.
    Man {
        /// The piece that moves.
        role: Role,
        /// The file it comes from, if given.
        file: Option<File>,
        /// The rank it comes from, if given.
        rank: Option<Rank>,
        /// Whether the text says that it captures.
        capture: bool,
        /// Where it goes.
        to: Square,
        /// What a pawn promotes to.
        promotion: Option<Role>,
    },
}

/// Why a text is not SAN.
///
/// ```
/// use touchmove_rules::San;
///
/// let error = "Nf9".parse::<San>().unwrap_err();
/// assert_eq!(error.text, "Nf9");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is not a move: at byte {at}: {what}")]
pub struct ParseSanError {
    /// The text, or its start.
    pub text: String,
    /// Where the error is, in bytes from 0.
    pub at: usize,
    /// What was expected.
    pub what: &'static str,
}

/// Why a text is not a move of a position.
///
/// ```
/// use touchmove_rules::{Chess, Position, SanError};
///
/// let position = Position::<Chess>::from_fen("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1").unwrap();
/// assert!(matches!(position.read_san("Nf3"), Err(SanError::Ambiguous { .. })));
/// assert!(matches!(position.read_san("Nh8"), Err(SanError::Illegal(_))));
/// assert!(position.read_san("Ngf3").is_ok());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// It is not a move at all.
    #[error(transparent)]
    Invalid(#[from] ParseSanError),
    /// No legal move fits.
    #[error("{0} is not a legal move here")]
    Illegal(San),
    /// Several legal moves fit.
    #[error("{san} can be {} or {}", candidates[0], candidates[1])]
    Ambiguous {
        /// What was read.
        san: San,
        /// Two of the moves that fit, in export form.
        candidates: [String; 2],
    },
}

impl FromStr for San {
    type Err = ParseSanError;

    /// Reads a move with an optional `+` or `#` at its end. `O-O` may be written with zeros, `x` and
    /// `=` may be left out, and `-` may stand between two squares.
    fn from_str(text: &str) -> Result<San, ParseSanError> {
        San::from_bytes(text.as_bytes())
    }
}

impl San {
    /// Reads a move from bytes, as files have them; otherwise like [`from_str`](San::from_str).
    ///
    /// ```
    /// use touchmove_rules::San;
    /// assert_eq!(San::from_bytes(b"Nf3"), "Nf3".parse());
    /// ```
    ///
    /// # Errors
    /// If the bytes are not a move.
    #[inline]
    pub fn from_bytes(text: &[u8]) -> Result<San, ParseSanError> {
        San::parse(text).map_err(|(at, what)| ParseSanError {
            text: crate::excerpt(&String::from_utf8_lossy(text)),
            at,
            what,
        })
    }

    /// Reads a move from bytes; the error says where and what was expected.
    #[inline]
    pub(crate) fn parse(text: &[u8]) -> Result<San, (usize, &'static str)> {
        match San::from_export(text) {
            Some(san) => Ok(san),
            None => San::parse_slowly(text),
        }
    }

    /// Reads a piece's move in the letters of the export form, without castling, and nothing else:
    /// a fast test of a text that may be something quite different.
    ///
    /// ```
    /// use touchmove_rules::San;
    /// assert_eq!(San::from_export(b"exd8=Q#"), "exd8=Q#".parse().ok());
    /// assert_eq!(San::from_export(b"1-0"), None);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn from_export(text: &[u8]) -> Option<San> {
        match *text {
            [file, rank] => San::short(Role::Pawn, file, rank),
            [letter, file, rank] if letter < b'a' && rank > b'#' => {
                San::short(piece_of(letter)?, file, rank)
            }
            _ => San::from_longer_export(text),
        }
    }

    /// A piece and the square it goes to.
    #[inline(always)]
    fn short(role: Role, file: u8, rank: u8) -> Option<San> {
        Some(San::Man {
            role,
            file: None,
            rank: None,
            capture: false,
            to: square_of(file, rank)?,
            promotion: None,
        })
    }

    /// Reads from the end: the target square stands before the check mark and the promotion.
    #[inline(always)]
    fn from_longer_export(text: &[u8]) -> Option<San> {
        let text = match text {
            [rest @ .., b'+' | b'#'] => rest,
            _ => text,
        };
        let (text, promotion) = match text {
            [rest @ .., b'=', letter] => (rest, Some(piece_of(*letter)?)),
            _ => (text, None),
        };
        let [before @ .., file, rank] = text else {
            return None;
        };
        let to = square_of(*file, *rank)?;
        let (role, before) = match before {
            [letter @ b'B'..=b'R', rest @ ..] => (piece_of(*letter)?, rest),
            _ => (Role::Pawn, before),
        };
        let (before, capture) = match before {
            [rest @ .., b'x'] => (rest, true),
            _ => (before, false),
        };
        let (file, rank) = match *before {
            [] => (None, None),
            [byte @ b'a'..=b'h'] => (File::new(byte - b'a'), None),
            [byte @ b'1'..=b'8'] => (None, Rank::new(byte - b'1')),
            _ => return None,
        };
        Some(San::Man {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        })
    }

    /// Reads every accepted form.
    #[cold]
    fn parse_slowly(text: &[u8]) -> Result<San, (usize, &'static str)> {
        let body = match text {
            [body @ .., b'+' | b'#'] => body,
            _ => text,
        };
        match body {
            b"O-O" | b"0-0" => return Ok(San::Castle(CastlingSide::King)),
            b"O-O-O" | b"0-0-0" => return Ok(San::Castle(CastlingSide::Queen)),
            _ => {}
        }
        let mut at = 0;
        let mut take = |fits: fn(u8) -> bool| {
            let byte = body.get(at).copied().filter(|&byte| fits(byte));
            at += byte.is_some() as usize;
            byte
        };
        let is_file = |byte: u8| matches!(byte, b'a'..=b'h');
        let is_rank = |byte: u8| matches!(byte, b'1'..=b'8');
        let role = match take(|byte| matches!(byte, b'N' | b'B' | b'R' | b'Q' | b'K' | b'P')) {
            None => Role::Pawn,
            Some(letter) => Role::from_char(letter as char).unwrap_or(Role::Pawn),
        };
        let first_file = take(is_file);
        let first_rank = take(is_rank);
        let mark = take(|byte| matches!(byte, b'x' | b'-'));
        let last_file = take(is_file);
        let last_rank = take(is_rank);
        let (origin, target) = match (last_file, last_rank, mark) {
            (Some(file), Some(rank), _) => ((first_file, first_rank), (Some(file), Some(rank))),
            (None, None, None) => ((None, None), (first_file, first_rank)),
            _ => ((None, None), (None, None)),
        };
        let has_equals = take(|byte| byte == b'=').is_some();
        let promotion = take(|byte| matches!(byte, b'N' | b'B' | b'R' | b'Q' | b'K'));
        let file = |byte: u8| File::new(byte - b'a');
        let rank = |byte: u8| Rank::new(byte - b'1');
        let (Some(to_file), Some(to_rank)) = (target.0.and_then(file), target.1.and_then(rank))
        else {
            return Err((at, "expected the square the man goes to, such as e4"));
        };
        if has_equals && promotion.is_none() {
            return Err((at, "expected the piece to promote to: Q, R, B or N"));
        }
        if at != body.len() {
            return Err((at, "expected the end of the move"));
        }
        Ok(San::Man {
            role,
            file: origin.0.and_then(file),
            rank: origin.1.and_then(rank),
            capture: mark == Some(b'x'),
            to: Square::at(to_file, to_rank),
            promotion: promotion.and_then(|letter| Role::from_char(letter as char)),
        })
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            San::Castle(wing) => f.write_str(wing.notation()),
            San::Man {
                role,
                file,
                rank,
                capture,
                to,
                promotion,
            } => {
                if role != Role::Pawn {
                    write!(f, "{}", role.upper_char())?;
                }
                if let Some(file) = file {
                    write!(f, "{file}")?;
                }
                if let Some(rank) = rank {
                    write!(f, "{rank}")?;
                }
                if capture {
                    f.write_str("x")?;
                }
                write!(f, "{to}")?;
                promotion.map_or(Ok(()), |role| write!(f, "={}", role.upper_char()))
            }
        }
    }
}

/// The square that a letter and a digit name.
#[inline(always)]
const fn square_of(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    if file | rank < 8 {
        Square::new(8 * rank + file)
    } else {
        None
    }
}

/// The role that a capital letter names.
#[inline(always)]
const fn piece_of(letter: u8) -> Option<Role> {
    /// Indexed by the letter's place in the alphabet: a table has no branch to mispredict.
    const ROLE_OF_LETTER: [Option<Role>; 32] = {
        let mut pieces = [None; 32];
        pieces[(b'N' & 31) as usize] = Some(Role::Knight);
        pieces[(b'B' & 31) as usize] = Some(Role::Bishop);
        pieces[(b'R' & 31) as usize] = Some(Role::Rook);
        pieces[(b'Q' & 31) as usize] = Some(Role::Queen);
        pieces[(b'K' & 31) as usize] = Some(Role::King);
        pieces
    };
    if letter.is_ascii_uppercase() {
        ROLE_OF_LETTER[(letter & 31) as usize]
    } else {
        None
    }
}

/// A move in export SAN, with its `+` or `#`: what [`Position::san`] yields.
///
/// ```
/// use touchmove_rules::{Chess, Position};
///
/// let position = Position::<Chess>::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").unwrap();
/// let mate = position.read_uci("a1a8").unwrap();
/// assert_eq!(position.san(mate).to_string(), "Ra8#");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SanPlus {
    san: San,
    suffix: &'static str,
}

impl fmt::Display for SanPlus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.san, self.suffix)
    }
}

impl<R: Rules> Position<R> {
    /// A legal move in export SAN: the shortest that is unambiguous among the legal moves, with `+`
    /// for check and `#` for mate or an exploded king.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let position = Position::<Chess>::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
    /// let castling = position.read_uci("e1g1").unwrap();
    /// assert_eq!(position.san(castling).to_string(), "O-O");
    /// let mate = position.read_uci("a1a8").unwrap();
    /// assert_eq!(position.san(mate).to_string(), "Ra8+");
    /// ```
    #[must_use]
    pub fn san(&self, mv: Move) -> SanPlus {
        let next = self.after(mv);
        let is_over = next.board().king_of(next.turn()).is_none();
        let suffix = match next.is_check() {
            _ if is_over => "#",
            true if next.legal_move_count() == 0 => "#",
            true => "+",
            false => "",
        };
        SanPlus {
            san: self.san_without_suffix(mv),
            suffix,
        }
    }

    /// A legal move in export SAN without `+` or `#`.
    #[must_use]
    pub fn san_without_suffix(&self, mv: Move) -> San {
        if let Some(wing) = mv.castling_side() {
            return San::Castle(wing);
        }
        let (role, from, to) = (mv.role(), mv.from(), mv.to());
        let (mut file, mut rank) = (None, None);
        if role == Role::Pawn {
            if mv.is_capture() {
                file = Some(from.file());
            }
        } else if role != Role::King {
            let others = self.movers(role, to) - from.set();
            if others.any() {
                let shares_file = (others & from.file().into()).any();
                let shares_rank = (others & from.rank().into()).any();
                if !shares_file || shares_rank {
                    file = Some(from.file());
                }
                if shares_file {
                    rank = Some(from.rank());
                }
            }
        }
        San::Man {
            role,
            file,
            rank,
            capture: mv.is_capture(),
            to,
            promotion: mv.promotes_to(),
        }
    }

    /// The pieces of this role that can legally go to a square.
    fn movers(&self, role: Role, to: Square) -> Bitboard {
        let men = self.board().by_color_and_role(role.of(self.turn()));
        let near = men & attacks::of(role, self.turn(), to, self.board().occupied());
        let mut movers = Bitboard::EMPTY;
        if near.more_than_one() {
            self.visit(
                MoveFilter::to(near.0, to),
                &mut (|mv: Move| movers.insert(mv.from())),
            );
        }
        movers
    }

    /// Reads a legal move of this position in SAN. What the text says must fit; it may say more or
    /// less than the export form as long as one legal move fits. Whether the marks `x`, `+` and `#`
    /// are right is not checked.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position, Square};
    ///
    /// let start = Position::<Chess>::start();
    /// assert_eq!(start.read_san("Nf3").unwrap().from(), Square::G1);
    /// assert!(start.read_san("Nf4").is_err());
    /// ```
    ///
    /// # Errors
    /// If the text is not a move, no legal move fits, or several do.
    pub fn read_san(&self, text: &str) -> Result<Move, SanError> {
        self.resolve_san(text.parse()?)
    }

    /// The legal move that a SAN stands for in this position.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position, San};
    ///
    /// let start = Position::<Chess>::start();
    /// let san: San = "e4".parse().unwrap();
    /// assert_eq!(start.resolve_san(san), start.read_san("e4"));
    /// ```
    ///
    /// # Errors
    /// If no legal move fits, or several do.
    #[inline]
    pub fn resolve_san(&self, san: San) -> Result<Move, SanError> {
        match self.look_up(san) {
            Some(mv) => Ok(mv),
            None => self.resolve_by_generating(san),
        }
    }

    /// Plays the legal move that a SAN stands for: the fast way to replay a game.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position, San};
    ///
    /// let mut position = Position::<Chess>::start();
    /// for san in ["e4", "e5", "Nf3"] {
    ///     position.play_san(San::from_bytes(san.as_bytes())?)?;
    /// }
    /// assert!(position.fen().to_string().starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/"));
    /// # Ok::<(), touchmove_rules::SanError>(())
    /// ```
    ///
    /// # Errors
    /// If no legal move fits, or several do; the position is then unchanged.
    #[inline]
    pub fn play_san(&mut self, san: San) -> Result<Move, SanError> {
        if let Some(mv) = SanDescription::read(san)
            .and_then(|described| R::look_up_and_play(&mut self.state, described))
        {
            #[cfg(debug_assertions)]
            self.state.assert_consistent::<R>();
            return Ok(mv);
        }
        let mv = self.resolve_by_generating(san)?;
        self.play(mv);
        Ok(mv)
    }

    /// The move of a SAN by the fast path, where that applies.
    #[inline]
    pub(crate) fn look_up(&self, san: San) -> Option<Move> {
        R::look_up(&self.state, SanDescription::read(san)?)
    }

    /// The move of a SAN by generating moves, or why there is none or more than one.
    #[cold]
    pub(crate) fn resolve_by_generating(&self, san: San) -> Result<Move, SanError> {
        let mut fitting: [Option<Move>; 2] = [None; 2];
        let mut note = |mv: Move| {
            if fitting[0].is_none() {
                fitting[0] = Some(mv);
            } else {
                fitting[1] = Some(mv);
            }
        };
        match san {
            San::Castle(wing) => {
                let king = self.board().by_color_and_role(Role::King.of(self.turn()));
                let wanted = MoveFilter {
                    from: king.0,
                    quiet: wing.king_target(self.turn()).bit(),
                    capture: 0,
                };
                self.visit(
                    wanted,
                    &mut (|mv: Move| {
                        if mv.castling_side() == Some(wing) {
                            note(mv);
                        }
                    }),
                );
            }
            San::Man {
                role,
                file,
                rank,
                to,
                promotion,
                ..
            } => {
                let from = self.origins(role, file, rank, to);
                self.visit(
                    MoveFilter::to(from.0, to),
                    &mut (|mv: Move| {
                        if mv.promotes_to() == promotion && !mv.kind().is_castling() {
                            note(mv);
                        }
                    }),
                );
            }
        }
        match fitting {
            [Some(mv), None] => Ok(mv),
            [Some(one), Some(other)] => Err(SanError::Ambiguous {
                san,
                candidates: [one, other].map(|mv| self.san(mv).to_string()),
            }),
            _ => Err(SanError::Illegal(san)),
        }
    }

    /// The pieces that a SAN can mean, before legality is checked.
    fn origins(&self, role: Role, file: Option<File>, rank: Option<Rank>, to: Square) -> Bitboard {
        let mut men = self.board().by_color_and_role(role.of(self.turn()));
        if let Some(file) = file {
            men &= file.into();
        }
        if let Some(rank) = rank {
            men &= rank.into();
        }
        match role {
            // "e4" alone is a step; a capture names its file.
            Role::Pawn if file.is_none() && rank.is_none() => men & to.file().into(),
            Role::Pawn => men,
            _ => men & attacks::of(role, self.turn(), to, self.board().occupied()),
        }
    }
}
