//! Men drawn by hand where cells are too few for the outlines of the diagram: `#` is the man, `+` a line cut
//! into him, anything else the square. Each file has the men of one kind of blocks, and no cell of a screen
//! needs what a character of that kind and two colours cannot show.

mod half;
mod octants;
mod quadrants;
mod sextants;

use touchmove_rules::Role;

use crate::screen::board::blocks::Blocks;
use crate::screen::board::geometry::SquareSize;

/// One picture for each man, from the pawn to the king.
type PieceDrawings = [&'static [&'static str]; 6];

/// A picture on a square: as many times as large as fits, at the bottom in the middle.
#[derive(Clone, Copy)]
pub(super) struct PlacedDrawing {
    picture: &'static [&'static str],
    /// Pixels of the square for one of the picture, across and down.
    scale: (u16, u16),
    /// Pixels of the square to the left of the picture and above it.
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

    /// The pixel in this column and row of the square.
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

/// The picture of a man for squares of this size, if one was drawn of such blocks.
pub(super) fn drawn(role: Role, size: SquareSize, blocks: Blocks) -> Option<PlacedDrawing> {
    let men: PieceDrawings = match (blocks, size.columns) {
        (Blocks::Half, 6) => half::PIECES_6_COLUMNS,
        (Blocks::Half, 8 | 10) => half::PIECES_8_COLUMNS,
        (Blocks::Quadrants, 6) => quadrants::PIECES_6_COLUMNS,
        (Blocks::Quadrants, 8 | 10) => quadrants::PIECES_8_COLUMNS,
        // Octants are as high as wide, and so is half a cell of these.
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
