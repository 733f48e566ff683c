//! [`Diagram`]: what a picture shows, described once for all three output formats. The text, SVG and PNG painters
//! decide how it looks.

use touchmove_rules::{Bitboard, Board, Color, Square};

use crate::png::{self, PngError};
use crate::scene::Scene;
use crate::svg;
use crate::text::{self, TextStyle};
use crate::theme::Theme;

/// An arrow from the middle of one square to the middle of another.
///
/// ```
/// use touchmove_diagram::{Arrow, Diagram};
/// use touchmove_rules::{Board, Square};
///
/// let arrow = Arrow { from: Square::G1, to: Square::F3 };
/// let pointed = Diagram::new(&Board::START).arrow(arrow.from, arrow.to);
/// assert_ne!(pointed, Diagram::new(&Board::START));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrow {
    /// The square it starts from.
    pub from: Square,
    /// The square it points to.
    pub to: Square,
}

/// Where the pictures show file letters and rank numbers.
///
/// ```
/// use touchmove_diagram::{Coordinates, Diagram};
/// use touchmove_rules::Board;
///
/// let hidden = Diagram::new(&Board::START).coordinates(Coordinates::Hidden).svg();
/// assert!(hidden.len() < Diagram::new(&Board::START).svg().len());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Coordinates {
    /// In the corners of the edge squares: the board fills the picture.
    #[default]
    Inside,
    /// On a frame around the board.
    Outside,
    /// Not shown.
    Hidden,
}

/// A board and everything highlighted on it.
///
/// The painters show only what the diagram was given: a board alone makes a plain picture, without a last move, checks,
/// marks or arrows.
///
/// ```
/// use touchmove_diagram::{Diagram, TextStyle};
/// use touchmove_rules::{Board, Piece, Square};
///
/// let mut board = Board::EMPTY;
/// board.set(Square::D4, Piece::from_char('N').unwrap());
/// let diagram = Diagram::new(&board).marks(Square::C6.set() | Square::E6.set());
/// let text = diagram.text(TextStyle::default());
/// assert_eq!(text.lines().nth(2), Some("6 |_|#[_]#[_]#|_|#|"));
/// assert_eq!(text.lines().nth(4), Some("4 |_|#|_|♘|_|#|_|#|"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    pub(crate) board: Board,
    pub(crate) seen_from: Color,
    pub(crate) last_move: Bitboard,
    pub(crate) checks: Bitboard,
    pub(crate) marks: Bitboard,
    pub(crate) arrows: Vec<Arrow>,
    pub(crate) coordinates: Coordinates,
    pub(crate) theme: Theme,
}

impl Diagram {
    /// A plain diagram of a board, seen from White's side.
    #[must_use]
    pub fn new(board: &Board) -> Diagram {
        Diagram {
            board: *board,
            seen_from: Color::White,
            last_move: Bitboard::EMPTY,
            checks: Bitboard::EMPTY,
            marks: Bitboard::EMPTY,
            arrows: Vec::new(),
            coordinates: Coordinates::default(),
            theme: Theme::default(),
        }
    }

    /// Draws the board from this side's view, its first rank at the bottom.
    #[must_use]
    pub fn seen_from(self, color: Color) -> Diagram {
        Diagram {
            seen_from: color,
            ..self
        }
    }

    /// Highlights the squares of the last move.
    #[must_use]
    pub fn last_move(self, from: Square, to: Square) -> Diagram {
        Diagram {
            last_move: from.set() | to.set(),
            ..self
        }
    }

    /// Highlights kings in check by their squares.
    #[must_use]
    pub fn checks(self, kings: Bitboard) -> Diagram {
        Diagram {
            checks: kings,
            ..self
        }
    }

    /// Highlights any other squares: the evidence of a ruling, the squares of an explosion.
    #[must_use]
    pub fn marks(self, squares: Bitboard) -> Diagram {
        Diagram {
            marks: squares,
            ..self
        }
    }

    /// Adds an arrow. The text board has no room for it.
    #[must_use]
    pub fn arrow(mut self, from: Square, to: Square) -> Diagram {
        self.arrows.push(Arrow { from, to });
        self
    }

    /// Sets where the pictures show the coordinates. The text board always has them.
    #[must_use]
    pub fn coordinates(self, coordinates: Coordinates) -> Diagram {
        Diagram {
            coordinates,
            ..self
        }
    }

    /// Sets the colours of the pictures.
    #[must_use]
    pub fn theme(self, theme: Theme) -> Diagram {
        Diagram { theme, ..self }
    }

    /// The text board, without a newline at its end.
    ///
    /// An empty dark tile is `#`, an empty light tile `_`. Marked squares stand in `[ ]`, kings in
    /// check in `* *`, the squares of the last move in `( )`; neighbours share their brackets.
    ///
    /// ```
    /// use touchmove_diagram::{Diagram, PieceStyle, TextStyle};
    /// use touchmove_rules::Board;
    ///
    /// let start = Diagram::new(&Board::START);
    /// let text = start.text(TextStyle::default());
    /// assert_eq!(text.lines().next(), Some("8 |♜|♞|♝|♛|♚|♝|♞|♜|"));
    /// assert_eq!(text.lines().last(), Some("   a b c d e f g h"));
    ///
    /// let ascii = start.text(TextStyle { men: PieceStyle::Letters, ..TextStyle::default() });
    /// assert_eq!(ascii.lines().next(), Some("8 |r|n|b|q|k|b|n|r|"));
    /// ```
    #[must_use]
    pub fn text(&self, style: TextStyle) -> String {
        text::write(self, style)
    }

    /// A self-contained SVG document that scales to any size.
    #[must_use]
    pub fn svg(&self) -> String {
        svg::write(&Scene::of(self))
    }

    /// A PNG image, `side` pixels wide and high.
    ///
    /// Squares are sharpest with a whole number of pixels each: with coordinates inside, when eight divides `side`.
    ///
    /// # Errors
    ///
    /// When `side` is not in [`PngError::PNG_SIDE_RANGE`].
    pub fn png(&self, side: u32) -> Result<Vec<u8>, PngError> {
        png::paint(&Scene::of(self), side)
    }
}
