//! Pieces drawn by hand, for squares with too few cells for the diagram's outlines: `#` is the piece, `+` a line in
//! it, anything else the square. Each file has the pieces for one kind of block characters, and every cell can be
//! shown by one such character in two colours.

mod half;
mod octants;
mod quadrants;
mod sextants;

use touchmove_rules::Role;

use crate::screen::board::blocks::Blocks;
use crate::screen::board::geometry::SquareSize;

/// One drawing for each piece, from the pawn to the king.
type PieceDrawings = [&'static [&'static str]; 6];

/// A drawing placed on a square: scaled up as far as it fits, at the bottom, centred.
#[derive(Clone, Copy)]
pub(super) struct PlacedDrawing {
    picture: &'static [&'static str],
    /// Pixels of the square for each pixel of the drawing, across and down.
    scale: (u16, u16),
    /// Pixels of the square to the left of the drawing and above it.
    margin: (u16, u16),
}

impl PlacedDrawing {
    fn on(picture: &'static [&'static str], columns: u16, rows: u16) -> PlacedDrawing {
        let (wide, high) = (picture[0].len() as u16, picture.len() as u16);
        let scale = (columns / wide, rows / high);
        PlacedDrawing {
            picture,
            scale,
            margin: ((columns - scale.0 * wide) / 2, rows - scale.1 * high),
        }
    }

    /// The drawing's pixel at this column and row of the square.
    pub(super) fn at(&self, column: u16, row: u16) -> u8 {
        let inside = |at: u16, margin, scale| Some(usize::from(at.checked_sub(margin)? / scale));
        let pixel = || {
            let row = self
                .picture
                .get(inside(row, self.margin.1, self.scale.1)?)?;
            let column = inside(column, self.margin.0, self.scale.0)?;
            row.as_bytes().get(column).copied()
        };
        pixel().unwrap_or(b'.')
    }
}

/// The drawing of a piece for squares of this size, if there is one in these block characters.
pub(super) fn drawn(role: Role, size: SquareSize, blocks: Blocks) -> Option<PlacedDrawing> {
    let men: PieceDrawings = match (blocks, size.columns) {
        (Blocks::Half, 6) => half::PIECES_6_COLUMNS,
        (Blocks::Half, 8 | 10) => half::PIECES_8_COLUMNS,
        (Blocks::Quadrants, 6) => quadrants::PIECES_6_COLUMNS,
        (Blocks::Quadrants, 8 | 10) => quadrants::PIECES_8_COLUMNS,
        // Pixels of octants are square, and so are half cells of these.
        (Blocks::Half | Blocks::Quadrants, 12..) => octants::PIECES_6_COLUMNS,
        (Blocks::Sextants, 6) => sextants::PIECES_6_COLUMNS,
        (Blocks::Sextants, 8 | 10) => sextants::PIECES_8_COLUMNS,
        (Blocks::Octants, 6) => octants::PIECES_6_COLUMNS,
        _ => return None,
    };
    let (across, down) = blocks.pixels_per_cell();
    Some(PlacedDrawing::on(
        men[role as usize],
        size.columns * across,
        size.rows * down,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_a_picture_is_as_long_as_the_others() {
        let sets = [
            half::PIECES_6_COLUMNS,
            half::PIECES_8_COLUMNS,
            quadrants::PIECES_6_COLUMNS,
            quadrants::PIECES_8_COLUMNS,
            sextants::PIECES_6_COLUMNS,
            sextants::PIECES_8_COLUMNS,
            octants::PIECES_6_COLUMNS,
        ];
        for picture in sets.as_flattened() {
            let wide = picture[0].len();
            assert!(picture.iter().all(|row| row.len() == wide), "{picture:#?}");
        }
    }
}
