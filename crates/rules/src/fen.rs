//! FEN: positions as one line of text. The parser is strict and says where the error is and what it
//! found; whether the setup is legal is decided by validation.

use std::fmt;
use std::str::FromStr;

use crate::fen_buffer::FenBuffer;
use crate::setup_fault::SetupFaults;
use crate::state::back_rank;
use crate::variant::Rules;
use crate::{Bitboard, Board, Color, File, Piece, Position, Rank, Role, Setup, Square};

/// A [`Setup`] that is parsed from and displayed as FEN.
///
/// Castling rights are written as in X-FEN: `KQkq` for the outermost rook of a side, its file
/// letter for another. `{:#}` writes Shredder-FEN, which always has file letters. Both are read.
///
/// ```
/// use touchmove_rules::Fen;
///
/// let fen: Fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
/// assert_eq!(fen.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
/// assert_eq!(format!("{fen:#}"), "4k3/8/8/8/8/8/8/4K2R w H - 0 1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fen(pub Setup);

/// The fields of a FEN.
///
/// ```
/// use touchmove_rules::{Fen, fen::Field};
///
/// let error = "4k3/8/8/8/8/8/8/4K3 x - - 0 1".parse::<Fen>().unwrap_err();
/// assert_eq!(error.field, Field::Turn);
/// assert_eq!(error.field.to_string(), "the side to move (field 2)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Field {
    Placement,
    Turn,
    Castling,
    EnPassant,
    Halfmoves,
    Fullmoves,
    /// Anything after the last field.
    End,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Placement => "the board (field 1)",
            Field::Turn => "the side to move (field 2)",
            Field::Castling => "castling (field 3)",
            Field::EnPassant => "en passant (field 4)",
            Field::Halfmoves => "the halfmove clock (field 5)",
            Field::Fullmoves => "the move number (field 6)",
            Field::End => "the end",
        })
    }
}

/// Why a text is not a FEN: which field, at which byte, and what is wrong there.
///
/// ```
/// use touchmove_rules::Fen;
///
/// let error = "4k3/8/8/8/8/8/8/4K3 w - - zero 1".parse::<Fen>().unwrap_err();
/// assert_eq!(error.at, 26);
/// assert!(error.to_string().contains("the halfmove clock (field 5)"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a FEN: in {field}, at byte {at}: {what}")]
pub struct ParseFenError {
    /// The field that cannot be read.
    pub field: Field,
    /// Where the error is, in bytes from 0.
    pub at: usize,
    /// What was found and what was expected.
    pub what: String,
}

/// Why a FEN does not give a position.
///
/// ```
/// use touchmove_rules::{Chess, FenError, Position};
///
/// let read = Position::<Chess>::from_fen;
/// assert!(matches!(read("nonsense"), Err(FenError::Syntax(_))));
/// assert!(matches!(read("8/8/8/8/8/8/8/4K3 w - - 0 1"), Err(FenError::Position(_))));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error(transparent)]
    Syntax(#[from] ParseFenError),
    /// The position is impossible.
    #[error("illegal position: {0}")]
    Position(#[from] SetupFaults),
}

impl FromStr for Fen {
    type Err = ParseFenError;

    /// Reads all six fields, with one space between them and nothing after.
    fn from_str(text: &str) -> Result<Fen, ParseFenError> {
        let mut reader = Reader { text, at: 0 };
        let mut setup = reader.position_fields()?;
        setup.halfmoves = reader.number(Field::Halfmoves)?;
        setup.fullmoves = reader.number(Field::Fullmoves)?.max(1);
        reader.end()?;
        Ok(Fen(setup))
    }
}

impl Fen {
    /// Reads the four fields of a position as in EPD, without counters; or all six. With four, the
    /// halfmove clock is 0 and the move number 1.
    ///
    /// ```
    /// use touchmove_rules::Fen;
    ///
    /// let short = Fen::read_short("8/8/8/8/8/8/8/K1k5 w - -").unwrap();
    /// assert_eq!(short.to_string(), "8/8/8/8/8/8/8/K1k5 w - - 0 1");
    /// assert!(Fen::read_short("8/8/8/8/8/8/8/K1k5 w - - 0").is_err());
    /// ```
    ///
    /// # Errors
    /// If the text is neither.
    pub fn read_short(text: &str) -> Result<Fen, ParseFenError> {
        let mut reader = Reader { text, at: 0 };
        let setup = reader.position_fields()?;
        if reader.end().is_ok() {
            Ok(Fen(setup))
        } else {
            text.parse()
        }
    }

    /// Reads the four fields at the start of a text, and says where the rest begins.
    pub(crate) fn read_prefix(text: &str) -> Result<(Setup, usize), ParseFenError> {
        let mut reader = Reader { text, at: 0 };
        let setup = reader.position_fields()?;
        Ok((setup, reader.at))
    }
}

impl<R: Rules> Position<R> {
    /// The position of a FEN with all its six fields. Like [`from_setup`](Position::from_setup) it
    /// refuses what is impossible and accepts what no game can reach.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let five_queens = "QQQQQk2/8/8/8/8/8/PPPPPPPP/4K3 b - - 0 1";
    /// assert!(Position::<Chess>::from_fen(five_queens).is_ok());
    /// let error = Position::<Chess>::from_fen("8/8/8/8/8/8/8/4K3 w - - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "illegal position: Black has no king");
    /// ```
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let position = Position::<Chess>::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    /// assert_eq!(position.legal_move_count(), 15);
    /// assert!(Position::<Chess>::from_fen("4k3/8/8/8/8/8/8/4K2R w Q - 0 1").is_err());
    /// ```
    ///
    /// # Errors
    /// If the text is not a FEN, or its position is impossible.
    pub fn from_fen(fen: &str) -> Result<Position<R>, FenError> {
        let Fen(setup) = fen.parse()?;
        Ok(Position::from_setup(&setup)?)
    }

    /// The position as FEN.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let mut position = Position::<Chess>::start();
    /// position.play(position.read_san("e4").unwrap());
    /// let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    /// assert_eq!(position.fen().to_string(), fen, "nobody can take on e3");
    /// ```
    #[must_use]
    pub fn fen(&self) -> Fen {
        Fen(self.setup())
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn error<T>(
        &self,
        field: Field,
        at: usize,
        what: impl Into<String>,
    ) -> Result<T, ParseFenError> {
        Err(ParseFenError {
            field,
            at,
            what: what.into(),
        })
    }

    /// What stands at this byte, for error messages.
    fn found(&self, at: usize) -> String {
        match self.text[at..].chars().next() {
            None => "the end of the text".into(),
            Some(' ') => "a space".into(),
            Some(other) => format!("{other:?}"),
        }
    }

    /// The next field: everything up to the next space, after the space that separates it from the last.
    fn field(&mut self, field: Field) -> Result<(usize, &'a str), ParseFenError> {
        if field != Field::Placement {
            if self.at == self.text.len() {
                return self.error(field, self.at, "the text ends before it");
            }
            self.at += 1;
        }
        let start = self.at;
        let rest = &self.text[start..];
        let len = rest.find(' ').unwrap_or(rest.len());
        if len == 0 {
            let found = self.found(start);
            return self.error(field, start, format!("it is missing: found {found}"));
        }
        self.at += len;
        Ok((start, &rest[..len]))
    }

    fn position_fields(&mut self) -> Result<Setup, ParseFenError> {
        let board = self.placement()?;
        let turn = self.turn()?;
        let castling = self.castling(&board)?;
        let en_passant = self.en_passant()?;
        Ok(Setup {
            board,
            turn,
            castling,
            en_passant,
            halfmoves: 0,
            fullmoves: 1,
        })
    }

    fn placement(&mut self) -> Result<Board, ParseFenError> {
        const FIELD: Field = Field::Placement;
        let (start, text) = self.field(FIELD)?;
        let mut men = [0; 16];
        let (mut rank, mut file, mut after_digit) = (7u8, 0u8, false);
        for (offset, &letter) in text.as_bytes().iter().enumerate() {
            let at = start + offset;
            let name = rank + 1;
            match letter {
                b'/' => {
                    if file != 8 {
                        return self.error(
                            FIELD,
                            at,
                            format!("rank {name} has {file} squares, not 8"),
                        );
                    }
                    if rank == 0 {
                        return self.error(FIELD, at, "there are more than 8 ranks");
                    }
                    (rank, file, after_digit) = (rank - 1, 0, false);
                    continue;
                }
                b'1'..=b'8' => {
                    if after_digit {
                        return self.error(
                            FIELD,
                            at,
                            "two digits in a row: add the empty squares up",
                        );
                    }
                    file += letter - b'0';
                }
                _ => {
                    let number = PIECE_OF_LETTER[letter as usize];
                    if number == NO_PIECE {
                        let expected =
                            "a man (PNBRQK or pnbrqk), a number of empty squares (1-8) or /";
                        let found = self.found(at);
                        return self.error(
                            FIELD,
                            at,
                            format!("found {found}, expected {expected}"),
                        );
                    }
                    men[number as usize % 16] |= 1 << ((8 * rank + file) & 63);
                    file += 1;
                }
            }
            after_digit = letter.is_ascii_digit();
            if file > 8 {
                return self.error(FIELD, at, format!("rank {name} has more than 8 squares"));
            }
        }
        let end = start + text.len();
        if file != 8 {
            return self.error(
                FIELD,
                end,
                format!("rank {} has {file} squares, not 8", rank + 1),
            );
        }
        if rank != 0 {
            return self.error(FIELD, end, format!("there are {} ranks, not 8", 8 - rank));
        }
        let mut board = Board::EMPTY;
        for color in Color::ALL {
            for role in Role::ALL {
                board.put(men[number_of(color, role)], color, role);
            }
        }
        Ok(board)
    }

    fn turn(&mut self) -> Result<Color, ParseFenError> {
        match self.field(Field::Turn)? {
            (_, "w") => Ok(Color::White),
            (_, "b") => Ok(Color::Black),
            (at, other) => {
                let other = crate::excerpt(other);
                self.error(Field::Turn, at, format!("found {other:?}, expected w or b"))
            }
        }
    }

    fn castling(&mut self, board: &Board) -> Result<Bitboard, ParseFenError> {
        const FIELD: Field = Field::Castling;
        let (start, text) = self.field(FIELD)?;
        let mut rights = Bitboard::EMPTY;
        if text == "-" {
            return Ok(rights);
        }
        for (offset, letter) in text.char_indices() {
            let at = start + offset;
            let color = if letter.is_ascii_uppercase() {
                Color::White
            } else {
                Color::Black
            };
            let rook = match letter.to_ascii_lowercase() {
                'k' => outermost_rook(board, color, true),
                'q' => outermost_rook(board, color, false),
                file @ 'a'..='h' => {
                    let file = File::from_char(file).unwrap_or(File::A);
                    Square::at(file, Rank::First.of(color))
                }
                _ => {
                    let expected = "-, or letters from KQkq, or files of rooks (A-H, a-h)";
                    return self.error(FIELD, at, format!("found {letter:?}, expected {expected}"));
                }
            };
            if rights.contains(rook) {
                return self.error(FIELD, at, format!("{letter:?} names a right a second time"));
            }
            rights.insert(rook);
        }
        Ok(rights)
    }

    fn en_passant(&mut self) -> Result<Option<Square>, ParseFenError> {
        let (at, text) = self.field(Field::EnPassant)?;
        if text == "-" {
            return Ok(None);
        }
        let lower = text.bytes().all(|byte| !byte.is_ascii_uppercase());
        match text.parse() {
            Ok(square) if lower => Ok(Some(square)),
            _ => {
                let text = crate::excerpt(text);
                self.error(
                    Field::EnPassant,
                    at,
                    format!("found {text:?}, expected - or a square such as e3"),
                )
            }
        }
    }

    fn number(&mut self, field: Field) -> Result<u32, ParseFenError> {
        let (at, text) = self.field(field)?;
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if digits => Ok(number),
            _ => {
                let text = crate::excerpt(text);
                self.error(
                    field,
                    at,
                    format!("found {text:?}, expected a number up to {}", u32::MAX),
                )
            }
        }
    }

    fn end(&self) -> Result<(), ParseFenError> {
        if self.at == self.text.len() {
            return Ok(());
        }
        let rest = crate::excerpt(&self.text[self.at..]);
        self.error(
            Field::End,
            self.at,
            format!("found {rest:?} after the last field"),
        )
    }
}

/// Marks bytes that are no piece letter.
const NO_PIECE: u8 = 15;

/// The number of each piece letter.
static PIECE_OF_LETTER: [u8; 256] = {
    let mut numbers = [NO_PIECE; 256];
    let mut letter = 0;
    while letter < 128 {
        if let Some(Piece { color, role }) = Piece::from_char(letter as u8 as char) {
            numbers[letter] = number_of(color, role) as u8;
        }
        letter += 1;
    }
    numbers
};

/// A piece as a number below twelve.
const fn number_of(color: Color, role: Role) -> usize {
    6 * color as usize + role as usize
}

/// The rook that `K` or `Q` means: the outermost of its side, or the corner if there is none.
pub(crate) fn outermost_rook(board: &Board, color: Color, kings_wing: bool) -> Square {
    let back = Bitboard(back_rank(color));
    let rooks = board.by_color_and_role(Role::Rook.of(color)) & back;
    let king = (board.by_color_and_role(Role::King.of(color)) & back).first();
    let corner = Square::at(
        if kings_wing { File::H } else { File::A },
        Rank::First.of(color),
    );
    let outermost = if kings_wing {
        rooks.last()
    } else {
        rooks.first()
    };
    let beyond = |rook: &Square| king.is_some_and(|king| (*rook > king) == kings_wing);
    outermost.filter(beyond).unwrap_or(corner)
}

/// The placement field of a board.
pub(crate) struct Placement<'a>(pub &'a Board);

impl fmt::Display for Placement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = FenBuffer::new();
        line.placement(self.0);
        f.write_str(line.as_str())
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = FenBuffer::of_position(&self.0, f.alternate());
        line.push(b' ');
        line.number(self.0.halfmoves);
        line.push(b' ');
        line.number(self.0.fullmoves);
        f.write_str(line.as_str())
    }
}
