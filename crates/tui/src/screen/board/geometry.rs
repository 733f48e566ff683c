//! The geometry of the board: where each square is on the screen, and which square is at a cell. Knows nothing of
//! pieces.

use ratatui::layout::{Position, Rect};
use touchmove_rules::{Color, File, Rank, Square};

/// The size of one square, in columns and rows. A column is about half as wide as a row is high, so these squares
/// look square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct SquareSize {
    pub columns: u16,
    pub rows: u16,
}

impl SquareSize {
    /// All sizes, the largest first.
    pub const ALL: [SquareSize; 8] = [
        SquareSize::new(16, 8),
        SquareSize::new(14, 7),
        SquareSize::new(12, 6),
        SquareSize::new(10, 5),
        SquareSize::new(8, 4),
        SquareSize::new(6, 3),
        SquareSize::new(4, 2),
        SquareSize::new(3, 1),
    ];

    /// The smallest size.
    pub const MIN_SQUARE_SIZE: SquareSize = SquareSize::new(3, 1);

    /// The smallest size with room for file letters inside the squares.
    pub(crate) const fn smallest_with_labels() -> SquareSize {
        SquareSize::new(6, 3)
    }

    const fn new(columns: u16, rows: u16) -> SquareSize {
        SquareSize { columns, rows }
    }

    /// Whether file letters fit into the corners of the squares.
    #[must_use]
    pub const fn takes_labels(self) -> bool {
        self.rows >= 3
    }

    /// The size of a board with its labels: ranks to the left, files below.
    #[must_use]
    pub const fn board(self) -> (u16, u16) {
        (8 * self.columns + LABEL_COLUMNS, 8 * self.rows + LABEL_ROWS)
    }

    /// The largest size whose board fits.
    #[must_use]
    pub fn fitting(columns: u16, rows: u16) -> Option<SquareSize> {
        SquareSize::ALL.into_iter().find(|size| {
            let (wide, high) = size.board();
            wide <= columns && high <= rows
        })
    }
}

/// Columns for rank numbers, to the left of the board.
const LABEL_COLUMNS: u16 = 2;
/// Rows for file letters, below the board.
const LABEL_ROWS: u16 = 1;

/// The place and size of a board on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// The upper left corner of the board with its labels.
    pub origin: Position,
    /// The size of a square.
    pub size: SquareSize,
    /// The player at the lower edge.
    pub near: Color,
    /// Whether file letters are in the corners of the nearest squares instead of below them.
    pub labels_inside: bool,
}

impl Geometry {
    /// The area of the board with its labels.
    #[must_use]
    pub const fn area(&self) -> Rect {
        let (columns, rows) = self.size.board();
        let inside = if self.labels_inside { LABEL_ROWS } else { 0 };
        Rect::new(self.origin.x, self.origin.y, columns, rows - inside)
    }

    /// The column and row of a square, counted in squares from the upper left.
    fn place(&self, square: Square) -> (u16, u16) {
        let (file, rank) = (
            u16::from(square.file().index()),
            u16::from(square.rank().index()),
        );
        match self.near {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        }
    }

    /// The cells of a square.
    #[must_use]
    pub fn square(&self, square: Square) -> Rect {
        let (column, row) = self.place(square);
        Rect::new(
            self.origin.x + LABEL_COLUMNS + column * self.size.columns,
            self.origin.y + row * self.size.rows,
            self.size.columns,
            self.size.rows,
        )
    }

    /// The centre cell of a square, where the glyph of its piece and the cursor are.
    #[must_use]
    pub fn middle(&self, square: Square) -> Position {
        let cells = self.square(square);
        Position::new(
            cells.x + (self.size.columns - 1) / 2,
            cells.y + (self.size.rows - 1) / 2,
        )
    }

    /// The cell of a rank's number.
    #[must_use]
    pub fn rank_label(&self, rank: Rank) -> Position {
        Position::new(self.origin.x, self.middle(Square::at(File::A, rank)).y)
    }

    /// The cell of a file's letter.
    #[must_use]
    pub fn file_label(&self, file: File) -> Position {
        if self.labels_inside {
            let square = self.square(Square::at(file, self.nearest_rank()));
            return Position::new(square.right() - 1, square.bottom() - 1);
        }
        let x = self.middle(Square::at(file, Rank::First)).x;
        Position::new(x, self.origin.y + 8 * self.size.rows)
    }

    /// The rank at the lower edge.
    #[must_use]
    pub const fn nearest_rank(&self) -> Rank {
        match self.near {
            Color::White => Rank::First,
            Color::Black => Rank::Eighth,
        }
    }

    /// The square at a cell of the screen.
    #[must_use]
    pub fn square_at(&self, cell: Position) -> Option<Square> {
        let x = cell.x.checked_sub(self.origin.x + LABEL_COLUMNS)?;
        let y = cell.y.checked_sub(self.origin.y)?;
        let (column, row) = (x / self.size.columns, y / self.size.rows);
        if column > 7 || row > 7 {
            return None;
        }
        let (file, rank) = match self.near {
            Color::White => (column, 7 - row),
            Color::Black => (7 - column, row),
        };
        Some(Square::at(
            File::new(u8::try_from(file).ok()?)?,
            Rank::new(u8::try_from(rank).ok()?)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_of_a_square_leads_back_to_it_at_every_size_from_both_sides() {
        for size in SquareSize::ALL {
            for near in Color::ALL {
                let geometry = Geometry {
                    origin: Position::new(3, 2),
                    size,
                    near,
                    labels_inside: false,
                };
                for square in Square::all() {
                    for cell in geometry.square(square).positions() {
                        assert_eq!(geometry.square_at(cell), Some(square));
                        assert!(geometry.area().contains(cell));
                    }
                    assert_eq!(geometry.square_at(geometry.middle(square)), Some(square));
                }
                assert_eq!(geometry.square_at(Position::new(0, 0)), None);
                assert_eq!(geometry.square_at(Position::new(500, 500)), None);
            }
        }
    }

    #[test]
    fn labels_stand_beside_their_ranks_and_below_their_files() {
        for size in SquareSize::ALL {
            for near in Color::ALL {
                let geometry = Geometry {
                    origin: Position::new(0, 0),
                    size,
                    near,
                    labels_inside: false,
                };
                for square in Square::all() {
                    assert_eq!(
                        geometry.rank_label(square.rank()).y,
                        geometry.middle(square).y
                    );
                    assert_eq!(
                        geometry.file_label(square.file()).x,
                        geometry.middle(square).x
                    );
                }
            }
        }
    }

    #[test]
    fn squares_are_square_where_a_row_is_two_columns_high() {
        for size in SquareSize::ALL {
            assert!(size == SquareSize::MIN_SQUARE_SIZE || size.columns == 2 * size.rows);
        }
    }

    #[test]
    fn the_largest_board_that_fits_is_taken() {
        assert_eq!(
            SquareSize::fitting(26, 9),
            Some(SquareSize::MIN_SQUARE_SIZE)
        );
        assert_eq!(SquareSize::fitting(25, 9), None);
        assert_eq!(SquareSize::fitting(80, 20), Some(SquareSize::new(4, 2)));
        assert_eq!(SquareSize::fitting(120, 35), Some(SquareSize::new(8, 4)));
        assert_eq!(SquareSize::fitting(500, 500), Some(SquareSize::new(16, 8)));
    }
}
