//! Moves as people type them: `e2e4`, `e2 e4`, `E2-E4`, `Nf3`, `nf3`, `exd5`, `ed`, `0-0`, `e8q`,
//! and in words. Parses tolerantly which move is meant; whether it is legal is decided by the law book.

use crate::law::{Illegal, MoveRequest, Ruleset};
use crate::spoken_move;
use crate::spoken_move::SpokenMove;
use crate::variant::{Rules, Variant};
use crate::{
    Bitboard, CastlingSide, Color, File, Move, Position, Rank, Role, San, Square, UciMove,
};

/// Why a typed text is not a move of the position.
///
/// ```
/// use touchmove_rules::{Chess, MoveInputError, Position};
///
/// let start = Position::<Chess>::start();
/// assert!(start.read_input("E2-E4").is_ok());
/// assert!(matches!(start.read_input("hello"), Err(MoveInputError::Invalid { .. })));
/// assert!(matches!(start.read_input("e2e5"), Err(MoveInputError::Illegal { .. })));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveInputError {
    /// It is not a move at all.
    #[error("{text:?} is not a move: type {}", examples(*.variant))]
    Invalid {
        /// What was typed, or the start of it.
        text: String,
        /// The variant: the error message gives examples of moves that it has.
        variant: Variant,
    },
    /// It is a move, but breaks a law.
    #[error("{reason}")]
    Illegal {
        /// The move that was requested.
        wish: MoveRequest,
        /// The law that it breaks first.
        reason: Illegal,
    },
    /// The side has no such piece.
    #[error("{color} has no {role} {}", BoardPlaceText(*.file, *.rank))]
    NoSuchMan {
        /// The side on move.
        color: Color,
        /// The piece that was named.
        role: Role,
        /// The file that was named.
        file: Option<File>,
        /// The rank that was named.
        rank: Option<Rank>,
    },
    /// The side has several such pieces, and none of them goes there.
    #[error("no {role} of {color}'s goes to {to}")]
    NoneGoesThere {
        /// The side on move.
        color: Color,
        /// The piece that was named.
        role: Role,
        /// Where it was to go.
        to: Square,
    },
    /// No pawn of the one file captures on the other.
    #[error("no pawn on the {from}-file can take anything on the {to}-file")]
    NoSuchCapture {
        /// Where the pawn was to come from.
        from: File,
        /// Where it was to capture.
        to: File,
    },
    /// It can be several moves.
    #[error("{text:?} can be {}: type which one", .candidates.join(" or "))]
    Ambiguous {
        /// What was typed.
        text: String,
        /// The moves that it can be, in SAN.
        candidates: Vec<String>,
    },
    /// The pawn reaches the last rank, and the text does not say what it promotes to.
    #[error("say what the pawn becomes: {}", .choices.join(", "))]
    PromotionMissing {
        /// The move without its promotion.
        attempt: UciMove,
        /// The moves to choose from, in SAN.
        choices: Vec<String>,
    },
}

/// Moves of the variant as they may be typed: "e2e4, Nf3 or exd5".
fn examples(variant: Variant) -> String {
    let examples = Ruleset::of(variant).examples();
    match examples.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// "on the e-file", "on rank 4", or "on the board".
struct BoardPlaceText(Option<File>, Option<Rank>);

impl std::fmt::Display for BoardPlaceText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.0, self.1) {
            (Some(file), Some(rank)) => write!(f, "on {file}{rank}"),
            (Some(file), None) => write!(f, "on the {file}-file"),
            (None, Some(rank)) => write!(f, "on rank {rank}"),
            (None, None) => write!(f, "on the board"),
        }
    }
}

impl MoveInputError {
    /// A stable code for programs; for an illegal move, the code of the broken law.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            MoveInputError::Invalid { .. } => "invalid_move",
            MoveInputError::Illegal { reason, .. } => reason.code(),
            MoveInputError::NoSuchMan { .. } => "no_such_piece",
            MoveInputError::NoneGoesThere { .. } => "no_piece_goes_there",
            MoveInputError::NoSuchCapture { .. } => "no_such_capture",
            MoveInputError::Ambiguous { .. } => "ambiguous_move",
            MoveInputError::PromotionMissing { .. } => "promotion_missing",
        }
    }

    /// Whether no piece of the kind could make such a move on any board, which suggests that
    /// something else was meant.
    const fn is_far_off(&self) -> bool {
        matches!(
            self,
            MoveInputError::Invalid { .. }
                | MoveInputError::Illegal {
                    reason: Illegal::WrongWay { .. },
                    ..
                }
                | MoveInputError::NoSuchMan { .. }
                | MoveInputError::NoneGoesThere { .. }
                | MoveInputError::NoSuchCapture { .. }
        )
    }
}

/// One way to understand a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Interpretation {
    Squares(UciMove),
    San(San),
    /// A pawn of the one file captures on the other: `ed`, `exd`.
    Capture(File, File),
}

impl Interpretation {
    const fn is_squares(&self) -> bool {
        matches!(self, Interpretation::Squares(_))
    }
}

/// The ways to understand a text: with and without regard to upper and lower case.
struct Interpretations {
    exact: Option<Interpretation>,
    /// Equally plausible readings if case is ignored.
    folded: Vec<Interpretation>,
}

impl Interpretations {
    fn of(text: &str) -> Interpretations {
        let body = match spoken_move::read(text) {
            SpokenMove::Notation(text) => bare(&text),
            SpokenMove::Castling(wing) => {
                let wings = wing.map_or(CastlingSide::ALL.to_vec(), |wing| vec![wing]);
                return Interpretations {
                    exact: None,
                    folded: wings
                        .into_iter()
                        .map(|wing| Interpretation::San(San::Castle(wing)))
                        .collect(),
                };
            }
        };
        let lower = body.to_ascii_lowercase();
        if let Some((from, to)) = files(&lower) {
            return Interpretations {
                exact: Some(Interpretation::Capture(from, to)),
                folded: Vec::new(),
            };
        }
        if let Some(wing) = castling(&body) {
            return Interpretations {
                exact: Some(Interpretation::San(San::Castle(wing))),
                folded: Vec::new(),
            };
        }
        let squares = squares(&lower).map(Interpretation::Squares);
        let san = |text: &str| {
            let san = text.parse().ok().filter(|san| !names_own_file(san));
            san.map(Interpretation::San)
        };
        // Case is significant unless everything is in capitals.
        let exact = match body.chars().next() {
            _ if !body.contains(|letter: char| letter.is_ascii_lowercase()) => None,
            Some(first) if squares.is_some() && first.is_ascii_lowercase() => squares,
            Some(first) => {
                let rest = lower.get(first.len_utf8()..).unwrap_or_default();
                san(&format!("{first}{}", as_pawn(rest)))
            }
            None => None,
        };
        let mut folded = Vec::new();
        for reading in [squares, san(&as_pawn(&lower)), san(&as_piece(&lower))] {
            let is_new =
                |reading: &Interpretation| exact != Some(*reading) && !folded.contains(reading);
            folded.extend(reading.filter(is_new));
        }
        Interpretations { exact, folded }
    }
}

/// The text in plain letters, without spaces, move number, check marks and annotations.
fn bare(text: &str) -> String {
    let text = text.trim();
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = match after_number.strip_prefix(['.', '…']) {
        Some(rest) => rest.trim_start_matches(['.', '…']),
        None => text,
    };
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || "+#!?.".contains(c));
    let text = match text.strip_suffix(')') {
        Some(rest) if rest.contains('(') => rest,
        _ => text,
    };
    let text = text
        .strip_suffix("e.p")
        .or(text.strip_suffix("ep"))
        .unwrap_or(text);
    let plain = |letter: char| match letter {
        _ if letter.is_whitespace() => None,
        '‐' | '‑' | '–' | '—' | '−' | '>' | '→' => Some('-'),
        '×' | ':' => Some('x'),
        '(' | '/' => Some('='),
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        '♙' | '♟' => Some('P'),
        '\u{fe0e}' | '\u{fe0f}' => None,
        _ => Some(letter),
    };
    text.chars()
        .filter_map(plain)
        .take(MAX_MOVE_TEXT_BYTES + 1)
        .collect()
}

/// No move is longer than this: `Qa1xb2=Q` with arrows and all.
const MAX_MOVE_TEXT_BYTES: usize = 12;

/// Two files beside each other: a pawn of the first captures on the second.
fn files(lower: &str) -> Option<(File, File)> {
    let mut letters = lower.chars().filter(|&letter| letter != 'x');
    let (from, to) = (letters.next()?, letters.next()?);
    let is_short = letters.next().is_none() && !lower.starts_with('x') && !lower.ends_with('x');
    let (from, to) = (File::from_char(from)?, File::from_char(to)?);
    (is_short && lower.len() <= 3 && from.index().abs_diff(to.index()) == 1).then_some((from, to))
}

/// Whether a pawn's step ahead names its file twice, as `e e4` does: nobody writes it so, and two
/// moves may have been meant.
fn names_own_file(san: &San) -> bool {
    matches!(
        san,
        San::Man { role: Role::Pawn, file: Some(file), rank: None, to, .. } if *file == to.file()
    )
}

/// Castling in any of the ways it is written: `O-O`, `0-0`, `o-o`, `OO`.
fn castling(body: &str) -> Option<CastlingSide> {
    match body.replace(['o', '0'], "O").as_str() {
        "O-O" | "OO" => Some(CastlingSide::King),
        "O-O-O" | "OOO" => Some(CastlingSide::Queen),
        _ => None,
    }
}

/// Two squares, with what people write between them (`-`, `->`, `x`), and perhaps what a pawn
/// promotes to (`q`, `=q`); `None` if there is anything else.
fn squares(lower: &str) -> Option<UciMove> {
    if lower.len() > MAX_MOVE_TEXT_BYTES {
        return None;
    }
    let (from, rest) = lower.split_at_checked(2)?;
    let rest = match rest.strip_prefix('x') {
        Some(rest) => rest,
        None => rest.trim_start_matches('-'),
    };
    let (to, rest) = rest.split_at_checked(2)?;
    let becomes = match rest.strip_prefix('=') {
        Some("") => return None,
        Some(role) => role,
        None => rest,
    };
    format!("{from}{to}{becomes}").parse().ok()
}

/// A lower-case text as a pawn's move in SAN: only the piece it promotes to is a capital.
fn as_pawn(lower: &str) -> String {
    let (rest, last) = lower.split_at(lower.floor_char_boundary(lower.len().saturating_sub(1)));
    match rest.ends_with(|c: char| c == '=' || c.is_ascii_digit()) {
        true => format!("{rest}{}", last.to_ascii_uppercase()),
        false => lower.to_owned(),
    }
}

/// A lower-case text as a piece's move in SAN: the first letter is a capital.
fn as_piece(lower: &str) -> String {
    let mut letters = lower.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

impl<R: Rules> Position<R> {
    /// The legal move that a typed text stands for here.
    ///
    /// Case is significant at first: `bxc3` is a pawn's move and `Bxc3` a bishop's, if there is
    /// one. If no such piece could ever make that move, case is ignored: `nf3`, `NF3` and `E2E4`
    /// are understood, and `BXC3` is refused as ambiguous if both are legal.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let start = Position::<Chess>::start();
    /// let e4 = start.read_uci("e2e4").unwrap();
    /// for text in ["e4", "E4", "e2 e4", "e2-e4", "E2E4", "1. e4!"] {
    ///     assert_eq!(start.read_input(text), Ok(e4));
    /// }
    /// let misread = start.read_input("e5").unwrap_err();
    /// assert_eq!(misread.code(), "wrong_way");
    /// ```
    ///
    /// # Errors
    /// If the text is not a move, the move is illegal, several legal moves fit, or a promotion lacks
    /// its piece.
    pub fn read_input(&self, text: &str) -> Result<Move, MoveInputError> {
        self.read_input_after(&[], text)
    }

    /// The same, with the moves that led to this position; see [`judge_after`](Position::judge_after).
    ///
    /// # Errors
    /// If the text is not a legal move of this position, or not one alone.
    pub fn read_input_after(&self, past: &[Move], text: &str) -> Result<Move, MoveInputError> {
        let readings = Interpretations::of(text);
        let understand = |reading| self.understand(past, text, reading);
        let is_plain = readings.exact.is_some_and(|exact| self.has_man_of(exact))
            && !readings.folded.iter().any(Interpretation::is_squares);
        let exact = match readings.exact.map(understand) {
            Some(Err(misread)) if misread.is_far_off() && !is_plain => Some(misread),
            Some(answer) => return answer,
            None => None,
        };
        let mut legal: Vec<Move> = Vec::new();
        let mut refusals: Vec<MoveInputError> = exact.into_iter().collect();
        for answer in readings.folded.into_iter().map(understand) {
            match answer {
                Ok(mv) if legal.contains(&mv) => {}
                Ok(mv) => legal.push(mv),
                Err(misread) => refusals.push(misread),
            }
        }
        match legal[..] {
            [mv] => Ok(mv),
            [] => {
                let invalid = || MoveInputError::Invalid {
                    text: crate::excerpt(text),
                    variant: R::VARIANT,
                };
                Err(likeliest(refusals).unwrap_or_else(invalid))
            }
            _ => Err(self.ambiguous(text, &legal)),
        }
    }

    /// Whether the text names a piece that the side on move has.
    fn has_man_of(&self, reading: Interpretation) -> bool {
        let Interpretation::San(San::Man { role, .. }) = reading else {
            return false;
        };
        role != Role::Pawn
            && (self.board().by_color(self.turn()) & self.board().by_role(role)).any()
    }

    fn understand(
        &self,
        past: &[Move],
        text: &str,
        reading: Interpretation,
    ) -> Result<Move, MoveInputError> {
        let (role, file, rank, capture, to, promotion) = match reading {
            Interpretation::Squares(attempt) => return self.ask(past, attempt.into()),
            Interpretation::Capture(from, to) => return self.pawn_takes(past, text, from, to),
            Interpretation::San(San::Castle(wing)) => return self.ask(past, wing.into()),
            Interpretation::San(San::Man {
                role,
                file,
                rank,
                capture,
                to,
                promotion,
            }) => (role, file, rank, capture, to, promotion),
        };
        // "e4" alone is a step ahead; a capture names its file, or leaves it to be found.
        let file = match (role, rank) {
            (Role::Pawn, None) if !capture => file.or(Some(to.file())),
            _ => file,
        };
        let attempts: Vec<UciMove> = self
            .named(role, file, rank)
            .into_iter()
            .map(|from| UciMove {
                from,
                to,
                promotion,
            })
            .collect();
        let judge = |attempt: &UciMove| self.judge(*attempt).ok();
        let legal: Vec<Move> = attempts.iter().filter_map(judge).collect();
        let color = self.turn();
        match (&legal[..], &attempts[..]) {
            ([mv], _) => Ok(*mv),
            ([_, _, ..], _) => Err(self.ambiguous(text, &legal)),
            ([], []) => match self.opponents(role, file, rank) {
                // The side to move is checked before everything else.
                Some(from) => self.ask(
                    past,
                    MoveRequest::from(UciMove {
                        from,
                        to,
                        promotion,
                    }),
                ),
                None => Err(MoveInputError::NoSuchMan {
                    color,
                    role,
                    file,
                    rank,
                }),
            },
            ([], [attempt]) => self.ask(past, (*attempt).into()),
            ([], [first, ..]) => {
                let nearest = attempts.iter().max_by_key(|attempt| {
                    let explanation = self.explain(past, **attempt);
                    let checks = explanation.checklist().iter();
                    checks.take_while(|check| check.holds()).count()
                });
                match self.ask(past, (*nearest.unwrap_or(first)).into()) {
                    Err(misread) if misread.is_far_off() => {
                        Err(MoveInputError::NoneGoesThere { color, role, to })
                    }
                    answer => answer,
                }
            }
        }
    }

    /// The one capture that a pawn of this file can make on that one.
    fn pawn_takes(
        &self,
        past: &[Move],
        text: &str,
        from: File,
        to: File,
    ) -> Result<Move, MoveInputError> {
        let moves = self.legal_moves();
        let takes = |mv: &&Move| {
            let files = (mv.from().file(), mv.to().file());
            mv.role() == Role::Pawn && mv.is_capture() && files == (from, to)
        };
        let captures: Vec<Move> = moves.iter().filter(takes).copied().collect();
        let is_one = |first: &Move| {
            let squares = (first.from(), first.to());
            captures.iter().all(|mv| (mv.from(), mv.to()) == squares)
        };
        match captures.first() {
            None => Err(MoveInputError::NoSuchCapture { from, to }),
            Some(first) if is_one(first) => {
                self.ask(past, UciMove::new(first.from(), first.to()).into())
            }
            Some(_) => Err(self.ambiguous(text, &captures)),
        }
    }

    fn ask(&self, past: &[Move], wish: MoveRequest) -> Result<Move, MoveInputError> {
        self.judge_after(past, wish)
            .map_err(|reason| match (reason, wish) {
                (Illegal::PromotionMissing { .. }, MoveRequest::Attempt(attempt)) => {
                    let promote = |role| self.judge(attempt.promoting(role)).ok();
                    let moves = Role::PROMOTIONS.into_iter().filter_map(promote);
                    MoveInputError::PromotionMissing {
                        attempt,
                        choices: moves.map(|mv| self.san(mv).to_string()).collect(),
                    }
                }
                _ => MoveInputError::Illegal { wish, reason },
            })
    }

    /// The pieces that a SAN names, wherever they can go.
    fn named(&self, role: Role, file: Option<File>, rank: Option<Rank>) -> Bitboard {
        let on_file = file.map_or(Bitboard::ALL, Bitboard::from);
        let on_rank = rank.map_or(Bitboard::ALL, Bitboard::from);
        self.board().by_color_and_role(role.of(self.turn())) & on_file & on_rank
    }

    /// The square of the opponent's piece that was named, if its square was.
    fn opponents(&self, role: Role, file: Option<File>, rank: Option<Rank>) -> Option<Square> {
        let square = Square::at(file?, rank?);
        (self.board().piece_at(square) == Some(role.of(!self.turn()))).then_some(square)
    }

    fn ambiguous(&self, text: &str, moves: &[Move]) -> MoveInputError {
        MoveInputError::Ambiguous {
            text: crate::excerpt(text.trim()),
            candidates: moves.iter().map(|&mv| self.san(mv).to_string()).collect(),
        }
    }
}

/// The refusal of the most plausible reading; of equals, the first.
fn likeliest(refusals: Vec<MoveInputError>) -> Option<MoveInputError> {
    let nearness = |misread: &MoveInputError| match misread {
        MoveInputError::Ambiguous { .. } | MoveInputError::PromotionMissing { .. } => 3,
        MoveInputError::Illegal { .. } if !misread.is_far_off() => 2,
        MoveInputError::Illegal { .. } => 1,
        _ => 0,
    };
    refusals.into_iter().rev().max_by_key(nearness)
}
