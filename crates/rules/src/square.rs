//! The coordinates of the board: [`File`], [`Rank`] and [`Square`]. What stands on a square is in
//! [`Board`](crate::Board).

use std::fmt;
use std::str::FromStr;

use crate::cpu;
use crate::{Bitboard, Color};

/// A file, `a` to `h`, from White's left to White's right.
///
/// ```
/// use touchmove_rules::File;
///
/// assert_eq!(File::from_char('e'), Some(File::E));
/// assert_eq!((File::E.index(), File::E.char()), (4, 'e'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files, from `a` to `h`.
    pub const ALL: [File; 8] = [
        File::A,
        File::B,
        File::C,
        File::D,
        File::E,
        File::F,
        File::G,
        File::H,
    ];

    /// The file with this index, 0 (`a`) to 7 (`h`).
    #[must_use]
    pub const fn new(index: u8) -> Option<File> {
        if index < 8 {
            Some(File::ALL[index as usize])
        } else {
            None
        }
    }

    /// The file that this letter names, in either case.
    #[must_use]
    pub const fn from_char(letter: char) -> Option<File> {
        match letter {
            'a'..='h' => File::new(letter as u8 - b'a'),
            'A'..='H' => File::new(letter as u8 - b'A'),
            _ => None,
        }
    }

    /// 0 for `a` to 7 for `h`.
    #[must_use]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The letter, `'a'` to `'h'`.
    #[must_use]
    pub const fn char(self) -> char {
        (b'a' + self as u8) as char
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.char())
    }
}

/// A rank, first to eighth, from White's side to Black's.
///
/// ```
/// use touchmove_rules::{Color, Rank};
///
/// assert_eq!(Rank::from_char('8'), Some(Rank::Eighth));
/// assert_eq!(Rank::Eighth.of(Color::Black), Rank::First);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All ranks, from the first to the eighth.
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];

    /// The rank with this index, 0 (first) to 7 (eighth).
    #[must_use]
    pub const fn new(index: u8) -> Option<Rank> {
        if index < 8 {
            Some(Rank::ALL[index as usize])
        } else {
            None
        }
    }

    /// The rank that this digit names.
    #[must_use]
    pub const fn from_char(digit: char) -> Option<Rank> {
        match digit {
            '1'..='8' => Rank::new(digit as u8 - b'1'),
            _ => None,
        }
    }

    /// 0 for the first rank to 7 for the eighth.
    #[must_use]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The digit, `'1'` to `'8'`.
    #[must_use]
    pub const fn char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// This rank counted from `color`'s own side: Black's second rank is the seventh.
    ///
    /// ```
    /// use touchmove_rules::{Color, Rank};
    /// assert_eq!(Rank::Second.of(Color::Black), Rank::Seventh);
    /// ```
    #[must_use]
    pub const fn of(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank::ALL[7 - self as usize],
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.char())
    }
}

/// One of the 64 squares.
///
/// ```
/// use touchmove_rules::{File, Rank, Square};
///
/// let square: Square = "e4".parse().unwrap();
/// assert_eq!(square, Square::E4);
/// assert_eq!((square.file(), square.rank()), (File::E, Rank::Fourth));
/// assert!(square.is_light());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

macro_rules! name_squares {
    ($($name:ident)*) => {
        #[allow(missing_docs)]
        impl Square {
            name_squares!(@each 0u8, $($name)*);
        }
    };
    (@each $index:expr, $name:ident $($rest:ident)*) => {
        pub const $name: Square = Square($index);
        name_squares!(@each $index + 1, $($rest)*);
    };
    (@each $index:expr,) => {};
}

name_squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl Square {
    /// The square with this index: `a1` is 0, `b1` is 1, `h8` is 63.
    #[must_use]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 {
            Some(Square(index))
        } else {
            None
        }
    }

    /// The square where a file and a rank meet.
    #[must_use]
    pub const fn at(file: File, rank: Rank) -> Square {
        Square(file.index() + 8 * rank.index())
    }

    /// Squares from `a1`, `b1` … to `h8`.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + Clone {
        (0..64).map(Square)
    }

    /// The lowest square of a set that the caller knows not to be empty.
    #[inline(always)]
    pub(crate) const fn lowest(bits: u64) -> Square {
        debug_assert!(bits != 0);
        Square((bits.trailing_zeros() & 63) as u8)
    }

    /// 0 for `a1` to 63 for `h8`.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        cpu::on_board(self.0) as usize
    }

    /// The file it stands on.
    #[inline]
    #[must_use]
    pub const fn file(self) -> File {
        File::ALL[(self.0 & 7) as usize]
    }

    /// The rank it stands on.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 >> 3 & 7) as usize]
    }

    /// Whether the square is a light one; `a1` is dark.
    #[must_use]
    pub const fn is_light(self) -> bool {
        (self.0 ^ (self.0 >> 3)) & 1 == 1
    }

    /// The set that holds just this square.
    #[inline(always)]
    #[must_use]
    pub const fn set(self) -> Bitboard {
        Bitboard(self.bit())
    }

    #[inline(always)]
    pub(crate) const fn bit(self) -> u64 {
        1 << cpu::on_board(self.0)
    }

    /// The square this many files to the right and ranks up (seen by White), if it is on the board.
    ///
    /// ```
    /// use touchmove_rules::Square;
    /// assert_eq!(Square::E4.offset(-1, 2), Some(Square::D6));
    /// assert_eq!(Square::H4.offset(1, 0), None);
    /// ```
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = (self.0 & 7) as i8 + files;
        let rank = (self.0 >> 3) as i8 + ranks;
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            Some(Square((file + 8 * rank) as u8))
        } else {
            None
        }
    }

    /// The same square seen from the other side of the board: `e2` becomes `e7`.
    #[must_use]
    pub const fn flip(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// How many king steps apart two squares are.
    #[must_use]
    pub const fn distance(self, other: Square) -> u8 {
        let files = (self.0 & 7).abs_diff(other.0 & 7);
        let ranks = (self.0 >> 3).abs_diff(other.0 >> 3);
        if files > ranks { files } else { ranks }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not the name of a square.
///
/// ```
/// use touchmove_rules::Square;
///
/// assert!("e9".parse::<Square>().unwrap_err().to_string().contains("such as e4"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a square: a square is a file a-h and a rank 1-8, such as e4")]
pub struct ParseSquareError(String);

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `e4`, or `E4`.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let mut chars = text.chars();
        let square = (|| {
            let file = File::from_char(chars.next()?)?;
            let rank = Rank::from_char(chars.next()?)?;
            chars.next().is_none().then_some(Square::at(file, rank))
        })();
        square.ok_or_else(|| ParseSquareError(crate::excerpt(text)))
    }
}
